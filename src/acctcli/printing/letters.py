"""What a mail says that an invoice goes with, in the language of its reader, where nobody wrote other words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.banking.iban import grouped
from acctcli.models.enums import Language
from acctcli.printing.numbers import LOCALES, format_decimal


class _Kind(NamedTuple):
    """An invoice or a credit note: how it is called, and the sentence that goes before it. Braces take its number."""

    name: str
    attached: str


class _Words(NamedTuple):
    """The words of one language; its days are written as `day` says, a pattern of strftime."""

    hello: str
    invoice: _Kind
    credit_note: _Kind
    total: str
    due: str
    account: str
    reference: str
    regards: str
    day: str


_WORDS = {
    Language.FI: _Words(
        "Hei,",
        _Kind("Lasku {}", "liitteenä on laskumme {}."),
        _Kind("Hyvityslasku {}", "liitteenä on hyvityslaskumme {}."),
        "Yhteensä",
        "Eräpäivä",
        "Tilinumero",
        "Viitenumero",
        "Ystävällisin terveisin",
        "%d.%m.%Y",
    ),
    Language.SV: _Words(
        "Hej,",
        _Kind("Faktura {}", "bifogat finns vår faktura {}."),
        _Kind("Kreditfaktura {}", "bifogat finns vår kreditfaktura {}."),
        "Totalt",
        "Förfallodag",
        "Kontonummer",
        "Referensnummer",
        "Med vänliga hälsningar",
        "%d.%m.%Y",
    ),
    Language.EN: _Words(
        "Hello,",
        _Kind("Invoice {}", "please find attached our invoice {}."),
        _Kind("Credit note {}", "please find attached our credit note {}."),
        "Total",
        "Due",
        "Account",
        "Reference",
        "Kind regards",
        "%Y-%m-%d",
    ),
    Language.DE: _Words(
        "Guten Tag,",
        _Kind("Rechnung {}", "anbei erhalten Sie unsere Rechnung {}."),
        _Kind("Rechnungskorrektur {}", "anbei erhalten Sie unsere Rechnungskorrektur {}."),
        "Gesamtbetrag",
        "Fällig am",
        "IBAN",
        "Verwendungszweck",
        "Mit freundlichen Grüßen",
        "%d.%m.%Y",
    ),
}


def subject_of(number: int, seller: str, language: Language, *, is_credit_note: bool) -> str:
    """Return the subject of a mail with an invoice, such as `Lasku 12, Demo Oy`."""
    return f"{_kind(_WORDS[language], is_credit_note=is_credit_note).name.format(number)}, {seller}"


def file_stem_of(invoice: Mapping[str, Any], language: Language) -> str:
    """Return how the files of a mail are called, without their endings, such as `lasku-12`."""
    kind = _kind(_WORDS[language], is_credit_note=invoice["is_credit_note_for"] is not None)
    return kind.name.format(invoice["invoice_number"]).lower().replace(" ", "-")


def text_of(invoice: Mapping[str, Any], business: Mapping[str, Any], language: Language) -> str:
    """Return the text of a mail with an accepted invoice, both as on the wire: what to pay, until when and where to."""
    words, is_credit_note = _WORDS[language], invoice["is_credit_note_for"] is not None
    attached = _kind(words, is_credit_note=is_credit_note).attached.format(invoice["invoice_number"])
    amount = format_decimal(Decimal(invoice["total_amount"]), LOCALES[language])
    lines = [f"{words.total}: {amount} {invoice['currency']}"]
    if not is_credit_note:
        lines += _payment(invoice, business, words)
    return "\n".join([words.hello, "", attached, "", *lines, "", words.regards, business["name"], ""])


def _kind(words: _Words, *, is_credit_note: bool) -> _Kind:
    return words.credit_note if is_credit_note else words.invoice


def _payment(invoice: Mapping[str, Any], business: Mapping[str, Any], words: _Words) -> list[str]:
    due = date.fromisoformat(str(invoice["due_date"]))
    iban = business["invoicing_iban"]
    said = (
        (words.due, due.strftime(words.day)),
        (words.account, grouped(iban) if iban else None),
        (words.reference, invoice["reference"]),
    )
    return [f"{name}: {value}" for name, value in said if value]
