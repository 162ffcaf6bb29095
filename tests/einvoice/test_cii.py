"""EN 16931 in CII, judged by schema and rules of Factur-X and the rules of CEN and KoSIT (docs/law.md 7.9)."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings

from acctcli.einvoice.cii import EN_16931, cii
from acctcli.einvoice.faults import EInvoiceError
from acctcli.einvoice.incoming.model import Incoming
from acctcli.einvoice.incoming.proving import prove
from acctcli.einvoice.incoming.reading import read_einvoice
from acctcli.einvoice.ubl import XRECHNUNG, xrechnung
from tests.einvoice.rulebooks import CLEAN, Rulebook
from tests.einvoice.samples import (
    FINNISH_BUYER,
    FINNISH_SELLER,
    GERMAN_BUYER,
    GERMAN_SELLER,
    ORIGINAL,
    SAMPLES,
    Sample,
    Wire,
    credit_note,
    invoice,
    row,
)
from tests.einvoice.test_ubl import WORDS
from tests.einvoice.test_ubl_totals import ROWS
from tests.sizes import is_full

EXAMPLES = 100 if is_full() else 10
_PREFIX = re.compile(r"\{[^}]*\}")


@pytest.mark.together
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_the_official_rules_find_no_fault(sample: Sample, rulebook: Rulebook) -> None:
    made = cii(*sample)
    assert rulebook.judge_cii(made) == CLEAN
    # what XRechnung asks for is there as well, but for its name
    assert rulebook.judge_xrechnung_in_cii(made) == ["BR-DE-21"]
    assert rulebook.judge_xrechnung_in_cii(made.replace(f">{EN_16931}<".encode(), f">{XRECHNUNG}<".encode())) == []


BROKEN = {
    "a sum that is not the sum": (rb"(DuePayableAmount>)[0-9.]+", rb"\g<1>1.00", {"BR-CO-16"}),
    "lines that do not add up": (rb"(<ram:LineTotalAmount>)200.00", rb"\g<1>201.00", {"BR-CO-10", "BR-S-08"}),
    "VAT of another rate": (rb"(CalculatedAmount>)51.00", rb"\g<1>49.00", {"BR-CO-14", "BR-CO-17", "BR-S-09"}),
    "a discount as a negative price": (rb"(ChargeAmount>)33.33", rb"\g<1>-33.33", {"BR-27"}),
    "no VAT id": (
        rb"<ram:SpecifiedTaxRegistration>.*?</ram:SpecifiedTaxRegistration>", b"", {"BR-S-02"}
    ),
    "a country that is none": (rb"(CountryID>)FI<", rb"\g<1>ZZ<", {"BR-CL-14"}),
}  # fmt: skip


@pytest.mark.together
@pytest.mark.parametrize(("pattern", "instead", "rules"), BROKEN.values(), ids=BROKEN)
def test_the_official_rules_find_what_is_broken(
    pattern: bytes, instead: bytes, rules: set[str], rulebook: Rulebook
) -> None:
    broken, count = re.subn(pattern, instead, cii(*SAMPLES["rates mixed"]), flags=re.DOTALL)
    assert count
    assert rules <= set(rulebook.judge_cii(broken).rules)


def test_the_schema_finds_elements_out_of_order(rulebook: Rulebook) -> None:
    first, second = b"<ram:ID>17</ram:ID>", b"<ram:TypeCode>380</ram:TypeCode>"
    broken = cii(*SAMPLES["rates mixed"]).replace(first, b"").replace(second, second + first)
    assert "This element is not expected" in rulebook.judge_cii(broken).schema[0]


def compared(found: Incoming) -> Incoming:
    """Return what is read of a file, whatever syntax it is in; only CII says that an account is an IBAN."""
    groups = tuple(one._replace(line=0) for one in found.groups)
    return replace(found, format="", names={}, groups=groups, payment=found.payment._replace(is_iban=False))


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_it_says_what_the_same_invoice_says_in_ubl(sample: Sample) -> None:
    found = read_einvoice(cii(*sample))
    prove(found)
    assert compared(found) == compared(read_einvoice(xrechnung(*sample)))


@settings(max_examples=EXAMPLES)
@given(rows=ROWS)
def test_any_rows_make_a_valid_file_of_the_same_amounts(rows: list[Wire], rulebook: Rulebook) -> None:
    for sample in (
        Sample(invoice(rows)),
        Sample(credit_note(rows), original=ORIGINAL),
    ):
        made = cii(*sample)
        assert rulebook.judge_cii(made) == CLEAN
        assert compared(read_einvoice(made)) == compared(read_einvoice(xrechnung(*sample)))


def buyer_of_country(country: str) -> Wire:
    vat_ids = {
        "SE": "SE556012579001",
        "EE": "EE100931558",
        "AT": "ATU13585627",
        "GR": "EL094259216",
        "XI": "XI980780684",
    }
    return {
        **GERMAN_BUYER,
        "contact_business_id": "556012-5790" if country == "SE" else None,
        "invoicing_country": country,
        "invoicing_tax_code": vat_ids.get(country),
    }


@pytest.mark.together
@pytest.mark.parametrize("seller", [FINNISH_SELLER, GERMAN_SELLER], ids=["FI", "DE"])
@pytest.mark.parametrize(
    ("country", "codes"),
    [("SE", (5, 6)), ("EE", (5, 6)), ("AT", (5, 6)), ("GR", (5, 6)), ("XI", (5,)), ("CH", (13,)), ("US", (12,))],
)
def test_customers_of_every_kind_of_country_have_it(
    seller: Wire, country: str, codes: tuple[int, ...], rulebook: Rulebook
) -> None:
    rows = [row("80.00", "10", "0", code) for code in codes]
    sample = Sample(invoice(rows, buyer_of_country(country), vat_country=seller["country"]), seller)
    made = cii(*sample)
    assert rulebook.judge_cii(made) == CLEAN
    assert compared(read_einvoice(made)) == compared(read_einvoice(xrechnung(*sample)))


def told(document: bytes) -> list[tuple[str, str | None]]:
    return [(_PREFIX.sub("", one.tag), one.text) for one in fromstring(document).iter() if (one.text or "").strip()]


def test_every_text_has_its_place() -> None:
    buyer = {**FINNISH_BUYER, "phone_number": "040 765 4321", "xrechnung_buyer_reference": "04011000-12345-03"}
    sold = row("100.00", "2", "19", code="A-17", description="Im März")
    assert told(cii(invoice([sold], buyer, vat_country="DE"), GERMAN_SELLER)) == [
        ("ID", "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0"),
        ("ID", "urn:cen.eu:en16931:2017"),
        ("ID", "17"),
        ("TypeCode", "380"),
        ("DateTimeString", "20260302"),
        ("Content", "Projekt Hafen"),
        # the only line
        ("LineID", "1"),
        ("SellerAssignedID", "A-17"),
        ("Name", "Työ"),
        ("Description", "Im März"),
        ("ChargeAmount", "100.00"),
        ("BilledQuantity", "2"),
        ("TypeCode", "VAT"),
        ("CategoryCode", "S"),
        ("RateApplicablePercent", "19"),
        ("LineTotalAmount", "200.00"),
        ("BuyerReference", "04011000-12345-03"),
        # the seller
        ("ID", "1121081508150"),
        ("Name", "Müller Werkstatt UG (haftungsbeschränkt)"),
        ("PersonName", "Jörg Müller"),
        ("CompleteNumber", "+49 30 123456"),
        ("URIID", "rechnung@mueller.example"),
        ("PostcodeCode", "10115"),
        ("LineOne", "Hauptstraße 5"),
        ("CityName", "Berlin"),
        ("CountryID", "DE"),
        ("URIID", "DE136695976"),
        ("ID", "DE136695976"),
        ("ID", "1121081508150"),
        # the buyer
        ("Name", "Rakennus Virtanen Oy"),
        ("ID", "0112038-9"),
        ("PersonName", "Frau Schmidt"),
        ("CompleteNumber", "040 765 4321"),
        ("URIID", "ostot@virtanen.example"),
        ("PostcodeCode", "33100"),
        ("LineOne", "Hämeenkatu 10"),
        ("CityName", "Tampere"),
        ("CountryID", "FI"),
        ("URIID", "003701120389"),
        ("ID", "FI01120389"),
        # the order, of the seller and of the buyer
        ("IssuerAssignedID", "AÖ 12"),
        ("IssuerAssignedID", "PO-99"),
        ("DateTimeString", "20260227"),
        ("PaymentReference", "10171"),
        ("InvoiceCurrencyCode", "EUR"),
        ("TypeCode", "58"),
        ("IBANID", "DE89370400440532013000"),
        ("AccountName", "Müller Werkstatt UG (haftungsbeschränkt)"),
        ("BICID", "COBADEFFXXX"),
        ("CalculatedAmount", "38.00"),
        ("TypeCode", "VAT"),
        ("BasisAmount", "200.00"),
        ("CategoryCode", "S"),
        ("RateApplicablePercent", "19"),
        ("Description", "14 Tage netto\nVerzugszinsen 11,5 %"),
        ("DateTimeString", "20260316"),
        ("LineTotalAmount", "200.00"),
        ("TaxBasisTotalAmount", "200.00"),
        ("TaxTotalAmount", "38.00"),
        ("GrandTotalAmount", "238.00"),
        ("DuePayableAmount", "238.00"),
    ]


def test_a_credit_note_names_the_original_and_is_set_off() -> None:
    found = told(cii(*SAMPLES["credit note"]))
    assert ("TypeCode", "381") in found
    assert ("TypeCode", "97") in found
    assert found[-2:] == [("IssuerAssignedID", "17"), ("DateTimeString", "20260302")]
    assert {"IBANID", "AccountName"}.isdisjoint(name for name, _ in found)


def test_the_same_invoice_gives_the_same_bytes() -> None:
    assert cii(*SAMPLES["rates mixed"]) == cii(*SAMPLES["rates mixed"])


@settings(max_examples=EXAMPLES)
@given(name=WORDS, street=WORDS, note=WORDS, reference=WORDS)
def test_any_text_of_the_wire_makes_a_valid_file(
    name: str, street: str, note: str, reference: str, rulebook: Rulebook
) -> None:
    buyer = {**GERMAN_BUYER, "name": name, "contact_business_id": street[:16], "invoicing_street": street}
    sold = row("10.00", name=name, code=reference[:25], unit=note[:8], description=note)
    wire = invoice([sold], buyer, description=note, contact_person=name, buyer_reference=note, reference=reference)
    assert rulebook.judge_cii(cii(wire, FINNISH_SELLER)) == CLEAN


def faults(wire: Wire, business: Wire = FINNISH_SELLER) -> dict[str, list[str]]:
    with pytest.raises(EInvoiceError) as caught:
        cii(wire, business)
    return {name: list(texts) for name, texts in caught.value.fields.items()}


def test_what_the_law_wants_is_asked_for_and_no_more(rulebook: Rulebook) -> None:
    address = ("invoicing_city", "invoicing_postal_code", "invoicing_country")
    nothing: Wire = dict.fromkeys((*address, "invoicing_iban"))
    assert faults(invoice([row("10.00")], {**GERMAN_BUYER, **nothing}), {**FINNISH_SELLER, **nothing}) == {
        "business.invoicing_city": ["missing: the seller's city (BT-37)"],
        "business.invoicing_postal_code": ["missing: the seller's post code (BT-38)"],
        "receiver_info.invoicing_city": ["missing: the buyer's city (BT-52)"],
        "receiver_info.invoicing_postal_code": ["missing: the buyer's post code (BT-53)"],
        "receiver_info.invoicing_country": ["missing: the buyer's country (BT-55, BR-11)"],
        "business.invoicing_iban": ["missing: the account to pay to (BT-84, BR-61)"],
    }
    silent: Wire = dict.fromkeys(
        ("invoicing_contact", "contact_phone", "invoicing_email", "einvoicing_address", "invoicing_street")
    )
    nobody: Wire = {**silent, "invoicing_electronic_address": None, "xrechnung_buyer_reference": None}
    wire = invoice([row("10.00")], {**GERMAN_BUYER, **nobody}, buyer_reference=None)
    assert rulebook.judge_cii(cii(wire, {**FINNISH_SELLER, **silent})) == CLEAN


def test_an_address_of_an_unknown_kind_is_refused() -> None:
    buyer = {**GERMAN_BUYER, "invoicing_electronic_address_scheme": None}
    assert set(faults(invoice([row("10.00")], buyer))) == {"receiver_info.invoicing_electronic_address_scheme"}
