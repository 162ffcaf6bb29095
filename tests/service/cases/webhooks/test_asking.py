"""What may be asked of deliveries: lists, one more attempt, and a test of whether somebody listens."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acctcli.models.webhook import WebhookDelivery
from tests.replies import check_reply
from tests.service.actor import World
from tests.service.cases.webhooks.test_delivering import PATH, Shop


@pytest.fixture
def shop(service: World) -> Shop:
    return Shop(service)


def redelivering(delivery: Any) -> str:
    return f"{PATH}{delivery['subscription_id']}/deliveries/{delivery['id']}/action/redeliver/"


def recorded_by(shop: Shop, operation: str) -> tuple[str, int]:
    """Return what the trail says of the only request by an operation, as it is found by the kind of its record."""
    of = {"resource": "webhook_subscription", "operation": operation}
    (record,) = shop.books.get("audit/", **of).body["results"]
    return record["type"], record["record_id"]


def test_a_ping_is_a_delivery_of_no_event(shop: Shop) -> None:
    made = shop.books.create(f"{PATH}{shop.made['id']}/action/ping/")
    check_reply(WebhookDelivery, made)
    assert (made["event_id"], made["event_type"], made["status"]) == (None, "webhook.ping", "waiting")
    shop.attempt()
    ((_, headers, body),) = shop.sent.posts
    assert headers["webhook-id"] == f"test_{made['id']}"
    assert json.loads(body) == {
        "id": None,
        "type": "webhook.ping",
        "timestamp": made["created_at"],
        "business_slug": shop.books.get("").body["slug"],
        "data": {},
    }
    # the trail has that it was asked for, which is no event
    assert recorded_by(shop, "POST ping_subscription") == ("webhook_subscription.unchanged", shop.made["id"])
    assert shop.attempt() == []


@pytest.mark.everywhere
@pytest.mark.parametrize("answers", [[200], [410]])
def test_a_delivery_is_made_once_more(shop: Shop, answers: list[int | str]) -> None:
    shop.tag()
    shop.sent.answers = answers
    shop.attempt()
    shop.change(is_active=True)
    (before,) = shop.listed(type="tag.created")
    again = shop.books.act(redelivering(before))
    assert (again["status"], again["attempts"]) == ("waiting", 0)
    assert recorded_by(shop, "POST redeliver_webhook") == ("webhook_subscription.unchanged", shop.made["id"])
    shop.attempt()
    first, *_, last = (post for post in shop.sent.posts if b'"tag.created"' in post[2])
    assert (first[1]["webhook-id"], first[2]) == (last[1]["webhook-id"], last[2])
    (shown,) = shop.listed(type="tag.created")
    assert (shown["id"], shown["status"], shown["attempts"]) == (before["id"], "delivered", 1)


def test_nothing_is_asked_of_an_inactive_or_deleted_one(shop: Shop) -> None:
    shop.tag()
    shop.attempt()
    (made,) = shop.listed()
    shop.change(is_active=False)
    for path in (f"{PATH}{shop.made['id']}/action/ping/", redelivering(made)):
        reply = shop.books.send("POST", path)
        assert reply.error == (412, "precondition_failed")
        assert reply.body["is_active"] == [
            "The webhook subscription is inactive, and nothing is sent to it: make it active first."
        ]
    assert shop.books.send("DELETE", f"{PATH}{shop.made['id']}/").status == 204
    for path in (f"{PATH}{shop.made['id']}/action/ping/", redelivering(made)):
        assert shop.books.send("POST", path).status == 404
    assert shop.books.get(f"{PATH}{shop.made['id']}/deliveries/").status == 404
    assert len(shop.listed(subscription=str(shop.made["id"]))) == 1


@pytest.mark.everywhere
def test_deliveries_are_listed_by_what_is_asked(shop: Shop) -> None:
    shop.tag()
    shop.sent.answers = [500]
    shop.attempt()
    shop.tag("two")
    shop.attempt()
    of_one = f"{PATH}{shop.made['id']}/deliveries/"
    first, second = reversed(shop.listed())
    assert shop.books.get(of_one).body["results"] == [second, first]
    assert shop.books.get(of_one, status="waiting").body["results"] == [first] == shop.listed(status="waiting")
    assert shop.listed(event=str(second["event_id"])) == [second]
    assert shop.listed(type="tag.deleted") == []
    assert shop.books.get(f"{PATH}deliveries/", status="lost").status == 400


def test_deliveries_of_others_are_not_there(shop: Shop) -> None:
    shop.tag()
    shop.attempt()
    other = Shop(shop.world)
    assert other.listed() == []
    (made,) = shop.listed()
    assert other.books.send("POST", redelivering(made)).status == 404
    assert other.books.send("POST", redelivering({**made, "subscription_id": other.made["id"]})).status == 404
    assert other.books.send("POST", f"{PATH}{shop.made['id']}/action/ping/").status == 404
