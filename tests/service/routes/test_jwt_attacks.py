"""What is done to JWTs to be let in further, over HTTP: all of it is 401, or 403 (docs/interface.md 2.2)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from acctcli.service.identity.credentials import signing_key
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.identity.tokens import token_hash
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import jwt_keys
from acctcli.service.store.people.jwt_keys import FIRST
from tests.service.actor import INSTALLATION, Actor, World

OTHER = "00000000000000a2"
SIGNER = signing_key(INSTALLATION, FIRST)
ELSEWHERE = InstallationKey(lambda: bytes(range(1, 33)))
TESTING = InstallationKey(lambda: bytes(range(32)), environment="testing")
HASHES = {"HS256": hashlib.sha256, "HS384": hashlib.sha384, "HS512": hashlib.sha512}


class Parts(NamedTuple):
    """A JWT taken apart."""

    head: dict[str, Any]
    claims: dict[str, Any]
    signature: bytes

    def put(self, head: dict[str, Any], claims: dict[str, Any], signature: bytes | None = None) -> str:
        """Put it together again, with other things in head and claims, under its own signature or another."""
        said = f"{_coded({**self.head, **head})}.{_coded({**self.claims, **claims})}"
        return f"{said}.{_text(self.signature if signature is None else signature)}"

    def signed(
        self, head: dict[str, Any], claims: dict[str, Any], key: bytes = SIGNER, algorithm: str = "HS256"
    ) -> str:
        """The same, signed anew: what whoever had the key could make."""
        unsigned = self.put(head, claims, b"")
        said = unsigned.rpartition(".")[0].encode()
        return f"{said.decode()}.{_text(hmac.new(key, said, HASHES[algorithm]).digest())}"


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _coded(value: dict[str, Any]) -> str:
    return _text(json.dumps(value, separators=(",", ":")).encode())


def taken_apart(token: str) -> Parts:
    head, claims, signature = (base64.urlsafe_b64decode(part + "==") for part in token.split("."))
    return Parts(json.loads(head), json.loads(claims), signature)


@pytest.fixture
def owner(shared: World) -> Actor:
    return shared.user()


@pytest.fixture
def slug(owner: Actor) -> str:
    """A business of the owner."""
    return str(owner.create_business("Alder")["slug"])


def made(owner: Actor, **body: object) -> str:
    return str(owner.send("POST", "/auth/jwt/", body).body["token"])


def bearing(owner: Actor, token: str) -> Actor:
    return Actor(owner.client, owner.id, owner.email, token)


Forge = Callable[[Parts], str]
NO_SIGNATURE: dict[str, Forge] = {
    f"alg {word}": lambda parts, word=word: parts.put({"alg": word}, {}, b"")  # type: ignore[misc]
    for word in ("none", "None", "NONE", "nOnE", "")
}
SWAPPED: dict[str, Forge] = {
    "HS512, signed so": lambda parts: parts.signed({"alg": "HS512"}, {}, algorithm="HS512"),
    "HS384, signed so": lambda parts: parts.signed({"alg": "HS384"}, {}, algorithm="HS384"),
    "HS256, signed by HS512": lambda parts: parts.signed({}, {}, algorithm="HS512"),
    "RS256": lambda parts: parts.signed({"alg": "RS256"}, {}),
    "ES256": lambda parts: parts.signed({"alg": "ES256"}, {}),
    "EdDSA": lambda parts: parts.signed({"alg": "EdDSA"}, {}),
    "hs256": lambda parts: parts.signed({"alg": "hs256"}, {}),
    "a list of them": lambda parts: parts.signed({"alg": ["HS256"]}, {}),
    "no word for it": lambda parts: parts.signed({"alg": None}, {}),
}
HEADS: dict[str, Forge] = {
    "its own key": lambda parts: parts.signed(
        {"jwk": {"kty": "oct", "k": _text(bytes(32)), "alg": "HS256"}}, {}, bytes(32)
    ),
    "where its key lies": lambda parts: parts.signed({"jku": "https://keys.example/set.json"}, {}, bytes(32)),
    "a certificate": lambda parts: parts.signed({"x5c": ["AAAA"]}, {}),
    "crit": lambda parts: parts.signed({"crit": ["exp"]}, {}),
    "crit of its own": lambda parts: parts.signed({"crit": ["b64"], "b64": False}, {}),
    "another type": lambda parts: parts.signed({"cty": "JWT"}, {}),
    "the kid of another key": lambda parts: parts.signed({"kid": OTHER}, {}),
    "the kid of another key, signed so": lambda parts: parts.signed(
        {"kid": OTHER}, {}, signing_key(INSTALLATION, OTHER)
    ),
    "the kid of no key": lambda parts: parts.signed({"kid": ""}, {}, signing_key(INSTALLATION, "")),
    "the kid of a file": lambda parts: parts.signed({"kid": "../../dev/null"}, {}, b""),
    "the kid of a statement": lambda parts: parts.signed({"kid": "1' OR '1'='1"}, {}),
    "a kid that is no text": lambda parts: parts.signed({"kid": 1}, {}),
    "no kid": lambda parts: Parts({"alg": "HS256", "typ": "JWT"}, parts.claims, b"").signed({}, {}),
}
CLAIMS: dict[str, Forge] = {
    "a longer life": lambda parts: parts.put({}, {"exp": parts.claims["exp"] + 3600}),
    "no business": lambda parts: parts.put({}, {"business_slug": None}),
    "another token": lambda parts: parts.put({}, {"token_hash": token_hash("acct_pat_x")}),
    "a token that nobody has": lambda parts: parts.signed({}, {"token_hash": token_hash("acct_pat_x")}),
    "an end in words": lambda parts: parts.signed({}, {"exp": "never"}),
    "no end": lambda parts: Parts(
        parts.head, {name: value for name, value in parts.claims.items() if name != "exp"}, b""
    ).signed({}, {}),
    "its end": lambda parts: parts.signed({}, {"exp": parts.claims["iat"]}),
    "another environment": lambda parts: parts.signed({}, {"env": "testing"}),
    "another environment, signed so": lambda parts: parts.signed({}, {"env": "testing"}, signing_key(TESTING, FIRST)),
    "no environment": lambda parts: parts.signed({}, {"env": None}),
    "another environment's key": lambda parts: parts.signed({}, {}, signing_key(TESTING, FIRST)),
    "another installation": lambda parts: parts.signed({}, {}, signing_key(ELSEWHERE, FIRST)),
    "the root key": lambda parts: parts.signed({}, {}, bytes(range(32))),
    "the key of another purpose": lambda parts: parts.signed({}, {}, INSTALLATION.derive("marks")),
    "no key": lambda parts: parts.signed({}, {}, b""),
    "half a signature": lambda parts: parts.put({}, {}, parts.signature[:16]),
    "a signature with more behind it": lambda parts: parts.put({}, {}, parts.signature + b"x"),
}
FORGERIES = {**NO_SIGNATURE, **SWAPPED, **HEADS, **CLAIMS}


def test_what_is_put_together_again_as_it_was_is_let_in(owner: Actor, slug: str) -> None:
    """Else what comes here would be refused for how it is made."""
    parts = taken_apart(made(owner, business_slug=slug))
    for token in (parts.put({}, {}), parts.signed({}, {})):
        assert bearing(owner, token).send("GET", f"/v1/business/{slug}/").status == 200


@pytest.mark.together
@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_jwt_lets_nobody_in(owner: Actor, slug: str, forge: Forge) -> None:
    bearer = bearing(owner, forge(taken_apart(made(owner, business_slug=slug))))
    place = f"/v1/business/{slug}/"
    for method, path, body in (
        ("GET", place, None),
        ("GET", "/v1/user/", None),
        ("POST", f"{place}tags/", {"name": "forged"}),
        ("POST", "/auth/jwt/", {}),
    ):
        reply = bearer.send(method, path, body)
        assert reply.error == (401, "authentication_failed"), (method, path, reply)
        assert reply.headers["WWW-Authenticate"] == "Token"
    assert owner.get(f"{place}tags/")["results"] == []


def test_what_is_kept_of_a_token_is_none(owner: Actor, slug: str) -> None:
    for text in (token_hash(owner.token), taken_apart(made(owner)).claims["token_hash"]):
        assert bearing(owner, text).send("GET", "/v1/user/").error == (401, "authentication_failed")


def test_another_slug_is_403(shared: World, owner: Actor, slug: str) -> None:
    own, foreign = owner.create_business("Birch")["slug"], shared.user().create_business("Cedar")["slug"]
    for bearer in (
        bearing(owner, made(owner, business_slug=slug)),
        bearing(owner, made(owner, selected_business_slugs=[slug])),
    ):
        for other in (own, foreign, "nobody"):
            assert bearer.send("GET", f"/v1/business/{other}/").error == (403, "permission_denied")
            tag = bearer.send("POST", f"/v1/business/{other}/tags/", {"name": "forged"})
            assert tag.error == (403, "permission_denied")
    assert owner.get(f"/v1/business/{own}/tags/")["results"] == []


# --- the key is changed ---


def rotate(shared: World, kid: str) -> None:
    """Begin another key, as `acctcli local rotate-key` does."""
    shared.database.write(lambda conn: jwt_keys.begin(conn, kid, stamp(shared.clock.now)))


def test_a_new_key_ends_all_that_the_old_one_signed_and_nothing_else(service: World) -> None:
    owner = service.user()
    slug = str(owner.create_business("Alder")["slug"])
    place = f"/v1/business/{slug}/"
    hook = {"name": "Shop", "target_url": "https://shop.example/"}
    key = {"Idempotency-Key": "a hook"}
    sealed = owner.send("POST", f"{place}webhook_subscriptions/", hook, headers=key)
    file = owner.send("POST", f"{place}file_upload/", {"name": "a.txt", "file": "QUJD"}).body
    address = file["file"].removeprefix("http://testserver")
    before = made(owner, business_slug=slug)
    assert taken_apart(before).head == {"alg": "HS256", "typ": "JWT", "kid": FIRST}
    rotate(service, OTHER)
    ended = bearing(owner, before)
    for method, path in (("GET", place), ("POST", f"{place}tags/"), ("GET", "/v1/user/")):
        assert ended.send(method, path, {}).error == (401, "authentication_failed")
    # nor does the old key sign in the name of the new one
    forged = taken_apart(before).signed({"kid": OTHER}, {})
    assert bearing(owner, forged).send("GET", place).error == (401, "authentication_failed")
    after = made(owner, business_slug=slug)
    assert taken_apart(after).head["kid"] == OTHER
    assert bearing(owner, after).send("GET", place).status == 200
    # tokens, sealed secrets, the marks of trails and signed addresses are as before
    assert owner.send("GET", place).status == 200
    again = owner.send("POST", f"{place}webhook_subscriptions/", hook, headers=key)
    assert (again.status, again.raw, again.headers["Idempotent-Replayed"]) == (201, sealed.raw, "true")
    assert owner.get(f"{place}audit/verification/")["faults"] == []
    assert owner.client.get(address).content == b"ABC"
    rotate(service, "00000000000000a1")
    assert bearing(owner, after).send("GET", place).error == (401, "authentication_failed")


# --- replays ---


def test_two_users_with_one_key_hear_nothing_of_each_other(shared: World, owner: Actor, slug: str) -> None:
    other, key = shared.user(), {"Idempotency-Key": "the same"}
    member = shared.user()
    shared.permit(member, owner.get(f"/v1/business/{slug}/")["id"], "bookkeeping_editor")
    place, body = f"/v1/business/{slug}/tags/", {"name": "Secret"}
    first = owner.send("POST", place, body, headers=key)
    assert first.status == 201
    # nobody of the business hears that the key was used, a member writes what is their own
    assert other.send("POST", place, body, headers=key).error == (403, "permission_denied")
    second = member.send("POST", place, {"name": "Other"}, headers=key)
    assert (second.status, second.body["name"], "Idempotent-Replayed" in second.headers) == (201, "Other", False)
    own = other.create_business("Elm")["slug"]
    third = other.send("POST", f"/v1/business/{own}/tags/", body, headers=key)
    assert (third.status, "Idempotent-Replayed" in third.headers) == (201, False)
    assert third.body["id"] != first.body["id"]
    assert owner.send("POST", place, body, headers=key).raw == first.raw


@pytest.mark.parametrize("is_jwt", [False, True], ids=["token", "jwt"])
def test_a_request_is_not_replayed_to_a_token_that_was_revoked(
    shared: World, owner: Actor, slug: str, is_jwt: bool
) -> None:
    bearer = bearing(owner, made(owner)) if is_jwt else owner
    path, body, key = f"/v1/business/{slug}/tags/", {"name": "Once"}, {"Idempotency-Key": "once"}
    first = bearer.send("POST", path, body, headers=key)
    assert (first.status, bearer.send("POST", path, body, headers=key).raw) == (201, first.raw)
    shared.revoke(owner.token)
    reply = bearer.send("POST", path, body, headers=key)
    assert reply.error == (401, "authentication_failed")
    assert b"Once" not in reply.raw


def test_a_request_is_not_replayed_to_a_jwt_that_is_over(shared: World, owner: Actor, slug: str) -> None:
    bearer = bearing(owner, made(owner))
    path, body, key = f"/v1/business/{slug}/tags/", {"name": "Once"}, {"Idempotency-Key": "once"}
    assert bearer.send("POST", path, body, headers=key).status == 201
    shared.clock.move(timedelta(hours=1))
    assert bearer.send("POST", path, body, headers=key).error == (401, "authentication_failed")
    assert owner.send("POST", path, body, headers=key).headers["Idempotent-Replayed"] == "true"
