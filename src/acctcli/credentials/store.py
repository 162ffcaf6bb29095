"""The sign-ins of one environment, wherever they are kept: one that is in use, and others beside it.

The entry `token` is the one in use, so that a command asks the keyring once; `token:<user>` are those set aside. The
entry in use names them, as a keyring cannot list what it holds. Whoever changes entries holds the environment's lock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from acctcli.credentials.backends import Keyring
from acctcli.credentials.kept import Kept, decode
from acctcli.credentials.place import Place
from acctcli.credentials.sealed import SealedFile
from acctcli.credentials.tokens import check_token
from acctcli.errors import NotAuthenticated, UsageError, unwritten
from acctcli.settings import Environment, config_dir, state_dir
from acctcli.settings.files import locked, make_private_folder

IN_USE = "token"
CLIENT_SECRET = "client_secret"  # noqa: S105 - the name of an entry
# seconds to wait for another command, which may be signing in or renewing a token
PATIENCE = 60.0


def open_store(environment: Environment, environ: Mapping[str, str], store: str | None = None) -> TokenStore:
    """Return where the environment's tokens are kept, or are to be: `keyring` or `file`."""
    lock = state_dir(environ) / f"tokens-{environment.name}"
    if (store or environment.store) == "keyring":
        return TokenStore(environment, Keyring(environment), lock)
    from acctcli.credentials.prompt import read_file_passphrase

    path = config_dir(environ) / "tokens.sealed"
    sealed = SealedFile(environment, path, lambda is_new: read_file_passphrase(environ, is_new=is_new))
    return TokenStore(environment, sealed, lock)


class TokenStore:
    """The sign-ins of one environment in one place; every method may raise PlaceUnusable."""

    def __init__(self, environment: Environment, place: Place, lock: Path) -> None:
        self._environment = environment
        self.place = place
        self._lock = lock

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other commands from changing the environment's entries."""
        try:
            make_private_folder(self._lock.parent)
            with locked(self._lock, PATIENCE):
                yield
        except OSError as error:
            raise unwritten(f"{self._lock} cannot be written", error) from error

    def load(self) -> Kept | None:
        """Return the sign-in in use; raise NotAuthenticated if it was kept for another host."""
        value = self.place.get(IN_USE)
        return None if value is None else decode(value, self._environment, self.place.name)

    def all(self) -> list[Kept]:
        """Return the sign-in in use, and those set aside."""
        first = self.load()
        if first is None:
            return []
        return [first, *filter(None, map(self._aside, first.others))]

    def save(self, kept: Kept) -> None:
        """Take a sign-in into use; that of another person is set aside, another one of the same is replaced.

        Raise UsageError if its token cannot be one or the environment has no host.
        """
        check_token(kept.token, "input")
        if self._environment.base_url is None:
            raise UsageError(f"Environment '{self._environment.name}' runs in this process and needs no login")
        with self.alone():
            self._take_into_use(kept, self._before())

    def replace(self, kept: Kept) -> None:
        """Keep what became of the sign-in in use, whose lock the caller holds."""
        self.place.put(IN_USE, kept.encode())

    def switch(self, user: str | None) -> Kept:
        """Take the sign-in of another person into use: of the only other one when none is named."""
        with self.alone():
            first = self.load()
            others = () if first is None else first.others
            wanted = others[0] if user is None and len(others) == 1 else user
            found = self._aside(wanted) if wanted in others else None
            if found is None:
                raise _nobody(user, others, self._environment)
            self._take_into_use(found, first)
        return found

    def remove(self) -> tuple[Kept | None, Kept | None]:
        """Forget the sign-in in use, whatever its host; return it, and the one that is in use now."""
        with self.alone():
            before = self._before()
            following = None if before is None else next(filter(None, map(self._aside, before.others)), None)
            if following is not None and before is not None:
                left = tuple(other for other in before.others if other != following.user)
                self.replace(msgspec.structs.replace(following, others=left))
                self.place.remove(_aside_entry(following.user or ""))
                return before, following
            return (before if self.place.remove(IN_USE) else None), None

    def _take_into_use(self, kept: Kept, before: Kept | None) -> None:
        others = dict.fromkeys(before.others if before is not None else ())
        if before is not None and before.user and before.user != kept.user:
            self.place.put(_aside_entry(before.user), msgspec.structs.replace(before, others=()).encode())
            others[before.user] = None
        was_aside = kept.user is not None and others.pop(kept.user, 0) is None
        self.replace(msgspec.structs.replace(kept, others=tuple(others)))
        if was_aside and kept.user is not None:
            self.place.remove(_aside_entry(kept.user))

    def _before(self) -> Kept | None:
        """Return what is in use for whatever host; None for what is not ours."""
        value = self.place.get(IN_USE)
        try:
            return None if value is None else msgspec.json.decode(value, type=Kept)
        except (msgspec.DecodeError, RecursionError):
            return None

    def _aside(self, user: str) -> Kept | None:
        value = self.place.get(_aside_entry(user))
        return None if value is None else decode(value, self._environment, self.place.name)


def _aside_entry(user: str) -> str:
    return f"{IN_USE}:{user}"


def _nobody(user: str | None, others: tuple[str, ...], environment: Environment) -> NotAuthenticated:
    there = f"there are {', '.join(others)}" if others else "nobody else is signed in"
    wanted = f"{user} is not signed in to {environment.name} beside the one in use" if user else "say who"
    return NotAuthenticated(f"{wanted}: {there}", hint=f"acctcli auth login --env {environment.name}")
