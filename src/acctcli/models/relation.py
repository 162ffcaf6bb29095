"""Relations between documents, and suggestions of them (wire facts 2.9)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import RootModel

from acctcli.models.base import Id, Request, Response
from acctcli.models.enums import RelationRole, RelationType


class RelationRequest(Request):
    """A pair of documents; `role` is that of the document in the address."""

    related_document: Id
    role: RelationRole
    type: RelationType


class DocumentRelation(Response):
    """A pair of documents, seen from one of them."""

    id: int
    created_at: datetime
    updated_at: datetime
    related_document: int
    related_document_summary: dict[str, Any]
    description: str
    role: str
    type: str
    source_document_signals: dict[str, Any]
    related_document_signals: dict[str, Any]


class RelationSuggestion(Response):
    """A document that may belong to this one; related_document, role and type make a RelationRequest."""

    related_document: int
    role: str
    type: str
    reason: str
    score: int


class RelationSuggestions(RootModel[list[RelationSuggestion]]):
    """Documents that may belong to this one, the best first."""
