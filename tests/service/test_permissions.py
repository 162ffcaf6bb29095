"""Every operation, every permission, two businesses: who may, who may not, nothing leaks (wire facts 2.2, Q21)."""

from __future__ import annotations

import re

import pytest

from acctcli.service.app import allows
from acctcli.service.routes.route import MEMBER, Route
from acctcli.service.routes.table import TABLE
from tests.service.actor import KEYS, Actor, World

SCOPED = [route for route in TABLE if route.scoped]
NOBODY = 999_999
BODIES: dict[str, dict[str, object]] = {
    "identifiers": {"type": "vat_code", "value": "FI01120389"},
    "account": {"number": "77", "name_translations": [{"key": "fi", "value": "x"}]},
    "document": {},
}


def name(route: Route) -> str:
    return f"{route.method} {route.path}"


def path(route: Route, slug: str, number: int = NOBODY) -> str:
    return re.sub(r"\{\w+_id\}", str(number), route.path.replace("{business_slug}", slug))


@pytest.fixture(scope="module")
def owner(shared: World) -> Actor:
    return shared.user()


@pytest.fixture(scope="module")
def mine(owner: Actor) -> dict[str, object]:
    made: dict[str, object] = owner.create_business("Mine")
    return made


@pytest.fixture(scope="module")
def theirs(owner: Actor) -> dict[str, object]:
    made: dict[str, object] = owner.create_business("Theirs")
    return made


@pytest.fixture(scope="module")
def member(shared: World) -> Actor:
    return shared.user()


# What the specification says, written out apart from the table: read and write keys of each area
BOOKS = {"bookkeeping_editor", "bookkeeping_admin"}
EXPECTED = {
    "GET .../account/": {"accounts_read", "accounts_editor"},
    "POST .../account/": {"accounts_editor"},
    "GET .../document/": {"bookkeeping_read", *BOOKS},
    "POST .../document/": BOOKS,
    "POST .../document/{document_id}/action/lock/": {"bookkeeping_admin"},
    "POST .../document/{document_id}/action/unlock/": {"bookkeeping_admin"},
    "POST .../document/{document_id}/action/flag/": BOOKS,
    "POST .../document/{document_id}/action/unflag/": BOOKS,
    "POST .../document/{document_id}/action/copy/": BOOKS,
    "GET .../document/{document_id}/entry/": {"bookkeeping_read", *BOOKS},
    "POST .../report/journal/": {"reporting_read", "reporting_editor", "reporting_admin"},
    "PATCH .../": {"admin"},
    "PUT .../": {"admin"},
    "DELETE .../": {"admin"},
    "GET .../": set(),
    "GET .../identifiers/": set(),
    "POST .../identifiers/": {"admin"},
    "GET .../me/permissions/": set(),
}


def test_the_table_says_what_the_specification_says() -> None:
    found = {f"{route.method} {route.path.replace('/v1/business/{business_slug}', '...')}": route for route in SCOPED}
    assert {key: set(found[key].needs) for key in EXPECTED} == EXPECTED
    for route in SCOPED:
        area = route.path.split("/")[4]
        is_write = route.method != "GET" and not route.reads
        if area in ("account", "document", "identifiers"):
            like = EXPECTED[f"{'POST' if is_write else 'GET'} .../{area}/"]
            assert route.needs == like or "action" in route.path, name(route)


@pytest.mark.parametrize("route", SCOPED, ids=name)
def test_a_permission_opens_what_it_should_and_nothing_else(
    shared: World, member: Actor, mine: dict[str, object], theirs: dict[str, object], route: Route
) -> None:
    slug, number = str(mine["slug"]), mine["id"]
    assert isinstance(number, int)
    for key in KEYS:
        if route.method == "DELETE" and route.path.endswith("{business_slug}/") and key == "admin":
            continue  # it would be allowed, and the business gone
        shared.permit(member, number, key)
        reply = member.send(route.method, path(route, slug), {})
        if allows(frozenset({key}), route.needs):
            assert reply.status not in (401, 403), (key, reply)
        else:
            assert reply.error == (403, "permission_denied"), (key, reply)
        # whatever he may do here, the other business stays closed
        assert member.send(route.method, path(route, str(theirs["slug"])), {}).error == (403, "permission_denied")
    shared.permit(member, number)
    reply = member.send(route.method, path(route, slug), {})
    assert (reply.status == 403) == (route.needs != MEMBER)


@pytest.mark.parametrize("route", SCOPED, ids=name)
def test_a_slug_nobody_has_is_404(owner: Actor, route: Route) -> None:
    assert owner.send(route.method, path(route, "no-such-slug"), {}).error == (404, "not_found")


@pytest.mark.parametrize("route", [route for route in SCOPED if re.search(r"\{\w+_id\}", route.path)], ids=name)
def test_an_id_of_another_business_is_404(
    owner: Actor, mine: dict[str, object], theirs: dict[str, object], route: Route
) -> None:
    foreign = _an_id(owner, route, str(theirs["slug"]))
    body = BODIES[route.path.split("/")[4]]
    for number in (foreign, NOBODY, 2**63 - 1):
        assert owner.send(route.method, path(route, str(mine["slug"]), number), body).error == (404, "not_found")


def _an_id(owner: Actor, route: Route, slug: str) -> int:
    """Return the id of a record that is there in the other business."""
    collection = route.path.split("/")[4]
    listed = owner.get(f"/v1/business/{slug}/{collection}/")["results"]
    if not listed:
        listed = [owner.send("POST", f"/v1/business/{slug}/{collection}/", BODIES[collection]).body]
    number = listed[0]["id"]
    assert isinstance(number, int)
    return number


@pytest.mark.parametrize("route", TABLE, ids=name)
def test_nothing_opens_without_a_token(owner: Actor, mine: dict[str, object], route: Route) -> None:
    reply = owner.client.request(route.method, path(route, str(mine["slug"])))
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
