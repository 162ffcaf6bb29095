"""Which letters the bundled font has, without reading it: Latin, Greek and Cyrillic (docs/law.md 7.6)."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from unicodedata import category, normalize

from acctcli.law.invoices import BUYER, ROWS, SELLER, Finding

Record = Mapping[str, Any]

# the texts of an invoice, its rows, its receiver and its business that are printed
_OF_INVOICE = ("contact_person", "description", "seller_reference", "buyer_reference")
_OF_ROW = ("name", "unit", "code", "description")
_OF_RECEIVER = ("name", "customer_id", "contact_business_id", "invoicing_tax_code")
_OF_ADDRESS = ("invoicing_street", "invoicing_postal_code", "invoicing_city")
_OF_BUSINESS = ("name", "invoicing_contact", "contact_phone", "invoicing_email", "invoicing_vat_exemption_reason")
_BLANKS = re.compile(r"[^\S\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]+")
# what the font lacks and people type
_INSTEAD = str.maketrans({"→": "->", "←": "<-", "↔": "<->", "\N{NON-BREAKING HYPHEN}": "-"})

# where its letters begin, and the first behind them, in turns
_EDGES = (
    0x20, 0x7F, 0xA0, 0x250, 0x259, 0x25A, 0x2C6, 0x2DE, 0x370, 0x378, 0x37A, 0x380, 0x384, 0x38B, 0x38C, 0x38D,
    0x38E, 0x3A2, 0x3A3, 0x3E2, 0x3F0, 0x500, 0x1E00, 0x1EFC, 0x2010, 0x2028, 0x202F, 0x203B, 0x2044, 0x2045,
    0x20A0, 0x20BE, 0x2116, 0x2117, 0x2122, 0x2123, 0x2212, 0x2213, 0x221E, 0x221F, 0x2260, 0x2261, 0x2264, 0x2266,
)  # fmt: skip


def beyond(text: str) -> str:
    """Return the letters of a text that the font lacks, each once, in their order: they would be boxes on paper."""
    return "".join(letter for letter in dict.fromkeys(text) if bisect(_EDGES, ord(letter)) % 2 == 0)


def clean(text: str) -> str:
    """Return a text on one line, composed as fonts have the letters, without what no font draws."""
    line = _BLANKS.sub(" ", normalize("NFC", text).translate(_INSTEAD)).strip()
    return "".join(letter for letter in line if category(letter) not in {"Cc", "Cf"})


def paper_findings(invoice: Record, rows: Iterable[Record], receiver: Record, business: Record) -> list[Finding]:
    """Return what would be boxes on the paper of an invoice: records of the wire, or rows with the same names."""
    records: list[tuple[str, Record, Iterable[str]]] = [
        ("", invoice, _OF_INVOICE),
        *((f"{ROWS}.{place}.", row, _OF_ROW) for place, row in enumerate(rows)),
        (f"{BUYER}.", receiver, (*_OF_RECEIVER, *_OF_ADDRESS)),
        (f"{SELLER}.", business, (*_OF_BUSINESS, *_OF_ADDRESS)),
    ]
    return [found for prefix, record, names in records for found in _illegible(prefix, record, names)]


def _illegible(prefix: str, record: Record, names: Iterable[str]) -> Iterator[Finding]:
    for name in names:
        text = record[name] or ""
        if letters := beyond(" ".join(map(clean, text.splitlines()))):
            told = f"{name} has letters that the font of invoices lacks, {' '.join(letters)}, in {clean(text)!r}"
            yield Finding((f"{prefix}{name}",), told, "write it in Latin, Greek or Cyrillic letters")
