from __future__ import annotations

import json

import msgspec
import pytest

from acctcli.cli.output.columns import ALL, Picker, cell_text, parse_columns, select_json
from acctcli.errors import UsageError


def raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(json.dumps(value).encode())


def texts(columns: tuple[str, ...], value: object, *others: object) -> list[list[str]]:
    picker = Picker(columns, raw(value), strict=True)
    return [[cell_text(cell) for cell in picker.pick(raw(row))] for row in (value, *others)]


ROW = {"id": 1, "sub": {"a": "x", "deep": {"b": 2.50}}, "none": None, "list": [1, 2], "yes": True}


def test_values_become_text() -> None:
    assert texts(("id", "sub.a", "sub.deep.b", "none", "list", "yes"), ROW) == [["1", "x", "2.5", "", "[1,2]", "true"]]


def test_all_takes_the_names_of_the_first_row_as_they_are() -> None:
    odd = {"a.b": 1, 'quo"te': 2, "line\nbreak": 3, "back\\slash": 4, "": 5, "ä": 6}
    assert Picker((ALL,), raw(odd), strict=True).columns == tuple(odd)
    assert texts((ALL,), odd) == [["1", "2", "3", "4", "5", "6"]]


def test_a_field_other_rows_lack_is_empty_there() -> None:
    assert texts(("id", "sub.a"), ROW, {"id": 2}, {"sub": None}, {"sub": {"a": 3}}) == [
        ["1", "x"], ["2", ""], ["", ""], ["", "3"]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("idd", "did you mean id?"),
        ("sub.deep.c", "did you mean sub.deep.b?"),
        ("sub.zzz", "did you mean sub.a?"),
        ('x"y', "fields: id, sub, none, list, yes"),
    ],
)
def test_a_name_that_is_not_there_is_refused_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        Picker((name,), raw(ROW), strict=True)
    assert caught.value.hint == hint


@pytest.mark.parametrize("name", ["list.0", "id.x", "sub.a.b", "yes.n"])
def test_what_is_no_object_has_no_fields(name: str) -> None:
    with pytest.raises(UsageError, match=f"^--columns: {name[:-2]} holds no fields, so there is no '{name}'$"):
        Picker((name,), raw(ROW), strict=True)


def test_a_field_of_null_may_be_there_in_other_rows() -> None:
    assert texts(("none.x",), ROW, {"none": {"x": 1}}) == [[""], ["1"]]


def test_the_order_asked_for_is_the_order_given() -> None:
    assert texts(("yes", "sub.deep.b", "id", "sub.a"), ROW) == [["true", "2.5", "1", "x"]]


def test_selected_json_keeps_the_bytes() -> None:
    row = msgspec.Raw(b'{"id": 1, "amount": 10.10, "text": "\\u00e4"}')
    picker = Picker(("text", "amount"), row, strict=True)
    assert select_json(picker.columns, picker.pick(row)) == b'{"text":"\\u00e4","amount":10.10}'


def test_a_default_the_service_does_not_know_is_empty() -> None:
    picker = Picker(("id", "nosuch", "sub.nosuch"), raw(ROW), strict=False)
    assert [cell_text(cell) for cell in picker.pick(raw(ROW))] == ["1", "", ""]


@pytest.mark.parametrize("text", ["", "a,", ",a", "a,,b", "a.", ".a", "a..b", "a,a", " "])
def test_lists_of_names_that_are_none(text: str) -> None:
    with pytest.raises(UsageError, match="--columns"):
        parse_columns(text, ())
