"""Boxes 301-320 and the file VSRALVKV (docs/law.md 2.1)."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.errors import UsageError
from acctcli.law.calendar import TaxPeriod
from acctcli.law.filing import VatReturn
from acctcli.law.finland.filing import BOXES, FILING, fill_boxes
from acctcli.law.recapitulative import Statement
from acctcli.models.enums import DefaultVatPeriod, VatCorrection
from tests.law.filers import Filer

MONTH = TaxPeriod(DefaultVatPeriod.MONTH, 2026, 3)
MADE_AT = datetime(2026, 4, 9, 8, 5, 1)
FILER = Filer("0112038-9")
CENTS = st.integers(-(10**11), 10**11).map(lambda cents: Decimal(cents).scaleb(-2))
PAIR = st.fixed_dictionaries({"base": CENTS, "vat": CENTS})
FINNISH_RATES = ("25.50", "24.00", "14.00", "13.50", "10.00")


def pair(base: str, vat: str) -> dict[str, Decimal]:
    return {"base": Decimal(base), "vat": Decimal(vat)}


def summary(**values: Any) -> dict[str, Any]:
    return {name: Decimal(value) if isinstance(value, str) else value for name, value in values.items()}


def filled(vat_return: VatReturn) -> dict[str, str]:
    """The boxes that are not zero."""
    return {box: str(value) for box, value in vat_return.boxes.items() if value}


def test_the_worked_example_of_the_vat_report() -> None:
    report = summary(
        domestic_sales={"25.50": pair("100.00", "25.50")},
        eu_service_purchases=pair("100.00", "25.50"),
        deductible_vat="39.44",
        vat_payable="11.56",
    )
    vat_return = fill_boxes(report)
    assert filled(vat_return) == {"301": "25.50", "306": "25.50", "307": "39.44", "308": "11.56", "314": "100.00"}
    assert vat_return.is_sound


@pytest.mark.parametrize(
    ("group", "boxes"),
    [
        ("eu_service_purchases", {"306": "255.00", "307": "255.00", "314": "1000.00"}),
        ("eu_goods_purchases", {"305": "255.00", "307": "255.00", "313": "1000.00"}),
        ("import_goods", {"304": "255.00", "307": "255.00", "310": "1000.00"}),
        ("construction_purchases", {"318": "255.00", "307": "255.00", "320": "1000.00"}),
        ("non_eu_service_purchases", {"301": "255.00", "307": "255.00"}),
    ],
)
def test_reverse_charge_owes_and_deducts(group: str, boxes: dict[str, str]) -> None:
    vat_return = fill_boxes(
        summary(**{group: pair("1000.00", "255.00")}, deductible_vat="255.00", vat_payable=Decimal(0))
    )
    assert filled(vat_return) == boxes
    assert vat_return.is_sound


def test_rates_that_followed_each_other_share_a_box() -> None:
    sales = {
        "25.50": pair("100.00", "25.50"),
        "24.00": pair("100.00", "24.00"),
        "14.00": pair("100.00", "14.00"),
        "13.50": pair("100.00", "13.50"),
        "10.00": pair("100.00", "10.00"),
    }
    vat_return = fill_boxes(summary(domestic_sales=sales, vat_payable="87.00"))
    assert filled(vat_return) == {"301": "49.50", "302": "27.50", "303": "10.00", "308": "87.00"}


def test_sales_without_tax() -> None:
    vat_return = fill_boxes(
        summary(
            domestic_sales={"0.00": pair("7.00", "0.00")},
            zero_rated_sales="20.00",
            non_eu_sales="100.00",
            eu_goods_sales="300.00",
            eu_service_sales="500.00",
            construction_sales="900.00",
            vat_payable=Decimal(0),
        )
    )
    assert filled(vat_return) == {"309": "127.00", "311": "300.00", "312": "500.00", "319": "900.00"}
    assert vat_return.is_sound


@pytest.mark.parametrize(
    ("box", "boxes"),
    [
        ("301", {"301": "43.93", "308": "43.93"}),
        ("302", {"301": "51.00", "302": "-7.07", "308": "43.93"}),
        ("307", {"301": "51.00", "307": "7.07", "308": "43.93"}),
        ("none", {"301": "51.00", "308": "51.00"}),
    ],
)
def test_adjustments_go_where_they_are_told(box: str, boxes: dict[str, str]) -> None:
    report = summary(
        domestic_sales={"25.50": pair("200.00", "51.00")}, adjustments=Decimal("-7.07"), vat_payable="43.93"
    )
    vat_return = fill_boxes(report, box)
    assert filled(vat_return) == boxes
    assert vat_return.is_sound


def test_adjustments_nobody_places_stop_the_return() -> None:
    vat_return = fill_boxes(summary(adjustments=Decimal("-7.07"), vat_payable=Decimal("-7.07")))
    assert (vat_return.unplaced, vat_return.is_sound) == ({"adjustments": Decimal("-7.07")}, False)


def test_tax_at_a_foreign_rate_fits_no_box() -> None:
    sales = {"25.50": pair("100.00", "25.50"), "19.00": pair("100.00", "19.00")}
    vat_return = fill_boxes(summary(domestic_sales=sales, vat_payable="44.50"))
    assert vat_return.unplaced == {"tax at 19 %": Decimal("19.00")}
    assert (vat_return.result, vat_return.difference, vat_return.is_sound) == (
        Decimal("25.50"),
        Decimal("19.00"),
        False,
    )


def test_tax_at_a_foreign_rate_is_one_sum_wherever_it_comes_from() -> None:
    report = summary(
        domestic_sales={"19.00": pair("100.00", "19.00")},
        non_eu_service_purchases=pair("200.00", "38.00"),
        non_eu_service_purchases_by_rate={"19.00": pair("200.00", "38.00")},
        vat_payable="57.00",
    )
    assert fill_boxes(report).unplaced == {"tax at 19 %": Decimal("57.00")}


@pytest.mark.parametrize(
    ("services", "boxes", "unplaced"),
    [
        (pair("333.33", "85.01"), {"301": "85.01", "308": "85.01"}, {}),
        (pair("1000.00", "135.00"), {"302": "135.00", "308": "135.00"}, {}),
        (pair("-50.00", "-5.00"), {"303": "-5.00", "308": "-5.00"}, {}),
        (pair("2000.00", "355.00"), {}, {"tax on services from outside the EU at several rates": Decimal("355.00")}),
        (pair("0.00", "12.00"), {}, {"tax on services from outside the EU at several rates": Decimal("12.00")}),
        (pair("80.00", "0.00"), {}, {}),
    ],
)
def test_services_from_outside_the_eu_count_as_domestic(
    services: dict[str, Decimal], boxes: dict[str, str], unplaced: dict[str, Decimal]
) -> None:
    vat_return = fill_boxes(summary(non_eu_service_purchases=services))
    assert filled(vat_return) == boxes
    assert vat_return.unplaced == unplaced


def test_services_from_outside_the_eu_go_by_rate_where_a_service_tells_it() -> None:
    vat_return = fill_boxes(
        summary(
            domestic_sales={"25.50": pair("100.00", "25.50")},
            non_eu_service_purchases=pair("2030.00", "361.00"),
            non_eu_service_purchases_by_rate={
                "25.50": pair("1000.00", "255.00"),
                "13.50": pair("0.00", "0.40"),
                "10.00": pair("1030.00", "103.00"),
                "7.00": pair("0.00", "2.60"),
            },
            deductible_vat="361.00",
            vat_payable="25.50",
        )
    )
    assert filled(vat_return) == {
        "301": "280.50", "302": "0.40", "303": "103.00", "307": "361.00", "308": "22.90",
    }  # fmt: skip
    assert vat_return.unplaced == {"tax at 7 %": Decimal("2.60")}


def test_a_return_that_does_not_tie_is_not_sound() -> None:
    vat_return = fill_boxes(summary(domestic_sales={"10.00": pair("10.00", "1.00")}, vat_payable="1.01"))
    assert (vat_return.unplaced, vat_return.difference, vat_return.is_sound) == ({}, Decimal("0.01"), False)


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ({"vat_payable": {"sum": 1}}, "vat_payable is {'sum': 1}, not an amount"),
        ({"deductible_vat": Decimal("1E400")}, "deductible_vat is Decimal('1E+400'), not an amount"),
        ({"import_goods": Decimal(1)}, "import_goods is Decimal('1'), not a group"),
        ({"import_goods": Decimal(0)}, "import_goods is Decimal('0'), not a group"),
        ({"domestic_sales": []}, "domestic_sales is [], not a group"),
        ({"domestic_sales": {"general": {"vat": 1}}}, "rate is 'general', not an amount"),
        ({"domestic_sales": {"25.50": 1}}, "25.50 is 1, not a group"),
        ({"non_eu_service_purchases_by_rate": {"10.00": 1}}, "10.00 is 1, not a group"),
    ],
)
def test_a_summary_of_another_shape_is_refused(report: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        fill_boxes(report)


def test_a_report_of_nothing_fills_every_box_with_zero() -> None:
    vat_return = fill_boxes({"domestic_sales": {}, "eu_goods_purchases": None, "vat_payable": 0})
    assert vat_return.boxes == dict.fromkeys(BOXES, Decimal(0))
    assert (vat_return.is_sound, vat_return.has_activity) == (True, False)


@given(
    st.dictionaries(st.sampled_from(FINNISH_RATES), PAIR),
    st.fixed_dictionaries(
        dict.fromkeys(("import_goods", "eu_goods_purchases", "eu_service_purchases", "construction_purchases"), PAIR)
    ),
    st.dictionaries(st.sampled_from(FINNISH_RATES), PAIR),
    CENTS,
    CENTS,
    st.sampled_from(["301", "302", "303", "307"]),
)
def test_the_boxes_tie_to_the_books(
    sales: dict[str, dict[str, Decimal]],
    purchases: dict[str, dict[str, Decimal]],
    services: dict[str, dict[str, Decimal]],
    deductible: Decimal,
    adjustments: Decimal,
    box: str,
) -> None:
    owed = sum(one["vat"] for group in (sales, purchases, services) for one in group.values())
    report = {
        "domestic_sales": sales,
        **purchases,
        "non_eu_service_purchases_by_rate": services,
        "deductible_vat": deductible,
        "adjustments": adjustments,
        "vat_payable": owed + adjustments - deductible,
    }
    vat_return = fill_boxes(report, box)
    assert vat_return.is_sound
    assert vat_return.boxes["308"] == report["vat_payable"]


def sound(**boxes: str) -> VatReturn:
    values = dict.fromkeys(BOXES, Decimal("0.00")) | {box[1:]: Decimal(value) for box, value in boxes.items()}
    return VatReturn(values, values["308"], values["308"], {}, {})


def test_the_file_of_a_month() -> None:
    vat_return = sound(b301="25.50", b306="25.50", b307="39.44", b308="11.56", b314="100.00", b320="1234567.80")
    assert FILING.return_file(vat_return, MONTH, FILER, MADE_AT) == (
        b"000:VSRALVKV\r\n"
        b"198:09042026080501\r\n"
        b"014:0112038-9_AC\r\n"
        b"048:acctcli\r\n"
        b"010:0112038-9\r\n"
        b"050:K\r\n"
        b"052:3\r\n"
        b"053:2026\r\n"
        b"301:25,50\r\n"
        b"306:25,50\r\n"
        b"307:39,44\r\n"
        b"308:11,56\r\n"
        b"314:100,00\r\n"
        b"320:1234567,80\r\n"
        b"042:+358 40 123 4567\r\n"
        b"999:1\r\n"
    )


def test_the_file_of_a_quarter_that_corrects_another() -> None:
    quarter = TaxPeriod(DefaultVatPeriod.QUARTER, 2025, 4)
    text = FILING.return_file(sound(b307="10.00", b308="-10.00"), quarter, FILER, MADE_AT, VatCorrection.CASE_LAW)
    assert text.decode("latin-1").splitlines()[5:] == [
        "050:Q",
        "052:4",
        "053:2025",
        "307:10,00",
        "308:-10,00",
        "334:1",
        "042:+358 40 123 4567",
        "999:1",
    ]


def test_the_file_of_a_year_without_activity() -> None:
    year = TaxPeriod(DefaultVatPeriod.YEAR, 2025, 1)
    assert FILING.return_file(sound(), year, FILER, MADE_AT).decode().splitlines()[5:] == [
        "050:V",
        "053:2025",
        "056:1",
        "042:+358 40 123 4567",
        "999:1",
    ]


def test_nothing_to_pay_is_stated_where_something_was_sold() -> None:
    text = FILING.return_file(sound(b312="500.00"), MONTH, FILER, MADE_AT).decode()
    assert "308:0,00\r\n312:500,00\r\n" in text


@pytest.mark.parametrize("number", ["", "01120389", "0112038-99", "demo-0112038-9", "０１１２０３８-９"])
def test_who_has_no_y_tunnus_files_nothing(number: str) -> None:
    filer = Filer(number)
    for file in (
        lambda: FILING.check_filer(filer, MONTH),
        lambda: FILING.return_file(sound(), MONTH, filer, MADE_AT),
        lambda: FILING.statement_file(Statement([], []), MONTH, filer, MADE_AT),
    ):
        with pytest.raises(UsageError, match="is no Y-tunnus: nothing can be filed for business demo"):
            file()


@pytest.mark.parametrize(
    ("reason", "field"),
    [
        (VatCorrection.CALCULATION, "332:1"),
        (VatCorrection.AUDIT, "333:1"),
        (VatCorrection.CASE_LAW, "334:1"),
        (VatCorrection.INTERPRETATION, "335:1"),
    ],
)
def test_each_reason_of_a_correction_has_its_field(reason: VatCorrection, field: str) -> None:
    lines = FILING.return_file(sound(), MONTH, FILER, MADE_AT, reason).decode().splitlines()
    assert [line for line in lines if line.startswith("33")] == [field]
