"""What whoever owns the database does for people: passwords, and tokens that are made, listed and withdrawn."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from acctcli.service.identity import apps, grants
from acctcli.service.identity.credentials import KID_BYTES
from acctcli.service.identity.passwords import check_new, forgive, hash_password
from acctcli.service.identity.sessions import Sessions
from acctcli.service.problems import Missing, Precondition
from acctcli.service.store import service_trail
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import invitations, jwt_keys, tokens, users
from acctcli.service.store.people.apps import AppRow, registered
from acctcli.service.store.people.ending import end_token

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection, Database
    from acctcli.service.store.events import Author


class Keeper:
    """Who may do that has the database: nobody is asked for a token."""

    def __init__(
        self, database: Database, installation: InstallationKey, environment: str, clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._installation = installation
        self._environment = environment
        self._clock = clock
        self._sessions = Sessions(installation, environment, secrets.token_bytes)

    def set_password(self, email: str, password: str, *, unproved: bool = False) -> None:
        """Set the password of a user, sign them out everywhere, and forget the guesses at the one before.

        Missing when there is none with this address, Invalid for what is too short; Precondition when the user wrote
        the address themselves, unless `unproved` says that they are meant.
        """
        hashed = hash_password(check_new(password), secrets.token_bytes)

        def work(conn: Connection) -> None:
            user_id, (now, author) = _meant(conn, email, unproved=unproved), self._by(conn, "local password")
            grants.set_password(conn, user_id, hashed, now, author)
            self._sessions.sign_out_everywhere(conn, user_id, now, author)
            forgive(conn, self._installation, email)

        self._database.write(work)

    def is_invited(self, email: str) -> bool:
        """Say whether nobody has an address, but an invitation waits for it."""
        with self._database.read() as conn:
            is_waiting = invitations.any_waiting(conn, email, stamp(self._clock()))
            return is_waiting and users.find_email(conn, email) is None

    def sign_out(self, email: str) -> None:
        """Sign a user out of all browsers and apps; Missing when there is none with this address."""
        self._database.write(
            lambda conn: self._sessions.sign_out_everywhere(conn, _user(conn, email), *self._by(conn, "local sign-out"))
        )

    def check_meant(self, email: str) -> None:
        """Refuse an address that nobody has (Missing), or that its user wrote themselves (Precondition)."""
        with self._database.read() as conn:
            _meant(conn, email, unproved=False)

    def new_token(self, email: str | None, name: str, expires: datetime | None, *, unproved: bool = False) -> str:
        """Create a token for a user, the local one for no address, and the user if there is none with this address.

        Precondition when the user wrote the address themselves, unless `unproved` says that they are meant.
        """

        def work(conn: Connection) -> str:
            author, now = grants.local_author(conn, "local token", self._installation), self._clock()
            if email is None:
                user_id, _ = users.local(conn) or (0, "")
            elif users.find_email(conn, email) is None:
                user_id = grants.create_user(conn, email, now, author)
            else:
                user_id = _meant(conn, email, unproved=unproved)
            entropy, environment = secrets.token_bytes, self._environment
            return grants.create_token(
                conn, user_id, name, now, author, entropy=entropy, expires=expires, environment=environment
            )

        return self._database.write(work)

    def list_tokens(self, email: str | None) -> list[tokens.Token]:
        """Return the tokens in force, of all users or one; Missing when there is none with this address."""
        with self._database.read() as conn:
            user_id = None if email is None else _user(conn, email)
            found = tokens.in_force(conn, stamp(self._clock()))
        return [one for one in found if user_id in (None, one.user_id)]

    def get_token(self, token_id: int) -> tokens.Token:
        """Return a token in force; Missing when there is none with this id."""
        with self._database.read() as conn:
            return _found(tokens.get(conn, token_id, stamp(self._clock())))

    def register_own_app(self) -> None:
        """Register the command line as an app that people sign in to, unless it is, or was removed."""
        self._database.write(lambda conn: apps.register_own(conn, self._environment, *self._by(conn, "local serve")))

    def add_app(
        self, client_id: str | None, name: str, redirects: Sequence[str], scopes: Collection[str], *, secret: bool
    ) -> tuple[str, str | None]:
        """Register an app; return its id, made up where there is none, and its secret. Invalid for what cannot be."""
        client_id = client_id or f"app-{secrets.token_hex(8)}"
        entropy = secrets.token_bytes if secret else None

        def work(conn: Connection) -> str | None:
            by = self._by(conn, "local client add")
            return apps.register(conn, self._environment, client_id, name, redirects, scopes, *by, entropy=entropy)

        return client_id, self._database.write(work)

    def list_apps(self) -> list[AppRow]:
        """Return the apps that are registered, the oldest first."""
        with self._database.read() as conn:
            return registered(conn, self._environment)

    def remove_app(self, client_id: str) -> AppRow:
        """Remove an app, and end all that it was let do; Missing when there is none with this id."""
        return self._database.write(
            lambda conn: apps.remove(conn, self._environment, client_id, *self._by(conn, "local client remove"))
        )

    def rotate_key(self) -> str:
        """Sign JWTs with another key from now on, and return its name; those of the one before end at once."""
        kid = secrets.token_hex(KID_BYTES)

        def work(conn: Connection) -> None:
            now, author = self._by(conn, "local rotate-key")
            number = jwt_keys.begin(conn, kid, stamp(now))
            service_trail.record(conn, "jwt_key.created", {"id": number, "kid": kid}, stamp(now), author)

        self._database.write(work)
        return kid

    def _by(self, conn: Connection, operation: str) -> tuple[datetime, Author]:
        return self._clock(), grants.local_author(conn, operation, self._installation)

    def revoke_token(self, token_id: int) -> None:
        """Let a token be in force no longer; Missing when it is not."""

        def work(conn: Connection) -> None:
            now, author = self._by(conn, "local revoke-token")
            end_token(conn, _found(tokens.get(conn, token_id, stamp(now))).id, stamp(now), author)

        self._database.write(work)


def _user(conn: Connection, email: str) -> int:
    user_id = users.find_email(conn, email)
    if user_id is None:
        raise Missing("There is no user with this address.")
    return user_id


def _meant(conn: Connection, email: str, *, unproved: bool) -> int:
    """Return whose address this is; who wrote it themselves has tokens already, and may not be whom it reaches."""
    user_id = _user(conn, email)
    if not unproved and users.is_unproved(conn, user_id):
        raise Precondition("The user with this address wrote it themselves: it may be another person's.")
    return user_id


def _found(token: tokens.Token | None) -> tokens.Token:
    if token is None:
        raise Missing("There is no such token in force.")
    return token
