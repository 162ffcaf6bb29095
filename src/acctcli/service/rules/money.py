"""Between wire decimals and the integers the books are kept in."""

from __future__ import annotations

from decimal import Decimal

# storage is a signed 64 bit integer on both databases; nothing above it may be posted
LARGEST_CENTS = 2**63 - 1
CENT = Decimal("0.01")
# 100 % in hundredths of a percent
WHOLE = 10_000


def to_cents(amount: Decimal) -> int:
    """Return currency units with at most 2 decimals as integer cents; exact."""
    return int(amount.scaleb(2))


def from_cents(cents: int) -> Decimal:
    """Return integer cents as currency units with exactly 2 decimals."""
    return cents * CENT


def to_e4(number: Decimal) -> int:
    """Return a price or a count with at most 4 decimals as integer ten-thousandths; exact."""
    return int(number.scaleb(4))


def from_e4(number: int) -> Decimal:
    """Return ten-thousandths with 2 decimals, or with 3 or 4 where it takes them."""
    whole, rest = divmod(number, 100)
    return Decimal(number).scaleb(-4).normalize() if rest else from_cents(whole)


def rate_text(hundredths: int) -> str:
    """Return a rate in hundredths of a percent as the wire's decimal text: 2550 is "25.50"."""
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def divide_half_away(numerator: int, denominator: int) -> int:
    """Divide integers and round half away from zero, the same on both sides of it (docs/interface.md 5.4)."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size
