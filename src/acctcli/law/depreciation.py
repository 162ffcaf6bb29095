"""What an asset loses in each year or month of its use, to the cent (docs/closing.md 3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from acctcli.law.calendar import last_day, month_after

_YEAR = 12
# hundredths of a percent
_WHOLE = 10_000
# of the residue of what is used longer than three years, Finland lets no more be taken off in a year (EVL § 30)
MOST_OF_RESIDUE = 2_500


class Method(StrEnum):
    """How the loss is worked out.

    `straight-line`: the same each month. `declining-balance`: a percentage of what is left, by the months of use, and
    from the year on in which that is more, the rest in equal parts. `residue`: a percentage of what is left, in the
    first year the whole of it, until nothing is (the Finnish menojäännös).
    """

    STRAIGHT_LINE = "straight-line"
    DECLINING_BALANCE = "declining-balance"
    RESIDUE = "residue"


class Asset(NamedTuple):
    """What is depreciated: amounts in cents, `rate` in hundredths of a percent a year, `months` of its use.

    `start` is a day of the first month of use; financial years end with the month `year_ends`.
    """

    price: int
    residual: int
    start: date
    method: Method
    months: int = 0
    rate: int = 0
    is_monthly: bool = False
    year_ends: int = _YEAR

    @property
    def total(self) -> int:
        """What is taken off in all."""
        return self.price - self.residual


class Portion(NamedTuple):
    """What is taken off in a year or a month, in cents; `opening` is what the asset was worth before.

    A year goes from the first month of use in it to its own last day.
    """

    first: date
    last: date
    opening: int
    amount: int
    is_monthly: bool

    @property
    def closing(self) -> int:
        """What the asset is worth afterwards."""
        return self.opening - self.amount

    @property
    def name(self) -> str:
        """What its days are called: a month `2026-03`, or the year that a financial year ends in."""
        return f"{self.last:%Y-%m}" if self.is_monthly else f"{self.last:%Y}"


class _Year(NamedTuple):
    first: date
    months: int
    amount: int


def plan(asset: Asset) -> list[Portion]:
    """Return what is taken off, in the order of days, leaving out days on which nothing is; it comes to the total."""
    found: list[Portion] = []
    value = asset.price
    for first, months, amount in _years(asset):
        for portion in _portions(asset, first, months, amount):
            if portion.amount:
                found.append(portion._replace(opening=value))
                value -= portion.amount
    return found


def _years(asset: Asset) -> Iterator[_Year]:
    """Yield the financial years of use: the first month, the number of months, and what all of them take off."""
    match asset.method:
        case Method.STRAIGHT_LINE:
            return _straight(asset)
        case Method.DECLINING_BALANCE:
            return _declining(asset)
        case Method.RESIDUE:
            return _residue(asset)


def _straight(asset: Asset) -> Iterator[_Year]:
    used = taken = 0
    for first, months in _spans(asset, asset.months):
        used += months
        amount = _rounded(asset.total * used, asset.months) - taken
        taken += amount
        yield _Year(first, months, amount)


def _declining(asset: Asset) -> Iterator[_Year]:
    left, used = asset.total, 0
    for first, months in _spans(asset, asset.months):
        of_rest = _rounded((left + asset.residual) * asset.rate * months, _WHOLE * _YEAR)
        in_parts = _rounded(left * months, asset.months - used)
        amount = min(left, max(of_rest, in_parts))
        left, used = left - amount, used + months
        yield _Year(first, months, amount)


def _residue(asset: Asset) -> Iterator[_Year]:
    left, first = asset.total, asset.start.replace(day=1)
    while left:
        months = _months_left(first, asset.year_ends)
        # what is less than a cent goes with the last one
        amount = min(left, max(1, _rounded((left + asset.residual) * asset.rate, _WHOLE)))
        left -= amount
        yield _Year(first, months, amount)
        first = month_after(first, months)


def _spans(asset: Asset, months: int) -> Iterator[tuple[date, int]]:
    first = asset.start.replace(day=1)
    while months:
        some = min(months, _months_left(first, asset.year_ends))
        yield first, some
        first, months = month_after(first, some), months - some


def _months_left(first: date, year_ends: int) -> int:
    """How many months a financial year has from one on."""
    return (year_ends - first.month) % _YEAR + 1


def _portions(asset: Asset, first: date, months: int, amount: int) -> Iterator[Portion]:
    """Divide what a year takes off among its months of use, or leave it whole: for the last day of the year."""
    if not asset.is_monthly:
        yield Portion(first, last_day(first, _months_left(first, asset.year_ends)), 0, amount, asset.is_monthly)
        return
    taken = 0
    for place in range(1, months + 1):
        share = _rounded(amount * place, months) - taken
        taken += share
        yield Portion(first, last_day(first, 1), 0, share, asset.is_monthly)
        first = month_after(first, 1)


def _rounded(amount: int, by: int) -> int:
    """Divide what is not below zero, rounding half up."""
    return (2 * amount + by) // (2 * by)
