"""What counts of payments that post a sale: what took one back, and what stands for it (docs/interface.md 7.5).

Where no claim is in the books an invoice is paid by what its payments move of money, and they are sales themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple


class Payment(NamedTuple):
    """A posted document and what it moves of money, in cents."""

    document_id: int
    day: date
    amount: int


def counting(own: Iterable[Payment], related: Iterable[Payment]) -> list[Payment]:
    """Return what counts as paid of a sale.

    `own` are the documents that its payments posted, `related` those that are related to any of them and belong to no
    invoice. One that moves as much the other way takes a payment back, and what follows it with the sign of the sale is
    what was posted instead, such as a correction. Anything else, such as a fee, leaves the sale as it is.
    """
    counted, is_taken_back = sorted(own), False
    is_sale = sum(one.amount for one in counted) > 0
    for one in sorted(related):
        undone = [each for each in counted if each.amount and each.amount == -one.amount]
        if undone:
            # what is later than what takes it back was posted after that
            counted.remove(max(undone, key=lambda each: (each.document_id < one.document_id, each.document_id)))
            is_taken_back = True
        elif is_taken_back and one.amount and (one.amount > 0) == is_sale:
            counted.append(one)
    return counted
