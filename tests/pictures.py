"""Pictures that people may send as logos."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image
from PIL.ImageDraw import Draw
from pypdf import PdfReader

INK = (200, 60, 30, 255)


def picture(width: int = 240, height: int = 60, ink: tuple[int, ...] = INK, mode: str = "RGBA", **saved: Any) -> bytes:
    """Return a PNG, or what `format` says, with a blot in the middle of a transparent ground, or a white one."""
    drawn = Image.new("RGBA", (width, height), (255, 255, 255, 0))
    Draw(drawn).ellipse((width // 4, height // 4, width - width // 4, height - height // 4), fill=ink)
    ground = Image.new("RGBA", drawn.size, "white")
    ground.alpha_composite(drawn)
    return file_of(drawn if mode == "RGBA" else ground.convert("RGB").convert(mode), **saved)


def inks(pdf: bytes) -> list[tuple[int, ...]]:
    """Return what colour is in the middle of each picture of a PDF."""
    found = (one.image for page in PdfReader(BytesIO(pdf)).pages for one in page.images)
    return [_middle(one) for one in found if one is not None]


def _middle(image: Image.Image) -> tuple[int, ...]:
    colour = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(colour, tuple)
    return colour


def file_of(image: Image.Image, **saved: Any) -> bytes:
    """Return the file of a picture."""
    stream = BytesIO()
    image.save(stream, **{"format": "PNG", **saved})
    return stream.getvalue()
