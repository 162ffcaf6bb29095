"""The words of an invoice in the languages of its readers."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import Language


class PaperWords(NamedTuple):
    """Texts of one language; braces take a number."""

    invoice: str
    credit_note: str
    draft: str
    translated: str
    number: str
    credit_number: str
    invoicing_date: str
    credit_date: str
    delivery_date: str
    due_date: str
    terms: str
    penalty: str
    customer: str
    our_reference: str
    your_reference: str
    credited: str
    of_day: str
    business_id: str
    foreign_id: str
    vat_id: str
    tax_number: str
    name: str
    quantity: str
    unit: str
    price: str
    rate: str
    net: str
    vat: str
    total: str
    carried_on: str
    carried_over: str
    zero_rated: str
    exempt: str
    net_total: str
    vat_total: str
    to_pay: str
    to_credit: str
    pay: str
    recipient: str
    reference: str
    amount: str
    scan: str
    page: str


WORDS = {
    Language.FI: PaperWords(
        invoice="Lasku",
        credit_note="Hyvityslasku",
        draft="Luonnos",
        translated="Käännös tositteesta",
        number="Laskun numero",
        credit_number="Hyvityslaskun numero",
        invoicing_date="Laskun päiväys",
        credit_date="Päiväys",
        delivery_date="Toimituspäivä",
        due_date="Eräpäivä",
        terms="Maksuehto",
        penalty="Viivästyskorko",
        customer="Asiakasnumero",
        our_reference="Viitteemme",
        your_reference="Viitteenne",
        credited="Hyvitetään lasku",
        of_day="{}, {}",
        business_id="Y-tunnus",
        foreign_id="Yritystunnus",
        vat_id="ALV-tunniste",
        tax_number="Veronumero",
        name="Kuvaus",
        quantity="Määrä",
        unit="Yksikkö",
        price="À-hinta",
        rate="ALV\N{NO-BREAK SPACE}%",
        net="Veroton",
        vat="ALV",
        total="Yhteensä",
        carried_on="Siirretään",
        carried_over="Siirto edelliseltä sivulta",
        zero_rated="Nollaverokanta",
        exempt="Ei arvonlisäveroa",
        net_total="Veroton yhteensä",
        vat_total="Arvonlisävero",
        to_pay="Maksettava yhteensä",
        to_credit="Hyvitys yhteensä",
        pay="Maksutiedot",
        recipient="Saaja",
        reference="Viitenumero",
        amount="Maksettava",
        scan="Maksa pankin sovelluksella",
        page="Sivu {} / {}",
    ),
    Language.SV: PaperWords(
        invoice="Faktura",
        credit_note="Kreditfaktura",
        draft="Utkast",
        translated="Översättning av",
        number="Fakturanummer",
        credit_number="Kreditfakturans nummer",
        invoicing_date="Fakturadatum",
        credit_date="Datum",
        delivery_date="Leveransdatum",
        due_date="Förfallodag",
        terms="Betalningsvillkor",
        penalty="Dröjsmålsränta",
        customer="Kundnummer",
        our_reference="Vår referens",
        your_reference="Er referens",
        credited="Krediterar faktura",
        of_day="{}, {}",
        business_id="FO-nummer",
        foreign_id="Organisationsnummer",
        vat_id="Momsnummer",
        tax_number="Skattenummer",
        name="Beskrivning",
        quantity="Antal",
        unit="Enhet",
        price="À-pris",
        rate="Moms\N{NO-BREAK SPACE}%",
        net="Exkl. moms",
        vat="Moms",
        total="Totalt",
        carried_on="Transporteras",
        carried_over="Transport från föregående sida",
        zero_rated="Nollskattesats",
        exempt="Ingen moms",
        net_total="Totalt exkl. moms",
        vat_total="Moms totalt",
        to_pay="Att betala",
        to_credit="Att kreditera",
        pay="Betalningsuppgifter",
        recipient="Mottagare",
        reference="Referensnummer",
        amount="Att betala",
        scan="Betala med bankens app",
        page="Sida {} / {}",
    ),
    Language.EN: PaperWords(
        invoice="Invoice",
        credit_note="Credit note",
        draft="Draft",
        translated="Translation of",
        number="Invoice number",
        credit_number="Credit note number",
        invoicing_date="Invoice date",
        credit_date="Date",
        delivery_date="Delivery date",
        due_date="Due date",
        terms="Payment terms",
        penalty="Late interest",
        customer="Customer number",
        our_reference="Our reference",
        your_reference="Your reference",
        credited="Credits invoice",
        of_day="{} of {}",
        business_id="Business ID",
        foreign_id="Company number",
        vat_id="VAT ID",
        tax_number="Tax number",
        name="Description",
        quantity="Quantity",
        unit="Unit",
        price="Unit price",
        rate="VAT\N{NO-BREAK SPACE}%",
        net="Excl. VAT",
        vat="VAT",
        total="Total",
        carried_on="Carried forward",
        carried_over="Brought forward",
        zero_rated="Zero-rated",
        exempt="No VAT",
        net_total="Total excl. VAT",
        vat_total="Total VAT",
        to_pay="Total to pay",
        to_credit="Total credited",
        pay="Payment details",
        recipient="Recipient",
        reference="Reference",
        amount="Amount",
        scan="Pay with your banking app",
        page="Page {} of {}",
    ),
    Language.DE: PaperWords(
        invoice="Rechnung",
        credit_note="Rechnungskorrektur",
        draft="Entwurf",
        translated="Übersetzung von",
        number="Rechnungsnummer",
        credit_number="Korrekturnummer",
        invoicing_date="Rechnungsdatum",
        credit_date="Datum",
        delivery_date="Leistungsdatum",
        due_date="Fällig am",
        terms="Zahlungsziel",
        penalty="Verzugszinsen",
        customer="Kundennummer",
        our_reference="Unser Zeichen",
        your_reference="Ihr Zeichen",
        credited="Zur Rechnung",
        of_day="{} vom {}",
        business_id="Unternehmens-Nr.",
        foreign_id="Register-Nr.",
        vat_id="USt-IdNr.",
        tax_number="Steuernummer",
        name="Bezeichnung",
        quantity="Menge",
        unit="Einheit",
        price="Einzelpreis",
        rate="USt\N{NO-BREAK SPACE}%",
        net="Netto",
        vat="USt",
        total="Brutto",
        carried_on="Übertrag",
        carried_over="Übertrag von der vorigen Seite",
        zero_rated="Nullsteuersatz",
        exempt="Ohne Umsatzsteuer",
        net_total="Summe netto",
        vat_total="Umsatzsteuer",
        to_pay="Zu zahlen",
        to_credit="Korrekturbetrag",
        pay="Zahlungsinformationen",
        recipient="Empfänger",
        reference="Verwendungszweck",
        amount="Betrag",
        scan="Mit der Banking-App zahlen",
        page="Seite {} von {}",
    ),
}
