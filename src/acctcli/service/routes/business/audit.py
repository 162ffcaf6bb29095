"""The audit trail: `/v1/business/{business_slug}/audit/`; it is read, and nothing but changes writes it.

See docs/interface.md 11.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Raw

from acctcli.service.cases.documents.view import show_documents, weigh_documents
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import ADMIN, BOOKS_READ, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import Asked, Clauses, Parameter, moment
from acctcli.service.routes.query import Page
from acctcli.service.store import service_trail, trail
from acctcli.service.store.books import documents
from acctcli.service.store.events import SERVICE
from acctcli.service.store.patterns import holding, literal

if TYPE_CHECKING:
    from acctcli.models.audit import AuditRecord, AuditVerification
    from acctcli.models.document import Document
    from acctcli.service.store.books.documents import DocumentRow
    from acctcli.service.store.engine.connection import Connection


def show_record(row: Mapping[str, Any]) -> AuditRecord:
    """Return a record as it is shown."""
    return {
        "id": row["number"],
        "business_id": row["business_id"],
        "type": row["type"],
        "record_id": row["record_id"],
        "created_at": row["created_at"],
        "user_id": row["user_id"],
        "author": row["author"],
        "client": row["client"],
        "via": row["via"],
        "request_id": row["request_id"],
        "operation": row["operation"],
        "hash": row["hash"],
        "data": Raw(row["data"].encode()),
    }


def list_audit_records(call: Call) -> Page[AuditRecord]:
    """List the records, the newest first."""
    return call.listed(trail.page, lambda call, rows: list(map(show_record, rows)), narrowed=True, weigh=None)


def verify_audit_trail(call: Call) -> AuditVerification:
    """Recompute the trail."""
    return verification(call, call.business.id)


def verification(call: Call, business_id: int) -> AuditVerification:
    """Return what came of recomputing a trail; that of the service also knows who may come in."""
    strangers = service_trail.unrecorded(call.conn) if business_id == SERVICE else ()
    finding = trail.verify(call.conn, business_id, call.installation.trail_marker())
    return {
        "records": finding.records,
        "last_id": finding.number,
        "last_hash": finding.hash,
        "sealed_until": finding.sealed_until,
        "other_seals": finding.other_seals,
        "unproved_until": finding.unproved_until,
        "set_back": finding.set_back,
        "faults": [{"id": fault.number, "text": fault.text} for fault in finding.faults],
        "unrecorded": [{"record": one.record, "text": one.text} for one in strangers],
        "seals": [
            {"day": seal["day"], "id": seal["number"], "hash": seal["hash"], "mark": seal["mark"]}
            for seal in trail.seals(call.conn, business_id)
        ],
    }


def list_unseen_documents(call: Call) -> Page[Document]:
    """List the documents to which something was done that nobody has seen."""

    def unseen(conn: Connection, business_id: int, clauses: Clauses, **extent: int) -> tuple[int, list[DocumentRow]]:
        return documents.list_page(conn, business_id, {**clauses, "unseen": {}}, **extent)

    return call.listed(unseen, show_documents, narrowed=True, weigh=weigh_documents)


def _seen_before(call: Asked, name: str) -> Clauses:
    return {"seen_before": {}} if call.query.flag(name) else {}


def _person(call: Asked, name: str) -> Clauses:
    text = call.query.text(name)
    return {} if text is None else {"person": {"person": holding(text)}}


def _operation(call: Asked, name: str) -> Clauses:
    """Find an operation with or without its method."""
    text = call.query.text(name)
    return {} if text is None else {"operation": {"operation": literal(text) if " " in text else f"% {literal(text)}"}}


FILTERS = (
    Parameter("type", "string", "The type of the record, such as document.deleted."),
    Parameter("resource", "string", "What was changed, such as document."),
    Parameter("record_id", "integer", "The id of what was changed."),
    Parameter("person", "string", "A part of the name or address of who changed it.", narrow=_person),
    Parameter("operation", "string", "The operation, such as create_document.", narrow=_operation),
    Parameter("created_at_gte", "date", "First day in UTC, inclusive.", narrow=moment),
    Parameter("created_at_lte", "date", "Last day in UTC, inclusive.", narrow=moment),
    Parameter("number_from", "integer", "First number, inclusive."),
    Parameter("number_to", "integer", "Last number, inclusive."),
)
AREA = Area("audit", f"{ONE_BUSINESS}audit/", "audit_record", one="", read=ADMIN)
AREA.page(
    "",
    list_audit_records,
    "List the records of the audit trail, the newest first.",
    *FILTERS,
    response="audit:AuditRecord",
    local=True,
)
AREA.operation(
    "GET",
    "verification/",
    verify_audit_trail,
    "Recompute the audit trail.",
    needs=ADMIN,
    response="audit:AuditVerification",
    local=True,
)
AREA.page(
    "unseen/",
    list_unseen_documents,
    "List the documents to which something was done that nobody has seen.",
    Parameter("date_from", "date", "First date, inclusive."),
    Parameter("date_to", "date", "Last date, inclusive."),
    Parameter("seen_before", "boolean", "Only those that were seen, and changed since.", narrow=_seen_before),
    needs=BOOKS_READ,
    response="document:Document",
    local=True,
)
