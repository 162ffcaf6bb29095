"""What an unlocked document still waits for: the period that closes its day (docs/interface.md 3.5)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from acctcli.cli.command.plain import Name
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent, Reply
from acctcli.errors import Forbidden


class _Document(msgspec.Struct):
    id: int
    date: date
    number: str | None = None


class _Period(msgspec.Struct):
    id: int
    start_date: date
    end_date: date
    is_locked: bool = False
    is_reported: bool = False

    @property
    def days(self) -> str:
        return f"{self.start_date} to {self.end_date}"


# so many periods are named that close a day
_NAMED = 3
_read = reader(_Period, "a period")


def say_what_closes(here: State, document: Name, reply: Reply) -> None:
    """Say that a document whose day is closed stays as it is, and what goes on."""
    if here.options.quiet:
        return
    found = decoded(reply if reply.body.strip() else here.api.documents.get(document), _Document)
    try:
        closing = list(_closing(here, found.date))
    except Forbidden:
        here.say("note: you may not see periods; while one closes its day, changes of it are refused all the same")
        return
    if not closing:
        return
    why, opened = (
        [*texts[:_NAMED], *([f"{len(texts) - _NAMED} more"] if texts[_NAMED:] else [])]
        for texts in zip(*closing, strict=True)
    )
    name = found.number or f"document {found.id}"
    here.say(f"note: {name} is unlocked, and changes of it are refused all the same: {', '.join(why)}")
    here.say(
        f"to mend it on an open day: acctcli document correct {found.id} --date DAY with what is right, or "
        f"acctcli document reverse {found.id} --date DAY; to open its day: {', '.join(opened)}"
    )


def _closing(here: State, day: date) -> Iterator[tuple[str, str]]:
    """Yield what closes a day, and the commands that open that: periods that end on the day or after it."""
    every = Extent(limit=None)
    for one in read_all(here.api.periods.list({}, every), _read):
        if one.is_locked and one.end_date >= day:
            yield f"the accounting period {one.days} is locked", f"acctcli period unlock {one.id}"
    for one in read_all(here.api.vat_periods.list({}, every), _read):
        if one.end_date < day:
            continue
        if one.is_reported:
            yield f"the VAT of {one.days} has been reported", f"acctcli vat period reopen {one.id} --reason TEXT"
        elif one.is_locked:
            yield f"the VAT period {one.days} is locked", f"acctcli vat period unlock {one.id}"
