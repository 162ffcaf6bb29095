"""The kinds of records that a check compares with the audit trail, and what of each: all that nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec

from acctcli.models.fields import fields_of

if TYPE_CHECKING:
    from acctcli.client.api import Api
    from acctcli.client.collection import Collection

Shown = Mapping[str, msgspec.Raw]
_read_inner = msgspec.json.Decoder(dict[str, msgspec.Raw] | None).decode
# they go from all that has them when they are deleted, and that is one record
TAGS: Final = "tag_ids"


class RecordKind:
    """A kind of records: what the trail calls it, where they are, and the type of what is shown of one.

    `follows` are the fields that change without a record of it: they follow from other records, the day, or a release.
    `parts` are of another record that is shown in it, as `of.field`: the rest of that follows. `is_told`: each of them
    is recorded when it is made; others also come with the business, as its own record tells.
    """

    def __init__(
        self,
        word: str,
        records: Callable[[Api], Collection[Any]],
        shows: str,
        follows: Iterable[str] = (),
        *,
        parts: tuple[str, ...] = (),
        is_told: bool = True,
    ) -> None:
        self.word, self.records, self.parts, self.is_told = word, records, parts, is_told
        self._follows = {"id", "updated_at", TAGS, *follows, *(part.partition(".")[0] for part in parts)}
        self._shows = shows

    def fields(self, recorded: Shown) -> tuple[str, ...]:
        """Return what is compared of a record with what was recorded of it, which a release before may have less of."""
        return self._known(tuple(recorded))

    @cache  # noqa: B019 - there are a dozen, and they last
    def _known(self, recorded: tuple[str, ...]) -> tuple[str, ...]:
        shown = [field for field in fields_of(self._shows) if field in recorded and field not in self._follows]
        return (*shown, *(part for part in self.parts if part.partition(".")[0] in recorded))


def value(shown: Shown, field: str) -> bytes:
    """Return a value as JSON, of a part too: null where the record has none."""
    name, _, inner = field.partition(".")
    found = bytes(shown.get(name, b"null"))
    return bytes((_read_inner(found) or {}).get(inner, b"")) if inner else found


_BY_DAY = ("has_began", "has_ended", "has_due_passed", "is_past_due")
_BY_STATE = ("is_deletable", "is_editable", "is_sendable")
DOCUMENT = RecordKind(
    "document",
    lambda api: api.documents,
    "document:Document",
    (
        *_BY_STATE, "is_locked", "contact_name", "entry_ui_rows", "relations", "relation_network_signals",
        "relation_entry_signals", "available_link_kinds", "eu_b2b_vat_details_missing", "eu_sale_to_private_person",
        "shortcuts", "audit_trail_has_unseen_actions",
    ),
)  # fmt: skip
INVOICE = RecordKind(
    "sales_invoice",
    lambda api: api.invoices,
    "invoice:SalesInvoice",
    (
        *_BY_DAY, *_BY_STATE, "friendly_name", "receiver_info", "original_invoice_collection", "credit_notes", "pdf",
        "xrechnung_ubl_xml", "is_active_recurrence_template", "is_recurrence_active", "is_recurrence_end_exceeded",
        "is_recurrence_applied", "next_recurrences", "earliest_debt_collection_date", "external_status_messages",
    ),
    parts=("document.id",),
)  # fmt: skip
KINDS = (
    DOCUMENT,
    RecordKind(
        "account",
        lambda api: api.accounts,
        "account:AccountListItem",
        ("name", "padded_number", "header_path", "default_vat_rate"),
        is_told=False,
    ),
    RecordKind("header", lambda api: api.headers, "header:Header", ("name", "parent_ids", "level")),
    RecordKind("contact", lambda api: api.contacts, "contact:Contact"),
    INVOICE,
    RecordKind(
        "purchase_invoice",
        lambda api: api.purchase_invoices,
        "purchase_invoice:PurchaseInvoice",
        (*_BY_DAY, *_BY_STATE, "original_invoice_xml", "virtuaaliviivakoodi"),
        parts=("document.id", "original_attachment.id"),
    ),
    # what the service prints is listed as well, and has no record of its own
    RecordKind(
        "file",
        lambda api: api.files,
        "file:AttachmentListItem",
        ("file", "preview", "blurhash", "blurhash_w", "blurhash_h", "analysis_badges", "analysis_status"),
        is_told=False,
    ),
    RecordKind("product", lambda api: api.products, "product:Product"),
    RecordKind("tag", lambda api: api.tags, "tag:Tag"),
    RecordKind("identifier", lambda api: api.identifiers, "business:Identifier"),
    RecordKind("webhook_subscription", lambda api: api.webhooks, "webhook:WebhookSubscription"),
    RecordKind("workflow", lambda api: api.workflows, "workflow:Workflow"),
    RecordKind("sales_payout", lambda api: api.sales_payouts, "sales_payout:SalesPayout"),
    RecordKind("period", lambda api: api.periods, "period:Period", _BY_DAY, is_told=False),
    RecordKind(
        "vat_period",
        lambda api: api.vat_periods,
        "vat_period:VatPeriod",
        (*_BY_DAY, "recapitulative_due_date", "has_locked_accounting_period", "has_eu_sales"),
        is_told=False,
    ),
)
BUSINESS = RecordKind(
    "business",
    lambda api: api.businesses,
    "business:Business",
    (
        "identifiers", "business_id", "invoicing_tax_code", "country_config", "has_tags", "logo",
        "owner_name", "owner_email", "can_invoice", "is_new_invoicer",
        "period_id", "vat_period_id", "fiscal_period_needs_review", "vat_period_needs_review",
    ),
)  # fmt: skip
