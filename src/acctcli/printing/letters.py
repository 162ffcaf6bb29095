"""What a mail says that an invoice goes with, in the language of its reader: as text, and the same words as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from html import escape
from typing import Any, NamedTuple

from acctcli.banking.iban import grouped
from acctcli.models.enums import Language
from acctcli.models.placeholders import PAYMENT, Placeholder, parts_of
from acctcli.printing.alphabet import clean
from acctcli.printing.numbers import LOCALES, format_day, format_decimal


class _Kind(NamedTuple):
    """An invoice or a credit note: how it is called, and the sentence that goes before it. Braces take its number."""

    name: str
    attached: str


class _Words(NamedTuple):
    """The words of one language."""

    hello: str
    invoice: _Kind
    credit_note: _Kind
    total: str
    due: str
    account: str
    reference: str
    regards: str


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
    ),
}


# no colours of its own: what is dark or light is for the reader's program to say
_HEAD = """<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>:root{color-scheme:light dark}</style>"""
_PARAGRAPHS = re.compile(r"\n\s*\n")


class Facts(NamedTuple):
    """What mail says of an invoice; amounts in units of the currency. What is not known is left out."""

    number: int | None
    is_credit_note: bool
    total: Decimal | None
    currency: str | None
    due: date | None
    reference: str | None
    buyer: str
    seller: str
    iban: str | None


class Line(NamedTuple):
    """What something is called, and what it is."""

    name: str
    value: str


# words, and between them lines that make a table
Said = tuple[str | tuple[Line, ...], ...]


def facts_of(invoice: Mapping[str, Any], business: Mapping[str, Any]) -> Facts:
    """Return what mail says of an accepted invoice, both as on the wire."""
    return Facts(
        number=invoice["invoice_number"],
        is_credit_note=invoice["is_credit_note_for"] is not None,
        total=Decimal(invoice["total_amount"]),
        currency=invoice["currency"],
        due=date.fromisoformat(str(invoice["due_date"])),
        reference=invoice["reference"],
        buyer=invoice["receiver_info"]["name"],
        seller=business["name"],
        iban=business["invoicing_iban"],
    )


def subject_of(number: int, seller: str, language: Language, *, is_credit_note: bool) -> str:
    """Return the subject of a mail with an invoice, such as `Lasku 12, Demo Oy`."""
    return f"{_kind(_WORDS[language], is_credit_note=is_credit_note).name.format(number)}, {seller}"


def file_stem_of(invoice: Mapping[str, Any], language: Language) -> str:
    """Return how the files of a mail are called, without their endings, such as `lasku-12`."""
    kind = _kind(_WORDS[language], is_credit_note=invoice["is_credit_note_for"] is not None)
    return kind.name.format(invoice["invoice_number"]).lower().replace(" ", "-")


def usual_words(facts: Facts, language: Language) -> Said:
    """Return what a mail says where nobody wrote other words: what to pay, until when and where to."""
    words = _WORDS[language]
    attached = _kind(words, is_credit_note=facts.is_credit_note).attached.format(facts.number)
    before = "\n".join([words.hello, "", attached, "", ""])
    after = "\n".join(["", "", words.regards, clean(facts.seller), ""])
    return before, _payment(facts, language), after


def fill(text: str, facts: Facts, language: Language) -> Said:
    """Put what an invoice says in the place of the placeholders of a text; one with other braces stays as it is.

    Such a text is from before there were placeholders.
    """
    try:
        parts = parts_of(text)
    except ValueError:
        return (text,)
    values = _values(facts, language)
    return tuple(_filled(part, values, facts, language) for part in parts)


def _filled(
    part: str | Placeholder, values: Mapping[str, str], facts: Facts, language: Language
) -> str | tuple[Line, ...]:
    if isinstance(part, str):
        return part
    return _payment(facts, language) if part.name == PAYMENT else values[part.name]


def plain(said: Said) -> str:
    """Return what is said as text."""
    return "".join(part if isinstance(part, str) else "\n".join(map(": ".join, part)) for part in said)


def html(said: Said, language: Language) -> str:
    """Return the same words as HTML, which fetches nothing and sends nobody anywhere; tables are in a language."""
    parts: list[str] = []
    words = ""
    for part in said:
        if isinstance(part, str):
            words += part
        else:
            parts += [*_paragraphs(words), _table(part, language)]
            words = ""
    body = "\n".join([*parts, *_paragraphs(words)])
    return f"<!DOCTYPE html>\n<html>\n<head>\n{_HEAD}\n</head>\n<body>\n{body}\n</body>\n</html>\n"


def _paragraphs(words: str) -> list[str]:
    """Return paragraphs with their lines, and blanks as they stand."""
    lines = "\n".join(words.splitlines()).strip("\n")
    return [f"<p>{_lined(one)}</p>" for one in _PARAGRAPHS.split(lines) if one.strip()]


def _lined(paragraph: str) -> str:
    shown = "".join(
        char
        for char in escape(paragraph, quote=False).expandtabs(4)
        if char == "\n" or char.isprintable() or char > "\x9f"
    )
    return re.sub(r"(?m)^ | (?= )", "\N{NO-BREAK SPACE}", shown).replace("\n", "<br>\n")


def _table(lines: tuple[Line, ...], language: Language) -> str:
    rows = (
        f'<tr><th scope="row" align="left">{escape(one.name)}</th><td>{escape(one.value)}</td></tr>' for one in lines
    )
    return "\n".join([f'<table lang="{language}" cellpadding="4">', *rows, "</table>"])


def _kind(words: _Words, *, is_credit_note: bool) -> _Kind:
    return words.credit_note if is_credit_note else words.invoice


def _values(facts: Facts, language: Language) -> dict[str, str]:
    """Return what stands in the place of each placeholder of one line."""
    words = _WORDS[language]
    number = "" if facts.number is None else str(facts.number)
    return {
        "number": number,
        "invoice": _kind(words, is_credit_note=facts.is_credit_note).name.format(number),
        "total": "" if facts.total is None else _amount(facts.total, facts.currency, language),
        "due_date": format_day(facts.due, language) if facts.due else "",
        "reference": facts.reference or "",
        "iban": grouped(facts.iban) if facts.iban else "",
        "name": clean(facts.buyer),
        "business": clean(facts.seller),
    }


def _amount(total: Decimal, currency: str | None, language: Language) -> str:
    return f"{format_decimal(total, LOCALES[language])} {currency or ''}".rstrip()


def _payment(facts: Facts, language: Language) -> tuple[Line, ...]:
    words, values = _WORDS[language], _values(facts, language)
    said = [Line(words.total, values["total"])]
    if not facts.is_credit_note:
        said += [Line(words.due, values["due_date"]), Line(words.account, values["iban"])]
        said.append(Line(words.reference, values["reference"]))
    return tuple(line for line in said if line.value)
