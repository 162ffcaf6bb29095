"""Claims that owe VAT, each with what takes it back, and what takes the place of one that was wrong (docs/law.md 2.5).

A chain is a claim and what lowered it: credit notes, discounts, losses. They are tied by the invoice, by a relation, or
by nothing but their customer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property

from acctcli.service.rules.claims import Document, Origin, Rate, moved_between


class Chains:
    """The chains of the documents of a side, which come in the order of their days."""

    def __init__(
        self, documents: Mapping[int, Document], origins: Mapping[int, Origin], links: Mapping[int, set[int]]
    ) -> None:
        self._documents, self._origins, self._links = documents, origins, links

    @cached_property
    def by_root(self) -> dict[int, list[Document]]:
        """Return taxed claims with what takes them back, by the document of the claim.

        What takes back something that nobody knows is a chain of its own. What a claim was lowered by before it was
        corrected lowers the right one.
        """
        claims = {one.id for one in self._documents.values() if one.is_taxed_claim and one.id not in self.restored}
        by_invoice = {invoice: one for one in claims if (invoice := self._origins[one].invoice_id) is not None}
        chains = {one: [self._documents[one].with_outlay] for one in sorted(claims)}
        roots, again = dict[int, int](), dict[int, int]()  # what makes a claim again what it was stands for that
        left, undone = set(claims), dict[int, set[int]]()
        theirs = self._of_customers(claims)
        for one in self._documents.values():
            if one.takes_back:
                near = claims.intersection(again.get(each, each) for each in self._links.get(one.id, ()))
                root = self._root(one, near, left, by_invoice)
                if root == one.id:
                    owed = [chains[each] for each in theirs[self._origins[one.id].contact_id] if each in left]
                    find = self._root_by_customer if one.money <= 0 else self._root_of_discount
                    root = find(one, owed)
                roots[one.id] = root
                if root in left and one.undoes(self._documents[root]):
                    left.remove(root)
                    undone[one.id] = {root}
                    right, lowered = self._right(root, one, claims), chains[root][1:]
                    del chains[root][1:]
                    chains[right] += lowered
                    roots |= {each.id: right for each in lowered}
            elif one.id in self.restored:
                restored = self.restored[one.id]
                roots[one.id] = again[one.id] = roots[restored]
                left |= undone.pop(restored, set())
            else:
                continue
            chains.setdefault(roots[one.id], []).append(one)
        return chains

    @cached_property
    def roots(self) -> dict[int, int]:
        """The claim of each document of a chain."""
        return {one.id: root for root, chain in self.by_root.items() for one in chain}

    @cached_property
    def restored(self) -> dict[int, int]:
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

    @cached_property
    def taken_back(self) -> list[tuple[int, int]]:
        """Pairs of a claim and what takes it back."""
        return [(root, one.id) for root, chain in self.by_root.items() for one in chain if one.id != root]

    @cached_property
    def loose(self) -> frozenset[int]:
        """Money that nobody related, whatever discount it posts."""
        return frozenset(one.id for theirs in self._loose.values() for one in theirs)

    @cached_property
    def corrected(self) -> list[tuple[int, int, int]]:
        """Claims, what took each back as it was, and other claims: what was paid or lowered of the first goes there.

        They are the right claim, and those of the payments that were taken back with the wrong one.
        """
        found, owed = [], {one for one in self.by_root if self._documents[one].is_taxed_claim}
        for root, one in self.taken_back:
            if root in owed and self._documents[one].undoes(self._documents[root]):
                shared = self._links[root] & self._links.get(one, set())
                payments = [each for each in shared if each not in self.roots or not self.is_claim(each)]
                near = {self._right(root, self._documents[one], owed)}.union(*map(self._links.__getitem__, payments))
                found += [(root, one, other) for other in sorted(near & owed - {root})]
        return found

    def is_claim(self, document_id: int) -> bool:
        """Say whether a document makes a claim, or a credit, that money settles."""
        one = self._documents[self.restored.get(document_id, document_id)]
        if one.takes_back:
            # money that came in is a payment, with whatever discount; what was taken back again leaves nothing of it
            is_own = self._origins[one.id].is_claim or one.id in self.by_root
            return one.money <= 0 and (is_own or one.id not in self._undone)
        return one.arises

    def first(self, claim: int) -> int:
        """Return the claim that was made first of what a claim asks for: it may be taken back, and made right.

        `document correct` relates both, and takes the wrong one back on the day of the right one.
        """
        mine = self._documents[claim]
        near = [self._documents[one] for one in self._links.get(claim, set()) & self._ended[mine.day]]
        first = min((*near, mine), key=lambda one: (one.day, one.id))
        return claim if first.id == claim else self.first(first.id)

    @cached_property
    def _ended(self) -> dict[date, set[int]]:
        """The claims that were taken back as they were, by the day of that."""
        found: dict[date, set[int]] = defaultdict(set)
        for root, one in self.taken_back:
            if self._documents[one].undoes(self._documents[root]):
                found[self._documents[one].day].add(root)
        return found

    def _of_customers(self, claims: Iterable[int]) -> Mapping[int | None, list[int]]:
        """Return the claims of each customer, the oldest first; of nobody none."""
        found: dict[int | None, list[int]] = defaultdict(list)
        for one in sorted(claims, key=lambda one: (self._documents[one].day, one)):
            if (contact := self._origins[one].contact_id) is not None:
                found[contact].append(one)
        return found

    def _root_by_customer(self, one: Document, owed: Sequence[Sequence[Document]]) -> int:
        """Return the claim that is lowered by what nobody related: the oldest that nobody paid, else the oldest."""
        fitting = [chain[0].id for chain in owed if self._is_lowered(chain, one)]
        if len(fitting) > 1:
            loose = [each for each in self._loose[self._origins[one.id].contact_id] if each.day <= one.day]
            unpaid = self._open(owed, one, loose, in_part=False)
            return next((each for each in fitting if each in unpaid), fitting[0])
        return fitting[0] if fitting else one.id

    def _root_of_discount(self, one: Document, owed: Sequence[Sequence[Document]]) -> int:
        """Return the claim of a discount whose payment nobody related, where that lies within the oldest open one."""
        place = one.day, one.id
        loose = [each for each in self._loose[self._origins[one.id].contact_id] if (each.day, each.id) < place]
        older = [chain for chain in owed if (chain[0].day, chain[0].id) < place]
        for claim, open_ in self._open(older, one, loose, in_part=True).items():
            chain = next(each for each in older if each[0].id == claim)
            return claim if open_ >= -one.moved and self._is_lowered(chain, one) else one.id
        return one.id

    def _is_lowered(self, chain: Sequence[Document], one: Document) -> bool:
        """Say whether what nobody related may lower a claim: an older one of its rates, with as much left of each."""
        claim, left = chain[0], Counter[Rate]()
        for each in (*chain, one):
            left.update(each.by_rate)
        is_older = (claim.day, claim.id) < (one.day, one.id)
        places = (accounts for accounts in self._places if accounts & one.due.keys())
        return (
            is_older
            and one.taxed.keys() <= claim.taxed.keys()
            and all(left[rate] >= 0 for rate, cents in one.by_rate.items() if cents < 0)
            and sum(each.total for each in chain) + one.total >= 0
            and any(accounts & claim.due.keys() for accounts in places)
        )

    def _open(
        self, owed: Sequence[Sequence[Document]], one: Document, loose: Iterable[Document], *, in_part: bool
    ) -> dict[int, int]:
        """Return what is open of a customer's claims on a day, once his loose money has paid the oldest first.

        Those to which a payment is related count only where they may be paid `in_part`.
        """
        found = dict[int, int]()
        money = -sum(each.moved for each in loose)
        for chain in owed:
            near = (self._documents[each] for each in self._links.get(chain[0].id, ()))
            payments = [each for each in near if each.money > 0 and each.day <= one.day]
            lowered = [each for each in chain[1:] if each.money <= 0]  # what money came with is a payment
            left = max(sum(each.moved for each in (chain[0], *lowered, *payments)), 0)
            part = min(left, max(money, 0))
            money -= part
            if (in_part or not payments) and part < left:
                found[chain[0].id] = left - part
        return found

    @cached_property
    def _loose(self) -> Mapping[int | None, list[Document]]:
        """Money of each customer that nobody related."""
        found: dict[int | None, list[Document]] = defaultdict(list)
        for one in self._documents.values():
            is_claim = one.arises or (one.takes_back and one.money <= 0)
            if not is_claim and not self._links.get(one.id):
                found[self._origins[one.id].contact_id].append(one)
        return found

    def _right(self, wrong: int, mirror: Document, claims: set[int]) -> int:
        """Return the claim that took the place of a wrong one: `document correct` relates both; else the same."""
        near = sorted(self._links.get(wrong, set()) & claims)
        return next((one for one in near if self._documents[one].day == mirror.day and one != wrong), wrong)

    @cached_property
    def _undone(self) -> set[int]:
        return set(self.restored.values())

    def _root(self, one: Document, near: set[int], left: set[int], by_invoice: Mapping[int, int]) -> int:
        """Return which of some claims something takes back; `left` are those that nothing before it took back whole."""
        origin = self._origins[one.id]
        for invoice_id in (origin.invoice_id, origin.credited_id):
            if invoice_id is not None and invoice_id in by_invoice:
                return by_invoice[invoice_id]
        here = set[int]().union(*(accounts for accounts in self._places if accounts & one.due.keys()))
        return min(
            near,
            # what this posts the other way round first, then what stands where this lowers it
            key=lambda other: (
                other not in left,
                not one.undoes(self._documents[other]),
                not here & self._documents[other].due.keys(),
                self._documents[other].day,
                other,
            ),
            default=one.id,
        )

    @cached_property
    def _places(self) -> list[set[int]]:
        """The accounts of claims, those together that one claim may stand on."""
        return moved_between(self._documents.values())
