"""Official identifiers of a business, and numbers that must be right (docs/interface.md 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from acctcli.law.identifiers import check_official_id
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.store import identifiers

if TYPE_CHECKING:
    from acctcli.models.business import Identifier, IdentifierRequest


def create_identifier(work: Work, body: IdentifierRequest) -> Identifier:
    """Set the identifier of a type, which is changed when it is there already."""
    return put_identifier(work, body.type, checked(body.type, body.value, is_demo=work.business.is_demo, field="value"))


def get_identifier(work: Work, identifier_id: int) -> Identifier:
    """Show an identifier."""
    return show_identifiers(work, [_find(work, identifier_id)])[0]


def show_identifiers(work: Work, rows: Iterable[Mapping[str, Any]]) -> list[Identifier]:
    """Return identifiers as they are shown."""
    del work
    return [{"id": row["id"], "type": row["type"], "value": row["value"]} for row in rows]


def put_identifier(work: Work, kind: str, value: str) -> Identifier:
    """Set the identifier of a type: a business has one value of each."""
    conn, business_id = work.conn, work.business.id
    known = identifiers.find_type(conn, business_id, kind)
    if known is not None:
        return _write(work, known["id"], kind, value)
    identifier_id = identifiers.create(conn, business_id, kind, value, work.stamp)
    return _told(work, "created", identifier_id, kind, value)


def change_identifier(work: Work, identifier_id: int, body: IdentifierRequest) -> Identifier:
    """Change what is sent of an identifier."""
    row = _find(work, identifier_id)
    sent = body.model_fields_set
    kind = body.type if "type" in sent else row["type"]
    value = body.value if "value" in sent else row["value"]
    if kind != row["type"]:
        _keep_mandatory(work, row["type"])
        if identifiers.find_type(work.conn, work.business.id, kind) is not None:
            raise Invalid.field("type", "The business has an identifier of this type already.")
    value = checked(kind, value, is_demo=work.business.is_demo, field="value")
    return _write(work, row["id"], kind, value)


def delete_identifier(work: Work, identifier_id: int) -> None:
    """Delete an identifier; the one the country demands stays (412)."""
    row = _find(work, identifier_id)
    _keep_mandatory(work, row["type"])
    identifiers.remove(work.conn, work.business.id, row["id"])
    work.emit("identifier.deleted", {"id": row["id"]})


def _find(work: Work, identifier_id: int) -> dict[str, Any]:
    return found(identifiers.find(work.conn, work.business.id, identifier_id), "identifier")


def _write(work: Work, identifier_id: int, kind: str, value: str) -> Identifier:
    identifiers.change(work.conn, work.business.id, identifier_id, kind, value, work.stamp)
    return _told(work, "updated", identifier_id, kind, value)


def _told(work: Work, verb: str, identifier_id: int, kind: str, value: str) -> Identifier:
    shown: Identifier = {"id": identifier_id, "type": kind, "value": value}
    work.emit(f"identifier.{verb}", shown)
    return shown


def _keep_mandatory(work: Work, kind: str) -> None:
    if kind == work.law.official_id.type:
        raise Precondition(f"Every business in {work.business.country} has an identifier of the type {kind}.")


def checked(kind: str, value: str, *, is_demo: bool, field: str) -> str:
    """Return a value in its official form, FI y_tunnus as NNNNNNN-C; Invalid on `field` when its check fails.

    Demo businesses skip the check (docs/interface.md 3.2).
    """
    if is_demo:
        return value
    try:
        return check_official_id(kind, value)
    except ValueError as error:
        raise Invalid.field(field, str(error)) from error
