"""Accounts of the charts that commands have read, kept for the shell's completion by environment and business."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from acctcli.settings import Settings, cache_dir
from acctcli.settings.files import make_private_folder, write_atomically

if TYPE_CHECKING:
    from acctcli.cli.command.typer_private import Context
    from acctcli.cli.session.state import State

# options whose value is, or begins with, the number of an account
OPTIONS = {"--account", "--contra", "--result"}
# some shells evaluate what a completion prints
_NUMBER = re.compile("[0-9]{1,7}", re.ASCII)
_NOT_SHOWN = re.compile(r"[^\w ,.&()/-]")


def remember(here: State, names: Mapping[str, str]) -> None:
    """Keep a chart: names by numbers. A cache that cannot be written is no reason to fail."""
    path = _path(here.environment.name, here.business())
    try:
        content = json.dumps(names, sort_keys=True).encode()
        if not path.exists() or path.read_bytes() != content:
            make_private_folder(path.parent)
            write_atomically(path, content)
    except (OSError, ValueError) as problem:
        if here.options.verbose:
            here.say(f"note: completion will not know new accounts: {problem}")


def remembered(environment: str | None, business: str | None) -> dict[str, str]:
    """Return names by numbers as they were last read, with signs of shells taken out; none where nobody did."""
    settings = Settings.load()
    known = settings.describe(environment)
    try:
        found = json.loads(_path(known.name, settings.business(known, business)).read_bytes())
    except (OSError, ValueError):
        return {}
    some = found.items() if isinstance(found, dict) else ()
    return {number: _NOT_SHOWN.sub("", str(name)) for number, name in some if _NUMBER.fullmatch(number)}


def beginning_with(context: Context, text: str) -> list[tuple[str, str]]:
    """Return the remembered accounts whose number begins so, with their names, in order."""
    known = remembered(context.params.get("env"), context.params.get("business"))
    return [(number, name) for number, name in sorted(known.items()) if number.startswith(text)]


def _path(environment: str, business: str) -> Path:
    return cache_dir() / f"accounts-{environment}-{business}.json"
