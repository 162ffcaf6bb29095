"""What reports say together: of a payment, of its batch, of its file, in whatever order they come."""

from __future__ import annotations

from itertools import permutations

import pytest

from acctcli.banking.payments.identity import PaymentId
from acctcli.banking.payments.status import Fate, Said
from acctcli.cli.bank.confirming import verdicts_of
from acctcli.errors import UsageError

FILE = "pay-3k7q2m4x5pad"
ONE, TWO, OTHER = PaymentId(FILE, 1, 1), PaymentId(FILE, 2, 2), PaymentId(FILE, 2, 3)
NOTED = (ONE, TWO, OTHER, PaymentId("pay-aaaaaaaaaaaa", 1, 1))


def said(fate: Fate, about: PaymentId | int | None = None) -> tuple[str, Said]:
    if isinstance(about, PaymentId):
        return "r.xml", Said(FILE, fate, about.batch, about)
    return "r.xml", Said(FILE, fate, about)


def fates(*reports: tuple[str, Said]) -> dict[int, Fate]:
    return {one.payment.purchase: one.said.fate for one in verdicts_of(reports, NOTED)}


def test_what_is_said_of_less_counts_before_what_is_said_of_more() -> None:
    reports = (said(Fate.WAITING), said(Fate.REJECTED, 2), said(Fate.PAID, TWO), said(Fate.WAITING, ONE))
    for order in permutations(reports):
        assert fates(*order) == {1: Fate.WAITING, 2: Fate.PAID, 3: Fate.REJECTED}


def test_what_is_final_counts_before_what_is_not() -> None:
    for order in permutations((said(Fate.WAITING, ONE), said(Fate.PAID, ONE), said(Fate.WAITING, ONE))):
        assert fates(*order) == {1: Fate.PAID}
    for order in permutations((said(Fate.PAID, ONE), said(Fate.RETURNED, ONE))):
        assert fates(*order) == {1: Fate.RETURNED}


def test_a_payment_that_nobody_noted_is_told_too() -> None:
    unknown = PaymentId(FILE, 1, 9)
    assert fates(said(Fate.PAID, unknown)) == {9: Fate.PAID}


def test_reports_that_contradict_each_other_are_refused() -> None:
    for order in permutations((said(Fate.PAID, ONE), said(Fate.REJECTED, ONE))):
        with pytest.raises(UsageError, match=f"{ONE} is .* by one report, and .* by another"):
            verdicts_of(order, NOTED)
