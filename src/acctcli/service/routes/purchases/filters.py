"""What the list of purchase invoices may be narrowed by (wire facts 1.3, 7.3)."""

from __future__ import annotations

from datetime import date

from acctcli.models.enums import PurchaseSource
from acctcli.service.routes.call import Query
from acctcli.service.routes.filters import Clauses, search_clauses
from acctcli.service.routes.invoices.filters import bounds, moments

SOURCES = tuple(PurchaseSource)


def purchase_clauses(query: Query, today: date) -> Clauses:
    """Return the clauses of a list of purchase invoices; every bound is inclusive."""
    found = search_clauses(query)
    if (number := query.text("invoice_number")) is not None:
        found["invoice_number"] = {"invoice_number": number}
    if (source := query.choice("import_source", SOURCES)) is not None:
        found["import_source"] = {"import_source": source}
    if (is_paid := query.flag("is_paid")) is not None:
        found["is_paid"] = {"is_paid": is_paid}
    if (is_past_due := query.flag("is_past_due")) is not None:
        found["is_past_due" if is_past_due else "is_not_past_due"] = {"today": today}
    for name in ("invoicing_date", "due_date", "payment_date"):
        found |= bounds(query, name)
    for name in ("created_at", "updated_at"):
        found |= moments(query, name)
    return found
