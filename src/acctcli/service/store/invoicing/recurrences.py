"""Templates of sales invoices, and what was made of them, in all businesses: time passes for each. SQL only."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from acctcli.models.enums import BY_MAIL, InvoiceStatus
from acctcli.service.store.businesses import GONE, lock
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement

__all__ = ["Seller", "Template", "Unsent", "days", "is_unsent", "lock", "templates", "unsent"]


class Seller(NamedTuple):
    """The business of an invoice."""

    business_id: int
    slug: str
    form: str
    country: str


class Template(NamedTuple):
    """An accepted invoice that others are made of; `rule` is JSON."""

    place: Seller
    invoice_id: int
    invoice_number: int
    invoicing_date: date
    rule: str
    end: date | None


class Unsent(NamedTuple):
    """What was made of a template and is still to be mailed."""

    place: Seller
    invoice_id: int
    invoice_number: int
    invoicing_date: date
    template_number: int
    delivery_method: str


FIRST = len(Seller._fields)
PLACE = "business.id, business.slug, business.form, business.country"
TEMPLATES = Query[tuple[Any, ...]](
    tuple,
    f"""SELECT {PLACE}, invoice.id, invoice.invoice_number, invoice.invoicing_date, invoice.recurrence_rule,
    invoice.recurrence_end
    FROM sales_invoice AS invoice JOIN business ON business.id = invoice.business_id
    WHERE NOT {GONE} AND invoice.is_active_recurrence_template AND invoice.status <> '{InvoiceStatus.DRAFT.value}'
    AND invoice.recurrence_rule IS NOT NULL ORDER BY business.id, invoice.id""",
)
MAILED = ", ".join(f"'{method.value}'" for method in sorted(BY_MAIL))
TO_BE_SENT = f"""NOT {GONE} AND invoice.status = '{InvoiceStatus.ACCEPTED.value}'
    AND invoice.delivery_method IN ({MAILED})
    AND invoice.recurrence_email_subject IS NOT NULL AND invoice.last_delivery_at IS NULL"""
UNSENT = Query[tuple[Any, ...]](
    tuple,
    f"""SELECT {PLACE}, invoice.id, invoice.invoice_number, invoice.invoicing_date, parent.invoice_number,
    invoice.delivery_method
    FROM sales_invoice AS invoice JOIN business ON business.id = invoice.business_id
    JOIN sales_invoice AS parent
    ON parent.business_id = invoice.business_id AND parent.id = invoice.recurrence_parent_id
    WHERE {TO_BE_SENT} ORDER BY business.id, invoice.id""",
)
STILL_UNSENT = Statement(
    f"""SELECT invoice.id FROM sales_invoice AS invoice JOIN business ON business.id = invoice.business_id
    WHERE invoice.business_id = :business_id AND invoice.id = :invoice_id AND {TO_BE_SENT}"""
)
DAYS = Statement(
    "SELECT invoicing_date FROM sales_invoice WHERE business_id = :business_id AND recurrence_parent_id = :template_id"
)


def templates(conn: Connection) -> list[Template]:
    """Return every template in force."""
    return [Template(Seller(*row[:FIRST]), *row[FIRST:]) for row in TEMPLATES.all(conn)]


def unsent(conn: Connection) -> list[Unsent]:
    """Return what was made of templates to be mailed, and was not."""
    return [Unsent(Seller(*row[:FIRST]), *row[FIRST:]) for row in UNSENT.all(conn)]


def is_unsent(conn: Connection, child: Unsent) -> bool:
    """Say whether that is still so."""
    business_id, invoice_id = child.place.business_id, child.invoice_id
    return STILL_UNSENT.value(conn, business_id=business_id, invoice_id=invoice_id) is not None


def days(conn: Connection, business_id: int, template_id: int) -> set[date]:
    """Return the days of the invoices that were made of a template."""
    return set(DAYS.values(conn, business_id=business_id, template_id=template_id))
