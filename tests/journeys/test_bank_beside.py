"""What an import says of statements that are in the books already: gaps, and days that are told otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tests.banking.statements import generator as made
from tests.journeys.places import Place
from tests.journeys.test_bank import COFFEE, IMPORT, SALE, TO_BANK, book, statuses, sums, truth, write

JANUARY = replace(book(), number=1, first=date(2026, 1, 1), last=date(2026, 1, 31), moves=[])
MARCH = book(SALE, COFFEE, number=3)


def told(place: Place, name: str, *found: made.Book) -> list[str]:
    """Import statements of a file, and return what is noted of them and what is kept."""
    err = place.run(*IMPORT, write(place, name, found), *TO_BANK).err
    return [line for line in err.splitlines() if line.startswith("note: statement")]


def test_what_lies_between_an_import_and_those_before_and_after_is_named(place: Place) -> None:
    assert told(place, "march.xml", MARCH) == []
    assert told(place, "march.xml", MARCH) == [], "the same file lies beside nothing"
    may = replace(MARCH, number=5, first=date(2026, 5, 1), last=date(2026, 5, 31), opening=99, moves=[])
    (gap,) = told(place, "may.xml", may)
    assert "ends with 122.30" in gap
    assert gap.endswith(f"({place.folder / 'may.xml'} line 4) begins with 0.99: what lies between is missing")
    # April goes on with March, and May does not with April
    april = replace(may, number=4, first=date(2026, 4, 1), last=date(2026, 4, 30), opening=12_230)
    (gap,) = told(place, "april.xml", april)
    assert "ends with 122.30, and statement 5" in gap
    # what is far away is not looked at
    assert ["statement 3" in gap for gap in told(place, "january.xml", replace(JANUARY, opening=1))] == [True]


def test_a_statement_with_another_amount_is_refused_whole(place: Place) -> None:
    told(place, "march.xml", MARCH)
    path = write(place, "again.xml", [replace(MARCH, moves=[replace(SALE, cents=12_560), COFFEE])])
    refused = place.try_run(*IMPORT, path, *TO_BANK)
    assert refused.code == 10
    assert "do not say the same of these days, and nothing is posted" in refused.err
    assert sums(place) == truth([MARCH])
    assert statuses(place, path, *TO_BANK, "--again") == {"already there": 1, "posted": 1}


def test_a_statement_that_the_bank_went_on_with_is_imported(place: Place) -> None:
    told(place, "march.xml", book(SALE, number=3))
    (note,) = told(place, "more.xml", MARCH)
    assert note.endswith("overlap: what both have is taken once")
    assert sums(place) == truth([MARCH])
