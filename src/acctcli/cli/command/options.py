"""How options are declared apart from a command's signature: the shared ones, and those that are fields of the wire.

A field's value arrives in `State.named` under its name on the wire, so that a dozen fields which several commands
take are written once, and a command's own signature holds only what is its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from typer.core import TyperOption
from typer.main import get_param_completion

from acctcli.cli.command.dates import Today, choose_range, parse_day, parse_range
from acctcli.cli.command.typer_private import Context, Parameter, TyperChoice, types

if TYPE_CHECKING:
    from datetime import date

    from acctcli.cli.session.state import State
    from acctcli.errors import ServiceError, UsageError

Make = Callable[[], TyperOption]
Read = Callable[[Any], object]
LONGEST = 86_400.0
INT = types.INT
ID = types.IntRange(min=1)
WHOLE = types.IntRange(min=0)


class Seconds(types.FloatRange):
    """A time that passes: `nan` is neither below nor above any bound."""

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> Any:
        """Return the number; a usage error for what is none."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


def option(*names: str, help: str, type: Any = None, complete: Any = None, **more: Any) -> Make:
    """Return what makes an option; without a type it is a flag, off by default."""
    given: dict[str, Any] = {"is_flag": True, "default": False} if type is None else {"type": type}
    given["autocompletion"] = get_param_completion(complete)

    def make() -> TyperOption:
        return TyperOption(param_decls=list(names), help=help, **{**given, **more})

    return make


@dataclass(frozen=True)
class Field:
    """An option that is a field of a body or of a query.

    `read` makes the wire's value of what is typed, `read_day` of what may be a word for a day as well.
    """

    wire: str
    make: Make
    read: Read | None = None
    read_day: Callable[[str, Today], str] | None = None

    def take(self, ctx: Context) -> object:
        """Take the value out of the context; None when it was not given. Raise UsageError when it makes no sense."""
        value = ctx.params.pop(_parameter(self.wire))
        if value is None or value == ():
            return None
        read = self.read or (lambda plain: plain)
        if self.read_day is not None:
            day = self.read_day(str(value), ctx.obj.today)
            if day != value:
                ctx.obj.settled[self.make().opts[0]] = day
            return day
        return [read(one) for one in value] if isinstance(value, tuple) else read(value)


# what gives each side of a blueprint
LEGS = {"debet": "--debit", "credit": "--credit", "expense": "--expense"}


def name_options(problem: UsageError | ServiceError, fields: Sequence[Field]) -> None:
    """Name behind each field that is wrong the option that gives it, where that is called otherwise."""
    import re

    options = {one.wire: one.make().opts[0] for one in fields}
    for name in problem.fields:
        wire, _, part = name.partition(".")
        option = options.get(wire)
        if wire == "blueprint" and LEGS.keys() & options.keys():
            option = LEGS.get(part.partition("_")[0], "--debit, --credit")
        if option is not None and option != f"--{wire.replace('_', '-')}":
            place = rf"(?<![\w.]){re.escape(name)}(?=: )"
            problem.message = re.sub(place, rf"\g<0> ({option})", problem.message, count=1)


def field(wire: str, name: str, *, help: str, type: Any = types.STRING, read: Read | None = None, **more: Any) -> Field:
    """Declare a field with a value: its name on the wire, and its option."""
    return Field(wire, option(_parameter(wire), name, help=help, type=type, **more), read)


def many(wire: str, name: str, metavar: str, help: str, **more: Any) -> Field:
    """Declare a field with a list of values, each of which is read."""
    return field(wire, name, metavar=metavar, help=f"{help} Repeatable.", multiple=True, **more)


def flag(wire: str, names: str, *, help: str) -> Field:
    """Declare a field that is true, false or not given: `--on/--off`."""
    return Field(wire, option(_parameter(wire), names, help=help, default=None))


def day(wire: str, name: str, *, help: str) -> Field:
    """Declare a field that is a day, as people type it."""
    return _dated(wire, name, help, lambda text, today: parse_day(text, name, today))


def _dated(wire: str, name: str, help: str, read: Callable[[str, Today], date]) -> Field:
    plain = field(wire, name, metavar="DAY", help=help)
    return replace(plain, read_day=lambda text, today: read(text, today).isoformat())


def wire_name(written: str) -> str:
    """Return the name of a value as the wire writes it: credit-loss is CREDIT_LOSS."""
    return written.upper().replace("-", "_")


def span(wire: str, name: str, told: str) -> tuple[Field, Field]:
    """Declare the two parameters of a query for days from and to, both included: `--due-from`, `--due-to`."""
    first, last = f"{name}-from", f"{name}-to"
    return (
        _dated(
            f"{wire}_gte",
            first,
            f"Only those {told} on this day or later.",
            lambda text, today: parse_range(text, first, today)[0],
        ),
        _dated(
            f"{wire}_lte",
            last,
            f"Only those {told} on this day or earlier.",
            lambda text, today: parse_range(text, last, today)[1],
        ),
    )


def take_range(here: State) -> tuple[date | None, date | None]:
    """Take the days of `RANGE` out of the fields given; raise UsageError where they make no sense together."""
    period, first, last = (here.named.pop(name, None) for name in ("period", "from", "to"))
    return choose_range(period, first, last, here.today)


def range_query(here: State, first_name: str, last_name: str) -> dict[str, object]:
    """Return the days of `RANGE`, both included, under what a query calls them; None where a side is open."""
    days = zip((first_name, last_name), take_range(here), strict=True)
    return {name: one.isoformat() if one else None for name, one in days}


def _parameter(wire: str) -> str:
    """The name of a field's parameter, which is never that of a command's own."""
    return f"field_{wire}"


# of whatever writes rates down; `vat.charged` takes it out of the fields
LOCALE = field(
    "locale",
    "--locale",
    type=TyperChoice(("fi", "sv", "en", "de")),
    metavar="LANGUAGE",
    help="Names and separators of fi, sv, en or de (that of LC_ALL, LC_NUMERIC or LANG).",
)
FOREIGN_VAT = flag("foreign_vat", "--foreign-vat", help="Take a rate of VAT that the country does not have on the day.")
SEARCH = field("search", "--search", metavar="TEXT", help="Only rows that contain this text.")
RANGE = (
    field("period", "--period", metavar="RANGE", help="A year, quarter, month or day: 2026, 2026-Q1, 2026-03."),
    field("from", "--from", metavar="DAY", help="First day, or the first of a range."),
    field("to", "--to", metavar="DAY", help="Last day, or the last of a range."),
)


def _in_every_language(name: str) -> object:
    from acctcli.models.enums import Language

    return [{"key": str(language), "value": name} for language in Language]


TRANSLATED_NAME = field(
    "name_translations",
    "--name",
    metavar="TEXT",
    read=_in_every_language,
    help="Name, the same in every language.",
)
