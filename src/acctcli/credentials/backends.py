"""The operating system's keyring: which backends are trusted, and how they are asked without waiting for ever.

The service is `acctcli:<environment>`, the user the name of the entry. A keyring that is missing, switched off, locked,
hanging, or that is not known to keep secrets from others, is an error with a way out; nothing is written elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from acctcli.credentials.deadline import CallError, call_within
from acctcli.credentials.place import PlaceUnusable
from acctcli.settings import Environment

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

# of the package keyring itself, those that the operating system keeps
TRUSTED = ("macOS", "Windows", "SecretService", "libsecret", "kwallet")
ALSO_TRUSTED = "ACCTCLI_KEYRING_BACKENDS"
_PROBE = ("acctcli", "probe")
_WINDOWS_LIMIT = 2560  # CRED_MAX_CREDENTIAL_BLOB_SIZE, in bytes of UTF-16
BUDGET = 4.0  # seconds, so that a command that meets a hanging keyring ends within 5


class Keyring:
    """The keyring, each call of which has so many seconds; after one that took longer none is tried. A Place."""

    name = "keyring"

    def __init__(self, environment: Environment, seconds: float = BUDGET) -> None:
        self._environment = environment
        self._service = f"acctcli:{environment.name}"
        self._seconds = seconds
        self._is_hung = False

    def prove(self) -> None:
        """Keep something that is no secret, read it back, and forget it."""

        def try_out(backends: list[KeyringBackend]) -> None:
            _put(backends[0], self._environment, _PROBE, os.urandom(8).hex())
            backends[0].delete_password(*_PROBE)

        self._ask(try_out)

    def get(self, entry: str) -> str | None:
        """Return what the first backend that has the entry keeps."""

        def look(backends: list[KeyringBackend]) -> str | None:
            values = (backend.get_password(self._service, entry) for backend in backends)
            return next((value for value in values if value is not None), None)

        return self._ask(look)

    def put(self, entry: str, value: str) -> None:
        """Keep a text in the first backend, and read it back."""
        self._ask(lambda backends: _put(backends[0], self._environment, (self._service, entry), value))

    def remove(self, entry: str) -> bool:
        """Forget an entry in every backend; tell whether one had it."""

        def forget(backends: list[KeyringBackend]) -> bool:
            holders = [backend for backend in backends if backend.get_password(self._service, entry) is not None]
            for backend in holders:
                backend.delete_password(self._service, entry)
            return bool(holders)

        return self._ask(forget)

    def clear(self) -> None:
        """Forget nothing more: a keyring does not tell what it holds."""

    def _ask(self, work: Callable[[list[KeyringBackend]], T]) -> T:
        try:
            return call_within(0.0 if self._is_hung else self._seconds, lambda: work(_safe_backends(self._environment)))
        except TimeoutError as error:
            self._is_hung = True
            raise PlaceUnusable("the keyring did not answer in time", self._environment, locked=True) from error
        except CallError as failed:
            if isinstance(failed.error, PlaceUnusable):
                raise failed.error from None
            raise _unusable(failed.error, self._environment) from failed.error


def read_secret(service: str, user: str) -> str | None:
    """Return what the keyring holds for a user of another service; None also when it cannot be asked."""

    def ask() -> str | None:
        values = (backend.get_password(service, user) for backend in _chained() if _refuse(backend) is None)
        return next((value for value in values if value is not None), None)

    try:
        return call_within(BUDGET, ask)
    except (TimeoutError, CallError):
        return None


def _put(backend: KeyringBackend, environment: Environment, entry: tuple[str, str], value: str) -> None:
    size = len(value.encode("utf-16-le"))
    if size > _WINDOWS_LIMIT and type(backend).__module__ == "keyring.backends.Windows":
        why = f"the token is too long for the Windows credential store ({size} of {_WINDOWS_LIMIT} bytes)"
        raise PlaceUnusable(why, environment)
    backend.set_password(*entry, value)
    if backend.get_password(*entry) != value:
        raise PlaceUnusable("the keyring did not keep it", environment)


def _chained() -> list[KeyringBackend]:
    """Return the chosen backend, or those it chains, best first."""
    import keyring
    from keyring.backends.chainer import ChainerBackend

    chosen = keyring.get_keyring()
    return list(chosen.backends) if isinstance(chosen, ChainerBackend) else [chosen]


def _safe_backends(environment: Environment) -> list[KeyringBackend]:
    """Return the backends to ask, best first."""
    chained = _chained()
    refusals = [_refuse(backend) for backend in chained]
    safe = [backend for backend, refusal in zip(chained, refusals, strict=True) if refusal is None]
    if not safe:
        why = next(filter(None, refusals), "there is no keyring")
        raise PlaceUnusable(why, environment)
    return safe


def _refuse(backend: KeyringBackend) -> str | None:
    """Say why a backend is not asked; None when it is trusted, or named by who runs the command."""
    kind = type(backend)
    name = f"{kind.__module__}.{kind.__qualname__}"
    modules = {one.__module__ for one in kind.__mro__}
    if "keyring.backends.fail" in modules:
        return "there is no keyring"
    if "keyring.backends.null" in modules:
        return "the keyring is switched off"
    if kind.__module__ in {f"keyring.backends.{one}" for one in TRUSTED}:
        return None
    if name in os.environ.get(ALSO_TRUSTED, "").split(","):
        return None
    return f"the keyring {name} is not known to keep secrets from others (name it in {ALSO_TRUSTED} if it does)"


def _unusable(error: BaseException, environment: Environment) -> PlaceUnusable:
    # by name: keyring itself may be what could not be imported
    names = {kind.__name__ for kind in type(error).__mro__}
    if "KeyringLocked" in names:
        return PlaceUnusable("the keyring is locked", environment, locked=True)
    if "NoKeyringError" in names:
        return PlaceUnusable("there is no keyring", environment)
    if "InitError" in names:
        return PlaceUnusable("the keyring could not be opened", environment)
    return PlaceUnusable(f"the keyring failed ({type(error).__name__})", environment)
