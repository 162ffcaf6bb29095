"""VAT and EU sales over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.report import EuVatReport, VatReport
from tests.replies import check_reply
from tests.service.actor import Actor
from tests.service.routes.books import Books, open_books
from tests.service.routes.reports import ask, read, span

D = Decimal
MARCH = span("2026-03-01", "2026-03-31")
NOTHING = {"base": D("0.00"), "vat": D("0.00")}


def post_examples(books: Books, day: str, **fields: object) -> None:
    """Post E1, E5 and E6 of docs/interface.md 5.5."""
    bought = [books.row("4000", "62.75", 2, "25.5"), books.row("7800", "10.00", 2, "13.5"), books.row("8500", "5.00")]
    for blueprint in (
        books.sales("1910", [books.row("3000", "125.50", 1, "25.5")]),
        books.purchase("1910", bought),
        books.purchase("1910", [books.row("4450", "100.00", 8, "25.5")]),
    ):
        books.create("document/", {"date": day, "blueprint": blueprint, **fields})


def test_the_worked_examples_are_shown_whole(books: Books) -> None:
    post_examples(books, "2026-03-31")
    post_examples(books, "2026-04-01")
    post_examples(books, "2026-03-31", is_draft=True)
    reply = ask(books, "vat-report", MARCH, span("2026-01-01", "2026-12-31"))
    assert reply.body == {
        "report_type": "vat_report",
        "date_from": "2026-03-01",
        "date_to": "2026-03-31",
        "summary": {
            "domestic_sales": {"25.50": {"base": D("100.00"), "vat": D("25.50")}},
            "zero_rated_sales": D("0.00"),
            "eu_goods_sales": D("0.00"),
            "eu_service_sales": D("0.00"),
            "non_eu_sales": D("0.00"),
            "construction_sales": D("0.00"),
            "eu_goods_purchases": NOTHING,
            "eu_service_purchases": {"base": D("100.00"), "vat": D("25.50")},
            "import_goods": NOTHING,
            "non_eu_service_purchases": NOTHING,
            "construction_purchases": NOTHING,
            "adjustments": D("0.00"),
            "deductible_vat": D("39.44"),
            "vat_payable": D("11.56"),
        },
    }
    check_reply(VatReport, reply.body)


def test_services_from_outside_the_eu_are_told_by_rate(books: Books) -> None:
    rows = [books.row("4470", "1000.00", 14, "25.5"), books.row("4470", "200.00", 14, "13.5")]
    books.create("document/", {"date": "2026-03-10", "blueprint": books.purchase("1910", rows)})
    report = read(books, "vat-report", MARCH)
    summary = report["summary"]
    assert summary["non_eu_service_purchases"] == {"base": D("1200.00"), "vat": D("282.00")}
    assert summary["non_eu_service_purchases_by_rate"] == {
        "13.50": {"base": D("200.00"), "vat": D("27.00")},
        "25.50": {"base": D("1000.00"), "vat": D("255.00")},
    }
    assert (summary["deductible_vat"], summary["vat_payable"]) == (D("282.00"), D("0.00"))
    check_reply(VatReport, report)


def test_vat_postings_do_not_count(books: Books) -> None:
    post_examples(books, "2026-03-15")
    before = read(books, "vat-report", MARCH)
    books.create("document/", {"date": "2026-03-31", "type": 3, "blueprint": books.simple("12.75", "2939", "1763")})
    assert read(books, "vat-report", MARCH) == before


def test_a_long_range_is_the_sum_of_its_years(books: Books) -> None:
    books.keep_books(2024)
    for day in ("2024-12-31", "2025-01-01", "2025-12-31", "2026-01-01"):
        post_examples(books, day)
    summary = read(books, "vat-report", span("2025-01-01", "2026-12-31"))["summary"]
    assert summary["domestic_sales"] == {"25.50": {"base": D("300.00"), "vat": D("76.50")}}
    assert summary["vat_payable"] == D("34.68")
    longest = read(books, "vat-report", span("0001-01-01", "9999-12-31"))["summary"]
    assert longest["vat_payable"] == D("46.24")


@pytest.mark.everywhere
@pytest.mark.parametrize("report", ["vat-report", "eu-vat-contact-report"])
def test_only_documents_with_a_tag(books: Books, other_books: Books, report: str) -> None:
    project = books.tag("Project")
    empty = read(books, report, MARCH)
    for tag_ids in ([project], []):
        post_examples(books, "2026-03-02", tag_ids=tag_ids)
        sale = books.sales("1700", [books.row("3380", "500.00", 6)])
        books.create("document/", {"date": "2026-03-03", "blueprint": sale, "tag_ids": tag_ids})
    found, both = read(books, report, MARCH, tag_ids=[project]), read(books, report, MARCH)
    assert read(books, report, MARCH, tag_ids=[books.tag("Unused")]) == empty
    if report == "vat-report":
        assert (found["summary"]["vat_payable"], both["summary"]["vat_payable"]) == (D("11.56"), D("23.12"))
    else:
        assert (len(found["rows"]), len(both["rows"])) == (1, 2)
    foreign = ask(books, report, MARCH, tag_ids=[other_books.tag("Theirs")])
    assert (foreign.status, foreign.faults) == (400, ["tag_ids"])


@pytest.fixture
def german_books(bookkeeper: Actor) -> Books:
    """A German company."""
    return open_books(bookkeeper, form="DE_UG")


def of_type(books: Books, kind: str) -> str:
    return next(number for number, account_id in books.ids.items() if books.account(number)["type"] == kind)


def test_german_companies_get_the_fields_of_their_form(german_books: Books) -> None:
    books = german_books
    bank, revenue, cost = (of_type(books, kind) for kind in ("ASS_PAY", "REV_SAL", "EXP"))
    for blueprint in (
        books.sales(bank, [books.row(revenue, "119.00", 1, "19"), books.row(revenue, "53.50", 1, "7")]),
        books.purchase(bank, [books.row(cost, "23.80", 2, "19"), books.row(cost, "10.00", 8, "19")]),
    ):
        books.create("document/", {"date": "2026-03-10", "blueprint": blueprint})
    report = read(books, "vat-report", MARCH)
    assert report == {
        "report_type": "vat_report",
        "date_from": "2026-03-01",
        "date_to": "2026-03-31",
        "totals": {"output_vat": D("24.40"), "input_vat": D("5.70"), "vat_payable": D("18.70")},
        "mapping": {
            "81": D("100.00"),
            "86": D("50.00"),
            "46": D("10.00"),
            "47": D("1.90"),
            "66": D("3.80"),
            "67": D("1.90"),
            "83": D("18.70"),
        },
    }
    check_reply(VatReport, report)


def sell(books: Books, day: str, number: str, code: int, amount: str, contact: int | None = None) -> Any:
    blueprint = books.sales("1700", [books.row(number, amount, code)])
    return books.create("document/", {"date": day, "blueprint": blueprint, "contact_id": contact})


def test_eu_sales_are_shown_whole(books: Books) -> None:
    books.create("identifiers/", {"type": "vat_code", "value": "FI01120389"})
    swede = books.contact("Kund AB", type="BUSINESS", invoicing_tax_code="SE556677889901")
    person = books.contact("Nils", type="PERSON", invoicing_country="SE")
    both = books.sales("1700", [books.row("3370", "10.00", 5), books.row("3380", "1.00", 6), books.row("3380", "2", 6)])
    first = books.create("document/", {"date": "2026-03-31", "contact_id": swede, "blueprint": both})
    second = sell(books, "2026-03-02", "3380", 6, "500.00", person)
    third = sell(books, "2026-03-03", "3380", 6, "7.00")
    sell(books, "2026-04-01", "3380", 6, "8.00", swede)
    sell(books, "2026-03-04", "3200", 4, "9.00", swede)
    report = read(books, "eu-vat-contact-report", MARCH)

    def row(document: Any, handling: str, amount: str, **buyer: Any) -> dict[str, Any]:
        unknown = {"country_code": "", "vat_id": "", "name": "", "vat_id_missing": True, "contact_missing": True}
        return unknown | buyer | {
            "vat_handling": handling,
            "net_amount": D(amount),
            "document_id": document["id"],
            "document_number": document["number"],
        }  # fmt: skip

    kund = {"country_code": "SE", "vat_id": "SE556677889901", "name": "Kund AB"}
    known = {"vat_id_missing": False, "contact_missing": False}
    assert report == {
        "report_type": "eu_vat_contact_report",
        "date_from": "2026-03-01",
        "date_to": "2026-03-31",
        "business_vat_id": "FI01120389",
        "rows": [
            row(third, "services", "7.00"),
            row(first, "goods", "10.00", **kund, **known),
            row(first, "services", "3.00", **kund, **known),
        ],
        "private_person_rows": [
            row(second, "services", "500.00", country_code="SE", name="Nils", contact_missing=False)
        ],
    }
    check_reply(EuVatReport, report)


def test_eu_sales_tie_to_the_vat_report(books: Books) -> None:
    for code, number, amount in ((5, "3370", "10.00"), (6, "3380", "4.00"), (6, "3380", "-1.50")):
        sell(books, "2026-03-02", number, code, amount)
    summary = read(books, "vat-report", MARCH)["summary"]
    rows = read(books, "eu-vat-contact-report", MARCH)["rows"]
    sums = {
        handling: sum(row["net_amount"] for row in rows if row["vat_handling"] == handling)
        for handling in ("goods", "services")
    }
    assert sums == {"goods": summary["eu_goods_sales"], "services": summary["eu_service_sales"]}
    assert sums == {"goods": D("10.00"), "services": D("2.50")}


@pytest.mark.parametrize("type_", [0, 3])
def test_no_posting_of_vat_is_a_sale_to_the_eu(books: Books, type_: int) -> None:
    """Of a document of type 3 nothing counts, of others what stands on accounts of VAT does not."""
    sell(books, "2026-03-02", "3380", 6, "4.00")
    before = read(books, "eu-vat-contact-report", MARCH)
    rows = [books.row("2939", "1.00", 6), books.row("1763", "2.00", 5)]
    if type_ == 3:
        rows.append(books.row("3380", "3.00", 6))
    books.create("document/", {"date": "2026-03-31", "type": type_, "blueprint": books.sales("1700", rows)})
    assert (len(before["rows"]), read(books, "eu-vat-contact-report", MARCH)) == (1, before)


def test_no_sales_no_vat_id(books: Books) -> None:
    assert read(books, "eu-vat-contact-report", span("2016-01-01", "2026-12-31")) == {
        "report_type": "eu_vat_contact_report",
        "date_from": "2016-01-01",
        "date_to": "2026-12-31",
        "business_vat_id": "",
        "rows": [],
        "private_person_rows": [],
    }
