"""The keys that ID tokens are signed with: RSA, sealed at rest, replaced after a while (docs/interface.md 12.2).

A new key is shown a day before it signs, and an old one for a day after it did: who keeps the public keys for some
hours always has the right one.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from acctcli.service.identity.keys import NONCE_BYTES
from acctcli.service.problems import SecretUnreadable
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps
from acctcli.service.store.people.apps import KeyRow

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection, Database

ALGORITHM = "RS256"
BITS = 2048
AGE = timedelta(days=90)
OVERLAP = timedelta(days=1)


class SigningKeys:
    """The keys of a database, which makes one when there is none, or the newest gets old."""

    def __init__(self, database: Database, key: InstallationKey, entropy: Callable[[int], bytes]) -> None:
        self._database = database
        self._key = key
        self._entropy = entropy

    def prepare(self, now: datetime) -> None:
        """See that there is a key to sign with, and a next one in time; outside of any transaction of others."""
        with self._database.read() as conn:
            if not self._wants_another(conn, now):
                return
        made = _new_key()
        kid = str(made.kid)
        sealed = self._key.seal(made.as_pem(private=True), _place(kid), self._entropy(NONCE_BYTES))

        def work(conn: Connection) -> None:
            if self._wants_another(conn, now):
                apps.add_key(conn, KeyRow(kid, sealed, stamp(now)))
                for old in self._rows(conn, now, forgotten=True):
                    apps.forget_key(conn, old.kid)

        self._database.write(work)

    def signing(self, conn: Connection, now: datetime) -> RSAKey:
        """Return the key that signs: the newest that has been shown for a day, else the oldest."""
        rows = self._rows(conn, now)
        ready = [row for row in rows if _moment(row) + OVERLAP <= now]
        return self._opened((ready or rows[:1])[-1])

    def published(self, conn: Connection, now: datetime) -> dict[str, Any]:
        """Return the public keys as a JWK set."""
        rows = self._rows(conn, now)
        return {"keys": [{**self._opened(row).as_dict(private=False), "use": "sig"} for row in rows]}

    def _wants_another(self, conn: Connection, now: datetime) -> bool:
        rows = self._rows(conn, now)
        return not rows or _moment(rows[-1]) + AGE <= now

    def _rows(self, conn: Connection, now: datetime, *, forgotten: bool = False) -> list[KeyRow]:
        """Return the keys that are shown, the oldest first, or those that are not any more."""
        rows = [row for row in apps.signing_keys(conn) if self._opens(row)]
        # the next one signs for a day already
        gone = {old.kid for old, new in pairwise(rows) if _moment(new) + 2 * OVERLAP <= now}
        return [row for row in rows if (row.kid in gone) is forgotten]

    def _opens(self, row: KeyRow) -> bool:
        """Say whether the key of this installation opens a row; another one's are of no use here."""
        try:
            self._opened(row)
        except SecretUnreadable:
            return False
        return True

    def _opened(self, row: KeyRow) -> RSAKey:
        return _read_key(self._key.unseal(bytes(row.sealed), _place(row.kid)), row.kid)


def _place(kid: str) -> str:
    return f"signing_key/{kid}"


def _moment(row: KeyRow) -> datetime:
    return datetime.fromisoformat(row.created_at).astimezone(UTC)


def _new_key() -> RSAKey:
    from joserfc.jwk import RSAKey

    made = RSAKey.generate_key(BITS, {"alg": ALGORITHM}, private=True)
    made.ensure_kid()
    return made


@lru_cache(maxsize=8)  # to read one takes longer than to sign
def _read_key(pem: bytes, kid: str) -> RSAKey:
    from joserfc.jwk import RSAKey

    return RSAKey.import_key(pem, {"alg": ALGORITHM, "kid": kid})
