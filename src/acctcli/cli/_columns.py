"""Pick fields out of raw rows: only the columns asked for are decoded, numbers keep the digits the service sent."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import msgspec

from acctcli.errors import ServerFault, UsageError

ALL = "all"
_MISSING = msgspec.Raw()
_decode_text = msgspec.json.Decoder(str).decode
_decode_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def parse_columns(text: str | None, default: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of `--columns a,b.c`, or the default; raise UsageError for an empty name."""
    if text is None:
        return tuple(default)
    names = tuple(name.strip() for name in text.split(","))
    if not all(part for name in names for part in name.split(".")):
        raise UsageError(f"--columns {text!r}: a name is empty; write them like id,name")
    if len(set(names)) != len(names):
        raise UsageError(f"--columns {text!r}: a name comes twice")
    return names


class Picker:
    """Takes the named fields out of raw JSON objects; `a.b` reaches into nested ones."""

    def __init__(self, columns: Sequence[str], sample: msgspec.Raw) -> None:
        names = tuple(_decode_object(sample)) if tuple(columns) == (ALL,) else tuple(columns)
        self.columns = names
        self._paths = [name.split(".") for name in names]
        tops = dict.fromkeys(path[0] for path in self._paths)
        slots = {top: f"f{position}" for position, top in enumerate(tops)}
        shape = msgspec.defstruct(
            "Row",
            [(slot, msgspec.Raw, _MISSING) for slot in slots.values()],
            rename={slot: top for top, slot in slots.items()},
            gc=False,
        )
        self._decode = msgspec.json.Decoder(shape).decode
        self._slots = [slots[path[0]] for path in self._paths]
        self._refuse_unknown(sample)

    def pick(self, row: msgspec.Raw) -> list[msgspec.Raw]:
        """Return the fields of one row in column order; a field the row lacks is empty."""
        record = self._decode(row)
        found: list[msgspec.Raw] = [getattr(record, slot) for slot in self._slots]
        for position, path in enumerate(self._paths):
            if len(path) > 1:
                found[position] = _reach(found[position], path[1:])
        return found

    def texts(self, row: msgspec.Raw) -> list[str]:
        """Return the fields of one row as text."""
        return [cell_text(cell) for cell in self.pick(row)]

    def _refuse_unknown(self, sample: msgspec.Raw) -> None:
        record = self._decode(sample)
        for name, slot in zip(self.columns, self._slots, strict=True):
            if not bytes(getattr(record, slot)):
                known = list(_decode_object(sample))
                near = get_close_matches(name, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"fields: {', '.join(known)}"
                raise UsageError(f"--columns: there is no field {name!r}", hint=hint)


def cell_text(cell: msgspec.Raw) -> str:
    """Return a JSON value as plain text: strings unquoted, null empty, numbers digit for digit."""
    value = bytes(cell)
    first = value[:1]
    if first == b'"':
        return decode_text(value)
    if value == b"null":
        return ""
    if first in b"{[" and value:
        return msgspec.json.format(value, indent=-1).decode("utf-8", "replace")
    return value.decode("ascii", "replace")


def decode_text(value: bytes) -> str:
    """Decode a JSON string; a lone surrogate becomes the replacement character."""
    try:
        return _decode_text(value)
    except msgspec.DecodeError:
        import json

        text: str = json.loads(value)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_number(cell: msgspec.Raw) -> bool:
    """Tell whether a raw JSON value is a number."""
    return bytes(memoryview(cell)[:1]) in {b"-", *(b"%d" % digit for digit in range(10))}


def select_json(columns: Sequence[str], cells: Sequence[msgspec.Raw]) -> bytes:
    """Return a JSON object of just the columns, the values as the service wrote them."""
    pairs = (
        msgspec.json.encode(name) + b":" + (bytes(cell) or b"null") for name, cell in zip(columns, cells, strict=True)
    )
    return b"{" + b",".join(pairs) + b"}"


def _reach(cell: msgspec.Raw, path: Sequence[str]) -> msgspec.Raw:
    for name in path:
        if bytes(memoryview(cell)[:1]) != b"{":
            return _MISSING
        cell = _decode_object(cell).get(name, _MISSING)
    return cell


def check_object(value: bytes) -> msgspec.Raw:
    """Return a body that is one JSON object as a raw row; raise ServerFault if it is not."""
    try:
        _decode_object(value)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise ServerFault(
            "the service answered with something that is not the expected JSON object",
            code="unreadable_reply",
        ) from problem
    return msgspec.Raw(value)
