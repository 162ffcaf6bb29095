"""What lines are looked up by among the candidates (docs/bank.md 6)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from acctcli.banking.matching.candidates import Candidates, Claim, Rule, Side
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.words import is_long, may_be_cut, says_words, sorted_words, spellings
from acctcli.banking.payments.identity import batch_id, payment_ids


class Index:
    """Finds claims by numbers, references, account numbers and names; own accounts, documents and rules."""

    def __init__(self, candidates: Candidates) -> None:
        claims = candidates.claims
        self.own = {iban: one for one in candidates.own for iban in one.ibans}
        self._by_reference = _by(claims, lambda one: one.references)
        self._by_number = _by(claims, lambda one: one.numbers | one.references)
        self._by_iban = _by(claims, lambda one: one.ibans)
        self._by_name = _by(claims, lambda one: one.names | set(map(sorted_words, one.names)))
        self._names = sorted(self._by_name)
        self.sides = defaultdict[tuple[int, int], list[Side]](list)
        for side in candidates.sides:
            self.sides[side.account, side.cents].append(side)
        for some in self.sides.values():
            some.sort(key=lambda one: (one.day, one.document))
        self.room, self.alone = candidates.room, candidates.alone
        self._rules = candidates.rules
        self._handed = {one.payment: one for one in claims if one.payment}
        self._paid = {one.payment: one for one in candidates.sides if one.payment}
        self._sums = _sums({one.payment: one.handed for one in claims if one.payment}, self._paid.values())

    def handed(self, seen: Seen) -> list[Claim]:
        """Return the claims that a line pays by the end-to-end ids of payment files, or by that of a batch of them."""
        if seen.batch:
            return [claim for one, claim in sorted(self._handed.items()) if one.startswith(f"{seen.batch}-")]
        return [self._handed[one] for one in sorted(seen.payments) if one in self._handed]

    def paid(self, seen: Seen) -> list[Side]:
        """Return the documents that are the payments of a line by its end-to-end ids."""
        return [self._paid[one] for one in sorted(seen.payments) if one in self._paid]

    def come_to(self, seen: Seen) -> str | None:
        """Return what of our own files comes to a line that names none of it; None where nothing does."""
        return self._sums.get(seen.cents)

    def named(self, seen: Seen) -> list[Claim]:
        """Return the claims that a line names: by numbers that it calls so, and long ones, and those of the payer."""
        payer = {one.key for one in self.of_payer(seen)}
        return _distinct(
            one
            for number in seen.numbers
            for one in self._by_number.get(number, ())
            if number in seen.called or number == seen.end_to_end or is_long(number) or one.key in payer
        )

    def with_reference(self, seen: Seen) -> list[Claim]:
        """Return the claims that have a reference of a line."""
        return _distinct(one for reference in seen.references for one in self._by_reference.get(reference, ()))

    def of_payer(self, seen: Seen) -> list[Claim]:
        """Return the claims on whoever is on the other side of a line, or theirs on us."""
        found = list(self._by_iban.get(seen.iban, ())) if seen.iban else []
        for name in sorted(filter(None, spellings(seen.name))):
            found += self._by_name.get(sorted_words(name), ())
            if may_be_cut(seen.name):
                found += self._begin_with(name)
        return _distinct(found)

    def of_name(self, claim: Claim) -> list[Claim]:
        """Return the other claims under a name of one."""
        found = (one for name in claim.names for one in self._by_name.get(sorted_words(name), ()))
        return [one for one in _distinct(found) if one.key != claim.key]

    def rules_for(self, seen: Seen) -> list[Rule]:
        """Return the rules that say nothing but what is so of a line."""
        return [rule for rule in self._rules if fits(seen, rule)]

    def knows(self, seen: Seen) -> bool:
        """Whether anything but rules may come of a line; all such lines are to be looked at together."""
        return bool(
            seen.iban in self.own
            or self.handed(seen)
            or self.paid(seen)
            or (seen.account, seen.cents) in self.sides
            or self.come_to(seen) is not None
            or any(one in self._by_reference for one in seen.references)
            or any(one in self._by_number for one in seen.numbers)
            or self.of_payer(seen)
        )

    def _begin_with(self, name: str) -> Iterable[Claim]:
        for at in range(bisect_left(self._names, name), len(self._names)):
            if not self._names[at].startswith(name):
                break
            yield from self._by_name[self._names[at]]


def fits(seen: Seen, rule: Rule) -> bool:
    """Whether all that a rule says is so of a line."""
    return (
        (not rule.words or says_words(seen.text, rule.words))
        and (not rule.iban or rule.iban == seen.iban)
        and (not rule.reference or rule.reference in seen.references)
        and rule.comes_in in {None, seen.cents > 0}
    )


def contradicts(seen: Seen, claim: Claim) -> bool:
    """Whether a line says that it is for something else: by another reference, or the number of another invoice."""
    if seen.references and claim.references and not seen.references & claim.references:
        return True
    return bool(seen.called and not seen.called & (claim.numbers | claim.references))


def _sums(handed: Mapping[str, int], paid: Iterable[Side]) -> dict[int, str]:
    """Return payments that were handed to the bank, and batches and files of them, by what they come to."""
    totals, numbers = Counter(handed), Counter[str]()
    for payment, cents in (*handed.items(), *((one.payment, one.cents) for one in paid)):
        for named in payment_ids(payment):
            for sent in (named.file, batch_id(named.file, named.batch)):
                totals[sent] += cents
                numbers[sent] += 1
    return {cents: sent for sent, cents in totals.items() if sent in handed or numbers[sent] > 1}


def _by(claims: Iterable[Claim], keys: Callable[[Claim], Iterable[str]]) -> dict[str, list[Claim]]:
    found = defaultdict[str, list[Claim]](list)
    for one in claims:
        for key in keys(one):
            found[key].append(one)
    return dict(found)


def _distinct(claims: Iterable[Claim]) -> list[Claim]:
    return sorted({one.key: one for one in claims}.values(), key=lambda one: (one.day, one.kind, one.id))
