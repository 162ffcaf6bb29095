"""How runs of workflows begin, on both databases: by events, by hand, and not without end (docs/interface.md 11.3)."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from acctcli.service.cases.workflows import running, starting
from acctcli.service.cases.workflows.running import Ran
from acctcli.service.delivery.requests import Answer, Outgoing
from acctcli.service.store.moments import stamp
from tests.graphs import FLAG, LOG, MANUAL, uuid
from tests.service.actor import World
from tests.service.cases.workflows.flows import (
    BY_HAND,
    DAY,
    FLAGGING,
    Receiver,
    advance,
    enabled,
    flow,
    listed,
    on,
    runs,
    send,
    states,
    tag,
    trail,
    when,
)
from tests.service.routes.books import Books
from tests.sizes import is_full

RELAY = "https://relay.example/"
HOUR = timedelta(hours=1)


def nested(levels: int) -> dict[str, Any]:
    """Objects in each other, the innermost in an array."""
    value: Any = [1]
    for _ in range(levels - 1):
        value = {"a": value}
    return dict(value)


@pytest.fixture
def most(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many runs a workflow begins within an hour: as many as there are in a full run, few otherwise."""
    if not is_full():
        monkeypatch.setattr(starting, "MOST_RUNS", 10)
    return starting.MOST_RUNS


# --- what triggers a run ---


@pytest.mark.everywhere
def test_an_event_begins_one_run_for_each_node_that_waits_for_it(
    service: World, books: Books, receiver: Receiver
) -> None:
    early = books.document(DAY, "1.00")
    waiting = flow([on("document.created"), on("tag.created", "document.created"), LOG], [(1, 3), (2, 3)])
    workflow = enabled(books, waiting)
    made = books.document(DAY, "2.00")
    books.tag("x")
    assert {ran.status for ran in advance(service, receiver)} == {"completed"}
    assert advance(service, receiver) == []
    found = listed(books, workflow)
    numbers = {row["id"]: row for row in trail(books, "document.created", "tag.created")}
    said = [(run["trigger_node_uuid"], numbers[run["event_id"]]["type"]) for run in found]
    assert said == [
        (uuid(1), "document.created"),
        (uuid(2), "document.created"),
        (uuid(2), "tag.created"),
    ]
    assert {numbers[run["event_id"]]["record_id"] for run in found[:2]} == {made["id"]} != {early["id"]}
    assert [states(run) for run in found[:2]] == [
        ["completed", "skipped", "completed"],
        ["skipped", "completed", "completed"],
    ]


def test_a_business_begins_others_when_some_have_been_advanced(
    service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MOST_BEGUN", 3)
    waiting = flow([on("document.created"), on("document.created")], [])
    ids = [enabled(books, waiting, name) for name in "abcd"]
    books.document(DAY, "1.00")
    work = runs(service, receiver)
    (place,) = work.waiting()
    assert work.trigger(place) == 4
    assert [len(listed(books, one)) for one in ids] == [2, 2, 0, 0]
    assert len(advance(service, receiver)) == 8
    assert [len(listed(books, one)) for one in ids] == [2] * 4


def test_a_refused_request_and_the_enabling_itself_trigger_nothing(
    service: World, books: Books, receiver: Receiver
) -> None:
    workflow = enabled(books, flow([on("document.created", "workflow.created", "workflow.updated"), LOG]))
    assert books.send("POST", "document/", {"date": "no day"}).status == 400
    assert advance(service, receiver) == []
    books.change(f"workflows/{workflow}/", name="y")
    assert [ran.status for ran in advance(service, receiver)] == ["completed"]


def test_what_happens_while_a_workflow_is_disabled_is_not_made_up_for(
    service: World, books: Books, receiver: Receiver
) -> None:
    workflow = enabled(books, FLAGGING)
    path = f"workflows/{workflow}/"
    books.document(DAY, "1.00")  # nobody has looked at it when the workflow is disabled
    books.change(path, enabled=False)
    books.document(DAY, "2.00")
    books.change(path, enabled=True)
    third = books.document(DAY, "3.00")["id"]
    advance(service, receiver)
    assert books.listed(is_flagged="true") == [third]


@pytest.mark.everywhere
def test_many_events_are_taken_in_portions_and_none_is_lost(
    service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "MOST_EVENTS", 5)
    monkeypatch.setattr(starting, "MOST_MATCHING", 2)
    workflow = enabled(books, flow([on("document.created"), LOG]))
    ids = []
    for number in range(9):
        ids.append(books.document(DAY, "1.00")["id"])
        for _ in range(number % 4):
            books.contact()
    work = runs(service, receiver)
    (place,) = work.waiting()
    for _ in range(20):
        assert work.trigger(place) <= 2
    assert work.trigger(place) == 0
    numbers = [run["event_id"] for run in listed(books, workflow)]
    of = {row["id"]: row["record_id"] for row in trail(books, "document.created")}
    assert [of[number] for number in numbers] == ids


# --- by hand ---


def test_a_run_by_hand_begins_and_is_told(service: World, books: Books, receiver: Receiver) -> None:
    workflow = enabled(books, BY_HAND)
    began = books.create(f"workflows/{workflow}/runs/")
    assert {name: began[name] for name in ("status", "event_id", "started_at", "trigger_node_uuid")} == {
        "status": "pending",
        "event_id": None,
        "started_at": None,
        "trigger_node_uuid": uuid(1),
    }
    assert states(began) == ["pending", "pending"]
    slug = books.path.split("/")[-2]
    assert advance(service, receiver) == [Ran(slug, workflow, began["id"], "completed", None)]
    (run,) = listed(books, workflow)
    moment = run["started_at"]
    assert run["node_runs"] == {
        uuid(1): dict.fromkeys(("started_at", "finished_at"), moment)
        | {"status": "completed", "output": None, "error": None},
        uuid(2): dict.fromkeys(("started_at", "finished_at"), moment)
        | {"status": "completed", "output": {"message": "seen"}, "error": None},
    }
    (told,) = trail(books, "workflow_run.started")
    row = {name: began[name] for name in began if name not in ("node_runs", "react_flow_data")}
    assert (told["record_id"], told["data"]) == (run["id"], {**row, "workflow_id": workflow})


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        (FLAGGING, "This workflow has no node trigger.manual, at which a run by hand begins."),
        (BY_HAND, "This workflow is not enabled, and no run of it begins: enable it first."),
    ],
)
def test_what_cannot_be_begun_by_hand_is_412(books: Books, saved: dict[str, Any], said: str) -> None:
    workflow = enabled(books, saved)
    if saved is BY_HAND:
        books.change(f"workflows/{workflow}/", enabled=False)
    reply = books.send("POST", f"workflows/{workflow}/runs/")
    assert (reply.error, reply.body["detail"]) == ((412, "precondition_failed"), said)
    assert reply.body.get("enabled") == ([said] if saved is BY_HAND else None)
    assert books.send("POST", "workflows/999999/runs/").status == 404
    assert listed(books, workflow) == []


def test_a_repeated_request_begins_one_run(books: Books) -> None:
    workflow = enabled(books, BY_HAND)
    path = f"{books.path}workflows/{workflow}/runs/"
    replies = [books.actor.send("POST", path, headers={"Idempotency-Key": "once"}) for _ in range(3)]
    assert len({reply.raw for reply in replies}) == 1
    assert len(listed(books, workflow)) == 1


@pytest.mark.parametrize(("amount", "ends"), [("120.50", ["completed", "skipped"]), ("99", ["skipped", "completed"])])
def test_conditions_look_into_what_a_run_by_hand_is_given(
    service: World, books: Books, receiver: Receiver, amount: str, ends: list[str]
) -> None:
    saved = flow([MANUAL, when("sale.rows.0", "gte", 100), LOG, LOG], [(1, 2), (2, 3, "true"), (2, 4, "false")])
    workflow = enabled(books, saved)
    given = {"sale": {"rows": [Decimal(amount)]}}
    began = books.create(f"workflows/{workflow}/runs/", {"input": given})
    assert began["event_id"] is None
    assert [ran.status for ran in advance(service, receiver)] == ["completed"]
    (run,) = listed(books, workflow)
    assert run["node_runs"][uuid(1)]["output"] == given
    assert states(run)[2:] == ends


def test_what_is_nested_as_deep_as_can_be_is_compared(service: World, books: Books, receiver: Receiver) -> None:
    # the value of a condition is in its data, its node, the nodes and the graph
    saved = [
        flow([MANUAL, when("x.a.a.a", "eq", nested(levels)), LOG], [(1, 2), (2, 3, "true")]) for levels in (96, 97)
    ]
    workflow = enabled(books, saved[0])
    books.create(f"workflows/{workflow}/runs/", {"input": {"x": nested(99)}})
    assert [ran.status for ran in advance(service, receiver)] == ["completed"]
    assert states(listed(books, workflow)[0]) == ["completed"] * 3
    refused = books.send("POST", "workflows/", {"name": "x", "react_flow_data": saved[1]})
    assert refused.body["react_flow_data"] == ["Must be nested at most 100 deep."]


def test_a_run_by_hand_has_no_document_whatever_it_is_given(service: World, books: Books, receiver: Receiver) -> None:
    document = books.document(DAY, "1.00")["id"]
    workflow = enabled(books, flow([MANUAL, FLAG]))
    books.create(f"workflows/{workflow}/runs/", {"input": {"id": document, "type": "document.created"}})
    assert [ran.error for ran in advance(service, receiver)] == ["A run by hand has no document."]
    assert books.listed(is_flagged="true") == []


def test_a_run_by_hand_begins_at_the_trigger_that_is_named(service: World, books: Books, receiver: Receiver) -> None:
    lettered = "ABCDEF00-0000-4000-8000-00000000000a"
    saved = flow([MANUAL, MANUAL, on("tag.created"), LOG], [(1, 4), (2, 4)])
    saved["nodes"][1]["id"] = saved["edges"][1]["source"] = lettered
    path = f"workflows/{enabled(books, saved)}/runs/"
    named = [{}, {"trigger_node_uuid": None}, {"trigger_node_uuid": uuid(1)}, {"trigger_node_uuid": lettered.lower()}]
    assert [books.create(path, body)["trigger_node_uuid"] for body in named] == [*3 * [uuid(1)], lettered]
    assert [ran.status for ran in advance(service, receiver)] == ["completed"] * 4


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "field", "text"),
    [
        ({"trigger_node_uuid": "x"}, "trigger_node_uuid", "Must be a UUID: the id of a node."),
        ({"trigger_node_uuid": uuid(9)}, "trigger_node_uuid", f"There is no node {uuid(9)} in this workflow."),
        (
            {"trigger_node_uuid": uuid(2)},
            "trigger_node_uuid",
            f"The node {uuid(2)} is action.log: a run by hand begins at a trigger.manual.",
        ),
        (
            {"trigger_node_uuid": uuid(3)},
            "trigger_node_uuid",
            f"The node {uuid(3)} is trigger.event: a run by hand begins at a trigger.manual.",
        ),
        ({"input": [1]}, "input", "Input should be a valid object."),
        ({"input": "x"}, "input", "Input should be a valid object."),
        ({"input": {"a": "x" * 2**16}}, "input", "Must have at most 64 KiB as JSON."),
        ({"input": nested(101)}, "input", "Must be nested at most 100 deep."),
    ],
    ids=["no-uuid", "no-node", "no-trigger", "other-trigger", "array", "text", "large", "deep"],
)
def test_what_a_run_cannot_begin_with_is_400_on_its_field(
    books: Books, body: dict[str, Any], field: str, text: str
) -> None:
    workflow = enabled(books, flow([MANUAL, LOG, on("tag.created")], [(1, 2)]))
    reply = books.send("POST", f"workflows/{workflow}/runs/", body)
    assert (reply.error, reply.body[field]) == ((400, "validation_error"), [text])
    assert listed(books, workflow) == []


def test_another_body_under_the_same_key_is_422(books: Books) -> None:
    workflow = enabled(books, BY_HAND)
    path, key = f"{books.path}workflows/{workflow}/runs/", {"Idempotency-Key": "once"}
    said = [books.actor.send("POST", path, {"input": {"a": number}}, headers=key).status for number in (1, 1, 2)]
    assert said == [201, 201, 422]
    assert len(listed(books, workflow)) == 1


# --- what would go on for ever ---


def test_a_workflow_that_would_trigger_itself_stops(service: World, books: Books, receiver: Receiver) -> None:
    again = flow([on("document.created", "document.flagged", "document.updated"), FLAG, tag(books.tag("seen"))])
    first, second = enabled(books, again), enabled(books, again)
    document = books.document(DAY, "1.00")["id"]
    assert len(advance(service, receiver)) == 2
    assert advance(service, receiver) == []
    assert [len(listed(books, one)) for one in (first, second)] == [1, 1]
    books.act(f"document/{document}/action/unflag/")
    books.act(f"document/{document}/action/flag/")
    # what a person does triggers it anew
    assert [ran.status for ran in advance(service, receiver)] == ["completed"] * 2


def test_two_workflows_that_would_trigger_each_other_stop(service: World, books: Books, receiver: Receiver) -> None:
    first = enabled(books, flow([on("document.created", "document.flagged"), tag(books.tag("first"))]))
    second = enabled(books, flow([on("document.updated"), FLAG]))
    document = books.document(DAY, "1.00")["id"]
    assert [ran.workflow_id for ran in advance(service, receiver)] == [first]
    assert (listed(books, second), advance(service, receiver)) == ([], [])
    books.change(f"document/{document}/", description="by hand")  # what a person does triggers the other one
    assert [ran.workflow_id for ran in advance(service, receiver)] == [second]
    assert (len(listed(books, first)), advance(service, receiver)) == (1, [])


@pytest.mark.everywhere
def test_a_loop_through_the_outside_is_held_and_nothing_is_lost(service: World, books: Books, most: int) -> None:
    workflow = enabled(books, flow([on("document.created"), send(RELAY)]))
    slug = books.path.split("/")[-2]

    def relay(_: Outgoing) -> Answer:
        books.document(DAY, "1.00")  # with a token of its own: as if a person did
        return Answer(201)

    books.document(DAY, "1.00")
    for hour in range(1, 3):
        assert len(advance(service, relay)) == most
        assert advance(service, relay) == []
        (held,) = runs(service, relay).held()
        assert held == (slug, workflow, stamp(service.clock() + HOUR))
        found = listed_count(books, workflow)
        assert found == hour * most
        service.clock.move(HOUR - timedelta(microseconds=1))
        assert advance(service, relay) == []
        service.clock.move(timedelta(microseconds=1))
    made = [row["record_id"] for row in all_of_trail(books, "document.created")]
    assert len(made) == len(set(made)) == 2 * most + 1
    books.change(f"workflows/{workflow}/", enabled=False)
    assert (advance(service, relay), runs(service, relay).held()) == ([], [])


def test_what_begins_itself_by_hand_from_outside_is_412_in_the_end(service: World, books: Books, most: int) -> None:
    workflow = enabled(books, flow([MANUAL, send(RELAY)]))
    path, said = f"workflows/{workflow}/runs/", list[int]()

    def relay(_: Outgoing) -> Answer:
        said.extend(books.send("POST", path).status for _ in range(2))
        return Answer(said[-1])

    books.create(path)
    assert len(advance(service, relay)) == most
    assert (said.count(201), set(said), listed_count(books, workflow)) == (most - 1, {201, 412}, most)
    reply, until = books.send("POST", path), stamp(service.clock() + HOUR)
    said_then = f"This workflow began {most:,} runs within an hour: no other until {until}."
    assert (reply.error, reply.body["detail"]) == ((412, "precondition_failed"), said_then)
    service.clock.move(HOUR)
    assert books.create(path)["status"] == "pending"


def test_one_workflow_that_is_held_holds_up_no_other(
    service: World, books: Books, receiver: Receiver, most: int
) -> None:
    busy, calm = enabled(books, flow([on("tag.created"), LOG])), enabled(books, flow([on("tag.deleted"), LOG]))
    ids = [books.tag(f"tag {number}") for number in range(most + 1)]
    books.send("DELETE", f"tags/{ids[0]}/")
    assert len(advance(service, receiver)) == most + 1
    assert [listed_count(books, one) for one in (busy, calm)] == [most, 1]
    service.clock.move(HOUR)
    assert len(advance(service, receiver)) == 1
    assert listed_count(books, busy) == most + 1


@pytest.mark.everywhere
def test_an_event_begins_all_its_runs_or_waits(service: World, books: Books, receiver: Receiver, most: int) -> None:
    workflow = enabled(books, flow([*3 * [on("tag.created")], LOG], [(1, 4), (2, 4), (3, 4)]))
    for number in range(most // 3 + 1):
        books.tag(f"tag {number}")
    assert len(advance(service, receiver)) == most // 3 * 3
    service.clock.move(HOUR)
    assert len(advance(service, receiver)) == 3
    numbers = Counter(run["event_id"] for run in all_runs(books, workflow))
    assert set(numbers.values()) == {3}


def listed_count(books: Books, workflow: int) -> int:
    return int(books.get(f"workflows/{workflow}/runs/").body["count"])


def all_runs(books: Books, workflow: int) -> list[Any]:
    return pages(books, f"workflows/{workflow}/runs/")


def all_of_trail(books: Books, kind: str) -> list[Any]:
    return [row for row in pages(books, "audit/") if row["type"] == kind]


def pages(books: Books, path: str) -> list[Any]:
    """Return the rows of all pages."""
    rows: list[Any] = []
    number: int | None = 1
    while number is not None:
        page = books.get(path, page_size="200", page=str(number)).body
        rows += page["results"]
        number = page["next"]
    return rows
