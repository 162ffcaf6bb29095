"""`acctcli business import-opening`: what is read, what is refused, what is set, and that it is set once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from tests.cli.company import company
from tests.cli.conftest import At, Cli
from tests.cli.recorder import Answer, Sent, page, recorder, said
from tests.journeys.cutting import cut_off
from tests.journeys.places import Done, Place

IMPORT = ("business", "import-opening")
SIDES = "Tili;Nimi;Debet;Kredit\n1910;Pankki;12.500,00;\n1700;Saamiset;1 255,50;\n2000;Pääoma;;2.500,00\n"
WHOLE = f"{SIDES}2251;Voitto;;11.255,50\n"
OPENED = {"1700": "1255.50", "1910": "12500.00", "2000": "2500.00", "2251": "11255.50"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return company(tmp_path)


def kept(place: Place, content: str | bytes, name: str = "trial.csv") -> str:
    (place.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def take(place: Place, content: str | bytes, *words: str) -> Done:
    return place.try_run(*IMPORT, kept(place, content), *words, "--yes", "--json")


def opened(place: Place) -> dict[str, str]:
    """What each account opens with, in its own sign, but for those that open with nothing."""
    found = {one["number"]: one["opening_balance"] for one in place.json("account", "list", "--all")}
    return {number: f"{amount:.2f}" for number, amount in found.items() if amount}


def refused(place: Place, content: str, *words: str, code: int = 2) -> str:
    """Return what is said of a file that is refused; nothing is set."""
    before = opened(place)
    done = place.try_run(*IMPORT, kept(place, content), *words, "--yes")
    assert (done.code, opened(place)) == (code, before), done.err
    return done.err


def write_book(path: Path, rows: Sequence[list[object]]) -> None:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)


# --- what is set ---


def test_balances_are_set_in_the_sign_of_their_types_and_the_balance_sheet_balances(place: Place) -> None:
    done = take(place, WHOLE)
    assert done.code == 0, done.err
    assert "debit 13755.50, credit 13755.50; the ledger of 2026-01-01 opens with debit 13755.50, credit" in done.err
    assert opened(place) == OPENED
    sheet = place.json("report", "trial-balance", "--period", "2026", "--jq", ".accounts")
    assert {one["number"]: f"{one['columns'][0]['opening']:.2f}" for one in sheet} == {
        "1700": "1255.50", "1910": "12500.00", "2000": "-2500.00", "2251": "-11255.50",
    }  # fmt: skip
    assert {one["status"] for one in place.json(*IMPORT, "trial.csv", "--yes")} == {"already there"}


BOOK: list[list[object]] = [
    ["Tase 31.12.2025"], ["Tili", "Nimi", "Saldo"], [1910, "Pankki", 12500], ["1700", "Saamiset", 0.1 + 0.2],
    [2000, "Pääoma", -2500.1], [9251, "Voitto", -10000.2], ["Yhteensä", None, 0],
]  # fmt: skip


def test_a_workbook_is_read_like_a_file_of_texts(place: Place) -> None:
    write_book(place.folder / "trial.xlsx", BOOK)
    write_book(place.folder / "map.xlsx", [["old", "new"], [9251, "2251"]])
    argv = (*IMPORT, "trial.xlsx", "--map", "map.xlsx", "--yes")
    assert place.try_run(*argv).code == 0
    assert opened(place) == {"1700": "0.30", "1910": "12500.00", "2000": "2500.10", "2251": "10000.20"}


@pytest.mark.together
@pytest.mark.parametrize(
    ("cell", "says"),
    [
        (0.125, "error: trial.xlsx row 4, balance: '0.125' is no amount that is certain"),
        (1.234, "error: trial.xlsx row 4, balance: '1.234' is no amount that is certain"),
        ("=1+2", "error: trial.xlsx C4: a formula that nobody has worked out"),
    ],
)
def test_a_cell_of_a_workbook_that_is_no_amount_is_named(place: Place, cell: object, says: str) -> None:
    write_book(place.folder / "trial.xlsx", [*BOOK[:3], ["1700", "Saamiset", cell], *BOOK[4:]])
    done = place.try_run(*IMPORT, "trial.xlsx", "--yes")
    assert (done.code, opened(place)) == (2, {})
    assert done.err.startswith(says)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("number,name,balance\n1910,Bank,12500\n1700,Claims,1255.50\n2000,Capital,-2500\n2251,Profit,-11255.5\n", ()),
        ("Trial balance,,\n31.12.2025,,\nno.,name,end\n1910,,12500\n1700,,1255.50\n2000,,-2500\n2251,,-11255.5\n",
         ("--column", "balance=end")),
        ("Saldenliste\n\nKonto;Soll;Haben\n1910;12.500,00;0,00\n1700;1.255,50;\n2000;;2.500,00\n2251;;11.255,50\n"
         "Summe;13.755,50;13.755,50\n", ()),
        ("number,name,balance\n,Assets,13755.50\n1910,Bank,12500\n1700,Claims,1255.50\n,Sum,13755.50\n"
         "2000,Capital,-2500\n2251,Profit,-11255.5\n,Liabilities,-13755.50\nnumber,name,balance\n", ()),
        (WHOLE.encode("cp1252"), ()),
        (("\ufeff" + WHOLE.replace(";", "\t")).encode(), ()),
        # movements of the year, and what they came to
        ("number,debit,credit,closing\n1910,9000,500,12500\n1700,3000,0,1255.50\n2000,0,0,-2500\n2251,0,0,-11255.50\n",
         ("--column", "balance=closing")),
        ("number,debit,credit,closing\n1910,12500,0,1\n1700,1255.50,0,2\n2000,0,2500,3\n2251,0,11255.50,4\n",
         ("--column", "debit=debit", "--column", "credit=credit")),
    ],
)  # fmt: skip
def test_trial_balances_are_read_as_they_are_written(
    place: Place, content: str | bytes, words: tuple[str, ...]
) -> None:
    done = take(place, content, *words)
    assert (done.code, opened(place)) == (0, OPENED), done.err


def test_our_own_trial_balance_opens_other_books(place: Place) -> None:
    take(place, WHOLE)
    place.run("document", "create", "--date", "2026-02-02", "--debit", "1910:255.50@3", "--credit", "1700")
    words = ("--period", "2026", "--output", "csv", "--output-file", "ours.csv")
    place.run("report", "trial-balance", *words)
    place.run("business", "create", "--name", "Next", "--form", "FI_OY", "--slug", "next")
    place.environ["ACCTCLI_BUSINESS"] = "next"
    place.run(*IMPORT, "ours.csv", "--column", "balance=closing", "--yes")
    assert opened(place) == {**OPENED, "1910": "12755.50", "1700": "1000.00"}


def test_numbers_are_mapped_and_what_comes_to_one_account_is_added_up(place: Place) -> None:
    kept(place, "old,new\nA-1910,1910\n1911x,1910\n9000,9001\n", "map.csv")
    content = WHOLE.replace("1910;Pankki;12.500,00", "A-1910;Pankki;12.000,00;\n1911x;Toinen;500,00")
    assert take(place, content, "--map", "map.csv").code == 0
    assert opened(place) == OPENED


def test_the_result_goes_where_it_is_said(place: Place) -> None:
    content = f"{SIDES}3000;Myynti;;20.000,00\n5000;Palkat;8.744,50;\n"
    assert "2000.00 go" not in (told := refused(place, content))
    assert "revenue and expenses open with nothing: 3000 Myynti, 5000 Palkat" in told
    assert "where their 11255.50 go" in told
    assert "is no account of the balance sheet" in refused(place, content, "--result", "3000")
    assert take(place, content, "--result", "2251").code == 0
    assert opened(place) == OPENED


def test_a_rehearsal_shows_it_and_sets_nothing(place: Place) -> None:
    rows = place.json(*IMPORT, kept(place, WHOLE), "--dry-run")
    assert rows[2] == {
        "number": "2000", "name": "Share capital", "debit": Decimal("0.00"), "credit": Decimal("2500.00"),
        "status": "to be set",
    }  # fmt: skip
    assert opened(place) == {}
    done = place.try_run(*IMPORT, "trial.csv")
    assert (done.code, opened(place)) == (2, {})
    assert "agree with --yes" in done.err


# --- what is refused ---


@pytest.mark.together
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (SIDES, "debit and credit differ by 11255.50"),
        (WHOLE.replace("1 255,50", "1 255,51"), "differ by 0.01"),
        (WHOLE.replace("1910;", "1919;").replace("2251", "2252"), "lacks 2 accounts: 1919 Pankki, 2252 Voitto"),
        (WHOLE.replace("1700", "1910"), "stand there more than once: 1910"),
        (WHOLE.replace("1 255,50", "1,255"), "line 3, debit: '1,255' is no amount that is certain"),
        (WHOLE.replace("1 255,50", "1255,505"), "line 3, debit: '1255,505' is no amount in cents"),
        (WHOLE.replace("Tili;", "Mikä;"), "there is no column for number; there are 'Mikä', 'Nimi'"),
        (WHOLE.replace("Kredit", "Muu"), "no columns for debit and credit"),
        ("Tili;Debet;Kredit;Saldo\n1910;5;0;6\n2000;0;5;-6\n", "the balance is 6.00, and debit less credit 5.00"),
        ("nothing\n", "there is no table"),
        (f"{WHOLE}2300;Laina\n", "line 6: the row has 2 cells, and the one of line 1 has 4"),
        (WHOLE + "Yhteensä;;13755,50;13755,51\n", "line 6: it has no account number, and its amount is no sum"),
        (WHOLE + ";Laina;50;\n;Velka;;50\n", "line 6: it has no account number, and its amount is no sum"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_and_nothing_is_set(place: Place, content: str, told: str) -> None:
    assert told in refused(place, content)


def test_a_map_of_two_minds_is_refused(place: Place) -> None:
    kept(place, "old,new\n1910,1910\n1910,1920\n", "map.csv")
    assert "1910 is 1910 and 1920" in refused(place, WHOLE, "--map", "map.csv")


def test_what_opens_otherwise_is_replaced_only_where_that_is_said(place: Place) -> None:
    place.run("account", "update", "1920", "--set", "opening_balance=7")
    told = refused(place, WHOLE)
    assert "1920 with 7.00 instead of 0.00" in told
    assert take(place, WHOLE, "--replace").code == 0
    assert opened(place) == OPENED


def test_closed_periods_keep_what_they_open_with(place: Place) -> None:
    take(place, WHOLE)
    other = WHOLE.replace("12.500,00", "12.600,00").replace("2.500,00\n", "2.600,00\n")
    (period,) = (one["id"] for one in place.json("period", "list", "--all") if one["start_date"] == "2026-01-01")
    place.run("period", "lock", str(period))
    assert "closed" in refused(place, other, "--replace")
    assert place.json(*IMPORT, kept(place, WHOLE), "--yes")[0]["status"] == "already there"
    place.run("period", "unlock", str(period))
    (first, *_) = place.json("vat", "period", "list", "--all")
    place.run("vat", "period", "lock", str(first["id"]))
    assert "VAT period" in refused(place, other, "--replace")


def test_documents_before_the_first_period_are_no_part_of_it(place: Place) -> None:
    place.run("document", "create", "--date", "2025-12-30", "--draft", "--debit", "1910:5@3", "--credit", "1700")
    assert take(place, WHOLE).code == 0


def test_killed_at_any_request_the_same_command_goes_on(place: Place) -> None:
    command = (*IMPORT, kept(place, WHOLE), "--yes", "--json")
    for cut in range(1, 40):
        done = cut_off(place, cut, *command)
        found: dict[str, Any] = opened(place)
        assert found.items() <= OPENED.items()
        if not done:
            break
    assert cut > 5
    assert opened(place) == OPENED


def test_a_trial_balance_of_skr03_comes_over_into_its_chart(place: Place) -> None:
    place.run("business", "create", "--name", "Werk", "--form", "DE_UG", "--slug", "werk", "--chart", "skr03")
    place.environ["ACCTCLI_BUSINESS"] = "werk"
    trial = "Konto;Bezeichnung;Soll;Haben\n0210;Maschinen;500,00;\n1200;Bank;1.700,00;\n1400;Forderungen;119,00;\n"
    done = take(place, f"{trial}0800;Kapital;;1.000,00\n1600;Verbindlichkeiten;;319,00\n0630;Darlehen;;1.000,00\n")
    assert done.code == 0, done.err
    assert opened(place) == {
        "0210": "500.00", "0630": "1000.00", "0800": "1000.00", "1200": "1700.00", "1400": "119.00", "1600": "319.00",
    }  # fmt: skip
    rows = place.json("report", "balance-sheet", "--date", "2026-06-30", "--layout", "statutory", "--locale", "de")[
        "rows"
    ]
    found = {row["name"]: f"{row['values'][0]:.2f}" for row in rows if row["level"] >= 2}
    assert (found["Forderungen aus Lieferungen und Leistungen"], found["Gezeichnetes Kapital"]) == ("119.00", "1000.00")


def test_zeros_that_a_spreadsheet_left_out_are_put_back_in_a_chart_that_has_some(place: Place) -> None:
    place.run("business", "create", "--name", "Werk", "--form", "DE_UG", "--slug", "werk", "--chart", "skr03")
    place.environ["ACCTCLI_BUSINESS"] = "werk"
    write_book(
        place.folder / "trial.xlsx", [["Konto", "Soll", "Haben"], [420, 500, ""], [1200, 500, ""], [800, "", 1000]]
    )
    done = place.try_run(*IMPORT, "trial.xlsx", "--yes")
    assert (done.code, opened(place)) == (0, {"0420": "500.00", "0800": "1000.00", "1200": "500.00"}), done.err
    assert "read with their zeros in front: 420, 800" in done.err
    trial = "Konto;Name;Saldo\n27;Software;5,00\n800;Kapital;-5,00\n"
    assert "lacks 1 account: 0027 Software\n" in refused(place, trial)
    done = place.try_run("document", "create", "--debit", "1200", "--credit", "800:5@3")
    assert (done.code, ": write it with its zeros in front, which spreadsheets drop" in done.err) == (2, True), done.err


# --- services of others ---

CHART = [
    {"id": 1, "number": "1910", "name": "Bank", "type": "ASS_PAY", "opening_balance": 0.0},
    {"id": 2, "number": "2000", "name": "Capital", "type": "LIA_EQU", "opening_balance": 0.0},
]
SMALL = "number,name,balance\n1910,Bank,5.00\n2000,Capital,-5.00\n"


def elsewhere(sent: Sent, *, documents: tuple[object, ...] = ()) -> Answer:
    """A service that takes opening balances and keeps none."""
    path = sent.path.partition("?")[0].removeprefix("/v1/business/demo/")
    if path == "report/ledger/":
        nothing = {"debet": 0.0, "credit": 0.0, "balance_csum": 0.0}
        return said({"report_type": "ledger", "date_from": "2026-01-01", "date_to": "2026-01-01", "accounts": [],
                     "totals": nothing})  # fmt: skip
    lists = {
        "account/": CHART,
        "period/": [{"id": 1, "start_date": "2026-01-01", "end_date": "2026-12-31", "is_locked": False}],
        "vat_period/": [],
        "document/": documents,
    }
    return page(*lists[path]) if path in lists else said(CHART[path == "account/2/"])


def test_what_a_service_does_not_keep_is_found_in_its_ledger(cli: Cli, at: At, tmp_path: Path) -> None:
    (tmp_path / "trial.csv").write_text(SMALL)
    with recorder(elsewhere) as server:
        at(server)
        done = cli(*IMPORT, str(tmp_path / "trial.csv"), "--yes")
    assert [json.loads(one.body) for one in server.writes if one.method == "PATCH"] == [{"opening_balance": 5.0}] * 2
    assert done.code == 10
    assert "1910 with 0.00 instead of 5.00, 2000 with 0.00 instead of -5.00" in done.err


def test_documents_before_the_first_period_are_no_part_of_an_opening_balance(cli: Cli, at: At, tmp_path: Path) -> None:
    (tmp_path / "trial.csv").write_text(SMALL)
    asked: list[str] = []

    def answer(sent: Sent) -> Answer:
        asked.append(sent.path)
        return elsewhere(sent, documents=({"id": 7, "date": "2025-12-30"},))

    with recorder(answer) as server:
        at(server)
        done = cli(*IMPORT, str(tmp_path / "trial.csv"), "--yes")
    assert (done.code, server.writes) == (2, [])
    assert "documents stand before 2026-01-01" in done.err
    assert any("date_to=2025-12-31" in one and "is_draft=false" in one for one in asked)
