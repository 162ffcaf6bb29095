"""Users, who a token belongs to, and what they may do where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from acctcli.service.store.identifiers import OFFICIAL_ID
from acctcli.service.store.schema.business import business, usership
from acctcli.service.store.schema.people import token, users


class Caller(NamedTuple):
    """The signed-in user, as the token names him."""

    id: int
    email: str
    language: str | None
    token_id: int


TOKEN_USER = select(token.c.user_id).where(token.c.hash == bindparam("hash"))
ONE = select(users).where(users.c.id == bindparam("user_id"))
BY_EMAIL = select(users.c.id).where(users.c.email == bindparam("email"))
INSERT = insert(users).returning(users.c.id)
UPDATE = update(users).where(users.c.id == bindparam("user_id"))
PLACES = (
    select(usership, business.c.slug, OFFICIAL_ID.label("official_id"))
    .join_from(usership, business)
    .where(usership.c.user_id == bindparam("user_id"))
    .order_by(usership.c.id)
)


def token_user(conn: Connection, hashed: str) -> int | None:
    """Return whose token this is or was."""
    return conn.execute(TOKEN_USER, {"hash": hashed}).scalar()


def get(conn: Connection, user_id: int) -> dict[str, Any]:
    """Return a user that exists."""
    return dict(conn.execute(ONE, {"user_id": user_id}).mappings().one())


def find_email(conn: Connection, email: str) -> int | None:
    """Return the id of the user with this address."""
    return conn.execute(BY_EMAIL, {"email": email}).scalar()


def create(conn: Connection, email: str, stamp: str, **fields: str | bool | None) -> int:
    """Insert a user and return the id."""
    row: dict[str, Any] = {
        "email": email,
        "first_name": "",
        "last_name": "",
        "language": None,
        "show_get_started_info": True,
        "date_joined": stamp,
        "created_at": stamp,
        "updated_at": stamp,
    }
    return int(conn.execute(INSERT, row | fields).scalar_one())


def change(conn: Connection, user_id: int, fields: Mapping[str, Any]) -> None:
    """Set columns of a user."""
    conn.execute(UPDATE.values(**fields), {"user_id": user_id})


def places(conn: Connection, user_id: int) -> list[dict[str, Any]]:
    """Return the userships of a user, oldest first, with slug and official id of each business."""
    return [dict(row) for row in conn.execute(PLACES, {"user_id": user_id}).mappings()]
