"""What the boxes are called: in the languages of the country whose form it is, and in English for everyone else."""

from __future__ import annotations

from acctcli.models.enums import Language

_IN_FINLAND = (Language.EN, Language.FI, Language.SV)
_FINNISH = {
    "301": (
        "Tax on domestic sales, general rate",
        "Vero kotimaan myynnistä, yleinen verokanta",
        "Skatt på inhemsk försäljning, allmän skattesats",
    ),
    "302": (
        "Tax on domestic sales, higher reduced rate",
        "Vero kotimaan myynnistä, ylempi alennettu verokanta",
        "Skatt på inhemsk försäljning, högre reducerad skattesats",
    ),
    "303": (
        "Tax on domestic sales, lower reduced rate",
        "Vero kotimaan myynnistä, alempi alennettu verokanta",
        "Skatt på inhemsk försäljning, lägre reducerad skattesats",
    ),
    "304": (
        "Tax on goods imported from outside the EU",
        "Vero tavaroiden maahantuonnista EU:n ulkopuolelta",
        "Skatt på import av varor från länder utanför EU",
    ),
    "305": (
        "Tax on goods bought in other EU countries",
        "Vero tavaraostoista muista EU-maista",
        "Skatt på varuinköp från andra EU-länder",
    ),
    "306": (
        "Tax on services bought in other EU countries",
        "Vero palveluostoista muista EU-maista",
        "Skatt på tjänsteinköp från andra EU-länder",
    ),
    "307": ("Deductible tax", "Verokauden vähennettävä vero", "Skatt att dra av för skatteperioden"),
    "308": (
        "Tax to pay, or to be refunded (-)",
        "Maksettava vero / palautukseen oikeuttava vero (-)",
        "Skatt att betala / skatt som berättigar till återbäring (-)",
    ),
    "309": ("Zero-rated turnover", "0-verokannan alainen liikevaihto", "Omsättning enligt nollskattesats"),
    "310": (
        "Goods imported from outside the EU",
        "Tavaroiden maahantuonnit EU:n ulkopuolelta",
        "Import av varor från länder utanför EU",
    ),
    "311": (
        "Goods sold to other EU countries",
        "Tavaroiden myynnit muihin EU-maihin",
        "Försäljning av varor till andra EU-länder",
    ),
    "312": (
        "Services sold to other EU countries",
        "Palvelujen myynnit muihin EU-maihin",
        "Försäljning av tjänster till andra EU-länder",
    ),
    "313": ("Goods bought in other EU countries", "Tavaraostot muista EU-maista", "Varuinköp från andra EU-länder"),
    "314": (
        "Services bought in other EU countries",
        "Palveluostot muista EU-maista",
        "Tjänsteinköp från andra EU-länder",
    ),
    "318": (
        "Tax on construction services and scrap metal bought",
        "Vero rakentamispalvelun ja metalliromun ostoista",
        "Skatt på inköp av byggtjänster och metallskrot",
    ),
    "319": (
        "Construction services and scrap metal sold",
        "Rakentamispalvelun ja metalliromun myynnit",
        "Försäljning av byggtjänster och metallskrot",
    ),
    "320": (
        "Construction services and scrap metal bought",
        "Rakentamispalvelun ja metalliromun ostot",
        "Inköp av byggtjänster och metallskrot",
    ),
}
_IN_GERMANY = (Language.EN, Language.DE)
_GERMAN = {
    "10": ("Corrected return", "Berichtigte Anmeldung"),
    "81": ("Sales at 19 %", "Steuerpflichtige Umsätze zu 19 %"),
    "86": ("Sales at 7 %", "Steuerpflichtige Umsätze zu 7 %"),
    "87": ("Sales at 0 %", "Steuerpflichtige Umsätze zu 0 %"),
    "35": ("Sales at other rates", "Umsätze zu anderen Steuersätzen"),
    "36": ("Tax on sales at other rates", "Steuer auf Umsätze zu anderen Steuersätzen"),
    "41": ("Goods sold to other EU countries", "Innergemeinschaftliche Lieferungen"),
    "43": ("Other exempt sales with deduction", "Weitere steuerfreie Umsätze mit Vorsteuerabzug"),
    "91": ("Exempt acquisitions from the EU", "Steuerfreie innergemeinschaftliche Erwerbe"),
    "89": ("Acquisitions from the EU at 19 %", "Innergemeinschaftliche Erwerbe zu 19 %"),
    "93": ("Acquisitions from the EU at 7 %", "Innergemeinschaftliche Erwerbe zu 7 %"),
    "95": ("Acquisitions from the EU at other rates", "Innergemeinschaftliche Erwerbe zu anderen Steuersätzen"),
    "98": ("Tax on acquisitions at other rates", "Steuer auf Erwerbe zu anderen Steuersätzen"),
    "46": ("Services bought in other EU countries", "Leistungen von Unternehmern im übrigen EU-Gebiet (§ 13b Abs. 1)"),
    "47": ("Tax on services bought in other EU countries", "Steuer zu Kz 46"),
    "84": ("Other purchases under reverse charge", "Andere Leistungen (§ 13b Abs. 2)"),
    "85": ("Tax on other purchases under reverse charge", "Steuer zu Kz 84"),
    "60": ("Sales on which the customer owes the tax", "Umsätze, für die der Empfänger die Steuer schuldet (§ 13b)"),
    "21": ("Services sold to other EU countries", "Nicht steuerbare sonstige Leistungen im übrigen EU-Gebiet"),
    "45": ("Other sales not taxable in Germany", "Übrige nicht steuerbare Umsätze"),
    "66": ("Input tax on invoices", "Vorsteuer aus Rechnungen anderer Unternehmer"),
    "61": ("Input tax on acquisitions from the EU", "Vorsteuer aus innergemeinschaftlichem Erwerb"),
    "62": ("Import VAT", "Entstandene Einfuhrumsatzsteuer"),
    "67": ("Input tax under reverse charge", "Vorsteuer aus Leistungen nach § 13b"),
    "39": ("Special prepayment credited", "Anrechnung der Sondervorauszahlung"),
    "83": ("Tax to pay, or to be refunded (-)", "Verbleibende Vorauszahlung / Überschuss (-)"),
}


def box_labels(country: str, language: str) -> dict[str, str]:
    """Return the names of all boxes of a country's return, by number; `language` is one of Language."""
    spoken = _IN_GERMANY if country == "DE" else _IN_FINLAND
    place = spoken.index(language) if language in spoken else 0
    named = _GERMAN if country == "DE" else _FINNISH
    return {box: names[place] for box, names in named.items()}
