"""Passwords: argon2id, a few at a time, and only so many guesses (docs/interface.md 12.1).

A hash takes 19 MiB and two passes (RFC 9106), some 50 ms of one core, during which the interpreter is free. Two are
computed at a time in a process, however many people sign in; the others wait their turn, holding neither a transaction
nor the interpreter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from acctcli.service.problems import Invalid, Throttled, Unavailable
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import passwords

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection

MEMORY_KIB, PASSES, LANES = 19 * 1024, 2, 1
SALT_BYTES, HASH_BYTES = 16, 32
SHORTEST, LONGEST = 10, 256
AT_ONCE = 2
WAIT_SECONDS = 20.0
# of nobody: who does not exist takes as long to refuse as who does
NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$KQsQNPYXJttN6Y1fS+UA6cwa4qtbotIl/BiiZCbBXiA"

WINDOW = timedelta(minutes=15)
# wrong ones in a window: of one person from one address, of one person, from one address
OF_BOTH, OF_PERSON, OF_ADDRESS = 5, 50, 100

_turns = BoundedSemaphore(AT_ONCE)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for a turn to compute; Unavailable when so many people sign in that it does not come."""
    if not _turns.acquire(timeout=WAIT_SECONDS):
        raise Unavailable("Too many people sign in at once; nothing was changed.")
    try:
        yield
    finally:
        _turns.release()


def check_new(password: str) -> str:
    """Return a password as it may be set; Invalid for one that is too short, or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Invalid.field("password", f"A password has {SHORTEST} to {LONGEST} characters.")
    return password


def hash_password(password: str, entropy: Callable[[int], bytes]) -> str:
    """Return what is kept of a password: a PHC string."""
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    with _turn():
        kdf = Argon2id(
            salt=entropy(SALT_BYTES), length=HASH_BYTES, iterations=PASSES, lanes=LANES, memory_cost=MEMORY_KIB
        )
        return kdf.derive_phc_encoded(_bytes(password))


def is_right(password: str, hashed: str | None) -> bool:
    """Whether a password is the one that was hashed; None, of who has none, takes as long and never is."""
    from cryptography.exceptions import InvalidKey
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    with _turn():
        try:
            Argon2id.verify_phc_encoded(_bytes(password[: LONGEST + 1]), hashed or NOBODY)
        except InvalidKey:
            return False
        return hashed is not None


def _bytes(password: str) -> bytes:
    """Return the bytes of a password, the same for whatever keyboard it was typed on."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "replace")


class Guesses:
    """Counts the guesses at somebody's password from an address, known by digests only."""

    def __init__(self, key: InstallationKey, email: str, address: str) -> None:
        person, place = email.strip().casefold(), _network(address)
        self._both = key.mark(f"guess {person} from {place}".encode())
        self._person = key.mark(f"guess {person}".encode())
        self._place = key.mark(f"guess from {place}".encode())
        self._most = {self._both: OF_BOTH, self._person: OF_PERSON, self._place: OF_ADDRESS}

    def count(self, conn: Connection, now: datetime) -> None:
        """Count a guess before it is looked at; Throttled when there were too many.

        So those that are looked at at once are counted as well.
        """
        since = stamp(now - WINDOW)
        counted = passwords.count_guess(conn, list(self._most), stamp(now), since)
        if any(counted[name] > most for name, most in self._most.items()):
            raise Throttled("Too many wrong passwords: wait a quarter of an hour, and try again.")

    def was_right(self, conn: Connection) -> None:
        """Take the guess back, and forget those of this person from here."""
        passwords.uncount_guess(conn, [self._person, self._place])
        passwords.forget_guesses(conn, [self._both])


def _network(address: str) -> str:
    """Return what one subscriber has: an address, of IPv6 the first 64 bits of it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped) if found.ipv4_mapped else found.packed[:8].hex()
