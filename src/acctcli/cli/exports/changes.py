"""What is new or changed since the last run of an export: each change once, whatever happens in between.

The service tells only the day of the last change from which on it lists records, so every run reads the last days
again and leaves out what it has told: the records whose `updated_at` is the one remembered. That makes equal times
harmless, and records changed while the list was read, and such as a long transaction shows late. The days come from
the service's own times; the clock of this machine can only make them fewer, never skip one.

A record that was changed twice between two runs is told once, as it is now. Deleted records are not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec

from acctcli.cli.exports.states import Mark, StateFile, scope_of
from acctcli.cli.output import sink
from acctcli.cli.output.show import show_rows
from acctcli.cli.session.state import State
from acctcli.client.collection import Collection
from acctcli.client.messages import LARGEST_PAGE, Extent
from acctcli.errors import ServerFault, UsageError

Pages = Iterator[list[msgspec.Raw]]
FILTER = "updated_at_gte"
# how late a change may come to light, after records with later times: clocks of servers, transactions that take long
MARGIN = timedelta(days=1)


class _Change(msgspec.Struct):
    id: int
    updated_at: str


_decode = msgspec.json.Decoder(_Change).decode


class Increment:
    """Takes out of a list what the mark does not hold, and makes the next mark."""

    def __init__(self, mark: Mark, today: date) -> None:
        self._mark = mark
        self._today = today
        self._floor = mark.floor or date.min
        self._found: dict[date, dict[str, str]] = {}
        self.told = 0

    def changed(self, pages: Pages) -> Pages:
        """Yield the records that are to be told."""
        for page in pages:
            rows = [row for row in page if self._is_changed(row)]
            self.told += len(rows)
            yield rows

    def next_mark(self) -> Mark:
        """Return what to remember once everything told is written; days never go back."""
        if not self._found:
            return self._mark
        return Mark(self._floor, {name: time for times in self._found.values() for name, time in times.items()})

    def _is_changed(self, row: msgspec.Raw) -> bool:
        record = _read(row)
        day = _day(record.updated_at)
        if self._mark.floor is not None and day < self._mark.floor:
            return False
        name = str(record.id)
        self._note(day, name, record.updated_at)
        return self._mark.seen.get(name) != record.updated_at

    def _note(self, day: date, name: str, time: str) -> None:
        """Remember a record for as long as the next run may look at its day."""
        if day < self._floor:
            return
        if day not in self._found:
            # a record from the future, of a clock gone wrong, must not hide the present
            self._floor = max(self._floor, max(min(day, self._today), date.min + MARGIN) - MARGIN)
            self._found = {kept: times for kept, times in self._found.items() if kept >= self._floor}
        self._found.setdefault(day, {})[name] = time


def show_list(
    here: State,
    kind: str,
    collection: Collection[Any],
    query: dict[str, Any],
    columns: tuple[str, ...],
    *,
    through: Callable[[Pages], Pages] = iter,
    is_filtered: bool = False,
) -> None:
    """Show a list, or with --since what of it is new or changed.

    `kind` names the list in its state, `through` makes lines of rows; `is_filtered` says that the service can tell
    records by the day of their change, otherwise all are read. The state moves on as the last act of the command.
    """
    if here.options.since is None:
        show_rows(here, collection.list(query, here.extent), columns, through)
        return
    if here.options.limit is not None:
        raise UsageError("--since tells every change: it does not go with --limit")
    if here.options.output_file is not None and sink.is_same(here.options.output_file, here.options.since):
        raise UsageError("--since and --output-file name the same file: one would destroy the other")
    state = StateFile(here.options.since, scope_of(here, kind, query))
    here.at_end.callback(state.close)
    state.open()
    mark = state.read()
    _check_clock(mark)
    increment = Increment(mark, datetime.now(UTC).date())

    def told(pages: Pages) -> Pages:
        yield from through(increment.changed(pages))
        state.check()

    extent = Extent(None, here.options.page_size or LARGEST_PAGE)
    show_rows(here, collection.list(_from_day(query, mark) if is_filtered else query, extent), columns, told)
    sink.settle(here.options.output_file)
    here.say(f"{increment.told} new or changed")
    state.prepare(increment.next_mark())
    # told is only what a run has told that ends with 0: whoever sees another end gets the rows once more
    here.last_act = state.confirm


def _check_clock(mark: Mark) -> None:
    """Refuse to look from a day on that has not come yet: what changes until then would never be told."""
    today = datetime.now(UTC).date()
    if mark.floor is not None and mark.floor > today:
        raise UsageError(
            f"--since: the state is of {mark.floor + MARGIN}, and the clock of this machine says {today}",
            hint="set the clock right; if it was wrong when the state was written, start over with a new file",
        )


def _from_day(query: dict[str, Any], mark: Mark) -> dict[str, Any]:
    """Narrow a query to the days from the mark on; a later day of its own stays."""
    if mark.floor is None:
        return query
    return {**query, FILTER: max(mark.floor.isoformat(), query.get(FILTER) or "")}


def _read(row: msgspec.Raw) -> _Change:
    try:
        return _decode(row)
    except msgspec.DecodeError as problem:
        raise ServerFault("a record has no id or no time of its last change", code="unreadable_reply") from problem


def _day(time: str) -> date:
    """Return the UTC day of a time; one without an offset is UTC."""
    try:
        moment = datetime.fromisoformat(time)
        return (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    except (ValueError, OverflowError) as problem:
        raise ServerFault(f"{time!r} is no time", code="unreadable_reply") from problem
