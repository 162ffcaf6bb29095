"""Where accounts stand in the statements of each country."""

from __future__ import annotations

import re
from itertools import groupby

import pytest

from acctcli import law
from acctcli.law.decisions import Chart
from acctcli.law.statements import DEFICIT, Line, Numbering, Scheme, Size, Statements, Term
from acctcli.models.enums import AccountType

# as texts, as books have them: an enumeration makes each question take several times as long
KINDS = [kind.value for kind in AccountType]
CHARTS = [chart for country in law.countries() for chart in country.charts]
each_chart = pytest.mark.parametrize("chart", CHARTS, ids=lambda one: one.name or "FI")


def statements(chart: Chart) -> Statements:
    assert chart.statements is not None
    return chart.statements()


def edges(scheme: Scheme) -> list[str]:
    """The numbers at which the ranges of a scheme begin and end, and those beside them."""
    ends = {int(digits) for line in scheme.lines for digits in re.findall("[0-9]{4}", line.takes)}
    return sorted({f"{end + beside:04}" for end in ends for beside in (-1, 0, 1)})


@each_chart
@pytest.mark.parametrize("size", Size)
def test_every_account_of_the_first_chart_has_a_place(chart: Chart, size: Size) -> None:
    balance, income = statements(chart).balance[size], statements(chart).income[size]
    for account in chart.accounts():
        is_balance = account.type.startswith(("ASS", "LIA"))
        places = [scheme.place(account.number, account.type) for scheme in (balance, income)]
        assert [place is not None for place in places] == [is_balance, not is_balance], account.number


@each_chart
@pytest.mark.parametrize("size", Size)
def test_lines_have_names_in_four_languages_and_results_have_a_place(chart: Chart, size: Size) -> None:
    balance, income = statements(chart).balance[size], statements(chart).income[size]
    for line in (*balance.lines, *income.lines):
        assert all(name.strip() == name != "" for name in line.term), line
    computed = [name for line in balance.lines for name in line.computed if name != DEFICIT]
    assert sorted(computed) == ["carried", "profit"]
    assert income.lines[-1].is_total
    assert [line.level for line in balance.lines].count(0) == 2


@each_chart
def test_assets_and_liabilities_never_stand_on_each_others_side(chart: Chart) -> None:
    scheme = statements(chart).balance[Size.FULL]
    second = [position for position, line in enumerate(scheme.lines) if line.level == 0][1]
    for number in edges(scheme):
        for kind in KINDS:
            place = scheme.place(number, kind)
            if place is not None:
                assert (place < second) == kind.startswith("ASS"), (number, kind)


@each_chart
def test_a_header_of_the_other_side_of_a_balance_sheet_decides_nothing(chart: Chart) -> None:
    scheme = statements(chart).balance[Size.FULL]
    second = [position for position, line in enumerate(scheme.lines) if line.level == 0][1]
    assets, liabilities = scheme.lines[1].term.en, scheme.lines[second + 1].term.en
    assert [scheme.place("9", "LIA", [header]) for header in (assets, liabilities)] == [None, second + 1]
    assert [scheme.place("9", "ASS", [header]) for header in (assets, liabilities)] == [1, None]


@each_chart
def test_no_number_belongs_to_two_lines_of_the_same_depth(chart: Chart) -> None:
    schemes = (*statements(chart).balance.values(), *statements(chart).income.values())
    for scheme in schemes:
        for number in edges(scheme):
            for kind in ("ASS", "LIA_EQU", "LIA_DEB", "REV", "EXP"):
                held = [line.level for line in scheme.lines if not line.is_memo and line.holds(number, kind)]
                assert len(held) == len(set(held)), (number, kind)


# accounts that stand for the same in SKR04 and in SKR03, by the type they have
ALIKE = {
    "ASS": """0100 0010, 0143 0043, 0150 0035, 0170 0039, 0215 0065, 0240 0090, 0440 0210, 0520 0320, 0650 0420,
        0670 0480, 0700 0120, 0710 0129, 0780 0299, 0785 0499, 0800 0500, 0810 0505, 0820 0510, 0880 0520, 0900 0525,
        0940 0550, 1000 3970, 1040 7000, 1100 7100, 1140 3980, 1180 1510, 1200 1400, 1225 1455, 1230 1300, 1240 1460,
        1246 0998, 1250 1490, 1260 1594, 1265 1596, 1270 1470, 1280 1597, 1285 1599, 1298 0830, 1300 1500, 1305 1502,
        1340 1530, 1350 1525, 1355 1527, 1360 1550, 1400 1570, 1406 1576, 1460 1360, 1500 1340, 1510 1348, 1550 1330,
        1600 1000, 1800 1200, 1900 0980, 1940 0986, 1950 0983""",
    "LIA_EQU": """2000 0870, 2050 0900, 2100 1800, 2180 1890, 2900 0800, 2910 0820, 2920 0840, 2930 0846, 2935 0849,
        2937 0852, 2950 0851, 2960 0855, 2961 0848, 2970 0860, 2978 0868""",
    "LIA": """3000 0950, 3020 0955, 3035 0956, 3040 0963, 3065 0968, 3070 0970, 3079 0961, 3095 0977, 3101 0601,
        3125 0620, 3150 0630, 3151 0631, 3160 0640, 3181 0661, 3250 1710, 3272 1718, 3280 1719, 3284 1720, 3300 1600,
        3335 1625, 3337 1626, 3340 1650, 3345 1655, 3350 1660, 3351 1661, 3380 1680, 3390 1690, 3400 0700, 3420 1630,
        3450 0715, 3470 1640, 3500 1700, 3501 1701, 3504 1702, 3510 0730, 3511 0731, 3514 0740, 3550 1732, 3560 1705,
        3564 1707, 3610 1730, 3640 1665, 3700 1736, 3720 1740, 3730 1741, 3740 1742, 3750 1744, 3761 1747, 3770 1750,
        3780 1752, 3800 1770, 3806 1776, 3820 1780, 3830 1781, 3841 1790, 3860 1797, 3900 0990""",
    "REV": """4100 8100, 4120 8120, 4125 8125, 4200 8200, 4300 8300, 4336 8336, 4400 8400, 4510 8520, 4560 8510,
        4600 8900, 4620 8910, 4637 8906, 4638 8918, 4640 8920, 4645 8921, 4660 8925, 4680 8940, 4686 8935, 4690 8950,
        4700 8700, 4736 8736, 4800 8980, 4815 8970, 4820 8990, 4830 8603, 4840 2660, 4845 8820, 4860 2750, 4900 2720,
        4930 2735, 4947 8611, 4960 2520, 4970 2742, 4980 2744, 6885 8801, 6889 8800, 7000 2600, 7004 2603, 7005 2615,
        7009 2619, 7010 2620, 7019 2649, 7100 2650, 7109 2659, 7120 2680, 7130 2670, 7190 2790, 7400 2500""",
    "EXP": """4855 2315, 5100 3000, 5200 3200, 5300 3300, 5400 3400, 5425 3425, 5551 3551, 5700 3700, 5736 3736,
        5800 3800, 5840 3850, 5880 3960, 5881 3950, 5900 3100, 5906 3106, 5923 3123, 5925 3125, 6000 4100, 6010 4110,
        6020 4120, 6030 4190, 6060 4145, 6080 4170, 6110 4130, 6120 4138, 6130 4140, 6140 4165, 6150 4160, 6160 4169,
        6200 4822, 6220 4830, 6222 4832, 6260 4855, 6264 4862, 6270 4880, 6280 2430, 6300 4900, 6310 4210, 6390 2380,
        6400 4360, 6420 4380, 6440 4139, 6450 4801, 6495 4806, 6500 4500, 6530 4530, 6600 4600, 6640 4650, 6650 4660,
        6740 4730, 6770 4760, 6800 4910, 6805 4920, 6815 4930, 6825 4950, 6830 4955, 6837 4964, 6855 4970, 6895 2310,
        6900 2320, 6910 4886, 6915 4885, 6920 2450, 6930 2400, 6936 2406, 6960 2020, 7200 4870, 7210 4875, 7300 2100,
        7309 2109, 7310 2110, 7320 2120, 7390 2490, 7500 2000, 7600 2200, 7608 2208, 7610 4320, 7630 2213, 7641 2281,
        7650 4340, 7680 2375, 7685 4510, 7690 2285""",
}  # fmt: skip


@pytest.mark.parametrize("size", Size)
def test_what_is_alike_in_both_german_charts_stands_on_the_same_lines(size: Size) -> None:
    both = [statements(chart) for chart in law.country("DE").charts]
    for kind, pairs in ALIKE.items():
        schemes = [one.balance[size] if kind.startswith(("ASS", "LIA")) else one.income[size] for one in both]
        for pair in re.split(r",\s+", pairs):
            numbered = list(zip(pair.split(), schemes, strict=True))
            place, other = (scheme.place(number, kind) for number, scheme in numbered)
            told, told_too = (
                [at for at, line in enumerate(scheme.lines) if line.is_memo and line.holds(number, kind)]
                for number, scheme in numbered
            )
            assert (pair, place, told) == (pair, other, told_too)
            assert place is not None, pair


# what neither statement has a line for: profits that are given away, and what is statistics
NOWHERE = {
    "SKR04": ["0000-0099", "1960-1999", "2980-2999", "3950-3999", "7700-9999"],
    "SKR03": ["0000-0009", "0049-0049", "0930-0949", "0992-0995", "2480-2489", "2495-2499", "2795-2889", "9000-9999"],
}


@pytest.mark.parametrize("size", Size)
def test_no_number_of_a_german_chart_is_left_out(size: Size) -> None:
    for chart in law.country("DE").charts:
        schemes = [statements(chart).balance[size], statements(chart).income[size]]
        numbers = sorted({"0000", *edges(schemes[0]), *edges(schemes[1]), "9999"} - {"10000"})
        left = {
            number for number in numbers if all(one.place(number, kind) is None for one in schemes for kind in ALIKE)
        }
        spans = [list(some) for is_left, some in groupby(numbers, left.__contains__) if is_left]
        assert [f"{span[0]}-{span[-1]}" for span in spans] == NOWHERE[chart.name or ""]


# accounts of single customers and suppliers have five digits, the first four of which are those of other accounts
@pytest.mark.parametrize(
    ("number", "kind"),
    [
        *((number, "ASS_DUE") for number in ("10000", "12001", "12250", "14600", "69999")),
        *((number, "LIA_DUE") for number in ("70000", "99999")),
    ],
)
def test_single_customers_and_suppliers_of_a_german_chart_stand_with_all_of_them(number: str, kind: str) -> None:
    of_all = {"ASS_DUE": "Trade receivables", "LIA_DUE": "Trade payables"}
    for chart in law.country("DE").charts:
        scheme = statements(chart).balance[Size.FULL]
        place = scheme.place(number, kind)
        assert place is not None
        assert scheme.lines[place].term.en == of_all[kind]
        memos = [one for one, line in enumerate(scheme.lines) if line.is_memo]
        told = {scheme.lines[one].term.en for one in memos if scheme.tells(one, place, number, kind)}
        assert told == ({"of which due within one year"} if kind == "LIA_DUE" else set())


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


@each_chart
@pytest.mark.parametrize("statement", ["balance", "income"])
def test_positions_have_the_numbers_of_the_law(chart: Chart, statement: str) -> None:
    country = next(one.code for one in law.countries() if chart in one.charts)
    scheme = getattr(statements(chart), statement)[Size.FULL]
    lines = range(len(scheme.lines))
    # capital shares stand in the place of subscribed capital, where it is a partnership
    signs = scheme.signs({place for place in lines if scheme.lines[place].term.de != "Kapitalanteile"})
    second = [place for place in lines if scheme.lines[place].level == 0][1] if statement == "balance" else len(lines)
    sides = [(OF_THE_LAWS[country, statement], lines[:second])]
    if statement == "balance":
        sides.append((OF_THE_OTHER_SIDE[country], lines[second:]))
    for of_law, places in sides:
        for number, words in of_law.items():
            named = {
                getattr(scheme.lines[place].term, country.lower()) for place in places if str(signs[place]) == number
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
