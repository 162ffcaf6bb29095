"""Purchase invoices (docs/interface.md 8.1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as day
from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from acctcli.models.base import NO_NUL, Currency, Date, Id, Money, Request, Text16, Text32, Text64, Text128
from acctcli.models.document import BankTransaction, EmbeddedDocument
from acctcli.models.enums import PurchaseSource
from acctcli.models.file import Attachment
from acctcli.models.reply import Moment, Stored

Message = Annotated[str, StringConstraints(max_length=140, pattern=NO_NUL)]


class Reference(Request):
    """A record named by its id; its other fields, as GET shows them, are ignored."""

    id: Id


class PurchaseInvoiceRequest(Request):
    """What may be written of a purchase invoice; `amount` in currency units, VAT included."""

    invoice_number: Text32 | None = None
    invoicing_date: Date
    due_date: Date | None = None
    sender_vat: Text32 | None = None
    sender_name: Text128 | None = None
    sender_bank_account: Text64 | None = None
    sender_bank_bic: Text16 | None = None
    receiver_vat: Text32 | None = None
    receiver_name: Text128 | None = None
    reference: Text32 | None = None
    message: Message | None = None
    original_attachment: Reference | None = None
    amount: Money
    currency: Currency = "EUR"
    is_paid: bool = False
    attachments: list[Id] = Field(default_factory=list)
    import_source: PurchaseSource
    document: Reference | None = None
    tag_ids: list[Id] = Field(default_factory=list)


class PaymentStatus(TypedDict):
    """One message of a bank about a payment."""

    id: int
    message_id: str
    status: str
    created_at: Moment


class Payment(TypedDict):
    """A payment handed to a bank; none is made here."""

    id: str
    created_at: Moment
    statuses: list[PaymentStatus]


class PurchaseInvoice(Stored):
    """A purchase invoice as the service shows it, alone and in lists."""

    invoice_number: str | None
    invoicing_date: day
    due_date: day | None
    sender_vat: str | None
    sender_name: str | None
    sender_bank_account: str | None
    sender_bank_bic: str | None
    receiver_vat: str | None
    receiver_name: str | None
    reference: str | None
    message: str | None
    original_invoice_xml: str | None
    original_attachment: Attachment | None
    amount: Money
    currency: str
    virtuaaliviivakoodi: str | None
    is_paid: bool
    is_past_due: bool
    is_deletable: bool
    attachments: Sequence[int]
    import_source: str
    payment: Payment | None
    payment_date: day | None
    bank_transaction: BankTransaction | None
    document: EmbeddedDocument | None
    tag_ids: Sequence[int]
    pis_payment: dict[str, object] | None
