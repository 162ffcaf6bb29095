"""How tokens, what apps were granted, and sessions end, which the trail has; and what a restore does not bring back."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from acctcli.service.store import service_trail
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.people import apps, sessions, tokens

if TYPE_CHECKING:
    from acctcli.service.store.events import Author

WITHDRAWN = Statement("SELECT hash FROM token WHERE revoked_at IS NOT NULL")
AGAIN_IN_FORCE = Statement(
    "SELECT id FROM token WHERE revoked_at IS NULL AND (kind <> 'personal' OR hash IN (:hashes...)) ORDER BY id"
)
GRANTS = Statement("SELECT id FROM app_grant WHERE revoked_at IS NULL ORDER BY id")
SESSIONS = Query[tuple[int, int]](tuple, "SELECT id, user_id FROM session WHERE ended_at IS NULL ORDER BY id")


def withdrawn(conn: Connection) -> list[str]:
    """Return the hashes of tokens that are not in force any more."""
    return WITHDRAWN.values(conn)


def end_token(conn: Connection, token_id: int, stamp: str, author: Author) -> None:
    """Let a token be in force no longer, unless it was revoked before."""
    if tokens.revoke(conn, token_id, stamp):
        service_trail.record(conn, "token.revoked", {"id": token_id, "revoked_at": stamp}, stamp, author)


def end_grant(conn: Connection, grant_id: int, stamp: str, author: Author) -> None:
    """End what was granted to an app, and the tokens that came of it."""
    for token_id in tokens.of_grant(conn, grant_id, stamp):
        end_token(conn, token_id, stamp, author)
    if apps.revoke_grant(conn, grant_id, stamp):
        service_trail.record(conn, "app_grant.revoked", {"id": grant_id}, stamp, author)


def end_session(conn: Connection, session_id: int, user_id: int, stamp: str, author: Author) -> None:
    """End a session: its browser is signed out."""
    if sessions.end(conn, session_id, stamp):
        service_trail.record(conn, "session.ended", {"id": session_id, "user_id": user_id}, stamp, author)


def end_what_was_over(conn: Connection, hashes: Collection[str], stamp: str, author: Author) -> None:
    """End the tokens of these hashes, and all sessions and sign-ins of apps, in books of before.

    See docs/interface.md 12.5.
    """
    for token_id in AGAIN_IN_FORCE.values(conn, hashes=hashes):
        end_token(conn, token_id, stamp, author)
    for grant_id in GRANTS.values(conn):
        end_grant(conn, grant_id, stamp, author)
    for session_id, user_id in SESSIONS.all(conn):
        end_session(conn, session_id, user_id, stamp, author)
