"""Totals of EN 16931 beside those of the wire (docs/interface.md 7.2; docs/law.md 7.3)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.einvoice.totals import LineTotals, Totals, VatGroup, add_up
from tests.einvoice.samples import invoice, row


def amounts(*texts: str) -> tuple[Decimal, ...]:
    return tuple(Decimal(text) for text in texts)


def test_vat_is_rounded_once_for_each_rate() -> None:
    totals = add_up(invoice([row("0.33")] * 10))
    assert totals.groups == (VatGroup("S", Decimal("25.5"), (1,), Decimal("3.30"), Decimal("0.84")),)
    found = (totals.net, totals.vat, totals.gross, totals.payable, totals.difference)
    assert found == amounts("3.30", "0.84", "4.14", "4.10", "-0.04")


def test_the_worked_example() -> None:
    totals = add_up(invoice([row("99.99", "7.5", "19"), row("33.333", "3", "7"), row("0.10", "1", "19")]))
    assert totals.groups == (
        VatGroup("S", Decimal(19), (1,), Decimal("750.03"), Decimal("142.51")),
        VatGroup("S", Decimal(7), (1,), Decimal("100.00"), Decimal("7.00")),
    )
    found = (totals.net, totals.vat, totals.payable, totals.difference)
    assert found == amounts("850.03", "149.51", "999.54", "0.00")


def test_halves_are_rounded_away_from_zero() -> None:
    totals = add_up(invoice([row("0.005", rate="0"), row("-0.005", rate="0"), row("0.0049", rate="0")]))
    assert tuple(line.net for line in totals.lines) == amounts("0.01", "-0.01", "0.00")


def test_nothing_is_never_minus_zero() -> None:
    totals = add_up(invoice([row("0.01", "-1"), row("-0.0001")]))
    assert f"{totals.lines[1].net} {totals.groups[0].vat} {totals.vat}" == "0.00 0.00 0.00"


def test_a_negative_price_becomes_a_negative_quantity() -> None:
    discount, returned = row("-25.00", "2"), row("10.1234", "-3", "10")
    assert add_up(invoice([discount, returned])).lines == (
        LineTotals(discount, "S", Decimal("25.5"), *amounts("-2", "25.00", "-50.00")),
        LineTotals(returned, "S", Decimal(10), *amounts("-3", "10.1234", "-30.37")),
    )


def test_what_costs_nothing_keeps_its_quantity() -> None:
    (free,) = add_up(invoice([row("0.00", "3")])).lines
    assert (str(free.quantity), str(free.price), str(free.net)) == ("3", "0.00", "0.00")


def test_a_discount_on_nothing_is_zero() -> None:
    assert str(add_up(invoice([row("-5.00", "0")])).lines[0].net) == "0.00"


def test_only_code_1_makes_vat_and_codes_of_one_category_share_a_group() -> None:
    totals = add_up(
        invoice([row("10.00", "1", "14", 6), row("20.00", "1", "0", 10), row("1.00"), row("5.00", "1", "0", 6)])
    )
    assert totals.groups == (
        VatGroup("AE", Decimal(0), (6, 10), Decimal("35.00"), Decimal("0.00")),
        VatGroup("S", Decimal("25.5"), (1,), Decimal("1.00"), Decimal("0.26")),
    )


def test_whole_numbers_may_come_as_int() -> None:
    whole = {**row("10.00", "2", "10"), "amount": 10, "product_count": 2, "vat_rate": 10}
    assert add_up({**invoice([whole]), "total_amount": 22}) == Totals(
        lines=(LineTotals(whole, "S", Decimal(10), Decimal(2), Decimal(10), Decimal(20)),),
        groups=(VatGroup("S", Decimal(10), (1,), Decimal(20), Decimal(2)),),
        net=Decimal(20),
        vat=Decimal(2),
        payable=Decimal(22),
    )


def test_a_code_of_purchases_is_refused() -> None:
    with pytest.raises(ValueError, match="VAT code 7 is one of purchases"):
        add_up(invoice([row("10.00", "1", "25.5", 7)]))
