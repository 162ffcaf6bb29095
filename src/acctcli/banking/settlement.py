"""Which claims payments settle: what is open of each, on any day (docs/interface.md 7.5).

A claim is what an accepted invoice or credit note posted to an account of receivables. What else moves that account
settles the claims it is related to; a payment and what takes it back settle nothing, on the days of both. Documents
are worked through in the order of their days, and of one day in that of their ids: what one of them settles or sets
off stays so, whatever comes later. So what is open adds up, on every day, to what these documents have posted.

What goes back of a payment opens what that had settled again: of several claims those first that a credit note or too
much money says were refunded. Where nothing tells which, it is put on the latest, and told that this is not known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple


class Movement(NamedTuple):
    """What a posted document moves on the account of claims, debit less credit, in cents."""

    document_id: int
    day: date
    amount: int
    is_claim: bool


class Standing(NamedTuple):
    """What is open of a claim, and since when nothing is; None where nothing ever settled it."""

    open: int
    settled_on: date | None


Pairs = Iterable[tuple[int, int]]
Parts = dict[int, dict[int, int]]


class Step(NamedTuple):
    """What a document changed of what is open of claims; of that, by pairs, what setting off changed of the first."""

    by: Movement
    changed: Counter[int]
    set_off: Counter[tuple[int, int]]


class Settled(NamedTuple):
    """How claims stand, by their documents, and what each payment put on which of them.

    `unsure` is what of that nothing tells the claim of, with all claims that it may be of; `steps` are in the order of
    the documents, without payments that were taken back.
    """

    standings: dict[int, Standing]
    given: Parts
    unsure: Parts
    steps: list[Step]


def settle(
    movements: Iterable[Movement], related: Pairs, credited: Pairs, until: date = date.max
) -> dict[int, Standing]:
    """Return how each claim stands, by its document, at the end of a day.

    `related` are pairs of documents, `credited` claims and the credit notes for them.
    """
    return settled(movements, related, credited, until).standings


def settled(movements: Iterable[Movement], related: Pairs, credited: Pairs, until: date = date.max) -> Settled:
    """Return how each claim stands at the end of a day, and by what."""
    ordered = sorted(movements, key=lambda one: (one.day, one.document_id))
    claims = {one.document_id: place for place, one in enumerate(ordered) if one.is_claim}
    links, known = _links(related), {one.document_id for one in ordered}
    found = _Standings(claims, links, _links(credited))
    until_then = [one for one in ordered if one.day <= until]
    taken_back = _taken_back([one for one in until_then if not one.is_claim], links)
    for one in until_then:
        if one.is_claim:
            found.claim(one)
        elif one.document_id not in taken_back:
            near, way = _claims_near(one.document_id, links, claims, known)
            found.pay(one, sorted(near, key=claims.__getitem__), way)
    return Settled(found.shown(), found.given, found.unsure, found.steps)


@dataclass(slots=True)
class _Over:
    """What a payment brought beyond what its claims had open, and the claim on which it stands."""

    payment: Movement
    amount: int
    stands_on: int


class _Standings:
    """What is open of claims while it is worked out, document by document, and the last day of what settled each."""

    def __init__(
        self, claims: Mapping[int, int], related: Mapping[int, set[int]], credited: Mapping[int, set[int]]
    ) -> None:
        self._order = claims
        self._related, self._credited = related, credited
        self._open = dict.fromkeys(claims, 0)
        self._settled = dict[int, date]()
        self._there = set[int]()
        self._awaiting = defaultdict[int, list[_Over]](list)
        # what each payment put on claims, what all of them did, and what nothing tells the claim of
        self.given = defaultdict[int, dict[int, int]](dict)
        self._paid = dict.fromkeys(claims, 0)
        self.unsure = defaultdict[int, dict[int, int]](dict)
        # what credit notes took of each claim, and their claims of them
        self._taken = dict[tuple[int, int], int]()
        self.steps = list[Step]()

    def shown(self) -> dict[int, Standing]:
        return {claim: Standing(rest, None if rest else self._settled.get(claim)) for claim, rest in self._open.items()}

    def claim(self, one: Movement) -> None:
        """Let a claim arise: what was paid too much before and is for it too goes there first."""
        claim = one.document_id
        self._there.add(claim)
        self._begin(one)
        self._change(claim, one.amount)
        for over in self._awaiting.pop(claim, ()):
            left = _opposite(-self._open[over.stands_on], over.amount)
            self._give(over.payment, over.stands_on, -left)
            self._give(over.payment, claim, left)
            over.amount, over.stands_on = left, claim
        self._set_off([claim], one.day)

    def pay(self, payment: Movement, claims: Sequence[int], way: set[int]) -> None:
        """Let a payment settle claims, the oldest first.

        What is over brings back what credit notes had taken of them, then what payments had settled of them, and else
        stands on the last that there is. What a payment leads to the claims of brings back what that had settled first.
        """
        rest, touched = payment.amount, list(claims)
        self._begin(payment)
        if way:
            rest -= self._give_back(payment, claims, way, rest)
        for claim in claims:
            part = _opposite(self._open[claim], rest)
            self._give(payment, claim, part)
            rest -= part
        for claim in claims:
            for note in sorted(self._credited.get(claim, ()), key=self._place, reverse=True):
                part = _opposite(-self._taken.get((claim, note), 0), rest)
                self._take(claim, note, -part, payment.day)
                self._give(payment, claim, part)
                rest -= part
                touched.append(note)
        if rest and not way:
            rest -= self._give_back(payment, claims, way, rest)
        if rest and claims:
            self._overpay(rest, claims, payment)
        self._set_off(touched, payment.day)

    def _give_back(self, payment: Movement, claims: Sequence[int], way: set[int], amount: int) -> int:
        """Open claims again that money had settled of which an amount goes back, and return what of it did so.

        `way` are the payments that lead to the claims, none where these are named themselves. The first to be opened
        are those of which something is to be given back: by a credit note, or because too much was paid.
        """
        rest = amount
        for most in (self._refundable, self._settled_by):
            parts = {claim: part for claim in claims if (part := most(claim, way, rest))}
            is_sure = len(parts) < 2 or abs(sum(parts.values())) <= abs(rest)
            for claim, part in reversed(parts.items()):
                given = _smaller(part, rest)
                self._give(payment, claim, given)
                rest -= given
                if not is_sure:
                    self.unsure[payment.document_id][claim] = given
        return amount - rest

    def _settled_by(self, claim: int, way: set[int], rest: int) -> int:
        """Return what may go back of what money settled of a claim."""
        most = _opposite(self._paid[claim], rest)
        if not way:
            return most
        return _smaller(most, _opposite(sum(self.given[one].get(claim, 0) for one in way if one in self.given), rest))

    def _refundable(self, claim: int, way: set[int], rest: int) -> int:
        """Return what of that was credited or too much."""
        if not (most := self._settled_by(claim, way, rest)):
            return 0
        near = self._credited.get(claim, set()) | self._related.get(claim, set())
        owed = sum(_opposite(self._open[one], rest) for one in (claim, *(near & self._there)))
        return _smaller(most, owed)

    def _overpay(self, amount: int, claims: Sequence[int], payment: Movement) -> None:
        last = next((claim for claim in reversed(claims) if claim in self._there), claims[0])
        self._give(payment, last, amount)
        over = _Over(payment, amount, last)
        for claim in claims:
            if claim not in self._there and claim != last:
                self._awaiting[claim].append(over)

    def _set_off(self, claims: Sequence[int], day: date) -> None:
        """Set claims that have changed off against what there is of the other sign."""
        there = [claim for claim in claims if claim in self._there]
        for claim in there:
            for other in sorted(self._related.get(claim, set()) & self._there, key=self._place):
                self._set_against(claim, other, _opposite(self._open[claim], self._open[other]), day)
        for claim in there:
            for other in sorted(self._credited.get(claim, set()) & self._there, key=self._place):
                self._take(claim, other, _opposite(self._open[claim], self._open[other]), day)

    def _take(self, claim: int, other: int, amount: int, day: date) -> None:
        """Let a claim and a credit note for it settle each other, or bring that back."""
        if amount:
            self._set_against(claim, other, amount, day)
            for pair, taken in (((claim, other), amount), ((other, claim), -amount)):
                self._taken[pair] = self._taken.get(pair, 0) + taken

    def _set_against(self, claim: int, other: int, amount: int, day: date) -> None:
        if amount:
            self._move(claim, amount, day)
            self._move(other, -amount, day)
            self.steps[-1].set_off.update({(claim, other): amount, (other, claim): -amount})

    def _place(self, claim: int) -> int:
        return self._order.get(claim, -1)

    def _give(self, payment: Movement, claim: int, amount: int) -> None:
        if amount:
            given = self.given[payment.document_id]
            given[claim] = given.get(claim, 0) + amount
            self._paid[claim] += amount
            self._move(claim, amount, payment.day)

    def _move(self, claim: int, amount: int, day: date) -> None:
        if amount:
            self._change(claim, amount)
            self._settled[claim] = max(day, self._settled.get(claim, day))

    def _begin(self, one: Movement) -> None:
        self.steps.append(Step(one, Counter(), Counter()))

    def _change(self, claim: int, amount: int) -> None:
        self._open[claim] += amount
        self.steps[-1].changed[claim] += amount


def _opposite(owed: int, given: int) -> int:
    """Return what of an amount given settles one of the other sign, with the sign of what is given."""
    if owed * given >= 0:
        return 0
    return max(given, -owed) if given < 0 else min(given, -owed)


def _smaller(one: int, other: int) -> int:
    """Return the smaller of two amounts of one sign; nothing where one is nothing."""
    return min(one, other, key=abs)


def _taken_back(payments: Iterable[Movement], links: Mapping[int, set[int]]) -> set[int]:
    """Return the documents of payments, each with one that is related to it and moves as much the other way."""
    amounts = {one.document_id: one.amount for one in payments if one.amount}
    found = set[int]()
    for one, amount in amounts.items():
        others = (near for near in sorted(links.get(one, set()) - found) if amounts.get(near) == -amount)
        if one not in found and (other := next(others, None)) is not None:
            found |= {one, other}
    return found


def _links(pairs: Pairs) -> dict[int, set[int]]:
    links: dict[int, set[int]] = {}
    for one, other in pairs:
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    return links


def _claims_near(
    document_id: int, links: Mapping[int, set[int]], claims: Mapping[int, int], known: set[int]
) -> tuple[set[int], set[int]]:
    """Return the claims related to a document, else those of what it is related to: a payment taken back is so.

    With these come the payments that lead to them, and what else belongs to those.
    """
    seen, ring = {document_id}, {document_id}
    while ring:
        near = {near for one in ring for near in links.get(one, ()) if near in known} - seen
        if found := {one for one in near if one in claims}:
            way = seen - {document_id}
            return found, {near for one in way for near in (one, *links[one]) if near not in claims}
        ring = near
        seen |= ring
    return set(), set()
