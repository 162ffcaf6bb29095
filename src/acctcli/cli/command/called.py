"""Records by what people call them: a document by its number, a tag or a contact by its name, a product by its code.

Digits are an id, as is `id:57`; the year of a VAT period may be one. What else there is, and whatever stands behind
`no:`, is looked for before the command does anything; where several records are called so, none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from acctcli.cli.command.dates import calendar_range
from acctcli.cli.command.typer_private import CompletionItem, Context, Parameter, types
from acctcli.errors import NotFound, ServerFault, UsageError

if TYPE_CHECKING:
    from acctcli.cli.session.state import State
    from acctcli.client.api import Api
    from acctcli.client.collection import Collection
    from acctcli.client.urls import Query

_ID = re.compile(r"(?:id:)?([0-9]+)", re.ASCII)
_YEAR = re.compile(r"[12][0-9]{3}", re.ASCII)
_MOST = 2**63
_MOST_DIGITS = len(str(_MOST))
# an invoice's number is digits, as its id is
_PREFIX = "no:"
_NEAREST = 3
# how files are called that hold many bodies: tables, and JSON a line
_OF_MANY = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson")
_DAYS = ("start_date", "end_date")


@dataclass(frozen=True)
class Kind:
    """What records are called: the fields that name one, in words too, and the filter of lists that finds it.

    `shown` are fields that tell people which record it is, before it is deleted, say; `group` is where commands list
    them, if not under their noun; `adding` says how one is added that is meant and not there, where none is mistyped.
    """

    noun: str
    records: Callable[[Api], Collection[Any]]
    names: tuple[str, ...]
    told: str
    filter: str = "search"
    shown: tuple[str, ...] = ()
    group: str = ""
    adding: str = ""

    def find(self, here: State, text: str, *, or_id: bool = False) -> int:
        """Return the id of the one record that is called so, or `or_id`, that has this id or that may have it.

        Raises NotFound where none is, UsageError where several are.
        """
        rows = list(_rows(self.records(here.api), {self.filter: text} if self.filter else {}))
        called = [row for row in rows if text.casefold() in map(str.casefold, self.called(row))]
        # of those that differ in nothing but capital letters, the one that is meant is written as it is
        found = [row for row in called if text in self.called(row)] or called
        found += [row for row in rows if or_id and row["id"] == int(text)]
        ids = {row["id"]: row for row in found}
        if len(ids) == 1:
            return int(next(iter(ids)))
        if or_id and not ids:
            return int(text)
        if ids:
            several = ", ".join(f"{one} ({self.describe(row)})" for one, row in ids.items())
            raise UsageError(
                f"{len(ids)} {self.noun}s are called {text!r}: {several}",
                hint=f"name the one by its id, such as id:{next(iter(ids))}",
            )
        near = ", ".join(filter(None, (next(self.called(row), "") for row in rows[:_NEAREST])))
        raise NotFound(
            f"there is no {self.noun} called {text!r}",
            hint=self.adding or (f"did you mean {near}?" if near else f"see: acctcli {self.listed} list"),
        )

    def describe(self, row: Mapping[str, Any]) -> str:
        """Return in a line which record it is, by what is shown of it."""
        return ", ".join(str(value) for one in self.shown if (value := _inside(row, one)) not in {None, ""})

    @property
    def listed(self) -> str:
        """The group whose `list` shows them."""
        return self.group or self.noun

    def called(self, row: Mapping[str, Any]) -> Iterator[str]:
        """Yield what a record is called."""
        if self.names == _DAYS:
            return _ranges_of(str(row.get("start_date")), str(row.get("end_date")))
        return (str(row[name]) for name in self.names if row.get(name) not in {None, ""})


# makes fields of a body from those that are given, which take more than reading an option
Filling = Callable[[Mapping[str, Any]], Mapping[str, object]]


@dataclass(frozen=True)
class Many:
    """How records come from one file (docs/moving.md 2).

    `names` are the fields that tell one from another, the most telling first; `filling` returns what fills one in,
    `checking` what refuses one, where that is more than of one that is typed. `mending` puts right what spreadsheets
    did to the rows of a table.
    """

    names: tuple[str, ...]
    filling: Callable[[State], Filling] = lambda here: lambda given: {}
    checking: Callable[[State], Callable[[Any, int | str | None], None]] | None = None
    mending: Callable[[State, list[dict[str, Any]]], None] = lambda here, rows: None


@dataclass(frozen=True)
class Wanted:
    """A record that is yet to be looked for; `or_id` where its name may be an id as well."""

    text: str
    or_id: bool = False


def as_id(text: str) -> int | None:
    """Return the id that a text is; None for what is none: ids begin at 1, and have 64 bits."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) if is_number and 0 < int(text) < _MOST else None


class Called(types.ParamType):
    """What stands on the command line for a record: its id, or what it is called."""

    name = "integer or name"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> int | Wanted:
        """Return the id, or what is to be looked for; a usage error for what can be neither."""
        if isinstance(value, int | Wanted):
            return value
        text = str(value).strip()
        if match := _ID.fullmatch(text):
            if (found := as_id(match[1])) is None:
                self.fail(f"{text!r} is not an id: ids begin at 1.", param, ctx)
            return Wanted(text, or_id=True) if self.kind.names == _DAYS and _YEAR.fullmatch(text) else found
        wanted = text.removeprefix(_PREFIX)
        if not wanted:
            self.fail(f"{text!r} names no {self.kind.noun}; write its id, or its {self.kind.told}.", param, ctx)
        return Wanted(wanted)

    def shell_complete(self, ctx: Context, param: Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete ids and names of the records that lists have shown."""
        from acctcli.cli.completing.kept import beginning_with

        return [CompletionItem(word, help=told) for word, told in beginning_with(ctx, self.kind.listed, incomplete)]

    def look_up(self, here: State, value: Any) -> Any:
        """Return the ids of what was given, once or several times."""
        if isinstance(value, list | tuple):
            return type(value)(self.look_up(here, one) for one in value)
        return self.kind.find(here, value.text, or_id=value.or_id) if isinstance(value, Wanted) else value


def id_argument(what: Kind | str, more: str = "", *, metavar: str = "ID", several: bool = False) -> Any:
    """Return the argument for the id of a record, or of `several`: of a kind, or of a noun that has no other name."""
    kind = what if isinstance(what, Kind) else None
    noun = kind.noun if kind else what
    told = f"Ids of {noun}s" if several else f"The {noun}'s id"
    names = f", or {'their' if several else 'its'} {kind.told}" if kind else ""
    help_text = f"{told}{names}{', ' if more else ''}{more}."
    if kind is None:
        return typer.Argument(metavar=metavar, min=1, help=help_text)
    return typer.Argument(metavar=metavar, click_type=Called(kind), help=help_text)


def several(name: Any) -> Any:
    """Return the argument for one or more of what `name` is the argument for."""
    kind, argument = get_args(name)
    several = copy(argument)
    several.metavar = f"{argument.metavar}..."
    if (one := argument.default_factory) is not None:
        several.default_factory = lambda: [one()]
    kind = GenericAlias(list, (kind,))
    return Annotated[kind, several]


def is_of_many(source: str | None) -> bool:
    """Tell whether a file holds one body a row or a line, by its name."""
    return source is not None and source.lower().endswith(_OF_MANY)


def look_up_all(here: State, parameters: list[Parameter], values: dict[str, Any]) -> None:
    """Put ids in the place of the names among the values of a command's parameters."""
    for one in parameters:
        if isinstance(one.type, Called) and one.name in values:
            try:
                values[one.name] = one.type.look_up(here, values[one.name])
            except (NotFound, UsageError) as problem:
                if one.param_type_name != "option":
                    raise
                # it is not the record that the command is about
                raise UsageError(f"{one.opts[0]}: {problem.message}", hint=problem.hint) from problem


def _rows(records: Collection[Any], query: Query) -> Iterator[Mapping[str, Any]]:
    from acctcli.cli.output.replies import read_all, reader
    from acctcli.client.messages import Extent

    for row in read_all(records.list(query, Extent(limit=None)), reader(dict[str, Any], "a record")):
        if type(row.get("id")) is not int:
            raise ServerFault("a record has no id that is a number", code="unreadable_reply")
        yield row


def _inside(row: Mapping[str, Any], path: str) -> Any:
    value: Any = row
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _ranges_of(first: str, last: str) -> Iterator[str]:
    """Yield the days of a period as a month, a quarter or a year is written: 2026-03, 2026-Q1, 2026."""
    quarters = [f"{first[:4]}-Q{number}" for number in range(1, 5)]
    for name in (first[:7], *quarters, first[:4]):
        if (days := calendar_range(name)) is not None and tuple(map(str, days)) == (first, last):
            yield name


CONTACT = Kind("contact", lambda api: api.contacts, ("name", "customer_id"), "name", shown=("name",))
DOCUMENT = Kind(
    "document",
    lambda api: api.documents,
    ("number",),
    "number",
    "number",
    ("number", "date", "description", "balance"),
)
INVOICE = Kind(
    "invoice",
    lambda api: api.invoices,
    ("invoice_number",),
    "number behind no:",
    "invoice_number",
    ("invoice_number", "receiver_info.name", "invoicing_date", "total_amount"),
)
CREDIT_NOTE = replace(INVOICE, noun="credit note", group="invoice")
PRODUCT = Kind("product", lambda api: api.products, ("code", "name"), "code or name", shown=("code", "name", "amount"))
PURCHASE = Kind(
    "purchase invoice",
    lambda api: api.purchase_invoices,
    ("invoice_number",),
    "number behind no:",
    "invoice_number",
    ("sender_name", "invoice_number", "invoicing_date", "amount"),
    "purchase",
)
TAG = Kind("tag", lambda api: api.tags, ("name",), "name", shown=("name",))
VAT_PERIOD = Kind(
    "VAT period",
    lambda api: api.vat_periods,
    _DAYS,
    "month, quarter or year, such as 2026-03",
    "",
    _DAYS,
    "vat period",
    "acctcli vat period create adds the one behind the latest, and with --from DAY all that are missing before it",
)
