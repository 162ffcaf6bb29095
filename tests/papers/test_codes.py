"""The codes on an invoice as they are drawn (docs/law.md 6.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from acctcli.papers.codes import QR_SIDE, draw_qr
from acctcli.papers.pen import HEIGHT

if TYPE_CHECKING:
    from acctcli.papers.pen import Pen


class Drawn(list[tuple[float, float, float, float]]):
    """A pen, its canvas and the path on that: notes rectangles, by their lower left corner, width and height."""

    @property
    def canvas(self) -> Drawn:
        return self

    @property
    def tags(self) -> Drawn:
        return self

    def content(self) -> None:
        """Mark nothing."""

    def beginPath(self) -> Drawn:  # noqa: N802 - the name that reportlab gives it
        return self

    def rect(self, *edges: float) -> None:
        self.append(cast("tuple[float, float, float, float]", edges))

    def setFillColorRGB(self, *colour: float) -> None:  # noqa: N802 - the same
        """Draw nothing."""

    def drawPath(self, path: Drawn, **how: int) -> None:  # noqa: N802 - the same
        """Draw nothing."""


def test_a_code_fills_its_square_at_error_level_m() -> None:
    """70 bytes are of version 5 at level M, 37 modules a side; at level L version 4 would hold them."""
    drawn = Drawn()
    draw_qr(cast("Pen", drawn), 100, 200, "x" * 70)
    assert [height for *_, height in drawn] == pytest.approx([QR_SIDE / 37] * len(drawn))
    assert min(left for left, *_ in drawn) == 100
    assert max(left + width for left, _, width, _ in drawn) == pytest.approx(100 + QR_SIDE)
    assert min(bottom for _, bottom, *_ in drawn) == pytest.approx(HEIGHT - 200 - QR_SIDE)
    assert max(bottom + height for _, bottom, _, height in drawn) == pytest.approx(HEIGHT - 200)
