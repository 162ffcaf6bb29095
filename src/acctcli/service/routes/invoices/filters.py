"""What the list of sales invoices may be narrowed by (wire facts 1.3, 7.3)."""

from __future__ import annotations

from datetime import date, timedelta

from acctcli.models.enums import InvoiceStatus
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Query
from acctcli.service.routes.filters import Clauses, holding

STATUSES = tuple(InvoiceStatus)
AT_ANY_TIME = {"status_changed_at_gte": "0001-01-01", "status_changed_at_lte": "9999-12-32"}


def invoice_clauses(query: Query) -> Clauses:
    """Return the clauses of an invoice list; every bound is inclusive, moments are compared by their day in UTC."""
    found: Clauses = {**_changes(query)}
    if search := query.text("search"):
        found["search"] = {"search": holding(search)}
    if statuses := query.listed("status", STATUSES):
        found["statuses"] = {"statuses": statuses}
    if (is_credit_note := query.flag("is_credit_note")) is not None:
        found["is_credit_note" if is_credit_note else "no_credit_note"] = {}
    if (number := query.integer("invoice_number")) is not None:
        found["invoice_number"] = {"invoice_number": number}
    for name in ("invoicing_date", "due_date"):
        found |= bounds(query, name)
    for name in ("created_at", "updated_at"):
        found |= moments(query, name)
    return found


def bounds(query: Query, name: str) -> Clauses:
    """Return the clauses of a pair of bounds on a date."""
    days = ((f"{name}_{end}", query.date(f"{name}_{end}")) for end in ("gte", "lte"))
    return {bound: {bound: day} for bound, day in days if day is not None}


def moments(query: Query, name: str) -> Clauses:
    """Return the clauses of a pair of bounds on a moment, which is stored as text: an upper one ends with its day."""
    first, last = query.date(f"{name}_gte"), query.date(f"{name}_lte")
    found: Clauses = {}
    if first is not None:
        found[f"{name}_gte"] = {f"{name}_gte": first.isoformat()}
    if last is not None and last < date.max:
        found[f"{name}_lte"] = {f"{name}_lte": (last + timedelta(days=1)).isoformat()}
    return found


def _changes(query: Query) -> Clauses:
    """Return the clause of invoices that came to a status, at some time or between two days."""
    status, between = query.choice("status_changed_to", STATUSES), moments(query, "status_changed_at")
    if status is not None:
        given = {name: day for clause in between.values() for name, day in clause.items()}
        return {"came_to": {"status_changed_to": status, **AT_ANY_TIME, **given}}
    if between:
        raise Invalid.field("status_changed_to", f"{next(iter(between))} needs the status that was come to.")
    return {}
