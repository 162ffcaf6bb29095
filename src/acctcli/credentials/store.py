"""The operating system's keyring: one token per environment, bound to the host it was stored for.

Service `acctcli:<environment>`, user `token`, value `{"token": ..., "base_url": ...}`. A keyring that is
missing, switched off, locked, hanging, or that keeps secrets in plain text is an error with a way out;
the token is written nowhere else.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from acctcli.credentials.deadline import CallError, call_within
from acctcli.credentials.tokens import Credential, check_token
from acctcli.errors import NotAuthenticated, UsageError
from acctcli.settings import Environment, variable
from acctcli.settings.urls import origin

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

_USER = "token"
_PROBE = ("acctcli", "probe")
_WINDOWS_LIMIT = 2560  # CRED_MAX_CREDENTIAL_BLOB_SIZE, in bytes of UTF-16
_BUDGET = 4.0  # seconds, so that a command that meets a hanging keyring ends within 5


class KeyringUnusable(NotAuthenticated):
    """The keyring cannot be asked; `why` completes "No token: no variable is set, and <why>"."""

    def __init__(self, why: str, environment: Environment, *, locked: bool = False) -> None:
        hint = f"set {variable(environment.name, 'TOKEN')} to a token"
        if locked:
            hint = f"unlock the keyring and try again, or {hint}"
        super().__init__(f"Tokens cannot be kept here: {why}", hint=hint)
        self.why = why


class TokenStore:
    """The keyring with a time budget, in seconds, for all calls through one store together."""

    def __init__(self, seconds: float = _BUDGET) -> None:
        self._left = seconds

    def prove(self, environment: Environment) -> None:
        """Keep something that is no secret, read it back, forget it: raise KeyringUnusable where that fails."""

        def try_out(backends: list[KeyringBackend]) -> None:
            _put(backends[0], environment, _PROBE, os.urandom(8).hex())
            backends[0].delete_password(*_PROBE)

        self._ask(environment, try_out)

    def save(self, environment: Environment, token: str) -> None:
        """Keep `token` for `environment` and its host, replacing an older one.

        Raise UsageError if the token cannot be one or `environment` has no host, KeyringUnusable if the
        keyring cannot be used or cannot hold it.
        """
        check_token(token, "input")
        if environment.base_url is None:
            raise UsageError(f"Environment '{environment.name}' runs in this process and needs no login")
        value = json.dumps({"token": token, "base_url": environment.base_url}, separators=(",", ":"))
        entry = (_service(environment), _USER)
        self._ask(environment, lambda backends: _put(backends[0], environment, entry, value))

    def load(self, environment: Environment) -> Credential | None:
        """Return the token stored for `environment`, or None.

        Raise NotAuthenticated if the keyring cannot be used or the token was stored for another host.
        """
        value = self._ask(environment, lambda backends: _get(backends, _service(environment)))
        return None if value is None else _bound(value, environment)

    def delete(self, environment: Environment) -> bool:
        """Forget the token of `environment`, whatever its host; tell whether there was one."""
        return self._ask(environment, lambda backends: _remove(backends, _service(environment)))

    def _ask(self, environment: Environment, work: Callable[[list[KeyringBackend]], T]) -> T:
        started = time.monotonic()
        try:
            return call_within(self._left, lambda: work(_safe_backends(environment)))
        except TimeoutError as error:
            raise KeyringUnusable("the keyring did not answer in time", environment, locked=True) from error
        except CallError as failed:
            if isinstance(failed.error, KeyringUnusable):
                raise failed.error from None
            raise _unusable(failed.error, environment) from failed.error
        finally:
            self._left -= time.monotonic() - started


def _service(environment: Environment) -> str:
    return f"acctcli:{environment.name}"


def _put(backend: KeyringBackend, environment: Environment, entry: tuple[str, str], value: str) -> None:
    size = len(value.encode("utf-16-le"))
    if size > _WINDOWS_LIMIT and type(backend).__module__ == "keyring.backends.Windows":
        why = f"the token is too long for the Windows credential store ({size} of {_WINDOWS_LIMIT} bytes)"
        raise KeyringUnusable(why, environment)
    backend.set_password(*entry, value)
    if backend.get_password(*entry) != value:
        raise KeyringUnusable("the keyring did not keep it", environment)


def _get(backends: list[KeyringBackend], service: str) -> str | None:
    values = (backend.get_password(service, _USER) for backend in backends)
    return next((value for value in values if value is not None), None)


def _remove(backends: list[KeyringBackend], service: str) -> bool:
    holders = [backend for backend in backends if backend.get_password(service, _USER) is not None]
    for backend in holders:
        backend.delete_password(service, _USER)
    return bool(holders)


def _bound(value: str, environment: Environment) -> Credential:
    """Check that the stored value is ours and its host is still the environment's."""
    again = f"acctcli auth login --env {environment.name}"
    try:
        token, base_url = _unpack(value)
        check_token(token, "keyring")
    except (ValueError, RecursionError, UsageError):
        text = f"The keyring's entry for environment '{environment.name}' is not a token of this tool"
        raise NotAuthenticated(text, hint=again) from None
    here = environment.base_url or ""
    if origin(base_url) != origin(here):
        raise NotAuthenticated(
            f"The token stored for environment '{environment.name}' belongs to {origin(base_url)}, "
            f"not to {origin(here)}: it is not sent there",
            hint=again,
        )
    return Credential(token, "keyring")


def _unpack(value: str) -> tuple[str, str]:
    stored = json.loads(value)
    if not isinstance(stored, dict):
        raise ValueError("not an object")
    token, base_url = stored.get("token"), stored.get("base_url")
    if not isinstance(token, str) or not isinstance(base_url, str):
        raise ValueError("not a token and a host")
    return token, base_url


def read_secret(service: str, user: str) -> str | None:
    """Return what the keyring holds for a user of another service; None also when it cannot be asked."""

    def ask() -> str | None:
        values = (backend.get_password(service, user) for backend in _chained() if _refuse(backend) is None)
        return next((value for value in values if value is not None), None)

    try:
        return call_within(_BUDGET, ask)
    except (TimeoutError, CallError):
        return None


def _chained() -> list[KeyringBackend]:
    """Return the chosen backend, or those it chains, best first."""
    import keyring
    from keyring.backends.chainer import ChainerBackend

    chosen = keyring.get_keyring()
    return list(chosen.backends) if isinstance(chosen, ChainerBackend) else [chosen]


def _safe_backends(environment: Environment) -> list[KeyringBackend]:
    """Return the backends to ask, best first; no plain-text one."""
    chained = _chained()
    refusals = [_refuse(backend) for backend in chained]
    safe = [backend for backend, refusal in zip(chained, refusals, strict=True) if refusal is None]
    if not safe:
        why = next(filter(None, refusals), "there is no keyring")
        raise KeyringUnusable(why, environment)
    return safe


def _refuse(backend: KeyringBackend) -> str | None:
    for kind in type(backend).__mro__:
        if kind.__module__ == "keyring.backends.fail":
            return "there is no keyring"
        if kind.__module__ == "keyring.backends.null":
            return "the keyring is switched off"
        # keyrings.alt: plain text, or a file whose password is asked on the terminal
        if kind.__module__.startswith("keyrings.alt.") or "plaintext" in kind.__name__.lower():
            return f"the keyring ({type(backend).__name__}) keeps secrets in plain text or in a file of its own"
    return None


def _unusable(error: BaseException, environment: Environment) -> KeyringUnusable:
    # by name: keyring itself may be what could not be imported
    names = {kind.__name__ for kind in type(error).__mro__}
    if "KeyringLocked" in names:
        return KeyringUnusable("the keyring is locked", environment, locked=True)
    if "NoKeyringError" in names:
        return KeyringUnusable("there is no keyring", environment)
    if "InitError" in names:
        return KeyringUnusable("the keyring could not be opened", environment)
    return KeyringUnusable(f"the keyring failed ({type(error).__name__})", environment)
