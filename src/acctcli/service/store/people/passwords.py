"""Passwords, of which only hashes are kept, and how often somebody guessed wrongly."""

from __future__ import annotations

from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement

HASH = Statement("SELECT hash FROM password WHERE user_id = :user_id")
PUT = Statement(
    """INSERT INTO password (user_id, hash, changed_at) VALUES (:user_id, :hash, :stamp)
    ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, changed_at = excluded.changed_at"""
)
# what is older than the window begins anew
GUESSED = Statement(
    """INSERT INTO guess (name, failures, since) VALUES (:name, 1, :stamp) ON CONFLICT (name) DO UPDATE
    SET failures = CASE WHEN guess.since > :since THEN guess.failures + 1 ELSE 1 END,
        since = CASE WHEN guess.since > :since AND guess.failures > 0 THEN guess.since ELSE excluded.since END
    RETURNING failures"""
)
COUNTED = Statement("SELECT failures FROM guess WHERE name = :name AND since > :since")
LESS = Statement("UPDATE guess SET failures = failures - 1 WHERE name = :name AND failures > 0")
FORGET = Statement("DELETE FROM guess WHERE name = :name")
FORGET_PERSON = Statement("DELETE FROM guess WHERE name LIKE :begin || '%'")
FORGET_OLD = Statement("DELETE FROM guess WHERE since <= :since")


def find(conn: Connection, user_id: int) -> str | None:
    """Return the hash of a user's password, None where there is none."""
    found: str | None = HASH.value(conn, user_id=user_id)
    return found


def put(conn: Connection, user_id: int, hashed: str, stamp: str) -> None:
    """Set the password of a user."""
    PUT.run(conn, user_id=user_id, hash=hashed, stamp=stamp)


def count_guess(conn: Connection, name: str, stamp: str, since: str) -> int:
    """Count a guess under a name, and return how many there were with it; those of before `since` are forgotten.

    Who counts under the same name waits until the transaction ends.
    """
    return int(GUESSED.value(conn, name=name, stamp=stamp, since=since))


def guessed(conn: Connection, name: str, since: str) -> int:
    """Return how many guesses there were under a name since a moment."""
    return COUNTED.value(conn, name=name, since=since) or 0


def uncount_guess(conn: Connection, name: str) -> None:
    """Take one guess under a name back."""
    LESS.run(conn, name=name)


def forget_guesses(conn: Connection, name: str) -> None:
    """Forget all guesses under a name."""
    FORGET.run(conn, name=name)


def forget_guesses_at(conn: Connection, begin: str) -> None:
    """Forget all guesses under the names that begin so."""
    FORGET_PERSON.run(conn, begin=begin)


def forget_old_guesses(conn: Connection, since: str) -> int:
    """Forget the guesses that began before a moment, and return how many names they had."""
    return FORGET_OLD.run(conn, since=since)
