"""What happens between a request and its reply: claims, transactions, and what leaves before them.

A body is received before the transaction, a file in it laid on the disk, once it is clear that its sender may do this.
A write is one transaction: authenticate, check business and permission, look the idempotency key up (its claim is held
from before the transaction until after the commit), read the body, do the work, record the event, store the reply.
Anything but a 2xx rolls all of it back. Content that no row names any more is removed after it. What a request
sends leaves before the transaction that records it: nobody waits for a mail server inside one, and what has left is
recorded whatever became of its sender's rights. `task.py` is what happens inside the transaction, `app.py` is the WSGI
around it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from acctcli.service.cases.work import Large
from acctcli.service.delivery.outbox import one_at_a_time
from acctcli.service.http.answers import Answer, refusal
from acctcli.service.http.bodies import LARGE_BODY, whole
from acctcli.service.http.large import LEFT_BEHIND, TURNS, let_go
from acctcli.service.http.logs import LOG
from acctcli.service.http.task import HttpRequest, Task, let_in
from acctcli.service.identity.credentials import Credential
from acctcli.service.problems import Invalid, Problem, TokenRefused, Unauthenticated, Unavailable
from acctcli.service.store import idempotency
from acctcli.service.store.engine.connection import DatabaseFault
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import users

if TYPE_CHECKING:
    from acctcli.service.cases.work import Limits
    from acctcli.service.delivery.outbox import Outbox
    from acctcli.service.http.uploads import Upload
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.routes.operation import Operation
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

MAX_KEY = 255
KNOWN_TOKENS = 1024
KNOWN_FOR = timedelta(minutes=1)
BODILESS = frozenset({"GET", "HEAD", "DELETE"})

A = TypeVar("A")
Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]
# what a caller shows, as `credentials.py` reads it
ReadCredential = Callable[[str, "InstallationKey", datetime], Credential]
# a credential, the business and the permissions of an operation, and whether it only reads
Sender = tuple[Credential, str | None, frozenset[str], bool]


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
        limits: Limits,
        via: str,
        environment: str,
        login_address: str | None,
        read: ReadCredential,
    ) -> None:
        self._database = database
        self._contents = contents
        self._outbox = outbox
        self._installation = installation
        self._clock = clock
        self._entropy = entropy
        self._limits = limits
        self._via = via
        self._environment = environment
        self._login_address = login_address
        self._read_credential = read
        # Whose a token is never changes; whether it is still good is asked in every transaction
        self._token_users: dict[str, int] = {}
        # until when a sender's bodies are read without asking
        self._senders: dict[Sender, datetime] = {}

    def answer(
        self, operation: Operation, request: HttpRequest, later: Callable[[Answer], None] | None = None
    ) -> Answer | None:
        """Answer a request to an operation, whatever happens; None when `later` gets the answer, once it is durable."""
        try:
            return answer_of(partial(self._answer, operation, request, later), request.id)
        finally:
            let_go()

    def _answer(
        self, operation: Operation, request: HttpRequest, later: Callable[[Answer], None] | None
    ) -> Answer | None:
        now = self._clock()
        credential = self._read_credential(read_token(request.authorization), self._installation, now)
        credential = credential._replace(environment=self._environment)
        is_kept = request.method == "POST" and operation.stored and not credential.session
        key = read_key(request) if is_kept else None
        has_body = request.method not in BODILESS
        if has_body:
            self._check_sender(operation, request, credential, now)
        with self._received(operation, request, has_body=has_body) as (body, upload):
            task = Task(
                operation=operation,
                request=request,
                body=body,
                upload=upload,
                credential=credential,
                key=key,
                now=now,
                entropy=self._entropy,
                installation=self._installation,
                limits=self._limits,
                via=self._via,
                login_address=self._login_address,
                has_turn=not operation.safe or len(body) > LARGE_BODY,
            )
            claim = None if key is None else idempotency.claim_number(self._token_user(credential.hash), key)
            if operation.sends:
                return self._send(task, claim)
            if operation.safe:
                return self._read(task, claim)
            if later is None or upload is not None or len(body) > LARGE_BODY:
                return self._write(task, claim)
            self._submit(task, claim, later, len(body))
            return None

    @contextmanager
    def _received(
        self, operation: Operation, request: HttpRequest, *, has_body: bool
    ) -> Iterator[tuple[bytes, Upload | None]]:
        """Give the body of a request, or what was laid on the disk of it; a large body has a turn while it is there."""
        if not has_body:
            yield b"", None
            return
        with request.open_body() as stream:
            if operation.uploads:
                from acctcli.service.http.uploads import receive

                name = self._entropy(16).hex()
                yield b"", receive(stream, request.content_type, self._contents, name, operation.remakes)
                return
            with whole(stream) as body:
                yield body, None

    def _read(self, task: Task, claim: int | None) -> Answer:
        """Run a task in a read transaction, and again in a turn of its own when what it shows is large."""
        try:
            with self._database.read(claim) as conn:
                answer = task.run(conn)
        except Large:
            with TURNS.held(), self._database.read(claim) as conn:
                task.has_turn = True
                answer = task.run(conn)
        if task.key is not None and task.is_worth_storing(answer):
            self._keep(task, answer)
        return answer

    def _keep(self, task: Task, answer: Answer) -> None:
        """Store what was read for whoever asks again; who asked has it, also where nothing can be written."""
        try:
            self._database.write(lambda conn: task.store(conn, answer))
        except (Unavailable, DatabaseFault) as error:
            LOG.warning("the reply to %s could not be stored", task.request.id, exc_info=error)

    def _check_sender(self, operation: Operation, request: HttpRequest, credential: Credential, now: datetime) -> None:
        """Refuse whoever may not do this before their body is read, which may be long and slow.

        The transaction asks again. Whom this let in a moment ago it does not ask twice.
        """
        sender = credential, request.slug, operation.needs, operation.safe
        if self._senders.get(sender, now) > now:
            return
        with self._database.read() as conn:
            let_in(conn, credential, stamp(now), request.slug, operation, to_write=False)
        if len(self._senders) >= KNOWN_TOKENS:
            self._senders.clear()
        self._senders[sender] = now + KNOWN_FOR

    def _send(self, task: Task, claim: int | None) -> Answer:
        """Deliver what a request sends, then record it; claims are held from before the one until after the other."""
        slug, what = task.request.slug, next(iter(task.request.ids.values()), task.operation.name)
        assert slug is not None
        with self._database.hold(claim), one_at_a_time(self._database, slug, what):
            with self._database.read() as conn:
                delivery = task.delivery(conn, self._outbox)
            with delivery:
                return self._write(task, None)

    def _write(self, task: Task, claim: int | None) -> Answer:
        """Run a task in a write transaction."""
        task.prepare()
        return self._ended(task, partial(self._database.write, task.run, claim=claim))

    def _submit(self, task: Task, claim: int | None, later: Callable[[Answer], None], size: int) -> None:
        """Leave a task, with a body of so many bytes, behind for a write transaction; `later` gets what came of it."""
        give_back = LEFT_BEHIND.take(size)

        def told(outcome: Callable[[], Answer]) -> None:
            give_back()
            answer = partial(self._send_later, task, outcome, later)
            if task.gave_up:  # what a business had is taken away first, which others are not to wait for
                try:
                    threading.Thread(target=answer, daemon=True).start()
                    return
                except RuntimeError as error:
                    LOG.warning("there is no thread for the end of %s", task.request.id, exc_info=error)
            answer()

        try:
            task.prepare()
            self._database.submit(task.run, told, claim=claim)
        except BaseException:
            give_back()
            raise

    def _send_later(self, task: Task, outcome: Callable[[], Answer], later: Callable[[Answer], None]) -> None:
        """Send what came of a task; whoever commits for others goes on, whatever becomes of it."""
        answer = answer_of(partial(self._ended, task, outcome), task.request.id)
        answer_of(partial(later, answer), task.request.id)  # who cannot be answered is in the log

    def _ended(self, task: Task, outcome: Callable[[], Answer]) -> Answer:
        """Return or raise what came of a write; remove the content that no row names any more."""
        try:
            answer = outcome()
        except Problem as problem:
            # whether an unavailable database has committed is not known: better a stray than a row without content
            if not isinstance(problem, Unavailable):
                self._contents.remove(task.received)
            raise
        self._contents.remove(task.discarded)
        if task.gave_up:
            from acctcli.service.cases.erasing import Erasure

            Erasure(self._database, self._contents).begin()
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


def answer_of(made: Callable[[], A], request_id: str) -> A | Answer:
    """Return what is made, or the refusal that an error is: the one edge of the service."""
    try:
        return made()
    except Exception as error:  # noqa: BLE001 - what goes wrong is answered, and logged
        return refusal(error, request_id)


def read_token(authorization: str | None) -> str:
    """Return the token of `Authorization: Token <token>`; any other word counts as no credential.

    See docs/interface.md 2.1.
    """
    word, _, token = (authorization or "").partition(" ")
    if word.lower() != "token" or not token.strip():
        raise Unauthenticated
    return token.strip()


def read_key(request: HttpRequest) -> str | None:
    """Return the idempotency key, 1 to 255 printable characters, or None (docs/interface.md 1.6)."""
    key = request.idempotency_key
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isprintable()):
        raise Invalid(
            "The header Idempotency-Key must have 1 to 255 printable characters.",
            fields={"non_field_errors": ["The header Idempotency-Key must have 1 to 255 printable characters."]},
        )
    return key
