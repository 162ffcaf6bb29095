"""What a refusal of the database means, when no check before it has said so in better words."""

from __future__ import annotations

from acctcli.service.problems import Invalid, Precondition, Problem, Unavailable
from acctcli.service.store.engine.connection import DatabaseFault

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
    if not isinstance(error, DatabaseFault):
        return None
    if error.name in REFERENCES:
        return Precondition("Other records refer to this one, or it refers to one that is gone.")
    if (error.name in OVERFLOWS and "cents" in str(error)) or OVERFLOW_TEXT in str(error) or error.name == "22003":
        return Invalid.whole("The sum is too large to be kept.")
    if error.name in ("SQLITE_BUSY", "SQLITE_LOCKED") or error.is_lost:
        return Unavailable()
    return None
