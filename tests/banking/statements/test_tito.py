"""TITO: records of fixed width, with what itemises others."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.statements.tito import read_tito
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.banking.statements.reading import read, refused

D = Decimal
PAID = made.Move(date(2026, 1, 5), date(2026, 1, 4), 12_550, "A1", "Äiti Åke", made.OTHERS[0], "1232", "E1", "Öljyä")
BOOK = made.Book(made.FINNISH, 7, date(2026, 1, 1), date(2026, 1, 31), 10_000, [PAID])


@given(st.integers(0, 2**32), st.booleans(), st.integers(1, 3), st.integers(0, 12))
def test_what_was_written_is_read(seed: int, is_old: bool, statements: int, lines: int) -> None:
    truth = made.books(seed, lines, statements)
    done = read(read_tito, flat.tito(truth, is_old=is_old))
    assert done.short == made.expected(truth)
    assert [one.closing for one in done.statements] == [D(book.closing) / 100 for book in truth]


@pytest.mark.parametrize("is_old", [True, False])
def test_all_that_a_movement_says(is_old: bool) -> None:
    (line,) = read(read_tito, flat.tito([BOOK], is_old=is_old)).lines
    assert (line.amount, line.booked, line.valued) == (D("125.50"), date(2026, 1, 5), date(2026, 1, 4))
    assert (line.name, line.iban, line.text) == ("Äiti Åke", made.OTHERS[0], "Öljyä")
    assert (line.reference, line.structured, line.end_to_end, line.code) == ("A1", "1232", "E1", "710 PANO")


def test_a_file_that_a_browser_saved_as_utf_8_is_read_in_its_columns() -> None:
    as_utf_8 = flat.tito([BOOK], is_old=False).decode("iso-8859-1").encode("utf-8-sig")
    assert read(read_tito, as_utf_8).lines == read(read_tito, flat.tito([BOOK])).lines


# what a bank's public guide to the format shows as its example, with batches, corrections and foreign payments
GUIDE = Path(__file__).parent / "samples" / "guide.to"


def test_the_example_of_a_bank_s_guide_is_read_to_the_cent() -> None:
    done = read(read_tito, GUIDE.read_bytes())
    (statement,) = done.statements
    assert (statement.head.account, statement.head.number, statement.head.first) == (
        "FI4819503000000010", "044", date(2006, 3, 6),
    )  # fmt: skip
    assert (statement.opening, statement.closing, len(done.lines)) == (D("4409.27"), D("17050.24"), 22)
    by_line = {line.number: line for line in done.lines}
    first, second = by_line[48], by_line[50]
    assert [(one.amount, one.structured, one.part, one.batch) for one in (first, second)] == [
        (D("-100.00"), "13", 1, D("-695.55")), (D("-595.55"), "12345672", 2, D("-695.55")),
    ]  # fmt: skip
    back, abroad = by_line[38], by_line[30]
    assert (back.amount, back.is_reversal, back.code) == (D("-5.85"), True, "710 Pano korjaus")
    assert (abroad.name, abroad.amount) == ("BINGEN'S STEEL&WOOD", D("-2025.83"))
    assert by_line[18].name == "LUOTTOKORTTIYHTIÖ"


def test_items_that_do_not_come_to_their_record_are_a_fault_where_it_says_how_many_they_are() -> None:
    batch = replace(PAID, cents=300, parts=(100, 200))
    data = flat.tito([replace(BOOK, moves=[batch])])
    assert [line.amount for line in read(read_tito, data).lines] == [D("1.00"), D("2.00")]
    told = "it is the sum of 2, 3.00, and itemised by 2 that come to 2.50"
    fault = refused(read_tito, data.replace(b"+000000000000000200", b"+000000000000000150", 1))
    assert (fault.problem, fault.line, fault.field) == (told, 2, "T11 01")
    records = data.splitlines(keepends=True)
    itemising = [place for place, one in enumerate(records) if one[187:188] == b"1"]
    lost = [one for place, one in enumerate(records) if not itemising[1] <= place < len(records) - 1]
    assert refused(read_tito, b"".join(lost)).problem.endswith("itemised by 1 that come to 1.00")
    # a bank may say how many they are, and itemise none
    none = [one for place, one in enumerate(records) if not itemising[0] <= place < len(records) - 1]
    assert [line.amount for line in read(read_tito, b"".join(none)).lines] == [D("3.00")]
    deeper = [one[:187] + b"2" + one[188:] if place == itemising[0] else one for place, one in enumerate(records)]
    fault = refused(read_tito, b"".join(deeper))
    assert (fault.problem, fault.field) == (
        "a record of level 2 itemises one of level 1, and is behind one of level 0", "T10 level",
    )  # fmt: skip


def test_items_that_do_not_come_to_their_record_are_not_counted() -> None:
    batch = replace(PAID, cents=300, parts=(100, 200))
    data = flat.tito([replace(BOOK, moves=[batch])], is_told=False)
    assert [line.amount for line in read(read_tito, data).lines] == [D("1.00"), D("2.00")]
    broken = data.replace(b"+000000000000000200", b"+000000000000000150", 1)
    assert [(line.amount, line.part) for line in read(read_tito, broken).lines] == [(D("3.00"), 0)]


def test_an_account_in_its_national_form_is_an_iban() -> None:
    data = flat.tito([BOOK]).replace(f"{made.FINNISH} NDEAFIHH".encode(), b" " * 27)
    assert read(read_tito, data).statements[0].head.account == made.FINNISH


def test_a_rejected_movement_is_left_out() -> None:
    done = read(read_tito, flat.tito([replace(BOOK, moves=[replace(PAID, is_pending=True), PAID])]))
    assert [line.left_out for line in done.lines] == ["rejected", ""]


WHOLE = flat.tito([BOOK]).decode("iso-8859-1")


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("T10188", "T99188", 2, None),
        ("T10188", "T10abc", 2, "T10"),
        ("T10188", "T10099", 2, "T10 length"),
        ("260105", "261305", 2, "T10 booking day"),
        ("260105", "251105", 2, "T10 booking day"),
        ("260105", "260201", 2, "T10 booking day"),
        ("260101260131260131", "260131260101260131", 1, "T00 last day"),
        ("+000000000000012550", "?000000000000012550", 2, "T10 amount"),
        ("+000000000000012550", "+00000000000001255x", 2, "T10 amount"),
        ("1710PANO", "5710PANO", 2, "T10 type"),
        ("T1104300", "T1104399", 3, "T11"),
        ("T40050", "T60050", 5, "T40"),
        ("T40050260131+000000000000022550", "T40050260131+000000000000022551", 5, "closing balance"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_field(old: str, new: str, line: int, field: str | None) -> None:
    assert old in WHOLE
    fault = refused(read_tito, WHOLE.replace(old, new, 1).encode("iso-8859-1"))
    assert (fault.line, fault.field) == (line, field)


def test_a_file_that_was_cut_off_is_refused() -> None:
    lines = WHOLE.splitlines(keepends=True)
    for number in range(1, len(lines)):
        refused(read_tito, "".join(lines[:number]).encode("iso-8859-1"))
    assert refused(read_tito, "".join(lines[1:]).encode("iso-8859-1")).field == "T10"
