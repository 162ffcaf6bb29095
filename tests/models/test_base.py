"""The building blocks: money, rates, dates, ids, texts, and partial models."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from acctcli.models.account import AccountRequest
from acctcli.models.base import Country, Date, Email, Id, Integer, Money, Phone, Rate, Text8, UnitAmount, partial
from acctcli.models.business import BusinessRequest
from acctcli.models.document import DocumentRequest
from acctcli.models.report import RangeReportRequest
from acctcli.models.user import UserRequest

D = Decimal


def read(kind: Any, value: object) -> Any:
    return TypeAdapter(kind).validate_python(value)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (D("10.10"), "10.10"),
        (D("10.1"), "10.10"),
        (D("10.100"), "10.10"),
        (D("1E+2"), "100.00"),
        (10, "10.00"),
        ("10.5", "10.50"),
        ("-0", "0.00"),
        (D("-0.00"), "0.00"),
        (D("12345678901234567.89"), "12345678901234567.89"),
        (D("-99999999999999999.99"), "-99999999999999999.99"),
    ],
)
def test_money_keeps_two_decimals_and_every_digit(sent: object, kept: str) -> None:
    assert str(read(Money, sent)) == kept


@pytest.mark.parametrize(
    "sent",
    [
        D("0.001"),
        D("100000000000000000"),
        D("1E+999999"),
        D("1E+999999999"),
        D("-1E+999999999"),
        D("1E-999999"),
        D("NaN"),
        D("Infinity"),
        1.5,
        True,
        None,
        "",
        "ten",
        "1e3",
        "1_000",
        " 1",
        "1,50",
        "\u0661",
        [],
    ],
)
def test_money_refuses_what_is_not_an_exact_amount(sent: object) -> None:
    with pytest.raises(ValidationError):
        read(Money, sent)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (10, "10.00"),
        ("7.5", "7.50"),
        ("99.9900", "99.99"),
        (D("0.125"), "0.125"),
        (D("-0.0001"), "-0.0001"),
        (D("-0.0000"), "0.00"),
        (D("99999999999999.9999"), "99999999999999.9999"),
    ],
)
def test_prices_and_counts_have_two_to_four_decimals(sent: object, kept: str) -> None:
    assert str(read(UnitAmount, sent)) == kept


@pytest.mark.parametrize("sent", [D("0.00001"), D("100000000000000"), D("NaN"), 1.5, True, None, "", "1,5"])
def test_a_fifth_decimal_is_refused(sent: object) -> None:
    with pytest.raises(ValidationError):
        read(UnitAmount, sent)


@given(st.decimals(-(10**16), 10**16, places=2))
def test_money_never_changes_a_valid_amount(amount: Decimal) -> None:
    assert read(Money, amount) == amount
    assert read(Money, str(amount)) == amount


@pytest.mark.parametrize("sent", ["0", "25.5", D("999.99"), 24])
def test_rates_are_percentages_below_1000(sent: object) -> None:
    assert read(Rate, sent) == D(str(sent))


@pytest.mark.parametrize("sent", ["1000", D("-0.01"), D("25.555"), 25.5, None])
def test_other_rates_are_refused(sent: object) -> None:
    with pytest.raises(ValidationError):
        read(Rate, sent)


def test_dates_are_calendar_days() -> None:
    assert read(Date, "2024-02-29") == date(2024, 2, 29)
    assert read(Date, date(2026, 1, 1)) == date(2026, 1, 1)


@pytest.mark.parametrize(
    "sent",
    [
        "2026-02-29",
        "2026-1-1",
        "20260101",
        "2026-W01-1",
        "2026-01-01T00:00:00",
        "01.02.2026",
        "2026-01-01 ",
        "",
        0,
        1767225600,
        D("1767225600"),
        None,
        True,
        datetime(2026, 1, 1),
    ],
)
def test_other_dates_are_refused(sent: object) -> None:
    with pytest.raises(ValidationError):
        read(Date, sent)


def test_whole_numbers_may_be_digits_in_a_text() -> None:
    assert [read(Integer, sent) for sent in (7, "7", "-7", D("7"))] == [7, 7, -7, 7]
    assert read(Id, "12") == 12


@pytest.mark.parametrize(
    "sent",
    [True, 7.0, "7.0", " 7", "1_0", "", D("7.5"), D("1E+999999999"), D("1E-999999999"), 2**63, -(2**63) - 1, None],
)
def test_other_whole_numbers_are_refused(sent: object) -> None:
    with pytest.raises(ValidationError):
        read(Integer, sent)


@pytest.mark.parametrize("sent", [0, -1, "0", 2**63])
def test_ids_start_at_one(sent: object) -> None:
    with pytest.raises(ValidationError):
        read(Id, sent)


@pytest.mark.parametrize("sent", [100, D("100"), True, None, "a\x00b", "123456789"])
def test_texts_are_texts(sent: object) -> None:
    with pytest.raises(ValidationError):
        read(Text8, sent)


def test_a_postal_code_keeps_its_zeros() -> None:
    assert read(Text8, "00100") == "00100"


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (
            Email,
            ["a@b.fi", "a.b+c@x.example.org", "me@localhost"],
            ["a", "a@", "@b", "a b@c.d", "a@b..c", "a@b@c"],
        ),
        (Phone, ["+358 40 123-4567", "(09) 1234", ""], ["call me", "1" * 33]),
        (Country, ["FI", "de", ""], ["F", "FIN", "F1"]),
    ],
)
def test_patterns(kind: Any, good: list[str], bad: list[str]) -> None:
    assert [read(kind, text) for text in good] == good
    for text in bad:
        with pytest.raises(ValidationError):
            read(kind, text)


@pytest.mark.parametrize("model", [AccountRequest, BusinessRequest, DocumentRequest, RangeReportRequest, UserRequest])
def test_a_partial_model_has_the_same_fields_and_requires_none(model: Any) -> None:
    loose = partial(model)
    assert list(loose.model_fields) == list(model.model_fields)
    body = loose.model_validate({})
    assert body.model_fields_set == set()
    assert body.model_dump(exclude_unset=True) == {}
    assert isinstance(body, model)
    assert partial(model) is loose
    schema = loose.model_json_schema()
    assert "required" not in schema
    assert not [name for name, field in schema["properties"].items() if "default" in field]


def test_a_partial_model_still_checks_what_was_sent() -> None:
    loose = partial(AccountRequest)
    assert loose.model_validate({"description": None}).model_dump(exclude_unset=True) == {"description": None}
    wrong: list[dict[str, object]] = [
        {"number": None},
        {"number": "12345678"},
        {"name_translations": []},
        {"opening_balance": None},
    ]
    for bad in wrong:
        with pytest.raises(ValidationError):
            loose.model_validate(bad)


def test_unset_and_null_differ_and_unknown_keys_are_ignored() -> None:
    body = DocumentRequest.model_validate({"contact_id": None, "number": "1", "blueprint_type": "SALES"})
    assert body.model_dump(exclude_unset=True) == {"contact_id": None}


def test_enums_are_read_without_pydantic() -> None:
    code = "import sys, acctcli.models.enums; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
