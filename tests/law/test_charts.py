"""The charts businesses start with: appendix A for Finland, the numbers of SKR04 and of SKR03 for Germany."""

from __future__ import annotations

import pytest

from acctcli import law
from acctcli.law.chart import Accounts
from acctcli.law.decisions import Chart
from acctcli.law.finland.chart import CHART as FINNISH_CHART
from acctcli.law.germany.chart import SKR03, SKR04
from acctcli.law.statements import Size
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
SKR04_FIELDS = {
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
SKR03_FIELDS = {
    "account_tax_deferrals": "0968",
    "account_income_tax_rec": "1549",
    "account_income_tax_lia": "0955",
    "account_previous_profit": "0860",
    "account_vat_receivables": "1570",
    "account_vat_liabilities": "1770",
    "account_vat_accrual_adjustment": "1760",
    "account_trade_receivables": "1400",
    "account_payables": "1600",
    "account_cash_payment": "1000",
}
# accounts that both German charts are known by: of SKR03, of SKR04
PAIRS = {
    "1000": "1600", "1200": "1800", "1400": "1200", "1570": "1400", "1600": "3300", "1770": "3800", "1780": "3820",
    "1781": "3830", "8125": "4125", "8300": "4300", "8336": "4336", "8337": "4337", "8400": "4400", "3425": "5425",
    "4830": "6220", "2400": "6930", "0800": "2900", "4120": "",
}  # fmt: skip
# the types that German tax law has no use for
NOT_GERMAN = {AccountType.EXP_50, AccountType.EXP_TAX_PRE}

CHARTS = {"FI": FINNISH_CHART, "SKR04": SKR04, "SKR03": SKR03}
each_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)


def by_vat(chart: Accounts) -> dict[str, tuple[int, VatRateLabel]]:
    """The accounts with a VAT default of their own."""
    return {account.number: account.vat_default for account in chart if account.vat_code != 3}


@pytest.mark.parametrize("chart", [one for country in law.countries() for one in country.charts])
def test_money_in_transit_has_room_among_the_current_assets(chart: Chart) -> None:
    assert chart.statements is not None
    assert chart.money_in_transit not in {one.number for one in chart.accounts()}
    scheme = chart.statements().balance[Size.SMALL]
    place = scheme.place(chart.money_in_transit, AccountType.ASS_PAY)
    assert place is not None
    assert [line.term.en for line in scheme.lines[:place] if line.level == 1][-1] == "Current assets"


def test_each_country_has_its_charts() -> None:
    assert [(one.name, one.accounts()) for one in law.country("FI").charts] == [(None, FINNISH_CHART)]
    assert [(one.name, one.accounts()) for one in law.country("DE").charts] == [("SKR04", SKR04), ("SKR03", SKR03)]


def test_a_chart_goes_by_its_name_or_is_told_by_its_accounts() -> None:
    finland, germany = law.country("FI"), law.country("DE")
    assert [germany.chart(name).name for name in ("SKR03", "SKR04", None)] == ["SKR03", "SKR04", "SKR04"]
    assert finland.chart("SKR03") is finland.charts[0]
    assert germany.choose_chart("skr03").name == "SKR03"
    for country, right in ((germany, "Write SKR04 or SKR03."), (finland, "Businesses of this country have one chart.")):
        with pytest.raises(ValueError, match=right):
            country.choose_chart("SKR49")
    # 1200 is the bank of the one and what customers owe in the other
    assert germany.fitting_chart([("1200", "ASS_PAY"), ("9999", "EXP")]).name == "SKR03"
    assert germany.fitting_chart([("1200", "ASS_DUE")]).name == germany.fitting_chart([]).name == "SKR04"


@pytest.mark.parametrize(("name", "count"), [("FI", 51), ("SKR04", 60), ("SKR03", 60)])
def test_a_chart_has_every_account_once_in_order(name: str, count: int) -> None:
    chart = CHARTS[name]
    numbers = [account.number for account in chart]
    assert len(numbers) == count
    assert numbers == sorted(set(numbers))
    assert all(len(number) == 4 and number.isdigit() for number in numbers)


@pytest.mark.parametrize(("name", "fields"), [("FI", FINNISH_FIELDS), ("SKR04", SKR04_FIELDS), ("SKR03", SKR03_FIELDS)])
def test_every_system_account_is_named_once(name: str, fields: dict[str, str]) -> None:
    assert [(account.field, account.number) for account in CHARTS[name] if account.field] == [
        (field, number) for number, field in sorted((number, field) for field, number in fields.items())
    ]


def test_only_the_broadcasting_tax_is_finnish_alone() -> None:
    assert set(FINNISH_FIELDS) == set(ROLE_NAMES)
    assert set(ROLE_NAMES) - set(SKR04_FIELDS) == {"account_yle_tax"}


@each_chart
def test_every_account_has_a_name_of_its_own_in_every_language(chart: Accounts) -> None:
    for language in Language:
        names = [account.names[language] for account in chart]
        assert all(name.strip() == name and name for name in names)
        assert len(set(names)) == len(names)
    assert all(set(account.names) == set(Language) for account in chart)


@each_chart
def test_what_has_no_vat_has_no_rate(chart: Accounts) -> None:
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


def test_the_german_charts_are_one_by_two_numbers() -> None:
    by_name = {account.de: account for account in SKR04}
    assert {account.de for account in SKR03} == by_name.keys()
    for account in SKR03:
        assert account._replace(number="") == by_name[account.de]._replace(number="")
    numbers = {account.number: by_name[account.de].number for account in SKR03}
    assert {number: numbers.get(number, "") for number in PAIRS} == PAIRS


def test_the_german_chart_has_an_account_for_every_handling() -> None:
    assert {account.type for account in SKR04} == set(AccountType) - {AccountType.LIA} - NOT_GERMAN
    special = {number: default for number, default in by_vat(SKR04).items() if default[0] != 2}
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
    names = {account.number: account.names for account in SKR04}
    assert names["4400"] == {
        "fi": "Myynti, yleinen verokanta",
        "sv": "Försäljning, allmän skattesats",
        "en": "Sales, standard rate",
        "de": "Erlöse, allgemeiner Satz",
    }
