"""Templates of sales invoices, and what was made of them, in all businesses: time passes for each. SQL only."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, true

from acctcli.models.enums import DeliveryMethod, InvoiceStatus
from acctcli.service.store.people.admission import LOCK
from acctcli.service.store.schema.business import business
from acctcli.service.store.schema.invoices import sales_invoice


class Place(NamedTuple):
    """The business of an invoice."""

    business_id: int
    slug: str
    form: str
    country: str


class Template(NamedTuple):
    """An accepted invoice that others are made of; `rule` is JSON."""

    place: Place
    invoice_id: int
    invoice_number: int
    invoicing_date: date
    rule: str
    end: date | None


class Unsent(NamedTuple):
    """What was made of a template and is still to be mailed."""

    place: Place
    invoice_id: int
    invoice_number: int
    invoicing_date: date
    template_number: int


INVOICE = sales_invoice.c
PARENT = sales_invoice.alias("parent")
PLACE = (business.c.id, business.c.slug, business.c.form, business.c.country)
FIRST = len(PLACE)
IN_FORCE = (
    INVOICE.is_active_recurrence_template == true(),
    INVOICE.status != InvoiceStatus.DRAFT,
    INVOICE.recurrence_rule.is_not(None),
)
OF_BUSINESS = business.c.id == INVOICE.business_id
ORDER = (business.c.id, INVOICE.id)
TEMPLATES = (
    select(
        *PLACE,
        INVOICE.id,
        INVOICE.invoice_number,
        INVOICE.invoicing_date,
        INVOICE.recurrence_rule,
        INVOICE.recurrence_end,
    )
    .join_from(sales_invoice, business, OF_BUSINESS)
    .where(*IN_FORCE)
    .order_by(*ORDER)
)
UNSENT = (
    select(*PLACE, INVOICE.id, INVOICE.invoice_number, INVOICE.invoicing_date, PARENT.c.invoice_number)
    .join_from(sales_invoice, business, OF_BUSINESS)
    .join(PARENT, (PARENT.c.business_id == INVOICE.business_id) & (PARENT.c.id == INVOICE.recurrence_parent_id))
    .where(
        INVOICE.status == InvoiceStatus.ACCEPTED,
        INVOICE.delivery_method == DeliveryMethod.EMAIL,
        INVOICE.recurrence_email_subject.is_not(None),
        INVOICE.last_delivery_at.is_(None),
    )
    .order_by(*ORDER)
)
DAYS = select(INVOICE.invoicing_date).where(
    INVOICE.business_id == bindparam("business_id"), INVOICE.recurrence_parent_id == bindparam("template_id")
)


def templates(conn: Connection) -> list[Template]:
    """Return every template in force."""
    return [Template(Place(*row[:FIRST]), *row[FIRST:]) for row in conn.execute(TEMPLATES)]


def unsent(conn: Connection) -> list[Unsent]:
    """Return what was made of templates to be mailed, and was not."""
    return [Unsent(Place(*row[:FIRST]), *row[FIRST:]) for row in conn.execute(UNSENT)]


def days(conn: Connection, business_id: int, template_id: int) -> set[date]:
    """Return the days of the invoices that were made of a template."""
    return set(conn.execute(DAYS, {"business_id": business_id, "template_id": template_id}).scalars())


def lock(conn: Connection, slug: str) -> None:
    """Keep other writers of a business away until the commit, as requests do; SQLite has one writer."""
    if conn.dialect.name == "postgresql":
        conn.execute(LOCK, {"slug": slug})
