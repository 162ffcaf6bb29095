"""What a line may be that nothing tells for certain: for a person to choose from (docs/bank.md 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import combinations, islice

from acctcli.banking.matching.amounts import but_for_rounding, by_rule, exactly, with_late
from acctcli.banking.matching.candidates import Candidates, Claim, Differences, Kind, Side
from acctcli.banking.matching.index import Index
from acctcli.banking.matching.outcome import (
    Left,
    Matched,
    Outcome,
    Part,
    Reason,
    Row,
    is_over,
    is_there,
    settles,
    units,
)
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.words import says_words

_MOST, _MOST_SUMS, _MOST_CLAIMS = 6, 3, 8
_AWAY = timedelta(days=10)
# who pays more than is open rounds up to whole units, or adds interest: a fiftieth
_ROUNDED_UP, _ADDED = 100, 50
# codes of rows without VAT, and of those that have the account's own
_WITHOUT_VAT = {None, 3}


def suggestions(seen: Seen, outcome: Outcome | None, candidates: Candidates) -> list[Matched]:
    """Return what a line may be, each with the reason why it is suggested, the likeliest first, and few of them."""
    found: list[Matched] = [outcome] if isinstance(outcome, Matched) else []
    near = list(outcome.near) if isinstance(outcome, Left) else []
    claims = {one.key: one for one in (*near, *_claims(seen, candidates.claims)) if one.open * seen.cents > 0}
    likely = sorted(claims.values(), key=lambda one: (-len(_whys(seen, one)), one.day, one.id))
    told = [(one, " and ".join(_whys(seen, one)) or "known by matching") for one in likely]
    accounts = candidates.differences
    alone = [chosen for one, why in told if (chosen := settling(seen, [one], why, accounts)) is not None]
    alone = [one for one in alone if not is_over(one) or _may_be_over(seen, one.parts[0])]
    whole = [one for one in alone if one.parts[0].cents == one.claims[0].open]
    sums = _sums(seen, likely, candidates.claims)
    together = (settling(seen, some, "the amount of these together", accounts) for some in sums)
    found += [*whole, *(one for one in islice(together, _MOST_SUMS) if one), *alone]
    found += [is_there(Reason.BOOKED, one) for one in candidates.sides if _is_near(seen, one)]
    found += _on_their_way(seen, candidates)
    found += [by_rule(seen, one, accounts) for one in Index(candidates).rules_for(seen)]
    distinct: dict[object, Matched] = {}
    for one in found:
        distinct.setdefault((one.side, one.rule, one.twin, tuple(claim.key for claim in one.claims), one.rows), one)
    return [one for one in distinct.values() if not one.lacks][:_MOST]


def settling(seen: Seen, claims: Sequence[Claim], why: str, accounts: Differences) -> Matched | None:
    """Return a line as the payment of claims: the oldest first, what is over on the last; None where that cannot be.

    Only what is in the books is paid too much, or twice where nothing is open; none is refunded so, and what an action
    settles is settled alone. Fees, exchange and rounding of one claim, and what reminders of several asked for, go to
    their `accounts`, where there are such.
    """
    if not claims or not all(_takes(one, seen) for one in claims):
        return None
    if len(claims) > 1 and not all(one.is_booked for one in claims):
        return None
    if len(claims) == 1 and claims[0].open and (whole := _whole(seen, claims[0], why, accounts)) is not None:
        return whole
    if len(claims) > 1 and (late := with_late(seen, claims, accounts, Reason.CHOSEN, why)) is not None:
        return late
    rest, parts = seen.cents, []
    for claim in sorted(claims, key=lambda one: (one.day, one.key)):
        taken = min(claim.open, rest, key=abs)
        parts.append(Part(claim, taken))
        rest -= taken
    if rest and not _is_payment(parts[-1].claim, rest):
        return None
    if claims[0].is_whole and seen.cents != claims[0].open:
        return None
    parts[-1] = parts[-1]._replace(over=rest)
    last = parts[-1]
    if rest:
        why = f"{why}, {units(rest)} more than is open"
    elif abs(last.cents) < abs(last.claim.open):
        why = f"{why}, a part of {units(last.claim.open)}"
    return settles(Reason.CHOSEN, why, [part for part in parts if part.cents or part.over])


def _whole(seen: Seen, claim: Claim, why: str, accounts: Differences) -> Matched | None:
    """Return a line as all that is open of a claim, differences on accounts of their own; None where it is not that."""
    found = exactly(seen, claim, claim.open, accounts, Reason.CHOSEN, why)
    found = found or but_for_rounding(seen, claim, claim.open, accounts, Reason.CHOSEN, why)
    return None if found is None or found.lacks else found._replace(reason=Reason.CHOSEN)


def _takes(claim: Claim, seen: Seen) -> bool:
    is_paid_twice = not claim.open and _is_payment(claim, seen.cents)
    return claim.kind is not Kind.UNPOSTED and (claim.open * seen.cents > 0 or is_paid_twice)


def _is_payment(claim: Claim, cents: int) -> bool:
    """Whether money goes the way of a payment, of which a claim takes more than is open of it."""
    is_income = claim.kind is Kind.INVOICE
    return claim.is_booked and not claim.currency and (cents > 0) == is_income


def settled_by_rows(seen: Seen, rows: Iterable[Row], claims: Iterable[Claim]) -> list[Part]:
    """Return what rows without VAT settle: what is open of the one claim on their account that a line speaks for."""
    near = [one for one in _claims(seen, claims) if one.is_booked]
    found = []
    for row in rows:
        some = [one for one in near if (one.account, one.open) == (row.account, -row.cents)]
        if len(some) == 1 and row.vat_code in _WITHOUT_VAT:
            near.remove(some[0])
            found.append(Part(some[0], some[0].open))
    return found


def _may_be_over(seen: Seen, part: Part) -> bool:
    """Whether a line that is more than is open of a claim has its reference, or is little more."""
    is_little = abs(part.over) <= max(_ROUNDED_UP, abs(part.cents) // _ADDED)
    return is_little or bool(seen.references & part.claim.references)


def _sums(seen: Seen, likely: Sequence[Claim], claims: Iterable[Claim]) -> Iterator[Sequence[Claim]]:
    """Yield claims that come to a line together: of the likely ones any, of others two on one payer."""
    some = [one for one in likely if one.is_booked and not one.currency][:_MOST_CLAIMS]
    for number in range(2, len(some) + 1):
        yield from (few for few in combinations(some, number) if seen.cents in _sums_of(few))
    before: defaultdict[tuple[str, int], list[Claim]] = defaultdict(list)
    for one in claims:
        if one in some or not one.is_booked or one.currency or one.open * seen.cents <= 0:
            continue
        for name in one.names:
            yield from ([other, one] for other in before[name, seen.cents - one.open])
            before[name, one.open].append(one)


def _sums_of(claims: Sequence[Claim]) -> set[int]:
    """Return what is open of claims, and that with what their last reminders asked for."""
    whole = sum(one.open for one in claims)
    return {whole, whole + sum(sum(one.late[0]) for one in claims if one.late)}


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
