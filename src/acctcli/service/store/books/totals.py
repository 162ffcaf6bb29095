"""How much there is in a database."""

from __future__ import annotations

from acctcli.service.store.businesses import GONE
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query

COUNTS = Query(
    dict,
    f"""SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM business WHERE NOT {GONE}) AS businesses,
    (SELECT coalesce(sum(count), 0) FROM tally WHERE kind = 'account') AS accounts,
    (SELECT coalesce(sum(count), 0) FROM tally WHERE kind = 'document') AS documents""",
)


def counts(conn: Connection) -> dict[str, int]:
    """Return the numbers of users, businesses, accounts and documents of everybody."""
    (row,) = COUNTS.all(conn)
    return {name: int(number) for name, number in row.items()}
