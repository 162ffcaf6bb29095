"""Query parameters: how the OpenAPI document shows them, and how a list is narrowed by them (docs/interface.md 1.4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, NamedTuple, Protocol

from acctcli.service.routes.query import QueryString
from acctcli.service.store.patterns import holding

# names of clauses of the store, each with the parameters it takes
Clauses = dict[str, dict[str, Any]]


class Asked(Protocol):
    """What lists are narrowed by: what was asked, and on which day."""

    @property
    def query(self) -> QueryString:
        """The query string."""

    @property
    def today(self) -> date:
        """Today, for the business."""


# from what was asked and the name of a parameter to clauses
Narrow = Callable[[Asked, str], Clauses]
READ: dict[str, Callable[[QueryString, str], Any]] = {
    "boolean": QueryString.flag,
    "integer": QueryString.integer,
    "date": QueryString.date,
    "string": QueryString.text,
}


class Parameter(NamedTuple):
    """A query parameter; `kind` is a JSON schema type, or `date`.

    `narrow` returns the clauses that a list is narrowed by; without it there is one of the same name, for the value.
    """

    name: str
    kind: str
    description: str
    choices: tuple[str, ...] = ()
    repeatable: bool = False
    narrow: Narrow | None = None

    def clauses(self, call: Asked) -> Clauses:
        """Return the clauses of a call."""
        if self.narrow is not None:
            return self.narrow(call, self.name)
        if self.choices:
            return clause(self.name, call.query.choice(self.name, self.choices))
        return clause(self.name, READ[self.kind](call.query, self.name))


def clause(name: str, value: object) -> Clauses:
    """Return the clause of a value, none for None."""
    return {} if value is None else {name: {name: value}}


def elsewhere(call: Asked, name: str) -> Clauses:
    """Narrow a list by nothing: the parameter is read elsewhere."""
    del call, name
    return {}


def searched(call: Asked, name: str) -> Clauses:
    """Look for a text, in any case; what is searched is stored casefolded."""
    text = call.query.text(name)
    return {} if text is None else {"search": {"search": holding(text)}}


def either(yes: str, no: str) -> Narrow:
    """Make a flag choose between two clauses."""

    def narrow(call: Asked, name: str) -> Clauses:
        flag = call.query.flag(name)
        return {} if flag is None else {yes if flag else no: {}}

    return narrow


def empties(call: Asked, name: str) -> Clauses:
    """Find nothing for the id of what is not kept here."""
    return {} if call.query.integer(name) is None else {"nothing": {}}


def among(kinds: tuple[str, ...], words: str) -> Narrow:
    """Make a repeatable parameter ask for any of its words."""

    def narrow(call: Asked, name: str) -> Clauses:
        chosen = call.query.choices(name, kinds)
        return {words: {words: chosen}} if chosen else {}

    return narrow


def moment(call: Asked, name: str) -> Clauses:
    """Narrow by the day of a moment, which is stored as text: an upper bound ends with its day."""
    day = call.query.date(name)
    if day is None or (name.endswith("_lte") and day == date.max):
        return {}
    return clause(name, (day + timedelta(days=1) if name.endswith("_lte") else day).isoformat())


PAGING = (
    Parameter("page", "integer", "Page number, from 1; a page beyond the last one is 404.", narrow=elsewhere),
    Parameter("page_size", "integer", "Results per page, 1 to 200; 30 unless given.", narrow=elsewhere),
)
SEARCH = Parameter("search", "string", "Case-insensitive search.", narrow=searched)
