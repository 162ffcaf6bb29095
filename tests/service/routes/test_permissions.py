"""Two businesses: nothing leaks from one into the other (docs/interface.md 2.3); test_roles.py has who may do what."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

from acctcli.service.http.task import allows
from acctcli.service.routes.operation import Operation
from acctcli.service.routes.table import TABLE
from tests.service.actor import Actor, World
from tests.service.routes.full import Full, fill, snapshot

SCOPED = [route for route in TABLE if route.scoped]
NOBODY = 999_999
MINE, THEIRS = "Alderwood", "Birchgrove"


@pytest.mark.parametrize(
    ("granted", "needs", "is_enough"),
    [
        ({"files_editor"}, {"files_editor"}, True),
        ({"files_editor"}, {"bookkeeping_editor"}, False),
        ({"bookkeeping_editor"}, {"bookkeeping_admin", "bookkeeping_editor"}, True),
        ({"bookkeeping_editor", "files_editor"}, {"bookkeeping_admin", "bookkeeping_editor"}, True),
        ({"admin"}, {"bookkeeping_admin", "bookkeeping_editor"}, True),
        ({"admin", "files_editor"}, {"bookkeeping_admin"}, True),
        (set(), {"bookkeeping_admin"}, False),
        (set(), set(), True),
        ({"files_editor"}, set(), True),
    ],
)
def test_any_of_the_keys_is_enough_and_admin_stands_for_all(
    granted: set[str], needs: set[str], is_enough: bool
) -> None:
    """Of docs/interface.md 2.3."""
    assert allows(frozenset(granted), frozenset(needs)) is is_enough


def name(route: Operation) -> str:
    return f"{route.method} {route.path}"


def path(route: Operation, slug: str, ids: dict[str, int] | None = None) -> str:
    """Fill in the path; ids that are not given are nobody's."""
    known = {} if ids is None else ids
    place = route.path.replace("{business_slug}", slug)
    return re.sub(r"\{(\w+)\}", lambda field: str(known.get(field[1], NOBODY)), place)


def ids_of(route: Operation) -> list[str]:
    return re.findall(r"\{(\w+_id)\}", route.path)


@pytest.fixture(scope="module")
def owner(shared: World) -> Actor:
    return shared.user()


@pytest.fixture(scope="module")
def mine(owner: Actor) -> Full:
    return fill(owner, MINE)


@pytest.fixture(scope="module")
def theirs(owner: Actor) -> Full:
    return fill(owner, THEIRS)


@pytest.mark.together
@pytest.mark.parametrize("route", SCOPED, ids=name)
def test_a_slug_nobody_has_is_404(owner: Actor, route: Operation) -> None:
    assert owner.send(route.method, path(route, "no-such-slug"), {}).error == (404, "not_found")


def foreign_places(route: Operation, mine: Full, theirs: Full) -> Iterator[dict[str, int]]:
    """Return every way to mix ids of another business, of nobody and of one's own, but all of one's own."""
    names = ids_of(route)
    for choice in itertools.product((mine.ids, theirs.ids, {}, dict.fromkeys(names, 2**63 - 1)), repeat=len(names)):
        ids = {one: of.get(one, NOBODY) for one, of in zip(names, choice, strict=True)}
        if any(ids[one] != mine.ids.get(one) for one in names):
            yield ids


@pytest.mark.together
@pytest.mark.parametrize("route", [route for route in SCOPED if ids_of(route)], ids=name)
def test_an_id_of_another_business_is_404_and_nothing_happens(
    owner: Actor, mine: Full, theirs: Full, route: Operation
) -> None:
    from tests.service.routes.test_foreign_ids import valid_body

    before = snapshot(mine), snapshot(theirs)
    for ids in foreign_places(route, mine, theirs):
        reply = owner.send(route.method, path(route, mine.slug, ids), valid_body(route, mine))
        assert reply.error == (404, "not_found"), (ids, reply)
        assert reply.body["detail"].startswith("There is no such "), reply
        assert THEIRS.encode() not in reply.raw
    assert (snapshot(mine), snapshot(theirs)) == before


@pytest.mark.together
@pytest.mark.parametrize("route", TABLE, ids=name)
def test_nothing_opens_without_a_token(owner: Actor, mine: Full, route: Operation) -> None:
    reply = owner.client.request(route.method, path(route, mine.slug, mine.ids))
    assert reply.status_code == 401


def test_a_member_who_leaves_is_a_stranger(shared: World, owner: Actor) -> None:
    made = owner.create_business()
    member = shared.user()
    shared.permit(member, made["id"], "admin")
    assert member.get(f"/v1/business/{made['slug']}/")["id"] == made["id"]
    assert member.get("/v1/business/")["count"] == 1
    shared.dismiss(member, made["id"])
    assert member.send("GET", f"/v1/business/{made['slug']}/").error == (403, "permission_denied")
    assert member.get("/v1/business/")["results"] == []
