"""Browsers that people sign in with, and how they are signed out again (docs/interface.md 12.4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from acctcli.service.identity.opaque import LONGEST, SESSION, belongs, digest, new_opaque
from acctcli.service.store import service_trail
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps, sessions, users
from acctcli.service.store.people.ending import end_grant, end_session
from acctcli.service.store.people.sessions import Session

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.events import Author

LIFETIME = timedelta(hours=12)
MAX_CLIENT = 200


class Sessions:
    """The sessions of one service: `environment` is its name, `key` that of its installation."""

    def __init__(self, key: InstallationKey, environment: str, entropy: Callable[[int], bytes]) -> None:
        self._key = key
        self._environment = environment
        self._entropy = entropy

    def begin(self, conn: Connection, user_id: int, client: str, now: datetime, author: Author) -> str:
        """Begin a session and return the secret that its browser shows from now on."""
        secret, until = new_opaque(self._entropy, SESSION, user_id), stamp(now + LIFETIME)
        hashed, client = digest(secret, self._key), client[:MAX_CLIENT]
        session_id = sessions.add(conn, user_id, hashed, self._environment, client, stamp(now), until)
        users.change(conn, user_id, {"last_login": stamp(now)})
        begun = {"id": session_id, "user_id": user_id, "client": client, "expires_at": until}
        service_trail.record(conn, "session.created", begun, stamp(now), author)
        return secret

    def find(self, conn: Connection, secret: str, now: datetime) -> Session | None:
        """Return the session that a browser shows, None for none that is in force."""
        if not 0 < len(secret) <= LONGEST:
            return None
        found = sessions.find(conn, digest(secret, self._key), self._environment, stamp(now))
        return found if found is not None and belongs(secret, SESSION, found.user_id) else None

    def listed(self, conn: Connection, user_id: int, now: datetime) -> list[Session]:
        """Return the sessions of a user, the newest first."""
        return sessions.of_user(conn, user_id, self._environment, stamp(now))

    def end(self, conn: Connection, session: Session, now: datetime, author: Author) -> None:
        """End a session: its browser is signed out."""
        end_session(conn, session.id, session.user_id, stamp(now), author)

    def sign_out_everywhere(
        self, conn: Connection, user_id: int, now: datetime, author: Author, *, but: int | None = None
    ) -> None:
        """End all sessions of a user, `but` one, and all that apps were let do, with their tokens.

        Personal access tokens stay: each is withdrawn by itself.
        """
        for session in self.listed(conn, user_id, now):
            if session.id != but:
                self.end(conn, session, now, author)
        apps.forget_codes(conn, user_id=user_id)
        for grant_id in apps.open_grants(conn, user_id=user_id):
            end_grant(conn, grant_id, stamp(now), author)
