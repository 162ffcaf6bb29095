"""What a line settles of one claim, and what becomes of the difference (docs/bank.md 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from acctcli.banking.matching.candidates import Claim, Differences, Kind, Rule
from acctcli.banking.matching.outcome import Left, Matched, Outcome, Part, Reason, Row, settles, units
from acctcli.banking.matching.seen import Seen

# a rate of exchange that moved by more than a fifth is another bill
_MOST_MOVED = 5


class _Rest(NamedTuple):
    """What a line differs by of what it is: cents, the account for that, what it is called, and of what it is."""

    cents: int
    account: int | None
    name: str
    of: str


def exactly(seen: Seen, claim: Claim, owed: int, accounts: Differences, reason: Reason, said: str) -> Matched | None:
    """Return the outcome where a line is all that is open of a claim, charges and rates apart; None where it is not."""
    if seen.cents == owed:
        return settles(reason, said, [Part(claim, owed)])
    if seen.fees and seen.whole == owed:
        return _with_rests(
            [Part(claim, owed)], [_Rest(seen.fees, accounts.fees, "fees", claim.title)], reason, f"{said}, less fees"
        )
    if claim.is_booked and (asked := _asked_for(seen, claim, owed, accounts)):
        return _with_rests([Part(claim, owed)], asked, reason, f"{said}, with what a reminder asked for")
    if claim.currency and seen.currency == claim.currency and seen.original == claim.original:
        moved = owed - seen.whole
        if abs(moved) * _MOST_MOVED > abs(owed):
            lacks = f"{claim.title} is open with {units(owed)}, far from what this took in {claim.currency}"
            return settles(Reason.CURRENCY, said, [Part(claim, owed)], lacks=lacks)
        told = f"{said}, {units(claim.original)} {claim.currency}"
        fees, moving = (
            _Rest(seen.fees, accounts.fees, "fees", claim.title),
            _Rest(moved, accounts.exchange, "exchange", claim.title),
        )
        return _with_rests([Part(claim, owed)], [fees, moving], Reason.CURRENCY, told)
    return None


def _asked_for(seen: Seen, claim: Claim, owed: int, accounts: Differences) -> list[_Rest]:
    """Return what a line brings beyond what is open where one of the reminders asked for exactly that."""
    for interest, fees in claim.late:
        if seen.cents == owed + interest + fees and not seen.fees:
            return _late(claim, interest, fees, accounts)
    return []


def _late(claim: Claim, interest: int, fees: int, accounts: Differences) -> list[_Rest]:
    return [
        _Rest(-interest, accounts.late_interest, "late interest", claim.title),
        _Rest(-fees, accounts.reminder_fees, "reminder fees or lump sum", claim.title),
    ]


def with_late(seen: Seen, claims: Sequence[Claim], accounts: Differences, reason: Reason, said: str) -> Matched | None:
    """Return the outcome of a line that is more than all that is open of several claims, some of them reminded.

    It is what the last reminder of each asked for, or lacks an account; None of what is not more, or of none reminded.
    """
    rest = seen.cents - sum(one.open for one in claims)
    if rest <= 0 or not any(one.late for one in claims):
        return None
    parts = [Part(one, one.open) for one in claims]
    asked = [late for one in claims if one.late for late in _late(one, *one.late[0], accounts)]
    if rest + sum(one.cents for one in asked) or seen.fees:
        lacks = f"{units(rest)} is more than is open of these, and not what their last reminders asked for"
        return settles(reason, said, parts, lacks=lacks)
    return _with_rests(parts, asked, reason, f"{said}, with what reminders asked for")


def nearly(seen: Seen, claim: Claim, owed: int, accounts: Differences, reason: Reason, said: str) -> Outcome:
    """Return what comes of a line that is for a claim by its reference or number: all, a part, or too much of it."""
    if (whole := exactly(seen, claim, owed, accounts, reason, said)) is not None:
        return whole
    if claim.is_whole or claim.currency or seen.fees:
        return Left(f"{claim.title} is open with {units(owed)}, which this is not", (claim,))
    if (rounded := but_for_rounding(seen, claim, owed, accounts, reason, said)) is not None:
        return rounded
    short = abs(owed) - abs(seen.cents)
    if short > 0:
        return settles(reason, f"{said}, a part of {units(owed)}", [Part(claim, seen.cents)])
    if claim.is_booked and claim.late:
        why = f"{claim.title} is open with {units(owed)}, and this is not what its reminders asked for"
        return Left(why, (claim,))
    if claim.kind is Kind.INVOICE and reason is Reason.REFERENCE and owed > 0:
        told = f"{said}, {units(-short)} more than is open"
        return settles(reason, told, [Part(claim, owed, seen.cents - owed)])
    return Left(f"{claim.title} is open with {units(owed)}, and this is more", (claim,))


def but_for_rounding(
    seen: Seen, claim: Claim, owed: int, accounts: Differences, reason: Reason, said: str
) -> Matched | None:
    """Return the outcome of a line that is all that is open of a claim but for some cents, where an account takes them.

    None where it is not.
    """
    rest = owed - seen.cents
    is_plain = claim.is_booked and not claim.currency and not seen.fees
    if not is_plain or accounts.rounding is None or not 0 < abs(rest) <= accounts.rounding_limit:
        return None
    some = [_Rest(rest, accounts.rounding, "rounding", claim.title)]
    return _with_rests([Part(claim, owed)], some, reason, f"{said}, but for {units(rest)} of rounding")


def by_rule(seen: Seen, rule: Rule, accounts: Differences) -> Matched:
    """Return the outcome of a line that a rule books, but for the fees that were taken out of it."""
    moved, fees, lacks = before_fees(seen, accounts)
    row = Row(rule.account, -moved, "", rule.vat_code, rule.vat_rate)
    fault = rule.fault_on(seen.day) if rule.fault_on is not None else ""
    return Matched(Reason.RULE, rule.title, (row, *fees), rule=rule, lacks=fault or lacks)


def before_fees(seen: Seen, accounts: Differences) -> tuple[int, list[Row], str]:
    """Return the cents that moved before fees were taken, the row of these, and whether it lacks an account.

    What is nothing but fees is not taken apart.
    """
    if not seen.fees or seen.whole * seen.cents <= 0:
        return seen.cents, [], ""
    return seen.whole, *_rows_of([_Rest(seen.fees, accounts.fees, "fees", "Fees")])


def _with_rests(parts: Sequence[Part], rests: Iterable[_Rest], reason: Reason, said: str) -> Matched:
    """Return the outcome of a line that settles claims with differences, each posted to an account of its own."""
    rows, lacks = _rows_of(rests)
    return settles(reason, said, parts, rows, lacks)


def _rows_of(rests: Iterable[_Rest]) -> tuple[list[Row], str]:
    """Return the rows of differences, and in words which of them have no account."""
    some = [one for one in rests if one.cents]
    homeless = Counter[str]()
    for one in some:
        if not one.account:
            homeless[one.name] += one.cents
    lacks = " and ".join(f"{units(cents)} of it is {name}" for name, cents in homeless.items())
    rows = [Row(one.account, one.cents, one.of) for one in some]
    return rows, f"{lacks}, and the rules name no account for that" if lacks else ""
