"""Lists of deliveries and of events say what a walk through the rows finds, whatever became of them before."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import product
from random import Random
from typing import Any

import pytest

from acctcli.service.store import deliveries, events, told
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.soundness import look_through
from acctcli.service.store.moments import stamp
from tests.databases import Factory, at_once, locking, opened
from tests.deliverer import DEATHS, add_up, die_counting, forget
from tests.forks import Fork
from tests.service.actor import World, world
from tests.service.cases.webhooks.test_asking import redelivering
from tests.service.cases.webhooks.test_delivering import PATH, Shop
from tests.service.http.test_delivering import wait_until
from tests.sizes import sized


@pytest.fixture
def shop(service: World) -> Shop:
    return Shop(service)


def clauses(of: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {name: {name: value} for name, value in of.items()}


def rows_of(conn: Connection) -> list[dict[str, Any]]:
    columns, rows = conn.fetch("SELECT * FROM webhook_delivery ORDER BY id DESC")
    return [dict(zip([column[0] for column in columns], row, strict=True)) for row in rows]


def check_deliveries(shop: Shop) -> None:
    """Compare lists, each narrowed by what some delivery is and by what none is, with the rows themselves."""
    fields = {"subscription": "subscription_id", "status": "status", "event": "event_number", "type": "event_type"}
    with shop.world.database.read() as conn:
        rows = rows_of(conn)
        dice, business = Random(len(rows)), shop.books.business_id
        for names in product((False, True), repeat=len(fields)):
            like = dice.choice(rows)
            of = {name: like[field] for (name, field), is_asked in zip(fields.items(), names, strict=True) if is_asked}
            if of.get("event", 0) is None:
                continue
            found = [row for row in rows if all(row[fields[name]] == value for name, value in of.items())]
            for limit, offset in ((100, 0), (3, 2), (2, len(found))):
                listed = told.page(conn, business, clauses(of), limit=limit, offset=offset)
                assert listed == (len(found), found[offset : offset + limit]), of
        assert told.page(conn, business, clauses({"type": "never"}), limit=9, offset=0) == (0, [])
        assert told.page(conn, business + 1, {}, limit=9, offset=0) == (0, [])
        assert list(look_through(conn, "figures")) == []


def test_lists_of_deliveries_follow_all_that_becomes_of_them(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "NOTES", 7)
    dice, database = Random(5), shop.world.database
    others = [shop.subscribe() for _ in range(3)]

    def attempt() -> None:
        shop.sent.answers = dice.choices([204, 500, 404, "timeout"], k=40)
        shop.world.clock.now += timedelta(days=1)
        shop.attempt()

    def switch() -> None:
        path = f"{PATH}{dice.choice([shop.made, *others])['id']}/"
        for is_active in (False, True):
            assert shop.books.send("PATCH", path, {"is_active": is_active}).status == 200

    def begin_anew() -> None:
        with database.read() as conn:
            row = dice.choice(rows_of(conn) or [{"id": 0, "subscription_id": 0}])
        shop.books.send("POST", redelivering(row))

    def forget() -> None:
        before = stamp(shop.world.clock.now - timedelta(days=3))
        assert database.write(lambda conn: deliveries.forget(conn, before, 3)) <= 3

    acts: list[Callable[[], object]] = [
        lambda: shop.tag(f"tag {shop.world.entropy(4).hex()}"),
        attempt,
        switch,
        begin_anew,
        forget,
        lambda: shop.books.create(f"{PATH}{dice.choice(others)['id']}/action/ping/"),
        lambda: database.write(add_up),
    ]
    for act in [*acts, *dice.choices(acts, weights=[4, 5, 1, 2, 2, 2, 1], k=sized(40))]:
        act()
    assert shop.books.send("DELETE", f"{PATH}{others[0]['id']}/").status == 204
    check_deliveries(shop)
    database.write(add_up)
    check_deliveries(shop)


def test_lists_of_more_subscriptions_than_are_put_together_are_walked_through(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "MOST_LANES", 1)
    shop.subscribe()
    shop.tag()
    shop.attempt()
    check_deliveries(shop)


def test_what_was_noted_is_added_up_when_it_is_much(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "NOTES", 4)

    def noted() -> int:
        with shop.world.database.read() as conn:
            return int(conn.fetch("SELECT count(*) FROM webhook_tally_part")[1][0][0])

    for number in range(6):
        shop.tag(f"tag {number}")
        shop.attempt()
    # one more, one less, of each turn that told of something, and one more of each that made something
    assert noted() < 4 + 2
    check_deliveries(shop)


def test_numbers_are_those_of_the_rows_wherever_who_keeps_them_is_killed(factory: Factory) -> None:
    url = factory.fresh()
    with opened(url) as database, world(database) as service:
        shop = Shop(service)
        shop.sent.answers = [204, 500, 204, 404]
        for number in range(4):
            shop.tag(f"tag {number}")
        shop.attempt()
        shop.tag("not told yet")

        def noted() -> int:
            with database.read() as conn:
                return int(conn.fetch("SELECT count(*) FROM webhook_tally_part")[1][0][0])

        before = noted()
        for death in DEATHS:
            assert Fork(die_counting, url, death).wait() == -signal.SIGKILL, death
            assert noted() == before > 0, death
            check_deliveries(shop)

        def is_added_up() -> bool:
            # what the dead had locked is free as soon as the server knows of it
            database.write(add_up)
            return not noted()

        wait_until(is_added_up)
        check_deliveries(shop)
        assert [len(claims) for claims in (shop.claim(), shop.claim())] == [1, 0]
        assert len(shop.listed(type="tag.created")) == 5
        database.write(forget)
        check_deliveries(shop)


@pytest.mark.parametrize("size", [7, 1000])
def test_lists_of_events_are_those_of_a_walk_through_the_trail(
    shop: Shop, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "BLOCK", size)
    dice, business = Random(3), shop.books.business_id
    types = ["tag.created", "tag.updated", "tag.unchanged"]

    def happen(conn: Connection) -> None:
        for kind in dice.choices(types, weights=[5, 1, 3], k=45):
            events.record(conn, business, kind, {"id": 1}, stamp(shop.world.clock.now))

    shop.world.database.write(happen)
    with shop.world.database.read() as conn:
        rows = conn.fetch(f"SELECT number, type FROM event WHERE business_id = {business} ORDER BY number")[1]
        newest = rows[-1][0]
        # what is asked for begins in a block, at its end, at the end of all and behind it
        for after, kind in product((None, 0, 5, 7, 14, 20, newest - 1, newest, newest + 9), (None, *types)):
            of = {name: value for name, value in (("after", after), ("type", kind)) if value is not None}
            found = [
                number
                for number, is_of in rows
                if number > (after or 0) and kind in (None, is_of) and not is_of.endswith(".unchanged")
            ]
            for limit, offset in ((100, 0), (4, 3), (5, 17), (2, len(found))):
                count, listed = told.page_of_events(conn, business, clauses(of), limit=limit, offset=offset)
                numbers = [one["number"] for one in listed]
                assert (count, numbers) == (len(found), found[offset : offset + limit]), of
        if size == 1000:
            assert not conn.fetch("SELECT 1 FROM event_block")[1]


def test_numbers_that_are_not_those_of_the_rows_are_a_fault(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "BLOCK", 2)
    shop.tag()
    shop.tag("two")
    shop.attempt()
    database = shop.world.database
    if database.dialect != "sqlite":
        return
    database.write(lambda conn: conn.run("UPDATE webhook_delivery SET status = 'failed'"))
    database.write(lambda conn: conn.run("UPDATE event_block SET count = count + 1 WHERE until = 2"))
    with database.read() as conn:
        assert [one.text for one in look_through(conn, "figures")] == [
            "it has numbers of deliveries that are not theirs",
            "it has numbers of events that are not theirs",
        ]


def test_numbers_stay_those_of_the_rows_while_many_write_at_once(
    postgres_factory: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told, "NOTES", 3)
    with opened(postgres_factory.fresh()) as database, world(database) as service:
        shop = Shop(service)
        other = shop.subscribe()
        shop.sent.answers = [204, 500, 404] * 20

        def begin_anew() -> None:
            for row in shop.listed(status="delivered")[:2]:
                shop.books.send("POST", redelivering(row))

        acts: list[Callable[[], object]] = [
            lambda: shop.tag(f"tag {service.entropy(4).hex()}"),
            shop.attempt,
            begin_anew,
            lambda: shop.books.create(f"{PATH}{other['id']}/action/ping/"),
            lambda: database.write(lambda conn: deliveries.forget(conn, stamp(service.clock.now), 1)),
        ]
        with ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(act) for act in Random(1).choices(acts, weights=[4, 4, 2, 1, 1], k=60)]:
                done.result()
        check_deliveries(shop)


def test_two_that_add_up_at_once_wait_for_nobody(postgres_factory: Factory) -> None:
    url = postgres_factory.fresh()
    with opened(url) as database, world(database) as service:
        shop = Shop(service)
        shop.tag()
        shop.attempt()
        with locking(url, "SELECT id FROM webhook_tally_part ORDER BY id LIMIT 1 FOR UPDATE") as number:
            at_once(database, lambda conn: told.add_up(conn, is_little=True))
            check_deliveries(shop)
        with database.read() as conn:
            assert conn.fetch("SELECT count(*) FROM webhook_tally_part")[1] == [(number,)] == [(1,)]
