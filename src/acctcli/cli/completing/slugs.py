"""Slugs seen before, kept per environment for the shell's completion."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acctcli.settings import Settings, cache_dir
from acctcli.settings.files import make_private_folder, write_atomically

if TYPE_CHECKING:
    import msgspec

    from acctcli.cli.session.state import State

_MOST = 1000


def remembered(environment: str | None) -> list[str]:
    """Return the slugs seen in an environment (the default one for None)."""
    return _read(_path(Settings.load().describe(environment).name))


def remember(here: State, slugs: list[str]) -> None:
    """Add slugs; the latest first. A cache that cannot be written is no reason to fail."""
    path = _path(here.environment.name)
    known = list(dict.fromkeys([*slugs, *_read(path)]))[:_MOST]
    try:
        make_private_folder(path.parent)
        write_atomically(path, json.dumps(known).encode())
    except OSError as problem:
        if here.options.verbose:
            here.say(f"note: completion will not know new slugs: {problem}")


def noted(here: State, pages: Iterable[list[msgspec.Raw]]) -> Iterator[list[msgspec.Raw]]:
    """Remember the slugs of businesses that are shown, page by page."""
    import msgspec

    def slug_of(row: msgspec.Raw) -> Any:
        # what else is in the record may be odd
        with suppress(msgspec.DecodeError):
            fields = msgspec.json.decode(row, type=dict[str, msgspec.Raw])
            return msgspec.json.decode(fields.get("slug", b"null"))
        return None

    for rows in pages:
        remember(here, [slug for slug in map(slug_of, rows) if _is_slug(slug)])
        yield rows


def _path(environment: str) -> Path:
    return cache_dir() / f"businesses-{environment}.json"


def _read(path: Path) -> list[str]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return []
    return [slug for slug in found if _is_slug(slug)] if isinstance(found, list) else []


def _is_slug(value: object) -> bool:
    # some shells evaluate what a completion prints
    return isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9_-]+", value, re.ASCII) is not None
