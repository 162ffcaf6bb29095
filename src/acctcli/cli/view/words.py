"""The words of the pages in the languages of the tool, besides those of reports."""

from __future__ import annotations

from acctcli.cli.report.labels import Label, Labels

_LABELS = (
    Label("Overview", "Yleiskuva", "Översikt", "Übersicht"),
    Label("Accounts", "Tilit", "Konton", "Konten"),
    Label("Pages", "Sivut", "Sidor", "Seiten"),
    Label("Skip to content", "Siirry sisältöön", "Hoppa till innehållet", "Zum Inhalt"),
    Label("This cannot be shown", "Tätä ei voi näyttää", "Detta kan inte visas", "Das kann nicht angezeigt werden"),
    Label("From", "Alkaen", "Från", "Von"),
    Label("To", "Asti", "Till", "Bis"),
    Label("Show", "Näytä", "Visa", "Anzeigen"),
    Label("Earlier page", "Edellinen sivu", "Föregående sida", "Vorige Seite"),
    Label("Next page", "Seuraava sivu", "Nästa sida", "Nächste Seite"),
    Label("Sign out", "Kirjaudu ulos", "Logga ut", "Abmelden"),
    Label("Other books", "Muut kirjanpidot", "Andra bokföringar", "Andere Bücher"),
    Label("Paging", "Sivutus", "Bläddring", "Blättern"),
    # the first page
    Label("Receivables", "Saatavat", "Fordringar", "Forderungen"),
    Label("Payables", "Velat", "Skulder", "Verbindlichkeiten"),
    Label("at the end of", "päivän lopussa", "vid slutet av", "am Ende des"),
    Label("Look for faults and gaps", "Etsi virheitä ja puutteita", "Sök fel och luckor", "Fehler und Lücken suchen"),
    Label("Nothing is open.", "Mitään ei ole avoinna.", "Inget är öppet.", "Nichts ist offen."),
    Label("No VAT period has begun.", "Yksikään verokausi ei ole alkanut.", "Ingen momsperiod har börjat.",
          "Kein Voranmeldungszeitraum hat begonnen."),
    Label("VAT periods", "Verokaudet", "Momsperioder", "Voranmeldungszeiträume"),
    Label("VAT period", "Verokausi", "Momsperiod", "Voranmeldungszeitraum"),
    Label("Due", "Eräpäivä", "Förfallodag", "Fällig"),
    Label("Status", "Tila", "Status", "Status"),
    Label("To be paid", "Maksettava", "Att betala", "Zu zahlen"),
    Label("open", "kesken", "pågår", "läuft noch"),
    Label("due", "ilmoitettava", "ska deklareras", "abzugeben"),
    Label("overdue", "myöhässä", "försenad", "überfällig"),
    Label("done", "ilmoitettu", "deklarerad", "abgegeben"),
    Label("passed", "ohi", "förbi", "vorbei"),
    # what `check` finds
    Label("Faults and gaps", "Virheet ja puutteet", "Fel och luckor", "Fehler und Lücken"),
    Label("No figure differs.", "Mikään luku ei poikkea.", "Inget belopp avviker.", "Keine Zahl weicht ab."),
    Label("Figures differ: they cannot be relied on.", "Lukuja poikkeaa: niihin ei voi luottaa.",
          "Belopp avviker: de är inte att lita på.", "Zahlen weichen ab: auf sie ist kein Verlass."),
    Label("Findings", "Havainnot", "Iakttagelser", "Befunde"),
    Label("Not looked at", "Tarkastamatta", "Inte granskat", "Nicht geprüft"),
    Label("Part", "Osa", "Del", "Teil"),
    Label("Record", "Tietue", "Post", "Datensatz"),
    Label("Problem", "Ongelma", "Problem", "Problem"),
    Label("Remedy", "Korjaus", "Åtgärd", "Abhilfe"),
    # journal, accounts and documents
    Label("Documents", "Tositteet", "Verifikat", "Belege"),
    Label("Text", "Teksti", "Text", "Text"),
    Label("Tag", "Tunniste", "Etikett", "Etikett"),
    Label("Tags", "Tunnisteet", "Etiketter", "Etiketten"),
    Label("Posted", "Kirjatut", "Bokförda", "Gebuchte"),
    Label("Drafts", "Luonnokset", "Utkast", "Entwürfe"),
    Label("All", "Kaikki", "Alla", "Alle"),
    Label("Draft", "Luonnos", "Utkast", "Entwurf"),
    Label("draft", "luonnos", "utkast", "Entwurf"),
    Label("locked", "lukittu", "låst", "gesperrt"),
    Label("flagged", "merkitty", "flaggat", "markiert"),
    Label("receipt", "kuitti", "kvitto", "Quittung"),
    Label("Receipts", "Kuitit", "Kvitton", "Quittungen"),
    Label("Balances are debit minus credit.", "Saldot ovat debet miinus kredit.", "Saldona är debet minus kredit.",
          "Salden sind Soll minus Haben."),
    Label("Kind", "Laji", "Slag", "Art"),
    Label("normal", "tavallinen", "vanlig", "gewöhnlich"),
    Label("vat", "arvonlisävero", "moms", "Umsatzsteuer"),
    Label("depreciation", "poisto", "avskrivning", "Abschreibung"),
    Label("broadcasting-tax", "yleisradiovero", "rundradioskatt", "Rundfunksteuer"),
    Label("income-tax", "tulovero", "inkomstskatt", "Ertragsteuer"),
    Label("Entries", "Viennit", "Konteringar", "Buchungen"),
    Label("Nothing is posted.", "Mitään ei ole kirjattu.", "Inget är bokfört.", "Nichts ist gebucht."),
    Label("Related documents", "Liittyvät tositteet", "Hörande verifikat", "Zugehörige Belege"),
    Label("History", "Historia", "Historik", "Verlauf"),
    Label("Changes", "Muutokset", "Ändringar", "Änderungen"),
    Label("Moment (UTC)", "Hetki (UTC)", "Tidpunkt (UTC)", "Zeitpunkt (UTC)"),
    Label("Who", "Kuka", "Vem", "Wer"),
    Label("What", "Mitä", "Vad", "Was"),
    Label("Only administrators see it.", "Vain pääkäyttäjät näkevät sen.", "Endast administratörer ser den.",
          "Nur Administratoren sehen ihn."),
    # reports
    Label("Compare with", "Vertaa", "Jämför med", "Vergleichen mit"),
    Label("nothing", "ei mihinkään", "inget", "nichts"),
    Label("the year before", "edelliseen vuoteen", "året före", "dem Vorjahr"),
    Label("the period before", "edelliseen kauteen", "perioden före", "dem Zeitraum davor"),
    Label("Entries by VAT code", "Viennit ALV-koodeittain", "Konteringar per momskod",
          "Buchungen nach Steuerkennzeichen"),
    # invoices, and searches
    Label("Invoices", "Laskut", "Fakturor", "Rechnungen"),
    Label("Invoice", "Lasku", "Faktura", "Rechnung"),
    Label("Rows", "Rivit", "Rader", "Positionen"),
    Label("Open", "Avoinna", "Öppet", "Offen"),
    Label("Paper", "Paperi", "Papper", "Papier"),
    Label("Reference", "Viitenumero", "Referensnummer", "Verwendungszweck"),
    Label("Paid on", "Maksettu", "Betald", "Bezahlt am"),
    Label("Sent (UTC)", "Lähetetty (UTC)", "Skickad (UTC)", "Gesendet (UTC)"),
    Label("Credits", "Hyvittää laskun", "Krediterar", "Gutschrift zu"),
    Label("Credit notes", "Hyvityslaskut", "Kreditfakturor", "Gutschriften"),
    Label("In the books", "Kirjanpidossa", "I bokföringen", "In den Büchern"),
    Label("Count", "Määrä", "Antal", "Menge"),
    Label("Price", "Hinta", "Pris", "Preis"),
    Label("Prices are without VAT, amounts with it.", "Hinnat ovat ilman arvonlisäveroa, määrät sen kanssa.",
          "Priserna är utan moms, beloppen med moms.", "Preise sind ohne Umsatzsteuer, Beträge mit ihr."),
    Label("Nothing is owed of a draft.", "Luonnoksesta ei olla velkaa.", "Av ett utkast är inget att betala.",
          "Von einem Entwurf ist nichts zu zahlen."),
    Label("Search", "Haku", "Sök", "Suche"),
    Label("Write above what to look for.", "Kirjoita ylös, mitä haetaan.", "Skriv ovan vad som söks.",
          "Oben steht, wonach gesucht wird."),
    Label("Nothing is found.", "Mitään ei löydy.", "Inget hittas.", "Nichts gefunden."),
    Label("Purchase invoices", "Ostolaskut", "Inköpsfakturor", "Eingangsrechnungen"),
    Label("Contacts", "Yhteystiedot", "Kontakter", "Kontakte"),
    Label("Customer id", "Asiakasnumero", "Kundnummer", "Kundennummer"),
    Label("All in the journal", "Kaikki päiväkirjassa", "Alla i dagboken", "Alle im Journal"),
    Label("All invoices", "Kaikki laskut", "Alla fakturor", "Alle Rechnungen"),
)  # fmt: skip
# by the words of the wire
_WIRE = {
    "ACCRUAL": Label("this one is the open item", "tämä on avoin erä", "detta är den öppna posten",
                     "dies ist der offene Posten"),
    "SETTLEMENT": Label("this one is the payment", "tämä on suoritus", "detta är betalningen", "dies ist die Zahlung"),
    "DRAFT": Label("draft", "luonnos", "utkast", "Entwurf"),
    "ACCEPTED": Label("accepted", "hyväksytty", "godkänd", "freigegeben"),
    "PAID": Label("paid", "maksettu", "betald", "bezahlt"),
    "CREDIT_LOSS": Label("lost", "luottotappio", "kreditförlust", "Forderungsausfall"),
}  # fmt: skip
_OWN = {label.en: label for label in _LABELS} | _WIRE


class Words(Labels):
    """The names of one language, those of reports among them; what has no name here passes through."""

    def __call__(self, name: str) -> str:
        """Return the name in this language."""
        if (label := _OWN.get(name)) is None:
            return super().__call__(name)
        text: str = getattr(label, self.language)
        return text
