"""Post a file of documents, one a line, each of them once, whatever happened to earlier runs.

The key of a line follows from what it says: where it is posted, its body, and the how-manieth of such lines in the
file it is. So a file that was mended, extended or renamed goes on where it was cut off, and one that is posted again
says what is there. Within a day the service itself knows the keys (docs/interface.md 1.6); after that, and for
documents that were deleted since, this machine's record does (`record`).
"""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from acctcli.cli.command.many import Write, send_all
from acctcli.cli.document.bodies import Written, read_lines
from acctcli.cli.document.record import Began, Done, Record, Sent
from acctcli.cli.exports.states import place_of
from acctcli.cli.output.doubt import without_key
from acctcli.cli.output.progress import counted
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply, encode
from acctcli.errors import AcctcliError, NotFound, UsageError
from acctcli.models.document import DocumentRequest

# the service forgets keys after 24 hours, by a clock of its own
KNOWN = timedelta(hours=23)
# how far that clock may be from this one
_MARGIN = timedelta(hours=1)


class _Document(msgspec.Struct):
    id: int
    created_at: str | None = None


_document = reader(_Document, "a document")
_exact = msgspec.json.Decoder(float_hook=Decimal).decode


def post_lines(here: State, written: Written, columns: Sequence[str], *, again: bool) -> None:
    """Post every line of the file that is not there yet, in order; all are checked before the first is sent.

    `again` posts them whatever is there.
    """
    bodies = list(read_lines(here, written))
    if again and here.options.idempotency_key is not None:
        raise UsageError("--again makes a new key: it does not go with --idempotency-key")
    place, business = place_of(here), here.business()
    base = str(uuid.uuid4()) if again else here.options.idempotency_key or _base(place, business)
    if here.options.dry_run or not bodies:
        keys = [_key(base, name) for name in _names(bodies)]
        rehearsal = _writes(bodies, lambda line: here.api.documents.create(bodies[line], keys[line]))
        send_all(here, rehearsal, base, columns, "")
        return
    began = Began(
        at=datetime.now(UTC),
        place=place,
        business=business,
        environment=here.environment.name,
        key=base,
        file=str(Path(here.options.file or "").absolute()),
        lines=len(bodies),
        words=[word for word in without_key(here.words) if word != "--again"],
        folder=str(Path.cwd()),
    )
    with Record(here.environ, began) as record:
        posting = _Posting(here, record, base, bodies)
        here.say(
            f"posting {len(bodies)} lines under the key {base}; "
            "after a stop run the same command again, or `acctcli resume`: nothing is posted twice"
        )
        send_all(
            here,
            _writes(bodies, posting.post),
            base,
            columns,
            "lines are there",
            lambda pages: counted(here, pages, len(bodies)),
        )
        record.has_ended()
        here.say(posting.told())


def _writes(bodies: Sequence[DocumentRequest], post: Callable[[int], Reply]) -> Iterator[Write]:
    for line in range(len(bodies)):
        yield Write(partial(post, line), f"line {line + 1} of {len(bodies)}")


class _Posting:
    """What is done with each line of one file."""

    def __init__(self, here: State, record: Record, base: str, bodies: Sequence[DocumentRequest]) -> None:
        self._here = here
        self._record = record
        self._base = base
        self._bodies = bodies
        self._names = list(_names(bodies))
        self._there = 0
        self._posted = 0

    def post(self, line: int) -> Reply:
        """Return the document of a line: the one that is there, or a new one."""
        body = self._bodies[line]
        for generation in count():
            key = _key(self._base, self._names[line], generation)
            done = self._record.done.get(key) or self._found(key, line, body)
            if done is None:
                return self._send(key, line, body)
            reply = self._shown(done)
            if reply is not None:
                self._there += 1
                return reply
            self._here.say(f"line {line + 1} was document {done.id}, which is gone: it is posted again")
        raise AssertionError

    def told(self) -> str:
        """Say what was posted, and what was there already."""
        posted = f"posted {self._posted} documents" if self._posted else "nothing was posted"
        if not self._there:
            return posted
        there = f"all {self._there}" if not self._posted else str(self._there)
        return f"{posted}: {there} lines are there already; --again posts them once more"

    def _send(self, key: str, line: int, body: DocumentRequest) -> Reply:
        writes = self._here.http.writes
        before = writes.last
        self._record.sending(key, line + 1)
        try:
            reply = self._here.api.documents.create(body, key)
        except AcctcliError:
            if writes.last is before:
                self._record.is_refused(key)
            raise
        made = decoded(reply, _Document)
        self._record.is_done(Done(key, line + 1, made.id, made.created_at))
        if reply.replayed:
            self._there += 1
        else:
            self._posted += 1
        return reply

    def _shown(self, done: Done) -> Reply | None:
        """Return the document that a line became; None when it is gone, or another has its id, as in new books."""
        try:
            reply = self._here.api.documents.get(done.id)
        except NotFound:
            return None
        return reply if decoded(reply, _Document).created_at == done.created_at else None

    def _found(self, key: str, line: int, body: DocumentRequest) -> Done | None:
        """Look for a line that was sent so long ago that its key is forgotten, and may be there."""
        sent = self._record.sent.get(key)
        if sent is None or datetime.now(UTC) - sent.at < KNOWN:
            return None
        known = {one.id for one in self._record.done.values()}
        fields = _exact(encode(body))
        query = {"date_from": fields.get("date"), "date_to": fields.get("date")}
        listing = self._here.api.documents.list(query, Extent(None, LARGEST_PAGE))
        for row in read_all(listing, bytes):
            made = _document(row)
            if made.id not in known and _is_of(made, sent) and _says(fields, _exact(row)):
                done = Done(key, line + 1, made.id, made.created_at)
                self._record.is_done(done)
                return done
        return None


def _base(place: str | None, business: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{place}\0{business}"))


def _names(bodies: Sequence[DocumentRequest]) -> Iterator[str]:
    """Yield what each line is called: its content, and the how-manieth of it in the file."""
    seen: Counter[str] = Counter()
    for body in bodies:
        content = msgspec.json.encode(body.model_dump(exclude_unset=True), order="sorted")
        digest = hashlib.sha256(content).hexdigest()
        seen[digest] += 1
        yield f"{digest} {seen[digest]}"


def _key(base: str, name: str, generation: int = 0) -> str:
    """Return the key of a line; those whose document is gone have another one, since the service knows the first."""
    return str(uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_OID, base), f"{name} {generation}" if generation else name))


def _is_of(made: _Document, sent: Sent) -> bool:
    """Tell whether a document may come from a request of that time."""
    if made.created_at is None:
        return True
    try:
        at = datetime.fromisoformat(made.created_at)
    except ValueError:
        return True
    return abs((at if at.tzinfo else at.replace(tzinfo=UTC)) - sent.at) < _MARGIN


def _says(sent: Any, shown: Any) -> bool:
    """Tell whether a record shows what was sent; it may show more."""
    match sent:
        case Mapping():
            return isinstance(shown, Mapping) and all(_says(value, shown.get(name)) for name, value in sent.items())
        case list():
            return len(sent) == len(shown or ()) and all(map(_says, sent, shown or ()))
        case bool() | None:
            return bool(sent) == bool(shown)
        case int() | Decimal():
            return isinstance(shown, int | Decimal) and sent == shown
        case _:
            return str(sent).strip() == str(shown or "").strip()
