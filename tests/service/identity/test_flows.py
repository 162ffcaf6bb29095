"""Apps get tokens for what somebody consented to, and no others (docs/interface.md 12.2)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from datetime import timedelta
from functools import cache, partial
from typing import Any

import jwt
import pytest
from joserfc.jwk import RSAKey

from acctcli.service.identity import apps, grants, signing
from acctcli.service.identity.sessions import Sessions
from acctcli.service.store import service_trail
from acctcli.service.store.engine.statements import update
from acctcli.service.store.events import NOBODY
from acctcli.service.store.moments import stamp
from tests.service.actor import LOGIN_ADDRESS, Actor, World
from tests.service.identity.flow import ALL, CHALLENGE, REDIRECT, VERIFIER, AppClient, back, claims_of, knows

GONE = (400, {"error": "invalid_grant", "error_description": "Invalid 'code' in request."})


@pytest.fixture(autouse=True)
def _known_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each key once: it takes longer than all else here."""
    numbers = itertools.count()
    monkeypatch.setattr(signing, "_new_key", lambda: made_before(next(numbers)))


@cache
def made_before(number: int, make: Callable[[], RSAKey] = signing._new_key) -> RSAKey:
    return make()


@pytest.fixture
def app(service: World) -> AppClient:
    return AppClient(service)


@pytest.fixture
def anna(service: World) -> Actor:
    return service.user("anna@example.com", first_name="Anna", last_name="Aalto")


@pytest.mark.everywhere
def test_a_code_is_exchanged_for_tokens(service: World, app: AppClient, anna: Actor) -> None:
    code = app.code(anna)
    status, told = app.exchange(code)
    assert (status, sorted(told)) == (
        200,
        ["access_token", "expires_in", "id_token", "refresh_token", "scope", "token_type"],
    )
    assert (told["token_type"], told["expires_in"], told["scope"]) == ("Bearer", 3600, ALL)
    assert told["access_token"].startswith("acct_oat_")
    assert knows(service, told["access_token"]) == 200
    begun = int(service.clock.now.timestamp())
    claims = claims_of(told["id_token"])
    assert claims.pop("at_hash")
    assert claims == {
        "iss": LOGIN_ADDRESS,
        "aud": "till",
        "sub": str(anna.id),
        "iat": begun,
        "exp": begun + 300,
        "auth_time": begun,
        "nonce": "n-1",
        "amr": ["pwd"],
        "email": "anna@example.com",
        "email_verified": False,
        "name": "Anna Aalto",
        "given_name": "Anna",
        "family_name": "Aalto",
    }


def test_state_comes_back_as_it_was_sent(app: AppClient, anna: Actor) -> None:
    assert back(app.authorize(anna, state="a b&c=%C3%A4"))["state"] == "a b&c=%C3%A4"
    assert "state" not in back(app.authorize(anna, state=None))


def test_the_id_token_is_signed_by_a_key_that_is_shown(service: World, app: AppClient, anna: Actor) -> None:
    token = app.tokens(anna)["id_token"]
    (key,) = service.client.get("/.well-known/jwks.json").json()["keys"]
    assert sorted(key) == ["alg", "e", "kid", "kty", "n", "use"]
    header = jwt.get_unverified_header(token)
    assert (header["alg"], header["kid"]) == ("RS256", key["kid"])
    jwt.decode(token, jwt.PyJWK(key), audience="till", algorithms=["RS256"], options={"verify_exp": False})


@pytest.mark.together
@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": f"{CHALLENGE}\n"}, "invalid_request"),
        ({"code_challenge": "x" * 128}, "invalid_request"),
        ({"nonce": "x" * 513}, "invalid_request"),
        ({"scope": "openid admin"}, "invalid_scope"),
        ({"scope": None}, "invalid_scope"),
        ({"scope": ""}, "invalid_scope"),
        ({"response_type": None}, "invalid_request"),
        ({"response_type": ""}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type"),
    ],
)
def test_what_cannot_be_asked_for_goes_back_as_an_error(
    app: AppClient, anna: Actor, changed: dict[str, str | None], error: str
) -> None:
    found = back(app.authorize(anna, **changed))
    assert (found["error"], "code" in found) == (error, False)


def test_a_scope_counts_once(app: AppClient, anna: Actor) -> None:
    _, told = app.exchange(app.code(anna, scope=" ".join(["openid"] * 99)))
    assert told["scope"] == "openid"


def test_a_scope_that_is_not_registered_is_refused(service: World, anna: Actor) -> None:
    app = AppClient(service, scopes="openid email")
    assert back(app.authorize(anna, scope="openid email offline_access"))["error"] == "invalid_scope"
    assert sorted(app.tokens(anna)) == ["access_token", "expires_in", "id_token", "scope", "token_type"]


@pytest.mark.together
@pytest.mark.parametrize(
    "changed",
    [
        {"redirect_uri": None},
        {"redirect_uri": "https://till.example/callback"},
        {"redirect_uri": "https://till.example/callback?of=1&more"},
        {"redirect_uri": "https://TILL.example/callback?of=1"},
        {"redirect_uri": "https://till.example/callback?of=1#"},
        {"redirect_uri": "http://127.0.0.1:9998/cb"},
        {"client_id": "nobody"},
        {"client_id": None},
    ],
)
def test_nothing_goes_to_an_address_that_is_not_registered(
    app: AppClient, anna: Actor, changed: dict[str, str | None]
) -> None:
    reply = app.authorize(anna, **changed)
    assert (reply.status in (400, 401), reply.location) == (True, None)


def test_who_refuses_is_told_so(app: AppClient) -> None:
    found = back(app.authorize(None))
    assert (found["error"], found["state"]) == ("access_denied", "of the app")


@pytest.mark.everywhere
def test_a_code_works_once_and_a_second_use_ends_what_came_of_it(service: World, app: AppClient, anna: Actor) -> None:
    code = app.code(anna)
    _, told = app.exchange(code)
    assert app.exchange(code) == GONE
    assert knows(service, told["access_token"]) == 401
    assert app.refresh(told["refresh_token"])[1] == {"error": "invalid_grant"}


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(("seconds", "status"), [(59.9, 200), (60, 400), (3600, 400)])
def test_a_code_is_over_after_a_minute(
    service: World, app: AppClient, anna: Actor, seconds: float, status: int
) -> None:
    code = app.code(anna)
    service.clock.move(timedelta(seconds=seconds))
    assert app.exchange(code)[0] == status


@pytest.mark.together
@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_verifier": "another-verifier-of-forty-three-characters-at-least"}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_request"),
        ({"redirect_uri": "http://127.0.0.1:9999/cb"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": None}, "unsupported_grant_type"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_id": None}, "invalid_client"),
        ({"client_secret": "x"}, "invalid_client"),
    ],
)
def test_a_code_is_worth_nothing_without_what_it_belongs_to(
    app: AppClient, anna: Actor, changed: dict[str, str | None], error: str
) -> None:
    code = app.code(anna)
    status, told = app.exchange(code, **changed)
    assert (status, told["error"]) == (401 if error == "invalid_client" else 400, error)
    assert app.exchange(code)[0] == 200


def test_a_code_belongs_to_its_app(service: World, app: AppClient, anna: Actor) -> None:
    other = AppClient(service, "other")
    assert other.exchange(app.code(anna)) == GONE
    assert other.refresh(app.tokens(anna)["refresh_token"])[1] == {"error": "invalid_grant"}


@pytest.mark.everywhere
def test_a_confidential_app_proves_itself(service: World, anna: Actor) -> None:
    app = AppClient(service, is_confidential=True)
    assert app.secret is not None
    assert app.secret.startswith("acct_sec_")
    code = app.code(anna)
    for secret in (None, "wrong"):
        assert app.exchange(code, client_secret=secret)[1]["error"] == "invalid_client"
    _, told = app.exchange(code)
    assert app.refresh(told["refresh_token"], client_secret=None)[0] == 401
    assert app.refresh(told["refresh_token"])[0] == 200


@pytest.mark.everywhere
def test_a_refresh_token_gives_way_to_another_one(service: World, app: AppClient, anna: Actor) -> None:
    first = app.tokens(anna)
    service.clock.move(timedelta(days=400))
    assert knows(service, first["access_token"]) == 401
    _, second = app.refresh(first["refresh_token"])
    assert sorted(second) == sorted(first)
    assert knows(service, second["access_token"]) == 200
    assert second["refresh_token"] != first["refresh_token"]
    claims = claims_of(second["id_token"])
    assert ("nonce" in claims, claims["auth_time"] < claims["iat"]) == (False, True)
    assert app.refresh(second["refresh_token"], scope="openid")[1]["scope"] == "openid"


@pytest.mark.everywhere
def test_who_uses_a_refresh_token_again_ends_all_of_them(service: World, app: AppClient, anna: Actor) -> None:
    first = app.tokens(anna)
    _, second = app.refresh(first["refresh_token"])
    assert app.refresh(first["refresh_token"]) == (400, {"error": "invalid_grant"})
    assert app.refresh(second["refresh_token"]) == (400, {"error": "invalid_grant"})
    assert [knows(service, told["access_token"]) for told in (first, second)] == [401, 401]
    # another sign-in is another one
    assert app.refresh(app.tokens(anna)["refresh_token"])[0] == 200


def test_a_scope_that_was_not_granted_is_not_had_by_refreshing(service: World, anna: Actor) -> None:
    app = AppClient(service)
    _, told = app.exchange(app.code(anna, scope="openid offline_access"))
    assert app.refresh(told["refresh_token"], scope="openid email")[1]["error"] == "invalid_scope"
    assert app.refresh(told["refresh_token"])[0] == 200


def test_the_access_token_is_sent_with_the_word_token(service: World, app: AppClient, anna: Actor) -> None:
    told = app.tokens(anna)
    assert knows(service, told["access_token"], "Bearer") == 401
    assert service.client.get("/v1/user/", headers={"Authorization": f"Token {told['access_token']}"}).json()[
        "email"
    ] == ("anna@example.com")
    service.clock.move(timedelta(seconds=3600))
    assert knows(service, told["access_token"]) == 401
    assert knows(service, told["refresh_token"]) == 401


@pytest.mark.everywhere
def test_a_jwt_of_an_access_token_ends_with_it(service: World, app: AppClient, anna: Actor) -> None:
    token = app.tokens(anna)["access_token"]
    made = service.client.post("/auth/jwt/", headers={"Authorization": f"Token {token}"}).json()["token"]
    assert knows(service, made) == 200
    assert app.post("/identity/o/api/revoke", token=token)[0] == 200
    assert knows(service, made) == 401


def test_tokens_of_another_environment_are_refused(service: World, anna: Actor) -> None:
    app = AppClient(service, environment="testing")
    code = app.code(anna)
    assert app.exchange(code)[0] == 401
    here = AppClient(service)
    assert here.exchange(code) == GONE
    told = here.tokens(anna)
    service.database.write(lambda conn: conn.run("UPDATE token SET environment = 'testing' WHERE kind = 'access'"))
    assert knows(service, told["access_token"]) == 401


def userinfo(service: World, authorization: str) -> tuple[int, Any, str | None]:
    reply = service.client.get("/identity/o/api/userinfo", headers={"Authorization": authorization})
    return reply.status_code, reply.json(), reply.headers.get("WWW-Authenticate")


def test_who_somebody_is_is_told_to_a_bearer(service: World, app: AppClient, anna: Actor) -> None:
    told = app.tokens(anna)
    known = {"sub": str(anna.id), "email": "anna@example.com", "email_verified": False}
    named = {"name": "Anna Aalto", "given_name": "Anna", "family_name": "Aalto"}
    assert userinfo(service, f"Bearer {told['access_token']}") == (200, {**known, **named}, None)
    status, _, challenge = userinfo(service, f"Token {told['access_token']}")
    assert (status, challenge) == (401, "Bearer")
    for other in (anna.token, told["refresh_token"], "x"):
        status, error, challenge = userinfo(service, f"Bearer {other}")
        assert (status, error["error"], challenge) == (401, "invalid_token", 'Bearer error="invalid_token"')
    _, plain = app.exchange(app.code(anna, scope="email"))
    assert ("id_token" in plain, userinfo(service, f"Bearer {plain['access_token']}")[0]) == (False, 403)


@pytest.mark.everywhere
def test_what_an_app_got_before_it_was_removed_is_gone_when_it_is_registered_again(
    service: World, app: AppClient, anna: Actor
) -> None:
    code = app.code(anna)
    service.database.write(lambda conn: apps.remove(conn, "local", "till", service.clock.now, NOBODY))
    assert AppClient(service).exchange(code) == GONE


@pytest.mark.everywhere
def test_an_app_gives_up_what_it_has(service: World, app: AppClient, anna: Actor) -> None:
    told, path = app.tokens(anna), "/identity/o/api/revoke"
    other = AppClient(service, "other")
    assert other.post(path, token=told["refresh_token"])[1] == {"error": "invalid_grant"}
    assert app.post(path, token="acct_oat_nobody", token_type_hint="x") == (200, {})
    assert app.post(path, token=told["access_token"], token_type_hint="refresh_token") == (200, {})
    assert knows(service, told["access_token"]) == 401
    _, told = app.refresh(told["refresh_token"])
    assert app.post(path, token=told["refresh_token"]) == (200, {})
    assert knows(service, told["access_token"]) == 401
    assert app.refresh(told["refresh_token"])[1] == {"error": "invalid_grant"}
    assert app.post(path)[1]["error"] == "invalid_request"


def test_forms_only(service: World, app: AppClient) -> None:
    path = "/identity/o/api/token"
    for sent in ({"json": {"grant_type": "refresh_token"}}, {"content": b"a=1&a=2", "headers": {"Content-Type": FORM}}):
        reply = service.client.post(path, **sent)
        assert (reply.status_code, reply.json()["error"]) == (400, "invalid_request")
        assert reply.headers["Cache-Control"] == "no-store"
    assert service.client.get(path).status_code == 405


FORM = "application/x-www-form-urlencoded"


@pytest.mark.everywhere
def test_what_was_granted_ends_with_the_app_and_with_signing_out_everywhere(
    service: World, app: AppClient, anna: Actor
) -> None:
    sessions = Sessions(service.installation, "local", service.entropy)
    told, code = app.tokens(anna), app.code(anna)
    secret = service.database.write(lambda conn: sessions.begin(conn, anna.id, "Firefox", service.clock.now, NOBODY))
    service.database.write(lambda conn: sessions.sign_out_everywhere(conn, anna.id, service.clock.now, NOBODY))
    assert knows(service, told["access_token"]) == 401
    assert app.refresh(told["refresh_token"])[0] == 400
    assert app.exchange(code) == GONE
    with service.database.read() as conn:
        assert sessions.find(conn, secret, service.clock.now) is None
    assert knows(service, anna.token) == 200
    told = app.tokens(anna)
    service.database.write(lambda conn: apps.remove(conn, "local", "till", service.clock.now, NOBODY))
    assert knows(service, told["access_token"]) == 401
    assert app.refresh(told["refresh_token"])[0] == 401


def test_nothing_that_is_shown_once_is_kept(service: World, anna: Actor) -> None:
    app = AppClient(service, is_confidential=True)
    code = app.code(anna)
    _, told = app.exchange(code)
    secrets = [code, told["access_token"], told["refresh_token"], told["id_token"], app.secret, VERIFIER]
    with service.database.read() as conn:
        tables = ("app", "app_code", "app_grant", "refresh_token", "token", "event", "signing_key", "session")
        held = str([conn.fetch(f"SELECT * FROM {table}")[1] for table in tables])
    assert REDIRECT in held
    assert not [secret for secret in secrets if str(secret) in held]
    assert "PRIVATE KEY" not in held


@pytest.mark.everywhere
def test_what_lets_an_app_in_stands_in_the_trail(service: World, app: AppClient, anna: Actor) -> None:
    told = app.tokens(anna)
    app.refresh(told["refresh_token"])
    app.refresh(told["refresh_token"])
    with service.database.read() as conn:
        rows = conn.fetch("SELECT type, data, author, operation FROM event WHERE business_id = 0 ORDER BY number")[1]
        assert list(service_trail.unrecorded(conn)) == []
    (kinds, data, authors, operations) = zip(*rows[4:], strict=True)
    assert kinds == (
        "app_grant.created",
        "token.created",
        "token.created",
        "token.revoked",
        "token.revoked",
        "app_grant.revoked",
    )
    assert json.loads(data[1])["kind"] == "access"
    assert authors[:3] == ("Anna Aalto <anna@example.com>",) * 3
    assert operations == ("POST token",) * 6
    service.database.write(lambda conn: conn.run("UPDATE app SET redirects = 'https://evil.example/'"))
    with service.database.read() as conn:
        assert [one.text for one in service_trail.unrecorded(conn)] == ["redirects: not what the audit trail recorded"]


def test_a_code_cannot_be_handed_to_another_person(service: World, app: AppClient, anna: Actor) -> None:
    bert = service.user("bert@example.com")
    code, told = app.code(anna), app.tokens(anna)
    for table in ("app_code", "app_grant"):
        service.database.write(partial(update, table=table, row={"user_id": bert.id}, user_id=anna.id))
    assert app.exchange(code) == GONE
    assert app.refresh(told["refresh_token"])[0] == 400


@pytest.mark.everywhere
def test_keys_are_replaced_and_overlap(service: World, app: AppClient, anna: Actor) -> None:
    def shown() -> list[str]:
        return [key["kid"] for key in service.client.get("/.well-known/jwks.json").json()["keys"]]

    def signs() -> str:
        return str(jwt.get_unverified_header(app.tokens(anna)["id_token"])["kid"])

    (first,) = shown()
    assert signs() == first
    service.clock.move(timedelta(days=90))
    assert signs() == first
    old, new = shown()
    assert (old, signs()) == (first, first)
    service.clock.move(timedelta(days=1))
    assert (signs(), shown()) == (new, [old, new])
    service.clock.move(timedelta(days=1))
    assert (signs(), shown()) == (new, [new])


def test_a_key_that_does_not_open_is_replaced(service: World, app: AppClient, anna: Actor) -> None:
    app.tokens(anna)
    service.database.write(
        lambda conn: update(conn, "signing_key", {"sealed": b"x" * 40}, created_at=stamp(service.clock.now))
    )
    assert app.tokens(anna)["id_token"]
    assert len(service.client.get("/.well-known/jwks.json").json()["keys"]) == 1


def test_where_what_is(service: World) -> None:
    found = service.client.get("/.well-known/openid-configuration").json()
    assert found == {
        "issuer": "https://service",
        "authorization_endpoint": "https://service/identity/o/authorize",
        "token_endpoint": "https://service/identity/o/api/token",
        "userinfo_endpoint": "https://service/identity/o/api/userinfo",
        "revocation_endpoint": "https://service/identity/o/api/revoke",
        "jwks_uri": "https://service/.well-known/jwks.json",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "scopes_supported": ALL.split(),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
        "revocation_endpoint_auth_methods_supported": ["none", "client_secret_post"],
        "prompt_values_supported": ["none", "login", "consent"],
        "ui_locales_supported": ["fi", "sv", "en", "de"],
    }


def test_a_token_of_a_person_is_none_of_an_app(service: World, app: AppClient, anna: Actor) -> None:
    token = service.database.write(
        lambda conn: grants.create_token(conn, anna.id, "x", service.clock.now, NOBODY, entropy=service.entropy)
    )
    assert app.post("/identity/o/api/revoke", token=token) == (200, {})
    assert knows(service, token) == 200
