"""What a file is, found in its first bytes: names and what senders claim are not believed.

A table of its own: of the libraries one takes every archive for a text document, another knows neither TIFF nor XML.
"""

from __future__ import annotations

import csv
import re
import zlib

# office documents name their parts well within this
HEAD = 2**16

UNKNOWN = "application/octet-stream"
SIGNATURES: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), name)
    for pattern, name in (
        (rb"%PDF-", "application/pdf"),
        (rb"\x89PNG\r\n\x1a\n", "image/png"),
        (rb"\xff\xd8\xff", "image/jpeg"),
        (rb"GIF8[79]a", "image/gif"),
        (rb"RIFF....WEBP", "image/webp"),
        (rb"II\*\0|MM\0\*", "image/tiff"),
        (rb"....ftyp(heic|heix|mif1)", "image/heic"),
        (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    )
)
# archives that are documents: Office Open XML by the folder of a part, OpenDocument by its first, unpacked part
ARCHIVE = re.compile(rb"PK\x03\x04")
OFFICE_PART = re.compile(rb"PK\x03\x04.{26}[/\\]?(word|xl|ppt)[/\\]", re.DOTALL)
# ...or, where pictures of theirs come first, by the part that lists the others: its method, its bytes
PART_LIST = re.compile(rb"PK\x03\x04.{4}(..).{20}\[Content_Types\]\.xml(.*)", re.DOTALL)
PART_KIND = re.compile(rb"openxmlformats-officedocument\.(wordprocessing|spreadsheet|presentation)ml\.")
DEFLATED = b"\x08\x00"
LONGEST_LIST = 2**18
OPEN_DOCUMENT = re.compile(rb"PK\x03\x04.{26}mimetype(application/vnd\.oasis\.opendocument\.[a-z-]{1,40})", re.DOTALL)
OFFICE = "application/vnd.openxmlformats-officedocument."
OFFICE_TYPES = {
    **dict.fromkeys((b"word", b"wordprocessing"), f"{OFFICE}wordprocessingml.document"),
    **dict.fromkeys((b"xl", b"spreadsheet"), f"{OFFICE}spreadsheetml.sheet"),
    **dict.fromkeys((b"ppt", b"presentation"), f"{OFFICE}presentationml.presentation"),
}
NOT_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
SEPARATORS = (";", ",", "\t")
CSV_LINES = 10


def media_type(head: bytes) -> str:
    """Return the media type of content by its first 64 KiB."""
    for pattern, name in SIGNATURES:
        if pattern.match(head):
            return name
    return _archive(head) if ARCHIVE.match(head) else _text(head)


def _archive(head: bytes) -> str:
    if document := OPEN_DOCUMENT.match(head):
        return document[1].decode()
    part = OFFICE_PART.search(head) or PART_KIND.search(_part_list(head))
    return OFFICE_TYPES[part[1]] if part else "application/zip"


def _part_list(head: bytes) -> bytes:
    """Return as much as can be read of the list of parts that an office document may begin with."""
    found = PART_LIST.match(head)
    if found is None or found[1] != DEFLATED:
        return found[2][:LONGEST_LIST] if found else b""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(found[2], LONGEST_LIST)
    except zlib.error:
        return b""


def _text(head: bytes) -> str:
    """Tell XML, tables and other text apart; HTML stays plain text, it need not be shown as a page."""
    text = _decoded(head)
    if NOT_TEXT.search(text):
        return UNKNOWN
    if text.lstrip().startswith("<?xml"):
        return "application/xml"
    return "text/csv" if _is_table(text) else "text/plain"


def _decoded(head: bytes) -> str:
    """Return the text of bytes by their mark, as UTF-8, or byte by byte: banks still send Latin-1."""
    encoding = next((name for mark, name in MARKS if head.startswith(mark)), "utf-8")
    try:
        return head.decode(encoding)
    except UnicodeDecodeError:
        return head.decode("latin-1" if encoding == "utf-8" else encoding, "ignore")


def _is_table(text: str) -> bool:
    """Whether the first lines all have the same number of cells, two at least."""
    lines = text.splitlines()[:CSV_LINES]
    return len(lines) > 1 and any(_columns(lines, separator) > 1 for separator in SEPARATORS)


def _columns(lines: list[str], separator: str) -> int:
    try:
        widths = {len(row) for row in csv.reader(lines, delimiter=separator)}
    except csv.Error:
        return 0
    return widths.pop() if len(widths) == 1 else 0
