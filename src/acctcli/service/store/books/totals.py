"""How much there is in a database."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from acctcli.service.store.schema.business import business
from acctcli.service.store.schema.log import tally
from acctcli.service.store.schema.people import users

NUMBERS = (
    select(func.count()).select_from(users).scalar_subquery().label("users"),
    select(func.count()).select_from(business).scalar_subquery().label("businesses"),
    *(
        select(func.coalesce(func.sum(tally.c.count), 0))
        .where(tally.c.kind == kind)
        .scalar_subquery()
        .label(kind + "s")
        for kind in ("account", "document")
    ),
)
COUNTS = select(*NUMBERS)


def counts(conn: Connection) -> dict[str, int]:
    """Return the numbers of users, businesses, accounts and documents of everybody."""
    return {name: int(number) for name, number in conn.execute(COUNTS).mappings().one().items()}
