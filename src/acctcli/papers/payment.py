"""How to pay an invoice: what to type, and the codes that say it to machines (docs/law.md 6.2, 6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
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


def read_payment(invoice: Mapping[str, Any], business: Mapping[str, Any], speaker: Speaker) -> Payment | None:
    """Return how to pay, or None where there is nothing to pay."""
    total, words = Decimal(invoice["total_amount"]), speaker.words
    if invoice["is_credit_note_for"] is not None or total <= 0:
        return None
    account, reference = business["invoicing_iban"] or "", invoice["reference"] or ""
    bic = business["invoicing_bic"] or iban.finnish_bic(account)
    in_barcode = total if total <= _LARGEST_IN_BARCODE else None
    return Payment(
        account=told((words.recipient, business["name"]), ("IBAN", iban.grouped(account)), ("BIC", bic)),
        sum=told(
            (words.reference, references.grouped(reference)),
            (words.due_date, speaker.day(invoice["due_date"])),
            (words.amount, speaker.euros(total)),
        ),
        barcode=bank_barcode(account, in_barcode, reference, day(invoice["due_date"])),
        qr=_qr(invoice, clean(business["name"]), account, bic, speaker),
    )


def _qr(invoice: Mapping[str, Any], name: str, account: str, bic: str | None, speaker: Speaker) -> str | None:
    text = f"{speaker.words.invoice} {invoice['invoice_number'] or ''}"
    # an account that cannot be paid like this still stands on the paper
    with suppress(ValueError):
        return epc_payload(
            name, account, Decimal(invoice["total_amount"]), reference=invoice["reference"], text=text, bic=bic
        )
    return None
