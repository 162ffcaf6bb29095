"""Who belongs to which business, with which permissions."""

from __future__ import annotations

from collections.abc import Collection

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert, update

ACCESSIBLE = Statement(
    """SELECT business.slug FROM usership JOIN business ON business.id = usership.business_id
    WHERE usership.user_id = :user_id AND business.slug IN (:slugs...) ORDER BY business.id"""
)


def put(conn: Connection, user_id: int, business_id: int, permissions: str, stamp: str) -> None:
    """Set the permissions of a user in a business, keys separated by spaces; who is no member becomes one."""
    this = {"user_id": user_id, "business_id": business_id}
    changes = {"permissions": permissions, "updated_at": stamp}
    if not update(conn, "usership", changes, **this):
        insert(conn, "usership", {**this, **changes, "created_at": stamp})


def accessible(conn: Connection, user_id: int, slugs: Collection[str]) -> list[str]:
    """Return those of the slugs whose business the user is a member of, by its id."""
    return ACCESSIBLE.values(conn, user_id=user_id, slugs=slugs)


ADDRESSES = Query[tuple[int, str]](
    tuple,
    """SELECT users.id, users.email FROM usership JOIN users ON users.id = usership.user_id
    WHERE usership.business_id = :business_id""",
)


def addresses(conn: Connection, business_id: int) -> dict[int, str]:
    """Return the addresses of the members of a business, by the ids of users."""
    return dict(ADDRESSES.all(conn, business_id=business_id))
