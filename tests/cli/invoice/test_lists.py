"""Lists of invoices for machines and people: lines of rows, workbooks, receivables by age."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from acctcli.cli.invoice.aging import by_customer
from acctcli.cli.invoice.lines import INVOICES, ROWS
from acctcli.cli.invoice.reminded import Message, Reminded, Stage
from acctcli.cli.invoice.standing import Invoice, Receiver
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Recorder, Sent, of_a_business, page, recorder, said
from tests.cli.report.test_as_xlsx import Workbook

D = Decimal
ROW = {
    "id": 1, "code": "A1", "name": "Work", "unit": "h", "amount": 100.10, "vat_rate": 25.5, "vat_code": 1, "product": 3,
    "product_count": 2, "description": "x", "total_vat_amount": 51.05, "total_amount": 251.25, "account_id": None,
}  # fmt: skip
INVOICE = {
    "id": 7, "invoice_number": 12, "status": "ACCEPTED", "receiver": 5, "receiver_info": {"name": "Meyer, =1+1"},
    "invoicing_date": "2026-03-01", "due_date": "2026-03-15", "currency": "EUR", "is_past_due": True,
    "rows": [ROW, {**ROW, "id": 2, "code": None}], "total_amount": 502.50, "updated_at": "T",
}  # fmt: skip
DRAFT = {**INVOICE, "id": 8, "invoice_number": None, "status": "DRAFT", "rows": []}


@pytest.fixture
def listed(at: At) -> Iterator[Recorder]:
    with recorder(page(INVOICE, DRAFT)) as server:
        at(server)
        yield server


# --- one line for each row ---


def test_each_row_is_a_line_in_a_fixed_order(cli: Cli, listed: Recorder) -> None:
    lines = succeed(cli("invoice", "list", "--expand", "rows", "--output", "csv")).lines()
    assert lines == [
        ",".join(ROWS),
        '7,12,ACCEPTED,,5,"Meyer, =1+1",2026-03-01,2026-03-15,EUR,1,A1,Work,h,2,100.1,25.5,1,51.05,251.25,,T',
        '7,12,ACCEPTED,,5,"Meyer, =1+1",2026-03-01,2026-03-15,EUR,2,,Work,h,2,100.1,25.5,1,51.05,251.25,,T',
        '8,,DRAFT,,5,"Meyer, =1+1",2026-03-01,2026-03-15,EUR,,,,,,,,,,,,T',
    ]


def test_columns_stay_as_they_are_told() -> None:
    """What is documented and read by others: only the end may grow."""
    assert ",".join(INVOICES).startswith(
        "id,invoice_number,status,is_credit_note_for,receiver,receiver_info.name,invoicing_date,due_date,reference,"
        "currency,total_vat_amount,total_amount,payment_date,last_delivery_at,is_past_due,created_at,updated_at"
    )
    assert ",".join(ROWS).startswith(
        "id,invoice_number,status,is_credit_note_for,receiver,receiver_info.name,invoicing_date,due_date,currency,"
        "row.id,row.code,row.name,row.unit,row.product_count,row.amount,row.vat_rate,row.vat_code,"
        "row.total_vat_amount,row.total_amount,row.account_id,updated_at"
    )


def test_tables_are_short_and_exports_are_not(cli: Cli, listed: Recorder) -> None:
    assert re.split(" {3,}", succeed(cli("invoice", "list")).lines()[0]) == [
        "id", "invoice number", "status", "receiver", "invoicing date", "due date", "total amount", "past due",
        "reminded",
    ]  # fmt: skip
    for form, mark in (("csv", ","), ("tsv", "\t")):
        assert succeed(cli("invoice", "list", "--output", form)).lines()[0] == mark.join(INVOICES)


def test_a_table_tells_the_last_reminder_of_each_and_asks_for_nothing_more(cli: Cli, at: At) -> None:
    day, figures = date(2026, 4, 1), (D("502.50"), D("4.10"), D("5.00"), D("0.00"))
    first = Reminded(Stage.FIRST, day, "email", date(2026, 4, 11), *figures)
    second = Reminded(Stage.SECOND, date(2026, 4, 20), "paper", date(2026, 4, 30), *figures, file=3)
    messages = [{"id": place, "message": text} for place, text in enumerate((str(second), "On its way", str(first)))]
    had = {**INVOICE, "external_status_messages": messages}
    with recorder(page(had, DRAFT, {**INVOICE, "id": 9, "external_status_messages": messages[1:]})) as server:
        at(server)
        lines = succeed(cli("invoice", "list", "--columns", "id,reminded")).lines()
        assert len(server.sent) == 1
        assert [re.split(" {2,}", line.strip()) for line in lines[2:]] == [
            ["7", "Reminder 2 of 2026-04-20"], ["8"], ["9", "Reminder 1 of 2026-04-01"],
        ]  # fmt: skip
        # what is for machines has the fields that the service sent, and no others
        assert "reminded" not in succeed(cli("invoice", "list", "--json")).json()[0]


def test_a_line_is_the_invoice_with_one_row(cli: Cli, listed: Recorder) -> None:
    rows = succeed(cli("invoice", "list", "--expand", "rows", "--json")).json()
    whole = {name: value for name, value in INVOICE.items() if name != "rows"}
    assert rows[0] == {**whole, "row": ROW}
    assert [(row["id"], row["row"] and row["row"]["id"]) for row in rows] == [(7, 1), (7, 2), (8, None)]


def test_columns_of_lines(cli: Cli, listed: Recorder) -> None:
    argv = ("invoice", "list", "--expand", "rows", "--output", "tsv", "--columns", "row.total_amount,id")
    assert succeed(cli(*argv)).lines() == ["row.total_amount\tid", "251.25\t7", "251.25\t7", "\t8"]


def test_only_rows_make_lines(cli: Cli, listed: Recorder) -> None:
    outcome = cli("invoice", "list", "--expand", "tags")
    assert (outcome.code, listed.sent) == (2, [])


# --- workbooks ---


def cells(path: str) -> list[list[str | None]]:
    """The filled cells of each row, numbers marked: `#1.5`."""
    rows = Workbook(Path(path).read_bytes()).rows
    return [[cell.text if cell.number is None else f"#{cell.number}" for cell in row] for row in rows]


def test_a_list_is_a_workbook(cli: Cli, listed: Recorder) -> None:
    succeed(cli("invoice", "list", "--output", "xlsx", "--output-file", "x.xlsx"))
    # days are numbers that are shown as days
    name, days = "Meyer, =1+1", ("#46082", "#46096")
    assert cells("x.xlsx") == [
        list(INVOICES),
        ["#7", "#12", "ACCEPTED", "#5", name, *days, "EUR", "#502.5", "true", "T"],
        ["#8", "DRAFT", "#5", name, *days, "EUR", "#502.5", "true", "T"],
    ]


def test_what_a_cell_cannot_hold_is_text(cli: Cli, at: At) -> None:
    body = b'{"count":1,"next":null,"results":[{"id":1,"a":12345678901234567.89,"b":"=1+1","c":null,"d":0.10}]}'
    with recorder(Answer(body=body)) as server:
        at(server)
        argv = ("tag", "list", "--output", "xlsx", "--columns", "all", "--output-file", "x.xlsx")
        succeed(cli(*argv))
    assert cells("x.xlsx") == [["id", "a", "b", "c", "d"], ["#1", "12345678901234567.89", "=1+1", "#0.10"]]


@pytest.mark.parametrize(("length", "code"), [(32_767, 0), (32_768, 2)])
def test_a_cell_is_whole_or_not_at_all(cli: Cli, at: At, length: int, code: int) -> None:
    with recorder(page({"id": 1, "a": "x" * length})) as server:
        at(server)
        outcome = cli("tag", "list", "--output", "xlsx", "--columns", "id,a", "--output-file", "x.xlsx")
    assert (outcome.code, Path("x.xlsx").exists()) == (code, code == 0)
    assert code == 0 or "a of row 1 has 32768 characters" in outcome.err


def test_an_empty_list_is_a_workbook_with_a_header(cli: Cli, at: At) -> None:
    with recorder(page()) as server:
        at(server)
        succeed(cli("tag", "list", "--output", "xlsx", "--output-file", "x.xlsx"))
    assert cells("x.xlsx") == [["id", "name", "description", "color"]]


# --- receivables by age ---

DAY = date(2026, 6, 30)


def owed(number: int, due: str, amount: str, receiver: int = 5, note_for: int | None = None) -> tuple[Invoice, D]:
    names = {5: "meyer", 6: "Abel"}
    day = date.fromisoformat(due)
    one = Invoice(number, receiver, Receiver(names[receiver]), day, D(amount), "ACCEPTED", is_credit_note_for=note_for)
    return one, one.total_amount


def test_what_is_owed_to_the_customer_is_late_with_nobody() -> None:
    rows = by_customer([owed(1, "2026-03-01", "-9.00"), owed(2, "2026-03-01", "5.00")], DAY)
    assert [(row["not_due"], row["days_over_90"], row["total"]) for row in rows] == [
        (D("-9.00"), D("5.00"), D("-4.00"))
    ]


def test_the_spans_end_on_their_last_days() -> None:
    due = ("2026-07-01", "2026-06-30", "2026-06-29", "2026-05-31", "2026-05-30", "2026-05-01", "2026-04-30")
    older = ("2026-04-01", "2026-03-31", "2020-01-01")
    [row] = by_customer([owed(n, day, "1.00") for n, day in enumerate((*due, *older), 1)], DAY)
    assert row == {
        "receiver": 5,
        "name": "meyer",
        "reminded": None,
        "not_due": D("2.00"),
        "days_1_30": D("2.00"),
        "days_31_60": D("2.00"),
        "days_61_90": D("2.00"),
        "days_over_90": D("2.00"),
        "total": D("10.00"),
    }


def test_a_credit_note_is_as_old_as_its_open_invoice() -> None:
    old, note = owed(1, "2026-01-01", "100.00"), owed(2, "2026-07-10", "-30.00", note_for=1)
    [row] = by_customer([note, old], DAY)
    assert (row["days_over_90"], row["not_due"], row["total"]) == (D("70.00"), D("0.00"), D("70.00"))
    [row] = by_customer([note], DAY)
    assert (row["days_over_90"], row["not_due"]) == (D("0.00"), D("-30.00"))


def test_the_sternest_reminder_of_what_is_open_is_told() -> None:
    def reminded(number: int, amount: str, *texts: str, receiver: int = 5) -> tuple[Invoice, D]:
        one, total = owed(number, "2026-01-01", amount, receiver)
        asked = "to pay by 2026-05-01: 5.00 open, 0.00 interest, 0.00 fees, 0.00 lump sum"
        one.external_status_messages = [Message(f"{text} by paper, {asked}") for text in texts]
        return one, total

    rows = by_customer(
        [
            reminded(
                1, "5.00", "Reminder 2 of 2026-04-10", "Reminder 1 of 2026-03-10", "Collection notice of 2026-07-01"
            ),
            reminded(2, "5.00", "Reminder 1 of 2026-06-10"),
            reminded(3, "-5.00", "Collection notice of 2026-05-01"),
            reminded(4, "5.00", "Reminder 3 of 2026-05-01", "Reminder 1 of 2026-02-30", receiver=6),
        ],
        DAY,
    )
    assert [(row["name"], row["reminded"]) for row in rows] == [("Abel", None), ("meyer", "Reminder 2 of 2026-04-10")]


def test_who_owes_nothing_is_no_row() -> None:
    assert by_customer([owed(1, "2026-01-01", "1.00"), owed(2, "2026-06-01", "-1.00", note_for=1)], DAY) == []


def test_what_is_late_is_shown_also_where_the_customer_is_owed_as_much() -> None:
    assert by_customer([owed(1, "2026-06-15", "9.00"), owed(2, "2026-06-01", "-9.00")], DAY) == [
        {
            "receiver": 5,
            "name": "meyer",
            "reminded": None,
            "not_due": D("-9.00"),
            "days_1_30": D("9.00"),
            "days_31_60": D("0.00"),
            "days_61_90": D("0.00"),
            "days_over_90": D("0.00"),
            "total": D("0.00"),
        }
    ]


def test_customers_stand_by_name_in_any_case() -> None:
    rows = by_customer([owed(1, "2026-06-30", "1.00"), owed(2, "2026-06-30", "2.00", receiver=6)], DAY)
    assert [(row["name"], row["total"]) for row in rows] == [("Abel", D("2.00")), ("meyer", D("1.00"))]


@pytest.fixture
def owing(at: At) -> Iterator[Recorder]:
    common = {"receiver": 5, "receiver_info": {"name": "Meyer"}, "due_date": "2026-06-15", "is_credit_note_for": None}
    rows = [
        {**common, "id": 1, "status": "ACCEPTED", "payment_date": None, "total_amount": 10.10},
        {**common, "id": 2, "status": "PAID", "payment_date": "2026-07-01", "total_amount": 0.20},
        {**common, "id": 3, "status": "PAID", "payment_date": "2026-06-30", "total_amount": 99},
    ]
    with recorder(of_a_business(page(*rows))) as server:
        at(server)
        yield server


MEYER = {
    "receiver": 5, "name": "Meyer", "reminded": None, "not_due": 0.0, "days_1_30": 10.3, "days_31_60": 0.0,
    "days_61_90": 0.0, "days_over_90": 0.0, "total": 10.3,
}  # fmt: skip


@pytest.mark.together
@pytest.mark.parametrize(
    ("amounts", "total"),
    [
        (("0.30000000000000004",), "0.30"),
        (("0.005", "0.005"), "0.02"),
        (("-27.729999999999997",), "-27.73"),
        (("9000000000000000000000000.00",) * 200 + ("0.01",), "1800000000000000000000000000.01"),
    ],
)
def test_what_is_owed_is_added_up_in_exact_cents(cli: Cli, at: At, amounts: tuple[str, ...], total: str) -> None:
    with recorder(of_a_business(owing_exactly(*amounts))) as server:
        at(server)
        (row,) = csv.DictReader(io.StringIO(succeed(cli("invoice", "aging", "-o", "csv")).out))
    assert row["total"] == total


@pytest.mark.together
@pytest.mark.parametrize("amount", ["1234567890123456789012345678901.01", "1e30", "1e999999", '"NaN"', '"Infinity"'])
def test_what_cannot_be_an_amount_is_refused(cli: Cli, at: At, amount: str) -> None:
    with recorder(of_a_business(owing_exactly(amount, "0.01", "-1e30"))) as server:
        at(server)
        outcome = cli("invoice", "aging", "-o", "csv")
    assert (outcome.code, outcome.out) == (9, "")


def owing_exactly(*amounts: str) -> Answer:
    owed = '{"id":%d,"receiver":5,"receiver_info":{"name":"x"},"due_date":"2026-01-01",'
    row = owed + '"total_amount":%s,"status":"ACCEPTED"}'
    rows = ",".join(row % (number, amount) for number, amount in enumerate(amounts, 1))
    return Answer(200, f'{{"count":{len(amounts)},"next":null,"previous":null,"results":[{rows}]}}'.encode())


def test_what_was_paid_later_was_open_then(cli: Cli, owing: Recorder) -> None:
    outcome = succeed(cli("invoice", "aging", "--date", "2026-06-30", "--json"))
    totals = {name: value for name, value in MEYER.items() if name not in {"receiver", "name", "reminded"}}
    assert outcome.json() == {"date": "2026-06-30", "customers": [MEYER], "totals": totals}
    assert '"days_1_30":10.30' in outcome.out.replace(" ", "")
    query = parse_qs(urlsplit(owing.sent[0].path).query)
    assert (query["status"], query["invoicing_date_lte"]) == (["ACCEPTED", "PAID"], ["2026-06-30"])


def test_what_no_document_has_of_another_currency_is_named_and_not_added(cli: Cli, at: At) -> None:
    common = {"receiver": 5, "receiver_info": {"name": "Meyer"}, "due_date": "2026-06-15", "status": "ACCEPTED"}
    dollars = {**common, "id": 1, "friendly_name": "Invoice 1", "total_amount": 99.00, "currency": "USD"}
    euros = {**common, "id": 2, "total_amount": 10.30, "currency": "EUR"}
    with recorder(of_a_business(page(dollars, euros))) as server:
        at(server)
        outcome = succeed(cli("invoice", "aging", "--date", "2026-06-30", "--json"))
    assert outcome.json()["customers"] == [MEYER]
    assert "note: Invoice 1 (id 1) over 99.00 USD is in no books and not counted here\n" in outcome.err


def test_what_was_given_up_later_was_owed_then(cli: Cli, at: At) -> None:
    common = {"receiver": 5, "receiver_info": {"name": "Meyer"}, "due_date": "2026-06-15", "payment_date": None}
    lost = {**common, "id": 1, "status": "CREDIT_LOSS", "total_amount": 10.10}
    kept = {**common, "id": 2, "status": "ACCEPTED", "total_amount": 0.20}

    def answer(sent: Sent) -> Answer:
        # as if the second had been given up between the two requests
        return page(lost, {**kept, "status": "CREDIT_LOSS"}) if "status_changed_to" in sent.path else page(kept)

    with recorder(of_a_business(answer)) as server:
        at(server)
        assert succeed(cli("invoice", "aging", "--date", "2026-06-30", "--json")).json()["customers"] == [MEYER]
        query = parse_qs(urlsplit(server.sent[1].path).query)
    del query["page"], query["page_size"]
    assert query == {
        "status": ["CREDIT_LOSS"],
        "status_changed_to": ["CREDIT_LOSS"],
        "status_changed_at_gte": ["2026-07-01"],
        "invoicing_date_lte": ["2026-06-30"],
    }


def test_today_only_open_ones_are_asked_for(cli: Cli, owing: Recorder) -> None:
    succeed(cli("invoice", "aging"))
    asked = [parse_qs(urlsplit(sent.path).query) for sent in owing.sent if "/invoice/" in sent.path]
    assert [query["status"] for query in asked] == [["ACCEPTED"]]


def test_a_table_ends_with_the_totals(cli: Cli, owing: Recorder) -> None:
    lines = succeed(cli("invoice", "aging", "--date", "2026-06-30")).lines()
    assert [re.split(" {3,}", line.strip()) for line in (lines[0], *lines[2:])] == [
        ["receiver", "name", "reminded", "not due", "1-30 days", "31-60 days", "61-90 days", "over 90 days", "total"],
        ["5", "Meyer", "0.00", "10.30", "0.00", "0.00", "0.00", "10.30"],
        ["Total", "0.00", "10.30", "0.00", "0.00", "0.00", "10.30"],
    ]


def test_rows_for_machines_have_no_totals(cli: Cli, owing: Recorder) -> None:
    argv = ("invoice", "aging", "--date", "2026-06-30", "--output", "csv", "--columns", "name,total")
    assert succeed(cli(*argv)).lines() == ["name,total", "Meyer,10.30"]


def test_receivables_that_are_not_whole_are_none(cli: Cli, at: At) -> None:
    with recorder(of_a_business(said({"count": 2, "next": None, "prev": None, "size": 200, "results": []}))) as server:
        at(server)
        outcome = cli("invoice", "aging")
    assert (outcome.code, outcome.out) == (10, "")
