"""The tables of the service.

Conventions: every row of a business carries `business_id`, and references inside a business are composite, so that a
row of another business cannot be referenced. Amounts are integer cents. Moments are ISO 8601 UTC text of one width,
equal on both databases and sent as they are stored. Ids are never used twice.
"""

from __future__ import annotations

from acctcli.service.store.schema.attachments import attachment
from acctcli.service.store.schema.books import (
    document,
    document_attachment,
    document_counter,
    document_tag,
    entry,
    relation,
)
from acctcli.service.store.schema.business import (
    BUSINESS_FLAGS,
    BUSINESS_TEXTS,
    SYSTEM_ACCOUNTS,
    business,
    identifier,
    usership,
)
from acctcli.service.store.schema.chart import account, account_month, account_total, header, system_account
from acctcli.service.store.schema.columns import metadata
from acctcli.service.store.schema.contacts import CONTACT_TEXTS, contact
from acctcli.service.store.schema.invoices import (
    INVOICE_TEXTS,
    sales_invoice,
    sales_invoice_attachment,
    sales_invoice_counter,
    sales_invoice_message,
    sales_invoice_print,
    sales_invoice_row,
    sales_invoice_tag,
    sales_invoice_transition,
)
from acctcli.service.store.schema.log import event, stored_reply, tally
from acctcli.service.store.schema.payouts import sales_payout, sales_payout_attachment, sales_payout_item
from acctcli.service.store.schema.people import token, users
from acctcli.service.store.schema.periods import period, vat_period
from acctcli.service.store.schema.products import product
from acctcli.service.store.schema.purchases import (
    PURCHASE_TEXTS,
    purchase_invoice,
    purchase_invoice_attachment,
    purchase_invoice_tag,
)
from acctcli.service.store.schema.tags import tag
from acctcli.service.store.schema.webhooks import webhook_subscription
from acctcli.service.store.schema.workflows import workflow, workflow_run

__all__ = [
    "BUSINESS_FLAGS",
    "BUSINESS_TEXTS",
    "CONTACT_TEXTS",
    "COUNTED",
    "INVOICE_TEXTS",
    "PURCHASE_TEXTS",
    "SYSTEM_ACCOUNTS",
    "account",
    "account_month",
    "account_total",
    "attachment",
    "business",
    "contact",
    "document",
    "document_attachment",
    "document_counter",
    "document_tag",
    "entry",
    "event",
    "header",
    "identifier",
    "metadata",
    "period",
    "product",
    "purchase_invoice",
    "purchase_invoice_attachment",
    "purchase_invoice_tag",
    "relation",
    "sales_invoice",
    "sales_invoice_attachment",
    "sales_invoice_counter",
    "sales_invoice_message",
    "sales_invoice_print",
    "sales_invoice_row",
    "sales_invoice_tag",
    "sales_invoice_transition",
    "sales_payout",
    "sales_payout_attachment",
    "sales_payout_item",
    "stored_reply",
    "system_account",
    "tag",
    "tally",
    "token",
    "users",
    "usership",
    "vat_period",
    "webhook_subscription",
    "workflow",
    "workflow_run",
]

COUNTED = (
    "account",
    "attachment",
    "contact",
    "document",
    "header",
    "product",
    "purchase_invoice",
    "sales_invoice",
    "sales_payout",
    "tag",
    "webhook_subscription",
    "workflow",
)
