"""The barcode of a purchase invoice: the digits for a bank, what they say, or what is missing to make them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

import msgspec

from acctcli.banking.barcode import bank_barcode, read_barcode
from acctcli.banking.iban import check_iban, is_finnish
from acctcli.banking.references import check_any_reference
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import show_record, show_text
from acctcli.cli.session.state import State
from acctcli.client.faults import unreadable
from acctcli.client.messages import Reply, encode_plain
from acctcli.errors import UsageError

_LIMIT = Decimal(1_000_000)


class _Bill(msgspec.Struct):
    amount: Decimal
    currency: str = "EUR"
    sender_bank_account: str | None = None
    reference: str | None = None
    due_date: date | None = None
    virtuaaliviivakoodi: str | None = None


def show_digits(here: State, reply: Reply, columns: Sequence[str]) -> None:
    """Print the digits alone for other programs, with what they say for people and as data.

    Raise UsageError naming the fields that are missing or cannot be put into digits.
    """
    invoice = decoded(reply, _Bill)
    digits = invoice.virtuaaliviivakoodi or _own_digits(invoice)
    if _is_plain(here):
        show_text(here, digits)
        return
    try:
        said = read_barcode(digits)
    except ValueError as problem:
        raise unreadable(reply, "digits that no bank reads") from problem
    values = (digits, said.iban, said.amount, said.reference, said.due)
    show_record(here, msgspec.Raw(encode_plain(dict(zip(columns, values, strict=True)))), columns)


def _is_plain(here: State) -> bool:
    """Whether the output goes to another program that has not said which form it wants."""
    options = here.options
    asked = options.output or options.columns or here.format == "json"
    return not asked and (options.output_file is not None or not sys.stdout.isatty())


def _own_digits(invoice: _Bill) -> str:
    """Make the digits that the service has not made."""
    faults = dict(_faults(invoice))
    if faults:
        told = "; ".join(f"{name}: {text}" for name, text in faults.items())
        raise UsageError(
            f"this invoice has no barcode: {told}",
            hint="fill in what is missing with: acctcli purchase update",
            fields={name: [text] for name, text in faults.items()},
        )
    assert invoice.sender_bank_account is not None
    assert invoice.reference is not None
    digits = bank_barcode(invoice.sender_bank_account, invoice.amount, invoice.reference, invoice.due_date)
    if digits is None:
        raise UsageError("this invoice has no barcode: its reference or its due date cannot be put into digits")
    return digits


def _faults(invoice: _Bill) -> Iterator[tuple[str, str]]:
    """Yield the fields that keep an invoice from having a barcode, and why."""
    try:
        if not is_finnish(check_iban(invoice.sender_bank_account or "")):
            yield "sender_bank_account", "only Finnish accounts have one"
    except ValueError as problem:
        yield "sender_bank_account", str(problem) if invoice.sender_bank_account else "missing"
    try:
        check_any_reference(invoice.reference or "")
    except ValueError as problem:
        yield "reference", str(problem) if invoice.reference else "missing"
    if not 0 <= invoice.amount < _LIMIT:
        yield "amount", "0.00 to 999999.99 fits"
    if invoice.currency != "EUR":
        yield "currency", "only EUR has one"
