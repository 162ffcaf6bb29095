"""Documents that somebody posted, and the lines that they may be (docs/bank.md 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from acctcli.banking.matching.candidates import Side
from acctcli.banking.matching.index import Index
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.words import folded, says_words, sorted_words, spellings

# how far what somebody posted is from its line, and how far off it is still asked for
AWAY, _FURTHER = timedelta(days=3), timedelta(days=10)
# a shorter name stands in a description by accident
_SHORTEST_NAME = 6


class Documents:
    """Documents of the amounts of lines, but for those that stand for a line by now."""

    def __init__(self, lines: Iterable[Seen], index: Index) -> None:
        self._index = index
        self._stood_for: set[tuple[int, int]] = set()
        self._lines = defaultdict[tuple[int, int], list[Seen]](list)
        for seen in lines:
            if (seen.account, seen.cents) in index.sides:
                self._lines[seen.account, seen.cents].append(seen)

    def take(self, side: Side) -> None:
        """Note that a document stands for a line."""
        self._stood_for.add((side.document, side.account))

    def is_taken(self, side: Side) -> bool:
        """Whether a document stands for a line."""
        return (side.document, side.account) in self._stood_for

    def near(self, seen: Seen) -> list[Side]:
        """Return the documents of near days that move as much, transfers, too."""
        return [one for one in self._of_amount(seen) if abs(one.day - seen.day) <= AWAY]

    def of(self, seen: Seen) -> list[Side]:
        """Return the documents of near days that move as much, and name what a line does."""
        return [one for one in self.near(seen) if one.other is None and is_of(seen, one)]

    def doubted(self, left: Iterable[Seen]) -> dict[str, Side]:
        """Return by their keys the lines that are left and may be a document, which nothing tells.

        Of lines that are alike only one is, the nearest: whichever of them it is, the bank moves as often. A document
        further off is none of a line where another one is near.
        """
        lines = defaultdict[tuple[int, int], list[Seen]](list)
        for seen in left:
            lines[seen.account, seen.cents].append(seen)
        found: dict[str, Side] = {}
        for some in lines.values():
            for side in self._of_amount(some[0]):
                free = _nearest([one for one in some if one.key not in found], side)
                alike = {_face(one): one for one in free}
                found |= {one.key: side for one in alike.values()}
        return found

    def rival(self, seen: Seen) -> Side | None:
        """Return a document that a line may be though all else tells that it pays something that is open."""
        plain = [one for one in self.near(seen) if one.other is None and not one.takes_back]
        near = (one for one in plain if is_of(seen, one) or not self._is_of_another(seen, one))
        some = (one for one in near if _may_be_of(seen, one))
        return next(iter((*some, *self._further(seen))), None)

    def _further(self, seen: Seen) -> Iterator[Side]:
        """Yield documents of days further off that name what a line does, and of no other line of near days."""
        for one in self._of_amount(seen):
            is_further = AWAY < abs(one.day - seen.day) <= _FURTHER and one.other is None
            if is_further and _names(seen, one) and not self._is_of_another(seen, one):
                yield one

    def _of_amount(self, seen: Seen) -> list[Side]:
        return [one for one in self._index.sides.get((seen.account, seen.cents), ()) if not self.is_taken(one)]

    def _like(self, seen: Seen) -> Sequence[Seen]:
        return [one for one in self._lines[seen.account, seen.cents] if one is not seen]

    def _is_of_another(self, seen: Seen, side: Side) -> bool:
        return any(abs(side.day - one.day) <= AWAY and is_of(one, side) for one in self._like(seen))


def is_of(seen: Seen, side: Side) -> bool:
    """Whether a document that somebody posted names what the line does, or who is on its other side."""
    if seen.references:
        return bool(seen.references & side.references)
    if seen.called:
        return bool(seen.called & side.numbers)
    return any(_says(side, name) for name in spellings(seen.name))


def _says(side: Side, name: str) -> bool:
    is_named = len(name) >= _SHORTEST_NAME and says_words(side.words, name)
    return bool(name) and (is_named or sorted_words(name) in set(map(sorted_words, side.names)))


def _names(seen: Seen, side: Side) -> bool:
    """Whether a document names anything that a line does, and no other reference."""
    if seen.references and side.references:
        return bool(seen.references & side.references)
    return bool(seen.called & side.numbers) or is_of(replace(seen, references=frozenset(), called=frozenset()), side)


def _may_be_of(seen: Seen, side: Side) -> bool:
    """Whether a document names nothing else than the line: no other reference, number or name."""
    if seen.references and side.references:
        return bool(seen.references & side.references)
    if seen.called and side.numbers:
        return bool(seen.called & side.numbers)
    names = set(map(sorted_words, side.names))
    return not seen.name or not names or any(sorted_words(one) in names for one in spellings(seen.name))


def _nearest(some: Sequence[Seen], side: Side) -> list[Seen]:
    """Return the lines near a document, or else those further off, the nearest last."""
    near = [one for one in some if abs(one.day - side.day) <= AWAY]
    found = near or [one for one in some if abs(one.day - side.day) <= _FURTHER]
    return sorted(found, key=lambda one: (abs(one.day - side.day), one.day, one.key), reverse=True)


def _face(seen: Seen) -> object:
    """Return what lines have in common that nobody could tell from each other but by their days."""
    return folded(seen.name) or seen.text, seen.iban, seen.references, seen.called
