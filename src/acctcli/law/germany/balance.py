"""The balance sheet of Germany: § 266 (2) and (3) HGB (docs/law.md 9.2).

Each line has the ranges of SKR04 and, behind the bar, those of SKR03; what is no range is of both.
"""

from __future__ import annotations

from collections.abc import Iterable

from acctcli.law.statements import Line, Term

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
RESULT = _T("Tilikauden voitto/tappio", "Årets vinst/förlust", "Net profit/loss for the year",
            "Jahresüberschuss/Jahresfehlbetrag")  # fmt: skip
BY_RESULT = (
    _T("Tilikauden voitto", "Årets vinst", "Net profit for the year", "Jahresüberschuss"),
    _T("Tilikauden tappio", "Årets förlust", "Net loss for the year", "Jahresfehlbetrag"),
)
_DEFICIT = _T("Omalla pääomalla kattamaton alijäämä", "Underskott som inte täcks av eget kapital",
              "Deficit not covered by equity", "Nicht durch Eigenkapital gedeckter Fehlbetrag")  # fmt: skip
_TAXES = (
    "LIA:3700-3719,3726,3730-3739,3760-3769,3798-3899 | "
    "LIA:1725-1729,1736-1739,1741,1746-1747,1749,1754,1760-1791,1794,1797"
)


def union(takes: Iterable[str]) -> str:
    """Return the ranges of several lines as those of one."""
    return " | ".join(" ".join(halves) for halves in zip(*(one.split(" | ") for one in takes), strict=True))


def _receivable(numbers: str, later: str, term: Term) -> tuple[Line, Line]:
    return Line(3, numbers, term), Line(4, later, _AFTER_A_YEAR, is_memo=True)


def _liability(numbers: str, soon: str, later: str, term: Term) -> tuple[Line, Line, Line]:
    return (
        Line(3, numbers, term),
        Line(4, soon, _WITHIN_A_YEAR, is_memo=True),
        Line(4, later, _AFTER_A_YEAR, is_memo=True),
    )


def _all_told(term: Term, lines: Iterable[Line], level: int) -> Line:
    """Return the memo that tells once what memos of a term tell of each line."""
    return Line(level, union(one.takes for one in lines if one.term is term), term, is_memo=True, is_kept=True)


# fmt: off
_RECEIVABLES = (
    # accounts of single customers begin with 10000 in both charts, those of suppliers with 70000
    *_receivable("ASS:1200-1259 ASS_DUE:10000-69999 | ASS:0996-0999,1300-1309,1400-1469,1490-1499 ASS_DUE:10000-69999",
                 "ASS:1225-1229,1232,1245,1247,1249,1255-1257 | ASS:0997,0999,1302,1455-1459,1465-1469,1495-1497",
                 _T("Myyntisaamiset", "Kundfordringar", "Trade receivables",
                    "Forderungen aus Lieferungen und Leistungen")),
    *_receivable("ASS:1260-1279 | ASS:1310-1319,1470-1479,1594-1596",
                 "ASS:1265,1268,1275,1277 | ASS:1312,1475-1477,1479,1596",
                 _T("Saamiset konserniyrityksiltä", "Fordringar på koncernföretag",
                    "Receivables from affiliated companies", "Forderungen gegen verbundene Unternehmen")),
    *_receivable("ASS:1280-1297 | ASS:1320-1326,1480-1489,1597-1599",
                 "ASS:1285,1288,1295,1297 | ASS:1322,1485-1487,1489,1599",
                 _T("Saamiset omistusyhteysyrityksiltä", "Fordringar på ägarintresseföretag",
                    "Receivables from companies in which participations are held",
                    "Forderungen gegen Unternehmen, mit denen ein Beteiligungsverhältnis besteht")),
    *_receivable("ASS:1298-1499 | ASS:0830-0839,1350-1399,1500-1509,1519-1593",
                 "ASS:1305-1306,1309,1315-1316,1319,1325-1326,1329,1335-1336,1339,1345-1349,1355-1359,1365-1368 | "
                 "ASS:1375,1378,1383,1387,1502,1504,1506,1508,1527,1537,1555",
                 _T("Muut varat", "Övriga tillgångar", "Other assets", "sonstige Vermögensgegenstände")),
)
_LIABILITIES = (
    *_liability("LIA:3100-3149 | LIA:0600-0629", "LIA:3101-3104,3121-3124 | LIA:0601-0604,0616-0619",
                "LIA:3105-3119,3125-3149 | LIA:0605-0614,0620-0629",
                _T("Joukkovelkakirjalainat", "Obligationslån", "Bonds", "Anleihen")),
    Line(4, "LIA:3120-3149 | LIA:0615-0629",
         _T("josta vaihdettavat", "varav konvertibla", "of which convertible", "davon konvertibel"), is_memo=True),
    # an overdraft is due at once
    *_liability("LIA:3150-3249 ASS_PAY:1700-1899 | LIA:0630-0699 ASS_PAY:1100-1299",
                "LIA:3151-3159,3181-3189 ASS_PAY:1700-1899 | LIA:0631-0639,0661-0669 ASS_PAY:1100-1299",
                "LIA:3160-3179,3190-3209 | LIA:0640-0659,0670-0689",
                _T("Velat luottolaitoksille", "Skulder till kreditinstitut", "Liabilities to banks",
                   "Verbindlichkeiten gegenüber Kreditinstituten")),
    *_liability("LIA:3250-3299 | LIA:1710-1724", "LIA:3280-3283 | LIA:1719", "LIA:3284-3289 | LIA:1720-1721",
                _T("Saadut ennakot tilauksista", "Erhållna förskott på beställningar",
                   "Advance payments received on orders", "erhaltene Anzahlungen auf Bestellungen")),
    *_liability("LIA:3300-3349 LIA_DUE:70000-99999 | LIA:1600-1629,1650-1659 LIA_DUE:70000-99999",
                "LIA:3300-3336,3340-3344 LIA_DUE:70000-99999 | LIA:1600-1625,1650-1654 LIA_DUE:70000-99999",
                "LIA:3337-3339,3345-3348 | LIA:1626-1629,1655-1658",
                _T("Ostovelat", "Leverantörsskulder", "Trade payables",
                   "Verbindlichkeiten aus Lieferungen und Leistungen")),
    *_liability("LIA:3350-3399 | LIA:1660-1664,1680-1690", "LIA:3351-3379 | LIA:1661",
                "LIA:3380-3399 | LIA:1662-1663,1680-1690",
                _T("Vekselivelat", "Växelskulder", "Liabilities from bills of exchange",
                   "Verbindlichkeiten aus der Annahme gezogener Wechsel und der Ausstellung eigener Wechsel")),
    *_liability("LIA:3400-3449 | LIA:0700-0714,1630-1639", "LIA:3401-3404,3421-3424 | LIA:0701-0704,1631-1634",
                "LIA:3405-3419,3425-3449 | LIA:0705-0714,1635-1639",
                _T("Velat konserniyrityksille", "Skulder till koncernföretag", "Liabilities to affiliated companies",
                   "Verbindlichkeiten gegenüber verbundenen Unternehmen")),
    *_liability("LIA:3450-3499 | LIA:0715-0729,1640-1649", "LIA:3451-3454,3471-3474 | LIA:0716-0719,1641-1644",
                "LIA:3455-3469,3475-3499 | LIA:0720-0729,1645-1649",
                _T("Velat omistusyhteysyrityksille", "Skulder till ägarintresseföretag",
                   "Liabilities to companies in which participations are held",
                   "Verbindlichkeiten gegenüber Unternehmen, mit denen ein Beteiligungsverhältnis besteht")),
    *_liability("LIA:3500-3899 | LIA:0730-0799,1665-1679,1691-1709,1725-1799",
                "LIA:3501-3503,3511-3513,3521-3523,3531-3533,3541-3543,3551-3553,3561-3563,3641,3646,3651,3656,"
                "3700-3709,3716-3749,3756-3779,3786-3899 | "
                "LIA:0731-0739,0761-0763,0771-0773,0781-0783,1666,1671,1676,1696,1701,1706,1725-1729,1733,"
                "1736-1737,1740-1743,1746-1751,1754-1757,1759-1791,1794-1797",
                "LIA:3504-3508,3514-3518,3524-3529,3534-3539,3544-3549,3554-3559,3564-3569,3642-3643,3647-3648,"
                "3652-3653,3657-3658,3710-3715,3750-3755,3780-3785 | "
                "LIA:0740-0754,0764-0769,0774-0779,0784-0789,1667-1668,1672-1673,1677-1678,1697-1698,1702-1703,"
                "1707-1708,1734-1735,1738-1739,1744-1745,1752-1753",
                _T("Muut velat", "Övriga skulder", "Other liabilities", "sonstige Verbindlichkeiten")),
    Line(4, _TAXES, _T("josta verot", "varav skatter", "of which taxes", "davon aus Steuern"), is_memo=True),
    Line(4, "LIA:3740-3759,3796 | LIA:1742-1745,1759,1795",
         _T("josta sosiaaliturva", "varav social trygghet", "of which social security",
            "davon im Rahmen der sozialen Sicherheit"), is_memo=True),
)
BALANCE = (
    Line(0, "", _T("Vastaavaa", "Aktiva", "Assets", "Aktiva")),
    Line(1, "", _T("Pysyvät vastaavat", "Anläggningstillgångar", "Fixed assets", "Anlagevermögen")),
    Line(2, "",
         _T("Aineettomat hyödykkeet", "Immateriella tillgångar", "Intangible assets",
            "Immaterielle Vermögensgegenstände")),
    Line(3, "ASS:0143-0148 | ASS:0043-0048",
         _T("Itse luodut oikeudet ja arvot", "Egenupparbetade rättigheter och värden",
            "Internally generated industrial and similar rights and assets",
            "Selbst geschaffene gewerbliche Schutzrechte und ähnliche Rechte und Werte")),
    Line(3, "ASS:0100-0142,0149 | ASS:0010-0034",
         _T("Hankitut toimiluvat, oikeudet ja lisenssit",
            "Förvärvade koncessioner, rättigheter och licenser",
            "Purchased concessions, industrial and similar rights and assets, licences",
            "entgeltlich erworbene Konzessionen, gewerbliche Schutzrechte und ähnliche Rechte und Werte sowie "
            "Lizenzen an solchen Rechten und Werten")),
    Line(3, "ASS:0150-0169 | ASS:0035-0037,0040-0042",
         _T("Liikearvo", "Goodwill", "Goodwill", "Geschäfts- oder Firmenwert")),
    Line(3, "ASS:0170-0199 | ASS:0038-0039", _PREPAID),
    Line(2, "", _T("Aineelliset hyödykkeet", "Materiella anläggningstillgångar", "Tangible assets", "Sachanlagen")),
    Line(3, "ASS:0200-0399 | ASS:0050-0078,0080-0119,0130-0149,0160-0179,0190-0194",
         _T("Maa-alueet ja rakennukset", "Mark och byggnader",
            "Land, land rights and buildings, including buildings on third-party land",
            "Grundstücke, grundstücksgleiche Rechte und Bauten einschließlich der Bauten auf fremden Grundstücken")),
    Line(3, "ASS:0400-0499 | ASS:0200-0289",
         _T("Tekniset laitteet ja koneet", "Tekniska anläggningar och maskiner",
            "Technical equipment and machinery", "technische Anlagen und Maschinen")),
    Line(3, "ASS:0500-0699 | ASS:0300-0497",
         _T("Muut laitteet, toimitilojen kalusto", "Övriga anläggningar, drifts- och kontorsinventarier",
            "Other equipment, operating and office equipment",
            "andere Anlagen, Betriebs- und Geschäftsausstattung")),
    Line(3, "ASS:0700-0799 | ASS:0079,0120-0129,0150-0159,0180-0189,0195-0199,0290-0299,0498-0499",
         _T("Ennakkomaksut ja keskeneräiset hankinnat", "Förskottsbetalningar och pågående anläggningar",
            "Advance payments and assets under construction", "geleistete Anzahlungen und Anlagen im Bau")),
    Line(2, "", _T("Sijoitukset", "Finansiella anläggningstillgångar", "Financial assets", "Finanzanlagen")),
    Line(3, "ASS:0800-0809 | ASS:0500-0504,0509", _GROUP),
    Line(3, "ASS:0810-0819 | ASS:0505-0508",
         _T("Lainat konserniyrityksille", "Utlåning till koncernföretag", "Loans to affiliated companies",
            "Ausleihungen an verbundene Unternehmen")),
    Line(3, "ASS:0820-0879 | ASS:0510-0519", _T("Omistusosuudet", "Ägarintressen", "Participations", "Beteiligungen")),
    Line(3, "ASS:0880-0899 | ASS:0520-0524",
         _T("Lainat omistusyhteysyrityksille", "Utlåning till ägarintresseföretag",
            "Loans to companies in which participations are held",
            "Ausleihungen an Unternehmen, mit denen ein Beteiligungsverhältnis besteht")),
    Line(3, "ASS:0900-0929 | ASS:0525-0539",
         _T("Pitkäaikaiset arvopaperit", "Långfristiga värdepapper", "Long-term securities",
            "Wertpapiere des Anlagevermögens")),
    Line(3, "ASS:0930-0999 | ASS:0540-0599",
         _T("Muut lainasaamiset", "Övrig utlåning", "Other loans", "sonstige Ausleihungen")),
    Line(1, "", _T("Vaihtuvat vastaavat", "Omsättningstillgångar", "Current assets", "Umlaufvermögen")),
    Line(2, "", _T("Vaihto-omaisuus", "Varulager", "Inventories", "Vorräte")),
    Line(3, "ASS:1000-1039 | ASS:3970-3979",
         _T("Aineet ja tarvikkeet", "Råvaror och förnödenheter", "Raw materials and consumables",
            "Roh-, Hilfs- und Betriebsstoffe")),
    Line(3, "ASS:1040-1099 | ASS:7000-7099",
         _T("Keskeneräiset tuotteet ja palvelut", "Varor och tjänster under tillverkning",
            "Work in progress", "unfertige Erzeugnisse, unfertige Leistungen")),
    Line(3, "ASS:1100-1179 | ASS:3980-3989,7100-7999",
         _T("Valmiit tuotteet ja tavarat", "Färdiga produkter och varor", "Finished goods and merchandise",
            "fertige Erzeugnisse und Waren")),
    Line(3, "ASS:1180-1199 | ASS:1510-1518,1722", _PREPAID),
    Line(2, "",
         _T("Saamiset ja muut varat", "Fordringar och övriga tillgångar", "Receivables and other assets",
            "Forderungen und sonstige Vermögensgegenstände")),
    _all_told(_AFTER_A_YEAR, _RECEIVABLES, 3),
    *_RECEIVABLES,
    Line(2, "", _T("Arvopaperit", "Värdepapper", "Securities", "Wertpapiere")),
    Line(3, "ASS:1500-1504 | ASS:1340-1344", _GROUP),
    Line(3, "ASS:1505-1549 | ASS:1327-1329,1345-1349",
         _T("Muut arvopaperit", "Övriga värdepapper", "Other securities", "sonstige Wertpapiere")),
    Line(2, "ASS:1550-1899 | ASS:1000-1299,1330-1339",
         _T("Käteisvarat ja pankkisaamiset", "Kassa och bank", "Cash, bank balances and cheques",
            "Kassenbestand, Bundesbankguthaben, Guthaben bei Kreditinstituten und Schecks")),
    Line(1, "ASS:1900-1949 | ASS:0980-0982,0984-0986", _DEFERRALS),
    Line(1, "ASS:1950-1959 | ASS:0983",
         _T("Laskennalliset verosaamiset", "Uppskjutna skattefordringar", "Deferred tax assets",
            "Aktive latente Steuern")),
    Line(1, "",
         _T("Varojen ja velkojen kuittauksesta syntynyt erotus",
            "Aktiv skillnad av kvittning av tillgångar", "Excess of plan assets over pension liabilities",
            "Aktiver Unterschiedsbetrag aus der Vermögensverrechnung")),
    Line(1, "[deficit]", _DEFICIT),
    Line(0, "", _T("Vastattavaa", "Passiva", "Equity and liabilities", "Passiva")),
    Line(1, "", _T("Oma pääoma", "Eget kapital", "Equity", "Eigenkapital")),
    Line(2, "LIA_EQU:2900-2919 | LIA_EQU:0800-0829",
         _T("Osakepääoma", "Tecknat kapital", "Subscribed capital", "Gezeichnetes Kapital")),
    Line(2, "LIA_EQU:2000-2899 | LIA_EQU:0870-0929,1800-1999",
         _T("Pääomaosuudet", "Kapitalandelar", "Capital shares", "Kapitalanteile")),
    Line(2, "LIA_EQU:2920-2929 | LIA_EQU:0840-0845",
         _T("Pääomarahasto", "Kapitalreserv", "Capital reserve", "Kapitalrücklage")),
    Line(2, "", _T("Voittorahastot", "Vinstreserver", "Revenue reserves", "Gewinnrücklagen")),
    Line(3, "LIA_EQU:2930-2934 | LIA_EQU:0846-0847",
         _T("Lakisääteinen rahasto", "Lagstadgad reserv", "Legal reserve", "gesetzliche Rücklage")),
    Line(3, "LIA_EQU:2935-2936,2938-2949 | LIA_EQU:0849-0850",
         _T("Rahasto emoyrityksen osuuksille", "Reserv för andelar i moderföretag",
            "Reserve for shares in a controlling company",
            "Rücklage für Anteile an einem herrschenden oder mehrheitlich beteiligten Unternehmen")),
    Line(3, "LIA_EQU:2950-2959 | LIA_EQU:0851,0989",
         _T("Sääntömääräiset rahastot", "Stadgeenliga reserver", "Reserves under the articles",
            "satzungsmäßige Rücklagen")),
    Line(3, "LIA_EQU:2937,2960-2969 | LIA_EQU:0848,0852-0859,0987-0988",
         _T("Muut voittorahastot", "Övriga vinstreserver", "Other revenue reserves",
            "andere Gewinnrücklagen")),
    Line(2, "[carried] LIA_PRE LIA_EQU:2970-2979 | [carried] LIA_PRE LIA_EQU:0860-0869",
         _T("Edellisten tilikausien voitto/tappio", "Balanserad vinst/förlust",
            "Retained profits/accumulated losses brought forward", "Gewinnvortrag/Verlustvortrag"),
         by_sign=(_T("Edellisten tilikausien voitto", "Balanserad vinst",
                     "Retained profits brought forward", "Gewinnvortrag"),
                  _T("Edellisten tilikausien tappio", "Balanserad förlust",
                     "Accumulated losses brought forward", "Verlustvortrag"))),
    Line(2, "[profit]", RESULT, by_sign=BY_RESULT),
    Line(2, "[deficit]", _DEFICIT, is_bare=True),
    Line(1, "", _T("Varaukset", "Avsättningar", "Provisions", "Rückstellungen")),
    Line(3, "LIA:3000-3019 | LIA:0950-0954",
         _T("Eläkevaraukset", "Avsättningar för pensioner",
            "Provisions for pensions and similar obligations",
            "Rückstellungen für Pensionen und ähnliche Verpflichtungen")),
    Line(3, "LIA:3020-3059 | LIA:0955-0960,0962-0963",
         _T("Verovaraukset", "Avsättningar för skatter", "Provisions for taxes", "Steuerrückstellungen")),
    Line(3, "LIA:3070-3099 | LIA:0961,0964-0967,0970-0979",
         _T("Muut varaukset", "Övriga avsättningar", "Other provisions", "sonstige Rückstellungen")),
    Line(1, "", _T("Velat", "Skulder", "Liabilities", "Verbindlichkeiten")),
    _all_told(_WITHIN_A_YEAR, _LIABILITIES, 2),
    _all_told(_AFTER_A_YEAR, _LIABILITIES, 2),
    *_LIABILITIES,
    Line(1, "LIA:3900-3949 | LIA:0990-0991", _DEFERRALS),
    Line(1, "LIA:3060-3069 | LIA:0968-0969",
         _T("Laskennalliset verovelat", "Uppskjutna skatteskulder", "Deferred tax liabilities",
            "Passive latente Steuern")),
)
# fmt: on
