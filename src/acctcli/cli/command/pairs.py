"""A record in one option: `--item 'amount=125.50,account=3000,description="Sales, March"'`.

A value ends at the next comma. One that holds a comma or begins with a quote stands in double quotes, in which a
quote is written twice. Blanks around names, and around values without quotes, do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from acctcli.cli.command.local_forms import in_our_form
from acctcli.errors import UsageError

# makes a value of what is written, or raises ValueError with what it should have been
Parse = Callable[[str], Any]

_FORM = 'write name=value,name=value; a value with a comma stands in quotes: text="a, b"'
_NAME = re.compile(r'([^=,"]*)=')
_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*')
_PLAIN = re.compile(r'\s*+((?!")[^,]*)')
_NUMBER = re.compile(r"-?[0-9]{1,17}(\.[0-9]{1,4})?", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,19}", re.ASCII)


def read_pairs(written: str, known: Mapping[str, Parse], option: str) -> dict[str, Any]:
    """Return the values by name, in the order they are written.

    `known` says how each value is read. Raise UsageError for a name that is unknown or comes twice, for a value that
    cannot be read, and for text that is no pair; `option` says where it was written.
    """
    found: dict[str, Any] = {}
    place = 0
    while True:
        name, text, place = _next_pair(written, place, option)
        if name not in known:
            raise _unknown(name, known, f"{option} {written!r}")
        if name in found:
            raise UsageError(f"{option} {written!r}: {name} comes twice")
        try:
            found[name] = known[name](text)
        except ValueError as problem:
            raise UsageError(f"{option} {written!r}: {name}: {problem}") from problem
        if place == len(written):
            return found
        place += 1


def number(text: str) -> Decimal:
    """Read a number with a decimal point and at most 4 decimals; its digits stay as they are."""
    if not _NUMBER.fullmatch(text):
        form = in_our_form(text) or " such as 125.50, with at most 4 decimals"
        raise ValueError(f"{text!r} is not a number{form}")
    return Decimal(text)


def whole(text: str) -> int:
    """Read a whole number."""
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def _next_pair(written: str, start: int, option: str) -> tuple[str, str, int]:
    """Return name and text of the pair that begins here, and where it ends."""
    name = _NAME.match(written, start)
    if name is None:
        part = written[start:].partition(",")[0]
        raise UsageError(f"{option} {written!r}: {part!r} is no name=value", hint=_FORM)
    quoted = _QUOTED.match(written, name.end())
    value = quoted or _PLAIN.match(written, name.end())
    if value is None or written[value.end() : value.end() + 1] not in {"", ","}:
        raise UsageError(f"{option} {written!r}: the quotes of {name[1].strip()} do not end", hint=_FORM)
    text = quoted[1].replace('""', '"') if quoted else value[1].strip()
    return name[1].strip(), text, value.end()


def _unknown(name: str, known: Mapping[str, Parse], place: str) -> UsageError:
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return UsageError(f"{place}: there is no {name!r}", hint=hint)


def read_amount(written: str | None, option: str = "--amount", *, or_nothing: bool = False) -> Decimal | None:
    """Return an amount of money above zero, `or_nothing`; raise UsageError that names the option."""
    if written is None:
        return None
    try:
        found = number(written)
    except ValueError as problem:
        raise UsageError(f"{option} {written!r}: {problem}") from problem
    if found < 0 or (not found and not or_nothing) or found != round(found, 2):
        least = "not below" if or_nothing else "above"
        raise UsageError(f"{option} {written!r}: write an amount {least} zero with at most 2 decimals")
    return round(found, 2)
