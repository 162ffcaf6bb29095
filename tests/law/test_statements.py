"""Where accounts stand in the statements of each country."""

from __future__ import annotations

import re

import pytest

from acctcli import law
from acctcli.law.decisions import Country
from acctcli.law.statements import Line, Scheme, Size, Statements, Term
from acctcli.models.enums import AccountType

COUNTRIES = law.countries()
each_country = pytest.mark.parametrize("country", COUNTRIES, ids=lambda one: one.code)


def statements(country: Country) -> Statements:
    assert country.statements is not None
    return country.statements()


def edges(scheme: Scheme) -> list[str]:
    """The numbers at which the ranges of a scheme begin and end, and those beside them."""
    ends = {int(digits) for line in scheme.lines for digits in re.findall("[0-9]{4}", line.takes)}
    return sorted({f"{end + beside:04}" for end in ends for beside in (-1, 0, 1)})


@each_country
@pytest.mark.parametrize("size", Size)
def test_every_account_of_the_first_chart_has_a_place(country: Country, size: Size) -> None:
    balance, income = statements(country).balance[size], statements(country).income[size]
    for account in country.chart():
        is_balance = account.type.startswith(("ASS", "LIA"))
        places = [scheme.place(account.number, account.type) for scheme in (balance, income)]
        assert [place is not None for place in places] == [is_balance, not is_balance], account.number


@each_country
@pytest.mark.parametrize("size", Size)
def test_lines_have_names_in_four_languages_and_results_have_a_place(country: Country, size: Size) -> None:
    balance, income = statements(country).balance[size], statements(country).income[size]
    for line in (*balance.lines, *income.lines):
        assert all(name.strip() == name != "" for name in line.term), line
    assert sorted(name for line in balance.lines for name in line.computed) == ["carried", "profit"]
    assert income.lines[-1].is_total
    assert [line.level for line in balance.lines].count(0) == 2


@each_country
def test_assets_and_liabilities_never_stand_on_each_others_side(country: Country) -> None:
    scheme = statements(country).balance[Size.FULL]
    second = [position for position, line in enumerate(scheme.lines) if line.level == 0][1]
    for number in edges(scheme):
        for kind in AccountType:
            place = scheme.place(number, kind)
            if place is not None:
                assert (place < second) == kind.startswith("ASS"), (number, kind)


@each_country
def test_a_header_of_the_other_side_of_a_balance_sheet_decides_nothing(country: Country) -> None:
    scheme = statements(country).balance[Size.FULL]
    second = [position for position, line in enumerate(scheme.lines) if line.level == 0][1]
    assets, liabilities = scheme.lines[1].term.en, scheme.lines[second + 1].term.en
    assert [scheme.place("9", "LIA", [header]) for header in (assets, liabilities)] == [None, second + 1]
    assert [scheme.place("9", "ASS", [header]) for header in (assets, liabilities)] == [1, None]


@each_country
def test_no_number_belongs_to_two_lines_of_the_same_depth(country: Country) -> None:
    schemes = (*statements(country).balance.values(), *statements(country).income.values())
    for scheme in schemes:
        for number in edges(scheme):
            for kind in (AccountType.ASS, AccountType.LIA_EQU, AccountType.LIA_DEB, AccountType.REV, AccountType.EXP):
                held = [line.level for line in scheme.lines if not line.is_memo and line.holds(number, kind)]
                assert len(held) == len(set(held)), (number, kind)


PART = Term("Osa", "Del", "Part", "Teil")
SCHEME = Scheme(
    (
        Line(0, "3000-3999", Term("Kaikki", "Allt", "All", "Alles")),
        Line(1, "EXP:3100-3199 3900", PART),
        Line(1, "LIA_PRE [carried]", Term("Toinen", "Annan", "Other", "Anderes")),
        Line(1, "3000-3999", Term("Muisto", "Minne", "Memo", "Davon"), is_memo=True),
        Line(2, "", Term("Kahdesti", "Tvenne", "Twice", "Doppelt")),
        Line(2, "", Term("Kahdesti", "Tvenne", "Twice", "Doppelt")),
        Line(0, "", Term("Tulos", "Resultat", "Result", "Ergebnis"), is_total=True),
    ),
    1,
)


@pytest.mark.parametrize(
    ("number", "kind", "headers", "place"),
    [
        ("3000", "REV", [], 0),
        ("31", "EXP", [], 1),
        ("3100", "REV", [], 0),
        ("3100123", "EXP_NO", [], 1),
        ("39", "REV", [], 1),
        ("4000", "REV", [], None),
        ("1", "LIA_PRE", [], 2),
        ("3000", "REV", ["Nothing", " TEIL "], 1),
        ("4000", "EXP", ["Other", "Part"], 2),
        ("3000", "REV", ["Twice", "Memo"], 0),
    ],
)
def test_a_place_follows_from_headers_then_from_number_and_type(
    number: str, kind: str, headers: list[str], place: int | None
) -> None:
    assert SCHEME.place(number, kind, headers) == place


def test_what_is_shown_ends_at_a_depth_unless_it_is_kept() -> None:
    kept = Line(3, "", PART, is_kept=True)
    hidden = [place for place, line in enumerate((*SCHEME.lines, kept)) if not SCHEME.is_shown(line)]
    assert hidden == [4, 5]
