"""One request inside its transaction: who calls, whether it was answered before, what they may do, the work."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.service.http import bodies
from acctcli.service.http.answers import REPLAYED, Answer, encode
from acctcli.service.http.spool import lay_down, spooled
from acctcli.service.identity.keys import NONCE_BYTES
from acctcli.service.problems import KeyReused, Missing, NotAllowed, Problem, TokenRefused
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import ADMIN, load
from acctcli.service.routes.query import Page
from acctcli.service.rules.reports.texts import separated
from acctcli.service.store import idempotency
from acctcli.service.store.events import NOBODY, Author
from acctcli.service.store.idempotency import StoredReply
from acctcli.service.store.moments import stamp
from acctcli.service.store.people.admission import Admission, admit

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from acctcli.service.cases.work import Limits
    from acctcli.service.delivery.outbox import Outbox
    from acctcli.service.http.bodies import Body
    from acctcli.service.http.uploads import Upload
    from acctcli.service.identity.credentials import Credential
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.routes.operation import Operation
    from acctcli.service.routes.query import QueryString
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.people.users import Caller

# so much of a client's own name is kept
MAX_CLIENT = 200
# what the trail calls what addresses and groups of operations call otherwise
TRAIL_NAMES = {
    "identifiers": "identifier",
    "invoice": "sales_invoice",
    "purchase": "purchase_invoice",
    "subscription": "webhook_subscription",
    "users": "invitation",
    "webhook": "webhook_subscription",
}
# A report is made again rather than kept when it is larger than this: nothing is created twice by it
MAX_STORED_REPORT = 2**20
# what is read is sent from memory up to this: its reader may be slow
MAX_HELD = 2**22


class HttpRequest(NamedTuple):
    """What the service takes of an HTTP request; `slug` and `ids` come from the path, `origin` is scheme and host."""

    id: str
    method: str
    origin: str
    path: str
    query_string: str
    query: QueryString
    content_type: str | None
    authorization: str | None
    idempotency_key: str | None
    seen: str | None
    client: str | None
    slug: str | None
    ids: Mapping[str, int]
    open_body: Callable[[], AbstractContextManager[Body]]


@dataclass
class Task:
    """One request on its way through its transaction; `run` may run again from the start.

    `sender` is who was let in before what is recorded was delivered, `sent` what is kept of that. `discarded` are the
    names of content to remove once the transaction is committed, `gave_up` says that a business is to be erased then.
    """

    operation: Operation
    request: HttpRequest
    body: bytes
    upload: Upload | None
    credential: Credential
    key: str | None
    now: datetime
    entropy: Callable[[int], bytes]
    installation: InstallationKey
    limits: Limits
    has_turn: bool
    via: str
    login_address: str | None
    user_id: int = 0
    sender: Admission | None = None
    sent: str | None = None
    discarded: Sequence[str] = ()
    gave_up: bool = False

    @property
    def received(self) -> tuple[str, ...]:
        """The name of the content that came with the request, if any."""
        content = self.upload.content if self.upload else None
        return (content.name,) if content else ()

    def prepare(self) -> None:
        """Work out what needs no transaction, while another thread is in its own; what is wrong is told in its turn."""
        with suppress(Problem):
            _ = self._fields, self._fingerprint

    def run(self, conn: Connection) -> Answer:
        """Answer inside a transaction, as docs/interface.md 1.6 orders it: caller, business, permission, key, body."""
        operation = self.operation
        admission = self._delivering(conn) or self._let_in(conn, to_write=not operation.safe)
        if (known := self._replay(conn)) is not None:
            self.discarded = self.received
            return known
        call = self._call(conn, admission)
        answer = self._work(call)
        self.discarded, self.gave_up = call.discarded, call.gave_up
        if not operation.safe:
            if operation.scoped and not call.recorded:
                # accepted, and nothing was changed by it: the trail has it all the same
                name, record_id = next(iter(call.ids.items()), (operation.tag, None))
                call.emit(f"{trail_name(name)}.unchanged", {"id": record_id})
            self.store(conn, answer)
        return answer

    def delivery(self, conn: Connection, outbox: Outbox) -> AbstractContextManager[None]:
        """Return what delivers before `run` records it: nothing when the request was answered, or has left, earlier."""
        admission = self._let_in(conn, to_write=False)
        if self._replay(conn) is not None:
            return nullcontext()
        assert admission.scope is not None
        assert self.operation.sends is not None
        self.sender, mark = admission, self._mark()
        if (left := outbox.unrecorded(admission.scope.slug, mark)) is not None:
            return left
        parcel = self.operation.sends(self._call(conn, admission), mark)
        self.sent = parcel.said
        return outbox.delivered(parcel)

    def _delivering(self, conn: Connection) -> Admission | None:
        """Return who was let in before the delivery, if any: to record what has left nobody needs a right any more."""
        if self.sender is None or self.sender.scope is None:
            return None
        from acctcli.service.store.businesses import lock

        if not lock(conn, self.sender.scope.id):
            raise Missing("There is no such business.")
        return self.sender

    def _let_in(self, conn: Connection, *, to_write: bool) -> Admission:
        """Admit the caller, who must have the permission also to be answered again: a reply may hold a secret."""
        operation, slug = self.operation, self.request.slug
        admission = let_in(conn, self.credential, stamp(self.now), slug, operation, to_write=to_write)
        self.user_id = admission.caller.id
        return admission

    def _mark(self) -> str:
        """Return what stands for this request and its repetitions; without a key nothing is its repetition."""
        if self.key is None:
            return self.entropy(16).hex()
        return hashlib.sha256(f"{self.user_id}\0{self.key}\0{self._fingerprint}".encode()).hexdigest()

    def is_worth_storing(self, answer: Answer) -> bool:
        """Say whether what was read is kept for whoever asks again: not what was kept already, nor a large report."""
        body = answer.body
        return answer.headers is not REPLAYED and isinstance(body, bytes) and len(body) <= MAX_STORED_REPORT

    def store(self, conn: Connection, answer: Answer) -> None:
        """Keep the answer for whoever repeats the request with this key."""
        body = answer.body
        if self.key is None or not isinstance(body, bytes):
            return
        if self.operation.sealed:
            body = self.installation.seal(body, self._reply_place(self.key), self.entropy(NONCE_BYTES))
        reply = StoredReply(self._fingerprint, answer.status, body)
        idempotency.store(conn, self.user_id, self.key, reply, self.now)

    def _replay(self, conn: Connection) -> Answer | None:
        key = self.key
        if key is None or (known := idempotency.find(conn, self.user_id, key, self.now)) is None:
            return None
        if known.fingerprint != self._fingerprint:
            raise KeyReused
        body = self.installation.unseal(known.body, self._reply_place(key)) if self.operation.sealed else known.body
        return Answer(known.status, body, REPLAYED)

    def _reply_place(self, key: str) -> str:
        return f"stored_reply/{self.user_id}/{key}"

    @cached_property
    def _fingerprint(self) -> str:
        """Hash method, path, query and body; of a multipart body its parts, the boundary is made up anew each time."""
        request = self.request
        body = self.upload.mark if self.upload else self.body
        if bodies.media_type(request.content_type) == bodies.MULTIPART and self.operation.forms:
            body = encode(bodies.read_parts(body, request.content_type or ""))
        place = f"{request.method}\n{request.path}\n{request.query_string}\n"
        content = place.encode("utf-8", "surrogateescape") + body
        # a plain hash of a body with a password in it would let passwords be tried
        return self.installation.mark(content) if self.operation.sealed else hashlib.sha256(content).hexdigest()

    def _call(self, conn: Connection, admission: Admission) -> Call:
        return Call(
            conn=conn,
            now=self.now,
            user=admission.caller,
            scope=admission.scope,
            random=self.entropy,
            origin=self.request.origin,
            ids=self.request.ids,
            query=self.request.query,
            parameters=self.operation.query,
            body=self._fields,
            credential=self.credential,
            installation=self.installation,
            login_address=self.login_address,
            seen=self.request.seen,
            limits=self.limits,
            has_turn=self.has_turn,
            sent=self.sent,
            author=NOBODY if self.operation.safe else self._author(admission.caller),
        )

    def _author(self, caller: Caller) -> Author:
        """Return who and what the trail names for what this request changes."""
        operation, request = self.operation, self.request
        client = (request.client or "")[:MAX_CLIENT]
        does = f"{operation.method} {operation.name}"
        return Author(caller.id, caller.called, client, self.via, request.id, does, self.installation.trail_marker)

    @cached_property
    def _fields(self) -> Any:
        if self.operation.request is None:
            return None
        kind, may_be_blank = self.request.content_type, True
        if self.upload:
            fields = dict(self.upload.fields)
        else:
            forms, arrays = self.operation.forms, self.operation.arrays
            fields = bodies.read_fields(self.body, kind, forms=forms, arrays=arrays)
            may_be_blank = bodies.may_be_blank(self.body, kind)
            # an item and what parts it from the next one take two bytes
            if len(self.body) > 2 * self.limits.items:
                bodies.check_items(fields, self.limits.items)
        model, partial = load(self.operation.request), self.operation.partial
        return bodies.check(model, fields, partial=partial, may_be_blank=may_be_blank)

    def _work(self, call: Call) -> Answer:
        payload, status = self.operation.handler(call), self.operation.status
        if isinstance(payload, Page):
            payload = call.page.envelope(payload)
            if isinstance(payload["results"], Iterator):
                payload = _written(payload)
        if isinstance(payload, Generator):
            return Answer(status, lay_down(payload, MAX_STORED_REPORT))
        body = b"" if payload is None else encode(payload)
        return Answer(status, spooled([body]) if self.operation.safe and len(body) > MAX_HELD else body)


def trail_name(name: str) -> str:
    """Return what the trail calls a record, of the name of its id in an address or the tag of its operations."""
    noun = name.removesuffix("_id")
    return TRAIL_NAMES.get(noun, noun)


def _written(page: dict[str, Any]) -> Generator[str, None, None]:
    """Yield a page record by record."""
    records = page.pop("results")
    yield f'{encode(page)[:-1].decode()},"results":['
    yield from separated(encode(record).decode() for record in records)
    yield "]}"


def let_in(
    conn: Connection, credential: Credential, stamp: str, slug: str | None, operation: Operation, *, to_write: bool
) -> Admission:
    """Admit a caller; refuse a token that is not in force, a path that a JWT does not reach, a missing permission."""
    own, kid = credential.environment, credential.kid
    admission = admit(
        conn,
        credential.hash,
        stamp,
        slug,
        to_write=to_write,
        environment=own,
        kid=kid,
        in_session=bool(credential.session),
    )
    if admission is None:
        raise TokenRefused
    if credential.session:
        _check_session(credential.session, admission.caller, operation)
    credential.check_reach(slug, safe=operation.safe, narrowed=operation.narrowed)
    if slug is not None:
        check_permission(admission, operation)
    return admission


def _check_session(secret: str, caller: Caller, operation: Operation) -> None:
    """Refuse a session that names another person, and one that would write."""
    from acctcli.service.identity.opaque import SESSION, belongs

    if not belongs(secret, SESSION, caller.id):
        raise TokenRefused
    if not operation.safe:
        raise NotAllowed("Pages only read.")


def check_permission(admission: Admission, operation: Operation) -> None:
    """Refuse a slug nobody has, a business that is not the caller's, a permission they lack there.

    See docs/interface.md 2.3.
    """
    if not admission.exists:
        raise Missing("There is no such business.")
    if admission.scope is None:
        raise NotAllowed("This business is not yours.")
    if not allows(admission.scope.permissions, operation.needs):
        raise NotAllowed(f"This needs one of the permissions {', '.join(sorted(operation.needs | ADMIN))}.")


def allows(granted: frozenset[str], needs: frozenset[str]) -> bool:
    """Whether permissions are enough: any of `needs`, or admin, or membership when nothing is needed."""
    return not needs or not granted.isdisjoint(needs) or not granted.isdisjoint(ADMIN)
