"""Official numbers: what is taken, what is refused, and that a refusal says what would be right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law.finland import check_y_tunnus
from acctcli.law.germany import check_steuernummer
from acctcli.law.identifiers import (
    check_account,
    check_bic,
    check_einvoice_address,
    check_foreign_account,
    check_leitweg,
    check_vat_id,
)
from acctcli.law.world import COUNTRIES, EU_COUNTRIES, SEPA, VAT_FORMS
from acctcli.service.rules.identifiers import alone, faults_of

# one of each country, from the documentation of the tax offices or of companies that publish theirs
VAT_IDS = """
ATU13585627 BE0428759497 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 ESB58378431
FI01120389 FR40303265045 HR33392005961 HU12892312 IE6433435F IT00743110157 LT119511515 LU15027442 LV40003521600
MT11679112 NL004495445B01 PL8567346215 PT501964843 RO18547290 SE556188840401 SI50223054 SK2022749619 XI980780684
""".split()  # noqa: SIM905


def reason(check: Callable[[str], object], text: str) -> str:
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the text is what is looked at
        check(text)
    return str(refusal.value)


def test_the_eu_and_sepa_are_among_the_countries() -> None:
    assert VAT_FORMS.keys() == {text[:2] for text in VAT_IDS}
    assert (len(EU_COUNTRIES), len(SEPA), len(COUNTRIES)) == (27, 41, 249)
    assert COUNTRIES.keys() >= SEPA >= EU_COUNTRIES


@pytest.mark.parametrize("text", VAT_IDS)
def test_vat_ids_of_every_country_are_taken(text: str) -> None:
    assert check_vat_id(text) == text
    assert check_vat_id(f" {text[:2].lower()} {text[2:5]}.{text[5:]}") == text


@pytest.mark.parametrize("text", [text for text in VAT_IDS if text[:2] not in {"BG", "CZ", "RO"}])
def test_a_slip_is_noticed_and_the_form_is_told(text: str) -> None:
    place = next(place for place in range(4, len(text)) if text[place].isdigit())
    wrong = text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]
    form = f"A VAT id is needed, such as FI01120389: after {text[:2]} come {VAT_FORMS[text[:2]]}"
    assert reason(check_vat_id, wrong) == f"{form} that check each other, and these do not."
    assert reason(check_vat_id, f"{text}0000") == f"{form}."


@pytest.mark.parametrize(
    "text", ["", "01120389", "US123456789", "FI", "Ä", "FI/01120389", "DE１３６６９５９７６", "EU1"]
)
def test_what_is_no_vat_id_at_all(text: str) -> None:
    assert reason(check_vat_id, text).startswith("A VAT id is needed, such as FI01120389: ")


def test_greece_may_write_its_own_letters() -> None:
    assert check_vat_id("GR094259216") == "GR094259216"
    assert "after EL come 9 digits" in reason(check_vat_id, "GR094259217")


@given(st.sampled_from(sorted([*VAT_FORMS, "GR", "EU", "IM"])), st.text("0123456789ABUX+*. -", max_size=14))
def test_any_text_is_a_vat_id_or_told_why_not(letters: str, rest: str) -> None:
    faults = faults_of({"id": alone(check_vat_id)}, {"id": letters + rest})
    assert all(fault.startswith("A VAT id is needed, such as FI01120389: ") for fault in faults.values())


@pytest.mark.parametrize(("text", "told"), [("0112038-9", "0112038-9"), ("20774740", "2077474-0")])
def test_a_y_tunnus(text: str, told: str) -> None:
    assert check_y_tunnus(text) == told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0112038-8", "the last digit checks the others, and this one does not"),
        ("1234567-8", "the last digit checks the others, and this one does not"),
        ("112038-9", "7 digits, a hyphen and a check digit"),
        ("FI01120389", "7 digits, a hyphen and a check digit"),
        ("0112038-9 ", "7 digits, a hyphen and a check digit"),
    ],
)
def test_no_y_tunnus(text: str, why: str) -> None:
    assert reason(check_y_tunnus, text) == f"A Y-tunnus is needed, such as 0112038-9: {why}."


def test_a_steuernummer() -> None:
    assert check_steuernummer("181/815/0815 5") == "18181508155"
    assert "10 or 11 digits of the tax office" in reason(check_steuernummer, "1")


@pytest.mark.parametrize("text", ["FI49 5000 9420 0287 30", "de89370400440532013000"])
def test_an_account_that_is_right(text: str) -> None:
    for check in (check_account, check_foreign_account, check_einvoice_address):
        check(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("FI49 5000 9420 0287 31", "the check digits of the IBAN do not fit the account"),
        ("FI49 5000 9420 0287", "an IBAN of FI has 18 characters, and this has 16"),
        ("FI49 5000 9420 0287 30 OKOYFIHH", "an IBAN of FI has 18 characters, and this has 26"),
    ],
)
def test_an_account_that_is_wrong(text: str, why: str) -> None:
    told = f"An IBAN is needed, such as FI49 5000 9420 0287 30: {why}."
    assert {reason(check, text) for check in (check_account, check_foreign_account)} == {told}


@pytest.mark.parametrize(
    "text",
    ["021000021 123456789", "BG 5805-6201", "BG 58056201", "062-000 12345678", "SB01000123456", "20-00-00 55779911",
     "HDFC0001234 50100012345678", "032180000118359719", "CHASUS33 1234567", "00000000000"],
)  # fmt: skip
def test_an_account_of_a_country_without_ibans(text: str) -> None:
    check_foreign_account(text)
    assert reason(check_account, text).startswith("An IBAN is needed")


def test_addresses_of_finnish_e_invoicing() -> None:
    for text in ("003701120389", "00370112 0389ABC", "0037", "0037:birch", "laskut@example.com", "TE003701120388"):
        check_einvoice_address(text)
    assert reason(check_einvoice_address, "003701120388") == (
        "An OVT code is needed, such as 003701120389: 0037 and the digits of a Y-tunnus."
    )
    assert "An OVT code" in reason(check_einvoice_address, "003701120388ab")
    assert "An IBAN is needed" in reason(check_einvoice_address, "FI4950009420028731")


@pytest.mark.parametrize("text", VAT_IDS)
def test_vat_ids_are_addresses_of_e_invoices(text: str) -> None:
    """Those of some countries look like an IBAN that is too short."""
    check_einvoice_address(text)
    check_einvoice_address(f"{text[:2].lower()} {text[2:]}")


def test_a_bic_names_a_bank_of_a_country() -> None:
    for text in ("NDEAFIHH", "okoyfihhxxx", "DEUT DE FF", "PCBKXKPR"):
        check_bic(text)
    for text in ("XXXX", "NDEAFIH", "NDEAFIHHX", "NDEAZZHH", "12345678"):
        assert reason(check_bic, text).startswith("A BIC is needed, such as NDEAFIHH")


def test_a_leitweg_id() -> None:
    for text in ("04011000-12345-03", "04011000-1234512345-06", "991-03730-19"):
        check_leitweg(text)
    assert reason(check_leitweg, "04011000-12345-34") == (
        "A Leitweg-ID is needed, such as 04011000-12345-03: its last 2 digits check the others."
    )
    assert reason(check_leitweg, "PO-1") == (
        "A Leitweg-ID is needed: digits, a reference and 2 check digits, such as 04011000-12345-03."
    )
