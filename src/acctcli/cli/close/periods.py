"""What days a period that is to be closed has: whether it is over, filed, and followed by the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import TYPE_CHECKING

from acctcli.cli.check.findings import Finding
from acctcli.cli.close.closing import Closing, period_of
from acctcli.cli.session.state import State
from acctcli.cli.vat import filing
from acctcli.cli.vat.drift import drifts, filed_periods
from acctcli.cli.vat.grounds import changes
from acctcli.cli.vat.years import NEXT
from acctcli.law.calendar import MONTHS

if TYPE_CHECKING:
    from acctcli.law.duties import VatPeriod

PERIOD, VAT, DRIFT, FOLLOWING = "period", "VAT", "VAT drift", "next period"
_DAY = timedelta(days=1)


def check_period(here: State, closing: Closing) -> Iterator[Finding]:
    """Name a period that is not over, days of it that no accounting period has, and years before that are not closed.

    The lock of an accounting period closes all days before it (docs/interface.md 3.5).
    """
    if closing.last >= here.today():
        problem = f"it ends on {closing.last}, which is not over: more may be posted"
        yield Finding(PERIOD, "all", problem, f"acctcli close check, from {closing.last + _DAY} on", is_fault=True)
    if days := _uncovered(closing, [(one.start_date, one.end_date) for one in closing.books.periods]):
        problem = f"no accounting period has {days}"
        yield Finding(PERIOD, "accounting period", problem, "acctcli period create --start DAY", is_fault=True)
    if here.is_local_service and any(one.end_date == closing.last for one in closing.books.periods):
        for one in closing.books.periods:
            if one.end_date < closing.days[0] and not one.is_locked:
                problem = "it is not locked, and the lock of this period would close its days, too"
                remedy = f"acctcli close post --from {one.start_date} --to {one.end_date}"
                yield Finding(PERIOD, f"accounting period {one}", problem, remedy, is_fault=True)


def check_vat(here: State, closing: Closing) -> Iterator[Finding]:
    """Name VAT periods of the books that end in these days or before and are not reported, and days that none has."""
    known = sorted(filing.vat_periods(here), key=lambda one: one.start_date)
    if not _is_liable(here, known):
        return
    begins = min((one.start_date for one in closing.books.periods), default=closing.days[0])
    for one in known:
        if one.is_reported or one.end_date < begins or one.start_date > closing.last:
            continue
        record = f"VAT period {one.start_date} - {one.end_date}"
        if one.end_date > closing.last:
            yield Finding(VAT, record, f"it goes on until {one.end_date}, and is reported then", "acctcli vat calendar")
        else:
            remedy = f"acctcli vat period report {one.id}" if here.is_local_service else "report it in the service"
            yield Finding(VAT, record, "it is not reported", remedy, is_fault=True)
    if days := _uncovered(closing, [(one.start_date, one.end_date) for one in known]):
        remedy = f"acctcli vat period create --from {closing.days[0]:%Y-%m}"
        yield Finding(VAT, "VAT period", f"no VAT period has {days}", remedy, is_fault=True)


def _is_liable(here: State, known: Sequence[VatPeriod]) -> bool:
    return bool(known) or filing.fetch_business(here).default_vat_period in set(MONTHS)


def _uncovered(closing: Closing, periods: Sequence[tuple[date, date]]) -> str:
    """Name the first days that no period has; an empty text where all of them are in one."""
    day = closing.days[0]
    for first, last in sorted(periods):
        if first > day:
            return f"{day} - {min(first - _DAY, closing.last)}"
        day = max(day, last + _DAY)
        if day > closing.last:
            return ""
    return f"{day} - {closing.last}"


def check_drift(here: State, closing: Closing) -> Iterator[Finding]:
    """Name what came after a filing of these days and would have changed it (docs/interface.md 9.4)."""
    for period, (latest, *_) in filed_periods(here, closing.days):
        for one in chain(drifts(here, period, latest.id), changes(here, period, latest)):
            problem = f"{one.done} on {one.at[:10]} by {one.author}, after VAT of {period} was filed"
            remedy = "report it again; acctcli vat return --corrects REASON"
            yield Finding(DRIFT, one.document, problem, remedy, is_fault=True)


def check_following(here: State, closing: Closing) -> Iterator[Finding]:
    """Name what the day after the last one lacks: an accounting period, and a VAT period."""
    following = closing.last + _DAY
    if period_of(closing.books.periods, following) is None:
        problem = f"no accounting period has {following}: nothing can be posted on it"
        yield Finding(FOLLOWING, "accounting period", problem, NEXT, is_fault=True)
    known = filing.vat_periods(here)
    if _is_liable(here, known) and not any(one.start_date <= following <= one.end_date for one in known):
        is_before = any(one.start_date > following for one in known)
        remedy = f"acctcli vat period create{f' --from {following:%Y-%m}' if is_before else ''}"
        yield Finding(FOLLOWING, "VAT period", f"no VAT period has {following}", remedy, is_fault=True)
