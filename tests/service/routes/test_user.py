"""The caller and their permissions (docs/interface.md 2.4)."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

import pytest

from acctcli.models.user import BusinessPermissions, CurrentUser, OwnToken
from acctcli.service.store.moments import stamp
from tests.replies import check_reply
from tests.service.actor import KEYS, Actor, World

PATH = "/v1/user/"

# interface.md, Resources: Current user
FIELDS = """
id email first_name last_name last_login date_joined tos_accepted tos_accepted_by_market openbanking_tos_accepted_at
last_csat invitations notifications avatar_url userships show_get_started_info language last_active_business_id
last_active_business_slug subscription_tier has_tos_acceptance_record agency_id is_agency_user agency_role
is_agency_admin credit_cap agency_name ui_preferences
"""


@pytest.fixture
def actor(shared: World) -> Actor:
    return shared.user(first_name="Ada", language="sv")


def test_every_field_is_there(actor: Actor) -> None:
    actor.create_business()
    shown = actor.get(PATH)
    assert shown.keys() == set(FIELDS.split())
    check_reply(CurrentUser, shown)
    place = shown["userships"][0]
    assert place.keys() == {"id", "created_at", "updated_at", "user", "business", "business_id", "permissions"}
    assert tuple(place["permissions"]) == KEYS
    assert {name for name, one in place["permissions"].items() if one["value"]} == {"admin"}
    assert all(one.keys() == {"name", "value", "explanation"} for one in place["permissions"].values())


def test_a_place_shows_the_permissions_that_are_held_there(shared: World, actor: Actor) -> None:
    made = actor.create_business()
    held = {"bookkeeping_admin", "invoicing_editor"}
    shared.permit(actor, made["id"], *held)
    (place,) = actor.get(PATH)["userships"]
    assert {name for name, one in place["permissions"].items() if one["value"]} == held


def test_the_token_says_until_when_it_holds(shared: World, actor: Actor) -> None:
    shown = actor.get(f"{PATH}token/")
    check_reply(OwnToken, shown)
    assert (shown["name"], shown["kind"], shown["expires_at"]) == ("test", "personal", None)
    actor.token = shared.token(actor.id, shared.clock.now + timedelta(days=1))
    until = actor.get(f"{PATH}token/")
    assert (until["expires_at"], until["id"] > shown["id"]) == (stamp(shared.clock.now + timedelta(days=1)), True)
    jwt = actor.send("POST", "/auth/jwt/", {}).body["token"]
    assert Actor(actor.client, actor.id, actor.email, jwt).get(f"{PATH}token/") == until
    slug = actor.create_business()["slug"]
    limited = actor.send("POST", "/auth/jwt/", {"business_slug": slug}).body["token"]
    of_one = Actor(actor.client, actor.id, actor.email, limited)
    assert of_one.send("GET", f"{PATH}token/").error == (403, "permission_denied")
    assert actor.token not in str(until)


@pytest.mark.everywhere
def test_patch_changes_what_is_sent(actor: Actor) -> None:
    before = actor.get(PATH)
    reply = actor.send("PATCH", PATH, {"last_name": "Byron", "id": 1, "credit_cap": 5})
    assert (reply.status, reply.body) == (200, {**before, "last_name": "Byron"})
    assert actor.send("PATCH", PATH, {}).body == reply.body
    assert actor.send("PATCH", PATH, {"language": None}).body["language"] is None


@pytest.mark.everywhere
def test_put_returns_what_is_not_sent_to_its_default(actor: Actor) -> None:
    before = actor.get(PATH)
    reply = actor.send("PUT", PATH, {"last_name": "Byron", "show_get_started_info": False})
    assert reply.status == 200
    expected = {"first_name": "", "last_name": "Byron", "language": None, "show_get_started_info": False}
    assert reply.body == {**before, **expected}
    bare = actor.send("PUT", PATH, {}).body
    assert bare == {**before, **expected, "last_name": "", "show_get_started_info": True}


@pytest.mark.together
@pytest.mark.parametrize(
    "fields",
    [{"email": "no address"}, {"first_name": "a" * 151}, {"language": "xx"}, {"show_get_started_info": "maybe"}],
)
def test_bad_fields_are_400(actor: Actor, fields: dict[str, object]) -> None:
    reply = actor.send("PATCH", PATH, fields)
    assert reply.error == (400, "validation_error")
    assert reply.body.keys() - {"code", "detail"} == fields.keys()


def test_an_address_belongs_to_one(shared: World, actor: Actor) -> None:
    other = shared.user()
    taken = {"email": ["Another user has this address."]}
    for address in (other.email, other.email.upper(), f"U{other.email[1:]}"):
        reply = actor.send("PATCH", PATH, {"email": address})
        assert (reply.status, {name: reply.body[name] for name in reply.faults}) == (400, taken)
    assert actor.send("PATCH", PATH, {"email": actor.email.upper()}).body["email"] == actor.email.upper()
    assert actor.send("PATCH", PATH, {"email": actor.email}).status == 200
    assert actor.send("PATCH", PATH, {"email": f"new-{actor.email}"}).body["email"] == f"new-{actor.email}"


@pytest.mark.everywhere
def test_letters_beyond_ascii_have_upper_and_lower_case_too(shared: World, actor: Actor) -> None:
    other = shared.user("päivi@example.com")
    for address in ("PÄIVI@example.com", unicodedata.normalize("NFD", "päivi@Example.com")):
        assert actor.send("PATCH", PATH, {"email": address}).error == (400, "validation_error")
    assert other.send("PATCH", PATH, {"email": "PÄIVI@example.com"}).status == 200


@pytest.mark.together
@pytest.mark.parametrize(
    "email", ["b\u200bob@example.com", '"bob"@example.com', "bob@\u2460.example", "bob@straße.example"]
)
def test_an_address_that_mail_does_not_reach_is_refused(actor: Actor, email: str) -> None:
    reply = actor.send("PATCH", PATH, {"email": email})
    assert (reply.error, reply.faults) == ((400, "validation_error"), ["email"])


def test_permissions_in_a_business(shared: World, actor: Actor) -> None:
    made = actor.create_business()
    path = f"/v1/business/{made['slug']}/me/permissions/"
    shown = actor.get(path)
    check_reply(BusinessPermissions, shown)
    assert (shown["business_slug"], shown["granted_permission_ids"]) == (made["slug"], ["admin"])
    for keys, granted in [
        (("reporting_read", "bookkeeping_read"), ["bookkeeping_read", "reporting_read"]),
        # as the constants list them
        (("accounts_read", "bookkeeping_read"), ["bookkeeping_read", "accounts_read"]),
        (("salary", "admin"), ["admin"]),
        ((), []),
    ]:
        shared.permit(actor, made["id"], *keys)
        shown = actor.get(path)
        assert shown["granted_permission_ids"] == granted
        assert [one["id"] for one in shown["granted_permissions"]] == granted
