"""VAT from the books to the tax office: documents, the return, the EU statement, and what is due (docs/law.md 2)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.purchase import vat_debt
from tests.journeys.german import CHARTS, of_chart
from tests.journeys.places import Place
from tests.journeys.test_invoices import accepted, seller

PHONE = ("--phone", "+358 40 123 4567")
MARCH = ("--period", "2026-03")


each_chart = pytest.mark.parametrize("chart", CHARTS)


def post(place: Place, *legs: str, date: str = "2026-03-14", contact: int | None = None, chart: str = CHARTS[0]) -> int:
    """Post a document; its accounts are those of the chart that have these numbers in the first one."""
    named = () if contact is None else ("--contact", str(contact))
    legs = tuple(of_chart(chart, leg) for leg in legs)
    number: int = place.json("document", "create", "--date", date, *named, *legs)["id"]
    return number


def boxes(place: Place, *options: str, period: str = "2026-03") -> dict[str, str]:
    """The boxes that are not zero, as they were printed."""
    shown = place.json("vat", "return", "--period", period, *options)
    return {one["box"]: str(one["amount"]) for one in shown if one["amount"]}


def without_timestamp(path: Path) -> list[str]:
    lines = path.read_bytes().decode("latin-1").split("\r\n")
    assert lines.pop() == ""
    assert re.fullmatch(r"198:\d{14}", lines.pop(1))
    return lines


def file_march(place: Place) -> None:
    """Make March the only VAT period."""
    for one in place.json("vat", "period", "list", "--all"):
        place.run("vat", "period", "delete", str(one["id"]), "--yes")
    place.run("vat", "period", "create", "--start", "2026-03-01", "--period", "month")


def in_germany(place: Place, chart: str = CHARTS[0]) -> Place:
    """A German company beside the user's own."""
    slug = f"{place.environ['ACCTCLI_BUSINESS']}-de"
    german = replace(place, environ={**place.environ, "ACCTCLI_BUSINESS": slug})
    german.run("business", "create", "--name", "Kleine UG", "--form", "DE_UG", "--slug", slug, "--chart", chart)
    file_march(german)
    return german


@pytest.fixture
def company(place: Place) -> Place:
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], "--business-id", "0112038-9")
    file_march(place)
    return place


@pytest.mark.everywhere
def test_the_worked_month_is_filed(company: Place) -> None:
    post(company, "--debit", "1910", "--credit", "3000:125.50@1/25.5")
    post(
        company, "--credit", "1910", "--debit", "4000:62.75@2/25.5", "--debit", "7800:10.00@2/13.5",
        "--debit", "8500:5.00@3",
    )  # fmt: skip
    post(company, "--credit", "1910", "--debit", "4450:100.00@8/25.5")
    assert boxes(company) == {"301": "25.50", "306": "25.50", "307": "39.44", "308": "11.56", "314": "100.00"}
    company.run("vat", "return", *MARCH, "--filing-file", "march.txt", *PHONE)
    assert without_timestamp(company.folder / "march.txt") == [
        "000:VSRALVKV", "014:0112038-9_AC", "048:acctcli", "010:0112038-9", "050:K", "052:3", "053:2026",
        "301:25,50", "306:25,50", "307:39,44", "308:11,56", "314:100,00", "042:+358 40 123 4567", "999:1",
    ]  # fmt: skip


def test_reverse_charge_is_owed_and_deducted(company: Place) -> None:
    months = {
        "2026-01": ("4450:1000@8/25.5", {"306": "255.00", "307": "255.00", "314": "1000.00"}),
        "2026-02": ("4450:1000@7/25.5", {"305": "255.00", "307": "255.00", "313": "1000.00"}),
        "2026-03": ("4450:1000@9/25.5", {"304": "255.00", "307": "255.00", "310": "1000.00"}),
        "2026-04": ("4450:1000@11/25.5", {"318": "255.00", "307": "255.00", "320": "1000.00"}),
        "2026-05": ("4450:1000@14/25.5", {"301": "255.00", "307": "255.00"}),
    }
    for month, (leg, _) in months.items():
        post(company, "--credit", "1910", "--debit", leg, date=f"{month}-14")
    assert {month: boxes(company, period=month) for month in months} == {
        month: expected for month, (_, expected) in months.items()
    }
    year = boxes(company, period="2026")
    assert (year["307"], "308" in year) == ("1275.00", False)


def test_services_from_outside_the_eu_at_several_rates(company: Place) -> None:
    legs = ("4470:1000@14/25.5", "4470:1000@14/13.5", "4470:500@14/10", "4470:500@14/0")
    post(company, "--credit", "1910", *(word for leg in legs for word in ("--debit", leg)))
    assert boxes(company) == {"301": "255.00", "302": "135.00", "303": "50.00", "307": "440.00"}


def test_construction_sold_and_sales_abroad(company: Place) -> None:
    post(company, "--debit", "1910", "--credit", "3000:900@10/0")
    post(company, "--debit", "1910", "--credit", "3000:20@4/0")
    post(company, "--debit", "1910", "--credit", "3000:60@12/0")
    post(company, "--debit", "1910", "--credit", "3000:40@13/0")
    assert boxes(company) == {"309": "120.00", "319": "900.00"}


def test_a_month_without_activity_is_filed_as_one(company: Place) -> None:
    company.run("vat", "return", *MARCH, "--filing-file", "march.txt", *PHONE)
    assert without_timestamp(company.folder / "march.txt")[6:] == [
        "053:2026", "056:1", "042:+358 40 123 4567", "999:1",
    ]  # fmt: skip


def test_a_wrong_rate_is_not_filed(company: Place) -> None:
    post(company, "--debit", "1910", "--credit", "3000:119@1/19", "--foreign-vat")
    refused = company.try_run("vat", "return", *MARCH, "--filing-file", "march.txt", *PHONE)
    assert refused.code == 10
    assert "no box takes tax at 19 % 19.00" in refused.err
    assert not (company.folder / "march.txt").exists()


def test_input_tax_of_another_country_is_not_deducted(company: Place) -> None:
    post(company, "--credit", "1910", "--debit", "4000:119@2/19", "--foreign-vat")
    refused = company.try_run("vat", "return", *MARCH, "--filing-file", "march.txt", *PHONE)
    assert refused.code == 10
    assert "no box takes tax at 19 % under VAT code 2 19.00" in refused.err
    assert "acctcli document correct ID" in refused.err
    assert not (company.folder / "march.txt").exists()


@each_chart
def test_what_whole_bases_leave_of_german_tax_is_booked_with_the_last_of_its_payment(place: Place, chart: str) -> None:
    german = in_germany(place, chart)
    rounded = of_chart(chart, "4830")

    def held() -> dict[str, str]:
        return {one["number"]: str(one["balance"]) for one in german.json("account", "balances") if one["balance"]}

    def in_chart(expected: dict[str, str]) -> dict[str, str]:
        return {of_chart(chart, number): balance for number, balance in expected.items()}

    # 190.08 of tax is booked, 190.00 is what Kz 83 says
    post(german, "--debit", "1800", "--credit", "4400:1190.50@1/19", chart=chart)
    german.run("vat", "period", "report", "2026-03", "--yes")
    (due,) = german.json("purchase", "list")
    for paid in (("--amount", "100"), ()):
        assert german.json("account", "get", rounded)["balance"] == 0
        german.run("purchase", "pay", str(due["id"]), "--date", "2026-04-09", *paid)
    assert held() == in_chart(
        {"1800": "1000.50", "3800": "190.00", "3820": "-190.00", "4400": "1000.42", "4830": "0.08"}
    )
    # what was rounded is not rounded once more where the return is corrected
    german.run("vat", "period", "reopen", "2026-03", "--reason", "a sale was missing", "--yes")
    post(german, "--debit", "1800", "--credit", "4400:119@1/19", chart=chart)
    german.run("vat", "period", "report", "2026-03", "--yes")
    (more,) = [one for one in german.json("purchase", "list") if one["id"] != due["id"]]
    german.run("purchase", "pay", str(more["id"]), "--date", "2026-04-20")
    assert held() == in_chart(
        {"1800": "1100.50", "3800": "209.00", "3820": "-209.00", "4400": "1100.42", "4830": "0.08"}
    )


def test_a_credit_loss_may_be_of_a_day_that_is_over(company: Place) -> None:
    seller(company)
    sold = accepted(company, "code=A1,count=1")
    company.run("invoice", "credit-loss", sold, "--date", "2026-03-31")
    (lost,) = company.json("document", "list", "--from", "2026-03-31", "--to", "2026-03-31")
    assert (lost["description"], boxes(company)) == ("Invoice 1", {})


def test_a_credit_loss_is_an_adjustment(company: Place) -> None:
    post(company, "--debit", "1700", "--credit", "3000:125.50@1/25.5")
    post(company, "--debit", "8600:10.00@3", "--debit", "2939:2.55@3", "--credit", "1700:12.55@3")
    assert company.try_run("vat", "return", *MARCH).code == 10
    assert boxes(company, "--adjustments", "301") == {"301": "22.95", "308": "22.95"}
    assert boxes(company, "--adjustments", "307") == {"301": "25.50", "307": "2.55", "308": "22.95"}


def test_a_payment_of_vat_is_none(company: Place) -> None:
    post(company, "--debit", "1910", "--credit", "3000:125.50@1/25.5")
    payment = post(company, "--debit", "2939:38.25@3", "--credit", "1910")
    refused = company.try_run("vat", "return", *MARCH)
    assert refused.code == 10
    assert "make payments of VAT documents of type vat" in refused.err
    refused = company.try_run("vat", "period", "report", "2026-03", "--yes")
    assert (refused.code, "make payments of VAT documents of type vat" in refused.err) == (8, True)
    company.run("document", "update", str(payment), "--type", "vat")
    assert boxes(company) == {"301": "25.50", "308": "25.50"}


def pay_march(place: Place) -> dict[str, str]:
    """Report March, pay its VAT on 12 May, and return what the accounts hold that it may have moved."""
    (period,) = place.json("vat", "period", "list")
    owed = str(place.json("vat", "period", "report", str(period["id"]), "--yes")["purchase_invoice_id"])
    paid = place.json("purchase", "pay", owed, "--date", "2026-05-12")
    assert (paid["is_paid"], paid["document"]["type"], paid["document"]["date"]) == (True, 3, "2026-05-12")
    again = place.try_run("purchase", "pay", owed)
    assert (again.code, "is paid: nothing is open" in again.err) == (2, True)
    assert boxes(place, period="2026-05") == {}
    types = ("--type", "LIA_VAT", "--type", "LIA_ACC", "--type", "ASS_PAY")
    numbers = [one["number"] for one in place.json("account", "list", "--all", *types)]
    held = {number: str(place.json("account", "get", number)["balance"]) for number in numbers}
    return {number: balance for number, balance in held.items() if balance != "0.00"}


def test_the_vat_of_a_period_is_paid_from_what_the_books_owe(company: Place) -> None:
    post(company, "--debit", "1910", "--credit", "3000:125.50@1/25.5")
    assert pay_march(company) == {"1910": "100.00"}


@each_chart
def test_in_germany_it_is_a_prepayment_of_vat(place: Place, chart: str) -> None:
    german = in_germany(place, chart)
    post(german, "--debit", "1800", "--credit", "4400:119@1/19", chart=chart)
    bank, owed, prepaid = (of_chart(chart, number) for number in ("1800", "3800", "3820"))
    assert pay_march(german) == {bank: "100.00", owed: "19.00", prepaid: "-19.00"}


def paid_of_vat(place: Place, owed: int, *options: str) -> tuple[str, str, bool]:
    """Pay VAT; return what was said, what VAT is owed then and whether the debt is paid."""
    said = place.run("purchase", "pay", str(owed), "--date", "2026-05-13", *options, "--json")
    is_paid = json.loads(said.out)["is_paid"]
    return said.err, str(place.json("account", "get", "2939")["balance"]), is_paid


def filed(company: Place) -> tuple[int, int]:
    """Sell for 25.50 of VAT in March, and report it; return the ids of the VAT period and of the debt."""
    post(company, "--debit", "1910", "--credit", "3000:125.50@1/25.5")
    (period,) = company.json("vat", "period", "list")
    reported = company.json("vat", "period", "report", str(period["id"]), "--yes")
    return period["id"], reported["purchase_invoice_id"]


@pytest.mark.parametrize("is_by_hand", [True, False])
def test_vat_that_is_paid_in_parts_is_paid_once(company: Place, is_by_hand: bool) -> None:
    period, owed = filed(company)
    if is_by_hand:
        legs = ("--debit", "2939:10@3", "--credit", "1910")
        company.run("document", "create", "--type", "vat", "--date", "2026-05-12", *legs)
    else:
        said, balance, is_paid = paid_of_vat(company, owed, "--amount", "10")
        assert ("15.50 is open" in said, balance, is_paid) == (True, "15.50", False)
    too_much = company.try_run("purchase", "pay", str(owed), "--amount", "15.51")
    assert (too_much.code, "15.50 is open of the 25.50" in too_much.err) == (2, True)
    said, balance, is_paid = paid_of_vat(company, owed)
    assert ("15.50 of VAT is paid" in said and "paid before: 2605" in said, balance, is_paid) == (True, "0.00", True)
    company.run("vat", "period", "reopen", str(period), "--reason", "more", "--yes")
    post(company, "--debit", "1910", "--credit", "3000:12.55@1/25.5")
    more = company.json("vat", "period", "report", str(period), "--yes")["purchase_invoice_id"]
    assert paid_of_vat(company, more)[1:] == ("0.00", True)


def test_two_who_pay_vat_at_once_pay_it_once(company: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    _, owed = filed(company)
    part: tuple[str, ...] = ("purchase", "pay", str(owed), "--date", "2026-05-12", "--amount", "10")
    looked, others = vat_debt._open, iter([part])

    def before_another(*given: Any) -> Any:
        found = looked(*given)
        for other in others:
            company.run(*other)
        return found

    monkeypatch.setattr(vat_debt, "_open", before_another)
    company.run(*part)
    assert [str(one["balance"]) for one in company.json("document", "list", "--search", "Part of Payment")] == [
        "-10.00"
    ]
    # keys are of one user: that of another is as good as another key
    others = iter([(*part, "--idempotency-key", "of another user")])
    done = company.try_run("purchase", "pay", str(owed), "--date", "2026-05-13")
    assert (done.code, "were posted for it at the same moment" in done.err) == (10, True), done.err


def test_what_was_paid_of_vat_before_a_period_is_reopened_is_not_paid_again(company: Place) -> None:
    period, owed = filed(company)
    paid_of_vat(company, owed, "--amount", "10")
    company.run("vat", "period", "reopen", str(period), "--reason", "more", "--yes")
    post(company, "--debit", "1910", "--credit", "3000:12.55@1/25.5")
    anew = company.json("vat", "period", "report", str(period), "--yes")["purchase_invoice_id"]
    assert paid_of_vat(company, anew)[1:] == ("0.00", True)


def test_each_period_is_paid_in_any_order_and_what_was_paid_by_hand_is_taken_off_the_oldest(company: Place) -> None:
    _, march = filed(company)
    post(company, "--debit", "1910", "--credit", "3000:251@1/25.5", date="2026-04-14")
    april = company.json("vat", "period", "create", "--start", "2026-04-01", "--period", "month")["id"]
    owed = company.json("vat", "period", "report", str(april), "--yes")["purchase_invoice_id"]
    legs = ("--debit", "2939:10@3", "--credit", "1910")
    company.run("document", "create", "--type", "vat", "--date", "2026-05-12", *legs)
    assert paid_of_vat(company, owed)[1:] == ("15.50", True)
    assert paid_of_vat(company, march)[1:] == ("0.00", True)


def test_parts_of_two_periods_are_each_paid_once(company: Place) -> None:
    """What the books owe is more than what is open of each, and does not tell of which a part was paid."""
    _, march = filed(company)
    post(company, "--debit", "1910", "--credit", "3000:251@1/25.5", date="2026-04-14")
    april = company.json("vat", "period", "create", "--start", "2026-04-01", "--period", "month")["id"]
    owed = company.json("vat", "period", "report", str(april), "--yes")["purchase_invoice_id"]
    assert paid_of_vat(company, owed, "--amount", "20")[1:] == ("56.50", False)
    assert paid_of_vat(company, march, "--amount", "10")[1:] == ("46.50", False)
    too_much = company.try_run("purchase", "pay", str(owed), "--amount", "31.01")
    assert (too_much.code, "31.00 is open of the 51.00" in too_much.err) == (2, True)
    assert paid_of_vat(company, owed)[1:] == ("15.50", True)
    assert paid_of_vat(company, march)[1:] == ("0.00", True)


def test_a_part_of_vat_by_payments_is_paid_once(company: Place) -> None:
    """The account of the VAT that is owed holds that of invoices that nobody has paid, too."""
    company.run(
        "business", "update", company.environ["ACCTCLI_BUSINESS"], "--set", "vat_reporting_method=FI_CASH_BASIS"
    )
    unpaid = ("--debit", "1700", "--credit", "3000:125.50@1/25.5")
    company.run("document", "create", "--date", "2026-03-10", *unpaid)
    period, owed = filed(company)
    assert paid_of_vat(company, owed, "--amount", "10")[1:] == ("41.00", False)
    too_much = company.try_run("purchase", "pay", str(owed), "--amount", "15.51")
    assert (too_much.code, "15.50 is open of the 25.50" in too_much.err) == (2, True)
    company.run("vat", "period", "reopen", str(period), "--reason", "more", "--yes")
    anew = company.json("vat", "period", "report", str(period), "--yes")["purchase_invoice_id"]
    assert paid_of_vat(company, anew)[1:] == ("25.50", True)


def test_a_payment_of_vat_that_was_reversed_is_paid_anew(company: Place) -> None:
    _, owed = filed(company)
    paid = company.json("purchase", "pay", str(owed), "--date", "2026-05-12")["document"]["id"]
    company.run("document", "reverse", str(paid), "--date", "2026-05-13")
    assert company.json("purchase", "get", str(owed))["is_paid"] is False
    assert paid_of_vat(company, owed)[1:] == ("0.00", True)


def customer(place: Place, name: str, vat_id: str | None) -> int:
    named = () if vat_id is None else ("--vat-id", vat_id)
    number: int = place.json("contact", "create", "--name", name, *named)["id"]
    return number


def test_eu_sales_are_stated(company: Place) -> None:
    swede, greek = customer(company, "Kund AB", "SE556000000101"), customer(company, "Pelatis", "GR094259216")
    post(company, "--debit", "1700", "--credit", "3380:500@6/0", contact=swede)
    post(company, "--debit", "1700", "--credit", "3380:-100@6/0", contact=swede)
    post(company, "--debit", "1700", "--credit", "3000:40.50@5/0", contact=greek)
    company.run("vat", "recapitulative", *MARCH, "--filing-file", "eu.txt")
    assert without_timestamp(company.folder / "eu.txt") == [
        "000:VSRALVYV", "010:0112038-9", "052:3", "053:2026", "001:2",
        "102:EL", "103:094259216", "210:40,50", "211:0,00", "212:0,00", "009:1",
        "102:SE", "103:556000000101", "210:0,00", "211:400,00", "212:0,00", "009:2",
        "048:acctcli", "014:0112038-9_AC", "999:1",
    ]  # fmt: skip
    assert boxes(company) == {"311": "40.50", "312": "400.00"}


def test_a_customer_without_vat_id_is_named(company: Place) -> None:
    post(company, "--debit", "1700", "--credit", "3380:500@6/0", contact=customer(company, "Nemo", None))
    refused = company.try_run("vat", "recapitulative", *MARCH, "--filing-file", "eu.txt")
    assert refused.code == 10
    assert "documents: 260314-1 (Nemo): the customer has no VAT number" in refused.err
    assert not (company.folder / "eu.txt").exists()


def test_the_calendar_follows_the_books(company: Place) -> None:
    swede = customer(company, "Kund AB", "SE556000000101")
    for one in company.json("vat", "period", "list", "--all"):
        company.run("vat", "period", "delete", str(one["id"]), "--yes")
    company.run("vat", "period", "create", "--set", "start_date=2026-01-01", "--set", "period=1")
    post(company, "--debit", "1700", "--credit", "3380:500@6/0", date="2026-02-10", contact=swede)
    shown = company.json("vat", "calendar", "--from", "2026", "--to", "2026")
    assert [(one["due_date"], one["duty"], one["period"]) for one in shown] == [
        ("2026-03-20", "EU recapitulative statement", "2026-02"),
        ("2026-05-12", "VAT return", "2026-Q1"),
        # these are not made yet
        ("2026-06-12", "VAT return", "2026-04"),
        ("2026-07-13", "VAT return", "2026-05"),
        ("2026-08-12", "VAT return", "2026-06"),
        ("2026-09-14", "VAT return", "2026-07"),
        ("2026-10-12", "VAT return", "2026-08"),
        ("2026-11-12", "VAT return", "2026-09"),
        ("2026-12-14", "VAT return", "2026-10"),
    ]


@each_chart
def test_a_german_month(place: Place, chart: str) -> None:
    german = in_germany(place, chart)
    german.run(
        "api", "POST", "/v1/business/{business}/identifiers/",
        "--field", "type=steuernummer", "--field", "value=21/815/08150",
    )  # fmt: skip
    post(german, "--debit", "1800", "--credit", "4400:1190.50@1/19", chart=chart)
    for bought in ("6837:119@2/19", "6837:100@8/19", "6837:100@15/19"):
        post(german, "--credit", "1800", "--debit", bought, chart=chart)
    kunde = customer(german, "Asiakas Oy", "FI01120389")
    post(german, "--debit", "1200", "--credit", "4336:500.99@6/0", contact=kunde, chart=chart)
    assert boxes(german) == {
        "81": "1000", "46": "100", "47": "19.00", "21": "500", "66": "19.00", "62": "19.00", "67": "19.00",
        "83": "152.00",
    }  # fmt: skip
    german.run("vat", "return", *MARCH, "--filing-file", "ustva.csv")
    text = (german.folder / "ustva.csv").read_bytes().decode()
    assert text.startswith("Kz;Wert;Bezeichnung\r\nSteuernummer;2181508150;\r\nZeitraum;2026 03;\r\n81;1000;")
    german.run("vat", "recapitulative", *MARCH, "--filing-file", "zm.csv")
    assert (german.folder / "zm.csv").read_text().splitlines()[3:] == ["FI01120389,500,S"]


@pytest.mark.parametrize(
    ("leg", "date", "told"),
    [
        ("3000:124@1/24", "2026-03-14", "24 % is no VAT rate of Finland on 2026-03-14: the rate is 25.5 % on that day"),
        ("3000:124@1/25.5", "2024-08-31", "on 2024-08-31: the rate is 24 % on that day"),
        ("3000:119@1/19", "2026-03-14", "the rates are 25.5, 13.5 and 10 %"),
    ],
)
def test_a_rate_the_law_lacks_is_posted_only_if_it_is_meant(company: Place, leg: str, date: str, told: str) -> None:
    given = ("document", "create", "--date", date, "--debit", "1910", "--credit", leg)
    for year in (2025, 2024):
        company.run("period", "create", "--start", f"{year}-01-01", "--end", f"{year}-12-31")
    refused = company.try_run(*given)
    assert (refused.code, told in refused.err, "--foreign-vat" in refused.err) == (2, True, True)
    assert company.json("document", "list") == []
    posted = company.json(*given, "--foreign-vat")["id"]
    changed = company.try_run("document", "update", str(posted), "--credit", leg)
    assert (changed.code, told in changed.err) == (2, True)
    company.run("document", "update", str(posted), "--credit", leg, "--foreign-vat")


def test_every_line_of_a_file_has_rates_of_its_day(company: Place) -> None:
    rows = [("2026-03-01", 25.5), ("2026-03-02", 13.5), ("2026-03-03", 14)]
    lines = [
        {
            "date": date,
            "blueprint": {
                "debet_account_id": 1910,
                "credit_entries": [{"account_id": 3000, "vat_code": 1, "vat_rate": rate, "amount": 10}],
            },
        }
        for date, rate in rows
    ]
    file = company.folder / "month.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    given = ("document", "create", "--file", str(file), "--account-numbers")
    refused = company.try_run(*given)
    assert (refused.code, "line 3: 14 % is no VAT rate of Finland on 2026-03-03" in refused.err) == (2, True)
    assert company.json("document", "list") == []
    company.run(*given, "--foreign-vat")
    assert len(company.json("document", "list")) == 3
