"""Booking a payout: a document by hand, with its items on one side or the other and a clearing account between.

What was sold stands on the credit side, fees and refunds on the debit side, each with its VAT inside; the clearing
account takes what was paid out until the bank statement brings it (docs/interface.md 8.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from acctcli.cli.account.chart import Chart, read_chart
from acctcli.cli.command.body import check
from acctcli.cli.document.rehearsal import Preview, read_preview
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest

_LONGEST = 256
_CURRENCY = "EUR"  # that of all books


class _Item(msgspec.Struct):
    amount: Decimal
    account_number: str
    description: str = ""
    vat_code: int = NO_VAT
    vat_rate: Decimal = Decimal(0)


class _Payout(msgspec.Struct):
    external_id: str
    date: date
    amount: Decimal
    items: list[_Item]
    currency: str = _CURRENCY
    attachments: list[int] = []

    @property
    def title(self) -> str:
        """What its document is described as, by which it is known again."""
        return f"Payout {self.external_id}"[:_LONGEST]


class _Booked(msgspec.Struct):
    id: int
    description: str
    number: str | None = None


_read = reader(_Booked, "a document")


class Booking(NamedTuple):
    """A document to send, and in a rehearsal the entries it is going to make."""

    body: DocumentRequest
    preview: Preview | None


def read_booking(
    here: State, payout_id: int, clearing: str, day: date | None, *, is_draft: bool, again: bool
) -> Booking:
    """Build the document of a payout.

    Raise UsageError for an account that is not in the chart, for another currency than that of the books, and unless
    `again` for a payout that is booked already.
    """
    payout = decoded(here.api.sales_payouts.get(payout_id), _Payout)
    if payout.currency != _CURRENCY:
        raise UsageError(
            f"payout {payout_id} is in {payout.currency}: documents are in {_CURRENCY}",
            hint="post what the bank received: acctcli document create",
        )
    if not again:
        _refuse_booked(here, payout)
    chart = read_chart(here)
    blueprint = _blueprint(payout, chart, clearing)
    values = {
        "date": day or payout.date,
        "description": payout.title,
        "is_draft": is_draft,
        "attachment_ids": payout.attachments,
        "blueprint": blueprint,
    }
    body = check(DocumentRequest, values, f"payout {payout_id}")
    return Booking(body, read_preview(here, chart, blueprint, is_draft=is_draft) if here.options.dry_run else None)


def _refuse_booked(here: State, payout: _Payout) -> None:
    found = here.api.documents.list({"search": payout.title}, Extent(limit=None))
    for document in read_all(found, _read):
        if document.description == payout.title:
            raise UsageError(
                f"document {document.number or document.id} books this payout already",
                hint="book it once more with --again",
            )


def _blueprint(payout: _Payout, chart: Chart, clearing: str) -> dict[str, Any]:
    """Return debit and credit rows; an amount below zero stands on the other side, as what it is."""
    rows = list(_rows(payout, chart, clearing))
    return {
        "debet_entries": [{**row, "amount": -row["amount"]} for row in rows if row["amount"] < 0],
        "credit_entries": [row for row in rows if row["amount"] > 0],
    }


def _rows(payout: _Payout, chart: Chart, clearing: str) -> Iterator[dict[str, Any]]:
    """Yield the rows with the sign they have on the credit side, the clearing account first."""
    yield _row(_Item(-payout.amount, clearing), chart.find(clearing, "--clearing").id)
    for place, item in enumerate(payout.items, 1):
        yield _row(item, chart.find(item.account_number, f"item {place}").id)


def _row(item: _Item, account_id: int) -> dict[str, Any]:
    row = {"account_id": account_id, "vat_code": item.vat_code, "vat_rate": item.vat_rate, "amount": item.amount}
    return row | ({"description": item.description} if item.description else {})
