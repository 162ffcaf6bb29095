"""A sales invoice as PDF: A4, the bundled font in it, the same bytes for the same invoice (docs/law.md 7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from acctcli.models.enums import Language
from acctcli.papers.content import PaperContent, read_content
from acctcli.papers.head import Foot
from acctcli.papers.pages import lay_out
from acctcli.papers.pen import BODY, Pen
from acctcli.printing.fonts import DRAWING
from acctcli.printing.metadata import PDF_VERSION, Description, describe


def invoice_pdf(
    invoice: Mapping[str, Any],
    business: Mapping[str, Any],
    language: str,
    original: Mapping[str, Any] | None = None,
    translated: Language | None = None,
) -> bytes:
    """Return the file of an invoice or a credit note, in `fi`, `sv`, `en` or `de`.

    All three are objects of the wire (docs/interface.md 7); `original` is the invoice that a credit note credits, whose
    number the law wants on it. It is a translation of an invoice in the language `translated`.
    """
    content = read_content(invoice, business, Language(language), original, translated)
    with DRAWING:
        return _draw(content)


def _draw(content: PaperContent) -> bytes:
    stream = BytesIO()
    canvas = Canvas(
        stream, pagesize=A4, pageCompression=1, invariant=1, pdfVersion=PDF_VERSION, initialFontName=BODY.font
    )
    title = f"{content.title} {content.number}"
    subject = f"{title}, {content.buyer[0]}"
    describe(canvas, Description(title, content.seller[0], subject, content.language, content.made))
    _draw_pages(content, canvas)
    canvas.save()
    return stream.getvalue()


def _draw_pages(content: PaperContent, canvas: Canvas) -> None:
    """Draw every page; its number and how many there are stand in the foot."""
    pen, foot = Pen(canvas), Foot(content)
    pages = lay_out(content, foot)
    for number, page in enumerate(pages, 1):
        for block, top in page:
            block.draw(pen, top)
        foot.draw(pen, number, len(pages))
        pen.tags.show_page()
    pen.tags.finish()
