"""VAT that belongs to the days of payments (docs/law.md 2.5).

A document whose taxed rows stand against trade receivables, or payables, is not paid yet as far as it moves those
accounts. Its VAT is reported in the share that is settled, worked out anew for the end of each day from what is posted
until then: a range reports what its last day has and the day before its first had not. So every cent is reported, and
once, whatever the order of payments; and what is posted or related later changes no earlier day.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from acctcli.banking.settlement import Movement, Parts, Step, settled
from acctcli.law.calendar import last_day
from acctcli.law.decisions import PaymentBasis
from acctcli.law.vat_codes import OUTPUT_VAT, SALES
from acctcli.service.rules.claim_chains import Chains
from acctcli.service.rules.claims import Document, Key, OpenItems, documents, moved_between
from acctcli.service.rules.loose_money import Customers, set_off, unrelated
from acctcli.service.rules.money import divide_half_away
from acctcli.service.rules.paid_before import paid_before
from acctcli.service.rules.vat_sums import VatMovement


class Untold(NamedTuple):
    """Documents of money that stands in no return, each with how much, in the order of their days.

    `unclaimed` came in, and no claim takes it; `returned` went back, and nothing tells of what.
    """

    unclaimed: dict[int, int]
    returned: dict[int, int]


def paid_movements(ledger: OpenItems, basis: PaymentBasis, first: date, last: date) -> list[VatMovement]:
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


def untold(ledger: OpenItems, first: date, last: date) -> Untold:
    """Return the documents of a range whose money was known to belong to nothing by its end.

    It is in no return: what was prepaid belongs into one by a VAT code of its own (docs/law.md 2.5).
    """
    return _Side(ledger.until(last), OUTPUT_VAT, None).untold(first, last)


class _Stands(NamedTuple):
    """What is open of documents on a day, the money that belongs to none of them, and what each payment settled."""

    opens: Counter[int]
    unclaimed: Counter[int]
    returned: Counter[int]
    given: list[Parts]

    def note(self, money: Iterable[Movement]) -> None:
        """Note money that belongs to nothing."""
        for one in money:
            (self.unclaimed if one.amount < 0 else self.returned)[one.document_id] += abs(one.amount)


class _Side:
    """Sales or purchases of a ledger."""

    def __init__(self, ledger: OpenItems, code: int, longest_months: int | None) -> None:
        self._ledger = ledger
        self._longest_months = longest_months
        self._sign = 1 if code == OUTPUT_VAT else -1
        self._documents = dict(documents(ledger, code, self._sign))
        self._related = [pair for pair in ledger.related if self._documents.keys() >= set(pair)]
        self._links = _links(self._related)
        self._chains = Chains(self._documents, ledger.origins, self._links)

    def posted(self, first: date, last: date) -> Counter[Key]:
        """Return what the documents that wait for payment posted in a range."""
        found: Counter[Key] = Counter()
        for chain in self._chains.by_root.values():
            for one in chain:
                if first <= one.day <= last:
                    found.update(one.taxed)
        return found

    def reported(self, day: date) -> Counter[Key]:
        """Return what is to be reported of these documents until the end of a day, in all."""
        found: Counter[Key] = Counter()
        opens = self._stands(day).opens
        for root, chain in self._chains.by_root.items():
            begun = [one for one in chain if one.day <= day]
            if begun:
                open_ = sum(opens[one.id] for one in begun)
                found.update(_settled(begun, root, open_, is_late=self._is_late(root, day)))
        return found

    def _is_late(self, root: int, day: date) -> bool:
        """Say whether the month has ended, or ends, in which the law waits no longer for the payment of a claim."""
        if self._longest_months is None:
            return False
        first = self._chains.first(root)
        delivered = self._ledger.origins[first].delivered_on or self._documents[first].day
        months = (day.year - delivered.year) * 12 + day.month - delivered.month
        return months > self._longest_months or (months == self._longest_months and day == last_day(day, 1))

    # --- what is open ---

    def untold(self, first: date, last: date) -> Untold:
        """Return the money of a range that was left at its end."""
        stands = self._stands(last)
        paid: dict[int, list[Movement]] = defaultdict(list)
        for document, parts in (item for given in stands.given for item in given.items()):
            for claim, cents in parts.items():
                paid[claim].append(Movement(document, self._documents[document].day, cents, is_claim=False))
        for root, chain in (self._untaxed | self._chains.by_root).items():
            begun = [one for one in chain if one.day <= last]
            whole, back = sum(one.total for one in begun), -sum(one.total for one in _taken_off(begun, root))
            open_ = sum(stands.opens[one.id] for one in begun)
            for beyond in (min(open_ + back, 0), max(open_ - max(whole, 0), 0)):
                stands.note(
                    self._customers.latest(_by_document(one for each in begun for one in paid[each.id]), beyond)
                )
        return Untold(*(self._since(first, money) for money in (stands.unclaimed, stands.returned)))

    @property
    def _untaxed(self) -> dict[int, list[Document]]:
        """The claims that owe no VAT, as chains."""
        others = self._documents.keys() - self._chains.roots.keys()
        return {one: [self._documents[one].with_outlay] for one in others if self._chains.is_claim(one)}

    def _since(self, first: date, money: Mapping[int, int]) -> dict[int, int]:
        days = {one: self._documents[one].day for one in money}
        return {one: money[one] for one in sorted(money, key=lambda one: (days[one], one)) if days[one] >= first}

    @cached_property
    def _customers(self) -> Customers:
        return Customers(self._documents, self._ledger.origins, self._links)

    def _stands(self, day: date) -> _Stands:
        """Return how everything stands at the end of a day, on accounts together that one claim may stand on."""
        stands = _Stands(Counter(), Counter(), Counter(), [])
        known = [one for one in self._documents.values() if one.day <= day]
        pairs, others = self._tied
        for accounts in moved_between(known):
            moved = [
                Movement(one.id, one.day, sum(one.due[each] for each in here), self._chains.is_claim(one.id))
                for one in known
                if (here := accounts & one.due.keys())
            ]
            found = settled(moved, pairs, [*self._chains.taken_back, *others])
            opens = Counter({claim: standing.open for claim, standing in found.standings.items()})
            for document, parts in found.unsure.items():
                if self._differ(parts, day):
                    opens.subtract(parts)
                    stands.note([Movement(document, day, cents, is_claim=False) for cents in parts.values()])
            opening = self._sign * sum(self._ledger.openings.get(one, 0) for one in accounts)
            for chain in self._chains.by_root.values():
                set_off(opens, [one.id for one in chain])
            loose = unrelated(moved, _links(pairs))
            opens.update(self._paid_before(found.steps, loose, opening))
            stands.note(self._customers.settle(opens, moved, loose, opening))
            stands.opens.update(opens)
            stands.given.append(found.given)
        return stands

    def _paid_before(self, steps: Iterable[Step], loose: set[int], opening: int) -> Counter[int]:
        contacts = {one: origin.contact_id for one, origin in self._ledger.origins.items()}
        taking_back = {one: not self._links.get(one, set()).isdisjoint(loose) for one in loose}
        return paid_before(steps, contacts, taking_back, self._chains.restored, opening)

    @cached_property
    def _tied(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Pairs of documents that settle each other, and of what takes a claim back and other claims it is related to.

        A discount or a loss belongs to its claim, related or not; what takes one back belongs to that alone.
        """
        pairs = [pair for pair in self._related if not self._chains.restored.keys() & pair]
        others = [pair for pair in pairs if self._is_beside(*pair) or self._is_beside(*reversed(pair))]
        pairs = sorted(set(pairs).difference(others))
        pairs += [
            *self._chains.restored.items(),
            *(
                (root, one)
                for root, one in self._chains.taken_back
                if not self._chains.is_claim(one) and one not in self._chains.loose
            ),
        ]
        return pairs + [(root, other) for root, _, other in self._chains.corrected], others + [
            one[1:] for one in self._chains.corrected
        ]

    def _is_beside(self, one: int, claim: int) -> bool:
        """Say whether a document that is no credit note takes back another claim than this first."""
        return (
            self._chains.roots.get(one) not in {None, one, claim}
            and claim in self._chains.by_root
            and self._is_credit(one)
        )

    def _differ(self, claims: Iterable[int], day: date) -> bool:
        """Say whether it matters to VAT which of some claims money is of: not where all have one rate, or none."""
        natures = {self._nature(claim, day) for claim in claims}
        return len(natures) > 1 or any(len(rates) > 1 or not is_whole for rates, is_whole, _ in natures)

    def _nature(self, claim: int, day: date) -> tuple[frozenset[tuple[int, int]], bool, bool]:
        """Return the codes and rates of a claim, whether they are all of it, and whether it waits for no payment."""
        root = self._chains.roots.get(claim)
        if root is None:
            return frozenset(), True, False
        chain = self._chains.by_root[root]
        rates = frozenset((code, rate) for one in chain for code, rate, _ in one.taxed)
        return rates, all(one.total == one.gross for one in chain), self._is_late(root, day)

    def _is_credit(self, document_id: int) -> bool:
        return self._chains.is_claim(document_id) and self._ledger.origins[document_id].invoice_id is None


def _settled(chain: Sequence[Document], root: int, open_: int, *, is_late: bool) -> Counter[Key]:
    """Return what is to be reported of a claim and what takes it back, by what is open of them together.

    Payments fill what is left of the claim first; what they bring beyond it, until it is given back, is consideration
    for what was taken back, the last of it first: what came before has lowered what there was to pay. Where more was
    taken back than claimed, nothing is left, and the claim settles its part.
    """
    whole, kept = sum(one.total for one in chain), Counter[Key]()
    for one in chain:
        kept.update(one.taxed)
    paid = whole - open_
    found = _part(kept, whole if is_late else paid, whole) if whole > 0 else kept
    beyond = paid - whole
    for one in reversed(_lowering(chain, root)):
        if beyond > 0:
            found.update(_part({key: -cents for key, cents in one.taxed.items()}, beyond, -one.total))
            beyond += one.total
    return found


def _lowering(chain: Iterable[Document], root: int) -> list[Document]:
    """Return what takes a claim back, without what was taken back itself."""
    found = list[Document]()
    for one in _taken_off(chain, root):
        undone = next((each for each in found if one.undoes(each)), None)
        if undone is None:
            found.append(one)
        else:
            found.remove(undone)
    return found


def _by_document(moved: Iterable[Movement]) -> list[Movement]:
    """Add up what each document moved."""
    found = dict[int, Movement]()
    for one in moved:
        before = found.get(one.document_id)
        found[one.document_id] = one if before is None else one._replace(amount=before.amount + one.amount)
    return list(found.values())


def _taken_off(chain: Iterable[Document], root: int) -> list[Document]:
    """Return what takes a claim back, and what that was taken back by."""
    return [one for one in chain if one.id != root or one.gross < 0]


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
