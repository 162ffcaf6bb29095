"""What the filing commands have in common: who files, the reports it is filed from, and the file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from acctcli import law
from acctcli.cli.output import sink
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.shapes import MoneyOfDocument, Shape, VatReport, decode
from acctcli.cli.session.state import State
from acctcli.errors import ServerFault, UsageError
from acctcli.law.calendar import TaxPeriod, tax_period
from acctcli.law.recapitulative import EuSales
from acctcli.models.enums import IdentifierType

if TYPE_CHECKING:
    from acctcli.law.decisions import Country
    from acctcli.law.duties import VatPeriod
    from acctcli.law.filing import Report

_DOCUMENTS_TOLD = 20
_PHONE = re.compile(r"\+?[\d ()/-]{3,32}", re.ASCII)


class Identifier(msgspec.Struct):
    """An official identifier."""

    type: str
    value: str


class Business(msgspec.Struct):
    """The business that files, as far as filing needs it (docs/interface.md 3.1)."""

    slug: str
    country: str | None = None
    # None where a service does not say
    has_accrual_based_entries_for_invoicing: bool | None = None
    contact_phone: str | None = None
    taxauthority_latest_reporter_phone_number: str | None = None
    has_dauerfristverlaengerung: bool | None = None
    default_vat_period: int | None = None
    vat_reporting_method: str | None = None
    identifiers: list[Identifier] | None = None

    @property
    def law(self) -> Country:
        """The law of its country."""
        return law.country(self.country)

    @property
    def is_on_payment_basis(self) -> bool:
        """Whether VAT belongs to the days of payments (docs/law.md 2.5)."""
        basis = self.law.payment_basis
        return basis is not None and self.vat_reporting_method == basis.method


class Filer(NamedTuple):
    """A business as the one who files; `phone_given` goes before the numbers it has."""

    business: Business
    phone_given: str | None = None

    @property
    def slug(self) -> str:
        """What the business goes by."""
        return self.business.slug

    def identifier(self, kind: IdentifierType) -> str:
        """Return an identifier, or raise UsageError when there is none."""
        for one in self.business.identifiers or ():
            if one.type == kind:
                return one.value
        raise UsageError(
            f"business {self.slug} has no {kind}, and a filing file needs it",
            hint="see: acctcli business identifier list",
        )

    def phone(self) -> str:
        """Return the number at which to ask about the return, or raise UsageError when there is none."""
        business = self.business
        found = self.phone_given or business.taxauthority_latest_reporter_phone_number or business.contact_phone
        if not found:
            raise UsageError("the file needs a phone number, and the business has none", hint="give one with --phone")
        if not _PHONE.fullmatch(found):
            raise UsageError(f"{found!r} is no phone number", hint="give one with --phone")
        return found


def fetch_business(here: State) -> Business:
    """Return the business worked in."""
    return decode(here.api.businesses.get(here.business()).body, Business)


def say_uncredited(here: State, business: Business, first: date, last: date) -> None:
    """Note a return that would credit a special prepayment, and was told of none (docs/law.md 2.3)."""
    fault = business.law.filing().prepayment_fault(first, last, has_extension=business.has_dauerfristverlaengerung)
    if business.has_dauerfristverlaengerung and fault is None:
        here.say(
            "note: nothing is credited of the special prepayment that a Dauerfristverlängerung takes each year: "
            "say what was prepaid with --special-prepayment"
        )


def vat_periods(here: State) -> list[VatPeriod]:
    """Return the VAT periods of the business."""
    from acctcli.client.messages import Extent
    from acctcli.law.duties import VatPeriod

    listing = here.api.vat_periods.list({}, Extent(limit=None))
    return [decode(row, VatPeriod) for rows in listing for row in rows]


def check_filed(here: State, first: date, last: date, *, is_part: bool = False) -> None:
    """Raise UsageError unless the days have ended and the business files them: a VAT period, or months of one."""
    if last >= here.today():
        raise UsageError(f"{first} - {last} has not ended: there is nothing to file yet")
    known = vat_periods(here)
    if any((one.start_date, one.end_date) == (first, last) for one in known):
        return
    if is_part and any(one.start_date <= first and last <= one.end_date for one in known):
        return
    raise UsageError(
        f"{first} - {last} is no VAT period of the business", hint="see: acctcli vat period list, vat period create"
    )


def fetch_vat_report(here: State, first: date, last: date) -> Report:
    """Return the VAT report of a range."""
    return msgspec.structs.asdict(_fetch(here, "vat-report", first, last, VatReport))


def told_documents(money: Sequence[MoneyOfDocument]) -> str:
    """Return the documents of money that is in no return, as far as a line may name them."""
    named = [one.number for one in money[:_DOCUMENTS_TOLD]]
    more = len(money) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def say_untold(here: State, came: Sequence[MoneyOfDocument] | None, went: Sequence[MoneyOfDocument] | None) -> None:
    """Say what money is in no return, because nothing tells where it belongs, and what is to be done."""
    if came:
        here.say(f"in no return: {_total(came)} that no invoice or claim takes, of documents {told_documents(came)}")
        here.say(
            "VAT of what was prepaid, alone or beyond an invoice, is owed for the period of the money: acctcli document"
            " correct ID posts it with its VAT code and rate; what pays a claim is related to it: acctcli document"
            " relation create"
        )
    if went:
        here.say(f"in no return: {_total(went)} that went back, of which sale is not known: {told_documents(went)}")
        here.say(
            "its VAT is given back once it is related to its credit note or claim: acctcli document relation create"
        )


def _total(money: Sequence[MoneyOfDocument]) -> Decimal:
    return sum((rounded(one.amount) for one in money), Decimal(0))


def fetch_eu_sales(here: State, first: date, last: date) -> EuSales:
    """Return the sales to other EU countries of a range."""
    return _fetch(here, "eu-vat-contact-report", first, last, EuSales)


def _fetch(here: State, name: str, first: date, last: date, shape: type[Shape]) -> Shape:
    column = {"date_from": first.isoformat(), "date_to": last.isoformat()}
    return decode(Ask(here)(name, [column]).body, shape)


@contextmanager
def reading() -> Iterator[None]:
    """Raise ServerFault when a VAT report turns out to be of another shape."""
    try:
        yield
    except ValueError as problem:
        raise ServerFault(
            f"the VAT report is not what the interface promises: {problem}", code="unreadable_reply"
        ) from problem


def filing_period(first: date, last: date) -> TaxPeriod:
    """Return the tax period of a range, or raise UsageError where the range is none."""
    period = tax_period(first, last)
    if period is None:
        raise UsageError(f"{first} - {last} is no tax period: files are for a month, a quarter or a year")
    return period


def check_place(path: Path) -> None:
    """Raise UsageError if no file can be written there, before anything is asked of the service."""
    if not path.parent.is_dir():
        raise UsageError(f"--filing-file {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"--filing-file {path}: the folder {path.parent} cannot be written")


def write_file(here: State, path: Path, content: bytes) -> None:
    """Write a file whole or not at all; one that is there already is replaced only when that is confirmed."""
    if path.exists():
        here.confirm(f"Replace {path}?")
    with sink.opened(path, "--filing-file") as stream:
        stream.write(content)
    here.say(f"wrote {path}")
