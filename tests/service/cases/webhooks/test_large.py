"""Records that are large: told like others, and held by nobody while their receivers stand still."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from acctcli.models.signature import read_secret, sign
from acctcli.service.cases.webhooks.delivering import Ended
from acctcli.service.delivery.posting import Body
from acctcli.service.problems import Unavailable
from acctcli.service.store import deliveries, events
from acctcli.service.store.deliveries import MOST_HELD
from acctcli.service.store.moments import stamp
from tests.service.actor import World
from tests.service.cases.webhooks.test_delivering import Shop


@pytest.fixture
def shop(service: World) -> Shop:
    return Shop(service)


def happen(shop: Shop, length: int) -> str:
    """Record what is so long as JSON, of letters that take two bytes; return the text in it."""
    text = "ä" * (length - len('{"text":""}'))
    now = stamp(shop.world.clock.now)
    shop.world.database.write(
        lambda conn: events.record(conn, shop.books.business_id, "document.updated", {"text": text}, now)
    )
    return text


@pytest.mark.parametrize("length", [MOST_HELD, MOST_HELD + 1, 1_000_000])
def test_a_record_is_told_alike_however_large_it_is(shop: Shop, length: int) -> None:
    text, key = happen(shop, length), read_secret(shop.made["signing_secret"])
    shop.sent.answers = [500, 204]
    for _ in range(2):
        (ended,) = shop.attempt()
        shop.world.clock.move(timedelta(seconds=5))
        assert ended.claim.data == (f'{{"text":"{text}"}}' if length <= MOST_HELD else None)
    (_, first, body), (_, again, same) = shop.sent.posts
    assert (json.loads(body)["data"], body) == ({"text": text}, same)
    for headers in (first, again):
        name, moment = headers["webhook-id"], headers["webhook-timestamp"]
        assert headers["webhook-signature"] == sign(key, name, int(moment), body)
    assert [one["status"] for one in shop.listed()] == ["delivered"]


def test_while_a_receiver_has_not_answered_nothing_of_what_it_was_sent_is_held(shop: Shop) -> None:
    held = []

    def post(_url: str, _headers: Mapping[str, str], body: Body) -> int:
        held.append(tracemalloc.get_traced_memory()[0] - before)
        assert len(body) > 2_000_000
        return 204

    happen(shop, 1_000_000)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        (claim,) = shop.claim()
        assert replace(shop.delivering, post=post).attempt(claim).is_delivered
    finally:
        tracemalloc.stop()
    assert held[0] < 200_000


def refuse(*_: object) -> None:
    raise Unavailable


@pytest.mark.everywhere
def test_where_it_cannot_be_read_or_laid_down_it_comes_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    happen(shop, MOST_HELD + 1)
    (claim,) = shop.claim()
    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "data_of", refuse)
        assert shop.delivering.attempt(claim) == Ended(claim, error="unreachable")
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
        assert shop.delivering.attempt(claim) == Ended(claim, error="unreachable")
    assert shop.delivering.attempt(claim) == Ended(claim, 204)
