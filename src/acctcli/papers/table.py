"""The rows of a paper, over as many pages as they need."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property

from acctcli.papers.content import PaperContent, PaperRow
from acctcli.papers.pen import BODY, BOLD, INK, LABEL, LEFT, RIGHT, ROOM, SMALL, TINT, Pen, Style
from acctcli.papers.speaker import Speaker
from acctcli.printing.numbers import LOCALES

_GAP = 13.0
_PAD = 6.0
_LEAST_NAME = 125.0
_LEAST_SIZE = 4.0


class Columns:
    """The places of the cells: figures as wide as they need, the name takes what is left.

    Figures stand with their decimal marks under each other. Those that leave the name no room are all set smaller.
    """

    def __init__(self, content: PaperContent) -> None:
        self.speaker, self._mark = Speaker(content.language), LOCALES[content.language].mark
        self.heads = content.heads
        self.style = BODY
        widths = self._measure(content.rows)
        while self._name_room(widths) < _LEAST_NAME and self.style.size > _LEAST_SIZE:
            self.style = self.style._replace(size=self.style.size - 0.25)
            widths = self._measure(content.rows)
        self.widths = widths
        self.name_room = self._name_room(widths)
        self._decimals = [
            max(halves[1] for halves in self._halves(content.rows, place)) for place in range(len(widths))
        ]

    def _measure(self, rows: list[PaperRow]) -> list[float]:
        return [
            max(LABEL.measure(title), sum(map(max, zip(*self._halves(rows, place), strict=True))))
            for place, title in enumerate(self.heads.titles)
        ]

    def _halves(self, rows: list[PaperRow], place: int) -> list[tuple[float, float]]:
        """Return how wide the cells of a column are before their decimal mark, and from it on."""
        cells = [row.cells[place].partition(self._mark) for row in rows] or [("", "", "")]
        return [(self.style.measure(whole), self.style.measure(mark + decimals)) for whole, mark, decimals in cells]

    def _name_room(self, widths: list[float]) -> float:
        return ROOM - 2 * _PAD - sum(widths) - _GAP * len(widths)

    def right_edge(self, place: int) -> float:
        """Return where a column ends."""
        after = self.widths[place + 1 :]
        return RIGHT - _PAD - sum(after) - _GAP * len(after)

    def title(self, pen: Pen, place: int, y: float, style: Style) -> None:
        """Write what a column is called."""
        right, text = self.right_edge(place), self.heads.titles[place]
        pen.write(right - (self.widths[place] if place in self.heads.texts else style.measure(text)), y, text, style)

    def write(self, pen: Pen, place: int, y: float, text: str) -> None:
        """Write a text, or a figure with its decimal mark under the others."""
        right, whole = self.right_edge(place), text.partition(self._mark)[0]
        before = self.widths[place] if place in self.heads.texts else self._decimals[place] + self.style.measure(whole)
        pen.write(right - before, y, text, self.style)


@dataclass(frozen=True)
class TableHead:
    """The names of the columns, on every page that has rows."""

    columns: Columns
    is_repeated: bool = False
    height: float = 21.0

    def draw(self, pen: Pen, top: float) -> None:
        """Draw them on a tint."""
        pen.fill(LEFT, top, ROOM, self.height - 3, TINT)
        if self.is_repeated:
            self._write(pen, top, nullcontext)
        else:
            with pen.element("TR", within="Table"):
                self._write(pen, top, lambda: pen.element("TH", scope="Column"))

    def _write(self, pen: Pen, top: float, cell: Callable[[], AbstractContextManager[None]]) -> None:
        style = LABEL._replace(colour=INK)
        with cell():
            pen.write(LEFT + _PAD, top + 11.5, self.columns.heads.name, style)
        for place in range(len(self.columns.heads.titles)):
            with cell():
                self.columns.title(pen, place, top + 11.5, style)


@dataclass(frozen=True)
class Carried:
    """What rows above come to, where they go on: at the foot of a page, or at the head of the next."""

    row: PaperRow
    columns: Columns
    is_over: bool
    height: float = 18.0

    def draw(self, pen: Pen, top: float) -> None:
        """Write it into the column of what rows come to."""
        words, place = self.columns.speaker.words, self.columns.heads.carried
        pen.write(LEFT + _PAD, top + 11, words.carried_over if self.is_over else words.carried_on, SMALL)
        self.columns.write(pen, place, top + 11, self.columns.speaker.amount(self.row.carried))
        if self.is_over:
            pen.rule(LEFT, RIGHT, top + self.height - 1)


@dataclass(frozen=True)
class TableRow:
    """One row."""

    row: PaperRow
    columns: Columns

    @property
    def _style(self) -> Style:
        return BOLD if self.row.leads else BODY

    @cached_property
    def _name(self) -> list[str]:
        return self._style.balance(self.row.name, self.columns.name_room)

    @cached_property
    def _details(self) -> list[str]:
        return SMALL.fold(self.row.details, self.columns.name_room) if self.row.details else []

    @property
    def height(self) -> float:
        """As many lines as name and details take."""
        return len(self._name) * BODY.step + len(self._details) * SMALL.step + 8

    def draw(self, pen: Pen, top: float) -> None:
        """Draw the name, the details under it, and the figures on the first line."""
        with pen.element("TR", within="Table"):
            with pen.element("TD"):
                self._write_name(pen, top + 11)
            for place, text in enumerate(self.row.cells):
                with pen.element("TD"):
                    self.columns.write(pen, place, top + 11, text)
        pen.rule(LEFT, RIGHT, top + self.height - 1)

    def _write_name(self, pen: Pen, y: float) -> None:
        for line in self._name:
            pen.write(LEFT + _PAD, y, line, self._style)
            y += BODY.step
        for line in self._details:
            pen.write(LEFT + _PAD, y - 1.5, line, SMALL)
            y += SMALL.step
