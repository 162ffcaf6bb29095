"""What tokens say of themselves, and which JWTs are refused (docs/interface.md 2.2)."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest

from acctcli.service.identity.credentials import (
    Credential,
    issue_jwt,
    read_credential,
    scoped,
    selected,
    signing_key,
)
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.identity.tokens import token_hash
from acctcli.service.problems import NotAllowed, TokenRefused

KEY = InstallationKey(lambda: bytes(range(32)))
NOW = datetime(2026, 4, 2, 10, 7, 30, 999_999, tzinfo=UTC)
BEGIN = int(NOW.timestamp())
HASH = token_hash("acct_pat_x")
CLAIMS = {"sub": "7", "iat": BEGIN, "exp": BEGIN + 3600, "env": "local", "token_hash": HASH}
KID = "00000000000000a3"
HEAD = {"kid": KID}
SIGNER = signing_key(KEY, KID)


def claims_of(token: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def signed(
    claims: dict[str, Any],
    key: bytes = SIGNER,
    algorithm: str | None = "HS256",
    head: dict[str, Any] = HEAD,
) -> str:
    return jwt.encode(claims, key if algorithm else "", algorithm, headers=head)


def test_a_personal_access_token_reaches_everything() -> None:
    assert read_credential("acct_pat_x", KEY, NOW) == Credential(HASH)


@pytest.mark.parametrize(
    ("limits", "credential"),
    [
        ({}, Credential(HASH, True, kid=KID)),
        (scoped("acme"), Credential(HASH, True, "acme", kid=KID)),
        (selected(["acme", "beta"], 0), Credential(HASH, True, None, frozenset({"acme", "beta"}), KID)),
        (selected([], 0), Credential(HASH, True, None, frozenset(), KID)),
    ],
)
def test_a_jwt_says_how_far_it_reaches(limits: dict[str, Any], credential: Credential) -> None:
    token = issue_jwt(HASH, 7, KEY, KID, NOW, limits)
    assert claims_of(token) == {**CLAIMS, **limits}
    assert jwt.get_unverified_header(token) == {"alg": "HS256", "typ": "JWT", "kid": KID}
    assert read_credential(token, KEY, NOW) == credential


def test_the_cap_of_each_business_is_embedded() -> None:
    assert selected(["a", "b"], 5) == {"billing_entities": {"a": {"credit_cap": 5}, "b": {"credit_cap": 5}}}


@pytest.mark.parametrize(("seconds", "good"), [(0, True), (3599, True), (3600, False), (86_400, False)])
def test_it_lasts_an_hour_by_the_clock_it_is_given(seconds: int, good: bool) -> None:
    token = issue_jwt(HASH, 7, KEY, KID, NOW, {})
    later = datetime.fromtimestamp(BEGIN, UTC) + timedelta(seconds=seconds)
    if good:
        assert read_credential(token, KEY, later).hash == HASH
    else:
        with pytest.raises(TokenRefused, match="lasts one hour"):
            read_credential(token, KEY, later)


TESTING = InstallationKey(lambda: bytes(range(32)), environment="testing")
HEADS: dict[str, Any] = {
    "jwk": {"kty": "oct", "k": "AAAA"},
    "jku": "https://keys.example/",
    "x5c": [],
    "crit": ["exp"],
    "zip": "DEF",
}
KIDS = (
    "",
    "1",
    KID[1:],
    f"{KID}0",
    f" {KID[1:]}",
    f"{KID}\n",
    KID.upper(),
    "²" * 16,
    "../../../etc/key",
    f"{KID[1:]}\0",
)


def forgeries() -> list[tuple[str, str]]:
    good = signed(CLAIMS)
    head, body, signature = good.split(".")
    wider = base64.urlsafe_b64encode(json.dumps({**CLAIMS, "exp": BEGIN + 9999}).encode()).decode().rstrip("=")
    none = signed(CLAIMS, algorithm=None)
    missing = [(f"no {name}", signed({key: value for key, value in CLAIMS.items() if key != name})) for name in CLAIMS]
    return [
        ("other claims", f"{head}.{wider}.{signature}"),
        ("an end in words", signed({**CLAIMS, "exp": "never"})),
        ("a token that is none", signed({**CLAIMS, "token_hash": 7})),
        ("another key", signed(CLAIMS, bytes(32))),
        ("the root key", signed(CLAIMS, bytes(range(32)))),
        ("the key of another purpose", signed(CLAIMS, KEY.derive("secrets"))),
        ("the key of no name", signed(CLAIMS, KEY.derive("jwt"))),
        ("the key of another name", signed(CLAIMS, signing_key(KEY, "0" * 16))),
        ("the key of another environment", signed({**CLAIMS, "env": "testing"}, signing_key(TESTING, KID))),
        ("another environment", signed({**CLAIMS, "env": "testing"})),
        ("another algorithm", signed(CLAIMS, SIGNER * 2, "HS512")),
        *((f"a head with {name}", signed(CLAIMS, head={**HEAD, name: value})) for name, value in HEADS.items()),
        *((f"the kid {name!r}", signed(CLAIMS, head={"kid": name})) for name in KIDS),
        ("no kid", signed(CLAIMS, head={})),
        ("alg none", none),
        ("alg none, signed", f"{none}{signature}"),
        ("no signature", f"{head}.{body}."),
        ("half a signature", f"{head}.{body}.{signature[:20]}"),
        ("nothing", ".."),
        ("no JSON", f"{head}.!!.{signature}"),
        ("beyond ASCII", f"{head}.{body}.ä"),
        *missing,
    ]


@pytest.mark.parametrize("token", [token for _, token in forgeries()], ids=[name for name, _ in forgeries()])
def test_a_forged_jwt_is_refused(token: str) -> None:
    with pytest.raises(TokenRefused):
        read_credential(token, KEY, NOW)


ALL = Credential(HASH, True)
ONE = Credential(HASH, True, "acme")
SOME = Credential(HASH, True, None, frozenset({"acme", "beta"}))


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize(
    ("credential", "slug"),
    [(Credential(HASH), None), (Credential(HASH), "x"), (ALL, None), (ALL, "x"), (ONE, "acme"), (SOME, "beta")],
)
def test_within_reach(credential: Credential, slug: str | None, safe: bool) -> None:
    credential.check_reach(slug, safe=safe)


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize(("credential", "slug"), [(ONE, None), (ONE, "beta"), (ONE, "ACME"), (SOME, "gamma")])
def test_beyond_reach(credential: Credential, slug: str | None, safe: bool) -> None:
    with pytest.raises(NotAllowed):
        credential.check_reach(slug, safe=safe)


def test_a_jwt_of_one_business_reads_what_is_narrowed_to_it_and_does_not_write() -> None:
    ONE.check_reach(None, safe=True, narrowed=True)
    for slug, safe in ((None, False), ("beta", True)):
        with pytest.raises(NotAllowed):
            ONE.check_reach(slug, safe=safe, narrowed=True)


def test_a_selection_reads_where_no_business_is_named_and_does_not_write() -> None:
    SOME.check_reach(None, safe=True)
    with pytest.raises(NotAllowed):
        SOME.check_reach(None, safe=False)
