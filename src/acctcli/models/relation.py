"""Relations between documents, and suggestions of them (docs/interface.md 5.7, 5.8)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from acctcli.models.base import Id, Request
from acctcli.models.enums import RelationRole, RelationType
from acctcli.models.reply import Stored


class RelationRequest(Request):
    """A pair of documents; `role` is that of the document in the address, and there is one type."""

    related_document: Id
    role: RelationRole
    type: RelationType = RelationType.ACCRUAL_PAIR


class DocumentRelation(Stored):
    """A pair of documents, seen from one of them."""

    related_document: int
    related_document_summary: dict[str, Any]
    description: str
    role: str
    type: str
    source_document_signals: dict[str, Any]
    related_document_signals: dict[str, Any]


class RelationSuggestion(TypedDict):
    """A document that may belong to this one; related_document, role and type make a RelationRequest."""

    related_document: int
    role: str
    type: str
    reason: str
    score: int


RelationSuggestions = TypeAliasType(
    "RelationSuggestions",
    Annotated[
        list[RelationSuggestion],
        Field(title="RelationSuggestions", description="Documents that may belong to this one, the best first."),
    ],
)
