"""The words of an invoice in the languages of its readers."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import Language


class PaperWords(NamedTuple):
    """Texts of one language; braces take a number."""

    invoice: str
    credit_note: str
    draft: str
    number: str
    invoicing_date: str
    delivery_date: str
    due_date: str
    terms: str
    days: str
    at_once: str
    penalty: str
    customer: str
    our_reference: str
    your_reference: str
    credited: str
    business_id: str
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
        number="Laskun numero",
        invoicing_date="Laskun päiväys",
        delivery_date="Toimituspäivä",
        due_date="Eräpäivä",
        terms="Maksuehto",
        days="{} päivää netto",
        at_once="Heti",
        penalty="Viivästyskorko",
        customer="Asiakasnumero",
        our_reference="Viitteemme",
        your_reference="Viitteenne",
        credited="Hyvitetään lasku",
        business_id="Y-tunnus",
        vat_id="ALV-tunnus",
        tax_number="Veronumero",
        name="Kuvaus",
        quantity="Määrä",
        unit="Yksikkö",
        price="À-hinta",
        rate="ALV\N{NO-BREAK SPACE}%",
        net="Veroton",
        vat="ALV",
        total="Yhteensä",
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
        number="Fakturanummer",
        invoicing_date="Fakturadatum",
        delivery_date="Leveransdatum",
        due_date="Förfallodag",
        terms="Betalningsvillkor",
        days="{} dagar netto",
        at_once="Genast",
        penalty="Dröjsmålsränta",
        customer="Kundnummer",
        our_reference="Vår referens",
        your_reference="Er referens",
        credited="Krediterar faktura",
        business_id="FO-nummer",
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
        number="Invoice number",
        invoicing_date="Invoice date",
        delivery_date="Delivery date",
        due_date="Due date",
        terms="Payment terms",
        days="{} days net",
        at_once="Immediately",
        penalty="Penalty interest",
        customer="Customer number",
        our_reference="Our reference",
        your_reference="Your reference",
        credited="Credits invoice",
        business_id="Business ID",
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
        number="Rechnungsnummer",
        invoicing_date="Rechnungsdatum",
        delivery_date="Leistungsdatum",
        due_date="Fällig am",
        terms="Zahlungsziel",
        days="{} Tage netto",
        at_once="Sofort",
        penalty="Verzugszinsen",
        customer="Kundennummer",
        our_reference="Unser Zeichen",
        your_reference="Ihr Zeichen",
        credited="Zur Rechnung",
        business_id="Unternehmens-Nr.",
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
        zero_rated="Nullsteuersatz",
        exempt="Ohne Umsatzsteuer",
        net_total="Summe netto",
        vat_total="Umsatzsteuer",
        to_pay="Zu zahlen",
        to_credit="Korrekturbetrag",
        pay="Zahlungsinformationen",
        recipient="Empfänger",
        reference="Referenz",
        amount="Betrag",
        scan="Mit der Banking-App zahlen",
        page="Seite {} von {}",
    ),
}
