"""What moved on the VAT accounts, what is owed, and what can be netted (docs/interface.md 9.3, 10.4)."""

from __future__ import annotations

import pytest

from acctcli.models.enums import AccountType
from acctcli.service.rules.vat_sums import VatMovement, VatSums, vat_sums

OUTPUT, INPUT = AccountType.LIA_VAT, AccountType.ASS_VAT


def test_each_account_has_its_natural_sign_and_the_base_does_not_count() -> None:
    movements = [
        VatMovement(1, 2550, None, False, 20000),
        VatMovement(1, 2550, OUTPUT, False, 5100),
        VatMovement(1, 2550, OUTPUT, True, 100),
        VatMovement(2, 2550, None, True, 5000),
        VatMovement(2, 2550, INPUT, True, 1275),
        VatMovement(2, 2550, INPUT, False, 75),
        VatMovement(8, 2550, OUTPUT, False, 2550),
        VatMovement(8, 2550, INPUT, True, 2550),
    ]
    assert vat_sums(movements) == VatSums(5100 - 100 + 2550, 1275 - 75 + 2550)


def test_nothing_moved() -> None:
    assert vat_sums([]) == VatSums(0, 0)


@pytest.mark.parametrize(
    ("liabilities", "receivables", "payable", "netted"),
    [
        (5100, 1275, 3825, 1275),
        (1275, 5100, -3825, 1275),
        (5100, 0, 5100, 0),
        (0, 5100, -5100, 0),
        (-500, 100, -600, 0),
        (500, -100, 600, 0),
        (-500, -100, -400, 0),
        (700, 700, 0, 700),
    ],
)
def test_what_is_owed_and_what_is_netted(liabilities: int, receivables: int, payable: int, netted: int) -> None:
    sums = VatSums(liabilities, receivables)
    assert (sums.payable, sums.netted) == (payable, netted)
