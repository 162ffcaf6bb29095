"""`bank status` and `bank reconcile`: the books against statements, to the cent, and what can differ named."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.journeys.places import Done, Place

D = Decimal
NUMBERS = itertools.count(1)
SALE = made.Move(date(2026, 3, 5), date(2026, 3, 5), 12_550, "S1", "Asiakas Oy", "", "", "", "Invoice 7")
COFFEE = replace(SALE, day=date(2026, 3, 9), cents=-320, reference="C1", name="Kahvila", text="Card 1")
MARCH = made.Book(made.FINNISH, 3, date(2026, 3, 1), date(2026, 3, 31), 0, [SALE, COFFEE])
RENT = replace(COFFEE, day=date(2026, 4, 2), cents=-90_000, reference="R1", name="Kiinteistö", text="Rent")
APRIL = made.Book(made.FINNISH, 4, date(2026, 4, 1), date(2026, 4, 30), MARCH.closing, [RENT])
TO_BANK = ("--account", "1910")
TWO_IBANS = f"description={made.FINNISH} {made.GERMAN}"


@pytest.fixture
def books(house: Place, tmp_path: Path) -> Place:
    """Books of their own, with the IBAN in the chart."""
    slug = f"books-{next(NUMBERS)}"
    place = Place(house.name, tmp_path, {**house.environ, "ACCTCLI_BUSINESS": slug})
    place.run("business", "create", "--name", slug, "--form", "FI_OY", "--slug", slug)
    place.run("account", "update", "1910", "--set", f"description={made.FINNISH}")
    return place


def put(place: Place, *some: made.Book, name: str = "s.xml") -> str:
    (place.folder / name).write_bytes(made.camt(list(some)))
    return name


def import_all(place: Place, *paths: str, contra: str = "3900") -> None:
    place.run("bank", "import", *paths, "--contra", contra, "--no-match", "--yes")


def reconcile(place: Place, *argv: str) -> tuple[int, list[dict[str, Any]]]:
    done = place.try_run("bank", "reconcile", *argv, "--json")
    assert done.out, done.err
    return done.code, json.loads(done.out, parse_float=D)


def problems(place: Place, *argv: str) -> list[tuple[str, str, bool]]:
    """Return what is named, whether it is a fault, and check that the exit code goes by that."""
    code, rows = reconcile(place, *argv)
    found = [(row["record"], row["problem"], row["is_fault"]) for row in rows if row["problem"]]
    assert code == (10 if any(is_fault for *_, is_fault in found) else 0)
    return found


def remedy(place: Place, path: str, problem: str) -> str:
    (found,) = {row["remedy"] for row in reconcile(place, path)[1] if (row["problem"] or "").endswith(problem)}
    return str(found)


def status(place: Place, *argv: str) -> tuple[list[tuple[str, D | None, D, D | None]], Done]:
    done = place.run("bank", "status", *argv, "--json")
    rows = json.loads(done.out, parse_float=D)
    return [(row["date"], row["closing"], row["books"], row["difference"]) for row in rows], done


def post(place: Place, day: str, amount: str, *argv: str) -> int:
    made_one = place.json("document", "create", "--date", day, "--debit", f"1910:{amount}", "--credit", "3900", *argv)
    return int(made_one["id"])


def test_books_that_are_as_the_bank_says_are_proved(books: Place) -> None:
    path = put(books, MARCH, APRIL)
    import_all(books, path)
    code, rows = reconcile(books, path)
    assert code == 0
    (row,) = rows
    figures = {name: row[name] for name in ("account", "from", "to", "statements", "opening", "closing", "books")}
    assert figures == {
        "account": "1910", "from": "2026-03-01", "to": "2026-04-30", "statements": 2,
        "opening": D(0), "closing": D("-777.70"), "books": D("-777.70"),
    }  # fmt: skip
    assert (row["difference"], row["problem"], row["is_fault"]) == (D(0), None, False)
    (row,) = reconcile(books, path, "--period", "2026-04")[1]
    assert (row["opening"], row["closing"], row["books"]) == (D("122.30"), D("-777.70"), D("-777.70"))
    (row,) = reconcile(books, path, "--period", "2026-03")[1]
    assert (row["to"], row["closing"], row["books"]) == ("2026-03-31", D("122.30"), D("122.30"))
    days, done = status(books, path, "--period", "2026-03")
    assert days == [
        ("2026-03-01", D("0.00"), D("0.00"), D("0.00")),
        ("2026-03-05", D("125.50"), D("125.50"), D("0.00")),
        ("2026-03-09", D("122.30"), D("122.30"), D("0.00")),
        ("2026-03-31", D("122.30"), D("122.30"), D("0.00")),
    ]
    assert "1910 Bank account, 2026-03-01 to 2026-03-31, 1 statement: the books are as the statements say" in done.err


def test_a_draft_is_in_no_balance_and_the_first_day_that_differs_is_named(books: Place) -> None:
    path = put(books, MARCH)
    (sale, coffee) = books.json("bank", "import", path, "--no-match", "--yes")
    books.run("document", "update", str(sale["document"]), "--credit", "3000:125.50", "--posted")
    own = post(books, "2026-03-20", "10", "--draft")
    days, done = status(books, path)
    assert days[1:3] == [
        ("2026-03-05", D("125.50"), D("125.50"), D("0.00")),
        ("2026-03-09", D("122.30"), D("125.50"), D("-3.20")),
    ]
    assert "from 2026-03-09 on the books differ, on that day by -3.20" in done.err
    assert problems(books, path) == [
        ("account 1910", "at the end of 2026-03-31 the bank holds 122.30, and the books 125.50: -3.20", True),
        ("s.xml line 34", f"-3.20 on 2026-03-09: draft {coffee['document']} is not posted", True),
        (f"draft {own}", "it would move 10.00 on 2026-03-20, and is in no balance", False),
    ]
    assert remedy(books, path, " is not posted") == "acctcli bank review"
    drafts = [row for row in json.loads(books.try_run("check", "--json").out) if row["part"] == "drafts"]
    assert {row["record"]: row["remedy"] for row in drafts} == {
        f"draft {coffee['document']}": "acctcli bank review",
        f"draft {own}": f"acctcli document update {own} --posted",
    }
    table = books.run("bank", "status", path)
    assert f"-3.20 Kahvila: draft {coffee['document']} is not posted" in table.out


def test_what_stands_on_one_side_only_is_named_with_its_reason(books: Place) -> None:
    path = put(books, MARCH)
    import_all(books, path)
    found = {one["date"]: one for one in books.json("document", "list", "--all")}
    sale, coffee = found["2026-03-05"], found["2026-03-09"]
    books.run("document", "update", str(coffee["id"]), "--date", "2026-03-12")
    post(books, "2026-03-20", "7")
    assert problems(books, path) == [
        ("account 1910", "at the end of 2026-03-31 the bank holds 122.30, and the books 129.30: -7.00", True),
        ("s.xml line 34", "-3.20 on 2026-03-09: the statement has it on 2026-03-09, the books as document 260309-1 of "
         "2026-03-12", False),
        ("s.xml line 34", "3.20 on 2026-03-12: the statement has it on 2026-03-09, the books as document 260309-1 of "
         "2026-03-12", False),
        ("document 260320-1", "-7.00 on 2026-03-20: it is in no statement", True),
    ]  # fmt: skip
    side = "note: differences are what the bank has less what the books have: below zero, the books have more"
    assert side in books.try_run("bank", "reconcile", path, "--account", "1910").err
    books.run("document", "delete", str(sale["id"]), "--yes")
    assert ("s.xml line 21", "125.50 on 2026-03-05: no document has it", True) in problems(books, path)
    assert remedy(books, path, "no document has it") == "acctcli bank import FILE --account 1910, with the statement"
    import_all(books, path)
    assert "no document has it" not in str(problems(books, path))


def test_a_file_that_does_not_say_its_account_is_of_the_one_there_is(books: Place) -> None:
    csv = books.folder / "march.csv"
    csv.write_bytes(flat.csv([MARCH], "danske"))
    import_all(books, put(books, MARCH))
    done = books.try_run("bank", "import", "march.csv", "--account", "1910", "--yes")
    assert (done.code, done.out.count("left out")) == (10, 2)
    # what both tell counts once, whichever the books know
    code, (row, proved) = reconcile(books, "--account", "1910")
    assert (code, row["statements"], row["opening"], row["closing"]) == (0, 2, D(0), D("122.30"))
    assert ("overlap: what both have is taken once" in row["problem"], proved["problem"]) == (True, None)


def test_a_document_whose_amount_or_account_was_changed_is_named(books: Place) -> None:
    path = put(books, MARCH)
    sale, coffee = books.json("bank", "import", path, "--no-match", "--yes")
    amounts = ("--debit", f"1910:100={sale['identity']}", "--credit", "3900:100", "--posted")
    books.run("document", "update", str(sale["document"]), *amounts)
    elsewhere = ("--credit", f"1920:3.20={coffee['identity']}", "--debit", "4000:3.20", "--posted")
    books.run("document", "update", str(coffee["document"]), *elsewhere)
    found = {record: problem for record, problem, is_fault in problems(books, path) if is_fault}
    assert found["s.xml line 21"] == (
        "25.50 on 2026-03-05: the statement has 125.50, and document 260305-1 of 2026-03-05 moves 100.00"
    )
    assert found["s.xml line 34"] == (
        "-3.20 on 2026-03-09: document 260309-1 has its tag, and does not move this account"
    )
    assert remedy(books, path, "does not move this account") == f"acctcli document get {coffee['document']}"


def test_what_was_taken_back_within_the_period_is_named_and_no_fault(books: Place) -> None:
    path = put(books, MARCH)
    import_all(books, path)
    made_one = post(books, "2026-03-20", "7")
    back = books.json("document", "reverse", str(made_one), "--date", "2026-03-21")
    found = problems(books, path)
    told = "it is taken back, and in no statement"
    assert found == [
        ("document 260320-1", f"-7.00 on 2026-03-20: {told}", False),
        (f"document {back['number']}", f"7.00 on 2026-03-21: {told}", False),
    ]


def test_a_gap_an_end_and_a_period_without_statements_are_faults(books: Place) -> None:
    later = replace(APRIL, number=6, first=date(2026, 5, 1), last=date(2026, 5, 31), opening=5, moves=[])
    path = put(books, MARCH)
    import_all(books, path)
    both = put(books, MARCH, later, name="gap.xml")
    named = [problem for _, problem, is_fault in problems(books, both) if is_fault]
    assert "statement 3 of 2026-03-01 to 2026-03-31 (gap.xml line 4) ends with 122.30" in named[0]
    assert named[0].endswith("begins with 0.05: what lies between is missing")
    assert "-122.25 on 2026-05-01: statements are missing" in named
    assert status(books, both)[0][-1] == ("2026-05-31", D("0.05"), D("122.30"), D("-122.25"))
    post(books, "2026-04-03", "7")
    assert problems(books, path, "--period", "2026-Q2") == [
        ("account 1910", "no statement tells of 2026-04-01 to 2026-06-30", True)
    ]
    assert problems(books, path, "--from", "2026-03-01", "--to", "2026-04-30") == [
        (
            "account 1910",
            "the statements end on 2026-03-31, and the period on 2026-04-30, and these are later: "
            "document 260403-1 of 2026-04-03",
            True,
        )
    ]


def test_statements_of_months_may_come_in_any_order_and_overlap(books: Place) -> None:
    both = replace(MARCH, number=5, last=date(2026, 4, 30), moves=[SALE, COFFEE, RENT])
    paths = (put(books, APRIL, name="a.xml"), put(books, MARCH, name="b.xml"), put(books, both, name="c.xml"))
    import_all(books, *paths)
    found = problems(books, *paths)
    assert found
    assert all("overlap: what both have is taken once" in problem for _, problem, _ in found)
    remedies = {row["remedy"] for row in reconcile(books, *paths)[1] if row["problem"]}
    assert remedies == {"none is needed: the lines of both are compared once"}


def test_a_period_counts_the_statements_that_tell_of_it(books: Place) -> None:
    """Those beside it are read, too: the next one proves that the last is whole."""
    import_all(books, put(books, MARCH, name="a.xml"), put(books, APRIL, name="b.xml"))
    for period, statements in (("2026-03", 1), ("2026-04", 1), ("2026-Q2", 1)):
        _, rows = reconcile(books, "--period", period)
        assert {row["statements"] for row in rows} == {statements}
    assert "proved by 1 statement\n" in books.run("bank", "reconcile", "--period", "2026-03").err
    assert [row["statements"] for row in reconcile(books)[1]] == [2]


def test_a_statement_number_that_is_missing_is_named_with_what_can_be_done(books: Place) -> None:
    path = put(books, MARCH, replace(APRIL, number=6))
    import_all(books, path)
    ((row, _),) = [(row, row["problem"]) for row in reconcile(books, path)[1] if row["problem"]]
    assert "numbers are missing; the balances follow each other" in row["problem"]
    assert row["remedy"] == "ask the bank whether it has statements of these numbers; no line of them is missing"


def test_several_statements_of_a_day_end_with_what_the_last_of_them_does(books: Place) -> None:
    day = date(2026, 3, 5)
    first = replace(MARCH, number=3, first=day, last=day, moves=[SALE])
    second = replace(first, number=4, opening=first.closing, moves=[replace(COFFEE, day=day)])
    import_all(books, put(books, first, name="a.xml"))
    import_all(books, put(books, second, name="b.xml"))
    assert problems(books, "--period", "2026-03-05") == []


def test_statements_that_overlap_and_contradict_each_other_prove_nothing(books: Place) -> None:
    other = replace(MARCH, number=5, last=date(2026, 4, 30), moves=[SALE, RENT])
    path = put(books, MARCH, other)
    import_all(books, path)
    told = "the lines of statements that overlap come to -777.70, the last one ends with -774.50"
    assert ("account 1910", told, True) in problems(books, path)


def test_a_contradiction_of_a_later_month_is_none_of_a_period(books: Place) -> None:
    other = replace(APRIL, number=5, last=date(2026, 5, 31), moves=[])
    import_all(books, put(books, MARCH, name="a.xml"), put(books, APRIL, other, name="b.xml"))
    assert problems(books, "--period", "2026-03") == []
    told = ("account 1910", "the lines of statements that overlap come to -777.70, the last one ends with 122.30", True)
    for asked in (("--period", "2026-04"), ("--period", "2026-05"), ()):
        assert told in problems(books, *asked)


def test_books_that_begin_in_mid_year_begin_with_an_opening_balance(books: Place) -> None:
    path = put(books, replace(MARCH, opening=10_000))
    import_all(books, path)
    begun = "before 2026-03-01 the bank holds 100.00, and the books 0.00"
    assert ("account 1910", begun, True) in problems(books, path, "--period", "2026-Q1")
    assert begun.partition(" the ")[0].partition(" ")[2] in books.run("bank", "status", path).out
    books.run("account", "update", "1910", "--set", "opening_balance=100")
    assert problems(books, path, "--period", "2026-Q1") == []
    # what somebody posted before the first statement is in none
    post(books, "2026-02-10", "7")
    named = [problem for _, problem, is_fault in problems(books, path, "--period", "2026-Q1") if is_fault]
    assert named[0] == (
        "no statement tells of the days before 2026-03-01, and these are of them: document 260210-1 of 2026-02-10"
    )
    assert named[1] == "before 2026-03-01 the bank holds 100.00, and the books 107.00"


def test_an_account_that_two_accounts_of_banks_share_holds_what_both_do(books: Place) -> None:
    books.run("account", "update", "1910", "--set", TWO_IBANS)
    other = replace(MARCH, account=made.GERMAN, moves=[replace(SALE, cents=500, reference="G1")])
    paths = put(books, MARCH, name="a.xml"), put(books, other, name="b.xml")
    import_all(books, *paths)
    (row,) = reconcile(books, *paths)[1]
    assert (row["closing"], row["books"], row["problem"]) == (D("127.30"), D("127.30"), None)
    assert problems(books, paths[0])[0] == (
        "account 1910",
        f"it is the account of {made.GERMAN}, too, of which there is no statement",
        True,
    )
    days, done = status(books, paths[0])
    assert {closing for _, closing, _, _ in days} == {None}
    assert f"no statement of {made.GERMAN}, so that nothing proves" in done.err
    books.run("account", "update", "1920", "--set", f"description={made.GERMAN}")
    refused = books.try_run("bank", "reconcile", *paths)
    assert (refused.code, f"{made.GERMAN} stands at 1910 Bank account and 1920" in refused.err) == (2, True)


def test_an_account_in_another_currency_is_named(books: Place) -> None:
    path = put(books, MARCH)
    (books.folder / path).write_bytes(
        (books.folder / path).read_bytes().replace(b'"EUR"', b'"USD"').replace(b">EUR<", b">USD<")
    )
    for verb in ("status", "reconcile"):
        done = books.try_run("bank", verb, path)
        assert (done.code, "s.xml line 4, currency: USD, and the books are in EUR" in done.err) == (2, True)


def test_statements_without_balances_prove_nothing(books: Place) -> None:
    (books.folder / "op.csv").write_bytes(flat.csv([MARCH], "op"))
    books.run("bank", "import", "op.csv", *TO_BANK, "--unproved", "--contra", "3900", "--no-match", "--yes")
    found = problems(books, "op.csv", *TO_BANK)
    assert [(record, "has no balances: it proves nothing" in problem) for record, problem, _ in found] == [
        ("account 1910", True)
    ]
    days, done = status(books, "op.csv", *TO_BANK)
    assert {(closing, difference) for _, closing, _, difference in days} == {(None, None)}
    assert "no balances, so that nothing proves that all is there" in done.err


def test_junit_has_a_case_for_each_account_and_problem(books: Place) -> None:
    path = put(books, MARCH)
    done = books.try_run("bank", "reconcile", path, "--output", "junit")
    suite = ET.fromstring(done.out)
    assert (done.code, suite.get("failures")) == (10, "3")
    assert suite.get("name", "").startswith("acctcli bank reconcile books-")
    import_all(books, path)
    suite = ET.fromstring(books.run("bank", "reconcile", path, "--output", "junit").out)
    assert [(one.get("classname"), one.get("name"), len(one)) for one in suite] == [("1910 Bank account", "all", 0)]


def test_a_line_that_one_import_took_for_another_is_missing(books: Place) -> None:
    """Two statements that divide a day, both with an equal line without a reference, imported one by one."""
    card = replace(COFFEE, reference="", day=date(2026, 3, 31))
    first = replace(MARCH, moves=[card])
    second = replace(first, number=4, first=date(2026, 3, 31), last=date(2026, 4, 30), opening=first.closing)
    paths = put(books, first, name="a.xml"), put(books, second, name="b.xml")
    for path in paths:
        import_all(books, path)
    assert ("b.xml line 21", "-3.20 on 2026-03-31: no document has it", True) in problems(books, *paths)


def test_a_long_statement_that_is_not_in_the_books_is_named_in_part_and_counted(books: Place) -> None:
    moves = [replace(COFFEE, reference=f"C{number}") for number in range(1_003)]
    path = put(books, replace(MARCH, moves=[*moves, replace(COFFEE, day=date(2026, 3, 10), reference="D")]))
    found = problems(books, path)
    assert sum(record.startswith("s.xml line ") for record, *_ in found) == 1_000
    text = "there are too many to name: 1,000 are named"
    assert ("3 other lines", f"-9.60 on 2026-03-09: {text}", True) in found
    assert ("1 other line", f"-3.20 on 2026-03-10: {text}", True) in found
    rows = books.json("bank", "status", path)
    day = next(row["only_in_statement"] for row in rows if row["date"] == "2026-03-09")
    assert sum(D(str(one["amount"])) for one in day) == D("-3209.60")
