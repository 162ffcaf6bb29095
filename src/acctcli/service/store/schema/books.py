"""Documents, their entries, and what hangs on them."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Date,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from acctcli.law.vat_codes import EU_SALES
from acctcli.service.store.schema.columns import (
    Id,
    cents,
    files_of,
    flag,
    id_column,
    inside,
    metadata,
    of_business,
    partial_index,
    stamps,
    table,
    tags_of,
)

EU_SALE = f"vat_code IN ({', '.join(str(code) for code in sorted(EU_SALES))})"

# A document is born a draft, gets its entries, and is posted by setting `is_draft` to false: a trigger refuses that
# unless debit = credit, and from then on refuses every change of its entries and of its date. To change a posted
# document make it a draft, replace the entries, post it again. Entries exist for posted documents only.
document = table(
    "document",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("number", String(16)),  # null until the first posting; stays when the document becomes a draft again
    Column("date", Date, nullable=False),
    flag("is_draft"),
    flag("is_locked"),
    Column("locked_by", Id),  # the VAT period whose lock locked it; null when it was locked by itself
    flag("is_flagged"),
    Column("description", String(256), nullable=False),
    Column("search_text", Text, nullable=False),  # casefolded number and description
    Column("contact_id", Id),
    Column("type", Integer, nullable=False),
    Column("blueprint", Text, nullable=False),  # JSON with the digits as they were sent
    Column("blueprint_type", String(16), nullable=False),
    *cents("balance_cents"),
    *cents("total_cents"),
    Column("invoice_id", Id),  # the sales invoice whose actions write and delete it
    Column("invoice_role", String(8)),  # ACCRUAL when it came of accepting the invoice, CLOSING of what ended its claim
    CheckConstraint("(invoice_id IS NULL) = (invoice_role IS NULL)", name="invoice_has_role"),
    CheckConstraint("is_draft OR number IS NOT NULL", name="posted_has_number"),
    UniqueConstraint("business_id", "number"),
    inside("contact_id", "contact"),
    inside("invoice_id", "sales_invoice"),
    Index(None, "business_id", "date", "id"),
    partial_index("ix_document_contact", "business_id", "contact_id", "date", "id", where="contact_id IS NOT NULL"),
    partial_index(
        "ix_document_invoice",
        "business_id",
        "invoice_id",
        "invoice_role",
        where="invoice_id IS NOT NULL",
        unique=True,
    ),
    counted=True,
    moved_by="date",
)

entry = table(
    "entry",
    id_column(),
    *stamps(),
    *of_business(),
    Column("document_id", Id, nullable=False),
    Column("account_id", Id, nullable=False),
    Column("date", Date, nullable=False),  # the date of the document
    flag("is_debit"),
    *cents("amount_cents", check=">= 0"),
    Column("description", String(256), nullable=False),
    Column("vat_code", Integer, nullable=False),
    Column("vat_rate", Integer, nullable=False),  # hundredths of a percent: 2550 is 25.50 %
    Column("position", Integer, nullable=False),
    inside("document_id", "document", ondelete="CASCADE"),
    inside("account_id", "account"),
    UniqueConstraint("business_id", "document_id", "position"),
    Index(None, "business_id", "account_id", "date", "is_debit", "amount_cents"),
    # sales to other EU countries are few, and asked for by VAT periods and the EU VAT report; others cost nothing here
    partial_index("ix_entry_eu_sales", "business_id", "date", where=EU_SALE),
)

# The last N of `YYMMDD-N` per business and date; a deleted document leaves a gap, its number is not given again.
document_counter = Table(
    "document_counter",
    metadata,
    *of_business(),
    Column("date", Date, nullable=False),
    Column("last", Integer, nullable=False),
    PrimaryKeyConstraint("business_id", "date"),
)

document_tag = tags_of("document")

document_attachment = files_of("document")

# A pair of documents, once whichever way round: the lower id stands first, and a flag says which one accrues.
relation = table(
    "relation",
    id_column(),
    *stamps(),
    *of_business(),
    Column("low_id", Id, nullable=False),
    Column("high_id", Id, nullable=False),
    flag("accrual_is_low"),
    Column("type", String(16), nullable=False),
    CheckConstraint("low_id < high_id", name="order"),
    UniqueConstraint("business_id", "low_id", "high_id"),
    inside("low_id", "document", ondelete="CASCADE"),
    inside("high_id", "document", ondelete="CASCADE"),
    Index(None, "business_id", "high_id"),
)
