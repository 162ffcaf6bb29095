"""Finnish and RF payment references (docs/interface.md 7.2; docs/law.md 6.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.references import (
    check_any_reference,
    check_creditor_reference,
    check_reference,
    grouped,
    national_reference,
    rf_reference,
)

BASES = st.integers(100, 10**19 - 1)


@pytest.mark.parametrize(
    ("base", "reference"),
    [
        (123, "1232"),
        (12345, "123453"),
        (20261, "202617"),
        (86851625961989, "868516259619897"),
        (1234567890, "12345678907"),
        (1001, "10016"),
        ("000 1001", "10016"),
        (10**19 - 1, "99999999999999999993"),
    ],
)
def test_the_last_digit_checks_the_others(base: int | str, reference: str) -> None:
    assert national_reference(base) == reference


@pytest.mark.parametrize(
    ("national", "reference"),
    [
        ("1232", "RF111232"),
        ("202617", "RF48202617"),
        ("868516259619897", "RF09868516259619897"),
        ("2348236", "RF332348236"),
        ("11112", "RF9811112"),
    ],
)
def test_the_rf_form_wraps_a_whole_reference(national: str, reference: str) -> None:
    assert rf_reference(national) == reference
    assert check_reference(reference) == reference


@pytest.mark.parametrize("base", [99, "", "12a4", 10**19, -1234, "١٢٣٤"])
def test_a_base_is_3_to_19_digits(base: int | str) -> None:
    with pytest.raises(ValueError, match="3 to 19 digits"):
        national_reference(base)


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("12 34567 8907", "12345678907"),
        ("00000000010016", "10016"),
        ("rf09 8685 1625 9619 897", "RF09868516259619897"),
        ("RF98000000011112", "RF9811112"),
    ],
)
def test_a_reference_is_taken_as_people_type_it(text: str, reference: str) -> None:
    assert check_reference(text) == reference


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "4 to 20 digits, or an RF"),
        ("INVOICE 7", "4 to 20 digits, or an RF"),
        ("1-232", "4 to 20 digits, or an RF"),
        ("١٢٣٢", "4 to 20 digits, or an RF"),
        ("123", "has 4 to 20 digits"),
        ("0000", "has 4 to 20 digits"),
        ("123456789012345678907", "has 4 to 20 digits"),
        ("1233", "does not check"),
        ("RF", "two check digits"),
        ("RF18", "two check digits"),
        ("RF18-5390", "two check digits"),
        ("RF121232", "do not fit"),
        # right as an RF reference, but 1233 is none of Finland
        ("RF811233", "does not check"),
        ("RF18539007547034", "does not check"),
    ],
)
def test_a_wrong_reference_says_why(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_reference(text)


@pytest.mark.parametrize(
    ("text", "reference"), [("0012 32", "1232"), ("rf11 1232", "RF111232"), ("RF18 5390 0754 7034", "RF18539007547034")]
)
def test_any_reference_that_a_bank_takes(text: str, reference: str) -> None:
    assert check_any_reference(text) == reference


@pytest.mark.parametrize(
    ("text", "reason"), [("1233", "does not check"), ("RF121232", "do not fit"), ("", "4 to 20 digits")]
)
def test_a_reference_that_no_bank_takes(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_any_reference(text)


def test_references_of_other_countries_may_hold_letters() -> None:
    assert check_creditor_reference("RF18 5390 0754 7034") == "RF18539007547034"
    assert check_creditor_reference("rf27 a9z") == "RF27A9Z"


@pytest.mark.parametrize(
    ("reference", "printed"),
    [
        ("1232", "1232"),
        ("10016", "10016"),
        ("868516259619897", "86851 62596 19897"),
        ("12345678907", "1 23456 78907"),
        ("RF09868516259619897", "RF09 8685 1625 9619 897"),
    ],
)
def test_print_groups(reference: str, printed: str) -> None:
    assert grouped(reference) == printed
    assert check_reference(printed) == reference


@given(BASES)
def test_what_is_made_is_read(base: int) -> None:
    national = national_reference(base)
    assert national[:-1] == str(base)
    assert check_reference(grouped(national)) == national
    wrapped = rf_reference(national)
    assert check_reference(grouped(wrapped)) == wrapped


@given(BASES, st.booleans(), st.data())
def test_one_wrong_digit_is_refused(base: int, wrapped: bool, data: st.DataObject) -> None:
    reference = rf_reference(national_reference(base)) if wrapped else national_reference(base)
    place = data.draw(st.integers(2 if wrapped else 0, len(reference) - 1))
    digit = data.draw(st.sampled_from([one for one in "0123456789" if one != reference[place]]))
    with pytest.raises(ValueError, match="reference"):
        check_reference(reference[:place] + digit + reference[place + 1 :])
