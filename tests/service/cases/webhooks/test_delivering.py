"""From events to deliveries and attempts: which there are, when, to whom, and what is said (docs/interface.md 11.6)."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.signature import find_fault, read_secret, sign
from acctcli.models.webhook import WebhookDelivery
from acctcli.service.cases.pruning import Pruning
from acctcli.service.cases.webhooks.delivering import LEASE, Delivering, Ended
from acctcli.service.delivery.posting import Body
from acctcli.service.delivery.requests import AGENT
from acctcli.service.delivery.targets import Refused
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.store import deliveries
from acctcli.service.store.deliveries import Claim
from tests.databases import Factory, opened
from tests.deliverer import up_to
from tests.replies import check_reply
from tests.service.actor import World, world
from tests.service.routes.books import Books, open_books

PATH = "webhook_subscriptions/"
TARGET = "https://shop.example/events"


@dataclass
class Sent:
    """A receiver that answers as it is told, and remembers."""

    answers: list[int | str] = field(default_factory=list)
    posts: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    def __call__(self, url: str, headers: Mapping[str, str], body: Body) -> int:
        self.posts.append((url, dict(headers), bytes(body)))
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, str):
            raise Refused(answer)
        return answer


class Shop:
    """A business, a subscription of it, and who delivers."""

    def __init__(self, world: World, **more: Any) -> None:
        self.world = world
        self.books = open_books(world.user())
        self.made = self.subscribe(**more)
        self.sent = Sent()
        self.delivering = Delivering(world.database, world.installation, world.clock, world.entropy, self.sent)

    def subscribe(self, **more: Any) -> Any:
        return self.books.create(PATH, {"name": "Shop", "target_url": TARGET, **more})

    def change(self, **fields: Any) -> None:
        assert self.books.send("PATCH", f"{PATH}{self.made['id']}/", fields).status == 200

    def claim(self, most: int = 1000) -> list[Claim]:
        return self.delivering.turn([], up_to(most)).claims

    def attempt(self) -> list[Ended]:
        """Attempt all that is due, and keep what came of it."""
        ended = list(map(self.delivering.attempt, self.claim()))
        self.delivering.turn(ended, lambda _: {})
        return ended

    def listed(self, **query: str) -> list[WebhookDelivery]:
        listed: list[WebhookDelivery] = self.books.get(f"{PATH}deliveries/", **query).body["results"]
        return listed

    def tag(self, name: str = "one") -> Any:
        return self.books.create("tags/", {"name": name})


@pytest.fixture
def shop(service: World) -> Shop:
    return Shop(service)


def recorded(books: Books) -> list[tuple[int, str]]:
    return [(one["id"], one["type"]) for one in books.get("audit/", page_size="200").body["results"]]


def test_a_delivery_says_what_happened_signed_and_as_whom(service: World) -> None:
    shop = Shop(service, basic_auth_username="bücher", basic_auth_password="se:same")
    tag = shop.tag()
    number, _ = recorded(shop.books)[0]
    (ended,) = shop.attempt()
    ((url, headers, body),) = shop.sent.posts
    assert url == TARGET
    assert json.loads(body) == {
        "id": number,
        "type": "tag.created",
        "timestamp": tag["created_at"],
        "business_slug": shop.books.get("").body["slug"],
        "data": tag,
    }
    now = int(service.clock.now.timestamp())
    key = read_secret(shop.made["signing_secret"])
    assert headers == {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "webhook-id": f"evt_{number}",
        "webhook-timestamp": str(now),
        "webhook-signature": sign(key, f"evt_{number}", now, body),
        "Authorization": f"Basic {base64.b64encode('bücher:se:same'.encode()).decode()}",
    }
    assert AGENT.startswith("acctcli-local/")
    (shown,) = shop.listed()
    check_reply(WebhookDelivery, shown)
    assert shown == {
        "id": ended.claim.id,
        "subscription_id": shop.made["id"],
        "event_id": number,
        "event_type": "tag.created",
        "status": "delivered",
        "attempts": 1,
        "next_attempt_at": None,
        "last_attempt_at": shown["updated_at"],
        "last_status": 204,
        "last_error": None,
        "created_at": tag["created_at"],
        "updated_at": shown["updated_at"],
    }


def test_the_example_of_the_signature() -> None:
    secret, body = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3", b'{"type":"sales_invoice.accepted"}'
    made = sign(read_secret(secret), "msg_1", 1767225600, body)
    assert made == "v1,IM2rM20mFFrKLHz3wCzrII8dNNV666f1q1lZDJFoidc="
    assert find_fault(read_secret(secret), "msg_1", "1767225600", made, body, 1767225600 + 301) is not None


def test_each_event_is_one_delivery_of_each_that_was_active_then(shop: Shop) -> None:
    shop.tag("before")
    other, asleep = shop.subscribe(), shop.subscribe(is_active=False)
    shop.tag("after")
    shop.attempt()
    shop.books.send("PATCH", f"{PATH}{asleep['id']}/", {"is_active": True})
    shop.tag("last")
    shop.attempt()
    numbers = {type_: number for number, type_ in reversed(recorded(shop.books))}
    assert numbers
    told = {
        one["id"]: [(row["event_type"], row["status"]) for row in reversed(shop.listed(subscription=str(one["id"])))]
        for one in (shop.made, other, asleep)
    }
    tags, changes = ("tag.created", "delivered"), ("webhook_subscription.created", "delivered")
    awake = ("webhook_subscription.updated", "delivered")
    # nobody is told of their own beginning, nor of what happened while they were asleep
    assert told == {
        shop.made["id"]: [tags, changes, changes, tags, awake, tags],
        other["id"]: [changes, tags, awake, tags],
        asleep["id"]: [tags],
    }


def test_what_was_rolled_back_or_changed_nothing_is_told_to_nobody(shop: Shop) -> None:
    tag = shop.tag()
    assert shop.books.send("POST", "tags/", {"name": "one"}).status == 400
    document = shop.books.create("document/", {"date": "2026-03-15", "description": "x"})
    before = len(recorded(shop.books))
    shop.books.act(f"document/{document['id']}/action/unflag/")
    assert len(recorded(shop.books)) == before + 1
    assert recorded(shop.books)[0][1] == "document.unchanged"
    shop.attempt()
    assert [json.loads(body)["type"] for _, _, body in shop.sent.posts] == ["tag.created", "document.created"]
    assert json.loads(shop.sent.posts[0][2])["data"] == tag


@pytest.mark.everywhere
def test_an_attempt_that_fails_is_repeated_and_says_the_same(shop: Shop) -> None:
    shop.tag()
    shop.sent.answers = [500, "timeout", 302, "connection_refused", 404, "tls_failed", 429]
    waits = [5, 300, 1_800, 7_200, 18_000, 36_000]
    for attempt, wait in enumerate([*waits, None], 1):
        (ended,) = shop.attempt()
        shown = shop.listed()[0]
        assert (shown["attempts"], shown["last_status"], shown["last_error"]) == (attempt, ended.status, ended.error)
        if wait is None:
            break
        assert shown["status"] == "waiting"
        shop.world.clock.move(timedelta(seconds=wait, microseconds=-1))
        assert shop.claim() == []
        shop.world.clock.move(timedelta(microseconds=1))
        # the business may have another name by then
        assert shop.books.send("PATCH", "", {"slug": f"slug{attempt}"}).status == 200
        shop.books.path = f"/v1/business/slug{attempt}/"
        shop.delivering.database.write(lambda conn: conn.run("UPDATE webhook_position SET number = number + 1"))
    assert (shown["status"], shown["next_attempt_at"]) == ("failed", None)
    shop.world.clock.move(timedelta(days=30))
    assert shop.attempt() == []
    assert len({body for _, _, body in shop.sent.posts}) == 1
    assert len({headers["webhook-id"] for _, headers, _ in shop.sent.posts}) == 1
    assert len({headers["webhook-timestamp"] for _, headers, _ in shop.sent.posts}) == 7


@pytest.mark.everywhere
def test_the_next_attempt_goes_where_the_subscription_is_now(shop: Shop) -> None:
    shop.tag()
    shop.sent.answers = [500]
    shop.attempt()
    shop.change(target_url="https://elsewhere.example/", basic_auth_username="till")
    shop.world.clock.move(timedelta(seconds=5))
    shop.attempt()
    again = [(url, headers.get("Authorization")) for url, headers, body in shop.sent.posts if b'"tag.created"' in body]
    assert again == [(TARGET, None), ("https://elsewhere.example/", "Basic dGlsbDo=")]


@pytest.mark.everywhere
@pytest.mark.parametrize("how", ["inactive", "deleted"])
def test_what_waits_ends_with_its_subscription(shop: Shop, how: str) -> None:
    shop.tag()
    shop.sent.answers = [500]
    shop.attempt()
    shop.tag("two")
    (claim,) = shop.claim()
    if how == "inactive":
        shop.change(is_active=False)
    else:
        assert shop.books.send("DELETE", f"{PATH}{shop.made['id']}/").status == 204
    # what is under way ends, and is not told any more
    shop.delivering.turn([shop.delivering.attempt(claim)], lambda _: {})
    shop.tag("three")
    shop.world.clock.move(timedelta(days=1))
    assert shop.attempt() == []
    assert [one["status"] for one in shop.listed()] == ["cancelled", "cancelled"]
    assert {one["next_attempt_at"] for one in shop.listed()} == {None}


@pytest.fixture
def shop_of_many_writers(postgres_factory: Factory) -> Iterator[Shop]:
    with opened(postgres_factory.fresh()) as database, world(database) as made:
        yield Shop(made)


@pytest.mark.parametrize("how", ["inactive", "deleted"])
def test_nothing_is_made_for_one_that_ends_while_deliveries_are_made(
    shop_of_many_writers: Shop, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the moment at which it is seen to be behind and the one at which its deliveries are made."""
    shop, advance = shop_of_many_writers, deliveries.ADVANCE

    class Late:
        def run(self, *given: Any, **values: Any) -> int:
            if how == "inactive":
                shop.change(is_active=False)
            else:
                assert shop.books.send("DELETE", f"{PATH}{shop.made['id']}/").status == 204
            return advance.run(*given, **values)

    shop.tag()
    monkeypatch.setattr(deliveries, "ADVANCE", Late())
    assert shop.claim() == []
    monkeypatch.undo()
    if how == "inactive":
        shop.change(is_active=True)
    assert shop.attempt() == []
    assert shop.listed() == []


@pytest.mark.everywhere
def test_a_receiver_that_is_gone_says_nothing_of_the_next_one(shop: Shop) -> None:
    shop.tag()
    (claim,) = shop.claim()
    shop.sent.answers = [410]
    ended = shop.delivering.attempt(claim)
    shop.change(target_url="https://elsewhere.example/")
    shop.delivering.turn([ended], lambda _: {})
    assert shop.books.get(f"{PATH}{shop.made['id']}/").body["is_active"]


def test_gone_makes_a_subscription_inactive(shop: Shop) -> None:
    shop.tag()
    shop.tag("two")
    shop.sent.answers = [410]
    (first, _) = shop.claim()
    shop.delivering.turn([shop.delivering.attempt(first)], lambda _: {})
    assert not shop.books.get(f"{PATH}{shop.made['id']}/").body["is_active"]
    assert sorted(one["status"] for one in shop.listed()) == ["cancelled", "failed"]
    record = shop.books.get("audit/").body["results"][0]
    assert (record["type"], record["via"], record["operation"]) == ("webhook_subscription.updated", "timer", "delivery")
    assert shop.books.get("audit/verification/").body["faults"] == []


def test_whoever_dies_leaves_what_they_took_to_others_after_a_while(shop: Shop) -> None:
    shop.tag()
    (taken,) = shop.claim()
    shop.world.clock.move(LEASE - timedelta(microseconds=1))
    assert shop.claim() == []
    shop.world.clock.move(timedelta(microseconds=1))
    (again,) = shop.claim()
    assert again.id == taken.id
    # who was thought to be dead tells nothing any more
    shop.delivering.turn([Ended(taken, 500)], lambda _: {})
    assert shop.listed()[0]["attempts"] == 0
    shop.delivering.turn([Ended(again, 200)], lambda _: {})
    assert (shop.listed()[0]["attempts"], shop.listed()[0]["status"]) == (1, "delivered")


@pytest.mark.everywhere
def test_what_is_given_back_is_due_at_once(shop: Shop) -> None:
    shop.tag()
    shop.delivering.give_back(shop.claim())
    assert len(shop.claim()) == 1


def test_a_secret_of_another_key_is_sent_to_nobody(shop: Shop) -> None:
    shop.tag()
    other = InstallationKey(lambda: bytes(32))
    stranger = Delivering(shop.world.database, other, shop.world.clock, shop.world.entropy, shop.sent)
    (claim,) = shop.claim()
    assert stranger.attempt(claim) == Ended(claim, error="secret_unreadable")
    assert shop.sent.posts == []


def test_attempts_are_not_in_the_trail(shop: Shop) -> None:
    shop.tag()
    before = recorded(shop.books)
    shop.sent.answers = [500]
    shop.attempt()
    shop.world.clock.move(timedelta(seconds=5))
    shop.attempt()
    assert recorded(shop.books) == before


@pytest.mark.everywhere
def test_a_deleted_business_is_told_of_nothing(shop: Shop) -> None:
    shop.tag()
    assert shop.books.send("DELETE", "").status == 204
    assert shop.attempt() == []
    with shop.world.database.read() as conn:
        assert conn.fetch("SELECT count(*) FROM webhook_delivery")[1] == [(0,)]


@pytest.mark.everywhere
def test_many_events_become_deliveries_in_portions(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.service.store.deliveries.PORTION", 2)
    names = [f"tag {number}" for number in range(7)]
    for name in names:
        shop.tag(name)
    assert shop.delivering.count_due() == 7
    assert [len(shop.claim()) for _ in range(5)] == [2, 2, 2, 1, 0]
    assert not shop.delivering.is_any_work()
    assert shop.delivering.count_due() == 0


def test_what_ended_long_ago_is_forgotten(shop: Shop) -> None:
    shop.tag()
    shop.attempt()
    shop.tag("waits")
    shop.claim()
    for days, left in ((90, 2), (1, 1)):
        shop.world.clock.move(timedelta(days=days))
        Pruning(shop.world.database, shop.world.clock.now).run()
        assert len(shop.listed()) == left
    assert shop.listed()[0]["status"] == "waiting"


@pytest.mark.everywhere
def test_what_waits_is_never_forgotten_and_neither_is_an_event(shop: Shop) -> None:
    """One that failed before, one that somebody has taken and not told of, and an event that is no delivery yet."""
    shop.tag("failed")
    shop.sent.answers = [500]
    shop.attempt()
    shop.tag("taken")
    (taken,) = shop.claim()
    shop.tag("told to nobody")
    before = recorded(shop.books)
    shop.world.clock.move(timedelta(days=1000))
    Pruning(shop.world.database, shop.world.clock.now).run()
    assert recorded(shop.books) == before
    assert [(one["status"], one["attempts"]) for one in shop.listed()] == [("waiting", 0), ("waiting", 1)]
    while shop.attempt():
        pass
    told = [json.loads(body)["data"]["name"] for _, _, body in shop.sent.posts]
    assert sorted(told) == ["failed", "failed", "taken", "told to nobody"]
    assert {one["status"] for one in shop.listed()} == {"delivered"}
    assert taken.id in {one["id"] for one in shop.listed()}


@pytest.mark.parametrize("how", ["delivered", "failed", "cancelled"])
def test_however_it_ended_it_is_kept_for_ninety_days_from_then(shop: Shop, how: str) -> None:
    shop.tag()
    shop.sent.answers = [500] * 10
    shop.attempt()
    shop.world.clock.move(timedelta(days=50))
    if how == "delivered":
        shop.sent.answers = []
        shop.attempt()
    elif how == "failed":
        while shop.listed()[0]["status"] == "waiting":
            shop.attempt()
            shop.world.clock.move(timedelta(hours=10))
        shop.world.clock.move(-timedelta(hours=10))
    else:
        assert shop.books.send("DELETE", f"{PATH}{shop.made['id']}/").status == 204
    for days, left in ((89, [how]), (2, [])):
        shop.world.clock.move(timedelta(days=days))
        Pruning(shop.world.database, shop.world.clock.now).run()
        assert [one["status"] for one in shop.listed()] == left


# --- what may be asked ---


@pytest.mark.everywhere
def test_events_are_listed_as_they_are_delivered(shop: Shop) -> None:
    shop.books.create("document/", {"date": "2026-03-15", "description": "x"})
    shop.books.act(f"document/{shop.books.get('document/').body['results'][0]['id']}/action/unflag/")
    shop.tag()
    shop.attempt()
    first, *rest = (json.loads(body) for _, _, body in shop.sent.posts)
    listed = shop.books.get("events/", after=str(first["id"] - 1)).body
    assert listed["results"] == json.loads(json.dumps([first, *rest]), parse_float=Decimal)
    assert [one["type"] for one in listed["results"]] == ["document.created", "tag.created"]
    assert shop.books.get("events/", after=str(first["id"])).body["results"] == rest
    assert shop.books.get("events/", type="tag.created").body["results"] == rest
    assert shop.books.get("events/", after="x").status == 400
    everything = shop.books.get("events/", page_size="200").body
    assert everything["count"] == len(everything["results"]) == len(recorded(shop.books)) - 1
