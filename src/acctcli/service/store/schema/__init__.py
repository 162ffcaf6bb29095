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
from acctcli.service.store.schema.log import event, stored_reply, tally
from acctcli.service.store.schema.people import token, users
from acctcli.service.store.schema.periods import period, vat_period
from acctcli.service.store.schema.purchases import PURCHASE_TEXTS, purchase_invoice
from acctcli.service.store.schema.tags import tag

__all__ = [
    "BUSINESS_FLAGS",
    "BUSINESS_TEXTS",
    "CONTACT_TEXTS",
    "COUNTED",
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
    "purchase_invoice",
    "relation",
    "stored_reply",
    "system_account",
    "tag",
    "tally",
    "token",
    "users",
    "usership",
    "vat_period",
]

COUNTED = ("account", "attachment", "contact", "document", "header", "tag")
