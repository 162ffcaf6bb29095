"""What stands above and below the rows: who, to whom, when, and the page."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from acctcli.papers.content import PaperContent
from acctcli.papers.pen import ACCENT, BODY, BOLD, HEIGHT, LEFT, QUIET, RIGHT, ROOM, SMALL, Pen, Style
from acctcli.papers.words import WORDS

if TYPE_CHECKING:
    from acctcli.printing.logos import Logo

TOP = 46.0
_NAME = Style(14, is_bold=True, colour=ACCENT)
_TITLE = Style(19, is_bold=True)
_BESIDE_TITLE = 20.0
# it names whose the invoice is by law: as dark as the rest
_FOOT = Style(7.5)
# where the window of an envelope shows the buyer, 50 mm down (DIN 5008, SFS 2487)
_WINDOW = 142.0
_BUYER_ROOM = 235.0
_FACTS = 318.0
_VALUES = 425.0
# a logo stands above the name of the seller, into the margin of the page, and parts from it by so much
_EDGE = 22.0
_ABOVE_NAME = 19.0


@dataclass(frozen=True)
class Head:
    """The upper part of the first page."""

    content: PaperContent
    logo: Logo | None = None

    @cached_property
    def _down(self) -> float:
        """How far down the base line of the seller's name is."""
        return max(14.0, _EDGE + self.logo.height + _ABOVE_NAME - TOP if self.logo else 0.0)

    @property
    def _name_room(self) -> float:
        return ROOM - _TITLE.measure(self.content.title) - _BESIDE_TITLE

    @cached_property
    def _name(self) -> list[str]:
        return _NAME.balance(self.content.seller[0], self._name_room)

    @cached_property
    def _sender(self) -> list[str]:
        return SMALL.fold(" · ".join(self.content.seller[1:]), self._name_room)

    @cached_property
    def _line(self) -> float:
        """How far down the line under seller and title is."""
        seller = self._down + (len(self._name) - 1) * _NAME.step + len(self._sender) * SMALL.step
        return seller + 14

    @cached_property
    def _start(self) -> float:
        return max(_WINDOW - TOP, self._line + 26)

    @cached_property
    def _buyer(self) -> list[tuple[str, Style]]:
        name, *others = self.content.buyer
        lines = [(line, BOLD) for line in BOLD.balance(name, _BUYER_ROOM)]
        lines += [(line, BODY) for other in others for line in BODY.fold(other, _BUYER_ROOM)]
        return lines + [(f"{label} {value}", BODY) for label, value in self.content.buyer_ids]

    @cached_property
    def _facts(self) -> list[tuple[str, list[str]]]:
        return [(label, BODY.fold(value, RIGHT - _VALUES)) for label, value in self.content.facts]

    @property
    def height(self) -> float:
        """Down to where the rows begin."""
        facts = sum(len(lines) for _, lines in self._facts) * BODY.step
        return self._start + max(len(self._buyer) * BODY.step, facts) + 14

    def draw(self, pen: Pen, top: float) -> None:
        """Draw seller and title, a line, and under it buyer and facts."""
        with pen.element("H1"):
            pen.write_to(RIGHT, top + 16, self.content.title, _TITLE)
        if self.logo:
            with pen.element("Figure", alternative=self.content.seller[0]):
                pen.place(LEFT, top + self._down - _ABOVE_NAME, self.logo)
        with pen.element("P"):
            for place, line in enumerate(self._name):
                pen.write(LEFT, top + self._down + place * _NAME.step, line, _NAME)
            under = top + self._down + (len(self._name) - 1) * _NAME.step + 13
            for place, line in enumerate(self._sender):
                pen.write(LEFT, under + place * SMALL.step, line, SMALL)
        pen.rule(LEFT, RIGHT, top + self._line, ACCENT, 1.4)
        self._draw_buyer(pen, top + self._start)
        self._draw_facts(pen, top + self._start)

    def _draw_buyer(self, pen: Pen, y: float) -> None:
        with pen.element("P"):
            for place, (line, style) in enumerate(self._buyer):
                pen.write(LEFT, y + place * BODY.step, line, style)

    def _draw_facts(self, pen: Pen, y: float) -> None:
        for label, lines in self._facts:
            with pen.element("P"):
                pen.write(_FACTS, y, label, BODY._replace(colour=QUIET))
                for line in lines:
                    pen.write(_VALUES, y, line)
                    y += BODY.step


@dataclass(frozen=True)
class Continuation:
    """The upper edge of every page but the first."""

    content: PaperContent
    height: float = 30.0

    def draw(self, pen: Pen, top: float) -> None:
        """Draw a reminder of what this is a page of."""
        title = f"{self.content.title} {self.content.number}"
        seller = SMALL.fold(self.content.seller[0], ROOM - SMALL.measure(title) - 20)[0]
        pen.write(LEFT, top + 8, seller, SMALL)
        pen.write_to(RIGHT, top + 8, title, SMALL)
        pen.rule(LEFT, RIGHT, top + 16, ACCENT, 1.0)


class Foot:
    """The lower edge of every page: the seller in three columns, and the number of the page."""

    _edge = HEIGHT - 40.0
    _columns = (LEFT, LEFT + 195, LEFT + 350)

    def __init__(self, content: PaperContent) -> None:
        self._page = WORDS[content.language].page
        rooms = (185.0, 145.0, RIGHT - self._columns[2])
        self._lines = [
            [line for text in column for line in _FOOT.fold(text, room)]
            for column, room in zip(content.foot, rooms, strict=True)
        ]

    @property
    def top(self) -> float:
        """Where it begins."""
        return self._edge - max(map(len, self._lines)) * _FOOT.step - 4

    def draw(self, pen: Pen, number: int, pages: int) -> None:
        """Draw it; what every page repeats is read once, at the end."""
        pen.rule(LEFT, RIGHT, self.top)
        for x, lines in zip(self._columns, self._lines, strict=True):
            with pen.element("P") if lines and number == pages else nullcontext():
                for place, line in enumerate(lines):
                    pen.write(x, self.top + 13 + place * _FOOT.step, line, _FOOT)
        pen.write_to(RIGHT, HEIGHT - 24, self._page.format(number, pages), SMALL)
