"""Who belongs to which business, with which permissions."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, delete, insert, update
from acctcli.service.store.listing import Pages
from acctcli.service.store.people import users

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


class Member(NamedTuple):
    """A person in a business, by the id of the user; the moments are those of the place there."""

    id: int
    created_at: str
    updated_at: str
    email: str
    first_name: str
    last_name: str
    permissions: str


MEMBERS = "usership JOIN users ON users.id = usership.user_id"
COLUMNS = (
    "users.id, usership.created_at, usership.updated_at, users.email, users.first_name, users.last_name, "
    "usership.permissions"
)
PAGES = Pages(Member, COLUMNS, MEMBERS, "usership.id", "(:email = '' OR users.id IN (:ids...))")
ONE = Query(
    Member, f"SELECT {COLUMNS} FROM {MEMBERS} WHERE usership.business_id = :business_id AND users.id = :user_id"
)
OTHERS = Query[tuple[str]](
    tuple, "SELECT permissions FROM usership WHERE business_id = :business_id AND user_id <> :user_id"
)


def page(conn: Connection, business_id: int, email: str, *, limit: int, offset: int) -> tuple[int, list[Member]]:
    """Return how many people a business has, and one page of them; with an address only who has it."""
    ids = users.all_with(conn, email) if email else []
    return PAGES.page(conn, business_id, email=email, ids=ids, limit=limit, offset=offset)


def get(conn: Connection, business_id: int, user_id: int) -> Member | None:
    """Return a person of a business, or None."""
    return ONE.one(conn, business_id=business_id, user_id=user_id)


def has_other(conn: Connection, business_id: int, user_id: int, key: str) -> bool:
    """Whether anybody but one user has a permission in a business."""
    return any(key in held.split() for (held,) in OTHERS.all(conn, business_id=business_id, user_id=user_id))


def remove(conn: Connection, business_id: int, user_id: int) -> None:
    """Take a person out of a business."""
    delete(conn, "usership", business_id=business_id, user_id=user_id)


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
