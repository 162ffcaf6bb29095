"""What money that nobody related had settled before it was set off (docs/law.md 2.5).

Claims and credits are set off as far as they are open, and money that nobody related settles what is open at the end of
a day. Where such money had paid a claim when its credit came, the credit is owed to the customer instead, until money
goes back, or a later claim takes what he had paid. Where it had paid a credit back when another claim came for that,
the claim is owed likewise. That is worked out document by document: what is left over of money later does not bring
back what was set off by then.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from acctcli.banking.settlement import Step

# what was paid, and what came later and was set off against it: a claim and a credit, or a credit and a claim
Pair = tuple[int, int]
# the sides of a customer
CLAIMS, CREDITS = 0, 1


def paid_before(
    steps: Iterable[Step],
    customers: Mapping[int, int | None],
    loose: Mapping[int, bool],
    restored: Mapping[int, int],
    opening: int,
) -> Counter[int]:
    """Return what is open of claims, and of credits below zero, beyond what `steps` say, in cents by document.

    `customers` are those of the documents, `loose` the payments that nobody related, each with whether it takes back
    another one, `restored` what takes a credit back as it was, with that, and `opening` what was open when the books
    began.
    """
    found = _PaidBefore(customers, loose, restored, opening)
    if loose:
        for step in steps:
            found.follow(step)
    return found.opened()


class _Kept:
    """What is not set off after all, the oldest first."""

    def __init__(self) -> None:
        self.parts = dict[Pair, int]()
        self.total = 0

    def keep(self, found: Mapping[Pair, int], most: int, settled: int) -> dict[Pair, int]:
        """Keep what was found, no more than `most` in all but what is settled since, and return the rest of it."""
        rest, most = dict[Pair, int](), max(most, min(self.total, settled), 0)
        for pair, cents in found.items():
            part = max(min(cents, most - self.total), 0)
            self._add(pair, part)
            rest[pair] = cents - part
        for pair in list(self.parts):
            self.drop(pair, self.total - most)
        return rest

    def drop(self, pair: Pair, cents: int) -> int:
        """Drop as much of a pair, and return what of that was not kept."""
        part = max(min(self.parts.get(pair, 0), cents), 0)
        self._add(pair, -part)
        return cents - part

    def _add(self, pair: Pair, cents: int) -> None:
        if cents:
            self.total += cents
            self.parts[pair] = self.parts.get(pair, 0) + cents
            if not self.parts[pair]:
                del self.parts[pair]


@dataclass(slots=True)
class _Side:
    """Claims, or credits: what is open of them, and money for them that nobody related, in cents above zero."""

    paid: int = 0
    open: int = 0
    kept: _Kept = field(default_factory=_Kept)


class _Customer:
    """What is open of a customer, or of nobody in particular: of claims, and of credits."""

    def __init__(self) -> None:
        self.sides = (_Side(), _Side())

    def room(self, place: int) -> int:
        """Return what was paid of a side beyond what is open of it."""
        return self.sides[place].paid - self.sides[place].open - self.sides[1 - place].kept.total

    def settled(self, place: int) -> int:
        """Return what money of the other side may have settled since of what is kept of a side."""
        return self.room(1 - place) + self.sides[place].kept.total - self.sides[1 - place].kept.total

    @property
    def over_back(self) -> int:
        """What went back beyond credits; below zero what is left open of these."""
        return self.room(CREDITS) - self.sides[CREDITS].kept.total

    @property
    def over(self) -> int:
        """What came in beyond claims and what went back too much; below zero what is left open of claims."""
        return self.room(CLAIMS) - self.sides[CLAIMS].kept.total - max(self.over_back, 0)


class _PaidBefore:
    def __init__(
        self,
        customers: Mapping[int, int | None],
        loose: Mapping[int, bool],
        restored: Mapping[int, int],
        opening: int,
    ) -> None:
        self._customer_of, self._loose, self._restored = customers, loose, restored
        self._opening = max(opening, 0)
        self._customers = defaultdict[int | None, _Customer](_Customer)
        self._nobody = self._customers[None]
        self._open, self._place = Counter[int](), dict[int, int]()
        # of all customers: what came in too much, what is left open of claims, and of credits
        self._over = self._short = self._short_back = 0

    def opened(self) -> Counter[int]:
        found = Counter[int]()
        for one in self._customers.values():
            for place, side in enumerate(one.sides):
                # where more went back than credits ask for, it went back of what claims were paid with
                if place == CREDITS or self._over_of(one) >= 0:
                    for (paid, later), cents in side.kept.parts.items():
                        found.update({paid: (1, -1)[place] * cents, later: (-1, 1)[place] * cents})
        return found

    def _over_of(self, one: _Customer) -> int:
        if one is not self._nobody:
            return one.over
        came, back = (room - side.kept.total for room, side in zip(self._nobodys(), one.sides, strict=True))
        return came - max(back, 0)

    def follow(self, step: Step) -> None:
        """Follow a document: what it is set off against stays open as far as that was paid."""
        contacts = {self._customer_of[one] for one in (step.by.document_id, *step.changed)} - {None}
        for each in contacts:
            self._count(self._customers[each], -1)
        self._note(step)
        found = self._set_off(step)
        for each in contacts:
            one = self._customers[each]
            for place, side in enumerate(one.sides):
                theirs = {pair: cents for pair, cents in found[place].items() if self._customer_of[pair[0]] == each}
                found[place].update(side.kept.keep(theirs, one.room(place), one.settled(place)))
            self._count(one, 1)
        for place, room in enumerate(self._nobodys()):
            self._nobody.sides[place].kept.keep(found[place], room, self._nobody.settled(place))

    def _note(self, step: Step) -> None:
        document, amount = step.by.document_id, step.by.amount
        if document in self._loose:
            is_of_claims = amount < 0 or self._loose[document]
            side = self._customer(document).sides[CLAIMS if is_of_claims else CREDITS]
            side.paid += -amount if is_of_claims else amount
        elif step.by.is_claim:
            self._place[document] = CLAIMS if amount > 0 else CREDITS
        for claim, cents in step.changed.items():
            before = self._open[claim]
            self._open[claim] = after = before + cents
            one = self._customer(claim)
            one.sides[CLAIMS].open += max(after, 0) - max(before, 0)
            one.sides[CREDITS].open += max(-after, 0) - max(-before, 0)

    def _set_off(self, step: Step) -> tuple[dict[Pair, int], dict[Pair, int]]:
        """Return what a claim or credit is set off against, by side; what is brought back is kept no more.

        Of a credit that is taken back nothing is left, whatever money was for it.
        """
        found = dict[Pair, int](), dict[Pair, int]()
        if (gone := self._restored.get(step.by.document_id)) is not None:
            self._drop(gone)
            return found
        for pair, cents in step.set_off.items():
            place = self._place[pair[0]]
            added = -cents if place == CLAIMS else cents
            if pair[1] == step.by.document_id and added > 0:
                found[place][pair] = added
            else:
                rest = self._nobody.sides[place].kept.drop(pair, -added)
                self._customer(pair[0]).sides[place].kept.drop(pair, rest)
        return found

    def _drop(self, document_id: int) -> None:
        for one in (self._nobody, self._customer(document_id)):
            for side in one.sides:
                for pair in [pair for pair in side.kept.parts if document_id in pair]:
                    side.kept.drop(pair, side.kept.parts[pair])

    def _nobodys(self) -> tuple[int, int]:
        """Return what came in from nobody beyond what customers leave open, and what went back so."""
        opening, over = max(self._opening - self._over, 0), max(self._over - self._opening, 0)
        came = self._nobody.room(CLAIMS) - opening - self._short
        # customers pay what nobody owes with what they have paid too much
        came += min(over, max(self._nobody.sides[CLAIMS].open, 0))
        return came, self._nobody.room(CREDITS) - self._short_back

    def _count(self, one: _Customer, sign: int) -> None:
        self._over += sign * max(one.over, 0)
        self._short += sign * max(-one.over, 0)
        self._short_back += sign * max(-one.over_back, 0)

    def _customer(self, document_id: int) -> _Customer:
        return self._customers[self._customer_of[document_id]]
