"""What takes a document back: its mirror, which posts the same on the other side and is related to it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from acctcli.cli.document.settling import Posted
from acctcli.cli.session.state import State
from acctcli.client.faults import unreadable
from acctcli.client.messages import Reply
from acctcli.models.document import Blueprint, BlueprintRow
from acctcli.models.enums import RelationRole


class Related(msgspec.Struct, frozen=True):
    """Another document, and what this one is to it."""

    related_document: int
    role: str


class Shown(Posted, kw_only=True):
    """A document, as far as it tells what takes it back."""

    blueprint: dict[str, Any]
    created_at: str | None = None
    date: str = ""
    description: str = ""
    contact_id: int | None = None
    tag_ids: list[int] = msgspec.field(default_factory=list)
    type: int = 0
    is_draft: bool = False
    is_deletable: bool = True
    relations: list[Related] = msgspec.field(default_factory=list)

    @property
    def called(self) -> str:
        """Its number as people know it."""
        return self.number or f"document {self.id}"


_decode = msgspec.json.Decoder(Shown, float_hook=Decimal).decode


def read_shown(reply: Reply) -> Shown:
    """Read a document that a reply shows."""
    try:
        return _decode(reply.body)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise unreadable(reply, "something else") from problem


def reversal_of(here: State, original: Shown) -> Shown | None:
    """Return what is related to a document as its mirror; the document that it takes back itself is none."""
    for pair in original.relations:
        if pair.role == RelationRole.ACCRUAL:
            other = read_shown(here.api.documents.get(pair.related_document))
            if not other.is_draft and is_mirror(other, original.blueprint):
                return other
    return None


def is_mirror(other: Shown, blueprint: Mapping[str, Any]) -> bool:
    """Return whether a document takes back what a blueprint posts."""
    return negated(other.blueprint) == sendable(blueprint)


def negated(blueprint: Mapping[str, Any]) -> dict[str, Any]:
    """Return what posts the same on the other side: a negative amount changes sides, and its VAT with it."""
    shape = sendable(blueprint)
    for value in shape.values():
        for row in value if isinstance(value, list) else ():
            row["amount"] = -row["amount"]
    return shape


def sendable(blueprint: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a blueprint may be sent, each amount a decimal."""
    known = {name: blueprint[name] for name in Blueprint.model_fields if blueprint.get(name)}
    return {name: list(map(_row, value)) if isinstance(value, list) else value for name, value in known.items()}


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in BlueprintRow.model_fields if name in row} | {
        "amount": Decimal(row.get("amount") or 0)
    }
