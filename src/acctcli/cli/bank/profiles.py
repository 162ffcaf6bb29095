"""Where profiles are: those that come along beside this file, and people's own among their settings, which win."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from acctcli.banking.statements.model import StatementFault
from acctcli.banking.statements.profile import Profile, read_profile
from acctcli.cli.output.safe import visible_toml
from acctcli.cli.session.state import State
from acctcli.errors import UsageError, unwritten
from acctcli.settings import config_dir
from acctcli.settings.files import make_private_folder, read_toml, write_atomically

_SHIPPED = Path(__file__).parent / "profiles"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


def own_folder(here: State) -> Path:
    """Return the folder of the user's own profiles; it need not exist."""
    return config_dir(here.environ) / "bank-profiles"


def profiles(here: State) -> dict[str, Profile]:
    """Return all profiles by their names, in order; raise UsageError for one that cannot be read."""
    paths = {path.stem: path for folder in (_SHIPPED, own_folder(here)) for path in folder.glob("*.toml")}
    return {name: _read(paths[name]) for name in sorted(paths)}


def profile_named(here: State, name: str) -> Profile:
    """Return the profile of a name; raise UsageError where there is none."""
    for folder in (own_folder(here), _SHIPPED):
        path = folder / f"{name}.toml"
        if _NAME.fullmatch(name) and path.is_file():
            return _read(path)
    raise UsageError(f"there is no profile {name!r}", hint=f"there are {', '.join(profiles(here))}")


def written(profile: Profile) -> str:
    """Return a profile as TOML that a terminal may show: headings are those of a file of others."""
    import tomli_w

    plain: dict[str, Any] = msgspec.to_builtins(profile)
    return visible_toml(tomli_w.dumps(plain))


def create(here: State, name: str, source: Path, day: str | None) -> tuple[Profile, Path]:
    """Propose a profile from a file and keep it; raise UsageError where that cannot be or there is one.

    It is said of a file that others read already: the new one, which names all headings, takes their place.
    """
    from acctcli.banking.statements.detecting import profiles_for
    from acctcli.banking.statements.proposing import propose

    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a profile", hint="write small letters, digits and dashes")
    path = own_folder(here) / f"{name}.toml"
    if path.exists():
        raise UsageError(f"there is a profile {name} already", hint=f"give another name, or delete {path}")
    try:
        with source.open("rb") as stream:
            beginning = stream.read(2**20)
    except OSError as problem:
        raise UsageError(f"{source}: {problem.strerror}") from problem
    try:
        found = propose(beginning, source.name, day)
    except StatementFault as fault:
        raise UsageError(f"{source}: {fault}", hint="write the profile by hand: acctcli bank profile show op") from None
    if known := " or ".join(profiles_for(beginning, profiles(here))):
        here.say(
            f"note: {known} is for such files, and knows more of them: unless you mean to replace it, delete {path}"
        )
    try:
        make_private_folder(path.parent)
        write_atomically(path, written(found).encode())
    except OSError as problem:
        raise unwritten(
            f"{path} cannot be written", problem, "set ACCTCLI_CONFIG_DIR to a folder of yours"
        ) from problem
    return found, path


def _read(path: Path) -> Profile:
    is_shipped = path.parent == _SHIPPED
    values = tomllib.loads(path.read_text(encoding="utf-8")) if is_shipped else read_toml(path, links=True)
    try:
        return read_profile(values or {})
    except StatementFault as fault:
        raise UsageError(f"{path}: {fault}", hint="docs/bank.md, section 4, says what a profile holds") from None
