"""The type of a country: everything that differs between two of them, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from acctcli.law.calendar import month_after
from acctcli.models.enums import (
    BusinessForm,
    EInvoiceFormat,
    IdentifierType,
    Language,
    VatRateLabel,
    VatReportingMethod,
)

if TYPE_CHECKING:
    from acctcli.law.chart import Accounts
    from acctcli.law.filing import VatFiling
    from acctcli.law.late_payment import LatePayment
    from acctcli.law.statements import Statements

_SATURDAY = 5
_DAY = timedelta(days=1)


class OfficialId(NamedTuple):
    """The identifier every business of a country has.

    `check` returns its official form or raises ValueError, `show` that form as people write it.
    """

    type: IdentifierType
    check: Callable[[str], str]
    show: Callable[[str], str] = str


class Register(NamedTuple):
    """A register of companies that tells a wrong number: of which places, and by which pattern a number is of it."""

    territory: frozenset[str]
    form: str
    check: Callable[[str], str]


class VatRates(NamedTuple):
    """The rates from a day on, in hundredths of a percent, by label."""

    effective_from: date
    standard: int
    reduced_a: int
    reduced_b: int
    zero: int = 0

    def rate(self, label: str) -> Decimal:
        """Return the rate of a label, in percent with 2 decimals; ValueError for no such label."""
        return Decimal(getattr(self, VatRateLabel(label))).scaleb(-2)


class PaymentBasis(NamedTuple):
    """VAT that belongs to the day of payment: of which VAT codes, and the months after which sales count as paid."""

    method: VatReportingMethod
    codes: frozenset[int]
    longest_months: int | None = None


class InvoiceLaw(NamedTuple):
    """The sections by which an invoice says what it says (docs/law.md 7.1), as they are cited.

    The mappings are by VAT code: whose VAT ids stand on it, whom it is for, and in `exempt` examples of what a seller
    writes who charges no VAT, such as a small one. `zero_rated` is a pattern of the sections by which a sale bears no
    VAT and keeps the deduction, as they are written.
    """

    parties: str
    seller_number: str
    what: str
    rate: str
    exemption: str
    exempt: Mapping[int, str]
    zero_rated: str
    vat_ids: Mapping[int, str]
    customers: Mapping[int, str]


class Chart(NamedTuple):
    """A chart of accounts: its name where its country has several, and the numbers that rules ask for.

    `vat_payments` is the account that payments to the tax office go to; None for the one on which VAT is owed.
    `vat_rounding` is the account of what the tax booked is more than that of a return whose bases are in whole units.
    `money_in_transit` is where an account of what is between own accounts may be added.
    `accounts` and `statements` load what only some commands need; without statements there are only those of the
    service.
    """

    name: str | None
    accounts: Callable[[], Accounts]
    statements: Callable[[], Statements] | None
    bad_debts: str
    money_in_transit: str
    vat_payments: str | None = None
    vat_rounding: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Country:
    """What one country decides.

    `charts` are those that its businesses may have, the usual one first. `tax_office` are the names under which the tax
    office pays. `sells_by_rate`: sales of each rate of VAT have an account of their own, by which returns are checked.
    `filing` loads what only some commands need. `own_language` is the language that names and invoices are in whoever
    reads them; None where that is the reader's.
    """

    code: str
    language: Language
    own_language: Language | None = None
    forms: frozenset[BusinessForm]
    # the forms that need not keep books by claims: their invoices are posted when they are paid
    forms_on_payment: frozenset[BusinessForm]

    # official numbers
    official_id: OfficialId
    register: Register | None = None
    check_buyer_reference: Callable[[str], object] | None = None

    # books
    longest_period_months: int
    tax_office: tuple[str, ...] = ()
    sells_by_rate: bool = False
    charts: tuple[Chart, ...]

    # VAT: rates from the oldest to the latest, the days the law names, and holidays on which they move
    rates: tuple[VatRates, ...]
    payment_basis: PaymentBasis | None = None
    statutory_vat_due_date: Callable[[date, int, bool], date]
    statement_day: int
    prepayment_day: tuple[int, int] | None = None
    holidays: Callable[[int], frozenset[date]]
    filing: Callable[[], VatFiling]

    # invoices: `exemptions` say why there is no VAT, by VAT code and language: under code 1 why the rate is zero, under
    # code 4 that a sale is exempt, in a country that knows no other rate of zero
    einvoice_format: EInvoiceFormat
    einvoice_operators: Mapping[str, str]
    names_delivery_day: bool
    invoice_law: InvoiceLaw
    exemptions: Mapping[int, Mapping[Language, str]]
    late_payment: Callable[[], LatePayment] | None = None

    def chart(self, name: str | None) -> Chart:
        """Return the chart of books, the usual one where none is named, or one of a country they have left."""
        return next((one for one in self.charts if name and one.name == name), self.charts[0])

    def fitting_chart(self, accounts: Iterable[tuple[str, str]]) -> Chart:
        """Return the chart that has most of some accounts, by number and type; the usual one of several alike."""
        if len(self.charts) == 1:
            return self.charts[0]
        held = set(accounts)
        return max(self.charts, key=lambda one: len(held & {(has.number, has.type.value) for has in one.accounts()}))

    def choose_chart(self, name: str) -> Chart:
        """Return a chart by its name, whatever its capitals; ValueError with a sentence that names those there are."""
        found = next((one for one in self.charts if one.name == name.upper()), None)
        if found is None:
            names = " or ".join(one.name for one in self.charts if one.name)
            raise ValueError(f"Write {names}." if names else "Businesses of this country have one chart.")
        return found

    def rates_at(self, day: date) -> VatRates:
        """Return the rates in force; before the first known day the first ones."""
        return next((rates for rates in reversed(self.rates) if rates.effective_from <= day), self.rates[0])

    def label_of(self, rate: int, day: date) -> VatRateLabel | None:
        """Return which rate this is, in hundredths of a percent: one in force on a day, else the latest before it."""
        known = (rates for rates in reversed(self.rates) if rates.effective_from <= day)
        return next((label for rates in known for label in VatRateLabel if getattr(rates, label) == rate), None)

    def is_banking_day(self, day: date) -> bool:
        """Tell whether banks and tax offices work on a day."""
        return day.weekday() < _SATURDAY and day not in self.holidays(day.year)

    def next_banking_day(self, day: date) -> date:
        """Return the day itself if it is a banking day, else the first one after it."""
        while not self.is_banking_day(day):
            day += _DAY
        return day

    def vat_due_date(self, end: date, kind: int, *, has_extension: bool = False) -> date:
        """Return the banking day by which the VAT of a period that ends on `end` is filed and paid.

        `kind` is the length of the period: 0 month, 1 quarter, 2 year. `has_extension` is Germany's
        Dauerfristverlängerung.
        """
        return self.next_banking_day(self.statutory_vat_due_date(end, kind, has_extension))

    def recapitulative_due_date(self, month_end: date) -> date:
        """Return the banking day by which the EU sales of a month are stated: no extension moves it."""
        return self.next_banking_day(month_after(month_end, 1).replace(day=self.statement_day))

    def prepayment_due_date(self, year: int) -> date | None:
        """Return when monthly filers with an extension prepay a part of a year's VAT; None where nobody does."""
        return self.next_banking_day(date(year, *self.prepayment_day)) if self.prepayment_day else None
