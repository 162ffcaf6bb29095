"""Twelve months of a business in a row of figures, asked of the same service: result, cash, or VAT."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.cli.report.shapes import Statement, VatReport, decode
from acctcli.cli.report.spans import Span, range_columns, twelve_months
from acctcli.cli.report.vat import payable
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.client.workers import Workers

if TYPE_CHECKING:
    from acctcli.cli.report.asking import Ask

CASH = "Cash and bank"
_AT_ONCE = 4


class Point(NamedTuple):
    """A month and its figure in currency units, None where that is to come; `day` if it is not of the month's end."""

    month: date
    value: Decimal | None
    day: date | None = None

    @property
    def label(self) -> str:
        """What the figure is of: a month, or a day of it."""
        return self.day.isoformat() if self.day else f"{self.month:%Y-%m}"


class Series(NamedTuple):
    """A figure over the months; `is_level` for what stands at their ends, not for what happened in them."""

    title: str
    points: Sequence[Point]
    is_level: bool = False

    @property
    def known(self) -> list[tuple[Point, Decimal]]:
        """The points that have figures, with them."""
        return [(point, point.value) for point in self.points if point.value is not None]


def read_months(ask: Ask, last: date, report: str) -> list[Series]:
    """Ask for what belongs to a report, of the twelve months up to that of `last`; nothing where no month is told of.

    It is the result beside an income statement, cash beside a balance sheet, VAT beside that of a VAT report, which
    takes twelve requests. The documents are those of the report itself: `ask` knows its tags.
    """
    ask, spans = ask.plain(), twelve_months(last)
    columns = range_columns(spans, None)
    match report:
        case "income-statement":
            results = result_of(decode(ask("income-statement-short", columns).body, Statement))
            return _series("Monthly result", spans, results)
        case "vat":
            reports = (decode(reply.body, VatReport) for reply in _asked(ask, [[one] for one in columns]))
            return _series("VAT payable by month", spans, list(map(payable, reports)))
        case "balance-sheet":
            return _levels("Cash and bank at the end of the month", ask, spans, ask.here.today())
        case _:
            return []


def _levels(title: str, ask: Ask, spans: Sequence[Span], today: date) -> list[Series]:
    """Return what stood at the end of each month, and in this one today: what comes then nobody knows."""
    past = [span for span in spans if span.first <= today]
    days = [min(span.last, today) for span in past]
    if not days:
        return []
    reply = ask("balance-sheet", [{"date_at": day.isoformat()} for day in days])
    values = cash_of(decode(reply.body, Statement))
    if values is None or len(values) != len(days):
        return []
    points = [
        Point(span.first, value, None if day == span.last else day)
        for span, value, day in zip(past, values, days, strict=True)
    ]
    return [Series(title, [*points, *(Point(span.first, None) for span in spans[len(past) :])], is_level=True)]


def _asked(ask: Ask, jobs: Sequence[list[dict[str, Any]]]) -> Iterator[Reply]:
    """Ask for VAT reports, a few at a time; show how far they are when stderr is a terminal."""

    def send(columns: list[dict[str, Any]]) -> Reply:
        return ask("vat-report", columns)

    with Workers(_AT_ONCE, send) as workers:
        futures = [workers.submit(job) for job in jobs]
        step = _progress(ask.here, len(jobs))
        for future in futures:
            yield future.result()
            step()


def _progress(here: State, steps: int) -> Callable[[], None]:
    """Return what draws one more step of a bar on stderr, for people who watch."""
    if here.options.quiet or not sys.stderr.isatty():
        return lambda: None
    done = iter(range(1, steps + 1))

    def step() -> None:
        count = next(done)
        end = "\r\x1b[K" if count == steps else ""
        sys.stderr.write(f"\rmonthly figures {count}/{steps}{end}")
        sys.stderr.flush()

    return step


def _series(title: str, spans: Sequence[Span], values: Sequence[Decimal | None] | None) -> list[Series]:
    """Return the series, unless a month of it is not known."""
    if values is None or len(values) != len(spans) or None in values:
        return []
    return [Series(title, [Point(span.first, value) for span, value in zip(spans, values, strict=True)])]


def result_of(statement: Statement) -> Sequence[Decimal] | None:
    """Return the result of each column: that is the last sum, whatever the service calls it."""
    return next((row.values for row in reversed(statement.rows) if row.is_sum_row), None)


def cash_of(statement: Statement) -> Sequence[Decimal] | None:
    """Return what a balance sheet has of money on each day."""
    return next((row.values for row in statement.rows if row.name == CASH), None)
