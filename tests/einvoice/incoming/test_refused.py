"""What is refused of e-invoices: hostile files, what is no invoice, and what is wrong, with line and field."""

from __future__ import annotations

import re

import pytest

from acctcli.einvoice.finvoice import finvoice
from acctcli.einvoice.incoming import reading
from acctcli.einvoice.incoming.model import Incoming, InvoiceFault
from acctcli.einvoice.incoming.proving import prove
from acctcli.einvoice.incoming.reading import read_einvoice
from acctcli.einvoice.ubl import xrechnung
from tests.einvoice.incoming.cii import cii
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, ORIGINAL, credit_note, invoice, row

ROWS = [row("100.00", "2"), row("50.00", "1", "13.5")]
BUYER = {**FINNISH_BUYER, "xrechnung_buyer_reference": "PO-1"}
FINVOICE = finvoice(invoice(ROWS, BUYER), FINNISH_SELLER)
UBL = xrechnung(invoice(ROWS, BUYER), FINNISH_SELLER)
CII = cii(invoice(ROWS, BUYER))
CREDITED = finvoice(credit_note([row("100.00", "-1")], BUYER), FINNISH_SELLER, ORIGINAL)
BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


def read(content: bytes) -> Incoming:
    found = read_einvoice(content)
    prove(found)
    return found


def refused(content: bytes) -> str:
    with pytest.raises(InvoiceFault) as caught:
        read(content)
    return str(caught.value)


def with_text(content: bytes, element: bytes, text: bytes, nth: int = 0) -> bytes:
    """Return a file in which the nth element of a name has another text; None of it may be missing."""
    found = list(re.finditer(rb"(<(?:\w+:)?" + element + rb"(?: [^>]*)?>)([^<]*)(<)", content))
    match = found[nth]
    return content[: match.start(2)] + text + content[match.end(2) :]


def without(content: bytes, element: bytes) -> bytes:
    made, number = re.subn(
        rb"<(\w+:)?" + element + rb"[ >].*?</(\w+:)?" + element + rb">", b"", content, flags=re.DOTALL
    )
    assert number
    return made


def test_the_files_are_right_before_they_are_made_wrong() -> None:
    assert [read(one).format for one in (FINVOICE, UBL, CII, CREDITED)] == ["Finvoice", "UBL", "CII", "Finvoice"]


# --- hostile files ---


@pytest.mark.parametrize("content", [FINVOICE, UBL, CII], ids=["Finvoice", "UBL", "CII"])
def test_a_document_type_is_refused_where_it_begins(content: bytes) -> None:
    told = refused(content.replace(b"?>", b"?>" + BOMB, 1))
    assert told == "line 1, DOCTYPE: an invoice has no document type and no entities"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<Finvoice>" + b"<a>" * 60, "elements lie deeper in each other than 40"),
        (b"<Finvoice>" + b"<a/>" * 30_000, "one part holds more than 20,000 elements"),
        (b"<Finvoice><a>" + b"x" * 2**21, "one part holds more than 1,048,576 characters"),
        (b"<Finvoice>" + b"<InvoiceRow/>" * 50_001 + b"</Finvoice>", "the invoice has more than 50,000 lines"),
        (b"<Finvoice a='" + b"x" * 2**22 + b"'/>", "one tag or comment is longer"),
        (b"", "this is not XML: no element found"),
        (FINVOICE[:-20], "this is not XML"),
        (b"<html/>", "line 1, html: this is no e-invoice: Finvoice 3.0, UBL 2.1 and CII are read"),
        (b"<a><Finvoice Version='3.0'/></a>", "line 1, a: this is no e-invoice"),
        (FINVOICE + FINVOICE, "the file holds 2 invoices: put each into a file of its own"),
        (b"\x00\xff\xfe" * 50, "this is not XML"),
        (b"<?xml version='1.0' encoding='KTF-8'?><Finvoice/>", "its encoding is none that can be read"),
        (b"<?xml version='1.0' encoding='EUC-JP'?><Finvoice/>", "its encoding is none that can be read"),
    ],
    ids=["deep", "wide", "long", "lines", "tag", "empty", "cut", "html", "inside", "two", "bytes", "KTF", "EUC"],
)  # fmt: skip
def test_what_is_no_invoice_is_refused(content: bytes, told: str) -> None:
    assert told in refused(content)


def test_a_file_that_is_too_large_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", len(UBL) - 1)
    assert "the invoice is larger than" in refused(UBL)


def test_files_within_the_file_may_be_large() -> None:
    file = b"<cac:Attachment><cbc:EmbeddedDocumentBinaryObject>" + b"QUJD" * 2**19
    file += b"</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>"
    reference = b"<cac:AdditionalDocumentReference>" + file + b"</cac:AdditionalDocumentReference>"
    assert (
        read(UBL.replace(b"<cac:AccountingSupplierParty>", reference + b"<cac:AccountingSupplierParty>")).number == "17"
    )


def test_an_envelope_before_a_finvoice_is_passed_over() -> None:
    envelope = b'<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body/></S:Envelope>\n'
    assert read(envelope + FINVOICE) == read(FINVOICE)


# --- what is wrong ---


@pytest.mark.parametrize(
    ("content", "element", "field"),
    [
        (UBL, b"cbc:ID", "ID"),
        (UBL, b"cbc:PaymentID", "PaymentID"),
        (CII, b"ram:PaymentReference", "ApplicableHeaderTradeSettlement/PaymentReference"),
        (CII, b"ram:IBANID", "PayeePartyCreditorFinancialAccount/IBANID"),
        (FINVOICE, b"InvoiceNumber", "InvoiceDetails/InvoiceNumber"),
        (FINVOICE, b"EpiAccountID", "EpiBeneficiaryPartyDetails/EpiAccountID"),
        (FINVOICE, b"EpiRemittanceInfoIdentifier", "EpiPaymentInstructionDetails/EpiRemittanceInfoIdentifier"),
    ],
)
def test_what_stands_there_once_is_not_said_twice_in_other_words(content: bytes, element: bytes, field: str) -> None:
    found = re.search(rb"<" + element + rb"( [^>]*)?>([^<]+)</" + element + rb">", content)
    assert found is not None
    assert read(content.replace(found[0], found[0] * 2, 1)).payment == read(content).payment
    told = refused(content.replace(found[0], found[0] + found[0].replace(found[2], b"FI00"), 1))
    assert f"{field}: stands there as" in told
    assert "one of them would be right" in told


TOTAL, EPI = "InvoiceDetails/InvoiceTotalVatIncludedAmount", "EpiDetails/EpiPaymentInstructionDetails/"
UBL_TOTAL = "LegalMonetaryTotal/"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        # how fields are written
        (without(FINVOICE, b"InvoiceNumber"), "InvoiceDetails/InvoiceNumber: missing: an invoice has one"),
        (without(FINVOICE, b"InvoiceTotalVatIncludedAmount"), f"{TOTAL}: '' is no currency, such as EUR"),
        (
            with_text(FINVOICE, b"InvoiceTotalVatIncludedAmount", b"307.75"),
            f"{TOTAL}: '307.75' is no number, such as 125,50",
        ),
        (
            with_text(FINVOICE, b"InvoiceTotalVatIncludedAmount", b"307,755"),
            f"{TOTAL}: '307,755' has more than 2 decimals",
        ),
        (with_text(FINVOICE, b"InvoiceDate", b"20260231"), "InvoiceDate: '20260231' is not a day, such as 20260302"),
        (with_text(FINVOICE, b"InvoiceTypeCode", b"QUO01"), "InvoiceDetails/InvoiceTypeCode: QUO01 is no invoice"),
        (
            with_text(FINVOICE, b"InvoiceTypeCodeUN", b"381"),
            "InvoiceTypeCodeUN: 381 says something else than INV01: 380",
        ),
        (FINVOICE.replace(b'Version="3.0"', b'Version="4.0"'), "Finvoice@Version: '4.0' is another version"),
        (
            FINVOICE.replace(b'Identifier="EUR">307', b'Identifier="euro">307'),
            f"{TOTAL}: 'euro' is no currency, such as EUR",
        ),
        (UBL.replace(b"Invoice-2", b"Invoice-3"), "Invoice-3' is not UBL 2.1"),
        (
            with_text(UBL, b"CustomizationID", b"urn:x"),
            "CustomizationID: 'urn:x' is not EN 16931: it begins with urn:cen.eu",
        ),
        (
            with_text(UBL, b"InvoiceTypeCode", b"389"),
            "InvoiceTypeCode: 389 is not read; 326, 380, 384, 875, 876, 877 are",
        ),
        (with_text(UBL, b"IssueDate", b"02.03.2026"), "IssueDate: '02.03.2026' is not a day, such as 2026-03-02"),
        (with_text(UBL, b"PayableAmount", b"1e3"), f"{UBL_TOTAL}PayableAmount: '1e3' is no number, such as 125.50"),
        (with_text(UBL, b"PayableAmount", b"9" * 16), "has more than 15 digits before its decimals"),
        (with_text(UBL, b"DocumentCurrencyCode", b"SEK"), "TaxExclusiveAmount: is in EUR, and the invoice in SEK"),
        (
            re.sub(b'(<EpiInstructedAmount .*?)"EUR"', rb'\1"SEK"', FINVOICE),
            f"{EPI}EpiInstructedAmount: is in SEK, and the invoice in EUR",
        ),
        (with_text(UBL, b"DocumentCurrencyCode", b"EURO"), "DocumentCurrencyCode: 'EURO' is no currency"),
        (without(UBL, b"TaxTotal"), "TaxTotal: missing: the invoice does not say which VAT it has"),
        (cii(invoice(ROWS, BUYER), guideline="urn:ferd:x"), "is not EN 16931"),
        (without(CII, b"CategoryCode"), "CategoryCode: missing: a VAT breakdown has a category, such as S"),
        # sums
        (
            with_text(FINVOICE, b"RowVatExcludedAmount", b"200,01"),
            "InvoiceTotalVatExcludedAmount: is 250.00, and the lines come to 250.01",
        ),
        (
            with_text(FINVOICE, b"VatBaseAmount", b"200,01"),
            "VatBaseAmount: all come to 250.01, and the invoice without VAT to 250.00",
        ),
        (
            with_text(FINVOICE, b"InvoiceTotalVatAmount", b"57,74"),
            "InvoiceTotalVatAmount: is 57.74, and the VAT of all rates comes to 57.75",
        ),
        (
            with_text(FINVOICE, b"InvoiceTotalVatIncludedAmount", b"307,76"),
            f"{TOTAL}: is 307.76: 250.00 and VAT of 57.75 would be 307.75",
        ),
        (
            with_text(FINVOICE, b"EpiInstructedAmount", b"300,00"),
            f"{EPI}EpiInstructedAmount: is 300.00: what the invoice comes to, less what is paid",
        ),
        (with_text(UBL, b"PayableAmount", b"307.70"), f"{UBL_TOTAL}PayableAmount: is 307.70"),
        (with_text(CII, b"DuePayableAmount", b"307.70"), "DuePayableAmount: is 307.70"),
        # VAT
        (
            UBL.replace(b">51.00<", b">51.10<").replace(b"7.75<", b"7.85<"),
            "TaxTotal/TaxSubtotal/TaxAmount: is 51.10: 25.5 % of 200.00 is 51.00",
        ),
        (with_text(UBL, b"Percent", b"13.5", 2), "TaxableAmount: is 200.00 at 25.5 %, and the lines of that come to 0"),
        (
            FINVOICE.replace(b"VatCode>S<", b"VatCode>X<"),
            "VatSpecificationDetails/VatCode: 'X' is none of AE, E, G, K, O, S, Z",
        ),
        (
            FINVOICE.replace(b"VatCode>S<", b"VatCode>AE<"),
            "VatRateAmount: is 51.00 at 25.5 %: AE has no VAT, only S has",
        ),
        (
            UBL.replace(b"<cbc:Percent>13.5<", b"<cbc:Percent>0<"),
            "TaxCategory/ID: S is taxed, and there is no rate: Z or E would be right",
        ),
        # days, accounts, numbers
        (with_text(UBL, b"DueDate", b"2026-03-01"), "DueDate: 2026-03-01 is before the day of the invoice, 2026-03-02"),
        (
            with_text(UBL, b"CompanyID", b"FI12345672"),
            "PartyTaxScheme/CompanyID: A VAT id is needed, such as FI01120389",
        ),
        (FINVOICE.replace(b"FI4950009420028730", b"FI4950009420028731"), "EpiAccountID: An IBAN is needed"),
        (
            UBL.replace(b"FI4950009420028730", b"FI4950009420028731"),
            "PaymentMeans/PayeeFinancialAccount/ID: An IBAN is needed",
        ),
        (CII.replace(b"FI4950009420028730", b"12345"), "PayeePartyCreditorFinancialAccount/IBANID: An IBAN is needed"),
        (with_text(FINVOICE, b"EpiBfiIdentifier", b"OKO"), "EpiBfiIdentifier: A BIC is needed, such as NDEAFIHH"),
        (
            with_text(FINVOICE, b"EpiRemittanceInfoIdentifier", b"10172"),
            f"{EPI}EpiRemittanceInfoIdentifier: the last digit of the reference does not check the others",
        ),
        (
            with_text(UBL, b"PaymentID", b"10172"),
            "PaymentMeans/PaymentID: the last digit of the reference does not check the others",
        ),
        (
            with_text(UBL, b"PaymentID", b"RF181234"),
            "PaymentMeans/PaymentID: the check digits after RF do not fit the reference",
        ),
        (CREDITED.replace(b">-", b">"), "has the sign of an invoice, and this is a credit note"),
    ],
)
def test_what_is_wrong_is_named_with_what_would_be_right(content: bytes, told: str) -> None:
    assert told in refused(content)


def test_vat_that_each_line_rounds_is_taken() -> None:
    ten = xrechnung(invoice([row("0.33")] * 10, BUYER), FINNISH_SELLER)
    each = ten.replace(b">0.84<", b">0.80<").replace(
        b'TaxInclusiveAmount currencyID="EUR">4.14<', b'TaxInclusiveAmount currencyID="EUR">4.10<'
    )
    each = re.sub(rb"<cbc:PayableRoundingAmount.*?</cbc:PayableRoundingAmount>", b"", each)
    found = read(each)
    assert [(f"{one.base}", f"{one.vat}") for one in found.groups] == [("3.30", "0.80")]


def test_a_finvoice_without_vat_specifications_has_those_of_its_rows() -> None:
    bare = without(FINVOICE, b"VatSpecificationDetails")
    assert [one[:4] for one in read(bare).groups] == [one[:4] for one in read(FINVOICE).groups]
    assert "missing: the invoice does not say which VAT it has" in refused(without(bare, b"RowVatAmount"))


def test_the_code_of_a_bank_in_its_country_is_no_bic() -> None:
    assert read(UBL.replace(b">OKOYFIHH<", b">9999<")).payment.bic == ""


# --- what looks wrong, and is right ---


def test_a_finvoice_may_have_rounded_its_total_already() -> None:
    rounded = FINVOICE.replace(b">307,75<", b">307,80<")
    amount = b'<InvoiceTotalRoundoffAmount AmountCurrencyIdentifier="EUR">0,05</InvoiceTotalRoundoffAmount>'
    end = b"</InvoiceTotalVatIncludedAmount>"
    found = read(rounded.replace(end, end + amount))
    assert [f"{one:.2f}" for one in (found.sums.gross, found.sums.rounding, found.sums.payable)] == [
        "307.75", "0.05", "307.80",
    ]  # fmt: skip


def test_lines_that_only_tell_something_are_no_part_of_the_sum() -> None:
    line = CII[CII.index(b"<ram:IncludedSupply") : CII.index(b"</ram:IncludedSupply")]
    reason = b"<ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode>"
    told = line + b"<ram:AssociatedDocumentLineDocument>" + reason + b"</ram:AssociatedDocumentLineDocument>"
    told += b"</ram:IncludedSupplyChainTradeLineItem>"
    assert len(read(CII.replace(line, told + line, 1)).lines) == len(ROWS)


def test_of_a_direct_debit_no_account_is_kept() -> None:
    assert read(with_text(UBL, b"PaymentMeansCode", b"59")).payment.iban == ""


def test_a_credit_note_may_be_due_before_it_is_written() -> None:
    found = re.sub(rb"(<InvoiceDueDate [^>]*>)[0-9]+", rb"\g<1>20260201", CREDITED)
    assert f"{read(found).due}" == "2026-02-01"


def test_an_invoice_without_a_reference_is_taken() -> None:
    bare = with_text(FINVOICE, b"EpiRemittanceInfoIdentifier", b"")
    assert read(bare).payment.reference == read(with_text(UBL, b"PaymentID", b" ")).payment.reference == ""
