"""A sales invoice as PDF (docs/law.md 7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from acctcli.models.enums import Language
from acctcli.papers.content import read_content
from acctcli.papers.drawing import draw


def invoice_pdf(
    invoice: Mapping[str, Any],
    business: Mapping[str, Any],
    language: str,
    original: Mapping[str, Any] | None = None,
    translated: Language | None = None,
    logo: bytes | None = None,
) -> bytes:
    """Return the file of an invoice or a credit note, in `fi`, `sv`, `en` or `de`.

    All three are objects of the wire (docs/interface.md 7); `original` is the invoice that a credit note credits, whose
    number the law wants on it. It is a translation of an invoice in the language `translated`. `logo` is a PNG that is
    fit for paper (printing/logos.py).
    """
    return draw(read_content(invoice, business, Language(language), original, translated), logo)
