"""The sign-ins of one environment, wherever they are kept: one that is in use, and others beside it.

The entry `token` is the one in use, so that a command asks the keyring once; `token:<user>` are those set aside. The
entry in use names them, as a keyring cannot list what it holds. Whoever changes entries holds the environment's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from acctcli.credentials.backends import Keyring
from acctcli.credentials.kept import Kept, decode
from acctcli.credentials.place import PATIENCE, Place
from acctcli.credentials.sealed import SealedFile
from acctcli.credentials.tokens import check_token
from acctcli.errors import UsageError, unwritten
from acctcli.settings import Environment, config_dir, state_dir
from acctcli.settings.files import locked, make_private_folder
from acctcli.settings.urls import origin

IN_USE = "token"
CLIENT_SECRET = "client_secret"  # noqa: S105 - the name of an entry
JWTS = "jwt"


def open_store(
    environment: Environment,
    environ: Mapping[str, str],
    store: str | None = None,
    passphrase: Callable[[bool], str] | None = None,
) -> TokenStore:
    """Return where the environment's tokens are kept, or are to be: `keyring` or `file`.

    `passphrase` is what asks for that of the file, told whether it is new.
    """
    lock = state_dir(environ) / f"tokens-{environment.name}"
    if (store or environment.store) == "keyring":
        return TokenStore(environment, Keyring(environment), lock)
    from acctcli.credentials.prompt import read_file_passphrase

    path = config_dir(environ) / "tokens.sealed"
    ask = passphrase or (lambda is_new: read_file_passphrase(environ, is_new=is_new))
    return TokenStore(environment, SealedFile(environment, path, ask), lock)


class TokenStore:
    """The sign-ins of one environment in one place, whatever that may raise."""

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

    def load_of(self, user: str | None) -> Kept | None:
        """Return the sign-in of a person, in use or set aside; raise NotAuthenticated as `load` does."""
        first = self.load()
        if first is None or first.user == user:
            return first
        value = self.place.get(_aside_entry(user)) if user in first.others and user is not None else None
        return None if value is None else decode(value, self._environment, self.place.name)

    def all(self) -> list[Kept]:
        """Return the sign-in in use, and those set aside for the same host."""
        first = self.load()
        if first is None:
            return []
        aside = filter(None, map(self._aside, first.others))
        return [first, *(kept for kept in aside if self._is_of_host(kept))]

    def save(self, kept: Kept) -> Kept | None:
        """Take a sign-in into use; that of another person is set aside, another one of the same is replaced.

        Return the one that was replaced, which nobody has any more.

        Raise UsageError if its token cannot be one or the environment has no host.
        """
        check_token(kept.token, "input")
        if self._environment.base_url is None:
            raise UsageError(f"Environment '{self._environment.name}' runs in this process and needs no login")
        with self.alone():
            before = self._before()
            replaced = before
            if before is not None and before.user != kept.user:
                replaced = self._aside(kept.user) if kept.user in before.others and kept.user else None
            self._take_into_use(kept, before)
        return replaced

    def replace(self, kept: Kept) -> None:
        """Keep what became of a person's sign-in, in use or set aside; the caller holds the lock."""
        first = self._before()
        if first is None or first.user == kept.user or kept.user is None:
            self.place.put(IN_USE, replace(kept, others=first.others if first else kept.others).encode())
        else:
            self.place.put(_aside_entry(kept.user), replace(kept, others=()).encode())

    def switch(self, user: str | None) -> Kept:
        """Take the sign-in of another person into use: of the only other one when none is named."""
        with self.alone():
            first = self.load()
            others = () if first is None else first.others
            alike = [one for one in others if user is None or one.lower() == user.lower()]
            wanted = alike[0] if len(alike) == 1 else user
            found = self.load_of(wanted) if wanted in others else None
            if found is None:
                raise _nobody(user, others, self._environment)
            self._take_into_use(found, first)
        return found

    def remove(self, *, everybody: bool = False) -> tuple[list[Kept | None], Kept | None]:
        """Forget the sign-in in use, or all of them, whatever their hosts; return them, and the one in use now.

        None stands for an entry that could not be read.
        """
        with self.alone():
            self.place.remove(JWTS)
            before = self._before()
            others = [] if before is None else [kept for kept in map(self._aside, before.others) if kept is not None]
            following = None if everybody else self._first_of_host(others)
            gone = [before, *others] if everybody else [before]
            if following is not None:
                left = tuple(kept.user or "" for kept in others if kept is not following)
                self.place.put(IN_USE, replace(following, others=left).encode())
                self.place.remove(_aside_entry(following.user or ""))
                return gone, following
            for kept in others:
                self.place.remove(_aside_entry(kept.user or ""))
            self.place.remove(CLIENT_SECRET)
            was_there = self.place.remove(IN_USE)
            self.place.clear()
            return (gone if was_there else []), None

    def _first_of_host(self, others: list[Kept]) -> Kept | None:
        """Return who goes on: somebody of this host, else anybody, so that no entry is left that nobody names."""
        return next(filter(self._is_of_host, others), others[0] if others else None)

    def _is_of_host(self, kept: Kept) -> bool:
        return origin(kept.base_url) == origin(self._environment.base_url or "")

    def _take_into_use(self, kept: Kept, before: Kept | None) -> None:
        others = dict.fromkeys(before.others if before is not None else ())
        if before is not None and before.user and before.user != kept.user:
            self.place.put(_aside_entry(before.user), replace(before, others=()).encode())
            others[before.user] = None
        was_aside = kept.user is not None and others.pop(kept.user, 0) is None
        self.place.put(IN_USE, replace(kept, others=tuple(others)).encode())
        if was_aside and kept.user is not None:
            self.place.remove(_aside_entry(kept.user))

    def _before(self) -> Kept | None:
        """Return what is in use for whatever host; None for what is not ours."""
        return _read(self.place.get(IN_USE))

    def _aside(self, user: str) -> Kept | None:
        return _read(self.place.get(_aside_entry(user)))


def _read(value: str | None) -> Kept | None:
    try:
        return None if value is None else msgspec.json.decode(value, type=Kept)
    except (msgspec.DecodeError, RecursionError):
        return None


def _aside_entry(user: str) -> str:
    return f"{IN_USE}:{user}"


def _nobody(user: str | None, others: tuple[str, ...], environment: Environment) -> UsageError:
    there = f"there are {', '.join(others)}" if others else "nobody else is signed in"
    wanted = f"{user} is not signed in to {environment.name} beside the one in use" if user else "say who"
    command = "switch EMAIL" if others else "login"
    return UsageError(f"{wanted}: {there}", hint=f"acctcli auth {command} --env {environment.name}")
