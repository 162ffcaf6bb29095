"""Keyed POSTs: the rules row by row (docs/interface.md 1.6)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from acctcli.service.http import task
from acctcli.service.store import idempotency
from acctcli.service.store.engine.database import Database
from acctcli.service.store.schema.business import business, stored_reply
from acctcli.service.store.schema.events import event
from tests.databases import full, opened
from tests.service.actor import Actor, Reply, World, world
from tests.sizes import sized
from tests.sql import execute

pytestmark = pytest.mark.everywhere

PATH = "/v1/business/"
BODY = {"name": "Test"}
ROUNDS, AT_ONCE = sized(100), 50


@pytest.fixture(scope="module")
def admin(shared: World) -> Actor:
    return shared.user()


@pytest.fixture
def key(shared: World) -> dict[str, str]:
    return {"Idempotency-Key": shared.entropy(16).hex()}


def count(database: Database, table: Any) -> int:
    with database.read() as conn:
        return int(execute(conn, select(func.count()).select_from(table)).scalar_one())


def is_replay(reply: Reply) -> bool:
    return "Idempotent-Replayed: true" in {f"{name.title()}: {value}" for name, value in reply.headers.items()}


def test_the_same_request_gets_the_stored_reply(shared: World, admin: Actor, key: dict[str, str]) -> None:
    before = count(shared.database, business), count(shared.database, event)
    first = admin.send("POST", PATH, BODY, headers=key)
    assert (first.status, "Idempotent-Replayed" in first.headers) == (201, False)
    for _ in range(2):
        again = admin.send("POST", PATH, BODY, headers=key)
        assert (again.status, again.raw, is_replay(again)) == (201, first.raw, True)
        assert again.headers["Content-Type"] == first.headers["Content-Type"]
        assert again.headers["X-Request-Id"] != first.headers["X-Request-Id"]
    assert (count(shared.database, business), count(shared.database, event)) == (
        before[0] + 1,
        before[1] + 3,  # one of the business, two in the trail of the service
    )


@pytest.mark.together
@pytest.mark.parametrize(
    ("path", "body"),
    [
        (PATH, {"name": "Other"}),
        (PATH, {"name": "Test", "form": "FI_OY"}),
        (PATH, None),
        (f"{PATH}?a=1", BODY),
    ],
)
def test_another_request_with_the_key_is_422(
    shared: World, admin: Actor, key: dict[str, str], path: str, body: object
) -> None:
    admin.send("POST", PATH, BODY, headers=key)
    before = count(shared.database, business)
    assert admin.send("POST", path, body, headers=key).error == (422, "idempotency_key_reused")
    assert count(shared.database, business) == before


def test_another_path_with_the_key_is_422(admin: Actor, key: dict[str, str]) -> None:
    slug = admin.send("POST", PATH, BODY, headers=key).body["slug"]
    assert admin.send("POST", f"{PATH}{slug}/identifiers/", BODY, headers=key).error[0] == 422


def test_the_key_is_looked_up_before_the_body_is_read(admin: Actor, key: dict[str, str]) -> None:
    admin.send("POST", PATH, BODY, headers=key)
    assert admin.send("POST", PATH, content=b"{", headers=key).error[0] == 422


def test_a_refusal_is_not_stored(shared: World, admin: Actor, key: dict[str, str]) -> None:
    before = count(shared.database, stored_reply)
    assert admin.send("POST", PATH, {}, headers=key).status == 400
    assert count(shared.database, stored_reply) == before
    repaired = admin.send("POST", PATH, BODY, headers=key)
    assert (repaired.status, is_replay(repaired)) == (201, False)


def test_a_fault_is_not_stored_and_leaves_nothing(
    shared: World, admin: Actor, key: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    before = count(shared.database, business)
    with monkeypatch.context() as broken:
        broken.setattr(idempotency, "store", fail)
        assert admin.send("POST", PATH, BODY, headers=key).status == 500
    assert count(shared.database, business) == before
    assert not is_replay(admin.send("POST", PATH, BODY, headers=key))


def test_after_a_day_the_key_is_new(service: World) -> None:
    actor, headers = service.user(), {"Idempotency-Key": "one"}
    first = actor.send("POST", PATH, BODY, headers=headers)
    service.clock.move(timedelta(hours=24) - timedelta(microseconds=1))
    assert is_replay(actor.send("POST", PATH, BODY, headers=headers))
    service.clock.move(timedelta(microseconds=1))
    second = actor.send("POST", PATH, {"name": "Other"}, headers=headers)
    assert (second.status, is_replay(second)) == (201, False)
    assert second.body["id"] != first.body["id"]
    assert is_replay(actor.send("POST", PATH, {"name": "Other"}, headers=headers))


def test_old_replies_are_swept(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency, "SWEEP", 1)
    actor = service.user()
    actor.send("POST", PATH, BODY, headers={"Idempotency-Key": "old"})
    service.clock.move(timedelta(days=2))
    actor.send("POST", PATH, BODY, headers={"Idempotency-Key": "new"})
    with service.database.read() as conn:
        assert list(execute(conn, select(stored_reply.c.key)).scalars()) == ["new"]


def test_keys_belong_to_users(shared: World, admin: Actor, key: dict[str, str]) -> None:
    first = admin.send("POST", PATH, BODY, headers=key)
    other = shared.user().send("POST", PATH, {"name": "Other"}, headers=key)
    assert (other.status, is_replay(other)) == (201, False)
    assert other.body["id"] != first.body["id"]
    # another token of the same user is the same user
    twin = Actor(admin.client, admin.id, admin.email, shared.token(admin.id))
    assert is_replay(twin.send("POST", PATH, BODY, headers=key))


@pytest.mark.together
@pytest.mark.parametrize("left", [(), ("bookkeeping_editor",)])
def test_who_may_not_do_it_any_more_is_not_answered_again(
    shared: World, admin: Actor, key: dict[str, str], left: tuple[str, ...]
) -> None:
    made, member = admin.create_business(), shared.user()
    path = f"{PATH}{made['slug']}/webhook_subscriptions/"
    body = {"name": "Shop", "target_url": "https://shop.example/"}
    shared.permit(member, made["id"], "integration_admin")
    first = member.send("POST", path, body, headers=key)
    assert (first.status, is_replay(member.send("POST", path, body, headers=key))) == (201, True)
    shared.dismiss(member, made["id"])
    if left:
        shared.permit(member, made["id"], *left)
    again = member.send("POST", path, body, headers=key)
    assert again.error == (403, "permission_denied")
    assert first.body["signing_secret"] not in again.raw.decode()


def test_only_post_knows_the_key(admin: Actor, key: dict[str, str]) -> None:
    slug = admin.create_business()["slug"]
    for name in ("One", "Two"):
        for method in ("PUT", "PATCH"):
            reply = admin.send(method, f"{PATH}{slug}/", {"name": name}, headers=key)
            assert (reply.status, reply.body["name"], is_replay(reply)) == (200, name, False)
    assert admin.send("GET", f"{PATH}{slug}/", headers={"Idempotency-Key": ""}).status == 200


def test_multipart_bodies_are_the_same_whatever_their_boundary(admin: Actor, key: dict[str, str]) -> None:
    headers = {"Authorization": f"Token {admin.token}", **key}
    first, second = (admin.client.post(PATH, files={"name": (None, "Test")}, headers=headers) for _ in range(2))
    assert first.request.headers["Content-Type"] != second.request.headers["Content-Type"]
    assert (second.content, second.headers["Idempotent-Replayed"]) == (first.content, "true")
    other = admin.client.post(PATH, files={"name": (None, "Other")}, headers=headers)
    assert other.status_code == 422


def test_a_report_is_stored_though_it_changes_nothing(admin: Actor, key: dict[str, str]) -> None:
    slug = admin.create_business()["slug"]
    body = {"columns": [{"date_from": "2026-01-01", "date_to": "2026-12-31"}]}
    replies = [admin.send("POST", f"{PATH}{slug}/report/journal/", body, headers=key) for _ in range(2)]
    assert [(reply.status, is_replay(reply)) for reply in replies] == [(200, False), (200, True)]
    assert replies[0].raw == replies[1].raw


@pytest.mark.parametrize("name", ["journal", "income-statement"])
def test_a_report_as_long_as_the_limit_is_stored_and_no_longer_one(
    admin: Actor, key: dict[str, str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = f"{PATH}{admin.create_business()['slug']}/report/{name}/"
    body = {"columns": [{"date_from": "2026-01-01", "date_to": "2026-12-31"}]}
    length = len(admin.send("POST", path, body).raw)
    replayed = []
    for most in (length - 1, length):
        monkeypatch.setattr(task, "MAX_STORED_REPORT", most)
        replayed += [is_replay(admin.send("POST", path, body, headers=key)) for _ in range(2)]
    assert replayed == [False, False, False, True]


def test_a_full_disk_takes_no_report_away(service: World) -> None:
    actor = service.user()
    slug = actor.create_business()["slug"]
    # longer than the room that is left on any page
    key, body = {"Idempotency-Key": "one"}, {"columns": [{"date_at": f"2026-03-{day:02}"} for day in range(1, 32)]}
    path = f"{PATH}{slug}/report/balance-sheet/"
    with full(service.database):
        replies = [actor.send("POST", path, body, headers=headers) for headers in ({}, key, key)]
    assert [(one.status, is_replay(one), one.raw) for one in replies] == [(200, False, replies[0].raw)] * 3


def test_a_replay_of_a_report_does_not_keep_it_longer(service: World) -> None:
    actor, headers = service.user(), {"Idempotency-Key": "one"}
    path = f"{PATH}{actor.create_business()['slug']}/report/journal/"
    body = {"columns": [{"date_from": "2026-01-01", "date_to": "2026-12-31"}]}
    replayed = []
    for _ in range(3):
        replayed.append(is_replay(actor.send("POST", path, body, headers=headers)))
        service.clock.move(timedelta(hours=16))
    assert replayed == [False, True, False]


def test_while_the_first_request_runs_there_is_409(
    admin: Actor, key: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, free = threading.Event(), threading.Event()
    work = idempotency.store

    def slow(*arguments: Any) -> None:
        inside.set()
        assert free.wait(10)
        work(*arguments)

    monkeypatch.setattr(idempotency, "store", slow)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(admin.send, "POST", PATH, BODY, headers=key)
        assert inside.wait(10)
        assert admin.send("POST", PATH, BODY, headers=key).error == (409, "conflict")
        assert admin.send("POST", PATH, {"name": "Other"}, headers=key).error == (409, "conflict")
        free.set()
        assert first.result().status == 201
    assert is_replay(admin.send("POST", PATH, BODY, headers=key))


def test_a_key_holds_up_nobody_but_its_user(shared: World, admin: Actor, key: dict[str, str]) -> None:
    with shared.database.hold(idempotency.claim_number(admin.id, key["Idempotency-Key"])):
        assert admin.send("POST", PATH, BODY, headers=key).error == (409, "conflict")
        assert shared.user().send("POST", PATH, BODY, headers=key).status == 201


@pytest.fixture
def two_processes(database_url: str) -> Iterator[tuple[World, World]]:
    """Two services over one database, as in two processes."""
    with opened(database_url) as one, opened(database_url) as two, world(one) as first, world(two) as second:
        yield first, second


def test_two_services_share_keys(two_processes: tuple[World, World]) -> None:
    one, two = two_processes
    actor = one.user()
    elsewhere = Actor(two.client, actor.id, actor.email, actor.token)
    headers = {"Idempotency-Key": "one"}
    first = actor.send("POST", PATH, BODY, headers=headers)
    assert elsewhere.send("POST", PATH, BODY, headers=headers).raw == first.raw


def test_fifty_at_once_create_one_document(service: World) -> None:
    actor = service.user()
    slug = actor.create_business()["slug"]
    accounts = {one["number"]: one["id"] for one in actor.get(f"{PATH}{slug}/account/?page_size=200")["results"]}
    path = f"{PATH}{slug}/document/"
    rows = [{"account_id": accounts["3000"], "amount": 125, "vat_code": 1, "vat_rate": 25}]
    blueprint = {"debet_account_id": accounts["1910"], "credit_entries": rows}

    def send(number: int) -> Reply:
        body = {"date": "2026-03-02", "description": f"round {number}", "blueprint": blueprint}
        return actor.send("POST", path, body, headers={"Idempotency-Key": f"round {number}"})

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number in range(ROUNDS):
            replies = list(pool.map(send, [number] * AT_ONCE))
            assert {reply.status for reply in replies} <= {201, 409}
            assert len({reply.raw for reply in replies if reply.status == 201}) == 1
            assert sum(reply.status == 201 and not is_replay(reply) for reply in replies) == 1
    listed = actor.get(f"{path}?page_size=200")["results"]
    assert sorted(one["description"] for one in listed) == sorted(f"round {number}" for number in range(ROUNDS))
    assert sorted(one["number"] for one in listed) == sorted(f"260302-{number}" for number in range(1, ROUNDS + 1))
