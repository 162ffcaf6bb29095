"""The fonts of paper, and how wide their letters are."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import as_file, files
from threading import RLock
from typing import NamedTuple

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont


class Fonts(NamedTuple):
    """A family in two weights."""

    plain: str
    bold: str


# a font of reportlab reads its file from one place for all threads: one document is drawn at a time
DRAWING = RLock()


def bundled_fonts() -> Fonts:
    """Return the family that comes with the program, which has the letters of all of Europe (docs/law.md 7.6)."""
    with DRAWING:
        return _register()


@lru_cache
def _register() -> Fonts:
    bundled = Fonts("Roboto-Regular", "Roboto-Bold")
    for name in bundled:
        with as_file(files("acctcli.printing").joinpath("roboto", f"{name}.ttf")) as path:
            pdfmetrics.registerFont(TTFont(name, str(path)))
    return bundled


def fold(text: str, font: str, size: float, room: float) -> list[str]:
    """Break a text at spaces, and words that are too long anywhere, into pieces of at most `room` points."""
    if text_width(text, font, size) <= room:
        return [text]
    pieces = [""]
    for word in text.split(" "):
        longer = f"{pieces[-1]} {word}".strip()
        if text_width(longer, font, size) <= room:
            pieces[-1] = longer
            continue
        pieces.append("")
        for letter in word:
            if text_width(pieces[-1] + letter, font, size) > room:
                pieces.append("")
            pieces[-1] += letter
    return [piece for piece in pieces if piece]


@lru_cache(maxsize=100_000)
def text_width(text: str, font: str, size: float) -> float:
    """Measure a text; books repeat themselves, and measuring was most of the time a long one took."""
    points: float = stringWidth(text, font, size)
    return points
