"""The keyring's tokens as tests keep, find and forget them."""

from __future__ import annotations

import os

from acctcli.credentials.kept import Kept
from acctcli.credentials.store import TokenStore, open_store
from acctcli.settings import Environment

# how the hint goes on for `testing`
WAYS_OUT = (
    "set ACCTCLI_TESTING_TOKEN to a token, or keep it in a file with a passphrase: "
    "acctcli auth login --env testing --store file"
)


def store_of(environment: Environment) -> TokenStore:
    return open_store(environment, os.environ)


def keep(environment: Environment, token: str, user: str | None = None) -> None:
    store_of(environment).save(Kept(token=token, base_url=environment.base_url or "", user=user))


def token_of(environment: Environment) -> str | None:
    kept = store_of(environment).load()
    return None if kept is None else kept.token


def forget(environment: Environment) -> bool:
    return bool(store_of(environment).remove()[0])
