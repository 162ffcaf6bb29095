"""Whether a font is in the file, and has every letter that is written in it (ISO 19005-3, 6.2.11)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from pypdf.generic import DictionaryObject, StreamObject

from acctcli.einvoice.hybrid.objects import array, at, dictionary
from acctcli.einvoice.hybrid.painting import UsedFont

_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_SYMBOLIC = 4
_IDENTITY = frozenset({"/Identity-H", "/Identity-V"})
_ENCODINGS = frozenset({"/MacRomanEncoding", "/WinAnsiEncoding"})
# tables of letters: formats of 256 bytes, of segments, and of one range
_BYTES, _SEGMENTS, _RANGE = 0, 4, 6
# codes of a symbolic font stand from here on where they are of Microsoft's kind
_PRIVATE = 0xF000
# platform and kind of it
_MICROSOFT = (3, 0)


def font_faults(used: UsedFont) -> Iterator[str]:
    """Yield what is wrong with a font; one that nothing is written in is not used, whatever names it."""
    font, kind = used.font, at(used.font, "/Subtype")
    if kind == "/Type3" or not used.texts:
        return
    inner = dictionary(next(iter(array(at(font, "/DescendantFonts"))), None)) if kind == "/Type0" else font
    descriptor = dictionary(at(inner, "/FontDescriptor"))
    name = str(at(font, "/BaseFont"))[1:]
    if not any(isinstance(at(descriptor, key), StreamObject) for key in _PROGRAMS):
        yield f"the font {name} is not in it (6.2.11.4.1)"
    elif kind == "/Type0":
        yield from _of_composite(name, font, inner, used.texts)
    elif kind == "/TrueType":
        yield from _of_truetype(name, font, descriptor, used.texts)


def _of_composite(name: str, font: DictionaryObject, inner: DictionaryObject, texts: set[bytes]) -> Iterator[str]:
    encoding = at(font, "/Encoding")
    if encoding not in _IDENTITY and not isinstance(encoding, StreamObject):
        yield f"the codes of the font {name} are not told in it (6.2.11.3.3)"
    if at(inner, "/Subtype") == "/CIDFontType2" and "/CIDToGIDMap" not in inner:
        yield f"the letters of the font {name} are not told by their codes (6.2.11.3.2)"
    if encoding in _IDENTITY and any(b"\0\0" in _pairs(text) for text in texts):
        yield _missing(name)


def _of_truetype(name: str, font: DictionaryObject, descriptor: DictionaryObject, texts: set[bytes]) -> Iterator[str]:
    is_symbolic = bool((at(descriptor, "/Flags") or 0) & _SYMBOLIC)
    encoding = at(font, "/Encoding")
    if not is_symbolic:
        base = at(encoding, "/BaseEncoding") if isinstance(encoding, DictionaryObject) else encoding
        if base not in _ENCODINGS:
            yield f"the codes of the font {name} are not told (6.2.11.6)"
        return
    if encoding is not None:
        yield f"the codes of the font {name} are told twice (6.2.11.6)"
    program = at(descriptor, "/FontFile2")
    try:
        letters = _letters(program.get_data() if isinstance(program, StreamObject) else b"")
    except struct.error:
        yield f"the font {name} cannot be read (6.2.11.4.1)"
        return
    if letters is None:
        yield f"the codes of the font {name} are told in several ways (6.2.11.6)"
    elif any(not letters.get(code) and not letters.get(_PRIVATE + code) for text in texts for code in text):
        yield _missing(name)


def _missing(name: str) -> str:
    return f"the font {name} lacks a letter that is written in it (6.2.11.8)"


def _pairs(text: bytes) -> set[bytes]:
    return {text[start : start + 2] for start in range(0, len(text), 2)}


def _letters(program: bytes) -> dict[int, int] | None:
    """Return the glyphs of a TrueType font by their codes; None where not one table, or Microsoft's, tells them."""
    head = struct.iter_unpack(">4s3I", _cut(program, 12, 16 * _u16(program, 4)))
    start = next((start for tag, _, start, _ in head if tag == b"cmap"), None)
    if start is None:
        return None
    cmap = program[start:]
    known = struct.iter_unpack(">2HI", _cut(cmap, 4, 8 * _u16(cmap, 2)))
    maps = {(platform, kind): place for platform, kind, place in known}
    if len(maps) != 1 and _MICROSOFT not in maps:
        return None
    table = cmap[maps.get(_MICROSOFT, next(iter(maps.values()))) :]
    reader = _READERS.get(_u16(table, 0))
    return reader(table) if reader else None


def _of_bytes(table: bytes) -> dict[int, int]:
    return dict(enumerate(_cut(table, 6, 256)))


def _of_range(table: bytes) -> dict[int, int]:
    first, count = _u16(table, 6), _u16(table, 8)
    return dict(enumerate(_words(table, 10, count), first))


def _of_segments(table: bytes) -> dict[int, int]:
    count = _u16(table, 6) // 2
    ends, starts, steps, places = (_words(table, 14 + 2 * count * row + (2 if row else 0), count) for row in range(4))
    found = {}
    for number, (start, end, step, place) in enumerate(zip(starts, ends, steps, places, strict=True)):
        for code in range(start, end + 1):
            glyph = code
            if place:
                glyph = _u16(table, 16 + 6 * count + 2 * number + place + 2 * (code - start))
            found[code] = (glyph + step) % 65536 if glyph or not place else 0
    return found


_READERS = {_BYTES: _of_bytes, _SEGMENTS: _of_segments, _RANGE: _of_range}


def _cut(content: bytes, start: int, size: int) -> bytes:
    return content[start : start + size]


def _words(content: bytes, start: int, count: int) -> tuple[int, ...]:
    return struct.unpack(f">{count}H", _cut(content, start, 2 * count))


def _u16(content: bytes, start: int) -> int:
    return _words(content, start, 1)[0]
