"""The default chart against appendix A's structure."""

from __future__ import annotations

from acctcli.models.enums import AccountType, Language, VatRateLabel
from acctcli.service.rules.chart import DEFAULT_CHART

FIELDS = {
    "account_yle_tax": "9980",
    "account_tax_deferrals": "2950",
    "account_income_tax_rec": "1850",
    "account_income_tax_lia": "2970",
    "account_previous_profit": "2251",
    "account_vat_receivables": "1763",
    "account_vat_liabilities": "2939",
    "account_vat_accrual_adjustment": "2945",
    "account_trade_receivables": "1700",
    "account_payables": "2871",
    "account_cash_payment": "1900",
}


def test_the_chart_has_every_account_once_in_order() -> None:
    numbers = [account.number for account in DEFAULT_CHART]
    assert len(numbers) == 43
    assert numbers == sorted(set(numbers))


def test_every_system_account_is_named_once() -> None:
    assert {account.field: account.number for account in DEFAULT_CHART if account.field} == FIELDS


def test_every_account_has_a_name_in_every_language() -> None:
    for account in DEFAULT_CHART:
        assert set(account.names) == set(Language)
        assert all(name.strip() == name and name for name in account.names.values())
    for language in Language:
        names = [account.names[language] for account in DEFAULT_CHART]
        assert len(set(names)) == len(names)


def test_types_and_vat_follow_appendix_a() -> None:
    by_number = {account.number: account for account in DEFAULT_CHART}
    assert {account.type for account in DEFAULT_CHART} == set(AccountType) - {AccountType.LIA}
    with_vat = {a.number: (a.vat_code, a.rate_label) for a in DEFAULT_CHART if a.vat_code != 3}
    assert with_vat == {
        "1160": (2, VatRateLabel.STANDARD),
        "3000": (1, VatRateLabel.STANDARD),
        "3100": (1, VatRateLabel.REDUCED_A),
        "3200": (4, VatRateLabel.ZERO),
        "3370": (5, VatRateLabel.ZERO),
        "3380": (6, VatRateLabel.ZERO),
        "3390": (12, VatRateLabel.ZERO),
        "4000": (2, VatRateLabel.STANDARD),
        "4380": (7, VatRateLabel.STANDARD),
        "4450": (8, VatRateLabel.STANDARD),
        "4470": (14, VatRateLabel.STANDARD),
        "7160": (2, VatRateLabel.STANDARD),
        "7680": (2, VatRateLabel.STANDARD),
        "7800": (2, VatRateLabel.REDUCED_A),
    }
    assert by_number["1910"].en == "Bank account"
    assert all(a.rate_label == VatRateLabel.ZERO for a in DEFAULT_CHART if a.vat_code == 3)
