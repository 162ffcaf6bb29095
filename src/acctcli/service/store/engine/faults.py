"""What a refusal of the database means, when no check before it has said so in better words."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from acctcli.service.problems import Invalid, Precondition, Problem, Unavailable

# SQLite's names of what PostgreSQL calls unique_violation and foreign_key_violation
REFERENCES = frozenset(
    {
        "SQLITE_CONSTRAINT_UNIQUE",
        "SQLITE_CONSTRAINT_PRIMARYKEY",
        "SQLITE_CONSTRAINT_FOREIGNKEY",
        "23505",
        "23503",
    }
)
# A sum beyond 64 bits: SQLite makes it a float, which a check refuses, or gives up; PostgreSQL says out of range
OVERFLOWS = frozenset({"SQLITE_CONSTRAINT_CHECK", "22003", "23514"})
OVERFLOW_TEXT = "integer overflow"


def explain(error: Exception) -> Problem | None:
    """Return the problem behind a database error; None when it is a fault of this program, or no database error."""
    if not isinstance(error, DBAPIError):
        return None
    name = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
    if name in REFERENCES:
        return Precondition("Other records refer to this one, or it refers to one that is gone.")
    if (name in OVERFLOWS and "cents" in str(error.orig)) or OVERFLOW_TEXT in str(error.orig) or name == "22003":
        return Invalid.whole("The sum is too large to be kept.")
    if name in ("SQLITE_BUSY", "SQLITE_LOCKED") or error.connection_invalidated:
        return Unavailable()
    return None
