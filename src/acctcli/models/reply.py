"""What replies are made of: types for the type checker and the OpenAPI document; nothing is checked by them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, GetPydanticSchema
from typing_extensions import TypedDict

# for a field that a reply may lack
ABSENT = Field(json_schema_extra={"default": None})


def shown_as(kind: Any) -> GetPydanticSchema:
    """Document a value of a reply as another type than the service keeps it in, such as a text of JSON or a moment."""
    return GetPydanticSchema(lambda _, schema_of: schema_of(kind))


Moment = Annotated[str, shown_as(datetime)]
Json = Annotated[Any, shown_as(dict[str, Any])]


class Stored(TypedDict):
    """What every record shows that is kept: its id, and when it was made and changed."""

    id: int
    created_at: Moment
    updated_at: Moment
