"""Rows inside a record: a table of their own for people, the same bytes as ever for machines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from acctcli.cli.output.inside import Inside, take_apart
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Recorder, recorder, said

ROWS: list[dict[str, Any]] = [
    {
        "id": 1, "code": "A1", "name": "Work", "unit": "h", "amount": 100.0, "vat_rate": 25.5, "vat_code": 1,
        "product": 3, "product_count": 7.5, "description": None, "total_vat_amount": 191.25, "total_amount": 941.25,
        "account_id": 77,
    },
    {
        "id": 2, "code": None, "name": "Travel", "unit": "kpl", "amount": 42.5, "vat_rate": 0, "vat_code": 3,
        "product": None, "product_count": 1, "description": None, "total_vat_amount": 0, "total_amount": 42.5,
        "account_id": None,
    },
]  # fmt: skip
MESSAGES = [{"id": 4, "message": "Seen by the operator"}]
INVOICE = {
    "id": 7, "status": "DRAFT", "receiver": 5, "receiver_info": {"id": 5, "name": "Meyer Oy"}, "rows": ROWS,
    "total_amount": 983.75, "external_status_messages": [], "tag_ids": [], "updated_at": "2026-03-01T10:00:00Z",
}  # fmt: skip
NAMED = ["code", "name", "product", "count", "unit", "amount", "VAT", "rate", "total", "amount"]
SHOWING = [
    ("get", "7"),
    ("create", "--to", "id:5", "--days", "14"),
    ("update", "7", "--days", "14"),
    ("replace", "7", "--to", "id:5", "--date", "2026-03-01", "--days", "14"),
    ("accept", "7"),
    ("paid", "7"),
    ("unpaid", "7"),
    ("credit-loss", "7"),
    ("disable-recurrence", "7"),
]


@pytest.fixture
def server(at: At) -> Iterator[Recorder]:
    """A service that answers everything with the invoice."""
    with recorder(said(INVOICE)) as made:
        at(made)
        yield made


def tables(text: str) -> list[list[list[str]]]:
    """The words of each line of each table; rules left out."""
    return [
        [line.split() for number, line in enumerate(table.splitlines()) if number != 1] for table in text.split("\n\n")
    ]


@pytest.mark.together
@pytest.mark.parametrize("argv", SHOWING, ids=lambda argv: str(argv[0]))
def test_every_command_shows_the_rows_of_an_invoice_below_it(cli: Cli, server: Recorder, argv: tuple[str, ...]) -> None:
    record, rows = tables(succeed(cli("invoice", *argv)).out)
    assert rows == [
        NAMED,
        ["A1", "Work", "7.5", "h", "100.0", "25.5", "941.25"],
        ["Travel", "1", "kpl", "42.5", "0", "42.5"],
    ]
    assert ["status", "DRAFT"] in record
    assert not {"rows", "external_status_messages"} & {line[0] for line in record}
    assert "{" not in str(record)


def test_a_credit_note_has_rows_too(cli: Cli, at: At) -> None:
    original = {**INVOICE, "status": "ACCEPTED", "payment_condition_days": 14, "credit_notes": []}
    with recorder(said(original)) as server:
        at(server)
        _, rows = tables(succeed(cli("invoice", "credit-note", "7")).out)
    assert [line[0] for line in rows] == ["code", "A1", "Travel"]


def test_what_other_systems_say_is_a_table_as_well(cli: Cli, at: At) -> None:
    with recorder(said({**INVOICE, "external_status_messages": MESSAGES})) as server:
        at(server)
        _, rows, messages = tables(succeed(cli("invoice", "get", "7")).out)
    assert rows[0] == NAMED
    assert messages == [["id", "message"], ["4", "Seen", "by", "the", "operator"]]


def test_an_invoice_without_rows_is_one_table(cli: Cli, at: At) -> None:
    with recorder(said({**INVOICE, "rows": []})) as server:
        at(server)
        (record,) = tables(succeed(cli("invoice", "get", "7")).out)
    assert "rows" not in {line[0] for line in record}


def test_the_columns_that_somebody_asks_for_are_all_there_is(cli: Cli, server: Recorder) -> None:
    for columns in ("id,rows", "all"):
        (record,) = tables(succeed(cli("invoice", "get", "7", "--columns", columns)).out)
        cell = next(line[1:] for line in record if line[0] == "rows")
        assert json.loads(" ".join(cell)) == ROWS


def test_machines_get_what_they_always_got(cli: Cli, server: Recorder) -> None:
    whole = json.dumps(INVOICE)
    assert succeed(cli("invoice", "get", "7", "--output", "jsonl")).out == f"{whole}\n"
    assert succeed(cli("invoice", "get", "7", "--json")).json() == INVOICE
    assert succeed(cli("invoice", "get", "7", "--jq", ".rows[1].name")).out == "Travel\n"
    header, row = succeed(cli("invoice", "get", "7", "--output", "tsv")).lines()
    cells = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    assert (json.loads(cells["rows"]), cells["external_status_messages"]) == (ROWS, "[]")
    assert header.split("\t") == [
        "id", "friendly_name", "status", "receiver", "receiver_info.name", "invoicing_date", "due_date", "reference",
        "description", "rows", "total_vat_amount", "total_amount", "is_credit_note_for", "credit_notes", "is_past_due",
        "delivery_method", "last_delivery_at", "payment_date", "next_recurrences", "external_status_messages",
        "tag_ids", "updated_at",
    ]  # fmt: skip


def test_a_file_gets_both_tables(cli: Cli, server: Recorder) -> None:
    shown = succeed(cli("invoice", "get", "7")).out
    assert succeed(cli("invoice", "get", "7", "--output-file", "7.txt")).out == ""
    assert Path("7.txt").read_text() == shown


def test_a_payout_shows_its_items(cli: Cli, at: At) -> None:
    item = {"amount": -3.1, "description": "Fee", "vat_code": 3, "vat_rate": "0.00", "account_number": "8500"}
    with recorder(said({"id": 2, "external_id": "po_1", "amount": -3.1, "items": [item]})) as server:
        at(server)
        record, items = tables(succeed(cli("payout", "get", "2")).out)
    assert "items" not in {line[0] for line in record}
    assert items == [
        ["account", "number", "description", "amount", "VAT", "code", "VAT", "rate"],
        ["8500", "Fee", "-3.1", "3", "0"],
    ]


def test_text_in_rows_is_shown_and_never_obeyed(cli: Cli, at: At) -> None:
    hostile = {**ROWS[0], "name": "\x1b[2J[red]Work\u202e\n\nid  1", "unit": "\x9b31m"}
    with recorder(said({**INVOICE, "rows": [hostile]})) as server:
        at(server)
        text = succeed(cli("invoice", "get", "7")).out
    assert r"\x1b[2J[red]Work\u202e\n\nid  1" in text
    assert r"\x9b31m" in text
    assert not set(text) & set("\x1b\x9b\u202e")
    assert len(tables(text)) == 2


@pytest.mark.parametrize("odd", [None, 1, "x", {"id": 1}, [1, 2], [{"id": 1}, 2]])
def test_what_is_no_rows_stays_in_the_record(odd: object) -> None:
    record = msgspec.Raw(json.dumps({"id": 1, "rows": odd}).encode())
    assert take_apart(("id", Inside("rows", "id")), record) == (["id", "rows"], [])


def test_only_what_is_marked_is_taken_out() -> None:
    record = msgspec.Raw(json.dumps({"id": 1, "rows": ROWS}).encode())
    assert take_apart(("id", "rows"), record) == (["id", "rows"], [])
    plain, [(field, rows)] = take_apart(("id", Inside("rows", "id", "name")), record)
    assert (plain, field.columns) == (["id"], ("id", "name"))
    assert [json.loads(bytes(row)) for row in rows] == ROWS
