"""Names of rows, columns and reports in the languages of the tool, by the name they have on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Label(NamedTuple):
    """One name in four languages."""

    en: str
    fi: str
    sv: str
    de: str


def _by_name(*labels: Label) -> dict[str, Label]:
    return {label.en: label for label in labels}


def _days(span: str) -> Label:
    return Label(*(f"{span} {days}" for days in ("days", "päivää", "dagar", "Tage")))


REPORTS = _by_name(
    Label("Journal", "Päiväkirja", "Dagbok", "Journal"),
    Label("General ledger", "Pääkirja", "Huvudbok", "Hauptbuch"),
    Label("VAT report", "Arvonlisäveroraportti", "Momsrapport", "Umsatzsteuerbericht"),
    Label("EU sales", "EU-myynti", "EU-försäljning", "EU-Umsätze"),
    Label("Balance sheet", "Tase", "Balansräkning", "Bilanz"),
    Label("Income statement", "Tuloslaskelma", "Resultaträkning", "Gewinn- und Verlustrechnung"),
    Label("Trial balance", "Saldoluettelo", "Saldolista", "Summen- und Saldenliste"),
    Label("Changes in equity", "Oman pääoman muutokset", "Förändringar i eget kapital", "Eigenkapitalveränderungen"),
)

AGES = {
    "customers": Label("Receivables by age", "Avoimet saamiset", "Öppna fordringar", "Offene Forderungen"),
    "suppliers": Label("Payables by age", "Avoimet velat", "Öppna skulder", "Offene Verbindlichkeiten"),
    "not_due": Label("Not due", "Erääntymättä", "Ej förfallet", "Nicht fällig"),
    "days_1_30": _days("1\N{EN DASH}30"),
    "days_31_60": _days("31\N{EN DASH}60"),
    "days_61_90": _days("61\N{EN DASH}90"),
    "days_over_90": Label("Over 90 days", "Yli 90 päivää", "Över 90 dagar", "Über 90 Tage"),
    "Id": Label("Id", "Tunniste", "Id", "Id"),
    "reminded": Label("Reminded", "Muistutettu", "Påmind", "Gemahnt"),
}

# the fixed plan of the statements (docs/interface.md 10.2)
BALANCE = _by_name(
    Label("Assets", "Vastaavaa", "Aktiva", "Aktiva"),
    Label("Fixed assets", "Pysyvät vastaavat", "Bestående aktiva", "Anlagevermögen"),
    Label("Other assets", "Muut varat", "Övriga tillgångar", "Sonstige Vermögensgegenstände"),
    Label("Trade receivables", "Myyntisaamiset", "Kundfordringar", "Forderungen aus Lieferungen und Leistungen"),
    Label("Accrued receivables", "Siirtosaamiset", "Resultatregleringar", "Abgegrenzte Forderungen"),
    Label("VAT receivables", "Arvonlisäverosaamiset", "Momsfordringar", "Vorsteuerforderungen"),
    Label("Cash and bank", "Rahat ja pankkisaamiset", "Kassa och bank", "Kasse und Bank"),
    Label("Total assets", "Vastaavaa yhteensä", "Summa aktiva", "Summe Aktiva"),
    Label("Equity and liabilities", "Vastattavaa", "Passiva", "Passiva"),
    Label("Equity", "Oma pääoma", "Eget kapital", "Eigenkapital"),
    Label(
        "Profit of previous periods",
        "Edellisten tilikausien voitto (tappio)",
        "Balanserad vinst (förlust)",
        "Ergebnis früherer Zeiträume",
    ),
    Label(
        "Profit of the period",
        "Tilikauden voitto (tappio)",
        "Räkenskapsperiodens vinst (förlust)",
        "Ergebnis des Zeitraums",
    ),
    Label("Loans", "Lainat", "Lån", "Darlehen"),
    Label("Trade payables", "Ostovelat", "Leverantörsskulder", "Verbindlichkeiten aus Lieferungen und Leistungen"),
    Label("Accrued liabilities", "Siirtovelat", "Resultatregleringar", "Abgegrenzte Verbindlichkeiten"),
    Label("VAT liability", "Arvonlisäverovelat", "Momsskulder", "Umsatzsteuerverbindlichkeiten"),
    Label("Other liabilities", "Muut velat", "Övriga skulder", "Sonstige Verbindlichkeiten"),
    Label("Liabilities", "Vieras pääoma", "Främmande kapital", "Verbindlichkeiten"),
    Label(
        "Opening balance difference",
        "Avaavan taseen erotus",
        "Differens i ingående balans",
        "Differenz der Eröffnungsbilanz",
    ),
    Label("Total equity and liabilities", "Vastattavaa yhteensä", "Summa passiva", "Summe Passiva"),
)
INCOME = _by_name(
    Label("Revenue", "Liikevaihto", "Omsättning", "Umsatzerlöse"),
    Label("Other income", "Muut tuotot", "Övriga intäkter", "Sonstige Erträge"),
    Label("Expenses", "Kulut", "Kostnader", "Aufwendungen"),
    Label("Depreciation", "Poistot", "Avskrivningar", "Abschreibungen"),
    Label("Operating result", "Liikevoitto (-tappio)", "Rörelsevinst (-förlust)", "Betriebsergebnis"),
    Label("Taxes", "Verot", "Skatter", "Steuern"),
    Label(
        "Result of the period",
        "Tilikauden voitto (tappio)",
        "Räkenskapsperiodens vinst (förlust)",
        "Ergebnis des Zeitraums",
    ),
    Label("Result", "Tulos", "Resultat", "Ergebnis"),
)
EQUITY = _by_name(
    Label("Opening", "Alussa", "Ingående", "Anfangsbestand"),
    Label("Change", "Muutos", "Förändring", "Veränderung"),
    Label("Closing", "Lopussa", "Utgående", "Endbestand"),
    Label("Total equity", "Oma pääoma yhteensä", "Summa eget kapital", "Summe Eigenkapital"),
)
VAT = {
    "domestic_sales": Label("Domestic sales", "Kotimaan myynti", "Inhemsk försäljning", "Inlandsumsätze"),
    "zero_rated_sales": Label(
        "Zero-rated sales", "Nollaverokannan myynti", "Försäljning med nollskattesats", "Umsätze zum Nullsatz"
    ),
    "eu_goods_sales": Label(
        "Goods sold to the EU", "Tavaramyynti EU-maihin", "Varuförsäljning till EU", "Warenlieferungen in die EU"
    ),
    "eu_service_sales": Label(
        "Services sold to the EU", "Palvelumyynti EU-maihin", "Tjänsteförsäljning till EU", "Leistungen in die EU"
    ),
    "non_eu_sales": Label(
        "Sales outside the EU", "Myynti EU:n ulkopuolelle", "Försäljning utanför EU", "Umsätze außerhalb der EU"
    ),
    "construction_sales": Label(
        "Construction services sold", "Rakennuspalvelujen myynti", "Sålda byggtjänster", "Erbrachte Bauleistungen"
    ),
    "eu_goods_purchases": Label(
        "Goods bought in the EU", "Tavaraostot EU-maista", "Varuinköp från EU", "Innergemeinschaftliche Erwerbe"
    ),
    "eu_service_purchases": Label(
        "Services bought in the EU", "Palveluostot EU-maista", "Tjänsteinköp från EU", "Leistungsbezug aus der EU"
    ),
    "import_goods": Label(
        "Goods imported from outside the EU",
        "Tavaroiden maahantuonti EU:n ulkopuolelta",
        "Varuimport från länder utanför EU",
        "Wareneinfuhr aus Drittländern",
    ),
    "non_eu_service_purchases": Label(
        "Services bought outside the EU",
        "Palveluostot EU:n ulkopuolelta",
        "Tjänsteinköp utanför EU",
        "Leistungsbezug aus Drittländern",
    ),
    "non_eu_service_purchases_by_rate": Label(
        "Services bought outside the EU, by rate",
        "Palveluostot EU:n ulkopuolelta verokannoittain",
        "Tjänsteinköp utanför EU enligt skattesats",
        "Leistungsbezug aus Drittländern nach Steuersatz",
    ),
    "construction_purchases": Label(
        "Construction services bought", "Rakennuspalvelujen ostot", "Köpta byggtjänster", "Bezogene Bauleistungen"
    ),
    "adjustments": Label("Adjustments", "Oikaisut", "Justeringar", "Berichtigungen"),
    "deductible_vat": Label("Deductible VAT", "Vähennettävä vero", "Avdragbar moms", "Abziehbare Vorsteuer"),
    "vat_payable": Label("VAT payable", "Maksettava vero", "Moms att betala", "Umsatzsteuerzahllast"),
    "output_vat": Label("Output VAT", "Myynnin vero", "Utgående moms", "Umsatzsteuer"),
    "input_vat": Label("Input VAT", "Ostojen vero", "Ingående moms", "Vorsteuer"),
    "import_vat": Label("Import VAT", "Maahantuonnin vero", "Importmoms", "Einfuhrumsatzsteuer"),
    "misplaced_vat": Label(
        "VAT on accounts of other codes",
        "Vero väärän verokäsittelyn tileillä",
        "Moms på fel momskod",
        "Steuer ohne passendes Steuerkennzeichen",
    ),
    "goods": Label("goods", "tavarat", "varor", "Waren"),
    "services": Label("services", "palvelut", "tjänster", "Dienstleistungen"),
}
COLUMNS = _by_name(
    Label("Number", "Numero", "Nummer", "Nummer"),
    Label("Date", "Päivä", "Datum", "Datum"),
    Label("Account", "Tili", "Konto", "Konto"),
    Label("Name", "Nimi", "Namn", "Name"),
    Label("Description", "Selite", "Beskrivning", "Beschreibung"),
    Label("Debit", "Debet", "Debet", "Soll"),
    Label("Credit", "Kredit", "Kredit", "Haben"),
    Label("Balance", "Saldo", "Saldo", "Saldo"),
    Label("Opening balance", "Alkusaldo", "Ingående saldo", "Anfangssaldo"),
    Label("Brought forward", "Siirto edelliseltä sivulta", "Transport", "Übertrag"),
    Label("Closing balance", "Loppusaldo", "Utgående saldo", "Endsaldo"),
    Label("Total", "Yhteensä", "Summa", "Summe"),
    Label("Contact", "Yhteystieto", "Kontakt", "Kontakt"),
    Label("VAT code", "ALV-koodi", "Momskod", "Steuerkennzeichen"),
    Label("Counter-account", "Vastatili", "Motkonto", "Gegenkonto"),
    Label(
        "Result carried to profit of previous periods",
        "Tulos siirretty edellisten tilikausien tulokseen",
        "Resultatet överfört till tidigare perioder",
        "Ergebnis vorgetragen",
    ),
    Label("All accounts", "Kaikki tilit", "Alla konton", "Alle Konten"),
    Label("Base", "Veron peruste", "Underlag", "Bemessungsgrundlage"),
    Label("VAT", "Vero", "Moms", "Steuer"),
    Label("Amount", "Summa", "Belopp", "Betrag"),
    Label("Field", "Kenttä", "Fält", "Kennzahl"),
    Label("Totals", "Yhteissummat", "Totalsummor", "Summen"),
    Label("Form fields", "Lomakkeen kentät", "Blankettens fält", "Kennzahlen"),
    Label("Foreign VAT", "Ulkomainen vero", "Utländsk skatt", "Ausländische Steuer"),
    Label("Country", "Maa", "Land", "Land"),
    Label("VAT ID", "ALV-tunniste", "Momsnummer", "USt-IdNr."),
    Label("Handling", "Laji", "Slag", "Art"),
    Label("Document", "Tosite", "Verifikat", "Beleg"),
    Label("Net amount", "Veroton määrä", "Nettobelopp", "Nettobetrag"),
    Label("Sales to businesses", "Myynti yrityksille", "Försäljning till företag", "Umsätze an Unternehmen"),
    Label(
        "Sales to private persons",
        "Myynti yksityishenkilöille",
        "Försäljning till privatpersoner",
        "Umsätze an Privatpersonen",
    ),
    Label("change", "muutos", "förändring", "Veränderung"),
    Label("change %", "muutos-%", "förändring %", "Veränderung %"),
)
PAGE = _by_name(
        Label("Monthly result", "Tulos kuukausittain", "Resultat per månad", "Monatsergebnis"),
        Label(
            "Cash and bank at the end of the month", "Rahat ja pankkisaamiset kuukauden lopussa",
            "Kassa och bank vid månadens slut", "Kasse und Bank am Monatsende",
        ),
        Label(
            "VAT payable by month", "Maksettava vero kuukausittain", "Moms att betala per månad",
            "Umsatzsteuerzahllast nach Monaten",
        ),
        Label("Twelve months", "Kaksitoista kuukautta", "Tolv månader", "Zwölf Monate"),
        Label("Month", "Kuukausi", "Månad", "Monat"),
        Label("Figures", "Luvut", "Siffror", "Zahlen"),
        Label("Business ID", "Y-tunnus", "FO-nummer", "Y-tunnus"),
        Label("Tax number", "Veronumero", "Skattenummer", "Steuernummer"),
        Label("Without a place", "Ilman paikkaa", "Utan plats", "Ohne Zuordnung"),
        Label("Amounts in EUR", "Määrät euroina", "Belopp i euro", "Beträge in EUR"),
        Label("Cover", "Kansi", "Omslag", "Deckblatt"),
        Label("Company", "Yritys", "Företag", "Unternehmen"),
        Label("Report", "Raportti", "Rapport", "Bericht"),
        Label("Period", "Kausi", "Period", "Zeitraum"),
        Label("Basis", "Peruste", "Grund", "Grundlage"),
        Label(
            "Invoices are in the books when they are sent", "Laskut kirjataan, kun ne lähetetään (suoriteperuste)",
            "Fakturor bokförs när de skickas (prestationsprincipen)", "Rechnungen sind gebucht, wenn sie gestellt sind",
        ),
        Label(
            "Invoices are in the books when they are paid", "Laskut kirjataan, kun ne maksetaan (maksuperuste)",
            "Fakturor bokförs när de betalas (kontantprincipen)", "Rechnungen sind gebucht, wenn sie bezahlt sind",
        ),
        Label("VAT goes by payments", "ALV maksuperusteella", "Moms enligt betalning", "Ist-Versteuerung"),
        Label("VAT goes by invoices", "ALV suoriteperusteella", "Moms enligt fakturering", "Soll-Versteuerung"),
        Label("Asked for", "Rajaus", "Urval", "Auswahl"),
        Label("everything", "kaikki", "allt", "alles"),
        Label("Made", "Laadittu", "Upprättad", "Erstellt am"),
        Label("Made with", "Ohjelma", "Program", "Programm"),
        Label("Printed", "Tulostettu", "Utskriven", "Erstellt"),
        Label("Page", "Sivu", "Sida", "Seite"),
        Label("of", "/", "/", "von"),
)  # fmt: skip

ALL: dict[str, Label] = {**REPORTS, **BALANCE, **INCOME, **EQUITY, **VAT, **AGES, **COLUMNS, **PAGE}


class Labels:
    """The names of one language; what has no name here passes through."""

    def __init__(self, language: str, accounts: Mapping[str, str] | None = None) -> None:
        self.language = language
        self._accounts = accounts or {}

    def __call__(self, name: str) -> str:
        """Return the name in this language."""
        label = ALL.get(name)
        text: str = name if label is None else getattr(label, self.language)
        return text

    def account(self, number: str, name: str) -> str:
        """Return an account's name in this language, where the chart has one, else as the report has it."""
        return self._accounts.get(number) or (name if number else self(name))
