"""Sales invoices, their rows and credit notes (docs/interface.md 7)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Self, cast

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType, TypedDict

from acctcli.models.base import (
    NO_NUL,
    Date,
    Id,
    Money,
    Name64,
    Rate,
    Request,
    Text8,
    Text20,
    Text25,
    Text32,
    Text64,
    Text128,
    Text512,
    UnitAmount,
    hide_default,
    whole,
)
from acctcli.models.business import Days
from acctcli.models.contact import Contact
from acctcli.models.document import BankTransaction, EmbeddedDocument
from acctcli.models.enums import (
    DeliveryMethod,
    InvoiceStatus,
    Language,
    RecurrenceFrequency,
    RecurrenceReferenceMethod,
)
from acctcli.models.file import Attachment
from acctcli.models.placeholders import MailLine, MailText
from acctcli.models.reply import Json, Moment, Stored, shown_as

# the VAT of a purchase would make a row come to something else than it says (docs/interface.md 6.4)
SALES_VAT_CODES = (1, 3, 4, 5, 6, 10, 12, 13)
LONGEST_INTERVAL = 999


def _read_sales_code(code: int) -> int:
    if code not in SALES_VAT_CODES:
        allowed = ", ".join(map(str, SALES_VAT_CODES))
        raise PydanticCustomError("vat_code", "Must be the VAT code of a sale: {allowed}.", {"allowed": allowed})
    return code


def _read_draft(status: str) -> str:
    if status != InvoiceStatus.DRAFT:
        raise PydanticCustomError("status", "Only DRAFT can be written; the actions change the status.")
    return status


SalesVatCode = Annotated[
    int,
    AfterValidator(_read_sales_code),
    whole,
    WithJsonSchema({"type": "integer", "enum": list(SALES_VAT_CODES)}),
]
Message = Annotated[str, StringConstraints(min_length=1, max_length=1024, pattern=NO_NUL)]


# of a rule as JSON
LONGEST_RULE = 2**12


class RecurrenceRule(Request):
    """How often the children of a template follow; rules of others are kept as they come, but no template has one."""

    model_config = ConfigDict(extra="allow")

    frequency: RecurrenceFrequency | None = None
    interval: Annotated[int, Field(ge=1, le=LONGEST_INTERVAL), whole] = 1

    @model_validator(mode="after")
    def _check_length(self) -> Self:
        """Refuse what is no rule but a store of its own."""
        if self.model_extra and len(self.model_dump_json().encode()) > LONGEST_RULE:
            raise PydanticCustomError("rule", "Must have at most {most} KiB as JSON.", {"most": LONGEST_RULE // 2**10})
        return self


class SalesInvoiceRowRequest(Request):
    """One row; `amount` is the price of a unit in currency units, without VAT."""

    code: Text25 | None = None
    name: Name64
    unit: Text8
    amount: UnitAmount
    vat_rate: Rate
    vat_code: SalesVatCode
    product: Id | None = None
    product_count: UnitAmount
    description: Text128 | None = None
    account_id: Id | None = None


class SalesInvoiceRequest(Request):
    """What may be written of a draft; rows, tags and attachments are replaced as a whole."""

    receiver: Id
    contact_person: Text64 | None = None
    invoicing_date: Date
    payment_condition_days: Days
    reference: Text20 | None = None
    # that of the business when absent; the models know no business, so the service fills it in
    penalty_interest: Rate = Field(default=cast(Decimal, None), json_schema_extra=hide_default)
    description: Text512 | None = None
    is_credit_note_for: Id | None = None
    rows: list[SalesInvoiceRowRequest] = Field(default_factory=list)
    status: Annotated[InvoiceStatus, AfterValidator(_read_draft)] = InvoiceStatus.DRAFT
    is_active_recurrence_template: bool = False
    delivery_method: DeliveryMethod | None = None
    recurrence_rule: RecurrenceRule | None = None
    recurrence_reference_method: RecurrenceReferenceMethod | None = None
    recurrence_email_subject: MailLine | None = None
    recurrence_email_content: MailText | None = None
    recurrence_end: Date | None = None
    attachments: list[Id] = Field(default_factory=list)
    settlement_date: Date | None = None
    seller_reference: Text32 | None = None
    buyer_reference: Text32 | None = None
    is_automatic_debt_collection_enabled: bool = False
    tag_ids: list[Id] = Field(default_factory=list)


class InvoiceAcceptRequest(Request):
    """In which language an invoice is, whatever its receiver and the country of the business say."""

    language: Language | None = None


class InvoicePaymentRequest(Request):
    """What was paid of an invoice whose sale is posted with its payments: all that is open, today, unless told."""

    date: Date | None = None
    amount: Annotated[Money, Field(gt=0)] | None = None
    account_id: Id | None = None


class InvoiceLossRequest(Request):
    """The day on which an invoice was given up: today, unless told."""

    date: Date | None = None


class StatusMessageRequest(Request):
    """What another system says about an invoice."""

    message: Message


class StatusMessage(TypedDict):
    """A stored message."""

    id: int
    message: str


class SalesInvoiceRow(TypedDict):
    """A row as the service shows it."""

    id: int
    code: str | None
    name: str
    unit: str
    amount: UnitAmount
    vat_rate: Rate
    vat_code: int
    product: int | None
    product_count: UnitAmount
    description: str | None
    total_vat_amount: Money
    total_amount: Money
    account_id: int | None


class OriginalInvoiceCollection(TypedDict):
    """How far the collection of the invoice is that a credit note belongs to."""

    invoice_id: int
    is_registered_to_collector: bool
    collector_invoice_status: str
    automatic_debt_collection_status: str


class DeliveryOption(TypedDict):
    """A way to deliver, and whether the receiver can be reached by it."""

    value: DeliveryMethod
    label: str
    is_available: bool


DeliveryOptions = TypeAliasType(
    "DeliveryOptions",
    Annotated[
        list[DeliveryOption],
        Field(title="DeliveryOptions", description="Every way to deliver, always in the same order."),
    ],
)


class MailedFile(TypedDict):
    """A file that goes with an invoice by mail: its name there, its size in bytes, null where the service prints it."""

    id: int
    name: str
    type: str
    size: int | None


class KeptInvoice(TypedDict):
    """What an accepted invoice says: itself, the business and what it credits, as they were when it was accepted.

    What e-invoices were sent with is filled in; `today` are its receiver and the business as they are by now. `files`
    are what it takes along by mail.
    """

    id: int
    invoice: Json
    business: Json
    original: Annotated[Any, shown_as(dict[str, Any] | None)]
    today: Json
    files: list[MailedFile]


class InvoiceTerms(Stored):
    """Whom a sales invoice is for, and on what terms."""

    friendly_name: str
    receiver: int
    receiver_info: Contact
    contact_person: str | None
    invoice_number: int | None
    invoicing_date: date
    payment_condition_days: int
    due_date: date
    reference: str | None
    penalty_interest: Rate
    currency: str
    vat_country: str
    description: str | None


class InvoiceContent(TypedDict):
    """What a sales invoice is for, and how it is printed."""

    is_credit_note_for: int | None
    original_invoice_collection: OriginalInvoiceCollection | None
    credit_notes: Sequence[int]
    pdf: Attachment | None
    xrechnung_ubl_xml: str | None
    rows: list[SalesInvoiceRow]


class InvoiceStanding(TypedDict):
    """How far a sales invoice has come, and what may become of it."""

    status: str
    total_vat_amount: Money
    total_amount: Money
    is_editable: bool
    is_deletable: bool
    is_active_recurrence_template: bool
    is_recurrence_active: bool
    is_recurrence_end_exceeded: bool | None
    is_recurrence_applied: bool
    is_past_due: bool
    delivery_method: str | None
    is_sendable: bool
    last_delivery_at: Moment | None


class InvoiceRecurrence(TypedDict):
    """What recurs of a sales invoice."""

    recurrence_rule: Annotated[Any, shown_as(dict[str, Any] | None)]
    recurrence_parent_id: int | None
    recurrence_reference_method: str | None
    recurrence_email_subject: str | None
    recurrence_email_content: str | None
    recurrence_end: date | None
    next_recurrences: list[date]


class SalesInvoice(InvoiceTerms, InvoiceContent, InvoiceStanding, InvoiceRecurrence):
    """A sales invoice as the service shows it."""

    is_registered_to_collector: bool
    earliest_debt_collection_date: date
    attachments: Sequence[int]
    settlement_date: date | None
    seller_reference: str | None
    buyer_reference: str | None
    bank_transaction: BankTransaction | None
    payment_date: date | None
    document: EmbeddedDocument | None
    is_automatic_debt_collection_enabled: bool
    automatic_debt_collection_status: str
    external_status_messages: list[StatusMessage]
    tag_ids: Sequence[int]
