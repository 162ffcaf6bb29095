"""Relations of documents and suggestions of them: `.../document/{document_id}/relation/` (wire facts 1.2, 2.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.documents import relations, suggestions
from acctcli.service.cases.documents.view import render_relation
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import BOOKS_READ, BOOKS_WRITE, ONE_BUSINESS, Area

if TYPE_CHECKING:
    from acctcli.models.relation import DocumentRelation, RelationSuggestion

AREA = Area(
    "relation",
    f"{ONE_BUSINESS}document/{{document_id}}/relation/",
    read=BOOKS_READ,
    write=BOOKS_WRITE,
    request="relation:RelationRequest",
    response="relation:DocumentRelation",
    one="{relation_id}/",
)
SUGGESTIONS = Area("suggestion", f"{ONE_BUSINESS}document/", read=BOOKS_READ, response="relation:RelationSuggestions")


@AREA.page()
def list_relations(call: Call) -> Page:
    """List relations."""
    page, rows = call.page, relations.relations_of(call, call.ids["document_id"])
    return Page(len(rows), [render_relation(row) for row in rows[page.offset : page.offset + page.size]])


@AREA.create()
def create_relation(call: Call) -> DocumentRelation:
    """Create a relation."""
    return relations.create_relation(call, call.ids["document_id"], call.body)


@AREA.get()
def get_relation(call: Call) -> DocumentRelation:
    """Show a relation."""
    return relations.get_relation(call, call.ids["document_id"], call.ids["relation_id"])


@AREA.replace()
def replace_relation(call: Call) -> DocumentRelation:
    """Replace a relation."""
    return relations.change_relation(call, call.ids["document_id"], call.ids["relation_id"], call.body)


@AREA.update()
def update_relation(call: Call) -> DocumentRelation:
    """Change a relation."""
    return relations.change_relation(call, call.ids["document_id"], call.ids["relation_id"], call.body)


@AREA.delete()
def delete_relation(call: Call) -> None:
    """Delete a relation."""
    relations.delete_relation(call, call.ids["document_id"], call.ids["relation_id"])


@SUGGESTIONS.get("{document_id}/relation/suggestions/")
def suggest_relations(call: Call) -> list[RelationSuggestion]:
    """Suggest what a document may be related to."""
    return suggestions.suggest_relations(call, call.ids["document_id"])


@SUGGESTIONS.post("relation/suggestions/preview/", needs=BOOKS_READ, reads=True, request="document:PreviewRequest")
def preview_relations(call: Call) -> list[RelationSuggestion]:
    """Suggest what a document that does not exist yet may be related to."""
    return suggestions.preview_relations(call, call.body)
