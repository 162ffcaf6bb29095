"""Invoices as lines: one for each of their rows, with all that it says beside it, or one with its last reminder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from acctcli.cli.invoice.reminded import Message, reminders_in
from acctcli.errors import ServerFault

# The columns of exports, in this order; later versions add at the end.
INVOICES = (
    "id",
    "invoice_number",
    "status",
    "is_credit_note_for",
    "receiver",
    "receiver_info.name",
    "invoicing_date",
    "due_date",
    "reference",
    "currency",
    "total_vat_amount",
    "total_amount",
    "payment_date",
    "last_delivery_at",
    "is_past_due",
    "created_at",
    "updated_at",
)
ROWS = (
    "id",
    "invoice_number",
    "status",
    "is_credit_note_for",
    "receiver",
    "receiver_info.name",
    "invoicing_date",
    "due_date",
    "currency",
    "row.id",
    "row.code",
    "row.name",
    "row.unit",
    "row.product_count",
    "row.amount",
    "row.vat_rate",
    "row.vat_code",
    "row.total_vat_amount",
    "row.total_amount",
    "row.account_id",
    "updated_at",
)
_NOTHING = msgspec.Raw(b"null")

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_messages = msgspec.json.Decoder(list[Message] | None).decode
_decode_rows = msgspec.json.Decoder(list[msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode


def expand(pages: Iterator[list[msgspec.Raw]]) -> Iterator[list[msgspec.Raw]]:
    """Yield a line for each row of each invoice: the invoice, with `row` in place of `rows`.

    An invoice without rows is one line whose row is null: nothing is lost from a list.
    """
    for page in pages:
        yield [line for invoice in page for line in _lines(invoice)]


def with_reminders(pages: Iterator[list[msgspec.Raw]]) -> Iterator[list[msgspec.Raw]]:
    """Yield each invoice with `reminded` besides: the last reminder that it has had, as its messages tell, or null."""
    for page in pages:
        yield [_with_reminder(invoice) for invoice in page]


def _lines(invoice: msgspec.Raw) -> Iterator[msgspec.Raw]:
    with _reading():
        fields = _decode(invoice)
        rows = _decode_rows(fields.pop("rows", msgspec.Raw(b"[]"))) or [_NOTHING]
    for row in rows:
        yield msgspec.Raw(_encode({**fields, "row": row}))


def _with_reminder(invoice: msgspec.Raw) -> msgspec.Raw:
    with _reading():
        fields = _decode(invoice)
        messages = _decode_messages(fields.get("external_status_messages", _NOTHING))
    had = [one.short for one in reminders_in(messages)]
    return msgspec.Raw(_encode({**fields, "reminded": had[-1] if had else None}))


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except msgspec.DecodeError as problem:
        raise ServerFault("an invoice is not what the interface promises", code="unreadable_reply") from problem
