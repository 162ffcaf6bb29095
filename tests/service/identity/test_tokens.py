"""Tokens and what they open."""

from __future__ import annotations

import re
import secrets
from datetime import timedelta

import pytest

from acctcli.service.identity import grants
from acctcli.service.identity.tokens import new_token, token_hash
from tests.service.actor import World


def test_tokens_are_long_random_and_marked() -> None:
    tokens = {new_token(secrets.token_bytes) for _ in range(100)}
    assert len(tokens) == 100
    assert all(re.fullmatch(r"acct_pat_[A-Za-z0-9_-]{40}", token) for token in tokens)


def test_a_hash_tells_tokens_apart() -> None:
    assert token_hash("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert token_hash("a") != token_hash("b")
    assert token_hash("\ud800")


def test_tokens_of_a_user(service: World) -> None:
    actor, other = service.user(), service.user()
    later = service.clock.now + timedelta(days=1)
    service.token(actor.id, expires=later)
    with service.database.read() as conn:
        listed = grants.list_tokens(conn, actor.id)
    assert [(row["name"], row["expires_at"], row["revoked_at"]) for row in listed] == [
        ("test", None, None),
        ("test", "2026-03-16T12:00:00.000000Z", None),
    ]

    def revoke(user_id: int, token_id: int) -> bool:
        return service.database.write(lambda conn: grants.revoke_token(conn, user_id, token_id, service.clock.now))

    first = listed[0]["id"]
    assert [revoke(other.id, first), revoke(actor.id, first), revoke(actor.id, first)] == [False, True, False]


def test_permissions_are_kept_in_their_own_order() -> None:
    assert grants.permission_text(["salary", "admin", "salary"]) == "admin salary"
    with pytest.raises(ValueError, match="everything"):
        grants.permission_text(["everything"])
