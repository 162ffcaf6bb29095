"""Graphs of workflows: what hangs together, and what can run (docs/interface.md 11.3)."""

from __future__ import annotations

import ast
import re
from contextlib import nullcontext
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import acctcli.service
from acctcli.models.events import EVENT_TYPES
from acctcli.models.graph import (
    MOST_WAITING,
    find_fault,
    find_gap,
    find_odd_text,
    has_odd_host,
    is_web_address,
    tag_ids,
)
from acctcli.service.delivery.targets import Refused, read_target
from tests.graphs import CONDITION, EVENT, FLAG, LOG, MANUAL, SEND, TAG, edge, graph, node, uuid

HALF = "hold no half of a surrogate pair, which is no character"


def test_a_whole_graph_has_neither_fault_nor_gap() -> None:
    whole = graph()
    assert (find_fault(whole), find_gap(whole)) == (None, None)


@pytest.mark.parametrize("sketch", [{}, {"nodes": []}, {"edges": []}, {"viewport": {"x": 1}, "foreign": [1]}])
def test_a_graph_may_be_empty_and_hold_what_nobody_knows(sketch: dict[str, Any]) -> None:
    assert find_fault(sketch) is None
    assert find_gap(sketch) == "An enabled workflow needs a trigger."


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"nodes": [{"data": {"message": "a\0b"}}]}, "nodes.0.data.message must hold no NUL character."),
        ({"viewport": [1, ["x", "\ud800"]]}, f"viewport.1.1 must {HALF}."),
        ({"nodes": [{"a\0": 1}]}, "A name in nodes.0 must hold no NUL character."),
        ({"\udfff": 1}, f"A name in the object must {HALF}."),
        ({"x" * 300: "\0"}, f"{'x' * 200} must hold no NUL character."),
        ({"nodes": [{"data": {"message": "\U0001f600 \ufffe \\u0000", "n": 0, "none": None}}]}, None),
    ],
    ids=["text", "in-arrays", "name", "name-at-the-top", "long", "none"],
)
def test_texts_that_are_none_are_named(value: object, said: str | None) -> None:
    assert find_odd_text(value) == said


def test_so_many_nodes_may_wait_for_an_event() -> None:
    both = {"type": "trigger.event", "data": {"event_types": ["tag.created", "document.created", "tag.created"]}}
    nodes = [node(uuid(number), both) for number in range(1, MOST_WAITING + 1)]
    assert find_gap(graph(nodes, [])) is None
    other = {"type": "trigger.event", "data": {"event_types": ["tag.created"]}}
    nodes.append(node(uuid(MOST_WAITING + 1), other))
    assert find_gap(graph(nodes, [])) == "At most 50 nodes may wait for the event tag.created, not 51."


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"nodes": {}}, "nodes must be an array of objects."),
        ({"nodes": None}, "nodes must be an array of objects."),
        ({"nodes": [7]}, "nodes must be an array of objects."),
        ({"edges": "x"}, "edges must be an array of objects."),
        ({"edges": [[]]}, "edges must be an array of objects."),
        (graph([{"type": "trigger.manual", "data": {}}], []), "The id of a node must be a UUID, not null."),
        (graph([node("x", MANUAL)], []), 'The id of a node must be a UUID, not "x".'),
        (graph([node(7, MANUAL)], []), "The id of a node must be a UUID, not 7."),
        (graph([node(f"{{{uuid(1)}}}", MANUAL)], []), f'The id of a node must be a UUID, not "{{{uuid(1)}}}".'),
        (
            graph([node(uuid(10), MANUAL), node(uuid(10).upper(), LOG)], []),
            f"Two nodes have the id {uuid(10).upper()}.",
        ),
        (
            graph(
                [
                    node("ABCDEF00-0000-4000-8000-000000000000", MANUAL),
                    node("abcdef00-0000-4000-8000-000000000000", LOG),
                ],
                [],
            ),
            "Two nodes have the id abcdef00-0000-4000-8000-000000000000.",
        ),
        (
            graph([{**node(uuid(1), LOG), "type": "action.sing"}], []),
            f'The node {uuid(1)} has the type "action.sing"; ',
        ),
        (
            graph([{**node(uuid(1), LOG), "type": ["action.log"]}], []),
            f'The node {uuid(1)} has the type ["action.log"]; ',
        ),
        (graph([{"id": uuid(1), "type": "action.log"}], []), f"The data of the node {uuid(1)} must be an object."),
        (
            graph([{**node(uuid(1), SEND), "data": {"url": "http://user:open@shop.example/"}}], []),
            f"The url of the node {uuid(1)} must hold no user and no password",
        ),
        (
            graph([{**node(uuid(1), SEND), "data": {"url": "http://0x7f.1/"}}], []),
            f"The url of the node {uuid(1)} must have a host by its name, or as four decimal numbers",
        ),
        (graph(edges=[edge(0, 1, 2, id="")]), 'The id of an edge must be a text, not "".'),
        (graph(edges=[edge(0, 1, 2, id=7)]), "The id of an edge must be a text, not 7."),
        (graph(edges=[edge(0, 1, 2), edge(0, 2, 3)]), "Two edges have the id e0."),
        (graph(edges=[edge(0, 9, 2)]), f'The source of the edge e0 is no node of the graph: "{uuid(9)}".'),
        (graph(edges=[edge(0, 1, 9)]), f'The target of the edge e0 is no node of the graph: "{uuid(9)}".'),
        (graph(edges=[{**edge(0, 1, 2), "target": []}]), "The target of the edge e0 is no node of the graph: []."),
        (graph(edges=[edge(0, 3, 4)]), "The edge e0 leaves a condition: its sourceHandle must be true or false"),
        (graph(edges=[edge(0, 3, 4, sourceHandle=True)]), "The edge e0 leaves a condition"),
        (graph(edges=[edge(0, 2, 2)]), f"The edges lead in a circle through the node {uuid(2)}."),
        (graph(edges=[edge(0, 1, 4), edge(1, 4, 5), edge(2, 5, 4)]), f"in a circle through the node {uuid(4)}."),
    ],
)
def test_what_does_not_hang_together_is_named(wrong: dict[str, Any], says: str) -> None:
    fault = find_fault(wrong)
    assert fault is not None
    assert says in fault


def test_ways_may_part_and_meet_again() -> None:
    diamond = [edge(0, 1, 4), edge(1, 1, 5), edge(2, 4, 6), edge(3, 5, 6), edge(4, 1, 6)]
    assert find_fault(graph(edges=diamond)) is None


def test_a_long_way_is_walked() -> None:
    nodes = [node(uuid(number), LOG) for number in range(20_000)]
    chain = [edge(number, number, number + 1) for number in range(19_999)]
    assert find_fault(graph(nodes, chain)) is None
    closed = [*chain, edge(19_999, 19_999, 0)]
    assert find_fault(graph(nodes, closed)) == f"The edges lead in a circle through the node {uuid(0)}."


@pytest.mark.parametrize("kind", [EVENT, CONDITION, TAG, SEND, LOG])
def test_a_draft_need_not_be_complete(kind: dict[str, Any]) -> None:
    sketch = graph([node(uuid(1), MANUAL), node(uuid(2), {**kind, "data": {}})], [])
    assert find_fault(sketch) is None
    assert (find_gap(sketch) or "").startswith(f"The node {uuid(2)} ({kind['type']}): ")


@pytest.mark.parametrize(
    ("kind", "data", "gap"),
    [
        (EVENT, {"event_types": []}, "event_types must name at least one event."),
        (EVENT, {"event_types": "document.created"}, "event_types must name at least one event."),
        (
            EVENT,
            {"event_types": ["document.creatd"]},
            'there is no event "document.creatd": did you mean document.created?',
        ),
        (EVENT, {"event_types": [Decimal("1.50")]}, "there is no event 1.50: name one such as document.created."),
        (EVENT, {"event_types": ["x" * 9_000]}, 'there is no event "' + 199 * "x" + "…: name one"),
        (EVENT, {"event_types": [["x"]]}, 'there is no event ["x"]: name one such as document.created.'),
        (CONDITION, {"path": "", "operator": "eq", "value": 1}, "path must be a text."),
        (CONDITION, {"path": "amount", "operator": "like", "value": 1}, "operator must be one of eq, "),
        (CONDITION, {"path": "amount", "operator": "eq"}, "value is missing."),
        (CONDITION, {"path": "amount", "operator": "eq", "value": None}, None),
        (CONDITION, {"path": "amount", "operator": "exists"}, None),
        (TAG, {"tag_ids": []}, "tag_ids must hold"),
        (TAG, {"tag_ids": [True]}, "tag_ids must hold"),
        (TAG, {"tag_ids": [0]}, "tag_ids must hold"),
        (TAG, {"tag_ids": [5, "x"]}, 'tag_ids must hold ids, which are whole numbers, not "x".'),
        (TAG, {"tag_ids": [2**63]}, "tag_ids must hold"),
        (SEND, {"url": "ftp://a.example/", "method": "POST"}, "url must be"),
        (SEND, {"url": "https://a.example/", "method": "BREW"}, "method must be"),
        (SEND, {"url": "https://a.example/", "method": "POST", "body": {"any": [1]}}, None),
        (LOG, {"message": ""}, "message must be a text."),
        (FLAG, {"foreign": 1}, None),
    ],
)
def test_what_a_node_lacks_to_run_is_named(kind: dict[str, Any], data: dict[str, Any], gap: str | None) -> None:
    found = find_gap(graph([node(uuid(1), MANUAL), node(uuid(2), {**kind, "data": data})], []))
    if gap is None:
        assert found is None
    else:
        assert (found or "").startswith(f"The node {uuid(2)} ({kind['type']}): {gap}")


@pytest.mark.parametrize("operator", ["eq", "ne", "gt", "gte", "lt", "lte", "contains", "exists"])
def test_conditions_have_eight_operators(operator: str) -> None:
    asked = {**CONDITION, "data": {"path": "amount", "operator": operator, "value": 1}}
    assert find_gap(graph([node(uuid(1), MANUAL), node(uuid(2), asked)], [])) is None


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_requests_have_five_methods(method: str) -> None:
    sent = {**SEND, "data": {"url": "https://a.example/", "method": method}}
    assert find_gap(graph([node(uuid(1), MANUAL), node(uuid(2), sent)], [])) is None


def test_tags_are_found_wherever_they_stand() -> None:
    nodes = [node(uuid(number), {**TAG, "data": {"tag_ids": ids}}) for number, ids in enumerate(([3, True], [5], "x"))]
    assert tag_ids(graph([*nodes, node(uuid(9), {**LOG, "data": {"tag_ids": [7]}})], [])) == [3, 5]


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://a.example/x?y=1", True),
        ("HTTP://A.example:8080", True),
        ("http://127.0.0.1/", True),
        ("http://[::1]:8000/", True),
        ("a.example", False),
        ("//a.example", False),
        ("https://", False),
        ("https:///x", False),
        ("https://a.example:99999/", False),
        ("https://a.example:x/", False),
        ("https://a.example:0/", False),
        ("https://[::1/", False),
        ("https://a.example/ x", False),
        ("https://a.example/\n", False),
        ("https://ä.example/", False),
        ("https://a.example\\@b.example/", False),
        ("javascript:alert(1)", False),
        (7, False),
        (None, False),
    ],
)
def test_web_addresses(address: object, good: bool) -> None:
    assert is_web_address(address) is good


@pytest.mark.parametrize(
    ("host", "odd"),
    [
        *((one, False) for one in ("a.example", "a_b.example.", "xn--a", "203.0.113.7:80", "[2606:4700::1111]:81")),
        *((one, True) for one in ("a..b", ".a", "-a", "a;b", "a%2eb", "a:", "[v1.a]", "[fe80::1%25eth0]")),
        *((one, True) for one in ("127.1", "0x7f.1", "0177.0.0.1", "2130706433", "127.0.0.1.", f"{'a.' * 127}a")),
    ],
)
def test_an_address_that_is_saved_is_one_that_is_sent_to(host: str, odd: bool) -> None:
    url = f"https://{host}/"
    assert is_web_address(url)
    assert has_odd_host(url) is odd
    with pytest.raises(Refused) if odd else nullcontext():
        read_target(url)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from([uuid(1), uuid(2), "action.log"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "type", "data"]), inner),
    max_leaves=12,
)


@given(st.fixed_dictionaries({}, optional={"nodes": json_values, "edges": json_values}))
def test_anything_at_all_is_judged(sketch: dict[str, Any]) -> None:
    if find_fault(sketch) is None:
        find_gap(sketch)
        tag_ids(sketch)


@cache
def emitted() -> set[str]:
    """What names an event in the service, as patterns: a part that is put in is any word."""
    verbs = {name.partition(".")[2] for name in EVENT_TYPES}
    form = re.compile(rf"[a-z_]+\.({'|'.join(sorted(verbs))})")
    found = set()
    for path in Path(acctcli.service.__file__).parent.rglob("*.py"):
        for one in ast.walk(ast.parse(path.read_text("utf-8"))):
            match one:
                case ast.Constant(value=str(text)) if form.fullmatch(text):
                    found.add(text)
                case ast.Call(func=ast.Name(id="Records"), args=[ast.Constant(value=str(noun)), *_]):
                    found |= {f"{noun}.created", f"{noun}.updated", f"{noun}.deleted"}
                case ast.Call(
                    func=ast.Attribute(attr="emit"), args=[ast.JoinedStr(values=[ast.Constant(value=str(start)), _]), _]
                ):
                    found.add(start + "[a-z_]+")
    return found


def test_no_resource_has_events_but_those_of_the_service() -> None:
    assert {event.partition(".")[0] for event in EVENT_TYPES} == {event.partition(".")[0] for event in emitted()}


def test_more_happens_than_that_records_are_made_and_changed() -> None:
    told: dict[str, list[str]] = {}
    for resource, verb in (event.split(".") for event in EVENT_TYPES):
        if verb not in {"created", "updated", "deleted"}:
            told.setdefault(resource, []).append(verb)
    assert {resource: " ".join(verbs) for resource, verbs in told.items()} == {
        "document": "locked unlocked flagged unflagged commented seen",
        "sales_invoice": "accepted sent paid unpaid credit_loss recurrence_disabled",
        "purchase_invoice": "paid unpaid",
        "vat_period": "locked unlocked reported reopened",
        "period": "locked unlocked",
        "business": "restored chained",
        "service": "begun restored",
        "token": "revoked",
        "password": "changed",
        "app_grant": "revoked",
        "session": "ended",
        "invitation": "accepted rejected",
        "workflow_run": "started cancelled",
    }


def test_every_event_of_the_service_can_be_waited_for() -> None:
    unknown = {one for one in emitted() if not any(re.fullmatch(one, event) for event in EVENT_TYPES)}
    assert unknown == set()
    named = {"document.locked", "period.unlocked", "workflow.created", "webhook_subscription.deleted"}
    assert named | {"sales_invoice.[a-z_]+", "business.[a-z_]+"} <= emitted()
