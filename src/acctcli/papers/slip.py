"""The slip at the foot of the last page: how to pay, for people and for scanners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from acctcli.models.enums import Language
from acctcli.papers.codes import BAR_HEIGHT, QR_SIDE, draw_barcode, draw_qr
from acctcli.papers.payment import Payment
from acctcli.papers.pen import ACCENT, BOLD, LABEL, LEFT, RIGHT, ROOM, SMALL, Pen, Style
from acctcli.papers.texts import Fact
from acctcli.papers.words import WORDS

_PAD = 14.0
_COLUMNS = (LEFT + _PAD, LEFT + 205.0)
_FACT_STEP = 27.0
_LEAST = BOLD._replace(size=LABEL.size)
_CODES_LEFT = RIGHT - _PAD - QR_SIDE


class _Placed(NamedTuple):
    """A fact: what it is called above its value."""

    label: str
    lines: list[str]
    style: Style

    @property
    def height(self) -> float:
        """Down to the next one."""
        return _FACT_STEP + (len(self.lines) - 1) * self.style.step


@dataclass(frozen=True)
class Slip:
    """The framed block; as high without codes as its facts need."""

    payment: Payment
    language: Language

    @property
    def height(self) -> float:
        """With the space above it."""
        columns = zip(_COLUMNS, (self.payment.account, self.payment.sum), strict=True)
        facts = max(sum(one.height for one in _placed(x, facts)) for x, facts in columns)
        barcode = BAR_HEIGHT + 8 if self.payment.barcode else 0.0
        qr = QR_SIDE + 18 if self.payment.qr else 0.0
        return 16 + 30 + max(facts + barcode, qr) + _PAD

    def draw(self, pen: Pen, top: float) -> None:
        """Draw the frame, its title, the facts in two columns, and the codes."""
        words = WORDS[self.language]
        pen.frame(LEFT, top + 16, ROOM, self.height - 16)
        pen.fill(LEFT, top + 16, ROOM, 2.2, ACCENT)
        with pen.element("H2"):
            pen.write(_COLUMNS[0], top + 35, words.pay, Style(10, is_bold=True, colour=ACCENT))
        y = top + 52
        for x, facts in zip(_COLUMNS, (self.payment.account, self.payment.sum), strict=True):
            self._draw_facts(pen, x, y, facts)
        if self.payment.barcode:
            with pen.element("Figure", alternative=self.payment.barcode):
                draw_barcode(pen, _COLUMNS[0], top + self.height - _PAD - BAR_HEIGHT, self.payment.barcode)
        if self.payment.qr:
            qr_top = top + self.height - _PAD - QR_SIDE
            with pen.element("Figure", alternative=words.scan):
                draw_qr(pen, _CODES_LEFT, qr_top, self.payment.qr)
            pen.write_to(RIGHT - _PAD, qr_top - 6, words.scan, SMALL.fit(words.scan, QR_SIDE))

    def _draw_facts(self, pen: Pen, x: float, y: float, facts: list[Fact]) -> None:
        for one in _placed(x, facts):
            with pen.element("P"):
                pen.write(x, y, one.label, LABEL)
                for place, line in enumerate(one.lines):
                    pen.write(x, y + 11.5 + place * one.style.step, line, one.style)
            y += one.height


def _placed(x: float, facts: list[Fact]) -> Iterator[_Placed]:
    """Yield facts as they stand from `x` on: on one line, however small, what is not too long to be read there."""
    room = (_COLUMNS[1] if x < _COLUMNS[1] else _CODES_LEFT) - x - 12
    for label, value in facts:
        style = BOLD.fit(value, room)
        if style.size < _LEAST.size:
            yield _Placed(label, _LEAST.balance(value, room), _LEAST)
        else:
            yield _Placed(label, [value], style)
