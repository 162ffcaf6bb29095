"""What a line settles of one claim, and what becomes of the difference (docs/bank.md 6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from acctcli.banking.matching.candidates import Claim, Differences, Kind
from acctcli.banking.matching.outcome import Left, Matched, Outcome, Part, Reason, Row, settles, units
from acctcli.banking.matching.seen import Seen

# a rate of exchange that moved by more than a fifth is another bill
_MOST_MOVED = 5


class _Rest(NamedTuple):
    """What a line differs by: cents, the account for that, and what it is called."""

    cents: int
    account: int | None
    name: str


def exactly(seen: Seen, claim: Claim, owed: int, accounts: Differences, reason: Reason, said: str) -> Matched | None:
    """Return the outcome where a line is all that is open of a claim, charges and rates apart; None where it is not."""
    if seen.cents == owed:
        return settles(reason, said, [Part(claim, owed)])
    if seen.fees and seen.whole == owed:
        return _with_rests(claim, owed, [_Rest(seen.fees, accounts.fees, "fees")], reason, f"{said}, less fees")
    if claim.is_booked and (asked := _asked_for(seen, claim, owed, accounts)):
        return _with_rests(claim, owed, asked, reason, f"{said}, with what a reminder asked for")
    if claim.currency and seen.currency == claim.currency and seen.original == claim.original:
        moved = owed - seen.whole
        if abs(moved) * _MOST_MOVED > abs(owed):
            lacks = f"{claim.title} is open with {units(owed)}, far from what this took in {claim.currency}"
            return settles(Reason.CURRENCY, said, [Part(claim, owed)], lacks=lacks)
        told = f"{said}, {units(claim.original)} {claim.currency}"
        rests = [_Rest(seen.fees, accounts.fees, "fees"), _Rest(moved, accounts.exchange, "exchange")]
        return _with_rests(claim, owed, rests, Reason.CURRENCY, told)
    return None


def _asked_for(seen: Seen, claim: Claim, owed: int, accounts: Differences) -> list[_Rest]:
    """Return what a line brings beyond what is open where one of the reminders asked for exactly that."""
    for interest, fees in claim.late:
        if seen.cents == owed + interest + fees and not seen.fees:
            charges = _Rest(-fees, accounts.reminder_fees, "reminder fees or lump sum")
            return [_Rest(-interest, accounts.late_interest, "late interest"), charges]
    return []


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
    some = [_Rest(rest, accounts.rounding, "rounding")]
    return _with_rests(claim, owed, some, reason, f"{said}, but for {units(rest)} of rounding")


def _with_rests(claim: Claim, owed: int, rests: Iterable[_Rest], reason: Reason, said: str) -> Matched:
    """Return the outcome of a line that settles a claim with differences, each posted to an account of its own."""
    some = [one for one in rests if one.cents]
    lacks = " and ".join(f"{units(one.cents)} of it is {one.name}" for one in some if not one.account)
    rows = [Row(one.account, one.cents, claim.title) for one in some]
    told = f"{lacks}, and the rules name no account for that" if lacks else ""
    return settles(reason, said, [Part(claim, owed)], rows, told)
