"""Send one request to one environment: headers, retries, idempotency, limits, and errors with names.

`Http` is the only way from the command line to a service, embedded or far away. It is safe to share between threads.
"""

from __future__ import annotations

import uuid
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Protocol

from acctcli import __version__
from acctcli.client import known, redact, retry
from acctcli.client.access import Access
from acctcli.client.bounds import RECORD, Limit
from acctcli.client.deadline import Deadline
from acctcli.client.direct import Unreachable, httpx
from acctcli.client.encoding import ACCEPTED, unpacked
from acctcli.client.faults import check_no_refusal, check_text, error_of, is_gone, sent_back, undecided, unreadable
from acctcli.client.messages import OpenReply, Planned, Reply, Request, is_void
from acctcli.client.transport import MAX_REDIRECTS, REDIRECTS
from acctcli.client.urls import Query, build_query
from acctcli.client.writes import STATED, Writes
from acctcli.errors import AcctcliError, Incomplete, NetworkError, NotAuthenticated, ServerFault, UsageError

_NEVER_RECEIVED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_NOT_LET_IN = 401
_IN_FLIGHT_PAUSE = 2.0
_IN_FLIGHT_TRIES = 30
# what must come of a streamed reply within the time of a request, in bytes
_PROGRESS = 64 * 1024
_OTHER_TOKEN = "take a new token with: acctcli auth login"  # noqa: S105 - says how
# what is read of a reply that is none of success, in bytes
_LONGEST_REFUSAL = 64 * 1024


class Watcher(Protocol):
    """Hears what happens on the wire; the command line prints it to stderr."""

    def sent(self, request: httpx.Request, attempt: int) -> None:
        """Hear that a try leaves."""

    def received(self, request: httpx.Request, reply: Reply, seconds: float) -> None:
        """Hear that a whole reply came."""

    def waiting(self, reason: str, seconds: float) -> None:
        """Hear that the request will be repeated."""

    def replayed(self, key: str) -> None:
        """Hear that the service answered from memory and did nothing new."""


@dataclass
class Http:
    """The connection to one environment.

    `base_url` carries scheme and host; the token that `access` has for a request goes to that host only, as
    `Authorization: Token <token>`.
    `writes` knows what was done, or may have been, whatever went wrong; `date` is the service's time, as the last 2xx
    reply told it. `before_write` hears of every request that may change something before it leaves, and may
    refuse it. `advice` is what may help whoever is not let in.
    """

    client: httpx.Client
    base_url: str
    access: Access | None
    watcher: Watcher
    policy: retry.Policy = field(default_factory=retry.Policy)
    timing: retry.Timing = field(default_factory=retry.Timing)
    dry_run: bool = False
    before_write: Callable[[Request], None] = lambda request: None
    writes: Writes = field(default_factory=Writes)
    date: str | None = None
    advice: str | None = None

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: bytes | None = None,
        content_type: str = "application/json",
        key: str | None = None,
        limit: Limit = RECORD,
        seen: str | None = None,
    ) -> Reply:
        """Send and return a 2xx reply, which is within the `limit`.

        A POST without `key` gets a fresh one; the key stays the same for every repetition. One of another state than
        was `seen` is a Conflict, with services that know of it.
        Raises NetworkError, NotAuthenticated, Forbidden, NotFound, Rejected, Conflict or ServerFault;
        UsageError when it cannot be sent as it is, Planned when this is a dry run and the request would write.
        """
        if method == "POST" and key is None:
            key = str(uuid.uuid4())
        asked = build_query(query or {})
        request = Request(method, path, asked, body, key, content_type=content_type, limit=limit, seen=seen)
        if self.dry_run and request.writes:
            raise Planned(request, self.base_url)
        if request.writes:
            self.before_write(request)
        secrets = known.know_fields(body) if body is not None and content_type == "application/json" else {}
        reply = self._settled(request)
        if secrets and known.are_sent_back(secrets, reply.body):
            raise sent_back("a password or another secret", "the service should keep such to itself")
        if reply.replayed and key is not None:
            self.watcher.replayed(key)
        return reply

    @contextmanager
    def stream(self, path: str, body: bytes) -> Iterator[Iterator[bytes]]:
        """POST a request that changes nothing, such as a report; yield the body of its 2xx reply as it comes.

        Until the reply begins everything is as in `send`; afterwards the deadline is one for each part of it. Nothing
        is asked for twice once a part was handed out: raises Incomplete when the reply breaks off, NetworkError when
        it does not go on in time. The reply is a JSON object, or a ServerFault before anything is handed out.
        """
        request = Request("POST", path, body=body, key=str(uuid.uuid4()), streamed=True)
        reply = self._settled(request)
        assert isinstance(reply, OpenReply)
        with closing(reply):
            yield self._chunks(reply)

    def _chunks(self, reply: OpenReply) -> Iterator[bytes]:
        token: str = reply.response.request.extensions["token"]
        plain = token.encode()
        start = before = b""
        decode = getincrementaldecoder("utf-8")().decode
        try:
            for chunk in _begun_with_all_that_is_small(self._going_on(reply.response)):
                decode(chunk)
                both = before + chunk
                if plain in both or (not before and known.is_sent_back(token, chunk)):
                    raise sent_back("the token", _OTHER_TOKEN)
                before = both[-len(plain) :]
                if not start and (start := chunk.lstrip()[:1]) not in {b"", b"{"}:
                    raise unreadable(Reply(reply.status, reply.headers, chunk), "something else")
                yield chunk
            if not start:
                raise unreadable(reply, "nothing")
        except UnicodeDecodeError as fault:
            raise ServerFault("the reply is no text (UTF-8)", code="unreadable_reply") from fault
        except httpx.TimeoutException as late:
            raise NetworkError(f"the reply did not go on in time ({late})", hint="run the command again") from late
        except httpx.HTTPError as fault:
            raise Incomplete(f"the reply broke off ({_reason(fault)})", hint="run the command again") from fault

    def _going_on(self, response: httpx.Response) -> Iterator[bytes]:
        """Yield what comes as long as it goes on; the time that the reader takes is not counted."""
        deadline: Deadline = response.request.extensions["deadline"]
        deadline.begin_again()
        size = 0
        for chunk in unpacked(response):
            size += len(chunk)
            if size >= _PROGRESS:
                deadline.begin_again()
                size = 0
            handed_out = self.timing.now()
            yield chunk
            deadline.extend(self.timing.now() - handed_out)

    def _settled(self, request: Request) -> Reply:
        """Return the 2xx reply, or raise what went wrong without the token in it."""
        if self.access is None:
            raise NotAuthenticated("no token for this environment", hint="sign in with: acctcli auth login")
        try:
            request = replace(request, token=self.access.token(request))
            deadline = Deadline(self.policy.deadline, self.timing.now)
            reply = self._persist(request, deadline)
            if reply.status == _NOT_LET_IN and (other := self.access.renewed(request, request.token)):
                request = replace(request, token=other)
                reply = self._persist(request, deadline)
            if not reply.ok:
                raise error_of(reply)
            if reply.status not in STATED:
                raise undecided(reply)
            check_text(reply)
            if request.writes:
                check_no_refusal(reply, request.method)
            if known.is_sent_back(request.token, reply.body):
                raise sent_back("the token", _OTHER_TOKEN)
        except AcctcliError as problem:
            if isinstance(problem, NotAuthenticated) and problem.status == _NOT_LET_IN and self.advice:
                problem.hint = self.advice
            redact.error(problem)
            raise
        return reply

    def _persist(self, request: Request, deadline: Deadline) -> Reply:
        """Repeat one request until it is answered for good, the tries are used up, or the deadline passes."""
        uncertain = False
        answered: Reply | None = None
        attempt = 0
        while True:
            attempt += 1
            outcome = self._try(request, attempt, deadline)
            if isinstance(outcome, Reply):
                answered = outcome
            elif answered is not None and not deadline.allows(0):
                # what was said tells more than that the time did not suffice for another answer
                return answered
            if isinstance(outcome, Reply) and request.method == "DELETE" and uncertain and is_gone(outcome):
                # an earlier try was cut off after it did the work
                self.writes.is_answered(request, 204)
                return Reply(204, {}, b"")
            wait = self._pause_before_repeating(request, outcome, attempt, deadline)
            if wait is None:
                return self._conclude(request, outcome, attempt)
            uncertain = uncertain or _may_be_done(outcome)
            self.watcher.waiting(_reason(outcome), wait)
            self.timing.sleep(wait)

    def _pause_before_repeating(
        self, request: Request, outcome: Reply | httpx.HTTPError, attempt: int, deadline: Deadline
    ) -> float | None:
        """Seconds to wait before the next try; None when there must not be one."""
        if isinstance(outcome, Reply):
            if not retry.worth_repeating(outcome.status, request.method, request.key):
                return None
            if outcome.status == retry.IN_FLIGHT:
                # the first request is still running, or its owner died: the key is free again within seconds
                wait = self.timing.uniform(0.05, _IN_FLIGHT_PAUSE)
                patient = attempt < _IN_FLIGHT_TRIES and deadline.allows(wait)
                return wait if patient else None
            least = retry.retry_after(outcome.headers.get("retry-after"))
        elif isinstance(outcome, Unreachable):
            return None
        elif retry.repeatable(request.method, request.key) or isinstance(outcome, _NEVER_RECEIVED):
            least = 0.0
        else:
            return None
        wait = least + retry.backoff(attempt, self.policy, self.timing)
        return wait if deadline.allows(wait) and attempt < self.policy.attempts else None

    def _conclude(self, request: Request, outcome: Reply | httpx.HTTPError, attempt: int) -> Reply:
        if isinstance(outcome, Reply):
            return outcome
        tries = f" after {attempt} tries" if attempt > 1 else ""
        raise NetworkError(f"{request.method} {self.base_url}: {_reason(outcome)}{tries}") from outcome

    def _try(self, request: Request, attempt: int, deadline: Deadline) -> Reply | httpx.HTTPError:
        """One try; transport faults are returned, not raised."""
        url = first = f"{self.base_url}{request.path}{'?' + request.query if request.query else ''}"
        try:
            for _ in range(MAX_REDIRECTS + 1):
                reply = self._exchange(request, url, attempt, deadline)
                target = self._redirect(request, url, reply)
                if target is None and url != first and reply.status == 404:
                    raise ServerFault(f"the service redirects {request.path} to where nothing is", code="redirect")
                if target is None:
                    return reply
                url = target
        except (httpx.InvalidURL, UnicodeError) as fault:  # a host that is no name shows only when it is read
            raise _no_address(request) from fault
        except httpx.LocalProtocolError as fault:
            self.writes.never_arrived(request)
            raise UsageError(f"the request cannot be sent: {fault}") from fault
        except httpx.HTTPError as fault:
            if isinstance(fault, _NEVER_RECEIVED):
                self.writes.never_arrived(request)
            return fault
        raise ServerFault(f"the service redirects in circles at {request.path}", code="redirect")

    def _exchange(self, request: Request, url: str, attempt: int, deadline: Deadline) -> Reply:
        try:
            left = deadline.left()
        except TimeoutError as late:
            raise httpx.ReadTimeout(str(late)) from late
        timeout = httpx.Timeout(self.policy.timeouts(left))
        outgoing = httpx.Request(
            request.method,
            url,
            content=request.body,
            headers=self._headers(request),
            extensions={"timeout": timeout.as_dict(), "deadline": deadline, "token": request.token},
        )
        self.watcher.sent(outgoing, attempt)
        started = self.timing.now()
        self.writes.leaves(request)
        response = self.client.send(outgoing, stream=True, follow_redirects=False)
        self.writes.is_answered(request, response.status_code, is_void=is_void(response.headers))
        if response.is_success:
            self.date = response.headers.get("date")
        reply: Reply
        if request.streamed and response.status_code in STATED:
            headers = _headers_of(response, request.token)
            reply = OpenReply(response.status_code, headers, b"", response=response)
        else:
            with closing(response):
                body = self._read(response, deadline, request.limit)
                reply = Reply(response.status_code, _headers_of(response, request.token), body)
        self.watcher.received(outgoing, reply, self.timing.now() - started)
        return reply

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {
            "accept": "application/json",
            "accept-encoding": ACCEPTED,
            "authorization": f"Token {request.token}",
            "user-agent": f"acctcli/{__version__}",
            "x-client": f"acctcli/{__version__}",
        }
        if request.body is not None:
            headers["content-type"] = request.content_type
        if request.key is not None:
            headers["idempotency-key"] = request.key
        if request.seen is not None:
            headers["if-match"] = f'"{request.seen}"'
        return headers

    def _read(self, response: httpx.Response, deadline: Deadline, limit: Limit) -> bytes:
        # no room made ready while it waits: a page comes in two pieces, and is then copied once
        body = BytesIO()
        for chunk in unpacked(response):
            if not response.is_success:
                if body.tell() > _LONGEST_REFUSAL:
                    break  # enough to tell why
            elif body.tell() + len(chunk) > limit.size:
                raise limit.passed("the reply")
            if not deadline.allows(0):
                raise httpx.ReadTimeout("the reply did not end in time")
            body.write(chunk)
        whole = body.getvalue()
        if response.is_success:
            limit.check(whole, "the reply")
        return whole

    def _redirect(self, request: Request, url: str, reply: Reply) -> str | None:
        """The address to go on with; None when the reply is no redirect. The token never changes hosts."""
        if reply.status not in REDIRECTS:
            return None
        here = httpx.URL(url)
        try:
            there = here.join(reply.headers.get("location", ""))
            same_host = (here.scheme, here.host, here.port) == (there.scheme, there.host, there.port)
        except httpx.InvalidURL as problem:
            raise _no_address(request) from problem
        # user info would be sent in place of the token
        if request.method != "GET" or not same_host or there.userinfo:
            raise ServerFault(
                f"the service redirects {request.method} {request.path} to {there.scheme}://{there.netloc.decode()}, "
                "which is not followed",
                status=reply.status,
                code="redirect",
                hint="check the base URL of the environment with: acctcli env show",
            )
        return str(there)


def _headers_of(response: httpx.Response, token: str) -> dict[str, str]:
    return {name.lower(): value.replace(token, redact.MASK) for name, value in response.headers.items()}


def _begun_with_all_that_is_small(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield chunks, at first as much in one as a small reply has: it is looked through as a whole."""
    first = bytearray()
    going_on = iter(chunks)
    for chunk in going_on:
        first += chunk
        if len(first) > known.SMALL:
            break
    yield bytes(first)
    yield from going_on


def _may_be_done(outcome: Reply | httpx.HTTPError) -> bool:
    """Whether the service may have done what a try asked for that has to be repeated."""
    if isinstance(outcome, Reply):
        return outcome.status in retry.OPEN and not is_void(outcome.headers)
    return not isinstance(outcome, _NEVER_RECEIVED)


def _no_address(request: Request) -> ServerFault:
    return ServerFault(f"the service redirects {request.method} {request.path} to no address", code="redirect")


def _reason(outcome: Reply | httpx.HTTPError) -> str:
    """Say in a few words what went wrong."""
    if isinstance(outcome, Reply):
        return "still being processed" if outcome.status == retry.IN_FLIGHT else f"status {outcome.status}"
    detail = str(outcome).strip() or type(outcome).__name__
    if isinstance(outcome, (httpx.ConnectTimeout, httpx.PoolTimeout)):
        return "connecting took too long"
    if isinstance(outcome, httpx.TimeoutException):
        return f"no answer in time ({detail})"
    if isinstance(outcome, httpx.ConnectError):
        return f"cannot connect ({detail})"
    return f"the connection broke ({detail})"
