"""VAT codes: what was sold or bought, in the words of every country (docs/interface.md 3.3, 5.3)."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import Language


class VatCode(NamedTuple):
    """What a VAT code means; `tags` say side, region, kind and mechanism in the words of docs/interface.md 3.3."""

    value: int
    label: str
    tags: tuple[str, ...]

    @property
    def is_sale(self) -> bool:
        """Whether the code belongs to the selling side."""
        return "sale" in self.tags

    @property
    def is_reverse_charge(self) -> bool:
        """Whether the buyer owes and deducts the VAT."""
        return "reverse_charge" in self.tags


OUTPUT_VAT, INPUT_VAT, NO_VAT, ZERO_RATED_SALE, EU_GOODS, EU_SERVICES = 1, 2, 3, 4, 5, 6
CONSTRUCTION, SERVICES_ABROAD, GOODS_ABROAD = 10, 12, 13

VAT_CODES: tuple[VatCode, ...] = (
    VatCode(1, "Domestic taxable sale", ("sale", "domestic")),
    VatCode(2, "Domestic taxable purchase", ("purchase", "domestic")),
    VatCode(3, "No VAT handling", ("none",)),
    VatCode(4, "Zero-rated sale", ("sale", "zero")),
    VatCode(5, "Goods sold to other EU countries", ("sale", "eu", "goods")),
    VatCode(6, "Services sold to other EU countries", ("sale", "eu", "services")),
    VatCode(7, "Goods bought from other EU countries", ("purchase", "eu", "goods", "reverse_charge")),
    VatCode(8, "Services bought from other EU countries", ("purchase", "eu", "services", "reverse_charge")),
    VatCode(9, "Goods imported from outside the EU", ("purchase", "non_eu", "goods", "reverse_charge")),
    VatCode(10, "Construction services sold", ("sale", "domestic", "construction")),
    VatCode(11, "Construction services bought", ("purchase", "domestic", "construction", "reverse_charge")),
    VatCode(12, "Services sold outside the EU", ("sale", "non_eu", "services")),
    VatCode(13, "Goods sold outside the EU", ("sale", "non_eu", "goods")),
    VatCode(14, "Services bought from outside the EU", ("purchase", "non_eu", "services", "reverse_charge")),
    VatCode(15, "Goods imported from outside the EU", ("purchase", "non_eu", "goods", "reverse_charge")),
)

SALES: frozenset[int] = frozenset(code.value for code in VAT_CODES if code.is_sale)
REVERSE_CHARGE: frozenset[int] = frozenset(code.value for code in VAT_CODES if code.is_reverse_charge)
EU_SALES: frozenset[int] = frozenset(code.value for code in VAT_CODES if code.is_sale and "eu" in code.tags)

# why these sales bear no VAT, by the directive 2006/112/EC, which every seller of the EU may cite (article 226 (11));
# "reverse charge" is in the words of each language's article 226 (11a)
BY_DIRECTIVE: dict[int, dict[Language, str]] = {
    EU_GOODS: {
        Language.FI: "Yhteisömyynti, direktiivi 2006/112/EY, 138 artikla",
        Language.SV: "Gemenskapsintern försäljning, artikel 138 i direktiv 2006/112/EG",
        Language.EN: "Intra-Community supply, Article 138 of Directive 2006/112/EC",
        Language.DE: "Steuerfreie innergemeinschaftliche Lieferung, Art. 138 RL 2006/112/EG",
    },
    EU_SERVICES: {
        Language.FI: "Käännetty verovelvollisuus, direktiivi 2006/112/EY, 196 artikla",
        Language.SV: "Omvänd betalningsskyldighet, artikel 196 i direktiv 2006/112/EG",
        Language.EN: "Reverse charge, Article 196 of Directive 2006/112/EC",
        Language.DE: "Steuerschuldnerschaft des Leistungsempfängers, Art. 196 RL 2006/112/EG",
    },
    GOODS_ABROAD: {
        Language.FI: "Vienti, direktiivi 2006/112/EY, 146 artikla",
        Language.SV: "Export, artikel 146 i direktiv 2006/112/EG",
        Language.EN: "Export of goods, Article 146 of Directive 2006/112/EC",
        Language.DE: "Steuerfreie Ausfuhrlieferung, Art. 146 RL 2006/112/EG",
    },
}


def buyer_vat_id(tax_code: str | None, business_id: str | None) -> str:
    """Return the VAT id of a contact, else its business id; empty when both are blank (docs/interface.md 10.5)."""
    return (tax_code or "").strip() or (business_id or "").strip()
