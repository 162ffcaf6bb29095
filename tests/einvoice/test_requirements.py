"""What is missing is named at once, as on the wire."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from acctcli.einvoice.faults import EInvoiceError
from acctcli.einvoice.finvoice import finvoice, framed_finvoice
from acctcli.einvoice.ubl import peppol, xrechnung
from tests.einvoice.samples import (
    FINNISH_BUYER,
    FINNISH_SELLER,
    GERMAN_BUYER,
    GERMAN_SELLER,
    ORIGINAL,
    SMALL_SELLER,
    Wire,
    credit_note,
    invoice,
    row,
)

EMPTY_SELLER: Wire = dict.fromkeys(FINNISH_SELLER) | {
    "name": "Oy",
    "country": "FI",
    "business_id": "",
    "identifiers": [],
}
EMPTY_BUYER: Wire = dict.fromkeys(GERMAN_BUYER) | {"name": "Kunde", "invoicing_language": "fi"}


def xrechnung_faults(wire: Wire, business: Wire = FINNISH_SELLER) -> dict[str, list[str]]:
    with pytest.raises(EInvoiceError) as caught:
        xrechnung(wire, business)
    return {name: list(texts) for name, texts in caught.value.fields.items()}


def peppol_faults(wire: Wire, business: Wire = FINNISH_SELLER) -> dict[str, list[str]]:
    with pytest.raises(EInvoiceError) as caught:
        peppol(wire, business)
    return {name: list(texts) for name, texts in caught.value.fields.items()}


def finvoice_faults(wire: Wire, business: Wire = FINNISH_SELLER) -> dict[str, list[str]]:
    with pytest.raises(EInvoiceError) as caught:
        finvoice(wire, business)
    return {name: list(texts) for name, texts in caught.value.fields.items()}


def test_xrechnung_names_all_that_is_missing() -> None:
    draft = invoice([], EMPTY_BUYER, invoice_number=None, buyer_reference=None)
    assert xrechnung_faults(draft, EMPTY_SELLER) == {
        "invoice_number": ["missing: the number (BT-1): only accepted invoices have one"],
        "rows": ["missing: an invoice has at least one row (BR-16)"],
        "business.identifiers": ["missing: a number of the seller (BT-29, BR-CO-26)"],
        "business.invoicing_city": ["missing: the seller's city (BT-37, BR-DE-3)"],
        "business.invoicing_postal_code": ["missing: the seller's post code (BT-38, BR-DE-4)"],
        "business.invoicing_contact": ["missing: the seller's contact person (BT-41, BR-DE-5)"],
        "business.contact_phone": ["missing: the seller's telephone number (BT-42, BR-DE-6)"],
        "business.invoicing_email": ["missing: the seller's e-mail address (BT-43, BR-DE-7)"],
        "receiver_info.invoicing_city": ["missing: the buyer's city (BT-52, BR-DE-8)"],
        "receiver_info.invoicing_postal_code": ["missing: the buyer's post code (BT-53, BR-DE-9)"],
        "receiver_info.invoicing_country": ["missing: the buyer's country (BT-55, BR-11)"],
        "receiver_info.xrechnung_buyer_reference": ["missing: Leitweg-ID or reference (BT-10, BR-DE-15)"],
        "business.invoicing_electronic_address": [
            "missing: an electronic address, an OVT code or an e-mail address (BT-34, BT-49)"
        ],
        "receiver_info.invoicing_electronic_address": [
            "missing: an electronic address, an OVT code or an e-mail address (BT-34, BT-49)"
        ],
        "business.invoicing_iban": ["missing: the account to pay to (BT-84, BR-DE-1)"],
    }


NOT_IN_PEPPOL = "missing: an address in Peppol, such as an OVT code (BT-34, BT-49, PEPPOL-EN16931-R010, R020)"
NO_KIND = "missing: what kind of address it is, such as 0204 for a Leitweg-ID (BR-62, BR-63)"
OF_OVT = "such as 0216 of Finnish OVT codes (PEPPOL-EN16931-CL008)"
ADDRESS = "invoicing_electronic_address"


def test_peppol_names_what_it_wants_of_both() -> None:
    draft = invoice(
        [row("10.00")], {**GERMAN_BUYER, ADDRESS: None, "xrechnung_buyer_reference": None}, buyer_reference=""
    )
    assert peppol_faults(draft, {**SMALL_SELLER, ADDRESS: None, "contact_phone": ""}) == {
        "receiver_info.xrechnung_buyer_reference": [
            "missing: the buyer's reference or order (BT-10, PEPPOL-EN16931-R003)"
        ],
        "business.contact_phone": ["missing: the seller's telephone number (BT-42, BR-DE-6)"],
        f"business.{ADDRESS}": [NOT_IN_PEPPOL],
        f"receiver_info.{ADDRESS}": [NOT_IN_PEPPOL],
    }


def test_peppol_needs_nobody_to_ask_but_between_germans() -> None:
    silent = {"invoicing_contact": None, "contact_phone": None}
    assert b"<cac:Contact>" in peppol(invoice([row("10.00")]), FINNISH_SELLER)
    assert peppol(invoice([row("10.00")], FINNISH_BUYER), {**GERMAN_SELLER, **silent})
    assert set(peppol_faults(invoice([row("10.00")], GERMAN_BUYER), {**GERMAN_SELLER, **silent})) == {
        "business.invoicing_contact",
        "business.contact_phone",
    }


@pytest.mark.parametrize(
    ("address", "scheme", "field", "why"),
    [
        ("buyer@example.com", "EM", ADDRESS, NOT_IN_PEPPOL),
        ("12345", None, f"{ADDRESS}_scheme", NO_KIND),
        ("12345", "9956", ADDRESS, f"9956 is no scheme of Peppol, {OF_OVT}"),
        ("7300010000002", "0088", ADDRESS, "7300010000002 is no GLN: a digit is wrong, or one too many or too few"),
    ],
)  # fmt: skip
def test_an_address_that_peppol_does_not_take_is_refused(
    address: str, scheme: str | None, field: str, why: str
) -> None:
    buyer = {**GERMAN_BUYER, ADDRESS: address, f"{ADDRESS}_scheme": scheme}
    assert peppol_faults(invoice([row("10.00")], buyer)) == {f"receiver_info.{field}": [why]}


def test_finvoice_names_all_that_is_missing() -> None:
    draft = invoice([row("10.00")], EMPTY_BUYER, invoice_number=None)
    assert finvoice_faults(draft, EMPTY_SELLER) == {
        "invoice_number": ["missing: the number (BT-1): only accepted invoices have one"],
        "business.identifiers": ["missing: the seller's VAT id or tax number (BT-31, BT-32)"],
        "business.invoicing_street": ["missing: the street of the postal address"],
        "business.invoicing_city": ["missing: the seller's city (BT-37)"],
        "business.invoicing_postal_code": ["missing: the seller's post code (BT-38)"],
        "receiver_info.invoicing_street": ["missing: the street of the postal address"],
        "receiver_info.invoicing_city": ["missing: the buyer's city (BT-52)"],
        "receiver_info.invoicing_postal_code": ["missing: the buyer's post code (BT-53)"],
        "receiver_info.invoicing_country": ["missing: the buyer's country (BT-55, BR-11)"],
        "business.invoicing_iban": ["missing: the account to pay to (BT-84, BR-61)"],
    }


def test_one_that_travels_says_from_whom_to_whom() -> None:
    nowhere = {"einvoicing_address": None, "einvoicing_operator": None}
    with pytest.raises(EInvoiceError) as caught:
        framed_finvoice(
            invoice([row("10.00")], GERMAN_BUYER | {"invoicing_street": "Katu 1"}), FINNISH_SELLER | nowhere
        )
    address, operator = "address of e-invoices, an OVT code or an IBAN", "operator, its code or the BIC of a bank"
    assert caught.value.fields == {
        "business.invoicing_electronic_address": [f"missing: the seller's {address} (FromIdentifier)"],
        "business.einvoicing_operator": [f"missing: the seller's {operator} (FromIntermediator)"],
        "receiver_info.invoicing_einvoice_address": [f"missing: the buyer's {address} (ToIdentifier)"],
        "receiver_info.invoicing_einvoice_operator": [f"missing: the buyer's {operator} (ToIntermediator)"],
    }


def test_names_of_nothing_that_can_be_written_are_missing() -> None:
    wire = invoice([row("10.00", name="\x1b")], {**GERMAN_BUYER, "name": " "})
    assert xrechnung_faults(wire) == {
        "rows.0.name": ["missing: what was sold (BT-153, BR-25)"],
        "receiver_info.name": ["missing: the buyer's name (BT-44, BR-07)"],
    }


def test_the_message_names_the_fields_and_why() -> None:
    with pytest.raises(EInvoiceError) as caught:
        xrechnung(invoice([row("10.00")], invoice_number=None), {**FINNISH_SELLER, "contact_phone": " "})
    assert str(caught.value) == (
        "the e-invoice cannot be made: invoice_number (missing: the number (BT-1): only accepted invoices have one), "
        "business.contact_phone (missing: the seller's telephone number (BT-42, BR-DE-6))"
    )
    assert (caught.value.exit_code, caught.value.code) == (2, "einvoice")


def test_codes_of_purchases_are_refused_row_by_row() -> None:
    rows = [row("10.00"), row("10.00", "1", "25.5", 2), row("10.00", "1", "25.5", 9)]
    assert xrechnung_faults(invoice(rows)) == {
        "rows.1.vat_code": ["VAT code 2 is one of purchases"],
        "rows.2.vat_code": ["VAT code 9 is one of purchases"],
    }


def test_a_difference_that_rounding_does_not_explain_is_refused() -> None:
    # half a cent for each row, and half a cent for their group
    rows = [row("100.00")] * 2
    assert b"PayableRoundingAmount" in xrechnung(invoice(rows, total_amount=Decimal("251.01")), FINNISH_SELLER)
    assert xrechnung_faults(invoice(rows, total_amount=Decimal("251.02"))) == {
        "total_amount": ["is 251.02, but the rows make 251.00: more than rounding explains"]
    }


def test_what_is_outside_the_scope_of_vat_stands_alone() -> None:
    assert xrechnung_faults(invoice([row("10.00", "1", "0", 12), row("10.00")])) == {
        "rows": ["services sold outside the EU (VAT code 12) need an invoice of their own (BR-O-11)"]
    }


def test_rows_without_vat_handling_need_the_reason_of_the_business() -> None:
    assert xrechnung_faults(invoice([row("10.00", "1", "0", 3)])) == {
        "business.invoicing_vat_exemption_reason": [
            "missing: why rows of VAT code 3 carry no VAT (BT-120, BR-E-10)",
        ]
    }


@pytest.mark.parametrize("code", [5, 6])
def test_sales_to_the_eu_need_the_vat_id_of_the_buyer(code: int) -> None:
    buyer = {**FINNISH_BUYER, "invoicing_tax_code": None}
    assert xrechnung_faults(invoice([row("10.00", "1", "0", code)], buyer), GERMAN_SELLER) == {
        "receiver_info.invoicing_tax_code": ["missing: the buyer's VAT id, for sales to other EU countries (BT-48)"]
    }


def test_construction_services_need_some_number_of_the_buyer() -> None:
    buyer = {**FINNISH_BUYER, "invoicing_tax_code": None, "contact_business_id": None}
    assert xrechnung_faults(invoice([row("10.00", "1", "0", 10)], buyer)) == {
        "receiver_info.invoicing_tax_code": [
            "missing: a VAT id or business id of the buyer, who owes the tax (BT-47, BT-48)"
        ]
    }


@pytest.mark.parametrize("code", [5, 13])
def test_goods_that_leave_the_country_need_the_vat_id_of_the_seller(code: int) -> None:
    assert xrechnung_faults(invoice([row("10.00", "1", "0", code)]), SMALL_SELLER) == {
        "business.identifiers": ["missing: the seller's VAT id, for sales to other countries (BT-31)"]
    }


def test_a_vat_id_without_a_country_is_refused() -> None:
    assert xrechnung_faults(invoice([row("10.00")], {**GERMAN_BUYER, "invoicing_tax_code": "136695976"})) == {
        "receiver_info.invoicing_tax_code": ["is no VAT id: it begins with the two letters of a country (BR-CO-09)"]
    }


@pytest.mark.parametrize(
    ("scheme", "why"),
    [
        (None, NO_KIND),
        ("Leitweg", "is no code of electronic addresses, such as 0204 or EM (BR-CL-25)"),
    ],
)
def test_an_address_of_an_unknown_kind_is_refused(scheme: str | None, why: str) -> None:
    buyer = {**GERMAN_BUYER, "invoicing_electronic_address_scheme": scheme}
    assert xrechnung_faults(invoice([row("10.00")], buyer)) == {
        "receiver_info.invoicing_electronic_address_scheme": [why]
    }


def test_a_wrong_account_is_refused() -> None:
    wrong = {"business.invoicing_iban": ["the check digits of the IBAN do not fit the account"]}
    seller = {**FINNISH_SELLER, "invoicing_iban": "FI48 5000 9420 0287 30"}
    assert xrechnung_faults(invoice([row("10.00")]), seller) == wrong
    assert finvoice_faults(invoice([row("10.00")]), seller) == wrong


# that of a German bank, and a Finnish one of a number that no bank has
@pytest.mark.parametrize("iban", ["DE89370400440532013000", "FI5038000000000121"])
def test_the_bank_of_an_account_must_be_known_to_finvoice(iban: str) -> None:
    seller = {**FINNISH_SELLER, "invoicing_iban": iban, "invoicing_bic": None}
    assert finvoice_faults(invoice([row("10.00")]), seller) == {
        "business.invoicing_bic": ["missing: the bank, which this account does not tell (SellerBic)"]
    }


def test_a_wrong_bank_is_refused() -> None:
    assert finvoice_faults(invoice([row("10.00")]), {**FINNISH_SELLER, "invoicing_bic": "OKOY"}) == {
        "business.invoicing_bic": ["is no BIC: 8 or 11 letters and digits"]
    }


def test_a_credit_note_needs_its_original() -> None:
    missing = {"is_credit_note_for": ["missing: the invoice that is credited (BT-25)"]}
    assert xrechnung_faults(credit_note([row("10.00", "-1")])) == missing
    assert finvoice_faults(credit_note([row("10.00", "-1")])) == missing


def test_the_original_is_the_invoice_that_the_credit_note_names() -> None:
    with pytest.raises(EInvoiceError) as caught:
        finvoice(credit_note([row("10.00", "-1")], is_credit_note_for=4), FINNISH_SELLER, ORIGINAL)
    assert caught.value.fields == {"is_credit_note_for": ["is 4, and the original has the id 5"]}
    with pytest.raises(EInvoiceError) as caught:
        xrechnung(invoice([row("10.00")]), FINNISH_SELLER, ORIGINAL)
    assert caught.value.fields == {"is_credit_note_for": ["is None, and the original has the id 5"]}


def test_numbers_too_long_for_finvoice_are_refused() -> None:
    rows = [row("0.0001", "1234567890.1234"), row("1000000000000000.00", rate="0")]
    assert finvoice_faults(invoice(rows)) == {
        "total_amount": ["is made of amounts of more than 15 digits before the comma"],
        "rows.0.product_count": ["has more than 14 characters"],
    }


def test_rows_too_large_for_finvoice_are_refused_even_if_they_cancel_each_other_out() -> None:
    rows = [row("90000000000000.00", "10"), row("90000000000000.00", "-10")]
    assert finvoice_faults(invoice(rows)) == {
        "total_amount": ["is made of amounts of more than 15 digits before the comma"]
    }


@pytest.mark.parametrize("country", ["gr", "SS", "XI"])
def test_letters_of_a_country_are_let_through(country: str) -> None:
    buyer = {**GERMAN_BUYER, "invoicing_country": country, "invoicing_tax_code": None}
    assert f">{country.upper()}<".encode() in xrechnung(invoice([row("10.00")], buyer), FINNISH_SELLER)


@pytest.mark.parametrize("write", [xrechnung, finvoice])
@pytest.mark.parametrize("business", [FINNISH_SELLER, GERMAN_SELLER])
def test_a_seller_who_names_no_country_is_at_home(business: Wire, write: Callable[[Wire, Wire], bytes]) -> None:
    wire = invoice([row("10.00")], GERMAN_BUYER)
    assert write(wire, {**business, "invoicing_country": None}) == write(wire, business)


@pytest.mark.parametrize("country", ["UK", "EL", "ZZ"])
def test_letters_that_are_no_country_are_refused(country: str) -> None:
    why = [f"{country} is no country code, such as GB or GR (BR-CL-14)"]
    wire = invoice([row("10.00")], {**GERMAN_BUYER, "invoicing_country": country})
    assert xrechnung_faults(wire, {**FINNISH_SELLER, "invoicing_country": country}) == {
        "business.invoicing_country": why,
        "receiver_info.invoicing_country": why,
    }


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"contact_phone": "+1 2"}, {"business.contact_phone": ["has fewer than three digits (BR-DE-27)"]}),
        (
            {"invoicing_email": "laskut@kirjo"},
            {"business.invoicing_email": ["is no address such as name@example.com (BR-DE-28)"]},
        ),
        (
            {"identifiers": [{"id": 1, "type": "vat_code", "value": "1234-5"}]},
            {
                "business.identifiers": [
                    "12345 is no VAT id: it begins with the two letters of a country (BR-CO-09)",
                ]
            },
        ),
    ],
)
def test_what_the_rules_would_complain_of_is_refused(changes: Wire, fields: dict[str, list[str]]) -> None:
    assert xrechnung_faults(invoice([row("10.00")]), {**FINNISH_SELLER, **changes}) == fields
