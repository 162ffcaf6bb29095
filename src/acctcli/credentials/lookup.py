"""Which token goes with a request, and where it came from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from acctcli.credentials.tokens import refusal
from acctcli.errors import NotAuthenticated
from acctcli.settings import Environment, variable

if TYPE_CHECKING:
    from acctcli.credentials.kept import Kept
    from acctcli.credentials.store import TokenStore


@dataclass(frozen=True)
class Credential:
    """A token and where it came from; printing it never shows the token.

    `kept` is the sign-in that it belongs to, and `store` has that.
    """

    token: str = field(repr=False)
    source: str
    kept: Kept | None = field(default=None, repr=False, compare=False)
    store: TokenStore | None = field(default=None, repr=False, compare=False)


def resolve(
    environment: Environment,
    environ: Mapping[str, str] | None = None,
    store: TokenStore | None = None,
) -> Credential | None:
    """Return the token of `environment`: `ACCTCLI_<ENV>_TOKEN` > `ACCTCLI_TOKEN` > keyring or sealed file > None.

    In process (`local` without a host) only `ACCTCLI_LOCAL_TOKEN` is asked: `ACCTCLI_TOKEN` belongs to a
    host, and None leaves the service to its own token. Raise NotAuthenticated if a variable holds no possible
    token, if the store cannot be used, or if its token was stored for another host.
    """
    environ = os.environ if environ is None else environ
    for name in _variables(environment):
        if value := environ.get(name):
            return _from_variable(value, name)
    if environment.in_process:
        return None
    return _from_store(environment, store or _open_store(environment, environ))


def require(
    environment: Environment,
    environ: Mapping[str, str] | None = None,
    store: TokenStore | None = None,
) -> Credential | None:
    """Do as `resolve`, but raise NotAuthenticated where a host needs a token and there is none.

    None is returned in process only.
    """
    found = resolve(environment, environ, store)
    if found is None and not environment.in_process:
        raise no_token(environment)
    return found


def no_token(environment: Environment, why: str | None = None, *, hint: str | None = None) -> NotAuthenticated:
    """Build the error for a host without a token: no variable is set, and `why`."""
    first, *others = _variables(environment)
    unset = f"neither {first} nor {others[0]} is set" if others else f"{first} is not set"
    return NotAuthenticated(
        f"No token for environment '{environment.name}': {unset}, and {why or f'the {environment.store} holds none'}",
        hint=hint or f"acctcli auth login --env {environment.name}",
    )


def _variables(environment: Environment) -> list[str]:
    own = variable(environment.name, "TOKEN")
    return [own] if environment.in_process else [own, "ACCTCLI_TOKEN"]


def _from_variable(value: str, name: str) -> Credential:
    if why := refusal(value):
        raise NotAuthenticated(f"The token in {name} is refused: {why}", hint=f"set {name} to the token alone")
    return Credential(value, name)


def _open_store(environment: Environment, environ: Mapping[str, str]) -> TokenStore:
    from acctcli.credentials.store import open_store

    return open_store(environment, environ)


def _from_store(environment: Environment, store: TokenStore) -> Credential | None:
    from acctcli.credentials.place import PlaceUnusable

    try:
        kept = store.load()
    except PlaceUnusable as error:
        raise no_token(environment, error.why, hint=error.hint) from error
    return None if kept is None else Credential(kept.token, store.place.name, kept, store)
