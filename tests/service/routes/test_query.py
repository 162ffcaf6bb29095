"""Reading the query string and rendering pages (docs/interface.md 1.3, 1.4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from acctcli.service.problems import Invalid, Missing
from acctcli.service.routes.query import Page, PageRequest, QueryString

Read = Callable[[QueryString], Any]


def flag(query: QueryString) -> Any:
    return query.flag("a")


def integer(query: QueryString) -> Any:
    return query.integer("a")


def day(query: QueryString) -> Any:
    return query.date("a")


def text(query: QueryString) -> Any:
    return query.text("a")


def choices(query: QueryString) -> Any:
    return query.choices("a", ("x", "y"))


def choice(query: QueryString) -> Any:
    return query.choice("a", ("x", "y"))


@pytest.mark.parametrize(
    ("read", "values", "expected"),
    [
        (flag, [], None),
        (flag, [""], None),
        (flag, ["true"], True),
        (flag, ["True"], True),
        (flag, ["1"], True),
        (flag, ["false"], False),
        (flag, ["0"], False),
        (flag, ["0", "1"], True),
        (integer, ["0"], 0),
        (integer, ["-7"], -7),
        (integer, ["0012"], 12),
        (integer, ["9223372036854775807"], 2**63 - 1),
        (integer, [""], None),
        (day, ["2026-02-28"], date(2026, 2, 28)),
        (day, [""], None),
        (text, ["a", "b"], "b"),
        (text, [" "], " "),
        (choices, ["x", "y", "x"], ["x", "y", "x"]),
        (choices, [], []),
        (choices, ["", "x"], ["x"]),
        (choice, ["x", "y"], "y"),
        (choice, [], None),
    ],
)
def test_values_are_read_by_type(read: Read, values: list[str], expected: object) -> None:
    assert read(QueryString({"a": values})) == expected


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (flag, "yes"),
        (flag, "2"),
        (integer, "x"),
        (integer, "1.0"),
        (integer, "1_0"),
        (integer, "+1"),
        (integer, "--1"),
        (integer, "-"),
        (integer, " 1"),
        (integer, "\u0661"),
        (integer, "9223372036854775808"),
        (integer, "9" * 5000),
        (day, "2026-02-29"),
        (day, "2026-2-1"),
        (day, "20260201"),
        (day, "2026-W05-1"),
        (day, "2026-02-01T00:00"),
        (text, "a\0"),
        (choices, "z"),
        (choices, "X"),
        (choices, "x,y"),
    ],
)
def test_values_of_another_type_are_field_errors(read: Read, value: str) -> None:
    with pytest.raises(Invalid) as caught:
        read(QueryString({"a": [value]}))
    assert list(caught.value.fields) == ["a"]


@pytest.mark.parametrize(
    ("count", "number", "size", "following", "previous"),
    [(0, 1, 30, None, None), (1, 1, 1, None, None), (3, 1, 2, 2, None), (3, 2, 2, None, 1), (5, 2, 2, 3, 1)],
)
def test_envelopes(count: int, number: int, size: int, following: int | None, previous: int | None) -> None:
    rows = ["row"]
    shown = PageRequest(number, size).envelope(Page(count, rows))
    assert shown == {"count": count, "next": following, "prev": previous, "size": size, "results": rows}


@pytest.mark.parametrize(("count", "number", "size"), [(0, 2, 30), (4, 3, 2), (1, 2, 1)])
def test_a_page_beyond_the_last_is_missing(count: int, number: int, size: int) -> None:
    with pytest.raises(Missing):
        PageRequest(number, size).envelope(Page(count, []))
