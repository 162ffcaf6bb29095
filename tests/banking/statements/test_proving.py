"""Statements follow each other, and lines are called the same wherever they come from."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from acctcli.banking.statements.camt import read_camt
from acctcli.banking.statements.detecting import format_of
from acctcli.banking.statements.identity import TAG, Names, batch_of
from acctcli.banking.statements.model import Line, Parts, ProofFault, StatementFault
from acctcli.banking.statements.mt940 import read_mt940
from acctcli.banking.statements.proving import Proven, note_days_outside, proved
from acctcli.banking.statements.tito import read_tito
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.banking.statements.reading import read

D = Decimal
THREE = made.books(11, 5, 3)


def files(*found: made.Book) -> list[bytes]:
    return [made.camt([one]) for one in found]


def test_files_may_come_in_any_order() -> None:
    assert read(read_camt, *files(*reversed(THREE))).notes == []


def test_within_a_file_statements_stand_in_order() -> None:
    with pytest.raises(ProofFault, match="stands behind a later one"):
        read(read_camt, made.camt(THREE[::-1]))


def test_a_statement_that_is_missing_is_named() -> None:
    with pytest.raises(ProofFault, match=r"statement 1 of 2026-01-01 to 2026-01-31 .*: what lies between is missing"):
        read(read_camt, *files(THREE[0], THREE[2]))


def test_a_number_that_is_missing_is_named_where_balances_follow_each_other() -> None:
    (note,) = read(read_camt, *files(THREE[0], replace(THREE[1], number=5))).notes
    assert "numbers are missing; the balances follow each other" in note


def test_a_statement_of_the_same_day_that_is_missing_is_named() -> None:
    day = date(2026, 1, 5)
    first, third = (made.Book(made.FINNISH, number, day, day, opening) for number, opening in ((1, 100), (3, 200)))
    with pytest.raises(ProofFault, match="what lies between is missing"):
        read(read_camt, *files(first, third))


def test_an_overlap_is_named() -> None:
    half = replace(THREE[0], number=9, moves=THREE[0].moves[:2])
    (note,) = read(read_camt, *files(half, THREE[0])).notes
    assert note.endswith("overlap: what both have is taken once")


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (("2026-01-01", "2026-01-31"), None),
        (("2025-12-30", "2026-01-31"), "books on 2025-12-30, and states 2026-01-01 to 2026-01-31"),
        (("2025-12-30", "2026-02-01", "2026-02-02"), "books on 2025-12-30 and 2026-02-02, and states"),
    ],
)
@pytest.mark.parametrize("form", ["camt", "mt940"])
def test_days_of_booking_outside_of_those_stated_are_named(form: str, days: tuple[str, ...], told: str | None) -> None:
    moves = [made.Move(date.fromisoformat(day), date.fromisoformat(day), 100, f"M{day}") for day in days]
    book = made.Book(made.GERMAN, 1, date(2026, 1, 1), date(2026, 1, 31), 0, moves)
    done = read(read_camt, made.camt([book])) if form == "camt" else read(read_mt940, flat.mt940([book]))
    notes = note_days_outside(done.statements)
    assert [told is not None and told in note for note in notes] == [True] * (told is not None)


# --- identity ---


def tags(*found: tuple[Parts, str]) -> list[str]:
    names, statements = Names("57"), list[Proven]()
    given = []
    before: Proven | None = None
    for parts, file in found:
        for statement, line in proved(file, parts, statements):
            if statement is not before:
                names.begin(goes_on=statement.goes_on)
                before = statement
            given.append(names.of(line))
    return given


@given(st.integers(0, 2**32), st.booleans())
def test_every_line_has_a_tag_of_its_own_and_the_same_again(seed: int, references: bool) -> None:
    truth = made.books(seed, 12, 2, references=references)
    once = tags((read_camt(BytesIO(made.camt(truth))), "a"))
    assert len(set(once)) == len(once)
    assert all(TAG.fullmatch(one) for one in once)
    again = tags(*((read_camt(BytesIO(made.camt([book]))), str(book.number)) for book in truth))
    assert again == once
    twice = tags(*((read_camt(BytesIO(made.camt(truth))), "a"),) * 2)
    assert twice[len(once) :] == once if len(truth) == 1 else set(twice) == set(once)


@given(st.integers(0, 2**32))
def test_the_bank_s_reference_names_a_line_in_all_formats(seed: int) -> None:
    truth = made.books(seed, 12, 1)
    assert tags((read_camt(BytesIO(made.camt(truth))), "a")) == tags((read_tito(BytesIO(flat.tito(truth))), "b"))


COFFEE = Line(1, D("-3.20"), date(2026, 1, 5), name="Kahvila", text="Card 1")


def test_two_equal_payments_of_a_day_are_two() -> None:
    names = Names("57")
    first, second = names.of(COFFEE), names.of(changed(COFFEE, number=2))
    # books hold these: a line is called the same for ever
    assert (first, second) == ("bank-k42htwuy4q6f", "bank-oxv5nptclu6a")
    names.begin(goes_on=False)
    assert names.of(changed(COFFEE, number=9, text=" CARD  1")) == first


@pytest.mark.parametrize(
    "other",
    [
        changed(COFFEE, amount=D("3.20")),
        changed(COFFEE, booked=date(2026, 1, 6)),
        changed(COFFEE, text="Card 2"),
        changed(COFFEE, reference="A1"),
    ],
)
def test_what_differs_is_another_line(other: Line) -> None:
    assert Names("57").of(other) != Names("57").of(COFFEE) != Names("58").of(COFFEE)


def test_parts_of_a_batch_without_a_reference_are_lines_like_others() -> None:
    names = Names("57")
    parts = [changed(COFFEE, part=n, reference=reference) for n, reference in ((1, ""), (2, "A1"), (3, ""))]
    assert [one.partition(".")[2] for one in map(names.of, parts)] == ["", "", ""]
    assert len({Names("57").of(part) for part in parts}) == 2


def test_a_batch_and_its_parts_are_known_to_be_the_same_money() -> None:
    whole = Line(1, D("3.00"), date(2026, 1, 5), reference="A1")
    parts = [changed(whole, amount=D(n), part=n, batch=D("3.00")) for n in (1, 2)]
    names = Names("57")
    told = [names.of(part) for part in parts]
    tag = Names("57").of(whole)
    assert told == [f"{tag}.1", f"{tag}.2"]
    assert [batch_of(one) for one in told] == [tag, tag]
    assert batch_of(tag) == tag


def test_an_empty_file_has_no_format() -> None:
    with pytest.raises(StatementFault, match="the file is empty"):
        format_of(b" \n")


@pytest.mark.parametrize(
    ("beginning", "name"),
    [
        (b"\xef\xbb\xbf<?xml", "camt"),
        ("<?xml".encode("utf-16"), "camt"),
        (b"{1:F01BANK}", "mt940"),
        (b"\r\n:20:X", "mt940"),
        (b"T00322100", "tito"),
        (b"Day;Sum\n", "csv"),
    ],
)
def test_a_format_is_told_by_the_content(beginning: bytes, name: str) -> None:
    assert format_of(beginning) == name


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_text_in_utf_16_is_told_by_its_mark(encoding: str) -> None:
    text = ":20:STARTUMS".encode(encoding)
    with pytest.raises(StatementFault, match="UTF-16: save it as UTF-8"):
        format_of(text if text.startswith(b"\xff") else b"\xfe\xff" + text)
