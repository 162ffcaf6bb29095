"""What commands have read, kept for the shell's completion by environment and business: words, each with its help."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from glob import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acctcli.settings import Settings, cache_dir
from acctcli.settings.files import make_private_folder, write_atomically

if TYPE_CHECKING:
    from acctcli.cli.command.typer_private import Context
    from acctcli.cli.session.state import State

# options whose value is, or begins with, the number of an account
OPTIONS = {"--account", "--contra", "--result"}
ACCOUNTS = "account"
CONTACTS = "contact"
MOST = 1000
# some shells evaluate what a completion prints
PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)
_NOT_SHOWN = re.compile(r"[^\w ,.&()/-]")


def remember(here: State, what: str, words: Mapping[str, str]) -> None:
    """Keep words with their help. A cache that cannot be written is no reason to fail."""
    path = _path(what, here.environment.name, here.business())
    try:
        content = json.dumps(words).encode()
        if not path.exists() or path.read_bytes() != content:
            make_private_folder(path.parent)
            write_atomically(path, content)
    except (OSError, ValueError) as problem:
        if here.options.verbose:
            here.say(f"note: completion will not know new {what}s: {problem}")


def remember_first(here: State, what: str, words: Mapping[str, str]) -> None:
    """Keep words before those that are kept already, as many as there may be."""
    before = _read(_path(what, here.environment.name, here.business()))
    remember(here, what, dict(islice({**words, **before, **words}.items(), MOST)))


def remembered(what: str, environment: str | None, business: str | None) -> dict[str, str]:
    """Return words and their help as they were last read, with signs of shells taken out; none where nobody did."""
    settings = Settings.load()
    known = settings.describe(environment)
    found = _read(_path(what, known.name, settings.business(known, business)))
    return {word: _NOT_SHOWN.sub("", str(told)) for word, told in found.items() if PLAIN.fullmatch(word)}


def forget(environment: str) -> None:
    """Remove what was kept of an environment, of all its businesses: names of customers are in it.

    A cache that cannot be removed is no reason to fail.
    """
    name = escape(environment)
    for pattern in (f"*s-{name}-*.json", f"businesses-{name}.json"):
        for path in cache_dir().glob(pattern):
            with suppress(OSError):
                path.unlink()


def beginning_with(context: Context, what: str, text: str) -> list[tuple[str, str]]:
    """Return what is remembered and begins so, with its help, in order: ids and numbers where nothing is typed yet."""
    known = remembered(what, context.params.get("env"), context.params.get("business"))
    return [(word, told) for word, told in known.items() if word.startswith(text) and (text or word.isdigit())]


def _path(what: str, environment: str, business: str) -> Path:
    return cache_dir() / f"{what.replace(' ', '-')}s-{environment}-{business}.json"


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
