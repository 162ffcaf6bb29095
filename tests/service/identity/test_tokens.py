"""Tokens and what they open."""

from __future__ import annotations

import re
import secrets

from acctcli.service.identity.tokens import new_token, token_hash


def test_tokens_are_long_random_and_marked() -> None:
    tokens = {new_token(secrets.token_bytes) for _ in range(100)}
    assert len(tokens) == 100
    assert all(re.fullmatch(r"acct_pat_[A-Za-z0-9_-]{40}", token) for token in tokens)


def test_a_hash_tells_tokens_apart() -> None:
    assert token_hash("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert token_hash("a") != token_hash("b")
    assert token_hash("\ud800")
