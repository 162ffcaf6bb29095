"""The charts of all countries at work: every VAT code posts on their accounts, and the books balance."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

import pytest

from acctcli import law
from acctcli.law.vat_codes import REVERSE_CHARGE, VAT_CODES
from acctcli.models.enums import BusinessForm
from tests.service.actor import Actor
from tests.service.routes.books import open_books


class Chart(NamedTuple):
    """Where a country's VAT codes are posted; `gross` is 100.00 with VAT of the standard rate."""

    form: str
    receivables: str
    payables: str
    input_vat: str
    output_vat: str
    sales: str
    purchases: str
    rate: str
    gross: str
    vat: str
    named: str | None = None


FINLAND = Chart("FI_OY", "1700", "2871", "1763", "2939", "3000", "4000", "25.50", "125.50", "25.50")
SKR04 = Chart("DE_UG", "1200", "3300", "1400", "3800", "4400", "5400", "19.00", "119.00", "19.00")
SKR03 = Chart("DE_UG", "1400", "1600", "1570", "1770", "8400", "3400", "19.00", "119.00", "19.00", "SKR03")

SALES = {code.value for code in VAT_CODES if code.is_sale}
PURCHASES = {code.value for code in VAT_CODES if "purchase" in code.tags}

each_chart = pytest.mark.parametrize("chart", [FINLAND, SKR04, SKR03], ids=["FI", "SKR04", "SKR03"])


def account_for(chart: Chart, code: int, otherwise: str) -> str:
    """The account of the chart that is made for a code; the usual one where there is none."""
    accounts = law.country_of_form(chart.form).chart(chart.named).accounts()
    return next((one.number for one in accounts if one.vat_code == code and code not in (2, 3)), otherwise)


def expected(chart: Chart, code: int, account: str) -> tuple[str, list[tuple[str, str, str]]]:
    """The amount of the row and the entries it makes."""
    if code == 1:
        return chart.gross, [
            ("D", chart.receivables, chart.gross),
            ("C", account, "100.00"),
            ("C", chart.output_vat, chart.vat),
        ]
    if code == 2:
        return chart.gross, [
            ("D", account, "100.00"),
            ("D", chart.input_vat, chart.vat),
            ("C", chart.payables, chart.gross),
        ]
    if code in REVERSE_CHARGE:
        return "100.00", [
            ("D", account, "100.00"),
            ("D", chart.input_vat, chart.vat),
            ("C", chart.output_vat, chart.vat),
            ("C", chart.payables, "100.00"),
        ]
    if code in SALES:
        return "100.00", [("D", chart.receivables, "100.00"), ("C", account, "100.00")]
    return "100.00", [("D", account, "100.00"), ("C", chart.payables, "100.00")]


@each_chart
def test_every_vat_code_posts_and_balances(bookkeeper: Actor, chart: Chart) -> None:
    books = open_books(bookkeeper, form=chart.form, country_config={"chart": chart.named})
    for code in range(16):
        account = account_for(chart, code, chart.sales if code in SALES else chart.purchases)
        amount, entries = expected(chart, code, account)
        row = books.row(account, amount, code, chart.rate if code in {1, 2} | REVERSE_CHARGE else "0.00")
        blueprint = books.sales(chart.receivables, [row]) if code in SALES else books.purchase(chart.payables, [row])
        document = books.create("document/", {"date": "2026-04-02", "blueprint": blueprint})
        made = [entry[:3] for entry in books.entries(document["id"])]
        assert (code, made) == (code, entries)
        sides = {side: sum(Decimal(text) for found, _, text in made if found == side) for side in "DC"}
        assert sides["D"] == sides["C"]
    assert SALES | PURCHASES | {0, 3} == set(range(16))


@each_chart
def test_the_accounts_made_for_a_code_carry_it(bookkeeper: Actor, chart: Chart) -> None:
    books = open_books(bookkeeper, form=chart.form, country_config={"chart": chart.named})
    listed = books.get("account/", page_size="200").body["results"]
    found = {one["number"]: (one["type"], one["default_vat_code"], one["default_vat_rate"]) for one in listed}
    rates = {"standard": Decimal(chart.rate), "zero": Decimal("0.00")}
    rates["reduced_a"] = Decimal("13.50") if chart is FINLAND else Decimal("7.00")
    accounts = law.country_of_form(chart.form).chart(chart.named).accounts()
    assert found == {one.number: (one.type, one.vat_code, rates[one.rate_label]) for one in accounts}


@pytest.mark.together
@pytest.mark.parametrize("form", BusinessForm)
def test_every_form_has_the_chart_of_its_country(bookkeeper: Actor, form: str) -> None:
    made = bookkeeper.create_business(form=form)
    country = "DE" if form.startswith("DE_") else "FI"
    accounts = bookkeeper.get(f"/v1/business/{made['slug']}/account/?page_size=200")["results"]
    assert [one["number"] for one in accounts] == [one.number for one in law.country(country).chart(None).accounts()]
    numbers = {one["id"]: one["number"] for one in accounts}
    fields = {name: numbers.get(made[name]) for name in made if name.startswith("account_")}
    assert fields == dict.fromkeys(fields) | {
        one.field: one.number for one in law.country(country).chart(None).accounts() if one.field
    }
    assert (fields["account_yle_tax"] is None) == (country == "DE")


@pytest.mark.together
@pytest.mark.parametrize("language", [None, "en", "fi"])
def test_german_books_speak_german_whoever_keeps_them(bookkeeper: Actor, language: str | None) -> None:
    bookkeeper.send("PATCH", "/v1/user/", {"language": language})
    books = open_books(bookkeeper, form="DE_UG")
    shown = books.account("4400")
    assert (shown["name"], shown["name_translations"][-1]) == (
        "Erlöse, allgemeiner Satz",
        {"key": "de", "value": "Erlöse, allgemeiner Satz"},
    )
    names = [{"key": "en", "value": "Counter sales"}, {"key": "de", "value": "Ladenverkauf"}]
    assert books.change(f"account/{books.ids['4400']}/", name_translations=names)["name"] == "Ladenverkauf"
    assert books.numbers(search="LADENVERKAUF") == ["4400"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("form", "language", "called"),
    [
        ("FI_OY", None, {"1910": "Bank account", "3000": "Sales, standard rate"}),
        ("FI_OY", "fi", {"1910": "Pankkitili", "3000": "Myynti, yleinen verokanta"}),
        ("DE_UG", "en", {"1800": "Bankkonto"}),
    ],
)
def test_accounts_of_a_new_business_are_found_by_the_names_they_are_shown_with(
    bookkeeper: Actor, form: str, language: str | None, called: dict[str, str]
) -> None:
    bookkeeper.send("PATCH", "/v1/user/", {"language": language})
    books = open_books(bookkeeper, form=form)
    assert {number: books.account(number)["name"] for number in called} == called
    for number, name in called.items():
        assert number in books.numbers(search=name.upper())
