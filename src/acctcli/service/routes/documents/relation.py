"""Relations of a document: `.../document/{document_id}/relation/` (wire facts 1.2, 2.9).

Locks: nothing is written from the address of a document that is locked, or whose period is. The other document of the
pair refuses only when it was locked by itself. Were the lock of its period enough, no payment could be related to an
invoice whose VAT is reported, which is most late payments, nor a wrong one be taken off it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from acctcli.models.enums import RelationRole
from acctcli.service.problems import Invalid, Locked, Missing
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.documents.guard import find, find_open, name
from acctcli.service.routes.documents.view import render_relation
from acctcli.service.rules.relations import pair_up
from acctcli.service.store.books import documents, relations
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.books.relations import RelationRow


def list_relations(call: Call) -> Page:
    """List the relations of a document in the order they were made, whichever of the two they were made from."""
    page, rows = call.page, _relations(call, find(call))
    return Page(len(rows), [render_relation(row) for row in rows[page.offset : page.offset + page.size]])


def get_relation(call: Call) -> dict[str, Any]:
    """Show a relation from the document of the address."""
    return render_relation(_chosen(call, _relations(call, find(call))))


def create_relation(call: Call) -> dict[str, Any]:
    """Relate the document to another one of the business; `role` is that of the document of the address."""
    document = find_open(call)
    related_id, role = call.body.related_document, call.body.role
    _check_partner(call, document, related_id, _relations(call, document))
    pair = pair_up(document.id, role, related_id)
    relation_id = relations.create(call.conn, call.business.id, pair, call.body.type, call.stamp)
    return _written(call, document, relation_id, "relation.created")


def replace_relation(call: Call) -> dict[str, Any]:
    """Replace a relation; every field is required."""
    return _change(call)


def update_relation(call: Call) -> dict[str, Any]:
    """Change the fields that are sent."""
    return _change(call)


def delete_relation(call: Call) -> None:
    """Delete a relation; both documents stay."""
    document = find_open(call)
    row = _chosen(call, _relations(call, document))
    _refuse_locked_partner(_document(call, row.related_id))
    relations.remove(call.conn, call.business.id, row.id)
    call.emit("relation.deleted", {"id": row.id})


def _change(call: Call) -> dict[str, Any]:
    document = find_open(call)
    rows = _relations(call, document)
    row = _chosen(call, rows)
    _refuse_locked_partner(_document(call, row.related_id))
    sent = call.body.model_fields_set
    related_id = call.body.related_document if "related_document" in sent else row.related_id
    role = call.body.role if "role" in sent else _role(row)
    type_ = call.body.type if "type" in sent else row.type
    _check_partner(call, document, related_id, [other for other in rows if other.id != row.id])
    pair = pair_up(document.id, role, related_id)
    relations.change(call.conn, call.business.id, row.id, pair, type_, call.stamp)
    return _written(call, document, row.id, "relation.updated")


def _relations(call: Call, document: DocumentRow) -> list[RelationRow]:
    return relations.of_document(call.conn, call.business.id, document.id)


def _chosen(call: Call, rows: Iterable[RelationRow]) -> RelationRow:
    """Return the relation of the address; one of other documents is missing here."""
    for row in rows:
        if row.id == call.ids["relation_id"]:
            return row
    raise Missing("There is no such relation of this document.")


def _document(call: Call, document_id: int) -> DocumentRow | None:
    return documents.get(call.conn, call.business.id, document_id, for_update=True)


def _check_partner(call: Call, document: DocumentRow, related_id: int, others: Iterable[RelationRow]) -> None:
    """Refuse the document itself, one that is not there, and one that it is related to already."""
    if related_id == document.id:
        raise Invalid.field("related_document", "A document cannot be related to itself.")
    related = _document(call, related_id)
    if related is None:
        raise Invalid.field("related_document", f"Unknown document id {related_id}.")
    if any(other.related_id == related_id for other in others):
        raise Invalid.field("related_document", f"The document is related to {name(related)} already.")
    _refuse_locked_partner(related)


def _refuse_locked_partner(row: DocumentRow | None) -> None:
    if row is not None and row.is_locked and row.locked_by is None:
        raise Locked(f"Document {name(row)} is locked.")


def _role(row: RelationRow) -> RelationRole:
    return RelationRole.ACCRUAL if row.is_accrual else RelationRole.SETTLEMENT


def _written(call: Call, document: DocumentRow, relation_id: int, event: str) -> dict[str, Any]:
    rows = _relations(call, document)
    payload = next(render_relation(row) for row in rows if row.id == relation_id)
    call.emit(event, payload)
    return payload
