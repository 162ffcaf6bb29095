"""What the pages of a PDF are painted with: operators, colours, and fonts with the codes of their letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pypdf import PdfReader
from pypdf.generic import ByteStringObject, ContentStream, DictionaryObject, StreamObject, TextStringObject

from acctcli.einvoice.hybrid.objects import array, at, dictionary

# of PDF 1.7, with what is made of BI, ID and EI
_OPERATORS = frozenset(
    b"b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri "
    b"s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \"".split()
)
_INLINE = b"INLINE IMAGE"
# some ten seconds of reading; an invoice of 300 rows has 0.4 MB
_MOST = 8 * 2**20
_CMYK_OPERATORS = frozenset({b"k", b"K"})
DEVICE_CMYK = "/DeviceCMYK"
INTENTS = frozenset({"/AbsoluteColorimetric", "/Perceptual", "/RelativeColorimetric", "/Saturation"})
CMYK = "it has colours of CMYK, and no profile tells what they are (6.2.4.3)"
FITTED = "colours are fitted in a way of its own (6.2.6)"
SMOOTHED = "an image is smoothed (6.2.8)"
_SHOWING = frozenset({b"Tj", b"TJ", b"'", b'"'})


class UsedFont(NamedTuple):
    """A font, and the texts that are written in it, as bytes."""

    font: DictionaryObject
    texts: set[bytes]


class Painted(NamedTuple):
    """What was found on all pages: fonts, and what no archive takes, with its clause of ISO 19005-3."""

    fonts: list[UsedFont]
    faults: list[str]


class _Content(NamedTuple):
    """What is painted, and what its names mean."""

    stream: Any
    resources: DictionaryObject


def painted(reader: PdfReader) -> Painted:
    """Return what pages, and what stands on them as a whole, are painted with; ValueError where that is too much."""
    fonts: dict[int, UsedFont] = {}
    faults: list[str] = []
    size = 0
    for content in _contents(reader):
        stream = ContentStream(content.stream, reader)
        size += len(stream.get_data())
        if size > _MOST:
            raise ValueError(f"what its pages are painted with is longer than {_MOST // 2**20} MiB")
        current: UsedFont | None = None
        kept: list[UsedFont | None] = []
        for operands, operator in stream.operations:
            if operator == b"q":
                kept.append(current)
            elif operator == b"Q" and kept:
                current = kept.pop()
            elif operator == b"Tf":
                current = _font(content, operands, fonts)
            elif operator in _SHOWING and current is not None:
                current.texts.update(_texts(operands))
            else:
                faults += _faults(operator, operands)
    return Painted(list(fonts.values()), faults)


def _faults(operator: bytes, operands: Any) -> Iterator[str]:
    if operator == _INLINE:
        yield from _of_inline(dictionary(operands.get("settings")))
    elif operator not in _OPERATORS:
        yield f"pages are painted with {operator.decode('latin-1')}, which PDF does not know (6.2.2)"
    elif operator in _CMYK_OPERATORS or DEVICE_CMYK in operands:
        yield CMYK
    elif operator == b"ri" and operands[0] not in INTENTS:
        yield FITTED


def _of_inline(image: DictionaryObject) -> Iterator[str]:
    """Yield what is wrong with a small picture that stands among the operators, whose words are short."""
    if {at(image, "/CS"), at(image, "/ColorSpace")} & {"/CMYK", DEVICE_CMYK}:
        yield CMYK
    if {"/LZW", "/LZWDecode"} & {str(name) for key in ("/F", "/Filter") for name in array(at(image, key))}:
        yield "a picture is packed by LZW (6.1.10)"
    if bool(at(image, "/I")) or bool(at(image, "/Interpolate")):
        yield SMOOTHED


def _contents(reader: PdfReader) -> Iterator[_Content]:
    """Yield the pages, and the forms, patterns and drawn letters that their names lead to."""
    seen: set[int] = set()
    pages = (page for page in reader.pages if "/Contents" in page)
    waiting = [_Content(page["/Contents"], dictionary(at(page, "/Resources"))) for page in pages]
    while waiting:
        content = waiting.pop()
        yield content
        for part in _parts(content.resources):
            if id(part.stream) not in seen:
                seen.add(id(part.stream))
                waiting.append(part)


def _parts(resources: DictionaryObject) -> Iterator[_Content]:
    drawn = [dictionary(one) for kind in ("/XObject", "/Pattern") for one in dictionary(at(resources, kind)).values()]
    masks = (dictionary(at(dictionary(one), "/SMask")) for one in dictionary(at(resources, "/ExtGState")).values())
    for stream in (*drawn, *(dictionary(at(mask, "/G")) for mask in masks)):
        if isinstance(stream, StreamObject) and at(stream, "/Subtype") != "/Image":
            yield _Content(stream, dictionary(at(stream, "/Resources")) or resources)
    for one in dictionary(at(resources, "/Font")).values():
        font = dictionary(one)
        for letter in dictionary(at(font, "/CharProcs")).values():
            yield _Content(letter.get_object(), dictionary(at(font, "/Resources")) or resources)


def _font(content: _Content, operands: list[Any], fonts: dict[int, UsedFont]) -> UsedFont | None:
    font = dictionary(at(dictionary(at(content.resources, "/Font")), operands[0]))
    return fonts.setdefault(id(font), UsedFont(font, set())) if font else None


def _texts(operands: list[Any]) -> Iterator[bytes]:
    for one in (part for operand in operands for part in array(operand)):
        if isinstance(one, (TextStringObject, ByteStringObject)):
            yield one.original_bytes
