"""VAT by code: the Finnish groups and the German fields, of the worked examples and of anything."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli import law
from acctcli.law.filing import ADJUSTMENTS, VatGroup
from acctcli.law.germany.filing import IMPORT_VAT, MISPLACED
from acctcli.models.enums import AccountType
from acctcli.models.report import VatFigures, VatSummary
from acctcli.service.rules.vat_sums import VatMovement, vat_groups, vat_sums

D = Decimal
LIA, ASS = AccountType.LIA_VAT, AccountType.ASS_VAT
NOTHING = {"base": D("0.00"), "vat": D("0.00")}
EMPTY: dict[str, Any] = {
    "domestic_sales": {},
    "zero_rated_sales": D("0.00"),
    "eu_goods_sales": D("0.00"),
    "eu_service_sales": D("0.00"),
    "non_eu_sales": D("0.00"),
    "construction_sales": D("0.00"),
    "eu_goods_purchases": NOTHING,
    "eu_service_purchases": NOTHING,
    "import_goods": NOTHING,
    "non_eu_service_purchases": NOTHING,
    "construction_purchases": NOTHING,
    "adjustments": D("0.00"),
    "deductible_vat": D("0.00"),
    "vat_payable": D("0.00"),
}


def finnish_summary(movements: Sequence[VatMovement]) -> VatSummary:
    return law.country("FI").filing().report_vat(vat_groups(movements))["summary"]


def german_figures(movements: Sequence[VatMovement]) -> VatFigures:
    return law.country("DE").filing().report_vat(vat_groups(movements))


def test_nothing_happened() -> None:
    assert finnish_summary([]) == EMPTY
    assert german_figures([]) == {
        "totals": {"output_vat": D("0.00"), "input_vat": D("0.00"), "vat_payable": D("0.00")},
        "mapping": {"83": D("0.00")},
    }


def sold(code: int, rate: int, base: int, vat: int = 0) -> list[VatMovement]:
    return [VatMovement(code, rate, None, False, base), VatMovement(code, rate, LIA, False, vat)]


def bought(code: int, rate: int, base: int, vat: int, owed: int = 0) -> list[VatMovement]:
    return [
        VatMovement(code, rate, None, True, base),
        VatMovement(code, rate, ASS, True, vat),
        VatMovement(code, rate, LIA, False, owed),
    ]


# E1, E5 and E6 of docs/interface.md 5.5
EXAMPLES = [
    *sold(1, 2550, 10000, 2550),
    *bought(2, 2550, 5000, 1275),
    *bought(2, 1350, 881, 119),
    *bought(8, 2550, 10000, 2550, 2550),
    VatMovement(3, 0, None, True, 500),
]


def test_the_worked_examples() -> None:
    assert finnish_summary(EXAMPLES) == EMPTY | {
        "domestic_sales": {"25.50": {"base": D("100.00"), "vat": D("25.50")}},
        "eu_service_purchases": {"base": D("100.00"), "vat": D("25.50")},
        "deductible_vat": D("39.44"),
        "vat_payable": D("11.56"),
    }


def test_every_code_has_its_place() -> None:
    movements = [
        *sold(1, 2550, 100, 26), *sold(1, 1400, 200, 28), *sold(1, 0, 7),
        *sold(4, 0, 11), *sold(5, 0, 12), *sold(6, 0, 13), *sold(10, 0, 14), *sold(12, 0, 15), *sold(13, 0, 16),
        *bought(7, 2550, 1000, 255, 255), *bought(8, 1400, 2000, 280, 280), *bought(9, 2550, 3000, 765, 765),
        *bought(15, 2550, 100, 26, 26), *bought(14, 2550, 3000, 765, 765), *bought(14, 1000, 1000, 100, 100),
        *bought(11, 2550, 5000, 1275, 1275),
        *bought(2, 2550, 400, 102),
        VatMovement(3, 0, LIA, True, 9), VatMovement(0, 0, ASS, False, 2),
    ]  # fmt: skip
    assert finnish_summary(movements) == {
        "domestic_sales": {
            "0.00": {"base": D("0.07"), "vat": D("0.00")},
            "14.00": {"base": D("2.00"), "vat": D("0.28")},
            "25.50": {"base": D("1.00"), "vat": D("0.26")},
        },
        "zero_rated_sales": D("0.11"),
        "eu_goods_sales": D("0.12"),
        "eu_service_sales": D("0.13"),
        "construction_sales": D("0.14"),
        "non_eu_sales": D("0.31"),
        "eu_goods_purchases": {"base": D("10.00"), "vat": D("2.55")},
        "eu_service_purchases": {"base": D("20.00"), "vat": D("2.80")},
        "import_goods": {"base": D("31.00"), "vat": D("7.91")},
        "non_eu_service_purchases": {"base": D("40.00"), "vat": D("8.65")},
        "non_eu_service_purchases_by_rate": {
            "10.00": {"base": D("10.00"), "vat": D("1.00")},
            "25.50": {"base": D("30.00"), "vat": D("7.65")},
        },
        "construction_purchases": {"base": D("50.00"), "vat": D("12.75")},
        "adjustments": D("-0.07"),
        "deductible_vat": D("35.68"),
        "vat_payable": D("-0.55"),
    }


def test_returns_are_negative_on_their_own_side() -> None:
    refund = [VatMovement(1, 2550, None, True, 10000), VatMovement(1, 2550, LIA, True, 2550)]
    assert finnish_summary(refund) == EMPTY | {
        "domestic_sales": {"25.50": {"base": D("-100.00"), "vat": D("-25.50")}},
        "vat_payable": D("-25.50"),
    }


def test_vat_where_its_code_has_none_is_an_adjustment() -> None:
    assert finnish_summary([VatMovement(2, 2550, LIA, False, 100), VatMovement(4, 0, ASS, True, 30)]) == EMPTY | {
        "adjustments": D("0.70"),
        "vat_payable": D("0.70"),
    }


@pytest.mark.parametrize(
    ("movements", "totals", "mapping"),
    [
        (
            [*sold(1, 1900, 10000, 1900), *sold(1, 700, 5000, 350), *bought(2, 1900, 2000, 380)],
            {"output_vat": D("22.50"), "input_vat": D("3.80"), "vat_payable": D("18.70")},
            {"81": D("100.00"), "86": D("50.00"), "66": D("3.80"), "83": D("18.70")},
        ),
        (
            [*bought(8, 1900, 10000, 1900, 1900), VatMovement(3, 0, LIA, True, 500)],
            {
                "output_vat": D("14.00"),
                "input_vat": D("19.00"),
                "adjustments": D("-5.00"),
                "vat_payable": D("-5.00"),
            },
            {"46": D("100.00"), "47": D("19.00"), "67": D("19.00"), "83": D("0.00")},
        ),
    ],
)
def test_german_figures(movements: list[VatMovement], totals: object, mapping: object) -> None:
    assert german_figures(movements) == {"totals": totals, "mapping": mapping}


def test_vat_at_a_rate_that_the_country_never_had_is_owed_and_told_apart() -> None:
    groups = [
        VatGroup(2, D("19.50"), D("100.00"), D("0.00"), D("19.50"), is_foreign=True),
        VatGroup(1, D("20.00"), D("50.00"), D("10.00"), D("0.00"), is_foreign=True),
    ]
    told = {
        "2/19.50": {"base": D("100.00"), "vat": D("19.50")},
        "1/20.00": {"base": D("50.00"), "vat": D("10.00")},
    }
    assert law.country("FI").filing().report_vat(groups) == {
        "summary": EMPTY | {"vat_payable": D("-9.50")},
        "foreign_vat": told,
    }
    assert law.country("DE").filing().report_vat(groups) == {
        "totals": {"output_vat": D("10.00"), "input_vat": D("19.50"), "vat_payable": D("-9.50")},
        "mapping": {"83": D("0.00")},
        "foreign_vat": told,
    }


movement = st.builds(
    VatMovement,
    st.integers(0, 15),
    st.sampled_from([0, 700, 1000, 1350, 1900, 2550]),
    st.sampled_from([None, LIA, ASS]),
    st.booleans(),
    st.integers(0, 10**18),
)


@given(st.lists(movement, max_size=30))
def test_the_groups_add_up_to_what_is_owed(movements: list[VatMovement]) -> None:
    owed = D(vat_sums(movements).payable).scaleb(-2)
    summary = finnish_summary(movements)
    by_rate = summary.pop("non_eu_service_purchases_by_rate", {})
    groups: list[Any] = [
        *summary["domestic_sales"].values(),
        *(value for value in summary.values() if "vat" in str(value)),
    ]
    taxes = [group["vat"] for group in groups if "vat" in group]
    assert summary["vat_payable"] == owed
    assert sum(taxes, summary["adjustments"] - summary["deductible_vat"]) == owed
    assert summary["non_eu_service_purchases"] == {
        part: sum((group[part] for group in by_rate.values()), D("0.00")) for part in ("base", "vat")
    }


@given(st.lists(movement, max_size=30))
def test_what_the_german_form_declares_and_leaves_out_is_what_is_owed(movements: list[VatMovement]) -> None:
    figures = german_figures(movements)
    totals = figures["totals"]
    left_out = sum((totals.get(name, D(0)) for name in (IMPORT_VAT, ADJUSTMENTS, MISPLACED)), D(0))
    assert figures["mapping"]["83"] + left_out == totals["vat_payable"] == totals["output_vat"] - totals["input_vat"]


def test_each_country_knows_where_its_report_says_what_is_owed() -> None:
    box = {"mapping": {"83": D("14.00")}}
    assert [country.filing().payable(box) for country in law.countries()] == [None, D("14.00")]
    for country in law.countries():
        assert country.filing().payable({"totals": None, "summary": {"vat_payable": D(3)}}) == D(3)
        assert country.filing().payable({"totals": {"vat_payable": D(-3)}, **box}) == D(-3)
        assert country.filing().payable({"totals": {}, "mapping": {}}) is None
