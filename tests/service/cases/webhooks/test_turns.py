"""What a turn keeps of attempts, for all processes, and whom it makes deliveries for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from acctcli.service.cases.webhooks import delivering
from acctcli.service.cases.webhooks.delivering import Delivering, Ended
from acctcli.service.problems import Unavailable
from acctcli.service.store import deliveries
from acctcli.service.store.deliveries import QUICK, STALLED, Lane
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.moments import stamp
from tests.databases import Factory, opened
from tests.deliverer import up_to
from tests.service.actor import World, world
from tests.service.cases.webhooks.test_delivering import PATH, Shop

IN_TIME, LATE = 3.0, 3.001


@pytest.fixture
def shop(service: World) -> Shop:
    return Shop(service)


def answers(shop: Shop) -> int:
    with shop.world.database.read() as conn:
        return int(conn.fetch("SELECT answers FROM webhook_position ORDER BY subscription_id")[1][0][0])


def hear(shop: Shop, *outcomes: dict[str, Any]) -> int:
    """Let attempts end like this, one of each in the same turn, and return what is kept of the answers."""
    for _ in outcomes:
        shop.tag(f"tag {shop.world.entropy(4).hex()}")
    claims = shop.claim(len(outcomes))
    assert len(claims) == len(outcomes)
    shop.delivering.turn([Ended(claim, **one) for claim, one in zip(claims, outcomes, strict=True)], lambda _: {})
    return answers(shop)


@pytest.mark.everywhere
def test_answers_in_time_count_whatever_they_say(shop: Shop) -> None:
    assert answers(shop) == 0
    assert hear(shop, {"status": 204}) == 1
    assert hear(shop, {"status": 500}, {"status": 404, "seconds": IN_TIME}) == 3
    assert hear(shop, *[{"status": 200}] * 20) == QUICK
    assert hear(shop, {"status": 200}) == QUICK


@pytest.mark.together
@pytest.mark.parametrize("outcome", [{"error": "timeout", "seconds": 15.0}, {"status": 200, "seconds": LATE}])
def test_one_that_stood_still_begins_far_below_a_new_one(shop: Shop, outcome: dict[str, Any]) -> None:
    assert hear(shop, *[{"status": 200}] * 20) == QUICK
    assert hear(shop, {"status": 200}, outcome, {"status": 200}) == STALLED
    assert hear(shop, {"status": 200}) == STALLED + 1
    assert hear(shop, *[{"status": 200}] * 8) == 1


@pytest.mark.everywhere
def test_what_fails_at_once_says_nothing(shop: Shop) -> None:
    refused = {"error": "connection_refused"}
    assert hear(shop, refused) == 0
    assert hear(shop, {"status": 200}, refused) == 1
    assert hear(shop, refused) == 1


def test_another_process_knows_how_a_receiver_answered(shop: Shop, database_url: str) -> None:
    hear(shop, *[{"status": 200}] * 5)
    shop.tag("next")
    with opened(database_url) as other:
        elsewhere = Delivering(other, shop.world.installation, shop.world.clock, shop.world.entropy, shop.sent)
        seen: list[int] = []

        def look(lanes: Sequence[Lane]) -> dict[int, int]:
            seen.extend(lane.answers for lane in lanes)
            return {}

        elsewhere.turn([], look)
        assert seen == [5]
        (claim,) = elsewhere.turn([], up_to(1)).claims
    assert claim.answers == 5


@pytest.mark.everywhere
def test_another_address_has_to_prove_itself(shop: Shop) -> None:
    hear(shop, *[{"status": 200}] * 5)
    shop.change(name="Other")
    assert answers(shop) == 5
    shop.change(target_url="https://elsewhere.example/")
    assert answers(shop) == 0


def test_another_address_is_no_way_out_for_one_that_stood_still(shop: Shop) -> None:
    assert hear(shop, {"error": "timeout", "seconds": 15.0}) == STALLED
    shop.change(target_url="https://elsewhere.example/")
    assert answers(shop) == STALLED


def test_the_end_of_a_subscription_and_what_ended_it_are_kept_together(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever dies between the two would leave a subscription active that nothing is attempted at any more."""

    def breaks(*_: object) -> None:
        raise Unavailable

    shop.tag()
    (claim,) = shop.claim()
    monkeypatch.setattr(delivering, "deactivate", breaks)
    with pytest.raises(Unavailable):
        shop.delivering.turn([Ended(claim, 410)], lambda _: {})
    assert [(one["status"], one["attempts"]) for one in shop.listed()] == [("waiting", 0)]
    monkeypatch.undo()
    shop.delivering.turn([Ended(claim, 410)], lambda _: {})
    assert [(one["status"], one["last_status"]) for one in shop.listed()] == [("failed", 410)]
    assert not shop.books.get(f"{PATH}{shop.made['id']}/").body["is_active"]


def test_one_that_is_gone_with_its_business_ends_nothing(shop: Shop) -> None:
    shop.tag()
    (claim,) = shop.claim()
    assert shop.books.send("DELETE", "").status == 204
    assert shop.delivering.turn([Ended(claim, 410)], lambda _: {}).claims == []


@pytest.mark.everywhere
def test_who_is_behind_by_little_waits_for_nobody_who_is_behind_by_much(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those whose receivers take all at once are behind again at once; neither they nor others are left out."""
    monkeypatch.setattr(deliveries, "PORTION", 1)
    many = [shop.subscribe()["id"] for _ in range(32)]
    for number in range(5):
        shop.tag(f"before {number}")
    late = shop.subscribe()["id"]
    shop.tag("last")
    first = {claim.subscription_id for claim in shop.claim()}
    assert late in first
    assert len(first) == 16
    # the subscriptions that were made are events, too
    assert first & {shop.made["id"], *many}


@pytest.mark.everywhere
def test_a_business_with_many_subscriptions_holds_up_no_other_one(shop: Shop) -> None:
    """As many as are made deliveries for at once, and more; of its own those that stood still come last."""
    for _ in range(40):
        shop.subscribe()
    still = "UPDATE webhook_position SET answers = -8 WHERE subscription_id = 1"
    shop.world.database.write(lambda conn: conn.run(still))
    other = Shop(shop.world)
    shop.tag()
    other.tag()
    with shop.world.database.read() as conn:
        chosen = [one.subscription_id for one in deliveries.LEAST_BEHIND.all(conn, now=stamp(shop.world.clock.now))]
    assert chosen.index(other.made["id"]) < 2
    assert shop.made["id"] not in chosen
    turns = [shop.delivering.turn([], lambda _: {}).has_made for _ in range(5)]
    # of 42 subscriptions 16 in each
    assert turns == [True, True, True, False, False]


def test_events_become_deliveries_of_each_in_transactions_of_bounded_size(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "PORTION", 3)
    for _ in range(24):
        shop.subscribe()
    for number in range(10):
        shop.tag(f"tag {number}")
    waiting = shop.delivering.count_due()
    made: list[int] = []
    write = shop.world.database.write

    def count(conn: Connection) -> int:
        return int(conn.fetch("SELECT count(*) FROM webhook_delivery")[1][0][0])

    def watched(work: Any, **more: Any) -> Any:
        def counted(conn: Connection) -> Any:
            before = count(conn)
            done = work(conn)
            made.append(count(conn) - before)
            return done

        return write(counted, **more)

    monkeypatch.setattr(shop.world.database, "write", watched)
    shop.delivering.catch_up()
    assert sum(made) == waiting
    assert max(made) == 3


@pytest.mark.everywhere
def test_what_happens_while_one_catches_up_is_left_for_another_time(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else nobody would ever have caught up with a business in which something happens all the time."""
    advance = deliveries.advance
    shop.tag("one")
    calls: list[int] = []

    def busy(*given: Any) -> bool:
        calls.append(1)
        done = advance(*given)
        if len(calls) < 20:
            given[0].run("UPDATE trail_head SET number = number + 1")
        return done

    monkeypatch.setattr(deliveries, "advance", busy)
    shop.delivering.catch_up()
    assert len(calls) == 1


@pytest.mark.everywhere
def test_two_that_take_at_once_wait_for_nobody_and_take_others(postgres_factory: Factory) -> None:
    """What one has locked and not told of yet, another one leaves out."""
    url = postgres_factory.fresh()
    with opened(url) as database, opened(url) as other, world(database) as service:
        shop = Shop(service)
        for number in range(4):
            shop.tag(f"tag {number}")
        shop.delivering.turn([], lambda _: {})
        taken, done = threading.Event(), threading.Event()
        found: dict[str, list[int]] = {}

        def take(conn: Connection, name: str, most: int) -> None:
            now, lease = "2100", "2101"
            found[name] = [one.id for one in deliveries.claim(conn, shop.made["id"], now, lease, most)]

        def first(conn: Connection) -> None:
            take(conn, "first", 2)
            taken.set()
            assert done.wait(60)

        holder = threading.Thread(target=database.write, args=[first])
        holder.start()
        try:
            assert taken.wait(60)
            quick = threading.Thread(target=other.write, args=[lambda conn: take(conn, "second", 4)])
            quick.start()
            quick.join(20)
            assert not quick.is_alive()
        finally:
            done.set()
            holder.join()
            quick.join()
        assert (len(found["first"]), len(found["second"])) == (2, 2)
        assert not {*found["first"]} & {*found["second"]}
