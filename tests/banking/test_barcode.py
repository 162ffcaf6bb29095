"""The bank barcode (docs/interface.md 8.1; docs/law.md 6.2)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.graphics.barcode.code128 import Code128

from acctcli.banking.barcode import Transfer, bank_barcode, read_barcode
from acctcli.banking.references import national_reference, rf_reference
from tests.banking.test_iban import FINNISH

AMOUNTS = st.integers(1, 99_999_999).map(lambda cents: Decimal(cents).scaleb(-2))
NATIONAL = st.integers(100, 10**19 - 1).map(national_reference)
TRANSFERS = st.builds(
    Transfer,
    FINNISH,
    st.none() | AMOUNTS,
    NATIONAL | NATIONAL.map(rf_reference),
    st.none() | st.dates(date(2000, 1, 1), date(2099, 12, 31)),
)
TRANSFER = Transfer("FI7944052020036082", Decimal("4883.15"), "868516259619897", date(2010, 6, 12))


def symbol_check(digits: str) -> int:
    """Return the check symbol of Code 128 as it is printed, before the symbol that ends the bars."""
    barcode = Code128(digits)
    barcode.validate()
    barcode.encode()
    check: int = barcode.encoded[-2]
    return check


@pytest.mark.parametrize(
    ("iban", "amount", "reference", "due", "digits", "check"),
    [
        (
            *("FI79 4405 2020 0360 82", "4883.15", "868516259619897", date(2010, 6, 12)),
            *("479440520200360820048831500000000868516259619897100612", 40),
        ),
        (
            *("FI79 4405 2020 0360 82", "4883.15", "RF09868516259619897", date(2010, 6, 12)),
            *("579440520200360820048831509000000868516259619897100612", 74),
        ),
        (
            *("FI58 1017 1000 0001 22", "482.99", "559582243294671", date(2012, 1, 31)),
            *("458101710000001220004829900000000559582243294671120131", 55),
        ),
        (
            *("FI37 1590 3000 0007 76", "12.25", "11112", date(2016, 12, 21)),
            *("437159030000007760000122500000000000000000011112161221", 76),
        ),
        (
            *("FI37 1590 3000 0007 76", "1.10", "RF9811112", date(2017, 1, 1)),
            *("537159030000007760000011098000000000000000011112170101", 38),
        ),
        (
            *("FI37 1590 3000 0007 76", None, "11112", None),
            *("437159030000007760000000000000000000000000011112000000", 35),
        ),
        (
            *("FI49 5000 9420 0287 30", "100.20", "1234567907", date(2022, 12, 12)),
            *("449500094200287300001002000000000000001234567907221212", None),
        ),
    ],
)
def test_published_vectors(
    iban: str, amount: str | None, reference: str, due: date | None, digits: str, check: int | None
) -> None:
    euros = amount and Decimal(amount)
    transfer = Transfer(iban.replace(" ", ""), euros or None, reference, due)
    assert bank_barcode(iban, transfer.amount, reference, due) == digits
    assert read_barcode(digits) == transfer
    assert check in {None, symbol_check(digits)}


@pytest.mark.parametrize(
    "transfer",
    [
        TRANSFER._replace(iban="DE89370400440532013000"),
        TRANSFER._replace(iban="FI7944052020036083"),
        TRANSFER._replace(amount=Decimal("1000000.00")),
        TRANSFER._replace(amount=Decimal("-0.01")),
        TRANSFER._replace(amount=Decimal("0.001")),
        TRANSFER._replace(reference="868516259619898"),
        TRANSFER._replace(reference=""),
        TRANSFER._replace(reference="RF27A9Z"),
        TRANSFER._replace(due=date(1999, 12, 31)),
        TRANSFER._replace(due=date(2100, 1, 1)),
    ],
    ids=str,
)
def test_what_the_digits_cannot_carry(transfer: Transfer) -> None:
    assert bank_barcode(*transfer) is None


@pytest.mark.parametrize(("due", "digits"), [(date(2000, 1, 1), "000101"), (date(2099, 12, 31), "991231")])
def test_the_days_of_this_century_are_carried(due: date, digits: str) -> None:
    barcode = bank_barcode(*TRANSFER._replace(due=due))
    assert barcode == f"479440520200360820048831500000000868516259619897{digits}"
    assert read_barcode(barcode).due == due


def test_references_of_other_countries_are_carried_when_they_are_digits() -> None:
    transfer = TRANSFER._replace(reference="RF18539007547034")
    digits = bank_barcode(*transfer)
    assert digits == "579440520200360820048831518000000000539007547034100612"
    assert read_barcode(digits) == transfer


@pytest.mark.parametrize(
    ("digits", "reason"),
    [
        ("4794405202003608200488315", "has 54 digits"),
        ("", "has 54 digits"),
        ("47944052020036082004883150000000086851625961989710061X", "has 54 digits"),
        ("379440520200360820048831500000000868516259619897100612", "begins with 4 or 5, not with 3"),
        ("479440520200360830048831500000000868516259619897100612", "do not fit the account"),
        ("479440520200360820048831500000000868516259619898100612", "does not check"),
        ("479440520200360820048831500100000868516259619897100612", "are zeros"),
        ("579440520200360820048831508000000868516259619897100612", "after RF do not fit"),
        ("479440520200360820048831500000000868516259619897101312", "month must be in"),
    ],
)
def test_a_wrong_barcode_says_why(digits: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_barcode(digits)


@given(TRANSFERS)
def test_what_is_made_is_read(transfer: Transfer) -> None:
    digits = bank_barcode(*transfer)
    assert digits is not None
    assert len(digits) == 54
    assert read_barcode(digits) == transfer


@given(TRANSFERS, st.integers(0, 53), st.integers(1, 9))
def test_one_wrong_digit_shows_in_the_check_symbol(transfer: Transfer, place: int, by: int) -> None:
    digits = bank_barcode(*transfer)
    assert digits is not None
    wrong = digits[:place] + str((int(digits[place]) + by) % 10) + digits[place + 1 :]
    assert symbol_check(wrong) != symbol_check(digits)
