"""Addresses of Peppol: right ones are taken, and no wrong digit of a number that has check digits."""

from __future__ import annotations

import pytest

from acctcli.einvoice.addresses import SCHEMES, check_address

RIGHT = {
    "0007": "5560360793",
    "0088": "7300010000001",
    "0151": "51824753556",
    "0192": "974760673",
    "0208": "0403170701",
    "0184": "DK13585628",
    "0216": "003701120389",
    "9930": "DE136695976",
}
CHECKED = ("0007", "0088", "0151", "0192", "0208")


def is_taken(scheme: str, value: str) -> bool:
    try:
        check_address(scheme, value)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("scheme", RIGHT)
def test_what_is_right_is_taken(scheme: str) -> None:
    assert is_taken(scheme, RIGHT[scheme])


@pytest.mark.parametrize("scheme", CHECKED)
def test_no_wrong_digit_is_taken(scheme: str) -> None:
    right = RIGHT[scheme]
    wrong = {f"{right[:place]}{digit}{right[place + 1 :]}" for place in range(len(right)) for digit in "0123456789"} - {
        right
    }
    assert len(wrong) == 9 * len(right)
    assert [one for one in wrong if is_taken(scheme, one)] == []


@pytest.mark.parametrize("scheme", CHECKED)
def test_digits_too_few_too_many_or_of_other_scripts_are_not_taken(scheme: str) -> None:
    right = RIGHT[scheme]
    for wrong in (right[1:], f"0{right}", f"{right[:3]} {right[3:]}", right.replace(right[0], "\u0665"), ""):
        assert not is_taken(scheme, wrong), wrong


@pytest.mark.parametrize("value", ["DK1358562", "135856280", "SE13585628", "1358562\u0668"])
def test_a_danish_number_has_eight_digits(value: str) -> None:
    assert not is_taken("0184", value)


def test_mailboxes_and_schemes_that_ended_are_not_taken() -> None:
    assert not {"EM", "0212 ", "9956", ""} & SCHEMES
    assert {"0204", "0212", "0216", "9930", "9957"} <= SCHEMES
