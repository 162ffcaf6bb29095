"""What bodies say in other words than the models ask for (docs/interface.md 1.7).

The models are strict, and the command line with them. What they refuse is read once more as usual frameworks read it: a
number where a text belongs is its digits, a text where a number belongs is the number, an amount that went through a
binary float is the amount. A body that the models accept at once costs nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from enum import Enum
from functools import cache
from itertools import chain
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from acctcli.models.base import partial as partial_of

# what a binary float is away from the decimal it stands for, and no digit that somebody meant
NOISE = Decimal("1e-9")
# more digits than any number of the interface has; what goes beyond stays refused
MOST_DIGITS = 40
LARGEST = 10**MOST_DIGITS
MOST_MISTAKES = 100
# a body with so many is checked row by row first
MANY_ROWS = 1000
# where null is no empty text, but a token that reaches everything, or a name made up
_NEVER_CLEARED = frozenset({"slug", "business_slug", "selected_business_slugs"})

_WHOLE = re.compile(r"([+-]?[0-9]{1,40})(\.0*)?", re.ASCII)
_NUMBER = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9]{1,2})?", re.ASCII)


class Mistaken(Exception):
    """A body has more mistakes than anybody reads; it holds the first ones, as pydantic tells them."""

    def __init__(self, mistakes: list[ErrorDetails]) -> None:
        super().__init__()
        self.mistakes = mistakes


class _Place(NamedTuple):
    """What may stand in a field besides a value of its own: null for an empty text, an object."""

    is_cleared: bool
    inner: type[BaseModel] | None


def validate(model: type[BaseModel], fields: dict[str, Any], *, partial: bool, may_be_blank: bool) -> BaseModel:
    """Return the fields as a model, read strictly first; ValidationError or Mistaken for what has no plain meaning.

    An empty text in a field that may be null is null; `may_be_blank`: there may be one. Writes into `fields`.
    """
    form = partial_of(model) if partial else model
    if may_be_blank:
        _clear_blanks(model, fields)
    if _count_rows(model, fields) >= MANY_ROWS:
        _check_rows(model, fields)
    while True:
        try:
            return form.model_validate(fields)
        except ValidationError as error:
            mistakes = error.errors(include_url=False)
            # it ends: what was a number is a text afterwards, a text is a number, and a number has fewer digits
            if not [mistake for mistake in mistakes if _mend(model, fields, mistake, partial=partial)]:
                raise


def _check_rows(model: type[BaseModel], fields: dict[str, Any]) -> None:
    """Mend the rows of a body one by one; raises Mistaken at the first that have too many mistakes together.

    What pydantic says of a whole body with ten thousand wrong rows takes a hundred times its bytes.
    """
    found: list[ErrorDetails] = []
    for place, row_model, row in _rows(model, fields, ()):
        try:
            validate(row_model, row, partial=False, may_be_blank=False)
        except ValidationError as error:
            found += [{**one, "loc": (*place, *one["loc"])} for one in error.errors(include_url=False)]
        if len(found) > MOST_MISTAKES:
            raise Mistaken(found)


def _count_rows(model: type[BaseModel], fields: dict[str, Any]) -> int:
    """Return how long the lists of objects in a body are together."""
    count = 0
    for name, inner in _holders(model):
        value = fields.get(name)
        if isinstance(value, dict):
            count += _count_rows(inner, value)
        elif isinstance(value, list):
            count += len(value)
    return count


def _rows(
    model: type[BaseModel], fields: dict[str, Any], place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], type[BaseModel], dict[str, Any]]]:
    """Yield the objects in the lists of a body, each with its place and its model."""
    for name, inner in _holders(model):
        value = fields.get(name)
        if isinstance(value, dict):
            yield from _rows(inner, value, (*place, name))
        elif isinstance(value, list):
            yield from (((*place, name, at), inner, row) for at, row in enumerate(value) if isinstance(row, dict))


def _clear_blanks(model: type[BaseModel], fields: dict[str, Any]) -> None:
    places = _places(model)
    for name in fields.keys() & places.keys():
        value, place = fields[name], places[name]
        if value == "" and place.is_cleared:
            fields[name] = None
        elif place.inner is not None:
            for one in value if isinstance(value, list) else (value,):
                if isinstance(one, dict):
                    _clear_blanks(place.inner, one)


@cache
def _places(model: type[BaseModel]) -> Mapping[str, _Place]:
    kinds = {name: field.annotation for name, field in model.model_fields.items()}
    return {name: _Place(_is_cleared(name, kind), next(_models(kind), None)) for name, kind in kinds.items()}


@cache
def _holders(model: type[BaseModel]) -> list[tuple[str, type[BaseModel]]]:
    """Return the fields that hold objects, with the model of these."""
    return [(name, place.inner) for name, place in _places(model).items() if place.inner is not None]


def _is_cleared(name: str, kind: Any) -> bool:
    return NoneType in get_args(kind) and "" not in _words(kind) and name not in _NEVER_CLEARED


def _models(kind: Any) -> Iterator[type[BaseModel]]:
    """Yield the objects in a type."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for part in get_args(kind):
        yield from _models(part)


def _words(kind: Any) -> Iterator[object]:
    """Yield the words that a type is a choice of."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield from (member.value for member in kind)
    else:
        yield from chain.from_iterable(map(_words, get_args(kind)))


def _mend(model: type[BaseModel], fields: dict[str, Any], mistake: ErrorDetails, *, partial: bool) -> bool:
    """Put what was meant in the place of what was refused, if that is plain; return whether it was."""
    place = mistake["loc"]
    if len(place) == 1 and (name := str(place[0])) in fields:
        default = model.model_fields[name].default
        if _says_nothing(default, mistake["input"], partial=partial):
            del fields[name]
            return True
    read = _READERS.get(mistake["type"])
    value = None if read is None else read(mistake["input"], mistake.get("ctx", {}))
    if value is None:
        return False
    holder: Any = fields
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    return True


def _says_nothing(default: object, value: object, *, partial: bool) -> bool:
    """Whether a field is as if it were not sent: empty where none is shown so, null for what has a usual value."""
    return (value == "" and default == "") or (value is None and default is None and not partial)


def _digits(value: object, context: Mapping[str, Any]) -> str | None:
    """Return a number as it is written without an exponent, a text where a number came."""
    del context
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value) if abs(value) < LARGEST else None
    if isinstance(value, Decimal) and value.is_finite():
        exponent = int(value.as_tuple().exponent)
        return f"{value:f}" if exponent >= -MOST_DIGITS and value.adjusted() < MOST_DIGITS else None
    return None


def _whole(value: object, context: Mapping[str, Any]) -> int | None:
    del context
    found = _WHOLE.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else None


def _number(value: object, context: Mapping[str, Any]) -> Decimal | None:
    del context
    is_number = isinstance(value, str) and _NUMBER.fullmatch(value.strip())
    return Decimal(value.strip()) if isinstance(value, str) and is_number else None


def _rounded(value: Decimal | str, context: Mapping[str, Any]) -> Decimal | None:
    """Return the value with the decimals allowed that a binary float stands for."""
    number = Decimal(value)
    exact = number.quantize(Decimal(1).scaleb(-context["places"]))
    return exact if abs(number - exact) <= NOISE else None


def _reference(value: object, context: Mapping[str, Any]) -> dict[str, object] | None:
    """Return an object that names a record, where its id came alone."""
    is_id = isinstance(value, int | str) and not isinstance(value, bool)
    return {"id": value} if is_id and value != "" and context["class_name"] == "Reference" else None


# by the kind of mistake that models find (models/base.py), what was meant, None for nothing plain
_READERS: dict[str, Callable[[Any, Mapping[str, Any]], object]] = {
    "string_type": _digits,
    "int": _whole,
    "decimal": _number,
    "decimal_places": _rounded,
    "model_type": _reference,
}
