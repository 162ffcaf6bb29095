"""The trail of the service itself, and what its database holds: `/v1/audit/` (docs/interface.md 11.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.problems import NotAllowed
from acctcli.service.routes.business.audit import FILTERS, show_record, verification
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import Area
from acctcli.service.routes.parameters import Parameter
from acctcli.service.routes.query import Page
from acctcli.service.store import trail
from acctcli.service.store.engine import soundness
from acctcli.service.store.events import SERVICE
from acctcli.service.store.people import users

if TYPE_CHECKING:
    from acctcli.models.audit import AuditRecord, AuditVerification, DatabaseVerification


def list_service_records(call: Call) -> Page[AuditRecord]:
    """List the records, the newest first."""
    _refuse_others(call)
    page = call.page
    total, rows = trail.page(call.conn, SERVICE, call.clauses, limit=page.size, offset=page.offset)
    return Page(total, list(map(show_record, rows)))


def verify_service_trail(call: Call) -> AuditVerification:
    """Recompute the trail of the service."""
    _refuse_others(call)
    return verification(call, SERVICE)


def verify_database(call: Call) -> DatabaseVerification:
    """Look through the database: damage, odd tables, rows that do not fit, figures that are not those of their rows."""
    _refuse_others(call)
    found = soundness.look_through(call.conn, call.query.choice("part", PARTS))
    return {"faults": [{"record": fault.record, "text": fault.text} for fault in found]}


def _refuse_others(call: Call) -> None:
    """Refuse whoever does not administer the service: it belongs to the user of the machine it was set up on."""
    owner = users.local(call.conn)
    if owner is None or owner[0] != call.user.id or call.credential.selection is not None:
        raise NotAllowed("Only the owner of this service may read its audit trail.")


PARTS = tuple(soundness.PARTS)
AREA = Area("audit", "/v1/audit/", one="")
AREA.page(
    "",
    list_service_records,
    "List the records of the audit trail of the service, the newest first.",
    *FILTERS,
    response="audit:AuditRecord",
    local=True,
)
AREA.operation(
    "GET",
    "verification/",
    verify_service_trail,
    "Recompute the audit trail of the service.",
    response="audit:AuditVerification",
    local=True,
)
AREA.operation(
    "GET",
    "database/",
    verify_database,
    "Look whether the database is whole, and what it holds fits together.",
    query=(Parameter("part", "string", "What to look at; all of it unless told.", choices=PARTS),),
    response="audit:DatabaseVerification",
    local=True,
)
