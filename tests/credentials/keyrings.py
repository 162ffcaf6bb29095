"""Keyring backends that keep tokens in memory, or misbehave."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

import keyring
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.backends.chainer import ChainerBackend
from keyring.compat import properties
from keyring.errors import InitError, KeyringLocked, PasswordDeleteError

from acctcli.credentials.backends import ALSO_TRUSTED


class MemoryKeyring(KeyringBackend):
    """A working keyring; `entries` is what it holds."""

    # not viable: never found by keyring's own discovery, only set by a test
    @properties.classproperty
    def priority(cls) -> float:  # noqa: N805
        raise RuntimeError("for tests only")

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.entries: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.entries:
            raise PasswordDeleteError("no such password")
        del self.entries[service, username]


class PlaintextKeyring(MemoryKeyring):
    """Named as the plain-text file keyrings are."""


class DerivedKeyring(PlaintextKeyring):
    """A plain-text keyring by another name."""


class BrokenKeyring(MemoryKeyring):
    """Raises `error` whatever it is asked."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def get_password(self, service: str, username: str) -> str | None:
        raise self.error

    def set_password(self, service: str, username: str, password: str) -> None:
        raise self.error

    def delete_password(self, service: str, username: str) -> None:
        raise self.error


class ForgetfulKeyring(MemoryKeyring):
    """Says yes and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        return None


class HangingKeyring(MemoryKeyring):
    """Never answers until `release` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.release = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.release.wait()
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.release.wait()


class Chain(ChainerBackend):
    """A chainer over backends of our choice."""

    backends: list[KeyringBackend] = []  # noqa: RUF012 - as the class it replaces

    @properties.classproperty
    def priority(cls) -> float:  # noqa: N805
        raise RuntimeError("for tests only")


def chain(*backends: KeyringBackend) -> Chain:
    """Return a chainer over `backends`, best first."""
    made = Chain()  # type: ignore[no-untyped-call]
    made.backends = list(backends)
    return made


def no_keyring() -> KeyringBackend:
    """Return what keyring chooses where the system has none."""
    return fail.Keyring()  # type: ignore[no-untyped-call]


def null_keyring() -> KeyringBackend:
    """Return what `keyring --disable` chooses."""
    return null.Keyring()  # type: ignore[no-untyped-call]


TRUSTED_HERE = (MemoryKeyring, BrokenKeyring, ForgetfulKeyring, HangingKeyring)
LOCKED = KeyringLocked("Failed to unlock the collection!")
UNOPENED = InitError("Failed to create the collection")


@contextlib.contextmanager
def installed(backend: KeyringBackend) -> Iterator[None]:
    """Make `backend` the keyring of this process, and trust those of this module that keep nothing in plain text."""
    before = keyring.core._keyring_backend
    named = os.environ.get(ALSO_TRUSTED)
    os.environ[ALSO_TRUSTED] = ",".join(f"{__name__}.{kind.__name__}" for kind in TRUSTED_HERE)
    keyring.set_keyring(backend)
    try:
        yield
    finally:
        keyring.core._keyring_backend = before
        os.environ.pop(ALSO_TRUSTED)
        if named is not None:
            os.environ[ALSO_TRUSTED] = named
