"""The page to sign in on, and signing out (docs/interface.md 12.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from acctcli.service.identity.passwords import Guesses, is_right
from acctcli.service.identity.provider import AUTHORIZE
from acctcli.service.pages.consent import target_of
from acctcli.service.pages.page import LOGIN, SESSION, UNSAVED, VISITOR, Page, Shown
from acctcli.service.problems import Throttled, Unavailable
from acctcli.service.store.people import apps, passwords, users

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.people.apps import AppRow

WINDOW_SECONDS = "900"
LONGEST_EMAIL = 254


def show(page: Page) -> Shown:
    """Show the form, unless somebody has signed in."""
    if page.session is not None and not page.asks("again"):
        return page.go(page.next())
    if ended := page.asks("ended"):
        return _form(page, fault="ended_unsaved" if ended == UNSAVED else "ended_session")
    return _form(page, note=page.text["signed_out"] if page.asks("out") else None)


def sign_in(page: Page) -> Shown:
    """Sign somebody in who knows the password, and send them on."""
    email, password = read_email(page), page.field("password")
    if not page.is_own_form():
        return _form(page, 403, fault="expired")
    guesses = Guesses(page.host.installation, email, page.asked.visit.address)
    try:
        user_id = guesses.look(page.host.database, page.host.clock, lambda: _prove(page, email, password))
    except Throttled:
        return _form(page, 429, fault="too_many", wait=WINDOW_SECONDS)
    except Unavailable:
        return _form(page, 503, fault="busy", wait="5")
    if user_id is None:
        return _form(page, 403, fault="wrong")
    begin(page, user_id)
    return page.go(page.next())


def sign_out(page: Page) -> Shown:
    """Sign this browser out; who is signed out already is told the same."""
    if page.session is not None:
        page.change("POST sign_out", lambda conn, author: page.host.sessions.end(conn, page.here, page.now, author))
    page.drop_cookie(SESSION)
    return page.go(f"{LOGIN}?out=1")


def _prove(page: Page, email: str, password: str) -> int | None:
    """Return whose password this is, None for nobody's; outside of any transaction, for it takes long."""
    with page.host.database.read() as conn:
        user_id = users.find_email(conn, email)
        hashed = None if user_id is None else passwords.find(conn, user_id)
    return user_id if is_right(password, hashed) else None


def read_email(page: Page) -> str:
    """Return the address that was typed; what cannot be one is nobody's."""
    email = page.field("email").strip()
    return email if email.isprintable() and len(email) <= LONGEST_EMAIL else ""


def begin(page: Page, user_id: int) -> None:
    """Begin a session in place of the one that the browser had."""

    def run(conn: Connection) -> str:
        host, operation = page.host, "POST sign_in"
        author = host.author(page.asked.visit, operation, user_id, users.called(conn, user_id))
        if page.session is not None:
            host.sessions.end(conn, page.session, page.now, author)
        return host.sessions.begin(conn, user_id, page.asked.visit.client, page.now, author)

    page.set_cookie(SESSION, page.host.database.write(run))
    page.drop_cookie(VISITOR)


def _form(page: Page, status: int = 200, *, fault: str | None = None, note: str | None = None, wait: str = "") -> Shown:
    place = page.next()
    app, targets = _app_of(page, place)
    return page.show(
        "sign_in",
        status,
        targets=targets,
        headers=(("Retry-After", wait),) if wait else (),
        next=place,
        app=app,
        email=read_email(page),
        fault=fault and page.text[fault],
        note=note,
    )


def _app_of(page: Page, place: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the name of the app that sent the browser here, and where it may be sent on to after signing in."""
    parts = urlsplit(place)
    given = parse_qs(parts.query)
    client_id, redirect = (given.get(name, [""])[0] for name in ("client_id", "redirect_uri"))
    if parts.path != AUTHORIZE or not client_id:
        return None, ()
    with page.host.database.read() as conn:
        found: AppRow | None = apps.find(conn, client_id, page.host.environment)
    if found is None or found.removed_at is not None or redirect not in found.redirects.split():
        return None, ()
    return found.name, (target_of(redirect),)
