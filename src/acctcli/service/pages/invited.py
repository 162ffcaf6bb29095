"""Where invited people come in with the code of their mail, and set their first password (docs/interface.md 12.6).

Whoever has the code has shown that the address is theirs. Who has not is told the same of every address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from acctcli.service.cases import people
from acctcli.service.cases.work import Work
from acctcli.service.identity import grants
from acctcli.service.identity.invitations import PAGE, is_code
from acctcli.service.identity.passwords import Guesses, hash_password
from acctcli.service.pages.account import wrong_new_password
from acctcli.service.pages.page import ACCOUNT, LOGIN, Page, Shown
from acctcli.service.pages.signing_in import WINDOW_SECONDS, begin, read_email
from acctcli.service.problems import Missing, Precondition, Throttled, Unavailable
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import invitations, passwords, users
from acctcli.service.store.people.admission import lock
from acctcli.service.store.people.users import Caller

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.events import Author
    from acctcli.service.store.people.invitations import Addressed

OPERATION = "POST invitation"


class HasAccount(Exception):
    """Somebody has this address already: with a password, or the user of this machine."""


class IsUnproved(Exception):
    """Somebody wrote this address themselves, and may be another person than its mail reaches."""


def show(
    page: Page, status: int = 200, *, fault: str | None = None, wait: str = "", may_release: bool = False
) -> Shown:
    """Show the form: for the code alone to who has signed in, else for a password as well."""
    return page.show(
        "invitation",
        status,
        headers=(("Retry-After", wait),) if wait else (),
        email=read_email(page),
        code=page.field("code"),
        page=PAGE,
        sign_in=f"{LOGIN}?{urlencode({'next': PAGE})}",
        fault=fault and page.text[fault],
        may_release=may_release,
    )


def come_in(page: Page) -> Shown:
    """Let whoever has the code into the business, and sign in who sets their first password."""
    if not page.is_own_form():
        return show(page, 403, fault="expired")
    if page.person is None and (wrong := wrong_new_password(page)):
        return show(page, 400, fault=wrong)
    email = read_email(page) if page.person is None else page.person["email"]
    guesses = Guesses(page.host.installation, email, page.asked.visit.address)
    try:
        found = guesses.look(page.host.database, page.host.clock, lambda: _invitation(page, email))
        if found is None:
            return show(page, 403, fault="code_wrong")
        return _let_in(page, found)
    except Throttled:
        return show(page, 429, fault="too_many_codes", wait=WINDOW_SECONDS)
    except Unavailable:
        return show(page, 503, fault="busy", wait="5")
    except (Missing, Precondition):  # it was settled, or withdrawn, at this very moment
        return show(page, 403, fault="code_wrong")
    except HasAccount:
        return show(page, 409, fault="has_account")
    except IsUnproved:
        return show(page, 409, fault="is_unproved", may_release=True)


def _invitation(page: Page, email: str) -> Addressed | None:
    """Return the invitation that waits for an address and has the code that was typed."""
    moment = stamp(page.now)
    with page.host.database.read() as conn:
        user_id = page.person["id"] if page.person else users.find_email(conn, email)
        waiting = invitations.addressed(conn, user_id or 0, email, moment)
    return next((one for one in waiting if is_code(page.field("code"), one.invitation.code_hash)), None)


def _let_in(page: Page, found: Addressed) -> Shown:
    if page.session is None:
        hashed = hash_password(page.field("new"), page.host.entropy)
        begin(page, page.host.database.write(lambda conn: _with_password(conn, page, found, hashed)))
    else:
        user_id = page.session.user_id
        page.change(OPERATION, lambda conn, author: _accept(conn, page, found, user_id, author))
    return page.go(f"{ACCOUNT}?done=accepted")


def _with_password(conn: Connection, page: Page, found: Addressed, hashed: str) -> int:
    """Make an account, or take one that nobody signs in to yet, and accept; return whose it is."""
    lock(conn, found.slug)
    email, nobody = found.invitation.email, page.author(OPERATION)
    user_id = users.find_email(conn, email)
    if user_id is not None and _is_taken(conn, page, user_id):
        grants.release_address(conn, user_id, page.now, nobody, page.host.entropy)
        user_id = None
    if user_id is None:
        user_id = grants.create_user(conn, email, page.now, nobody)
    author = page.host.author(page.asked.visit, OPERATION, user_id, users.called(conn, user_id))
    grants.set_password(conn, user_id, hashed, page.now, author)
    _accept(conn, page, found, user_id, author)
    return user_id


def _is_taken(conn: Connection, page: Page, user_id: int) -> bool:
    """Say whether the account of an address is of somebody who wrote it, and the reader of its mail asks for another.

    Raises HasAccount and IsUnproved where the mail does not show that the account is the reader's.
    """
    is_local = user_id == (users.local(conn) or (0, ""))[0]
    is_unproved = users.is_unproved(conn, user_id)
    if is_local or (passwords.find(conn, user_id) is not None and not is_unproved):
        raise HasAccount
    if is_unproved and not page.field("not_mine"):
        raise IsUnproved
    return is_unproved


def _accept(conn: Connection, page: Page, found: Addressed, user_id: int, author: Author) -> None:
    user = users.get(conn, user_id)
    name = f"{user['first_name']} {user['last_name']}".strip()
    caller, host = Caller(user_id, user["email"], user["language"], 0, name), page.host
    work = Work(conn, page.now, caller, None, host.entropy, host.address, author=author)
    people.accept(work, found.invitation.id, page.field("code"))
