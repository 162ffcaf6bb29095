"""The EU recapitulative statement: what was sold to whom in other EU countries (docs/law.md 2.4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from acctcli.law.world import NORTHERN_IRELAND, VAT_FORMS, vat_letters

_ZERO, _CENT = Decimal("0.00"), Decimal("0.01")
_HANDLINGS = ("goods", "services", "triangulation")
_NUMBER = re.compile(r"[0-9A-Z+*]{2,12}")
_DECORATION = re.compile(r"[\s.\-/]")


@dataclass(frozen=True, slots=True)
class Sale:
    """What one document sold to one customer in another EU country (docs/interface.md 10.5)."""

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
    goods: Decimal = _ZERO
    services: Decimal = _ZERO
    triangulation: Decimal = _ZERO


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
        return sum((getattr(one, handling) for one in self.customers for handling in handlings), _ZERO)


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
        more = getattr(line, sale.vat_handling) + sale.net_amount.quantize(_CENT)
        lines[prefix, number] = line._replace(**{sale.vat_handling: more})
    customers = [line for _, line in sorted(lines.items()) if any(getattr(line, name) for name in _HANDLINGS)]
    return Statement(customers, faults)


def _vat_number(sale: Sale) -> tuple[str, str]:
    """Split a VAT number into prefix and rest; without letters in front, the report's country is the prefix."""
    text = _DECORATION.sub("", sale.vat_id or "").upper()
    prefix, number = text[:2], text[2:]
    if not prefix.isalpha():
        prefix, number = (sale.country_code or "").upper(), text
    return vat_letters(prefix), number


def _objection(sale: Sale, prefix: str, number: str, country: str) -> str | None:
    if sale.contact_missing:
        return "the document has no contact"
    if sale.vat_id_missing or not number:
        return "the customer has no VAT number"
    if prefix == country or prefix not in VAT_FORMS:
        return f"{prefix}{number} is no VAT number of another EU country"
    if not _NUMBER.fullmatch(number):
        return f"{prefix}{number} cannot be a VAT number"
    if prefix == NORTHERN_IRELAND and sale.vat_handling == "services":
        return f"{prefix}{number} is of Northern Ireland, which belongs to the EU for goods only"
    if sale.vat_handling not in _HANDLINGS:
        return f"the sale is neither of goods nor of services but {sale.vat_handling}"
    return None


def _fault(sale: Sale, reason: str) -> Fault:
    return Fault(str(sale.document_number or sale.document_id), sale.name or "", reason)
