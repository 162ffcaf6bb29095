"""What an e-invoice says, whatever its format, and how its fields are read (docs/purchases.md 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from acctcli.markup import FileFault, Node

CENT = Decimal("0.01")
_ZERO = Decimal("0.00")
HERE = "."
_DIGITS = 15
_LONGEST = 40
_CURRENCY = re.compile("[A-Z]{3}")
# Northern Ireland writes XI, Greece EL; other numbers of a register have no letters of a country
_VAT_ID = re.compile("[A-Z]{2}[0-9A-Z+*]{2,13}")


class InvoiceFault(FileFault):
    """What is wrong with an e-invoice."""

    noun = "an invoice"


class Partner(NamedTuple):
    """Who sells or buys; empty where the invoice does not say it. `country` is of two letters."""

    name: str = ""
    vat_id: str = ""
    registration: str = ""
    country: str = ""


class Line(NamedTuple):
    """A line of an invoice: `price` without VAT, of one unit; `net` is what it comes to without VAT.

    `vat` is the VAT of the line where the format tells it.
    """

    name: str
    net: Decimal
    category: str
    rate: Decimal
    quantity: Decimal | None = None
    unit: str = ""
    price: Decimal | None = None
    code: str = ""
    description: str = ""
    vat: Decimal | None = None


class Group(NamedTuple):
    """A VAT breakdown: the category of UNCL 5305, the rate in percent, the base, and the VAT as the invoice has it."""

    category: str
    rate: Decimal
    base: Decimal
    vat: Decimal
    line: int = 0


class Sums(NamedTuple):
    """The totals, in currency units: `gross` is with VAT, `payable` what is left of it to be paid.

    `allowances` and `charges` are those of the whole invoice.
    """

    net: Decimal
    vat: Decimal
    gross: Decimal
    payable: Decimal
    rounding: Decimal = _ZERO
    prepaid: Decimal = _ZERO
    allowances: Decimal = _ZERO
    charges: Decimal = _ZERO

    def turned(self) -> Sums:
        """Return them with every sign turned."""
        return Sums(*(-amount + 0 for amount in self))


class Payment(NamedTuple):
    """How it is to be paid; `is_iban` and `is_checked` say that the format calls account and reference so."""

    iban: str = ""
    bic: str = ""
    reference: str = ""
    message: str = ""
    is_iban: bool = False
    is_checked: bool = False


@dataclass(frozen=True)
class Incoming:
    """An e-invoice; a credit note has the signs of what it takes back, below zero, whatever its format writes.

    `names` are the fields of the format by those of `Sums`, `Payment` and this class: faults name them.
    """

    format: str
    is_credit_note: bool
    number: str
    issued: date
    currency: str
    seller: Partner
    buyer: Partner
    sums: Sums
    groups: tuple[Group, ...]
    lines: tuple[Line, ...]
    payment: Payment
    names: Mapping[str, str]
    due: date | None = None
    delivered: date | None = None
    credited: str = ""
    note: str = ""

    def turned(self) -> Incoming:
        """Return it with every sign turned, prices aside."""
        return replace(
            self,
            sums=self.sums.turned(),
            groups=tuple(one._replace(base=-one.base + 0, vat=-one.vat + 0) for one in self.groups),
            lines=tuple(_turned(one) for one in self.lines),
        )


def _turned(line: Line) -> Line:
    quantity = None if line.quantity is None else -line.quantity + 0
    return line._replace(net=-line.net + 0, quantity=quantity, vat=None if line.vat is None else -line.vat + 0)


class Style(NamedTuple):
    """How a format writes numbers and days; `form` is what a fault says would be right."""

    number: re.Pattern[str]
    day: re.Pattern[str]
    number_form: str
    day_form: str


POINT = Style(
    re.compile(r"-?[0-9]+(?:\.[0-9]*)?", re.ASCII),
    # with the time zone that a schema allows
    re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII),
    "such as 125.50",
    "such as 2026-03-02",
)
POINT_AND_COMPACT_DAY = POINT._replace(
    day=re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})", re.ASCII), day_form="such as 20260302"
)
COMMA = POINT_AND_COMPACT_DAY._replace(
    number=re.compile("-?[0-9]+(?:,[0-9]*)?", re.ASCII), number_form="such as 125,50"
)


class Fields:
    """The fields of an element, by their paths; what is missing or written wrong is an InvoiceFault that names it."""

    def __init__(self, node: Node, style: Style) -> None:
        self.node = node
        self._style = style

    def text(self, *paths: str) -> str:
        """Return the text at the first of the paths that has one, in one line; empty without. `.` is the element."""
        return " ".join((self.node.text if paths == (HERE,) else self.node.said(*paths)).split())

    def one(self, *paths: str) -> str:
        """Return the text at the first of the paths that has one; raise InvoiceFault where another stands beside it."""
        path = next((one for one in paths if self.text(one)), "")
        if len(told := {text for found in self.all(path) if (text := found.text(HERE))}) > 1:
            some = " and ".join(repr(text[:_LONGEST]) for text in sorted(told)[:2])
            raise self.fault(path, f"stands there as {some}: one of them would be right")
        return self.text(path) if path else ""

    def need(self, path: str, why: str = "an invoice has one") -> str:
        """Return the text at a path; raise InvoiceFault where there is none, or several that differ."""
        if not (text := self.one(path)):
            raise self.fault(path, f"missing: {why}")
        return text

    def number(self, path: str) -> Decimal | None:
        """Return a number, exact; None where it does not stand."""
        if not (text := self.text(path)):
            return None
        if not self._style.number.fullmatch(text) or len(text) > _LONGEST:
            raise self.fault(path, f"{text[:_LONGEST]!r} is no number, {self._style.number_form}")
        value = Decimal(text.replace(",", "."))
        if value.adjusted() >= _DIGITS:
            raise self.fault(path, f"{text[:_LONGEST]!r} has more than {_DIGITS} digits before its decimals")
        return value

    def amount(self, path: str) -> Decimal | None:
        """Return an amount in cents at the finest; None where it does not stand."""
        value = self.number(path)
        if value is None:
            return None
        rounded = value.quantize(CENT)
        if rounded != value:
            raise self.fault(path, f"{self.text(path)!r} has more than 2 decimals")
        return rounded + 0

    def needed_amount(self, path: str) -> Decimal:
        """Return an amount that must stand."""
        self.need(path, "the invoice does not say what it comes to")
        amount = self.amount(path)
        assert amount is not None
        return amount

    def sum(self, path: str) -> Decimal:
        """Return an amount; zero where it does not stand."""
        return self.amount(path) or _ZERO

    def sums(self, names: Mapping[str, str], vat: Decimal) -> Sums:
        """Read the totals by the paths of their names; the VAT, of which there may be several, is given."""
        net, gross, payable = (self.needed_amount(names[name]) for name in ("net", "gross", "payable"))
        rest = {name: self.sum(names[name]) for name in ("rounding", "prepaid", "allowances", "charges")}
        return Sums(net, vat, gross, payable, **rest)

    def day(self, path: str) -> date | None:
        """Return a day; None where none stands."""
        if not (text := self.text(path)):
            return None
        found = self._style.day.fullmatch(text)
        try:
            return date(*map(int, found.groups())) if found else self._refuse_day(path, text)
        except ValueError:
            return self._refuse_day(path, text)

    def needed_day(self, path: str) -> date:
        """Return a day that must stand."""
        self.need(path)
        day = self.day(path)
        assert day is not None
        return day

    def currency(self, path: str) -> str:
        """Return the code of a currency."""
        code = self.need(path, "the invoice does not say in which currency it is")
        return self.checked_currency(path, code)

    def checked_currency(self, path: str, code: str) -> str:
        """Return the code of a currency; raise InvoiceFault for what is none."""
        if not _CURRENCY.fullmatch(code):
            raise self.fault(path, f"{code[:_LONGEST]!r} is no currency, such as EUR")
        return code

    def attribute(self, path: str, name: str) -> str:
        """Return an attribute of the element at a path; empty without."""
        found = self.node.first(path)
        return "" if found is None else found.attributes.get(name, "").strip()

    def check_currency(self, attribute: str, code: str, *paths: str) -> None:
        """Raise InvoiceFault for an amount that says another currency than the invoice's."""
        for path in paths:
            if (other := self.attribute(path, attribute)) and other != code:
                raise self.fault(path, f"is in {other}, and the invoice in {code}")

    def at(self, path: str) -> Fields | None:
        """Return the first element at a path."""
        found = self.node.first(path)
        return None if found is None else Fields(found, self._style)

    def all(self, path: str) -> Iterator[Fields]:
        """Yield all elements at a path, of which the last name may stand several times."""
        above, _, name = path.rpartition("/")
        inside = self.node.first(above) if above else self.node
        for node in inside.all(name) if inside is not None else ():
            yield Fields(node, self._style)

    def fault(self, path: str, problem: str) -> InvoiceFault:
        """Return the fault of a field; where it does not stand it is on the line of what it should stand in."""
        found = self.node.first(path)
        return InvoiceFault(problem, (found or self.node).line, path)

    def _refuse_day(self, path: str, text: str) -> date:
        raise self.fault(path, f"{text[:_LONGEST]!r} is not a day, {self._style.day_form}")


def is_vat_id(text: str) -> bool:
    """Whether a number is meant as a VAT id: it begins with two letters."""
    return _VAT_ID.fullmatch("".join(text.split()).upper()) is not None
