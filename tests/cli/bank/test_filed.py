"""Statements that imports keep with the books: found by any machine, whole, and once."""

from __future__ import annotations

import gzip
import itertools
import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.bank import filed
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.cli.bank.test_reconciling import APRIL, MARCH, SALE
from tests.journeys.places import Place, served

D = Decimal
NUMBERS = itertools.count(1)
IMPORT = ("bank", "import", "--contra", "3900", "--no-match", "--yes")


@pytest.fixture
def books(house: Place, tmp_path: Path) -> Place:
    """Books of their own, with the IBAN in the chart."""
    slug = f"filed-{next(NUMBERS)}"
    place = Place(house.name, tmp_path, {**house.environ, "ACCTCLI_BUSINESS": slug})
    place.run("business", "create", "--name", slug, "--form", "FI_OY", "--slug", slug)
    place.run("account", "update", "1910", "--set", f"description={made.FINNISH}")
    return place


def put(place: Place, content: bytes, name: str = "s.xml") -> str:
    (place.folder / name).write_bytes(content)
    return name


def elsewhere(place: Place, folder: Path) -> Place:
    """The same books from another machine, which has none of the files."""
    folder.mkdir()
    state = {f"ACCTCLI_{kind}_DIR": str(folder / kind.lower()) for kind in ("CONFIG", "CACHE", "STATE")}
    return Place(place.name, folder, {**place.environ, **state})


def files(place: Place) -> list[str]:
    return [str(one["name"]) for one in place.json("file", "list", "--all")]


def problems(place: Place, *argv: str) -> tuple[int, list[str]]:
    done = place.try_run("bank", "reconcile", *argv, "--json")
    rows: list[dict[str, Any]] = json.loads(done.out) if done.out else []
    return done.code, [row["problem"] for row in rows if row["problem"]]


def test_another_machine_proves_the_books_by_what_is_kept(books: Place, tmp_path: Path) -> None:
    books.run(*IMPORT, put(books, made.camt([MARCH])), put(books, made.camt([APRIL]), "b.xml"))
    (april, march) = files(books)
    assert march.startswith("bank statement 1910 2026-03-01 2026-03-31 camt ")
    assert april.startswith("bank statement 1910 2026-04-01 2026-04-30 camt ")
    other = elsewhere(books, tmp_path / "other")
    assert problems(other, "--period", "2026-04") == (0, [])
    (row,) = other.json("bank", "reconcile", "--account", "1910")
    assert (row["statements"], row["closing"], row["books"]) == (2, D("-777.70"), D("-777.70"))
    days = other.json("bank", "status", "--period", "2026-03")
    assert [one["difference"] for one in days] == [D(0)] * 4
    other.run("document", "create", "--date", "2026-03-20", "--debit", "1910", "--credit", "3900:7")
    code, told = problems(other, "--period", "2026-03")
    assert (code, told[-1]) == (10, "-7.00 on 2026-03-20: it is in no statement")


def test_each_file_is_kept_once_whoever_imports_it_and_only_where_that_is_wanted(books: Place, tmp_path: Path) -> None:
    path = put(books, made.camt([MARCH]))
    books.run(*IMPORT, path, "--no-keep")
    assert (files(books), problems(books)) == ([], (2, []))
    # nothing is new, nobody agreed: nothing is written
    books.run("bank", "import", path)
    assert files(books) == []
    books.run(*IMPORT, path)
    other = elsewhere(books, tmp_path / "other")
    other.run(*IMPORT, put(other, made.camt([MARCH]), "again.xml"), "--idempotency-key", "another")
    assert len(files(books)) == 1
    assert problems(books) == (0, [])


def test_a_large_file_is_kept_compressed(books: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filed, "_PLAIN", 100)
    content = made.camt([MARCH])
    books.run(*IMPORT, put(books, content))
    (name,) = files(books)
    assert name.endswith(".xml.gz")
    books.run("file", "download", "--all", "--to", "kept")
    assert gzip.decompress((books.folder / "kept" / name).read_bytes()) == content
    assert problems(books) == (0, [])
    monkeypatch.setattr(filed, "_UNPACKED", 200)
    done = books.try_run("bank", "reconcile")
    assert (done.code, "unpacks to more than" in done.err) == (10, True)


def test_what_the_service_does_not_take_is_said_and_the_lines_are_posted(
    books: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filed, "_LARGEST", 100)
    done = books.run(*IMPORT, put(books, made.camt([MARCH])), "--output", "csv", "--columns", "status")
    assert done.lines() == ["status", "posted", "posted"]
    assert "note: s.xml is not kept with the books: it has more than" in done.err
    done = books.try_run("bank", "reconcile")
    assert (done.code, "no statement is kept with the books" in done.err) == (2, True)


def test_every_account_at_a_bank_is_to_be_proved(books: Place) -> None:
    books.run(*IMPORT, put(books, made.camt([MARCH])))
    books.run("account", "update", "1920", "--set", f"description={made.GERMAN}")
    assert problems(books, "--period", "2026-03") == (10, ["no statement tells of 2026-03-01 to 2026-03-31"])
    assert problems(books, "--period", "2026-03", "--account", "1910") == (0, [])
    other = replace(MARCH, account=made.GERMAN, moves=[replace(SALE, reference="G1")])
    books.run(*IMPORT, put(books, made.camt([APRIL, other]), "both.xml"))
    assert "bank statement 1910+1920 2026-03-01 2026-04-30 camt " in files(books)[0]
    assert problems(books, "--period", "2026-03") == (0, [])


def test_the_next_statement_proves_that_a_last_one_is_whole(books: Place) -> None:
    books.run(*IMPORT, put(books, made.camt([replace(MARCH, last=date(2026, 3, 30))])))
    told = "the statements end on 2026-03-30, and the period on 2026-03-31"
    assert problems(books, "--period", "2026-03") == (10, [told])
    books.run(*IMPORT, put(books, made.camt([replace(APRIL, first=date(2026, 4, 2))]), "b.xml"))
    assert problems(books, "--period", "2026-03") == (0, [])


def test_a_csv_is_read_again_by_its_profile_and_on_the_account_that_was_named(books: Place, tmp_path: Path) -> None:
    content = flat.csv([MARCH], "danske")
    own = books.folder / "own-profiles"
    books.environ["ACCTCLI_CONFIG_DIR"] = str(own)
    (own / "bank-profiles").mkdir(parents=True)
    (own / "bank-profiles" / "mine.toml").write_text(books.run("bank", "profile", "show", "danske").out)
    books.run("account", "update", "1910", "--set", "description=null")
    books.run(*IMPORT, put(books, content, "d.csv"), "--account", "1910", "--profile", "mine")
    assert " csv-mine " in files(books)[0]
    assert problems(books) == (0, [])
    other = elsewhere(books, tmp_path / "other")
    done = other.try_run("bank", "reconcile")
    assert (done.code, "there is no profile 'mine'" in done.err) == (2, True)


def test_a_check_names_what_differs_from_statements(books: Place) -> None:
    rows = books.json("check")
    assert [row for row in rows if row["part"] == "bank"] == []
    books.run("bank", "import", put(books, made.camt([MARCH])), "--no-match", "--yes")
    rows = [row for row in books.json("check") if row["part"] == "bank"]
    assert [(row["record"], row["is_fault"]) for row in rows] == [
        ("account 1910", False),
        (rows[1]["record"], False),
        (rows[2]["record"], False),
    ]
    assert rows[0]["problem"] == "at the end of 2026-03-31 the bank holds 122.30, and the books 0.00: 122.30"
    assert rows[1]["problem"].startswith("125.50 on 2026-03-05: draft ")
    assert rows[1]["record"].endswith(".xml line 21")


@pytest.mark.everywhere
def test_over_a_socket_too(books: Place) -> None:
    with served(books) as guest:
        guest.environ["ACCTCLI_BUSINESS"] = books.environ["ACCTCLI_BUSINESS"]
        guest.run(*IMPORT, put(guest, made.camt([MARCH])))
        assert problems(guest, "--period", "2026-03") == (0, [])
