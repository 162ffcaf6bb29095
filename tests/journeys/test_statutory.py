"""Statements as the law lays them out, against statements made by hand: figures and words (docs/law.md 9)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.places import Place, fresh

D = Decimal
YEAR = ("--period", "2026")
DAY = ("--date", "2026-12-31")

# debit, credit, amount, without VAT
FINNISH = [
    ("1910", "2000", "2500.00"), ("1910", "3000", "9000.00"), ("1700", "3000", "1000.00"), ("1910", "3900", "50.00"),
    ("4000", "2871", "2000.00"), ("4450", "1910", "300.00"), ("1500", "4400", "150.00"), ("5000", "1910", "1500.00"),
    ("6100", "1910", "250.00"), ("6400", "2960", "60.00"), ("1160", "1910", "1200.00"), ("6800", "1160", "300.00"),
    ("7160", "1910", "700.00"), ("1910", "2620", "5000.00"), ("1910", "2820", "800.00"), ("9460", "1910", "120.00"),
    ("1910", "9160", "7.50"), ("9800", "2400", "100.00"), ("9900", "2970", "1015.00"), ("1600", "1910", "400.00"),
]  # fmt: skip
FINNISH_MORE = {
    "1600": ("ASS_DUE", "Pitkä saaminen"), "2400": ("LIA", "Poistoero"), "2820": ("LIA_DEB", "Lyhyt laina"),
    "4400": ("EXP", "Varaston muutos"), "6100": ("EXP", "TyEL"), "6400": ("EXP", "Sosiaalikulut"),
    "9160": ("REV", "Korot"), "9460": ("EXP", "Lainan korko"), "9800": ("EXP", "Poistoeron muutos"),
}  # fmt: skip
GERMAN = [
    ("1800", "2900", "1000.00"), ("1200", "4400", "5000.00"), ("5400", "3300", "1200.00"), ("5900", "1800", "400.00"),
    ("6000", "1800", "900.00"), ("6110", "1800", "200.00"), ("6140", "1800", "50.00"), ("0440", "1800", "600.00"),
    ("6220", "0440", "100.00"), ("6310", "1800", "300.00"), ("7300", "1800", "40.00"), ("1800", "7100", "10.00"),
    ("1800", "3151", "500.00"), ("1800", "3160", "2500.00"), ("7600", "3020", "450.00"), ("7685", "1800", "30.00"),
    ("1900", "1800", "25.00"), ("6600", "3740", "15.00"),
]  # fmt: skip
GERMAN_MORE = {
    "3151": ("LIA_DEB", "Kontokorrent"), "3160": ("LIA_DEB", "Darlehen"), "3740": ("LIA_ACC", "Krankenkasse"),
    "6140": ("EXP", "bAV"), "7685": ("EXP", "Kfz-Steuer"),
}  # fmt: skip

FINNISH_INCOME = """
Liikevaihto                                                    10000,00
Liiketoiminnan muut tuotot                                        50,00
Materiaalit ja palvelut                                        -2150,00
  Aineet, tarvikkeet ja tavarat                                -1850,00
    Ostot tilikauden aikana                                    -2000,00
    Varastojen muutos                                            150,00
  Ulkopuoliset palvelut                                         -300,00
Henkilöstökulut                                                -1810,00
  Palkat ja palkkiot                                           -1500,00
  Henkilösivukulut                                              -310,00
    Eläkekulut                                                  -250,00
    Muut henkilösivukulut                                        -60,00
Poistot ja arvonalentumiset                                     -300,00
  Suunnitelman mukaiset poistot                                 -300,00
Liiketoiminnan muut kulut                                       -700,00
Liikevoitto (-tappio)                                           5090,00
Rahoitustuotot ja -kulut                                        -112,50
  Muut korko- ja rahoitustuotot                                    7,50
  Korkokulut ja muut rahoituskulut                              -120,00
Voitto (tappio) ennen tilinpäätössiirtoja ja veroja             4977,50
Tilinpäätössiirrot                                              -100,00
  Poistoeron muutos                                             -100,00
Tuloverot                                                      -1015,00
Tilikauden voitto (tappio)                                      3862,50
"""
FINNISH_BALANCE_SV = """
Aktiva
  Bestående aktiva                                               900,00
    Materiella tillgångar                                        900,00
      Maskiner och inventarier                                   900,00
  Rörliga aktiva                                               14437,50
    Omsättningstillgångar                                        150,00
    Fordringar                                                  1400,00
      Långfristiga                                               400,00
        Kundfordringar                                           400,00
      Kortfristiga                                              1000,00
        Kundfordringar                                          1000,00
    Kassa och bank                                             12887,50
Summa aktiva                                                   15337,50
Passiva
  Eget kapital                                                  6362,50
    Aktie-, andels- eller annat motsvarande kapital             2500,00
    Räkenskapsperiodens vinst (förlust)                         3862,50
  Ackumulerade bokslutsdispositioner                             100,00
    Avskrivningsdifferens                                        100,00
  Främmande kapital                                             8875,00
    Långfristigt                                                5000,00
      Lån från finansinstitut                                   5000,00
    Kortfristigt                                                3875,00
      Lån från finansinstitut                                    800,00
      Leverantörsskulder                                        2000,00
      Resultatregleringar                                       1075,00
Summa passiva                                                  15337,50
"""
FINNISH_GROSS_SV = """
Bruttoresultat                                                  7900,00
Personalkostnader                                              -1810,00
  Löner och arvoden                                            -1500,00
  Lönebikostnader                                               -310,00
    Pensionskostnader                                           -250,00
    Övriga lönebikostnader                                       -60,00
Avskrivningar och nedskrivningar                                -300,00
  Avskrivningar enligt plan                                     -300,00
Övriga rörelsekostnader                                         -700,00
Rörelsevinst (-förlust)                                         5090,00
Finansiella intäkter och kostnader                              -112,50
  Övriga ränteintäkter och finansiella intäkter                    7,50
  Räntekostnader och övriga finansiella kostnader               -120,00
Vinst (förlust) före bokslutsdispositioner och skatter          4977,50
Bokslutsdispositioner                                           -100,00
  Förändring av avskrivningsdifferens                           -100,00
Inkomstskatter                                                 -1015,00
Räkenskapsperiodens vinst (förlust)                             3862,50
"""
FINNISH_MICRO_EN = """
Turnover                                                       10000.00
Other income                                                      57.50
Materials and services                                         -2150.00
Staff expenses                                                 -1810.00
Depreciation and impairment                                     -300.00
Other expenses                                                  -820.00
Appropriations                                                  -100.00
Taxes                                                          -1015.00
Profit (loss) for the year                                      3862.50
"""
FINNISH_SMALL_BALANCE = """
Vastaavaa
  Pysyvät vastaavat                                              900,00
    Aineelliset hyödykkeet                                       900,00
  Vaihtuvat vastaavat                                          14437,50
    Vaihto-omaisuus                                              150,00
    Saamiset                                                    1400,00
      Pitkäaikaiset                                              400,00
      Lyhytaikaiset                                             1000,00
    Rahat ja pankkisaamiset                                    12887,50
Vastaavaa yhteensä                                             15337,50
Vastattavaa
  Oma pääoma                                                    6362,50
    Osake-, osuus- tai muu vastaava pääoma                      2500,00
    Tilikauden voitto (tappio)                                  3862,50
  Tilinpäätössiirtojen kertymä                                   100,00
    Poistoero                                                    100,00
  Vieras pääoma                                                 8875,00
    Pitkäaikainen                                               5000,00
    Lyhytaikainen                                               3875,00
Vastattavaa yhteensä                                           15337,50
"""
GERMAN_INCOME = """
Umsatzerlöse                                                    5000,00
Materialaufwand                                                -1600,00
  Aufwendungen für Roh-, Hilfs- und Betriebsstoffe und für bezogene Waren -1200,00
  Aufwendungen für bezogene Leistungen                          -400,00
Personalaufwand                                                -1150,00
  Löhne und Gehälter                                            -900,00
  soziale Abgaben und Aufwendungen für Altersversorgung und für Unterstützung -250,00
    davon für Altersversorgung                                   -50,00
Abschreibungen                                                  -100,00
  auf immaterielle Vermögensgegenstände des Anlagevermögens und Sachanlagen -100,00
sonstige betriebliche Aufwendungen                              -315,00
sonstige Zinsen und ähnliche Erträge                              10,00
Zinsen und ähnliche Aufwendungen                                 -40,00
Steuern vom Einkommen und vom Ertrag                            -450,00
Ergebnis nach Steuern                                           1355,00
sonstige Steuern                                                 -30,00
Jahresüberschuss/Jahresfehlbetrag                               1325,00
"""
GERMAN_BALANCE = """
Aktiva
  Anlagevermögen                                                 500,00
    Sachanlagen                                                  500,00
      technische Anlagen und Maschinen                           500,00
  Umlaufvermögen                                                6465,00
    Forderungen und sonstige Vermögensgegenstände               5000,00
      Forderungen aus Lieferungen und Leistungen                5000,00
    Kassenbestand, Bundesbankguthaben, Guthaben bei Kreditinstituten und Schecks 1465,00
  Rechnungsabgrenzungsposten                                      25,00
Summe Aktiva                                                    6990,00
Passiva
  Eigenkapital                                                  2325,00
    Gezeichnetes Kapital                                        1000,00
    Jahresüberschuss/Jahresfehlbetrag                           1325,00
  Rückstellungen                                                 450,00
      Steuerrückstellungen                                       450,00
  Verbindlichkeiten                                             4215,00
    davon mit einer Restlaufzeit bis zu einem Jahr              1715,00
    davon mit einer Restlaufzeit von mehr als einem Jahr        2500,00
      Verbindlichkeiten gegenüber Kreditinstituten              3000,00
        davon mit einer Restlaufzeit bis zu einem Jahr           500,00
        davon mit einer Restlaufzeit von mehr als einem Jahr    2500,00
      Verbindlichkeiten aus Lieferungen und Leistungen          1200,00
        davon mit einer Restlaufzeit bis zu einem Jahr          1200,00
      sonstige Verbindlichkeiten                                  15,00
        davon mit einer Restlaufzeit bis zu einem Jahr            15,00
        davon im Rahmen der sozialen Sicherheit                   15,00
Summe Passiva                                                   6990,00
"""
GERMAN_SMALL = """
Rohergebnis                                                     3400,00
Personalaufwand                                                -1150,00
  Löhne und Gehälter                                            -900,00
  soziale Abgaben und Aufwendungen für Altersversorgung und für Unterstützung -250,00
    davon für Altersversorgung                                   -50,00
Abschreibungen                                                  -100,00
  auf immaterielle Vermögensgegenstände des Anlagevermögens und Sachanlagen -100,00
sonstige betriebliche Aufwendungen                              -315,00
sonstige Zinsen und ähnliche Erträge                              10,00
Zinsen und ähnliche Aufwendungen                                 -40,00
Steuern vom Einkommen und vom Ertrag                            -450,00
Ergebnis nach Steuern                                           1355,00
sonstige Steuern                                                 -30,00
Jahresüberschuss/Jahresfehlbetrag                               1325,00
"""
GERMAN_MICRO_BALANCE = """
Aktiva
  Anlagevermögen                                                 500,00
  Umlaufvermögen                                                6465,00
  Rechnungsabgrenzungsposten                                      25,00
Summe Aktiva                                                    6990,00
Passiva
  Eigenkapital                                                  2325,00
  Rückstellungen                                                 450,00
  Verbindlichkeiten                                             4215,00
Summe Passiva                                                   6990,00
"""


def post(place: Place, postings: list[tuple[str, str, str]], more: dict[str, tuple[str, str]]) -> Place:
    """Post a year; accounts that the first chart has not got are added to it."""
    for number, (kind, name) in more.items():
        place.run("account", "create", "--number", number, "--type", kind, "--name", name)
    ids = {one["number"]: one["id"] for one in place.json("account", "list", "--all")}
    lines = [
        {
            "date": "2026-03-02",
            "blueprint": {
                "debet_entries": [{"account_id": ids[debit], "amount": D(amount)}],
                "credit_entries": [{"account_id": ids[credit], "amount": D(amount)}],
            },
        }
        for debit, credit, amount in postings
    ]
    path = place.write_lines("year.jsonl", lines)
    place.run("document", "create", "--file", path, "--quiet")
    return place


@pytest.fixture(scope="module")
def finnish(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("finnish", tmp_path_factory.mktemp("finnish"), ACCTCLI_BUSINESS="finnish")
    place.run("business", "create", "--name", "Kahvila Oy", "--form", "FI_OY", "--slug", "finnish")
    return post(place, FINNISH, FINNISH_MORE)


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("german", tmp_path_factory.mktemp("german"), ACCTCLI_BUSINESS="german")
    place.run("business", "create", "--name", "Werk UG", "--form", "DE_UG", "--slug", "german")
    return post(place, GERMAN, GERMAN_MORE)


def lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the lines of a statement: how far they are indented, what they are called, and the figure."""
    for line in text.replace("\xa0", "").splitlines():
        words = line.split()
        if words and not set(words) <= {"─" * len(word) for word in words}:
            *name, figure = words if words[-1][-1].isdigit() else [*words, ""]
            yield len(line) - len(line.lstrip()), " ".join(name), figure


def shown(
    place: Place, statement: str, days: tuple[str, str], layout: str, language: str
) -> list[tuple[int, str, str]]:
    options = ("--layout", layout, "--locale", language)
    text = place.run("report", statement, *days, *options).out
    if language == "de":
        text = text.replace(".", "")
    found = list(lines(text.replace(",", "") if language == "en" else text))
    return found[1:]


@pytest.mark.parametrize(
    ("statement", "layout", "language", "by_hand"),
    [
        ("income-statement", "statutory", "fi", FINNISH_INCOME),
        ("income-statement", "small", "sv", FINNISH_GROSS_SV),
        ("income-statement", "micro", "en", FINNISH_MICRO_EN),
        ("balance-sheet", "statutory", "sv", FINNISH_BALANCE_SV),
        ("balance-sheet", "small", "fi", FINNISH_SMALL_BALANCE),
        ("balance-sheet", "micro", "fi", FINNISH_SMALL_BALANCE),
    ],
)
def test_a_finnish_company(finnish: Place, statement: str, layout: str, language: str, by_hand: str) -> None:
    days = YEAR if statement == "income-statement" else DAY
    assert shown(finnish, statement, days, layout, language) == list(lines(by_hand))


@pytest.mark.parametrize(
    ("statement", "layout", "by_hand"),
    [
        ("income-statement", "statutory", GERMAN_INCOME),
        ("income-statement", "small", GERMAN_SMALL),
        ("balance-sheet", "statutory", GERMAN_BALANCE),
        ("balance-sheet", "micro", GERMAN_MICRO_BALANCE),
    ],
)
def test_a_german_company(german: Place, statement: str, layout: str, by_hand: str) -> None:
    days = YEAR if statement == "income-statement" else DAY
    assert shown(german, statement, days, layout, "de") == list(lines(by_hand))


def test_paper_has_the_lines_of_the_law_and_the_days_as_the_country_writes_them(finnish: Place, german: Place) -> None:
    finnish.run("business", "update", "finnish", "--set", "business_id=0112038-9")
    for place, options, told in (
        (
            finnish,
            ("income-statement", *YEAR, "--locale", "fi"),
            ("Liikevoitto (-tappio)", "1.1.2026 – 31.12.2026", "Y-tunnus 0112038-9"),
        ),
        (german, ("income-statement", *YEAR, "--locale", "de"), ("Ergebnis nach Steuern", "01.01.2026 – 31.12.2026")),
        (german, ("balance-sheet", *DAY, "--layout", "plain"), ("Accrued liabilities", "2026-12-31")),
        (finnish, ("balance-sheet", *DAY, "--short"), ("Total assets", "2026-12-31")),
    ):
        page = place.run("report", *options, "--output", "html").out
        assert [text for text in told if text not in page] == []


def test_the_year_after_carries_the_result_and_changes_are_shown(finnish: Place) -> None:
    days = ("--date", "2027-01-31", "--compare", "previous-year", "--change", "--layout", "statutory")
    rows = {
        row["name"]: row["values"] for row in finnish.json("report", "balance-sheet", *days, "--locale", "en")["rows"]
    }
    assert rows["Retained earnings (loss)"] == [D("3862.50"), D("0.00"), D("3862.50"), None]
    assert "Profit (loss) for the year" not in rows
    assert rows["Total assets"] == [D("15337.50"), D("0.00"), D("15337.50"), None]


@pytest.fixture
def place_of_its_own(tmp_path: Path) -> Place:
    place = fresh("odd", tmp_path, ACCTCLI_BUSINESS="odd")
    place.run("business", "create", "--name", "Odd Oy", "--form", "FI_OY", "--slug", "odd")
    return place


def test_what_has_no_place_is_named_until_a_header_gives_it_one(place_of_its_own: Place) -> None:
    place = place_of_its_own
    more = {"9750": ("EXP", "Outo kulu"), "2230": ("LIA", "Outo velka")}
    post(place, [("9750", "2230", "5.00"), ("1910", "3000", "100.00")], more)

    def read(statement: str, days: tuple[str, str]) -> tuple[dict[str, Any], str]:
        done = place.run("report", statement, *days, "--layout", "statutory", "--accounts", "--json", "--locale", "en")
        rows = {
            row["name"]: (row["values"], [one["number"] for one in row["accounts"]])
            for row in place.json("report", statement, *days, "--layout", "statutory", "--accounts", "--locale", "en")[
                "rows"
            ]
        }
        return rows, done.err

    rows, told = read("income-statement", YEAR)
    assert rows["Without a place"] == ([D("-5.00")], ["9750"])
    assert rows["Profit (loss) for the year"] == ([D("95.00")], [])
    assert "without a place in this layout: 9750 Outo kulu" in told
    rows, told = read("balance-sheet", DAY)
    assert rows["Without a place"] == ([D("5.00")], ["2230"])
    assert rows["Total equity and liabilities"] == rows["Total assets"] == ([D("100.00")], [])
    assert "2230 Outo velka" in told

    for number, name, kind in (("9750", "Liiketoiminnan muut kulut", "I"), ("2230", "Kortfristigt", "B")):
        names = f'[{{"key":"fi","value":"{name}"}}]'
        header = place.json("header", "create", "--type", kind, "--set", f"name_translations={names}")
        place.run("account", "update", number, "--set", f"header_id={header['id']}")
    rows, told = read("income-statement", YEAR)
    assert (rows["Other operating expenses"], told) == (([D("-5.00")], ["9750"]), "")
    rows, told = read("balance-sheet", DAY)
    assert (rows["Current"][0], told) == ([D("5.00")], "")


@pytest.mark.parametrize("option", [("--short",), ("--tag", "1")])
def test_a_part_of_a_statement_has_no_layout_of_the_law(finnish: Place, option: tuple[str, ...]) -> None:
    refused = finnish.try_run("report", "balance-sheet", "--layout", "small", *option)
    assert (refused.code, refused.out) == (2, "")
    assert "whole statements" in refused.err
