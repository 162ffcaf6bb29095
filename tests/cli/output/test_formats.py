"""What goes to stdout: complete, in order, digit for digit, and nothing else."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from acctcli.cli.output import jq
from acctcli.cli.output.formats import COMMANDS, LISTS, REPORTS, offered
from acctcli.cli.output.formats import FORMATS as TABLE
from acctcli.cli.output.show import show_values
from acctcli.cli.output.writers import Writer, rows_writer
from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, page, recorder, said
from tests.lying_server import Body, Change, Lies, lying_server

ROWS = 2500
LIST = ("account", "list", "--all", "--page-size", "100")
FORMATS = offered(COMMANDS)
AMOUNTS = ("10.10", "12345678901234567.89", "-0.01", "0.00", "99999999999999999.99", "1E400", "100")


def ids_of(form: str, text: str) -> list[int]:
    """The ids in an output whose first column is `id`."""
    match form:
        case "json":
            return [row["id"] for row in json.loads(text)]
        case "jsonl":
            return [json.loads(line)["id"] for line in text.splitlines()]
        case "csv":
            return [int(row["id"]) for row in csv.DictReader(io.StringIO(text))]
        case "tsv":
            return [int(line.split("\t")[0]) for line in text.splitlines()[1:]]
        case _:
            return [int(line.split()[0]) for line in text.splitlines()[2:]]


@pytest.mark.together
@pytest.mark.parametrize("form", FORMATS)
def test_2500_rows_over_25_pages_arrive_complete_and_in_order(cli: Cli, at: At, form: str) -> None:
    with lying_server(Lies(rows=ROWS, pad=50)) as server:
        at(server)
        outcome = succeed(cli(*LIST, "--output", form, "--columns", "id,name"))
        assert {seen.page for seen in server.seen} == set(range(1, 26))
    assert ids_of(form, outcome.out) == list(range(1, ROWS + 1))
    assert outcome.err == ""
    assert "row 2500" in outcome.lines()[-1] + outcome.lines()[-2]


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_without_columns_rows_are_what_the_service_sent(cli: Cli, at: At, form: str) -> None:
    with lying_server(Lies(rows=ROWS, pad=10)) as server:
        at(server)
        outcome = succeed(cli(*LIST, "--output", form))
    rows = json.loads(outcome.out) if form == "json" else [json.loads(line) for line in outcome.lines()]
    assert rows == [{"id": n, "name": f"row {n}", "filler": "x" * 10} for n in range(1, ROWS + 1)]


def test_jq_sees_every_row(cli: Cli, at: At) -> None:
    with lying_server(Lies(rows=ROWS)) as server:
        at(server)
        assert succeed(cli(*LIST, "--jq", "length")).out == f"{ROWS}\n"
        assert succeed(cli(*LIST, "--jq", ".[].id")).lines() == [str(n) for n in range(1, ROWS + 1)]
        assert succeed(cli(*LIST, "--jq", ".id", "--output", "jsonl")).lines() == [str(n) for n in range(1, ROWS + 1)]


@pytest.mark.together
@pytest.mark.parametrize(
    ("expression", "form", "text"),
    [
        ("empty", "json", ""),
        (".[] | select(.id > 9) | .id", "json", ""),
        ("select(.id == 2) | .id", "jsonl", "2\n"),
        (".[].name", "json", "\n\n"),
        ('.[0].name, null, ""', "json", "\nnull\n\n"),
    ],
)
def test_jq_writes_a_line_for_each_result_and_none_for_none(
    cli: Cli, at: At, expression: str, form: str, text: str
) -> None:
    with recorder(page({"id": 1, "name": ""}, {"id": 2, "name": ""})) as server:
        at(server)
        assert succeed(cli("account", "list", "--jq", expression, "--output", form)).out == text


def test_jq_takes_rows_without_end_but_no_list(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jq, "_LARGEST_WHOLE", 1000)
    with lying_server(Lies(rows=ROWS)) as server:
        at(server)
        outcome = cli(*LIST, "--jq", "length")
        assert (outcome.code, outcome.out, "--output jsonl" in outcome.err) == (2, "", True)
        assert len(succeed(cli(*LIST, "--jq", ".id", "--output", "jsonl")).lines()) == ROWS


def test_rows_spread_over_lines_stay_one_a_line_in_jsonl(cli: Cli, at: At) -> None:
    with lying_server(Lies(rows=250, pretty=True)) as server:
        at(server)
        assert ids_of("jsonl", succeed(cli(*LIST, "--output", "jsonl")).out) == list(range(1, 251))
        assert ids_of("json", succeed(cli(*LIST, "--json")).out) == list(range(1, 251))


@pytest.mark.together
@pytest.mark.parametrize("limit", [1, 49, 50, 51, 120, 2499])
def test_a_limit_is_kept_and_said(cli: Cli, at: At, limit: int) -> None:
    with lying_server(Lies(rows=ROWS)) as server:
        at(server)
        outcome = succeed(cli("account", "list", "--limit", str(limit), "--json"))
    assert ids_of("json", outcome.out) == list(range(1, limit + 1))
    assert outcome.err == f"{limit} of {ROWS} shown; --all shows every one\n"


def test_fifty_rows_are_shown_unless_told_otherwise(cli: Cli, at: At) -> None:
    with lying_server(Lies(rows=ROWS)) as server:
        at(server)
        outcome = succeed(cli("account", "list", "--json"))
        quiet = succeed(cli("account", "list", "--json", "--quiet"))
        assert len(server.seen) == 2
    assert ids_of("json", outcome.out) == list(range(1, 51))
    assert (outcome.err, quiet.err) == (f"50 of {ROWS} shown; --all shows every one\n", "")


NO_ROWS = {"json": "[]\n", "jsonl": "", "csv": "id,name\n", "tsv": "id\tname\n", "table": "id   name\n─────────\n"}


@pytest.mark.together
@pytest.mark.parametrize(("form", "text"), NO_ROWS.items())
def test_no_rows_are_said_in_the_format(cli: Cli, at: At, form: str, text: str) -> None:
    with lying_server(Lies(rows=0)) as server:
        at(server)
        assert succeed(cli(*LIST, "--output", form, "--columns", "id,name")).out == text


@pytest.mark.parametrize(("form", "text"), NO_ROWS.items())
def test_no_rows_made_here_are_said_alike(capsys: pytest.CaptureFixture[str], form: str, text: str) -> None:
    show_values(State(Options(output=form)), [], ("id", "name"))
    assert capsys.readouterr().out == text


@pytest.mark.together
@pytest.mark.parametrize("form", FORMATS)
def test_no_rows_have_no_names_of_all_columns(cli: Cli, at: At, form: str) -> None:
    with lying_server(Lies(rows=0)) as server:
        at(server)
        shown = succeed(cli(*LIST, "--output", form, "--columns", "all")).out
    assert shown == ("[]\n" if form == "json" else "")


def money_list(*names: str) -> Answer:
    """A page whose amounts are written out by hand: Python must not touch them."""
    rows = ",".join(
        f'{{"id": {n}, "name": {json.dumps(name)}, "amount": {amount}, "sub": {{"vat": {amount}}}}}'
        for n, (name, amount) in enumerate(zip(names or AMOUNTS, AMOUNTS, strict=False), 1)
    )
    count = len(names or AMOUNTS)
    body = f'{{"count": {count}, "next": null, "prev": null, "size": {count}, "results": [{rows}]}}'
    return Answer(200, body.encode())


def test_amounts_leave_as_they_came(cli: Cli, at: At) -> None:
    with recorder(money_list()) as server:
        at(server)

        def shown(*argv: str) -> str:
            return succeed(cli("account", "list", *argv)).out

        for form in ("json", "jsonl"):
            assert re.findall(r'"amount": ?([^,}]+)', shown("--output", form)) == list(AMOUNTS)
            assert re.findall(r'"amount": ?([^,}]+)', shown("--output", form, "--columns", "amount")) == list(AMOUNTS)
        for form in ("csv", "tsv"):
            assert shown("--output", form, "--columns", "amount").split() == ["amount", *AMOUNTS]
            assert shown("--output", form, "--columns", "sub.vat").split() == ["sub.vat", *AMOUNTS]
        assert shown("--columns", "amount").split()[2:] == list(AMOUNTS)
        assert shown("--jq", ".[].amount").split() == list(AMOUNTS)
        assert shown("--jq", ".sub.vat", "--output", "jsonl").split() == list(AMOUNTS)


def test_one_record_keeps_its_amounts_too(cli: Cli, at: At) -> None:
    with recorder(Answer(200, b'{"id": 1, "amount": 12345678901234567.89, "rows": [{"amount": 10.10}]}')) as server:
        at(server)
        for argv in ((), ("--json",), ("--output", "jsonl"), ("--output", "csv"), ("--output", "tsv"), ("--jq", ".")):
            columns = () if "--jq" in argv else ("--columns", "amount,rows")
            text = succeed(cli("account", "get", "id:1", *argv, *columns)).out
            assert "12345678901234567.89" in text, argv
            assert "10.10" in text, argv


@pytest.mark.together
@pytest.mark.parametrize("form", FORMATS)
def test_one_record_shows_its_details_in_every_format(cli: Cli, at: At, form: str) -> None:
    with recorder(Answer(200, b'{"id": 1, "number": "1910", "name": "Bank", "balance": 10.10}')) as server:
        at(server)
        text = succeed(cli("account", "get", "id:1", "--output", form)).out
    assert {"1910", "Bank", "10.10"} <= set(re.findall(r"[\w.]+", text))


def test_numbers_are_aligned_right_and_never_folded(cli: Cli, at: At) -> None:
    with recorder(money_list()) as server:
        at(server)
        lines = succeed(cli("account", "list", "--columns", "amount,name")).lines()[2:]
    width = max(map(len, AMOUNTS))
    assert [line[:width] for line in lines] == [amount.rjust(width) for amount in AMOUNTS]


def test_an_amount_that_is_not_there_leaves_the_others_aligned(cli: Cli, at: At) -> None:
    text = b'{"count":3,"next":null,"results":[{"id":1,"amount":10.10},{"id":2,"amount":null},{"id":3,"amount":-5}]}'
    with recorder(Answer(200, text)) as server:
        at(server)
        lines = succeed(cli("account", "list", "--columns", "id,amount")).lines()
    assert lines == ["id   amount", "───────────", " 1    10.10", " 2", " 3       -5"]


FORMULAS = ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "＝1+1")


def test_formulas_are_defused_in_text_and_amounts_never_are(cli: Cli, at: At) -> None:
    with recorder(money_list(*FORMULAS)) as server:
        at(server)
        options = ("--columns", "name,amount")
        safe = list(csv.reader(io.StringIO(succeed(cli("account", "list", "-o", "csv", *options)).out)))[1:]
        raw = list(csv.reader(io.StringIO(succeed(cli("account", "list", "-o", "csv", "--raw-csv", *options)).out)))[1:]
        tsv = [line.split("\t") for line in succeed(cli("account", "list", "-o", "tsv", *options)).lines()][1:]
    amounts = list(AMOUNTS[: len(FORMULAS)])
    assert safe == [[f"'{name}", amount] for name, amount in zip(FORMULAS, amounts, strict=True)]
    assert raw == [[name, amount] for name, amount in zip(FORMULAS, amounts, strict=True)]
    assert [cells[0] for cells in tsv] == [f"'{name}".replace("\t", "\\t") for name in FORMULAS]
    assert [cells[1] for cells in tsv] == amounts


def test_line_breaks_in_cells_break_no_record(cli: Cli, at: At) -> None:
    names = ("two\nlines", "tab\there", 'quote " and, comma', "back\\slash", "cr\rhere")
    with recorder(money_list(*names)) as server:
        at(server)
        table = succeed(cli("account", "list", "--columns", "name,id")).lines()
        tsv = succeed(cli("account", "list", "-o", "tsv", "--columns", "name,id")).lines()
        text = succeed(cli("account", "list", "-o", "csv", "--columns", "name,id")).out
    assert len(table) == len(tsv) + 1 == len(names) + 2
    assert tsv[1:3] == ["two\\nlines\t1", "tab\\there\t2"]
    assert [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:] == list(names)


def test_columns_reach_into_records_and_are_checked(cli: Cli, at: At) -> None:
    with recorder(money_list()) as server:
        at(server)
        row = json.loads(succeed(cli("account", "list", "--columns", "sub.vat,id", "--json", "--limit", "1")).out)[0]
        every = succeed(cli("account", "list", "--columns", "all", "-o", "csv")).lines()[0]
        wrong = cli("account", "list", "--columns", "amuont")
        twice = cli("account", "list", "--columns", "id,id")
    assert list(row) == ["sub.vat", "id"]
    assert every == "id,name,amount,sub"
    assert (wrong.code, wrong.out, wrong.err) == (
        2, "", "error: --columns: there is no field 'amuont'\nhint: did you mean amount?\n"
    )  # fmt: skip
    assert (twice.code, twice.out) == (2, "")


@pytest.mark.together
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("command", [("list",), ("get", "id:1")])
def test_a_column_that_is_not_there_is_refused_in_every_format(
    cli: Cli, at: At, command: tuple[str, ...], form: str
) -> None:
    row = {"id": 1, "name": "Bank", "amount": 10}
    with recorder(lambda sent: said(row) if "/1/" in sent.path else page(row)) as server:
        at(server)
        outcome = cli("account", *command, "--columns", "name,amuont", "--output", form)
    assert (outcome.code, outcome.out) == (2, "")
    assert "there is no field 'amuont'" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize(
    "argv",
    [
        ("--json", "--output", "csv"),
        ("--jq", ".", "--output", "csv"),
        ("--jq", ".", "--columns", "id"),
        ("--jq", ".["),
        ("--columns", "a,,b"),
        ("--columns", ""),
        ("--all", "--limit", "3"),
        ("--output", "xml"),
        ("--limit", "0"),
        ("--output-file", "/nowhere/at/all"),
        ("--output-file", "/dev/null"),
        ("--output-file", "."),
        ("--output-file", "x" * 300),
    ],
)
def test_options_that_make_no_sense_are_refused_before_anything_is_sent(
    cli: Cli, at: At, argv: tuple[str, ...]
) -> None:
    with recorder(page({"id": 1})) as server:
        at(server)
        outcome = cli("account", "list", *argv)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert outcome.err.startswith(("error: ", '{"error": {"code": "usage"'))


@pytest.mark.together
@pytest.mark.parametrize(
    "argv",
    [
        ("--jq", ".["),
        ("--output-file", "/nowhere/at/all"),
        ("--json", "--output", "csv"),
        ("--columns", "id,nmae"),
        ("--columns", "nosuch.x"),
    ],
)
def test_a_write_whose_result_cannot_be_shown_is_not_sent(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(said({"id": 1})) as server:
        at(server)
        assert cli("account", "hide", "id:7", *argv).code == 2
        assert server.sent == []


@pytest.mark.parametrize("argv", [("--columns", "id,name.nosuch"), ("--jq", ".id | error")])
def test_a_write_that_was_done_never_ends_as_if_nothing_was_sent(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(said({"id": 7, "name": {}})) as server:
        at(server)
        outcome = cli("account", "hide", "id:7", *argv)
        assert len(server.writes) == 1
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("error: it was done, but cannot be shown: ")


def test_one_valid_json_document_for_every_kind_of_result(cli: Cli, at: At) -> None:
    with recorder(lambda sent: Answer(204, b"", {}) if sent.method == "DELETE" else page({"id": 1})) as server:
        at(server)
        for argv in (
            "account list", "business list", "document entries 7", "business identifier list",
            "account delete id:7 --yes",
            "api GET /v1/user/", "api DELETE /v1/x/ --yes", "env list", "env show testing", "completion show bash",
            "account hide id:5 --dry-run",
        ):  # fmt: skip
            succeed(cli(*argv.split(), "--json")).json()


# lists that lie

LIES = {
    "more than there are": Lies(rows=250, claimed_count=300),
    "fewer than there are": Lies(rows=250, claimed_count=201),
    "a page twice": Lies(rows=250, repeated_page=2),
    "a row missing": Lies(rows=250, missing_row=150),
    "one in front": Lies(rows=250, change=Change.INSERT_AT_FRONT),
    "one less in front": Lies(rows=250, change=Change.DELETE_AT_FRONT),
    "for ever": Lies(rows=250, change=Change.APPEND, keeps_changing=True),
}


@pytest.mark.together
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("lie", LIES)
def test_a_list_that_lies_is_never_silent(cli: Cli, at: At, lie: str, form: str) -> None:
    with lying_server(LIES[lie]) as server:
        at(server)
        outcome = cli(*LIST, "--output", form, "--columns", "id,name")
    assert outcome.code == 10, (outcome.out[-200:], outcome.err)
    if form.startswith("json"):
        assert json.loads(outcome.err)["error"]["exit_code"] == 10
    else:
        assert outcome.err.startswith("error: ")
        assert "Traceback" not in outcome.err
    if form in {"json", "table"}:  # nobody can take half of it for the whole
        assert outcome.out == ""


ODD = {
    Body.GARBAGE: 9,
    Body.TRUNCATED: 9,
    Body.HTML: 9,
    Body.EMPTY: 9,
    Body.NULL: 9,
    Body.LIST: 9,
    Body.TEXT_COUNT: 9,
    Body.NO_RESULTS: 10,
    Body.CUT_OFF: 3,
    Body.BAD_GZIP: 3,
    Body.DRIP: 3,
}


@pytest.mark.together
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("where", [1, 2])
def test_odd_replies_end_in_one_line(cli: Cli, at: At, odd: Body, where: int) -> None:
    # what may be a fault of the line is asked for until the time is up
    patience = "0.6" if ODD[odd] == 3 else "30"
    with lying_server(Lies(rows=250, body=odd, body_page=where)) as server:
        at(server)
        outcome = cli(*LIST, "--json", "--timeout", patience)
        plain = cli(*LIST, "--output", "csv", "--columns", "id", "--timeout", patience)
    assert outcome.code in {ODD[odd], 10 if where == 2 and odd is Body.NO_RESULTS else ODD[odd]}, outcome.err
    error = json.loads(outcome.err)["error"]
    assert (error["exit_code"], "\n" in error["message"]) == (outcome.code, False)
    assert plain.code == outcome.code
    assert plain.err.startswith("error: ")
    assert len([line for line in plain.err.splitlines() if not line.startswith("hint: ")]) == 1
    assert "Traceback" not in plain.err
    assert where == 2 or outcome.out + plain.out == ""


@pytest.mark.parametrize("odd", [Body.HUGE, Body.GZIP_BOMB])
def test_replies_without_end_are_cut_off(cli: Cli, at: At, odd: Body, monkeypatch: pytest.MonkeyPatch) -> None:
    from acctcli.client import pages
    from acctcli.client.bounds import PAGE

    monkeypatch.setattr(pages, "PAGE", PAGE._replace(size=4 * 1024 * 1024))
    with lying_server(Lies(rows=250, body=odd, size=16 * 1024 * 1024)) as server:
        at(server)
        outcome = cli(*LIST, "--output", "csv", "--columns", "id")
    assert (outcome.code, outcome.out, outcome.err) == (9, "", "error: the reply is larger than 4 MiB\n")


@pytest.mark.together
@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"<html>", b"{", b'{"id": 1', b"\xff\xfe", b"1", b'"x"', b'{"id": NaN}', b"[" * 99999]
)
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_record_that_is_none_is_exit_9(cli: Cli, at: At, body: bytes, form: str) -> None:
    with recorder(Answer(200, body)) as server:
        at(server)
        outcome = cli("account", "get", "id:1", "--output", form)
    assert (outcome.code, outcome.out) == (9, ""), outcome.err
    assert "Traceback" not in outcome.err


def test_unknown_fields_and_values_pass_through(cli: Cli, at: At) -> None:
    row = {"id": 1, "type": "NEW_KIND", "brand_new": {"deep": [1, None]}, "\u001b[2J": "x"}
    with recorder(page(row)) as server:
        at(server)
        assert succeed(cli("account", "list", "--json")).json() == [row]
        assert succeed(cli("account", "list", "--columns", "type,brand_new", "-o", "csv")).lines() == [
            "type,brand_new",
            'NEW_KIND,"{""deep"":[1,null]}"',
        ]


# --- the table of formats ---


def writer_of(form: str, columns: tuple[str, ...] = ("id",)) -> Writer:
    return rows_writer(State(Options(output=form)), io.BytesIO(), columns)


@pytest.mark.parametrize("form", offered(LISTS))
def test_what_lists_offer_writes_rows(form: str) -> None:
    assert type(writer_of(form)).__name__ == TABLE[form].writer.partition(":")[2]


@pytest.mark.parametrize("form", [one for one in offered(REPORTS) if one not in offered(LISTS)])
def test_a_format_of_reports_alone_writes_no_rows(form: str) -> None:
    with pytest.raises(UsageError, match=f"--output {form} is for reports, and this is none"):
        writer_of(form)


def test_an_unknown_format_is_never_taken_for_another() -> None:
    with pytest.raises(UsageError, match="--output 'yaml': there are table, json, jsonl, csv, tsv, xlsx, html, pdf"):
        writer_of("yaml")


@pytest.mark.parametrize("form", offered(REPORTS))
def test_jq_goes_with_json_alone(form: str) -> None:
    here = State(Options(output=form, jq="."))
    if TABLE[form].is_json:
        assert here.format == form
    else:
        with pytest.raises(UsageError, match=f"it does not go with --output {form}"):
            _ = here.format


# --output-file


def test_a_file_gets_the_same_bytes_as_stdout_would(cli: Cli, at: At, tmp_path: Path) -> None:
    with lying_server(Lies(rows=250)) as server:
        at(server)
        for form in FORMATS:
            argv = (*LIST, "--output", form, "--columns", "id,name")
            plain = succeed(cli(*argv))
            filed = succeed(cli(*argv, "--output-file", "out"))
            assert (filed.out, Path("out").read_text()) == ("", plain.out)
    assert [path.name for path in Path.cwd().iterdir()] == ["out"]


def test_an_error_in_the_middle_leaves_the_old_file(cli: Cli, at: At) -> None:
    Path("out").write_text("old")
    with lying_server(Lies(rows=250, body=Body.GARBAGE, body_page=3)) as server:
        at(server)
        assert cli(*LIST, "--output", "csv", "--columns", "id", "--output-file", "out").code == 9
        assert cli(*LIST, "--output", "csv", "--columns", "id", "--output-file", "new").code == 9
    assert [(path.name, path.read_text()) for path in Path.cwd().iterdir()] == [("out", "old")]


def test_the_mode_of_a_file_is_kept_and_a_new_one_has_what_the_umask_allows(cli: Cli, at: At) -> None:
    Path("old").touch(mode=0o600)
    Path("old").chmod(0o640)
    with lying_server(Lies(rows=3)) as server:
        at(server)
        for name in ("old", "new"):
            succeed(cli("account", "list", "--json", "--output-file", name))
    Path("plain").touch()
    assert Path("old").stat().st_mode & 0o777 == 0o640
    assert Path("new").stat().st_mode & 0o777 == Path("plain").stat().st_mode & 0o777


def test_a_link_stays_and_its_file_is_replaced(cli: Cli, at: At) -> None:
    Path("file").write_text("old")
    Path("link").symlink_to("file")
    with lying_server(Lies(rows=3)) as server:
        at(server)
        succeed(cli("account", "list", "--jq", "length", "--output-file", "link"))
    assert Path("link").is_symlink()
    assert Path("file").read_text() == "3\n"


def test_a_long_name_is_no_obstacle(cli: Cli, at: At) -> None:
    with lying_server(Lies(rows=3)) as server:
        at(server)
        succeed(cli("account", "list", "--jq", "length", "--output-file", "x" * 255))
    assert Path("x" * 255).read_text() == "3\n"


def test_the_journal_is_a_document_in_json_and_rows_elsewhere(cli: Cli, at: At) -> None:
    body = (
        b'{"totals": {"debet": 110.10, "credit": 110.10}, "documents": [{"number": "1", "date": "2026-03-01",'
        b' "document_id": 5, "entries": [{"account_number": "1910", "account_name": "Bank", "debet": 110.10,'
        b' "credit": 0.00, "description": "x"}, {"account_number": "3000", "account_name": "Sales", "debet": 0.00,'
        b' "credit": 110.10, "description": "y"}]}]}'
    )
    with recorder(Answer(200, body)) as server:
        at(server)
        document = succeed(cli("report", "journal", "--period", "2026", "--json")).json()
        lines = succeed(cli("report", "journal", "--period", "2026", "--output", "csv")).lines()
        table = succeed(cli("report", "journal", "--period", "2026")).lines()
    assert document == json.loads(body)
    assert lines[1:] == [
        "1,2026-03-01,5,1910,Bank,110.10,0.00,x,,,,3000",
        "1,2026-03-01,5,3000,Sales,0.00,110.10,y,,,,1910",
    ]
    assert [word for word in table[-1].split() if word[0].isdigit()] == ["110.10", "110.10"]
