"""The service as a WSGI application: from a call to what answers it, and whatever happens to an answer."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from acctcli.service.cases.work import OWN_BOOKS, Limits
from acctcli.service.http.answers import Answer, refusal
from acctcli.service.http.downloads import Downloads
from acctcli.service.http.endpoints import Description, Endpoints, SignIn, health, readiness
from acctcli.service.http.router import Router
from acctcli.service.http.service import Clock, Entropy, ReadCredential, Service, answer_of
from acctcli.service.http.wsgi import Arrival, StartResponse, send
from acctcli.service.identity.credentials import read_credential
from acctcli.service.identity.signatures import CONTENT_PATH
from acctcli.service.identity.tokens import LOCAL
from acctcli.service.problems import Invalid, MethodUnknown, Missing

if TYPE_CHECKING:
    from acctcli.service.delivery.outbox import Outbox
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

Join = Callable[[str, Router], None]
HEALTH = "/health"
READY = "/ready"


def utc_now() -> datetime:
    """Return the moment, aware."""
    return datetime.now(UTC)


def create_app(
    database: Database,
    contents: Contents,
    outbox: Outbox,
    installation: InstallationKey,
    *,
    clock: Clock = utc_now,
    entropy: Entropy = secrets.token_bytes,
    allowed_hosts: Collection[str] | None = None,
    limits: Limits = OWN_BOOKS,
    environment: str = LOCAL,
    login_address: str | None = None,
    has_pages: bool = True,
    read: ReadCredential = read_credential,
) -> Application:
    """Return the service as a WSGI application over an open, migrated database, the folders of its files, and its key.

    It answers every operation, content, and `/openapi.json`, which generators look for at `/openapi/`. `clock` returns
    aware UTC moments; `allowed_hosts` are the host names the service answers to, None answers to all.
    `limits` are what its businesses may have, `environment` is the name that its tokens bear. People and apps sign in
    at `login_address`, scheme and host, and nowhere where there is none; it may be another process that `has_pages`.
    `read` reads what a caller shows to be let in.
    """
    # a server says by what names it is called; who calls in process does so by any
    via = "process" if allowed_hosts is None else "http"
    stores = database, contents, outbox, installation
    service = Service(*stores, clock, entropy, limits, via, environment, login_address, read)
    joins = [Endpoints(service).join]
    if login_address is not None and has_pages:
        from acctcli.service.identity.host import LoginService

        host = LoginService(database, installation, clock, entropy, environment, login_address)
        joins.append(SignIn(host).join)
    router = Router(partial(_join, joins))
    router.add_route(f"{CONTENT_PATH}{{name:content}}/", {"GET": Downloads(database, contents, clock).get})
    description = Description()
    for path in ("/openapi.json", "/openapi/"):
        router.add_route(path, {"GET": description.get})
    router.add_route(HEALTH, {"GET": health})
    router.add_route(READY, {"GET": partial(readiness, database)})
    return Application(router, allowed_hosts, entropy, clock)


def _join(joins: Iterable[Join], path: str, router: Router) -> None:
    for join in joins:
        join(path, router)


class Application:
    """Answers WSGI calls: for a host that is ours, under an id, dated by the clock that records are made by."""

    def __init__(self, router: Router, allowed_hosts: Collection[str] | None, entropy: Entropy, clock: Clock) -> None:
        self._router = router
        self._hosts = None if allowed_hosts is None else frozenset(host.lower() for host in allowed_hosts)
        self._entropy = entropy
        self._clock = clock
        self._mounts: dict[str, Callable[[Arrival], Answer]] = {}

    def mount(self, place: str, answer: Callable[[Arrival], Answer]) -> None:
        """Let whoever serves answer for all addresses that begin with `place`, whatever the method."""
        self._mounts[place] = answer

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answer a WSGI call; Awaited passes when the answer comes later."""
        arrival = Arrival(environ, self._entropy(16).hex(), _http_date(self._clock().replace(microsecond=0)))
        return send(arrival, answer_of(partial(self._answer, arrival), arrival.id), start_response)

    def _answer(self, arrival: Arrival) -> Answer:
        # pages of other sites resolve their names to this host
        if self._hosts is not None and arrival.path not in (HEALTH, READY) and arrival.host not in self._hosts:
            raise Invalid.whole("This host name is not served here.")
        for place, answer in self._mounts.items():
            if arrival.path.startswith(place):
                return answer(arrival)
        found = self._router.find(arrival.path)
        if found is None:
            return self._elsewhere(arrival)
        handlers, fields = found
        handler = handlers.get("GET" if arrival.method == "HEAD" else arrival.method)
        if handler is None:
            return _other_method(arrival, handlers)
        return handler(arrival, fields)

    def _elsewhere(self, arrival: Arrival) -> Answer:
        """Addresses end in a slash: a read without it is sent on, anything else is no address (interface.md 1.1)."""
        path = f"{arrival.path}/"
        if arrival.method not in ("GET", "HEAD") or (path not in self._mounts and self._router.find(path) is None):
            raise Missing("There is no such address.")
        location = f"{path}?{arrival.query_string}" if arrival.query_string else path
        return Answer(301, b"", (("Location", location),))


def _other_method(arrival: Arrival, known: Iterable[str]) -> Answer:
    """Tell the methods of an address to who asks for them, or asked by another one."""
    methods = {*known, "OPTIONS"} | ({"HEAD"} if "GET" in known else set())
    refused = unknown_method(arrival, methods)
    return refused._replace(status=200, body=b"") if arrival.method == "OPTIONS" else refused


def unknown_method(arrival: Arrival, methods: Iterable[str]) -> Answer:
    """Refuse a method, and tell those that an address has."""
    refused = refusal(MethodUnknown(), arrival.id)
    return refused._replace(headers=(*refused.headers, ("Allow", ", ".join(sorted(methods)))))


@lru_cache(maxsize=1)  # many requests come in one second
def _http_date(second: datetime) -> str:
    return f"{second:%a, %d %b %Y %H:%M:%S} GMT"
