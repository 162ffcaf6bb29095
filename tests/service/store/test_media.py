"""Media types are found in the content."""

from __future__ import annotations

import pytest

from acctcli.service.store.media import HEAD, UNKNOWN, media_type
from tests.service.files import PDF, PNG, archive

OFFICE = "application/vnd.openxmlformats-officedocument."
OPEN = "application/vnd.oasis.opendocument."
TYPES = ("[Content_Types].xml", b"<Types/>")
SHEET = b'<Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
MAIN = ("[Content_Types].xml", b"<Types>" + SHEET + b"</Types>")
EXAMPLES: dict[str, tuple[bytes, str]] = {
    "pdf": (PDF, "application/pdf"),
    "png": (PNG, "image/png"),
    "jpeg": (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
    "gif": (b"GIF89a\1\0\1\0", "image/gif"),
    "webp": (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
    "tiff, little end first": (b"II*\0\x08\0\0\0", "image/tiff"),
    "tiff, big end first": (b"MM\0*\0\0\0\x08", "image/tiff"),
    "heic": (b"\0\0\0\x18ftypheic\0\0\0\0", "image/heic"),
    "old office": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(9), "application/x-ole-storage"),
    "docx": (archive(TYPES, ("word/document.xml", b"<x/>")), f"{OFFICE}wordprocessingml.document"),
    "xlsx": (archive(TYPES, ("docProps/app.xml", b"<x/>"), ("xl/workbook.xml", b"")), f"{OFFICE}spreadsheetml.sheet"),
    "xlsx with its picture first": (
        archive(MAIN, ("docProps/thumbnail.jpeg", bytes(HEAD)), ("xl/workbook.xml", b"")),
        f"{OFFICE}spreadsheetml.sheet",
    ),
    "the same, packed": (
        archive(MAIN, ("docProps/thumbnail.jpeg", bytes(HEAD)), packed=True)[: HEAD // 2],
        f"{OFFICE}spreadsheetml.sheet",
    ),
    "xlsx with names from the root": (archive(("/xl/workbook.xml", b"")), f"{OFFICE}spreadsheetml.sheet"),
    "a list of parts that is damaged": (
        archive(MAIN, packed=True).replace(b"[Content_Types].xml", b"[Content_Types].xml\xff\xff", 1),
        "application/zip",
    ),
    "pptx": (archive(TYPES, ("ppt/presentation.xml", b"")), f"{OFFICE}presentationml.presentation"),
    "ods": (archive(("mimetype", f"{OPEN}spreadsheet".encode()), ("content.xml", b"")), f"{OPEN}spreadsheet"),
    "zip": (archive(("a.txt", b"b")), "application/zip"),
    "zip that holds a pdf": (archive(("a.pdf", PDF)), "application/zip"),
    "xml": (b'<?xml version="1.0"?>\n<Invoice/>', "application/xml"),
    "xml with a mark": (b'\xef\xbb\xbf<?xml version="1.0"?><Invoice/>', "application/xml"),
    "html stays text": (b"<!doctype html><script>alert(1)</script>", "text/plain"),
    "svg without a declaration": (b"<svg onload='alert(1)'/>", "text/plain"),
    "csv, semicolons": (b"date;amount\n2026-01-01;1,00\n", "text/csv"),
    "csv, quoted commas": (b'"a, b",1\n"c",2\n', "text/csv"),
    "csv, tabs": (b"a\tb\n1\t2\n", "text/csv"),
    "csv of a bank, Latin-1": ("Päivä;Määrä\n1.1.2026;1,00\n".encode("latin-1"), "text/csv"),
    "csv of a spreadsheet, UTF-16": ("Päivä;Määrä\n1.1.2026;1,00\n".encode("utf-16"), "text/csv"),
    "text": ("Kuitti, äää\nEi muuta\n".encode(), "text/plain"),
    "one line": (b"a;b", "text/plain"),
    "text cut inside a letter": (("ä" * HEAD).encode()[: HEAD - 1], "text/plain"),
    "bytes": (bytes(range(256)), UNKNOWN),
    "a pdf that begins later": (b"\0" + PDF, UNKNOWN),
    "an archive cut short": (b"PK\x03\x04", "application/zip"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_type_is_found(name: str) -> None:
    content, expected = EXAMPLES[name]
    assert media_type(content) == expected
