"""The one-hour JWT over HTTP, on both databases (docs/interface.md 2.2)."""

from __future__ import annotations

import base64
import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import delete, func, select

from acctcli.service.identity.tokens import token_hash
from acctcli.service.routes.operation import Operation
from acctcli.service.routes.table import TABLE
from acctcli.service.store.people.users import change as change_user
from acctcli.service.store.schema.business import stored_reply, users
from tests.service.actor import Actor, Reply, World
from tests.sql import execute

PATH = "/auth/jwt/"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def owner(shared: World) -> Actor:
    """A user for each test."""
    return shared.user()


@pytest.fixture
def slugs(owner: Actor) -> list[str]:
    """The slugs of their three businesses."""
    return [owner.create_business(name)["slug"] for name in ("Alder", "Birch", "Cedar")]


def made(owner: Actor, **body: object) -> str:
    """A JWT that must be made."""
    reply = owner.send("POST", PATH, body)
    assert (reply.status, list(reply.body)) == (200, ["token"]), reply
    return str(reply.body["token"])


def with_jwt(owner: Actor, **body: object) -> Actor:
    """The same user, let in by a JWT."""
    return Actor(owner.client, owner.id, owner.email, made(owner, **body))


def claims(token: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def place(slug: str) -> str:
    return f"/v1/business/{slug}/"


def statuses(actor: Actor, slugs: list[str]) -> list[int]:
    return [actor.send("GET", place(slug)).status for slug in slugs]


# --- making one ---


def test_a_jwt_has_the_claims_and_lasts_an_hour(shared: World, owner: Actor, slugs: list[str]) -> None:
    begin = int(shared.clock.now.timestamp())
    usual = {
        "sub": str(owner.id),
        "iat": begin,
        "exp": begin + 3600,
        "env": "local",
        "token_hash": token_hash(owner.token),
    }
    caps = {slug: {"credit_cap": 0} for slug in slugs[:2]}
    assert claims(made(owner)) == usual
    assert claims(made(owner, business_slug=None, selected_business_slugs=None)) == usual
    assert claims(made(owner, business_slug=slugs[0])) == {**usual, "business_slug": slugs[0]}
    assert claims(made(owner, selected_business_slugs=slugs[:2])) == {**usual, "billing_entities": caps}


def test_the_body_may_be_empty(owner: Actor) -> None:
    reply = owner.send("POST", PATH)
    assert (reply.status, list(reply.body)) == (200, ["token"])


def test_one_business_wins_over_a_selection(owner: Actor, slugs: list[str]) -> None:
    found = claims(made(owner, business_slug=slugs[0], selected_business_slugs=slugs))
    assert (found["business_slug"], "billing_entities" in found) == (slugs[0], False)


def test_of_a_selection_what_is_accessible_is_embedded(shared: World, owner: Actor, slugs: list[str]) -> None:
    foreign = shared.user().create_business()["slug"]
    found = claims(made(owner, selected_business_slugs=[foreign, slugs[1], "nobody", slugs[1]]))
    assert found["billing_entities"] == {slugs[1]: {"credit_cap": 0}}


@pytest.mark.together
@pytest.mark.parametrize("field", ["business_slug", "selected_business_slugs"])
@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_not_accessible_is_403(shared: World, owner: Actor, field: str, is_there: bool) -> None:
    slug = shared.user().create_business()["slug"] if is_there else "nobody"
    reply = owner.send("POST", PATH, {field: slug if field == "business_slug" else [slug]})
    assert reply.error == (403, "permission_denied")
    assert reply.body["detail"] == f"None of your businesses has this slug: {slug}."


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"selected_business_slugs": []}, "selected_business_slugs"),
        ({"selected_business_slugs": [""]}, "selected_business_slugs"),
        ({"selected_business_slugs": "acme"}, "selected_business_slugs"),
        ({"selected_business_slugs": ["nul\0"]}, "selected_business_slugs"),
        ({"selected_business_slugs": ["x"] * 101}, "selected_business_slugs"),
        ({"business_slug": ""}, "business_slug"),
        ({"business_slug": True}, "business_slug"),
        ({"selected_business_slugs": ""}, "selected_business_slugs"),
        ({"business_slug": ["acme"]}, "business_slug"),
    ],
)
def test_a_wrong_body_is_400(owner: Actor, body: dict[str, object], field: str) -> None:
    reply = owner.send("POST", PATH, body)
    assert reply.error == (400, "validation_error")
    assert [name for name in reply.body if name not in ("code", "detail")] == [field]


def multipart(pairs: list[tuple[str, str]]) -> tuple[str, bytes]:
    parts = [f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in pairs]
    return "multipart/form-data; boundary=x", ("".join(parts) + "--x--\r\n").encode()


def test_forms_are_read(owner: Actor, slugs: list[str]) -> None:
    some = [("selected_business_slugs", slug) for slug in slugs[:2]]
    one = [("business_slug", slugs[2])]
    for pairs in (some, some[:1], one):
        for kind, content in ((FORM, urlencode(pairs).encode()), multipart(pairs)):
            reply = owner.send("POST", PATH, content=content, headers={"Content-Type": kind})
            assert reply.status == 200, reply
            found = claims(reply.body["token"])
            reach = found.get("billing_entities") or [found["business_slug"]]
            assert sorted(reach) == sorted(value for _, value in pairs)


# --- being let in by one ---


def test_a_jwt_without_limits_opens_what_its_maker_may(owner: Actor, slugs: list[str]) -> None:
    bearer = with_jwt(owner)
    assert statuses(bearer, slugs) == [200, 200, 200]
    assert bearer.get("/v1/user/") == owner.get("/v1/user/")
    assert bearer.send("PATCH", place(slugs[0]), {"name": "Ash"}).body["name"] == "Ash"


def test_a_jwt_of_one_business_opens_it_alone(owner: Actor, slugs: list[str]) -> None:
    bearer = with_jwt(owner, business_slug=slugs[1])
    assert statuses(bearer, slugs) == [403, 200, 403]
    assert bearer.send("PATCH", place(slugs[1]), {"name": "Ash"}).status == 200


@pytest.mark.everywhere
def test_a_selection_opens_its_businesses_and_shows_no_other(owner: Actor, slugs: list[str]) -> None:
    bearer = with_jwt(owner, selected_business_slugs=slugs[:2])
    assert statuses(bearer, [*slugs, "nobody"]) == [200, 200, 403, 403]
    listed = bearer.get("/v1/business/")
    assert ([one["slug"] for one in listed["results"]], listed["count"]) == (slugs[:2], 2)
    searched = bearer.get("/v1/business/?search=r")
    assert ([one["name"] for one in searched["results"]], searched["count"]) == (["Alder", "Birch"], 2)
    whole, seen = owner.get("/v1/user/"), bearer.get("/v1/user/")
    assert seen == {**whole, "userships": whole["userships"][:2]}
    assert bearer.send("POST", "/v1/business/", {"name": "New"}).error == (403, "permission_denied")
    assert bearer.send("PATCH", "/v1/user/", {"first_name": "Eve"}).error == (403, "permission_denied")


def test_permissions_are_those_of_the_moment(shared: World, owner: Actor) -> None:
    business = owner.create_business()
    member = shared.user()
    shared.permit(member, business["id"], "accounts_read")
    bearer = with_jwt(member, business_slug=business["slug"])
    path = f"{place(business['slug'])}account/"
    assert (bearer.send("GET", path).status, bearer.send("POST", path, {}).status) == (200, 403)
    shared.permit(member, business["id"], "accounts_editor")
    assert bearer.send("POST", path, {}).status == 400
    shared.dismiss(member, business["id"])
    assert bearer.send("GET", path).error == (403, "permission_denied")


def test_it_ends_after_an_hour(shared: World, owner: Actor, slugs: list[str]) -> None:
    bearer = with_jwt(owner, business_slug=slugs[0])
    shared.clock.move(timedelta(minutes=59, seconds=59))
    assert statuses(bearer, slugs[:1]) == [200]
    shared.clock.move(timedelta(seconds=1))
    assert bearer.send("GET", place(slugs[0])).error == (401, "authentication_failed")
    assert statuses(owner, slugs[:1]) == [200]


def test_it_ends_with_its_token(shared: World, owner: Actor, slugs: list[str]) -> None:
    other = Actor(owner.client, owner.id, owner.email, shared.token(owner.id))
    ending, staying = with_jwt(owner), with_jwt(other)
    shared.revoke(owner.token)
    assert ending.send("GET", place(slugs[0])).error == (401, "authentication_failed")
    assert statuses(staying, slugs[:1]) == [200]


def test_it_lives_no_longer_than_its_token(shared: World, owner: Actor, slugs: list[str]) -> None:
    until = shared.clock.now + timedelta(minutes=5)
    bearer = with_jwt(Actor(owner.client, owner.id, owner.email, shared.token(owner.id, until)))
    shared.clock.move(timedelta(minutes=5))
    assert statuses(bearer, slugs[:1]) == [401]


@pytest.mark.everywhere
def test_it_ends_with_its_user(shared: World, owner: Actor) -> None:
    slug = owner.create_business()["slug"]
    bearer = with_jwt(owner, business_slug=slug)
    shared.database.write(lambda conn: execute(conn, delete(users).where(users.c.id == owner.id)))
    assert bearer.send("GET", place(slug)).error == (401, "authentication_failed")


def test_a_jwt_of_another_installation_is_refused(owner: Actor, slugs: list[str]) -> None:
    head, body, signature = made(owner).split(".")
    forged = Actor(owner.client, owner.id, owner.email, f"{head}.{body}.{signature[::-1]}")
    assert forged.send("GET", place(slugs[0])).error == (401, "authentication_failed")


def test_the_word_is_token(owner: Actor, slugs: list[str]) -> None:
    headers = {"Authorization": f"Bearer {made(owner)}"}
    assert owner.send("GET", place(slugs[0]), headers=headers).error == (401, "not_authenticated")


@pytest.mark.everywhere
def test_a_jwt_of_one_business_shows_who_one_is_and_no_other_business(
    shared: World, owner: Actor, slugs: list[str]
) -> None:
    bearer = with_jwt(owner, business_slug=slugs[1])
    other = {"last_active_business_id": 7, "last_active_business_slug": slugs[0]}
    shared.database.write(lambda conn: change_user(conn, owner.id, other))
    whole = owner.get("/v1/user/")
    assert (whole["last_active_business_id"], whole["last_active_business_slug"]) == ("7", slugs[0])
    hidden = {"last_active_business_id": None, "last_active_business_slug": None}
    assert bearer.get("/v1/user/") == {**whole, **hidden, "userships": whole["userships"][1:2]}
    own = {"last_active_business_id": 8, "last_active_business_slug": slugs[1]}
    shared.database.write(lambda conn: change_user(conn, owner.id, own))
    assert bearer.get("/v1/user/")["last_active_business_slug"] == slugs[1]
    for method in ("PUT", "PATCH"):
        assert bearer.send(method, "/v1/user/", {"first_name": "Eve"}).error == (403, "permission_denied")
    assert bearer.send("GET", "/v1/business/").error == (403, "permission_denied")


# --- what it must not do ---


@pytest.mark.parametrize("limits", ["none", "one", "some"])
def test_a_jwt_makes_no_other(owner: Actor, slugs: list[str], limits: str) -> None:
    bodies: dict[str, dict[str, object]] = {
        "none": {},
        "one": {"business_slug": slugs[0]},
        "some": {"selected_business_slugs": slugs},
    }
    bearer = with_jwt(owner, **bodies[limits])
    for wanted in ({}, {"business_slug": slugs[0]}):
        assert bearer.send("POST", PATH, wanted).error == (403, "permission_denied")


def test_it_is_never_kept(shared: World, owner: Actor) -> None:
    def kept() -> int:
        with shared.database.read() as conn:
            return int(execute(conn, select(func.count()).select_from(stored_reply)).scalar_one())

    before = kept()
    key = {"Idempotency-Key": "a jwt"}
    first = owner.send("POST", PATH, {}, headers=key)
    shared.clock.move(timedelta(seconds=1))
    second = owner.send("POST", PATH, {}, headers=key)
    assert (first.status, second.status, first.raw == second.raw) == (200, 200, False)
    assert "Idempotent-Replayed" not in second.headers
    assert kept() == before


def test_a_stored_reply_of_another_business_is_not_replayed(owner: Actor, slugs: list[str]) -> None:
    path, key = f"{place(slugs[0])}tags/", {"Idempotency-Key": "a tag"}
    assert owner.send("POST", path, {"name": "secret"}, headers=key).status == 201
    bearer = with_jwt(owner, business_slug=slugs[1])
    reply = bearer.send("POST", path, {"name": "secret"}, headers=key)
    assert reply.error == (403, "permission_denied")
    assert with_jwt(owner, business_slug=slugs[0]).send("POST", path, {"name": "secret"}, headers=key).status == 201


def name(route: Operation) -> str:
    return f"{route.method} {route.path}"


def asked(actor: Actor, route: Operation, slug: str) -> Reply:
    path = re.sub(r"\{\w+\}", "999999", route.path.replace("{business_slug}", slug))
    return actor.send(route.method, path, {})


@pytest.fixture(scope="module")
def two(shared: World) -> tuple[Actor, Actor, str]:
    """Who may do everything in the second of two businesses, with JWTs for the first and for the second alone."""
    owner = shared.user()
    first, second = (owner.create_business()["slug"] for _ in range(2))
    return with_jwt(owner, business_slug=first), with_jwt(owner, selected_business_slugs=[first]), second


@pytest.mark.together
@pytest.mark.parametrize("route", TABLE, ids=name)
def test_no_operation_opens_another_business(two: tuple[Actor, Actor, str], route: Operation) -> None:
    one, some, other = two
    reply = asked(one, route, other)
    if (route.method, route.path) == ("GET", "/v1/user/"):
        assert reply.status == 200
        assert other.encode() not in reply.raw
    else:
        assert reply.error == (403, "permission_denied")
    reply = asked(some, route, other)
    if route.scoped or not route.safe or route.path == PATH or route.path.startswith("/v1/audit/"):
        assert reply.error == (403, "permission_denied")
    else:
        assert reply.status == 200
        assert other.encode() not in reply.raw
