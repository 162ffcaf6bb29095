"""VAT that belongs to the days of payments (docs/law.md 2.5).

A document whose taxed rows stand against trade receivables, or payables, is not paid yet as far as it moves those
accounts. Its VAT is reported in the share that is settled, worked out anew for the end of each day from what is posted
until then: a range reports what its last day has and the day before its first had not. So every cent is reported, and
once, whatever the order of payments; and what is posted or related later changes no earlier day.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from acctcli.banking.settlement import Movement, Standing, settle
from acctcli.law.calendar import last_day
from acctcli.law.decisions import PaymentBasis
from acctcli.law.vat_codes import OUTPUT_VAT, SALES
from acctcli.service.rules.claims import Document, Key, Ledger, Origin, documents, moved_between
from acctcli.service.rules.money import divide_half_away
from acctcli.service.rules.vat_sums import VatMovement


class _Left(NamedTuple):
    """What is left on an account of claims: what is open of each, and what no claim takes of each payment."""

    opens: Counter[int]
    unclaimed: dict[int, int]


def paid_movements(ledger: Ledger, basis: PaymentBasis, first: date, last: date) -> list[VatMovement]:
    """Return what to add to what a range of days posted, both included, so that its VAT follows the payments."""
    moved: Counter[Key] = Counter()
    for code in sorted(basis.codes):
        longest = basis.longest_months if code in SALES else None
        side = _Side(ledger.until(last), code, longest)
        moved.update(side.reported(last))
        if first > date.min:
            day = first - timedelta(days=1)
            # from what there was then: what is related later would tell of other days than were reported
            moved.subtract(_Side(ledger.until(day), code, longest).reported(day))
        moved.subtract(side.posted(first, last))
    return [
        VatMovement(code, rate, kind, cents > 0, abs(cents)) for (code, rate, kind), cents in moved.items() if cents
    ]


def unclaimed(ledger: Ledger, first: date, last: date) -> dict[int, int]:
    """Return the documents of a range that brought money which no claim had taken by its end, each with how much.

    It is in no return: what was prepaid belongs into one by a VAT code of its own (docs/law.md 2.5).
    """
    return _Side(ledger, OUTPUT_VAT, None).unclaimed(first, last)


class _Side:
    """Sales or purchases of a ledger."""

    def __init__(self, ledger: Ledger, code: int, longest_months: int | None) -> None:
        self._ledger = ledger
        self._longest_months = longest_months
        self._sign = 1 if code == OUTPUT_VAT else -1
        self._documents = dict(documents(ledger, code, self._sign))
        self._related = [pair for pair in ledger.related if self._documents.keys() >= set(pair)]
        self._links = _links(self._related)

    def posted(self, first: date, last: date) -> Counter[Key]:
        """Return what the documents that wait for payment posted in a range."""
        found: Counter[Key] = Counter()
        for chain in self._chains.values():
            for one in chain:
                if first <= one.day <= last:
                    found.update(one.taxed)
        return found

    def reported(self, day: date) -> Counter[Key]:
        """Return what is to be reported of these documents until the end of a day, in all."""
        found: Counter[Key] = Counter()
        opens = self._opens(day)
        for root, chain in self._chains.items():
            begun = [one for one in chain if one.day <= day]
            if begun:
                is_late = self._is_late(self._origin(root).delivered_on or self._documents[root].day, day)
                found.update(_settled(begun, root, sum(opens[one.id] for one in begun), is_late=is_late))
        return found

    def _is_late(self, delivered: date, day: date) -> bool:
        """Say whether the month has ended, or ends, in which the law waits no longer for the payment."""
        if self._longest_months is None:
            return False
        months = (day.year - delivered.year) * 12 + day.month - delivered.month
        return months > self._longest_months or (months == self._longest_months and day == last_day(day, 1))

    @cached_property
    def _chains(self) -> dict[int, list[Document]]:
        """Return taxed claims with what takes them back, by the document of the claim.

        What takes back something that nobody knows is a chain of its own.
        """
        claims = {one.id for one in self._documents.values() if one.is_taxed_claim and one.id not in self._restored}
        by_invoice = {invoice: one for one in claims if (invoice := self._origin(one).invoice_id) is not None}
        chains = {one: [self._documents[one].with_outlay] for one in sorted(claims)}
        roots = dict[int, int]()
        for one in self._documents.values():
            if one.takes_back:
                roots[one.id] = self._root(one, claims, by_invoice)
            elif one.id in self._restored:
                roots[one.id] = roots[self._restored[one.id]]
            else:
                continue
            chains.setdefault(roots[one.id], []).append(one)
        return chains

    @cached_property
    def _restored(self) -> dict[int, int]:
        """Return what takes back a credit, a discount or a loss as it was, each with that: the claim is what it was."""
        found = dict[int, int]()
        left = {one.id for one in self._documents.values() if one.takes_back}
        for one in self._documents.values():
            if one.is_taxed_claim:
                near = sorted(self._links.get(one.id, set()) & left)
                if (other := next((near for near in near if one.undoes(self._documents[near])), None)) is not None:
                    found[one.id] = other
                    left.remove(other)
        return found

    def _root(self, one: Document, claims: set[int], by_invoice: Mapping[int, int]) -> int:
        origin = self._origin(one.id)
        for invoice_id in (origin.invoice_id, origin.credited_id):
            if invoice_id is not None and invoice_id in by_invoice:
                return by_invoice[invoice_id]
        near = self._links.get(one.id, set()) & claims
        here = set[int]().union(*(accounts for accounts in self._places if accounts & one.due.keys()))
        return min(
            near,
            # one that stands where this lowers it first
            key=lambda other: (not here & self._documents[other].due.keys(), self._documents[other].day, other),
            default=one.id,
        )

    @cached_property
    def _places(self) -> list[set[int]]:
        """The accounts of claims, those together that one claim may stand on."""
        return moved_between(self._documents.values())

    def _origin(self, document_id: int) -> Origin:
        return self._ledger.origins[document_id]

    # --- what is open ---

    def _opens(self, day: date) -> Counter[int]:
        """Return what is open of documents at the end of a day."""
        found: Counter[int] = Counter()
        for left in self._accounts(day):
            found.update(left.opens)
        return found

    def unclaimed(self, first: date, last: date) -> dict[int, int]:
        """Return the payments of a range that were left at its end, each with how much."""
        found: Counter[int] = Counter()
        for left in self._accounts(last):
            found.update({one: cents for one, cents in left.unclaimed.items() if self._documents[one].day >= first})
        return dict(sorted(found.items(), key=lambda item: (self._documents[item[0]].day, item[0])))

    def _accounts(self, day: date) -> Iterator[_Left]:
        """Yield what is left on accounts of claims at the end of a day, those together that one claim may stand on."""
        known = [one for one in self._documents.values() if one.day <= day]
        # a discount or a loss belongs to its claim, related or not
        pairs = [*self._related, *((root, one) for root, one in self._taken_back if not self._is_claim(one))]
        pairs += self._corrected
        for accounts in moved_between(known):
            moved = [
                Movement(one.id, one.day, sum(one.due[each] for each in here), self._is_claim(one.id))
                for one in known
                if (here := accounts & one.due.keys())
            ]
            standings = settle(moved, pairs, self._taken_back)
            opening = self._sign * sum(self._ledger.openings.get(one, 0) for one in accounts)
            yield self._left(standings, moved, _unrelated(moved, pairs), opening)

    def _is_claim(self, document_id: int) -> bool:
        one = self._documents[self._restored.get(document_id, document_id)]
        if one.takes_back:
            # money that came in is a payment, with whatever discount
            return one.money <= 0 and (self._origin(one.id).is_claim or one.id in self._chains)
        return one.arises

    @cached_property
    def _taken_back(self) -> list[tuple[int, int]]:
        """Pairs of a claim and what takes it back."""
        return [(root, one.id) for root, chain in self._chains.items() for one in chain if one.id != root]

    @cached_property
    def _corrected(self) -> list[tuple[int, int]]:
        """Pairs of a claim that was taken back with its payment, and another one of that payment: it goes there."""
        found = []
        for root, one in self._taken_back:
            if self._documents[one].undoes(self._documents[root]):
                payments = self._links[root] & self._links.get(one, set())
                near = set[int]().union(*(self._links[payment] for payment in payments))
                found += [(root, other) for other in sorted(near & self._chains.keys()) if other != root]
        return found

    def _left(
        self, standings: Mapping[int, Standing], moved: Sequence[Movement], loose: set[int], opening: int
    ) -> _Left:
        """Return what is left once payments that nobody related settle the oldest claims.

        Those of the same customer first; then what was open when the books began, then claims without a customer. Money
        without a customer settles any. What goes back settles credits likewise; beyond these nobody owes it.
        """
        opens = Counter({claim: standing.open for claim, standing in standings.items()})
        payments: dict[int | None, list[Movement]] = defaultdict(list)
        claims: dict[int | None, list[int]] = defaultdict(list)
        ordered = sorted(moved, key=lambda one: (one.day, one.document_id))
        for one in ordered:
            contact = self._origin(one.document_id).contact_id
            if one.document_id in loose:
                payments[contact].append(one)
            elif one.is_claim:
                claims[contact].append(one.document_id)
        nobodys = payments.pop(None, [])
        named, owed, rests = 0, max(opening, 0), list[Movement]()
        for contact, paid in payments.items():
            given = self._given(paid, loose)
            given -= _give(opens, claims[None], _give(opens, claims[contact], given))
            rest = _take(opens, claims[contact], max(given - sum(one.amount for one in paid), 0))
            rests += self._latest(paid, rest)
            named += rest
        everything = [one.document_id for one in ordered if one.is_claim]
        given = self._given(nobodys, loose)
        given -= _give(opens, everything, given)
        unnamed = max(given - sum(one.amount for one in nobodys) - max(owed - named, 0), 0)
        named = _take(opens, claims[None], max(named - owed, 0))
        unnamed = _take(opens, everything, unnamed)
        rests.sort(key=lambda one: (one.day, one.document_id))
        left = (*self._latest(rests, named), *self._latest(nobodys, unnamed))
        return _Left(opens, {one.document_id: -one.amount for one in left})

    def _given(self, payments: Sequence[Movement], loose: set[int]) -> int:
        """Return what of payments went back, but for those that take a payment back."""
        return sum(
            one.amount for one in payments if one.amount > 0 and not self._links.get(one.document_id, set()) & loose
        )

    def _latest(self, payments: Sequence[Movement], amount: int) -> Iterator[Movement]:
        """Yield the payments, oldest first as they come, that an amount is what is left of, with their parts of it."""
        for one in reversed(payments):
            part = min(amount, self._documents[one.document_id].money, -one.amount)
            if part > 0:
                yield one._replace(amount=-part)
                amount -= part


def _settled(chain: Sequence[Document], root: int, open_: int, *, is_late: bool) -> Counter[Key]:
    """Return what is to be reported of a claim and what takes it back, by what is open of them together.

    Payments fill what is left of the claim first; what they bring beyond it, until it is given back, is consideration
    for what was taken back. Where more was taken back than claimed, nothing is left, and the claim settles its part.
    """
    whole, kept = sum(one.total for one in chain), Counter[Key]()
    back, taken = 0, Counter[Key]()
    for one in chain:
        kept.update(one.taxed)
        if one.id != root or one.gross < 0:
            back -= one.total
            taken.subtract(one.taxed)
    paid = whole - open_
    found = _part(kept, whole if is_late else paid, whole) if whole > 0 else kept
    if paid > whole:
        found.update(_part(taken, paid - whole, back))
    return found


def _part(taxed: Mapping[Key, int], amount: int, whole: int) -> Counter[Key]:
    """Return the part of what was taxed that an amount is of a whole, nothing below zero and no more than all."""
    if whole < 0:
        amount, whole = -amount, -whole
    if amount >= whole:
        return Counter(taxed)
    if amount <= 0:
        return Counter()
    return Counter({key: divide_half_away(cents * amount, whole) for key, cents in taxed.items()})


def _links(related: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    links: dict[int, set[int]] = defaultdict(set)
    for one, other in related:
        links[one].add(other)
        links[other].add(one)
    return links


def _unrelated(moved: Sequence[Movement], pairs: Iterable[tuple[int, int]]) -> set[int]:
    """Return the payments that no relation, near or far, leads to a claim from."""
    links, left = _links(pairs), {one.document_id for one in moved if not one.is_claim}
    ring = {one.document_id for one in moved if one.is_claim}
    while ring:
        ring = {near for one in ring for near in links.get(one, ())} & left
        left -= ring
    return left


def _give(opens: Counter[int], claims: Iterable[int], amount: int) -> int:
    """Settle credits with money that goes back, in their order, and return what is left of it."""
    for claim in claims:
        part = min(max(-opens[claim], 0), amount)
        opens[claim] += part
        amount -= part
    return amount


def _take(opens: Counter[int], claims: Iterable[int], amount: int) -> int:
    """Settle claims with an amount, in their order, and return what is left of it."""
    for claim in claims:
        part = min(max(opens[claim], 0), amount)
        opens[claim] -= part
        amount -= part
    return amount
