"""What e-invoices say when they are read is what the wire said when they were written, to the cent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given, settings

from acctcli.einvoice.cii import cii as written_here
from acctcli.einvoice.finvoice import finvoice
from acctcli.einvoice.incoming.model import Incoming
from acctcli.einvoice.incoming.proving import prove
from acctcli.einvoice.incoming.reading import read_einvoice
from acctcli.einvoice.ubl import xrechnung
from tests.einvoice.incoming.cii import cii
from tests.einvoice.samples import (
    FINNISH_BUYER,
    FINNISH_SELLER,
    ORIGINAL,
    SAMPLES,
    Sample,
    Wire,
    cents,
    credit_note,
    invoice,
    row,
)
from tests.einvoice.test_ubl_totals import ROWS
from tests.sizes import is_full

Writer = Callable[[Wire, Wire | None], bytes]
BUYER = {**FINNISH_BUYER, "xrechnung_buyer_reference": "PO-1"}
WRITERS: dict[str, Writer] = {
    "Finvoice": lambda wire, original: finvoice(wire, FINNISH_SELLER, original),
    "UBL": lambda wire, original: xrechnung(wire, FINNISH_SELLER, original),
    "CII": lambda wire, original: written_here(wire, FINNISH_SELLER, original),
    "CII of others": lambda wire, original: cii(wire),
}
EXAMPLES = 200 if is_full() else 20
# how the VAT of a wire row is called on an e-invoice
CATEGORIES = {1: "S", 4: "Z", 5: "K", 6: "AE", 10: "AE"}


def vat_of(one: Wire) -> tuple[str, Decimal]:
    if one["vat_code"] != 1:
        return CATEGORIES[one["vat_code"]], Decimal(0)
    return ("S" if one["vat_rate"] else "Z"), Decimal(one["vat_rate"])


def assert_says(found: Incoming, wire: Wire) -> None:
    """Compare with the wire, whose sums are worked out here as EN 16931 wants them."""
    nets: dict[tuple[str, Decimal], Decimal] = defaultdict(Decimal)
    for one, line in zip(wire["rows"], found.lines, strict=True):
        net, count = cents(one["amount"] * one["product_count"]), one["product_count"]
        assert (line.name, line.net, (line.category, line.rate)) == (one["name"], net, vat_of(one))
        assert (line.price, line.quantity) == (abs(one["amount"]), -count if one["amount"] < 0 else count)
        nets[vat_of(one)] += net
    groups = {(one.category, one.rate): (one.base, one.vat) for one in found.groups}
    assert groups == {vat: (net, cents(net * vat[1] / 100)) for vat, net in nets.items()}
    assert found.sums.net == sum(nets.values())
    assert found.sums.payable == wire["total_amount"]
    assert found.sums.gross + found.sums.rounding == found.sums.payable
    assert (found.number, found.issued, found.currency) == (
        str(wire["invoice_number"]), wire["invoicing_date"], wire["currency"],
    )  # fmt: skip
    assert (found.seller.name, found.seller.vat_id) == ("Kirjo & Kumpp. Oy", "FI12345671")


@pytest.mark.parametrize("form", WRITERS)
@settings(max_examples=EXAMPLES)
@given(rows=ROWS)
def test_an_invoice_is_read_as_it_was_written(form: str, rows: list[Wire]) -> None:
    wire = invoice(rows, BUYER)
    found = read_einvoice(WRITERS[form](wire, None))
    prove(found)
    assert_says(found, wire)
    assert (found.format, found.is_credit_note, found.due) == (form.removesuffix(" of others"), False, wire["due_date"])
    assert (found.buyer.name, found.payment.reference) == (BUYER["name"], "10171")
    assert (found.payment.iban, found.payment.bic) == ("FI4950009420028730", "OKOYFIHH")


@pytest.mark.parametrize("form", WRITERS)
@settings(max_examples=EXAMPLES)
@given(rows=ROWS)
def test_a_credit_note_has_the_signs_of_what_it_takes_back(form: str, rows: list[Wire]) -> None:
    back = [row(f"{one['amount']}", f"{-one['product_count']}", f"{one['vat_rate']}", one["vat_code"]) for one in rows]
    wire = credit_note(back, BUYER)
    found = read_einvoice(WRITERS[form](wire, ORIGINAL))
    assert_says(found, wire)
    assert found.is_credit_note
    assert found.credited == ("" if form == "CII of others" else "17")
    if found.sums.payable <= 0:
        prove(found)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("writer", [finvoice, xrechnung, written_here], ids=["Finvoice", "UBL", "CII"])
def test_every_sample_is_read_and_proved(name: str, writer: Callable[[Wire, Wire, Wire | None], bytes]) -> None:
    sample: Sample = SAMPLES[name]
    receiver = {**sample.invoice["receiver_info"], "invoicing_street": "Katu 1"}
    wire = {**sample.invoice, "receiver_info": receiver}
    found = read_einvoice(writer(wire, {**sample.business, "invoicing_street": "Katu 2"}, sample.original))
    prove(found)
    assert (found.sums.payable, len(found.lines)) == (wire["total_amount"], len(wire["rows"]))
