"""`bank import`: what is wrong is named with file, line and field, and then nothing is posted."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from datetime import date
from errno import ENOSPC
from pathlib import Path

import pytest

from acctcli.cli.bank.reading import Lines
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.cli.test_terminal import on_terminal
from tests.journeys.places import Done, Place

PAID = made.Move(date(2026, 1, 5), date(2026, 1, 5), 12_550, "A1", "Äiti", "", "1232", "", "Kahvi")
BOOK = made.Book(made.FINNISH, 1, date(2026, 1, 1), date(2026, 1, 31), 10_000, [PAID])
NEXT = made.Book(made.FINNISH, 2, date(2026, 2, 1), date(2026, 2, 28), BOOK.closing, [])
WHOLE = made.camt([BOOK])
BATCH = made.camt([replace(BOOK, moves=[replace(PAID, cents=300, parts=(100, 200))])], made.Camt(version="08"))
RUNNING = flat.csv([replace(BOOK, moves=[PAID, PAID])], "danske")


def put(place: Place, content: bytes, name: str = "s.xml") -> str:
    (place.folder / name).write_bytes(content)
    return name


def bring(place: Place, *argv: str) -> Done:
    return place.try_run("bank", "import", *argv)


def number_of_documents(place: Place) -> int:
    return len(place.json("document", "list", "--all", "--columns", "id"))


def refused(place: Place, *argv: str) -> tuple[int, str]:
    """Return the exit code and the message of an import that posts nothing."""
    before = number_of_documents(place)
    done = bring(place, *argv)
    assert done.out == ""
    assert number_of_documents(place) == before
    return done.code, done.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("content", "code", "told"),
    [
        (WHOLE.replace(b">225.50<", b">225.60<"), 10, "s.xml line 37, closing balance: 100.00 and 125.50 of 1 line"),
        (made.camt([replace(NEXT, number=3), BOOK]), 10, "s.xml line 22, period: the statement stands behind"),
        (BATCH.replace(b">2.00<", b">2.01<"), 10, "NtryDtls: the parts come to 3.01, and the entry to 3.00"),
        (RUNNING.replace(b"351,00", b"351,01"), 10, "s.xml line 3, balance: the balance"),
        (WHOLE[:900], 2, "s.xml line 29: this is not XML: unclosed token"),
        (WHOLE.replace(b"?>", b"?><!DOCTYPE x>", 1), 2, "s.xml line 1, DOCTYPE: a statement has no document type"),
        (WHOLE.replace(b'"EUR"', b'"USD"').replace(b">EUR<", b">USD<"), 2, "currency: USD, and the books are in EUR"),
        (
            WHOLE.replace(b"FI2112345600000785", b"FI2112345600000786"),
            2,
            "IBAN: the check digits of FI2112345600000786",
        ),
        (WHOLE.replace(b">125.50<", b">125,50<"), 2, "s.xml line 22, Ntry/Amt: '125,50' is not an amount"),
        (b"", 2, "s.xml: the file is empty"),
        (b"\x00\x01\x02", 2, "s.xml: no profile knows these headings"),
        (b"Who;What\nx;y\n", 2, "no profile knows these headings"),
        (flat.mt940([BOOK]).replace(b"C125,50", b"C125x50"), 2, "s.xml line 5, :61:"),
        (flat.tito([BOOK]).replace(b"T40", b"T99"), 2, "s.xml line 4: 'T99' is not a record"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_posted(place: Place, content: bytes, code: int, told: str) -> None:
    ended, err = refused(place, put(place, content), "--account", "1910", "--yes")
    assert told in err
    assert ended == code


def test_a_fault_in_one_file_keeps_all_of_them_out(place: Place) -> None:
    good, bad = put(place, WHOLE, "good.xml"), put(place, WHOLE[:900], "bad.xml")
    code, err = refused(place, good, bad, "--account", "1910", "--yes")
    assert (code, "bad.xml line 29" in err) == (2, True)


def test_a_gap_between_files_is_named(place: Place) -> None:
    later = replace(NEXT, number=3, opening=1)
    paths = put(place, made.camt([later]), "a.xml"), put(place, WHOLE, "b.xml")
    code, err = refused(place, *paths, "--account", "1910", "--yes")
    assert code == 10
    assert "(b.xml line 4) ends with 225.50, and statement 3 of 2026-02-01 to 2026-02-28 (a.xml line 4) begins" in err


def test_csv_without_balances_is_not_proved(place: Place) -> None:
    path = put(place, flat.csv([BOOK], "op"), "op.csv")
    code, err = refused(place, path, "--account", "1910", "--yes")
    assert (code, "cannot be proved that it is whole" in err) == (2, True)
    done = bring(place, path, "--account", "1910", "--unproved", "--dry-run")
    assert done.code == 0, done.err


def test_csv_with_a_sign_of_thousands_that_its_profile_has_not_is_refused(place: Place) -> None:
    path = put(place, flat.csv([BOOK], "op").replace(b"+125,50", b"+1.125,50"), "op.csv")
    code, err = refused(place, path, "--account", "1910", "--unproved", "--yes")
    assert (code, "op.csv line 2, amount, column 'Määrä EUROA'" in err) == (2, True)


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ((), "no account of the chart holds FI2112345600000785"),
        (("--account", "3000"), "--account: 3000 Sales, standard rate is no account of money"),
        (("--account", "9999"), "--account: there is no account 9999"),
        (("--account", "1910", "--contra", "9999"), "--contra: there is no account 9999"),
        (("--account", "1910", "--contra", "1910"), "--contra: 1910 Bank account is the bank account itself"),
        (("--account", "1910", "--format", "pdf"), "--format 'pdf': there are camt, mt940, tito, csv"),
        (("--account", "1910", "--format", "tito"), "s.xml line 1: '<?x' is not a record of a statement"),
        (("--account", "1910", "--profile", "none"), "there is no profile 'none'"),
        (("--account", "1910", "--profile", "op", "--format", "camt"), "--profile is of CSV"),
        (("--account", "1910"), "this would keep as drafts 1 line of statements"),
        (("none.xml", "--account", "1910"), "none.xml: No such file or directory"),
    ],
)
def test_a_command_line_that_makes_no_sense_posts_nothing(place: Place, argv: tuple[str, ...], told: str) -> None:
    agreed = () if "this would" in told else ("--yes",)
    code, err = refused(place, put(place, WHOLE), *argv, *agreed)
    assert told in err
    assert code == 2


def test_an_iban_of_the_chart_with_wrong_digits_is_named_and_the_hint_leaves_it_out(place: Place) -> None:
    place.run("account", "update", "1910", "--set", "description=Nordea FI21 1234 5600 0007 86")
    code, err = refused(place, put(place, WHOLE), "--yes")
    assert code == 2
    assert "; 1910 Bank account has FI2112345600000786, whose check digits do not fit" in err
    assert "acctcli account update 1910 --set 'description=Nordea FI2112345600000785'" in err


def test_the_chart_says_whose_a_statement_is(place: Place) -> None:
    place.run("account", "update", "1920", "--set", "description=Nordea FI21 1234 5600 0007 85")
    path = put(place, WHOLE)
    code, err = refused(place, path, "--account", "1910", "--yes")
    assert (code, "FI2112345600000785 is 1920 Second bank account, and --account says 1910" in err) == (2, True)
    german = put(place, made.camt([replace(BOOK, account=made.GERMAN)]))
    code, err = refused(place, german, "--account", "1920", "--yes")
    assert (code, f"the file is of {made.GERMAN}, and 1920 Second bank account of {made.FINNISH}" in err) == (2, True)
    planned = bring(place, put(place, WHOLE), "--dry-run", "--json")
    kept, request = json.loads(planned.out)
    assert kept["body"]["name"].startswith("bank statement 1920 2026-01-01 2026-01-31 camt ")
    (account,) = place.json("account", "list", "--number", "1920")
    assert request["body"]["blueprint"]["debet_entries"][0]["account_id"] == account["id"]
    place.run("account", "update", "1920", "--set", "description=null")


def test_the_iban_is_written_where_there_is_none_and_behind_what_people_wrote(place: Place) -> None:
    german = put(place, made.camt([replace(BOOK, account=made.GERMAN)]))
    change = ("account", "update", "1910", "--set")
    place.run(*change, f"description={made.FINNISH}")
    place.run("account", "update", "1920", "--set", "description=Main")
    whose = f"acctcli account update 1920 --set 'description=Main {made.GERMAN}'"
    assert f"or write it there: {whose}\n" in refused(place, german, "--yes")[1]
    told = place.run("bank", "import", german, "--account", "1920", "--dry-run").err
    assert f"keeps statements of others out: {whose}\n" in told
    place.run(*shlex.split(whose)[1:])
    assert bring(place, german, "--dry-run").code == 0
    third = put(place, made.camt([replace(BOOK, account=made.OTHERS[0])]))
    new = f"--number 1921 --type ASS_PAY --name Bank --set description={made.OTHERS[0]}"
    assert f"or make one: acctcli account create {new}\n" in refused(place, third, "--yes")[1]
    for number in ("1910", "1920"):
        place.run("account", "update", number, "--set", "description=null")


def test_a_rehearsal_shows_the_requests_and_posts_nothing(place: Place) -> None:
    before = number_of_documents(place)
    planned = ("bank", "import", put(place, WHOLE), "--account", "1910", "--dry-run")
    kept, request = place.json(*planned)
    assert (kept["method"], kept["body"]["size"]) == ("POST", len(WHOLE))
    assert place.json(*planned, "--no-keep") == [request]
    body = request["body"]
    assert (request["method"], body["date"], body["is_draft"]) == ("POST", "2026-01-05", True)
    assert body["description"].startswith("Äiti Kahvi 1232 bank-")
    assert number_of_documents(place) == before


def test_the_table_of_a_rehearsal_has_columns_of_its_own(place: Place) -> None:
    planned = (put(place, WHOLE), "--account", "1910", "--dry-run")
    shown = bring(place, *planned, "--columns", "debit,credit,account")
    rows = [line.split() for line in shown.lines()]
    assert (rows[0], rows[2:]) == (["debit", "credit", "account"], [["125.50", "1910"], ["125.50"]])
    code, err = refused(place, *planned, "--columns", "status")
    assert (code, "fields: date, account, debit, credit, text, reason" in err) == (2, True)
    # requests have none: --columns is about what a run shows then
    assert json.loads(bring(place, *planned, "--columns", "status", "--json").out)
    code, err = refused(place, *planned, "--columns", "debit", "--json")
    assert (code, "there is no field 'debit'" in err) == (2, True)
    place.run("bank", "match", "--dry-run", "--columns", "debit")


def test_what_is_not_booked_or_moves_nothing_is_left_out(place: Place) -> None:
    book = replace(BOOK, moves=[replace(PAID, is_pending=True, reference="P"), replace(PAID, cents=0, reference="Z")])
    rows = place.json("bank", "import", put(place, made.camt([book])), "--account", "1910", "--yes")
    assert [(row["status"], row["reason"], row["identity"], row["document"]) for row in rows] == [
        ("left out", "PDNG", None, None),
        ("left out", "nothing moved", None, None),
    ]


def test_the_end_is_told_for_each_statement(place: Place) -> None:
    path = put(place, made.camt([replace(BOOK, moves=[replace(PAID, reference="T1")])]))
    first, second = (place.run("bank", "import", path, "--account", "1910", "--yes", "--json") for _ in range(2))
    row = "statement 1 of 2026-01-01 to 2026-01-31 (s.xml line 4)       1        {}       {}          0    100.00"
    assert row.format(1, 0) in first.err
    assert row.format(0, 1) in second.err
    assert first.err.rstrip().endswith("225.50   proved")
    (told,) = json.loads(first.out)
    assert (told["file"], told["line"], told["date"], told["amount"]) == ("s.xml", 21, "2026-01-05", 125.5)


def test_a_rehearsal_says_what_is_there_already(place: Place) -> None:
    path = put(place, made.camt([replace(BOOK, moves=[replace(PAID, reference="R1")])]))
    place.run("bank", "import", path, "--account", "1910", "--yes")
    done = place.run("bank", "import", path, "--account", "1910", "--dry-run", "--json")
    assert (json.loads(done.out), "1 line is there already" in done.err) == ([], True)


def test_where_nothing_can_be_kept_nothing_is_posted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(lines: Lines, statement: int, line: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Lines, "add", full)
    code, err = refused(place, put(place, WHOLE), "--account", "1910", "--yes")
    assert (code, "statements cannot be read, or kept meanwhile in" in err) == (1, True)


def test_on_a_terminal_a_table_and_a_question_come_first(place: Place) -> None:
    path = str(place.folder / put(place, made.camt([replace(BOOK, moves=[replace(PAID, reference="Q1")])])))
    command = ("bank", "import", path, "--account", "1910")
    no = on_terminal(place.environ, *command, typed=b"n\n", pipe_out=True, columns=120)
    assert "2026-01-05   1910      125.50   Äiti   Kahvi" in no.seen
    assert "Keep as drafts 1 line of statements? [y/N]" in no.seen
    assert (no.code, no.out) == (2, b"")
    yes = on_terminal(place.environ, *command, typed=b"y\n", pipe_out=True, columns=120)
    assert (yes.code, b"posted" in yes.out) == (0, True)


def test_stdin_is_read_like_a_file(place: Place) -> None:
    done = place.try_run("bank", "import", "-", "--account", "1910", "--dry-run", "--json", stdin=WHOLE.decode())
    kept, request = json.loads(done.out)
    assert (done.code, kept["body"]["size"], request["body"]["date"]) == (0, len(WHOLE), "2026-01-05")


def test_a_folder_is_no_statement(place: Place, tmp_path: Path) -> None:
    code, err = refused(place, str(tmp_path), "--account", "1910", "--yes")
    assert (code, "Is a directory" in err) == (2, True)
