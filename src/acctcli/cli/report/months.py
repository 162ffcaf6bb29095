"""Twelve months of a business in three rows of figures, asked of the same service: result, cash, and VAT."""

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
    """A month and its figure in currency units."""

    month: date
    value: Decimal


class Series(NamedTuple):
    """A figure over the months; `is_level` for what stands at their ends, not for what happened in them."""

    title: str
    points: Sequence[Point]
    is_level: bool = False


def read_months(ask: Ask, last: date) -> list[Series]:
    """Ask for the twelve months up to that of `last`, fourteen requests in all; leave out what no report tells.

    The documents are those of the report itself: `ask` knows its tags.
    """
    spans = twelve_months(last)
    columns = range_columns(spans, None)
    days = [{"date_at": span.last.isoformat()} for span in spans]
    jobs = [("income-statement-short", columns), ("balance-sheet", days), *(("vat-report", [one]) for one in columns)]
    replies = list(_asked(ask.plain(), jobs))
    return [
        *_series("Monthly result", spans, _result(decode(replies[0].body, Statement))),
        *_series("Cash and bank at the end of the month", spans, _cash(decode(replies[1].body, Statement)), True),
        *_series("VAT payable by month", spans, [payable(decode(reply.body, VatReport)) for reply in replies[2:]]),
    ]


def _asked(ask: Ask, jobs: Sequence[tuple[str, list[dict[str, Any]]]]) -> Iterator[Reply]:
    """Send a few at a time; show how far they are when stderr is a terminal."""

    def send(job: tuple[str, list[dict[str, Any]]]) -> Reply:
        return ask(*job)

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


def _series(
    title: str, spans: Sequence[Span], values: Sequence[Decimal | None] | None, is_level: bool = False
) -> Iterator[Series]:
    """Yield the series, unless a month of it is not known."""
    known = [value for value in values or () if value is not None]
    if len(known) == len(spans):
        yield Series(title, [Point(span.first, value) for span, value in zip(spans, known, strict=True)], is_level)


def _result(statement: Statement) -> Sequence[Decimal] | None:
    """The last sum of an income statement is its result, whatever the service calls it."""
    return next((row.values for row in reversed(statement.rows) if row.is_sum_row), None)


def _cash(statement: Statement) -> Sequence[Decimal] | None:
    return next((row.values for row in statement.rows if row.name == CASH), None)
