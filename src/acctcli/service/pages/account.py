"""What people keep of their own: password, tokens, apps, browsers (docs/interface.md 12.4)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from acctcli.service.identity import grants
from acctcli.service.identity.grants import RELEASED
from acctcli.service.identity.passwords import LONGEST, SHORTEST, Guesses, hash_password, is_right
from acctcli.service.pages.page import (
    ACCOUNT,
    APPS,
    END_APP,
    END_SESSION,
    EVERYWHERE,
    LOGIN,
    PASSWORD,
    SESSION,
    SESSIONS,
    TOKENS,
    WITHDRAW,
    Expired,
    Page,
    Shown,
)
from acctcli.service.pages.texts import LANGUAGES, texts
from acctcli.service.problems import Throttled, Unavailable
from acctcli.service.store import service_trail
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps, passwords, tokens, users
from acctcli.service.store.people.ending import end_grant, end_token

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.events import Author

# names of texts, and days; none is for ever
LIFETIMES = {"days_30": 30, "days_90": 90, "year": 365, "for_ever": None}
LONGEST_NAME = 128
# what was done, and the name of the text that says so
DONE = {"saved": "saved", "password": "password_changed", "accepted": "accepted"}
# each is in what the one after it says of itself
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
# by the name of what is wrong, the field that it is about
WRONG_FIELDS = {"password_wrong": "current", "password_short": "new", "password_differs": "repeated"}
LANGUAGE_NAMES = [(one, texts(one)["language"]) for one in LANGUAGES]


def show(page: Page) -> Shown:
    """Show who somebody is, and what they can keep."""
    note = page.text[DONE[done]] if (done := _done(page)) else None
    user_id, is_released = page.here.user_id, page.person is not None and page.person["email"].endswith(RELEASED)
    with page.host.database.read() as conn:
        businesses = sorted(one["name"] for one in users.places(conn, user_id))
    return page.show(
        "account",
        languages=LANGUAGE_NAMES,
        password_place=PASSWORD,
        note=note,
        is_released=is_released,
        businesses=businesses,
    )


def save(page: Page) -> Shown:
    """Keep the language that somebody reads."""
    language = page.field("language") if page.field("language") in LANGUAGES else None

    def work(conn: Connection, author: Author) -> None:
        user_id = page.here.user_id
        users.change(conn, user_id, {"language": language, "updated_at": stamp(page.now)})
        changed = {"id": user_id, "language": language}
        service_trail.record(conn, "user.updated", changed, stamp(page.now), author)

    page.change("POST account", work)
    page.drop_cookie("acct_language")
    return page.go(f"{ACCOUNT}?done=saved")


def show_password(page: Page, status: int = 200, fault: str | None = None) -> Shown:
    """Show the form for another password."""
    return page.show("password", status, fault=fault and page.text[fault], wrong=WRONG_FIELDS.get(fault or ""))


def change_password(page: Page) -> Shown:
    """Set another password, and sign out everybody else who has this account open."""
    if not page.is_own_form():
        raise Expired
    if wrong := wrong_new_password(page):
        return show_password(page, 400, wrong)
    try:
        if not _knows_password(page):
            return show_password(page, 403, "password_wrong")
        hashed = hash_password(page.field("new"), page.host.entropy)
    except Throttled:
        return show_password(page, 429, "too_many")
    except Unavailable:
        return show_password(page, 503, "busy")

    def work(conn: Connection, author: Author) -> None:
        here = page.here
        grants.set_password(conn, here.user_id, hashed, page.now, author)
        page.host.sessions.sign_out_everywhere(conn, here.user_id, page.now, author, but=here.id)

    page.change("POST password", work)
    return page.go(f"{ACCOUNT}?done=password")


def wrong_new_password(page: Page) -> str | None:
    """Return the name of what is wrong with a new password that was typed twice."""
    given = page.field("new")
    if not SHORTEST <= len(given) <= LONGEST:
        return "password_short"
    return None if given == page.field("repeated") else "password_differs"


def _knows_password(page: Page) -> bool:
    """Say whether somebody knows the password of the account that is open; wrong ones count as at signing in."""
    assert page.person is not None
    database, user_id = page.host.database, page.here.user_id

    def prove() -> bool | None:
        with database.read() as conn:
            hashed = passwords.find(conn, user_id)
        return is_right(page.field("current"), hashed) or None

    guesses = Guesses(page.host.installation, page.person["email"], page.asked.visit.address)
    return guesses.look(database, page.host.clock, prove) is not None


def show_tokens(page: Page, status: int = 200, *, made: str | None = None, fault: str | None = None) -> Shown:
    """Show the tokens there are, and one that was just made, this one time."""
    with page.host.database.read() as conn:
        found = tokens.personal(conn, page.here.user_id, stamp(page.now))
    rows = [{**one._asdict(), "made": _day(one.created_at), "until": _last_day(one.expires_at)} for one in found]
    values: dict[str, Any] = {"rows": rows, "lifetimes": LIFETIMES, "withdraw": WITHDRAW, "made": made}
    note = page.text["withdrawn"] if _done(page) else None
    return page.show("tokens", status, fault=fault and page.text[fault], note=note, **values)


def make_token(page: Page) -> Shown:
    """Make a token and show it."""
    name, days = page.field("name").strip(), LIFETIMES.get(page.field("ends"), 30)
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        return show_tokens(page, 400, fault="token_name_needed")
    expires = None if days is None else page.now + timedelta(days=days)
    host = page.host

    def work(conn: Connection, author: Author) -> str:
        return grants.create_token(
            conn,
            page.here.user_id,
            name,
            page.now,
            author,
            entropy=host.entropy,
            expires=expires,
            environment=host.environment,
        )

    return show_tokens(page, made=page.change("POST tokens", work))


def withdraw_token(page: Page) -> Shown:
    """Withdraw a token of one's own."""
    token_id = _number(page.field("id"))

    def work(conn: Connection, author: Author) -> None:
        own = {one.id for one in tokens.personal(conn, page.here.user_id, stamp(page.now))}
        if token_id in own:
            end_token(conn, token_id, stamp(page.now), author)

    page.change("POST withdraw", work)
    return page.go(f"{TOKENS}?done=1")


def show_apps(page: Page) -> Shown:
    """Show the apps that somebody lets act for them."""
    with page.host.database.read() as conn:
        found = apps.grants_of(conn, page.here.user_id, page.host.environment, stamp(page.now))
    rows = [{**one._asdict(), "day": _day(one.created_at)} for one in found]
    return page.show("apps", rows=rows, end=END_APP, note=page.text["ended"] if _done(page) else None)


def end_app(page: Page) -> Shown:
    """End what an app was let do."""
    grant_id = _number(page.field("id"))

    def work(conn: Connection, author: Author) -> None:
        if grant_id in apps.open_grants(conn, user_id=page.here.user_id):
            end_grant(conn, grant_id, stamp(page.now), author)

    page.change("POST end_app", work)
    return page.go(f"{APPS}?done=1")


def show_sessions(page: Page) -> Shown:
    """Show the browsers that somebody is signed in with."""
    with page.host.database.read() as conn:
        found = page.host.sessions.listed(conn, page.here.user_id, page.now)
    rows = [
        {
            "id": one.id,
            "name": _browser(one.client) or page.text["unknown_browser"],
            "day": _day(one.created_at),
            "is_this": one.id == page.here.id,
        }
        for one in found
    ]
    note = page.text["signed_out_one"] if _done(page) else None
    return page.show("sessions", rows=rows, end=END_SESSION, everywhere=EVERYWHERE, note=note)


def end_session(page: Page) -> Shown:
    """Sign out another browser."""
    session_id = _number(page.field("id"))

    def work(conn: Connection, author: Author) -> None:
        for one in page.host.sessions.listed(conn, page.here.user_id, page.now):
            if one.id == session_id:
                page.host.sessions.end(conn, one, page.now, author)

    page.change("POST end_session", work)
    return page.go(f"{SESSIONS}?done=1")


def sign_out_everywhere(page: Page) -> Shown:
    """Sign out all browsers, this one, too, and end what apps were let do."""
    sessions, user_id = page.host.sessions, page.here.user_id
    page.change("POST everywhere", lambda conn, author: sessions.sign_out_everywhere(conn, user_id, page.now, author))
    page.drop_cookie(SESSION)
    return page.go(f"{LOGIN}?out=1")


def _done(page: Page) -> str | None:
    done = page.asks("done")
    return done if page.asked.method == "GET" and done in ("1", *DONE) else None


def _browser(client: str) -> str:
    """Return what a browser and its system are called, of what it says of itself; empty where it says nothing known."""
    found = (next((name for sign, name in signs if sign in client), "") for signs in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, found))


def _number(text: str) -> int:
    """Return an id of a form; what is none is nobody's."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _day(moment: str) -> date:
    return datetime.fromisoformat(moment).date()


def _last_day(moment: str | None) -> date | None:
    """Return the last day that is over before a moment, or has it in it."""
    return None if moment is None else (datetime.fromisoformat(moment) - timedelta(microseconds=1)).date()
