"""What an invoice of the service says in figures by its JSON alone, as e-invoices and paper are to say it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from eu_einvoice.parse import parse_bytes

from acctcli.einvoice.incoming.model import Incoming
from tests.einvoice.bulk.people import Wire

D = Decimal
CENT = D("0.01")
# VAT codes as categories of UNCL 5305 (docs/law.md 3)
CATEGORIES = {3: "E", 5: "K", 6: "AE", 10: "AE", 12: "O", 13: "G"}


class Row(NamedTuple):
    """A row: what it sells, its price, which is not below zero, how much of it, and what it comes to without VAT."""

    name: str
    price: Decimal
    quantity: Decimal
    net: Decimal
    category: str
    rate: Decimal


class Figures(NamedTuple):
    """All that an invoice says in figures; VAT is what `shares` come to, by category and rate: base and VAT.

    `rounding` leads from the sums of EN 16931 to what is payable: to nothing but credit notes of parts.
    """

    rows: list[Row]
    shares: dict[tuple[str, Decimal], tuple[Decimal, Decimal]]
    net: Decimal
    vat: Decimal
    gross: Decimal
    rounding: Decimal
    payable: Decimal


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP) + 0


def told(invoice: Wire) -> Figures:
    """Return what an e-invoice is to say, by the signs of the service."""
    rows = [_row(one, invoice["vat_country"]) for one in invoice["rows"]]
    nets: dict[tuple[str, Decimal], Decimal] = defaultdict(Decimal)
    for row in rows:
        nets[row.category, row.rate] += row.net
    shares = {share: (net, cents(net * share[1] / 100)) for share, net in nets.items()}
    net, vat = sum(nets.values(), D(0)), sum((vat for _, vat in shares.values()), D(0))
    payable = invoice["total_amount"]
    return Figures(rows, shares, net, vat, net + vat, payable - net - vat, payable)


def _row(row: Wire, country: str) -> Row:
    price, quantity = D(row["amount"]), D(row["product_count"])
    rate = D(row["vat_rate"]) if row["vat_code"] == 1 else D(0)
    usual = "S" if rate else "E" if country == "DE" and row["vat_code"] == 4 else "Z"
    category = CATEGORIES.get(row["vat_code"], usual)
    net = row["total_amount"] - row["total_vat_amount"]
    return Row(plain(row["name"]), abs(price), -quantity if price < 0 else quantity, net, category, rate)


def plain(text: str) -> str:
    """Return a text with single blanks, and without what nobody sees."""
    return " ".join(text.replace("\N{SOFT HYPHEN}", "").split())


def read_by_others(document: bytes) -> Figures:
    """Read UBL or CII by a library that others wrote; a credit note gets its signs back."""
    (found, unread) = parse_bytes(document)
    assert not unread
    sign = -1 if found["type"] == "381" else 1
    totals = {name: sign * D(amount) for name, amount in found["totals"].items()}
    assert totals["line_total"] == totals["tax_exclusive"]
    return Figures(
        [
            Row(
                plain(line["name"]),
                D(line["price"]),
                sign * D(line["quantity"]),
                sign * D(line["net_amount"]),
                line["vat_category"],
                D(line.get("vat_rate", "0")),
            )
            for line in found["lines"]
        ],
        _shares(found["vat_breakdown"], sign),
        totals["tax_exclusive"],
        totals["tax_total"],
        totals["tax_inclusive"],
        totals.get("rounding", D(0)),
        totals["payable"],
    )


def _shares(breakdown: list[Mapping[str, str]], sign: int) -> dict[tuple[str, Decimal], tuple[Decimal, Decimal]]:
    found = {
        (one["category"], D(one.get("rate", "0"))): (sign * D(one["taxable"]), sign * D(one["tax"]))
        for one in breakdown
    }
    assert len(found) == len(breakdown)
    return found


def read_here(found: Incoming) -> Figures:
    """Return the figures of an e-invoice that was read by the project, where no other program reads its format."""
    lines = [(line.price, line.quantity) for line in found.lines]
    assert None not in {figure for line in lines for figure in line}
    return Figures(
        [
            Row(plain(line.name), D(line.price or 0), D(line.quantity or 0), line.net, line.category, line.rate)
            for line in found.lines
        ],
        {(one.category, one.rate): (one.base, one.vat) for one in found.groups},
        found.sums.net,
        found.sums.vat,
        found.sums.gross,
        found.sums.rounding,
        found.sums.payable,
    )
