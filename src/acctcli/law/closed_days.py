"""Which days take a posting: those of an accounting period that nothing has closed (docs/interface.md 3.4, 3.5)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple


class Span(NamedTuple):
    """A range of days, both inclusive."""

    start: date
    end: date

    def overlaps(self, other: Span) -> bool:
        """Say whether a day lies in both."""
        return self.start <= other.end and other.start <= self.end

    def __str__(self) -> str:
        return f"{self.start} - {self.end}"


class Closing(NamedTuple):
    """A period that fixes the figures of its days, and with them those of all days before: they are its openings."""

    start: date
    end: date
    is_vat: bool
    is_reported: bool

    def __str__(self) -> str:
        state = "has been reported" if self.is_reported else "is locked"
        return f"The {'VAT' if self.is_vat else 'accounting'} period {Span(self.start, self.end)} {state}"

    def why(self, day: date) -> str:
        """Say why a day is closed, without a full stop."""
        if day >= self.start:
            return str(self)
        return f"{self}, and {day} lies before its end: what is written there would change what it opens with"


def by_end(closings: Iterable[Closing]) -> list[Closing]:
    """Return what closes days by their last ones; the narrower one first."""
    return sorted(closings, key=lambda one: (one.end, -one.start.toordinal()))


def closing_of(day: date, closings: Iterable[Closing]) -> Closing | None:
    """Return what closes a day, the first of several; None for a day that is open."""
    return next((one for one in by_end(closings) if one.end >= day), None)


def neighbours(day: date, others: Iterable[Span]) -> tuple[Span | None, Span | None]:
    """Return the last period that ends before a day, and the first one that begins after it."""
    known = sorted(others)
    before = next((span for span in reversed(known) if span.end < day), None)
    return before, next((span for span in known if span.start > day), None)


def outside(day: date, periods: Iterable[Span]) -> str:
    """Say of a day that lies in no accounting period where the nearest ones are, without a full stop."""
    before, after = neighbours(day, periods)
    known = [f"one ends on {before.end}"] if before else []
    known += [f"one begins on {after.start}"] if after else []
    return f"{day} lies in no accounting period: {' and '.join(known) or 'there is none'}"
