"""The rows of an invoice, over as many pages as they need."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from acctcli.service.papers.content import PaperContent, PaperRow
from acctcli.service.papers.pen import BODY, INK, LABEL, LEFT, RIGHT, ROOM, SMALL, TINT, Pen, Style
from acctcli.service.papers.words import WORDS

_GAP = 10.0
_PAD = 6.0
# the column of units, whose texts begin at its left edge
_UNIT = 1
_LEAST_NAME = 125.0
_LEAST_SIZE = 4.0


class Columns:
    """The places of the cells: figures as wide as they need, the name takes what is left.

    Figures that leave the name no room are all set smaller.
    """

    def __init__(self, content: PaperContent) -> None:
        words = WORDS[content.language]
        self.name = words.name
        self.titles = (words.quantity, words.unit, words.price, words.rate, words.net, words.vat, words.total)
        self.style = BODY
        widths = self._measure(content.rows)
        while self._name_room(widths) < _LEAST_NAME and self.style.size > _LEAST_SIZE:
            self.style = self.style._replace(size=self.style.size - 0.25)
            widths = self._measure(content.rows)
        self.widths = widths
        self.name_room = self._name_room(widths)

    def _measure(self, rows: list[PaperRow]) -> list[float]:
        return [
            max([LABEL.measure(title), *(self.style.measure(row.cells[place]) for row in rows)])
            for place, title in enumerate(self.titles)
        ]

    def _name_room(self, widths: list[float]) -> float:
        return ROOM - 2 * _PAD - sum(widths) - _GAP * len(widths)

    def right_edge(self, place: int) -> float:
        """Return where a column ends."""
        after = self.widths[place + 1 :]
        return RIGHT - _PAD - sum(after) - _GAP * len(after)

    def write(self, pen: Pen, place: int, y: float, text: str, style: Style) -> None:
        """Write a text into a column."""
        right = self.right_edge(place)
        if place == _UNIT:
            pen.write(right - self.widths[place], y, text, style)
        else:
            pen.write_to(right, y, text, style)


@dataclass(frozen=True)
class TableHead:
    """The names of the columns, on every page that has rows."""

    columns: Columns
    height: float = 21.0

    def draw(self, pen: Pen, top: float) -> None:
        """Draw them on a tint."""
        style = LABEL._replace(colour=INK)
        pen.fill(LEFT, top, ROOM, self.height - 3, TINT)
        pen.write(LEFT + _PAD, top + 11.5, self.columns.name, style)
        for place, title in enumerate(self.columns.titles):
            self.columns.write(pen, place, top + 11.5, title, style)


@dataclass(frozen=True)
class TableRow:
    """One row."""

    row: PaperRow
    columns: Columns

    @cached_property
    def _name(self) -> list[str]:
        return BODY.fold(self.row.name, self.columns.name_room)

    @cached_property
    def _details(self) -> list[str]:
        return SMALL.fold(self.row.details, self.columns.name_room) if self.row.details else []

    @property
    def height(self) -> float:
        """As many lines as name and details take."""
        return len(self._name) * BODY.step + len(self._details) * SMALL.step + 8

    def draw(self, pen: Pen, top: float) -> None:
        """Draw the name, the details under it, and the figures on the first line."""
        y = top + 11
        for place, text in enumerate(self.row.cells):
            self.columns.write(pen, place, y, text, self.columns.style)
        for line in self._name:
            pen.write(LEFT + _PAD, y, line)
            y += BODY.step
        for line in self._details:
            pen.write(LEFT + _PAD, y - 1.5, line, SMALL)
            y += SMALL.step
        pen.rule(LEFT, RIGHT, top + self.height - 1)
