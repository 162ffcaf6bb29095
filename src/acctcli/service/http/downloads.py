"""Content on its way out: `/v1/content/<name>/`, an address whose signature is the permission.

Whatever is wrong with an address, the answer is the same 404. What comes out was put in by anybody: it is sent as an
attachment that no browser runs, shows, or takes for anything but the type found in it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from acctcli.service.identity.signatures import is_in_force
from acctcli.service.problems import Missing

if TYPE_CHECKING:
    import falcon

    from acctcli.service.http.service import Clock
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
# what steers a terminal, a header or a file system
UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|]')


class Downloads:
    """Sends content to whoever has its address."""

    def __init__(self, database: Database, contents: Contents, clock: Clock) -> None:
        self._database = database
        self._contents = contents
        self._clock = clock

    def on_get(self, req: falcon.Request, resp: falcon.Response, name: str) -> None:
        """Send the content, or 404."""
        self._answer(req, resp, name)

    def on_head(self, req: falcon.Request, resp: falcon.Response, name: str) -> None:
        """Send the headers that the content has, or 404."""
        self._answer(req, resp, name).close()

    def _answer(self, req: falcon.Request, resp: falcon.Response, name: str) -> BinaryIO:
        found = self._find(name, req.get_param("expires") or "", req.get_param("signature") or "")
        stream = self._open(name)
        resp.set_stream(stream, os.fstat(stream.fileno()).st_size)
        resp.content_type = found.type
        resp.set_headers((*GUARDS, ("Content-Disposition", disposition(found.name))))
        return stream

    def _open(self, name: str) -> BinaryIO:
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


def disposition(name: str) -> str:
    """Return the header that offers a name to save under, once in plain letters and once encoded (RFC 6266)."""
    safe = UNSAFE.sub("_", name).lstrip(". ") or "file"
    plain = NOT_PLAIN.sub("_", safe)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(safe, safe='', errors='replace')}"
