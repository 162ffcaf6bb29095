"""Which numbers of a contact are checked: those that are certainly meant as what they have to be."""

from __future__ import annotations

import pytest

from acctcli.service.rules.contacts import NUMBERS
from acctcli.service.rules.identifiers import faults_of

NOTHING = {**dict.fromkeys(NUMBERS), "invoicing_country": None, "invoicing_electronic_address_scheme": None}


def wrong(field: str, text: str, country: str | None = None, scheme: str | None = None) -> bool:
    """Whether this field, and no other, is at fault."""
    kept = {"invoicing_country": country, "invoicing_electronic_address_scheme": scheme}
    faults = faults_of(NUMBERS, {**NOTHING, **kept, field: text})
    assert faults.keys() <= {field}
    return bool(faults)


@pytest.mark.parametrize(
    ("text", "country", "is_wrong"),
    [
        ("0112038-9", "FI", False),
        ("01120389", "fi", False),
        ("0112038-8", "FI", True),
        ("HRB 1", "FI", True),
        ("0112038-8", "AX", True),
        ("0112038-8", None, True),
        ("0112038-9", "", False),
        # Estonian and Danish numbers have 8 digits too
        ("01120388", None, False),
        ("HRB 1", "DE", False),
        ("0112038-8", "SE", False),
        ("HRB 1", None, False),
    ],
)
def test_business_ids(text: str, country: str | None, is_wrong: bool) -> None:
    assert wrong("contact_business_id", text, country) is is_wrong


@pytest.mark.parametrize(
    ("text", "country", "is_wrong"),
    [
        ("FI01120389", "FI", False),
        ("fi 0112038-9", "FI", False),
        ("FI01120388", "FI", True),
        ("01120389", "FI", True),
        ("DE136695976", "FI", False),
        ("EL094259216", "GR", False),
        ("094259216", "gr", True),
        ("GR094259216", None, False),
        ("GR094259217", None, True),
        ("GR094259217", "CH", True),
        ("DE136695977", None, True),
        ("DE136695976", None, False),
        ("XI980780684", None, False),
        ("XI980780685", "GB", True),
        ("FIX", None, True),
        ("12-3456789", None, False),
        ("12-3456789", "US", False),
        ("CHE-123.456.788 MWST", "CH", False),
        ("NO 123456789 MVA", "NO", False),
        # what Mexican tax codes begin with are letters of a name
        ("BEM010203AB1", "MX", False),
        ("BEM010203AB1", None, True),
        ("DE 136695977", "US", True),
        ("ATU13585628", "CH", True),
        ("ATC010203AB1", "MX", False),
    ],
)
def test_vat_ids(text: str, country: str | None, is_wrong: bool) -> None:
    assert wrong("invoicing_tax_code", text, country) is is_wrong


@pytest.mark.parametrize(
    ("text", "country", "is_wrong"),
    [
        ("04011000-12345-03", "DE", False),
        ("04011000-12345-34", "DE", True),
        ("991-03730-18", "de", True),
        ("04011000-ab12-08", "DE", False),
        ("04011000-ab12-09", "DE", True),
        ("04011000-12345-34", None, False),
        ("04011000-12345-34", "AT", False),
        ("16066000-12345-38", "DE", False),
        ("16066000-12345-39", "DE", True),
        ("10-4711-22", "DE", False),
        ("45000012-1-10", "DE", False),
        ("10001234-20", "DE", False),
        ("PO 4711", "DE", False),
    ],
)
def test_references(text: str, country: str | None, is_wrong: bool) -> None:
    assert wrong("xrechnung_buyer_reference", text, country) is is_wrong


@pytest.mark.parametrize(
    ("text", "scheme", "is_wrong"),
    [
        ("04011000-12345-03", "0204", False),
        ("04011000-12345-34", "0204", True),
        ("PO 4711", "0204", True),
        ("PO 4711", None, False),
        ("003701120389", "0216", False),
        ("003701120388", "0216", True),
        ("003701120388", None, True),
        ("SE556188840401", "9955", False),
        ("FR40303265045", "9957", False),
        ("FI4950009420028731", None, True),
    ],
)
def test_electronic_addresses(text: str, scheme: str | None, is_wrong: bool) -> None:
    assert wrong("invoicing_electronic_address", text, scheme=scheme) is is_wrong


@pytest.mark.parametrize(
    ("text", "is_wrong"), [("003701120389", False), ("003701120388", True), ("FI4950009420028731", True), ("x", False)]
)
def test_e_invoice_addresses(text: str, is_wrong: bool) -> None:
    assert wrong("invoicing_einvoice_address", text) is is_wrong
