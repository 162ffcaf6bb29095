"""How tokens, what apps were granted, invitations and sessions end, which trails have.

A restore does not bring back what had ended.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from acctcli.service.store import events, service_trail
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement
from acctcli.service.store.people import apps, invitations, sessions, tokens

if TYPE_CHECKING:
    from acctcli.service.store.events import Author

WITHDRAWN = Statement("SELECT hash FROM token WHERE revoked_at IS NOT NULL")
AGAIN_IN_FORCE = Statement(
    "SELECT id FROM token WHERE revoked_at IS NULL AND (kind <> 'personal' OR hash IN (:hashes...)) ORDER BY id"
)
GRANTS = Statement("SELECT id FROM app_grant WHERE revoked_at IS NULL ORDER BY id")
SETTLED = Statement("SELECT code_hash FROM invitation WHERE status <> 'OPEN'")
OPEN_AGAIN = Query[tuple[int, int]](
    tuple,
    "SELECT id, business_id FROM invitation WHERE status = 'OPEN' AND code_hash IN (:codes...) ORDER BY id",
)
SESSIONS = Query[tuple[int, int]](tuple, "SELECT id, user_id FROM session WHERE ended_at IS NULL ORDER BY id")


def withdrawn(conn: Connection) -> list[str]:
    """Return the hashes of tokens that are not in force any more."""
    return WITHDRAWN.values(conn)


def settled(conn: Connection) -> list[str]:
    """Return the hashes of the codes of invitations that nobody can accept any more."""
    return SETTLED.values(conn)


def end_invitation(conn: Connection, business_id: int, invitation_id: int, stamp: str, author: Author) -> None:
    """Take an invitation back that waits."""
    invitations.settle(conn, invitation_id, invitations.WITHDRAWN, stamp)
    events.record(conn, business_id, "invitation.deleted", {"id": invitation_id}, stamp, author)


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


def end_what_was_over(
    conn: Connection, hashes: Collection[str], codes: Collection[str], stamp: str, author: Author
) -> None:
    """End the tokens and invitations of these hashes, and all sessions and sign-ins of apps, in books of before.

    See docs/interface.md 12.5.
    """
    for token_id in AGAIN_IN_FORCE.values(conn, hashes=hashes):
        end_token(conn, token_id, stamp, author)
    for invitation_id, business_id in OPEN_AGAIN.all(conn, codes=codes):
        end_invitation(conn, business_id, invitation_id, stamp, author)
    for grant_id in GRANTS.values(conn):
        end_grant(conn, grant_id, stamp, author)
    for session_id, user_id in SESSIONS.all(conn):
        end_session(conn, session_id, user_id, stamp, author)
