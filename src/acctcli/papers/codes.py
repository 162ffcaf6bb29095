"""The codes that scanners and banking applications read (docs/law.md 6.2, 6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from reportlab.graphics.barcode.code128 import Code128
from reportlab.graphics.barcode.qrencoder import QRECI, QR8bitByte, QRCode, QRErrorCorrectLevel

from acctcli.papers.pen import BLACK, HEIGHT, Pen

# 12 mm high and 0.3 mm a module: with its quiet zones the barcode stays within the 105 mm of the banks' guide
BAR_HEIGHT, _MODULE = 34.0, 0.84
# 36 mm: the modules of usual payloads are wider than half a millimetre
QR_SIDE = 102.0
# the number of UTF-8 among the extended channel interpretations
_UTF_8 = 26


def draw_barcode(pen: Pen, left: float, top: float, digits: str) -> None:
    """Draw Code 128 C in black, as printers make other inks of dots; the guide wants no digits under the bars."""
    pen.tags.content()
    pen.canvas.setFillColorRGB(*BLACK)
    barcode = Code128(digits, barWidth=_MODULE, barHeight=BAR_HEIGHT, quiet=False)
    barcode.drawOn(pen.canvas, left, HEIGHT - top - BAR_HEIGHT)


class _Utf8(QRECI):  # type: ignore[misc]
    """Tells the reader that the bytes are UTF-8, which many guess wrong; reportlab forgets the room it takes."""

    bitlength = 8

    def __init__(self) -> None:
        super().__init__(_UTF_8)


def draw_qr(pen: Pen, left: float, top: float, payload: str) -> None:
    """Draw a QR code at error level M, the dark modules as one shape: seams between them would show on screens."""
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(_Utf8())
    code.addData(QR8bitByte(payload))
    code.make()
    count = code.getModuleCount()
    side = QR_SIDE / count
    shape = pen.canvas.beginPath()
    for row in range(count):
        for column, length in _dark_runs([code.isDark(row, column) for column in range(count)]):
            shape.rect(left + column * side, HEIGHT - top - (row + 1) * side, length * side, side)
    pen.tags.content()
    pen.canvas.setFillColorRGB(*BLACK)
    pen.canvas.drawPath(shape, stroke=0, fill=1)


def _dark_runs(modules: list[bool]) -> Iterator[tuple[int, int]]:
    """Return where runs of dark modules begin and how long they are."""
    place = 0
    for is_dark, run in groupby(modules):
        length = len(list(run))
        if is_dark:
            yield place, length
        place += length
