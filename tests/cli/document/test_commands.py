"""Document commands: what is typed becomes exactly one request, and nothing wrong is sent."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.cli.bookkeeping import UNEVEN, Service, body, row, sent_by
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, page, recorder, said

# --- legs ---

SALE = {"debet_account_id": 2, "credit_entries": [row(4, 125.5, 1, 25.5)]}
WRITTEN: list[tuple[str, dict[str, Any]]] = [
    ("--debit 1910 --credit 3000:125.50@1/25.5", SALE),
    ("--debit 1910 --credit 3000:125.50", SALE),
    ("--debit id:2 --credit id:4:125.50@1", SALE),
    (
        "--debit 1910 --credit 3000:100+vat@1/25.5 --expense 8500:2.90=Fee",
        {
            "debet_account_id": 2,
            "credit_entries": [row(4, 100, 1, 25.5, vat_method=1)],
            "expense_entries": [row(6, 2.9, description="Fee")],
        },
    ),
    (
        "--credit 1910 --debit 4000:62.75 --debit 8500:5",
        {"credit_account_id": 2, "debet_entries": [row(5, 62.75, 2, 25.5), row(6, 5)]},
    ),
    (
        "--debit 3000:27.73@1/0 --debit 2939:7.07 --credit 1910:34.80",
        {"debet_entries": [row(4, 27.73, 1), row(3, 7.07)], "credit_entries": [row(2, 34.8)]},
    ),
]


@pytest.mark.together
@pytest.mark.parametrize(("argv", "blueprint"), WRITTEN, ids=[argv for argv, _ in WRITTEN])
def test_legs_make_the_blueprint(cli: Cli, at: At, argv: str, blueprint: dict[str, Any]) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", "create", "--date", "2026-03-02", *argv.split()))
        assert body(server) == {"date": "2026-03-02", "blueprint": blueprint}


def test_amounts_are_sent_with_two_digits_and_never_as_floats(cli: Cli, at: At) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", "create", "--debit", "1910", "--credit", "3000:12345678901234567.8@3"))
        (write,) = server.writes
    assert b'"amount":12345678901234567.80' in write.body


def test_an_amount_takes_the_rate_of_its_day(cli: Cli, at: At) -> None:
    with recorder(Service()) as server:
        at(server)
        argv = ("document", "create", "--debit", "1910", "--credit", "3000:124", "--credit", "3000:1")
        outcome = succeed(cli(*argv, "--date", "2024-08-31"))
        rates = "GET constants/vat_rates/?date_at=2024-08-31"
        # what it posted is shown
        assert sent_by(server) == ["GET account/", rates, "POST document/", "GET document/7/entry/"]
        assert [one["vat_rate"] for one in body(server)["blueprint"]["credit_entries"]] == [24, 24]
        assert outcome.err == "note: 3000 Sales: VAT code 1 at 24 %, the account's own\n"
        assert succeed(cli(*argv, "--quiet")).err == ""


def test_a_new_document_says_the_day_whose_rates_it_took(cli: Cli, at: At) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", "create", "--debit", "1910", "--credit", "3000:1"))
        today = date.today().isoformat()
        assert body(server)["date"] == today
        assert sent_by(server)[1] == f"GET constants/vat_rates/?date_at={today}"


@pytest.mark.together
@pytest.mark.parametrize(
    ("verb", "method", "path"),
    [
        ("update", "PATCH", "document/7/"),
        ("replace", "PUT", "document/7/"),
        ("copy", "POST", "document/7/action/copy/"),
    ],
)
def test_a_document_that_is_there_keeps_the_rates_of_its_own_day(
    cli: Cli, at: At, verb: str, method: str, path: str
) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", verb, "7", "--credit", "1910", "--debit", "4000:124"))
        blueprint = {"credit_account_id": 2, "debet_entries": [row(5, 124, 2, 24)]}
        assert body(server) == {"blueprint": blueprint}
        assert sent_by(server) == [
            "GET account/", "GET document/7/", "GET constants/vat_rates/?date_at=2024-01-05", f"{method} {path}",
            "GET document/7/entry/",
        ]  # fmt: skip


def test_vat_that_is_written_out_asks_for_nothing_more(cli: Cli, at: At) -> None:
    with recorder(Service()) as server:
        at(server)
        given = ("--date", "2026-03-02", "--credit", "1910", "--debit", "4000:124@2/25.5")
        outcome = succeed(cli("document", "update", "7", *given))
        assert sent_by(server) == ["GET account/", "PATCH document/7/", "GET document/7/entry/"]
        assert outcome.err == ""


def test_rows_that_stay_are_sent_digit_for_digit(cli: Cli, at: At, home: Path) -> None:
    shown = (
        b'{"id":7,"blueprint":{"credit_account_id":2,'
        b'"debet_entries":[{"account_id":5,"amount":12345678901234567.80,"id":9}]}}'
    )

    def behave(sent: Sent) -> Answer:
        return Answer(200, shown) if urlsplit(sent.path).path.endswith("/document/7/") else Service()(sent)

    with recorder(behave) as server:
        at(server)
        succeed(cli("document", "update", "7", "--credit", "id:3", "--description", "Other"))
        (write,) = server.writes
    assert json.loads(write.body) == {
        "description": "Other",
        "blueprint": {"credit_account_id": 3, "debet_entries": [{"account_id": 5, "amount": 12345678901234567.80}]},
    }
    assert b"12345678901234567.80" in write.body


BOUGHT = {"account_id": 5, "amount": 10}
SOLD = {"account_id": 3, "amount": 10}


@pytest.mark.parametrize(
    ("shown", "argv", "sent"),
    [
        # a leg takes the place of its whole side
        (
            {"debet_entries": [BOUGHT], "credit_entries": [SOLD]},
            ("--debit", "id:2"),
            {"debet_account_id": 2, "credit_entries": [SOLD]},
        ),
        # a field that of itself
        (
            {"debet_entries": [BOUGHT], "credit_account_id": 2},
            ("--set", "blueprint.credit_account_id=4"),
            {"debet_entries": [BOUGHT], "credit_account_id": 4},
        ),
    ],
)
def test_what_a_change_leaves_out_stays(
    cli: Cli, at: At, shown: dict[str, Any], argv: tuple[str, ...], sent: dict[str, Any]
) -> None:
    def behave(asked: Sent) -> Answer:
        is_it = urlsplit(asked.path).path.endswith("/document/7/")
        return said({"id": 7, "blueprint": shown}) if is_it else Service()(asked)

    with recorder(behave) as server:
        at(server)
        succeed(cli("document", "update", "7", *argv))
        assert body(server) == {"blueprint": sent}


@pytest.mark.together
@pytest.mark.parametrize("blueprint", ["7", '{"credit_entries": [3]}', '{"credit_entries": 3}', "null"])
def test_a_blueprint_that_cannot_be_read_is_no_ground_for_a_part(cli: Cli, at: At, blueprint: str) -> None:
    def behave(sent: Sent) -> Answer:
        shown = Answer(200, b'{"id":7,"blueprint":' + blueprint.encode() + b"}")
        return shown if urlsplit(sent.path).path.endswith("/document/7/") else Service()(sent)

    with recorder(behave) as server:
        at(server)
        outcome = cli("document", "update", "7", "--debit", "1910")
        assert (outcome.code, outcome.out, server.writes) == (9, "", [])


@pytest.mark.together
@pytest.mark.parametrize("broken", ["/vat_rates/", "/document/7/", "/demo/"])
@pytest.mark.parametrize("text", [b"<html>", b"[]", b'{"date": 7, "account_vat_liabilities": "x"}'])
def test_what_cannot_be_read_on_the_way_is_said(cli: Cli, at: At, broken: str, text: bytes) -> None:
    def behave(sent: Sent) -> Answer:
        return Answer(200, text) if urlsplit(sent.path).path.endswith(broken) else Service()(sent)

    with recorder(behave) as server:
        at(server)
        outcome = cli("document", "update", "7", "--debit", "1910", "--credit", "3000:1", "--dry-run")
        assert (outcome.code, outcome.out, server.writes) == (9, "", [])


def test_a_rate_that_the_service_does_not_know_is_named(cli: Cli, at: At) -> None:
    def behave(sent: Sent) -> Answer:
        return said({"vat_rate_options": []}) if "/vat_rates/" in sent.path else Service()(sent)

    with recorder(behave) as server:
        at(server)
        outcome = cli("document", "create", "--debit", "1910", "--credit", "3000:1")
        assert (outcome.code, server.writes) == (9, [])
    assert "the service knows no VAT rate 'standard'" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize("verb", ["create", "update 7", "replace 7", "copy 7"])
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ("--debit 1910 --credit 3000:1,50", "--credit '3000:1,50' cannot be read"),
        ("--debit 1910 --credit 3000", "neither --debit 1910 nor --credit 3000 has an amount"),
        ("--debit 1910 --credit 3000:1 --set blueprint.credit_account_id=2", "--file or --set has one too"),
        ("--debit 1910 --credit 3000:1 --file body.json", "--file or --set has one too"),
        ("--debit 1910 --credit 3000:1 --date 2026-02-30", "--date '2026-02-30': not a day"),
        ("--debit 1910 --credit 3000:1 --set nosuch=1", "nosuch: no such field"),
        ("--debit 1910 --credit 3000:1 --tag 0", "'--tag': '0' is not an id"),
        ("--type travel --debit 1910 --credit 3000:1", "--type 'travel' is not a document type"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_sent(
    cli: Cli, at: At, home: Path, verb: str, argv: str, says: str
) -> None:
    Path("body.json").write_text('{"blueprint": {}}')
    with recorder(Service()) as server:
        at(server)
        outcome = cli("document", *verb.split(), *argv.split())
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert says in outcome.err


def test_legs_do_not_go_with_a_file_of_many(cli: Cli, at: At, home: Path) -> None:
    Path("many.jsonl").write_text('{"date": "2026-03-01"}\n')
    with recorder(Service()) as server:
        at(server)
        outcome = cli("document", "create", "--file", "many.jsonl", "--debit", "1910", "--credit", "3000:1")
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert "--debit, --credit or --expense does not go with a file of many documents" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize(
    "argv", [("create",), ("replace", "7"), ("update", "7", "--posted"), ("create", "--set", "is_draft=no")]
)
def test_sides_that_differ_are_not_posted(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(Service()) as server:
        at(server)
        outcome = cli("document", *argv, *UNEVEN)
        assert (outcome.code, outcome.out, server.writes) == (2, "", [])
    assert "--debit comes to 10.00 and --credit to 9.00, VAT included: they differ by 1.00" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize(
    "argv", [("create", "--draft"), ("update", "7"), ("copy", "7"), ("create", "--set", "is_draft=true")]
)
def test_a_draft_may_be_uneven_and_the_service_knows_whether_it_is_one(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", *argv, *UNEVEN))
        assert body(server)["blueprint"] == {"debet_entries": [row(2, 10)], "credit_entries": [row(4, 9)]}


@pytest.mark.together
@pytest.mark.parametrize("name", ["many.jsonl", "MANY.JSONL", "many.ndjson"])
def test_options_go_before_each_line_of_a_file(cli: Cli, at: At, home: Path, name: str) -> None:
    lines = [{"date": "2026-03-01", "description": "Rent"}, {"date": "2026-03-02", "contact_id": 6}]
    Path(name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with recorder(Service()) as server:
        at(server)
        options = ("--date", "2026-03-31", "--contact", "5", "--draft")
        plans = succeed(cli("document", "create", "--file", name, *options, "--dry-run", "--json")).json()
        assert server.writes == []
    said_of_all = {"date": "2026-03-31", "contact_id": 5, "is_draft": True}
    assert [plan["body"] for plan in plans] == [{**said_of_all, "description": "Rent"}, said_of_all]


def test_an_unknown_account_of_a_line_is_named_with_its_line(cli: Cli, at: At, home: Path) -> None:
    blueprint = {"debet_account_id": 1910, "credit_entries": [{"account_id": 3001, "amount": 1}]}
    second = {"date": "2026-03-01", "blueprint": blueprint}
    Path("many.jsonl").write_text(f'{{"date": "2026-03-01"}}\n{json.dumps(second)}\n')
    with recorder(Service()) as server:
        at(server)
        outcome = cli("document", "create", "--file", "many.jsonl", "--account-numbers")
        assert (outcome.code, outcome.out, server.writes) == (2, "", [])
    assert outcome.err.splitlines() == [
        "error: many.jsonl line 2: there is no account 3001 in the chart",
        "hint: the nearest are 3000 Sales, 2939 VAT liability, 4000 Purchases",
    ]


@pytest.mark.together
@pytest.mark.parametrize(
    "argv", ["create --date 2026-03-02", "copy 7", "lock 7", "relation create 7 --related 8 --role accrual"]
)
def test_a_key_that_is_given_goes_with_the_write(cli: Cli, at: At, argv: str) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", *argv.split(), "--idempotency-key", "k"))
        assert [sent.headers["idempotency-key"] for sent in server.writes] == ["k"]


# --- the other fields ---


def test_named_options_are_the_fields_they_name(cli: Cli, at: At) -> None:
    argv = "--date 2026-03-02 --type depreciation --contact 5 --tag 1 --tag 2 --attachment 9 --draft --description x"
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", "create", *argv.split()))
        assert body(server) == {
            "date": "2026-03-02",
            "type": 4,
            "contact_id": 5,
            "tag_ids": [1, 2],
            "attachment_ids": [9],
            "is_draft": True,
            "description": "x",
        }


@pytest.mark.together
@pytest.mark.parametrize(("word", "number"), [("normal", 0), ("vat", 3), ("income-tax", 7), ("6", 6)])
def test_a_type_is_a_word_or_its_number(cli: Cli, at: At, word: str, number: int) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", "update", "7", "--type", word))
        assert body(server) == {"type": number}


def test_every_filter_has_an_option(cli: Cli, at: At) -> None:
    argv = (
        "--search rent --period 2026-03 --draft --locked --unflagged --income --no-expense --account 1910 "
        "--account-type ASS_PAY --account-type REV_SAL --contact 5 --tag 6 --attachment 8 --with-attachments --rule 9 "
        "--has-rule --tagged 10 --number 260302-1 --vat-code 1 --vat-rate 25.5"
    )

    def behave(sent: Sent) -> Answer:
        return Service()(sent) if "/account/" in sent.path else page()

    with recorder(behave) as server:
        at(server)
        succeed(cli("document", "list", *argv.split()))
        query = parse_qs(urlsplit(server.sent[-1].path).query)
    del query["page"], query["page_size"]
    assert query == {
        "search": ["rent"], "date_from": ["2026-03-01"], "date_to": ["2026-03-31"], "is_draft": ["true"],
        "is_locked": ["true"], "is_flagged": ["false"], "income": ["true"], "expense": ["false"], "account": ["2"],
        "account_type": ["ASS_PAY", "REV_SAL"], "contact": ["5"], "tags": ["6"], "file": ["8"],
        "has_attachments": ["true"], "rule": ["9"], "has_rule": ["true"], "tagged": ["10"], "number": ["260302-1"],
        "vat_code": ["1"], "vat_rate": ["25.5"],
    }  # fmt: skip


# --- files and suggestions ---


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "action", "files"),
    [
        ("attach 7 12 13", "attach_files", [12, 13]),
        ("detach 7 12", "detach_files", [12]),
        ("set-files 7 13 12", "set_files", [13, 12]),
        ("set-files 7", "set_files", []),
    ],
)
def test_files_are_named_by_id(cli: Cli, at: At, argv: str, action: str, files: list[int]) -> None:
    with recorder(Service()) as server:
        at(server)
        succeed(cli("document", *argv.split(), "--idempotency-key", "k"))
        assert sent_by(server) == [f"POST document/7/action/{action}/"]
        assert body(server) == {"attachment_ids": files}
        assert server.sent[0].headers["idempotency-key"] == "k"


@pytest.mark.together
@pytest.mark.parametrize("argv", ["attach 7", "attach 7 receipt.pdf", "detach 0 1", "attach 7 0"])
def test_what_is_no_file_id_is_refused(cli: Cli, at: At, argv: str) -> None:
    with recorder(Service()) as server:
        at(server)
        outcome = cli("document", *argv.split())
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])


FILE = {"id": 3, "name": "receipt.pdf", "type": "application/pdf", "created_at": "2026-03-01T00:00:00Z"}


@pytest.mark.parametrize("answer", [said([FILE]), page(FILE)])
def test_suggested_files_come_as_an_array_or_a_page(cli: Cli, at: At, answer: Answer) -> None:
    with recorder(answer) as server:
        at(server)
        assert succeed(cli("document", "suggest-attachments", "7", "--json")).json() == [FILE]
        assert sent_by(server) == ["GET document/7/suggest_attachments/"]


@pytest.mark.together
@pytest.mark.parametrize(("answer", "rows"), [(said([]), []), (page(), []), (said({"results": None}), [])])
def test_no_suggested_files_are_an_empty_list(cli: Cli, at: At, answer: Answer, rows: list[Any]) -> None:
    with recorder(answer) as server:
        at(server)
        assert succeed(cli("document", "suggest-attachments", "7", "--json")).json() == rows


@pytest.mark.together
@pytest.mark.parametrize("text", [b"", b"<html>", b"7", b'{"results": 7}', b"[", b'"x"'])
def test_what_is_no_list_is_said(cli: Cli, at: At, text: bytes) -> None:
    with recorder(Answer(200, text)) as server:
        at(server)
        outcome = cli("document", "suggest-attachments", "7")
    assert (outcome.code, outcome.out) == (9, "")


def test_what_the_service_proposes_is_a_list(cli: Cli, at: At) -> None:
    with recorder(page({"id": 1, "state": "NEW", "amount": 10.10})) as server:
        at(server)
        assert succeed(cli("document", "suggestions", "--document", "7", "--json")).json()[0]["state"] == "NEW"
        assert sent_by(server) == ["GET accounting_suggestions/?document=7"]
