"""What the returns of both countries have in common: figures by box, and what fits none."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

ZERO = Decimal("0.00")
CENT = Decimal("0.01")
# movements on the VAT accounts without a VAT code, and where they go when they are not to be declared
ADJUSTMENTS, NOWHERE = "adjustments", "none"


class VatReturn(NamedTuple):
    """The figures of a return, in currency units.

    `boxes` are by number, all those of the form in its order. `unplaced` is booked tax that fits no box, by what it
    is. `elsewhere` is booked tax that by law stands on no return. `result` is the box of what is to be paid, and
    `payable` what the VAT report says is owed; negative is a refund.
    """

    boxes: dict[str, Decimal]
    result: Decimal
    payable: Decimal
    unplaced: dict[str, Decimal]
    elsewhere: dict[str, Decimal]

    @property
    def difference(self) -> Decimal:
        """What is owed by the books and stands neither in a box nor by law elsewhere; zero for a return to file."""
        return self.payable - self.result - sum(self.elsewhere.values(), ZERO)

    @property
    def is_sound(self) -> bool:
        """Whether the return may be filed."""
        return not self.unplaced and self.difference == 0

    @property
    def has_activity(self) -> bool:
        """Whether there is anything to declare."""
        return any(self.boxes.values())


def amount(values: Mapping[str, Any], name: str) -> Decimal:
    """Return a number of a report with 2 digits, zero where it is missing; ValueError when it is no number."""
    value = values.get(name)
    try:
        return ZERO if value is None else Decimal(value).quantize(CENT)
    except (ArithmeticError, TypeError, ValueError) as problem:
        raise ValueError(f"{name} is {value!r}, not an amount") from problem


def group(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a group of numbers of a report, empty where it is missing; ValueError when it is no group."""
    found = values.get(name)
    if found is not None and not isinstance(found, Mapping):
        raise ValueError(f"{name} is {found!r}, not a group of amounts")
    return found or {}


def nonzero(values: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Return the values that are not zero."""
    return {name: value for name, value in values.items() if value}
