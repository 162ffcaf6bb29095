"""Totals of an invoice as EN 16931 adds them up, beside those of the wire.

EN 16931 rounds the net of every line, adds the lines, and works VAT out once for each category and rate (docs/law.md
7.3); so does the local service (docs/interface.md 7.2). Services that round VAT on every row and add the rows come to
other cents: ten rows of 0.33 at 25.5 % carry 0.80 there and 0.84 here. What is owed is what the wire says. The
e-invoice states the sums of EN 16931, and `difference` leads from them to that amount: it is BT-114, "the amount to be
added to the invoice total to round the amount to be paid", in BT-115 = BT-112 + BT-114 (BR-CO-16).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from acctcli.einvoice.vat import treat

CENT = Decimal("0.01")
_HALF_CENT = Decimal("0.005")


class LineTotals(NamedTuple):
    """A row as an invoice line (BG-25): `net` is BT-131, `quantity` BT-129.

    `price` (BT-146) is never negative (BR-27): a row of a negative price takes a negative quantity instead. It has the
    decimals of the wire, at most four.
    """

    row: Mapping[str, Any]
    category: str
    rate: Decimal
    quantity: Decimal
    price: Decimal
    net: Decimal


class VatGroup(NamedTuple):
    """A VAT breakdown (BG-23): `base` is BT-116, `vat` BT-117; `codes` are the VAT codes in it, as rows bring them."""

    category: str
    rate: Decimal
    codes: tuple[int, ...]
    base: Decimal
    vat: Decimal


@dataclass(frozen=True)
class Totals:
    """Document totals (BG-22), in currency units: `net` is BT-109, `vat` BT-110, `payable` BT-115 as on the wire."""

    lines: tuple[LineTotals, ...]
    groups: tuple[VatGroup, ...]
    net: Decimal
    vat: Decimal
    payable: Decimal

    @property
    def gross(self) -> Decimal:
        """The sum with VAT as EN 16931 makes it (BT-112)."""
        return self.net + self.vat

    @property
    def difference(self) -> Decimal:
        """What rounding each row on its own adds to `gross` (BT-114); zero for most invoices."""
        return self.payable - self.gross

    @property
    def most_difference(self) -> Decimal:
        """How far rounding can lead: half a cent of each row, and half a cent of each group."""
        return _HALF_CENT * (len(self.lines) + len(self.groups))

    def reversed(self) -> Totals:
        """Return the totals with every sign turned, prices aside: a credit note in UBL states what it gives back."""
        return replace(
            self,
            lines=tuple(line._replace(quantity=-line.quantity, net=-line.net) for line in self.lines),
            groups=tuple(group._replace(base=-group.base, vat=-group.vat) for group in self.groups),
            net=-self.net,
            vat=-self.vat,
            payable=-self.payable,
        )


def add_up(invoice: Mapping[str, Any]) -> Totals:
    """Return the totals of a sales invoice; ValueError for a VAT code of purchases."""
    lines = tuple(_line(row, invoice["vat_country"]) for row in invoice["rows"])
    groups = tuple(_groups(lines))
    return Totals(
        lines=lines,
        groups=groups,
        net=sum((line.net for line in lines), Decimal(0)),
        vat=sum((group.vat for group in groups), Decimal(0)),
        payable=Decimal(invoice["total_amount"]),
    )


def round_cents(amount: Decimal) -> Decimal:
    """Round to cents, half away from zero; nothing is zero, not minus zero."""
    return +amount.quantize(CENT, ROUND_HALF_UP)


def _line(row: Mapping[str, Any], country: str) -> LineTotals:
    treatment = treat(row["vat_code"], Decimal(row["vat_rate"]), country)
    if treatment is None:
        raise ValueError(f"VAT code {row['vat_code']} is one of purchases")
    amount, count = Decimal(row["amount"]), Decimal(row["product_count"])
    return LineTotals(
        row=row,
        category=treatment.category,
        rate=treatment.rate,
        quantity=-count if amount < 0 else count,
        price=abs(amount),
        net=round_cents(amount * count),
    )


def _groups(lines: Iterable[LineTotals]) -> Iterable[VatGroup]:
    grouped: dict[tuple[str, Decimal], list[LineTotals]] = {}
    for line in lines:
        grouped.setdefault((line.category, line.rate), []).append(line)
    for (category, rate), members in grouped.items():
        base = sum((line.net for line in members), Decimal(0))
        codes = tuple(dict.fromkeys(line.row["vat_code"] for line in members))
        yield VatGroup(category, rate, codes, base, round_cents(base * rate / 100))
