"""Send what a command was given, each of it once, whatever happened to earlier runs.

The key of each follows from what it says: where it is sent, its content, and the how-manieth of such content it is. So
what was mended, extended or renamed goes on where it was cut off, and what is sent again is said to be there. Within a
day the service itself knows the keys (docs/interface.md 1.6); after that, and for what was deleted since, this
machine's record does (`record`).
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path

import msgspec

from acctcli.cli.command.many import Write, send_all
from acctcli.cli.command.record import Began, Done, Record, Sent
from acctcli.cli.exports.states import place_of
from acctcli.cli.output.doubt import without_key
from acctcli.cli.output.progress import counted
from acctcli.cli.output.replies import decoded, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.errors import AcctcliError, NotFound, UsageError

# the service forgets keys after 24 hours, by a clock of its own
KNOWN = timedelta(hours=23)
# how far that clock may be from this one
_MARGIN = timedelta(hours=1)


class _Made(msgspec.Struct):
    id: int
    created_at: str | None = None


_made = reader(_Made, "a record")


@dataclass(frozen=True)
class Kind:
    """The words for what is sent: `verb` it, a `unit` that becomes a `noun`; `get` fetches one that is there."""

    verb: str
    unit: str
    noun: str
    get: Callable[[int], Reply]


@dataclass(frozen=True)
class Item:
    """One of what is sent: a digest of its content, what sends it under a key, and the records that say the same."""

    digest: str
    send: Callable[[str], Reply]
    alike: Callable[[], Iterable[bytes]]
    told: str = ""


def send_once(
    here: State, kind: Kind, items: Iterable[Item], number: int, source: Path, columns: Sequence[str], *, again: bool
) -> None:
    """Send every item that is not there yet, in order, and show what is there of each.

    There are `number` of them, from the file `source` and others; `again` sends them whatever is there.
    """
    if again and here.options.idempotency_key is not None:
        raise UsageError("--again makes a new key: it does not go with --idempotency-key")
    place, business = place_of(here), here.business()
    base = str(uuid.uuid4()) if again else here.options.idempotency_key or _base(place, business)
    writes = partial(_writes, kind, _named(items), number)
    if here.options.dry_run or not number:
        send_all(here, writes(lambda _, name, item: item.send(_key(base, name))), base, columns, "")
        return
    began = Began(
        at=datetime.now(UTC),
        place=place,
        business=business,
        environment=here.environment.name,
        key=base,
        file=str(source.absolute()),
        lines=number,
        words=[word for word in without_key(here.words) if word != "--again"],
        folder=str(Path.cwd()),
        verb=kind.verb,
    )
    with Record(here.environ, began) as record:
        sending = _Sending(here, kind, record, base)
        # one that is new is shown, and nothing need be said of it
        is_worth_telling = number > 1 or kind.unit == "line"
        if is_worth_telling:
            here.say(
                f"{kind.verb}ing {number} {kind.unit}s under the key {base}; "
                f"after a stop run the same command again, or `acctcli resume`: nothing is {kind.verb}ed twice"
            )
        send_all(
            here,
            writes(sending.send),
            base,
            columns,
            f"{kind.unit}s are there",
            lambda pages: counted(here, pages, number),
        )
        record.has_ended()
        if is_worth_telling or sending.there:
            here.say(sending.told())


_Send = Callable[[int, str, Item], Reply]


def _writes(kind: Kind, items: Iterator[tuple[str, Item]], number: int, send: _Send) -> Iterator[Write]:
    for place, (name, item) in enumerate(items, 1):
        yield Write(partial(send, place, name, item), f"{kind.unit} {place} of {number}{item.told}")


class _Sending:
    """What is done with each item."""

    def __init__(self, here: State, kind: Kind, record: Record, base: str) -> None:
        self._here = here
        self._kind = kind
        self._record = record
        self._base = base
        self.there = 0  # already
        self._sent = 0

    def send(self, place: int, name: str, item: Item) -> Reply:
        """Return the record of an item: the one that is there, or a new one."""
        for generation in count():
            key = _key(self._base, name, generation)
            done = self._record.done.get(key) or self._found(key, place, item)
            if done is None:
                return self._send(key, place, item)
            reply = self._shown(done)
            if reply is not None:
                self.there += 1
                return reply
            was = f"{self._kind.unit} {place} was {self._kind.noun} {done.id}, which is gone"
            self._here.say(f"{was}: it is {self._kind.verb}ed again")
        raise AssertionError

    def told(self) -> str:
        """Say what was sent, and what was there already."""
        verb, unit = self._kind.verb, self._kind.unit
        sent = f"{verb}ed {self._sent} {self._kind.noun}s" if self._sent else f"nothing was {verb}ed"
        if not self.there:
            return sent
        there = f"all {self.there}" if not self._sent else str(self.there)
        return f"{sent}: {there} {unit}s are there already; --again {verb}s them once more"

    def _send(self, key: str, place: int, item: Item) -> Reply:
        writes = self._here.http.writes
        before = writes.last
        self._record.sending(key, place)
        try:
            reply = item.send(key)
        except AcctcliError:
            if writes.last is before:
                self._record.is_refused(key)
            raise
        made = decoded(reply, _Made)
        self._record.is_done(Done(key, place, made.id, made.created_at))
        if reply.replayed:
            self.there += 1
        else:
            self._sent += 1
        return reply

    def _shown(self, done: Done) -> Reply | None:
        """Return the record an item became; None when it is gone, or another has its id, as in new books."""
        try:
            reply = self._kind.get(done.id)
        except NotFound:
            return None
        return reply if decoded(reply, _Made).created_at == done.created_at else None

    def _found(self, key: str, place: int, item: Item) -> Done | None:
        """Look for an item that was sent so long ago that its key is forgotten, and may be there."""
        sent = self._record.sent.get(key)
        if sent is None or datetime.now(UTC) - sent.at < KNOWN:
            return None
        known = {one.id for one in self._record.done.values()}
        for made in map(_made, item.alike()):
            if made.id not in known and _is_of(made, sent):
                done = Done(key, place, made.id, made.created_at)
                self._record.is_done(done)
                return done
        return None


def _base(place: str | None, business: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{place}\0{business}"))


def _named(items: Iterable[Item]) -> Iterator[tuple[str, Item]]:
    """Yield each item with what it is called: its content, and the how-manieth of it."""
    seen: Counter[str] = Counter()
    for item in items:
        seen[item.digest] += 1
        yield f"{item.digest} {seen[item.digest]}", item


def _key(base: str, name: str, generation: int = 0) -> str:
    """Return the key of an item; those whose record is gone have another one, since the service knows the first."""
    return str(uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_OID, base), f"{name} {generation}" if generation else name))


def _is_of(made: _Made, sent: Sent) -> bool:
    """Tell whether a record may come from a request of that time."""
    if made.created_at is None:
        return True
    try:
        at = datetime.fromisoformat(made.created_at)
    except ValueError:
        return True
    return abs((at if at.tzinfo else at.replace(tzinfo=UTC)) - sent.at) < _MARGIN
