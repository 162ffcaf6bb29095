"""The books: the chart of accounts, documents and their entries, periods."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from acctcli.law.vat_codes import EU_SALES
from acctcli.service.rules.fingerprints import REPORTS
from acctcli.service.store.schema.columns import (
    Cents,
    Id,
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

header = table(
    "header",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", Text, nullable=False),
    Column("search_name", Text, nullable=False),  # casefolded
    Column("name_translations", Text, nullable=False),  # JSON array of {key, value}
    Column("type", String(1), nullable=False),  # B balance sheet, I income statement
    Column("parent_id", Id),
    inside("parent_id", "header"),
    counted=True,
)

account = table(
    "account",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("number", String(7), nullable=False),
    Column("padded_number", Integer, nullable=False),  # right-padded with zeros to 7 digits: the order of lists
    Column("name", Text, nullable=False),
    Column("search_name", Text, nullable=False),  # casefolded: lower() of SQLite knows ASCII only
    Column("name_translations", Text, nullable=False),  # JSON array of {key, value}
    Column("header_id", Id),
    Column("description", String(8192)),
    Column("type", String(16), nullable=False),
    Column("default_vat_code", Integer, nullable=False),
    Column("default_vat_rate_label", String(16), nullable=False),
    *cents("opening_cents"),
    flag("is_shown"),
    inside("header_id", "header"),
    UniqueConstraint("business_id", "number"),
    Index(None, "business_id", "padded_number", "id"),
    counted=True,
    moved_by="padded_number",
)

# The `account_*` fields of a business: one row for each that is set, `role` is the field's name.
system_account = Table(
    "system_account",
    metadata,
    *of_business(),
    Column("role", String(32), nullable=False),
    Column("account_id", Id, nullable=False),
    PrimaryKeyConstraint("business_id", "role"),
    inside("account_id", "account"),
    Index(None, "business_id", "account_id"),
)

# Posted movements of an account, all time and by month, kept by triggers; `entry_count` > 0 means the account is used.
account_total = Table(
    "account_total",
    metadata,
    *of_business(),
    Column("account_id", Id, nullable=False),
    *cents("debit_cents", check=">= 0"),
    *cents("credit_cents", check=">= 0"),
    Column("entry_count", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id", "account_id"),
    inside("account_id", "account", ondelete="CASCADE"),
)

account_month = Table(
    "account_month",
    metadata,
    *of_business(),
    Column("account_id", Id, nullable=False),
    Column("month", String(7), nullable=False),  # YYYY-MM
    *cents("debit_cents", check=">= 0"),
    *cents("credit_cents", check=">= 0"),
    PrimaryKeyConstraint("business_id", "account_id", "month"),
    inside("account_id", "account", ondelete="CASCADE"),
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
    Column("invoice_role", String(8)),
    # ACCRUAL when it came of accepting the invoice, CLOSING of what ended its claim; PART1 and on of what ended it
    # again, or of what was paid before, where payments post the sale
    # what whoever audits said of it (docs/interface.md 5.11); `is_seen`: nothing was done to it since
    Column("comment_at", Stamp),
    Column("mention_at", Stamp),
    Column("seen_at", Stamp),
    Column("seen_by", BigInteger),
    Column("is_seen", Boolean, nullable=False, server_default=text("false")),
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

# What a document posts to: the accounts, VAT codes and VAT rates of its entries, one word for each combination. Few
# shapes are enough for many documents, so a list is narrowed by looking through the shapes.
shape = table(
    "shape",
    id_column(),
    *of_business(),
    Column("parts", String(1000), nullable=False),  # a digest where they are longer; `draft` has no entries
    UniqueConstraint("business_id", "parts"),
)

shape_part = Table(
    "shape_part",
    metadata,
    *of_business(),
    Column("account_id", Id, nullable=False),  # no reference: what was posted to it may be gone, and it too
    Column("vat_code", Integer, nullable=False),
    Column("vat_rate", Integer, nullable=False),
    Column("shape_id", Id, nullable=False),
    PrimaryKeyConstraint("business_id", "account_id", "vat_code", "vat_rate", "shape_id"),
    sqlite_with_rowid=False,
)

# The shape of each document and its flags, in the order of lists. No references: rows come and go with documents.
document_shape = Table(
    "document_shape",
    metadata,
    Column("document_id", Id, primary_key=True, autoincrement=False),
    Column("business_id", Id, nullable=False),
    Column("shape_id", Id, nullable=False),
    Column("flags", Integer, nullable=False),  # the sum of what holds: 1 flagged, 2 locked, 4 with files
    Column("date", Date, nullable=False),  # the date of the document
    Index("ix_document_shape_order", "business_id", "shape_id", "flags", "date", "document_id"),
)

# How many documents of a shape with these flags there are in a month, kept by triggers.
document_count = Table(
    "document_count",
    metadata,
    *of_business(),
    Column("shape_id", Id, nullable=False),
    Column("flags", Integer, nullable=False),
    Column("month", String(7), nullable=False),  # YYYY-MM
    Column("count", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id", "shape_id", "flags", "month"),
    sqlite_with_rowid=False,
)

# What documents are searched by, of a thousand of a month together. Columns of values and letters: books/blocks.py.
search_block = table(
    "search_block",
    id_column(),
    *of_business(),
    Column("month", String(7), nullable=False),  # YYYY-MM
    Column("size", Integer, nullable=False),  # how many documents
    Column("first_id", Id, nullable=False),
    Column("last_id", Id, nullable=False),
    Column("wordings", Text, nullable=False),  # their texts, each number written 0
    Column("firsts", Text, nullable=False),  # the first number in each text
    Column("days", Text, nullable=False),
    Column("shapes", Text, nullable=False),  # with their flags
    Column("contacts", Text, nullable=False),
    Column("document_ids", Text, nullable=False),  # with commas between
    Column("numbers", Text, nullable=False),  # the others in each text; all of one end with a capital Z
    Column("texts", Text, nullable=False),
    Index(None, "business_id", "month", "id"),
)

# The newest document that is in a block.
search_mark = Table(
    "search_mark",
    metadata,
    *of_business(),
    Column("document_id", Id, nullable=False),
    PrimaryKeyConstraint("business_id"),
)

# Documents that were changed or deleted since they came into a block, with the month they have there.
search_loose = Table(
    "search_loose",
    metadata,
    *of_business(),
    Column("document_id", Id, nullable=False),
    Column("month", String(7), nullable=False),
    PrimaryKeyConstraint("business_id", "document_id"),
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

# Who was mentioned in comments on a document.
document_mention = Table(
    "document_mention",
    metadata,
    *of_business(),
    Column("document_id", Id, nullable=False),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    PrimaryKeyConstraint("business_id", "document_id", "user_id"),
    inside("document_id", "document", ondelete="CASCADE"),
    Index(None, "business_id", "user_id", "document_id"),
)

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


def locked_index(name: str) -> Index:
    """Find the locked periods that end on or after a day: every posting asks, and for a day of today there are none."""
    return partial_index(name, "business_id", "end_date", where="is_locked")


period = table(
    "period",
    id_column(),
    *stamps(),
    *of_business(),
    Column("start_date", Date, nullable=False),
    Column("end_date", Date, nullable=False),
    flag("is_locked"),
    CheckConstraint("start_date <= end_date", name="dates"),
    UniqueConstraint("business_id", "start_date"),
    locked_index("ix_period_locked"),
)

vat_period = table(
    "vat_period",
    id_column(),
    *stamps(),
    *of_business(),
    Column("start_date", Date, nullable=False),
    Column("end_date", Date, nullable=False),
    Column("due_date", Date, nullable=False),
    Column("period", Integer),
    flag("is_locked"),
    flag("is_reported"),
    flag("is_recapitulative_reported"),
    Column("filing_tax_cents", Cents),
    Column("filing_accepted_at", Stamp),
    Column("purchase_invoice_id", Id),
    Column("netting_document_id", Id),
    inside("purchase_invoice_id", "purchase_invoice"),
    inside("netting_document_id", "document"),
    CheckConstraint("start_date <= end_date", name="dates"),
    UniqueConstraint("business_id", "start_date"),
    locked_index("ix_vat_period_locked"),
)

# What the reports of a closed period showed when it was closed; `kind` is the table of the period. It goes when the
# period is opened.
fingerprint = table(
    "fingerprint",
    id_column(),
    *stamps(),
    *of_business(),
    Column("kind", String(16), nullable=False),
    Column("period_id", Id, nullable=False),
    Column("start_date", Date, nullable=False),
    Column("end_date", Date, nullable=False),
    Column("version", Integer, nullable=False),  # of the form of what the digests are taken of
    Column("author", String(254), nullable=False),  # the address of whoever closed the period, as it was then
    *(Column(name, String(64), nullable=False) for name in REPORTS),  # SHA-256
    UniqueConstraint("business_id", "kind", "period_id"),
)
