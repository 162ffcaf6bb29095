"""Balance sheet and income statement of Finland: KPA 1:1 and 1:6, PMA for small and micro companies (docs/law.md 9.1).

Ranges are those of the numbering that Finnish charts have in common.
"""

from __future__ import annotations

from acctcli.law.statements import Line, Numbering, Scheme, Size, Statements, Term

_T = Term
_SALES = _T("Liikevaihto", "Omsättning", "Turnover", "Umsatzerlöse")
_STAFF = _T("Henkilöstökulut", "Personalkostnader", "Staff expenses", "Personalaufwand")
_MATERIALS = _T("Materiaalit ja palvelut", "Material och tjänster", "Materials and services", "Materialaufwand")
_DEPRECIATION = _T("Poistot ja arvonalentumiset", "Avskrivningar och nedskrivningar", "Depreciation and impairment",
                   "Abschreibungen und Wertminderungen")  # fmt: skip
_TAXES = _T("Tuloverot", "Inkomstskatt", "Income taxes", "Ertragsteuern")
_OTHER_TAXES = _T("Muut välittömät verot", "Övriga direkta skatter", "Other direct taxes", "Sonstige direkte Steuern")
_RESULT = _T("Tilikauden voitto (tappio)", "Räkenskapsperiodens vinst (förlust)", "Profit (loss) for the year",
             "Gewinn (Verlust) des Geschäftsjahres")  # fmt: skip
_BOOKINGS = _T("Tilinpäätössiirrot", "Bokslutsdispositioner", "Appropriations", "Bilanzpolitische Posten")
_PREPAID = _T("Ennakkomaksut", "Förskottsbetalningar", "Advance payments", "Geleistete Anzahlungen")
_GROUP = _T("Osuudet saman konsernin yrityksissä", "Andelar i företag inom samma koncern", "Group companies",
            "Anteile an Konzernunternehmen")  # fmt: skip
_OWED_BY_GROUP = _T("Saamiset saman konsernin yrityksiltä", "Fordringar hos företag inom samma koncern",
                    "Receivables from group companies", "Forderungen gegen Konzernunternehmen")  # fmt: skip
_OWED_BY_INTERESTS = _T("Saamiset omistusyhteysyrityksiltä", "Fordringar hos ägarintresseföretag",
                        "Receivables from participating interests",
                        "Forderungen gegen Beteiligungsunternehmen")  # fmt: skip
_SHARES = _T("Muut osakkeet ja osuudet", "Övriga aktier och andelar", "Other shares and holdings",
             "Sonstige Aktien und Anteile")  # fmt: skip
_OTHER_RECEIVABLES = _T("Muut saamiset", "Övriga fordringar", "Other receivables", "Sonstige Forderungen")
_OTHER_RESERVES = _T("Muut rahastot", "Övriga fonder", "Other reserves", "Sonstige Rücklagen")
_LONG_TERM, _SHORT_TERM = (
    _T("Pitkäaikaiset", "Långfristiga", "Non-current", "Langfristig"),
    _T("Lyhytaikaiset", "Kortfristiga", "Current", "Kurzfristig"),
)

# fmt: off
_FROM_STAFF = (
    Line(0, "EXP:5000-6799", _STAFF),
    Line(1, "EXP:5000-5999", _T("Palkat ja palkkiot", "Löner och arvoden", "Wages and salaries", "Löhne und Gehälter")),
    Line(1, "EXP:6000-6799", _T("Henkilösivukulut", "Lönebikostnader", "Social security costs", "Lohnnebenkosten")),
    Line(2, "EXP:6000-6299", _T("Eläkekulut", "Pensionskostnader", "Pension costs", "Altersversorgung")),
    Line(2, "EXP:6300-6799", _T("Muut henkilösivukulut", "Övriga lönebikostnader", "Other social security costs",
                                "Sonstige Lohnnebenkosten")),
    Line(0, "EXP:6800-6999", _DEPRECIATION),
    Line(1, "EXP:6800-6899", _T("Suunnitelman mukaiset poistot", "Avskrivningar enligt plan",
                                "Depreciation according to plan", "Planmäßige Abschreibungen")),
    Line(1, "EXP:6900-6989", _T("Arvonalentumiset pysyvien vastaavien hyödykkeistä",
                                "Nedskrivningar av tillgångar bland bestående aktiva",
                                "Impairment of non-current assets", "Wertminderungen des Anlagevermögens")),
    Line(1, "EXP:6990-6999", _T("Vaihtuvien vastaavien poikkeukselliset arvonalentumiset",
                                "Exceptionella nedskrivningar av rörliga aktiva",
                                "Exceptional impairment of current assets",
                                "Außergewöhnliche Wertminderungen des Umlaufvermögens")),
    Line(0, "EXP:7000-8999", _T("Liiketoiminnan muut kulut", "Övriga rörelsekostnader", "Other operating expenses",
                                "Sonstige betriebliche Aufwendungen")),
    Line(0, "", _T("Liikevoitto (-tappio)", "Rörelsevinst (-förlust)", "Operating profit (loss)",
                   "Betriebsgewinn (-verlust)"), is_total=True),
    Line(0, "9000-9699", _T("Rahoitustuotot ja -kulut", "Finansiella intäkter och kostnader",
                            "Financial income and expenses", "Finanzerträge und -aufwendungen")),
    Line(1, "9000-9039", _T("Tuotot osuuksista saman konsernin yrityksissä",
                            "Intäkter från andelar i företag inom samma koncern", "Income from group companies",
                            "Erträge aus Anteilen an Konzernunternehmen")),
    Line(1, "9040-9079", _T("Tuotot osuuksista omistusyhteysyrityksissä", "Intäkter från andelar i ägarintresseföretag",
                            "Income from participating interests", "Erträge aus Beteiligungen")),
    Line(1, "9080-9149", _T("Tuotot muista pysyvien vastaavien sijoituksista",
                            "Intäkter från övriga placeringar bland bestående aktiva",
                            "Income from other non-current investments", "Erträge aus anderen Finanzanlagen")),
    Line(1, "9150-9299", _T("Muut korko- ja rahoitustuotot", "Övriga ränteintäkter och finansiella intäkter",
                            "Other interest and financial income", "Sonstige Zinsen und Finanzerträge")),
    Line(1, "9300-9369", _T("Arvonalentumiset pysyvien vastaavien sijoituksista",
                            "Nedskrivningar av placeringar bland bestående aktiva",
                            "Impairment of non-current investments", "Wertminderungen von Finanzanlagen")),
    Line(1, "9370-9419", _T("Arvonalentumiset vaihtuvien vastaavien rahoitusarvopapereista",
                            "Nedskrivningar av finansiella värdepapper bland rörliga aktiva",
                            "Impairment of current financial securities",
                            "Wertminderungen von Wertpapieren des Umlaufvermögens")),
    Line(1, "9420-9699", _T("Korkokulut ja muut rahoituskulut", "Räntekostnader och övriga finansiella kostnader",
                            "Interest and other financial expenses", "Zinsen und sonstige Finanzaufwendungen")),
    Line(0, "", _T("Voitto (tappio) ennen tilinpäätössiirtoja ja veroja",
                   "Vinst (förlust) före bokslutsdispositioner och skatter",
                   "Profit (loss) before appropriations and taxes",
                   "Gewinn (Verlust) vor bilanzpolitischen Posten und Steuern"), is_total=True),
    Line(0, "9800-9899", _BOOKINGS),
    Line(1, "9800-9839", _T("Poistoeron muutos", "Förändring av avskrivningsdifferens",
                            "Change in depreciation difference", "Veränderung der Abschreibungsdifferenz")),
    Line(1, "9840-9889", _T("Verotusperusteisten varausten muutos", "Förändring av skattemässiga reserver",
                            "Change in tax-based reserves", "Veränderung steuerlicher Rücklagen")),
    Line(1, "9890-9899", _T("Konserniavustus", "Koncernbidrag", "Group contribution", "Konzernbeitrag")),
    Line(0, "9900-9979", _TAXES),
    Line(0, "9980-9999", _OTHER_TAXES),
    Line(0, "", _RESULT, is_total=True),
)
_INCOME = (
    Line(0, "REV:3000-3599", _SALES),
    Line(0, "3600-3629", _T("Valmiiden ja keskeneräisten tuotteiden varastojen muutos",
                            "Förändring av lager av färdiga varor och varor under tillverkning",
                            "Change in stocks of finished goods and work in progress",
                            "Bestandsveränderung fertiger und unfertiger Erzeugnisse")),
    Line(0, "3630-3649", _T("Valmistus omaan käyttöön", "Tillverkning för eget bruk", "Own work capitalised",
                            "Aktivierte Eigenleistungen")),
    Line(0, "REV:3650-3999", _T("Liiketoiminnan muut tuotot", "Övriga rörelseintäkter", "Other operating income",
                                "Sonstige betriebliche Erträge")),
    Line(0, "EXP:4000-4999", _MATERIALS),
    Line(1, "EXP:4000-4449", _T("Aineet, tarvikkeet ja tavarat", "Material, förnödenheter och varor",
                                "Raw materials, consumables and goods", "Roh-, Hilfs- und Betriebsstoffe und Waren")),
    Line(2, "EXP:4000-4399", _T("Ostot tilikauden aikana", "Inköp under räkenskapsperioden",
                                "Purchases during the financial year", "Einkäufe des Geschäftsjahres")),
    Line(2, "EXP:4400-4449", _T("Varastojen muutos", "Förändring av lager", "Change in stocks",
                                "Bestandsveränderung")),
    Line(1, "EXP:4450-4999", _T("Ulkopuoliset palvelut", "Köpta tjänster", "External services",
                                "Fremdleistungen")),
    *_FROM_STAFF,
)
_GROSS = (
    Line(0, "REV:3000-3999 3600-3649 EXP:4000-4999", _T("Bruttotulos", "Bruttoresultat", "Gross result",
                                                        "Rohergebnis")),
    *_FROM_STAFF,
)

_RECEIVABLES = (
    ("1600-1629", "1700-1729", _T("Myyntisaamiset", "Kundfordringar", "Trade receivables",
                                  "Forderungen aus Lieferungen und Leistungen")),
    ("1630-1639", "1730-1739", _OWED_BY_GROUP),
    ("1640-1649", "1740-1749", _OWED_BY_INTERESTS),
    ("1650-1659", "1750-1759", _T("Lainasaamiset", "Lånefordringar", "Loan receivables", "Darlehensforderungen")),
    ("1660-1669", "1760-1779", _OTHER_RECEIVABLES),
    ("1670-1679", "1780-1799", _T("Maksamattomat osakkeet/osuudet", "Obetalda aktier/andelar", "Unpaid shares",
                                  "Ausstehende Einlagen")),
    ("1680-1699", "1800-1859", _T("Siirtosaamiset", "Resultatregleringar", "Prepayments and accrued income",
                                  "Abgegrenzte Forderungen")),
)
_LIABILITIES = (
    ("2600-2609", "2800-2809", _T("Joukkovelkakirjalainat", "Masskuldebrevslån", "Bonds", "Anleihen")),
    ("2610-2619", "2810-2819", _T("Vaihtovelkakirjalainat", "Lån mot konvertibla skuldebrev",
                                  "Convertible bonds", "Wandelanleihen")),
    ("2620-2649", "2820-2849", _T("Lainat rahoituslaitoksilta", "Skulder till kreditinstitut",
                                  "Loans from financial institutions", "Darlehen von Kreditinstituten")),
    ("2650-2659", "2850-2859", _T("Eläkelainat", "Pensionslån", "Pension loans", "Pensionsdarlehen")),
    ("2660-2669", "2860-2869", _T("Saadut ennakot", "Erhållna förskott", "Advances received", "Erhaltene Anzahlungen")),
    ("2670-2689", "2870-2889", _T("Ostovelat", "Leverantörsskulder", "Trade payables",
                                  "Verbindlichkeiten aus Lieferungen und Leistungen")),
    ("2690-2699", "2890-2899", _T("Rahoitusvekselit", "Finansieringsväxlar", "Bills of exchange", "Wechsel")),
    ("2700-2709", "2900-2909", _T("Velat saman konsernin yrityksille", "Skulder till företag inom samma koncern",
                                  "Liabilities to group companies", "Verbindlichkeiten gegenüber Konzernunternehmen")),
    ("2710-2719", "2910-2919", _T("Velat omistusyhteysyrityksille", "Skulder till ägarintresseföretag",
                                  "Liabilities to participating interests",
                                  "Verbindlichkeiten gegenüber Beteiligungsunternehmen")),
    # owner loans of the chart have a number of equity
    ("2720-2749 LIA_DEB:2370-2379", "2920-2949", _T("Muut velat", "Övriga skulder", "Other liabilities",
                                                    "Sonstige Verbindlichkeiten")),
    ("2750-2799", "2950-2999", _T("Siirtovelat", "Resultatregleringar", "Accruals and deferred income",
                                  "Abgegrenzte Verbindlichkeiten")),
)


def _of(side: str, ranges: str) -> str:
    return " ".join(word if ":" in word else f"{side}:{word}" for word in ranges.split())


_BALANCE = (
    Line(0, "", _T("Vastaavaa", "Aktiva", "Assets", "Aktiva")),
    Line(1, "", _T("Pysyvät vastaavat", "Bestående aktiva", "Non-current assets", "Anlagevermögen")),
    Line(2, "ASS:1000-1019", _T("Aineettomat hyödykkeet", "Immateriella tillgångar", "Intangible assets",
                                "Immaterielle Vermögensgegenstände")),
    Line(3, "ASS:1020-1029", _T("Kehittämismenot", "Utvecklingsutgifter", "Development expenditure",
                                "Entwicklungskosten")),
    Line(3, "ASS:1030-1049", _T("Aineettomat oikeudet", "Immateriella rättigheter", "Intangible rights",
                                "Immaterielle Rechte")),
    Line(3, "ASS:1050-1069", _T("Liikearvo", "Goodwill", "Goodwill", "Geschäfts- oder Firmenwert")),
    Line(3, "ASS:1070-1089", _T("Muut aineettomat hyödykkeet", "Övriga immateriella tillgångar",
                                "Other intangible assets", "Sonstige immaterielle Vermögensgegenstände")),
    Line(3, "ASS:1090-1099", _PREPAID),
    Line(2, "", _T("Aineelliset hyödykkeet", "Materiella tillgångar", "Tangible assets", "Sachanlagen")),
    Line(3, "ASS:1100-1119", _T("Maa- ja vesialueet", "Mark- och vattenområden", "Land and water areas",
                                "Grund- und Wasserflächen")),
    Line(3, "ASS:1120-1159", _T("Rakennukset ja rakennelmat", "Byggnader och konstruktioner",
                                "Buildings and structures", "Gebäude und Bauten")),
    Line(3, "ASS:1160-1299", _T("Koneet ja kalusto", "Maskiner och inventarier", "Machinery and equipment",
                                "Maschinen und Anlagen")),
    Line(3, "ASS:1300-1379", _T("Muut aineelliset hyödykkeet", "Övriga materiella tillgångar", "Other tangible assets",
                                "Sonstige Sachanlagen")),
    Line(3, "ASS:1380-1399", _T("Ennakkomaksut ja keskeneräiset hankinnat",
                                "Förskottsbetalningar och pågående nyanläggningar",
                                "Advance payments and construction in progress", "Anzahlungen und Anlagen im Bau")),
    Line(2, "", _T("Sijoitukset", "Placeringar", "Investments", "Finanzanlagen")),
    Line(3, "ASS:1400-1409", _GROUP),
    Line(3, "ASS:1410-1419", _OWED_BY_GROUP),
    Line(3, "ASS:1420-1429", _T("Osuudet omistusyhteysyrityksissä", "Andelar i ägarintresseföretag",
                                "Participating interests", "Beteiligungen")),
    Line(3, "ASS:1430-1439", _OWED_BY_INTERESTS),
    Line(3, "ASS:1440-1469", _SHARES),
    Line(3, "ASS:1470-1499", _OTHER_RECEIVABLES),
    Line(1, "", _T("Vaihtuvat vastaavat", "Rörliga aktiva", "Current assets", "Umlaufvermögen")),
    # an account for all of the inventory has the first number
    Line(2, "ASS:1500 ASS:1560-1599", _T("Vaihto-omaisuus", "Omsättningstillgångar", "Inventories", "Vorräte")),
    Line(3, "ASS:1501-1509", _T("Aineet ja tarvikkeet", "Material och förnödenheter", "Raw materials and consumables",
                                "Roh-, Hilfs- und Betriebsstoffe")),
    Line(3, "ASS:1510-1519", _T("Keskeneräiset tuotteet", "Varor under tillverkning", "Work in progress",
                                "Unfertige Erzeugnisse")),
    Line(3, "ASS:1520-1539", _T("Valmiit tuotteet/tavarat", "Färdiga produkter/varor", "Finished goods",
                                "Fertige Erzeugnisse und Waren")),
    Line(3, "ASS:1540-1549", _T("Muu vaihto-omaisuus", "Övriga omsättningstillgångar", "Other inventories",
                                "Sonstige Vorräte")),
    Line(3, "ASS:1550-1559", _PREPAID),
    Line(2, "", _T("Saamiset", "Fordringar", "Receivables", "Forderungen")),
    Line(3, "", _LONG_TERM, is_kept=True, is_bare=True),
    *(Line(4, _of("ASS", long), term) for long, _, term in _RECEIVABLES),
    Line(3, "", _SHORT_TERM, is_kept=True, is_bare=True),
    *(Line(4, _of("ASS", short), term) for _, short, term in _RECEIVABLES),
    Line(2, "", _T("Rahoitusarvopaperit", "Finansiella värdepapper", "Financial securities", "Wertpapiere")),
    Line(3, "ASS:1860-1879", _GROUP),
    Line(3, "ASS:1880-1889", _SHARES),
    Line(3, "ASS:1890-1899", _T("Muut arvopaperit", "Övriga värdepapper", "Other securities",
                                "Sonstige Wertpapiere")),
    Line(2, "ASS:1900-1999", _T("Rahat ja pankkisaamiset", "Kassa och bank", "Cash and bank", "Kasse und Bank")),
    Line(0, "", _T("Vastattavaa", "Passiva", "Equity and liabilities", "Passiva")),
    Line(1, "", _T("Oma pääoma", "Eget kapital", "Equity", "Eigenkapital")),
    Line(2, "LIA_EQU:2000-2019 LIA_EQU:2100-2109 LIA_EQU:2150-2249 LIA_EQU:2340-2369", _T(
        "Osake-, osuus- tai muu vastaava pääoma", "Aktie-, andels- eller annat motsvarande kapital",
        "Share capital or other corresponding capital", "Gezeichnetes oder entsprechendes Kapital")),
    Line(2, "LIA_EQU:2020-2029", _T("Ylikurssirahasto", "Överkursfond", "Share premium reserve", "Agio")),
    Line(2, "LIA_EQU:2030-2039 LIA_EQU:2110-2119", _T("Arvonkorotusrahasto", "Uppskrivningsfond", "Revaluation reserve",
                                                      "Neubewertungsrücklage")),
    Line(2, "LIA_EQU:2040-2049", _T("Käyvän arvon rahasto", "Fond för verkligt värde", "Fair value reserve",
                                    "Zeitwertrücklage")),
    Line(2, "", _OTHER_RESERVES),
    Line(3, "LIA_EQU:2050-2059", _T("Vararahasto", "Reservfond", "Reserve fund", "Gesetzliche Rücklage")),
    Line(3, "", _T("Yhtiöjärjestyksen tai sääntöjen mukaiset rahastot", "Fonder enligt bolagsordningen eller stadgarna",
                   "Reserves under the articles or rules", "Satzungsmäßige Rücklagen")),
    Line(3, "LIA_EQU:2060-2099", _OTHER_RESERVES),
    Line(2, "LIA_PRE LIA_EQU:2250-2339 [carried]", _T("Edellisten tilikausien voitto (tappio)",
                                                      "Balanserad vinst (förlust)",
                                                      "Retained earnings (loss)", "Gewinnvortrag (Verlustvortrag)")),
    Line(2, "LIA_EQU:2370-2379 [profit]", _RESULT),
    Line(2, "2380-2389", _T("Pääomalainat", "Kapitallån", "Capital loans", "Kapitaldarlehen"), is_bare=True),
    Line(1, "", _T("Tilinpäätössiirtojen kertymä", "Ackumulerade bokslutsdispositioner", "Accumulated appropriations",
                   "Kumulierte bilanzpolitische Posten")),
    Line(3, "LIA:2400-2449", _T("Poistoero", "Avskrivningsdifferens", "Depreciation difference",
                                "Abschreibungsdifferenz")),
    Line(3, "LIA:2450-2499", _T("Verotusperusteiset varaukset", "Skattemässiga reserver", "Tax-based reserves",
                                "Steuerliche Rücklagen")),
    Line(1, "", _T("Pakolliset varaukset", "Avsättningar", "Provisions", "Rückstellungen")),
    Line(3, "LIA:2500-2529", _T("Eläkevaraukset", "Avsättningar för pensioner", "Provisions for pensions",
                                "Pensionsrückstellungen")),
    Line(3, "LIA:2530-2549", _T("Verovaraukset", "Skatteavsättningar", "Provisions for taxes",
                                "Steuerrückstellungen")),
    Line(3, "LIA:2550-2599", _T("Muut pakolliset varaukset", "Övriga avsättningar", "Other provisions",
                                "Sonstige Rückstellungen")),
    Line(1, "", _T("Vieras pääoma", "Främmande kapital", "Liabilities", "Fremdkapital")),
    Line(2, "", _T("Pitkäaikainen", "Långfristigt", "Non-current", "Langfristig"), is_bare=True),
    *(Line(3, _of("LIA", long), term) for long, _, term in _LIABILITIES),
    Line(2, "", _T("Lyhytaikainen", "Kortfristigt", "Current", "Kurzfristig"), is_bare=True),
    *(Line(3, _of("LIA", short), term) for _, short, term in _LIABILITIES),
)
# fmt: on
_LETTERS, _NUMBERS = Numbering(("", "A", "I", "1.", "1.")), Numbering(("1.", "a)", "aa)"))
_SHORT_BALANCE = Scheme(_BALANCE, 2, _LETTERS)

STATEMENTS = Statements(
    {Size.FULL: Scheme(_BALANCE, numbering=_LETTERS), Size.SMALL: _SHORT_BALANCE, Size.MICRO: _SHORT_BALANCE},
    {
        Size.FULL: Scheme(_INCOME, numbering=_NUMBERS),
        Size.SMALL: Scheme(_GROSS, numbering=_NUMBERS),
        Size.MICRO: Scheme(_INCOME, 0, _NUMBERS),
    },
    "{0.day}.{0.month}.{0.year}",
)
