"""The default charts: appendix A for Finland, the numbers of SKR04 for Germany."""

from __future__ import annotations

import pytest

from acctcli import law
from acctcli.law.chart import Chart
from acctcli.law.finland.chart import CHART as FINNISH_CHART
from acctcli.law.germany.chart import CHART as GERMAN_CHART
from acctcli.models.enums import AccountType, Language, VatRateLabel
from acctcli.service.store.businesses import ROLE_NAMES

STANDARD, REDUCED_A, ZERO = VatRateLabel.STANDARD, VatRateLabel.REDUCED_A, VatRateLabel.ZERO

FINNISH_FIELDS = {
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
GERMAN_FIELDS = {
    "account_tax_deferrals": "3065",
    "account_income_tax_rec": "1450",
    "account_income_tax_lia": "3020",
    "account_previous_profit": "2970",
    "account_vat_receivables": "1400",
    "account_vat_liabilities": "3800",
    "account_vat_accrual_adjustment": "3810",
    "account_trade_receivables": "1200",
    "account_payables": "3300",
    "account_cash_payment": "1600",
}
# the types that German tax law has no use for
NOT_GERMAN = {AccountType.EXP_50, AccountType.EXP_TAX_PRE}

each_chart = pytest.mark.parametrize("chart", [FINNISH_CHART, GERMAN_CHART], ids=["FI", "DE"])


def by_vat(chart: Chart) -> dict[str, tuple[int, VatRateLabel]]:
    """The accounts with a VAT default of their own."""
    return {account.number: account.vat_default for account in chart if account.vat_code != 3}


@pytest.mark.parametrize(("country", "chart"), [("FI", FINNISH_CHART), ("DE", GERMAN_CHART)])
def test_each_country_has_its_chart(country: str, chart: Chart) -> None:
    assert law.country(country).chart() is chart


@pytest.mark.parametrize(("chart", "count"), [(FINNISH_CHART, 51), (GERMAN_CHART, 60)], ids=["FI", "DE"])
def test_a_chart_has_every_account_once_in_order(chart: Chart, count: int) -> None:
    numbers = [account.number for account in chart]
    assert len(numbers) == count
    assert numbers == sorted(set(numbers))
    assert all(len(number) == 4 and number.isdigit() for number in numbers)


@pytest.mark.parametrize(
    ("chart", "fields"), [(FINNISH_CHART, FINNISH_FIELDS), (GERMAN_CHART, GERMAN_FIELDS)], ids=["FI", "DE"]
)
def test_every_system_account_is_named_once(chart: Chart, fields: dict[str, str]) -> None:
    assert [(account.field, account.number) for account in chart if account.field] == [
        (field, number) for number, field in sorted((number, field) for field, number in fields.items())
    ]


def test_only_the_broadcasting_tax_is_finnish_alone() -> None:
    assert set(FINNISH_FIELDS) == set(ROLE_NAMES)
    assert set(ROLE_NAMES) - set(GERMAN_FIELDS) == {"account_yle_tax"}


@each_chart
def test_every_account_has_a_name_of_its_own_in_every_language(chart: Chart) -> None:
    for language in Language:
        names = [account.names[language] for account in chart]
        assert all(name.strip() == name and name for name in names)
        assert len(set(names)) == len(names)
    assert all(set(account.names) == set(Language) for account in chart)


@each_chart
def test_what_has_no_vat_has_no_rate(chart: Chart) -> None:
    assert all(account.rate_label == ZERO for account in chart if account.vat_code == 3)
    assert all(account.vat_code == 3 for account in chart if account.type.startswith("LIA"))


def test_the_finnish_chart_follows_appendix_a() -> None:
    assert {account.type for account in FINNISH_CHART} == set(AccountType) - {AccountType.LIA}
    assert by_vat(FINNISH_CHART) == {
        "1160": (2, STANDARD),
        "3000": (1, STANDARD),
        "3100": (1, REDUCED_A),
        "3200": (4, ZERO),
        "3370": (5, ZERO),
        "3380": (6, ZERO),
        "3390": (12, ZERO),
        "4000": (2, STANDARD),
        "4380": (7, STANDARD),
        "4450": (8, STANDARD),
        "4470": (14, STANDARD),
        "7160": (2, STANDARD),
        "7680": (2, STANDARD),
        "7800": (2, REDUCED_A),
    }
    names = {account.number: account.names for account in FINNISH_CHART}
    assert names["1910"] == {"fi": "Pankkitili", "sv": "Bankkonto", "en": "Bank account", "de": "Bankkonto"}


def test_the_finnish_chart_has_what_goes_with_wages_and_accruals() -> None:
    wanted = {
        "1810": AccountType.ASS_REC, "2921": AccountType.LIA_ACC, "2922": AccountType.LIA_ACC,
        "2961": AccountType.LIA_ACC, "2962": AccountType.LIA_ACC, "2963": AccountType.LIA_ACC,
        "6110": AccountType.EXP, "6300": AccountType.EXP,
    }  # fmt: skip
    types = {account.number: account.type for account in FINNISH_CHART}
    assert {number: types.get(number) for number in wanted} == wanted


def test_the_german_chart_has_an_account_for_every_handling() -> None:
    assert {account.type for account in GERMAN_CHART} == set(AccountType) - {AccountType.LIA} - NOT_GERMAN
    special = {number: default for number, default in by_vat(GERMAN_CHART).items() if default[0] != 2}
    assert special == {
        "4100": (4, ZERO),
        "4120": (13, ZERO),
        "4125": (5, ZERO),
        "4300": (1, REDUCED_A),
        "4336": (6, ZERO),
        "4337": (10, ZERO),
        "4338": (12, ZERO),
        "4400": (1, STANDARD),
        "5425": (7, STANDARD),
        "5551": (9, STANDARD),
        "5920": (11, STANDARD),
        "5923": (8, STANDARD),
        "5925": (14, STANDARD),
    }
    names = {account.number: account.names for account in GERMAN_CHART}
    assert names["4400"] == {
        "fi": "Myynti, yleinen verokanta",
        "sv": "Försäljning, allmän skattesats",
        "en": "Sales, standard rate",
        "de": "Erlöse, allgemeiner Satz",
    }
