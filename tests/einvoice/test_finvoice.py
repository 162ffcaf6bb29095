"""Finvoice files, judged by the schema of Finvoice 3.0 (docs/law.md 7.5)."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acctcli.banking.barcode import bank_barcode
from acctcli.einvoice.finvoice import finvoice
from acctcli.einvoice.terms import day
from tests.einvoice.rulebooks import Rulebook
from tests.einvoice.samples import (
    FINNISH_BUYER,
    FINNISH_SELLER,
    ORIGINAL,
    SAMPLES,
    SMALL_SELLER,
    Sample,
    credit_note,
    invoice,
    row,
)

COMPLETE = {name: sample for name, sample in SAMPLES.items() if sample.business["invoicing_street"]}


def texts(parent: Element, *paths: str) -> list[str | None]:
    return [parent.findtext(path) for path in paths]


def tree(sample: Sample) -> Element:
    return fromstring(finvoice(*sample))


@pytest.mark.together
@pytest.mark.parametrize("sample", COMPLETE.values(), ids=COMPLETE)
def test_the_schema_finds_no_fault(sample: Sample, rulebook: Rulebook) -> None:
    assert rulebook.judge_finvoice(finvoice(*sample)) == []


@pytest.mark.together
@pytest.mark.parametrize(
    ("whole", "broken"),
    [
        (b"<OriginCode>Original</OriginCode>", b""),
        (b">INV01<", b">INVOICE<"),
        (b">374,07<", b">374.07<"),
        (b'Format="CCYYMMDD">20260302', b'Format="CCYYMMDD">2026-03-02'),
        (b"<VirtualBankBarcode>", b"<RowVatCode>S</RowVatCode><VirtualBankBarcode>"),
    ],
)
def test_the_schema_finds_what_is_broken(whole: bytes, broken: bytes, rulebook: Rulebook) -> None:
    document = finvoice(*SAMPLES["rates mixed"])
    assert whole in document
    assert rulebook.judge_finvoice(document.replace(whole, broken)) != []


def test_every_text_has_its_place() -> None:
    seller = {**FINNISH_SELLER, "name": "Kirjo & Kumpp. Oy, tilitoimisto ja kustantamo", "invoicing_bic": "NDEAFIHH"}
    buyer = {**FINNISH_BUYER, "phone_number": "040 765 4321", "contact_business_id": "0112038-9"}
    sold = row("100.00", "2", code="A-17", description="Maaliskuun työ")
    found = tree(Sample(invoice([sold], buyer), seller))
    assert [(part.tag, part.text) for part in found.iter() if (part.text or "").strip()] == [
        ("FromIdentifier", "003712345671"),
        ("FromIntermediator", "003721291126"),
        ("ToIdentifier", "003701120389"),
        ("ToIntermediator", "BAWCFI22"),
        ("MessageIdentifier", "kirjo-17"),
        ("MessageTimeStamp", "2026-03-02T00:00:00"),
        ("SpecificationIdentifier", "EN16931"),
        ("SellerPartyIdentifier", "1234567-1"),
        ("SellerOrganisationName", "Kirjo & Kumpp. Oy, tilitoimisto ja kustantamo"),
        ("SellerOrganisationTaxCode", "FI12345671"),
        ("SellerStreetName", "Mannerheimintie 1 A 2"),
        ("SellerTownName", "Helsinki"),
        ("SellerPostCodeIdentifier", "00100"),
        ("CountryCode", "FI"),
        ("SellerOrganisationUnitNumber", "003712345671"),
        ("SellerContactPersonName", "Aino Öhman"),
        ("SellerPhoneNumberIdentifier", "+358 9 123 4567"),
        ("SellerEmailaddressIdentifier", "laskut@kirjo.example"),
        ("SellerAccountID", "FI4950009420028730"),
        ("SellerBic", "NDEAFIHH"),
        ("BuyerPartyIdentifier", "0112038-9"),
        ("BuyerOrganisationName", "Rakennus Virtanen Oy"),
        ("BuyerOrganisationTaxCode", "FI01120389"),
        ("BuyerStreetName", "Hämeenkatu 10"),
        ("BuyerTownName", "Tampere"),
        ("BuyerPostCodeIdentifier", "33100"),
        ("CountryCode", "FI"),
        ("BuyerOrganisationUnitNumber", "003701120389"),
        ("BuyerContactPersonName", "Frau Schmidt"),
        ("BuyerPhoneNumberIdentifier", "040 765 4321"),
        ("BuyerEmailaddressIdentifier", "ostot@virtanen.example"),
        ("DeliveryDate", "20260227"),
        ("InvoiceTypeCode", "INV01"),
        ("InvoiceTypeCodeUN", "380"),
        ("InvoiceTypeText", "LASKU"),
        ("OriginCode", "Original"),
        ("InvoiceNumber", "17"),
        ("InvoiceDate", "20260302"),
        ("SellerReferenceIdentifier", "AÖ 12"),
        ("SellersBuyerIdentifier", "4711"),
        ("BuyerReferenceIdentifier", "PO-99"),
        ("RowsTotalVatExcludedAmount", "200,00"),
        ("InvoiceTotalVatExcludedAmount", "200,00"),
        ("InvoiceTotalVatAmount", "51,00"),
        ("InvoiceTotalVatIncludedAmount", "251,00"),
        ("VatBaseAmount", "200,00"),
        ("VatRatePercent", "25,5"),
        ("VatCode", "S"),
        ("VatRateAmount", "51,00"),
        ("InvoiceFreeText", "Projekt Hafen"),
        ("PaymentTermsFreeText", "14 päivää netto"),
        ("InvoiceDueDate", "20260316"),
        ("PaymentOverDueFineFreeText", "Viivästyskorko 11,5 %"),
        ("PaymentOverDueFinePercent", "11,5"),
        ("VirtualBankBarcode", "449500094200287300002510000000000000000000010171260316"),
        ("ArticleIdentifier", "A-17"),
        ("ArticleName", "Työ"),
        ("ArticleDescription", "Maaliskuun työ"),
        ("InvoicedQuantity", "2"),
        ("UnitPriceAmount", "100,00"),
        ("RowPositionIdentifier", "1"),
        ("RowVatRatePercent", "25,5"),
        ("RowVatCode", "S"),
        ("RowVatAmount", "51,00"),
        ("RowVatExcludedAmount", "200,00"),
        ("RowAmount", "251,00"),
        ("EpiDate", "20260302"),
        ("EpiReference", "10171"),
        ("EpiBfiIdentifier", "NDEAFIHH"),
        ("EpiNameAddressDetails", "Kirjo & Kumpp. Oy, tilitoimisto ja"),
        ("EpiAccountID", "FI4950009420028730"),
        ("EpiRemittanceInfoIdentifier", "10171"),
        ("EpiInstructedAmount", "251,00"),
        ("EpiCharge", "SLEV"),
        ("EpiDateOptionDate", "20260316"),
        ("EpiPaymentMeansCode", "58"),
    ]


def test_the_unit_of_a_row_stands_as_people_and_as_machines_know_it() -> None:
    found = tree(Sample(invoice([row("10.00", unit="Std"), row("10.00", unit="Sack")]))).findall(".//InvoicedQuantity")
    assert [dict(part.attrib) for part in found] == [
        {"QuantityUnitCode": "Std", "QuantityUnitCodeUN": "HUR"},
        {"QuantityUnitCode": "Sack"},
    ]


def test_an_invoice_says_what_is_to_pay_and_how() -> None:
    found = tree(Sample(invoice([row("100.00", "2"), row("19.99", "3", "13.5")], FINNISH_BUYER)))
    assert texts(
        found,
        "InvoiceDetails/InvoiceTypeCode",
        "InvoiceDetails/InvoiceTypeCodeUN",
        "InvoiceDetails/InvoiceTypeText",
        "InvoiceDetails/InvoiceTotalVatExcludedAmount",
        "InvoiceDetails/InvoiceTotalVatAmount",
        "InvoiceDetails/InvoiceTotalVatIncludedAmount",
        "InvoiceDetails/InvoiceTotalRoundoffAmount",
        "InvoiceDetails/PaymentTermsDetails/PaymentTermsFreeText",
        "InvoiceDetails/PaymentTermsDetails/PaymentOverDueFineDetails/PaymentOverDueFineFreeText",
        "InvoiceDetails/PaymentTermsDetails/PaymentOverDueFineDetails/PaymentOverDueFinePercent",
    ) == [
        "INV01", "380", "LASKU", "259,97", "59,10", "319,07", None, "14 päivää netto", "Viivästyskorko 11,5 %", "11,5"
    ]  # fmt: skip
    order = found.find("EpiDetails/EpiPaymentInstructionDetails")
    assert order is not None
    assert [(part.tag, part.text, dict(part.attrib)) for part in order] == [
        ("EpiRemittanceInfoIdentifier", "10171", {"IdentificationSchemeName": "SPY"}),
        ("EpiInstructedAmount", "319,07", {"AmountCurrencyIdentifier": "EUR"}),
        ("EpiCharge", "SLEV", {"ChargeOption": "SLEV"}),
        ("EpiDateOptionDate", "20260316", {"Format": "CCYYMMDD"}),
        ("EpiPaymentMeansCode", "58", {}),
    ]


def test_the_barcode_is_that_of_the_bank() -> None:
    wire = SAMPLES["rates mixed"].invoice
    expected = bank_barcode("FI4950009420028730", wire["total_amount"], "10171", day(wire["due_date"]))
    assert tree(SAMPLES["rates mixed"]).findtext("VirtualBankBarcode") == expected
    assert expected == "449500094200287300003740700000000000000000010171260316"


@pytest.mark.parametrize("sample", ["credit note", "nothing to pay", "German rates mixed"])
def test_without_a_finnish_payment_there_is_no_barcode(sample: str) -> None:
    assert tree(SAMPLES[sample]).find("VirtualBankBarcode") is None


@pytest.mark.together
@pytest.mark.parametrize(
    ("reference", "told", "scheme"),
    [
        ("1 0171", "10171", "SPY"),
        ("RF91 1017 1", "RF9110171", "ISO"),
        ("Vuokra 2/26", None, None),
        (None, None, None),
    ],
)
def test_a_reference_is_named_after_its_kind(
    reference: str | None, told: str | None, scheme: str | None, rulebook: Rulebook
) -> None:
    document = finvoice(invoice([row("10.00")], reference=reference), FINNISH_SELLER)
    found = fromstring(document)
    identifier = found.find("EpiDetails/EpiPaymentInstructionDetails/EpiRemittanceInfoIdentifier")
    assert (identifier is None) is (told is None)
    assert identifier is None or (identifier.text, identifier.get("IdentificationSchemeName")) == (told, scheme)
    assert found.findtext("EpiDetails/EpiIdentificationDetails/EpiReference") == (told or "17")
    assert rulebook.judge_finvoice(document) == []


def test_a_credit_note_has_negative_amounts_and_names_the_original() -> None:
    found = tree(SAMPLES["credit note, rounded"])
    assert texts(
        found,
        "InvoiceDetails/InvoiceTypeCode",
        "InvoiceDetails/InvoiceTypeCodeUN",
        "InvoiceDetails/InvoiceTypeText",
        "InvoiceDetails/OriginalInvoiceNumber",
        "InvoiceDetails/OriginalInvoiceDate",
        "InvoiceDetails/InvoiceTotalVatIncludedAmount",
        "InvoiceDetails/InvoiceTotalRoundoffAmount",
        "InvoiceDetails/PaymentTermsDetails/PaymentTermsFreeText",
        "InvoiceRow/InvoicedQuantity",
        "InvoiceRow/UnitPriceAmount",
        "InvoiceRow/RowAmount",
        "EpiDetails/EpiPaymentInstructionDetails/EpiInstructedAmount",
    ) == [
        "INV02", "381", "CREDIT NOTE", "17", "20260302", "-4,14", "0,04",
        "Set off against invoice 17 of 2 Mar 2026", "-1", "0,33", "-0,41", "-4,10",
    ]  # fmt: skip


def test_rows_say_what_the_wire_says_and_the_specification_what_en_16931_says() -> None:
    found = tree(SAMPLES["ten times 0.33"])
    assert [(part.tag, part.text) for part in found.findall("InvoiceRow")[9]] == [
        ("ArticleName", "Työ"),
        ("InvoicedQuantity", "1"),
        ("UnitPriceAmount", "0,33"),
        ("RowPositionIdentifier", "10"),
        ("RowVatRatePercent", "25,5"),
        ("RowVatCode", "S"),
        ("RowVatAmount", "0,08"),
        ("RowVatExcludedAmount", "0,33"),
        ("RowAmount", "0,41"),
    ]
    specification = found.find("InvoiceDetails/VatSpecificationDetails")
    assert specification is not None
    assert [(part.tag, part.text) for part in specification] == [
        ("VatBaseAmount", "3,30"),
        ("VatRatePercent", "25,5"),
        ("VatCode", "S"),
        ("VatRateAmount", "0,84"),
    ]


def test_a_category_without_vat_says_why() -> None:
    specification = tree(SAMPLES["reverse charge, construction"]).find("InvoiceDetails/VatSpecificationDetails")
    assert specification is not None
    assert [(part.tag, part.text) for part in specification] == [
        ("VatBaseAmount", "1000,00"),
        ("VatRatePercent", "0"),
        ("VatCode", "AE"),
        ("VatRateAmount", "0,00"),
        ("VatFreeText", "Käännetty verovelvollisuus, AVL 8 c §"),
        ("VatExemptionReasonCode", "VATEX-EU-AE"),
    ]


def test_what_is_outside_the_scope_of_vat_has_no_rate() -> None:
    found = tree(SAMPLES["services outside the EU"])
    assert texts(
        found,
        "InvoiceDetails/VatSpecificationDetails/VatCode",
        "InvoiceDetails/VatSpecificationDetails/VatRatePercent",
        "InvoiceRow/RowVatCode",
        "InvoiceRow/RowVatRatePercent",
    ) == ["O", None, "O", None]


def test_a_reason_too_long_for_its_place_stands_whole_in_the_text(rulebook: Rulebook) -> None:
    reason = " ".join(["Vapautettu arvonlisäverosta."] * 20)
    document = finvoice(*SAMPLES["exempt, a small business"]._replace(
        business={**SMALL_SELLER, "invoicing_vat_exemption_reason": reason}
    ))  # fmt: skip
    found = fromstring(document)
    assert len(found.findall("InvoiceDetails/VatSpecificationDetails/VatFreeText")) == 3
    first, *others = (part.text for part in found.findall("InvoiceDetails/InvoiceFreeText"))
    assert (first, " ".join(text or "" for text in others)) == ("Projekt Hafen", reason)
    assert rulebook.judge_finvoice(document) == []


def test_a_reason_that_just_fits_its_place_stands_once() -> None:
    lines = ["Vapautettu arvonlisäverosta".ljust(70, letter) for letter in "abc"]
    seller = {**SMALL_SELLER, "invoicing_vat_exemption_reason": " ".join(lines)}
    found = tree(SAMPLES["exempt, a small business"]._replace(business=seller))
    free = found.findall("InvoiceDetails/VatSpecificationDetails/VatFreeText")
    assert [part.text for part in free] == lines
    assert [part.text for part in found.findall("InvoiceDetails/InvoiceFreeText")] == ["Projekt Hafen"]


def test_a_mail_address_too_long_for_its_place_is_left_out() -> None:
    mail = "BuyerCommunicationDetails/BuyerEmailaddressIdentifier"
    for address, told in ((longest := f"{'a' * 53}@virtanen.example", longest), (f"a{longest}", None)):
        buyer = {**FINNISH_BUYER, "invoicing_email": address}
        assert tree(Sample(invoice([row("10.00")], buyer))).findtext(mail) == told


def test_a_seller_who_is_in_no_register_is_known_by_the_tax_number() -> None:
    found = tree(SAMPLES["exempt, a small business"]).find("SellerPartyDetails")
    assert found is not None
    assert [(part.tag, part.text, dict(part.attrib)) for part in found if part.tag != "SellerPostalAddressDetails"] == [
        ("SellerPartyIdentifier", "1121081508150", {}),
        ("SellerOrganisationName", "Müller Werkstatt UG (haftungsbeschränkt)", {}),
    ]


def test_the_file_is_in_the_encoding_of_the_format_and_no_character_is_lost() -> None:
    name = "Łódź ☃ € ä"
    document = finvoice(invoice([row("10.00", name=name)]), FINNISH_SELLER)
    assert document.startswith(b"<?xml version='1.0' encoding='ISO-8859-15'?>")
    assert "&#321;ód&#378; &#9731; € ä".encode("iso-8859-15") in document
    assert fromstring(document).findtext("InvoiceRow/ArticleName") == name


def test_a_dictated_address_stands_as_it_was_written(rulebook: Rulebook) -> None:
    dictated = (
        "<BuyerPostalAddressDetails><BuyerStreetName>PL 7</BuyerStreetName><BuyerTownName>Tampere</BuyerTownName>"
        "<BuyerPostCodeIdentifier>33101</BuyerPostCodeIdentifier></BuyerPostalAddressDetails>"
    )
    buyer = {**FINNISH_BUYER, "buyer_postal_address_details_xml_override": dictated}
    document = finvoice(invoice([row("10.00")], buyer), FINNISH_SELLER)
    address = fromstring(document).find("BuyerPartyDetails/BuyerPostalAddressDetails")
    assert address is not None
    assert [part.text for part in address] == ["PL 7", "Tampere", "33101"]
    assert rulebook.judge_finvoice(document) == []


# what the wire takes, and what XML refuses; the first character can be written, as EInvoiceError wants it
words = st.builds(
    "{}{}".format, st.sampled_from("aÅ☃&"), st.text(st.characters(exclude_categories=["Cs"]), max_size=63)
)


@example(name="a", street="a", city="a0000000\t00000000000000000000000", code="a", unit="a", count="1")
@given(name=words, street=words, city=words, code=words, unit=words, count=st.sampled_from(["1", "-2.5", "0"]))
def test_any_text_of_the_wire_makes_a_valid_file(
    name: str, street: str, city: str, code: str, unit: str, count: str, rulebook: Rulebook
) -> None:
    buyer = {
        **FINNISH_BUYER,
        "name": name * 4,
        "invoicing_street": street,
        "invoicing_city": city[:32],
        "invoicing_postal_code": code[:8],
    }
    rows = [row("10.00", count, unit=unit[:8], name=name, code=code[:25], description=name + street)]
    wire = credit_note(rows, buyer, description=(name + street) * 4, contact_person=name, buyer_reference=city[:32])
    assert rulebook.judge_finvoice(finvoice(wire, FINNISH_SELLER, ORIGINAL)) == []
