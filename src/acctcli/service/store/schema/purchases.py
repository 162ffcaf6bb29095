"""Purchase invoices."""

from __future__ import annotations

from sqlalchemy import Column, Date, String

from acctcli.service.store.schema.columns import cents, flag, id_column, of_business, stamps, table

# (name, length) of the writable texts that may be null (wire facts 2.13)
PURCHASE_TEXTS = (
    ("invoice_number", 32),
    ("sender_vat", 32),
    ("sender_name", 128),
    ("sender_bank_account", 64),
    ("sender_bank_bic", 16),
    ("receiver_vat", 32),
    ("receiver_name", 128),
    ("reference", 32),
    ("message", 140),
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
    *(Column(name, String(length)) for name, length in PURCHASE_TEXTS),
)
