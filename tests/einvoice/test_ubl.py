"""XRechnung files, judged by the UBL 2.1 schema, the rules of CEN and those of KoSIT (docs/law.md 7.4)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.einvoice.ubl import PEPPOL, XRECHNUNG, peppol, xrechnung
from tests.einvoice.rulebooks import CLEAN, Rulebook, Verdict, bare_tree
from tests.einvoice.samples import (
    FINNISH_BUYER,
    FINNISH_SELLER,
    GERMAN_BUYER,
    GERMAN_SELLER,
    SAMPLES,
    SMALL_SELLER,
    Sample,
    invoice,
    row,
)


@pytest.mark.together
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_the_official_rules_find_no_fault(sample: Sample, rulebook: Rulebook) -> None:
    assert rulebook.judge_xrechnung(xrechnung(*sample)) == CLEAN


# not in Peppol: one who has a mailbox only
PEPPOLS = {name: sample for name, sample in SAMPLES.items() if sample.business is not SMALL_SELLER}


@pytest.mark.together
@pytest.mark.parametrize("sample", PEPPOLS.values(), ids=PEPPOLS)
def test_peppol_is_the_same_by_another_name(sample: Sample, rulebook: Rulebook) -> None:
    made = peppol(*sample)
    # the rules of KoSIT hold those of Peppol; there is nothing that they find but the name
    assert rulebook.judge_xrechnung(made) == Verdict([], ["BR-DE-21"])
    assert made.replace(PEPPOL.encode(), XRECHNUNG.encode()) == xrechnung(*sample)


# the net of a line is its quantity by its price
LINE = "PEPPOL-EN16931-R120"
BROKEN = {
    "a sum that is not the sum": (rb"(PayableAmount[^>]*>)[0-9.]+", rb"\g<1>1.00", ["BR-CO-16"]),
    "lines that do not add up": (rb"(LineExtensionAmount[^>]*>)200.00", rb"\g<1>201.00", ["BR-CO-10", "BR-S-08", LINE]),
    "VAT of another rate": (rb"(TaxAmount[^>]*>)51.00", rb"\g<1>49.00", ["BR-CO-14", "BR-CO-17", "BR-S-09"]),
    "a discount as a negative price": (rb"(PriceAmount[^>]*>)33.33", rb"\g<1>-33.33", ["BR-27", LINE]),
    "no reference of the buyer": (rb"<cbc:BuyerReference>.*?</cbc:BuyerReference>", b"", ["BR-DE-15"]),
    "nobody to ask": (rb"<cac:Contact>\s*<cbc:Name>Aino.*?</cac:Contact>", b"", ["BR-DE-2"]),
    "no VAT id": (rb"<cac:PartyTaxScheme>.*?</cac:PartyTaxScheme>", b"", ["BR-DE-16", "BR-S-02"]),
}  # fmt: skip


@pytest.mark.together
@pytest.mark.parametrize(("pattern", "instead", "rules"), BROKEN.values(), ids=BROKEN)
def test_the_official_rules_find_what_is_broken(
    pattern: bytes, instead: bytes, rules: list[str], rulebook: Rulebook
) -> None:
    whole = xrechnung(*SAMPLES["rates mixed"])
    broken, count = re.subn(pattern, instead, whole, flags=re.DOTALL)
    assert count
    assert rulebook.judge_xrechnung(broken).rules == rules


def test_the_schema_finds_elements_out_of_order(rulebook: Rulebook) -> None:
    whole = xrechnung(*SAMPLES["rates mixed"])
    first, second = b"<cbc:ID>17</cbc:ID>", b"<cbc:IssueDate>2026-03-02</cbc:IssueDate>"
    broken = whole.replace(first, b"").replace(second, second + first)
    (message,) = rulebook.judge_xrechnung(broken).schema
    assert "This element is not expected" in message


def test_the_same_invoice_gives_the_same_bytes() -> None:
    sample = SAMPLES["rates mixed"]
    assert xrechnung(*sample) == xrechnung(*sample)


def texts(document: bytes, *paths: str) -> list[str | None]:
    """Return the text of one element of each path."""
    return [bare_tree(document).findtext(path) for path in paths]


def test_every_text_has_its_place() -> None:
    buyer = {**FINNISH_BUYER, "phone_number": "040 765 4321", "xrechnung_buyer_reference": "04011000-12345-03"}
    sold = row("100.00", "2", "19", code="A-17", description="Im März")
    found = bare_tree(xrechnung(invoice([sold], buyer, vat_country="DE"), GERMAN_SELLER))
    assert [(part.tag, part.text) for part in found.iter() if (part.text or "").strip()] == [
        ("CustomizationID", "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"),
        ("ProfileID", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
        ("ID", "17"),
        ("IssueDate", "2026-03-02"),
        ("DueDate", "2026-03-16"),
        ("InvoiceTypeCode", "380"),
        ("Note", "Projekt Hafen"),
        ("DocumentCurrencyCode", "EUR"),
        ("BuyerReference", "04011000-12345-03"),
        # the order, of the buyer and of the seller
        ("ID", "PO-99"),
        ("SalesOrderID", "AÖ 12"),
        # the seller
        ("EndpointID", "DE136695976"),
        ("ID", "1121081508150"),
        ("StreetName", "Hauptstraße 5"),
        ("CityName", "Berlin"),
        ("PostalZone", "10115"),
        ("IdentificationCode", "DE"),
        ("CompanyID", "DE136695976"),
        ("ID", "VAT"),
        ("CompanyID", "1121081508150"),
        ("ID", "FC"),
        ("RegistrationName", "Müller Werkstatt UG (haftungsbeschränkt)"),
        ("Name", "Jörg Müller"),
        ("Telephone", "+49 30 123456"),
        ("ElectronicMail", "rechnung@mueller.example"),
        # the buyer
        ("EndpointID", "003701120389"),
        ("StreetName", "Hämeenkatu 10"),
        ("CityName", "Tampere"),
        ("PostalZone", "33100"),
        ("IdentificationCode", "FI"),
        ("CompanyID", "FI01120389"),
        ("ID", "VAT"),
        ("RegistrationName", "Rakennus Virtanen Oy"),
        ("CompanyID", "0112038-9"),
        ("Name", "Frau Schmidt"),
        ("Telephone", "040 765 4321"),
        ("ElectronicMail", "ostot@virtanen.example"),
        ("ActualDeliveryDate", "2026-02-27"),
        ("PaymentMeansCode", "58"),
        ("PaymentID", "10171"),
        # the account
        ("ID", "DE89370400440532013000"),
        ("Name", "Müller Werkstatt UG (haftungsbeschränkt)"),
        ("ID", "COBADEFFXXX"),
        ("Note", "14 Tage netto\nVerzugszinsen 11,5 %"),
        ("TaxAmount", "38.00"),
        ("TaxableAmount", "200.00"),
        ("TaxAmount", "38.00"),
        ("ID", "S"),
        ("Percent", "19"),
        ("ID", "VAT"),
        ("LineExtensionAmount", "200.00"),
        ("TaxExclusiveAmount", "200.00"),
        ("TaxInclusiveAmount", "238.00"),
        ("PayableAmount", "238.00"),
        # the only line
        ("ID", "1"),
        ("InvoicedQuantity", "2"),
        ("LineExtensionAmount", "200.00"),
        ("Description", "Im März"),
        ("Name", "Työ"),
        ("ID", "A-17"),
        ("ID", "S"),
        ("Percent", "19"),
        ("ID", "VAT"),
        ("PriceAmount", "100.00"),
    ]


def test_rounding_of_rows_stands_in_the_open() -> None:
    document = xrechnung(*SAMPLES["ten times 0.33"])
    sums = ("LineExtensionAmount", "TaxExclusiveAmount", "TaxInclusiveAmount", "PayableRoundingAmount", "PayableAmount")
    assert texts(document, *(f"LegalMonetaryTotal/{name}" for name in sums)) == [
        "3.30",
        "3.30",
        "4.14",
        "-0.04",
        "4.10",
    ]
    assert texts(document, "TaxTotal/TaxAmount") == ["0.84"]


def test_without_a_difference_nothing_is_said_of_rounding() -> None:
    assert b"PayableRoundingAmount" not in xrechnung(*SAMPLES["rates mixed"])


def test_a_credit_note_gives_back_positive_amounts_and_names_the_original() -> None:
    document = xrechnung(*SAMPLES["credit note"])
    assert texts(
        document,
        "CreditNoteTypeCode",
        "DueDate",
        "BillingReference/InvoiceDocumentReference/ID",
        "BillingReference/InvoiceDocumentReference/IssueDate",
        "PaymentMeans/PaymentMeansCode",
        "PaymentTerms/Note",
        "TaxTotal/TaxAmount",
        "LegalMonetaryTotal/PayableAmount",
        "CreditNoteLine/CreditedQuantity",
        "CreditNoteLine/LineExtensionAmount",
    ) == [
        "381",
        None,
        "17",
        "2026-03-02",
        "97",
        "Set off against invoice 17 of 2 Mar 2026",
        "32.25",
        "182.25",
        "1",
        "100.00",
    ]


def test_a_credit_note_needs_no_account() -> None:
    nowhere = {**FINNISH_SELLER, "invoicing_iban": None, "invoicing_bic": None}
    document = xrechnung(*SAMPLES["credit note"]._replace(business=nowhere))
    assert texts(document, "PaymentMeans/PaymentMeansCode", "PaymentMeans/PayeeFinancialAccount/ID") == ["97", None]


def test_a_seller_who_is_in_a_register_has_no_other_number() -> None:
    party = "AccountingSupplierParty/Party"
    paths = (f"{party}/PartyIdentification/ID", f"{party}/PartyLegalEntity/CompanyID")
    assert texts(xrechnung(*SAMPLES["rates mixed"]), *paths) == [None, "1234567-1"]
    assert texts(xrechnung(*SAMPLES["German rates mixed"]), *paths) == ["1121081508150", None]


def test_a_discount_is_a_negative_quantity_of_a_positive_price() -> None:
    document = xrechnung(*SAMPLES["discounts by negative rows"])
    line = "InvoiceLine[2]"
    paths = (f"{line}/InvoicedQuantity", f"{line}/Price/PriceAmount", f"{line}/LineExtensionAmount")
    assert texts(document, *paths) == ["-1", "25.00", "-25.00"]


def test_payment_is_a_transfer_with_reference_and_terms() -> None:
    document = xrechnung(*SAMPLES["German rates mixed"])
    assert texts(
        document,
        "DueDate",
        "PaymentMeans/PaymentMeansCode",
        "PaymentMeans/PaymentID",
        "PaymentMeans/PayeeFinancialAccount/ID",
        "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID",
        "PaymentTerms/Note",
        "Delivery/ActualDeliveryDate",
    ) == [
        "2026-03-16", "58", "10171", "DE89370400440532013000", "COBADEFFXXX", "14 Tage netto\nVerzugszinsen 11,5 %",
        "2026-02-27",
    ]  # fmt: skip


def test_account_and_bank_stand_as_machines_read_them() -> None:
    typed = {**GERMAN_SELLER, "invoicing_iban": "de89 3704 0044 0532 0130 00", "invoicing_bic": "deut de ff"}
    account = "PaymentMeans/PayeeFinancialAccount"
    document = xrechnung(*SAMPLES["German rates mixed"]._replace(business=typed))
    assert texts(document, f"{account}/ID", f"{account}/FinancialInstitutionBranch/ID") == [
        "DE89370400440532013000",
        "DEUTDEFF",
    ]


def test_a_unit_that_nobody_knows_is_told_in_words() -> None:
    document = xrechnung(*SAMPLES["German rates mixed"])
    assert texts(document, "InvoiceLine[1]/Note", "InvoiceLine[2]/Note") == [None, "Einheit: Sack"]


@pytest.mark.parametrize(
    ("sample", "category", "code", "reason"),
    [
        ("reverse charge, construction", "AE", "VATEX-EU-AE", "Käännetty verovelvollisuus, AVL 8 c §"),
        ("German reverse charge, services", "AE", "VATEX-EU-AE", "Steuerschuldnerschaft des Leistungsempfängers"),
        ("EU goods", "K", "VATEX-EU-IC", "Intra-Community supply, Article 138 of Directive 2006/112/EC"),
        ("export", "G", "VATEX-EU-G", "Export of goods, Article 146 of Directive 2006/112/EC"),
        (
            *("services outside the EU", "O", "VATEX-EU-O"),
            "Service supplied outside the EU, section 65 of the Finnish VAT Act",
        ),
        ("exempt, a small business", "E", None, "Kein Ausweis von Umsatzsteuer, § 19 UStG"),
        ("zero-rated beside taxed", "Z", None, None),
        ("German sales that are exempt and keep the deduction", "E", None, "Umsatz mit Gold, § 4 Nr. 4 UStG"),
        # the section of one is none of the other
        ("German exemptions of two kinds", "E", None, "Steuerfreier Umsatz; § 4 Nr. 21 UStG"),
        ("rates mixed", "S", None, None),
    ],
)
def test_every_category_says_why_there_is_no_vat(
    sample: str, category: str, code: str | None, reason: str | None
) -> None:
    path = "TaxTotal/TaxSubtotal/TaxCategory"
    paths = (f"{path}/ID", f"{path}/TaxExemptionReasonCode", f"{path}/TaxExemptionReason")
    assert texts(xrechnung(*SAMPLES[sample]), *paths) == [category, code, reason]


def test_what_is_outside_the_scope_of_vat_has_neither_rate_nor_vat_ids() -> None:
    """But XRechnung wants a rate in every breakdown (BR-DE-14)."""
    document = xrechnung(*SAMPLES["services outside the EU, to somebody with a VAT id"])
    assert texts(
        document,
        "TaxTotal/TaxSubtotal/TaxCategory/Percent",
        "InvoiceLine/Item/ClassifiedTaxCategory/ID",
        "InvoiceLine/Item/ClassifiedTaxCategory/Percent",
        "AccountingSupplierParty/Party/PartyTaxScheme/CompanyID",
        "AccountingCustomerParty/Party/PartyTaxScheme/CompanyID",
    ) == ["0", "O", None, None, None]


references = pytest.mark.parametrize(
    ("leitweg", "yours", "ours", "told"),
    [
        ("04011000-12345-03", "PO-99", "AÖ 12", ["04011000-12345-03", "PO-99", "AÖ 12"]),
        ("04011000-12345-03", None, "AÖ 12", ["04011000-12345-03", "NA", "AÖ 12"]),
        ("04011000-12345-03", " ", None, ["04011000-12345-03", None, None]),
        (None, "PO-99", None, ["PO-99", None, None]),
        (" ", "PO-99", "AÖ 12", ["PO-99", "NA", "AÖ 12"]),
    ],
)


def referring(leitweg: str | None, yours: str | None, ours: str | None) -> bytes:
    buyer = {**GERMAN_BUYER, "xrechnung_buyer_reference": leitweg}
    return xrechnung(invoice([row("1.00")], buyer, buyer_reference=yours, seller_reference=ours), FINNISH_SELLER)


@references
def test_references_have_their_places(
    leitweg: str | None, yours: str | None, ours: str | None, told: list[str | None]
) -> None:
    document = referring(leitweg, yours, ours)
    assert texts(document, "BuyerReference", "OrderReference/ID", "OrderReference/SalesOrderID") == told


@references
def test_the_official_rules_find_no_fault_with_references(
    leitweg: str | None, yours: str | None, ours: str | None, told: list[str | None], rulebook: Rulebook
) -> None:
    assert rulebook.judge_xrechnung(referring(leitweg, yours, ours)) == CLEAN


def test_goods_say_where_they_go_and_services_do_not() -> None:
    path = "Delivery/DeliveryLocation/Address/Country/IdentificationCode"
    assert texts(xrechnung(*SAMPLES["export"]), path) == ["CH"]
    assert texts(xrechnung(*SAMPLES["EU goods and services"]), path) == ["DE"]
    assert texts(xrechnung(*SAMPLES["rates mixed"]), path) == [None]


@pytest.mark.together
@pytest.mark.parametrize("country", ["GR", "SS", "XI"])
def test_the_official_rules_know_every_country_that_is_let_through(country: str, rulebook: Rulebook) -> None:
    buyer = {**GERMAN_BUYER, "invoicing_country": country, "invoicing_tax_code": None}
    assert rulebook.judge_xrechnung(xrechnung(invoice([row("1.00")], buyer), FINNISH_SELLER)) == CLEAN


# what the wire takes, and what XML refuses; the first character can be written, as EInvoiceError wants it
WORDS = st.builds(
    "{}{}".format, st.sampled_from("aÅ☃&#"), st.text(st.characters(exclude_categories=["Cs"]), max_size=63)
)


@settings(max_examples=50)
@given(name=WORDS, street=WORDS, city=WORDS, note=WORDS, reference=WORDS)
def test_any_text_of_the_wire_makes_a_valid_file(
    name: str, street: str, city: str, note: str, reference: str, rulebook: Rulebook
) -> None:
    buyer = {
        **GERMAN_BUYER,
        "name": name,
        "contact_business_id": city[:16],
        "xrechnung_buyer_reference": reference,
        "invoicing_street": street,
        "invoicing_city": city,
        "invoicing_postal_code": city[:8],
    }
    rows = [row("10.00", name=name, code=reference[:25], unit=note[:8], description=note)]
    wire = invoice(
        rows,
        buyer,
        description=note,
        contact_person=name,
        buyer_reference=note,
        seller_reference=street,
        reference=city,
    )
    assert rulebook.judge_xrechnung(xrechnung(wire, FINNISH_SELLER)) == CLEAN
