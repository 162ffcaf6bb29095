"""Accounting documents, their blueprints and entries (docs/interface.md 5.1, 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as day
from typing import Annotated, Any, cast

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from acctcli.models.base import Date, Id, Money, Name2000, Rate, Request, Text256, hide_default, whole, zero
from acctcli.models.enums import BlueprintType, DocumentType, VatMethod
from acctcli.models.file import AttachmentListItem
from acctcli.models.relation import DocumentRelation
from acctcli.models.reply import Moment, Stored, shown_as

# 0 is outside the documented set but lives in stored blueprints; it posts like 3
VatCode = Annotated[int, Field(ge=0, le=15), whole]


class BlueprintRow(Request):
    """One row of a blueprint; `amount` in currency units, with or without VAT by `vat_method`."""

    account_id: Id | None
    description: Text256 | None = None
    vat_code: VatCode = 3
    vat_rate: Rate = zero()
    vat_method: Annotated[VatMethod, whole] = VatMethod.GROSS
    amount: Money = zero()


class Blueprint(Request):
    """What a document posts: rows, and at most one shortcut account a side that balances them."""

    debet_account_id: Id | None = None
    debet_entries: list[BlueprintRow] | None = Field(default_factory=list)
    credit_account_id: Id | None = None
    credit_entries: list[BlueprintRow] | None = Field(default_factory=list)
    expense_entries: list[BlueprintRow] | None = Field(default_factory=list)


ShownBlueprint = Annotated[Any, shown_as(Blueprint)]


class DocumentRequest(Request):
    """What may be written of a document; every field has a default."""

    is_flagged: bool = False
    is_draft: bool = False
    # today when absent; the models know no clock, so the service fills it in
    date: Date = Field(default=cast(day, None), json_schema_extra=hide_default)
    description: Text256 = ""
    contact_id: Id | None = None
    attachment_ids: list[Id] = Field(default_factory=list)
    tag_ids: list[Id] = Field(default_factory=list)
    type: Annotated[DocumentType, whole] = DocumentType.NORMAL
    blueprint: Blueprint = Field(default_factory=Blueprint)


class AttachmentIdsRequest(Request):
    """The files to attach or to detach."""

    attachment_ids: list[Id]


class SetFilesRequest(Request):
    """All the files that a document is to have; none are named, none are changed."""

    attachment_ids: list[Id] | None = None


class CommentRequest(Request):
    """What is said of a document; `@` and the address of a member of the business mentions them."""

    text: Name2000


class DocumentComment(TypedDict):
    """A comment on a document; `id` is its number in the audit trail, `mentions` are addresses."""

    id: int
    created_at: Moment
    user_id: int | None
    author: str | None
    text: str
    mentions: list[str]


class PreviewRequest(Request):
    """A document that does not exist yet, to see which ones would belong to it."""

    # today when absent, as for a document
    date: Date = Field(default=cast(day, None), json_schema_extra=hide_default)
    contact_id: Id | None = None
    blueprint: Blueprint
    exclude_document_ids: list[Id] = Field(default_factory=list)


AttachmentSuggestions = TypeAliasType(
    "AttachmentSuggestions",
    Annotated[
        list[AttachmentListItem],
        Field(title="AttachmentSuggestions", description="Files that may belong to a document, the newest first."),
    ],
)


class Entry(Stored):
    """One line in the books; `amount` is never negative, the side says the direction."""

    account: int
    account_name: str
    account_number: str
    amount: Money
    is_debet: bool
    description: str
    vat_code: int
    vat_rate: str


class EntryUiRow(TypedDict):
    """A blueprint row as people see it: gross, without separate VAT lines."""

    account_name: str
    account_number: str
    vat_code: int
    vat_rate: str
    is_debet: bool
    amount: Money


class Shortcut(TypedDict):
    """A suggested action on a document."""

    key: str
    is_promoted: bool


class BankTransaction(TypedDict):
    """The bank line a document came from."""

    id: int
    trace_id: str | None
    algo_status: str
    data_source: str | None
    identifier: str | None
    date: day
    amount: Money
    description: str | None
    contact_hint: str | None
    balance_after_transaction: Money | None
    reference_number: str | None
    payment_account_id: int | None


class EmbeddedDocument(Stored):
    """A document as invoices show it."""

    number: str | None
    is_flagged: bool
    is_locked: bool
    is_draft: bool
    date: day
    description: str
    contact_id: int | None
    contact_name: str | None
    balance: Money
    attachment_ids: Sequence[int]
    type: int
    blueprint: ShownBlueprint
    blueprint_type: Annotated[str, shown_as(BlueprintType)]
    import_data: BankTransaction | None
    entry_ui_rows: list[EntryUiRow]
    audit_trail_last_seen_at: Moment | None
    audit_trail_last_mention_at: Moment | None
    audit_trail_last_comment_at: Moment | None
    audit_trail_has_unseen_actions: bool
    tag_ids: Sequence[int]
    relations: list[DocumentRelation]
    relation_network_signals: str
    relation_entry_signals: str
    available_link_kinds: str
    eu_b2b_vat_details_missing: bool
    eu_sale_to_private_person: bool


class Document(EmbeddedDocument):
    """A document as the service shows it, alone and in lists."""

    is_deletable: bool
    shortcuts: list[Shortcut]


class AccountingSuggestion(TypedDict):
    """A document the service proposes; here it proposes none."""

    id: int
    key: str
    state: str
    date: day
    description: str
    amount: Money
    blueprint: ShownBlueprint
    blueprint_type: BlueprintType
    contact_id: int | None
    contact_name: str | None
    attachment_ids: list[int]
    tag_ids: list[int]
    ui_rows: list[EntryUiRow]
    source_account: int | None
    import_data: BankTransaction | None
