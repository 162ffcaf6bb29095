"""The pages of `view` where the service is served: for who has signed in, of their own books (docs/view.md 3).

The pages ask the service in this process as everybody asks it, with the session of the browser in place of a token. So
it is the service that says what somebody may see, and a session only reads.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from threading import Condition
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from acctcli.errors import Forbidden, NotAuthenticated, NotFound
from acctcli.service.http import serving
from acctcli.service.http.answers import Answer
from acctcli.service.problems import Invalid
from acctcli.settings import Environment

if TYPE_CHECKING:
    import httpx

    from acctcli.cli.view.asked import Books
    from acctcli.cli.view.page import Reply
    from acctcli.client.http import Http
    from acctcli.client.messages import Request
    from acctcli.service.http.embedded import EmbeddedService
    from acctcli.service.http.workers import Caller
    from acctcli.service.http.wsgi import Arrival
    from acctcli.service.identity.host import LoginService
    from acctcli.service.pages.page import Page, Shown

PLACE = "/view/"
_METHODS = ("GET", "HEAD")
# pages that a worker makes at a time, of these of one person, and how many more of that person wait for their turn
_AT_ONCE, _OF_ONE, _WAITING_OF_ONE = 4, 2, 16
# how long they wait, and how long a page may ask the service
_WAIT_SECONDS = 10.0
_PATIENCE_SECONDS = 30.0
# what is sent is held in memory up to so many bytes, as long as its reader likes, and comes from a file beyond that
_MOST_HELD = 2**18


def application() -> Caller:
    """Build the application of one worker, with the pages."""
    return serving.application(furnish)


def furnish(service: EmbeddedService, login_address: str) -> None:
    """Let a service that is served answer for the pages; what makes them is loaded when one is asked for."""
    service.app.mount(PLACE, Views(service, login_address).answer)


class Views:
    """Answers browsers."""

    def __init__(self, service: EmbeddedService, login_address: str) -> None:
        self._service = service
        self._login_address = login_address
        self._turns = Turns()

    def answer(self, arrival: Arrival) -> Answer:
        """Answer a call: nothing is read of any books for whoever has not signed in."""
        from acctcli.cli.view.site import MOST_FIELDS
        from acctcli.service.http.app import unknown_method
        from acctcli.service.http.pages import read_asked, read_query
        from acctcli.service.pages.page import Page

        if arrival.method not in _METHODS:
            return unknown_method(arrival, _METHODS)
        try:
            query = read_query(arrival, MOST_FIELDS)
        except Invalid:
            return Answer(*Page(self._host, read_asked(arrival, self._host, {}, None)).refuse(400, "unreadable"))
        return self._let_in(Page(self._host, read_asked(arrival, self._host, query, None)), arrival.query_string)

    def _let_in(self, page: Page, query: str) -> Answer:
        from acctcli.service.pages import books
        from acctcli.service.pages.page import address_of

        if (refusal := books.at_the_door(page)) is not None:
            return Answer(*refusal)
        if page.session is None:
            return Answer(*page.to_sign_in(address_of(page.asked.path, page.asked.query)))
        with self._turns.of(page.session.user_id) as is_ours:
            if not is_ours:
                return Answer(*books.busy(page))
            try:
                return self._shown(page, query)
            except NotAuthenticated:  # signed out since
                return Answer(*page.to_sign_in(PLACE))

    def _shown(self, page: Page, query: str) -> Answer:
        from acctcli.cli.view.site import Site
        from acctcli.service.http.router import SLUG

        slug, slash, target = page.asked.path.removeprefix(PLACE).partition("/")
        if not slug:
            return Answer(*self._choice(page))
        if not SLUG.fullmatch(slug):
            return Answer(*self._choice(page, is_known=False))
        if not slash:
            return Answer(*page.go(f"{PLACE}{slug}/"))
        here = self._visit(page, slug)
        try:
            found = _books(page, here, slug)
        except (Forbidden, NotFound):
            return Answer(*self._choice(page, is_known=False))
        return _sent(Site(here, found).reply(f"/{quote(target)}", query))

    def _choice(self, page: Page, *, is_known: bool = True) -> Shown:
        """Show which books there are; where they are the only ones, go there."""
        from acctcli.client.messages import Extent
        from acctcli.service.pages import books

        every = self._visit(page, "").api.businesses.list({}, Extent(limit=None))
        found = [{"name": one.name, "address": f"{PLACE}{one.slug}/"} for one in read_all(every, _read_business)]
        if is_known and len(found) == 1:
            return page.go(found[0]["address"])
        return books.show(page, found, is_known=is_known)

    def _visit(self, page: Page, slug: str) -> State:
        """Return what pages of a business stand on for somebody."""
        from acctcli.cli.session.watch import Narrator
        from acctcli.client.http import Http
        from acctcli.client.retry import Policy
        from acctcli.client.transport import IN_PROCESS

        told, policy = Narrator(Options(quiet=True)), Policy(deadline=_PATIENCE_SECONDS)
        http = Http(self._client, IN_PROCESS, _Session(page.secret), told, policy=policy)
        return _Visit(http, Environment(self._service.environment, self._login_address, None, None), slug)

    @cached_property
    def _client(self) -> httpx.Client:
        from acctcli.client.transport import client_of

        return client_of(self._service.for_sessions())

    @cached_property
    def _host(self) -> LoginService:
        from acctcli.service.http.app import utc_now
        from acctcli.service.identity.host import LoginService

        service = self._service
        stores = service.database, service.installation, utc_now, secrets.token_bytes
        return LoginService(*stores, service.environment, self._login_address)


class Turns:
    """Few pages are made at a time, for one may read all of the books, and fewer for one person than for all."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._made = Counter[int]()
        self._waiting = Counter[int]()

    @contextmanager
    def of(self, person: int) -> Iterator[bool]:
        """Wait for a turn of a person, unless too many of theirs do; say whether it is their turn."""
        with self._changed:
            is_ours = self._waiting[person] < _WAITING_OF_ONE and self._wait(person)
            self._made[person] += is_ours
        try:
            yield is_ours
        finally:
            with self._changed:
                self._made[person] -= is_ours
                self._changed.notify_all()

    def _wait(self, person: int) -> bool:
        self._waiting[person] += 1
        try:
            return self._changed.wait_for(lambda: self._is_free(person), _WAIT_SECONDS)
        finally:
            self._waiting[person] -= 1

    def _is_free(self, person: int) -> bool:
        return self._made.total() < _AT_ONCE and self._made[person] < _OF_ONE


@dataclass(frozen=True)
class _Session:
    """The session of a browser, which lets requests in as a token does."""

    secret: str = field(repr=False)

    def token(self, request: Request) -> str:
        """Return the secret."""
        return self.secret

    def renewed(self, request: Request, refused: str) -> None:
        """Return None: who was signed out signs in again."""


class _Visit(State):
    """What pages stand on here: the session of somebody, a business, and nothing of this machine."""

    def __init__(self, http: Http, environment: Environment, slug: str) -> None:
        super().__init__(Options(business=slug, quiet=True), {})
        self.http, self.environment, self.is_local_service = http, environment, True

    def business(self) -> str:
        """Return the slug that the address names."""
        return self.options.business or ""


class _Business(msgspec.Struct):
    slug: str
    name: str = ""


_read_business = reader(_Business, "a business")


def _books(page: Page, here: State, slug: str) -> Books:
    """Return whose books are shown, and how; raise Forbidden and NotFound for those that are not to be seen."""
    from acctcli.cli.report.view import View
    from acctcli.cli.view.asked import Books, Person
    from acctcli.service.pages.page import ACCOUNT, LOGOUT

    shown, person = View(here, page.language), page.person
    who = Person(person["email"] if person else "", ACCOUNT, PLACE, LOGOUT, page.proof())
    return Books(shown.business, shown.locale, is_told=True, root=f"{PLACE}{slug}", person=who, day=shown.days or "{}")


def _sent(reply: Reply) -> Answer:
    """Return a page as the service sends it."""
    from acctcli.cli.view.page import ALWAYS
    from acctcli.service.http.spool import spooled

    with closing(reply):
        body = spooled(reply.body)
    kind = {"Content-Type": reply.kind, "Content-Security-Policy": reply.policy}
    headers = tuple({**ALWAYS, **kind, **reply.headers}.items())
    if body.length > _MOST_HELD:
        return Answer(reply.status, body, headers)
    with closing(body):
        return Answer(reply.status, b"".join(body), headers)
