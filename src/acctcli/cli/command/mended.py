"""Compare a file with what was sent of it before: a line that was mended is no second event.

All that is there and not in the file any more is compared with all that is new in it, wherever the two stand. A new
line may be a mended one where it stands between the same lines that stayed, or has two of three in common: its day, its
description, its accounts with their amounts. What differs in its day alone may also be the next of its kind, as a rent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import NamedTuple

from acctcli.cli.command.items import Item, ItemKind, Traits, named_in, numbers_in, spans
from acctcli.cli.command.record import Done, FileLine
from acctcli.cli.output.stderr import how_many
from acctcli.client.messages import Reply
from acctcli.errors import Incomplete

_WEEK = timedelta(days=7)
# after so many it is clear that the file is another one
_NAMED = 100


class Earlier:
    """What was in a file the last time, and what is there of it; `others` were posted apart, as single lines."""

    def __init__(
        self,
        kind: ItemKind,
        lines: Sequence[FileLine],
        done: Mapping[str, Done],
        others: Sequence[tuple[FileLine, Done]],
    ) -> None:
        self._kind = kind
        self._lines = lines
        self._done = done
        self._others = others

    def check_it_goes_on(self, items: Collection[str], run: str) -> None:
        """Raise Incomplete when another file is in the place of one that was cut off half way."""
        left = len(self._lines) - len(self._done)
        if self._done and left and not any(line.name in items for line in self._lines):
            unit = self._kind.unit
            raise Incomplete(
                f"the file holds nothing of what it held when it was cut off: of its "
                f"{how_many(len(self._lines), unit)} {left} {'is' if left == 1 else 'are'} not {self._kind.done}",
                hint=f"put it back and run the same command again, or forget the rest: acctcli resume {run} --forget",
            )

    def check_nothing_is_mended(
        self, items: Mapping[str, Item], news: Mapping[str, Item], shown: Callable[[Done], Reply | None]
    ) -> list[tuple[str, Done]]:
        """Raise Incomplete where something new may be what is there, mended, and that is there as it was.

        Return what was mended there by hand in the same way, which is there already.
        """
        left = dict(news)
        same, gone = [], []
        for line, done, names in self._doubtful(items, news):
            reply = shown(done)
            if reply is None:
                continue
            found = next((name for name in names if name in left and left[name].says(reply.body)), None)
            if found is not None:
                same.append((found, done))
                del left[found]
            else:
                gone.append((line, done, names))
            if len(gone) >= _NAMED and any(name in left for *_, names in gone for name in names):
                break
        old = [(line.number, done.id) for line, done, names in gone if not left.keys().isdisjoint(names)]
        if old:
            new = {left[name].number for *_, names in gone for name in names if name in left}
            raise self._mended(old, numbers_in(spans([(number, number) for number in sorted(new)])))
        return same

    def _mended(self, old: list[tuple[int, int]], new: str) -> Incomplete:
        noun, verb = self._kind.noun, self._kind.verb
        are = "which is" if len(old) == 1 else "which are"
        return Incomplete(
            f"{named_in(spans(old), self._kind, 'was')}, {are} not in the file any more, and there as before: "
            f"what is in the file now would come besides",
            hint=f"where a {self._kind.unit} was corrected, correct or delete its {noun} by hand, then run the same "
            f"command again; to {verb} what is new besides, give --lines {new}",
        )

    def dropped(self, items: Collection[str]) -> list[tuple[int, int]]:
        """Return the numbers and ids of what is not in the file any more."""
        return [(line.number, self._done[line.name].id) for line in self._gone(items)]

    def _gone(self, items: Collection[str]) -> Iterator[FileLine]:
        return (line for line in self._lines if line.name in self._done and line.name not in items)

    def _doubtful(
        self, items: Mapping[str, Item], news: Mapping[str, Item]
    ) -> Iterator[tuple[FileLine, Done, list[str]]]:
        """Yield what is gone from the file, and the new ones that may be it, mended."""
        alike = Likeness(self._lines, items, news)
        in_place = self._in_place(items, news)
        mine = [(line, self._done[line.name]) for line in self._gone(items)]
        seen: set[int] = set()
        for line, done in (*mine, *self._others):
            names = dict.fromkeys((*in_place.get(line.name, ()), *alike.to(line.traits)))
            if names and done.id not in seen:
                seen.add(done.id)
                yield line, done, list(names)

    def _in_place(self, items: Mapping[str, Item], news: Mapping[str, Item]) -> dict[str, list[str]]:
        """Return what is gone from between lines that stayed, and what came there."""
        found: dict[str, list[str]] = {}
        if any(line.name in items for line in self._lines):
            for names, others in replaced([line.name for line in self._lines], list(items)):
                fresh = [name for name in others if name in news]
                gone = [name for name in names if name in self._done] if fresh else []
                found |= {name: [fresh[min(place, len(fresh) - 1)]] for place, name in enumerate(gone)}
        return found


class Likeness:
    """Which of what is new in a file is like a line that is gone from it."""

    def __init__(self, lines: Iterable[FileLine], items: Collection[str], news: Mapping[str, Item]) -> None:
        self._had = [line.traits for line in lines]
        stayed = [line.traits.day for line in lines if line.name in items]
        self._is_another = bool(self._had) and not stayed
        self._first = min(stayed, default=None)
        self._last = max((had.day for had in self._had), default=None)
        days = defaultdict(set)
        for had in self._had:
            days[had.text, had.sums].add(had.day)
        self._often = {one for one, found in days.items() if len(found) > 1}
        self._news: dict[tuple[object, ...], list[tuple[str, Traits]]] = defaultdict(list)
        for name, item in news.items():
            if item.traits:
                for two in _twos(item.traits):
                    self._news[two].append((name, item.traits))

    def to(self, old: Traits) -> Iterator[str]:
        """Yield what may be a line of these traits after it was mended."""
        for two in _twos(old):
            for name, new in self._news.get(two, ()):
                if new.day == old.day or not self._is_next(old, new):
                    yield name

    def _is_next(self, old: Traits, new: Traits) -> bool:
        """Tell whether what is the same on another day is the next of its kind, and not a day that was corrected.

        In another file it is, from a week on, and in one that goes on by days from the last of its lines, in another
        month. What the file had on several days may come again on any, where it goes on.
        """
        is_far = abs(new.day - old.day) >= _WEEK
        is_often = (old.text, old.sums) in self._often
        goes_on = (self._first is None or old.day <= self._first) and (self._last is None or new.day >= self._last)
        if self._is_another:
            return is_far or (is_often and goes_on)
        return goes_on and (is_often or (is_far and (old.day.year, old.day.month) != (new.day.year, new.day.month)))


def _twos(traits: Traits) -> Iterator[tuple[object, ...]]:
    """Yield each two of the three that a mended line keeps one of; no sums are none that two have in common."""
    yield "day", "text", traits.day, traits.text
    yield "text", "sums", traits.text, traits.sums
    if traits.sums:
        yield "day", "sums", traits.day, traits.sums


class Stretch(NamedTuple):
    """Names that follow each other between two that are kept, or the ends of the file."""

    after: str | None
    before: str | None
    names: list[str]


class Replaced(NamedTuple):
    """Names that are not in the file any more, and what is in their place."""

    old: list[str]
    new: list[str]


def replaced(was: Sequence[str], now: Sequence[str]) -> list[Replaced]:
    """Return what was replaced: what left the file at a place where something else came into it.

    What was taken away at one place and added at another is no correction, as where a file goes on week by week.
    """
    came = list(_places(now, set(was)))
    found = []
    for place in _places(was, set(now)):
        new = [one.names for one in came if one.after == place.after or one.before == place.before]
        if new:
            found.append(Replaced(place.names, [name for names in new for name in names]))
    return found


def _places(names: Sequence[str], kept: Collection[str]) -> Iterator[Stretch]:
    after = None
    runs = [(is_kept, list(run)) for is_kept, run in groupby(names, kept.__contains__)]
    for place, (is_kept, run) in enumerate(runs):
        if is_kept:
            after = run[-1]
        else:
            yield Stretch(after, runs[place + 1][1][0] if place + 1 < len(runs) else None, run)
