"""Bodies: digits survive, and faults are named where they are (docs/interface.md 1.5)."""

from __future__ import annotations

import io
from decimal import Decimal
from functools import partial
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from acctcli.service.http.bodies import FORM, JSON, MULTIPART, check, open_body, read_fields
from acctcli.service.problems import Invalid, MediaUnknown, TooLarge


class Row(BaseModel):
    amount: int
    note: str = ""


class Sheet(BaseModel):
    debit: list[Row] = []


class Fields(BaseModel):
    name: str
    sheet: Sheet | None = None
    numbers: list[int] = []


@pytest.mark.parametrize("length", [8, None])
def test_a_body_may_be_as_long_as_the_limit_and_no_longer(length: int | None) -> None:
    with open_body(io.BytesIO(b"12345678"), length, 8) as body:
        assert body.read() == b"12345678"
    with open_body(io.BytesIO(b"12345678"), length, 8) as pieces:
        assert list(iter(partial(pieces.read, 3), b"")) == [b"123", b"456", b"78"]
    with pytest.raises(TooLarge), open_body(io.BytesIO(b"12345678"), length, 7):
        pass


@pytest.mark.parametrize("size", [-1, 9, 3])
def test_a_body_that_ends_before_its_length_is_refused(size: int) -> None:
    with open_body(io.BytesIO(b"1234567"), 8, 8) as body, pytest.raises(Invalid, match="shorter"):
        list(iter(partial(body.read, size), b""))


def test_numbers_keep_their_digits() -> None:
    fields = read_fields(b'{"a": 12345678901234567.89, "b": 10.10, "c": 123456789012345678901}', JSON, forms=False)
    assert {name: str(value) for name, value in fields.items()} == {
        "a": "12345678901234567.89",
        "b": "10.10",
        "c": "123456789012345678901",
    }
    assert isinstance(fields["b"], Decimal)


def test_a_number_out_of_range_is_said_to_be_one() -> None:
    with pytest.raises(Invalid, match=r"^The exponent of a number in the body is out of range\.$"):
        read_fields(b'{"a": 1e99999999999999999999}', JSON, forms=False)


def test_formats() -> None:
    assert read_fields(b"", "text/plain", forms=False) == {}
    assert read_fields(b"{}", None, forms=False) == {}
    assert read_fields(b'{"a": "\xc3\xa4"}', "Application/JSON; charset=utf-8", forms=False) == {"a": "ä"}
    assert read_fields(b"a=1&b=&a=2", FORM, forms=True) == {"a": "2", "b": ""}
    for kind in (FORM, f"{MULTIPART}; boundary=x", "text/plain"):
        with pytest.raises(MediaUnknown):
            read_fields(b"a=1", kind, forms=False)
    for body in (b"a=%FF", b"\xff=1"):
        with pytest.raises(Invalid):
            read_fields(body, FORM, forms=True)
    with pytest.raises(Invalid):
        read_fields(b"--x\r\n", "multipart/form-data; boundary=y", forms=True)


def test_fields_of_a_form_that_may_come_more_than_once() -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 2 + b"--x--\r\n"
    assert read_fields(b"a=1&b=2&a=3", FORM, forms=True, arrays=("a",)) == {"a": ["1", "3"], "b": "2"}
    assert read_fields(b"a=1", FORM, forms=True, arrays=("a", "b")) == {"a": ["1"]}
    assert read_fields(body, f"{MULTIPART}; boundary=x", forms=True, arrays=("a",)) == {"a": ["1", "1"]}
    assert read_fields(b'{"a": "1"}', JSON, forms=True, arrays=("a",)) == {"a": "1"}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, {"name": ["This field is required."]}),
        ({"name": True}, {"name": ["Input should be a valid string."]}),
        ({"name": "a", "sheet": 5}, {"sheet": ["Input should be a valid object."]}),
        (
            {"name": "a", "sheet": {"debit": [{"amount": 1}, {"amount": "x"}, {}]}},
            {
                "sheet": {
                    "debit": [
                        {},
                        {"amount": ["Input should be a valid integer, unable to parse string as an integer."]},
                        {"amount": ["This field is required."]},
                    ]
                }
            },
        ),
        (
            {"name": "a", "numbers": [1, "x"]},
            {
                "numbers": [
                    {},
                    {"non_field_errors": ["Input should be a valid integer, unable to parse string as an integer."]},
                ]
            },
        ),
    ],
)
def test_faults_are_named_where_they_are(fields: dict[str, object], expected: dict[str, object]) -> None:
    with pytest.raises(Invalid) as caught:
        check(Fields, fields, partial=False)
    assert caught.value.fields == expected


class Choice(BaseModel):
    code: Annotated[str, Field(max_length=1)] | Annotated[str, Field(pattern="^x+$")]


def test_all_that_is_wrong_with_a_field_stands_at_it() -> None:
    with pytest.raises(Invalid) as caught:
        check(Choice, {"code": "yy"}, partial=False)
    assert caught.value.fields == {
        "code": ["String should have at most 1 character.", "String should match pattern '^x+$'."]
    }


def test_the_sentence_is_about_the_first_fault() -> None:
    with pytest.raises(Invalid) as caught:
        check(Fields, {"sheet": {"debit": [{}]}, "numbers": ["x"]}, partial=False)
    assert list(caught.value.fields) == ["name", "sheet", "numbers"]
    assert caught.value.detail == "name: This field is required."
    with pytest.raises(Invalid) as nested:
        check(Fields, {"name": "a", "sheet": {"debit": [{"amount": 1}, {}]}, "numbers": ["x"]}, partial=False)
    assert nested.value.detail == "sheet.debit.1.amount: This field is required."


def test_a_partial_body_demands_nothing() -> None:
    assert check(Fields, {}, partial=True).model_fields_set == set()
