"""Financial years: the one that follows, what changes them, and when it is time to add one (docs/interface.md 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

import msgspec

from acctcli.cli.command.body import check, collect
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import UsageError
from acctcli.law.calendar import last_day
from acctcli.models.base import partial
from acctcli.models.period import PeriodRequest

if TYPE_CHECKING:
    from acctcli.cli.command.plain import Name

_MONTHS = 12
_DAY = timedelta(days=1)
# so long before the last period ends is it time to add the next one
_SOON = timedelta(days=60)
NEXT = "acctcli period create --next"


class _Period(msgspec.Struct):
    id: int
    start_date: date
    end_date: date


_read = reader(_Period, "an accounting period")


def read_period(here: State, *, follows: bool, changes: bool) -> PeriodRequest:
    """Build the body of a new period: it follows the latest one and lasts 12 months, where nothing else is said.

    Raises UsageError where it would change the financial year and nobody said that it `changes`.
    """
    given = collect(here, PeriodRequest, {})
    if follows and "start_date" in given:
        raise UsageError("--next begins where the latest accounting period ends: it does not go with --start")
    said = check(partial(PeriodRequest), given)
    start = said.start_date if "start_date" in given else _next_start(here)
    end = said.end_date if "end_date" in given else _usual_end(start)
    if end != _usual_end(start) and not changes:
        _refuse_change(start, end, _known(here))
    # once it is there, another one follows
    here.words = [word for word in here.words if word != "--next"]
    here.settled |= {"--start": start.isoformat(), "--end": end.isoformat()}
    return check(PeriodRequest, {**given, "start_date": start, "end_date": end})


def refuse_change(here: State, body: PeriodRequest, period: Name | None) -> None:
    """Raise UsageError for days of a period that is there, of its id, by which the financial year would change."""
    said = body.model_fields_set
    if {"start_date", "end_date"} <= said and body.end_date == _usual_end(body.start_date):
        return
    known = _known(here)
    own = next((one for one in known if one.id == period), None)
    start = body.start_date if "start_date" in said or own is None else own.start_date
    end = body.end_date if "end_date" in said or own is None else own.end_date
    # what is not there, or is left as it is, is for the service
    if start and end and (own is None or (start, end) != (own.start_date, own.end_date)):
        _refuse_change(start, end, [one for one in known if one is not own])


def _refuse_change(start: date, end: date, others: Sequence[_Period]) -> None:
    usual = _usual_end(start)
    # the first one may have any length
    if end != usual and any(one.end_date < start for one in others):
        raise UsageError(
            f"{start} to {end} is not {_MONTHS} months: it would change the financial year",
            hint=f"let it end on {usual}, or add --change-of-year",
        )


def _usual_end(start: date) -> date:
    return date.max if start.year == date.max.year else last_day(start, _MONTHS)


def _known(here: State) -> list[_Period]:
    return list(read_all(here.api.periods.list({}, Extent(limit=None)), _read))


def first_day(here: State) -> date:
    """Return the first day of the books; today where there is no accounting period."""
    return min((period.start_date for period in _known(here)), default=here.today())


def _next_start(here: State) -> date:
    latest = max((period.end_date for period in _known(here)), default=None)
    return here.today().replace(month=1, day=1) if latest is None else min(latest, date.max - _DAY) + _DAY


def remind(here: State) -> None:
    """Say how the next accounting period is added, when the last one is about to end or has ended."""
    latest = next(iter(read_all(here.api.periods.list({}, Extent(limit=1)), _read)), None)
    if latest is not None and latest.end_date - here.today() <= _SOON:
        here.say(f"note: the last accounting period ends on {latest.end_date}; add the next one with: {NEXT}")
