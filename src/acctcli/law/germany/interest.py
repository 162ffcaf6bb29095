"""Germany: what paying late costs, as the Bundesbank announces it (docs/law.md 7.8)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from acctcli.law.late_payment import Claim, Fee, LatePayment

# announced by the Bundesbank (§ 247 BGB): it moves as the ECB's main refinancing rate does
LATE_PAYMENT = LatePayment(
    rates=(
        (date(2015, 1, 1), Decimal("-0.83")),
        (date(2016, 7, 1), Decimal("-0.88")),
        (date(2023, 1, 1), Decimal("1.62")),
        (date(2023, 7, 1), Decimal("3.12")),
        (date(2024, 1, 1), Decimal("3.62")),
        (date(2024, 7, 1), Decimal("3.37")),
        (date(2025, 1, 1), Decimal("2.27")),
        (date(2025, 7, 1), Decimal("1.27")),
        (date(2026, 7, 1), Decimal("1.52")),
    ),
    known_until=date(2026, 12, 31),
    business=Claim(Decimal(9), "§ 288 (2) BGB", 7),
    consumer=Claim(Decimal(5), "§ 288 (1) BGB", 7),
    lump_sum=Decimal(40),
    lump_law="§ 288 (5) BGB",
    fee=Fee(None, 0, "§§ 280, 286 BGB"),
)
