"""What lists may be narrowed by: from query parameters to clauses of the store (wire facts 1.2, 7.3).

A result maps the name of a clause in the store's FILTERS to the parameters it takes.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from acctcli.models.enums import AccountType, InvoiceStatus, PurchaseSource
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Query
from acctcli.service.rules.numbers import padded_number
from acctcli.service.store.patterns import beginning, holding

Clauses = dict[str, dict[str, Any]]

ACCOUNT_TYPES = tuple(AccountType)
STATUSES = tuple(InvoiceStatus)
SOURCES = tuple(PurchaseSource)
AT_ANY_TIME = {"status_changed_at_gte": "0001-01-01", "status_changed_at_lte": "9999-12-32"}
MOST_DIGITS = 7


def account_clauses(query: Query) -> Clauses:
    """Return the clauses of an account list.

    `number_gte` and `number_lte` compare padded numbers, as the list is ordered: a range is one slice of it.
    """
    found = _clause("is_shown", query.flag("is_shown"))
    if (is_used := query.flag("is_used")) is not None:
        found["is_used" if is_used else "is_unused"] = {}
    found |= _clause("number", _account_number(query, "number"))
    for bound in ("number_gte", "number_lte"):
        if (number := _account_number(query, bound)) is not None:
            found[bound] = {bound: padded_number(number)}
    if search := query.text("search"):
        found["search"] = {"search_number": beginning(search), "search_name": holding(search)}
    if types := query.choices("type", ACCOUNT_TYPES):
        found["types"] = {"types": types}
    return found | _clause("tags", query.integer("tags"))


def contact_clauses(query: Query) -> Clauses:
    """Return the clauses of a contact list; `name_iexact` is the whole name in any case."""
    found = search_clauses(query)
    found |= _clause("exclude_id", query.integer("exclude_id"))
    found |= _clause("is_invoicing_enabled", query.flag("is_invoicing_enabled"))
    if (name := query.text("name_iexact")) is not None:
        found["name_iexact"] = {"name_iexact": name.casefold()}
    return found


def search_clauses(query: Query) -> Clauses:
    """Return the clause of a list that can only be searched; what is searched is stored casefolded."""
    search = query.text("search")
    return {} if search is None else {"search": {"search": holding(search)}}


def file_clauses(query: Query) -> Clauses:
    """Return the clauses of a file list; there are no folders, so every file is in the root and none in a folder."""
    found = search_clauses(query)
    if (is_used := query.flag("is_used")) is not None:
        found["is_used" if is_used else "is_unused"] = {}
    if (tag := query.integer("tags")) is not None:
        found["tag"] = {"tag": tag}
    query.flag("root")  # which keeps everything, but must be a flag
    if query.integer("folder") is not None:
        found["nothing"] = {}
    return found


def payout_clauses(query: Query) -> Clauses:
    """Return the clauses of a list of sales payouts; the provider's own words are compared as a whole."""
    found: Clauses = {}
    for name in ("external_id", "source"):
        found |= _clause(name, query.text(name))
    for name in ("date_from", "date_to"):
        found |= _clause(name, query.date(name))
    return found


def document_clauses(query: Query) -> Clauses:
    """Return the clauses of a document list; dates are inclusive, accounts and VAT ask for any entry."""
    found: Clauses = {}
    for name in ("is_draft", "is_flagged", "is_locked"):
        found |= _clause(name, query.flag(name))
    for name, without in (("income", "no_income"), ("expense", "no_expense"), ("has_attachments", "no_attachments")):
        if (flag := query.flag(name)) is not None:
            found[name if flag else without] = {}
    for name in ("account", "contact", "file", "tags", "vat_code"):
        found |= _clause(name, query.integer(name))
    for name in ("date_from", "date_to"):
        found |= _clause(name, query.date(name))
    found |= _clause("number", query.text("number"))
    found |= _clause("vat_rate", _rate(query.text("vat_rate")))
    if search := query.text("search"):
        found["search"] = {"search": holding(search)}
    if types := query.choices("account_type", ACCOUNT_TYPES):
        found["account_types"] = {"account_types": types}
    if _asks_for_what_is_not_kept(query):
        found["nothing"] = {}
    return found


def _clause(name: str, value: object) -> Clauses:
    return {} if value is None else {name: {name: value}}


def _asks_for_what_is_not_kept(query: Query) -> bool:
    """Say whether the filters ask for rules or comments: no document comes from one or carries one here."""
    has_rule, *ids = query.flag("has_rule"), query.integer("rule"), query.integer("tagged")
    return has_rule is True or any(wanted is not None for wanted in ids)


def _account_number(query: Query, name: str) -> str | None:
    """Return an account number; it stays a text, 0123 is not 123."""
    number = query.text(name)
    if number is not None and not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS):
        raise Invalid.field(name, f"Must be a number of 1 to {MOST_DIGITS} digits.")
    return number


def _rate(text: str | None) -> int | None:
    """Return a rate in percent as hundredths."""
    if text is None:
        return None
    whole, _, part = text.partition(".")
    digits = whole + part
    if digits.isascii() and digits.isdigit() and 0 < len(whole) <= 3 and len(part) <= 2:
        return int(whole) * 100 + int(part.ljust(2, "0"))
    raise Invalid.field("vat_rate", "Must be a percentage with at most 2 decimals.")


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
