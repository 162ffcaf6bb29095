"""What the wire is made of: the base of requests, money, dates, ids, texts.

Requests are checked by both halves: the client before it sends, so that a mistake costs no round trip
and names its field; the service again, because anyone may call it. Both ignore unknown keys here; the
client refuses them earlier, with the nearest name.
"""

from __future__ import annotations

import re
from copy import copy
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
    create_model,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

Body = TypeVar("Body", bound=BaseModel)

# PostgreSQL cannot store a NUL in a text; refuse it on both databases alike
NO_NUL = r"^[^\x00]*$"
EMAIL = r"^[^@\s\x00]+@([^@\s.\x00]+\.)*[^@\s.\x00]+$"
PHONE = r"^[0-9+()./\- ]*$"
COUNTRY = r"^([A-Za-z]{2})?$"
ACCOUNT = r"^[0-9]{1,7}$"
SLUG = r"^[-a-zA-Z0-9_]+$"
# what a text should be that has not the form of its field
FORMS = {
    EMAIL: "Write an address such as name@example.com.",
    PHONE: "Write digits, blanks and + ( ) . / - only.",
    COUNTRY: "Write the two letters of a country, such as FI.",
    ACCOUNT: "Write 1 to 7 digits.",
    SLUG: "Write letters of English, digits, - and _ only.",
    NO_NUL: "Must hold no NUL character.",
}

CENT = Decimal("0.01")
TEN_THOUSANDTH = Decimal("0.0001")
MONEY_BOUND = Decimal(10) ** 17
UNIT_BOUND = Decimal(10) ** 14
RATE_BOUND = Decimal(1000)
LARGEST_ID = 2**63 - 1
# what pydantic calls an object of JSON, sometimes with the name of a class
_DICTIONARY = re.compile(r"valid dictionary( or .*)?$")


def sentence(text: str) -> str:
    """Return what is wrong with a field for people: what it should be, and not how programs call or write that."""
    said = next((said for form, said in FORMS.items() if text.endswith(f"'{form}'")), text)
    return _DICTIONARY.sub("valid object", said)


def _refuse_unseen(name: str) -> str:
    """Refuse a name that nobody can see: of blanks, of characters without a width."""
    if not any(char.isprintable() and not char.isspace() for char in name):
        raise PydanticCustomError("blank", "Must have a character that can be seen.")
    return name


class Request(BaseModel):
    """Base of request bodies: unknown keys are ignored, enums become their plain values."""

    model_config = ConfigDict(extra="ignore", defer_build=True, use_enum_values=True)


_DECIMAL_TEXT = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{1,40})?", re.ASCII)
_WHOLE_TEXT = re.compile(r"[+-]?[0-9]{1,40}", re.ASCII)
_DAY_TEXT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def _read_decimal(value: object) -> Decimal:
    """Read a JSON number or a text of digits; binary floats are refused, they have lost digits already."""
    if isinstance(value, str) and _DECIMAL_TEXT.fullmatch(value):
        return Decimal(value)
    if isinstance(value, Decimal) and value.is_finite():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    raise PydanticCustomError("decimal", "A number is required.")


def _read_exact(value: object, unit: Decimal, bound: Decimal, digits: int) -> Decimal:
    """Read a decimal below `bound` in size and return it with exactly the decimals of `unit`."""
    number = _read_decimal(value)
    # compare before quantize, and as it is: 1E+999999999 has no form within the context's precision and exponents
    if number.copy_abs() >= bound:
        raise PydanticCustomError(
            "decimal_range", "Ensure that there are no more than {digits} integer digits.", {"digits": digits}
        )
    exact = number.quantize(unit)
    if exact != number:
        places = -int(unit.as_tuple().exponent)
        raise PydanticCustomError(
            "decimal_places", "Ensure that there are no more than {places} decimal places.", {"places": places}
        )
    return abs(exact) if exact.is_zero() else exact


def _read_money(value: object) -> Decimal:
    return _read_exact(value, CENT, MONEY_BOUND, 17)


def _read_unit_amount(value: object) -> Decimal:
    """Read a price or a count of at most 4 decimals and return it with 2, or with 3 or 4 where it takes them."""
    exact = _read_exact(value, TEN_THOUSANDTH, UNIT_BOUND, 14)
    short = exact.quantize(CENT)
    return short if short == exact else exact.normalize()


def _read_rate(value: object) -> Decimal:
    rate = _read_exact(value, CENT, RATE_BOUND, 3)
    if rate < 0:
        raise PydanticCustomError("decimal_range", "Ensure this value is greater than or equal to 0.")
    return rate


def _read_day(value: object) -> date:
    """Read YYYY-MM-DD; date-times, week dates and unix numbers are other things."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str) and _DAY_TEXT.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise PydanticCustomError("date", "No such day in the calendar.") from None
    raise PydanticCustomError("date", "Date has wrong format. Use YYYY-MM-DD.")


def _refuse_odd_whole(value: object) -> object:
    """Refuse what pydantic would read as a whole number: true, floats, " 1_000 ", 1E+999999999 digit by digit."""
    is_odd = isinstance(value, bool | float) or (isinstance(value, str) and not _WHOLE_TEXT.fullmatch(value))
    if is_odd or (isinstance(value, Decimal) and not _is_plain(value)):
        raise PydanticCustomError("int", "A valid integer is required.")
    return value


def _is_plain(number: Decimal) -> bool:
    """Whether a number needs no more than some digits on either side of its point to be written without exponent."""
    return number.is_finite() and number.adjusted() < 40 and int(number.as_tuple().exponent) > -40


whole = BeforeValidator(_refuse_odd_whole)

Money = Annotated[
    Decimal,
    PlainValidator(_read_money),
    WithJsonSchema({"type": "number", "multipleOf": 0.01, "description": "Currency units, 2 decimals"}),
]
UnitAmount = Annotated[
    Decimal,
    PlainValidator(_read_unit_amount),
    WithJsonSchema({"type": "number", "multipleOf": 0.0001, "description": "Prices and counts, at most 4 decimals"}),
]
Rate = Annotated[
    Decimal,
    PlainValidator(_read_rate),
    WithJsonSchema({"type": "number", "minimum": 0, "exclusiveMaximum": 1000, "multipleOf": 0.01}),
]
Date = Annotated[date, PlainValidator(_read_day), WithJsonSchema({"type": "string", "format": "date"})]
Integer = Annotated[int, Field(ge=-(2**63), le=LARGEST_ID), whole]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID), whole]
Email = Annotated[str, StringConstraints(max_length=254, pattern=EMAIL)]
Phone = Annotated[str, StringConstraints(max_length=32, pattern=PHONE)]
Country = Annotated[str, StringConstraints(max_length=2, pattern=COUNTRY)]
Currency = Annotated[str, StringConstraints(min_length=1, max_length=16, pattern=NO_NUL)]
AccountNumber = Annotated[str, StringConstraints(pattern=ACCOUNT)]
Text11 = Annotated[str, StringConstraints(max_length=11, pattern=NO_NUL)]
Text16 = Annotated[str, StringConstraints(max_length=16, pattern=NO_NUL)]
Text20 = Annotated[str, StringConstraints(max_length=20, pattern=NO_NUL)]
Text25 = Annotated[str, StringConstraints(max_length=25, pattern=NO_NUL)]
Text32 = Annotated[str, StringConstraints(max_length=32, pattern=NO_NUL)]
Text34 = Annotated[str, StringConstraints(max_length=34, pattern=NO_NUL)]
Text64 = Annotated[str, StringConstraints(max_length=64, pattern=NO_NUL)]
Text8 = Annotated[str, StringConstraints(max_length=8, pattern=NO_NUL)]
Text128 = Annotated[str, StringConstraints(max_length=128, pattern=NO_NUL)]
Text150 = Annotated[str, StringConstraints(max_length=150, pattern=NO_NUL)]
Text256 = Annotated[str, StringConstraints(max_length=256, pattern=NO_NUL)]
Text300 = Annotated[str, StringConstraints(max_length=300, pattern=NO_NUL)]
Text512 = Annotated[str, StringConstraints(max_length=512, pattern=NO_NUL)]
Text8192 = Annotated[str, StringConstraints(max_length=8192, pattern=NO_NUL)]
seen = AfterValidator(_refuse_unseen)
# a name of blanks is none; those around it are not part of it
Name64 = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=64, pattern=NO_NUL), seen]
Name128 = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=128, pattern=NO_NUL), seen]
Name256 = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=256, pattern=NO_NUL), seen]
Name2000 = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000, pattern=NO_NUL)]


def zero() -> Any:
    """Return a field that defaults to 0.00, shown as a number in JSON schemas."""
    return Field(default=Decimal("0.00"), json_schema_extra={"default": 0})


def hide_default(schema: dict[str, Any]) -> None:
    """Drop a null default from a JSON schema: it is a device of the class, not a promise on the wire."""
    schema.pop("default", None)


@cache
def partial(model: type[Body]) -> type[Body]:
    """Return the PATCH form of a request model: the same fields, none required (docs/interface.md 1.2).

    Null stays refused where the model refuses it; what was not sent is known from `model_fields_set`.
    """
    fields: dict[str, Any] = {name: (field.annotation, _optional(field)) for name, field in model.model_fields.items()}
    return create_model(f"Partial{model.__name__}", __base__=model, __doc__=model.__doc__, **fields)


def _optional(field: FieldInfo) -> FieldInfo:
    loose = copy(field)
    loose.default = None
    loose.default_factory = None
    loose.json_schema_extra = hide_default
    return loose
