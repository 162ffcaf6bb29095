"""Who may look: the browser that was given the address, from that address, and nobody else on this machine.

The address holds a key that is good once. Whoever brings it is given a cookie in its place, and the address without
it. Cookies know no ports: that this one goes to no other server of this machine is why all pages lie below a folder
whose name nobody else knows, and the cookie belongs to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.message import Message
from secrets import compare_digest, token_urlsafe
from threading import Lock

HOST = "127.0.0.1"
KEY = "key"
_COOKIE = "acctcli_view"
# where a request comes from that this page, the address bar or another program sends
_OWN = ("none", "same-origin")
OTHER_ADDRESS = "this server answers at its own address only"
OTHER_SITE = "another page has led here: open the address yourself"
NOT_YOURS = "this page belongs to the browser that the address was opened in; run the command again for another address"
USED = "this address was opened before, and is good once; if that was not you, end the command at once"


class Gate:
    """Lets one browser in, at one port."""

    def __init__(self, port: int) -> None:
        self._hosts = {f"{HOST}:{port}", f"localhost:{port}"}
        self.root = f"/{token_urlsafe(12)}"
        self._key: str | None = token_urlsafe(32)
        self._session = token_urlsafe(32)
        self._lock = Lock()
        self.address = f"http://{HOST}:{port}{self.root}/?{KEY}={self._key}"

    @property
    def cookie(self) -> str:
        """What a browser is told that has brought the key."""
        return f"{_COOKIE}={self._session}; Path={self.root}/; HttpOnly; SameSite=Strict"

    def fault(self, headers: Message) -> str | None:
        """Say what is wrong with where a request comes from; None where nothing is."""
        host, origin, site = (headers.get_all(name, []) for name in ("Host", "Origin", "Sec-Fetch-Site"))
        if len(host) != 1 or host[0].lower() not in self._hosts:
            return OTHER_ADDRESS
        is_own = all(one == f"http://{host[0]}".lower() for one in origin) and all(one in _OWN for one in site)
        return None if is_own else OTHER_SITE

    def is_inside(self, headers: Message) -> bool:
        """Whether a request has the cookie."""
        return any(_is_same(one, self._session) for one in _sessions(headers.get_all("Cookie", [])))

    def takes(self, key: str) -> bool:
        """Take the key, the first time that it comes; whether this is it."""
        with self._lock:
            is_key = self._key is not None and _is_same(key, self._key)
            if is_key:
                self._key = None
        return is_key


def _is_same(given: str, own: str) -> bool:
    return compare_digest(given.encode("utf-8", "replace"), own.encode())


def _sessions(headers: Sequence[str]) -> Iterator[str]:
    """Yield all cookies of our name: other servers of this machine may have set some."""
    for one in (part for header in headers for part in header.split(";")):
        name, _, value = one.strip().partition("=")
        if name == _COOKIE:
            yield value
