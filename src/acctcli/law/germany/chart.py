"""The charts of accounts a German business starts with: numbers as SKR04 and SKR03 give them, wording our own.

VAT of every rate goes through one account a side, 1400 and 3800, or 1570 and 1770; payments to the tax office go to
3820 and 3830, or 1780 and 1781, which are no VAT accounts, so that they do not look like VAT of the period they are
paid in (docs/law.md 8.2).
"""

from __future__ import annotations

from acctcli.law.chart import BOUGHT, NO_VAT, Accounts
from acctcli.law.chart import ChartAccount as A
from acctcli.models.enums import AccountType as T
from acctcli.models.enums import VatRateLabel

STANDARD, REDUCED_A, ZERO = VatRateLabel.STANDARD, VatRateLabel.REDUCED_A, VatRateLabel.ZERO

# numbers of SKR04 and SKR03, type, VAT default, name in English, Finnish, Swedish and German, setting that points at it
# fmt: off
_BOTH: Accounts = (
    A("0440 0210", T.ASS_DEP, BOUGHT, "Machinery", "Koneet", "Maskiner", "Maschinen"),
    A("0650 0420", T.ASS_DEP, BOUGHT, "Office equipment", "Toimistokalusto", "Kontorsinventarier", "Büroausstattung"),
    A("1140 3980", T.ASS, NO_VAT, "Goods in stock", "Tavaravarasto", "Varulager", "Warenbestand"),
    A("1200 1400", T.ASS_DUE, NO_VAT, "Trade receivables", "Myyntisaamiset", "Kundfordringar",
      "Forderungen gegen Kunden", "account_trade_receivables"),
    A("1300 1500", T.ASS_REC, NO_VAT, "Other receivables", "Muut saamiset", "Övriga fordringar", "Übrige Forderungen"),
    A("1400 1570", T.ASS_VAT, NO_VAT, "Input VAT", "Vähennettävä arvonlisävero", "Avdragbar moms", "Vorsteuer",
      "account_vat_receivables"),
    A("1450 1549", T.ASS_REC, NO_VAT, "Income tax receivable", "Tuloverosaamiset", "Inkomstskattefordringar",
      "Forderungen aus Ertragsteuern", "account_income_tax_rec"),
    A("1600 1000", T.ASS_PAY, NO_VAT, "Cash", "Käteisvarat", "Kassa", "Kasse", "account_cash_payment"),
    A("1800 1200", T.ASS_PAY, NO_VAT, "Bank account", "Pankkitili", "Bankkonto", "Bankkonto"),
    A("1810 1210", T.ASS_PAY, NO_VAT, "Second bank account", "Toinen pankkitili", "Andra bankkonto",
      "Zweites Bankkonto"),
    A("1900 0980", T.ASS_REC, NO_VAT, "Prepaid expenses", "Siirtosaamiset", "Förutbetalda kostnader",
      "Vorausbezahlter Aufwand"),
    A("2900 0800", T.LIA_EQU, NO_VAT, "Share capital", "Osakepääoma", "Aktiekapital", "Stammkapital"),
    A("2970 0860", T.LIA_PRE, NO_VAT, "Profit of previous periods", "Edellisten tilikausien voitto",
      "Vinst från tidigare räkenskapsperioder", "Gewinne und Verluste früherer Jahre", "account_previous_profit"),
    A("3020 0955", T.LIA_ACC, NO_VAT, "Income tax liability", "Tuloverovelka", "Inkomstskatteskuld",
      "Verbindlichkeiten aus Ertragsteuern", "account_income_tax_lia"),
    A("3065 0968", T.LIA_ACC, NO_VAT, "Deferred taxes", "Laskennalliset verot", "Latenta skatter", "Latente Steuern",
      "account_tax_deferrals"),
    A("3150 0630", T.LIA_DEB, NO_VAT, "Bank loans", "Lainat rahoituslaitoksilta", "Lån från finansinstitut",
      "Bankdarlehen"),
    A("3300 1600", T.LIA_DUE, NO_VAT, "Trade payables", "Ostovelat", "Leverantörsskulder",
      "Verbindlichkeiten bei Lieferanten", "account_payables"),
    A("3510 0730", T.LIA_DEB, NO_VAT, "Owner loans", "Lainat omistajilta", "Lån från ägare", "Gesellschafterdarlehen"),
    A("3720 1740", T.LIA_ACC, NO_VAT, "Wages payable", "Palkkavelat", "Löneskulder", "Noch zu zahlende Löhne"),
    A("3730 1741", T.LIA_ACC, NO_VAT, "Payroll taxes and contributions", "Ennakonpidätykset ja sosiaaliturvamaksut",
      "Förskottsinnehållningar och socialavgifter", "Abzuführende Lohnsteuer und Sozialbeiträge"),
    A("3800 1770", T.LIA_VAT, NO_VAT, "Output VAT", "Suoritettava arvonlisävero", "Utgående moms", "Umsatzsteuer",
      "account_vat_liabilities"),
    A("3810 1760", T.LIA_ACC, NO_VAT, "VAT not yet due", "Erääntymätön arvonlisävero", "Moms som inte förfallit",
      "Noch nicht fällige Umsatzsteuer", "account_vat_accrual_adjustment"),
    A("3820 1780", T.LIA_ACC, NO_VAT, "VAT prepayments", "Arvonlisäveron ennakot", "Förskott på moms",
      "Vorauszahlungen auf Umsatzsteuer"),
    A("3830 1781", T.LIA_ACC, NO_VAT, "VAT special prepayment", "Arvonlisäveron erityisennakko",
      "Särskilt förskott på moms", "Sondervorauszahlung (ein Elftel)"),
    A("3900 0990", T.LIA_ACC, NO_VAT, "Deferred income", "Siirtovelat", "Förutbetalda intäkter",
      "Vorausbezahlter Ertrag"),
    A("4100 8100", T.REV_SAL, (4, ZERO), "Exempt sales", "Verovapaa myynti", "Skattefri försäljning",
      "Umsatzsteuerfreie Erlöse"),
    A("4120 8120", T.REV_SAL, (13, ZERO), "Goods sold outside the EU", "Tavaramyynti EU:n ulkopuolelle",
      "Varuförsäljning utanför EU", "Ausfuhren"),
    A("4125 8125", T.REV_SAL, (5, ZERO), "EU goods sales", "EU-tavaramyynti", "Varuförsäljning till EU",
      "Lieferungen in die EU"),
    A("4300 8300", T.REV_SAL, (1, REDUCED_A), "Sales, reduced rate", "Myynti, alennettu verokanta",
      "Försäljning, reducerad skattesats", "Erlöse, ermäßigter Satz"),
    A("4336 8336", T.REV_SAL, (6, ZERO), "EU service sales", "EU-palvelumyynti", "Försäljning av tjänster till EU",
      "Dienstleistungen in die EU"),
    A("4337 8337", T.REV_SAL, (10, ZERO), "Construction services sold", "Rakennuspalvelujen myynti",
      "Försäljning av byggtjänster", "Erbrachte Bauleistungen"),
    A("4338 8338", T.REV_SAL, (12, ZERO), "Services sold outside the EU", "Palvelumyynti EU:n ulkopuolelle",
      "Försäljning av tjänster utanför EU", "Dienstleistungen ins Drittland"),
    A("4400 8400", T.REV_SAL, (1, STANDARD), "Sales, standard rate", "Myynti, yleinen verokanta",
      "Försäljning, allmän skattesats", "Erlöse, allgemeiner Satz"),
    A("4830 8603", T.REV, NO_VAT, "Other income", "Liiketoiminnan muut tuotot", "Övriga rörelseintäkter",
      "Übrige betriebliche Erträge"),
    A("4980 2744", T.REV_NO, NO_VAT, "Tax-free income", "Verovapaat tuotot", "Skattefria intäkter",
      "Steuerfreie Zulagen"),
    A("5300 3300", T.EXP, (2, REDUCED_A), "Purchases, reduced rate", "Ostot, alennettu verokanta",
      "Inköp, reducerad skattesats", "Wareneinkauf, ermäßigter Satz"),
    A("5400 3400", T.EXP, BOUGHT, "Purchases, standard rate", "Ostot, yleinen verokanta", "Inköp, allmän skattesats",
      "Wareneinkauf, allgemeiner Satz"),
    A("5425 3425", T.EXP, (7, STANDARD), "EU goods purchases", "EU-tavaraostot", "Varuinköp från EU",
      "Wareneinkauf aus der EU"),
    A("5551 3551", T.EXP, (9, STANDARD), "Goods imported from outside the EU", "Tavaroiden maahantuonti",
      "Import av varor", "Einfuhren"),
    A("5900 3100", T.EXP, BOUGHT, "Services bought", "Ulkopuoliset palvelut", "Köpta tjänster", "Bezogene Leistungen"),
    A("5920 3120", T.EXP, (11, STANDARD), "Construction services bought", "Rakennuspalvelujen ostot",
      "Inköp av byggtjänster", "Bezogene Bauleistungen"),
    A("5923 3123", T.EXP, (8, STANDARD), "EU service purchases", "EU-palveluostot", "Inköp av tjänster från EU",
      "Dienstleistungen aus der EU"),
    A("5925 3125", T.EXP, (14, STANDARD), "Services from outside the EU", "Palveluostot EU:n ulkopuolelta",
      "Inköp av tjänster utanför EU", "Dienstleistungen aus dem Drittland"),
    A("6000 4100", T.EXP, NO_VAT, "Wages", "Palkat", "Löner", "Löhne und Gehälter"),
    A("6110 4130", T.EXP, NO_VAT, "Social security costs", "Henkilösivukulut", "Lönebikostnader",
      "Sozialbeiträge des Arbeitgebers"),
    A("6220 4830", T.EXP_DEP, NO_VAT, "Depreciation", "Suunnitelman mukaiset poistot", "Avskrivningar enligt plan",
      "Planmäßige Abschreibungen"),
    A("6310 4210", T.EXP, BOUGHT, "Rent", "Vuokrat", "Hyror", "Miete"),
    A("6400 4360", T.EXP, NO_VAT, "Insurance", "Vakuutukset", "Försäkringar", "Versicherungsbeiträge"),
    A("6600 4600", T.EXP, BOUGHT, "Advertising", "Mainonta", "Reklam", "Werbung"),
    A("6640 4650", T.EXP, BOUGHT, "Entertainment", "Edustuskulut", "Representationskostnader", "Bewirtung"),
    A("6645 4655", T.EXP_NO, NO_VAT, "Non-deductible expenses", "Vähennyskelvottomat kulut",
      "Icke avdragsgilla kostnader", "Nicht abziehbarer Aufwand"),
    A("6650 4660", T.EXP, BOUGHT, "Travel", "Matkakulut", "Resekostnader", "Reisekosten"),
    A("6837 4964", T.EXP, BOUGHT, "Software and IT", "Ohjelmistot ja IT-palvelut", "Programvara och IT-tjänster",
      "Software und IT-Dienste"),
    A("6855 4970", T.EXP, NO_VAT, "Bank and payment fees", "Pankki- ja maksupalvelukulut",
      "Bank- och betalningsavgifter", "Bankgebühren"),
    A("6930 2400", T.EXP, NO_VAT, "Bad debts", "Luottotappiot", "Kreditförluster", "Forderungsausfälle"),
    A("7100 2650", T.REV, NO_VAT, "Interest income", "Korkotuotot", "Ränteintäkter", "Zinserträge"),
    A("7300 2100", T.EXP, NO_VAT, "Interest expenses", "Korkokulut", "Räntekostnader", "Zinsaufwand"),
    A("7600 2200", T.EXP_TAX, NO_VAT, "Corporate income tax", "Yhteisövero", "Samfundsskatt", "Körperschaftsteuer"),
    A("7608 2208", T.EXP_TAX, NO_VAT, "Solidarity surcharge", "Solidaarisuusvero", "Solidaritetstillägg",
      "Solidaritätszuschlag"),
    A("7610 4320", T.EXP_TAX, NO_VAT, "Trade tax", "Elinkeinovero", "Näringsskatt", "Gewerbesteuer"),
)
# fmt: on


def _numbered(place: int) -> Accounts:
    """Return the accounts by their numbers in one of the two charts."""
    return tuple(sorted(one._replace(number=one.number.split()[place]) for one in _BOTH))


SKR04, SKR03 = _numbered(0), _numbered(1)
