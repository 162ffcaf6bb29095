"""The EU recapitulative statement: what was sold to whom in other EU countries (domain facts 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_DOWN, Decimal
from typing import NamedTuple

from acctcli.filing.figures import CENT, ZERO
from acctcli.filing.finland import SOFTWARE, decimal_comma, file_lines, timestamp
from acctcli.filing.periods import TaxPeriod

# Greece writes EL, and Northern Ireland counts for goods as XI
MEMBERS = frozenset(
    "AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split()  # noqa: SIM905
)
_HANDLINGS = ("goods", "services", "triangulation")
_NUMBER = re.compile(r"[0-9A-Z+*]{2,12}")
_DECORATION = re.compile(r"[\s.\-/]")
_ELSTER_LINES = 1500
# § 18a UStG: Lieferung, sonstige Leistung, Dreiecksgeschäft
_ELSTER_KINDS = {"goods": "L", "services": "S", "triangulation": "D"}
_ELSTER_HEAD = ("#v3.0", "#ve3.2.0", "Umsatzsteuer-Identifikationsnummer (USt-IdNr.),Summe (Euro),Art der Leistung")


@dataclass(frozen=True, slots=True)
class Sale:
    """What one document sold to one customer in another EU country (interface: EU VAT report)."""

    net_amount: Decimal
    vat_handling: str
    country_code: str | None = None
    vat_id: str | None = None
    name: str | None = None
    vat_id_missing: bool | None = None
    contact_missing: bool | None = None
    document_id: int | None = None
    document_number: str | None = None


@dataclass(frozen=True, slots=True)
class EuSales:
    """An EU VAT report: `rows` to businesses, and what went to private persons."""

    rows: list[Sale]
    private_person_rows: list[Sale] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was sold to other EU countries."""
        return not self.rows and not self.private_person_rows


class Customer(NamedTuple):
    """One line of the statement, in currency units; `number` is the VAT number without its prefix `country`."""

    country: str
    number: str
    name: str
    goods: Decimal = ZERO
    services: Decimal = ZERO
    triangulation: Decimal = ZERO


class Fault(NamedTuple):
    """A sale that cannot be stated, by the document's number, and why."""

    document: str
    name: str
    reason: str


class Statement(NamedTuple):
    """`customers` in order of country and number, and the sales that belong to none."""

    customers: list[Customer]
    faults: list[Fault]

    def total(self, *handlings: str) -> Decimal:
        """Return what the lines add up to, of some of goods, services and triangulation."""
        return sum((getattr(one, handling) for one in self.customers for handling in handlings), ZERO)


def state_sales(sales: EuSales, country: str) -> Statement:
    """Make the statement of a business in `country`.

    Sales to private persons, to customers without a VAT number and to numbers of no other EU country are faults.
    """
    lines: dict[tuple[str, str], Customer] = {}
    faults = [_fault(sale, "the customer is a private person") for sale in sales.private_person_rows or ()]
    for sale in sales.rows:
        prefix, number = _vat_number(sale)
        reason = _objection(sale, prefix, number, country)
        if reason is not None:
            faults.append(_fault(sale, reason))
            continue
        line = lines.get((prefix, number)) or Customer(prefix, number, sale.name or "")
        more = getattr(line, sale.vat_handling) + sale.net_amount.quantize(CENT)
        lines[prefix, number] = line._replace(**{sale.vat_handling: more})
    customers = [line for _, line in sorted(lines.items()) if any(getattr(line, name) for name in _HANDLINGS)]
    return Statement(customers, faults)


def _vat_number(sale: Sale) -> tuple[str, str]:
    """Split a VAT number into prefix and rest; without letters in front, the report's country is the prefix."""
    text = _DECORATION.sub("", sale.vat_id or "").upper()
    prefix, number = text[:2], text[2:]
    if not prefix.isalpha():
        prefix, number = (sale.country_code or "").upper(), text
    return "EL" if prefix == "GR" else prefix, number


def _objection(sale: Sale, prefix: str, number: str, country: str) -> str | None:
    if sale.contact_missing:
        return "the document has no contact"
    if sale.vat_id_missing or not number:
        return "the customer has no VAT number"
    if prefix == country or prefix not in MEMBERS:
        return f"{prefix}{number} is no VAT number of another EU country"
    if not _NUMBER.fullmatch(number):
        return f"{prefix}{number} cannot be a VAT number"
    if sale.vat_handling not in _HANDLINGS:
        return f"the sale is neither of goods nor of services but {sale.vat_handling}"
    return None


def _fault(sale: Sale, reason: str) -> Fault:
    return Fault(str(sale.document_number or sale.document_id), sale.name or "", reason)


def finnish_file(statement: Statement, period: TaxPeriod, y_tunnus: str, made_at: datetime) -> bytes:
    """Return the file VSRALVYV of a month; `made_at` is local time."""
    fields = [("000", "VSRALVYV"), ("198", timestamp(made_at)), ("010", y_tunnus)]
    fields += [("052", str(period.number)), ("053", str(period.year)), ("001", str(len(statement.customers)))]
    for position, line in enumerate(statement.customers, 1):
        fields += [("102", line.country), ("103", line.number)]
        fields += [("210", decimal_comma(line.goods)), ("211", decimal_comma(line.services))]
        fields += [("212", decimal_comma(line.triangulation)), ("009", str(position))]
    return file_lines([*fields, ("048", SOFTWARE), ("014", f"{y_tunnus}_AC"), ("999", "1")])


def german_file(statement: Statement) -> bytes:
    """Return the Zusammenfassende Meldung as the CSV that ELSTER imports: UTF-8, whole euros cut off towards zero.

    Raise ValueError for more lines than ELSTER takes.
    """
    lines = [
        f"{line.country}{line.number},{euros},{letter}"
        for line in statement.customers
        for handling, letter in _ELSTER_KINDS.items()
        if (euros := getattr(line, handling).quantize(Decimal(1), ROUND_DOWN))
    ]
    if len(lines) > _ELSTER_LINES:
        raise ValueError(f"ELSTER imports at most {_ELSTER_LINES} lines, and these are {len(lines)}")
    return "".join(f"{line}\r\n" for line in (*_ELSTER_HEAD, *lines)).encode()
