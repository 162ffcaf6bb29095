"""Running text: what the seller says above the rows and below them."""

from __future__ import annotations

from dataclasses import dataclass

from acctcli.papers.pen import BODY, LEFT, ROOM, Pen, Style

_AFTER = 12.0


@dataclass(frozen=True)
class TextLine:
    """One line of running text."""

    text: str
    style: Style = BODY
    space: float = 0.0

    @property
    def height(self) -> float:
        """The line, and the space under it."""
        return self.style.step + self.space

    def draw(self, pen: Pen, top: float) -> None:
        """Write it."""
        with pen.element("P"):
            pen.write(LEFT, top + self.style.size, self.text, self.style)


def running_text(texts: list[str], style: Style) -> list[TextLine]:
    """Return the lines of paragraphs across the page, with a space under the last."""
    lines = [line for text in texts for line in style.fold(text, ROOM)]
    return [TextLine(line, style, _AFTER if place == len(lines) else 0.0) for place, line in enumerate(lines, 1)]
