"""A report on paper: A4, the head of the table and the page number on every page."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from typing import NamedTuple

from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.sheet import Cell, Kind, Sheet, SheetLine, Style
from acctcli.printing.fonts import HELVETICA, Fonts, bundled_fonts, fold, text_width
from acctcli.printing.numbers import Locale

MARGIN = 48.0
GAP = 12.0
INDENT = 10.0
SIZE = 9.0
_INK, _QUIET, _BELOW, _HAIR = (0.11, 0.13, 0.16), (0.42, 0.45, 0.5), (0.7, 0.23, 0.19), (0.85, 0.86, 0.88)


class Placed(NamedTuple):
    """A line with its texts folded to the columns."""

    line: SheetLine
    pieces: list[list[str]]

    @property
    def height(self) -> int:
        """How many lines of text it takes."""
        return max(map(len, self.pieces), default=1)


def write(sheet: Sheet, business: str, made: str, locale: Locale) -> bytes:
    """Return the file."""
    stream = BytesIO()
    _Paper(sheet, business, made, locale, stream).print()
    return stream.getvalue()


def choose_fonts(texts: Sequence[str]) -> Fonts:
    """Return Helvetica, or the bundled font where a letter is beyond it (docs/law.md 7.6)."""
    try:
        for text in texts:
            text.encode("cp1252")
    except UnicodeEncodeError:
        return bundled_fonts()
    return HELVETICA


class _Paper:
    """Lays the lines of a sheet on pages: upright if all columns fit as they are, else across."""

    def __init__(self, sheet: Sheet, business: str, made: str, locale: Locale, stream: BytesIO) -> None:
        self._sheet = sheet
        self._business = business
        self._made = made
        self._locale = locale
        self._words = Labels(locale.language)
        self._fonts = choose_fonts([*_texts(sheet), business, sheet.title, sheet.period, made])
        self._size, self._step = SIZE, SIZE * 1.4
        needs = [self._need(place) for place in range(len(sheet.columns))]
        gaps = GAP * (len(needs) - 1)
        upright = sum(needs) + gaps <= A4[0] - 2 * MARGIN
        self._width: float
        self._height: float
        self._width, self._height = A4 if upright else landscape(A4)
        self._columns = self._place_columns(needs, self._width - 2 * MARGIN - gaps)
        self._canvas = Canvas(stream, pagesize=(self._width, self._height), pageCompression=1, invariant=1)
        self._canvas.setTitle(f"{sheet.title} · {business} · {sheet.period}")
        self._canvas.setAuthor(business)

    def print(self) -> None:
        """Draw every page, then the numbers: how many there are is known at the end."""
        pages = self._pages([self._fold(line) for line in self._sheet.lines])
        for number, page in enumerate(pages, 1):
            self._draw_page(page, number, len(pages))
            self._canvas.showPage()
        self._canvas.save()

    def _place_columns(self, needs: list[float], room: float) -> list[tuple[float, float]]:
        """Return left edge and width of each column: amounts as wide as they need, texts share what is left."""
        texts = [place for place, column in enumerate(self._sheet.columns) if column.kind is Kind.TEXT]
        while sum(needs) > room + 0.01:
            widest = max(texts, key=lambda place: needs[place])
            needs[widest] -= min(sum(needs) - room, max(1.0, needs[widest] * 0.1))
        needs[max(texts, key=lambda place: needs[place])] += room - sum(needs)
        lefts = [MARGIN + sum(needs[:place]) + GAP * place for place in range(len(needs))]
        return list(zip(lefts, needs, strict=True))

    def _need(self, place: int) -> float:
        bold = self._fonts.bold
        widths = (self._measure(line, place) for line in self._sheet.lines if not line.spans)
        return max(text_width(self._sheet.columns[place].title, bold, self._size), *widths, 20.0) + 1.0

    def _measure(self, line: SheetLine, place: int) -> float:
        indent = INDENT * line.level if place == 0 else 0.0
        return indent + text_width(self._show(line.cells[place]), self._font(line), self._size)

    def _fold(self, line: SheetLine) -> Placed:
        if line.spans:
            return Placed(line, [[self._show(line.cells[0])]])
        pieces = []
        for place, cell in enumerate(line.cells):
            width = self._columns[place][1] - (INDENT * line.level if place == 0 else 0.0)
            pieces.append(fold(self._show(cell), self._font(line), self._size, width))
        return Placed(line, pieces)

    def _pages(self, placed: Sequence[Placed]) -> list[list[Placed]]:
        """Fill the pages; a heading never stands last on one, a sum never first."""
        pages: list[list[Placed]] = [[]]
        room = self._room(first=True)
        for one in placed:
            needed = self._needs(one)
            if needed > room:
                carried = _carried(pages[-1], one)
                pages.append(carried)
                room = self._room(first=False) - sum(map(self._needs, carried))
            pages[-1].append(one)
            room -= needed
        return pages

    def _needs(self, one: Placed) -> float:
        return one.height * self._step + self._space(one.line)

    def _room(self, *, first: bool) -> float:
        return self._height - 2 * MARGIN - (74.0 if first else 34.0) - 2 * self._step

    def _space(self, line: SheetLine) -> float:
        """What stands free around a line."""
        return {Style.HEADING: 10.0, Style.SUM: 9.0}.get(line.style, 2.0)

    def _draw_page(self, page: Sequence[Placed], number: int, pages: int) -> None:
        y = self._height - MARGIN
        y = self._draw_title(y) if number == 1 else self._draw_running_title(y)
        y = self._draw_header(y)
        for one in page:
            y = self._draw_line(one, y)
        self._draw_foot(number, pages)

    def _draw_title(self, y: float) -> float:
        self._put(MARGIN, y - 10, self._business, self._fonts.plain, 10.0, _QUIET)
        self._put(MARGIN, y - 33, self._sheet.title, self._fonts.bold, 20.0, _INK)
        period = f"{self._sheet.period} · {self._words('Amounts in EUR')}"
        self._put(MARGIN, y - 50, period, self._fonts.plain, 10.0, _QUIET)
        return y - 60

    def _draw_running_title(self, y: float) -> float:
        text = f"{self._business} · {self._sheet.title} · {self._sheet.period}"
        self._put(MARGIN, y - 8, text, self._fonts.plain, 7.5, _QUIET)
        return y - 20

    def _draw_header(self, y: float) -> float:
        y -= 14
        for place, column in enumerate(self._sheet.columns):
            self._put_in(place, 0.0, y, column.title, self._fonts.bold, _INK)
        self._rule(MARGIN, self._width - MARGIN, y - 5, _INK, 0.8)
        return y - 5 - self._step

    def _draw_line(self, one: Placed, y: float) -> float:
        line = one.line
        y -= self._space(line) - 2
        if line.style is Style.SUM:
            self._draw_sum_rules(y + self._size + 1)
        indent = INDENT * line.level
        for place, pieces in enumerate(one.pieces):
            for number, text in enumerate(pieces if pieces[0] else ()):
                colour = self._colour(line, line.cells[place])
                self._put_in(place, indent * (place == 0), y - number * self._step, text, self._font(line), colour)
        bottom = y - (one.height - 1) * self._step
        self._rule(MARGIN, self._width - MARGIN, bottom - 3.5, _HAIR, 0.4)
        return bottom - self._step - 2

    def _draw_sum_rules(self, y: float) -> None:
        for (left, width), column in zip(self._columns, self._sheet.columns, strict=True):
            if column.kind is not Kind.TEXT:
                self._rule(left, left + width, y, _INK, 0.6)

    def _draw_foot(self, number: int, pages: int) -> None:
        y = MARGIN - 20
        self._put(MARGIN, y, self._made, self._fonts.plain, 7.5, _QUIET)
        text = f"{self._words('Page')} {number} {self._words('of')} {pages}"
        width = text_width(text, self._fonts.plain, 7.5)
        self._put(self._width - MARGIN - width, y, text, self._fonts.plain, 7.5, _QUIET)

    def _put_in(self, place: int, indent: float, y: float, text: str, font: str, colour: tuple[float, ...]) -> None:
        """Put a text into a column: amounts to its right edge."""
        left, width = self._columns[place]
        if self._sheet.columns[place].kind is not Kind.TEXT:
            left += width - text_width(text, font, self._size)
        self._put(left + indent, y, text, font, self._size, colour)

    def _put(self, x: float, y: float, text: str, font: str, size: float, colour: tuple[float, ...]) -> None:
        self._canvas.setFillColorRGB(*colour)
        self._canvas.setFont(font, size)
        self._canvas.drawString(x, y, text)

    def _rule(self, left: float, right: float, y: float, colour: tuple[float, ...], width: float) -> None:
        self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setLineWidth(width)
        self._canvas.line(left, y, right, y)

    def _font(self, line: SheetLine) -> str:
        return self._fonts.bold if line.style in {Style.SUM, Style.HEADING} else self._fonts.plain

    def _colour(self, line: SheetLine, cell: Cell) -> tuple[float, ...]:
        if isinstance(cell, Decimal) and cell < 0:
            return _BELOW
        return _QUIET if line.style is Style.DETAIL else _INK

    def _show(self, cell: Cell) -> str:
        return format_amount(cell, self._locale) if isinstance(cell, Decimal) else cell or ""


def _carried(page: list[Placed], one: Placed) -> list[Placed]:
    """Take from a page what has to stand on the next one with a line: what a sum is the end of, and headings."""
    found = [page.pop()] if one.line.style is Style.SUM and len(page) > 1 else []
    while page and page[-1].line.style is Style.HEADING:
        found.insert(0, page.pop())
    return found


def _texts(sheet: Sheet) -> list[str]:
    titles = [column.title for column in sheet.columns]
    return titles + [cell for line in sheet.lines for cell in line.cells if isinstance(cell, str)]
