"""A report as text in columns: indented names, amounts to the right, a thin rule above every sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain, islice

from rich.cells import cell_len, chop_cells

from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.sheet import Cell, Kind, Sheet, SheetLine, Style
from acctcli.printing.numbers import Locale

INDENT = 2
_GAP = "  "
_RULE = "─"
_BOLD, _RED, _PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"
_NARROWEST = 8
# lines written at a time
_PART = 1000


def draw(sheet: Sheet, locale: Locale, width: int | None = None, *, colour: bool = False) -> Iterator[bytes]:
    """Yield the table in parts; with a `width`, texts are folded to fit it, amounts never are.

    With `colour`, headings and sums are bold and negative amounts red, in the escapes of terminals. A journal has
    hundreds of thousands of lines: their texts are made to be measured, and again to be written.
    """
    pen = _Pen(
        _fit(sheet, _widths(sheet, locale), width), [column.kind is not Kind.TEXT for column in sheet.columns], colour
    )
    head = [*pen.row([column.title for column in sheet.columns]), _RULE * pen.width]
    rows = chain(head, _rows(sheet, locale, pen))
    while part := list(islice(rows, _PART)):
        yield ("\n".join(part) + "\n").encode("utf-8", "replace")


def _rows(sheet: Sheet, locale: Locale, pen: _Pen) -> Iterator[str]:
    for position, line in enumerate(sheet.lines):
        texts = _texts(line, locale)
        if line.style is Style.SUM:
            yield pen.rule()
        if line.spans:
            if position:
                yield ""
            yield pen.heading(texts[0])
        else:
            yield from pen.row(texts, line)


class _Pen:
    """Draws rows of fixed widths."""

    def __init__(self, widths: Sequence[int], numeric: Sequence[bool], colour: bool) -> None:
        self._widths = widths
        self._numeric = numeric
        self._colour = colour
        self.width = sum(widths) + len(_GAP) * (len(widths) - 1)

    def row(self, texts: Sequence[str], line: SheetLine | None = None) -> Iterator[str]:
        """Yield a row, on as many lines as its longest text takes when folded."""
        folded = [_folded(text, width) for text, width in zip(texts, self._widths, strict=True)]
        for number in range(max(map(len, folded))):
            pieces = [pieces[number] if number < len(pieces) else "" for pieces in folded]
            yield _GAP.join(self._cell(place, text, line) for place, text in enumerate(pieces)).rstrip()

    def heading(self, text: str) -> str:
        """Return a line of one text; where it is too long it runs over the columns."""
        return f"{_BOLD}{text}{_PLAIN}" if self._colour else text

    def rule(self) -> str:
        """Return a thin rule below every column of amounts."""
        pairs = zip(self._widths, self._numeric, strict=True)
        return _GAP.join((_RULE if numeric else " ") * width for width, numeric in pairs).rstrip()

    def _cell(self, place: int, text: str, line: SheetLine | None) -> str:
        pad = " " * (self._widths[place] - cell_len(text))
        shown = self._painted(text, line.style, line.cells[place]) if self._colour and line and text else text
        return pad + shown if self._numeric[place] else shown + pad

    def _painted(self, text: str, style: Style, cell: Cell) -> str:
        is_negative = isinstance(cell, Decimal) and cell < 0
        codes = _BOLD * (style in {Style.SUM, Style.HEADING}) + _RED * is_negative
        return f"{codes}{text}{_PLAIN}" if codes else text


def _texts(line: SheetLine, locale: Locale) -> list[str]:
    texts = [format_amount(cell, locale) if isinstance(cell, Decimal) else cell or "" for cell in line.cells]
    if not isinstance(line.cells[0], Decimal):
        texts[0] = " " * (INDENT * line.level) + texts[0]
    return texts


def _widths(sheet: Sheet, locale: Locale) -> list[int]:
    widths = [cell_len(column.title) for column in sheet.columns]
    for line in sheet.lines:
        if not line.spans:
            widths = list(map(max, widths, map(cell_len, _texts(line, locale))))
    return widths


def _fit(sheet: Sheet, widths: list[int], width: int | None) -> list[int]:
    """Take from the widest text until everything fits, or no text can give any more."""
    if width is None:
        return widths
    texts = [place for place, column in enumerate(sheet.columns) if column.kind is Kind.TEXT]
    excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
    while excess > 0:
        widest = max(texts, key=lambda place: widths[place])
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
        excess -= 1
    return widths


def _folded(text: str, width: int) -> list[str]:
    """Break a text into pieces of at most `width` cells, at spaces where there are any; the indent stays."""
    if cell_len(text) <= width:
        return [text]
    indent = text[: len(text) - len(text.lstrip(" "))]
    room = max(1, width - len(indent))
    pieces = [""]
    for word in text.split():
        longer = f"{pieces[-1]} {word}".strip()
        if cell_len(longer) <= room:
            pieces[-1] = longer
        else:
            pieces.extend(chop_cells(word, room))
    return [indent + piece for piece in pieces if piece]
