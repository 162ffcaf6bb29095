"""The report commands: what they ask for, what they show in each format, and what they refuse."""

from __future__ import annotations

import io
import json
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from acctcli.cli.output.formats import FORMATS
from acctcli.client import stream
from tests.cli.conftest import At, Cli, succeed
from tests.cli.processes import environ
from tests.cli.recorder import Answer, Sent, recorder
from tests.cli.report.pages import read_page
from tests.cli.report.replies import (
    ANSWERS,
    BALANCE_SHEET,
    INCOME_STATEMENT,
    JOURNAL,
    LEDGER,
    answers,
    bodies,
)
from tests.cli.test_lazy import HEAVY, loaded, tops
from tests.cli.test_terminal import on_terminal

COMMANDS = {
    "journal": "journal",
    "ledger": "ledger",
    "vat": "vat-report",
    "eu-vat": "eu-vat-contact-report",
    "balance-sheet": "balance-sheet",
    "income-statement": "income-statement",
    "equity-changes": "equity-changes",
}
YEAR = {"name": "2026", "date_from": "2026-01-01", "date_to": "2026-12-31"}

# the days that the replies are of
SIDES = ("--date", "2026-03-31", "--date", "2025-12-31", "--change")
DAYS = {**dict.fromkeys(COMMANDS, ("--period", "2026")), "balance-sheet": SIDES}

each_command = pytest.mark.parametrize("command", COMMANDS)


def asked(cli: Cli, at: At, *argv: str) -> list[tuple[str, Any]]:
    """Run a report command and return what it asked the service for."""
    with recorder(answers()) as server:
        at(server)
        succeed(cli("report", *argv, "--json"))
        return bodies(server.sent)


def shown(cli: Cli, at: At, *argv: str, **changed: bytes) -> str:
    with recorder(answers(**changed)) as server:
        at(server)
        return succeed(cli("report", *argv)).out


# what is asked for


@pytest.mark.together
@pytest.mark.parametrize("command", ["journal", "ledger", "vat", "eu-vat", "income-statement", "equity-changes"])
def test_a_range_is_asked_for(cli: Cli, at: At, command: str) -> None:
    segment = COMMANDS[command]
    assert asked(cli, at, command, "--period", "2026") == [(segment, {"columns": [YEAR]})]
    assert asked(cli, at, command, "--from", "2026-02", "--to", "2026-04-15", "--tag", "3", "--tag", "5") == [
        (segment, {"columns": [{"date_from": "2026-02-01", "date_to": "2026-04-15"}], "tag_ids": [3, 5]})
    ]


def test_statements_have_columns(cli: Cli, at: At) -> None:
    quarters = [
        {"name": "2026-Q1", "date_from": "2026-01-01", "date_to": "2026-03-31"},
        {"name": "2026-Q2", "date_from": "2026-04-01", "date_to": "2026-06-30"},
    ]
    two = ("--period", "2026-Q1", "--period", "2026-Q2")
    assert asked(cli, at, "income-statement", *two, "--short", "--change", "--accounts") == [
        (
            "income-statement-short",
            {"columns": quarters, "append_comparison_columns": True, "extend_accounts": True},
        )
    ]
    assert asked(cli, at, "equity-changes", *two) == [("equity-changes", {"columns": quarters})]
    assert asked(cli, at, "income-statement", "--period", "2026", "--compare", "previous-year") == [
        ("income-statement", {"columns": [YEAR, {"name": "2025", "date_from": "2025-01-01", "date_to": "2025-12-31"}]})
    ]


def test_a_balance_sheet_is_of_days(cli: Cli, at: At) -> None:
    days = [{"date_at": "2026-03-31"}, {"date_at": "2025-12-31"}]
    assert asked(cli, at, "balance-sheet", "--date", "2026-03-31", "--date", "2025-12-31", "--short") == [
        ("balance-sheet-short", {"columns": days})
    ]
    assert asked(cli, at, "balance-sheet", "--period", "2026-Q1", "--compare", "previous-period", "--change") == [
        ("balance-sheet", {"columns": days, "append_comparison_columns": True})
    ]


@pytest.mark.together
@pytest.mark.parametrize(
    "argv",
    [
        ("income-statement", "--change"),
        ("income-statement", "--period", "2026", "--period", "2025", "--compare", "previous-year"),
        ("income-statement", "--compare", "last-year"),
        ("balance-sheet", "--period", "2026", "--date", "2026-01-01"),
        ("balance-sheet", "--compare", "previous-period"),
        ("journal", "--from", "2026-01"),
        ("journal", "--period", "2026-13"),
        ("vat", "--tag", "0"),
        ("vat", "--locale", "fr"),
        ("vat", "--output", "xml"),
        ("vat", "--output", "html", "--columns", "name"),
        ("vat", "--output", "pdf", "--columns", "name", "--output-file", "x.pdf"),
        ("vat", "--json", "--output", "html"),
        ("vat", "--jq", ".", "--output", "html"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_sent(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(answers()) as server:
        at(server)
        outcome = cli("report", *argv)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])


# what is shown


@pytest.mark.together
@each_command
def test_json_is_the_services_document(cli: Cli, at: At, command: str) -> None:
    text = shown(cli, at, command, *DAYS[command], "--json")
    sent = ANSWERS[COMMANDS[command]]
    assert json.loads(text, parse_float=Decimal) == json.loads(sent, parse_float=Decimal)
    assert shown(cli, at, command, *DAYS[command], "--jq", ".report_type") == json.loads(sent)["report_type"] + "\n"


def test_the_journal_as_json_is_written_document_by_document(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PIECE", 100)
    odd = b'{"number":"%d","odd" : [10.10, "\\u00e4"],"entries":[{"debet":2},{"credit":2.0}]}'
    documents = b",".join(odd % number for number in range(50))
    body = b'{"date_from" :null,"documents":[%b],"totals":{"debet":1e2}}' % documents
    assert shown(cli, at, "journal", "--json", journal=body) == msgspec.json.format(body, indent=2).decode() + "\n"
    entries = b'{"debet":100},{"credit":100}'
    one = b'{"documents":[{"number":"1","date":"2026-03-02","entries":[%b]}],"totals":{"debet":1e2}}' % entries
    assert shown(cli, at, "journal", "--json", "--columns", "totals", journal=one) == (
        '{\n  "totals": {\n    "debet": 1e2\n  }\n}\n'
    )


def test_a_journal_cut_short_leaves_no_file(cli: Cli, at: At) -> None:
    with recorder(answers(journal=JOURNAL[:-1])) as server:
        at(server)
        outcome = cli("report", "journal", "--json", "--output-file", "report")
    assert (outcome.code, outcome.out, Path("report").exists()) == (10, "", False)


def test_the_journal_as_json_lines_is_a_document_a_line_byte_for_byte(cli: Cli, at: At) -> None:
    documents = b'{"number":"1","odd" : [10.10, "\\u00e4"],"entries":[]}', b'{"entries":[],"x":1}'
    compact = b'{"totals":{"debet":0,"credit":0},"documents":[%b,%b]}' % documents
    assert shown(cli, at, "journal", "--output", "jsonl", journal=compact) == (b"%b\n%b\n" % documents).decode()
    assert shown(cli, at, "journal", "-o", "jsonl", "--columns", "number,date") == (
        '{"number":"260302-1","date":"2026-03-02"}\n{"number":"260303-1","date":"2026-03-03"}\n'
    )
    assert shown(cli, at, "journal", "-o", "jsonl", "--jq", ".totals.debet") == "125.50\n0.00\n"


ROWS = {
    "journal": (
        "number,date,document_id,account_number,account_name,debet,credit,description,contact_name,vat_code,"
        "vat_rate,counter_accounts\n"
        '260302-1,2026-03-02,7,1910,Bank,125.50,0.00,Coffee,Birch,,,"2939, 3000"\n'
        "260302-1,2026-03-02,7,3000,Sales,0.00,100.00,,Birch,1,25.50,1910\n"
        "260302-1,2026-03-02,7,2939,VAT,0.00,25.50,,Birch,1,25.50,1910\n"
    ),
    "ledger": (
        "account_number,account_name,number,date,debet,credit,balance_csum,description,contact_name,vat_code,"
        "counter_accounts\n"
        "1910,Bank,,,,,1000.00,Opening balance,,,\n"
        "1910,Bank,260302-1,2026-03-02,125.50,0.00,1125.50,Coffee,,,\n"
        '1910,Bank,260304-1,2026-03-04,0.00,2000.00,-874.50,Rent,Birch,2,"1763, 7160"\n'
        "3000,Sales,,,,,0.00,Opening balance,,,\n"
        "3000,Sales,260302-1,2026-03-02,0.00,100.00,-100.00,,,,\n"
    ),
    "vat": (
        "section,name,rate,part,value\n"
        "summary,domestic_sales,25.50,base,100.00\n"
        "summary,domestic_sales,25.50,vat,25.50\n"
        "summary,domestic_sales,13.50,base,10.00\n"
        "summary,domestic_sales,13.50,vat,1.35\n"
        "summary,zero_rated_sales,,,7.00\n"
        "summary,eu_service_purchases,,base,100.00\n"
        "summary,eu_service_purchases,,vat,25.50\n"
        "summary,adjustments,,,0.00\n"
        "summary,deductible_vat,,,39.44\n"
        "summary,vat_payable,,,12.91\n"
    ),
    "eu-vat": (
        "country_code,vat_id,name,vat_handling,net_amount,document_number,document_id,vat_id_missing,"
        "contact_missing,is_private_person\n"
        "DE,DE136695976,Kaffee GmbH,goods,1000.10,260302-1,4,false,false,false\n"
        ",,Nobody,services,-10.00,260302-2,5,true,false,false\n"
        ",,,services,1.00,260302-3,6,true,true,false\n"
        "SE,,Anna,goods,5.00,260302-4,8,true,false,true\n"
    ),
    "income-statement": (
        "name,level,is_sum_row,number,2026\n"
        "Revenue,0,false,,1000.00\n"
        "Other income,0,false,,0.10\n"
        "Expenses,0,false,,-400.05\n"
        "Depreciation,0,false,,0.00\n"
        "Operating result,0,true,,600.05\n"
        "Taxes,0,false,,-120.01\n"
        "Result of the period,0,true,,480.04\n"
    ),
}


@pytest.mark.together
@pytest.mark.parametrize("command", ROWS)
def test_rows_are_for_machines_whatever_the_locale(cli: Cli, at: At, command: str) -> None:
    assert shown(cli, at, command, "--period", "2026", "--output", "csv", "--locale", "fi") == ROWS[command]
    header, *lines = ROWS[command].splitlines()
    tsv = shown(cli, at, command, "--period", "2026", "--output", "tsv").splitlines()
    assert (tsv[0].split("\t"), len(tsv)) == (header.split(","), len(lines) + 1)
    if command != "journal":
        records = [
            json.loads(line) for line in shown(cli, at, command, "--period", "2026", "--output", "jsonl").splitlines()
        ]
        assert (list(records[0]), len(records)) == (header.split(","), len(lines))


def test_columns_pick_fields_of_rows_and_make_the_table_plain(cli: Cli, at: At) -> None:
    assert shown(cli, at, "balance-sheet", *SIDES, "-o", "csv", "--columns", "number,2025-12-31").splitlines()[:4] == [
        "number,2025-12-31",
        ",0.00",
        ",0.00",
        ",100.00",
    ]
    assert shown(cli, at, "journal", "--columns", "debet,account_name").splitlines() == [
        " debet   account name",
        "─────────────────────",
        "125.50   Bank",
        "  0.00   Sales",
        "  0.00   VAT",
    ]


def test_the_table_speaks_the_language_asked_for(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    finnish = shown(cli, at, "income-statement", "--period", "2026", "--locale", "fi").splitlines()
    assert (finnish[0].split(), finnish[2].split()) == (["Tuloslaskelma", "2026"], ["Liikevaihto", "1", "000,00"])
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    german = shown(cli, at, "income-statement").splitlines()
    assert german[2].split() == ["Umsatzerlöse", "1.000,00"]
    assert german[-1].split() == ["Ergebnis", "des", "Zeitraums", "480,04"]
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert shown(cli, at, "income-statement").splitlines()[2].split() == ["Revenue", "1,000.00"]


def test_accounts_have_their_names_in_the_language_asked_for(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    def bank(*argv: str) -> str:
        lines = shown(cli, at, "ledger", *argv).splitlines()
        return next(line for line in lines if line.startswith("1910"))

    assert [bank(), bank("--locale", "fi"), bank("--locale", "sv")] == ["1910 Bank", "1910 Pankki", "1910 Bank"]
    monkeypatch.setenv("LC_ALL", "fi_FI.UTF-8")
    assert bank() == "1910 Pankki"
    assert "Pankki" in shown(cli, at, "balance-sheet", *SIDES, "--accounts")


def test_names_of_accounts_stay_as_they_are_where_the_chart_may_not_be_read(cli: Cli, at: At) -> None:
    known = answers()

    def behave(sent: Sent) -> Answer:
        return Answer(403, b'{"detail": "No."}') if "/account/" in sent.path else known(sent)

    with recorder(behave) as server:
        at(server)
        assert "1910 Bank" in succeed(cli("report", "ledger", "--locale", "fi")).out


UNSTATED = (
    "4 (Anna) cannot be stated: the customer is a private person",
    "2 (Nobody) cannot be stated: the customer has no VAT number",
    "3 cannot be stated: the document has no contact",
)


def test_what_eu_sales_lack_is_said_on_stderr(cli: Cli, at: At) -> None:
    told = "".join(f"warning: document 260302-{one}\n" for one in UNSTATED)
    with recorder(answers()) as server:
        at(server)
        assert succeed(cli("report", "eu-vat", "--json")).err == told
        assert succeed(cli("report", "eu-vat")).err == told
        assert succeed(cli("report", "eu-vat", "--quiet")).err == ""


WRONG = {
    "journal": (
        JOURNAL.replace(b'}],\n  "totals": {"debet": 125.50', b'}],\n  "totals": {"debet": 125.51'),
        "journal, total",
    ),
    "ledger": (LEDGER.replace(b"1125.50", b"1125.05"), "account 1910, balance after 260302-1"),
    "balance-sheet": (BALANCE_SHEET.replace(b"67.89, 0.00", b"67.98, 0.00", 1), "Trade receivables, change"),
    "income-statement": (INCOME_STATEMENT.replace(b"[480.04]", b"[408.04]"), "Result of the period, 2026"),
}


@pytest.mark.together
@pytest.mark.parametrize("form", ["table", "csv", "html", "pdf", "xlsx"])
@pytest.mark.parametrize("command", WRONG)
def test_figures_that_contradict_each_other_are_not_shown(cli: Cli, at: At, command: str, form: str) -> None:
    body, told = WRONG[command]
    with recorder(answers(**{COMMANDS[command]: body})) as server:
        at(server)
        outcome = cli("report", command, *DAYS[command], "--output", form, "--output-file", "report")
    assert (outcome.code, outcome.out, Path("report").exists()) == (10, "", False)
    assert outcome.err.startswith(f"error: {told}")
    assert "computed again" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize("form", ["json", "jsonl"])
@pytest.mark.parametrize(
    ("sent", "instead", "told", "shown"),
    [
        (b'"credit": 25.50', b'"credit": 25.51', "document 260302-1: its debit is 125.50, its credit 125.51", False),
        (b'"totals": {"debet": 125.50', b'"totals": {"debet": 1', "document 260302-1, total debet", False),
        (b'}],\n  "totals": {"debet": 125.50', b'}],\n  "totals": {"debet": 9', "journal, total debet", True),
        (b'"credit": 25.50', b'"credit": "sNaN"', "the report is not what the interface promises: credit is no", False),
    ],
)
def test_a_journal_that_is_streamed_is_added_up(
    cli: Cli, at: At, form: str, sent: bytes, instead: bytes, told: str, shown: bool
) -> None:
    with recorder(answers(journal=JOURNAL.replace(sent, instead, 1))) as server:
        at(server)
        outcome = cli("report", "journal", "--output", form)
        filed = cli("report", "journal", "--output", form, "--output-file", "report")
    code = 9 if b"NaN" in instead else 10
    assert (outcome.code, filed.code, Path("report").exists()) == (code, code, False)
    assert json.loads(outcome.err)["error"]["message"].startswith(told)
    # what adds up goes out as it comes; a document as JSON stays open
    assert ("260303-1" in outcome.out) is shown
    assert form == "jsonl" or not outcome.out.endswith("}\n")


OTHERS = {
    "another year": ("vat", b'"date_from": "2026', b'"date_from": "2025', "the date_from 2025-01-01"),
    "another day": ("journal", b'"date_to": "2026-12-31"', b'"date_to": "2026-11-30T00:00:00"', "date_to 2026-11-30"),
    "another end of a ledger": ("ledger", b'"date_to": "2026', b'"date_to": "2027', "date_to 2027-12-31"),
    "another form": ("income-statement", b"income_statement", b"equity_changes", "of the type equity_changes"),
    "another form of books": ("eu-vat", b"eu_vat_contact_report", b"journal", "of the type journal"),
    "another column": ("income-statement", b'"labels": ["2026"]', b'"labels": ["2025"]', "a column of '2025'"),
    "a range": ("equity-changes", b'["2026"]', b'["2025-01-01 - 2025-12-31"]', "a column of '2025-01-01 - 2025-12-31'"),
    "another last day": ("balance-sheet", b'["2026-03-31"', b'["2026-04-30"', "a column of '2026-04-30'"),
    "a column less": ("balance-sheet", b'["2026-03-31", "2025-12-31"', b'["2026-03-31"', "1 column where 2"),
}


@pytest.mark.together
@pytest.mark.parametrize("form", ["table", "json", "csv"])
@pytest.mark.parametrize("name", OTHERS)
def test_a_report_of_something_else_never_passes_for_the_one_asked_for(cli: Cli, at: At, name: str, form: str) -> None:
    command, sent, instead, told = OTHERS[name]
    body = ANSWERS[COMMANDS[command]]
    assert sent in body
    with recorder(answers(False, **{COMMANDS[command]: body.replace(sent, instead, 1)})) as server:
        at(server)
        outcome = cli("report", command, *DAYS[command], "--output", form)
    assert (outcome.code, outcome.out, told in outcome.err) == (9, "", True), outcome.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("command", "sent", "instead"),
    [
        ("income-statement", b'["2026"]', b'["Tilikausi 1"]'),
        ("income-statement", b'["2026"]', b'["2026-01-01 - 2026-12-31"]'),
        ("income-statement", b'["2026"]', b'["2026-99"]'),
        ("income-statement", b'"income_statement"', b'"RESULT"'),
        ("income-statement", b'"date_from": "2026-01-01"', b'"date_from": null'),
        ("journal", b'"date_to": "2026-12-31"', b'"date_to": "2026-12-31T00:00:00"'),
        ("vat", b'"date_from": "2026-01-01"', b'"date_from": "2025-12-31T22:00:00Z"'),
    ],
)
def test_a_service_may_name_a_report_in_its_own_words(
    cli: Cli, at: At, command: str, sent: bytes, instead: bytes
) -> None:
    body = ANSWERS[COMMANDS[command]]
    assert sent in body
    with recorder(answers(False, **{COMMANDS[command]: body.replace(sent, instead, 1)})) as server:
        at(server)
        assert cli("report", command, *DAYS[command], "--output", "json").code == 0


def test_a_statement_is_checked_as_json_too(cli: Cli, at: At) -> None:
    with recorder(answers(income_statement=WRONG["income-statement"][0])) as server:
        at(server)
        outcome = cli("report", "income-statement", "--json")
    assert (outcome.code, outcome.out) == (10, "")
    assert json.loads(outcome.err)["error"]["code"] == "incomplete"


@pytest.mark.together
@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{", b'{"rows": []}', b'{"labels": [], "rows": [{"name": 1}]}'])
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_odd_replies_end_in_one_line(cli: Cli, at: At, body: bytes, form: str) -> None:
    with recorder(answers(income_statement=body, ledger=body)) as server:
        at(server)
        outcome = cli("report", "income-statement", "--output", form)
        ledger = cli("report", "ledger", "--output", "csv")
    assert (outcome.code, outcome.out) == (9, "")
    assert ledger.code in {9, 10} or body.startswith(b'{"')
    assert "Traceback" not in outcome.err + ledger.err


# paper, pages and workbooks


@pytest.mark.together
@each_command
def test_every_report_is_there_as_a_page_on_paper_and_as_a_workbook(cli: Cli, at: At, command: str) -> None:
    with recorder(answers()) as server:
        at(server)
        for form in ("html", "pdf", "xlsx"):
            succeed(cli("report", command, "--output", form, "--output-file", f"report.{form}"))
    html = Path("report.html").read_text()
    assert "Kahvila Łódź &amp; &lt;b&gt;Söner&lt;/b&gt; Oy" in html
    assert len(read_page(html)) > 2
    assert Path("report.pdf").read_bytes().startswith(b"%PDF-")
    with zipfile.ZipFile(io.BytesIO(Path("report.xlsx").read_bytes())) as archive:
        assert archive.testzip() is None


def months_up_to(year: int, month: int) -> list[str]:
    """Twelve months, as they are written."""
    last = year * 12 + month - 1
    return [f"{one // 12}-{one % 12 + 1:02}" for one in range(last - 11, last + 1)]


@pytest.mark.parametrize(
    ("argv", "segment", "requests"),
    [
        (("income-statement", "--period", "2026-Q2", "--period", "2026-Q1"), "income-statement-short", 1),
        (("vat", "--period", "2026-Q2"), "vat-report", 12),
    ],
)
def test_a_page_has_the_chart_that_belongs_to_it(
    cli: Cli, at: At, argv: tuple[str, ...], segment: str, requests: int
) -> None:
    with recorder(answers()) as server:
        at(server)
        page = succeed(cli("report", *argv, "--tag", "3", "--output", "html")).out
        _, *charts = bodies(server.sent)
    assert page.count("<svg ") == 1
    assert [name for name, _ in charts] == [segment] * requests
    assert {body["tag_ids"][0] for _, body in charts} == {3}
    asked = sorted(column["date_from"][:7] for _, body in charts for column in body["columns"])
    assert asked == months_up_to(2026, 6)


def test_the_detail_of_a_report_is_not_asked_for_its_chart(cli: Cli, at: At) -> None:
    with recorder(answers()) as server:
        at(server)
        succeed(cli("report", "income-statement", "--period", "2026-Q1", "--accounts", "--output", "html"))
        own, chart = bodies(server.sent)
    assert (own[1]["extend_accounts"], "extend_accounts" in chart[1]) == (True, False)


def test_what_has_no_chart_asks_for_none(cli: Cli, at: At) -> None:
    for report in ("equity-changes", "eu-vat", "trial-balance"):
        with recorder(answers()) as server:
            at(server)
            assert "<svg" not in succeed(cli("report", report, "--period", "2026", "--output", "html")).out
            assert len(bodies(server.sent)) == 1


def test_books_have_no_charts(cli: Cli, at: At) -> None:
    with recorder(answers()) as server:
        at(server)
        assert "<svg" not in succeed(cli("report", "ledger", "--output", "html")).out
        assert len(bodies(server.sent)) == 1


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_a_report_too_long_for_pages_is_refused(cli: Cli, at: At, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, form, FORMATS[form]._replace(most_lines=4))
    with recorder(answers()) as server:
        at(server)
        outcome = cli("report", "journal", "--output", form)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"error: --output {form} takes 4 lines, this report has 5\nhint: choose a shorter period, or --output csv\n"
    )


@pytest.mark.parametrize(("form", "start"), [("html", "<!doctype html>"), ("pdf", "%PDF-")])
def test_a_report_as_long_as_pages_take_is_shown(
    cli: Cli, at: At, form: str, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, form, FORMATS[form]._replace(most_lines=5))
    with recorder(answers()) as server:
        at(server)
        succeed(cli("report", "journal", "--output", form, "--output-file", "journal"))
    assert Path("journal").read_bytes().startswith(start.encode())


def test_amounts_that_a_workbook_cannot_hold_are_said(cli: Cli, at: At) -> None:
    long = INCOME_STATEMENT.replace(b"1000.00", b"12345678901234567.89").replace(b"600.05", b"12345678901234167.94")
    with recorder(answers(income_statement=long.replace(b"480.04", b"12345678901234047.93"))) as server:
        at(server)
        outcome = succeed(cli("report", "income-statement", "-o", "xlsx", "--output-file", "x.xlsx"))
    assert outcome.err == ("note: 3 amounts are text in the workbook: its numbers keep 15 digits, these have more\n")


@pytest.mark.parametrize(("form", "library"), [("pdf", "reportlab"), ("xlsx", "xlsxwriter")])
def test_without_its_library_a_form_names_what_to_install(
    cli: Cli, at: At, form: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from acctcli.cli.output import check

    monkeypatch.setattr(check, "find_spec", lambda name: None)
    with recorder(answers()) as server:
        at(server)
        outcome = cli("report", "vat", "--output", form)
        assert (outcome.code, server.sent) == (2, [])
    assert outcome.err == (
        f"error: --output {form} needs {library}, which is not installed\n"
        "hint: install it with: pip install 'acctcli[reports]'\n"
    )


@pytest.mark.parametrize("form", ["pdf", "xlsx"])
def test_a_terminal_is_sent_nothing_binary(tmp_path: Path, form: str) -> None:
    with recorder(answers()) as server:
        variables = environ(tmp_path, server.base_url)
        screen = on_terminal(variables, "report", "vat", "--output", form)
        piped = on_terminal(variables, "report", "vat", "--output", form, pipe_out=True)
        assert len(bodies(server.sent)) == 1
    assert (screen.code, piped.code) == (2, 0)
    assert f"--output {form} is no text for a terminal" in screen.seen
    assert f"hint: write it with --output-file FILE.{form}, or pipe it" in screen.seen
    assert piped.out[:4] in {b"%PDF", b"PK\x03\x04"}


def test_colour_is_for_terminals(tmp_path: Path) -> None:
    with recorder(answers()) as server:
        variables = environ(tmp_path, server.base_url)
        argv = ("report", "income-statement", "--period", "2026")
        screen = on_terminal(variables, *argv)
        piped = on_terminal(variables, *argv, pipe_out=True)
        plain = on_terminal({**variables, "NO_COLOR": "1"}, *argv)
    assert "\x1b[31m-400.05\x1b[0m" in screen.seen
    assert "\x1b[1m" in screen.seen
    assert b"-400.05" in piped.out
    assert b"\x1b" not in piped.out
    assert "\x1b" not in plain.seen


def test_people_see_how_far_the_monthly_figures_are(tmp_path: Path) -> None:
    with recorder(answers()) as server:
        variables = environ(tmp_path, server.base_url)
        argv = ("report", "vat", "--output", "html")
        shown = on_terminal(variables, *argv, pipe_out=True)
        quiet = on_terminal(variables, *argv, "--quiet", pipe_out=True)
    assert "monthly figures 1/12" in shown.seen
    assert shown.seen.endswith("\x1b[K")
    assert (quiet.seen, quiet.out) == ("", shown.out)


def test_what_no_terminal_reads_has_no_bar(cli: Cli, at: At) -> None:
    with recorder(answers()) as server:
        at(server)
        assert succeed(cli("report", "vat", "--output", "html")).err == ""


@pytest.mark.parametrize(
    ("form", "heavy"),
    [
        ("table", {"httpx", "msgspec", "pydantic", "rich"}),
        ("csv", {"httpx", "msgspec", "pydantic"}),
        ("html", {"httpx", "msgspec", "pydantic"}),
        ("pdf", {"httpx", "msgspec", "pydantic", "reportlab"}),
        ("xlsx", {"httpx", "msgspec", "pydantic", "xlsxwriter"}),
    ],
)
def test_a_form_loads_what_it_is_made_with_and_no_more(tmp_path: Path, form: str, heavy: set[str]) -> None:
    argv = ("report", "vat", "--output", form, "--output-file", str(tmp_path / "report"))
    with recorder(answers()) as server:
        modules = loaded(tmp_path, *argv, base_url=server.base_url)
    assert tops(modules) & {*HEAVY, "reportlab", "xlsxwriter"} == heavy
    assert not {"rich.console", "rich.table"} & modules
