"""Names that come twice in one object: readers of JSON take the first or the last, and the other's rows are lost."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from acctcli.client.bounds import RECORD

_decode_rows = msgspec.json.Decoder(list[msgspec.Raw]).decode


def comes_twice(text: bytes | bytearray, rows: Sequence[msgspec.Raw]) -> bool:
    """Whether a name comes twice at the top of an object; its rows, which need not be read for that, are in it.

    Of more around the rows than a record may be nothing is known, and so of an object where they stand twice.
    """
    if len(text) - sum(map(len, rows)) > RECORD.size:
        return True
    names = _names(_without(text, rows) if rows else text)
    if names is None:
        # what looks like a row stands elsewhere too
        names = _names(text)
    return names is None or len(set(names)) < len(names)


def _without(text: bytes | bytearray, rows: Sequence[msgspec.Raw]) -> bytes | bytearray:
    """Return what stands around the rows, nothing where it is in doubt which that is."""
    start, end = text.find(memoryview(rows[0])), text.rfind(memoryview(rows[-1])) + len(rows[-1])
    size, gaps = sum(map(len, rows)), len(rows) - 1
    if end - start not in {size + gaps, size + 2 * gaps}:
        try:
            if len(_decode_rows(b"[" + text[start:end] + b"]")) != len(rows):
                return b""
        except (msgspec.DecodeError, RecursionError):
            return b""
    return text[:start] + text[end:]


def _names(text: bytes | bytearray) -> list[str] | None:
    """Return the names at the top of an object, None for what is no object, or one too large to be read whole."""
    if not RECORD.allows(text):
        return None
    try:
        pairs = json.loads(text, object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        return None
    return [name for name, _ in pairs] if isinstance(pairs, tuple) else None
