"""Content on its way out: `/v1/content/<name>/`, an address whose signature is the permission.

Whatever is wrong with an address, the answer is the same 404. What comes out was put in by anybody: it is sent as an
attachment that no browser runs, shows, or takes for anything but the type found in it.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from acctcli.service.delivery.mail import file_name
from acctcli.service.http.answers import CONTENT_TYPE, Answer
from acctcli.service.http.spool import Streamed
from acctcli.service.identity.signatures import is_in_force
from acctcli.service.problems import FileUnusable, Invalid, Missing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import BufferedReader

    from acctcli.service.http.service import Clock
    from acctcli.service.http.wsgi import Arrival
    from acctcli.service.store.attachments import ContentRow
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

GUARDS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "sandbox; default-src 'none'"),
    ("Cache-Control", "private"),
    ("Referrer-Policy", "no-referrer"),
)
NOT_PLAIN = re.compile(r"[^A-Za-z0-9 ._+=,@()\[\]-]")


class Downloads:
    """Sends content to whoever has its address."""

    def __init__(self, database: Database, contents: Contents, clock: Clock) -> None:
        self._database = database
        self._contents = contents
        self._clock = clock

    def get(self, arrival: Arrival, fields: Mapping[str, str]) -> Answer:
        """Return the content; Missing for an address that was not signed, or not for so long.

        Raises FileUnusable where it is not what was uploaded.
        """
        name = fields["name"]
        found = self._find(name, *_signed(arrival))
        file = _checked(self._open(name), found.sha256)
        body = Streamed(file, os.fstat(file.fileno()).st_size)
        kind = (CONTENT_TYPE, found.type), ("Content-Disposition", disposition(found.name))
        return Answer(200, body, (*GUARDS, *kind))

    def _open(self, name: str) -> BufferedReader:
        """Open content; what the service prints itself is printed when it is first asked for."""
        try:
            return self._contents.open(name)
        except FileNotFoundError:
            pass
        from acctcli.service.cases.invoices.prints import write_print

        try:
            write_print(self._database, self._contents, name)
            return self._contents.open(name)
        except FileNotFoundError:
            raise Missing from None

    def _find(self, name: str, expires: str, signature: str) -> ContentRow:
        from acctcli.service.store import attachments

        with self._database.read() as conn:
            found = attachments.content(conn, name)
        if found is None or not is_in_force(name, found.secret, expires, signature, self._clock()):
            raise Missing
        return found


def _checked(file: BufferedReader, sha256: str | None) -> BufferedReader:
    """Return a file at its beginning; where it is known what it should hold, it does."""
    if sha256 is not None and hashlib.file_digest(file, "sha256").hexdigest() != sha256:
        file.close()
        raise FileUnusable("The content of this file is not what was uploaded: a backup may have it.")
    file.seek(0)
    return file


def _signed(arrival: Arrival) -> tuple[str, str]:
    """Return until when an address is signed, and its signature."""
    try:
        query = arrival.query()
        return query.text("expires") or "", query.text("signature") or ""
    except Invalid:
        raise Missing from None


def disposition(name: str) -> str:
    """Return the header that offers a name to save under, once in plain letters and once encoded (RFC 6266)."""
    safe = file_name(name)
    plain = NOT_PLAIN.sub("_", safe)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(safe, safe='', errors='replace')}"
