"""One call of a page: who comes, in which language, and whether a form is their own (docs/interface.md 12.4)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from acctcli.service.identity.invitations import PAGE as INVITATION
from acctcli.service.pages.render import render
from acctcli.service.pages.texts import LANGUAGES, choose, texts
from acctcli.service.store.people import users

if TYPE_CHECKING:
    from acctcli.service.identity.host import LoginService, Visit
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.events import Author
    from acctcli.service.store.people.sessions import Session
    from acctcli.service.store.rows import Record

T = TypeVar("T")
Headers = tuple[tuple[str, str], ...]

LOGIN, LOGOUT = "/identity/login", "/identity/logout"
ACCOUNT, PASSWORD = "/identity/account", "/identity/account/password"
TOKENS, WITHDRAW = f"{ACCOUNT}/tokens", f"{ACCOUNT}/tokens/withdraw"
APPS, END_APP = f"{ACCOUNT}/apps", f"{ACCOUNT}/apps/end"
SESSIONS, END_SESSION, EVERYWHERE = f"{ACCOUNT}/sessions", f"{ACCOUNT}/sessions/end", f"{ACCOUNT}/sessions/everywhere"
STYLE = "/identity/style.css"
# where who has signed in looks through books
VIEWS = "/view/"
OWN_PLACES = ("/identity/", VIEWS)

# what templates call them
PLACES = {
    "account": ACCOUNT,
    "books": VIEWS,
    "tokens": TOKENS,
    "apps": APPS,
    "sessions": SESSIONS,
    "invitation": INVITATION,
}

SESSION, VISITOR, LANGUAGE = "acct_session", "acct_visitor", "acct_language"
LONGEST_NEXT = 8000
# of a session that ended before a form of it came
UNSAVED = "unsaved"
YEAR_SECONDS = 365 * 24 * 3600
SAME_SITE = ("same-origin", "none")
ALWAYS: Headers = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"


class Asked(NamedTuple):
    """A call as a page reads it; `called` is the Host header, `form` is None without a body."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    form: Mapping[str, list[str]] | None
    cookies: Mapping[str, str]
    accepted: str
    called: str
    origin: str | None
    site: str | None
    visit: Visit


class Shown(NamedTuple):
    """What a page answers."""

    status: int
    body: bytes
    headers: Headers


def address_of(path: str, query: Mapping[str, list[str]]) -> str:
    """Write the address of a page, without what a page says once that something was done."""
    given = [(name, value) for name, values in query.items() for value in values if name != "done"]
    return f"{quote(path)}?{urlencode(given)}" if given else quote(path)


class Expired(Exception):
    """The session ended between a page and its form, or the form is not of this session."""


class Page:
    """A call, and who it is by: `session` and `person` are None for who has not signed in."""

    def __init__(self, host: LoginService, asked: Asked) -> None:
        self.host = host
        self.asked = asked
        self.now: datetime = host.clock()
        self.session: Session | None = None
        self.person: Record | None = None
        self._cookies: list[str] = []
        if secret := self._cookie(SESSION):
            with host.database.read() as conn:
                self.session = host.sessions.find(conn, secret, self.now)
                self.person = users.get(conn, self.session.user_id) if self.session else None

    # --- what came ---

    @property
    def secret(self) -> str:
        """What the browser shows of its session."""
        return self._cookie(SESSION)

    def asks(self, name: str) -> str:
        """Return a parameter of the address, empty where there is none."""
        return (self.asked.query.get(name) or [""])[0]

    def field(self, name: str) -> str:
        """Return a field of the form, empty where there is none."""
        return ((self.asked.form or {}).get(name) or [""])[0]

    def is_own_form(self) -> bool:
        """Say whether a form was made for this browser."""
        secret = self._cookie(SESSION) if self.session else self._cookie(VISITOR)
        return bool(secret) and compare_digest(self._proof(secret).encode(), self.field("csrf").encode())

    def next(self) -> str:
        """Return where to go on: an address of these pages, and of nobody else."""
        wanted = self.field("next") or self.asks("next")
        parts = None
        with suppress(ValueError):  # brackets without an address in them
            if wanted.isascii() and wanted.isprintable() and len(wanted) <= LONGEST_NEXT:
                parts = urlsplit(wanted)
        if parts is None or "\\" in wanted or "//" in parts.path:
            return ACCOUNT
        # of what was written: `///identity/` has an empty host for Python, and a browser looks for one in the path
        is_own = wanted.startswith(OWN_PLACES) and ".." not in parts.path and parts.path != LOGOUT
        return wanted if is_own else ACCOUNT

    @cached_property
    def language(self) -> str:
        """The language: chosen, the person's own, asked for by an app, or what the browser accepts."""
        own = self.person["language"] if self.person else None
        asked = self.asks("ui_locales").partition(" ")[0][:2].lower()
        return choose((self.asks("lang"), self._cookie(LANGUAGE), own, asked), self.asked.accepted)

    @property
    def text(self) -> Mapping[str, str]:
        """What pages say in the language."""
        return texts(self.language)

    # --- what is done ---

    @property
    def here(self) -> Session:
        """The session of a page that only who signed in sees."""
        if self.session is None:
            raise Expired
        return self.session

    def author(self, operation: str) -> Author:
        """Return who the trail names."""
        person = self.person
        if person is None:
            return self.host.author(self.asked.visit, operation)
        name = f"{person['first_name']} {person['last_name']}".strip()
        called = f"{name} <{person['email']}>" if name else person["email"]
        return self.host.author(self.asked.visit, operation, person["id"], called)

    def change(self, operation: str, work: Callable[[Connection, Author], T]) -> T:
        """Do what a form asks for in a transaction; Expired when it is no form of a session that is in force."""
        if not self.is_own_form():
            raise Expired
        secret, author = self._cookie(SESSION), self.author(operation)

        def run(conn: Connection) -> T:
            if self.host.sessions.find(conn, secret, self.now) is None:
                raise Expired
            return work(conn, author)

        return self.host.database.write(run)

    # --- what is shown ---

    def show(
        self, name: str, status: int = 200, *, targets: Sequence[str] = (), headers: Headers = (), **values: Any
    ) -> Shown:
        """Return a page; its forms may lead to the `targets`, beside these pages."""
        values = {**self._usual(), **values}
        policy = ("Content-Security-Policy", " ".join((POLICY, *targets)))
        return Shown(status, render(name, values), (*ALWAYS, policy, *headers, *self._set_cookies()))

    def refuse(self, status: int, why: str, address: str | None = None) -> Shown:
        """Say why nothing is shown; `address` is where something would be."""
        return self.show("error", status, title=self.text["error"], text=self.text[why], detail=None, address=address)

    def go(self, place: str, status: int = 303) -> Shown:
        """Send the browser on."""
        return Shown(status, b"", (("Location", place), *ALWAYS, *self._set_cookies()))

    def to_sign_in(self, place: str, *, again: bool = False) -> Shown:
        """Send the browser to where people sign in, and from there to a place; what ended meanwhile is said there."""
        given = {"next": place, **({"again": "1"} if again else {})}
        if self.asked.method == "POST":
            given["ended"] = UNSAVED
        elif self.secret and self.session is None:
            given["ended"] = "1"
        return self.go(f"{LOGIN}?{urlencode(given)}")

    def set_cookie(self, name: str, value: str, seconds: int | None = None) -> None:
        """Keep something in the browser; for this site only, and from its scripts."""
        age = "" if seconds is None else f"; Max-Age={seconds}"
        secure = "; Secure" if self._is_secure else ""
        self._cookies.append(f"{self._named(name)}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}")

    def drop_cookie(self, name: str) -> None:
        """Let the browser forget something."""
        self.set_cookie(name, "", 0)

    def proof(self) -> str:
        """Return what a form of this browser says, so that no other site can send it."""
        secret = self._cookie(SESSION) if self.session else self._cookie(VISITOR)
        if not secret:
            secret = base64.urlsafe_b64encode(self.host.entropy(24)).decode()
            self.set_cookie(VISITOR, secret)
        return self._proof(secret)

    def _usual(self) -> dict[str, Any]:
        given = [(name, value) for name, values in self.asked.query.items() if name != "lang" for value in values]
        links = [
            (one, texts(one)["language"], f"{self.asked.path}?{urlencode([*given, ('lang', one)])}")
            for one in LANGUAGES
        ]
        shown = {"t": self.text, "language": self.language, "links": links, "places": PLACES, "here": self.asked.path}
        told = {"note": None, "fault": None, "has_menu": self.asked.path.startswith((ACCOUNT, VIEWS))}
        return {**shown, **told, "csrf": self.proof(), "person": self.person, "logout": LOGOUT}

    def _proof(self, secret: str) -> str:
        return self.host.installation.mark(f"form {secret}".encode())

    @property
    def _is_secure(self) -> bool:
        return self.host.address.startswith("https:")

    def _named(self, name: str) -> str:
        """Return what a cookie is called: no other host can set one that begins so, where there is https."""
        return f"__Host-{name}" if self._is_secure else name

    def _cookie(self, name: str) -> str:
        return self.asked.cookies.get(self._named(name), "")

    def _set_cookies(self) -> Headers:
        if (chosen := self.asks("lang")) in LANGUAGES:
            self.set_cookie(LANGUAGE, chosen, YEAR_SECONDS)
        return tuple(("Set-Cookie", one) for one in self._cookies)
