"""Placeholders, such as `{number}`, in what a business writes once for all its mail (docs/interface.md 7.4)."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from acctcli.models.base import Text8192

# the lines of what is to be paid: only where a text has several
PAYMENT = "payment"
OF_A_LINE = ("number", "invoice", "total", "due_date", "reference", "iban", "name", "business")
_BRACES = re.compile(r"(\{\{|\}\}|\{[^{}\n]{0,32}\}|[{}])")


class Placeholder(NamedTuple):
    """What stands for something of an invoice."""

    name: str


def parts_of(text: str, names: tuple[str, ...] = (*OF_A_LINE, PAYMENT)) -> list[str | Placeholder]:
    """Return the words and the placeholders of a text; ValueError, with what is wrong, where braces are neither.

    `{{` and `}}` are braces.
    """
    return [_part(piece, names) for piece in _BRACES.split(text) if piece]


def _part(piece: str, names: tuple[str, ...]) -> str | Placeholder:
    if piece in ("{{", "}}"):
        return piece[0]
    if piece[0] not in "{}":
        return piece
    if piece[1:-1] not in names:
        raise ValueError(piece)
    return Placeholder(piece[1:-1])


def _check(text: str, names: tuple[str, ...]) -> str:
    try:
        parts_of(text, names)
    except ValueError as error:
        known = ", ".join(f"{{{name}}}" for name in names)
        said = {"wrong": str(error), "known": known, "opening": "{{", "closing": "}}"}
        raise PydanticCustomError(
            "placeholder", "{wrong} stands for nothing here; use {known}, or {opening} and {closing} for braces.", said
        ) from None
    return text


MailLine = Annotated[Text8192, AfterValidator(lambda text: _check(text, OF_A_LINE))]
MailText = Annotated[Text8192, AfterValidator(lambda text: _check(text, (*OF_A_LINE, PAYMENT)))]
