"""Accounting and VAT periods as people read them: their state and length in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.cli.output.columns import check_object
from acctcli.cli.output.show import show, show_record, show_rows
from acctcli.cli.session.state import State
from acctcli.client.pages import Listing

if TYPE_CHECKING:
    from acctcli.client.collection import Collection
    from acctcli.client.messages import Reply

LENGTHS = ("month", "quarter", "year")
MADE = {"status", "length"}

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_TRUE, _NOTHING = b"true", msgspec.Raw(b"null")


class PeriodListing(Listing):
    """A list of periods whose rows are put into words on their way."""

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        for page in super().__iter__():
            yield [in_words(row) for row in page]


def show_periods(here: State, periods: Collection[Any], columns: Sequence[str], words: Sequence[str]) -> None:
    """List periods: in words as a table, or where a column of words is asked for, else the fields as they are."""
    if _is_in_words(here):
        show_rows(here, PeriodListing(here.api.http, periods.path(), {}, here.extent), words)
    else:
        show_rows(here, periods.list({}, here.extent), columns)


def show_period(here: State, reply: Reply, columns: Sequence[str], words: Sequence[str]) -> None:
    """Show one period, likewise."""
    if _is_in_words(here):
        show_record(here, in_words(check_object(reply.body)), words)
    else:
        show(here, reply, columns)


def _is_in_words(here: State) -> bool:
    """Whether rows have the fields that are made here."""
    return here.format == "table" or not MADE.isdisjoint((here.options.columns or "").split(","))


def in_words(row: msgspec.Raw) -> msgspec.Raw:
    """Return a period with two more fields: `status` (open, locked, reported) and `length` (month, quarter, year)."""
    period = _decode(row)
    status = next((word for word in ("reported", "locked") if bytes(period.get(f"is_{word}", b"")) == _TRUE), "open")
    kind = bytes(period.get("period", _NOTHING))
    length = LENGTHS[int(kind)] if kind in (b"0", b"1", b"2") else ""
    return msgspec.Raw(msgspec.json.encode({**period, "status": status, "length": length}))
