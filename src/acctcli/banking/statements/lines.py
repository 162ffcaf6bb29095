"""Text files of banks as numbered lines, in whatever of few encodings they are written."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from typing import BinaryIO

from acctcli.banking.statements.model import StatementFault

_LONGEST = 2**16


def raw_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield lines without their ends, counted from 1; raise StatementFault for one that no statement has."""
    number = 0
    while line := stream.readline(_LONGEST + 1):
        number += 1
        if len(line) > _LONGEST:
            raise StatementFault(f"the line is longer than {_LONGEST:,} bytes", number)
        if number == 1:
            refuse_utf16(line)
        yield number, line.rstrip(b"\r\n\x1a")


def refuse_utf16(beginning: bytes) -> None:
    """Raise StatementFault for a text in UTF-16, as spreadsheets save "Unicode text", with what to do."""
    if beginning.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise StatementFault("it is written in UTF-16: save it as UTF-8")


def decoded_lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield lines as text: UTF-8, or Windows-1252 from the first line on that is no UTF-8."""
    encoding = "utf-8"
    for number, line in raw_lines(stream):
        raw = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            encoding = "cp1252"
            text = _as_windows(raw, number)
        if "\x00" in text:
            raise StatementFault("there is a NUL character, as in no text", number)
        yield number, text


def _as_windows(raw: bytes, number: int) -> str:
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        raise StatementFault("the line is neither UTF-8 nor Windows-1252", number) from None
