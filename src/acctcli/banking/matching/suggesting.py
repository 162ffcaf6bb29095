"""What a line may be that nothing tells for certain: for a person to choose from (docs/bank.md 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import combinations, islice

from acctcli.banking.matching.candidates import Candidates, Claim, Kind, Side
from acctcli.banking.matching.index import Index
from acctcli.banking.matching.outcome import (
    Left,
    Matched,
    Outcome,
    Part,
    Reason,
    Row,
    by_rule,
    is_over,
    is_there,
    settles,
)
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.words import says_words

_MOST, _MOST_SUMS, _MOST_CLAIMS = 6, 3, 8
_AWAY = timedelta(days=10)


def suggestions(seen: Seen, outcome: Outcome | None, candidates: Candidates) -> list[Matched]:
    """Return what a line may be, each with the reason why it is suggested, the likeliest first, and few of them."""
    found: list[Matched] = [outcome] if isinstance(outcome, Matched) else []
    near = list(outcome.near) if isinstance(outcome, Left) else []
    claims = {one.key: one for one in (*near, *_claims(seen, candidates.claims)) if one.open * seen.cents > 0}
    likely = sorted(claims.values(), key=lambda one: (-len(_whys(seen, one)), one.day, one.id))
    told = [(one, " and ".join(_whys(seen, one)) or "known by matching") for one in likely]
    alone = [chosen for one, why in told if (chosen := settling(seen, [one], why)) is not None]
    # more than is open is for a claim that the line names by its reference
    alone = [one for one in alone if not is_over(one) or seen.references & one.claims[0].references]
    whole = [one for one in alone if one.parts[0].cents == one.claims[0].open]
    together = (settling(seen, some, "the amount of these together") for some in _sums(seen, likely, candidates.claims))
    found += [*whole, *(one for one in islice(together, _MOST_SUMS) if one), *alone]
    found += [is_there(Reason.BOOKED, one) for one in candidates.sides if _is_near(seen, one)]
    found += _on_their_way(seen, candidates)
    found += [by_rule(seen, one) for one in Index(candidates).rules_for(seen)]
    distinct: dict[object, Matched] = {}
    for one in found:
        distinct.setdefault((one.side, one.rule, one.twin, tuple(claim.key for claim in one.claims), one.rows), one)
    return [one for one in distinct.values() if not one.lacks][:_MOST]


def settling(seen: Seen, claims: Sequence[Claim], why: str) -> Matched | None:
    """Return a line as the payment of claims: the oldest first, what is over on the last; None where that cannot be.

    Only invoices are paid too much, or twice where nothing is open; none is refunded so, and what an action settles is
    settled alone.
    """
    if not claims or not all(_takes(one, seen) for one in claims):
        return None
    if len(claims) > 1 and not all(one.is_booked for one in claims):
        return None
    rest, parts = seen.cents, []
    for claim in sorted(claims, key=lambda one: (one.day, one.key)):
        taken = min(claim.open, rest, key=abs)
        parts.append(Part(claim, taken))
        rest -= taken
    if rest and (rest < 0 or parts[-1].claim.kind is not Kind.INVOICE):
        return None
    if claims[0].kind is Kind.TAX and seen.cents != claims[0].open:
        return None
    parts[-1] = parts[-1]._replace(over=rest)
    return settles(Reason.CHOSEN, why, [part for part in parts if part.cents or part.over])


def _takes(claim: Claim, seen: Seen) -> bool:
    is_paid_twice = claim.kind is Kind.INVOICE and not claim.open and seen.cents > 0
    return claim.kind is not Kind.UNPOSTED and (claim.open * seen.cents > 0 or is_paid_twice)


def _sums(seen: Seen, likely: Sequence[Claim], claims: Iterable[Claim]) -> Iterator[Sequence[Claim]]:
    """Yield claims that come to a line together: of the likely ones any, of others two on one payer."""
    some = [one for one in likely if one.is_booked and not one.currency][:_MOST_CLAIMS]
    for number in range(2, len(some) + 1):
        yield from (few for few in combinations(some, number) if sum(one.open for one in few) == seen.cents)
    before: defaultdict[tuple[str, int], list[Claim]] = defaultdict(list)
    for one in claims:
        if one in some or not one.is_booked or one.currency or one.open * seen.cents <= 0:
            continue
        for name in one.names:
            yield from ([other, one] for other in before[name, seen.cents - one.open])
            before[name, one.open].append(one)


def _on_their_way(seen: Seen, candidates: Candidates) -> list[Matched]:
    """Return what a line is that ends a transfer which left another own account, and of which it says no IBAN."""
    transit = candidates.transit
    if transit is None:
        return []
    near = [one for one in candidates.sides if one.account == transit.id and abs(one.day - seen.day) <= _AWAY]
    left = [one for one in near if one.cents == seen.cents and one.other != seen.account]
    came = sum(one.cents == -seen.cents for one in near)
    rows = (Row(transit.id, -seen.cents),)
    said = f"is the other side, by way of {transit.title}"
    return [Matched(Reason.CHOSEN, f"{one.title} {said}", rows) for one in left[came:]]


def _claims(seen: Seen, claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield the claims that a line might be for: of its payer, of its numbers, and of its amount."""
    return (one for one in claims if _whys(seen, one))


def _whys(seen: Seen, claim: Claim) -> list[str]:
    """Return what speaks for a claim."""
    whys = []
    if seen.references & claim.references:
        whys.append("its reference")
    if seen.numbers & (claim.numbers | claim.references):
        whys.append("a number")
    if seen.iban and seen.iban in claim.ibans:
        whys.append("the account")
    if any(says_words(seen.text, name) for name in claim.names):
        whys.append("the name")
    if claim.open in {seen.cents, seen.whole}:
        whys.append("the amount")
    return whys


def _is_near(seen: Seen, side: Side) -> bool:
    return side.account == seen.account and side.cents == seen.cents and abs(side.day - seen.day) <= _AWAY
