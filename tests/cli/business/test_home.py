"""Which chart the books of a business follow: what its service says, else what its accounts tell (docs/law.md 8.2)."""

from __future__ import annotations

import pytest

from acctcli.cli.business.home import Home

BANK, CLAIMS = ("1200", "ASS_PAY"), ("1200", "ASS_DUE")


@pytest.mark.parametrize(
    ("country", "config", "account", "name"),
    [
        ("DE", {"chart": "SKR03"}, CLAIMS, "SKR03"),
        ("DE", {"chart": "skr04"}, BANK, "SKR04"),
        # nothing is taken from another chart than the one that is named
        ("DE", {"chart": "SKR49"}, BANK, None),
        ("DE", {"currency": "EUR"}, BANK, "SKR03"),
        ("DE", {"chart": 3}, CLAIMS, "SKR04"),
        ("DE", ["SKR03"], CLAIMS, "SKR04"),
        ("DE", None, ("9", "EXP"), "SKR04"),
        ("SE", {"chart": "SKR03"}, BANK, None),
        (None, None, BANK, None),
    ],
)
def test_a_chart_is_told_by_the_service_or_by_accounts(
    country: str | None, config: object, account: tuple[str, str], name: str | None
) -> None:
    chart = Home(country=country, country_config=config).chart([account])
    assert (chart and chart.name) == name


def test_the_one_chart_of_a_country_has_no_name() -> None:
    chart = Home(country="FI").chart([BANK])
    assert chart is not None
    assert (chart.name, chart.bad_debts) == (None, "8600")
