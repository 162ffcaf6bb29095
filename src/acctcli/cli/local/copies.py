"""Backups of the local books, and what brings them back."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from acctcli.cli.output.stderr import how_many
from acctcli.errors import AcctcliError, Incomplete, UsageError
from acctcli.service.http.embedded import KEY_FILE, TOKEN_FILE, begun_mark
from acctcli.service.identity.keys import KEY_BYTES, InstallationKey, open_key
from acctcli.service.identity.travel import seal_key, take_key, unseal_key
from acctcli.service.store.contents import Contents, discard, flush_folders
from acctcli.service.store.engine.snapshots import clear, copy_out, held, put, stage, take_over
from acctcli.service.store.engine.sqlite import marker
from acctcli.service.store.moments import stamp
from acctcli.settings.temporaries import PREFIX, left_behind, new_temporary

if TYPE_CHECKING:
    from acctcli.cli.session.state import State
    from acctcli.service.store.engine.snapshots import Held
    from acctcli.service.store.trail import Doubt

NAMED = 10
KEPT = "books-before-{moment:%Y%m%dT%H%M%S.%fZ}.sqlite3"
ALL_KEPT = "books-before-*"
# how the name of the folder ends that a backup has beside it
FILES = "-files"
# content has such names, and nothing else
OPAQUE = re.compile("[0-9a-f]{32}").fullmatch


def back_up(database: Path, contents: Contents, target: Path, passphrase: str | None) -> tuple[int, list[Held]]:
    """Write a backup, its key with a passphrase; return its size, and the files whose content is nowhere.

    Until it is whole all of it has names that the next backup there clears away, should this one be killed.
    """
    _refuse(target)
    begun = new_temporary(target.parent, "")
    copies = copies_of(begun)
    new = [path for path in (copies_of(target).folder, sealed_key(target)) if not path.exists()]
    try:
        # before and after: what is deleted or added while the database is copied is in the copies
        contents.copy((one.content_name for one in held(database)), copies)
        size = copy_out(database, begun)
        if passphrase is not None:
            seal_key(key_file(database), sealed_key(begun), passphrase, secrets.token_bytes)
        files = held(begun)
        contents.copy((one.content_name for one in files), copies)
        _refuse(target)
        _settle(begun, target)
    except BaseException:
        # one that has appeared meanwhile is another's
        for path in new if not target.exists() else ():
            discard(path)
        raise
    finally:
        for path in (begun, copies.folder, sealed_key(begun)):
            discard(path)
    return size, _nowhere(files, copies_of(target))


def _refuse(target: Path) -> None:
    if target.exists():
        raise UsageError(f"{target} exists already", hint="choose another name: a backup is never overwritten")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}")


def _settle(begun: Path, target: Path) -> None:
    """Give a whole backup its name: the file last, for what lies beside it is nothing without it."""
    made, copies = copies_of(begun), copies_of(target)
    if copies.folder.exists():
        made.copy(made.names(), copies, over=True)
    elif made.folder.exists():
        made.folder.replace(copies.folder)
    if sealed_key(begun).exists():
        sealed_key(begun).replace(sealed_key(target))
    flush_folders(target.parent)
    begun.replace(target)
    flush_folders(target.parent)


def alone(folder: Path) -> list[Path]:
    """Return the folders of content in a folder that are beside no backup."""
    found = (path for path in folder.glob(f"*{FILES}") if not Path(str(path).removesuffix(FILES)).exists())
    return sorted(
        path for path in found if not path.name.startswith(PREFIX) and any(map(OPAQUE, Contents(path).names()))
    )


def bring_back(
    source: Path, database: Path, contents: Contents, passphrase: str | None, *, is_forced: bool
) -> tuple[Path | None, list[Held], list[Doubt]]:
    """Let a backup take the place of the books, once it is known to be whole; with a passphrase its key as well.

    Returns the file that keeps what was there, if anything was, the files whose content is nowhere, or another, and the
    trails that were not proved. One that is not what was recorded is refused unless `is_forced`.
    What the kept ones name is in a folder beside them as well: nothing that is done to the new books takes it away.
    """
    key = None if passphrase is None else unseal_key(sealed_key(source), passphrase)
    installation = _installation(database, key)
    draft = stage(source, database)
    kept = database.with_name(KEPT.format(moment=datetime.now(UTC)))
    keep = partial(contents.copy, target=copies_of(kept), linked=True)
    try:
        moment = stamp(datetime.now(UTC))
        doubts = take_over(draft, database, moment, installation.trail_marker, is_key_known=key is not None)
        refuse_doubtful(doubts, source, is_forced=is_forced)
        missing = _bring_content(held(draft), copies_of(source), contents)
        # most of it before others have to wait
        keep(_named_by(database, contents))
        found = put(draft, database, kept, lambda files: keep(one.content_name for one in files))
    except AcctcliError:
        discard(copies_of(kept).folder)
        raise
    finally:
        draft.unlink(missing_ok=True)
    if found is None:
        discard(copies_of(kept).folder)
    if key is not None:
        take_key(key, key_file(database), kept.with_suffix(".key"))
    return found, missing, doubts


def rehearse(
    source: Path, database: Path, contents: Contents, passphrase: str | None, *, is_forced: bool
) -> tuple[list[Held], list[Doubt]]:
    """Do all that `bring_back` does before it touches the books.

    Returns the files whose content would be nowhere, and the trails that would not be proved.
    """
    from tempfile import TemporaryDirectory

    key = None if passphrase is None else unseal_key(sealed_key(source), passphrase)
    if key is None and not key_file(database).exists():
        key, is_known = secrets.token_bytes(KEY_BYTES), False  # as a restore would make one
    else:
        is_known = key is not None
    installation = _installation(database, key)
    # on the disk of the books, which has to have room for a restore, too
    there = next(folder for folder in database.parents if folder.exists())
    with TemporaryDirectory(prefix=new_temporary(there, "-").name, dir=there) as folder:
        draft = stage(source, database, Path(folder))
        moment = stamp(datetime.now(UTC))
        doubts = take_over(draft, database, moment, installation.trail_marker, is_key_known=is_known)
        refuse_doubtful(doubts, source, is_forced=is_forced)
        return _nowhere(held(draft), contents, copies_of(source)), doubts


def _installation(database: Path, key: bytes | None) -> InstallationKey:
    """Return the key that a backup brings, or that of the books."""
    return open_key(key_file(database), secrets.token_bytes) if key is None else InstallationKey(lambda: key)


def _named_by(database: Path, contents: Contents) -> Iterable[str]:
    """Return the content that books name; of those that do not say so, as damaged ones, all there is."""
    return [one.content_name for one in held(database)] or contents.names()


def _bring_content(files: Sequence[Held], copies: Contents, contents: Contents) -> list[Held]:
    """Copy what is missing or damaged where it is whole in the copies; return what is nowhere."""
    wanted = [one for one in files if not contents.holds(one.content_name, one.sha256)]
    whole = [one for one in wanted if copies.holds(one.content_name, one.sha256)]
    copies.copy((one.content_name for one in whole), contents, over=True)
    return _nowhere(wanted, contents)


def _nowhere(files: Sequence[Held], *places: Contents) -> list[Held]:
    """Return the files whose content is in none of the places, or not whole."""
    return [one for one in files if one.sha256 and not any(in_.holds(one.content_name, one.sha256) for in_ in places)]


def wipe(database: Path, contents: Contents) -> None:
    """Delete the books, those kept when others were restored, and what their files hold."""
    kept = list(database.parent.glob(ALL_KEPT))
    names = [one.content_name for books in (database, *kept) for one in held(books)]
    sign = contents.sign_of(marker(database).read_text("ascii")) if marker(database).exists() else None
    clear(database, open_key(key_file(database), secrets.token_bytes).trail_marker)
    if sign is not None:
        sign.unlink(missing_ok=True)
    for path in (*kept, *leftovers(database), database.parent / TOKEN_FILE, begun_mark(database.parent)):
        discard(path)
    contents.remove(names)


def leftovers(database: Path, before: float = float("inf")) -> Iterator[Path]:
    """Yield what killed copies have left beside the books; of what may be in use what is older than a moment."""
    folder = database.parent
    yield from left_behind(folder)
    halves = [path for path in folder.glob(f"{ALL_KEPT}{FILES}") if not Path(str(path).removesuffix(FILES)).exists()]
    for path in halves:
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < before:
                yield path


def key_file(database: Path) -> Path:
    """Return the file of the key that belongs to local books."""
    return database.with_name(KEY_FILE)


def sealed_key(backup: Path) -> Path:
    """Return the file of the key that a backup may have beside it."""
    return backup.with_name(f"{backup.name}-key")


def copies_of(backup: Path) -> Contents:
    """Return the folder that a backup has beside it."""
    return Contents(backup.with_name(f"{backup.name}{FILES}"))


def check_whole(missing: Sequence[Held], done: str) -> None:
    """Raise Incomplete when content is missing: it says what was done, and names the files."""
    if missing:
        names = ", ".join(f"{one.id} ({one.name})" for one in missing[:NAMED])
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        raise Incomplete(
            f"{done}, but the content of {how_many(len(missing), 'file')} is missing or damaged: {names}{more}",
            hint="look for it in an earlier backup, in the folder with -files at the end of its name",
        )


def say_doubts(here: State, doubts: Sequence[Doubt]) -> None:
    """Say which trails of a backup lack newer records, and which were marked with another key."""
    for doubt in doubts:
        if doubt.lost:
            lacks = f"The backup lacks {how_many(doubt.lost, 'record')} of the audit trail of {doubt.name}"
            here.say(f"{lacks}: the books that are replaced are kept with what they tell of.")
        if not doubt.faults and not doubt.is_proved:
            here.say(f"The audit trail of {doubt.name} was marked with another key: nothing in it can be proved here.")


def check_trails(doubts: Sequence[Doubt], done: str) -> None:
    """Raise Incomplete when trails of a backup are not what was recorded: it says what was done, and names them."""
    if wrong := _wrong(doubts):
        raise Incomplete(
            f"{done}, but its audit trail is not what was recorded: {wrong}",
            hint="acctcli audit verify goes on saying so; restore the books that were kept, or another backup",
        )


def refuse_doubtful(doubts: Sequence[Doubt], source: Path, *, is_forced: bool) -> None:
    """Raise Incomplete when trails of a backup are not what was recorded, unless it is to be restored all the same."""
    if not is_forced and (wrong := _wrong(doubts)):
        raise Incomplete(
            f"nothing was restored: the audit trail of {source} is not what was recorded: {wrong}",
            hint="restore another backup, or this one all the same with --force; its trail goes on saying so",
        )


def _wrong(doubts: Sequence[Doubt]) -> str:
    """Name the trails that are not what was recorded, each with its first fault."""
    wrong = [doubt for doubt in doubts if doubt.faults][:NAMED]
    return "; ".join(f"{one.name}: record {one.faults[0].number}: {one.faults[0].text}" for one in wrong)
