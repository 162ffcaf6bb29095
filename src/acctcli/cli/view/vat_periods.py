"""VAT periods: when each is due, how far it is, what is to be paid, and the return of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from acctcli.cli.report.asking import Ask
from acctcli.cli.report.checks import check_vat
from acctcli.cli.report.shapes import VatReport, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, clean
from acctcli.cli.report.spans import Span, range_columns
from acctcli.cli.report.vat import payable
from acctcli.cli.session.state import State
from acctcli.cli.vat.filing import fetch_business, fetch_vat_report, reading
from acctcli.cli.view.asked import Asked, between
from acctcli.cli.view.page import sheet
from acctcli.cli.view.tags import Html, tag
from acctcli.law.duties import VatPeriod, return_duty
from acctcli.law.filing import ZERO


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
        lines.append(SheetLine((asked.days(days), asked.dated(duty.due_date), words(duty.status.value), due)))
        ways.append(asked.link("vat", **between(days)))
    if not lines:
        return tag("p", words("No VAT period has begun."), class_="quiet")
    texts = (Column(words(title)) for title in ("VAT period", "Due", "Status"))
    found = Sheet(words("VAT periods"), "", (*texts, Column(words("To be paid"), Kind.AMOUNT)), lines)
    return sheet(asked, found, lambda position, place: ways[position] if place in {0, 3} else None)


def return_boxes(asked: Asked, span: Span) -> Iterator[Html]:
    """Show the boxes of the return of some days, as `vat return` fills them in, and why it may not be filed."""
    form = fetch_business(asked.here).law.filing()
    report = fetch_vat_report(asked.here, span.first, span.last)
    with reading():
        filled = form.fill_return(report, None, ZERO)
    words, labels = asked.words, form.box_labels(asked.words.language)
    columns = Column(words("Box")), Column(words("Amount"), Kind.AMOUNT)
    lines = [SheetLine((clean(f"{box} {labels.get(box, '')}"), value)) for box, value in filled.boxes.items()]
    yield sheet(asked, Sheet(words("VAT return"), "", columns, lines))
    if filled.objection is not None:
        why = tag("span", filled.objection, lang="en")
        yield tag("p", f"{words('This return cannot be filed')}: ", why, class_="note")


def _payable(here: State, days: Span) -> Decimal | None:
    report = decode(Ask(here)("vat-report", range_columns([days], None)).body, VatReport)
    check_vat(report)
    return payable(report)
