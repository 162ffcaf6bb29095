"""Send what a command was given, each of it once, whatever happened to earlier runs.

The key of each follows from the books it goes into, its content, and the how-manieth of such content it is. So what was
mended, extended or renamed goes on where it was cut off, and what is there already is named. What is known to be there
is looked at. What may be there is looked for, by the time of the service alone: a clock of this machine may be wrong or
set meanwhile. Only then it is sent, under a key that the service knows for 24 hours (docs/interface.md 1.6).
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path

import msgspec

from acctcli.cli.command.items import Item, ItemKind, named_in, spans, told_there
from acctcli.cli.command.many import Step, key_of_one, send_all
from acctcli.cli.command.mended import Earlier
from acctcli.cli.command.record import Done, FileLine, Record, Run, Sent
from acctcli.cli.exports.states import place_of
from acctcli.cli.output.progress import counted
from acctcli.cli.output.replies import decoded, reader
from acctcli.cli.output.stderr import how_many, how_many_are, tell
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.errors import AcctcliError, Incomplete, NotFound, ServerFault, UsageError

# the service forgets keys after 24 hours
_KNOWN = timedelta(hours=23)
# how far the clocks of its machines should be from each other at most, and how far they may be
_CLOSE, _FAR = timedelta(minutes=15), timedelta(days=1)


class _Made(msgspec.Struct):
    id: int
    created_at: str | None = None


_made = reader(_Made, "a record")


@dataclass(frozen=True)
class Batch:
    """All that is sent, from the file `source` and others: every item, or those of the numbers `chosen`.

    There are `number` of them; `again` sends them whatever is there.
    """

    items: Iterable[Item]
    number: int
    source: Path
    again: bool = False
    chosen: Collection[int] = ()


def send_once(here: State, kind: ItemKind, batch: Batch, columns: Sequence[str]) -> None:
    """Send every item that is not there yet, in order, and show what is there of each."""
    if batch.again and here.options.idempotency_key is not None:
        raise UsageError("--again makes a new key: it does not go with --idempotency-key")
    if not batch.number:
        send_all(here, (), "", columns, str)
        return
    if here.options.dry_run:
        base = here.options.idempotency_key or str(uuid.uuid4())
        plans = (Step(partial(item.send, _key(base, name)), item.place) for name, item in _named(batch))
        send_all(here, plans, base, columns, str)
        return
    with Record(here.environ, _run(here, kind, batch)) as record:
        _Sender(here, kind, record).send(batch, columns)


def books_of(here: State) -> str:
    """Return what tells the books from others, however they are reached: the id and the first moment of the business.

    Where the service tells no such moment it is the place, too.
    """
    found = decoded(here.api.businesses.get(here.business()), _Made)
    return f"{found.id} {_moment(found.created_at) or place_of(here)}"


def base_key(here: State, books: str | None = None) -> str:
    """Return the key that others are made from: the one that is given, or one that follows from the books."""
    return here.options.idempotency_key or str(uuid.uuid5(uuid.NAMESPACE_OID, books or books_of(here)))


def _run(here: State, kind: ItemKind, batch: Batch) -> Run:
    books = books_of(here)
    key = base_key(here, books)
    return Run(
        at=datetime.now(UTC),
        books=books,
        place=place_of(here),
        business=here.business(),
        environment=here.environment.name,
        key=str(uuid.uuid4()) if batch.again else key,
        file=str(batch.source.absolute()),
        again=batch.again,
        chosen=",".join(map(str, sorted(batch.chosen))),
        lines=batch.number,
        words=here.plain_words,
        folder=str(Path.cwd()),
        doing=kind.doing,
    )


class _Sender:
    """Sends what is not there, and knows what was."""

    def __init__(self, here: State, kind: ItemKind, record: Record) -> None:
        self._here = here
        self._kind = kind
        self._record = record
        self._keys: set[str] = set()
        self._sent = 0
        # numbers, and ids of what is there already, or was
        self._there: list[tuple[int, int]] = []
        self._gone: list[tuple[int, int]] = []
        self._ids: set[int] = set()

    def send(self, batch: Batch, columns: Sequence[str]) -> None:
        """Send the items and say what came of them; raise Incomplete where others may be there besides."""
        kind, base = self._kind, self._record.run.key
        # one that is new is shown, and nothing need be said of it
        is_worth_telling = batch.number > 1 or kind.unit == "line"
        if is_worth_telling:
            self._here.say(
                f"{kind.doing} {how_many(batch.number, kind.unit)} under the key {base}; after a stop run the same "
                f"command again, or `acctcli resume`: nothing is {kind.done} twice"
            )
        named: Iterable[tuple[str, Item]] = _named(batch)
        lines: list[FileLine] = []
        if kind.compared:
            named = list(named)
            lines = [FileLine(item.number, name, item.traits) for name, item in named if item.traits]
            self._compare(dict(named), is_meant=batch.again or bool(batch.chosen))
        self._record.begin(lines)
        writes = (
            Step(partial(self._settle, line, name, item), item.place) for line, (name, item) in enumerate(named, 1)
        )
        with self._ended(batch):
            send_all(
                self._here,
                writes,
                base,
                columns,
                lambda number: f"{how_many_are(number, kind.unit)} there",
                lambda pages: counted(self._here, pages, batch.number),
            )
        if is_worth_telling or self._there:
            self._here.say(self._told())
        self._check_nothing_is_left()

    def _compare(self, items: Mapping[str, Item], *, is_meant: bool) -> None:
        """Raise Incomplete where the file is not the one that was cut off, or holds lines that were mended since."""
        record, base = self._record, self._record.run.key
        was = record.listed.get(record.path)
        lines = was.lines if was else []
        others = [
            (line, done)
            for path, listed in record.listed.items()
            if path != record.path
            for line in listed.lines
            if line.name not in items and (done := self._newest(listed.base, line.name))
        ]
        mine = {line.name: done for line in lines if (done := self._newest(base, line.name))}
        earlier = Earlier(self._kind, lines, mine, others)
        if record.goes_on:
            earlier.check_it_goes_on(items, record.run.name)
        if not is_meant:
            news = {name: item for name, item in items.items() if not self._newest(base, name)}
            for name, done in earlier.check_nothing_is_mended(items, news, self._shown):
                record.is_done(msgspec.structs.replace(done, key=_key(base, name)))
            if news and (dropped := earlier.dropped(items)):
                self._here.say(f"not in the file any more, and there: {named_in(spans(dropped), self._kind, 'was')}")

    def _newest(self, base: str, name: str) -> Done | None:
        """Return what an item became the last time under a base key."""
        newest = None
        for generation in count():
            done = self._record.known.done.get(_key(base, name, generation))
            if done is None:
                break
            newest = done
        return newest

    @contextmanager
    def _ended(self, batch: Batch) -> Iterator[None]:
        """End the run when all is there, and name what was there already, whatever became of the rest."""
        try:
            yield
        finally:
            if self._sent + len(self._there) == batch.number and not self._record.left(self._keys):
                self._record.end(self._keys)
            if self._gone:
                self._here.say(f"gone, and {self._kind.done} again: {named_in(spans(self._gone), self._kind, 'was')}")
            if self._there:
                tell(f"already there: {told_there(self._there, self._kind)}")

    def _check_nothing_is_left(self) -> None:
        """Raise Incomplete when the run that was cut off left something in doubt that was edited since."""
        left, noun = self._record.left(self._keys), self._kind.noun
        if left:
            raise Incomplete(
                f"{how_many(left, self._kind.unit)} that the run before sent may be there as well, and "
                f"{'is' if left == 1 else 'are'} not what is sent now",
                hint=f"look for double {noun}s, then: acctcli resume {self._record.run.name} --forget",
            )

    def _settle(self, line: int, name: str, item: Item) -> Reply:
        """Return the record of an item: the one that is there, or a new one."""
        for generation in count():
            key = _key(self._record.run.key, name, generation)
            self._keys.add(key)
            done = self._record.known.done.get(key) or self._found(key, line, item)
            if done is None:
                made, done = self._send(key, line, item)
                if done is None:
                    self._sent += 1
                    return made
            reply = self._shown(done)
            if reply is not None:
                self._ids.add(done.id)
                self._there.append((item.number, done.id))
                return reply
            self._gone.append((item.number, done.id))
        raise AssertionError

    def _send(self, key: str, line: int, item: Item) -> tuple[Reply, Done | None]:
        """Send an item; return the reply, and what it is about where that was there before."""
        writes = self._here.http.writes
        before = writes.last
        self._record.sending(Sent(key, line, self._service_time()))
        try:
            reply = item.send(key)
        except AcctcliError:
            if writes.last is before:
                self._record.is_refused(key)
            raise
        made = decoded(reply, _Made)
        self._check_is_new(made.id)
        done = Done(key, line, made.id, made.created_at)
        self._record.is_done(done)
        # what is told once more may be of a try just now whose reply was lost
        is_new = not reply.replayed or writes.may_be_repeated
        return reply, None if is_new else done

    def _check_is_new(self, made: int) -> None:
        """Raise ServerFault for the id of another one: the books were restored meanwhile, or the reply is not ours."""
        if made in self._ids:
            raise ServerFault(
                f"the service says that {self._kind.noun} {made} was made of this {self._kind.unit} and of another",
                hint="its books may have been restored meanwhile; run the same command again: it looks at all of them",
            )
        self._ids.add(made)

    def _shown(self, done: Done) -> Reply | None:
        """Return the record an item became; None when it is gone, or another has its id, as in new books."""
        try:
            reply = self._kind.get(done.id)
        except NotFound as missing:
            # any other 404 is that of a proxy, or of another service
            if missing.own_code != NotFound.code:
                raise
            return None
        made = decoded(reply, _Made)
        return reply if _may_be_one(made.created_at, done.created_at) else None

    def _found(self, key: str, line: int, item: Item) -> Done | None:
        """Look for an item that may be there; raise Incomplete when it cannot be told and its key may be forgotten."""
        if not (tries := self._record.known.tries(key)):
            return None
        first = None if None in (moments := [one.at for one in tries]) else min(filter(None, moments))
        others = {one.id: one.created_at for one in self._record.known.done.values()}
        doubtful = None
        for row in item.near():
            made = _made(row)
            early = _early(made, first)
            is_other = made.id in others and _may_be_one(made.created_at, others[made.id])
            if is_other or early > _FAR:
                continue
            is_it = item.says(row)
            if is_it and early > _CLOSE:
                is_it = None
            if is_it:
                done = Done(key, line, made.id, made.created_at)
                self._record.is_done(done)
                return done
            doubtful = made.id if is_it is None else doubtful
        now = self._service_time()
        if doubtful is None or (first and now and now - first < _KNOWN):
            return None
        noun, unit = self._kind.noun, self._kind.unit
        raise Incomplete(
            f"it was sent at {first or 'an unknown time'} and may be there: {noun} {doubtful} was "
            "changed since then, or made shortly before",
            hint=f"look at it: if it is this {unit}, send the others with --lines; if not, also this one with --again "
            f"--lines {item.number}",
        )

    def _service_time(self) -> datetime | None:
        """Return the time that the service told last."""
        from email.utils import parsedate_to_datetime

        try:
            told = parsedate_to_datetime(self._here.http.date or "")
        except (ValueError, OverflowError):
            return None
        return told if told.tzinfo else told.replace(tzinfo=UTC)

    def _told(self) -> str:
        """Say what was sent, and what was there already."""
        kind, there = self._kind, len(self._there)
        sent = f"{kind.done} {how_many(self._sent, kind.noun)}" if self._sent else f"nothing was {kind.done}"
        if not there:
            return sent
        every = "all " if there > 1 and not self._sent else ""
        return f"{sent}: {every}{how_many_are(there, kind.unit)} there already"


def _named(batch: Batch) -> Iterator[tuple[str, Item]]:
    """Yield each item that is sent with what it is called: its content, and the how-manieth of all such it is."""
    seen: Counter[str] = Counter()
    for item in batch.items:
        seen[item.digest] += 1
        if not batch.chosen or item.number in batch.chosen:
            yield f"{item.digest} {seen[item.digest]}", item


def _key(base: str, name: str, generation: int = 0) -> str:
    """Return the key of an item; those whose record is gone have another one, since the service knows the first."""
    return key_of_one(base, f"{name} {generation}" if generation else name)


def _early(made: _Made, first: datetime | None) -> timedelta:
    """Return how long a record was there before a moment of the service, as far as that is known."""
    at = _moment(made.created_at)
    return timedelta() if at is None or isinstance(at, str) or first is None else first - at


def _moment(written: str | None) -> datetime | str | None:
    """Return the moment that a service wrote in one way or another, or the text that is none."""
    try:
        at = datetime.fromisoformat(written or "")
    except ValueError:
        return written
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _may_be_one(written: str | None, other: str | None) -> bool:
    """Whether a service may have written one moment so and so: with fewer digits, or not at all."""
    if written is None or other is None:
        return True
    at, there = _moment(written), _moment(other)
    if not (isinstance(at, datetime) and isinstance(there, datetime)):
        return at == there
    return abs(at - there) <= max(_precision(written), _precision(other))


def _precision(written: str) -> timedelta:
    """Return what a moment leaves open by the digits of its seconds; six leave nothing."""
    digits = re.search("[.,]([0-9]+)", written)
    places = len(digits[1]) if digits else 0
    return timedelta(microseconds=10 ** (6 - places) if places < 6 else 0)
