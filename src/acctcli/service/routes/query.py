"""The query string of a request, read by type, and the page it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Generic, NamedTuple, TypeVar

from acctcli.service.problems import Invalid, Missing

Row = TypeVar("Row")

PAGE_SIZE = 30
PAGE_SIZE_CAP = 200
INTEGER_LIMIT = 2**63 - 1
# to look for more is an error of SQLite
MAX_TEXT = 1000
FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Page(NamedTuple, Generic[Row]):
    """The rows of one page, one by one where they are heavy, and the number of all; becomes the envelope.

    See docs/interface.md 1.3.
    """

    total: int
    rows: Sequence[Row] | Iterator[Row]


class PageRequest(NamedTuple):
    """Which page is asked for: number from 1, size 1..200."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        """Rows before this page."""
        return (self.number - 1) * self.size

    def envelope(self, page: Page[Any]) -> dict[str, Any]:
        """Render the envelope; a page beyond the last one is missing, page 1 of nothing is not.

        See docs/interface.md 1.3.
        """
        if self.number > 1 and self.offset >= page.total:
            raise Missing("There is no such page.")
        return {
            "count": page.total,
            "next": self.number + 1 if self.number * self.size < page.total else None,
            "prev": self.number - 1 if self.number > 1 else None,
            "size": self.size,
            "results": page.rows,
        }


class QueryString:
    """The query string, read by type; a value of the wrong type is a field error (docs/interface.md 1.4)."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = values

    def text(self, name: str) -> str | None:
        """Return the last value, None when it is absent or empty."""
        values = self._values.get(name)
        if not values or not values[-1]:
            return None
        if "\0" in values[-1]:
            raise Invalid.field(name, "Must not hold a NUL.")  # PostgreSQL has no text for it
        if len(values[-1]) > MAX_TEXT:
            raise Invalid.field(name, f"Must have at most {MAX_TEXT} characters.")
        return values[-1]

    def flag(self, name: str) -> bool | None:
        """Return `true`, `false`, `1` or `0` as a boolean."""
        text = self.text(name)
        if text is None:
            return None
        if text.lower() not in FLAGS:
            raise Invalid.field(name, "Must be true or false.")
        return FLAGS[text.lower()]

    def integer(self, name: str) -> int | None:
        """Return a whole number of at most 64 bits."""
        text = self.text(name)
        return None if text is None else _integer(name, text)

    def date(self, name: str) -> date | None:
        """Return a date written YYYY-MM-DD."""
        text = self.text(name)
        if text is None:
            return None
        try:
            day = date.fromisoformat(text)
        except ValueError:
            day = None
        if day is None or day.isoformat() != text:  # week dates and others are no dates here
            raise Invalid.field(name, "Must be a date written YYYY-MM-DD.")
        return day

    def choice(self, name: str, allowed: Sequence[str]) -> str | None:
        """Return one of the allowed words."""
        found = self.choices(name, allowed)
        return found[-1] if found else None

    def choices(self, name: str, allowed: Sequence[str]) -> list[str]:
        """Return every value of a repeatable parameter; all must be allowed words."""
        return _allowed(name, self._values.get(name, ()), allowed)

    def listed(self, name: str, allowed: Sequence[str]) -> list[str]:
        """Return the same of a parameter that may also hold several words, with commas between them."""
        return _allowed(name, [word for text in self._values.get(name, ()) for word in text.split(",")], allowed)

    def page(self) -> PageRequest:
        """Return page and page_size: a bad size falls back to 30, a bad page is missing (docs/interface.md 1.3)."""
        size, number = self.text("page_size"), self.text("page")
        return PageRequest(_page_number(number), _page_size(size))


def _allowed(name: str, words: Sequence[str], allowed: Sequence[str]) -> list[str]:
    found = [word for word in words if word]
    if not set(found) <= set(allowed):
        raise Invalid.field(name, f"Must be one of {', '.join(allowed)}.")
    return found


def _integer(name: str, text: str) -> int:
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 19:  # 19 digits hold every 64-bit integer
        value = int(text)
        if -INTEGER_LIMIT <= value <= INTEGER_LIMIT:
            return value
    raise Invalid.field(name, "Must be a whole number.")


def _page_size(text: str | None) -> int:
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > 18:
        return PAGE_SIZE
    return min(int(text), PAGE_SIZE_CAP) or PAGE_SIZE


def _page_number(text: str | None) -> int:
    if text is None:
        return 1
    if not (text.isascii() and text.isdigit()) or len(text) > 15 or int(text) < 1:
        raise Missing("There is no such page.")
    return int(text)
