"""Statements against books: by tag, whatever the order, and what is named always adds up to what the balances say."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.statements import comparing
from acctcli.banking.statements.comparing import Booked, Comparison, Difference, Told

FIRST = date(2026, 3, 1)
LAST = FIRST + timedelta(days=6)
TAGS = ("bank-aaaaaaaaaaaa", "bank-bbbbbbbbbbbb.1", "bank-bbbbbbbbbbbb.2", "bank-bbbbbbbbbbbb", "bank-cccccccccccc")
days = st.integers(0, 6).map(lambda number: FIRST + timedelta(days=number))
cents = st.integers(-3, 3).filter(bool)
lines = st.lists(st.tuples(st.sampled_from(TAGS), days, cents), max_size=8)
documents = st.lists(st.tuples(days, cents, st.frozensets(st.sampled_from(TAGS), max_size=2)), max_size=8)


def compared(some: list[tuple[str, date, int]], booked: list[tuple[date, int, frozenset[str]]]) -> Comparison:
    made = Comparison()
    for number, (day, amount, tags) in enumerate(booked, 1):
        made.book(Booked(number, f"document {number}", day, amount, tags))
    for number, (tag, day, amount) in enumerate(some, 1):
        made.tell(Told("s.xml", number, "", tag, day, amount))
    return made


@given(lines, documents, st.integers(-5, 5), st.integers(-5, 5), st.sampled_from([1, 2, 1_000]))
def test_what_is_named_and_counted_adds_up_to_what_the_balances_differ_by(
    some: list[tuple[str, date, int]], booked: list[tuple[date, int, frozenset[str]]], bank: int, books: int, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "MOST_NAMED", most)
        made = compared(some, booked)
        found = made.differences(FIRST, LAST)
    assert sum(not one.others for one in found) <= most
    first_of_each = {tag: (day, amount) for tag, day, amount in reversed(some)}
    for day in made.days(FIRST, LAST, bank, books):
        told = sum(amount for one, amount in first_of_each.values() if one <= day.day)
        written = sum(amount for one, amount, _ in booked if one <= day.day)
        assert (day.bank, day.books) == (bank + told, books + written)
        assert day.difference == bank - books + sum(one.cents for one in found if one.day <= day.day)


@given(lines, documents)
def test_a_line_and_a_document_that_are_alike_are_not_named(
    some: list[tuple[str, date, int]], booked: list[tuple[date, int, frozenset[str]]]
) -> None:
    tag, day, amount = "bank-dddddddddddd", FIRST, 500
    without = compared(some, booked).differences(FIRST, LAST)
    both = compared([*some, (tag, day, amount)], [*booked, (day, amount, frozenset({tag}))])
    assert both.differences(FIRST, LAST) == without


def test_parts_of_a_batch_are_compared_with_the_whole() -> None:
    whole = (FIRST, 300, frozenset({"bank-bbbbbbbbbbbb"}))
    parts = [("bank-bbbbbbbbbbbb.1", FIRST, 100), ("bank-bbbbbbbbbbbb.2", FIRST, 200)]
    assert compared(parts, [whole]).differences(FIRST, LAST) == []
    (found,) = compared(parts[:1], [whole]).differences(FIRST, LAST)
    assert (found.cents, len(found.lines), len(found.documents)) == (-200, 1, 1)


def test_a_document_for_two_lines_is_compared_with_both() -> None:
    both = (FIRST, 300, frozenset({TAGS[0], TAGS[4]}))
    some = [(TAGS[0], FIRST, 100), (TAGS[4], FIRST, 200)]
    assert compared(some, [both]).differences(FIRST, LAST) == []


def test_another_day_is_named_on_both_days_and_a_gap_by_itself() -> None:
    made = compared([(TAGS[0], FIRST, 100)], [(LAST, 100, frozenset({TAGS[0]}))])
    made.leave_out(LAST, 7)
    found = made.differences(FIRST, LAST)
    assert [(one.day, one.cents) for one in found] == [(FIRST, 100), (LAST, 7), (LAST, -100)]
    assert found[1] == Difference(LAST, 7)
    assert made.differences(FIRST + timedelta(days=1), LAST - timedelta(days=1)) == []


def test_beyond_a_number_differences_are_counted_by_day_and_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "MOST_NAMED", 2)
    some = [(f"bank-{letter * 12}", FIRST, 5) for letter in "abcd"]
    (one, two, others, document) = compared(some, [(LAST, 9, frozenset())]).differences(FIRST, LAST)
    assert [(found.cents, len(found.lines)) for found in (one, two)] == [(5, 1), (5, 1)]
    assert others == Difference(FIRST, 10, others=2)
    assert document == Difference(LAST, -9, others=1, is_told=False)
    assert all(found.is_fault for found in (one, two, others, document))


def test_lines_of_days_that_are_not_looked_at_leave_the_names_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "MOST_NAMED", 1)
    made = Comparison()
    made.look_at(LAST, LAST)
    for number, day in enumerate((FIRST, LAST)):
        made.tell(Told("s.xml", number, "", TAGS[number], day, 5))
    (found,) = made.differences(LAST, LAST)
    assert [line.number for line in found.lines] == [1]
