"""Balance sheet and income statement of Germany: §§ 266, 275 (2) HGB, and §§ 267a, 275 (5), 276 HGB (docs/law.md 9.2).

Ranges are those of SKR04, the numbering of the chart.
"""

from __future__ import annotations

from acctcli.law.statements import Line, Numbering, Scheme, Size, Statements, Term

_T = Term
_PREPAID = _T("Ennakkomaksut", "Förskottsbetalningar", "Advance payments", "geleistete Anzahlungen")
_GROUP = _T("Osuudet konserniyrityksissä", "Andelar i koncernföretag", "Shares in affiliated companies",
            "Anteile an verbundenen Unternehmen")  # fmt: skip
_DEFERRALS = _T("Siirtoerät", "Periodiseringsposter", "Deferrals", "Rechnungsabgrenzungsposten")
_WITHIN_A_YEAR = _T("josta erääntyy vuoden kuluessa", "varav förfaller inom ett år", "of which due within one year",
                    "davon mit einer Restlaufzeit bis zu einem Jahr")  # fmt: skip
_AFTER_A_YEAR = _T("josta erääntyy yli vuoden kuluttua", "varav förfaller efter mer än ett år",
                   "of which due after more than one year",
                   "davon mit einer Restlaufzeit von mehr als einem Jahr")  # fmt: skip
# accounts of liabilities that say when they are due
_SOON = "3101-3104 3121-3124 3151-3159 3260-3269 3300-3336 3351-3379 3401-3404 3451-3454 3501-3503 3511-3513 3700-3899"
_LATER = "3105-3119 3125-3149 3160-3179 3270-3289 3337-3349 3380-3399 3405-3419 3455-3469 3504-3509 3514-3519"
_SALES = _T("Liikevaihto", "Omsättning", "Revenue", "Umsatzerlöse")
_MATERIALS = _T("Materiaalikulut", "Materialkostnader", "Cost of materials", "Materialaufwand")
_STAFF = _T("Henkilöstökulut", "Personalkostnader", "Personnel expenses", "Personalaufwand")
_DEPRECIATION = _T("Poistot", "Avskrivningar", "Depreciation and amortisation", "Abschreibungen")
_RESULT = _T("Tilikauden voitto/tappio", "Årets vinst/förlust", "Net profit/loss for the year",
             "Jahresüberschuss/Jahresfehlbetrag")  # fmt: skip
_BY_RESULT = (
    _T("Tilikauden voitto", "Årets vinst", "Net profit for the year", "Jahresüberschuss"),
    _T("Tilikauden tappio", "Årets förlust", "Net loss for the year", "Jahresfehlbetrag"),
)
_FROM_GROUP = _T("josta konserniyrityksiltä", "varav från koncernföretag", "of which from affiliated companies",
                 "davon aus verbundenen Unternehmen")  # fmt: skip
_DEFICIT = _T("Omalla pääomalla kattamaton alijäämä", "Underskott som inte täcks av eget kapital",
              "Deficit not covered by equity", "Nicht durch Eigenkapital gedeckter Fehlbetrag")  # fmt: skip

# fmt: off
_FROM_STAFF = (
    Line(0, "", _STAFF),
    Line(1, "EXP:6000-6099", _T("Palkat", "Löner", "Wages and salaries", "Löhne und Gehälter")),
    Line(1, "EXP:6100-6199", _T("Sosiaalikulut sekä eläke- ja avustuskulut",
                                "Sociala avgifter samt kostnader för pensioner och understöd",
                                "Social security, pensions and other benefits",
                                "soziale Abgaben und Aufwendungen für Altersversorgung und für Unterstützung")),
    Line(2, "EXP:6140-6149", _T("josta eläkekulut", "varav för pensioner", "of which for pensions",
                                "davon für Altersversorgung"), is_memo=True),
    Line(0, "", _DEPRECIATION),
    Line(1, "EXP:6200-6269", _T("Aineettomista ja aineellisista hyödykkeistä",
                                "på immateriella tillgångar och materiella anläggningstillgångar",
                                "of intangible fixed assets and tangible assets",
                                "auf immaterielle Vermögensgegenstände des Anlagevermögens und Sachanlagen")),
    Line(1, "EXP:6270-6299", _T("Vaihtuvista vastaavista, tavanomaisen ylittävältä osin",
                                "på omsättningstillgångar, utöver vad som är brukligt",
                                "of current assets, in excess of what is usual",
                                "auf Vermögensgegenstände des Umlaufvermögens, soweit diese die in der "
                                "Kapitalgesellschaft üblichen Abschreibungen überschreiten")),
    Line(0, "EXP:6300-6999", _T("Liiketoiminnan muut kulut", "Övriga rörelsekostnader", "Other operating expenses",
                                "sonstige betriebliche Aufwendungen")),
    Line(0, "7000-7009", _T("Tuotot omistusosuuksista", "Intäkter från andelar", "Income from participations",
                            "Erträge aus Beteiligungen")),
    Line(1, "7005-7006 7009", _FROM_GROUP, is_memo=True),
    Line(0, "7010-7099", _T("Tuotot muista arvopapereista ja pitkäaikaisista lainasaamisista",
                            "Intäkter från andra värdepapper och långfristig utlåning",
                            "Income from other securities and long-term loans",
                            "Erträge aus anderen Wertpapieren und Ausleihungen des Finanzanlagevermögens")),
    Line(1, "7012 7016 7019", _FROM_GROUP, is_memo=True),
    Line(0, "7100-7199", _T("Muut korko- ja vastaavat tuotot", "Övriga ränteintäkter och liknande intäkter",
                            "Other interest and similar income", "sonstige Zinsen und ähnliche Erträge")),
    Line(1, "7109 7119 7129 7139", _FROM_GROUP, is_memo=True),
    Line(0, "7200-7299", _T("Rahoitusvarojen ja arvopaperien arvonalentumiset",
                            "Nedskrivningar av finansiella anläggningstillgångar och värdepapper",
                            "Write-downs of financial assets and current securities",
                            "Abschreibungen auf Finanzanlagen und auf Wertpapiere des Umlaufvermögens")),
    Line(0, "7300-7399", _T("Korko- ja vastaavat kulut", "Räntekostnader och liknande kostnader",
                            "Interest and similar expenses", "Zinsen und ähnliche Aufwendungen")),
    Line(1, "7309 7319 7329 7339 7349", _T("josta konserniyrityksille", "varav till koncernföretag",
                                           "of which to affiliated companies",
                                           "davon an verbundene Unternehmen"), is_memo=True),
    Line(0, "7600-7649", _T("Tuloverot", "Skatter på inkomst och avkastning", "Taxes on income",
                            "Steuern vom Einkommen und vom Ertrag")),
    Line(0, "", _T("Tulos verojen jälkeen", "Resultat efter skatt", "Result after taxes", "Ergebnis nach Steuern"),
         is_total=True),
    Line(0, "7650-7699", _T("Muut verot", "Övriga skatter", "Other taxes", "sonstige Steuern")),
    Line(0, "", _RESULT, is_total=True, by_sign=_BY_RESULT),
)
_INCOME = (
    Line(0, "REV:4000-4799", _SALES),
    Line(0, "4800-4819", _T("Valmiiden ja keskeneräisten tuotteiden varaston muutos",
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
    Line(0, "4820-4829", _T("Valmistus omaan käyttöön", "Tillverkning för eget bruk", "Other own work capitalised",
                            "andere aktivierte Eigenleistungen")),
    Line(0, "REV:4830-4999", _T("Liiketoiminnan muut tuotot", "Övriga rörelseintäkter", "Other operating income",
                                "sonstige betriebliche Erträge")),
    Line(0, "", _MATERIALS),
    Line(1, "EXP:5000-5899", _T("Aineet, tarvikkeet ja tavarat", "Råvaror, förnödenheter och handelsvaror",
                                "Raw materials, consumables and goods",
                                "Aufwendungen für Roh-, Hilfs- und Betriebsstoffe und für bezogene Waren")),
    Line(1, "EXP:5900-5999", _T("Ostetut palvelut", "Köpta tjänster", "Purchased services",
                                "Aufwendungen für bezogene Leistungen")),
    *_FROM_STAFF,
)
_GROSS = (
    Line(0, "4000-5999", _T("Bruttotulos", "Bruttoresultat", "Gross result", "Rohergebnis")),
    *_FROM_STAFF,
)
_MICRO = (
    Line(0, "REV:4000-4799", _SALES),
    Line(0, "4800-4829 REV:4830-4999 REV:7000-7199", _T("Muut tuotot", "Övriga intäkter", "Other income",
                                                        "sonstige Erträge")),
    Line(0, "EXP:5000-5999", _MATERIALS),
    Line(0, "EXP:6000-6199", _STAFF),
    Line(0, "EXP:6200-6299", _DEPRECIATION),
    Line(0, "EXP:6300-6999 7200-7399", _T("Muut kulut", "Övriga kostnader", "Other expenses",
                                          "sonstige Aufwendungen")),
    Line(0, "7600-7699", _T("Verot", "Skatter", "Taxes", "Steuern")),
    Line(0, "", _RESULT, is_total=True, by_sign=_BY_RESULT),
)


def _receivable(numbers: str, later: str, term: Term) -> tuple[Line, Line]:
    return Line(3, f"ASS:{numbers}", term), Line(4, f"ASS:{later}", _AFTER_A_YEAR, is_memo=True)


def _each(numbers: str) -> str:
    return " ".join(f"LIA:{word}" for word in numbers.split())


def _liability(numbers: str, soon: str, later: str, term: Term) -> tuple[Line, Line, Line]:
    return (
        Line(3, f"LIA:{numbers}", term),
        Line(4, _each(soon), _WITHIN_A_YEAR, is_memo=True),
        Line(4, _each(later), _AFTER_A_YEAR, is_memo=True),
    )


_BALANCE = (
    Line(0, "", _T("Vastaavaa", "Aktiva", "Assets", "Aktiva")),
    Line(1, "", _T("Pysyvät vastaavat", "Anläggningstillgångar", "Fixed assets", "Anlagevermögen")),
    Line(2, "", _T("Aineettomat hyödykkeet", "Immateriella tillgångar", "Intangible assets",
                   "Immaterielle Vermögensgegenstände")),
    Line(3, "ASS:0143-0148", _T("Itse luodut oikeudet ja arvot", "Egenupparbetade rättigheter och värden",
                                "Internally generated industrial and similar rights and assets",
                                "Selbst geschaffene gewerbliche Schutzrechte und ähnliche Rechte und Werte")),
    Line(3, "ASS:0100-0142 ASS:0149", _T("Hankitut toimiluvat, oikeudet ja lisenssit",
                                         "Förvärvade koncessioner, rättigheter och licenser",
                                         "Purchased concessions, industrial and similar rights and assets, licences",
                                         "entgeltlich erworbene Konzessionen, gewerbliche Schutzrechte und ähnliche "
                                         "Rechte und Werte sowie Lizenzen an solchen Rechten und Werten")),
    Line(3, "ASS:0150-0169", _T("Liikearvo", "Goodwill", "Goodwill", "Geschäfts- oder Firmenwert")),
    Line(3, "ASS:0170-0199", _PREPAID),
    Line(2, "", _T("Aineelliset hyödykkeet", "Materiella anläggningstillgångar", "Tangible assets", "Sachanlagen")),
    Line(3, "ASS:0200-0399", _T("Maa-alueet ja rakennukset", "Mark och byggnader",
                                "Land, land rights and buildings, including buildings on third-party land",
                                "Grundstücke, grundstücksgleiche Rechte und Bauten einschließlich der Bauten auf "
                                "fremden Grundstücken")),
    Line(3, "ASS:0400-0499", _T("Tekniset laitteet ja koneet", "Tekniska anläggningar och maskiner",
                                "Technical equipment and machinery", "technische Anlagen und Maschinen")),
    Line(3, "ASS:0500-0699", _T("Muut laitteet, toimitilojen kalusto",
                                "Övriga anläggningar, drifts- och kontorsinventarier",
                                "Other equipment, operating and office equipment",
                                "andere Anlagen, Betriebs- und Geschäftsausstattung")),
    Line(3, "ASS:0700-0799", _T("Ennakkomaksut ja keskeneräiset hankinnat",
                                "Förskottsbetalningar och pågående anläggningar",
                                "Advance payments and assets under construction",
                                "geleistete Anzahlungen und Anlagen im Bau")),
    Line(2, "", _T("Sijoitukset", "Finansiella anläggningstillgångar", "Financial assets", "Finanzanlagen")),
    Line(3, "ASS:0800-0809", _GROUP),
    Line(3, "ASS:0810-0819", _T("Lainat konserniyrityksille", "Utlåning till koncernföretag",
                                "Loans to affiliated companies", "Ausleihungen an verbundene Unternehmen")),
    Line(3, "ASS:0820-0879", _T("Omistusosuudet", "Ägarintressen", "Participations", "Beteiligungen")),
    Line(3, "ASS:0880-0899", _T("Lainat omistusyhteysyrityksille", "Utlåning till ägarintresseföretag",
                                "Loans to companies in which participations are held",
                                "Ausleihungen an Unternehmen, mit denen ein Beteiligungsverhältnis besteht")),
    Line(3, "ASS:0900-0929", _T("Pitkäaikaiset arvopaperit", "Långfristiga värdepapper", "Long-term securities",
                                "Wertpapiere des Anlagevermögens")),
    Line(3, "ASS:0930-0999", _T("Muut lainasaamiset", "Övrig utlåning", "Other loans", "sonstige Ausleihungen")),
    Line(1, "", _T("Vaihtuvat vastaavat", "Omsättningstillgångar", "Current assets", "Umlaufvermögen")),
    Line(2, "", _T("Vaihto-omaisuus", "Varulager", "Inventories", "Vorräte")),
    Line(3, "ASS:1000-1039", _T("Aineet ja tarvikkeet", "Råvaror och förnödenheter", "Raw materials and consumables",
                                "Roh-, Hilfs- und Betriebsstoffe")),
    Line(3, "ASS:1040-1099", _T("Keskeneräiset tuotteet ja palvelut", "Varor och tjänster under tillverkning",
                                "Work in progress", "unfertige Erzeugnisse, unfertige Leistungen")),
    Line(3, "ASS:1100-1179", _T("Valmiit tuotteet ja tavarat", "Färdiga produkter och varor",
                                "Finished goods and merchandise", "fertige Erzeugnisse und Waren")),
    Line(3, "ASS:1180-1199", _PREPAID),
    Line(2, "", _T("Saamiset ja muut varat", "Fordringar och övriga tillgångar", "Receivables and other assets",
                   "Forderungen und sonstige Vermögensgegenstände")),
    Line(3, "ASS:1225-1229 ASS:1265-1269 ASS:1285-1289 ASS:1305-1309", _AFTER_A_YEAR, is_memo=True, is_kept=True),
    *_receivable("1200-1259", "1225-1229", _T("Myyntisaamiset", "Kundfordringar", "Trade receivables",
                                              "Forderungen aus Lieferungen und Leistungen")),
    *_receivable("1260-1279", "1265-1269", _T("Saamiset konserniyrityksiltä", "Fordringar på koncernföretag",
                                              "Receivables from affiliated companies",
                                              "Forderungen gegen verbundene Unternehmen")),
    *_receivable("1280-1297", "1285-1289", _T("Saamiset omistusyhteysyrityksiltä",
                                              "Fordringar på ägarintresseföretag",
                                              "Receivables from companies in which participations are held",
                                              "Forderungen gegen Unternehmen, mit denen ein Beteiligungsverhältnis "
                                              "besteht")),
    *_receivable("1298-1499", "1305-1309", _T("Muut varat", "Övriga tillgångar", "Other assets",
                                              "sonstige Vermögensgegenstände")),
    Line(2, "", _T("Arvopaperit", "Värdepapper", "Securities", "Wertpapiere")),
    Line(3, "ASS:1500-1504", _GROUP),
    Line(3, "ASS:1505-1549", _T("Muut arvopaperit", "Övriga värdepapper", "Other securities", "sonstige Wertpapiere")),
    Line(2, "ASS:1550-1899", _T("Käteisvarat ja pankkisaamiset", "Kassa och bank", "Cash, bank balances and cheques",
                                "Kassenbestand, Bundesbankguthaben, Guthaben bei Kreditinstituten und Schecks")),
    Line(1, "ASS:1900-1949", _DEFERRALS),
    Line(1, "ASS:1950-1959", _T("Laskennalliset verosaamiset", "Uppskjutna skattefordringar", "Deferred tax assets",
                                "Aktive latente Steuern")),
    Line(1, "", _T("Varojen ja velkojen kuittauksesta syntynyt erotus", "Aktiv skillnad av kvittning av tillgångar",
                   "Excess of plan assets over pension liabilities",
                   "Aktiver Unterschiedsbetrag aus der Vermögensverrechnung")),
    Line(1, "[deficit]", _DEFICIT),
    Line(0, "", _T("Vastattavaa", "Passiva", "Equity and liabilities", "Passiva")),
    Line(1, "", _T("Oma pääoma", "Eget kapital", "Equity", "Eigenkapital")),
    Line(2, "LIA_EQU:2900-2919", _T("Osakepääoma", "Tecknat kapital", "Subscribed capital", "Gezeichnetes Kapital")),
    Line(2, "LIA_EQU:2000-2899", _T("Pääomaosuudet", "Kapitalandelar", "Capital shares", "Kapitalanteile")),
    Line(2, "LIA_EQU:2920-2929", _T("Pääomarahasto", "Kapitalreserv", "Capital reserve", "Kapitalrücklage")),
    Line(2, "", _T("Voittorahastot", "Vinstreserver", "Revenue reserves", "Gewinnrücklagen")),
    Line(3, "LIA_EQU:2930-2934", _T("Lakisääteinen rahasto", "Lagstadgad reserv", "Legal reserve",
                                    "gesetzliche Rücklage")),
    Line(3, "LIA_EQU:2935-2949", _T("Rahasto emoyrityksen osuuksille", "Reserv för andelar i moderföretag",
                                    "Reserve for shares in a controlling company",
                                    "Rücklage für Anteile an einem herrschenden oder mehrheitlich beteiligten "
                                    "Unternehmen")),
    Line(3, "LIA_EQU:2950-2959", _T("Sääntömääräiset rahastot", "Stadgeenliga reserver", "Reserves under the articles",
                                    "satzungsmäßige Rücklagen")),
    Line(3, "LIA_EQU:2960-2969", _T("Muut voittorahastot", "Övriga vinstreserver", "Other revenue reserves",
                                    "andere Gewinnrücklagen")),
    Line(2, "LIA_PRE LIA_EQU:2970-2979 [carried]", _T("Edellisten tilikausien voitto/tappio",
                                                      "Balanserad vinst/förlust",
                                                      "Retained profits/accumulated losses brought forward",
                                                      "Gewinnvortrag/Verlustvortrag"),
         by_sign=(_T("Edellisten tilikausien voitto", "Balanserad vinst", "Retained profits brought forward",
                     "Gewinnvortrag"),
                  _T("Edellisten tilikausien tappio", "Balanserad förlust", "Accumulated losses brought forward",
                     "Verlustvortrag"))),
    Line(2, "[profit]", _RESULT, by_sign=_BY_RESULT),
    Line(2, "[deficit]", _DEFICIT, is_bare=True),
    Line(1, "", _T("Varaukset", "Avsättningar", "Provisions", "Rückstellungen")),
    Line(3, "LIA:3000-3019", _T("Eläkevaraukset", "Avsättningar för pensioner",
                                "Provisions for pensions and similar obligations",
                                "Rückstellungen für Pensionen und ähnliche Verpflichtungen")),
    Line(3, "LIA:3020-3059", _T("Verovaraukset", "Avsättningar för skatter", "Provisions for taxes",
                                "Steuerrückstellungen")),
    Line(3, "LIA:3070-3099", _T("Muut varaukset", "Övriga avsättningar", "Other provisions",
                                "sonstige Rückstellungen")),
    Line(1, "", _T("Velat", "Skulder", "Liabilities", "Verbindlichkeiten")),
    Line(2, _each(_SOON), _WITHIN_A_YEAR, is_memo=True, is_kept=True),
    Line(2, _each(_LATER), _AFTER_A_YEAR, is_memo=True, is_kept=True),
    *_liability("3100-3149", "3101-3104 3121-3124", "3105-3119 3125-3149", _T("Joukkovelkakirjalainat",
                                                                              "Obligationslån", "Bonds", "Anleihen")),
    Line(4, "LIA:3120-3149", _T("josta vaihdettavat", "varav konvertibla", "of which convertible", "davon konvertibel"),
         is_memo=True),
    *_liability("3150-3249", "3151-3159", "3160-3179", _T("Velat luottolaitoksille", "Skulder till kreditinstitut",
                                                          "Liabilities to banks",
                                                          "Verbindlichkeiten gegenüber Kreditinstituten")),
    *_liability("3250-3299", "3260-3269", "3270-3289", _T("Saadut ennakot tilauksista",
                                                          "Erhållna förskott på beställningar",
                                                          "Advance payments received on orders",
                                                          "erhaltene Anzahlungen auf Bestellungen")),
    *_liability("3300-3349", "3300-3336", "3337-3349", _T("Ostovelat", "Leverantörsskulder", "Trade payables",
                                                          "Verbindlichkeiten aus Lieferungen und Leistungen")),
    *_liability("3350-3399", "3351-3379", "3380-3399", _T("Vekselivelat", "Växelskulder",
                                                          "Liabilities from bills of exchange",
                                                          "Verbindlichkeiten aus der Annahme gezogener Wechsel und der "
                                                          "Ausstellung eigener Wechsel")),
    *_liability("3400-3449", "3401-3404", "3405-3419", _T("Velat konserniyrityksille", "Skulder till koncernföretag",
                                                          "Liabilities to affiliated companies",
                                                          "Verbindlichkeiten gegenüber verbundenen Unternehmen")),
    *_liability("3450-3499", "3451-3454", "3455-3469", _T("Velat omistusyhteysyrityksille",
                                                          "Skulder till ägarintresseföretag",
                                                          "Liabilities to companies in which participations are held",
                                                          "Verbindlichkeiten gegenüber Unternehmen, mit denen ein "
                                                          "Beteiligungsverhältnis besteht")),
    *_liability("3500-3899", "3501-3503 3511-3513 3700-3899", "3504-3509 3514-3519", _T(
        "Muut velat", "Övriga skulder", "Other liabilities", "sonstige Verbindlichkeiten")),
    Line(4, _each("3700-3719 3730-3739 3760-3769 3800-3899"), _T("josta verot", "varav skatter", "of which taxes",
                                                                 "davon aus Steuern"), is_memo=True),
    Line(4, "LIA:3740-3759", _T("josta sosiaaliturva", "varav social trygghet", "of which social security",
                                "davon im Rahmen der sozialen Sicherheit"), is_memo=True),
    Line(1, "LIA:3900-3949", _DEFERRALS),
    Line(1, "LIA:3060-3069", _T("Laskennalliset verovelat", "Uppskjutna skatteskulder", "Deferred tax liabilities",
                                "Passive latente Steuern")),
)
# fmt: on

_LETTERS = Numbering(("", "A.", "I.", "1."), is_running=True)
_NUMBERS = Numbering(("1.", "a)"), is_running=True)

STATEMENTS = Statements(
    {size: Scheme(_BALANCE, depth, _LETTERS) for size, depth in ((Size.FULL, 9), (Size.SMALL, 2), (Size.MICRO, 1))},
    {
        size: Scheme(lines, numbering=_NUMBERS)
        for size, lines in ((Size.FULL, _INCOME), (Size.SMALL, _GROSS), (Size.MICRO, _MICRO))
    },
    "{0.day:02}.{0.month:02}.{0.year:04}",
)
