"""VAT: returns, EU statements, periods, and what is due when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group, shows
from acctcli.cli.command.options import RANGE, take_range
from acctcli.cli.session.state import State, state
from acctcli.cli.vat.periods import period
from acctcli.cli.vat.recapitulative import show_statement
from acctcli.cli.vat.returns import FilingCommand, show_return
from acctcli.errors import UsageError
from acctcli.law.calendar import LAST_VAT_YEAR

if TYPE_CHECKING:
    from acctcli.cli.vat.filing import Business
    from acctcli.law.duties import Duty, VatPeriod

app = new_group(__doc__)
app.add_typer(period, name="period")
app.command("return", cls=FilingCommand)(show_return)
app.command("recapitulative", cls=FilingCommand)(show_statement)

DRIFT = ("period", "document", "date", "done", "at", "author", "vat_codes")
Range = Annotated[
    str | None, typer.Argument(metavar="[PERIOD]", help="A month, quarter or year, such as 2026-03; all without it.")
]
COLUMNS = ("due_date", "duty", "period", "status", "amount", "vat_period_id")


@app.command("calendar", cls=Command.taking(*RANGE[1:]))
@shows(COLUMNS)
def show_calendar(ctx: Context) -> None:
    """List what is due when: VAT returns, recapitulative statements and prepayments.

    Unless told otherwise those of this year and a year ahead, and whatever is overdue. Periods that are not made yet
    are planned, of the length that the business files, from the latest one on. Of the books' days before the first one
    nothing tells what was filed: their duties have passed.

    Example: acctcli vat calendar --from 2026-01-01 --to 2026-12-31
    """
    from acctcli.cli.report.view import View
    from acctcli.cli.vat.filing import fetch_business

    here = state(ctx)
    start, end = take_range(here)
    if end is not None and end.year > LAST_VAT_YEAR:
        raise UsageError(f"--to {end}: what is due is known up to the year {LAST_VAT_YEAR}")
    today = here.today()
    business = fetch_business(here)
    wanted = _Wanted(start, end, today)
    duties = sorted(_duties(here, business, wanted, today), key=lambda one: (one.due_date, one.duty))
    View(here, None).show_rows((duty._asdict() for duty in duties), COLUMNS)


@app.command("drift", cls=Command)
@shows(DRIFT)
def show_drift(ctx: Context, period: Range = None) -> None:
    """Name what came after a filing and would have changed it: documents posted, changed or deleted in its days since.

    Where VAT follows payments, claims and payments of earlier days and of other contacts than before are named, too.
    Settings and accounts that the return follows from are named as well, and what was reported again otherwise than
    before. A reported period is closed, so there is only what was done while it was open again. Only in the environment
    local: the audit trail tells it.

    Example: acctcli vat drift 2026-03
    """
    from acctcli.cli.command.dates import parse_range
    from acctcli.cli.output.show import show_values
    from acctcli.cli.output.stderr import how_many
    from acctcli.cli.vat.drift import drifts, filed_periods
    from acctcli.cli.vat.grounds import changes, filed_again

    here = state(ctx)
    here.require_local()
    span = None if period is None else parse_range(period, "PERIOD", here.today)
    filed = list(filed_periods(here, span))
    came = [*chain(*((*drifts(here, one, latest.id), *changes(here, one, latest)) for one, (latest, *_) in filed))]
    again = [*chain(*(filed_again(one, filings) for one, filings in filed))]
    show_values(here, [drift._asdict() for drift in (*came, *again)], DRIFT)
    if not filed:
        here.say("no VAT period of these days was filed")
    elif came:
        here.say(f"{how_many(len(came), 'change')} came later: report the period again, and hand in its return with")
        here.say("acctcli vat return --corrects REASON")
    elif again:
        here.say("a return that was reported again is handed in with: acctcli vat return --corrects REASON")


class _Wanted:
    """Which duties are asked for, by due date."""

    def __init__(self, first: date | None, last: date | None, today: date) -> None:
        self._any = first is None and last is None
        self._first = first or (today.replace(month=1, day=1) if self._any else date.min)
        self._last = last or date.max
        self.horizon = last or today + timedelta(days=365)

    def __contains__(self, duty: Duty) -> bool:
        return self._first <= duty.due_date <= self._last or (self._any and duty.status == "overdue")


def _duties(here: State, business: Business, wanted: _Wanted, today: date) -> Iterator[Duty]:
    from acctcli.cli.vat import filing
    from acctcli.cli.vat.years import first_day
    from acctcli.law import duties

    periods = filing.vat_periods(here)
    has_extension = bool(business.has_dauerfristverlaengerung)
    kind = business.default_vat_period
    days = first_day(here), wanted.horizon
    periods += _with_sales(here, duties.planned_periods(periods, kind, business.law, days, has_extension=has_extension))
    for one in periods:
        duty = duties.return_duty(one, business.law, today)
        if duty in wanted:
            yield duty
        if one.has_eu_sales:
            yield from _statements(here, one, business, wanted, today)
    if has_extension:
        prepaid = duties.prepayment_duties(periods, business.law, today)
        yield from (duty for duty in prepaid if duty in wanted)


def _with_sales(here: State, planned: Iterable[VatPeriod]) -> list[VatPeriod]:
    """Return planned periods, of those before the first one made each with whether it has EU sales."""
    from acctcli.cli.vat.filing import fetch_eu_sales

    found = list(planned)
    before = [one for one in found if one.is_before]
    if not before or fetch_eu_sales(here, before[0].start_date, before[-1].end_date).is_empty:
        return found
    sold = {one for one in before if not fetch_eu_sales(here, one.start_date, one.end_date).is_empty}
    return [replace(one, has_eu_sales=one in sold) for one in found]


def _statements(here: State, period: VatPeriod, business: Business, wanted: _Wanted, today: date) -> Iterator[Duty]:
    """Yield the statements of a VAT period with EU sales: of months that have some, however long the period is."""
    from acctcli.cli.vat.filing import fetch_eu_sales
    from acctcli.law import duties

    for month in period.months:
        duty = duties.statement_duty(period, month, business.law, today)
        if duty in wanted and (len(period.months) == 1 or not fetch_eu_sales(here, *month).is_empty):
            yield duty
