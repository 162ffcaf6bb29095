"""Which token goes with a request, and where it came from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from acctcli.credentials.tokens import Credential, refusal
from acctcli.errors import NotAuthenticated
from acctcli.settings import Environment, variable

if TYPE_CHECKING:
    from acctcli.credentials.store import TokenStore


def resolve(
    environment: Environment,
    environ: Mapping[str, str] | None = None,
    store: TokenStore | None = None,
) -> Credential | None:
    """Return the token of `environment`: `ACCTCLI_<ENV>_TOKEN` > `ACCTCLI_TOKEN` > keyring > None.

    In process (`local` without a host) only `ACCTCLI_LOCAL_TOKEN` is asked: `ACCTCLI_TOKEN` belongs to a
    host, and None leaves the service to its own token. Raise NotAuthenticated if a variable holds no possible
    token, if the keyring cannot be used, or if its token was stored for another host.
    """
    environ = os.environ if environ is None else environ
    for name in _variables(environment):
        if value := environ.get(name):
            return _from_variable(value, name)
    if environment.in_process:
        return None
    return _from_keyring(environment, store)


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


def no_token(
    environment: Environment, why: str = "the keyring holds none", *, hint: str | None = None
) -> NotAuthenticated:
    """Build the error for a host without a token: no variable is set, and `why`."""
    first, *others = _variables(environment)
    unset = f"neither {first} nor {others[0]} is set" if others else f"{first} is not set"
    return NotAuthenticated(
        f"No token for environment '{environment.name}': {unset}, and {why}",
        hint=hint or f"acctcli auth login --env {environment.name}",
    )


def _variables(environment: Environment) -> list[str]:
    own = variable(environment.name, "TOKEN")
    return [own] if environment.in_process else [own, "ACCTCLI_TOKEN"]


def _from_variable(value: str, name: str) -> Credential:
    if why := refusal(value):
        raise NotAuthenticated(f"The token in {name} is refused: {why}", hint=f"set {name} to the token alone")
    return Credential(value, name)


def _from_keyring(environment: Environment, store: TokenStore | None) -> Credential | None:
    from acctcli.credentials.store import KeyringUnusable, TokenStore

    try:
        return (store or TokenStore()).load(environment)
    except KeyringUnusable as error:
        raise no_token(environment, error.why, hint=error.hint) from error
