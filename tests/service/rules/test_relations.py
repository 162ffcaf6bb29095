"""Pairs of documents: which meet, who settles, how sure that is."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.models.enums import RelationRole
from acctcli.service.rules.relations import (
    MONEY,
    Movement,
    Pair,
    Party,
    Suggestion,
    open_items,
    pair_up,
    suggest,
)

DAY = date(2026, 4, 2)
ACCRUAL, SETTLEMENT = RelationRole.ACCRUAL, RelationRole.SETTLEMENT
BANK = Movement(1, "1910", MONEY, True, 25100)
SALE = Movement(9, "3000", "REV_SAL", False, 25100)
CLAIM = Movement(2, "1700", "ASS_DUE", True, 25100)
DEBT = Movement(3, "2871", "LIA_DUE", False, 25100)


def party(
    document_id: int,
    *items: Movement,
    pays: bool = False,
    days: int = 0,
    contact: int | None = None,
) -> Party:
    return Party(document_id, f"D{document_id}", DAY + timedelta(days), contact, pays, frozenset(items))


# --- pairs ---


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from(RelationRole))
def test_a_pair_is_the_same_from_both_sides(one: int, other: int, role: RelationRole) -> None:
    if one == other:
        return
    pair = pair_up(one, role, other)
    opposite = SETTLEMENT if role == ACCRUAL else ACCRUAL
    assert pair == pair_up(other, opposite, one)
    assert (pair.low_id, pair.high_id) == (min(one, other), max(one, other))
    accrual = one if role == ACCRUAL else other
    assert pair == Pair(min(one, other), max(one, other), accrual == min(one, other))


# --- open items ---


def test_items_stand_on_receivables_and_payables() -> None:
    assert open_items([BANK, SALE, CLAIM, DEBT]) == {CLAIM, DEBT}


def test_an_item_is_open_until_the_same_is_posted_on_the_other_side() -> None:
    half = CLAIM.counterpart._replace(amount=12550)
    elsewhere = CLAIM.counterpart._replace(account_id=4)
    assert open_items([CLAIM], [half, half, CLAIM, elsewhere]) == {CLAIM}
    assert open_items([CLAIM], [CLAIM.counterpart]) == set()


def test_equal_items_are_cleared_one_by_one() -> None:
    assert open_items([CLAIM, CLAIM], [CLAIM.counterpart]) == {CLAIM}
    assert open_items([CLAIM, CLAIM], [CLAIM.counterpart] * 2) == set()


movements = st.builds(
    Movement, st.just(2), st.just("1700"), st.sampled_from(["ASS_DUE", MONEY]), st.booleans(), st.integers(1, 3)
)


@given(st.lists(movements), st.lists(movements))
def test_what_is_open_is_what_is_left_over(own: list[Movement], related: list[Movement]) -> None:
    found = open_items(own, related)
    held, cleared = Counter(own), Counter(movement.counterpart for movement in related)
    for movement in {*own, *related}:
        assert (movement in found) == (movement.type == "ASS_DUE" and held[movement] > cleared[movement])


# --- suggestions ---


def test_a_payment_settles_an_invoice_and_the_invoice_is_accrued() -> None:
    invoice, payment = party(1, CLAIM, days=-14, contact=7), party(2, CLAIM.counterpart, pays=True, contact=7)
    reason = "D2 clears 251.00 of D1 on account 1700: the same contact, 14 days apart."
    assert suggest(payment, [invoice]) == [Suggestion(1, SETTLEMENT, reason, 100)]
    assert suggest(invoice, [payment]) == [Suggestion(2, ACCRUAL, reason, 100)]


def test_a_bill_is_settled_from_the_other_side() -> None:
    bill, payment = party(1, DEBT), party(2, DEBT.counterpart, pays=True)
    reason = "D2 clears 251.00 of D1 on account 2871: the same day."
    assert suggest(bill, [payment]) == [Suggestion(2, ACCRUAL, reason, 75)]


def test_a_refund_settles_a_credit_note() -> None:
    note, refund = party(1, CLAIM.counterpart), party(2, CLAIM, pays=True, days=1)
    reason = "D2 clears 251.00 of D1 on account 1700: 1 day apart."
    assert suggest(note, [refund]) == [Suggestion(2, ACCRUAL, reason, 75)]


def test_of_two_that_move_money_the_item_decides() -> None:
    arises, clears = party(1, CLAIM, pays=True), party(2, CLAIM.counterpart, pays=True)
    assert [one.role for one in suggest(arises, [clears])] == [ACCRUAL]
    assert [one.role for one in suggest(clears, [arises])] == [SETTLEMENT]
    owed, paid = party(1, DEBT, pays=True), party(2, DEBT.counterpart, pays=True)
    assert [one.role for one in suggest(owed, [paid])] == [ACCRUAL]
    assert [one.role for one in suggest(paid, [owed])] == [SETTLEMENT]


@pytest.mark.parametrize(
    "other",
    [
        party(2, CLAIM.counterpart),
        party(2, CLAIM, pays=True),
        party(2, CLAIM.counterpart._replace(amount=25099), pays=True),
        party(2, CLAIM.counterpart._replace(account_id=4), pays=True),
        party(2, pays=True),
    ],
    ids=["no money moves", "the same side", "another amount", "another account", "nothing open"],
)
def test_what_does_not_meet_is_not_suggested(other: Party) -> None:
    assert suggest(party(1, CLAIM), [other]) == []


@pytest.mark.parametrize(
    ("contact", "days", "score"),
    [(7, 60, 100), (7, -60, 100), (7, 61, 85), (8, 60, 75), (None, 0, 75), (8, -61, 60), (None, 9999, 60)],
)
def test_scores(contact: int | None, days: int, score: int) -> None:
    invoice = party(1, CLAIM, contact=7)
    payment = party(2, CLAIM.counterpart, pays=True, contact=contact, days=days)
    assert [one.score for one in suggest(invoice, [payment])] == [score]


def test_no_contact_is_not_the_same_contact() -> None:
    assert [one.score for one in suggest(party(1, CLAIM), [party(2, CLAIM.counterpart, pays=True)])] == [75]


def test_the_largest_amount_is_the_reason() -> None:
    small = CLAIM._replace(amount=100)
    subject = party(1, small, CLAIM)
    found = suggest(subject, [party(2, small.counterpart, CLAIM.counterpart, pays=True)])
    assert [one.reason for one in found] == ["D2 clears 251.00 of D1 on account 1700: the same day."]


candidates = st.lists(
    st.builds(
        lambda number, days, contact, pays, item: party(number, item, pays=pays, days=days, contact=contact),
        st.integers(2, 99),
        st.integers(-100, 100),
        st.sampled_from([None, 7, 8]),
        st.booleans(),
        st.sampled_from([CLAIM, CLAIM.counterpart, DEBT]),
    ),
    unique_by=lambda one: one.document_id,
    max_size=40,
)


@given(candidates, st.booleans())
def test_suggestions_are_the_best_twenty_in_order(others: list[Party], pays: bool) -> None:
    subject = party(1, CLAIM, pays=pays, contact=7)
    found = suggest(subject, others)
    fitting = [one for one in others if CLAIM.counterpart in one.items and (pays or one.moves_money)]
    near = {one.document_id: abs(one.date - DAY).days for one in others}
    expected = sorted(
        ((60 + 25 * (one.contact_id == 7) + 15 * (near[one.document_id] <= 60), one.document_id) for one in fitting),
        key=lambda pair: (-pair[0], near[pair[1]], -pair[1]),
    )
    assert [(one.score, one.document_id) for one in found] == expected[:20]
    assert suggest(subject, others[::-1]) == found


@given(candidates, st.booleans())
def test_both_sides_are_suggested_each_other_in_opposite_roles(others: list[Party], pays: bool) -> None:
    subject = party(1, CLAIM, pays=pays, contact=7)
    for other in others:
        there, back = suggest(subject, [other]), suggest(other, [subject])
        assert [(one.score, one.reason) for one in there] == [(one.score, one.reason) for one in back]
        assert {one.role for one in (*there, *back)} == ({ACCRUAL, SETTLEMENT} if there else set())
