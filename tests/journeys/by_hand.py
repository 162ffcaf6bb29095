"""Statements of a Finnish and a German company, made by hand from the laws and the postings (docs/law.md 9)."""

from __future__ import annotations

FINNISH_INCOME = """
1. Liikevaihto                                                 10000,00
4. Liiketoiminnan muut tuotot                                     50,00
5. Materiaalit ja palvelut                                     -2150,00
  a) Aineet, tarvikkeet ja tavarat                             -1850,00
    aa) Ostot tilikauden aikana                                -2000,00
    ab) Varastojen muutos                                        150,00
  b) Ulkopuoliset palvelut                                      -300,00
6. Henkilöstökulut                                             -1810,00
  a) Palkat ja palkkiot                                        -1500,00
  b) Henkilösivukulut                                           -310,00
    ba) Eläkekulut                                              -250,00
    bb) Muut henkilösivukulut                                    -60,00
7. Poistot ja arvonalentumiset                                  -300,00
  a) Suunnitelman mukaiset poistot                              -300,00
8. Liiketoiminnan muut kulut                                    -700,00
9. Liikevoitto (-tappio)                                        5090,00
10. Rahoitustuotot ja -kulut                                    -112,50
  d) Muut korko- ja rahoitustuotot                                 7,50
  g) Korkokulut ja muut rahoituskulut                           -120,00
11. Voitto (tappio) ennen tilinpäätössiirtoja ja veroja         4977,50
12. Tilinpäätössiirrot                                          -100,00
  a) Poistoeron muutos                                          -100,00
13. Tuloverot                                                  -1015,00
15. Tilikauden voitto (tappio)                                  3862,50
"""
FINNISH_BALANCE_SV = """
Aktiva
  A Bestående aktiva                                             900,00
    II Materiella tillgångar                                     900,00
      3. Maskiner och inventarier                                900,00
  B Rörliga aktiva                                             14437,50
    I Omsättningstillgångar                                      150,00
    II Fordringar                                               1400,00
      Långfristiga                                               400,00
        1. Kundfordringar                                        400,00
      Kortfristiga                                              1000,00
        1. Kundfordringar                                       1000,00
    IV Kassa och bank                                          12887,50
Summa aktiva                                                   15337,50
Passiva
  A Eget kapital                                                6362,50
    I Aktie-, andels- eller annat motsvarande kapital           2500,00
    VII Räkenskapsperiodens vinst (förlust)                     3862,50
  B Ackumulerade bokslutsdispositioner                           100,00
    1. Avskrivningsdifferens                                     100,00
  D Främmande kapital                                           8875,00
    Långfristigt                                                5000,00
      3. Skulder till kreditinstitut                             5000,00
    Kortfristigt                                                3875,00
      3. Skulder till kreditinstitut                              800,00
      6. Leverantörsskulder                                     2000,00
      11. Resultatregleringar                                   1075,00
Summa passiva                                                  15337,50
"""
FINNISH_GROSS_SV = """
1. Bruttoresultat                                               7900,00
2. Personalkostnader                                           -1810,00
  a) Löner och arvoden                                         -1500,00
  b) Lönebikostnader                                            -310,00
    ba) Pensionskostnader                                       -250,00
    bb) Övriga lönebikostnader                                   -60,00
3. Avskrivningar och nedskrivningar                             -300,00
  a) Avskrivningar enligt plan                                  -300,00
4. Övriga rörelsekostnader                                      -700,00
5. Rörelsevinst (-förlust)                                      5090,00
6. Finansiella intäkter och kostnader                           -112,50
  d) Övriga ränteintäkter och finansiella intäkter                 7,50
  g) Räntekostnader och övriga finansiella kostnader            -120,00
7. Vinst (förlust) före bokslutsdispositioner och skatter       4977,50
8. Bokslutsdispositioner                                        -100,00
  a) Förändring av avskrivningsdifferens                        -100,00
9. Inkomstskatt                                                -1015,00
11. Räkenskapsperiodens vinst (förlust)                         3862,50
"""
FINNISH_MICRO_EN = """
1. Turnover                                                    10000.00
4. Other operating income                                         50.00
5. Materials and services                                      -2150.00
6. Staff expenses                                              -1810.00
7. Depreciation and impairment                                  -300.00
8. Other operating expenses                                     -700.00
9. Operating profit (loss)                                      5090.00
10. Financial income and expenses                               -112.50
11. Profit (loss) before appropriations and taxes               4977.50
12. Appropriations                                              -100.00
13. Income taxes                                               -1015.00
15. Profit (loss) for the year                                  3862.50
"""
FINNISH_SMALL_BALANCE = """
Vastaavaa
  A Pysyvät vastaavat                                            900,00
    II Aineelliset hyödykkeet                                    900,00
  B Vaihtuvat vastaavat                                        14437,50
    I Vaihto-omaisuus                                            150,00
    II Saamiset                                                 1400,00
      Pitkäaikaiset                                              400,00
      Lyhytaikaiset                                             1000,00
    IV Rahat ja pankkisaamiset                                 12887,50
Vastaavaa yhteensä                                             15337,50
Vastattavaa
  A Oma pääoma                                                  6362,50
    I Osake-, osuus- tai muu vastaava pääoma                    2500,00
    VII Tilikauden voitto (tappio)                              3862,50
  B Tilinpäätössiirtojen kertymä                                 100,00
  D Vieras pääoma                                               8875,00
    Pitkäaikainen                                               5000,00
    Lyhytaikainen                                               3875,00
Vastattavaa yhteensä                                           15337,50
"""
GERMAN_INCOME = """
1. Umsatzerlöse                                                 5000,00
2. Materialaufwand                                             -1600,00
  a) Aufwendungen für Roh-, Hilfs- und Betriebsstoffe und für bezogene Waren -1200,00
  b) Aufwendungen für bezogene Leistungen                       -400,00
3. Personalaufwand                                             -1150,00
  a) Löhne und Gehälter                                         -900,00
  b) soziale Abgaben und Aufwendungen für Altersversorgung und für Unterstützung -250,00
    davon für Altersversorgung                                   -50,00
4. Abschreibungen                                               -100,00
  a) auf immaterielle Vermögensgegenstände des Anlagevermögens und Sachanlagen -100,00
5. sonstige betriebliche Aufwendungen                           -315,00
6. sonstige Zinsen und ähnliche Erträge                           10,00
7. Zinsen und ähnliche Aufwendungen                              -40,00
8. Steuern vom Einkommen und vom Ertrag                         -450,00
9. Ergebnis nach Steuern                                        1355,00
10. sonstige Steuern                                             -30,00
11. Jahresüberschuss                                            1325,00
"""
GERMAN_BALANCE = """
Aktiva
  A. Anlagevermögen                                              500,00
    I. Sachanlagen                                               500,00
      1. technische Anlagen und Maschinen                        500,00
  B. Umlaufvermögen                                             6465,00
    I. Forderungen und sonstige Vermögensgegenstände            5000,00
      1. Forderungen aus Lieferungen und Leistungen             5000,00
    II. Kassenbestand, Bundesbankguthaben, Guthaben bei Kreditinstituten und Schecks 1465,00
  C. Rechnungsabgrenzungsposten                                   25,00
Summe Aktiva                                                    6990,00
Passiva
  A. Eigenkapital                                               2325,00
    I. Gezeichnetes Kapital                                     1000,00
    II. Jahresüberschuss                                        1325,00
  B. Rückstellungen                                              450,00
    1. Steuerrückstellungen                                      450,00
  C. Verbindlichkeiten                                          4215,00
    davon mit einer Restlaufzeit bis zu einem Jahr              1715,00
    davon mit einer Restlaufzeit von mehr als einem Jahr        2500,00
    1. Verbindlichkeiten gegenüber Kreditinstituten             3000,00
      davon mit einer Restlaufzeit bis zu einem Jahr             500,00
      davon mit einer Restlaufzeit von mehr als einem Jahr      2500,00
    2. Verbindlichkeiten aus Lieferungen und Leistungen         1200,00
      davon mit einer Restlaufzeit bis zu einem Jahr            1200,00
    3. sonstige Verbindlichkeiten                                 15,00
      davon mit einer Restlaufzeit bis zu einem Jahr              15,00
      davon im Rahmen der sozialen Sicherheit                     15,00
Summe Passiva                                                   6990,00
"""
GERMAN_SMALL = """
1. Rohergebnis                                                  3400,00
2. Personalaufwand                                             -1150,00
  a) Löhne und Gehälter                                         -900,00
  b) soziale Abgaben und Aufwendungen für Altersversorgung und für Unterstützung -250,00
    davon für Altersversorgung                                   -50,00
3. Abschreibungen                                               -100,00
  a) auf immaterielle Vermögensgegenstände des Anlagevermögens und Sachanlagen -100,00
4. sonstige betriebliche Aufwendungen                           -315,00
5. sonstige Zinsen und ähnliche Erträge                           10,00
6. Zinsen und ähnliche Aufwendungen                              -40,00
7. Steuern vom Einkommen und vom Ertrag                         -450,00
8. Ergebnis nach Steuern                                        1355,00
9. sonstige Steuern                                              -30,00
10. Jahresüberschuss                                            1325,00
"""
GERMAN_MICRO_BALANCE = """
Aktiva
  A. Anlagevermögen                                              500,00
  B. Umlaufvermögen                                             6465,00
  C. Rechnungsabgrenzungsposten                                   25,00
Summe Aktiva                                                    6990,00
Passiva
  A. Eigenkapital                                               2325,00
  B. Rückstellungen                                              450,00
  C. Verbindlichkeiten                                          4215,00
    davon mit einer Restlaufzeit bis zu einem Jahr              1715,00
    davon mit einer Restlaufzeit von mehr als einem Jahr        2500,00
Summe Passiva                                                   6990,00
"""
GERMAN_OVERDRAFT = """
Aktiva
  A. Anlagevermögen                                              400,00
    I. Sachanlagen                                               400,00
      1. technische Anlagen und Maschinen                        400,00
  B. Umlaufvermögen                                               30,00
    I. Kassenbestand, Bundesbankguthaben, Guthaben bei Kreditinstituten und Schecks 30,00
Summe Aktiva                                                     430,00
Passiva
  A. Eigenkapital                                                200,00
    I. Gezeichnetes Kapital                                      500,00
    II. Jahresfehlbetrag                                        -300,00
  B. Verbindlichkeiten                                           230,00
    davon mit einer Restlaufzeit bis zu einem Jahr               230,00
    1. Verbindlichkeiten gegenüber Kreditinstituten              230,00
      davon mit einer Restlaufzeit bis zu einem Jahr             230,00
Summe Passiva                                                    430,00
"""
GERMAN_DEFICIT = """
Aktiva
  A. Umlaufvermögen                                              300,00
    I. Kassenbestand, Bundesbankguthaben, Guthaben bei Kreditinstituten und Schecks 300,00
  B. Nicht durch Eigenkapital gedeckter Fehlbetrag              1700,00
Summe Aktiva                                                    2000,00
Passiva
  A. Eigenkapital                                                  0,00
    I. Gezeichnetes Kapital                                     1000,00
    II. Jahresfehlbetrag                                       -2700,00
    Nicht durch Eigenkapital gedeckter Fehlbetrag               1700,00
  B. Verbindlichkeiten                                          2000,00
    davon mit einer Restlaufzeit von mehr als einem Jahr        2000,00
    1. Verbindlichkeiten gegenüber Kreditinstituten             2000,00
      davon mit einer Restlaufzeit von mehr als einem Jahr      2000,00
Summe Passiva                                                   2000,00
"""
