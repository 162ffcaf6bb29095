"""Conditions and joins of graphs, for any data and any graph (docs/interface.md 11.3)."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import Encoder

from acctcli.models.graph import OPERATORS, find_fault
from acctcli.service.rules.workflows import (
    begun,
    holds,
    is_same,
    look_up,
    next_node,
    skip_rest,
    triggered,
    whole,
)
from tests.graphs import CONDITION, EVENT, LOG, MANUAL, Row, edge, graph, node, uuid

NUMBERS = st.integers(-(10**30), 10**30) | st.decimals(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | NUMBERS | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.text(st.characters(exclude_characters="."), min_size=1, max_size=4)
ORDERED = ("gt", "gte", "lt", "lte")
encode = Encoder(decimal_format="number").encode


def asked(data: Any, operator: str, value: Any, path: str = "at") -> bool:
    return holds({"path": path, "operator": operator, "value": value}, {"at": data})


@given(NUMBERS, NUMBERS)
def test_numbers_are_compared_exactly(one: Decimal | int, other: Decimal | int) -> None:
    left, right = Fraction(one), Fraction(other)
    said = [asked(one, operator, other) for operator in ("eq", "ne", *ORDERED)]
    assert said == [left == right, left != right, left > right, left >= right, left < right, left <= right]


@given(st.integers(-(10**20), 10**20), st.integers(0, 8))
def test_the_digits_of_a_number_do_not_matter(whole: int, zeros: int) -> None:
    written = Decimal(f"{whole}.{'0' * zeros}")
    assert asked(written, "eq", whole)
    assert asked([{"amount": written}], "contains", {"amount": whole})


@pytest.mark.parametrize(
    ("found", "operator", "value", "comes"),
    [
        (Decimal("0.1") + Decimal("0.2"), "eq", Decimal("0.3"), True),
        (Decimal("99.99999999999999999999"), "gte", 100, False),
        (True, "eq", 1, False),
        (False, "eq", 0, False),
        ([True], "eq", [1], False),
        ("100", "eq", 100, False),
        ("100", "gt", 99, False),
        (True, "gt", 0, False),
        ("2026-03-02", "lt", "2026-03-10", True),
        ("Coffee", "contains", "off", True),
        ("Coffee", "contains", "OFF", False),
        ("Coffee", "contains", 1, False),
        ([1, Decimal("2.50")], "contains", Decimal("2.5"), True),
        ([1, 2], "contains", True, False),
        ({"name": None}, "contains", "name", True),
        (7, "contains", 7, False),
        (None, "exists", None, False),
        (0, "exists", None, True),
        ("", "exists", None, True),
        (None, "eq", None, True),
        (None, "ne", 1, True),
        (None, "lt", 1, False),
    ],
)
def test_what_operators_say(found: object, operator: str, value: object, comes: bool) -> None:
    assert asked(found, operator, value) is comes


@given(VALUES, st.sampled_from(OPERATORS), VALUES)
def test_any_two_values_have_an_answer(found: Any, operator: str, value: Any) -> None:
    assert asked(found, operator, value) in (True, False)
    assert asked(found, "ne", value) is not asked(found, "eq", value)
    if any(asked(found, one, value) for one in ORDERED):
        kinds = {str if isinstance(one, str) else Decimal for one in (found, value)}
        assert len(kinds) == 1
        assert not isinstance(found, bool)


@given(VALUES, VALUES)
def test_what_is_the_same_is_so_both_ways_and_after_travelling(one: Any, other: Any) -> None:
    assert is_same(one, one)
    assert is_same(one, other) is is_same(other, one)
    # as JSON, and back
    assert is_same(one, json.loads(encode(one), parse_float=Decimal))


@given(st.lists(NAMES | st.integers(0, 3), min_size=1, max_size=5), LEAVES)
def test_a_path_leads_where_it_says(steps: list[str | int], leaf: Any) -> None:
    data = leaf
    for step in reversed(steps):
        data = {step: data} if isinstance(step, str) else [*([None] * step), data]
    path = ".".join(map(str, steps))
    assert look_up(data, path) == leaf
    for elsewhere in (f"{path}.more", f"{path}x", f"x.{path}", f"{path}."):
        assert look_up(data, elsewhere) is None


@given(VALUES, st.text(max_size=8), st.sampled_from(OPERATORS), VALUES)
def test_what_is_not_there_counts_as_null(data: Any, path: str, operator: str, value: Any) -> None:
    if look_up(data, path) is None:
        condition = {"path": path, "operator": operator, "value": value}
        assert holds(condition, data) is asked(None, operator, value)


def test_a_trigger_waits_for_the_types_it_names() -> None:
    waiting = graph([node(uuid(1), EVENT), node(uuid(2), MANUAL), node(uuid(3), EVENT)], [])
    assert list(triggered(waiting, "tag.updated")) == [uuid(1), uuid(3)]
    assert list(triggered(waiting, "tag.created")) == []


# --- joins ---

KINDS = (LOG, LOG, LOG, CONDITION, EVENT, MANUAL)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Row, dict[str, str]]:
    """A graph without circles whose nodes stand in any order, and how each node would end if it ran."""
    count = draw(st.integers(1, 9))
    kinds = [EVENT, *(draw(st.sampled_from(KINDS)) for _ in range(count - 1))]
    order = draw(st.permutations(range(1, count + 1)))
    made = [node(uuid(number), kinds[number - 1]) for number in order]
    edges = []
    for place in range(count * 2):
        first, last = sorted(draw(st.tuples(st.integers(1, count), st.integers(1, count))))
        if first != last:
            handle = draw(st.sampled_from(["true", "false"]))
            more = {"sourceHandle": handle} if kinds[first - 1] is CONDITION else {}
            edges.append(edge(place, first, last, **more))
    endings = st.sampled_from(["completed", "completed", "true", "false", "failed"])
    return graph(made, edges), {uuid(number): draw(endings) for number in range(1, count + 1)}


def expected(saved: Row, endings: dict[str, str], trigger: str) -> dict[str, str]:
    """What becomes of each node, told of each by itself."""
    kinds = {one["id"]: one["type"] for one in saved["nodes"]}

    def leading(name: str) -> list[Row]:
        return [] if name == trigger else [one for one in saved["edges"] if one["target"] == name]

    @cache
    def is_broken(name: str) -> bool:
        return any(status(one["source"]) == "failed" or is_broken(one["source"]) for one in leading(name))

    @cache
    def status(name: str) -> str:
        runs = name == trigger or (
            not is_broken(name) and not kinds[name].startswith("trigger.") and any(map(is_taken, leading(name)))
        )
        return ended(name) if runs else "skipped"

    def ended(name: str) -> str:
        return "failed" if endings[name] == "failed" else "completed"

    def is_taken(one: Row) -> bool:
        source = one["source"]
        if kinds[source] == "condition" and one["sourceHandle"] != ("true" if endings[source] == "true" else "false"):
            return False
        return status(source) == "completed"

    return {name: status(name) for name in kinds}


@given(graphs())
def test_any_graph_comes_to_the_end_that_its_edges_say(drawn: tuple[Row, dict[str, str]]) -> None:
    saved, endings = drawn
    assert find_fault(saved) is None
    trigger, runs = uuid(1), whole(saved, {}, "pending", uuid(1))
    done: list[str] = []
    while (turn := next_node(saved, runs, trigger)) is not None:
        name = turn["id"]
        above = [] if name == trigger else [one["source"] for one in saved["edges"] if one["target"] == name]
        assert all(runs[source]["status"] in ("completed", "failed", "skipped") for source in above)
        # an interruption leaves it running, and then it is its turn again
        runs[name]["status"] = "running"
        again = next_node(saved, runs, trigger)
        assert again is not None
        assert again["id"] == name
        assert whole(saved, begun(runs), "running", trigger) == runs
        runs[name]["status"] = "failed" if endings[name] == "failed" else "completed"
        runs[name]["output"] = {"result": endings[name] == "true"}
        done.append(name)
    assert len(done) == len(set(done))
    assert {name: run["status"] for name, run in runs.items()} == expected(saved, endings, trigger)
    assert whole(saved, begun(runs), "completed", trigger) == runs


@given(graphs(), st.integers(0, 9))
def test_what_is_cancelled_begins_nothing_more(drawn: tuple[Row, dict[str, str]], steps: int) -> None:
    saved, _ = drawn
    runs = whole(saved, {}, "pending", uuid(1))
    for _ in range(steps):
        if (turn := next_node(saved, runs, uuid(1))) is not None:
            runs[turn["id"]] |= {"status": "completed", "output": {"result": True}}
    done = begun(runs)
    skip_rest(runs)
    assert whole(saved, done, "cancelled", uuid(1)) == runs
    assert next_node(saved, runs, uuid(1)) is None
    assert {run["status"] for run in runs.values()} <= {"completed", "skipped"}
