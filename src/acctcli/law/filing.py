"""What the VAT filings of all countries have in common: what they are made from, boxes, and what fits none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from acctcli.law.vat_codes import OUTPUT_VAT
from acctcli.models.enums import DefaultVatPeriod, IdentifierType, VatCorrection

if TYPE_CHECKING:
    from acctcli.law.calendar import TaxPeriod
    from acctcli.law.recapitulative import Statement
    from acctcli.models.report import ByRate, VatFigures

ZERO = Decimal("0.00")
CENT = Decimal("0.01")
# a VAT report as the interface has it: groups of amounts by name, which of them depends on the country
Report = Mapping[str, Any]
# movements on the VAT accounts without a VAT code, and where they go when they are not to be declared
ADJUSTMENTS, NOWHERE = "adjustments", "none"
ROUNDING = "rounding_of_bases"
NO_BOX = "no box takes"
# what is owed, in reports of all countries
PAYABLE = "vat_payable"
# VAT at rates that the country did not have: told apart, by code and rate such as "2/19.00"
FOREIGN = "foreign_vat"
FOREIGN_WAY_OUT = (
    "The country had no such rate on the day or before it: VAT of another country is part of the cost and posted"
    " without a VAT code"
)


class VatGroup(NamedTuple):
    """What a range posted under one VAT code and rate, in currency units.

    `rate` is in percent. `base` is signed towards its side: credit less debit for sales, debit less credit for
    purchases. `output_vat` is credit less debit on LIA_VAT accounts, `input_vat` debit less credit on ASS_VAT ones.
    `apart` is what of the base stands on accounts that forms ask for: expenses under code 1, revenue under code 2, and
    sales under no code at all. What `is_foreign` has a rate that the country did not have, and belongs on no form.
    """

    vat_code: int
    rate: Decimal
    base: Decimal
    output_vat: Decimal
    input_vat: Decimal
    apart: Decimal = ZERO
    is_foreign: bool = False

    @property
    def tax(self) -> Decimal:
        """Its VAT: output VAT where there is some, else input VAT."""
        return self.output_vat or self.input_vat


class VatReturn(NamedTuple):
    """The figures of a return, in currency units.

    `boxes` are by number, all those of the form in its order. `unplaced` is booked tax that fits no box, by what it
    is. `elsewhere` is booked tax that by law stands on no return. `result` is the box of what is to be paid, and
    `payable` what the VAT report says is owed; negative is a refund. `has_foreign_tax` says that some of what is
    unplaced has a rate that the country did not have.
    """

    boxes: dict[str, Decimal]
    result: Decimal
    payable: Decimal
    unplaced: dict[str, Decimal]
    elsewhere: dict[str, Decimal]
    has_foreign_tax: bool = False

    @property
    def difference(self) -> Decimal:
        """What is owed by the books and stands neither in a box nor by law elsewhere; zero for a return to file."""
        return self.payable - self.result - sum(self.elsewhere.values(), ZERO)

    @property
    def rounding(self) -> Decimal:
        """What is booked beyond the return as its bases are in whole units; below zero where it asks for more."""
        return self.elsewhere.get(ROUNDING, ZERO)

    @property
    def objection(self) -> str | None:
        """Why the return may not be filed, as the end of a sentence; None for a sound one."""
        if self.unplaced:
            return f"{NO_BOX} {', '.join(f'{in_words(name)} {value}' for name, value in self.unplaced.items())}"
        if self.difference:
            return f"it says {self.result} is to be paid, the books say {self.payable}"
        return None

    def leaving(self, tax: Mapping[str, Decimal]) -> VatReturn:
        """Return it with more tax that fits no box."""
        return self._replace(unplaced={**self.unplaced, **tax}, has_foreign_tax=bool(tax))

    @property
    def is_sound(self) -> bool:
        """Whether the return may be filed."""
        return self.objection is None

    @property
    def has_activity(self) -> bool:
        """Whether there is anything to declare."""
        return any(self.boxes.values())


class Filer(Protocol):
    """Who files; raises UsageError where the business does not say what is asked for."""

    @property
    def slug(self) -> str:
        """What the business goes by."""

    def identifier(self, kind: IdentifierType) -> str:
        """Return an official identifier."""

    def phone(self) -> str:
        """Return the number at which somebody answers questions about the return."""


class MadeOf(NamedTuple):
    """What a figure of a VAT report is made of: entries of these VAT codes, and of this rate in percent if of one."""

    codes: frozenset[int]
    rate: Decimal | None = None


class VatFiling(ABC):
    """What a country wants to be told of VAT.

    `adjustable` are the boxes that VAT booked without a code may correct; `statement_periods` are the lengths of
    periods that EU sales are stated for, in words `statement_wanted`. `payable_places` are the groups and names under
    which a VAT report says what is owed, the surest first. `made_of` says of figures of that report, by their names,
    which VAT codes they are made of, and of which rate in percent where it is one. `owed_to_others` are the VAT codes
    whose output VAT is owed to somebody else than the tax office.
    """

    made_of: ClassVar[Mapping[str, MadeOf]] = {}
    owed_to_others: ClassVar[frozenset[int]] = frozenset()
    adjustable: ClassVar[tuple[str, ...]]
    payable_places: ClassVar[tuple[tuple[str, str], ...]] = (("summary", PAYABLE), ("totals", PAYABLE))
    statement_periods: ClassVar[frozenset[DefaultVatPeriod]]
    statement_wanted: ClassVar[str]

    def prepayment_fault(self, first: date, last: date, *, has_extension: bool | None) -> str | None:
        """Say why the return of these days credits no special prepayment, as a sentence; None where it does.

        `has_extension` is Germany's Dauerfristverlängerung, None where nobody knows.
        """
        return "Only German businesses prepay."

    @abstractmethod
    def report_vat(self, groups: Sequence[VatGroup]) -> VatFigures:
        """Return the groups of the VAT report, amounts in currency units; they add up to what is owed."""

    def payable(self, report: Report) -> Decimal | None:
        """Return what a VAT report says is owed, negative for a refund; None where it does not say."""
        found = (group(report, place).get(name) for place, name in self.payable_places)
        return next((value for value in found if isinstance(value, Decimal)), None)

    @abstractmethod
    def fill_return(self, report: Report, adjustments: str | None, prepaid: Decimal) -> VatReturn:
        """Fill in the boxes; Incomplete where the report has not what they are filled from, ValueError for no amounts.

        `adjustments` is one of `adjustable` or None, `prepaid` a special prepayment to credit.
        """

    @abstractmethod
    def box_labels(self, language: str) -> dict[str, str]:
        """Return the names of all boxes by number, in a language that pages are in, else in English."""

    @abstractmethod
    def check_filer(self, filer: Filer, period: TaxPeriod) -> None:
        """Raise UsageError if no file can be made, before anything is asked of the service."""

    @abstractmethod
    def return_file(
        self,
        vat_return: VatReturn,
        period: TaxPeriod,
        filer: Filer,
        made_at: datetime,
        correction: VatCorrection | None,
    ) -> bytes:
        """Return the file of a sound return; `made_at` is local time."""

    @abstractmethod
    def booked_eu_sales(self, report: Report) -> tuple[Decimal, Decimal]:
        """Return the goods and the services that a VAT report says were sold to other EU countries."""

    @abstractmethod
    def statement_file(self, statement: Statement, period: TaxPeriod, filer: Filer, made_at: datetime) -> bytes:
        """Return the file of a recapitulative statement; ValueError where the office does not take one so long."""


def amount(values: Mapping[str, Any], name: str) -> Decimal:
    """Return a number of a report with 2 digits, zero where it is missing; ValueError when it is no number."""
    value = values.get(name)
    try:
        return ZERO if value is None else Decimal(value).quantize(CENT)
    except (ArithmeticError, TypeError, ValueError) as problem:
        raise ValueError(f"{name} is {value!r}, not an amount") from problem


def group(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a group of numbers of a report, empty where it is missing; ValueError when it is no group."""
    found = values.get(name)
    if found is not None and not isinstance(found, Mapping):
        raise ValueError(f"{name} is {found!r}, not a group of amounts")
    return found or {}


def told_foreign(groups: Iterable[VatGroup]) -> ByRate:
    """Return the groups of VAT that belongs on no form, as a VAT report tells them."""
    return {f"{one.vat_code}/{one.rate}": {"base": one.base, "vat": one.tax} for one in groups if one.is_foreign}


def foreign_tax(report: Report) -> dict[str, Decimal]:
    """Return the VAT of a report that no box takes, because the country did not have its rate, by what it is."""
    found = group(report, FOREIGN)
    return {tax_at(*key.split("/", 1)): amount(group(found, key), "vat") for key in found}


def tax_at(code: str, rate: str) -> str:
    """Return what tax under a VAT code at a rate is called where no box takes it."""
    told = f"tax at {amount({'rate': rate}, 'rate').normalize():f} %"
    return told if code == f"{OUTPUT_VAT}" else f"{told} under VAT code {code}"


def in_words(name: str) -> str:
    """Return the name of a group of a report as people read it."""
    return name.replace("_", " ")


def nonzero(values: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Return the values that are not zero."""
    return {name: value for name, value in values.items() if value}
