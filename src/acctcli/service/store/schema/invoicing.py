"""Products, sales and purchase invoices, payouts, and what hangs on them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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

from acctcli.service.store.invoicing.purchases import TEXTS as PURCHASE_TEXTS
from acctcli.service.store.schema.columns import (
    Id,
    Sortable,
    Stamp,
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

product = table(
    "product",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("code", String(25)),
    Column("name", String(64), nullable=False),
    Column("sort_name", Sortable, nullable=False),  # casefolded: the order of lists
    Column("search_text", Text, nullable=False),  # casefolded code and name
    Column("unit", String(8), nullable=False),
    *cents("amount_e4"),  # ten-thousandths: a unit may cost less than a cent
    Column("vat_rate", Integer, nullable=False),  # hundredths of a percent
    Column("vat_code", Integer, nullable=False),
    flag("is_vat_inclusive"),
    Column("account_id", Id),
    Column("description", String(128)),
    inside("account_id", "account"),
    Index(None, "business_id", "sort_name", "id"),
    counted=True,
    moved_by="sort_name",
)

# (name, length) of the writable texts that may be null (docs/interface.md 7.2)
INVOICE_TEXTS = (
    ("contact_person", 64),
    ("reference", 32),
    ("description", 512),
    ("seller_reference", 32),
    ("buyer_reference", 32),
    ("delivery_method", 16),
    ("recurrence_reference_method", 8),
    ("recurrence_email_subject", None),
    ("recurrence_email_content", None),
)

sales_invoice = table(
    "sales_invoice",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("status", String(16), nullable=False),
    Column("invoice_number", BigInteger),  # null until accepted
    Column("receiver_id", Id, nullable=False),
    Column("invoicing_date", Date, nullable=False),
    Column("payment_condition_days", Integer, nullable=False),
    Column("due_date", Date, nullable=False),  # invoicing_date + payment_condition_days
    Column("penalty_interest", Integer, nullable=False),  # hundredths of a percent
    Column("is_credit_note_for", Id),
    flag("is_active_recurrence_template"),
    Column("recurrence_rule", Text),  # JSON as it was sent
    Column("recurrence_end", Date),
    Column("recurrence_parent_id", Id),
    Column("last_delivery_at", Stamp),
    Column("settlement_date", Date),
    Column("payment_date", Date),
    flag("is_automatic_debt_collection_enabled"),
    *cents("total_vat_cents"),
    *cents("total_cents"),
    Column("search_text", Text, nullable=False),  # casefolded number, reference and description
    *(Column(name, Text if length is None else String(length)) for name, length in INVOICE_TEXTS),
    CheckConstraint("(status = 'DRAFT') = (invoice_number IS NULL)", name="accepted_has_number"),
    UniqueConstraint("business_id", "invoice_number"),
    inside("receiver_id", "contact"),
    inside("is_credit_note_for", "sales_invoice"),
    inside("recurrence_parent_id", "sales_invoice"),
    Index(None, "business_id", "receiver_id"),
    Index(None, "business_id", "updated_at"),
    partial_index(
        "ix_sales_invoice_credit", "business_id", "is_credit_note_for", where="is_credit_note_for IS NOT NULL"
    ),
    # of a template there is one invoice a day
    partial_index(
        "ix_sales_invoice_parent",
        "business_id",
        "recurrence_parent_id",
        "invoicing_date",
        where="recurrence_parent_id IS NOT NULL",
        unique=True,
    ),
    counted=True,
)

sales_invoice_row = table(
    "sales_invoice_row",
    id_column(),
    *of_business(),
    Column("invoice_id", Id, nullable=False),
    Column("position", Integer, nullable=False),
    Column("code", String(25)),
    Column("name", String(64), nullable=False),
    Column("unit", String(8), nullable=False),
    *cents("amount_e4"),  # ten-thousandths of a currency unit, without VAT
    Column("vat_rate", Integer, nullable=False),  # hundredths of a percent: 2550 is 25.50 %
    Column("vat_code", Integer, nullable=False),
    Column("product_id", Id),
    *cents("count_e4"),  # ten-thousandths of a piece
    Column("description", String(128)),
    *cents("total_vat_cents"),
    *cents("total_cents"),
    Column("account_id", Id),
    inside("invoice_id", "sales_invoice", ondelete="CASCADE"),
    inside("product_id", "product"),
    inside("account_id", "account"),
    UniqueConstraint("business_id", "invoice_id", "position"),
    partial_index("ix_sales_invoice_row_product", "business_id", "product_id", where="product_id IS NOT NULL"),
    partial_index("ix_sales_invoice_row_account", "business_id", "account_id", where="account_id IS NOT NULL"),
)

# When an invoice came to which status: what `status_changed_*` asks for.
sales_invoice_transition = table(
    "sales_invoice_transition",
    id_column(),
    *of_business(),
    Column("invoice_id", Id, nullable=False),
    Column("status", String(16), nullable=False),
    Column("changed_at", Stamp, nullable=False),
    inside("invoice_id", "sales_invoice", ondelete="CASCADE"),
    Index(None, "business_id", "status", "changed_at"),
    Index(None, "business_id", "invoice_id"),
)

# What other systems have said about an invoice.
sales_invoice_message = table(
    "sales_invoice_message",
    id_column(),
    *of_business(),
    Column("invoice_id", Id, nullable=False),
    Column("message", String(1024), nullable=False),
    inside("invoice_id", "sales_invoice", ondelete="CASCADE"),
    Index(None, "business_id", "invoice_id"),
)

sales_invoice_tag = tags_of("sales_invoice", "invoice_id")

sales_invoice_attachment = files_of("sales_invoice", "invoice_id")

# What an accepted invoice is printed from, as it was that day: the customer may move, the invoice sent may not change.
# Its files are written when somebody asks for them first; the same source makes the same bytes.
sales_invoice_print = Table(
    "sales_invoice_print",
    metadata,
    *of_business(),
    Column("invoice_id", Id, nullable=False),
    # JSON: the invoice, the business and the invoice credited, as shown, and what was filled in when it was sent
    Column("source", Text, nullable=False),
    Column("pdf_id", Id, nullable=False),
    Column("xml_id", Id),  # of those whose receiver or country asks for an XRechnung
    PrimaryKeyConstraint("business_id", "invoice_id"),
    inside("invoice_id", "sales_invoice", ondelete="CASCADE"),
    inside("pdf_id", "attachment"),
    inside("xml_id", "attachment"),
    UniqueConstraint("business_id", "pdf_id"),
    UniqueConstraint("business_id", "xml_id"),
)

# The logo that an invoice had when it was accepted; one without has none, whatever the business has by now.
sales_invoice_logo = Table(
    "sales_invoice_logo",
    metadata,
    *of_business(),
    Column("invoice_id", Id, nullable=False),
    Column("attachment_id", Id, nullable=False),
    PrimaryKeyConstraint("business_id", "invoice_id"),
    inside("invoice_id", "sales_invoice", ondelete="CASCADE"),
    inside("attachment_id", "attachment"),
    Index(None, "business_id", "attachment_id"),
)

# The last number of a business; it is taken inside the transaction that accepts, so there is no gap.
sales_invoice_counter = Table(
    "sales_invoice_counter",
    metadata,
    *of_business(),
    Column("last", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id"),
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
    *(Column(name, String(length)) for name, length in PURCHASE_TEXTS.items()),
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

sales_payout = table(
    "sales_payout",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("external_id", String(128), nullable=False),
    Column("end_to_end_id", String(64)),
    Column("source", String(64), nullable=False),
    Column("date", Date, nullable=False),
    *cents("amount_cents"),
    Column("currency", String(16), nullable=False),
    Column("description", String(256), nullable=False),
    UniqueConstraint("business_id", "external_id"),
    counted=True,
)

sales_payout_item = table(
    "sales_payout_item",
    id_column(),
    *stamps(),
    *of_business(),
    Column("sales_payout_id", Id, nullable=False),
    Column("position", Integer, nullable=False),  # the order they were given in
    *cents("amount_cents"),
    Column("description", String(256), nullable=False),
    Column("vat_code", Integer, nullable=False),
    Column("vat_rate", Integer, nullable=False),  # hundredths of a percent
    Column("account_number", String(7), nullable=False),
    inside("sales_payout_id", "sales_payout", ondelete="CASCADE"),
    UniqueConstraint("business_id", "sales_payout_id", "position"),
)

sales_payout_attachment = files_of("sales_payout")
