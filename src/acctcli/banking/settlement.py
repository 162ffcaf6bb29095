"""Which claims payments settle: what is open of each, on any day (docs/interface.md 7.5).

A claim is what an accepted invoice or credit note posted to an account of receivables. What else moves that account
settles the claims it is related to: the oldest first, each as far as it is open, and what is left over stands on the
last one; a payment and what takes it back settle nothing, on the days of both. Only then claims of opposite signs are
set off against each other, first those that somebody related, then credit notes against what they credit. So what is
open adds up, on every day, to what these documents have posted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    found = _Standings([one for one in ordered if one.day <= until], claims)
    payments = [one for one in ordered if not one.is_claim and one.day <= until]
    taken_back = _taken_back(payments, links)
    for one in payments:
        if one.document_id not in taken_back:
            near = _claims_near(one.document_id, links, claims, known)
            found.pay(one, sorted(near, key=claims.__getitem__))
    for pairs in (links, _links(credited)):
        for claim in claims:
            found.set_off(claim, sorted(pairs.get(claim, set()) & claims.keys(), key=claims.__getitem__))
    return found.shown()


class _Standings:
    """What is open of claims while it is worked out, and the last day of what settled each."""

    def __init__(self, movements: Iterable[Movement], claims: Iterable[int]) -> None:
        self.open = dict.fromkeys(claims, 0)
        self.days = dict.fromkeys(self.open, date.max)
        self.settled = dict[int, date]()
        for one in movements:
            if one.is_claim:
                self.open[one.document_id] += one.amount
                self.days[one.document_id] = one.day

    def shown(self) -> dict[int, Standing]:
        return {claim: Standing(rest, None if rest else self.settled.get(claim)) for claim, rest in self.open.items()}

    def pay(self, payment: Movement, claims: list[int]) -> None:
        rest = payment.amount
        for claim in claims:
            part = _opposite(self.open[claim], rest)
            self._move(claim, part, payment.day)
            rest -= part
        if claims:
            self._move(claims[-1], rest, payment.day)

    def set_off(self, claim: int, others: Iterable[int]) -> None:
        for other in others:
            part = _opposite(self.open[claim], self.open[other])
            day = max(self.days[claim], self.days[other])
            self._move(claim, part, day)
            self._move(other, -part, day)

    def _move(self, claim: int, amount: int, day: date) -> None:
        if amount:
            self.open[claim] += amount
            self.settled[claim] = max(day, self.settled.get(claim, day))


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
