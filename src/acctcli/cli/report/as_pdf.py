"""A report on paper: A4, whose it is, the head of the table and the page number on every page.

It is tagged to be read aloud, cell by cell, unless it is long: tags take ten times the room of what they tag.

A page that goes on with an account begins with it and with the balance that is brought forward.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.sheet import Cell, Kind, Sheet, SheetLine, Style
from acctcli.errors import UsageError
from acctcli.printing.fonts import bundled_fonts, fold, text_width
from acctcli.printing.metadata import PDF_VERSION, Description, describe
from acctcli.printing.numbers import Locale
from acctcli.printing.tags import Tags

if TYPE_CHECKING:
    from acctcli.printing.logos import Logo

MARGIN = 48.0
GAP = 12.0
INDENT = 10.0
SIZE, LEAST_SIZE = 9.0, 5.0
# from the edge of the page to a logo, and from that to the title
_LOGO_EDGE, _ABOVE_TITLE = 22.0, 5.0
# what a text is folded to at least
LEAST_TEXT = 54.0
MOST_TAGGED = 2000
_INK, _QUIET, _BELOW, _HAIR = (0.11, 0.13, 0.16), (0.42, 0.45, 0.5), (0.7, 0.23, 0.19), (0.85, 0.86, 0.88)


class Imprint(NamedTuple):
    """Whose report it is: a name, and that with its number; when and by what it was made, in words, and the moment.

    `logo` is a PNG that is fit for paper, if there is one.
    """

    name: str
    business: str
    made: str
    moment: datetime
    logo: bytes | None = None


class Placed(NamedTuple):
    """A line with its texts folded to the columns; `is_again` if it says once more what another page says."""

    line: SheetLine
    pieces: list[list[str]]
    is_again: bool = False

    @property
    def height(self) -> int:
        """How many lines of text it takes."""
        return max(map(len, self.pieces), default=1)


def write(sheet: Sheet, imprint: Imprint, locale: Locale) -> bytes:
    """Return the file."""
    stream = BytesIO()
    _Paper(sheet, imprint, locale, stream).print()
    return stream.getvalue()


class _Paper:
    """Lays the lines of a sheet on pages: upright if all columns fit as they are, else across."""

    def __init__(self, sheet: Sheet, imprint: Imprint, locale: Locale, stream: BytesIO) -> None:
        self._sheet = sheet
        self._imprint = imprint
        self._locale = locale
        self._words = Labels(locale.language)
        self._fonts = bundled_fonts()
        self._logo = None if imprint.logo is None else _read_logo(imprint.logo)
        # so much further down the first page begins
        self._down = max(0.0, _LOGO_EDGE + self._logo.height + _ABOVE_TITLE - MARGIN) if self._logo else 0.0
        # only where the first column alone is text does it name the line
        self._named = all(column.kind is not Kind.TEXT for column in sheet.columns[1:])
        needs = self._fit()
        gaps = GAP * (len(needs) - 1)
        upright = sum(needs) + gaps <= A4[0] - 2 * MARGIN
        self._width: float
        self._height: float
        self._width, self._height = A4 if upright else landscape(A4)
        self._columns = self._place_columns(needs, self._width - 2 * MARGIN - gaps)
        pairs = zip(sheet.columns, self._columns, strict=True)
        self._heads = [fold(column.folding, self._fonts.bold, self._size, width) for column, (_, width) in pairs]
        # what titles of several lines take besides the last
        self._more = (max(map(len, self._heads)) - 1) * self._step
        size = (self._width, self._height)
        font = self._fonts.plain
        self._canvas = Canvas(
            stream, pagesize=size, pageCompression=1, invariant=1, pdfVersion=PDF_VERSION, initialFontName=font
        )
        title = f"{sheet.title} · {imprint.name} · {sheet.period}"
        subject = f"{sheet.title} · {imprint.business}"
        describe(self._canvas, Description(title, imprint.name, subject, locale.language, imprint.moment))
        self._tags = Tags(self._canvas) if len(sheet.lines) <= MOST_TAGGED else None

    def print(self) -> None:
        """Draw every page, then the numbers: how many there are is known at the end."""
        pages = self._pages([self._fold(line) for line in self._sheet.lines])
        for number, page in enumerate(pages, 1):
            self._draw_page(page, number, len(pages))
            (self._tags.show_page if self._tags else self._canvas.showPage)()
        if self._tags:
            self._tags.finish()
        self._canvas.save()

    def _fit(self) -> list[float]:
        """Return what the columns need, with titles folded, then letters smaller, where amounts leave texts no room."""
        columns = self._sheet.columns
        room = landscape(A4)[0] - 2 * MARGIN - GAP * (len(columns) - 1)
        self._size = SIZE
        folds = False
        while True:
            self._step = self._size * 1.4
            needs = [self._need(place, folds=folds) for place in range(len(columns))]
            pairs = zip(columns, needs, strict=True)
            least = sum(min(need, LEAST_TEXT) if column.kind is Kind.TEXT else need for column, need in pairs)
            if least <= room:
                return needs
            if self._size <= LEAST_SIZE:
                raise UsageError(
                    f"--output pdf: a page is not wide enough for {len(columns)} columns",
                    hint="ask for fewer of them, or for --output xlsx or html",
                )
            self._size -= 0.5 * folds
            folds = True

    def _place_columns(self, needs: list[float], room: float) -> list[tuple[float, float]]:
        """Return left edge and width of each column: amounts as wide as they need, texts share what is left."""
        texts = [place for place, column in enumerate(self._sheet.columns) if column.kind is Kind.TEXT]
        while sum(needs) > room + 0.01:
            widest = max(texts, key=lambda place: needs[place])
            needs[widest] -= min(sum(needs) - room, max(1.0, needs[widest] * 0.1))
        # a number or a code needs no more room than it takes
        needs[max(texts[1:] or texts, key=lambda place: needs[place])] += room - sum(needs)
        lefts = [MARGIN + sum(needs[:place]) + GAP * place for place in range(len(needs))]
        return list(zip(lefts, needs, strict=True))

    def _need(self, place: int, *, folds: bool) -> float:
        title = self._sheet.columns[place].folding
        heads = (text_width(part, self._fonts.bold, self._size) for part in (title.split(" ") if folds else [title]))
        widths = (self._measure(line, place) for line in self._sheet.lines if not line.spans)
        return max(*heads, *widths, 20.0) + 1.0

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
            if self._needs(one) > room:
                first, *others = *_moved(pages[-1], one), one
                pages.append([*self._again(pages[-1], first.line), self._begun(pages[-1], first), *others])
                room = self._room(first=False) - sum(map(self._needs, pages[-1]))
            else:
                pages[-1].append(one)
                room -= self._needs(one)
        return pages

    def _again(self, page: Sequence[Placed], first: SheetLine) -> list[Placed]:
        """Return what the page after this one begins with, where that goes on below a heading: it, and the balance."""
        if not self._sheet.carried or first.spans:
            return []
        for one in reversed(page):
            if one.line.style is Style.SUM:
                return []
            if one.line.spans:
                carried = SheetLine((*self._sheet.carried[:-1], page[-1].line.cells[-1]))
                return [one._replace(is_again=True), self._fold(carried)._replace(is_again=True)]
        return []

    def _begun(self, page: Sequence[Placed], one: Placed) -> Placed:
        """Return the line that the page after this one begins with, with what its record says once."""
        if not (count := self._sheet.once) or one.line.cells[0]:
            return one
        said = next((before.line.cells[:count] for before in reversed(page) if before.line.cells[0]), ("",) * count)
        return self._fold(one.line._replace(cells=(*said, *one.line.cells[count:])))

    def _needs(self, one: Placed) -> float:
        return one.height * self._step + self._space(one.line)

    def _room(self, *, first: bool) -> float:
        return self._height - 2 * MARGIN - (74.0 + self._down if first else 34.0) - 2 * self._step - self._more

    def _space(self, line: SheetLine) -> float:
        """What stands free around a line."""
        return {Style.HEADING: 10.0, Style.SUM: 9.0}.get(line.style, 2.0)

    def _draw_page(self, page: Sequence[Placed], number: int, pages: int) -> None:
        y = self._height - MARGIN
        y = self._draw_title(y) if number == 1 else self._draw_running_title(y)
        y = self._draw_header(y, is_again=number > 1)
        for one in page:
            y = self._draw_line(one, y)
        self._draw_foot(number, pages)

    def _part(self, kind: str, *, is_again: bool = False, **more: Any) -> AbstractContextManager[None]:
        """Tag what is drawn, unless it was read before: what pages repeat is read once."""
        return nullcontext() if is_again or self._tags is None else self._tags.element(kind, **more)

    def _draw_title(self, y: float) -> float:
        if self._logo:
            with self._part("Figure", alternative=self._imprint.name):
                if self._tags:
                    self._tags.content()
                self._logo.draw(self._canvas, MARGIN, y - self._down + _ABOVE_TITLE)
        y -= self._down
        with self._part("P"):
            self._put_fitting(y - 10, self._imprint.business, self._fonts.plain, 10.0, _QUIET)
        with self._part("H1"):
            self._put_fitting(y - 33, self._sheet.title, self._fonts.bold, 20.0, _INK)
        with self._part("P"):
            period = f"{self._sheet.period} · {self._words('Amounts in EUR')}"
            self._put_fitting(y - 50, period, self._fonts.plain, 10.0, _QUIET)
        return y - 60

    def _draw_running_title(self, y: float) -> float:
        text = f"{self._imprint.business} · {self._sheet.title} · {self._sheet.period}"
        self._put_fitting(y - 8, text, self._fonts.plain, 8.0, _QUIET)
        return y - 20

    def _put_fitting(self, y: float, text: str, font: str, size: float, colour: tuple[float, ...]) -> None:
        """Put a text from the left margin, smaller where the page is not as wide."""
        width = text_width(text, font, size)
        self._put(MARGIN, y, text, font, size * min(1.0, (self._width - 2 * MARGIN) / width if width else 1.0), colour)

    def _draw_header(self, y: float, *, is_again: bool) -> float:
        y -= 14 + self._more
        with self._part("TR", is_again=is_again, within="Table"):
            for place, pieces in enumerate(self._heads):
                with self._part("TH", is_again=is_again, scope="Column"):
                    for number, text in enumerate(pieces):
                        top = y + (len(pieces) - 1 - number) * self._step
                        self._put_in(place, 0.0, top, text, self._fonts.bold, _INK)
        self._rule(MARGIN, self._width - MARGIN, y - 5, _INK, 0.8)
        return y - 5 - self._step

    def _draw_line(self, one: Placed, y: float) -> float:
        line = one.line
        y -= self._space(line) - 2
        if line.style is Style.SUM:
            self._draw_sum_rules(line, y + self._size + 1)
        with self._part("TR", is_again=one.is_again, within="Table"):
            for place, pieces in enumerate(one.pieces):
                scope = "Row" if place == 0 and self._named else ""
                columns = len(self._columns) if line.spans else 1
                with self._part("TH" if scope else "TD", is_again=one.is_again, scope=scope, columns=columns):
                    self._draw_cell(line, place, pieces, y)
        bottom = y - (one.height - 1) * self._step
        self._rule(MARGIN, self._width - MARGIN, bottom - 3.5, _HAIR, 0.4)
        return bottom - self._step - 2

    def _draw_cell(self, line: SheetLine, place: int, pieces: Sequence[str], y: float) -> None:
        colour = self._colour(line, line.cells[place])
        for number, text in enumerate(pieces if pieces[0] else ()):
            indent = INDENT * line.level * (place == 0)
            self._put_in(place, indent, y - number * self._step, text, self._font(line), colour)

    def _draw_sum_rules(self, line: SheetLine, y: float) -> None:
        for (left, width), column, cell in zip(self._columns, self._sheet.columns, line.cells, strict=True):
            if column.kind is not Kind.TEXT and cell is not None:
                self._rule(left, left + width, y, _INK, 0.6)

    def _draw_foot(self, number: int, pages: int) -> None:
        y = MARGIN - 20
        self._put(MARGIN, y, self._imprint.made, self._fonts.plain, 7.5, _QUIET)
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
        if self._tags and self._tags.content():  # a blank parts it from what it is read after
            x, text = x - text_width(" ", font, size), f" {text}"
        self._canvas.setFillColorRGB(*colour)
        self._canvas.setFont(font, size)
        self._canvas.drawString(x, y, text)

    def _rule(self, left: float, right: float, y: float, colour: tuple[float, ...], width: float) -> None:
        if self._tags:
            self._tags.artifact()
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
        if isinstance(cell, Decimal):
            return format_amount(cell, self._locale).replace("-", "\N{MINUS SIGN}")
        return cell or ""


def _read_logo(content: bytes) -> Logo:
    from acctcli.printing.logos import Logo

    return Logo(content)


def _moved(page: list[Placed], one: Placed) -> list[Placed]:
    """Take from a page what has to stand on the next one with a line: what a sum is the end of, and headings."""
    found = [page.pop()] if one.line.style is Style.SUM and len(page) > 1 else []
    while page and page[-1].line.style is Style.HEADING:
        found.insert(0, page.pop())
    return found
