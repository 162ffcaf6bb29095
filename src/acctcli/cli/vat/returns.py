"""The VAT return: the boxes of a period, and the file that hands them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from acctcli.cli.command.classes import CONFIRM, Command, Context, shows
from acctcli.cli.command.typer_private import TyperChoice
from acctcli.cli.session.state import state
from acctcli.errors import Incomplete, UsageError
from acctcli.models.enums import Language, VatCorrection

if TYPE_CHECKING:
    from decimal import Decimal

    from acctcli.cli.report.shapes import MoneyOfDocument
    from acctcli.law.filing import VatFiling, VatReturn

COLUMNS = ("box", "label", "amount")
_UNCLAIMED = {
    Language.EN: "In no box: money that no claim takes",
    Language.FI: "Ei missään kohdassa: maksut ilman saatavaa",
    Language.SV: "I inget fält: betalningar utan fordran",
    Language.DE: "In keiner Kennzahl: Zahlungen ohne Forderung",
}
_RETURNED = {
    Language.EN: "In no box: money that went back, of no known sale",
    Language.FI: "Ei missään kohdassa: palautukset, joiden myyntiä ei tiedetä",
    Language.SV: "I inget fält: återbetalningar utan känd försäljning",
    Language.DE: "In keiner Kennzahl: Rückzahlungen ohne bekannten Umsatz",
}
_REBOOKING = "book it again with the VAT code and rate it belongs to"
ADJUSTING = (
    "they are on VAT accounts without a VAT code: say with --adjustments which box they correct,"
    " and make payments of VAT documents of type vat"
)


class FilingCommand(Command):
    """A command that may write a filing file."""

    shared: ClassVar = {"File": CONFIRM, **Command.shared}


FiledPeriod = Annotated[
    str,
    typer.Option("--period", metavar="RANGE", help="The tax period: a month, quarter or year, such as 2026-Q1."),
]
FilingFile = Annotated[
    Path | None,
    typer.Option(
        "--filing-file", metavar="PATH", dir_okay=False, help="Write the file to hand in, when everything ties."
    ),
]
Corrects = Annotated[
    VatCorrection | None,
    typer.Option(
        "--corrects",
        metavar="REASON",
        help="It corrects a return filed before: calculation, audit, case-law or interpretation.",
    ),
]
Adjustments = Annotated[
    str | None,
    typer.Option(
        "--adjustments",
        metavar="BOX",
        help="Box that VAT booked without a code corrects: 301, 302, 303, 307 or none; in Germany 81, 86, 66 or none.",
    ),
]
Prepayment = Annotated[
    str | None,
    typer.Option(
        "--special-prepayment", metavar="AMOUNT", help="Sondervorauszahlung to credit, in the last return of a year."
    ),
]
Phone = Annotated[
    str | None, typer.Option("--phone", metavar="NUMBER", help="Whom to call about the return; the business's phone.")
]

Labels = Annotated[
    str | None,
    typer.Option(
        "--locale",
        metavar="LANGUAGE",
        click_type=TyperChoice(tuple(Language)),
        help="Names of the boxes in fi, sv, en or de (that of LC_ALL, LC_NUMERIC or LANG).",
    ),
]


@shows(COLUMNS)
def show_return(
    ctx: Context,
    period: FiledPeriod,
    filing_file: FilingFile = None,
    corrects: Corrects = None,
    adjustments: Adjustments = None,
    prepayment: Prepayment = None,
    phone: Phone = None,
    locale: Labels = None,
) -> None:
    """Fill in the VAT return of a period.

    Every box is shown, computed from the VAT report. A return that does not tie to the books, or leaves tax that fits
    no box, is not filed (exit 10).

    Example: acctcli vat return --period 2026-03 --filing-file return.txt --phone '040 123 4567'
    """
    from acctcli.cli.command.dates import parse_range
    from acctcli.cli.report.view import View
    from acctcli.cli.vat import filing
    from acctcli.law.filing import in_words

    here = state(ctx)
    view = View(here, locale)
    first, last = parse_range(period, "--period", here.today)
    prepaid = prepaid_amount(prepayment)
    business = filing.fetch_business(here)
    form, filer = business.law.filing(), filing.Filer(business, phone)
    _check_choices(form, adjustments)
    if prepaid and (fault := form.prepayment_fault(first, last, has_extension=business.has_dauerfristverlaengerung)):
        raise UsageError(f"--special-prepayment: {fault}")
    if filing_file is not None:
        filing.check_place(filing_file)
        filed = filing.filing_period(first, last)
        form.check_filer(filer, filed)
        filing.check_filed(here, first, last)
    report = filing.fetch_vat_report(here, first, last)
    with filing.reading():
        filled = form.fill_return(report, adjustments, prepaid)
    if filing_file is not None and filled.is_sound:
        filing.write_file(here, filing_file, form.return_file(filled, filed, filer, datetime.now(), corrects))
    labels = form.box_labels(view.locale.language)
    came, went = report["unclaimed_money"] or [], report["returned_money"] or []
    view.show_rows((*_rows(filled, labels), *_left_out(came, went, Language(view.locale.language))), COLUMNS)
    filing.say_untold(here, came, went)
    if not prepaid:
        filing.say_uncredited(here, business, first, last)
    if business.is_on_payment_basis:
        here.say("VAT follows payments here: what is not paid yet is in no return")
    for name, value in filled.elsewhere.items():
        here.say(f"on no line of the return: {in_words(name)} {value}")
    if business.has_accrual_based_entries_for_invoicing is False:
        here.say("note: on payment basis an invoice is in the return when paid; an open one only if the books have it")
    _refuse_unsound(filled, period)


def _check_choices(form: VatFiling, adjustments: str | None) -> None:
    """Raise UsageError where what the user says does not go with the country's return."""
    if adjustments not in {None, *form.adjustable}:
        raise UsageError(f"--adjustments {adjustments}: adjustments go to one of {', '.join(form.adjustable)}")


def _rows(filled: VatReturn, labels: dict[str, str]) -> Iterator[dict[str, object]]:
    for box, value in filled.boxes.items():
        yield {"box": box, "label": labels.get(box, ""), "amount": value}


def _left_out(
    came: Sequence[MoneyOfDocument], went: Sequence[MoneyOfDocument], language: Language
) -> Iterator[dict[str, object]]:
    """Yield a row each of what came in and what went back in no box; without any there is none."""
    from acctcli.cli.vat.filing import told_documents

    for labels, money, sign in ((_UNCLAIMED, came, 1), (_RETURNED, went, -1)):
        if money:
            label = f"{labels[language]} ({told_documents(money)})"
            yield {"box": None, "label": label, "amount": sign * sum(one.amount for one in money)}


def _refuse_unsound(filled: VatReturn, period: str) -> None:
    from acctcli.law.filing import ADJUSTMENTS, FOREIGN_WAY_OUT

    if filled.objection is None:
        return
    hint = ADJUSTING if ADJUSTMENTS in filled.unplaced else _REBOOKING if filled.unplaced else None
    if filled.has_foreign_tax:
        hint = f"{FOREIGN_WAY_OUT}: acctcli document correct ID"
    raise Incomplete(f"the return for {period} cannot be filed: {filled.objection}", hint=hint)


def prepaid_amount(text: str | None) -> Decimal:
    """Read what was prepaid: nothing unless it is given; UsageError for no amount."""
    from decimal import Decimal, InvalidOperation

    from acctcli.law.filing import CENT, ZERO

    try:
        value = ZERO if text is None else Decimal(text)
        if value >= 0 and value == value.quantize(CENT):
            return value.quantize(CENT)
    except InvalidOperation:
        pass
    raise UsageError(f"--special-prepayment {text!r}: not an amount; write 1234.50")
