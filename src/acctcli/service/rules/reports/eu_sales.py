"""Sales to other EU countries by document and handling, for the recapitulative statement (docs/interface.md 10.5)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.law.vat_codes import EU_SALES, VAT_CODES, buyer_vat_id
from acctcli.models.enums import ContactType
from acctcli.service.rules.money import from_cents
from acctcli.service.rules.numbers import serial_order

if TYPE_CHECKING:
    from acctcli.models.report import EuSales, EuVatRow

HANDLING = {code.value: "goods" if "goods" in code.tags else "services" for code in VAT_CODES if code.value in EU_SALES}


class Buyer(NamedTuple):
    """The contact of a sale, as far as a statement needs it."""

    name: str
    type: str
    tax_code: str | None
    business_id: str | None
    country: str | None

    @property
    def vat_id(self) -> str:
        """The VAT id; empty when none is known."""
        return buyer_vat_id(self.tax_code, self.business_id)

    @property
    def country_code(self) -> str:
        """The country the VAT id names, else that of the address; empty when neither is known."""
        prefix = self.vat_id[:2]
        named = len(prefix) == 2 and prefix.isascii() and prefix.isalpha()
        return (prefix if named else self.country or "").upper()


class EuSale(NamedTuple):
    """What a document sold under one VAT code, credit less debit in cents."""

    document_id: int
    number: str
    date: date
    vat_code: int
    cents: int
    buyer: Buyer | None


def eu_sales(sales: Iterable[EuSale]) -> EuSales:
    """Return `rows` and, for sales to persons, `private_person_rows`, by country, VAT id and date."""
    rows: EuSales = {"rows": [], "private_person_rows": []}
    for sale in sorted(sales, key=_order):
        is_private = sale.buyer is not None and sale.buyer.type == ContactType.PERSON
        rows["private_person_rows" if is_private else "rows"].append(_row(sale))
    return rows


def _order(sale: EuSale) -> tuple[Any, ...]:
    place = (sale.buyer.country_code, sale.buyer.vat_id) if sale.buyer else ("", "")
    return (*place, sale.date, serial_order(sale.number), sale.vat_code)


def _row(sale: EuSale) -> EuVatRow:
    buyer = sale.buyer
    return {
        "country_code": buyer.country_code if buyer else "",
        "vat_id": buyer.vat_id if buyer else "",
        "name": buyer.name if buyer else "",
        "vat_handling": HANDLING[sale.vat_code],
        "net_amount": from_cents(sale.cents),
        "vat_id_missing": buyer is None or not buyer.vat_id,
        "contact_missing": buyer is None,
        "document_id": sale.document_id,
        "document_number": sale.number,
    }
