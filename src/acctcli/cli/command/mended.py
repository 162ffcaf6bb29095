"""Compare a file with what was sent of it before: a line that was mended is no second event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from acctcli.cli.command.items import Item, Kind, named_in, numbers_in, spans
from acctcli.cli.command.record import Done
from acctcli.cli.output.stderr import how_many
from acctcli.client.messages import Reply
from acctcli.errors import Incomplete

# of a file in which nothing stayed so many are compared with what is there
_COMPARED = 10


class Earlier:
    """What was in a file the last time, by names that follow from the content, and what became of it."""

    def __init__(self, kind: Kind, names: Sequence[str], done: Mapping[str, Done]) -> None:
        self._kind = kind
        self._names = names
        self._done = done
        self._numbers = {name: number for number, name in enumerate(names, 1)}

    def check_it_goes_on(self, items: Mapping[str, Item], run: str) -> None:
        """Raise Incomplete when another file is in the place of one that was cut off half way."""
        left = len(self._names) - len(self._done)
        if self._done and left and not items.keys() & self._numbers.keys():
            unit = self._kind.unit
            raise Incomplete(
                f"the file holds nothing of what it held when it was cut off: of its "
                f"{how_many(len(self._names), unit)} {left} {'is' if left == 1 else 'are'} not {self._kind.done}",
                hint=f"put it back and run the same command again, or forget the rest: acctcli resume {run} --forget",
            )

    def check_nothing_is_mended(
        self, items: Mapping[str, Item], news: Mapping[str, Item], shown: Callable[[Done], Reply | None]
    ) -> list[tuple[str, Done]]:
        """Raise Incomplete where something new is in the place of what is there as it was.

        Return what was mended there by hand in the same way, which is there already.
        """
        same, old, new = [], [], []
        is_any_kept = not self._numbers.keys().isdisjoint(items)
        for names, others in replaced(self._names, list(items)):
            fresh = [(name, items[name]) for name in others if name in news]
            left = [(name, self._done[name]) for name in names if name in self._done]
            for place, (name, done) in enumerate(left[: None if is_any_kept else _COMPARED] if fresh else ()):
                reply = shown(done)
                named, item = fresh[min(place, len(fresh) - 1)]
                if reply is None:
                    continue
                if item.says(reply.body):
                    same.append((named, done))
                elif is_any_kept or item.alike(reply.body):
                    old.append((self._numbers[name], done.id))
                    new.append((item.number, 0))
        if old:
            raise self._mended(old, numbers_in(spans(sorted(set(new)))))
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

    def dropped(self, items: Mapping[str, Item]) -> list[tuple[int, int]]:
        """Return the numbers and ids of what is not in the file any more."""
        return [(self._numbers[name], done.id) for name, done in self._done.items() if name not in items]


class Place(NamedTuple):
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


def _places(names: Sequence[str], kept: Collection[str]) -> Iterator[Place]:
    after = None
    runs = [(is_kept, list(run)) for is_kept, run in groupby(names, kept.__contains__)]
    for place, (is_kept, run) in enumerate(runs):
        if is_kept:
            after = run[-1]
        else:
            yield Place(after, runs[place + 1][1][0] if place + 1 < len(runs) else None, run)
