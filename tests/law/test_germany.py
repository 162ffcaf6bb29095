"""The Kz of the Umsatzsteuer-Voranmeldung (docs/law.md 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law.calendar import TaxPeriod
from acctcli.law.filing import VatGroup, VatReturn
from acctcli.law.germany.filing import FILING, FORM, Declared, fill_form, kz_from_groups
from acctcli.models.enums import DefaultVatPeriod, VatCorrection
from tests.law.filers import Filer

MADE_AT = datetime(2026, 4, 9, 8, 5, 1)
CENTS = st.integers(-(10**10), 10**10).map(lambda cents: Decimal(cents).scaleb(-2))
RATES = st.sampled_from([Decimal(rate) for rate in ("0.00", "5.00", "7.00", "16.00", "19.00", "25.50")])
GROUPS = st.lists(st.builds(VatGroup, st.integers(0, 15), RATES, CENTS, CENTS, CENTS, CENTS), max_size=30)


def group(
    code: int, rate: str, base: str, output: str = "0.00", deducted: str = "0.00", apart: str = "0.00"
) -> VatGroup:
    return VatGroup(code, Decimal(rate), Decimal(base), Decimal(output), Decimal(deducted), Decimal(apart))


def declared(*groups: VatGroup) -> dict[str, str]:
    return {name: str(value) for name, value in kz_from_groups(groups).kz.items()}


def filled(vat_return: VatReturn) -> dict[str, str]:
    return {box: str(value) for box, value in vat_return.boxes.items() if value}


def numbers(**values: str) -> dict[str, Decimal]:
    return {name.removeprefix("kz"): Decimal(value) for name, value in values.items()}


@pytest.mark.parametrize(
    ("entries", "kz"),
    [
        (group(1, "19.00", "1000.00", "190.00"), {"81": "1000.00", "83": "190.00"}),
        (group(1, "7.00", "1000.00", "70.00"), {"86": "1000.00", "83": "70.00"}),
        (group(1, "0.00", "1000.00"), {"87": "1000.00", "83": "0.00"}),
        (group(1, "16.00", "1000.00", "160.00"), {"35": "1000.00", "36": "160.00", "83": "160.00"}),
        (group(1, "19.50", "1000.00", "195.00"), {"35": "1000.00", "36": "195.00", "83": "195.00"}),
        (group(2, "19.00", "1000.00", deducted="190.00"), {"66": "190.00", "83": "-190.00"}),
        (group(4, "0.00", "1000.00"), {"43": "1000.00", "83": "0.00"}),
        (group(5, "0.00", "1000.00"), {"41": "1000.00", "83": "0.00"}),
        (group(6, "0.00", "1000.00"), {"21": "1000.00", "83": "0.00"}),
        (group(7, "19.00", "1000.00", "190.00", "190.00"), {"89": "1000.00", "61": "190.00", "83": "0.00"}),
        (group(7, "7.00", "1000.00", "70.00", "70.00"), {"93": "1000.00", "61": "70.00", "83": "0.00"}),
        (
            group(7, "16.00", "1000.00", "160.00", "160.00"),
            {"95": "1000.00", "98": "160.00", "61": "160.00", "83": "0.00"},
        ),
        (group(7, "0.00", "1000.00"), {"90": "1000.00", "83": "0.00"}),
        (
            group(8, "19.00", "1000.00", "190.00", "190.00"),
            {"46": "1000.00", "47": "190.00", "67": "190.00", "83": "0.00"},
        ),
        (group(10, "0.00", "1000.00"), {"60": "1000.00", "83": "0.00"}),
        (
            group(11, "19.00", "1000.00", "190.00", "190.00"),
            {"84": "1000.00", "85": "190.00", "67": "190.00", "83": "0.00"},
        ),
        (
            group(14, "7.00", "1000.00", "70.00", "70.00"),
            {"84": "1000.00", "85": "70.00", "67": "70.00", "83": "0.00"},
        ),
        (group(12, "0.00", "1000.00"), {"45": "1000.00", "83": "0.00"}),
        (group(13, "0.00", "1000.00"), {"43": "1000.00", "83": "0.00"}),
        (group(9, "19.00", "1000.00", "190.00", "190.00"), {"62": "190.00", "83": "-190.00"}),
        (group(15, "7.00", "1000.00", "70.00", "70.00"), {"62": "70.00", "83": "-70.00"}),
        (group(3, "0.00", "1000.00"), {"83": "0.00"}),
    ],
)
def test_every_vat_code_has_its_kz(entries: VatGroup, kz: dict[str, str]) -> None:
    assert declared(entries) == kz


def test_kz_add_up_in_the_order_of_the_form() -> None:
    found = declared(
        group(2, "19.00", "100.00", deducted="19.00"),
        group(14, "19.00", "10.00", "1.90", "1.90"),
        group(11, "19.00", "20.00", "3.80", "3.80"),
        group(1, "19.00", "1000.00", "190.00"),
    )
    assert list(found.items()) == [
        ("81", "1000.00"), ("84", "30.00"), ("85", "5.70"), ("66", "19.00"), ("67", "5.70"), ("83", "171.00"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("entries", "kz"),
    [
        # 1000.00 sold, of which 200.00 were lost
        (group(1, "19.00", "800.00", "152.00", apart="-200.00"), {"81": "800.00", "83": "152.00", "50": "200.00"}),
        (group(2, "19.00", "100.00", deducted="19.00", apart="-50.00"), {"66": "19.00", "83": "-19.00", "37": "9.50"}),
        (group(3, "0.00", "-700.00", apart="-700.00"), {"48": "700.00", "83": "0.00"}),
    ],
)
def test_what_stands_beside_the_tax_changes_none(entries: VatGroup, kz: dict[str, str]) -> None:
    assert list(declared(entries).items()) == list(kz.items())
    vat_return = fill_form(kz_from_groups([entries]).kz, {"vat_payable": Decimal(kz["83"])})
    assert (vat_return.is_sound, str(vat_return.result)) == (True, kz["83"])


def test_what_stands_on_no_line_is_named() -> None:
    found = kz_from_groups(
        [
            group(15, "19.00", "1000.00", "190.00", "190.00"),
            group(3, "0.00", "0.00", "-7.07", "2.00"),
            group(0, "0.00", "0.00", "1.00"),
            group(2, "19.00", "0.00", "5.00", "0.00"),
            group(1, "7.00", "0.00", "0.00", "3.00"),
            group(6, "19.00", "0.00", "4.00", "0.00"),
        ]
    )
    assert found == Declared(
        {"62": Decimal("190.00"), "83": Decimal("-190.00")},
        {"import_vat": Decimal("190.00"), "adjustments": Decimal("-8.07"), "misplaced_vat": Decimal("6.00")},
    )


@given(GROUPS)
def test_everything_booked_is_declared_or_named(groups: list[VatGroup]) -> None:
    found = kz_from_groups(groups)
    owed = sum((one.output_vat - one.input_vat for one in groups), Decimal(0))
    assert found.kz["83"] + sum(found.undeclared.values()) == owed


@given(GROUPS)
def test_the_form_ties_to_the_report(groups: list[VatGroup]) -> None:
    found = kz_from_groups(groups)
    owed = sum((one.output_vat - one.input_vat for one in groups), Decimal(0))
    totals = {**found.undeclared, "vat_payable": owed}
    vat_return = fill_form(found.kz, totals)
    assert vat_return.difference == sum(
        (vat_return.unplaced.get(name, Decimal(0)) for name in ("adjustments", "misplaced_vat")), Decimal(0)
    )


def test_bases_come_in_whole_euros_and_taxes_with_cents() -> None:
    mapping = numbers(kz81="1000.99", kz86="-20.99", kz36="1.23", kz35="7.69", kz66="10.55", kz83="178.40")
    vat_return = fill_form(mapping, {"vat_payable": Decimal("178.40")})
    assert filled(vat_return) == {
        "81": "1000",
        "86": "-20",
        "35": "7",
        "36": "1.23",
        "66": "10.55",
        "83": "179.28",
    }
    assert list(vat_return.boxes) == list(FORM)
    assert (vat_return.is_sound, vat_return.result) == (True, Decimal("179.28"))
    assert vat_return.elsewhere == {"rounding_of_bases": Decimal("-0.88")}


@pytest.mark.parametrize(
    ("kz", "boxes"),
    [
        ("81", {"81": "900", "83": "171.00"}),
        ("86", {"81": "1000", "86": "-271", "83": "171.03"}),
        ("66", {"81": "1000", "66": "19.00", "83": "171.00"}),
        ("none", {"81": "1000", "83": "190.00"}),
    ],
)
def test_adjustments_go_where_they_are_told(kz: str, boxes: dict[str, str]) -> None:
    mapping, totals = numbers(kz81="1000.00", kz83="190.00"), numbers(adjustments="-19.00", vat_payable="171.00")
    vat_return = fill_form(mapping, totals, kz)
    assert filled(vat_return) == boxes
    assert vat_return.is_sound


def test_adjustments_nobody_places_stop_the_return() -> None:
    mapping, totals = numbers(kz81="1000.00", kz83="190.00"), numbers(adjustments="-19.00", vat_payable="171.00")
    vat_return = fill_form(mapping, totals)
    assert (vat_return.unplaced, vat_return.is_sound) == ({"adjustments": Decimal("-19.00")}, False)


def test_import_vat_is_owed_elsewhere() -> None:
    mapping, totals = numbers(kz62="190.00", kz83="-190.00"), numbers(import_vat="190.00", vat_payable="0.00")
    vat_return = fill_form(mapping, totals)
    assert (vat_return.elsewhere, vat_return.is_sound) == ({"import_vat": Decimal("190.00")}, True)


@pytest.mark.parametrize(("booked", "missing"), [("209.00", "19.00"), ("171.00", "-19.00")])
def test_tax_that_the_bases_do_not_give_stops_the_return(booked: str, missing: str) -> None:
    vat_return = fill_form(numbers(kz81="1000.00", kz83=booked), numbers(vat_payable=booked))
    assert (vat_return.unplaced, vat_return.is_sound) == ({"tax_without_base": Decimal(missing)}, False)


def test_what_is_to_be_paid_is_what_the_printed_bases_come_to() -> None:
    """A purchase of 62.11 net against sales of 0.99: the office sees no sales."""
    vat_return = fill_form(numbers(kz81="0.99", kz66="12.00", kz83="-11.81"), numbers(vat_payable="-11.81"))
    assert filled(vat_return) == {"66": "12.00", "83": "-12.00"}
    assert (vat_return.is_sound, vat_return.elsewhere) == (True, {"rounding_of_bases": Decimal("0.19")})


def test_the_special_prepayment_is_credited() -> None:
    mapping = numbers(kz81="1000.00", kz83="190.00")
    vat_return = fill_form(mapping, numbers(vat_payable="190.00"), prepaid=Decimal("150.00"))
    assert filled(vat_return) == {"81": "1000", "39": "150.00", "83": "40.00"}
    assert vat_return.is_sound


def test_the_special_prepayment_is_credited_beside_what_the_report_credits() -> None:
    mapping = numbers(kz81="1000.00", kz39="50.00", kz83="140.00")
    vat_return = fill_form(mapping, numbers(vat_payable="140.00"), prepaid=Decimal("100.00"))
    assert filled(vat_return) == {"81": "1000", "39": "150.00", "83": "40.00"}
    assert vat_return.is_sound


def test_a_kz_of_another_form_is_kept() -> None:
    mapping: Mapping[str, Any] = numbers(kz73="100.50", kz83="0.00")
    assert fill_form(mapping, {"vat_payable": 0}).boxes["73"] == Decimal("100.50")


@pytest.mark.parametrize(
    ("period", "number"),
    [
        (TaxPeriod(DefaultVatPeriod.MONTH, 2026, 3), "2026 03"),
        (TaxPeriod(DefaultVatPeriod.QUARTER, 2026, 4), "2026 44"),
    ],
)
def test_the_text_to_type_over(period: TaxPeriod, number: str) -> None:
    vat_return = fill_form(numbers(kz81="1000.99", kz66="12.30", kz83="177.89"), numbers(vat_payable="177.89"))
    text = FILING.return_file(vat_return, period, Filer("21/815/08150"), MADE_AT, VatCorrection.AUDIT)
    assert text.decode() == (
        "Kz;Wert;Bezeichnung\r\n"
        "Steuernummer;21/815/08150;\r\n"
        f"Zeitraum;{number};\r\n"
        "10;1;Berichtigte Anmeldung\r\n"
        "81;1000;Steuerpflichtige Umsätze zu 19 %\r\n"
        "66;12,30;Vorsteuer aus Rechnungen anderer Unternehmer\r\n"
        "83;177,70;Verbleibende Vorauszahlung / Überschuss (-)\r\n"
    )


def test_the_text_of_a_period_without_sales_says_zero() -> None:
    text = FILING.return_file(fill_form({}, {}), TaxPeriod(DefaultVatPeriod.MONTH, 2026, 3), Filer("1"), MADE_AT)
    assert text.decode().splitlines()[3:] == ["83;0,00;Verbleibende Vorauszahlung / Überschuss (-)"]
