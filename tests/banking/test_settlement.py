"""What is open of claims, whatever was paid, credited and set off, on any day (docs/interface.md 7.5)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.settlement import Movement, Standing, settle, settled

FIRST = date(2026, 1, 1)


def day(number: int) -> date:
    return FIRST + timedelta(days=number)


def claim(document_id: int, number: int, amount: int) -> Movement:
    return Movement(document_id, day(number), amount, is_claim=True)


def other(document_id: int, number: int, amount: int) -> Movement:
    return Movement(document_id, day(number), amount, is_claim=False)


def test_a_claim_is_open_until_what_is_related_to_it_has_settled_it() -> None:
    movements = [claim(1, 0, 100), other(2, 5, -30), other(3, 9, -70), other(4, 2, -100)]
    related = [(1, 2), (3, 1)]
    stands = {number: settle(movements, related, (), until=day(number))[1] for number in (0, 4, 5, 8, 9)}
    assert stands == {
        0: Standing(100, None),
        4: Standing(100, None),
        5: Standing(70, None),
        8: Standing(70, None),
        9: Standing(0, day(9)),
    }


def test_one_payment_settles_many_claims_the_oldest_first_and_too_much_stands_on_the_last() -> None:
    movements = [claim(1, 1, 100), claim(2, 0, 200), claim(3, 3, 50), other(4, 5, -310)]
    related = [(4, 1), (4, 2), (4, 3)]
    assert settle(movements, related, ()) == {1: Standing(0, day(5)), 2: Standing(0, day(5)), 3: Standing(40, None)}
    movements.append(other(5, 6, -60))
    assert settle(movements, [*related, (5, 3)], ())[3] == Standing(-20, None)
    movements.append(other(6, 7, 20))
    assert settle(movements, [*related, (5, 3), (6, 3)], ())[3] == Standing(0, day(7))


def test_a_credit_note_takes_what_payments_leave() -> None:
    credited = [(1, 2)]
    movements = [claim(1, 0, 100), claim(2, 4, -30)]
    assert settle(movements, (), credited) == {1: Standing(70, None), 2: Standing(0, day(4))}
    assert settle(movements, (), credited, until=day(3))[1] == Standing(100, None)
    movements.append(other(3, 9, -70))
    assert settle(movements, [(3, 1)], credited) == {1: Standing(0, day(9)), 2: Standing(0, day(4))}
    for paid_on in (3, 9):
        movements[-1] = other(3, paid_on, -100)
        assert settle(movements, [(3, 1)], credited) == {1: Standing(0, day(paid_on)), 2: Standing(-30, None)}


def test_a_payment_of_several_claims_undoes_nothing_that_was_set_off_before_it() -> None:
    """All that is open is paid: whether the credit note is of an earlier day, or of the same one and was there."""
    movements = [claim(1, 0, 12_550), claim(2, 10, 25_100), claim(3, 22, -5_020), other(4, 50, -32_630)]
    for paid_on in (50, 22):
        movements[-1] = other(4, paid_on, -32_630)
        assert settle(movements, [(4, 1), (4, 2)], [(1, 3)]) == {
            1: Standing(0, day(paid_on)),
            2: Standing(0, day(paid_on)),
            3: Standing(0, day(22)),
        }


def test_what_was_related_is_set_off_before_what_was_credited() -> None:
    movements = [claim(1, 0, 100), claim(2, 5, -30), claim(3, 4, 20)]
    assert settle(movements, [(2, 3)], [(1, 2)]) == {
        1: Standing(90, None),
        2: Standing(0, day(5)),
        3: Standing(0, day(5)),
    }


def test_what_was_set_off_is_not_there_for_a_later_claim() -> None:
    movements = [claim(1, 0, 100), claim(2, 4, -30), claim(3, 5, 20)]
    assert settle(movements, [(2, 3)], [(1, 2)]) == {
        1: Standing(70, None),
        2: Standing(0, day(4)),
        3: Standing(20, None),
    }


def test_what_is_over_goes_to_the_claim_that_comes_later() -> None:
    movements = [claim(1, 0, 100), other(2, 3, -180), claim(3, 6, 50), claim(4, 9, 40), other(5, 7, 25)]
    related = [(2, 1), (2, 3), (2, 4)]
    opens = {
        number: [one.open for one in settle(movements, related, (), until=day(number)).values()]
        for number in (2, 3, 6, 9)
    }
    assert opens == {2: [100, 0, 0], 3: [-80, 0, 0], 6: [0, -30, 0], 9: [0, 0, 10]}
    # what was given back meanwhile is not
    given_back = settle(movements, [*related, (5, 3)], ())
    assert [one.open for one in given_back.values()] == [0, 0, 35]


def test_what_is_over_opens_the_latest_credit_note_again() -> None:
    movements = [claim(1, 0, 100), claim(2, 1, -30), claim(3, 2, -20), claim(4, 3, 60), other(5, 5, -135)]
    credited = [(1, 2), (1, 3)]
    opens = [one.open for one in settle(movements, [(5, 1), (5, 4)], credited).values()]
    assert opens == [0, -5, -20, 0]  # 110 were open
    given_back, related = [*movements, other(6, 6, 25)], [(5, 1), (5, 4), (6, 2), (6, 3)]
    assert [one.open for one in settle(given_back, related, credited).values()] == [0, 0, 0, 0]


def test_what_was_paid_too_much_is_set_off_against_a_related_claim() -> None:
    movements = [claim(1, 0, 100), claim(2, 1, 50), other(3, 5, -130)]
    assert settle(movements, [(3, 1), (1, 2)], ()) == {1: Standing(0, day(5)), 2: Standing(20, None)}


def test_a_payment_taken_back_opens_what_it_had_settled() -> None:
    movements = [claim(1, 0, 100), other(2, 3, -100), other(3, 8, 100)]
    assert settle(movements, [(1, 2), (2, 3)], ()) == {1: Standing(100, None)}


def _two_paid(paid: int, back: int, *more: Movement) -> list[Movement]:
    """Two claims, of 100 and of 60, a payment of both, and what goes back of it."""
    return [claim(1, 0, 100), claim(2, 1, 60), other(3, 3, -paid), *more, other(9, 9, back)]


def _opens(movements: list[Movement], related: list[tuple[int, int]], credited: list[tuple[int, int]]) -> list[int]:
    return [one.open for one in settle(movements, [(1, 3), (2, 3), *related], credited).values()]


@pytest.mark.parametrize("related", [[(3, 9)], [(1, 9)], [(1, 9), (2, 9)], [(3, 9), (1, 9)]])
def test_what_goes_back_of_a_payment_opens_the_claim_that_it_had_settled(related: list[tuple[int, int]]) -> None:
    assert _opens(_two_paid(100, 40), related, []) == [40, 60]
    assert settled(_two_paid(100, 40), [(1, 3), (2, 3), *related], ()).unsure == {}


def test_what_goes_back_of_a_payment_opens_the_claim_that_was_credited() -> None:
    movements = _two_paid(160, 40, claim(4, 5, -40))
    for original in (1, 2):
        assert _opens(movements, [(3, 9)], [(original, 4)]) == [0, 0, 0]
        assert settled(movements, [(1, 3), (2, 3), (3, 9)], [(original, 4)]).unsure == {}
    # the rest of it nobody knows
    movements = _two_paid(160, 50, claim(4, 5, -40))
    assert _opens(movements, [(3, 9)], [(1, 4)]) == [0, 10, 0]
    assert settled(movements, [(1, 3), (2, 3), (3, 9)], [(1, 4)]).unsure == {9: {1: 0, 2: 10}}


def test_nothing_tells_which_of_two_claims_goes_back_in_part_and_all_of_a_payment_opens_both() -> None:
    for related in ([(3, 9)], [(1, 9), (2, 9)]):
        assert _opens(_two_paid(160, 80), related, []) == [20, 60]
        assert settled(_two_paid(160, 80), [(1, 3), (2, 3), *related], ()).unsure == {9: {1: 20, 2: 60}}
        movements = _two_paid(160, 120, other(4, 4, 40))
        found = settled(movements, [(1, 3), (2, 3), (1, 4), (3, 4), *related], ())
        assert [one.open for one in found.standings.values()] == [100, 60]
        assert not found.unsure


def test_what_comes_again_of_money_that_went_back_goes_where_that_went() -> None:
    movements = _two_paid(100, 40, other(4, 10, -15))
    assert _opens(movements, [(3, 9), (9, 4)], []) == [25, 60]


def test_a_payment_before_its_claim() -> None:
    movements = [claim(1, 5, 100), other(2, 1, -100)]
    assert settle(movements, [(1, 2)], (), until=day(3)) == {1: Standing(-100, None)}
    assert settle(movements, [(1, 2)], ()) == {1: Standing(0, day(1))}


def test_a_claim_of_nothing_was_never_settled() -> None:
    assert settle([claim(1, 0, 0)], (), ()) == {1: Standing(0, None)}


@st.composite
def books(draw: st.DrawFn) -> tuple[list[Movement], list[tuple[int, int]], list[tuple[int, int]]]:
    amounts = draw(st.lists(st.tuples(st.integers(0, 9), st.integers(-50, 50), st.booleans()), min_size=1, max_size=12))
    movements = [Movement(place, day(number), cents, first) for place, (number, cents, first) in enumerate(amounts)]
    ids = st.integers(0, len(movements) - 1)
    pairs = st.lists(st.tuples(ids, ids).filter(lambda pair: pair[0] != pair[1]), max_size=14)
    return movements, draw(pairs), draw(pairs)


@given(books(), st.integers(-1, 10))
def test_what_is_open_adds_up_to_what_was_posted(
    found: tuple[list[Movement], list[tuple[int, int]], list[tuple[int, int]]], number: int
) -> None:
    """Of claims, and of all that leads to one: by whatever way, on every day."""
    movements, related, credited = found
    claims = {one.document_id for one in movements if one.is_claim}
    reached = set(claims)
    while more := {one for pair in related for one in pair if reached & set(pair)} - reached:
        reached |= more
    posted = sum(one.amount for one in movements if one.document_id in reached and one.day <= day(number))
    assert sum(one.open for one in settle(movements, related, credited, until=day(number)).values()) == posted


@st.composite
def histories(draw: st.DrawFn) -> tuple[list[Movement], list[tuple[int, int]], list[tuple[int, int]]]:
    """Documents in the order in which they came, each related to claims that were there."""
    movements, related, credited = [claim(0, 0, 40)], list[tuple[int, int]](), list[tuple[int, int]]()
    kinds = st.sampled_from(["claim", "credit note", "set off", "payment", "payment"])
    for place in range(1, draw(st.integers(2, 14))):
        earlier = [one.document_id for one in movements if one.is_claim]
        kind, cents = draw(kinds), draw(st.integers(1, 60))
        number = (movements[-1].day - FIRST).days + draw(st.integers(0, 2))
        if kind == "payment":
            several = draw(st.lists(st.sampled_from(earlier), min_size=1, max_size=3, unique=True))
            related += [(place, one) for one in several]
            movements.append(other(place, number, draw(st.sampled_from([-cents, -2 * cents, cents]))))
            continue
        movements.append(claim(place, number, cents if kind == "claim" else draw(st.sampled_from([-cents, cents]))))
        if kind != "claim":
            (credited if kind == "credit note" else related).append((draw(st.sampled_from(earlier)), place))
    return movements, related, credited


@given(histories())
def test_no_later_document_changes_an_earlier_day(
    found: tuple[list[Movement], list[tuple[int, int]], list[tuple[int, int]]],
) -> None:
    """What the books of a day said stays so; and a claim that nothing touches later stands as it did."""
    movements, related, credited = found
    stood = dict[int, Standing]()
    for place, one in enumerate(movements, start=1):
        until_then = settle(movements[:place], related, credited)
        near = {two for pair in related for two in pair if one.document_id in pair}
        near |= {two for pair in credited for two in pair if one.document_id in pair}
        apart = [each for each in stood if each not in near]
        if one.is_claim:
            assert {each: until_then[each] for each in apart} == {each: stood[each] for each in apart}
        whole = settle(movements, related, credited, until=one.day)
        of_day = settle([each for each in movements if each.day <= one.day], related, credited)
        assert {each: whole[each] for each in of_day} == of_day
        stood = until_then
