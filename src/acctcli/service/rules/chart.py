"""The chart of accounts a new business starts with (wire facts, appendix A), in four languages."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import AccountType, VatRateLabel

T = AccountType
STANDARD, REDUCED_A, ZERO = VatRateLabel.STANDARD, VatRateLabel.REDUCED_A, VatRateLabel.ZERO


class ChartAccount(NamedTuple):
    """One account of the default chart; `field` is the business setting that points at it."""

    number: str
    type: AccountType
    vat_code: int
    rate_label: VatRateLabel
    field: str | None
    fi: str
    sv: str
    en: str
    de: str

    @property
    def names(self) -> dict[str, str]:
        """The name by language."""
        return {"fi": self.fi, "sv": self.sv, "en": self.en, "de": self.de}


def _account(
    number: str,
    type_: AccountType,
    vat: tuple[int, VatRateLabel],
    names: tuple[str, ...],
    field: str | None = None,
) -> ChartAccount:
    en, fi, sv, de = names
    return ChartAccount(number, type_, vat[0], vat[1], field, fi, sv, en, de)


NO_VAT = (3, ZERO)
BOUGHT = (2, STANDARD)

DEFAULT_CHART: tuple[ChartAccount, ...] = (
    _account(
        "1160",
        T.ASS_DEP,
        BOUGHT,
        ("Machinery and equipment", "Koneet ja kalusto", "Maskiner och inventarier", "Maschinen und Anlagen"),
    ),
    _account("1500", T.ASS, NO_VAT, ("Inventory", "Vaihto-omaisuus", "Omsättningstillgångar", "Vorräte")),
    _account(
        "1700",
        T.ASS_DUE,
        NO_VAT,
        (
            "Trade receivables",
            "Myyntisaamiset",
            "Kundfordringar",
            "Forderungen aus Lieferungen und Leistungen",
        ),
        "account_trade_receivables",
    ),
    _account(
        "1763",
        T.ASS_VAT,
        NO_VAT,
        ("VAT receivables", "Arvonlisäverosaamiset", "Momsfordringar", "Vorsteuer"),
        "account_vat_receivables",
    ),
    _account(
        "1800",
        T.ASS_REC,
        NO_VAT,
        ("Accrued income", "Siirtosaamiset", "Resultatregleringar", "Aktive Rechnungsabgrenzung"),
    ),
    _account(
        "1850",
        T.ASS_REC,
        NO_VAT,
        (
            "Income tax receivable",
            "Tuloverosaamiset",
            "Inkomstskattefordringar",
            "Ertragsteuerforderungen",
        ),
        "account_income_tax_rec",
    ),
    _account("1900", T.ASS_PAY, NO_VAT, ("Cash", "Käteisvarat", "Kassa", "Kasse"), "account_cash_payment"),
    _account("1910", T.ASS_PAY, NO_VAT, ("Bank account", "Pankkitili", "Bankkonto", "Bankkonto")),
    _account(
        "1920",
        T.ASS_PAY,
        NO_VAT,
        ("Second bank account", "Toinen pankkitili", "Andra bankkonto", "Zweites Bankkonto"),
    ),
    _account("2000", T.LIA_EQU, NO_VAT, ("Share capital", "Osakepääoma", "Aktiekapital", "Stammkapital")),
    _account(
        "2251",
        T.LIA_PRE,
        NO_VAT,
        (
            "Profit of previous periods",
            "Edellisten tilikausien voitto",
            "Vinst från tidigare räkenskapsperioder",
            "Gewinnvortrag aus Vorjahren",
        ),
        "account_previous_profit",
    ),
    _account(
        "2370",
        T.LIA_DEB,
        NO_VAT,
        ("Owner loans", "Lainat omistajilta", "Lån från ägare", "Gesellschafterdarlehen"),
    ),
    _account(
        "2620",
        T.LIA_DEB,
        NO_VAT,
        ("Bank loans", "Lainat rahoituslaitoksilta", "Lån från finansinstitut", "Bankdarlehen"),
    ),
    _account(
        "2871",
        T.LIA_DUE,
        NO_VAT,
        (
            "Trade payables",
            "Ostovelat",
            "Leverantörsskulder",
            "Verbindlichkeiten aus Lieferungen und Leistungen",
        ),
        "account_payables",
    ),
    _account(
        "2939",
        T.LIA_VAT,
        NO_VAT,
        ("VAT liability", "Arvonlisäverovelka", "Momsskuld", "Umsatzsteuer"),
        "account_vat_liabilities",
    ),
    _account(
        "2945",
        T.LIA_ACC,
        NO_VAT,
        (
            "VAT accrual adjustment",
            "Arvonlisäveron jaksotus",
            "Periodisering av moms",
            "Umsatzsteuerabgrenzung",
        ),
        "account_vat_accrual_adjustment",
    ),
    _account(
        "2950",
        T.LIA_ACC,
        NO_VAT,
        ("Tax deferrals", "Verojaksotukset", "Skatteperiodiseringar", "Steuerabgrenzung"),
        "account_tax_deferrals",
    ),
    _account(
        "2960",
        T.LIA_ACC,
        NO_VAT,
        ("Accrued expenses", "Siirtovelat", "Upplupna kostnader", "Passive Rechnungsabgrenzung"),
    ),
    _account(
        "2970",
        T.LIA_ACC,
        NO_VAT,
        ("Income tax liability", "Tuloverovelka", "Inkomstskatteskuld", "Ertragsteuerverbindlichkeiten"),
        "account_income_tax_lia",
    ),
    _account(
        "3000",
        T.REV_SAL,
        (1, STANDARD),
        (
            "Sales, standard rate",
            "Myynti, yleinen verokanta",
            "Försäljning, allmän skattesats",
            "Umsatzerlöse, Regelsteuersatz",
        ),
    ),
    _account(
        "3100",
        T.REV_SAL,
        (1, REDUCED_A),
        (
            "Sales, reduced rate",
            "Myynti, alennettu verokanta",
            "Försäljning, reducerad skattesats",
            "Umsatzerlöse, ermäßigter Steuersatz",
        ),
    ),
    _account(
        "3200",
        T.REV_SAL,
        (4, ZERO),
        (
            "Zero-rated sales",
            "Nollaverokannan myynti",
            "Försäljning, nollskattesats",
            "Umsatzerlöse zum Nullsteuersatz",
        ),
    ),
    _account(
        "3370",
        T.REV_SAL,
        (5, ZERO),
        (
            "EU goods sales",
            "EU-tavaramyynti",
            "Varuförsäljning till EU",
            "Innergemeinschaftliche Lieferungen",
        ),
    ),
    _account(
        "3380",
        T.REV_SAL,
        (6, ZERO),
        (
            "EU service sales",
            "EU-palvelumyynti",
            "Försäljning av tjänster till EU",
            "Innergemeinschaftliche sonstige Leistungen",
        ),
    ),
    _account(
        "3390",
        T.REV_SAL,
        (12, ZERO),
        (
            "Sales outside the EU",
            "Myynti EU:n ulkopuolelle",
            "Försäljning utanför EU",
            "Umsatzerlöse Drittland",
        ),
    ),
    _account(
        "3900",
        T.REV,
        NO_VAT,
        (
            "Other income",
            "Liiketoiminnan muut tuotot",
            "Övriga rörelseintäkter",
            "Sonstige betriebliche Erträge",
        ),
    ),
    _account(
        "3990",
        T.REV_NO,
        NO_VAT,
        ("Tax-free income", "Verovapaat tuotot", "Skattefria intäkter", "Steuerfreie Erträge"),
    ),
    _account("4000", T.EXP, BOUGHT, ("Purchases", "Ostot", "Inköp", "Wareneinkauf")),
    _account(
        "4380",
        T.EXP,
        (7, STANDARD),
        ("EU goods purchases", "EU-tavaraostot", "Varuinköp från EU", "Innergemeinschaftlicher Erwerb"),
    ),
    _account(
        "4450",
        T.EXP,
        (8, STANDARD),
        (
            "EU service purchases",
            "EU-palveluostot",
            "Inköp av tjänster från EU",
            "Sonstige Leistungen aus der EU",
        ),
    ),
    _account(
        "4470",
        T.EXP,
        (14, STANDARD),
        (
            "Services from outside the EU",
            "Palveluostot EU:n ulkopuolelta",
            "Inköp av tjänster utanför EU",
            "Sonstige Leistungen aus Drittländern",
        ),
    ),
    _account("5000", T.EXP, NO_VAT, ("Wages", "Palkat", "Löner", "Löhne und Gehälter")),
    _account(
        "6800",
        T.EXP_DEP,
        NO_VAT,
        ("Depreciation", "Suunnitelman mukaiset poistot", "Avskrivningar enligt plan", "Abschreibungen"),
    ),
    _account("7160", T.EXP, BOUGHT, ("Rent", "Vuokrat", "Hyror", "Miete")),
    _account(
        "7680",
        T.EXP,
        BOUGHT,
        ("Software and IT", "Ohjelmistot ja IT", "Programvara och IT", "Software und IT"),
    ),
    _account("7800", T.EXP, (2, REDUCED_A), ("Travel", "Matkakulut", "Resekostnader", "Reisekosten")),
    _account(
        "7950",
        T.EXP_50,
        NO_VAT,
        ("Entertainment", "Edustuskulut", "Representationskostnader", "Bewirtungskosten"),
    ),
    _account(
        "8500",
        T.EXP,
        NO_VAT,
        (
            "Bank and payment fees",
            "Pankki- ja maksupalvelukulut",
            "Bank- och betalningsavgifter",
            "Kosten des Geldverkehrs",
        ),
    ),
    _account("8600", T.EXP, NO_VAT, ("Bad debts", "Luottotappiot", "Kreditförluster", "Forderungsverluste")),
    _account(
        "8700",
        T.EXP_NO,
        NO_VAT,
        (
            "Non-deductible expenses",
            "Vähennyskelvottomat kulut",
            "Icke avdragsgilla kostnader",
            "Nicht abziehbare Betriebsausgaben",
        ),
    ),
    _account("9900", T.EXP_TAX, NO_VAT, ("Income taxes", "Tuloverot", "Inkomstskatter", "Ertragsteuern")),
    _account(
        "9910",
        T.EXP_TAX_PRE,
        NO_VAT,
        ("Prepaid taxes", "Ennakkoverot", "Förskottsskatter", "Steuervorauszahlungen"),
    ),
    _account(
        "9980",
        T.EXP_TAX,
        NO_VAT,
        ("Broadcasting tax", "Yleisradiovero", "Rundradioskatt", "Rundfunkabgabe"),
        "account_yle_tax",
    ),
)
