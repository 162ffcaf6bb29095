"""A long report as one indented JSON document, its records written as they come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

import msgspec

_END = b"\n  ]\n}"


class Records(Protocol):
    """The raw records of a report's array in pieces.

    `before` holds the fields in front of the array, None when there is no such array; `rest` holds every other field
    when the last piece was handed out.
    """

    array: str

    @property
    def before(self) -> dict[str, msgspec.Raw] | None:
        """The fields in front of the array."""

    @property
    def rest(self) -> dict[str, msgspec.Raw]:
        """All other fields."""

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        """Yield the pieces, none of them empty."""


def write(records: Records) -> Iterator[bytes]:
    """Yield the document, byte for byte what indenting it as a whole would make."""
    pieces = iter(records)
    first = next(pieces, [])
    before = records.before or {}
    if first:
        lead = _indented({records.array: [0]}).removesuffix(b"    0" + _END)
        yield _indented({**before, records.array: first}).removesuffix(_END)
        for rows in pieces:
            yield b",\n" + _indented({records.array: rows}).removeprefix(lead).removesuffix(_END)
    behind = {name: value for name, value in records.rest.items() if name not in before}
    if first:
        yield b"\n  ]" + (b"," + _indented(behind).removeprefix(b"{") if behind else b"\n}")
    else:
        array: dict[str, list[msgspec.Raw]] = {} if records.before is None else {records.array: []}
        yield _indented({**before, **array, **behind})
    yield b"\n"


def _indented(fields: Mapping[str, object]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(fields), indent=2)
