"""What a line settles of one claim, and what becomes of the difference (docs/bank.md 6)."""

from __future__ import annotations

from acctcli.banking.matching.candidates import Claim, Differences, Kind
from acctcli.banking.matching.outcome import Left, Matched, Outcome, Part, Reason, Row, settles
from acctcli.banking.matching.seen import Seen

# a rate of exchange that moved by more than a fifth is another bill
_MOST_MOVED = 5


def exactly(seen: Seen, claim: Claim, owed: int, accounts: Differences, reason: Reason, said: str) -> Matched | None:
    """Return the outcome where a line is all that is open of a claim, charges and rates apart; None where it is not."""
    if seen.cents == owed:
        return settles(reason, said, [Part(claim, owed)])
    if seen.fees and seen.whole == owed:
        return _with_rest(claim, owed, seen.fees, accounts.fees, reason, f"{said}, less fees", "fees")
    if claim.currency and seen.currency == claim.currency and seen.original == claim.original:
        if abs(seen.cents - owed) * _MOST_MOVED > abs(owed):
            lacks = f"{claim.title} is open with {_units(owed)}, far from what this took in {claim.currency}"
            return settles(Reason.CURRENCY, said, [Part(claim, owed)], lacks=lacks)
        told = f"{said}, {_units(claim.original)} {claim.currency}"
        return _with_rest(claim, owed, owed - seen.cents, accounts.exchange, Reason.CURRENCY, told, "exchange")
    return None


def nearly(seen: Seen, claim: Claim, owed: int, accounts: Differences, reason: Reason, said: str) -> Outcome:
    """Return what comes of a line that is for a claim by its reference or number: all, a part, or too much of it."""
    if (whole := exactly(seen, claim, owed, accounts, reason, said)) is not None:
        return whole
    if claim.kind is Kind.TAX or claim.currency or seen.fees:
        return Left(f"{claim.title} is open with {_units(owed)}, which this is not", (claim,))
    short = abs(owed) - abs(seen.cents)
    if claim.is_booked and accounts.rounding is not None and abs(short) <= accounts.rounding_limit:
        rest = owed - seen.cents
        return _with_rest(claim, owed, rest, accounts.rounding, reason, f"{said}, but for rounding", "rounding")
    if short > 0:
        return settles(reason, f"{said}, a part of {_units(owed)}", [Part(claim, seen.cents)])
    if claim.kind is Kind.INVOICE and reason is Reason.REFERENCE and owed > 0:
        told = f"{said}, {_units(-short)} more than is open"
        return settles(reason, told, [Part(claim, owed, seen.cents - owed)])
    return Left(f"{claim.title} is open with {_units(owed)}, and this is more", (claim,))


def _with_rest(
    claim: Claim, owed: int, rest: int, account: int | None, reason: Reason, said: str, name: str
) -> Matched:
    """Return the outcome of a line that settles a claim with a difference, to be posted to an account of its own."""
    lacks = "" if account else f"{_units(rest)} of it is {name}, and the rules name no account for that"
    return settles(reason, said, [Part(claim, owed)], [Row(account, rest, claim.title)] if rest else [], lacks)


def _units(cents: int) -> str:
    return f"{abs(cents) // 100}.{abs(cents) % 100:02}"
