"""VAT reported by payments over HTTP, on SQLite and on PostgreSQL, of books and of invoices (docs/law.md 2.5)."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.report import VatReport
from acctcli.models.vat_period import ReportedVatPeriod
from tests.replies import check_reply
from tests.service.actor import Actor, World
from tests.service.routes.books import Books, open_books
from tests.service.routes.reports import read, span
from tests.service.routes.shop import Shop, row

D = Decimal
BY_CLAIMS = {"has_accrual_based_entries_for_invoicing": True}
FINNISH = {"vat_reporting_method": "FI_CASH_BASIS", **BY_CLAIMS}
GERMAN = {"form": "DE_UG", "vat_reporting_method": "DE_CASH_BASIS", **BY_CLAIMS}
ENDS = {1: 31, 2: 28, 3: 31, 4: 30, 5: 31, 6: 30}


@pytest.fixture
def finnish(bookkeeper: Actor) -> Shop:
    return Shop(open_books(bookkeeper, **FINNISH))


def report(books: Books, month: int, **query: Any) -> Any:
    """Return the groups of the VAT report of a month of 2026."""
    return read(books, "vat-report", span(f"2026-{month:02}-01", f"2026-{month:02}-{ENDS[month]}"), **query)


def payable(books: Books, *months: int) -> list[str]:
    return [str(report(books, month)["summary"]["vat_payable"]) for month in months]


def relate(books: Books, settling: int, claim: int) -> None:
    books.create(f"document/{settling}/relation/", {"related_document": claim, "role": "SETTLEMENT"})


def pay(books: Books, day: str, amount: str, claim: int, account: str = "1700") -> int:
    """Post money that came in, and relate it to what it pays."""
    blueprint = books.sales("1910" if account == "1700" else "1800", [books.row(account, amount)])
    payment = int(books.create("document/", {"date": day, "blueprint": blueprint})["id"])
    relate(books, payment, claim)
    return payment


def test_an_invoice_is_reported_as_it_is_paid(finnish: Shop) -> None:
    books = finnish.books
    invoice = finnish.accepted(row("100.00", "1", "25.50"), row("100.00", "1", "10.00"), invoicing_date="2026-01-10")
    claim = invoice["document"]["id"]
    assert payable(books, 1) == ["0.00"]
    pay(books, "2026-02-10", "117.75", claim)
    pay(books, "2026-03-10", "117.75", claim)
    assert payable(books, 1, 2, 3, 4) == ["0.00", "17.75", "17.75", "0.00"]
    assert report(books, 2)["summary"]["domestic_sales"] == {
        "25.50": {"base": D("50.00"), "vat": D("12.75")},
        "10.00": {"base": D("50.00"), "vat": D("5.00")},
    }


def test_what_nobody_pays_is_reported_twelve_months_after_its_delivery(finnish: Shop) -> None:
    finnish.books.keep_books(2025)
    finnish.accepted(invoicing_date="2025-06-10", settlement_date="2025-04-30")
    finnish.accepted(row("100.00", "1", "25.50"), invoicing_date="2025-05-10")
    assert payable(finnish.books, 3, 4, 5, 6) == ["0.00", "51.00", "25.50", "0.00"]


def test_a_credit_note_and_a_loss_bring_back_no_vat_that_was_never_reported(finnish: Shop) -> None:
    books = finnish.books
    first, second = (finnish.accepted(invoicing_date="2026-01-10") for _ in range(2))
    finnish.accepted(row(count="-2"), is_credit_note_for=first["id"], invoicing_date="2026-02-10")
    pay(books, "2026-02-20", "125.50", second["document"]["id"])
    finnish.act(second, "credit_loss")
    assert payable(books, 1, 2, 3, 4) == ["0.00", "25.50", "0.00", "0.00"]
    assert books.balance("1700") == "0.00"


def test_purchases_are_deducted_when_they_are_paid(finnish: Shop) -> None:
    books = finnish.books
    bought = books.create(
        "document/",
        {"date": "2026-01-10", "blueprint": books.purchase("2871", [books.row("4000", "100.00", 2, "25.50", 1)])},
    )
    paid = books.create(
        "document/", {"date": "2026-03-10", "blueprint": books.purchase("1910", [books.row("2871", "125.50")])}
    )
    assert payable(books, 1, 3) == ["0.00", "-25.50"]
    relate(books, paid["id"], bought["id"])
    assert payable(books, 1, 3) == ["0.00", "-25.50"]


def test_sales_to_other_countries_and_what_the_buyer_owes_the_tax_of_keep_their_day(finnish: Shop) -> None:
    books = finnish.books
    rows = [books.row("3000", "70.00", 5), books.row("3000", "50.00", 6), books.row("3000", "30.00", 10)]
    books.create("document/", {"date": "2026-01-10", "blueprint": books.sales("1700", rows)})
    summary = report(books, 1)["summary"]
    found = {name: value for name, value in summary.items() if isinstance(value, Decimal) and value}
    assert sorted(found.values()) == [D("30.00"), D("50.00"), D("70.00")]


@pytest.mark.everywhere
def test_a_report_of_tagged_documents_follows_their_payments(finnish: Shop) -> None:
    books = finnish.books
    tag_id = books.tag("Shop")
    claims = []
    for tags in ([tag_id], []):
        blueprint = books.sales("1700", [books.row("3000", "100.00", 1, "25.50", 1)])
        body = {"date": "2026-01-10", "blueprint": blueprint, "tag_ids": tags}
        claims.append(books.create("document/", body)["id"])
    pay(books, "2026-02-10", "125.50", claims[0])
    pay(books, "2026-02-11", "62.75", claims[1])
    assert payable(books, 2) == ["38.25"]
    of_tag = [report(books, month, tag_ids=[tag_id])["summary"]["vat_payable"] for month in (1, 2)]
    assert of_tag == [D("0.00"), D("25.50")]


def test_germany_reports_sales_by_payments_and_deducts_by_invoices(bookkeeper: Actor) -> None:
    books = open_books(bookkeeper, **GERMAN)
    blueprint = books.sales("1200", [books.row("4400", "1000.00", 1, "19.00", 1)])
    claim = books.create("document/", {"date": "2026-01-10", "blueprint": blueprint})["id"]
    bought = books.purchase("3300", [books.row("5400", "100.00", 2, "19.00", 1)])
    books.create("document/", {"date": "2026-01-11", "blueprint": bought})
    blueprint = books.sales("1800", [books.row("1200", "595.00")])
    payment = books.create("document/", {"date": "2026-02-10", "blueprint": blueprint})["id"]
    relate(books, payment, claim)
    assert [report(books, month)["mapping"] for month in (1, 2, 3)] == [
        {"66": D("19.00"), "83": D("-19.00")},
        {"81": D("500.00"), "83": D("95.00")},
        {"83": D("0.00")},
    ]


@pytest.mark.parametrize(("method", "lost"), [("DEFAULT", {"50": D("100.00")}), ("DE_CASH_BASIS", {})])
def test_a_german_loss_is_stated_beside_the_sales_where_they_were_reported(
    bookkeeper: Actor, method: str, lost: dict[str, Decimal]
) -> None:
    books = open_books(bookkeeper, **{**GERMAN, "vat_reporting_method": method})
    shop = Shop(books)
    invoice = shop.accepted(row("100.00", "1", "19.00"), invoicing_date="2026-01-10")
    shop.act(invoice, "credit_loss")
    rent = {"date": "2026-04-05", "blueprint": books.sales("1800", [books.row("4400", "700.00")])}
    books.create("document/", rent)
    taken_back = {"81": D("-100.00")} if lost else {}
    vat = D("-19.00") if lost else D("0.00")
    assert report(books, 4)["mapping"] == {**taken_back, "48": D("700.00"), "83": vat, **lost}


def test_a_period_that_is_reported_owes_what_was_paid_in_it(finnish: Shop, shared: World) -> None:
    books = finnish.books
    invoice = finnish.accepted(invoicing_date="2026-04-01")
    pay(books, "2026-04-10", "125.50", invoice["document"]["id"])
    shared.clock.now = datetime(2026, 5, 4, 9, tzinfo=UTC)
    (period,) = books.get("vat_period/").body["results"]
    reported = books.act(f"vat_period/{period['id']}/action/report/")
    assert reported["filing_tax_to_be_paid"] == D("25.50")
    # the rest waits on its account, and comes in May
    assert books.balance("2939") == "51.00"
    pay(books, "2026-05-03", "125.50", invoice["document"]["id"])
    assert payable(books, 4, 5) == ["25.50", "25.50"]


PLACES = {"FI_OY": ("1910", "1700", "3000", "25.50"), "DE_UG": ("1800", "1200", "4400", "19.00")}


@pytest.mark.parametrize("settings", [FINNISH | {"form": "FI_OY"}, GERMAN], ids=["FI", "DE"])
def test_money_without_a_claim_is_told_by_the_report_and_by_filing(
    bookkeeper: Actor, shared: World, settings: dict[str, Any]
) -> None:
    books = open_books(bookkeeper, **settings)
    bank, receivables, sales, rate = PLACES[settings["form"]]
    early, other = books.contact("Early Oy"), books.contact("Other Oy")

    def post(day: str, blueprint: Any, contact: int) -> Any:
        return books.create("document/", {"date": day, "blueprint": blueprint, "contact_id": contact})

    post("2026-03-01", books.sales(receivables, [books.row(sales, "100.00", 1, rate, 1)]), other)
    prepaid = post("2026-04-01", books.sales(bank, [books.row(receivables, "80.00")]), early)
    back = post("2026-05-01", books.sales(receivables, [books.row(bank, "40.00")]), other)
    told = {"document_id": prepaid["id"], "number": "260401-1", "date": "2026-04-01", "amount": D("80.00")}
    assert report(books, 4)["unclaimed_money"] == [told]
    check_reply(VatReport, report(books, 4))
    of_may = {"document_id": back["id"], "number": "260501-1", "date": "2026-05-01", "amount": D("40.00")}
    assert [report(books, month).get("returned_money") for month in (4, 5)] == [None, [of_may]]
    assert ["unclaimed_money" in report(books, month) for month in (3, 5)] == [False, False]
    assert "unclaimed_money" not in report(books, 4, tag_ids=[books.tag("Shop")])
    shared.clock.now = datetime(2026, 5, 4, 9, tzinfo=UTC)
    (period,) = books.get("vat_period/").body["results"]
    reported = books.act(f"vat_period/{period['id']}/action/report/")
    check_reply(ReportedVatPeriod, reported)
    assert reported["unclaimed_money"] == [told]
    assert "unclaimed_money" not in books.get(f"vat_period/{period['id']}/").body
    # what comes later changes nothing of April, and takes the money
    post("2026-05-02", books.sales(receivables, [books.row(sales, "80.00", 1, rate)]), early)
    assert report(books, 4)["unclaimed_money"] == [told]
    assert "unclaimed_money" not in report(books, 5)


@pytest.mark.together
@pytest.mark.parametrize("by_payment", [True, False])
@pytest.mark.parametrize("settings", [FINNISH | {"form": "FI_OY"}, GERMAN], ids=["FI", "DE"])
def test_what_is_prepaid_with_its_vat_is_reported_then_and_the_final_invoice_less_it(
    bookkeeper: Actor, settings: dict[str, Any], by_payment: bool
) -> None:
    books = open_books(bookkeeper, **{**settings, **({} if by_payment else {"vat_reporting_method": "DEFAULT"})})
    shop = Shop(books)
    bank, receivables, _, rate = PLACES[settings["form"]]
    advances = books.create(
        "account/",
        {"number": "2990", "name_translations": [{"key": "en", "value": "Advances"}], "type": "LIA_ACC"},
    )
    books.ids["2990"] = advances["id"]
    gross = D(100) + D(rate)
    books.create(
        "document/",
        {"date": "2026-01-10", "blueprint": books.sales(bank, [books.row("2990", str(gross), 1, rate)])},
    )
    less = row("-100.00", "1", rate, name="Prepaid", account_id=advances["id"])
    final = shop.accepted(row("250.00", "1", rate), less, invoicing_date="2026-02-10")
    assert final["total_amount"] == gross * D("1.5")
    pay(books, "2026-03-10", str(gross * D("1.5")), final["document"]["id"], receivables)
    vat = D(rate)
    due = [vat, *([D(0), vat * D("1.5")] if by_payment else [vat * D("1.5"), D(0)])]
    found = [report(books, month) for month in (1, 2, 3)]
    owed = [one["summary"]["vat_payable"] if "summary" in one else one["totals"]["vat_payable"] for one in found]
    assert owed == due
    assert not any("unclaimed_money" in one for one in found)
    assert (books.balance("2990"), books.balance(receivables)) == ("0.00", "0.00")


@pytest.mark.parametrize(("form", "method"), [("FI_OY", "DE_CASH_BASIS"), ("DE_UG", "FI_CASH_BASIS")])
def test_the_method_of_another_country_is_refused(bookkeeper: Actor, form: str, method: str) -> None:
    books = open_books(bookkeeper, form=form)
    reply = books.send("PATCH", "", {"vat_reporting_method": method})
    assert reply.status == 400
    own = f"{form[:2]}_CASH_BASIS"
    assert {"vat_reporting_method": reply.body["vat_reporting_method"]} == {
        "vat_reporting_method": [f"A business of this form reports its VAT by DEFAULT or {own}."]
    }
    assert books.change("", vat_reporting_method=own)["vat_reporting_method"] == own


def test_without_it_vat_belongs_to_the_day_of_the_invoice(bookkeeper: Actor) -> None:
    shop = Shop(open_books(bookkeeper, **BY_CLAIMS))
    shop.accepted(invoicing_date="2026-01-10")
    assert payable(shop.books, 1) == ["51.00"]
