"""VAT codes of the wire as VAT categories of EN 16931.

Category codes are those of UNCL 5305 that the standard admits (BT-118, BT-151), reason codes those of the VATEX list of
the European Commission (BT-121). The rules of each category are the groups BR-S, BR-Z, BR-E, BR-AE, BR-IC, BR-G, BR-O.

code  meaning                         category, reason          why
1     domestic taxable sale           S                         the standard and the reduced rates
1     the same at 0 %                 Z                         a rate of zero, as § 12 (3) UStG
0, 3  no VAT handling                 E, the business's words   exempt, or a seller who is not liable (BR-E-10)
4     zero-rated sale                 Z                         deduction stays, no reason may stand (BR-Z-10)
4     the same in Germany             E, the business's words   exempt, deduction stays: Kz 43 of the return
5     goods to other EU countries     K, VATEX-EU-IC            article 138 of the directive
6     services to other EU countries  AE, VATEX-EU-AE           articles 44 and 196: the customer owes the tax
10    construction services           AE, VATEX-EU-AE           article 199: AVL 8 c §, § 13b UStG
12    services outside the EU         O, VATEX-EU-O             article 44 or 59: supplied elsewhere
13    goods outside the EU            G, VATEX-EU-G             article 146

All others are codes of purchases: no sales invoice can say them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli import law
from acctcli.law.invoices import OWN_REASON, is_reason
from acctcli.law.vat_codes import (
    CONSTRUCTION,
    EU_GOODS,
    EU_SERVICES,
    GOODS_ABROAD,
    OUTPUT_VAT,
    SERVICES_ABROAD,
    ZERO_RATED_SALE,
)
from acctcli.models.enums import Language

STANDARD, ZERO_RATED, EXEMPT = "S", "Z", "E"
REVERSE_CHARGE, INTRA_COMMUNITY, EXPORT, OUT_OF_SCOPE = "AE", "K", "G", "O"
NO_HANDLING = frozenset({0, 3})
# goods that leave the country: the e-invoice says where to (BR-IC-12)
SHIPPED = frozenset({EU_GOODS, GOODS_ABROAD})

_CATEGORIES = {
    **dict.fromkeys(NO_HANDLING, EXEMPT),
    ZERO_RATED_SALE: ZERO_RATED,
    EU_GOODS: INTRA_COMMUNITY,
    EU_SERVICES: REVERSE_CHARGE,
    CONSTRUCTION: REVERSE_CHARGE,
    SERVICES_ABROAD: OUT_OF_SCOPE,
    GOODS_ABROAD: EXPORT,
}
REASON_CODES = {
    REVERSE_CHARGE: "VATEX-EU-AE",
    INTRA_COMMUNITY: "VATEX-EU-IC",
    EXPORT: "VATEX-EU-G",
    OUT_OF_SCOPE: "VATEX-EU-O",
}


class Treatment(NamedTuple):
    """How VAT treats a row; `rate` is in percent, and 0 in every category but S."""

    category: str
    rate: Decimal


def treat(code: int, rate: Decimal, country: str) -> Treatment | None:
    """Return the category of a VAT code and the rate that stands on the invoice, or None for a code of purchases.

    The wire allows any rate beside any code (docs/interface.md 5.3), but only code 1 makes VAT. `country`
    is the seller's.
    """
    if code == OUTPUT_VAT:
        return Treatment(STANDARD, rate) if rate else Treatment(ZERO_RATED, Decimal(0))
    if code == ZERO_RATED_SALE and code in law.country(country).exemptions:
        return Treatment(EXEMPT, Decimal(0))
    category = _CATEGORIES.get(code)
    return None if category is None else Treatment(category, Decimal(0))


def reason(code: int, language: str, exemption: str | None, country: str) -> str | None:
    """Return why a row bears no VAT, or None.

    `exemption` are the words of the business, which come first for codes that only it can tell the reason of.
    """
    seller = law.country(country)
    if code in OWN_REASON and is_reason(code, exemption, seller):
        return exemption
    texts = seller.exemptions.get(code)
    return None if texts is None else texts.get(Language(language), texts[seller.language])


def reasons(codes: Iterable[int], language: str, business: Mapping[str, Any]) -> str:
    """Return all reasons of the VAT codes of a group (BT-120), each once; empty where there is a rate of VAT."""
    exemption, country = business["invoicing_vat_exemption_reason"], business["country"]
    told = dict.fromkeys(reason(code, language, exemption, country) for code in codes if code != OUTPUT_VAT)
    return "; ".join(text for text in told if text)
