"""What is open of claims, whatever was paid, credited and set off, on any day (docs/interface.md 7.5)."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.settlement import Movement, Standing, settle

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
    movements[-1] = other(3, 9, -100)
    assert settle(movements, [(3, 1)], credited) == {1: Standing(0, day(9)), 2: Standing(-30, None)}


def test_what_was_related_is_set_off_before_what_was_credited() -> None:
    movements = [claim(1, 0, 100), claim(2, 4, -30), claim(3, 5, 20)]
    assert settle(movements, [(2, 3)], [(1, 2)]) == {
        1: Standing(90, None),
        2: Standing(0, day(5)),
        3: Standing(0, day(5)),
    }


def test_a_payment_taken_back_opens_what_it_had_settled() -> None:
    movements = [claim(1, 0, 100), other(2, 3, -100), other(3, 8, 100)]
    assert settle(movements, [(1, 2), (2, 3)], ()) == {1: Standing(100, None)}


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
