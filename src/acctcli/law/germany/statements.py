"""Statements of Germany: income by § 275 (2) HGB, shorter by § 276 and § 275 (5), and for whom (docs/law.md 9.2).

Each line has the ranges of SKR04 and, behind the bar, those of SKR03; what is no range is of both.
"""

from __future__ import annotations

from collections.abc import Iterable

from acctcli.law.germany.balance import BALANCE, BY_RESULT, RESULT, union
from acctcli.law.statements import Line, Numbering, Scheme, Size, Statements, Term

_T = Term
_SALES = _T("Liikevaihto", "Omsättning", "Revenue", "Umsatzerlöse")
_MATERIALS = _T("Materiaalikulut", "Materialkostnader", "Cost of materials", "Materialaufwand")
_STAFF = _T("Henkilöstökulut", "Personalkostnader", "Personnel expenses", "Personalaufwand")
_DEPRECIATION = _T("Poistot", "Avskrivningar", "Depreciation and amortisation", "Abschreibungen")
_FROM_GROUP = _T("josta konserniyrityksiltä", "varav från koncernföretag", "of which from affiliated companies",
                 "davon aus verbundenen Unternehmen")  # fmt: skip
_OF_SALES = "REV:4000-4629,4670-4685,4690-4799 | REV:8000-8589,8700-8799,8900-8905,8907-8917,8919,8940-8959"
# also things that are used at home, and fixed assets that are sold for more than they stand in the books
_OTHER_INCOME = (
    "4630-4669 4686-4689 4830-4999 7400-7499 | "
    "2315-2319 2500-2599 2660-2669 2700-2789 2900-2999 8590-8649 8670-8699 8820-8899 8906 8918 "
    "8920-8939"
)
# also fixed assets that are sold for less
_OTHER_EXPENSES = (
    "6300-6999 7500-7599 | 2000-2099 2150-2199 2300-2314 2320-2374 2376-2429 2450-2479 2890-2899 4139 4200-4319 "
    "4321-4339 4356-4509 4511-4814 4885-4887 4900-6999 8800-8819"
)

# fmt: off
_FROM_STAFF = (
    Line(0, "", _STAFF),
    Line(1, "EXP:6000-6099 | EXP:4100-4129,4145-4159,4170-4199",
         _T("Palkat", "Löner", "Wages and salaries", "Löhne und Gehälter")),
    Line(1, "EXP:6100-6199 | EXP:4130-4138,4140-4144,4160-4169",
         _T("Sosiaalikulut sekä eläke- ja avustuskulut",
            "Sociala avgifter samt kostnader för pensioner och understöd",
            "Social security, pensions and other benefits",
            "soziale Abgaben und Aufwendungen für Altersversorgung und für Unterstützung")),
    Line(2, "EXP:6140-6159 | EXP:4160-4168",
         _T("josta eläkekulut", "varav för pensioner", "of which for pensions",
            "davon für Altersversorgung"), is_memo=True),
    Line(0, "", _DEPRECIATION),
    Line(1, "EXP:6200-6269 | EXP:4815-4865",
         _T("Aineettomista ja aineellisista hyödykkeistä",
            "på immateriella tillgångar och materiella anläggningstillgångar",
            "of intangible fixed assets and tangible assets",
            "auf immaterielle Vermögensgegenstände des Anlagevermögens und Sachanlagen")),
    Line(1, "EXP:6270-6299 | EXP:2430-2449,4880-4884,4888-4899",
         _T("Vaihtuvista vastaavista, tavanomaisen ylittävältä osin",
            "på omsättningstillgångar, utöver vad som är brukligt",
            "of current assets, in excess of what is usual",
            "auf Vermögensgegenstände des Umlaufvermögens, soweit diese die in der Kapitalgesellschaft üblichen "
            "Abschreibungen überschreiten")),
    Line(0, _OTHER_EXPENSES,
         _T("Liiketoiminnan muut kulut", "Övriga rörelsekostnader", "Other operating expenses",
            "sonstige betriebliche Aufwendungen")),
    Line(0, "7000-7009 | 2600-2619",
         _T("Tuotot omistusosuuksista", "Intäkter från andelar", "Income from participations",
            "Erträge aus Beteiligungen")),
    Line(1, "7004 7006 7009 | 2603 2616-2617 2619", _FROM_GROUP, is_memo=True),
    Line(0, "7010-7099 | 2620-2649",
         _T("Tuotot muista arvopapereista ja pitkäaikaisista lainasaamisista",
            "Intäkter från andra värdepapper och långfristig utlåning",
            "Income from other securities and long-term loans",
            "Erträge aus anderen Wertpapieren und Ausleihungen des Finanzanlagevermögens")),
    Line(1, "7012 7015-7016 7019 | 2622 2626 2646 2649", _FROM_GROUP, is_memo=True),
    Line(0, "7100-7199 | 2650-2659 2670-2699 2790-2794 8650-8669",
         _T("Muut korko- ja vastaavat tuotot", "Övriga ränteintäkter och liknande intäkter",
            "Other interest and similar income", "sonstige Zinsen und ähnliche Erträge")),
    Line(1, "7104 7109 7119 7129 7139 | 2656 2659 2679 2689 8660", _FROM_GROUP, is_memo=True),
    Line(0, "7200-7299 | 4866-4879",
         _T("Rahoitusvarojen ja arvopaperien arvonalentumiset",
            "Nedskrivningar av finansiella anläggningstillgångar och värdepapper",
            "Write-downs of financial assets and current securities",
            "Abschreibungen auf Finanzanlagen und auf Wertpapiere des Umlaufvermögens")),
    Line(0, "7300-7399 | 2100-2149 2490-2494",
         _T("Korko- ja vastaavat kulut", "Räntekostnader och liknande kostnader",
            "Interest and similar expenses", "Zinsen und ähnliche Aufwendungen")),
    Line(1, "7309 7319 7329 7339 7349 7351 | 2109 2116 2119 2129 2139 2149",
         _T("josta konserniyrityksille", "varav till koncernföretag", "of which to affiliated companies",
            "davon an verbundene Unternehmen"), is_memo=True),
    Line(0, "7600-7649 | 2200-2284 4320",
         _T("Tuloverot", "Skatter på inkomst och avkastning", "Taxes on income",
            "Steuern vom Einkommen und vom Ertrag")),
    Line(0, "",
         _T("Tulos verojen jälkeen", "Resultat efter skatt", "Result after taxes", "Ergebnis nach Steuern"),
         is_total=True),
    Line(0, "7650-7699 | 2285-2299 2375 4340-4355 4510",
         _T("Muut verot", "Övriga skatter", "Other taxes", "sonstige Steuern")),
    Line(0, "", RESULT, is_total=True, by_sign=BY_RESULT),
)
_INCOME = (
    Line(0, _OF_SALES, _SALES),
    Line(0, "4800-4819 | 8960-8989",
         _T("Valmiiden ja keskeneräisten tuotteiden varaston muutos",
            "Förändring av lager av färdiga varor och varor under tillverkning",
            "Increase or decrease in finished goods and work in progress",
            "Erhöhung oder Verminderung des Bestands an fertigen und unfertigen Erzeugnissen"),
         by_sign=(_T("Valmiiden ja keskeneräisten tuotteiden varaston lisäys",
                     "Ökning av lager av färdiga varor och varor under tillverkning",
                     "Increase in finished goods and work in progress",
                     "Erhöhung des Bestands an fertigen und unfertigen Erzeugnissen"),
                  _T("Valmiiden ja keskeneräisten tuotteiden varaston vähennys",
                     "Minskning av lager av färdiga varor och varor under tillverkning",
                     "Decrease in finished goods and work in progress",
                     "Verminderung des Bestands an fertigen und unfertigen Erzeugnissen"))),
    Line(0, "4820-4829 | 8990-8999",
         _T("Valmistus omaan käyttöön", "Tillverkning för eget bruk", "Other own work capitalised",
            "andere aktivierte Eigenleistungen")),
    Line(0, _OTHER_INCOME,
         _T("Liiketoiminnan muut tuotot", "Övriga rörelseintäkter", "Other operating income",
            "sonstige betriebliche Erträge")),
    Line(0, "", _MATERIALS),
    Line(1, "EXP:5000-5899 | EXP:3000-3099,3200-3969,3990-4099",
         _T("Aineet, tarvikkeet ja tavarat", "Råvaror, förnödenheter och handelsvaror",
            "Raw materials, consumables and goods",
            "Aufwendungen für Roh-, Hilfs- und Betriebsstoffe und für bezogene Waren")),
    Line(1, "EXP:5900-5999 | EXP:3100-3199",
         _T("Ostetut palvelut", "Köpta tjänster", "Purchased services",
            "Aufwendungen für bezogene Leistungen")),
    *_FROM_STAFF,
)
# fmt: on


def _items(*numbers: int) -> str:
    """Return the ranges of items of § 275 (2) HGB by their numbers."""
    number, found = 0, []
    for line in _INCOME:
        number += line.level == 0
        if number in numbers and line.takes and not line.is_memo:
            found.append(line.takes)
    return union(found)


_GROSS = (
    Line(0, _items(1, 2, 3, 4, 5), _T("Bruttotulos", "Bruttoresultat", "Gross result", "Rohergebnis")),
    *_FROM_STAFF,
)
_MICRO = (
    Line(0, _items(1), _SALES),
    Line(0, _items(2, 3, 4, 9, 10, 11), _T("Muut tuotot", "Övriga intäkter", "Other income", "sonstige Erträge")),
    Line(0, _items(5), _MATERIALS),
    Line(0, _items(6), _STAFF),
    Line(0, _items(7), _DEPRECIATION),
    Line(0, _items(8, 12, 13), _T("Muut kulut", "Övriga kostnader", "Other expenses", "sonstige Aufwendungen")),
    Line(0, _items(14, 16), _T("Verot", "Skatter", "Taxes", "Steuern")),
    Line(0, "", RESULT, is_total=True, by_sign=BY_RESULT),
)

_LETTERS = Numbering(("", "A.", "I.", "1."), is_running=True)
_NUMBERS = Numbering(("1.", "a)"), is_running=True)

_DEPTHS = {Size.FULL: 9, Size.SMALL: 2, Size.MICRO: 1}
_STATEMENTS = {Size.FULL: _INCOME, Size.SMALL: _GROSS, Size.MICRO: _MICRO}


def _numbered(place: int) -> Statements:
    """Return the statements with the ranges of one of the two charts."""

    def of(lines: Iterable[Line]) -> Iterable[Line]:
        for line in lines:
            halves = line.takes.split(" | ")
            yield line._replace(takes=halves[place] if len(halves) > 1 else line.takes)

    return Statements(
        {size: Scheme(of(BALANCE), depth, _LETTERS) for size, depth in _DEPTHS.items()},
        {size: Scheme(of(lines), numbering=_NUMBERS) for size, lines in _STATEMENTS.items()},
        "{0.day:02}.{0.month:02}.{0.year:04}",
    )


SKR04, SKR03 = _numbered(0), _numbered(1)
