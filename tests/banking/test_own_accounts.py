"""Which account of money is meant where none is named."""

from __future__ import annotations

import pytest

from acctcli.banking.own_accounts import is_transit, usual_bank
from acctcli.service.rules.invoice_books import HeldAt

IBAN = "DE89 3704 0044 0532 0130 00"
CASH, TILL, TRANSIT, FIRST, HIDDEN, HOLDER = (
    HeldAt(1, "Kasse", True),
    HeldAt(2, "Nebenkasse", True),
    HeldAt(3, "Geldtransit", True),
    HeldAt(4, "Bankkonto", True),
    HeldAt(5, "Altes Bankkonto", False),
    HeldAt(6, "Zweites Bankkonto DE89370400440532013000", True),
)


@pytest.mark.parametrize(
    ("accounts", "iban", "found"),
    [
        ([CASH, TRANSIT, FIRST, HOLDER], None, FIRST),
        ([CASH, TRANSIT, FIRST, HOLDER], "", FIRST),
        ([CASH, TILL, TRANSIT, FIRST, HOLDER], IBAN, HOLDER),
        ([CASH, TRANSIT, FIRST], IBAN, FIRST),
        ([CASH, TRANSIT, HIDDEN, FIRST], None, FIRST),
        ([CASH, TRANSIT, HIDDEN], None, HIDDEN),
        ([CASH, TRANSIT], None, TRANSIT),
        ([CASH], IBAN, None),
    ],
)
def test_the_usual_bank(accounts: list[HeldAt], iban: str | None, found: HeldAt | None) -> None:
    assert usual_bank(accounts, CASH.id, iban) == (found and found.id)


def test_money_in_transit_is_told_by_its_name() -> None:
    told = ["Geldtransit", "Pengar på väg 1", "1990 Money in transit (banks)", "Transit bank", "Bankkonto"]
    assert [is_transit(one) for one in told] == [True, True, True, False, False]
