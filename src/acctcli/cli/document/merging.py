"""A change of a part of a blueprint: the document has the rest, since a blueprint is replaced as a whole."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
from pydantic import ValidationError

from acctcli.cli.document.blueprints import Legs, check_balance, check_sides
from acctcli.cli.session.state import State
from acctcli.client.faults import unreadable
from acctcli.models.document import Blueprint, BlueprintRow, DocumentRequest


class _Shown(msgspec.Struct):
    blueprint: dict[str, Any]
    is_draft: bool = False


_decode = msgspec.json.Decoder(_Shown, float_hook=Decimal).decode


def complete(here: State, body: DocumentRequest, legs: Legs | None, document: int) -> bool:
    """Put what the document has into the blueprint of a body; tell whether it will be a draft.

    A leg takes the place of its whole side, a field given otherwise that of itself. Raises UsageError where the
    document would post nothing any more.
    """
    reply = here.api.documents.get(document)
    given = body.blueprint.model_dump(exclude_unset=True)
    try:
        shown = _decode(reply.body)
        replaced = given.keys() if legs is None else _fields_of(legs)
        kept = {name: _known(value) for name, value in shown.blueprint.items() if value and name not in replaced}
        rest = Blueprint.model_validate({name: kept[name] for name in Blueprint.model_fields if name in kept})
    except (msgspec.DecodeError, RecursionError, ValidationError) as problem:
        raise unreadable(reply, "something else") from problem
    for name in given:
        setattr(rest, name, getattr(body.blueprint, name))
    body.blueprint = rest
    is_draft = shown.is_draft if body.is_draft is None else body.is_draft
    whole = rest.model_dump()
    check_sides(whole, posts=not is_draft)
    if not is_draft:
        check_balance(whole)
    return is_draft


def _fields_of(legs: Legs) -> set[str]:
    sides = {"debet": legs.debit, "credit": legs.credit, "expense": legs.expense}
    return {f"{side}_{kind}" for side, given in sides.items() if given for kind in ("account_id", "entries")}


def _known(value: object) -> object:
    """Leave out of rows what a blueprint is shown with and does not take."""
    if isinstance(value, dict):
        return {name: value[name] for name in BlueprintRow.model_fields if name in value}
    return [_known(row) for row in value] if isinstance(value, list) else value
