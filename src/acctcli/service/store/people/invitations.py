"""Invitations to businesses, and whom they wait for."""

from __future__ import annotations

from typing import Any, NamedTuple

from acctcli.models.enums import InvitationStatus
from acctcli.service.rules.addresses import address_key
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, columns, insert, update
from acctcli.service.store.listing import Pages

# what was withdrawn is nobody's any more, and stays for the numbers of later ones
WITHDRAWN = "WITHDRAWN"
OPEN = InvitationStatus.OPEN.value


class InvitationRow(NamedTuple):
    """An invitation; moments are stamps, permissions keys separated by spaces, ids null when the user is gone."""

    id: int
    created_at: str
    updated_at: str
    business_id: int
    email: str
    status: str
    permission_group: str
    permissions: str
    expires_at: str
    invited_by: int | None
    user_id: int | None
    code_hash: str


class Addressed(NamedTuple):
    """An invitation as whom it waits for sees it: with the business, and who invites."""

    invitation: InvitationRow
    slug: str
    form: str
    country: str
    name: str
    inviter: str


OF_ROW = columns(InvitationRow)
OF_BUSINESS = "business_id = :business_id AND status <> 'WITHDRAWN'"
PAGES = Pages(
    InvitationRow,
    OF_ROW,
    "invitation",
    "id",
    "status <> 'WITHDRAWN' AND (:status = '' OR (status = :status AND (status <> 'OPEN' OR expires_at > :stamp)))",
)
ONE = Query(InvitationRow, f"SELECT {OF_ROW} FROM invitation WHERE {OF_BUSINESS} AND id = :id")
WAITING = Query(
    InvitationRow,
    f"""SELECT {OF_ROW} FROM invitation
    WHERE business_id = :business_id AND search_email = :search_email AND status = 'OPEN' AND expires_at > :stamp""",
)
ANY_WAITING = Statement(
    """SELECT count(*) FROM invitation
    WHERE search_email = :search_email AND status = 'OPEN' AND expires_at > :stamp AND user_id IS NULL"""
)
BY_INVITER = Statement(
    """SELECT id FROM invitation
    WHERE business_id = :business_id AND invited_by = :user_id AND status = 'OPEN' ORDER BY id"""
)
NUMBER = Statement("SELECT count(*) FROM invitation WHERE business_id = :business_id")
# an address that somebody had when it was invited is theirs alone: whoever takes it later was not meant
ADDRESSED = f"""SELECT {columns(InvitationRow, "invitation")}, business.slug, business.form, business.country,
    business.name, coalesce(users.email, '') FROM invitation
    JOIN business ON business.id = invitation.business_id
    LEFT JOIN users ON users.id = invitation.invited_by
    WHERE invitation.search_email = :search_email AND invitation.status <> 'WITHDRAWN'
    AND (invitation.user_id IS NULL OR invitation.user_id = :user_id)"""
ALL_ADDRESSED = Query[tuple[Any, ...]](
    tuple,
    f"{ADDRESSED} AND invitation.status = 'OPEN' AND invitation.expires_at > :stamp ORDER BY invitation.id",
)
ONE_ADDRESSED = Query[tuple[Any, ...]](tuple, f"{ADDRESSED} AND invitation.id = :id")


def create(conn: Connection, business_id: int, email: str, values: dict[str, Any]) -> int:
    """Insert an invitation and return its id."""
    return insert(
        conn, "invitation", {"business_id": business_id, "email": email, "search_email": address_key(email), **values}
    )


def page(
    conn: Connection, business_id: int, status: str, stamp: str, *, limit: int, offset: int
) -> tuple[int, list[InvitationRow]]:
    """Return how many invitations of a status there are, of any if it is empty, and one page of them.

    Those that are open wait at the moment `stamp`.
    """
    return PAGES.page(conn, business_id, status=status, stamp=stamp, limit=limit, offset=offset)


def get(conn: Connection, business_id: int, invitation_id: int) -> InvitationRow | None:
    """Return an invitation of a business that was not withdrawn."""
    return ONE.one(conn, business_id=business_id, id=invitation_id)


def waiting(conn: Connection, business_id: int, email: str, stamp: str) -> InvitationRow | None:
    """Return the invitation to a business that waits for an address."""
    return WAITING.one(conn, business_id=business_id, search_email=address_key(email), stamp=stamp)


def any_waiting(conn: Connection, email: str, stamp: str) -> bool:
    """Say whether an invitation waits for an address that nobody had when it was written."""
    return bool(ANY_WAITING.value(conn, search_email=address_key(email), stamp=stamp))


def by_inviter(conn: Connection, business_id: int, user_id: int) -> list[int]:
    """Return the invitations to a business that are open, and that a user wrote."""
    return BY_INVITER.values(conn, business_id=business_id, user_id=user_id)


def number(conn: Connection, business_id: int) -> int:
    """Return how many invitations a business has made, also those that were withdrawn."""
    return int(NUMBER.value(conn, business_id=business_id))


def addressed(conn: Connection, user_id: int, email: str, stamp: str) -> list[Addressed]:
    """Return the invitations that wait for a user with an address, the oldest first."""
    return list(map(_read, ALL_ADDRESSED.all(conn, user_id=user_id, search_email=address_key(email), stamp=stamp)))


def addressed_one(conn: Connection, user_id: int, email: str, invitation_id: int) -> Addressed | None:
    """Return an invitation to a user with an address, whatever has become of it."""
    row = ONE_ADDRESSED.one(conn, user_id=user_id, search_email=address_key(email), id=invitation_id)
    return None if row is None else _read(row)


def free(conn: Connection, user_id: int, email: str) -> None:
    """Let invitations to an address wait for whoever has it, where they waited for a user who does not."""
    update(conn, "invitation", {"user_id": None}, user_id=user_id, search_email=address_key(email), status=OPEN)


def settle(conn: Connection, invitation_id: int, status: str, stamp: str) -> None:
    """Write what has become of an invitation."""
    update(conn, "invitation", {"status": status, "updated_at": stamp}, id=invitation_id)


def _read(row: tuple[Any, ...]) -> Addressed:
    size = len(InvitationRow._fields)
    return Addressed(InvitationRow(*row[:size]), *row[size:])
