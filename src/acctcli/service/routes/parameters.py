"""Query parameters: how the OpenAPI document shows them, and how a list is narrowed by them (docs/interface.md 1.4)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.service.routes.call import QueryString
from acctcli.service.store.patterns import holding

if TYPE_CHECKING:
    from acctcli.service.routes.call import Call

# names of clauses of the store, each with the parameters it takes
Clauses = dict[str, dict[str, Any]]
# from a call and the name of a parameter to clauses
Narrow = Callable[["Call", str], Clauses]
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

    def clauses(self, call: Call) -> Clauses:
        """Return the clauses of a call."""
        if self.narrow is not None:
            return self.narrow(call, self.name)
        if self.choices:
            return clause(self.name, call.query.choice(self.name, self.choices))
        return clause(self.name, READ[self.kind](call.query, self.name))


def clause(name: str, value: object) -> Clauses:
    """Return the clause of a value, none for None."""
    return {} if value is None else {name: {name: value}}


def elsewhere(call: Call, name: str) -> Clauses:
    """Narrow a list by nothing: the parameter is read elsewhere."""
    del call, name
    return {}


def searched(call: Call, name: str) -> Clauses:
    """Look for a text, in any case; what is searched is stored casefolded."""
    text = call.query.text(name)
    return {} if text is None else {"search": {"search": holding(text)}}


def either(yes: str, no: str) -> Narrow:
    """Make a flag choose between two clauses."""

    def narrow(call: Call, name: str) -> Clauses:
        flag = call.query.flag(name)
        return {} if flag is None else {yes if flag else no: {}}

    return narrow


def empties(call: Call, name: str) -> Clauses:
    """Find nothing for the id of what is not kept here."""
    return {} if call.query.integer(name) is None else {"nothing": {}}


def among(kinds: tuple[str, ...], words: str) -> Narrow:
    """Make a repeatable parameter ask for any of its words."""

    def narrow(call: Call, name: str) -> Clauses:
        chosen = call.query.choices(name, kinds)
        return {words: {words: chosen}} if chosen else {}

    return narrow


def moment(call: Call, name: str) -> Clauses:
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
