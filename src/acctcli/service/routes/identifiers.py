"""Official identifiers: `/v1/business/{business_slug}/identifiers/` (wire facts 1.1, 2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from acctcli import law
from acctcli.law.identifiers import check_official_id
from acctcli.service.problems import Invalid, Missing, Precondition
from acctcli.service.routes.call import Call, Page
from acctcli.service.rules.identifiers import Checks, Record, new_faults
from acctcli.service.store import identifiers

if TYPE_CHECKING:
    from acctcli.models.business import IdentifierRequest


def list_identifiers(call: Call) -> Page:
    """List the identifiers, by id."""
    page = call.page
    count, rows = identifiers.page(call.conn, call.business.id, page.size, page.offset)
    return Page(count, [_shown(row) for row in rows])


def create_identifier(call: Call) -> dict[str, Any]:
    """Set the identifier of a type: a business has one value of each (upsert by type)."""
    body: IdentifierRequest = call.body
    value = checked(body.type, body.value, is_demo=call.business.is_demo, field="value")
    return put(call, call.business.id, body.type, value)


def put(call: Call, business_id: int, kind: str, value: str) -> dict[str, Any]:
    """Insert or change the identifier of a type and record the event."""
    known = identifiers.find_type(call.conn, business_id, kind)
    if known is None:
        created = identifiers.create(call.conn, business_id, kind, value, call.stamp)
        shown = {"id": created, "type": kind, "value": value}
        call.emit("identifier.created", shown, business_id=business_id)
        return shown
    return _write(call, business_id, known["id"], kind, value)


def get_identifier(call: Call) -> dict[str, Any]:
    """Show an identifier."""
    return _shown(_find(call))


def replace_identifier(call: Call) -> dict[str, Any]:
    """Replace type and value."""
    return _change(call)


def update_identifier(call: Call) -> dict[str, Any]:
    """Change what is sent."""
    return _change(call)


def delete_identifier(call: Call) -> None:
    """Delete an identifier; the one the country demands stays (412)."""
    row = _find(call)
    _keep_mandatory(call, row["type"])
    identifiers.remove(call.conn, call.business.id, row["id"])
    call.emit("identifier.deleted", {"id": row["id"]})


def _change(call: Call) -> dict[str, Any]:
    body: IdentifierRequest = call.body
    row = _find(call)
    sent = body.model_fields_set
    kind = body.type if "type" in sent else row["type"]
    value = body.value if "value" in sent else row["value"]
    if kind != row["type"]:
        _keep_mandatory(call, row["type"])
        if identifiers.find_type(call.conn, call.business.id, kind) is not None:
            raise Invalid.field("type", "The business has an identifier of this type already.")
    value = checked(kind, value, is_demo=call.business.is_demo, field="value")
    return _write(call, call.business.id, row["id"], kind, value)


def _write(call: Call, business_id: int, identifier_id: int, kind: str, value: str) -> dict[str, Any]:
    identifiers.change(call.conn, business_id, identifier_id, kind, value, call.stamp)
    shown = {"id": identifier_id, "type": kind, "value": value}
    call.emit("identifier.updated", shown, business_id=business_id)
    return shown


def _find(call: Call) -> dict[str, Any]:
    row = identifiers.find(call.conn, call.business.id, call.ids["identifier_id"])
    if row is None:
        raise Missing("There is no such identifier.")
    return row


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": row["id"], "type": row["type"], "value": row["value"]}


def _keep_mandatory(call: Call, kind: str) -> None:
    if kind == law.country(call.business.country).official_id.type:
        raise Precondition(f"Every business in {call.business.country} has an identifier of the type {kind}.")


def checked(kind: str, value: str, *, is_demo: bool, field: str) -> str:
    """Return a value in its official form, FI y_tunnus as NNNNNNN-C; Invalid on `field` when its check fails.

    Demo businesses skip the check (wire facts 2.4).
    """
    if is_demo:
        return value
    try:
        return check_official_id(kind, value)
    except ValueError as error:
        raise Invalid.field(field, str(error)) from error


def refuse_wrong_numbers(checks: Checks, after: Record, before: Record | None = None) -> None:
    """Raise Invalid naming every number that a write makes wrong; `before` is the record it changes, if any."""
    faults = new_faults(checks, after, before)
    if faults:
        first, text = next(iter(faults.items()))
        raise Invalid(f"{first}: {text}", fields={field: [text] for field, text in faults.items()})
