"""What happens between a request and its reply: claims, transactions, and what leaves before them.

A write is one transaction: authenticate, look the idempotency key up (its claim is held from before the transaction
until after the commit), check business and permission, read the body, do the work, record the event, store the reply.
Anything but a 2xx rolls all of it back. A file in a body is laid on the disk before the transaction, once it is clear
that its sender may write; content that no row names any more is removed after it. What a request sends leaves before
the transaction that records it: nobody waits for a mail server inside one. `task.py` is what happens inside the
transaction, `app.py` is the glue to Falcon.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from acctcli.service.http.answers import Answer, refusal
from acctcli.service.http.task import HttpRequest, Task, check_permission, let_in
from acctcli.service.identity.credentials import Credential, read_credential
from acctcli.service.problems import Invalid, Problem, TokenRefused, Unauthenticated, Unavailable
from acctcli.service.store import idempotency
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import users

if TYPE_CHECKING:
    from acctcli.service.delivery.outbox import Outbox
    from acctcli.service.http.uploads import Upload
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.routes.operation import Operation
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database

MAX_KEY = 255
KNOWN_TOKENS = 1024
BODILESS = frozenset({"GET", "HEAD", "DELETE"})

Clock = Callable[[], datetime]
Entropy = Callable[[int], bytes]


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

    def answer(self, operation: Operation, request: HttpRequest) -> Answer:
        """Answer a request to an operation, whatever happens."""
        try:
            return self._answer(operation, request)
        except Exception as error:  # noqa: BLE001 - the one edge of the service
            return refusal(error, request.id)

    def _answer(self, operation: Operation, request: HttpRequest) -> Answer:
        now = self._clock()
        credential = read_credential(read_token(request.authorization), self._installation, now)
        key = read_key(request) if request.method == "POST" and operation.stored else None
        upload = self._receive(operation, request, credential) if operation.uploads else None
        body = b"" if upload or request.method in BODILESS else request.open_body().read()
        task = Task(operation, request, body, upload, credential, key, now, self._entropy, self._installation)
        claim = None if key is None else idempotency.claim_number(self._token_user(credential.hash), key)
        if operation.sends:
            return self._send(task, claim)
        if not operation.safe:
            return self._write(task, claim)
        with self._database.read(claim) as conn:
            answer = task.run(conn)
        if key is not None and task.is_worth_storing(answer):
            self._database.write(lambda conn: task.store(conn, answer))
        return answer

    def _receive(self, operation: Operation, request: HttpRequest, credential: Credential) -> Upload:
        """Lay the file of a request on the disk, if its sender may write here."""
        from acctcli.service.http.uploads import receive

        with self._database.read() as conn:
            admission = let_in(conn, credential, stamp(self._clock()), request.slug, safe=True)
        check_permission(admission, operation)
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
