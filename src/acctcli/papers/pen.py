"""Drawing and measuring, in points from the upper left corner of an A4 sheet."""

from __future__ import annotations

from bisect import bisect_left
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, Protocol

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from acctcli.printing.fonts import bundled_fonts, fold, text_width
from acctcli.printing.tags import Tags

if TYPE_CHECKING:
    from acctcli.printing.logos import Logo

WIDTH: float
HEIGHT: float
WIDTH, HEIGHT = A4
LEFT = 54.0
RIGHT = WIDTH - 54.0
ROOM = RIGHT - LEFT

Colour = tuple[float, float, float]
INK: Colour = (0.11, 0.13, 0.16)
QUIET: Colour = (0.42, 0.45, 0.5)
HAIR: Colour = (0.84, 0.86, 0.88)
ACCENT: Colour = (0.07, 0.27, 0.41)
TINT: Colour = (0.945, 0.96, 0.97)
WHITE: Colour = (1.0, 1.0, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0)


class Style(NamedTuple):
    """How a text looks."""

    size: float = 9.0
    is_bold: bool = False
    colour: Colour = INK

    @property
    def font(self) -> str:
        """The name of the font."""
        fonts = bundled_fonts()
        return fonts.bold if self.is_bold else fonts.plain

    @property
    def step(self) -> float:
        """From one line to the next."""
        return self.size * 1.36

    def measure(self, text: str) -> float:
        """Return how wide a text is."""
        return text_width(text, self.font, self.size)

    def fold(self, text: str, room: float) -> list[str]:
        """Break a text into lines."""
        return fold(text, self.font, self.size, room)

    def balance(self, text: str, room: float) -> list[str]:
        """Break a text into as few lines as the room allows, all about as long: no word is left alone on the last.

        Words are broken only where they have no room.
        """
        longest = max(map(self.measure, text.split(" ")))
        fewest, widths = len(self.fold(text, room)), range(ceil(longest), int(room))
        narrowest = bisect_left(widths, -fewest, key=lambda width: -len(self.fold(text, width)))
        return self.fold(text, widths[narrowest] if narrowest < len(widths) else room)

    def fit(self, text: str, room: float) -> Style:
        """Return the style, smaller where the text has no room in it: figures are never broken."""
        needed = self.measure(text)
        return self if needed <= room else self._replace(size=self.size * room / needed)


BODY = Style()
BOLD = Style(is_bold=True)
SMALL = Style(7.5, colour=QUIET)
LABEL = Style(7.5, is_bold=True, colour=QUIET)


class Block(Protocol):
    """A part of a page that knows how high it is."""

    @property
    def height(self) -> float:
        """From its upper edge to where the next part begins."""

    def draw(self, pen: Pen, top: float) -> None:
        """Draw it from `top` downwards."""


class Pen:
    """Draws on the pages of a document; what is no text is not read aloud, but figures."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.tags = canvas, Tags(canvas)
        self.element = self.tags.element

    def write(self, x: float, y: float, text: str, style: Style = BODY) -> None:
        """Write a text from `x` to the right, its base line at `y`; a blank parts it from what it is read after."""
        if self.tags.content():
            x, text = x - style.measure(" "), f" {text}"
        self.canvas.setFillColorRGB(*style.colour)
        self.canvas.setFont(style.font, style.size)
        self.canvas.drawString(x, HEIGHT - y, text)

    def write_to(self, x: float, y: float, text: str, style: Style = BODY) -> None:
        """Write a text that ends at `x`."""
        self.write(x - style.measure(text), y, text, style)

    def place(self, x: float, y: float, logo: Logo) -> None:
        """Put a logo to the right of `x`, its lower edge at `y`."""
        self.tags.content()
        logo.draw(self.canvas, x, HEIGHT - y)

    def rule(self, left: float, right: float, y: float, colour: Colour = HAIR, weight: float = 0.5) -> None:
        """Draw a line across."""
        self.tags.artifact()
        self.canvas.setStrokeColorRGB(*colour)
        self.canvas.setLineWidth(weight)
        self.canvas.line(left, HEIGHT - y, right, HEIGHT - y)

    def fill(self, left: float, top: float, width: float, height: float, colour: Colour) -> None:
        """Fill a rectangle."""
        self.tags.artifact()
        self.canvas.setFillColorRGB(*colour)
        self.canvas.rect(left, HEIGHT - top - height, width, height, stroke=0, fill=1)

    def frame(self, left: float, top: float, width: float, height: float, colour: Colour = HAIR) -> None:
        """Draw a rectangle."""
        self.tags.artifact()
        self.canvas.setStrokeColorRGB(*colour)
        self.canvas.setLineWidth(0.8)
        self.canvas.rect(left, HEIGHT - top - height, width, height, stroke=1, fill=0)
