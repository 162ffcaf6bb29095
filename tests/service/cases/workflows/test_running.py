"""Runs of workflows on both databases: what triggers them, what they do, and who may (docs/interface.md 11.3)."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from acctcli.service.cases.workflows import steps
from acctcli.service.delivery.requests import Answer
from acctcli.service.routes.operation import ADMIN, BOOKS_WRITE, INTEGRATIONS
from acctcli.service.store import workflows
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement
from tests.graphs import FLAG, LOG, MANUAL, uuid
from tests.service.actor import World
from tests.service.cases.workflows.flows import (
    DAY,
    FLAGGING,
    HOOK,
    Receiver,
    advance,
    enabled,
    flow,
    listed,
    on,
    send,
    states,
    tag,
    trail,
    when,
)
from tests.service.routes.books import Books, open_books


def test_the_trail_says_who_acted_and_that_a_workflow_did(service: World, books: Books, receiver: Receiver) -> None:
    workflow = enabled(books, FLAGGING)
    document = books.document(DAY, "1.00")["id"]
    advance(service, receiver)
    (run,) = listed(books, workflow)
    (flagged,) = trail(books, "document.flagged")
    said = {name: flagged[name] for name in ("record_id", "user_id", "author", "via", "client", "operation")}
    assert said == {
        "record_id": document,
        "user_id": books.actor.id,
        "author": books.actor.email,
        "via": "workflow",
        "client": "",
        "operation": f"workflow {workflow} run {run['id']}",
    }
    assert books.get("audit/verification/").body["faults"] == []


# --- what nodes do ---


@pytest.mark.everywhere
def test_an_event_is_read_once_for_many_steps_and_again_after_one_that_sends(
    service: World, books: Books, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, event = list[int](), workflows.event

    def noting(conn: Connection, business_id: int, number: int) -> tuple[str, str] | None:
        read.append(number)
        return event(conn, business_id, number)

    monkeypatch.setattr(workflows, "event", noting)
    asks = when("balance", "eq", 1)
    saved = flow(
        [on("document.created"), asks, asks, asks, send(HOOK), asks, LOG],
        [(1, 2), (2, 3, "true"), (3, 4, "true"), (4, 5, "true"), (5, 6), (6, 7, "true")],
    )
    enabled(books, saved)
    for amount in ("1.00", "2.00"):
        books.document(DAY, amount)
    assert {ran.status for ran in advance(service, receiver)} == {"completed"}
    first, second = sorted(set(read))
    assert Counter(read) == {first: 2, second: 1}


def test_a_graph_is_followed_as_its_conditions_say(service: World, books: Books, receiver: Receiver) -> None:
    seen = books.tag("large")
    saved = flow(
        [on("document.created"), when("balance", "gte", 100), tag(seen), send(HOOK, body={"a": 1.50}), FLAG],
        [(1, 2), (2, 3, "true"), (2, 4, "false"), (3, 5)],
    )
    workflow = enabled(books, saved)
    small, large = (books.document(DAY, amount)["id"] for amount in ("99.99", "100.00"))
    advance(service, receiver)
    first, second = listed(books, workflow)
    assert states(first) == ["completed", "completed", "skipped", "completed", "skipped"]
    assert states(second) == ["completed", "completed", "completed", "skipped", "completed"]
    assert [run["node_runs"][uuid(2)]["output"] for run in (first, second)] == [{"result": False}, {"result": True}]
    assert second["node_runs"][uuid(3)]["output"] == {"document_id": large, "changed": True}
    assert books.listed(tags=str(seen)) == books.listed(is_flagged="true") == [large] != [small]
    (sent,) = receiver.taken
    assert (sent.method, sent.url, sent.body) == ("POST", HOOK, b'{"a":1.5}')
    output = first["node_runs"][uuid(4)]["output"]
    assert output == {"idempotency_key": sent.key, "attempts": 1, "status": 204}


@pytest.mark.parametrize(
    ("method", "body", "sent"),
    [
        (
            "POST",
            {"z": Decimal("1.50"), "a": [2**70, True, None, {}], "é": 'ü"\n', "event": "{{ id }}"},
            '{"z":1.50,"a":[1180591620717411303424,true,null,{}],"é":"ü\\"\\n","event":"{{ id }}"}',
        ),
        ("PUT", "plain text", '"plain text"'),
        ("PATCH", False, "false"),
        ("DELETE", {}, "{}"),
        ("POST", None, None),
        ("GET", {"a": 1}, None),
    ],
)
def test_a_body_is_sent_as_it_stands_in_the_graph(
    service: World, books: Books, receiver: Receiver, method: str, body: object, sent: str | None
) -> None:
    workflow = enabled(books, flow([MANUAL, send(HOOK, method, body)]))
    books.create(f"workflows/{workflow}/runs/", {"input": {"id": 5}})
    advance(service, receiver)
    (taken,) = receiver.taken
    assert (taken.method, taken.url) == (method, HOOK)
    assert (taken.body and taken.body.decode()) == sent


def test_what_is_so_already_is_not_done_again(service: World, books: Books, receiver: Receiver) -> None:
    seen = books.tag("seen")
    workflow = enabled(books, flow([on("document.created"), tag(seen), FLAG]))
    books.document(DAY, "1.00", tag_ids=[seen], is_flagged=True)
    advance(service, receiver)
    (run,) = listed(books, workflow)
    assert [run["node_runs"][uuid(number)]["output"]["changed"] for number in (2, 3)] == [False, False]
    assert trail(books, "document.updated", "document.flagged") == []


def test_after_a_failure_what_hangs_on_it_is_skipped_and_the_rest_goes_on(
    service: World, books: Books, receiver: Receiver
) -> None:
    receiver.answers[HOOK] = Answer(503)
    saved = flow([MANUAL, send(HOOK), LOG, LOG, LOG, LOG], [(1, 2), (2, 3), (3, 4), (1, 5), (5, 4), (5, 6)])
    workflow = enabled(books, saved)
    books.create(f"workflows/{workflow}/runs/")
    (ran,) = advance(service, receiver)
    assert (ran.status, ran.error) == ("failed", "The answer was 503.")
    (run,) = listed(books, workflow)
    assert states(run) == ["completed", "failed", "skipped", "skipped", "completed", "completed"]
    assert (run["last_error"], run["node_runs"][uuid(2)]["error"]) == ("The answer was 503.",) * 2
    assert run["finished_at"]


@pytest.mark.parametrize(
    ("trigger", "said"),
    [
        (MANUAL, "A run by hand has no document."),
        (on("tag.created"), "The event tag.created has no document."),
        (on("document.deleted"), "There is no such document."),
    ],
)
def test_without_a_document_a_node_that_needs_one_fails(
    service: World, books: Books, receiver: Receiver, trigger: dict[str, Any], said: str
) -> None:
    workflow = enabled(books, flow([trigger, FLAG]))
    if trigger is MANUAL:
        books.create(f"workflows/{workflow}/runs/")
    books.tag("x")
    books.send("DELETE", f"document/{books.document(DAY, '1.00')['id']}/")
    assert [(ran.status, ran.error) for ran in advance(service, receiver)] == [("failed", said)]


def test_a_locked_document_is_flagged_and_keeps_its_tags(service: World, books: Books, receiver: Receiver) -> None:
    workflow = enabled(books, flow([on("document.locked"), tag(books.tag("late")), FLAG], [(1, 2), (1, 3)]))
    document = books.document(DAY, "1.00")
    books.act(f"document/{document['id']}/action/lock/")
    (ran,) = advance(service, receiver)
    assert (ran.status, ran.error) == ("failed", f"Document {document['number']} is locked.")
    assert states(listed(books, workflow)[0]) == ["completed", "failed", "completed"]
    after = books.get(f"document/{document['id']}/").body
    assert (after["tag_ids"], after["is_flagged"]) == ([], True)


def test_a_closed_day_keeps_its_documents(service: World, books: Books, receiver: Receiver) -> None:
    document = books.document(DAY, "1.00")["id"]
    workflow = enabled(books, flow([on("document.flagged"), tag(books.tag("late"))]))
    books.act(f"document/{document}/action/flag/")
    (period,) = books.get("period/").body["results"]
    books.act(f"period/{period['id']}/action/lock/")
    (ran,) = advance(service, receiver)
    assert (ran.status, books.get(f"document/{document}/").body["tag_ids"]) == ("failed", [])
    assert listed(books, workflow)[0]["last_error"] == ran.error
    assert "is locked" in str(ran.error)


# --- who may ---


def test_it_takes_what_the_routes_take() -> None:
    assert steps.OF_WORKFLOWS == INTEGRATIONS | ADMIN
    assert steps.OF_BOOKS == BOOKS_WRITE | ADMIN


def test_who_lost_a_permission_does_not_act(service: World, books: Books, receiver: Receiver) -> None:
    clerk = service.user()
    service.permit(clerk, books.business_id, "integration_admin", "bookkeeping_editor")
    theirs = Books(clerk, books.path.split("/")[-2])
    workflow = enabled(theirs, flow([on("document.created"), FLAG, LOG, send(HOOK)], [(1, 2), (1, 3), (1, 4)]))
    results = []
    for keys in (("integration_admin", "bookkeeping_editor"), ("integration_admin",), ("bookkeeping_editor",), None):
        if keys is None:
            service.dismiss(clerk, books.business_id)
        else:
            service.permit(clerk, books.business_id, *keys)
        document = books.document(DAY, "1.00")["id"]
        advance(service, receiver)
        run = listed(books, workflow)[-1]
        is_flagged = books.get(f"document/{document}/").body["is_flagged"]
        results.append((states(run)[1:], is_flagged, len(receiver.taken)))
    assert results == [
        (["completed"] * 3, True, 1),
        (["failed", "completed", "completed"], False, 2),
        (["failed"] * 3, False, 2),
        (["failed"] * 3, False, 2),
    ]
    run = listed(books, workflow)[-1]
    assert run["last_error"] == "Whoever saved this workflow may not change workflows here."
    assert listed(books, workflow)[1]["last_error"] == f"{clerk.email} may not change documents here."


@pytest.mark.everywhere
def test_who_saves_the_graph_or_enables_it_is_who_acts(service: World, books: Books, receiver: Receiver) -> None:
    clerk = service.user()
    service.permit(clerk, books.business_id, "integration_admin")
    theirs = Books(clerk, books.path.split("/")[-2])
    workflow = enabled(books, FLAGGING)
    path = f"workflows/{workflow}/"

    def acted() -> str:
        books.document(DAY, "1.00")
        return next(ran.status for ran in advance(service, receiver))

    said = [acted()]
    for change in (
        lambda: theirs.change(path, name="y", enabled=True),  # changes neither
        lambda: theirs.change(path, react_flow_data=flow([on("document.created"), FLAG, LOG])),
        lambda: books.change(path, enabled=True),  # which it was
        lambda: (books.change(path, enabled=False), books.change(path, enabled=True)),
    ):
        change()
        said.append(acted())
    assert said == ["completed", "completed", "failed", "failed", "completed"]


@pytest.mark.everywhere
def test_documents_of_another_business_are_never_touched(service: World, receiver: Receiver) -> None:
    actor = service.user()
    books, others = open_books(actor), open_books(actor)
    workflow, foreign = enabled(books, FLAGGING), enabled(others, flow([on("contact.created"), LOG]))
    mine, theirs = books.document(DAY, "1.00")["id"], others.document(DAY, "1.00")["id"]
    assert len(advance(service, receiver)) == 1
    assert (books.listed(is_flagged="true"), others.listed(is_flagged="true")) == ([mine], [])
    # an event that names a document of others, as nothing records it
    of = {"business_id": books.business_id, "data": f'{{"id":{theirs}}}'}
    books.document(DAY, "1.00")
    service.database.write(lambda conn: _forge(service, conn, of))
    (ran,) = advance(service, receiver)
    assert (ran.status, ran.error) == ("failed", "There is no such document.")
    assert others.get(f"document/{theirs}/").body["is_flagged"] is False
    assert len(listed(books, workflow)) == 2
    assert listed(others, foreign) == []


def _forge(service: World, conn: Any, of: dict[str, Any]) -> None:
    """Change what the newest event tells; the triggers that forbid it are another test's."""
    newest = "number = (SELECT max(number) FROM event WHERE business_id = :business_id)"
    switch = "ALTER TABLE event DISABLE TRIGGER USER", "ALTER TABLE event ENABLE TRIGGER USER"
    if conn.dialect == "sqlite":
        texts = [
            row[0] for row in conn.fetch("SELECT sql FROM sqlite_master WHERE tbl_name='event' AND type='trigger'")[1]
        ]
        names = [
            row[0] for row in conn.fetch("SELECT name FROM sqlite_master WHERE tbl_name='event' AND type='trigger'")[1]
        ]
        before, after = [f"DROP TRIGGER {name}" for name in names], texts
    else:
        before, after = [switch[0]], [switch[1]]
    for text in before:
        conn.driver.execute(text)
    Statement(f"UPDATE event SET data = :data WHERE business_id = :business_id AND {newest}").run(conn, **of)
    for text in after:
        conn.driver.execute(text)
