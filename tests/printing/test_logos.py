"""Logos: what is kept of a picture, what is refused and why, and the box on paper."""

from __future__ import annotations

import random
import zlib
from io import BytesIO

import pytest
from PIL import Image

from acctcli.printing.logos import LARGEST, Logo, LogoError, made_fit
from tests.pictures import file_of, picture


def with_size(content: bytes, width: int, height: int) -> bytes:
    """Let a PNG claim to be of another size, as those do that burst in who reads them."""
    head = b"IHDR" + width.to_bytes(4) + height.to_bytes(4) + content[24:29]
    return content[:12] + head + zlib.crc32(head).to_bytes(4) + content[33:]


def with_scans(content: bytes, more: int) -> bytes:
    """Let a progressive JPEG say its last scan over and over: a small file that takes minutes to read."""
    last = content.rindex(b"\xff\xda")
    return content[:-2] + content[last:-2] * more + content[-2:]


@pytest.mark.parametrize(
    "content",
    [
        picture(),
        picture(mode="RGB"),
        picture(mode="P"),
        picture(mode="LA"),
        picture(mode="1"),
        picture(mode="RGB", format="JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0"),
        picture(mode="L", format="JPEG", progressive=True),
    ],
)
def test_what_is_kept_is_the_picture_on_white_alone(content: bytes) -> None:
    made = made_fit(content)
    with Image.open(BytesIO(made)) as image:
        assert (image.format, image.mode, image.info) == ("PNG", "RGB", {})
        # without the margin, of which a JPEG blurs the edge
        assert abs(image.width - 121) < 3
        assert abs(image.height - 31) < 3
        assert min(image.crop((0, 0, 1, 1)).tobytes()) > 250
    assert made_fit(made) == made


def test_the_right_way_up() -> None:
    """As cameras say it is."""
    exif = Image.Exif()
    exif[0x0112] = 6
    made = made_fit(picture(240, 60, mode="RGB", format="JPEG", exif=exif.tobytes()))
    with Image.open(BytesIO(made)) as image:
        assert image.height > image.width


def test_half_transparent_is_as_pale_as_on_paper() -> None:
    with Image.open(BytesIO(made_fit(picture(ink=(0, 0, 0, 128))))) as image:
        assert image.getpixel((image.width // 2, image.height // 2)) == (127, 127, 127)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "A logo is a PNG or a JPEG, and this is neither."),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "A logo is a PNG or a JPEG, and this is neither."),
        (picture(mode="P", format="GIF"), "A logo is a PNG or a JPEG, and this is neither."),
        (picture() + bytes(LARGEST), "A logo may have 1 MiB."),
        (picture(4001, 8), "A logo may have 4,000 x 4,000 pixels, and this one has 4,001 x 8."),
        (
            with_size(picture(), 2**31 - 1, 2**31 - 1),
            "A logo may have 4,000 x 4,000 pixels, and this one has 2,147,483,647 x 2,147,483,647.",
        ),
        (with_size(picture(), 4000, 4000), "The picture is broken, or not whole: save it again."),
        (with_size(picture(), 0, 9), "The picture is broken, or not whole: save it again."),
        (picture()[:-60], "The picture is broken, or not whole: save it again."),
        (picture(mode="RGB", format="JPEG")[:-60], "The picture is broken, or not whole: save it again."),
        (picture(mode="CMYK", format="JPEG"), "This JPEG has the colours of a press (CMYK): save it in RGB."),
        (
            with_scans(picture(mode="RGB", format="JPEG", progressive=True), 60),
            "This JPEG is made in too many steps: save it without progressive steps.",
        ),
        (file_of(Image.new("I;16", (9, 9))), "This PNG has 16 bits a channel: save it with 8."),
        (
            picture(save_all=True, append_images=[Image.new("RGBA", (240, 60), "red")]),
            "This PNG is animated: save one of its pictures.",
        ),
        (
            picture(ink=(255, 255, 255, 255)),
            "Nothing of this logo is seen on white paper: send one in darker colours.",
        ),
        (picture(ink=(0, 0, 0, 0)), "Nothing of this logo is seen on white paper: send one in darker colours."),
    ],
)
def test_what_is_no_logo_is_refused_with_the_reason(content: bytes, why: str) -> None:
    with pytest.raises(LogoError) as refused:
        made_fit(content)
    assert str(refused.value) == why


@pytest.mark.filterwarnings("error")
def test_broken_pictures_are_refused_or_read_and_nothing_else_comes_of_them() -> None:
    dice = random.Random(7)
    whole = [
        picture(),
        picture(mode="P"),
        picture(mode="RGB", format="JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12"),
    ]
    outcomes: set[object] = set()
    for _ in range(400):
        content = bytearray(dice.choice(whole))
        for _ in range(dice.randint(1, 3)):
            content[dice.randrange(len(content))] = dice.randrange(256)
        content = content[: dice.randint(9, len(content) * 2)]
        try:
            outcomes.add(made_fit(bytes(content))[:4])
        except LogoError as refused:
            outcomes.add(str(refused))
    assert b"\x89PNG" in outcomes
    assert "The picture is broken, or not whole: save it again." in outcomes


@pytest.mark.parametrize(
    ("size", "box"),
    [((2000, 100), (180.0, 9.0)), ((100, 2000), (2.2, 44.0)), ((900, 900), (44.0, 44.0)), ((16, 8), (12.0, 6.0))],
)
def test_a_logo_fits_into_its_box_and_none_is_made_coarse(size: tuple[int, int], box: tuple[float, float]) -> None:
    logo = Logo(made_fit(file_of(Image.new("RGB", size, "red"))))
    assert (logo.width, logo.height) == pytest.approx(box, rel=0.02)
