"""Natural sides, balances and names."""

from __future__ import annotations

import pytest

from acctcli.models.enums import AccountType
from acctcli.service.rules.accounts import (
    Name,
    is_balance_sheet,
    is_debit_positive,
    natural_balance,
    shown_name,
)


@pytest.mark.parametrize("account_type", AccountType)
def test_each_type_has_a_side_and_a_statement(account_type: AccountType) -> None:
    family = account_type.split("_")[0]
    assert is_debit_positive(account_type) == (family in ("ASS", "EXP"))
    assert is_balance_sheet(account_type) == (family in ("ASS", "LIA"))


def test_balances_are_positive_on_the_own_side() -> None:
    assert natural_balance("ASS_PAY", 1000, 500, 200) == 1300
    assert natural_balance("LIA_VAT", 1000, 500, 200) == 700
    assert natural_balance("EXP", 0, 500, 200) == 300
    assert natural_balance("REV", 0, 500, 200) == -300


@pytest.mark.parametrize(
    ("language", "text"), [("fi", "Kassa"), ("en", "Cash"), ("de", "Cash"), ("", "Cash"), (None, "Cash")]
)
def test_names_fall_back_to_english(language: str | None, text: str) -> None:
    assert shown_name([Name("fi", "Kassa"), Name("en", "Cash")], language) == text


def test_without_english_the_first_name_is_shown() -> None:
    assert shown_name([Name("sv", "Kassa"), Name("fi", "Käteisvarat")], "de") == "Kassa"
