"""Relations of a document (docs/interface.md 5.7).

Locks: nothing is written from the address of a document that is locked, or whose period is. The other document of the
pair refuses only when it was locked by itself. Were the lock of its period enough, no payment could be related to an
invoice whose VAT is reported, which is most late payments, nor a wrong one be taken off it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from acctcli.models.enums import RelationRole
from acctcli.service.cases.documents.guard import find, find_open, name, refuse_locked_alone, tied
from acctcli.service.cases.documents.view import render_relation
from acctcli.service.cases.invoices.settlement import follow
from acctcli.service.cases.purchases import open_taken_back
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid
from acctcli.service.rules.relations import pair_up
from acctcli.service.store.books import documents, relations
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.books.relations import RelationRow

if TYPE_CHECKING:
    from acctcli.models.relation import DocumentRelation, RelationRequest


def relations_of(work: Work, document_id: int) -> list[RelationRow]:
    """Return the relations of a document in the order they were made, whichever of the two they were made from."""
    return _relations(work, find(work, document_id))


def get_relation(work: Work, document_id: int, relation_id: int) -> DocumentRelation:
    """Show a relation from one of its documents."""
    return render_relation(_chosen(relations_of(work, document_id), relation_id))


def create_relation(work: Work, document_id: int, body: RelationRequest) -> DocumentRelation:
    """Relate a document to another one of the business; `role` is that of the first."""
    document = find_open(work, document_id)
    _check_partner(work, document, body.related_document, _relations(work, document))
    pair = pair_up(document.id, body.role, body.related_document)
    relation_id = relations.create(work.conn, work.business.id, pair, body.type, work.stamp)
    return _written(work, document, relation_id, "relation.created")


def change_relation(work: Work, document_id: int, relation_id: int, body: RelationRequest) -> DocumentRelation:
    """Change the fields that are sent."""
    document = find_open(work, document_id)
    rows = _relations(work, document)
    row = _chosen(rows, relation_id)
    sent = body.model_fields_set
    related_id = body.related_document if "related_document" in sent else row.related_id
    _check_parting(work, document, row, is_parted=related_id != row.related_id)
    role = body.role if "role" in sent else _role(row)
    type_ = body.type if "type" in sent else row.type
    _check_partner(work, document, related_id, [other for other in rows if other.id != row.id])
    pair = pair_up(document.id, role, related_id)
    relations.change(work.conn, work.business.id, row.id, pair, type_, work.stamp)
    return _written(work, document, row.id, "relation.updated", row.related_id)


def delete_relation(work: Work, document_id: int, relation_id: int) -> None:
    """Delete a relation; both documents stay."""
    document = find_open(work, document_id)
    row = _chosen(_relations(work, document), relation_id)
    _check_parting(work, document, row, is_parted=True)
    relations.remove(work.conn, work.business.id, row.id)
    work.emit("relation.deleted", {"id": row.id})
    documents.note_related(work.conn, work.business.id, [document.id, row.related_id])
    follow(work, [document.id, row.related_id])


def _relations(work: Work, document: DocumentRow) -> list[RelationRow]:
    return relations.of_document(work.conn, work.business.id, document.id)


def _chosen(rows: Iterable[RelationRow], relation_id: int) -> RelationRow:
    """Return one of a document's relations; one of other documents is missing here."""
    return found(next((row for row in rows if row.id == relation_id), None), "relation of this document")


def _document(work: Work, document_id: int) -> DocumentRow | None:
    return documents.get(work.conn, work.business.id, document_id, for_update=True)


def _check_partner(work: Work, document: DocumentRow, related_id: int, others: Iterable[RelationRow]) -> None:
    """Refuse the document itself, one that is not there, and one that it is related to already."""
    if related_id == document.id:
        raise Invalid.field("related_document", "A document cannot be related to itself.")
    related = _document(work, related_id)
    if related is None:
        raise Invalid.field("related_document", f"Unknown document id {related_id}.")
    if any(other.related_id == related_id for other in others):
        raise Invalid.field("related_document", f"The document is related to {name(related)} already.")
    refuse_locked_alone(related)


def _check_parting(work: Work, document: DocumentRow, row: RelationRow, *, is_parted: bool) -> None:
    """Refuse to change a relation of what is locked, and to part what an invoice claims from what closes its claim."""
    partner = _document(work, row.related_id)
    if partner is None:
        return
    refuse_locked_alone(partner)
    if is_parted and document.invoice_id is not None and document.invoice_id == partner.invoice_id:
        raise tied(document)


def _role(row: RelationRow) -> RelationRole:
    return RelationRole.ACCRUAL if row.is_accrual else RelationRole.SETTLEMENT


def _written(work: Work, document: DocumentRow, relation_id: int, event: str, *were_related: int) -> DocumentRelation:
    made = _chosen(_relations(work, document), relation_id)
    payload = render_relation(made)
    work.emit(event, {**payload, "document": document.id})
    documents.note_related(work.conn, work.business.id, [document.id, made.related_id, *were_related])
    follow(work, [document.id, *were_related])
    open_taken_back(work, [document.id, made.related_id])
    return payload
