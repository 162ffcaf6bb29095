"""Which claims payments settle: what is open of each, on any day (docs/interface.md 7.5).

A claim is what an accepted invoice or credit note posted to an account of receivables. What else moves that account
settles the claims it is related to; a payment and what takes it back settle nothing, on the days of both. Documents
are worked through in the order of their days, and of one day in that of their ids: what one of them settles or sets
off stays so, whatever comes later. So what is open adds up, on every day, to what these documents have posted.
"""

from __future__ import annotations

from collections import defaultdict
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


def settle(
    movements: Iterable[Movement], related: Pairs, credited: Pairs, until: date = date.max
) -> dict[int, Standing]:
    """Return how each claim stands, by its document, at the end of a day.

    `related` are pairs of documents, `credited` claims and the credit notes for them.
    """
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
            near = _claims_near(one.document_id, links, claims, known)
            found.pay(one, sorted(near, key=claims.__getitem__))
    return found.shown()


@dataclass(slots=True)
class _Over:
    """What a payment brought beyond what its claims had open, and the claim on which it stands."""

    day: date
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
        # what credit notes took of each claim, and their claims of them
        self._taken = dict[tuple[int, int], int]()

    def shown(self) -> dict[int, Standing]:
        return {claim: Standing(rest, None if rest else self._settled.get(claim)) for claim, rest in self._open.items()}

    def claim(self, one: Movement) -> None:
        """Let a claim arise: what was paid too much before and is for it too goes there first."""
        claim = one.document_id
        self._there.add(claim)
        self._open[claim] += one.amount
        for over in self._awaiting.pop(claim, ()):
            left = _opposite(-self._open[over.stands_on], over.amount)
            self._move(over.stands_on, -left, over.day)
            self._move(claim, left, over.day)
            over.amount, over.stands_on = left, claim
        self._set_off([claim], one.day)

    def pay(self, payment: Movement, claims: Sequence[int]) -> None:
        """Let a payment settle claims, the oldest first.

        What is over brings back what credit notes had taken of them, and else stands on the last that there is.
        """
        rest, touched = payment.amount, list(claims)
        for claim in claims:
            part = _opposite(self._open[claim], rest)
            self._move(claim, part, payment.day)
            rest -= part
        for claim in claims:
            for note in sorted(self._credited.get(claim, ()), key=self._place, reverse=True):
                part = _opposite(-self._taken.get((claim, note), 0), rest)
                self._take(claim, note, -part, payment.day)
                self._move(claim, part, payment.day)
                rest -= part
                touched.append(note)
        if rest and claims:
            self._overpay(rest, claims, payment.day)
        self._set_off(touched, payment.day)

    def _overpay(self, amount: int, claims: Sequence[int], day: date) -> None:
        last = next((claim for claim in reversed(claims) if claim in self._there), claims[0])
        self._move(last, amount, day)
        over = _Over(day, amount, last)
        for claim in claims:
            if claim not in self._there and claim != last:
                self._awaiting[claim].append(over)

    def _set_off(self, claims: Sequence[int], day: date) -> None:
        """Set claims that have changed off against what there is of the other sign."""
        there = [claim for claim in claims if claim in self._there]
        for claim in there:
            for other in sorted(self._related.get(claim, set()) & self._there, key=self._place):
                part = _opposite(self._open[claim], self._open[other])
                self._move(claim, part, day)
                self._move(other, -part, day)
        for claim in there:
            for other in sorted(self._credited.get(claim, set()) & self._there, key=self._place):
                self._take(claim, other, _opposite(self._open[claim], self._open[other]), day)

    def _take(self, claim: int, other: int, amount: int, day: date) -> None:
        """Let a claim and a credit note for it settle each other, or bring that back."""
        if amount:
            self._move(claim, amount, day)
            self._move(other, -amount, day)
            for pair, taken in (((claim, other), amount), ((other, claim), -amount)):
                self._taken[pair] = self._taken.get(pair, 0) + taken

    def _place(self, claim: int) -> int:
        return self._order.get(claim, -1)

    def _move(self, claim: int, amount: int, day: date) -> None:
        if amount:
            self._open[claim] += amount
            self._settled[claim] = max(day, self._settled.get(claim, day))


def _opposite(owed: int, given: int) -> int:
    """Return what of an amount given settles one of the other sign, with the sign of what is given."""
    if owed * given >= 0:
        return 0
    return max(given, -owed) if given < 0 else min(given, -owed)


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
) -> set[int]:
    """Return the claims related to a document, else those of what it is related to: a payment taken back is so."""
    seen, ring = {document_id}, {document_id}
    while ring:
        ring = {near for one in ring for near in links.get(one, ()) if near in known} - seen
        if found := ring & claims.keys():
            return found
        seen |= ring
    return set()
