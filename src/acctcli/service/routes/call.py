"""What a handler is given and what it gives back.

A handler is a function of one `Call`, run inside the transaction of its request; it returns a `Reply`, a `Page`,
or the bare payload (dict or list) for the status of its route. It raises `problems` and knows no HTTP beyond that.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from acctcli.service.problems import Invalid, Missing
from acctcli.service.store.moments import stamp

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from acctcli.service.identity.credentials import Credential
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.people.admission import Scope
    from acctcli.service.store.people.users import Caller

PAGE_SIZE = 30
PAGE_SIZE_CAP = 200
INTEGER_LIMIT = 2**63 - 1
FLAGS = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Reply:
    """A status with its payload; `None` is an empty body."""

    status: int
    payload: Any = None


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of one page and the number of all rows; becomes the envelope of wire facts 7.2."""

    count: int
    rows: Sequence[Any]


@dataclass(frozen=True, slots=True)
class JsonText:
    """A payload too long to hold at once, as pieces of its JSON text; they are made while the transaction is open."""

    pieces: Generator[str, None, None]


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which page is asked for: number from 1, size 1..200."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        """Rows before this page."""
        return (self.number - 1) * self.size

    def envelope(self, page: Page) -> dict[str, Any]:
        """Render the envelope; a page beyond the last one is missing, page 1 of nothing is not (wire facts 7.2)."""
        if self.number > 1 and self.offset >= page.count:
            raise Missing("There is no such page.")
        return {
            "count": page.count,
            "next": self.number + 1 if self.number * self.size < page.count else None,
            "prev": self.number - 1 if self.number > 1 else None,
            "size": self.size,
            "results": page.rows,
        }


class Query:
    """The query string, read by type; a value of the wrong type is a field error (wire facts 7.3)."""

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
        """Return page and page_size: a bad size falls back to 30, a bad page is missing (Q15, wire facts 7.2)."""
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
class Call:
    """One request, authenticated and authorised, inside its transaction.

    `conn` belongs to the transaction; `now` is aware UTC; `ids` holds the integers of the path; `body` is the validated
    model (`body.model_fields_set` says what was sent) or None; `record` writes to the outbox, use `emit`.
    `credential` is what the caller was let in by, `installation` what secrets are kept with;
    `origin` is scheme and host as the caller wrote them; `discarded` are names of content to remove after the commit.
    """

    conn: Connection
    now: datetime
    user: Caller
    credential: Credential
    installation: InstallationKey
    scope: Scope | None
    ids: Mapping[str, int]
    query: Query
    body: Any
    record: Callable[[Connection, int, str, Any, str], None]
    random: Callable[[int], bytes]
    origin: str
    discarded: list[str] = field(default_factory=list)

    @property
    def page(self) -> PageRequest:
        """The page asked for."""
        return self.query.page()

    @property
    def business(self) -> Scope:
        """The business of the path; only routes under a slug may ask."""
        if self.scope is None:
            raise RuntimeError("this route has no business")
        return self.scope

    @property
    def today(self) -> date:
        """Today in UTC (Q25)."""
        return self.now.date()

    @property
    def stamp(self) -> str:
        """`now` as it is stored and sent: ISO 8601 UTC with microseconds."""
        return stamp(self.now)

    def emit(self, event_type: str, data: Any, *, business_id: int | None = None) -> None:
        """Record one event of this change, `<resource>.<verb>` with the resource as GET returns it (wire facts 8.1)."""
        self.record(self.conn, business_id or self.business.id, event_type, data, self.stamp)
