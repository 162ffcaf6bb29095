"""What the QR code of European transfers says (docs/law.md 6.3)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.epc import LARGEST_PAYLOAD, epc_payload

IBAN = "FI79 4405 2020 0360 82"
AMOUNT = Decimal("4883.15")


def test_a_finnish_reference_goes_as_rf() -> None:
    assert epc_payload("Halla Oy", IBAN, AMOUNT, reference="86851 62596 19897", bic="ITELFIHH").split("\n") == [
        "BCD",
        "002",
        "1",
        "SCT",
        "ITELFIHH",
        "Halla Oy",
        "FI7944052020036082",
        "EUR4883.15",
        "",
        "RF09868516259619897",
    ]


def test_an_rf_reference_goes_as_it_is() -> None:
    payload = epc_payload("Müller GmbH", "DE89 3704 0044 0532 0130 00", Decimal(5), reference="RF18 5390 0754 7034")
    assert payload == "BCD\n002\n1\nSCT\n\nMüller GmbH\nDE89370400440532013000\nEUR5.00\n\nRF18539007547034"


def test_a_bank_goes_as_machines_write_it() -> None:
    assert epc_payload("Halla Oy", IBAN, AMOUNT, bic="itel fi hh").split("\n")[4] == "ITELFIHH"


def test_a_text_stands_where_there_is_no_reference() -> None:
    assert epc_payload("Halla Oy", IBAN, AMOUNT, text="Invoice\n 12").split("\n")[8:] == ["", "", "Invoice 12"]
    assert epc_payload("Halla Oy", IBAN, AMOUNT, reference="1232", text="Invoice 12").split("\n")[8:] == [
        "",
        "RF111232",
    ]
    assert epc_payload("Halla Oy", IBAN, AMOUNT).split("\n")[7:] == ["EUR4883.15"]


@pytest.mark.parametrize(
    ("iban", "amount", "reference", "reason"),
    [
        (IBAN, Decimal("0.00"), None, "0.01 to 999999999.99 euros"),
        (IBAN, Decimal("-5.00"), None, "0.01 to 999999999.99 euros"),
        (IBAN, Decimal("1000000000.00"), None, "0.01 to 999999999.99 euros"),
        (IBAN, Decimal("5.001"), None, "in whole cents"),
        ("FI7944052020036083", AMOUNT, None, "do not fit the account"),
        (IBAN, AMOUNT, "1233", "does not check"),
        (IBAN, AMOUNT, "RF121232", "do not fit"),
    ],
)
def test_what_cannot_be_paid_like_this(iban: str, amount: Decimal, reference: str | None, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        epc_payload("Halla Oy", iban, amount, reference=reference)


@pytest.mark.parametrize("amount", ["0.01", "999999999.99"])
def test_the_least_and_the_most_that_can_be_paid(amount: str) -> None:
    assert epc_payload("Halla Oy", IBAN, Decimal(amount)).split("\n")[7:] == [f"EUR{amount}"]


def test_a_name_that_is_cut_at_a_blank_ends_before_it() -> None:
    assert epc_payload(f"{'a' * 69} Oy", IBAN, AMOUNT).split("\n")[5] == "a" * 69
    assert epc_payload(f"{'a' * 67} Oy", IBAN, AMOUNT).split("\n")[5] == f"{'a' * 67} Oy"


def test_what_the_code_cannot_hold() -> None:
    with pytest.raises(ValueError, match="331 bytes"):
        epc_payload("嘉" * 70, IBAN, AMOUNT, text="嘉" * 140)


@given(st.text(max_size=200), st.text(max_size=300))
def test_texts_are_cut_and_never_break_a_line(name: str, text: str) -> None:
    try:
        lines = epc_payload(name, IBAN, AMOUNT, text=text).split("\n")
    except ValueError:
        assert len((name + text).encode()) > LARGEST_PAYLOAD - 60
        return
    assert lines[0] == "BCD"
    assert lines[5] == " ".join(name.split())[:70].rstrip()
    assert lines[6:8] == ["FI7944052020036082", "EUR4883.15"]
    assert "".join(lines[8:]) == " ".join(text.split())[:140].rstrip()
