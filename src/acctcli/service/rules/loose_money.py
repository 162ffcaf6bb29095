"""Money that is related to no claim: what it settles all the same, and what is left of it (docs/law.md 2.5)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from acctcli.banking.settlement import Movement
from acctcli.service.rules.claims import Document, Origin


class Customers(NamedTuple):
    """Who the documents of a side are about, and what is tied to which."""

    documents: Mapping[int, Document]
    origins: Mapping[int, Origin]
    links: Mapping[int, set[int]]

    def settle(self, opens: Counter[int], moved: Iterable[Movement], loose: set[int], opening: int) -> list[Movement]:
        """Let payments that nobody related settle the oldest claims, in `opens`, and return what is left of them.

        Those of the same customer first; then what was open when the books began, then claims without a customer. Money
        without a customer settles any. What goes back settles credits likewise; beyond these nobody owes it.
        """
        payments: dict[int | None, list[Movement]] = defaultdict(list)
        claims: dict[int | None, list[int]] = defaultdict(list)
        ordered = sorted(moved, key=_place)
        for one in ordered:
            contact = self.origins[one.document_id].contact_id
            if one.document_id in loose:
                payments[contact].append(one)
            elif one.is_claim:
                claims[contact].append(one.document_id)
        nobodys, everything = payments.pop(None, []), [one.document_id for one in ordered if one.is_claim]
        came, went = list[Movement](), list[Movement]()
        for contact, theirs in payments.items():
            more = self._beyond_credits(opens, (*claims[contact], *claims[None]), theirs, loose)
            came += self.latest(theirs, -_take(opens, claims[contact], -more))
            went += self.latest(theirs, max(more, 0))
        more = self._beyond_credits(opens, everything, nobodys, loose)
        # what was open when the books began takes the money of customers first
        named, unnamed = _beyond(-_sum(came), -more, opening)
        named, unnamed = _take(opens, claims[None], named), _take(opens, everything, unnamed)
        left = [*self.latest(came, -named), *self.latest(nobodys, -unnamed)]
        named, unnamed = _beyond(_sum(went), more, -opening)
        return [*left, *self.latest(went, named), *self.latest(nobodys, unnamed)]

    def latest(self, payments: Iterable[Movement], amount: int) -> list[Movement]:
        """Return the payments, latest first, that an amount is what is left of, with their parts of it.

        It is negative where money came in, as what it moves of claims.
        """
        found, sign = [], -1 if amount < 0 else 1
        for one in sorted(payments, key=_place, reverse=True):
            part = sign * min(sign * amount, sign * one.amount, -sign * self.documents[one.document_id].money)
            if sign * part > 0:
                found.append(one._replace(amount=part))
                amount -= part
        return found

    def _beyond_credits(
        self, opens: Counter[int], claims: Iterable[int], payments: Sequence[Movement], loose: set[int]
    ) -> int:
        """Settle credits with what of payments went back, but for those that take a payment back.

        Return what is left of all: below zero is what came in, above what went back.
        """
        given = sum(
            one.amount for one in payments if one.amount > 0 and not self.links.get(one.document_id, set()) & loose
        )
        return _sum(payments) - given + _give(opens, claims, given)


def set_off(opens: Counter[int], together: Sequence[int]) -> None:
    """Set what is open of some claims off against what is of credits."""
    owed, credited = (sum(max(sign * opens[one], 0) for one in together) for sign in (1, -1))
    _take(opens, together, credited)
    _give(opens, together, owed)


def unrelated(moved: Sequence[Movement], links: Mapping[int, set[int]]) -> set[int]:
    """Return the payments that no relation, near or far, leads to a claim from."""
    left = {one.document_id for one in moved if not one.is_claim}
    ring = {one.document_id for one in moved if one.is_claim}
    while ring:
        ring = {near for one in ring for near in links.get(one, ())} & left
        left -= ring
    return left


def _place(one: Movement) -> tuple[date, int]:
    return one.day, one.document_id


def _sum(payments: Iterable[Movement]) -> int:
    return sum(one.amount for one in payments)


def _beyond(named: int, unnamed: int, owed: int) -> tuple[int, int]:
    """Return what is left of money with a customer, and of money without one, once it has settled an amount."""
    named, unnamed, owed = max(named, 0), max(unnamed, 0), max(owed, 0)
    return max(named - owed, 0), max(unnamed - max(owed - named, 0), 0)


def _give(opens: Counter[int], claims: Iterable[int], amount: int) -> int:
    """Settle credits with money that goes back, in their order, and return what is left of it."""
    for claim in claims:
        part = min(max(-opens[claim], 0), amount)
        opens[claim] += part
        amount -= part
    return amount


def _take(opens: Counter[int], claims: Iterable[int], amount: int) -> int:
    """Settle claims with an amount above zero, in their order, and return what is left of it."""
    for claim in claims:
        part = max(min(opens[claim], amount), 0)
        opens[claim] -= part
        amount -= part
    return max(amount, 0)
