"""What a handler is given and what it gives back.

A handler is a function of one `Call`, run inside the transaction of its request; it returns a `Page`, a
generator of JSON text too long to hold at once, or the bare payload (dict or list) for the status of its operation.
It raises `problems` and knows no HTTP beyond that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Missing

if TYPE_CHECKING:
    from acctcli.service.identity.credentials import Credential
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.routes.parameters import Clauses, Parameter

# what the store lists rows with: how many there are, and those of one page
Row = TypeVar("Row")
ListPage = Callable[..., tuple[int, Any]]
# shows the rows of a list
Show = Callable[["Call", Any], Sequence[Any]]

PAGE_SIZE = 30
PAGE_SIZE_CAP = 200
INTEGER_LIMIT = 2**63 - 1
FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Page(NamedTuple, Generic[Row]):
    """The rows of one page and the number of all rows; becomes the envelope of docs/interface.md 1.3."""

    total: int
    rows: Sequence[Row]


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


@dataclass(slots=True)
class Call(Work):
    """One request, authenticated and authorised, inside its transaction: a unit of work with what HTTP brings.

    `ids` holds the integers of the path, `parameters` what `query` may hold; `body` is the validated model, whose
    `model_fields_set` says what was sent, or None; `credential` is what the caller was let in by, `installation` what
    secrets are kept with.
    """

    ids: Mapping[str, int]
    query: QueryString
    body: Any
    parameters: Sequence[Parameter]
    credential: Credential
    installation: InstallationKey

    @property
    def page(self) -> PageRequest:
        """The page asked for."""
        return self.query.page()

    @property
    def clauses(self) -> Clauses:
        """The clauses that the parameters of the operation narrow its list by."""
        return dict(chain.from_iterable(parameter.clauses(self).items() for parameter in self.parameters))

    def listed(self, list_page: ListPage, show: Show, *, narrowed: bool) -> Page[Any]:
        """List the page asked for of the business's records, as they are shown."""
        page, clauses = self.page, (self.clauses,) if narrowed else ()
        total, rows = list_page(self.conn, self.business.id, *clauses, limit=page.size, offset=page.offset)
        return Page(total, show(self, rows))
