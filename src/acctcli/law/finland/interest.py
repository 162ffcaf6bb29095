"""Finland: what paying late costs, as Suomen Pankki announces it (docs/law.md 7.8)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from acctcli.law.late_payment import Claim, Fee, LatePayment
from acctcli.models.enums import Language

# announced by Suomen Pankki (korkolaki 12 a §): the ECB's main refinancing rate, up to the next half point
LATE_PAYMENT = LatePayment(
    rates=(
        (date(2015, 1, 1), Decimal("0.5")),
        (date(2016, 7, 1), Decimal("0.0")),
        (date(2023, 1, 1), Decimal("2.5")),
        (date(2023, 7, 1), Decimal("4.0")),
        (date(2024, 1, 1), Decimal("4.5")),
        (date(2025, 1, 1), Decimal("3.5")),
        (date(2025, 7, 1), Decimal("2.5")),
    ),
    known_until=date(2026, 12, 31),
    business=Claim(Decimal(8), "korkolaki 4 a §", 14),
    consumer=Claim(Decimal(7), "korkolaki 4 §", 14),
    lump_sum=Decimal(40),
    lump_law="perintälaki 10 e §",
    fee=Fee(Decimal(5), 14, "perintälaki 10 a, 10 b §"),
    cited={
        "korkolaki 4 §": {
            Language.SV: "4 § räntelagen",
            Language.EN: "section 4 of the Finnish Interest Act",
            Language.DE: "§ 4 des finnischen Zinsgesetzes",
        },
        "korkolaki 4 a §": {
            Language.SV: "4 a § räntelagen",
            Language.EN: "section 4 a of the Finnish Interest Act",
            Language.DE: "§ 4 a des finnischen Zinsgesetzes",
        },
        "perintälaki 10 a, 10 b §": {
            Language.SV: "10 a, 10 b § indrivningslagen",
            Language.EN: "sections 10 a and 10 b of the Finnish Debt Collection Act",
            Language.DE: "§§ 10 a, 10 b des finnischen Inkassogesetzes",
        },
        "perintälaki 10 e §": {
            Language.SV: "10 e § indrivningslagen",
            Language.EN: "section 10 e of the Finnish Debt Collection Act",
            Language.DE: "§ 10 e des finnischen Inkassogesetzes",
        },
    },
)
