"""What counts of the payments that post a sale, once some are taken back, corrected, or brought back."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.paid_sales import Payment, counting

FIRST = date(2026, 1, 1)


def some(*amounts: tuple[int, int]) -> list[Payment]:
    return [Payment(number, FIRST + timedelta(days=number), cents) for number, cents in amounts]


@pytest.mark.parametrize(
    ("own", "related", "counted"),
    [
        ([(1, 100)], [], [1]),
        ([(1, 100)], [(2, -100)], []),
        # money that was taken back before it came, as a statement tells it
        ([(2, 100)], [(1, -100)], []),
        ([(1, 100)], [(2, -100), (3, 100)], [3]),
        ([(1, 100)], [(2, -100), (3, 100), (4, -100)], []),
        # corrected to another amount; and fees, which are no payments
        ([(1, 100)], [(2, -100), (3, 90)], [3]),
        ([(1, 100)], [(2, -3), (3, 5), (4, 0)], [1]),
        ([(1, 100)], [(2, -100), (3, -5), (4, 0)], []),
        # of two alike the latest before what takes it back
        ([(1, 50), (2, 50), (4, 50)], [(3, -50)], [1, 4]),
        # what a credit note gives back
        ([(1, -80)], [(2, 80), (3, -80)], [3]),
        ([(1, 0)], [(2, 0)], [1]),
    ],
)
def test_what_counts(own: list[tuple[int, int]], related: list[tuple[int, int]], counted: list[int]) -> None:
    assert [one.document_id for one in counting(some(*own), reversed(some(*related)))] == counted


@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=4),
    st.lists(st.integers(0, 9), max_size=9),
    st.sampled_from([1, -1]),
)
def test_what_counts_is_what_came_and_did_not_go_back(parts: list[int], taken: list[int], sign: int) -> None:
    """Two ways: the sum of all that moved, where each of them takes back another whole, or posts it anew."""
    documents = some(*((number, sign * part) for number, part in enumerate(parts)))
    own, there = list(documents), list(documents)
    for number in taken:
        gone = there[number % len(there)]
        # a mirror, or the mirror of one: each once
        if not any(one.document_id == -gone.document_id - 1 for one in documents):
            there.remove(gone)
            there.append(Payment(len(documents) + len(parts), FIRST, -gone.amount))
            documents.append(there[-1])
        if not there:
            break
    counted = counting(own, documents[len(own) :])
    assert sum(one.amount for one in counted) == sum(one.amount for one in documents)
    assert all(one.amount * sign > 0 for one in counted)
