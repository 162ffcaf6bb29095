"""What a PDF says that ISO 19005-3 (PDF/A-3b) does not allow in an archive; its clauses stand beside each rule.

Only pages that pass may be said to be PDF/A. What is looked for is listed in docs/law.md 7.10, and what is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, StreamObject

from acctcli.einvoice.hybrid.fonts import font_faults
from acctcli.einvoice.hybrid.objects import array, at, dictionary, everything
from acctcli.einvoice.hybrid.painting import CMYK, DEVICE_CMYK, FITTED, INTENTS, SMOOTHED, painted

# what may not stand in the document, its names, and objects of a kind
_OF_THE_ROOT = {
    "/AA": "6.5.2",
    "/AcroForm": "6.4.1",
    "/Collection": "6.8",
    "/NeedsRendering": "6.4.2",
    "/OCProperties": "6.9",
    "/Perms": "6.1.12",
    "/Requirements": "6.11",
}
_OF_NAMES = {"/AlternatePresentations": "6.10", "/EmbeddedFiles": "6.8", "/JavaScript": "6.5.1"}
_OF_STREAMS = {"/F": "6.1.7.1", "/FFilter": "6.1.7.1", "/FDecodeParms": "6.1.7.1"}
_OF_KINDS = {
    "/Page": {"/AA": "6.5.2", "/PresSteps": "6.10"},
    "/Form": {"/OPI": "6.2.9.1", "/PS": "6.2.9.1", "/Ref": "6.2.9.2", "/Subtype2": "6.2.9.1"},
    "/Image": {"/Alternates": "6.2.8", "/OPI": "6.2.8"},
}
_OF_STATES = {"/HT": "6.2.5", "/HTP": "6.2.5", "/TR": "6.2.5"}
_FILTERS = frozenset(
    f"/{name}Decode" for name in ("ASCIIHex", "ASCII85", "CCITTFax", "DCT", "Flate", "JBIG2", "RunLength")
)
_BLENDS = frozenset(
    f"/{name}"
    for name in (
        *("Normal", "Compatible", "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn"),
        *("HardLight", "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity"),
    )
)
_DEEDS = frozenset(
    f"/{name}"
    for name in (
        *("GoTo3DView", "Hide", "ImportData", "JavaScript", "Launch", "Movie", "NoOp", "Rendition", "ResetForm"),
        *("SetOCGState", "SetState", "Sound", "SubmitForm", "Trans"),
    )
)
_PAGE_TURNS = frozenset({"/FirstPage", "/LastPage", "/NextPage", "/PrevPage"})
# flags of links: printed; and invisible, hidden, not in a view, or seen there and then only
_PRINTED, _UNSEEN = 4, 1 | 2 | 32 | 256


def archive_faults(reader: PdfReader) -> Iterator[str]:
    """Yield what may not stand in an archive, in words, each with the clause of ISO 19005-3."""
    root = reader.root_object
    yield from _forbidden(root, _OF_THE_ROOT, "it")
    yield from _forbidden(dictionary(at(root, "/Names")), _OF_NAMES, "it")
    for one in everything(root):
        if isinstance(one, DictionaryObject):
            yield from _of_dictionary(one)
        elif isinstance(one, ArrayObject) and DEVICE_CMYK in array(one):
            yield CMYK
    paint = painted(reader)
    yield from paint.faults
    for used in paint.fonts:
        yield from font_faults(used)


def _forbidden(found: DictionaryObject, keys: Mapping[str, str], what: str) -> Iterator[str]:
    for key, clause in keys.items():
        if key in found:
            yield f"{what} has {key[1:]} ({clause})"


def _of_dictionary(one: DictionaryObject) -> Iterator[str]:
    for kind in (at(one, "/Type"), at(one, "/Subtype")):
        if isinstance(kind, NameObject):
            yield from _forbidden(one, _OF_KINDS.get(kind, {}), f"an object ({kind[1:]})")
    if isinstance(one, StreamObject):
        yield from _of_stream(one)
    for state in dictionary(at(one, "/ExtGState")).values():
        yield from _of_state(dictionary(state))
    yield from _of_action(one)
    for annotation in array(at(one, "/Annots")):
        yield from _of_annotation(dictionary(annotation))
    if DEVICE_CMYK in (at(one, "/ColorSpace"), at(one, "/CS")):
        yield CMYK


def _of_stream(one: StreamObject) -> Iterator[str]:
    yield from _forbidden(one, _OF_STREAMS, "a stream")
    for name in array(at(one, "/Filter")):
        if name not in _FILTERS:
            yield f"a stream is packed by {str(name)[1:]} (6.1.7.2)"
    if at(one, "/Subtype") == "/PS":
        yield "it has PostScript in it (6.2.9.3)"
    if at(one, "/Subtype") == "/Image" and bool(at(one, "/Interpolate")):
        yield SMOOTHED
    if at(one, "/Intent") not in {None, *INTENTS}:
        yield FITTED


def _of_state(one: DictionaryObject) -> Iterator[str]:
    """Yield what is wrong with a state of painting, which need not say that it is one."""
    yield from _forbidden(one, _OF_STATES, "a state of painting")
    if any(isinstance(name, NameObject) and name not in _BLENDS for name in array(at(one, "/BM"))):
        yield "colours are mixed in a way of its own (6.2.10)"
    if at(one, "/RI") not in {None, *INTENTS}:
        yield FITTED
    if at(one, "/TR2") not in {None, "/Default"}:
        yield "a state of painting has TR2 (6.2.5)"


def _of_action(one: DictionaryObject) -> Iterator[str]:
    """Yield an action that does something but lead to a place."""
    deed = at(one, "/S")
    if deed in _DEEDS:
        yield f"it can do something: {deed[1:]} (6.5.1)"
    if deed == "/Named" and at(one, "/N") not in _PAGE_TURNS:
        yield "it can do something: Named (6.5.1)"


def _of_annotation(one: DictionaryObject) -> Iterator[str]:
    kind, flags = at(one, "/Subtype"), at(one, "/F") or 0
    if kind != "/Link" or "/AA" in one:
        yield f"a page has more on it than links: {str(kind)[1:]} (6.3.1)"
    elif not flags & _PRINTED or flags & _UNSEEN:
        yield "a link is not printed (6.3.2)"
