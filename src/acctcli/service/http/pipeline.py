"""What happens between a request and its reply, in one place.

A write is one transaction: authenticate, look the idempotency key up (its claim is held from before the transaction
until after the commit), check business and permission, read the body, do the work, record the event, store the reply.
Anything but a 2xx rolls all of it back. A file in a body is laid on the disk before the transaction, once it is clear
that its sender may write; content that no row names any more is removed after it. What a request sends leaves before
the transaction that records it: nobody waits for a mail server inside one. `routing.py` is the glue to Falcon.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from msgspec.json import Encoder

from acctcli.service.http import bodies
from acctcli.service.http.spool import Spooled, lay_down
from acctcli.service.identity.credentials import Credential, read_credential
from acctcli.service.identity.keys import NONCE_BYTES, InstallationKey
from acctcli.service.problems import (
    InFlight,
    Invalid,
    KeyReused,
    Locked,
    MediaUnknown,
    MethodUnknown,
    Missing,
    NotAllowed,
    Precondition,
    Problem,
    SecretUnreadable,
    TokenRefused,
    TooLarge,
    Unauthenticated,
    Unavailable,
)
from acctcli.service.routes.call import Call, JsonText, Page, Query, Reply
from acctcli.service.routes.route import ADMIN, Route
from acctcli.service.store import events, idempotency
from acctcli.service.store.engine.faults import explain
from acctcli.service.store.idempotency import StoredReply
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import users
from acctcli.service.store.people.admission import Admission, admit

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from acctcli.service.delivery.outbox import Outbox, Parcel
    from acctcli.service.http.bodies import Stream
    from acctcli.service.http.uploads import Upload
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

STATUS: dict[type[Problem], int] = {
    Invalid: 400,
    Unauthenticated: 401,
    TokenRefused: 401,
    NotAllowed: 403,
    Missing: 404,
    MethodUnknown: 405,
    InFlight: 409,
    Precondition: 412,
    SecretUnreadable: 412,
    TooLarge: 413,
    MediaUnknown: 415,
    KeyReused: 422,
    Locked: 423,
    Unavailable: 503,
}
HEADERS = {401: (("WWW-Authenticate", "Token"),), 503: (("Retry-After", "1"),)}

# A report is made again rather than kept when it is larger than this: nothing is created twice by it
MAX_STORED_REPORT = 2**20
MAX_KEY = 255
KNOWN_TOKENS = 1024
BODILESS = frozenset({"GET", "HEAD", "DELETE"})
REPLAYED = (("Idempotent-Replayed", "true"),)

LOG = logging.getLogger("acctcli.service")
LOG.addHandler(logging.NullHandler())

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]

_encode = Encoder(decimal_format="number").encode


@dataclass(frozen=True, slots=True)
class Request:
    """What the service takes of an HTTP request; `slug` and `ids` come from the path, `origin` is scheme and host."""

    id: str
    method: str
    origin: str
    path: str
    query_string: str
    query: Query
    content_type: str | None
    authorization: str | None
    idempotency_key: str | None
    slug: str | None
    ids: Mapping[str, int]
    open_body: Callable[[], Stream]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, an encoded body, and headers beyond the usual ones; a body too large to be stored is in a file."""

    status: int
    body: bytes | Spooled
    headers: tuple[tuple[str, str], ...] = ()


class Service:
    """Answers requests on a database."""

    def __init__(
        self,
        database: Database,
        contents: Contents,
        outbox: Outbox,
        installation: InstallationKey,
        clock: Clock,
        entropy: Entropy,
    ) -> None:
        self._database = database
        self._contents = contents
        self._outbox = outbox
        self._installation = installation
        self._clock = clock
        self._entropy = entropy
        # Whose a token is never changes; whether it is still good is asked in every transaction
        self._token_users: dict[str, int] = {}

    def answer(self, route: Route, request: Request) -> Answer:
        """Answer a request to a route, whatever happens."""
        try:
            return self._answer(route, request)
        except Exception as error:  # noqa: BLE001 - the one edge of the service
            return refusal(error, request.id)

    def _answer(self, route: Route, request: Request) -> Answer:
        now = self._clock()
        credential = read_credential(read_token(request.authorization), self._installation, now)
        key = read_key(request) if request.method == "POST" and route.stored else None
        upload = self._receive(route, request, credential) if route.uploads else None
        body = b"" if upload or request.method in BODILESS else request.open_body().read()
        task = Task(route, request, body, upload, credential, key, now, self._entropy, self._installation)
        claim = None if key is None else idempotency.claim_number(self._token_user(credential.hash), key)
        if route.sends:
            return self._send(task, claim)
        if not route.safe:
            return self._write(task, claim)
        with self._database.read(claim) as conn:
            answer = task.run(conn)
        if key is not None and answer.headers is not REPLAYED:
            self._keep(task, answer)
        return answer

    def _keep(self, task: Task, answer: Answer) -> None:
        """Store what was read for whoever asks again with the same key, unless it is too large."""
        body = answer.body
        if isinstance(body, bytes) and len(body) <= MAX_STORED_REPORT:
            self._database.write(lambda conn: task.store(conn, answer.status, body))

    def _receive(self, route: Route, request: Request, credential: Credential) -> Upload:
        """Lay the file of a request on the disk, if its sender may write here."""
        from acctcli.service.http.uploads import receive

        with self._database.read() as conn:
            admission = let_in(conn, credential, stamp(self._clock()), request.slug, safe=True)
        check_permission(admission, route)
        return receive(request.open_body(), request.content_type, self._contents, self._entropy(16).hex())

    def _send(self, task: Task, claim: int | None) -> Answer:
        """Deliver what a request sends, then record it; the claim is held from before the one until after the other."""
        with self._database.hold(claim):
            with self._database.read() as conn:
                parcel = task.parcel(conn)
            if parcel is None:
                return self._write(task, None)
            with self._outbox.delivered(parcel):
                return self._write(task, None)

    def _write(self, task: Task, claim: int | None) -> Answer:
        """Run a task in a write transaction; then remove the content that no row names."""
        try:
            answer = self._database.write(task.run, claim=claim)
        except Problem as problem:
            # whether an unavailable database has committed is not known: better a stray than a row without content
            if not isinstance(problem, Unavailable):
                self._contents.remove(task.received)
            raise
        self._contents.remove(task.discarded)
        return answer

    def _token_user(self, hashed: str) -> int:
        """Return whose a token is, asking the database once."""
        user_id = self._token_users.get(hashed)
        if user_id is None:
            with self._database.read() as conn:
                user_id = users.token_user(conn, hashed)
            if user_id is None:
                raise TokenRefused
            if len(self._token_users) >= KNOWN_TOKENS:
                self._token_users.clear()
            self._token_users[hashed] = user_id
        return user_id


@dataclass(slots=True)
class Task:
    """One request on its way through its transaction; `run` may run again from the start.

    `discarded` are the names of content to remove once the transaction is committed.
    """

    route: Route
    request: Request
    body: bytes
    upload: Upload | None
    credential: Credential
    key: str | None
    now: datetime
    entropy: Entropy
    installation: InstallationKey
    user_id: int = 0
    discarded: Sequence[str] = ()

    @property
    def received(self) -> tuple[str, ...]:
        """The name of the content that came with the request, if any."""
        content = self.upload.content if self.upload else None
        return (content.name,) if content else ()

    def run(self, conn: Connection) -> Answer:
        """Answer inside a transaction, in the order of wire facts 7.5: caller, key, business, permission, body."""
        route = self.route
        admission = self._let_in(conn, safe=route.safe)
        if (known := self._replay(conn)) is not None:
            self.discarded = self.received
            return known
        call = self._call(conn, admission)
        answer = self._work(call)
        self.discarded = call.discarded
        if not route.safe and isinstance(answer.body, bytes):
            self.store(conn, answer.status, answer.body)
        return answer

    def parcel(self, conn: Connection) -> Parcel | None:
        """Return what is to be delivered before `run`, None when the request was answered earlier."""
        admission = self._let_in(conn, safe=True)
        if self._replay(conn) is not None:
            return None
        made: Parcel = load(self.route.sends or "")(self._call(conn, admission), self._mark())
        return made

    def _let_in(self, conn: Connection, *, safe: bool) -> Admission:
        admission = let_in(conn, self.credential, stamp(self.now), self.request.slug, safe=safe)
        self.user_id = admission.caller.id
        return admission

    def _mark(self) -> str:
        """Return what stands for this request and its repetitions; without a key nothing is its repetition."""
        if self.key is None:
            return self.entropy(16).hex()
        return hashlib.sha256(f"{self.user_id}\0{self.key}\0{self._fingerprint()}".encode()).hexdigest()

    def store(self, conn: Connection, status: int, body: bytes) -> None:
        """Keep the reply for whoever repeats the request with this key."""
        if self.key is not None:
            if self.route.sealed:
                body = self.installation.seal(body, self._reply_place(self.key), self.entropy(NONCE_BYTES))
            reply = StoredReply(self._fingerprint(), status, body)
            idempotency.store(conn, self.user_id, self.key, reply, self.now)

    def _replay(self, conn: Connection) -> Answer | None:
        key = self.key
        if key is None or (known := idempotency.find(conn, self.user_id, key, self.now)) is None:
            return None
        if known.fingerprint != self._fingerprint():
            raise KeyReused
        body = self.installation.unseal(known.body, self._reply_place(key)) if self.route.sealed else known.body
        return Answer(known.status, body, REPLAYED)

    def _reply_place(self, key: str) -> str:
        return f"stored_reply/{self.user_id}/{key}"

    def _fingerprint(self) -> str:
        """Hash method, path, query and body; of a multipart body its parts, the boundary is made up anew each time."""
        request = self.request
        body = self.upload.mark if self.upload else self.body
        if bodies.media_type(request.content_type) == bodies.MULTIPART and self.route.forms:
            body = _encode(bodies.read_parts(body, request.content_type or ""))
        place = f"{request.method}\n{request.path}\n{request.query_string}\n"
        content = place.encode("utf-8", "surrogateescape") + body
        # a plain hash of a body with a password in it would let passwords be tried
        return self.installation.mark(content) if self.route.sealed else hashlib.sha256(content).hexdigest()

    def _call(self, conn: Connection, admission: Admission) -> Call:
        if self.request.slug is not None:
            check_permission(admission, self.route)
        return Call(
            conn=conn,
            now=self.now,
            user=admission.caller,
            credential=self.credential,
            installation=self.installation,
            scope=admission.scope,
            ids=self.request.ids,
            query=self.request.query,
            body=self._fields(),
            record=events.record,
            random=self.entropy,
            origin=self.request.origin,
        )

    def _fields(self) -> Any:
        if self.route.request is None:
            return None
        if self.upload:
            fields = dict(self.upload.fields)
        else:
            forms, arrays = self.route.forms, self.route.arrays
            fields = bodies.read_fields(self.body, self.request.content_type, forms=forms, arrays=arrays)
        return bodies.check(load(self.route.request), fields, partial=self.route.partial)

    def _work(self, call: Call) -> Answer:
        handler = cast("Callable[[Call], Any]", load(self.route.handler))
        payload, status = handler(call), self.route.status
        if isinstance(payload, Reply):
            payload, status = payload.payload, payload.status
        if isinstance(payload, Page):
            payload = call.page.envelope(payload)
        if isinstance(payload, JsonText):
            return Answer(status, lay_down(payload.pieces, MAX_STORED_REPORT))
        return Answer(status, b"" if payload is None else _encode(payload))


def refusal(error: Exception, request_id: str) -> Answer:
    """Return the answer to a problem: `{"code", "detail"}` and one key per field at fault (wire facts 7.1).

    Anything that is no problem is a fault of this program: the log has it all, the caller gets the id to ask for.
    """
    problem = error if isinstance(error, Problem) else explain(error)
    if problem is None:
        LOG.error("%s failed", request_id, exc_info=error)
        problem = Problem(f"The service failed; its log has more under {request_id}.")
    status = STATUS.get(type(problem), 500)
    body = _encode({**problem.fields, "code": problem.code, "detail": problem.detail})
    return Answer(status, body, HEADERS.get(status, ()))


def let_in(conn: Connection, credential: Credential, stamp: str, slug: str | None, *, safe: bool) -> Admission:
    """Admit a caller; refuse a token that is not in force, then a path that his JWT does not reach."""
    admission = admit(conn, credential.hash, stamp, slug, to_write=not safe)
    if admission is None:
        raise TokenRefused
    credential.check_reach(slug, safe=safe)
    return admission


def check_permission(admission: Admission, route: Route) -> None:
    """Refuse a slug nobody has, a business that is not the caller's (Q21), a permission he lacks there."""
    if not admission.exists:
        raise Missing("There is no such business.")
    if admission.scope is None:
        raise NotAllowed("This business is not yours.")
    if not allows(admission.scope.permissions, route.needs):
        raise NotAllowed(f"This needs one of the permissions {', '.join(sorted(route.needs | ADMIN))}.")


def allows(granted: frozenset[str], needs: frozenset[str]) -> bool:
    """Whether permissions are enough: any of `needs`, or admin, or membership when nothing is needed."""
    return not needs or not granted.isdisjoint(needs) or not granted.isdisjoint(ADMIN)


def read_token(authorization: str | None) -> str:
    """Return the token of `Authorization: Token <token>`; any other word counts as no credential (interface)."""
    word, _, token = (authorization or "").partition(" ")
    if word.lower() != "token" or not token.strip():
        raise Unauthenticated
    return token.strip()


def read_key(request: Request) -> str | None:
    """Return the idempotency key, 1 to 255 printable characters, or None (wire facts 7.5)."""
    key = request.idempotency_key
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isprintable()):
        raise Invalid(
            "The header Idempotency-Key must have 1 to 255 printable characters.",
            fields={"non_field_errors": ["The header Idempotency-Key must have 1 to 255 printable characters."]},
        )
    return key


@cache
def load(name: str) -> Any:
    """Import `module:attribute`, once."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
