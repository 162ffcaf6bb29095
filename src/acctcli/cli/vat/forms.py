"""The returns of both countries as the command sees them: filled in, and written to a file."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple, Protocol

from acctcli.cli.report.shapes import VatReport
from acctcli.cli.vat.filing import Business
from acctcli.errors import Incomplete, UsageError
from acctcli.filing import finland, germany
from acctcli.filing.figures import ZERO, VatReturn
from acctcli.filing.labels import box_labels
from acctcli.filing.periods import TaxPeriod
from acctcli.models.enums import DefaultVatPeriod, IdentifierType, Language, VatCorrection

_Y_TUNNUS = re.compile(r"\d{7}-\d", re.ASCII)
_PHONE = re.compile(r"\+?[\d ()/-]{3,32}", re.ASCII)


class Choices(NamedTuple):
    """What the user says about a return beside its period."""

    corrects: VatCorrection | None = None
    adjustments: str | None = None
    prepaid: Decimal = ZERO
    phone: str | None = None


class Form(Protocol):
    """A country's return."""

    def fill(self, report: VatReport) -> VatReturn:
        """Fill in the boxes from the VAT report."""

    def check_file(self, period: TaxPeriod) -> None:
        """Raise UsageError if no file can be made for a period, before anything is asked of the service."""

    def file(self, vat_return: VatReturn, period: TaxPeriod) -> bytes:
        """Return the file of a sound return."""


def choose_form(business: Business, choices: Choices) -> Form:
    """Return the form of the business's country; UsageError where the choices do not go with it."""
    return GermanForm(business, choices) if business.is_german else FinnishForm(business, choices)


class FinnishForm:
    """Boxes 301-320 and the file VSRALVKV."""

    def __init__(self, business: Business, choices: Choices) -> None:
        self._business = business
        self._choices = choices
        _check_box(choices.adjustments, finland.ADJUSTABLE)
        if choices.prepaid:
            raise UsageError("--special-prepayment is for German businesses")

    def fill(self, report: VatReport) -> VatReturn:
        """Fill in the boxes from the report's summary."""
        if report.summary is None:
            raise Incomplete("the VAT report has no summary: there is nothing to fill the boxes from")
        return finland.fill_boxes(report.summary, self._choices.adjustments)

    def check_file(self, period: TaxPeriod) -> None:
        """The file names the business and somebody to call."""
        self._filer()

    def file(self, vat_return: VatReturn, period: TaxPeriod) -> bytes:
        """Return the file VSRALVKV."""
        return finland.filing_text(vat_return, period, self._filer(), datetime.now(), self._choices.corrects)

    def _filer(self) -> finland.Filer:
        return finland.Filer(y_tunnus(self._business), _phone(self._business, self._choices.phone))


class GermanForm:
    """The Kz of the Umsatzsteuer-Voranmeldung and a text to type over."""

    def __init__(self, business: Business, choices: Choices) -> None:
        self._business = business
        self._choices = choices
        _check_box(choices.adjustments, germany.ADJUSTABLE)

    def fill(self, report: VatReport) -> VatReturn:
        """Fill in the Kz from the report's mapping, checked with its totals."""
        if report.mapping is None or report.totals is None:
            raise Incomplete("the VAT report has no form fields and totals: there is nothing to fill the Kz from")
        return germany.fill_form(report.mapping, report.totals, self._choices.adjustments, self._choices.prepaid)

    def check_file(self, period: TaxPeriod) -> None:
        """Advance returns are for months and quarters, and name the tax number."""
        if period.kind == DefaultVatPeriod.YEAR:
            raise UsageError("Germany has no advance VAT return for a year", hint="give a month or a quarter")
        self._business.identifier(IdentifierType.STEUERNUMMER)

    def file(self, vat_return: VatReturn, period: TaxPeriod) -> bytes:
        """Return the text to type over."""
        number = re.sub(r"[^0-9/ ]", "", self._business.identifier(IdentifierType.STEUERNUMMER))
        labels = box_labels("DE", Language.DE)
        return germany.filing_text(vat_return, period, number, labels, is_correction=self._choices.corrects is not None)


def y_tunnus(business: Business) -> str:
    """Return the Y-tunnus that Finnish files name, or raise UsageError."""
    number = business.identifier(IdentifierType.Y_TUNNUS)
    if not _Y_TUNNUS.fullmatch(number):
        raise UsageError(f"{number!r} is no Y-tunnus: nothing can be filed for business {business.slug}")
    return number


def _phone(business: Business, given: str | None) -> str:
    found = given or business.taxauthority_latest_reporter_phone_number or business.contact_phone
    if not found:
        raise UsageError("the file needs a phone number, and the business has none", hint="give one with --phone")
    if not _PHONE.fullmatch(found):
        raise UsageError(f"{found!r} is no phone number", hint="give one with --phone")
    return found


def _check_box(box: str | None, adjustable: tuple[str, ...]) -> None:
    if box is not None and box not in adjustable:
        raise UsageError(f"--adjustments {box}: adjustments go to one of {', '.join(adjustable)}")
