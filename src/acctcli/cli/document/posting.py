"""Post a file of documents, one a line, each of them once, whatever happened to earlier runs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path

import msgspec

from acctcli.cli.command.items import Item, ItemKind, Traits, says
from acctcli.cli.command.once import Batch, send_once
from acctcli.cli.document.bodies import Written, read_lines
from acctcli.cli.document.rehearsal import show_lines
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply, encode
from acctcli.errors import UsageError
from acctcli.models.document import DocumentRequest

_SPAN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
# what a service may take to make a document
_MAKING = timedelta(seconds=1)
_exact = msgspec.json.Decoder(float_hook=Decimal).decode


class _Times(msgspec.Struct):
    created_at: datetime | None = None
    updated_at: datetime | None = None


_times = reader(_Times, "a document")


class _Alike(msgspec.Struct):
    date: str
    description: str | None = None


_alike = reader(_Alike, "a document")


def post_lines(here: State, written: Written, columns: Sequence[str], *, again: bool, chosen: str | None) -> None:
    """Post every line of the file that is not there yet, in order; all are checked before the first is sent.

    `again` posts them whatever is there, `chosen` only these, such as `1,4-6`.
    """
    lines = dict(read_lines(here, written))
    if not lines:
        here.say(f"note: {here.options.file} has no lines; nothing is posted")
    numbers = _numbers(chosen, lines)
    if here.options.dry_run and here.format == "table":
        show_lines(here, {number: body for number, body in lines.items() if number in (numbers or lines)})
        return
    kind = ItemKind("post", "posting", "posted", "line", "document", here.api.documents.get, compared=True)
    items = (_item(here, number, max(lines), body) for number, body in lines.items())
    batch = Batch(items, len(numbers or lines), Path(here.options.file or ""), again=again, chosen=numbers)
    send_once(here, kind, batch, columns)


def _numbers(chosen: str | None, lines: Collection[int]) -> set[int]:
    """Read numbers of lines and spans of them; raise UsageError for what is none."""
    numbers: set[int] = set()
    for part in () if chosen is None else chosen.split(","):
        span = _SPAN.fullmatch(part.strip())
        first, last = (int(span[1]), int(span[2] or span[1])) if span else (0, 0)
        found = {number for number in lines if first <= number <= last}
        if not found:
            raise UsageError(f"--lines {part!r} is no line of the file", hint="write numbers of lines, such as 1,4-6")
        numbers |= found
    return numbers


def _item(here: State, number: int, last: int, body: DocumentRequest) -> Item:
    return Item(
        number,
        f"line {number} of {last}",
        _digest(body),
        partial(_post, here, body),
        partial(_of_the_day, here, body),
        partial(_is_it, body),
        _traits(body),
    )


def _post(here: State, body: DocumentRequest, key: str) -> Reply:
    return here.api.documents.create(body, key)


def _digest(body: DocumentRequest) -> str:
    content = msgspec.json.encode(body.model_dump(exclude_unset=True), order="sorted")
    return hashlib.sha256(content).hexdigest()


def _traits(body: DocumentRequest) -> Traits:
    """Return what a line keeps of itself when another part of it is corrected."""
    sums = body.blueprint
    sides = (sums.debet_entries, sums.credit_entries, sums.expense_entries)
    rows = [sorted((row.account_id or 0, f"{row.amount.normalize():f}") for row in side or ()) for side in sides]
    accounts = (sums.debet_account_id, sums.credit_account_id)
    return Traits(body.date, _short(_text(body)), _short((accounts, rows)) if any((*accounts, *rows)) else "")


def _text(body: DocumentRequest) -> str:
    return (body.description or "").strip()


def _short(content: object) -> str:
    return hashlib.blake2b(msgspec.json.encode(content), digest_size=9).hexdigest()


def _of_the_day(here: State, body: DocumentRequest) -> Iterator[bytes]:
    query = {"date_from": str(body.date), "date_to": str(body.date)}
    # others post meanwhile, and requests that were cut off still end
    return read_all(here.api.documents.list(query, Extent(None, LARGEST_PAGE)).while_it_grows(), bytes)


def _is_alike(body: DocumentRequest, row: bytes) -> bool:
    """Tell whether a document has the day and the description of a line: it may be this line before it was mended."""
    found = _alike(row)
    return (found.date, found.description or "") == (str(body.date), _text(body))


def _is_it(body: DocumentRequest, row: bytes) -> bool | None:
    """Tell whether a document is what was sent; None when it says something else, but may have said it once."""
    if says(_exact(encode(body)), _exact(row)):
        return True
    if _is_alike(body, row):  # some services keep what is sent in another form
        return None
    times = _times(row)
    if times.created_at and times.updated_at and times.updated_at - times.created_at <= _MAKING:
        return False
    return None
