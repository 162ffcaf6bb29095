"""Purchase invoices, and what hangs on them."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Date, String, Text

from acctcli.service.store.invoicing.purchases import TEXTS
from acctcli.service.store.schema.columns import (
    Id,
    cents,
    files_of,
    flag,
    id_column,
    inside,
    of_business,
    partial_index,
    stamps,
    table,
    tags_of,
)

purchase_invoice = table(
    "purchase_invoice",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("invoicing_date", Date, nullable=False),
    Column("due_date", Date),
    *cents("amount_cents"),
    Column("currency", String(16), nullable=False),
    Column("import_source", String(32), nullable=False),
    flag("is_paid"),
    Column("payment_date", Date),
    *(Column(name, String(length)) for name, length in TEXTS.items()),
    Column("search_text", Text, nullable=False),  # casefolded invoice number, sender name and reference
    Column("original_attachment_id", Id),
    Column("document_id", Id),  # what it is booked by
    CheckConstraint("is_paid OR payment_date IS NULL", name="paid_on"),
    inside("original_attachment_id", "attachment"),
    inside("document_id", "document"),
    partial_index(
        "ix_purchase_invoice_original",
        "business_id",
        "original_attachment_id",
        where="original_attachment_id IS NOT NULL",
    ),
    partial_index("ix_purchase_invoice_document", "business_id", "document_id", where="document_id IS NOT NULL"),
    counted=True,
)

purchase_invoice_attachment = files_of("purchase_invoice")

purchase_invoice_tag = tags_of("purchase_invoice")
