"""How to pay: what to type, and the codes that say it to machines (docs/law.md 6.2, 6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.banking import iban, references
from acctcli.banking.barcode import bank_barcode
from acctcli.banking.epc import epc_payload
from acctcli.einvoice.terms import day
from acctcli.papers.speaker import Speaker
from acctcli.papers.texts import Fact, told
from acctcli.printing.alphabet import clean

# above it the barcode leaves the amount to the payer
_LARGEST_IN_BARCODE = Decimal("999999.99")


class Payment(NamedTuple):
    """To whom and what, in two columns of facts, and the codes where they can carry it."""

    account: list[Fact]
    sum: list[Fact]
    barcode: str | None
    qr: str | None


class Transfer(NamedTuple):
    """What is to be paid, in euros, and until when; a message stands in the codes where there is no reference."""

    amount: Decimal
    due: date
    reference: str
    message: str


def read_payment(invoice: Mapping[str, Any], business: Mapping[str, Any], speaker: Speaker) -> Payment | None:
    """Return how to pay an invoice, or None where there is nothing to pay."""
    total = Decimal(invoice["total_amount"])
    if invoice["is_credit_note_for"] is not None or total <= 0:
        return None
    message = f"{speaker.words.invoice} {invoice['invoice_number'] or ''}"
    transfer = Transfer(total, day(invoice["due_date"]), invoice["reference"] or "", message)
    return payment_of(transfer, business, speaker)


def payment_of(transfer: Transfer, business: Mapping[str, Any], speaker: Speaker) -> Payment:
    """Return how to make a transfer to a business."""
    words, account = speaker.words, business["invoicing_iban"] or ""
    bic = business["invoicing_bic"] or iban.finnish_bic(account)
    in_barcode = transfer.amount if transfer.amount <= _LARGEST_IN_BARCODE else None
    return Payment(
        account=told((words.recipient, business["name"]), ("IBAN", iban.grouped(account)), ("BIC", bic)),
        sum=told(
            (words.reference, references.grouped(transfer.reference)),
            (words.due_date, speaker.day(transfer.due)),
            (words.amount, speaker.euros(transfer.amount)),
        ),
        barcode=bank_barcode(account, in_barcode, transfer.reference, transfer.due),
        qr=_qr(transfer, clean(business["name"]), account, bic),
    )


def _qr(transfer: Transfer, name: str, account: str, bic: str | None) -> str | None:
    # an account that cannot be paid like this still stands on the paper
    with suppress(ValueError):
        return epc_payload(name, account, transfer.amount, reference=transfer.reference, text=transfer.message, bic=bic)
    return None
