"""The VAT periods that are missing from a day on (docs/interface.md 9.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from uuid import uuid4

import msgspec

from acctcli.cli.command.many import Step, key_of_one, send_all
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.output.stderr import how_many_are
from acctcli.cli.session.state import State
from acctcli.cli.vat.rows import LENGTHS
from acctcli.client.messages import Extent
from acctcli.errors import UsageError
from acctcli.law.calendar import last_day, month_after
from acctcli.models.vat_period import VatPeriodRequest

# of the lengths that the interface numbers from 0
_MONTHS = (1, 3, 12)
_MOST = 240


class _Period(msgspec.Struct):
    start_date: date
    period: int | None = None


class _Business(msgspec.Struct):
    default_vat_period: int = -1


_read = reader(_Period, "a VAT period")


def create_missing(here: State, since: date, columns: Sequence[str]) -> None:
    """Make the periods of the calendar that are missing from a day up to the first there is; else up to today's.

    They are as long as --period says, else as the first one, or the business's own; UsageError where that is none.
    """
    length = here.named.pop("period", None)
    if here.named or here.options.set or here.options.file:
        raise UsageError("--from makes periods of one length: it goes with --period alone")
    there = list(read_all(here.api.vat_periods.list({}, Extent(limit=None)), _read))
    earliest = min(there, key=lambda one: one.start_date, default=None)
    if length is None:
        length = earliest.period if earliest else _usual(here)
    if length is None or not 0 <= length < len(_MONTHS):
        raise UsageError("the business has no VAT periods of its own", hint="say how long they are: --period month")
    months = _MONTHS[length]
    first = _beginning(since, months)
    if earliest is not None and earliest.start_date != _beginning(earliest.start_date, months):
        raise UsageError(
            f"the VAT period of {earliest.start_date} begins within a {LENGTHS[length]}: none ends where it begins",
            hint="delete it and those after it, or make months: --period month",
        )
    days = list(_before(earliest.start_date, first, months) if earliest else _until(here.today(), first, months))
    if not days:
        here.say(f"note: no VAT period is missing from {since} on")
    if len(days) > _MOST:
        raise UsageError(f"from {since} on {len(days)} VAT periods are missing, which is more than {_MOST}")
    base = here.options.idempotency_key or str(uuid4())
    create = here.api.vat_periods.create
    steps = (
        Step(
            partial(create, VatPeriodRequest(start_date=one, period=length), key_of_one(base, str(one))),
            f"the VAT period that begins on {one}",
        )
        for one in days
    )
    send_all(here, steps, base, columns, lambda number: f"{how_many_are(number, 'VAT period')} there")


def _beginning(day: date, months: int) -> date:
    """Return the first day of the month, the quarter or the year of a calendar that a day lies in."""
    return day.replace(month=(day.month - 1) // months * months + 1, day=1)


def _before(earliest: date, first: date, months: int) -> Iterator[date]:
    """Yield the first days of periods back to the one that a day lies in: each ends where another begins."""
    while earliest > first:
        earliest = month_after(earliest, -months)
        yield earliest


def _until(today: date, first: date, months: int) -> Iterator[date]:
    """Yield the first days of periods until the one of today."""
    while first <= today:
        yield first
        first = last_day(first, months) + timedelta(days=1)


def _usual(here: State) -> int:
    return decoded(here.api.businesses.get(here.business()), _Business).default_vat_period
