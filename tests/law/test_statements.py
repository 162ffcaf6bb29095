"""Where accounts stand in the statements of each country."""

from __future__ import annotations

import re

import pytest

from acctcli import law
from acctcli.law.decisions import Country
from acctcli.law.statements import DEFICIT, Line, Numbering, Scheme, Size, Statements, Term
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
    computed = [name for line in balance.lines for name in line.computed if name != DEFICIT]
    assert sorted(computed) == ["carried", "profit"]
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


# what the laws themselves print before some of their positions
OF_THE_LAWS = {
    ("DE", "balance"): {
        "A. I. 2.": "entgeltlich erworbene Konzessionen", "A. I. 4.": "geleistete Anzahlungen",
        "A. II. 1.": "Grundstücke, grundstücksgleiche Rechte", "A. II. 4.": "geleistete Anzahlungen und Anlagen im Bau",
        "A. III. 6.": "sonstige Ausleihungen", "B. I. 3.": "fertige Erzeugnisse und Waren",
        "B. II. 4.": "sonstige Vermögensgegenstände", "B. III. 2.": "sonstige Wertpapiere",
        "B. IV.": "Kassenbestand, Bundesbankguthaben", "C.": "Rechnungsabgrenzungsposten",
        "D.": "Aktive latente Steuern", "E.": "Aktiver Unterschiedsbetrag aus der Vermögensverrechnung",
    },
    ("DE", "income"): {
        "1.": "Umsatzerlöse", "4.": "sonstige betriebliche Erträge", "5. b)": "Aufwendungen für bezogene Leistungen",
        "7. b)": "auf Vermögensgegenstände des Umlaufvermögens", "8.": "sonstige betriebliche Aufwendungen",
        "9.": "Erträge aus Beteiligungen", "12.": "Abschreibungen auf Finanzanlagen", "14.": "Steuern vom Einkommen",
        "15.": "Ergebnis nach Steuern", "16.": "sonstige Steuern", "17.": "Jahresüberschuss/Jahresfehlbetrag",
    },
    ("FI", "balance"): {
        "A I 3.": "Liikearvo", "A II 5.": "Ennakkomaksut ja keskeneräiset hankinnat", "A III 6.": "Muut saamiset",
        "B I 4.": "Muu vaihto-omaisuus", "B II 7.": "Siirtosaamiset", "B III 3.": "Muut arvopaperit",
        "B IV": "Rahat ja pankkisaamiset",
    },
    ("FI", "income"): {
        "1.": "Liikevaihto", "5. a) ab)": "Varastojen muutos", "6. b) ba)": "Eläkekulut",
        "7. c)": "Vaihtuvien vastaavien poikkeukselliset", "9.": "Liikevoitto (-tappio)",
        "10. g)": "Korkokulut ja muut", "11.": "Voitto (tappio) ennen tilinpäätössiirtoja",
        "12. c)": "Konserniavustus", "13.": "Tuloverot",
        "15.": "Tilikauden voitto (tappio)",
    },
}  # fmt: skip
OF_THE_OTHER_SIDE = {
    "DE": {
        "A. I.": "Gezeichnetes Kapital", "A. III. 4.": "andere Gewinnrücklagen",
        "A. IV.": "Gewinnvortrag/Verlustvortrag",
        "B. 3.": "sonstige Rückstellungen", "C. 1.": "Anleihen", "C. 5.": "Verbindlichkeiten aus der Annahme gezogener",
        "C. 8.": "sonstige Verbindlichkeiten", "D.": "Rechnungsabgrenzungsposten", "E.": "Passive latente Steuern",
    },
    "FI": {
        "A V 1.": "Vararahasto", "A V 2.": "Yhtiöjärjestyksen tai sääntöjen", "A V 3.": "Muut rahastot",
        "A VI": "Edellisten tilikausien voitto (tappio)", "A VII": "Tilikauden voitto (tappio)",
        "B 2.": "Verotusperusteiset",
        "C 3.": "Muut pakolliset varaukset", "D 4.": "Eläkelainat", "D 11.": "Siirtovelat",
    },
}  # fmt: skip


@each_country
@pytest.mark.parametrize("statement", ["balance", "income"])
def test_positions_have_the_numbers_of_the_law(country: Country, statement: str) -> None:
    scheme = getattr(statements(country), statement)[Size.FULL]
    lines = range(len(scheme.lines))
    # capital shares stand in the place of subscribed capital, where it is a partnership
    signs = scheme.signs({place for place in lines if scheme.lines[place].term.de != "Kapitalanteile"})
    second = [place for place in lines if scheme.lines[place].level == 0][1] if statement == "balance" else len(lines)
    sides = [(OF_THE_LAWS[country.code, statement], lines[:second])]
    if statement == "balance":
        sides.append((OF_THE_OTHER_SIDE[country.code], lines[second:]))
    for of_law, places in sides:
        for number, words in of_law.items():
            named = {
                getattr(scheme.lines[place].term, country.code.lower())
                for place in places
                if str(signs[place]) == number
            }
            assert [name for name in named if name.startswith(words)], (number, named)


def test_what_is_left_out_leaves_a_gap_or_none() -> None:
    lines = [Line(0, "", PART), Line(0, "", PART), Line(1, "", PART), Line(1, "", PART), Line(2, "", PART)]
    numberings = Numbering(("1.", "a)", "aa)"), is_running=True), Numbering(("1.", "a)", "aa)"))
    signs = [Scheme(lines, numbering=one).signs({1, 3, 4}) for one in numberings]
    assert [[str(of_scheme[place]) for place in (1, 3, 4)] for of_scheme in signs] == [
        ["1.", "1. a)", "1. a) aa)"],
        ["2.", "2. b)", "2. b) ba)"],
    ]
    assert [signs[0][place].depth for place in range(5)] == [0, 0, 1, 1, 2]
