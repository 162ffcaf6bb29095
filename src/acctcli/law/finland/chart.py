"""The chart of accounts a Finnish business starts with (docs/law.md 8.1)."""

from __future__ import annotations

from acctcli.law.chart import BOUGHT, NO_VAT, Chart
from acctcli.law.chart import ChartAccount as A
from acctcli.models.enums import AccountType as T
from acctcli.models.enums import VatRateLabel

STANDARD, REDUCED_A, ZERO = VatRateLabel.STANDARD, VatRateLabel.REDUCED_A, VatRateLabel.ZERO

# number, type, VAT default, name in English, Finnish, Swedish and German, setting that points at it
# fmt: off
CHART: Chart = (
    A("1160", T.ASS_DEP, BOUGHT, "Machinery and equipment", "Koneet ja kalusto", "Maskiner och inventarier",
      "Maschinen und Anlagen"),
    A("1500", T.ASS, NO_VAT, "Inventory", "Vaihto-omaisuus", "Omsättningstillgångar", "Vorräte"),
    A("1700", T.ASS_DUE, NO_VAT, "Trade receivables", "Myyntisaamiset", "Kundfordringar",
      "Forderungen aus Lieferungen und Leistungen", "account_trade_receivables"),
    A("1763", T.ASS_VAT, NO_VAT, "VAT receivables", "Arvonlisäverosaamiset", "Momsfordringar", "Vorsteuer",
      "account_vat_receivables"),
    A("1800", T.ASS_REC, NO_VAT, "Accrued income", "Siirtosaamiset", "Resultatregleringar", "Abgegrenzte Forderungen"),
    A("1850", T.ASS_REC, NO_VAT, "Income tax receivable", "Tuloverosaamiset", "Inkomstskattefordringar",
      "Ertragsteuerforderungen", "account_income_tax_rec"),
    A("1900", T.ASS_PAY, NO_VAT, "Cash", "Käteisvarat", "Kassa", "Kasse", "account_cash_payment"),
    A("1910", T.ASS_PAY, NO_VAT, "Bank account", "Pankkitili", "Bankkonto", "Bankkonto"),
    A("1920", T.ASS_PAY, NO_VAT, "Second bank account", "Toinen pankkitili", "Andra bankkonto", "Zweites Bankkonto"),
    A("2000", T.LIA_EQU, NO_VAT, "Share capital", "Osakepääoma", "Aktiekapital", "Stammkapital"),
    A("2251", T.LIA_PRE, NO_VAT, "Profit of previous periods", "Edellisten tilikausien voitto",
      "Vinst från tidigare räkenskapsperioder", "Gewinnvortrag aus Vorjahren", "account_previous_profit"),
    A("2370", T.LIA_DEB, NO_VAT, "Owner loans", "Lainat omistajilta", "Lån från ägare", "Gesellschafterdarlehen"),
    A("2620", T.LIA_DEB, NO_VAT, "Bank loans", "Lainat rahoituslaitoksilta", "Lån från finansinstitut", "Bankdarlehen"),
    A("2871", T.LIA_DUE, NO_VAT, "Trade payables", "Ostovelat", "Leverantörsskulder",
      "Verbindlichkeiten aus Lieferungen und Leistungen", "account_payables"),
    A("2939", T.LIA_VAT, NO_VAT, "VAT liability", "Arvonlisäverovelka", "Momsskuld", "Umsatzsteuer",
      "account_vat_liabilities"),
    A("2945", T.LIA_ACC, NO_VAT, "VAT accrual adjustment", "Arvonlisäveron jaksotus", "Periodisering av moms",
      "Umsatzsteuerabgrenzung", "account_vat_accrual_adjustment"),
    A("2950", T.LIA_ACC, NO_VAT, "Tax deferrals", "Verojaksotukset", "Skatteperiodiseringar", "Steuerabgrenzung",
      "account_tax_deferrals"),
    A("2960", T.LIA_ACC, NO_VAT, "Accrued expenses", "Siirtovelat", "Upplupna kostnader",
      "Abgegrenzte Verbindlichkeiten"),
    A("2970", T.LIA_ACC, NO_VAT, "Income tax liability", "Tuloverovelka", "Inkomstskatteskuld",
      "Ertragsteuerverbindlichkeiten", "account_income_tax_lia"),
    A("3000", T.REV_SAL, (1, STANDARD), "Sales, standard rate", "Myynti, yleinen verokanta",
      "Försäljning, allmän skattesats", "Umsatzerlöse, Regelsteuersatz"),
    A("3100", T.REV_SAL, (1, REDUCED_A), "Sales, reduced rate", "Myynti, alennettu verokanta",
      "Försäljning, reducerad skattesats", "Umsatzerlöse, ermäßigter Steuersatz"),
    A("3200", T.REV_SAL, (4, ZERO), "Zero-rated sales", "Nollaverokannan myynti", "Försäljning, nollskattesats",
      "Umsatzerlöse zum Nullsteuersatz"),
    A("3370", T.REV_SAL, (5, ZERO), "EU goods sales", "EU-tavaramyynti", "Varuförsäljning till EU",
      "Innergemeinschaftliche Lieferungen"),
    A("3380", T.REV_SAL, (6, ZERO), "EU service sales", "EU-palvelumyynti", "Försäljning av tjänster till EU",
      "Innergemeinschaftliche sonstige Leistungen"),
    A("3390", T.REV_SAL, (12, ZERO), "Sales outside the EU", "Myynti EU:n ulkopuolelle", "Försäljning utanför EU",
      "Umsatzerlöse Drittland"),
    A("3900", T.REV, NO_VAT, "Other income", "Liiketoiminnan muut tuotot", "Övriga rörelseintäkter",
      "Sonstige betriebliche Erträge"),
    A("3990", T.REV_NO, NO_VAT, "Tax-free income", "Verovapaat tuotot", "Skattefria intäkter", "Steuerfreie Erträge"),
    A("4000", T.EXP, BOUGHT, "Purchases", "Ostot", "Inköp", "Wareneinkauf"),
    A("4380", T.EXP, (7, STANDARD), "EU goods purchases", "EU-tavaraostot", "Varuinköp från EU",
      "Innergemeinschaftlicher Erwerb"),
    A("4450", T.EXP, (8, STANDARD), "EU service purchases", "EU-palveluostot", "Inköp av tjänster från EU",
      "Sonstige Leistungen aus der EU"),
    A("4470", T.EXP, (14, STANDARD), "Services from outside the EU", "Palveluostot EU:n ulkopuolelta",
      "Inköp av tjänster utanför EU", "Sonstige Leistungen aus Drittländern"),
    A("5000", T.EXP, NO_VAT, "Wages", "Palkat", "Löner", "Löhne und Gehälter"),
    A("6800", T.EXP_DEP, NO_VAT, "Depreciation", "Suunnitelman mukaiset poistot", "Avskrivningar enligt plan",
      "Abschreibungen"),
    A("7160", T.EXP, BOUGHT, "Rent", "Vuokrat", "Hyror", "Miete"),
    A("7680", T.EXP, BOUGHT, "Software and IT", "Ohjelmistot ja IT", "Programvara och IT", "Software und IT"),
    A("7800", T.EXP, (2, REDUCED_A), "Travel", "Matkakulut", "Resekostnader", "Reisekosten"),
    A("7950", T.EXP_50, NO_VAT, "Entertainment", "Edustuskulut", "Representationskostnader", "Bewirtungskosten"),
    A("8500", T.EXP, NO_VAT, "Bank and payment fees", "Pankki- ja maksupalvelukulut", "Bank- och betalningsavgifter",
      "Kosten des Geldverkehrs"),
    A("8600", T.EXP, NO_VAT, "Bad debts", "Luottotappiot", "Kreditförluster", "Forderungsverluste"),
    A("8700", T.EXP_NO, NO_VAT, "Non-deductible expenses", "Vähennyskelvottomat kulut", "Icke avdragsgilla kostnader",
      "Nicht abziehbare Betriebsausgaben"),
    A("9900", T.EXP_TAX, NO_VAT, "Income taxes", "Tuloverot", "Inkomstskatter", "Ertragsteuern"),
    A("9910", T.EXP_TAX_PRE, NO_VAT, "Prepaid taxes", "Ennakkoverot", "Förskottsskatter", "Steuervorauszahlungen"),
    A("9980", T.EXP_TAX, NO_VAT, "Broadcasting tax", "Yleisradiovero", "Rundradioskatt", "Rundfunkabgabe",
      "account_yle_tax"),
)
# fmt: on
