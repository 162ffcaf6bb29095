"""Passwords: argon2id, a few at a time, and only so many guesses (docs/interface.md 12.1).

A hash takes 19 MiB and two passes (RFC 9106), some 50 ms of one core, during which the interpreter is free. Two are
computed at a time in a process, however many people sign in; the others wait their turn, holding neither a transaction
nor the interpreter.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from ipaddress import IPv6Address, ip_address
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, TypeVar

from acctcli.service.problems import Invalid, Throttled, Unavailable
from acctcli.service.rules.addresses import address_key
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import passwords

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection, Database

T = TypeVar("T")
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
# longer than any guess is looked at: a process that was killed meanwhile leaves it counted for so long
LOOKED_AT = timedelta(minutes=1)
LOOK_AGAIN_SECONDS = 0.05
# of a digest in hex: who was tried, and from where
HALF = 32
BUSY = "Too many people sign in at once; nothing was changed."

_turns = BoundedSemaphore(AT_ONCE)


@contextmanager
def _turn() -> Iterator[None]:
    """Wait for a turn to compute; Unavailable when so many people sign in that it does not come."""
    if not _turns.acquire(timeout=WAIT_SECONDS):
        raise Unavailable(BUSY)
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


class _Full(Exception):
    """So many guesses are looked at that all that may be wrong are taken."""


class Guesses:
    """The guesses at somebody's secret from an address, known by digests only.

    A guess that is being looked at is counted apart from those that were wrong. Where both together are as many as may
    be wrong, the next one waits until it is known what those were: so of many at once none is free, and right ones are
    not refused for each other's sake.
    """

    def __init__(self, key: InstallationKey, email: str, address: str) -> None:
        person, place = _of_person(key, email), key.mark(f"guess from {_network(address)}".encode())
        self._both = person + place[:HALF]
        # in one order, so that nobody waits for each other
        self._most = dict(sorted({self._both: OF_BOTH, f"{person}any": OF_PERSON, place: OF_ADDRESS}.items()))

    def look(self, database: Database, clock: Callable[[], datetime], prove: Callable[[], T | None]) -> T | None:
        """Return what a secret proves, None where it is wrong; outside of any transaction, for it takes long.

        Raises Throttled when there were too many wrong ones, Unavailable when the turn of this one does not come.
        """
        self._begin(database, clock)
        try:
            found = prove()
        except BaseException:
            database.write(self._uncount)
            raise
        database.write(partial(self._settle, now=clock(), is_right=found is not None))
        return found

    def _begin(self, database: Database, clock: Callable[[], datetime]) -> None:
        """Count a guess before it is looked at, once there is room for it."""
        until = time.monotonic() + WAIT_SECONDS
        while time.monotonic() <= until:
            # who has to wait takes back what was counted, and writes nothing
            with suppress(_Full):
                return database.write(partial(self._count, now=clock()))
            time.sleep(LOOK_AGAIN_SECONDS)
        raise Unavailable(BUSY)

    def _count(self, conn: Connection, now: datetime) -> None:
        """Count a guess that is looked at from now on; raise _Full when it has to wait for others."""
        moment, since = stamp(now), stamp(now - LOOKED_AT)
        at_once = {name: passwords.count_guess(conn, _looked_at(name), moment, since) for name in self._most}
        # once nobody else can settle one: it would be in neither
        wrong = {name: passwords.guessed(conn, name, stamp(now - WINDOW)) for name in self._most}
        if any(wrong[name] >= most for name, most in self._most.items()):
            raise Throttled("Too many wrong passwords: wait a quarter of an hour, and try again.")
        if any(wrong[name] + at_once[name] > most for name, most in self._most.items()):
            raise _Full

    def _settle(self, conn: Connection, now: datetime, *, is_right: bool) -> None:
        """Count a guess as what it was: one that was right lets those of this person from here be forgotten."""
        self._uncount(conn)
        if is_right:
            passwords.forget_guesses(conn, self._both)
            return
        for name in self._most:
            passwords.count_guess(conn, name, stamp(now), stamp(now - WINDOW))

    def _uncount(self, conn: Connection) -> None:
        for name in self._most:
            passwords.uncount_guess(conn, _looked_at(name))


def forgive(conn: Connection, key: InstallationKey, email: str) -> None:
    """Forget all guesses at the password of a person, from wherever they came."""
    passwords.forget_guesses_at(conn, _of_person(key, email))


def _of_person(key: InstallationKey, email: str) -> str:
    """Return what the digests of a person begin with."""
    return key.mark(f"guess {address_key(email.strip())}".encode())[:HALF]


def _looked_at(name: str) -> str:
    """Return what guesses are counted under while they are looked at."""
    return f"{name[:-1]}+"


def _network(address: str) -> str:
    """Return what one subscriber has: an address, of IPv6 the first 64 bits of it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped) if found.ipv4_mapped else found.packed[:8].hex()
