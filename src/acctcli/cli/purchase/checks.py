"""What is refused of a purchase invoice before it is sent: days and references that cannot be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import msgspec

from acctcli.banking.checks import compact, is_digits
from acctcli.banking.references import payable_reference
from acctcli.cli.output.replies import decoded
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.law.identifiers import pays_by_digits
from acctcli.models.purchase_invoice import PurchaseInvoiceRequest

# a change of one is looked at together with what the others are
_TOGETHER = ({"invoicing_date", "due_date"}, {"reference", "sender_bank_account", "sender_vat"})


class _Written(msgspec.Struct):
    """What an invoice says, or will say."""

    invoicing_date: date | None = None
    due_date: date | None = None
    reference: str | None = None
    sender_bank_account: str | None = None
    sender_vat: str | None = None


class _Home(msgspec.Struct):
    country: str | None = None


def refusing(here: State) -> Callable[[PurchaseInvoiceRequest, int | str | None], None]:
    """Return what refuses a body that `refuse_wrong` refuses."""
    return lambda body, purchase: refuse_wrong(here, body, purchase)


def refuse_wrong(here: State, body: PurchaseInvoiceRequest, purchase: int | str | None) -> None:
    """Raise UsageError for a day it is due before its own, and for a reference with wrong check digits.

    Of changes of an invoice that is there, what they leave as it is counts, too (docs/payments.md 1.4).
    """
    changed = set(_Written.__struct_fields__) & body.model_fields_set
    touched = [some for some in _TOGETHER if some & changed]
    if not touched:
        return
    there = _Written()
    if purchase is not None and any(some - changed for some in touched):
        there = decoded(here.api.purchase_invoices.get(int(purchase)), _Written)
    said = {name: getattr(body if name in changed else there, name) for name in _Written.__struct_fields__}
    written = _Written(**said)
    faults = dict(
        one
        for some, look in zip(_TOGETHER, (_days, _reference), strict=True)
        if some in touched
        for one in look(here, written)
    )
    if faults:
        told = "; ".join(f"{name}: {text}" for name, text in faults.items())
        raise UsageError(told, fields={name: [text] for name, text in faults.items()})


def _days(here: State, written: _Written) -> Iterator[tuple[str, str]]:
    del here
    first, due = written.invoicing_date, written.due_date
    if first is not None and due is not None and due < first:
        yield "due_date", f"{due} is before the day of the invoice, {first}"


def _reference(here: State, written: _Written) -> Iterator[tuple[str, str]]:
    text, account = written.reference or "", compact(written.sender_bank_account or "")
    if is_digits(compact(text)) and not account and not _is_finnish(here, written):
        return
    try:
        payable_reference(text, account)
    except ValueError as problem:
        yield "reference", f"{problem}; words that are no reference go into the message"


def _is_finnish(here: State, written: _Written) -> bool:
    """Whether digits are a Finnish reference where no account says so: by the sender's VAT id, else by the business."""
    if written.sender_vat:
        return pays_by_digits(compact(written.sender_vat)[:2])
    return pays_by_digits(decoded(here.api.businesses.get(here.business()), _Home).country)
