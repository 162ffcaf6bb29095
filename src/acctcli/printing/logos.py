"""Logos: made fit for paper once, when somebody sends one, and placed in a box on each (docs/law.md 7.6).

What is fit is a PNG in plain colours on white: no transparency, profile or metadata, which archives forbid or readers
take each in a way of its own, and no margin, so that it stands where texts begin.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from functools import cached_property
from io import BytesIO

from PIL import ImageOps
from PIL.Image import Image, new
from PIL.ImageChops import invert
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from acctcli.printing.fonts import DRAWING

LARGEST = 2**20
# of what is sent, in pixels a side, and of what is kept: 400 dots an inch of the widest, and within 1 MiB
MOST_PIXELS = 4000
_FIT = (1000, 340)
# on paper, in points: 63 x 15.5 mm, and a pixel is never larger than on a screen
_ROOM = (180.0, 44.0)
_PIXEL = 0.75
# what differs from white by less is not seen
_FAINT = 24
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
# of its head: how many bits a channel has
_DEPTH = 24
# what a JPEG in progressive steps begins each of them with; each is worked out over all of the picture, and programs
# make ten or so
_SCAN, _MOST_SCANS = b"\xff\xda", 50
_UNREAD = "The picture is broken, or not whole: save it again."
# what readers of pictures raise at broken ones
_BROKEN = (OSError, SyntaxError, ValueError, LookupError, ArithmeticError, TypeError, struct.error, zlib.error)


class LogoError(ValueError):
    """A picture is none, or none that can stand on paper."""


class Logo:
    """A logo that is fit for paper: its size in points, as it fits into the box for one."""

    def __init__(self, content: bytes) -> None:
        self._image = PngImageFile(BytesIO(content))
        width, height = self._image.size
        scale = min(_PIXEL, _ROOM[0] / width, _ROOM[1] / height)
        self.width, self.height = width * scale, height * scale

    @cached_property
    def _reader(self) -> ImageReader:
        return ImageReader(self._image)

    def draw(self, canvas: Canvas, left: float, bottom: float) -> None:
        """Draw it, its lower left corner there, in points from that of the page."""
        canvas.drawImage(self._reader, left, bottom, self.width, self.height)


def made_fit(content: bytes) -> bytes:
    """Return what is kept of a picture that somebody sent; LogoError, a sentence for people, where it is no logo."""
    if len(content) > LARGEST:
        raise LogoError(f"A logo may have {LARGEST // 2**20} MiB.")
    # one at a time, as papers are: it takes memory, and what the reader of pictures warns of concerns nobody
    with DRAWING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _made_fit(content)


def _made_fit(content: bytes) -> bytes:
    image = _opened(content)
    if max(image.size) > MOST_PIXELS:
        width, height = image.size
        most = f"{MOST_PIXELS:,} x {MOST_PIXELS:,}"
        raise LogoError(f"A logo may have {most} pixels, and this one has {width:,} x {height:,}.")
    try:
        made = _fitting(_on_white(image))
    except _BROKEN as fault:
        raise LogoError(_UNREAD) from fault
    if made is None:
        raise LogoError("Nothing of this logo is seen on white paper: send one in darker colours.")
    stream = BytesIO()
    made.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _opened(content: bytes) -> Image:
    """Return a picture of which the head alone was read, by what it is and not by what it is called."""
    try:
        if content.startswith(_PNG):
            return _checked_png(PngImageFile(BytesIO(content)), content)
        if content.startswith(_JPEG):
            return _checked_jpeg(JpegImageFile(BytesIO(content)), content)
    except LogoError:
        raise
    except _BROKEN as fault:
        raise LogoError(_UNREAD) from fault
    raise LogoError("A logo is a PNG or a JPEG, and this is neither.")


def _checked_png(image: PngImageFile, content: bytes) -> Image:
    if content[_DEPTH] == 16:
        raise LogoError("This PNG has 16 bits a channel: save it with 8.")
    if image.is_animated:
        raise LogoError("This PNG is animated: save one of its pictures.")
    return image


def _checked_jpeg(image: JpegImageFile, content: bytes) -> Image:
    if image.mode not in {"RGB", "L"}:
        raise LogoError("This JPEG has the colours of a press (CMYK): save it in RGB.")
    if content.count(_SCAN) > _MOST_SCANS:
        raise LogoError("This JPEG is made in too many steps: save it without progressive steps.")
    return image


def _on_white(image: Image) -> Image:
    """Return a picture the right way up, as it looks on paper."""
    ImageOps.exif_transpose(image, in_place=True)
    if image.mode == "RGB" and "transparency" not in image.info:
        return image
    clear = image if image.mode == "RGBA" else image.convert("RGBA")
    white = new("RGB", clear.size, "white")
    white.paste(clear, mask=clear.getchannel("A"))
    return white


def _fitting(image: Image) -> Image | None:
    """Return a picture without its margin, in a size for paper; None where nothing of it is seen."""
    seen = invert(image).convert("L").point([0] * _FAINT + [255] * (256 - _FAINT)).getbbox()
    if seen is None:
        return None
    cut = image.crop(seen)
    cut.thumbnail(_FIT)
    # a copy of the points alone: what came with the picture is not kept
    plain = new("RGB", cut.size)
    plain.paste(cut)
    return plain
