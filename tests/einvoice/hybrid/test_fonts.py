"""Fonts of PDFs: which letters they have, as others read the same tables."""

from __future__ import annotations

import struct
from functools import cache
from importlib.resources import files

import pytest
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
)
from reportlab.pdfbase.ttfonts import TTFontFile

from acctcli.einvoice.hybrid.fonts import font_faults
from acctcli.einvoice.hybrid.painting import UsedFont

ROBOTO = files("acctcli.printing").joinpath("roboto", "Roboto-Regular.ttf")


@cache
def bundled() -> TTFontFile:
    return TTFontFile(str(ROBOTO))


def segments() -> bytes:
    """Return the table of segments that the bundled font has, Microsoft's for Unicode."""
    font = bundled()
    cmap = font.get_table("cmap")
    for number in range(struct.unpack_from(">H", cmap, 2)[0]):
        platform, kind, start = struct.unpack_from(">2HI", cmap, 4 + 8 * number)
        shape, size = struct.unpack_from(">2H", cmap, start)
        if (platform, kind, shape) == (3, 1, 4):
            return bytes(cmap[start : start + size])
    raise AssertionError


def program(*maps: tuple[int, int, bytes]) -> bytes:
    """Return a font that has nothing but tables of letters."""
    head, tables, start = struct.pack(">2H", 0, len(maps)), b"", 4 + 8 * len(maps)
    for platform, kind, table in maps:
        head += struct.pack(">2HI", platform, kind, start + len(tables))
        tables += table
    cmap = head + tables
    return struct.pack(">I4H", 0x00010000, 1, 0, 0, 0) + struct.pack(">4s3I", b"cmap", 0, 28, len(cmap)) + cmap


def stream_of(content: bytes) -> DecodedStreamObject:
    stream = DecodedStreamObject()
    stream.set_data(content)
    return stream


def entries(**values: object) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{key}"): value for key, value in values.items()})


def faults(content: bytes, text: bytes, flags: int = 4, **more: object) -> list[str]:
    """Return what is wrong with a TrueType font in which a text is written."""
    descriptor = entries(Flags=NumberObject(flags), FontFile2=stream_of(content))
    told = {"Subtype": NameObject("/TrueType"), "BaseFont": NameObject("/Own"), **more}
    return list(font_faults(UsedFont(entries(FontDescriptor=descriptor, **told), {text})))


BYTES = struct.pack(">3H", 0, 262, 0) + bytes(60 <= code < 90 for code in range(256))
RANGE = struct.pack(">5H", 6, 30, 0, 60, 10) + struct.pack(">10H", *range(1, 10), 0)
MISSING = ["the font Own lacks a letter that is written in it (6.2.11.8)"]
TWICE = ["the codes of the font Own are told in several ways (6.2.11.6)"]


@pytest.mark.parametrize(
    ("content", "text", "told"),
    [
        (program((1, 0, BYTES)), bytes(range(60, 90)), []),
        (program((1, 0, BYTES)), bytes([60, 90]), MISSING),
        (program((1, 0, RANGE)), bytes(range(60, 69)), []),
        (program((1, 0, RANGE)), bytes([69]), MISSING),
        (program((1, 0, RANGE)), bytes([59]), MISSING),
        (program((1, 0, BYTES), (3, 1, BYTES)), b"A", TWICE),
        (program((1, 0, BYTES), (3, 0, RANGE)), b"A", []),
        (program((1, 0, struct.pack(">3H", 2, 6, 0))), b"A", TWICE),
        (program(), b"A", TWICE),
        (b"", b"A", ["the font Own cannot be read (6.2.11.4.1)"]),
        (program((1, 0, BYTES))[:100], b"AZ", MISSING),
    ],
)
def test_a_letter_that_is_written_is_there(content: bytes, text: bytes, told: list[str]) -> None:
    assert faults(content, text) == told


def test_tables_of_segments_are_read_as_others_read_them() -> None:
    known, content = bundled().charToGlyph, program((3, 0, segments()))
    for code in range(256):
        assert (faults(content, bytes([code])) == []) is bool(known.get(code))


def test_codes_that_stand_far_off_are_found() -> None:
    # one segment, from 0xF041 to 0xF042, whose letters are glyphs 1 and 2, and the last one
    table = struct.pack(">7H", 4, 32, 0, 4, 0, 0, 0) + struct.pack(
        ">9H", 0xF042, 0xFFFF, 0, 0xF041, 0xFFFF, 0x10000 - 0xF040, 1, 0, 0
    )
    assert faults(program((3, 0, table)), b"AB") == []
    assert faults(program((3, 0, table)), b"C") == MISSING


def test_codes_are_told_once() -> None:
    win, own = NameObject("/WinAnsiEncoding"), entries(Differences=ArrayObject())
    assert faults(program((1, 0, BYTES)), b"A", Encoding=win) == ["the codes of the font Own are told twice (6.2.11.6)"]
    assert faults(b"", b"A", flags=32, Encoding=win) == []
    assert faults(b"", b"A", flags=32) == ["the codes of the font Own are not told (6.2.11.6)"]
    assert faults(b"", b"A", flags=32, Encoding=own) == ["the codes of the font Own are not told (6.2.11.6)"]


@pytest.mark.parametrize(
    ("text", "more", "told"),
    [
        (b"\0\1\0\2", {}, []),
        (b"\1\0\0\1", {}, []),
        (b"\0\1\0\0", {}, MISSING),
        (b"\0\1", {"Encoding": NameObject("/UniJIS-H")}, ["the codes of the font Own are not told in it (6.2.11.3.3)"]),
    ],
)
def test_fonts_of_two_bytes_a_letter(text: bytes, more: dict[str, object], told: list[str]) -> None:
    inner = entries(
        Subtype=NameObject("/CIDFontType2"),
        CIDToGIDMap=NameObject("/Identity"),
        FontDescriptor=entries(FontFile2=stream_of(b"")),
    )
    given = {"Subtype": NameObject("/Type0"), "BaseFont": NameObject("/Own"), "Encoding": NameObject("/Identity-H")}
    font = entries(**{**given, **more}, DescendantFonts=ArrayObject([inner]))
    assert list(font_faults(UsedFont(font, {text}))) == told


def test_a_font_that_nothing_is_written_in_and_one_that_is_drawn_are_no_faults() -> None:
    assert list(font_faults(UsedFont(entries(Subtype=NameObject("/Type1")), set()))) == []
    assert list(font_faults(UsedFont(entries(Subtype=NameObject("/Type3")), {b"A"}))) == []
