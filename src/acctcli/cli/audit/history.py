"""What was done to one record: each change with what it made of the fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.client.messages import LARGEST_PAGE, Extent
from acctcli.errors import NotFound

if TYPE_CHECKING:
    from acctcli.cli.session.state import State

# one changes with every change and says nothing, the other is no field of a business
SILENT = {"updated_at", "came_with"}
# what a record says beside what it is of, each time anew
SAID = {"comment", "mentions"}


class _Record(msgspec.Struct):
    id: int
    created_at: str
    author: str | None
    type: str
    data: dict[str, msgspec.Raw]


_decode = msgspec.json.Decoder(_Record).decode


def history(here: State, word: str, record: int) -> Iterator[dict[str, Any]]:
    """Yield the changes of a record, the oldest first; raise NotFound where the trail has none."""
    query: dict[str, str | int] = {"resource": word, "record_id": record}
    pages = list(here.api.audit.list(query, Extent(None, LARGEST_PAGE)))
    rows = [_decode(row) for page in pages for row in page]
    if not rows:
        raise NotFound(
            f"the audit trail has nothing of {word} {record}", hint="see: acctcli audit list, for words and ids"
        )
    return _changes(reversed(rows))


def _changes(rows: Iterator[_Record]) -> Iterator[dict[str, Any]]:
    before: dict[str, str] = {}
    for row in rows:
        now = {name: bytes(value).decode() for name, value in row.data.items() if name not in SILENT}
        yield {
            "id": row.id,
            "created_at": row.created_at,
            "author": row.author or "unknown, from before the trail",
            "type": row.type,
            "changes": _told(row.type.rpartition(".")[2], before, now),
            "data": row.data,
        }
        if not row.type.endswith(".unchanged"):
            before = {name: value for name, value in now.items() if name not in SAID}


def _told(verb: str, before: dict[str, str], now: dict[str, str]) -> str:
    """Say which fields became what; of a new record all that have something, of a deleted one what it was."""
    if verb == "unchanged":
        return ""
    if verb == "deleted":
        return "; ".join(f"{name} was {value}" for name, value in before.items() if _says(value))
    changed = [(name, before.get(name), value) for name, value in now.items() if before.get(name) != value]
    return "; ".join(
        f"{name} {value}" if was is None or not before else f"{name} {was} → {value}"
        for name, was, value in changed
        if before or _says(value)
    )


def _says(value: str) -> bool:
    return value not in {"null", '""', "[]", "{}", "false"}
