"""Users, who a token belongs to, and what they may do where."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from acctcli import law
from acctcli.service.rules.addresses import address_key, is_same
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement, insert, insert_many, update
from acctcli.service.store.rows import Record


class Caller(NamedTuple):
    """The signed-in user, as the token names them."""

    id: int
    email: str
    language: str | None
    token_id: int
    name: str = ""

    @property
    def called(self) -> str:
        """Name and address, as the trail keeps them."""
        return f"{self.name} <{self.email}>" if self.name else self.email


TOKEN_USER = Statement("SELECT user_id FROM token WHERE hash = :hash")
ONE = Query[Record](dict, "SELECT * FROM users WHERE id = :user_id")
LOCAL = Query[tuple[int, str]](
    tuple, "SELECT users.id, users.email FROM local_user JOIN users ON users.id = local_user.user_id"
)
# those that may have an address, which rules/addresses.py decides: databases know lower case of ASCII alone for sure
LIKE_EMAIL = Query[tuple[int, str]](
    tuple,
    """SELECT id, email FROM users WHERE lower(email) = :key OR octet_length(email) <> length(email)
    ORDER BY email <> :email, id""",
)


@cache
def _places() -> Query[Record]:
    """With the identifier that each business is known by in its country."""
    types = " ".join(f"WHEN '{one.code}' THEN '{one.official_id.type.value}'" for one in law.countries())
    return Query(
        dict,
        f"""SELECT usership.*, business.slug, business.name, (
            SELECT value FROM identifier WHERE identifier.business_id = business.id
            AND identifier.type = CASE business.country {types} END) AS official_id
        FROM usership JOIN business ON business.id = usership.business_id
        WHERE usership.user_id = :user_id ORDER BY usership.id""",
    )


def token_user(conn: Connection, hashed: str) -> int | None:
    """Return whose token this is or was."""
    user_id: int | None = TOKEN_USER.value(conn, hash=hashed)
    return user_id


def get(conn: Connection, user_id: int) -> Record:
    """Return a user that exists."""
    (row,) = ONE.all(conn, user_id=user_id)
    return row


def called(conn: Connection, user_id: int) -> str:
    """Return name and address of a user that exists, as the trail keeps them."""
    row = get(conn, user_id)
    return Caller(user_id, row["email"], None, 0, f"{row['first_name']} {row['last_name']}".strip()).called


def find_email(conn: Connection, email: str) -> int | None:
    """Return the id of the user with this address, in upper or lower case; of who has it exactly, if there are more."""
    return next(iter(all_with(conn, email)), None)


def all_with(conn: Connection, email: str) -> list[int]:
    """Return who has an address: one user, or more in books from before case was looked at."""
    found = LIKE_EMAIL.all(conn, email=email, key=address_key(email))
    return [user_id for user_id, address in found if is_same(address, email)]


def is_unproved(conn: Connection, user_id: int) -> bool:
    """Say whether a user wrote their address themselves, so that it may be anybody's."""
    return get(conn, user_id)["email_changed_at"] is not None


def local(conn: Connection) -> tuple[int, str] | None:
    """Return id and address of the person at this machine, None before there is one."""
    return LOCAL.one(conn)


def make_local(conn: Connection, user_id: int) -> None:
    """Say who the person at this machine is."""
    insert_many(conn, "local_user", [{"user_id": user_id}])


def create(conn: Connection, email: str, stamp: str, **fields: str | bool | None) -> int:
    """Insert a user and return the id."""
    row: Record = {
        "email": email,
        "first_name": "",
        "last_name": "",
        "language": None,
        "show_get_started_info": True,
        "date_joined": stamp,
        "created_at": stamp,
        "updated_at": stamp,
    }
    return insert(conn, "users", row | fields)


def change(conn: Connection, user_id: int, fields: Mapping[str, Any]) -> None:
    """Set columns of a user."""
    update(conn, "users", fields, id=user_id)


def places(conn: Connection, user_id: int) -> list[Record]:
    """Return the userships of a user, oldest first, with slug, name and official id of each business."""
    return _places().all(conn, user_id=user_id)
