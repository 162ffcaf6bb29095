"""E-invoices inside PDFs: those that were published, those made here, and PDFs that hold none."""

from __future__ import annotations

import random
from decimal import Decimal
from io import BytesIO

import pytest
from pypdf import PdfWriter
from pypdf.generic import NameObject

from acctcli.einvoice.incoming.embedded import embedded_xml, is_pdf
from acctcli.einvoice.incoming.model import Incoming, InvoiceFault
from acctcli.einvoice.incoming.proving import faults
from acctcli.einvoice.incoming.reading import read_einvoice
from tests.einvoice.fetch import FOLDER
from tests.einvoice.incoming.cii import cii
from tests.einvoice.rulebooks import Rulebook
from tests.einvoice.samples import FINNISH_BUYER, invoice, row
from tests.sizes import is_full

CII = cii(invoice([row("100.00", "2")], FINNISH_BUYER))


def pdf(*files: tuple[str, bytes]) -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    for name, content in files:
        writer.add_attachment(name, content)
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def packed_as_nobody_does() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    file = writer.add_attachment("factur-x.xml", CII)
    file._embedded_file[NameObject("/Filter")] = NameObject("/Own")
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def read(content: bytes) -> Incoming:
    return read_einvoice(embedded_xml(content))


@pytest.mark.parametrize("name", ["factur-x.xml", "ZUGFeRD-invoice.xml", "xrechnung.xml"])
def test_the_invoice_is_found_among_other_files(name: str) -> None:
    content = pdf(("terms.txt", b"Terms"), (name, CII))
    assert is_pdf(content)
    assert read(content) == read_einvoice(CII)


@pytest.mark.usefixtures("rulebook")
@pytest.mark.together
@pytest.mark.parametrize(("profile", "lines"), [("BASICWL", 0), ("BASIC", 3), ("EN16931", 3), ("EXTENDED", 3)])
def test_published_pdfs_are_read(rulebook: Rulebook, profile: str, lines: int) -> None:
    found = read((FOLDER / f"Facture_FR_{profile}.pdf").read_bytes())
    # their numbers are made up
    assert {field for field, _ in faults(found)} <= {"seller_vat", "iban", "bic"}
    assert (found.number, found.seller.name, len(found.lines)) == ("FA-2017-0010", "Au bon moulin", lines)
    told = [f"{one:.2f}" for one in (found.sums.net, found.sums.vat, found.sums.prepaid, found.sums.payable)]
    assert told == ["624.90", "46.25", "201.00", "470.15"]
    assert {(one.rate, f"{one.vat:.2f}") for one in found.groups} == {(20, "16.38"), (Decimal("5.5"), "29.87")}


@pytest.mark.usefixtures("rulebook")
def test_a_profile_without_vat_is_refused() -> None:
    with pytest.raises(InvoiceFault, match="this profile does not say which VAT the invoice has"):
        read((FOLDER / "Facture_FR_MINIMUM.pdf").read_bytes())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (pdf(), "none is in this one"),
        (pdf(("invoice.xml", CII)), "none is in this one"),
        (pdf(("factur-x.xml", CII), ("xrechnung.xml", CII)), "2 of them are in this one"),
        (b"%PDF-1.7\n", "the PDF cannot be read"),
        (packed_as_nobody_does(), "the PDF cannot be read: Unsupported filter /Own"),
        (pdf(("factur-x.xml", CII))[:-200], "the PDF"),
    ],
)
def test_a_pdf_that_is_no_invoice_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(InvoiceFault, match=told):
        read(content)


def test_whatever_is_wrong_with_a_pdf_is_a_refusal() -> None:
    dice, whole = random.Random(7), pdf(("factur-x.xml", CII))
    refused = 0
    for _ in range(2000 if is_full() else 100):
        broken = bytearray(whole)
        for _ in range(dice.randint(1, 30)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        try:
            read(bytes(broken))
        except InvoiceFault:
            refused += 1
    assert refused
