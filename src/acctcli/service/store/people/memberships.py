"""Who belongs to which business, with which permissions."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from acctcli.service.store.schema.business import business, usership

OF = (usership.c.user_id == bindparam("user"), usership.c.business_id == bindparam("business"))
ACCESSIBLE = (
    select(business.c.slug)
    .join_from(usership, business)
    .where(usership.c.user_id == bindparam("user"), business.c.slug.in_(bindparam("slugs", expanding=True)))
    .order_by(business.c.id)
)


def put(conn: Connection, user_id: int, business_id: int, permissions: str, stamp: str) -> None:
    """Set the permissions of a user in a business, keys separated by spaces; he becomes a member if he is none."""
    key = {"user": user_id, "business": business_id}
    changed = conn.execute(update(usership).where(*OF).values(permissions=permissions, updated_at=stamp), key)
    if not changed.rowcount:
        row = {"user_id": user_id, "business_id": business_id, "permissions": permissions}
        conn.execute(insert(usership), row | {"created_at": stamp, "updated_at": stamp})


def remove(conn: Connection, user_id: int, business_id: int) -> None:
    """Take a business away from a user."""
    conn.execute(delete(usership).where(*OF), {"user": user_id, "business": business_id})


def accessible(conn: Connection, user_id: int, slugs: Collection[str]) -> list[str]:
    """Return those of the slugs whose business the user is a member of, by its id."""
    return list(conn.execute(ACCESSIBLE, {"user": user_id, "slugs": list(slugs)}).scalars())
