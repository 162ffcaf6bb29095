"""Relations of documents and suggestions of them: `.../document/{document_id}/relation/` (docs/interface.md 5.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.documents import relations, suggestions
from acctcli.service.cases.documents.view import render_relation
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import BOOKS_READ, BOOKS_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.query import Page

if TYPE_CHECKING:
    from acctcli.models.relation import DocumentRelation


def list_relations(call: Call) -> Page[DocumentRelation]:
    """List the relations of a document, of which there are few."""
    page, rows = call.page, relations.relations_of(call, call.ids["document_id"])
    return Page(len(rows), [render_relation(row) for row in rows[page.offset : page.offset + page.size]])


AREA = Area(
    "relation",
    f"{ONE_BUSINESS}document/{{document_id}}/relation/",
    "relation",
    read=BOOKS_READ,
    write=BOOKS_WRITE,
    request="relation:RelationRequest",
    response="relation:DocumentRelation",
)
AREA.page("", list_relations, "List relations.")
AREA.create(relations.create_relation)
AREA.get(relations.get_relation)
AREA.replace(relations.change_relation, partial=True)
AREA.update(relations.change_relation)
AREA.delete(relations.delete_relation)

SUGGESTIONS = Area(
    "suggestion",
    f"{ONE_BUSINESS}document/",
    "document",
    read=BOOKS_READ,
    write=BOOKS_READ,
    response="relation:RelationSuggestions",
)
SUGGESTIONS.look(
    "relation/suggestions/",
    suggestions.suggest_relations,
    "Suggest what a document may be related to.",
)
SUGGESTIONS.operation(
    "POST",
    "relation/suggestions/preview/",
    suggestions.preview_relations,
    "Suggest what a document that does not exist yet may be related to.",
    needs=BOOKS_READ,
    reads=True,
    request="document:PreviewRequest",
    response=SUGGESTIONS.response,
)
