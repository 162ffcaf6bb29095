"""What an e-invoice says of payment, in the language of who reads it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli import law
from acctcli.law.world import SEPA
from acctcli.models.enums import Language
from acctcli.printing.numbers import format_day

# codes of UNCL 4461 (BT-81)
SEPA_TRANSFER, TRANSFER, CLEARING = "58", "30", "97"


class TermWords(NamedTuple):
    """Texts of one language; braces take a number, and the day of an invoice."""

    invoice: str
    credit_note: str
    at_once: str
    within_days: str
    penalty: str
    offset: str
    unit: str


_WORDS = {
    Language.FI: TermWords(
        "LASKU",
        "HYVITYSLASKU",
        "Heti",
        "{} päivää netto",
        "Viivästyskorko {} %",
        "Hyvitetään laskuun {}, {}",
        "Yksikkö: {}",
    ),
    Language.SV: TermWords(
        "FAKTURA",
        "KREDITFAKTURA",
        "Genast",
        "{} dagar netto",
        "Dröjsmålsränta {} %",
        "Avräknas mot faktura {}, {}",
        "Enhet: {}",
    ),
    Language.EN: TermWords(
        "INVOICE",
        "CREDIT NOTE",
        "Immediately",
        "{} days net",
        "Late interest {} %",
        "Set off against invoice {} of {}",
        "Unit: {}",
    ),
    Language.DE: TermWords(
        "RECHNUNG",
        "RECHNUNGSKORREKTUR",
        "Sofort",
        "{} Tage netto",
        "Verzugszinsen {} %",
        "Verrechnung mit Rechnung {} vom {}",
        "Einheit: {}",
    ),
}


def language_of(invoice: Mapping[str, Any], business: Mapping[str, Any]) -> Language:
    """Return the language of an invoice: what was asked for, the seller's country's own, or the buyer's."""
    if asked := invoice.get("language"):
        return Language(asked)
    return language_for(business["country"], invoice["receiver_info"]["invoicing_language"])


def language_for(country: str, wanted: str | None) -> Language:
    """Return the language of a seller's country, where it has its own, else the one that the buyer reads."""
    found = law.country(country).own_language or wanted
    return Language(found) if found in tuple(Language) else Language.EN


def words(language: Language) -> TermWords:
    """Return the texts of a language."""
    return _WORDS[language]


def payment_terms(invoice: Mapping[str, Any], language: Language) -> str:
    """Return when to pay an invoice and what being late costs (BT-20), one sentence a line."""
    penalties = [penalty(invoice, language)] if invoice["penalty_interest"] else []
    return "\n".join([when_to_pay(invoice, language), *penalties])


def when_to_pay(invoice: Mapping[str, Any], language: Language) -> str:
    """Return the sentence on the term of payment."""
    spoken, days = words(language), invoice["payment_condition_days"]
    return spoken.within_days.format(days) if days else spoken.at_once


def penalty(invoice: Mapping[str, Any], language: Language) -> str:
    """Return the sentence on late interest."""
    rate = plain(Decimal(invoice["penalty_interest"]))
    return words(language).penalty.format(rate if language == Language.EN else rate.replace(".", ","))


def set_off(original: Mapping[str, Any], language: Language) -> str:
    """Return how a credit note is paid: by the invoice that it credits, which its number and day tell."""
    made = format_day(day(original["invoicing_date"]), language)
    return words(language).offset.format(original["invoice_number"], made)


def transfer_code(iban: str) -> str:
    """Return the payment means of an account: a SEPA transfer within its countries, else any transfer."""
    return SEPA_TRANSFER if iban[:2] in SEPA else TRANSFER


def day(value: date | str) -> date:
    """Return a date of the wire."""
    return value if isinstance(value, date) else date.fromisoformat(value)


def delivery_day(invoice: Mapping[str, Any]) -> date:
    """Return when it was delivered (BT-72): the day the invoice names, or its own."""
    return day(invoice["settlement_date"] or invoice["invoicing_date"])


def plain(number: Decimal, least: int = 0) -> str:
    """Write a number without exponent and without idle zeros, but with `least` decimals."""
    written = f"{number:f}"
    whole, _, decimals = written.partition(".")
    kept = decimals.rstrip("0").ljust(least, "0")
    return f"{whole}.{kept}" if kept else whole
