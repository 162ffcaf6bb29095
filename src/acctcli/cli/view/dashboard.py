"""The first page: how the period went, what is there, what is to be paid, and who owes since when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from acctcli.cli.account.balances import balances_on
from acctcli.cli.check.parts import look_through
from acctcli.cli.check.stored import DATABASE
from acctcli.cli.invoice.aging import receivables
from acctcli.cli.purchase.aging import payables
from acctcli.cli.report.ages import lay_out_ages, sums_of
from acctcli.cli.report.as_html import figures
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.checks import check_balance_sheet, check_income_statement
from acctcli.cli.report.months import cash_of, read_months, result_of
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, clean, without_empty
from acctcli.cli.report.spans import Span, range_columns
from acctcli.cli.vat.filing import vat_periods
from acctcli.cli.view.asked import Asked, between
from acctcli.cli.view.checked import verdict
from acctcli.cli.view.page import Page, range_form, sections, sheet
from acctcli.cli.view.reports import accounts_way, until
from acctcli.cli.view.tags import Html, tag
from acctcli.cli.view.vat_periods import vat_periods_table
from acctcli.cli.view.words import TAX
from acctcli.errors import Forbidden

MONEY = "ASS_PAY"
# VAT periods that are shown: the latest that are reported, and all that are not
_REPORTED = 2
# of so many documents at most `check` looks through at once
_FEW = 1000


def page(asked: Asked) -> Page:
    """Show the business at a glance."""
    span = asked.span()
    day = min(asked.here.today(), span.last)

    def part(make: Callable[[Asked, Span, date], Iterator[Html]]) -> Callable[[], Iterator[Html]]:
        return lambda: make(asked, span, day)

    def body() -> Iterator[Html]:
        yield range_form(asked, span)
        yield Html('<div class="overview">')
        yield from sections(
            asked,
            ("Result of the period", part(_result)),
            ("Cash and bank", part(_cash)),
        )
        yield Html("</div>")
        yield from sections(
            asked,
            ("Receivables", part(_receivables)),
            ("Payables", part(_payables)),
            (TAX, part(_vat)),
            # last, as these take longest
            ("Twelve months", part(_months)),
            ("Faults and gaps", part(_check)),
        )

    return Page(asked.words("Overview"), body(), span)


def _result(asked: Asked, span: Span, day: date) -> Iterator[Html]:
    columns = range_columns([span], None)
    statement = decode(Ask(asked.here)("income-statement-short", columns).body, Statement)
    check_income_statement(statement)
    result = result_of(statement)
    if result is not None:
        way = asked.link("income-statement", **between(span))
        yield tag("p", tag("a", asked.amount(result[0]), href=way), class_="figure")
        yield tag("p", f"{asked.days(span)} · {asked.words('Amounts in EUR')}", class_="quiet")


def _cash(asked: Asked, span: Span, day: date) -> Iterator[Html]:
    statement = decode(Ask(asked.here)("balance-sheet", [{"date_at": day.isoformat()}]).body, Statement)
    check_balance_sheet(statement)
    words = asked.account_words
    found = [one for one in balances_on(asked.here, day, in_words=False) if one["type"] == MONEY]
    numbers = [one["number"] for one in found]
    days = until(asked, day)
    if (cash := cash_of(statement)) is not None:
        shown = asked.amount(cash[0])
        way = tag("a", shown, href=accounts_way(asked, numbers, days)) if numbers else shown
        yield tag("p", way, class_="figure")
    if not found:
        return
    lines = [
        SheetLine((clean(f"{one['number']} {words.account(one['number'], one['name'])}"), one["balance"]))
        for one in found
    ]
    columns = (Column(words("Account")), Column(words("Balance"), Kind.AMOUNT))
    title = f"{asked.words('at the end of')} {asked.dated(day)}"
    ways = [accounts_way(asked, [number], days) for number in numbers]
    yield sheet(asked, Sheet(title, title, columns, lines), lambda position, _: ways[position])
    yield tag("p", title, class_="quiet")


def _vat(asked: Asked, span: Span, day: date) -> Iterator[Html]:
    periods = sorted(vat_periods(asked.here), key=lambda one: one.start_date)
    reported = [one for one in periods if one.is_reported][-_REPORTED:]
    yield vat_periods_table(asked, [*reported, *(one for one in periods if not one.is_reported)])


def _receivables(asked: Asked, span: Span, day: date) -> Iterator[Html]:
    rows, notes = receivables(asked.here, day)
    ways = [asked.link("invoices", "open", to=day, customer=row["receiver"]) for row in rows]
    return _ages(asked, day, "customers", rows, [*ways, asked.link("invoices", "open", to=day)], notes)


def _payables(asked: Asked, span: Span, day: date) -> Iterator[Html]:
    rows, notes = payables(asked.here, day)
    ways = [asked.link("payables", to=day, supplier=row["name"]) for row in rows]
    return _ages(asked, day, "suppliers", rows, [*ways, asked.link("payables", to=day)], notes)


def _ages(
    asked: Asked,
    day: date,
    of: str,
    rows: Sequence[Mapping[str, Any]],
    ways: Sequence[str | None],
    notes: Sequence[str],
) -> Iterator[Html]:
    words = asked.words
    if not rows:
        yield tag("p", words("Nothing is open."), class_="quiet")
    else:
        found = lay_out_ages(day, [*rows, sums_of(rows)], of, words)
        shown = without_empty(found, *(column.title for column in found.columns[1:-1]))
        yield sheet(asked, shown, lambda position, _: ways[position])
    for note in notes:
        yield tag("p", note, class_="note", lang="en")


def _check(asked: Asked, span: Span, day: date) -> Iterator[Html]:
    """Say what `check` finds, but of the database, which has other books too; in large books only for who asks."""
    said = asked.words("Look for faults and gaps")
    if asked.here.api.documents.page({}, 1, 1)[1] <= _FEW:
        try:
            checked = look_through(asked.here, leaving_out={DATABASE})
        except Forbidden:
            yield tag("p", asked.words("Only administrators see it."), class_="quiet")
            return
        yield from verdict(asked, checked)
        said = f"{asked.words('Findings')}: {len(checked.findings)}"
    yield tag("p", tag("a", said, href=asked.link("check")))


def _months(asked: Asked, span: Span, day: date) -> Iterator[Html]:
    ask = Ask(asked.here)
    series = [one for report in ("income-statement", "balance-sheet", "vat") for one in read_months(ask, day, report)]
    yield Html("".join(figures(series, asked.words, asked.books.locale)))
