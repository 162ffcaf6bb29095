"""A paper as PDF: A4, the bundled font in it, the same bytes for the same content (docs/law.md 7.6)."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from acctcli.papers.content import PaperContent
from acctcli.papers.head import Foot
from acctcli.papers.pages import lay_out
from acctcli.papers.pen import BODY, Pen
from acctcli.printing.fonts import DRAWING
from acctcli.printing.metadata import PDF_VERSION, Description, describe

if TYPE_CHECKING:
    from acctcli.printing.logos import Logo


def draw(content: PaperContent, logo: bytes | None = None) -> bytes:
    """Return the file; `logo` is a PNG that is fit for paper."""
    with DRAWING:
        return _draw(content, None if logo is None else _read_logo(logo))


def _read_logo(content: bytes) -> Logo:
    from acctcli.printing.logos import Logo

    return Logo(content)


def _draw(content: PaperContent, logo: Logo | None) -> bytes:
    stream = BytesIO()
    canvas = Canvas(
        stream, pagesize=A4, pageCompression=1, invariant=1, pdfVersion=PDF_VERSION, initialFontName=BODY.font
    )
    title = f"{content.title} {content.number}"
    subject = f"{title}, {content.buyer[0]}"
    describe(canvas, Description(title, content.seller[0], subject, content.language, content.made))
    _draw_pages(content, logo, canvas)
    canvas.save()
    return stream.getvalue()


def _draw_pages(content: PaperContent, logo: Logo | None, canvas: Canvas) -> None:
    """Draw every page; its number and how many there are stand in the foot."""
    pen, foot = Pen(canvas), Foot(content)
    pages = lay_out(content, foot, logo)
    for number, page in enumerate(pages, 1):
        for block, top in page:
            block.draw(pen, top)
        foot.draw(pen, number, len(pages))
        pen.tags.show_page()
    pen.tags.finish()
