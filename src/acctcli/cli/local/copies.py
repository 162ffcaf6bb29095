"""Backups of the local books, and what brings them back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from acctcli.errors import Incomplete
from acctcli.service.http.embedded import TOKEN_FILE
from acctcli.service.store.contents import Contents
from acctcli.service.store.engine.snapshots import clear, copy_out, held, put, stage

if TYPE_CHECKING:
    from acctcli.service.store.engine.snapshots import Held

NAMED = 10
KEPT = "books-before-{moment:%Y%m%dT%H%M%S.%fZ}.sqlite3"


def back_up(database: Path, contents: Contents, target: Path) -> tuple[int, list[Held]]:
    """Write a backup and return its size, and the files whose content is nowhere."""
    copies = copies_of(target)
    # before and after: what is deleted or added while the database is copied is in the copies
    contents.copy((one.content_name for one in held(database)), copies)
    size = copy_out(database, target)
    files = held(target)
    contents.copy((one.content_name for one in files), copies)
    return size, [one for one in files if one.sha256 and not copies.holds(one.content_name, None)]


def bring_back(source: Path, database: Path, contents: Contents) -> tuple[Path | None, list[Held]]:
    """Let a backup take the place of the books, once it is known to be whole.

    Returns the file that keeps what was there, if anything was, and the files whose content is nowhere, or another.
    """
    draft = stage(source, database)
    try:
        copies, files = copies_of(source), held(draft)
        whole = [one for one in files if copies.holds(one.content_name, one.sha256)]
        copies.copy((one.content_name for one in whole), contents)
        missing = [one for one in files if one.sha256 and not contents.holds(one.content_name, one.sha256)]
        kept = database.with_name(KEPT.format(moment=datetime.now(UTC)))
        return put(draft, database, kept), missing
    finally:
        draft.unlink(missing_ok=True)


def wipe(database: Path, contents: Contents) -> None:
    """Delete the books, those kept when others were restored, and what their files hold."""
    names = [one.content_name for one in held(database)]
    clear(database)
    for path in (*database.parent.glob("books-before-*"), database.parent / TOKEN_FILE):
        path.unlink(missing_ok=True)
    contents.remove(names)


def copies_of(backup: Path) -> Contents:
    """Return the folder that a backup has beside it."""
    return Contents(backup.with_name(f"{backup.name}-files"))


def check_whole(missing: Sequence[Held], done: str) -> None:
    """Raise Incomplete when content is missing: it says what was done, and names the files."""
    if missing:
        names = ", ".join(f"{one.id} ({one.name})" for one in missing[:NAMED])
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        raise Incomplete(
            f"{done}, but the content of {len(missing)} files is missing or damaged: {names}{more}",
            hint="look for it in an earlier backup, in the folder with -files at the end of its name",
        )
