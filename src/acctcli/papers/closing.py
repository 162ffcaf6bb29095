"""What the rows come to: VAT by rate on the left, the totals on the right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from acctcli.papers.content import PaperContent, Share
from acctcli.papers.pen import ACCENT, BODY, LABEL, LEFT, QUIET, RIGHT, SMALL, WHITE, Pen, Style
from acctcli.papers.words import WORDS

_PAD = 6.0
_SHARES_ROOM = 262.0
_RATE_ROOM = 46.0
# base, VAT and both
_EDGES = (LEFT + 120.0, LEFT + 182.0, LEFT + _SHARES_ROOM)
_REASON_GAP = 4.0
_SUMS = RIGHT - 196.0
_STRIP = 28.0


@dataclass(frozen=True)
class Closing:
    """Both tables, which stay on one page, or a part of the left one alone."""

    content: PaperContent
    shares: tuple[Share, ...]
    has_sums: bool = True

    @cached_property
    def _shares(self) -> list[tuple[Share, list[str]]]:
        room = _SHARES_ROOM - _PAD
        return [(share, SMALL.fold(share.reason, room) if share.reason else []) for share in self.shares]

    @property
    def height(self) -> float:
        """As high as the higher of the two."""
        shares = 16 + sum(self._share_height(reason) for _, reason in self._shares) if self.shares else 0.0
        sums = len(self.content.sums) * (BODY.step + 2) + _STRIP if self.has_sums else 0.0
        return 12 + max(shares, sums) + 10

    def _share_height(self, reason: list[str]) -> float:
        return BODY.step + 2 + (len(reason) * SMALL.step + _REASON_GAP if reason else 0.0)

    def draw(self, pen: Pen, top: float) -> None:
        """Draw them side by side."""
        if self.shares:
            with pen.element("Table"):
                self._draw_shares(pen, top + 22)
        if self.has_sums:
            self._draw_sums(pen, top + 22)

    def _draw_shares(self, pen: Pen, y: float) -> None:
        words = WORDS[self.content.language]
        with pen.element("TR"):
            with pen.element("TH", scope="Column"):
                pen.write(LEFT + _PAD, y, words.rate, LABEL)
            for edge, title in zip(_EDGES, (words.net, words.vat, words.total), strict=True):
                with pen.element("TH", scope="Column"):
                    pen.write_to(edge, y, title, LABEL)
        pen.rule(LEFT, LEFT + _SHARES_ROOM, y + 4.5)
        y += 16
        style = self._figures()
        for share, reason in self._shares:
            with pen.element("TR"):
                with pen.element("TD"):
                    pen.write(LEFT + _PAD, y, share.rate)
                    for place, line in enumerate(reason):
                        pen.write(LEFT + _PAD, y + BODY.step - 1 + place * SMALL.step, line, SMALL)
                for edge, text in zip(_EDGES, share.cells, strict=True):
                    with pen.element("TD"):
                        pen.write_to(edge, y, text, style)
            y += self._share_height(reason)

    def _figures(self) -> Style:
        """Return the style of all figures of the left table: as small as the widest of a column needs."""
        starts = (LEFT + _RATE_ROOM, *(edge + 6 for edge in _EDGES))
        fits = (
            BODY.fit(text, edge - start)
            for share in self.content.shares
            for start, edge, text in zip(starts, _EDGES, share.cells, strict=False)
        )
        return min(fits, key=lambda style: style.size, default=BODY)

    def _draw_sums(self, pen: Pen, y: float) -> None:
        for label, amount in self.content.sums:
            room = RIGHT - _SUMS - 2 * _PAD - BODY.measure(label) - 8
            with pen.element("P"):
                pen.write(_SUMS + _PAD, y, label, BODY._replace(colour=QUIET))
                pen.write_to(RIGHT - _PAD, y, amount, BODY.fit(amount, room))
            y += BODY.step + 2
        self._draw_total(pen, y - 7)

    def _draw_total(self, pen: Pen, top: float) -> None:
        label, amount = self.content.total
        said, big = Style(9.5, is_bold=True, colour=WHITE), Style(13, is_bold=True, colour=WHITE)
        pen.fill(_SUMS, top, RIGHT - _SUMS, _STRIP, ACCENT)
        room = RIGHT - _SUMS - 2 * _PAD - said.measure(label) - 8
        with pen.element("P"):
            pen.write(_SUMS + _PAD, top + 17.5, label, said)
            pen.write_to(RIGHT - _PAD, top + 18.5, amount, big.fit(amount, room))


def closings(content: PaperContent, room: float) -> list[Closing]:
    """Return the tables as parts of at most `room` points; the totals stand beside the last of the rates."""
    parts: list[tuple[Share, ...]] = [()]
    for share in content.shares:
        longer = (*parts[-1], share)
        if parts[-1] and Closing(content, longer).height > room:
            parts.append((share,))
        else:
            parts[-1] = longer
    return [Closing(content, part, place == len(parts)) for place, part in enumerate(parts, 1)]
