"""Lines and claims for tests of matching, with little said and the rest usual."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from acctcli.banking.matching.candidates import Candidates, Claim, Differences, Kind, OwnAccount, names_of
from acctcli.banking.matching.outcome import Left, Matched, Outcome
from acctcli.banking.matching.seen import Seen, see
from acctcli.banking.matching.steps import match
from acctcli.banking.statements.model import Line

BANK, SECOND, RECEIVABLES, PAYABLES, VAT, FEES, ROUNDING, EXCHANGE = 1, 2, 10, 20, 30, 40, 41, 42
OWN_IBAN, SECOND_IBAN, OTHER_IBAN = "FI2112345600000785", "FI1410093000123458", "DE89370400440532013000"
DAY = date(2026, 3, 10)
ACCOUNTS = Differences(FEES, ROUNDING, 5, EXCHANGE)
OWN = (
    OwnAccount(BANK, "1910 Bank account", frozenset({OWN_IBAN})),
    OwnAccount(SECOND, "1920 Second bank account", frozenset({SECOND_IBAN})),
)


def line(amount: str, **said: object) -> Line:
    values: dict[str, object] = {"number": 1, "booked": DAY, "name": "Asiakas Oy", **said}
    return Line(amount=Decimal(amount), **values)  # type: ignore[arg-type]


def seen(key: str, amount: str, account: int = BANK, **said: object) -> Seen:
    return see(line(amount, **said), key, account)


def invoice(number: int, amount: str, reference: str = "", name: str = "Asiakas Oy", **more: object) -> Claim:
    found = Claim(
        key=f"invoice {number}", kind=Kind.INVOICE, id=number, title=f"Invoice {number}",
        open=int(Decimal(amount) * 100), day=date(2026, 3, 1), account=RECEIVABLES, document=100 + number,
        references=frozenset({reference} if reference else ()), numbers=frozenset({str(number)}), names=names_of(name),
    )  # fmt: skip
    return replace(found, **more)  # type: ignore[arg-type]


def purchase(number: int, amount: str, **more: object) -> Claim:
    """What is owed to a supplier: money is expected to leave."""
    found = invoice(number, f"-{amount}", name="Toimittaja Oy")
    return replace(
        found,
        **{"key": f"purchase {number}", "kind": Kind.PURCHASE, "account": PAYABLES, **more},  # type: ignore[arg-type]
    )


def outcomes(lines: list[Seen], *claims: Claim, **more: object) -> dict[str, Outcome]:
    found = Candidates(claims, own=OWN, differences=ACCOUNTS)
    return match(lines, replace(found, **more))  # type: ignore[arg-type]


def only(line: Seen, *claims: Claim, **more: object) -> Outcome:
    (found,) = outcomes([line], *claims, **more).values()
    return found


def matched(line: Seen, *claims: Claim, **more: object) -> Matched:
    found = only(line, *claims, **more)
    assert isinstance(found, Matched), found
    return found


def left(line: Seen, *claims: Claim, **more: object) -> Left:
    found = only(line, *claims, **more)
    assert isinstance(found, Left), found
    return found
