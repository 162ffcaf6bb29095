"""VAT periods in a table: when each is due, how far it is, and what is to be paid."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from acctcli.cli.report.asking import Ask
from acctcli.cli.report.checks import check_vat
from acctcli.cli.report.shapes import VatReport, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine
from acctcli.cli.report.spans import Span, range_columns
from acctcli.cli.report.vat import payable
from acctcli.cli.session.state import State
from acctcli.cli.vat.filing import fetch_business
from acctcli.cli.view.asked import Asked, between
from acctcli.cli.view.page import sheet
from acctcli.cli.view.tags import Html, tag
from acctcli.law.duties import VatPeriod, return_duty


def vat_periods_table(asked: Asked, periods: Sequence[VatPeriod]) -> Html:
    """Return VAT periods that have begun, the latest last; of those that are not reported, what their reports say."""
    here, words = asked.here, asked.words
    law = fetch_business(here).law
    lines, ways = list[SheetLine](), list[str]()
    for one in sorted(periods, key=lambda one: one.start_date):
        if one.start_date > here.today():
            continue
        days = Span(one.start_date, one.end_date)
        duty = return_duty(one, law, here.today())
        due = _payable(here, days) if duty.amount is None else duty.amount
        lines.append(SheetLine((asked.days(days), str(duty.due_date), words(duty.status.value), due)))
        ways.append(asked.link("vat", **between(days)))
    if not lines:
        return tag("p", words("No VAT period has begun."), class_="quiet")
    texts = (Column(words(title)) for title in ("VAT period", "Due", "Status"))
    found = Sheet(words("VAT periods"), "", (*texts, Column(words("To be paid"), Kind.AMOUNT)), lines)
    return sheet(asked, found, lambda position, place: ways[position] if place in {0, 3} else None)


def _payable(here: State, days: Span) -> Decimal | None:
    report = decode(Ask(here)("vat-report", range_columns([days], None)).body, VatReport)
    check_vat(report)
    return payable(report)
