"""The types of replies, as judges of what the service shows."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter


def check_reply(kind: Any, shown: object) -> None:
    """Raise pydantic's ValidationError if a decoded reply lacks a key of its type or has another kind of value."""
    _adapter(kind).validate_python(shown)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
