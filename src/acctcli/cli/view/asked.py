"""What a browser asks for, and what pages need to answer it: the books, the language, ways to other pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote, urlencode

import msgspec

from acctcli.cli.command.called import as_id
from acctcli.cli.command.dates import choose_range
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report import as_html
from acctcli.cli.report.names import account_names
from acctcli.cli.report.sheet import written
from acctcli.cli.report.spans import Span
from acctcli.cli.report.view import Business
from acctcli.cli.session.state import State
from acctcli.cli.view.tags import Html
from acctcli.cli.view.words import Words
from acctcli.client.messages import Extent
from acctcli.errors import Forbidden, NotFound, UsageError
from acctcli.printing.numbers import Locale

FROM, TO, PAGE = "from", "to", "page"
_LONGEST_PAGE = 9


class _Period(msgspec.Struct):
    start_date: date
    end_date: date


_read_period = reader(_Period, "an accounting period")


class Person(NamedTuple):
    """Who looks: what they are called, where their account and their businesses are, and the form that signs out."""

    called: str
    account: str
    businesses: str
    sign_out: str
    proof: str = ""


@dataclass(frozen=True)
class Books:
    """What does not change while pages are served: whose books, in which language, and below which folder.

    `person` is who looks, where others do so too (docs/view.md 3); `day` is the form that `str.format` writes days in.
    """

    business: Business
    locale: Locale
    is_told: bool
    root: str = ""
    person: Person | None = None
    day: str = "{}"


@dataclass(frozen=True)
class Asked:
    """One request: the words of its address, the first of them the page's, and what stands behind `?`."""

    here: State
    books: Books
    path: tuple[str, ...]
    query: Mapping[str, Sequence[str]]

    @cached_property
    def words(self) -> Words:
        """The names of things in the language of the pages."""
        return Words(self.books.locale.language)

    @cached_property
    def account_words(self) -> Words:
        """The same, and the names of accounts in that language where it was asked for."""
        if not self.books.is_told:
            return self.words
        return Words(self.words.language, account_names(self.here, self.words.language))

    def one(self, name: str) -> str | None:
        """Return what was given for a name, without blanks around it; None where that is nothing."""
        return next((text for one in self.query.get(name, ()) if (text := one.strip())), None)

    @property
    def record(self) -> str:
        """The record that the address names behind the page."""
        return self.path[1] if len(self.path) > 1 else ""

    @property
    def record_id(self) -> int:
        """The id of that record; raise NotFound for what is none."""
        if (found := as_id(self.record)) is None:
            raise NotFound(f"there is no record {self.record!r}")
        return found

    @property
    def page(self) -> int:
        """The page of a list that is asked for, 1 unless it is said."""
        given = self.one(PAGE) or "1"
        if not (given.isascii() and given.isdecimal() and len(given) <= _LONGEST_PAGE and int(given)):
            raise UsageError(f"there is no page {given!r}")
        return int(given)

    def link(self, /, *path: object, **query: object) -> str:
        """Return the address of another page; what is None, or an empty text, is left out behind `?`."""
        words = "/".join(quote(str(word), safe="") for word in path)
        given = {name: value for name, value in query.items() if value is not None and value != ""}
        return f"{self.books.root}/{words}" + (f"?{urlencode(given, doseq=True)}" if given else "")

    def again(self, /, **query: object) -> str:
        """Return the address of this page with something else behind `?`."""
        given = {name: [one for one in values if one] for name, values in self.query.items()}
        return self.link(*self.path, **{**given, **query})

    def amount(self, value: Decimal) -> Html:
        """Show an amount as people write it, digit for digit for programs."""
        return Html(as_html.amount(value, self.books.locale))

    @cached_property
    def periods(self) -> Sequence[Span]:
        """The accounting periods of the books, the latest first; none for who may not see them."""
        found = read_all(self.here.api.periods.list({}, Extent(limit=None)), _read_period)
        try:
            return [Span(one.start_date, one.end_date) for one in found]
        except Forbidden:
            return []

    def span(self) -> Span:
        """Return the days that are asked for, else the accounting period of today, else the calendar year."""
        first, last = choose_range(None, self.one(FROM), self.one(TO), self.here.today)
        if first is not None and last is not None:
            return Span(first, last)
        if first is not None or last is not None:
            raise UsageError("give both days, the first and the last one")
        today = self.here.today()
        year = Span(date(today.year, 1, 1), date(today.year, 12, 31))
        return next((one for one in self.periods if one.first <= today <= one.last), year)

    def days(self, span: Span) -> str:
        """Say which days a span is: its name, or its first and last day."""
        return self.dated(span.name or f"{span.first} \N{EN DASH} {span.last}")

    def dated(self, value: object) -> str:
        """Write a day, or a text with days in it, as the country of the business does; None is nothing."""
        return "" if value is None else written(str(value), self.books.day)


def between(span: Span) -> dict[str, object]:
    """Return what stands behind `?` for the days of a span."""
    return {FROM: span.first, TO: span.last}
