"""What moved on the VAT accounts, what is owed, and what can be netted (docs/interface.md 9.3, 10.4)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.law.filing import VatGroup
from acctcli.models.enums import AccountType
from acctcli.service.rules.vat_sums import VatMovement, VatSums, vat_groups, vat_sums

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


@pytest.mark.parametrize(("given", "sign"), [(True, 1), (False, -1)])
def test_groups_are_signed_towards_their_side(given: bool, sign: int) -> None:
    """What was sold and bought, or all of it taken back: each group in the order of its code and rate."""
    movements = [
        VatMovement(8, 2550, None, given, 10000),
        VatMovement(8, 2550, OUTPUT, not given, 2550),
        VatMovement(8, 2550, INPUT, given, 2550),
        VatMovement(2, 1350, None, given, 5000, is_apart=True),
        VatMovement(2, 1350, INPUT, given, 675),
        VatMovement(1, 2550, None, not given, 20000),
        VatMovement(1, 2550, None, not given, 1000, is_apart=True),
        VatMovement(1, 2550, OUTPUT, not given, 5355),
        VatMovement(1, 1350, None, not given, 100),
    ]

    def group(code: int, rate: str, base: str, output: str, deducted: str, apart: str) -> VatGroup:
        one, two, three, four = (sign * Decimal(amount) for amount in (base, output, deducted, apart))
        return VatGroup(code, Decimal(rate), one, two, three, four)

    assert vat_groups(movements) == [
        group(1, "13.50", "1.00", "0", "0", "0"),
        group(1, "25.50", "210.00", "53.55", "0", "10.00"),
        group(2, "13.50", "50.00", "0", "6.75", "50.00"),
        group(8, "25.50", "100.00", "25.50", "25.50", "0"),
    ]
