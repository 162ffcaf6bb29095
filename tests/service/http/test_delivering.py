"""Threads and processes that deliver: to receivers that do what receivers do, and killed again and again."""

from __future__ import annotations

import base64
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from acctcli.service.cases.webhooks import delivering as cases
from acctcli.service.cases.webhooks.delivering import Delivering
from acctcli.service.http import delivering as lanes_module
from acctcli.service.http.delivering import Lanes
from acctcli.service.http.embedded import open_embedded
from acctcli.service.problems import Unavailable
from acctcli.service.store import events, told
from acctcli.service.store.engine.database import Connection, Database
from acctcli.service.store.moments import stamp
from tests.databases import Factory
from tests.deliverer import lanes_of, up_to
from tests.receiver import Handler, Received, Receiver, always, receiving
from tests.service.actor import Actor, World
from tests.service.routes.books import open_books
from tests.serving import serve
from tests.sizes import sized

SECONDS = 120.0


class Company:
    """A business with subscriptions, in which much happens."""

    def __init__(self, service: World) -> None:
        self.database = service.database
        self.actor: Actor = service.user()
        made = self.actor.create_business()
        self.id: int = made["id"]
        self.path = f"/v1/business/{made['slug']}/webhook_subscriptions/"

    def subscribe(self, target: str) -> Any:
        reply = self.actor.send("POST", self.path, {"name": "x", "target_url": target})
        assert reply.status == 201
        return reply.body

    def happen(self, number: int, text: str = "committed", *, fails: bool = False) -> None:
        """Let so much happen in one transaction, which may be taken back."""

        def work(conn: Connection) -> None:
            for one in range(number):
                data = {"id": one, "text": text}
                events.record(conn, self.id, "document.updated", data, stamp(datetime.now(UTC)))
            if fails:
                raise Unavailable

        with suppress(Unavailable):
            self.database.write(work)

    def statuses(self) -> Counter[tuple[int, str]]:
        statement = "SELECT subscription_id, status FROM webhook_delivery"
        with self.database.read() as conn:
            return Counter((int(lane), str(status)) for lane, status in conn.fetch(statement)[1])

    def counted(self) -> Counter[tuple[int, str]]:
        """Return what is kept of how many there are, which is to be the same."""
        found: Counter[tuple[int, str]] = Counter()
        with self.database.read() as conn:
            for one in told.SUMS.all(conn, business_id=self.id):
                found[one.subscription_id, one.status] += one.number
        return found

    def told(self, subscription: Any, status: str = "delivered") -> int:
        return self.statuses()[subscription["id"], status]


@pytest.fixture
def company(service: World) -> Company:
    service.clock.now = datetime.now(UTC)
    return Company(service)


@contextmanager
def delivering(database: Database) -> Iterator[Lanes]:
    """Deliver for a block."""
    lanes = lanes_of(database)
    thread = threading.Thread(target=lanes.run)
    thread.start()
    try:
        yield lanes
    finally:
        lanes.end()
        thread.join(SECONDS)
        assert not thread.is_alive()


def wait_until(is_so: Callable[[], object]) -> None:
    until = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_another_library_takes_them_for_right(company: Company) -> None:
    number = sized(1000)
    with receiving(always(204)) as receiver, delivering(company.database):
        made = company.subscribe(receiver.base_url)
        company.happen(number)
        wait_until(lambda: company.told(made) == number)
    right, other = Webhook(made["signing_secret"]), Webhook(f"whsec_{base64.b64encode(bytes(24)).decode()}")
    assert len(set(receiver.ids())) == number
    for one in receiver.received:
        assert right.verify(one.body, one.headers) == json.loads(one.body)
        with pytest.raises(WebhookVerificationError):
            right.verify(one.body + b" ", one.headers)
        with pytest.raises(WebhookVerificationError):
            other.verify(one.body, one.headers)


@pytest.mark.parametrize("skew", [-301, 301])
def test_what_was_signed_long_ago_or_ahead_is_refused(company: Company, skew: int) -> None:
    lanes = lanes_of(company.database)
    original: Delivering = lanes._delivering
    moved = Delivering(
        original.database,
        original.installation,
        lambda: datetime.now(UTC) + timedelta(seconds=skew),
        original.entropy,
        original.post,
    )
    with receiving(always(204)) as receiver:
        made = company.subscribe(receiver.base_url)
        company.happen(1)
        (claim,) = moved.turn([], up_to(1)).claims
        assert moved.attempt(claim).is_delivered
    with pytest.raises(WebhookVerificationError, match="timestamp"):
        Webhook(made["signing_secret"]).verify(receiver.received[0].body, receiver.received[0].headers)


@contextmanager
def standing_still(number: int = 1) -> Iterator[list[Receiver]]:
    """Receivers that take deliveries and do not answer before the end of the block."""
    over = threading.Event()

    def stall(handler: Handler, _: Received) -> None:
        over.wait(SECONDS)
        handler.hang_up()

    with ExitStack() as stack:
        receivers = [stack.enter_context(receiving(stall)) for _ in range(number)]
        try:
            yield receivers
        finally:
            over.set()
            for one in receivers:
                one.close_connections()


@pytest.mark.parametrize("number", [1, 40])
def test_receivers_that_stand_still_hold_up_nobody_else(company: Company, number: int) -> None:
    with standing_still() as (dead,), receiving(always(204)) as receiver:
        for _ in range(number):
            company.subscribe(dead.base_url)
        made = company.subscribe(receiver.base_url)
        company.happen(sized(500))
        with delivering(company.database):
            wait_until(lambda: company.told(made) == sized(500))
            # not one of them has been given up by then
            assert not [status for _, status in company.statuses() if status == "failed"]
            assert len(dead.received) <= number


@pytest.mark.everywhere
def test_the_end_does_not_wait_for_them_and_others_may_go_on_at_once(company: Company) -> None:
    with standing_still() as (dead,):
        made = company.subscribe(dead.base_url)
        company.happen(5)
        with delivering(company.database) as lanes:
            wait_until(lambda: dead.received)
            lanes.end()
        again = lanes_of(company.database)._delivering
        claims = again.turn([], up_to(10)).claims
        assert len(claims) == 5
        assert company.statuses() == {(made["id"], "waiting"): 5}


def test_once_is_all_that_is_due_now(company: Company) -> None:
    with receiving(always(204)) as receiver, receiving(always(500)) as broken:
        good, bad = company.subscribe(receiver.base_url), company.subscribe(broken.base_url)
        company.happen(50)
        lanes = lanes_of(company.database)
        lanes.run_once()
    # the first one is also told of the second
    assert (lanes.delivered, lanes.refused) == (51, 50)
    assert (company.told(good), company.told(bad, "waiting")) == (51, 50)


def test_once_does_not_wait_long_for_who_takes_their_time(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "SLOW_SECONDS", 0.2)
    with standing_still() as (dead,), receiving(always(204)) as receiver:
        bad, good = company.subscribe(dead.base_url), company.subscribe(receiver.base_url)
        company.happen(50)
        lanes = lanes_of(company.database, 0.5)
        lanes.run_once()
    assert (lanes.delivered, lanes.refused) == (50, 1)
    assert company.statuses() == {(good["id"], "delivered"): 50, (bad["id"], "waiting"): 51}


def test_once_ends_when_its_time_is_over(company: Company) -> None:
    with receiving(always(204)) as receiver:
        made = company.subscribe(receiver.base_url)
        company.happen(3)
        lanes = lanes_of(company.database)
        lanes.run_once(0.0)
        assert (lanes.is_cut_short, lanes.delivered, lanes.refused, receiver.received) == (True, 0, 0, [])
        assert company.statuses() == {(made["id"], "waiting"): 3}
        again = lanes_of(company.database)
        again.run_once(SECONDS)
        assert (again.is_cut_short, again.delivered) == (False, 3)
        # with nothing left there is nothing to cut
        again.run_once(0.0)
        assert not again.is_cut_short


@pytest.mark.everywhere
def test_a_database_that_refuses_is_asked_again(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes_module, "TROUBLE_SECONDS", 0.01)
    turns: list[int] = []
    usual = Delivering.turn

    def turn(self: Delivering, *given: Any) -> Any:
        turns.append(1)
        if len(turns) % 2:
            raise Unavailable
        return usual(self, *given)

    monkeypatch.setattr(Delivering, "turn", turn)
    with receiving(always(204)) as receiver:
        made = company.subscribe(receiver.base_url)
        company.happen(20)
        with delivering(company.database):
            wait_until(lambda: company.told(made) == 20)


def test_what_the_system_grants_no_thread_for_is_given_back(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few attempts may begin, and then none for a while."""
    monkeypatch.setattr(lanes_module, "TROUBLE_SECONDS", 0.01)
    usual, begun = threading.Thread.start, Counter[str]()

    def start(self: threading.Thread) -> None:
        is_attempt = getattr(getattr(self, "_target", None), "__name__", "") == "_attempt"
        if is_attempt and (number := begun.total()) < 30:
            begun["attempt"] += 1
            if number % 3 == 2:
                raise RuntimeError("can't start new thread")
        usual(self)

    with receiving(always(204)) as receiver:
        made = company.subscribe(receiver.base_url)
        company.happen(30)
        lanes = lanes_of(company.database)
        thread = threading.Thread(target=lanes.run)
        thread.start()
        monkeypatch.setattr(threading.Thread, "start", start)
        wait_until(lambda: company.told(made) == 30)
        monkeypatch.undo()
        lanes.end()
        thread.join(SECONDS)
    assert begun.total() == 30
    assert len(set(receiver.ids())) == 30


def test_an_attempt_that_breaks_has_failed_and_gives_its_place_back(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    def attempt(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    broken: list[object] = []
    monkeypatch.setattr(threading, "excepthook", broken.append)
    monkeypatch.setattr(Delivering, "attempt", attempt)
    made = company.subscribe("http://127.0.0.1:1/")
    company.happen(3)
    lanes = lanes_of(company.database)
    thread = threading.Thread(target=lanes.run_once, daemon=True)
    thread.start()
    thread.join(SECONDS / 4)
    assert not thread.is_alive()
    wait_until(lambda: len(broken) == 3)
    assert (lanes.delivered, lanes.refused) == (0, 3)
    assert company.statuses() == {(made["id"], "waiting"): 3}


@pytest.mark.everywhere
def test_a_served_service_ends_though_somebody_stands_still(factory: Factory, tmp_path: Path) -> None:
    url = factory.fresh()
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(tmp_path), "ACCTCLI_CONFIG_DIR": str(tmp_path)}
    given = ("--workers", "2", "--deliver", "--allow-private-targets")
    with (
        open_embedded(tmp_path / "local", url) as service,
        httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://x", trust_env=False) as client,
        standing_still() as (dead,),
        receiving(always(204)) as receiver,
    ):
        books = open_books(Actor(client, 1, "", service.token), slug="birches")
        for one in (dead, receiver):
            books.create("webhook_subscriptions/", {"name": "x", "target_url": one.base_url})
        books.create("tags/", {"name": "x"})
        with serve({**environ, "ACCTCLI_DATABASE_URL": url}, *given):
            wait_until(lambda: dead.received and receiver.received)
        listed = books.get("webhook_subscriptions/deliveries/").body["results"]
    # nobody waited for an answer: what was under way is attempted again, and is due at once
    assert {(one["subscription_id"], one["status"], one["attempts"]) for one in listed} == {
        (1, "waiting", 0),
        (2, "delivered", 1),
    }
