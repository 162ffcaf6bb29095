"""What is sent once, such as the lines of a file, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import msgspec

from acctcli.client.messages import Reply


class Traits(msgspec.Struct, array_like=True, frozen=True):
    """What tells a line that was mended from another: its day, and digests of its description and of its sums.

    The sums are its accounts with their amounts; without any the digest is empty.
    """

    day: date
    text: str
    sums: str


@dataclass(frozen=True)
class ItemKind:
    """The words for what is sent, such as post, posting, posted, a line that becomes a document; `get` fetches one.

    Where it is `compared`, items may be mended between two runs: all are known before the first is sent.
    """

    verb: str
    doing: str
    done: str
    unit: str
    noun: str
    get: Callable[[int], Reply]
    compared: bool = False


@dataclass(frozen=True)
class Item:
    """One of what is sent, and where it stands: its number, and how that is told.

    `digest` is of its content, `send` sends it under a key. `near` are the records it may be, and `says` tells of one
    whether it is, or None where that cannot be told. What is compared with what was sent before has `traits`.
    """

    number: int
    place: str
    digest: str
    send: Callable[[str], Reply]
    near: Callable[[], Iterable[bytes]]
    says: Callable[[bytes], bool | None]
    traits: Traits | None = None


Span = tuple[tuple[int, int], tuple[int, int]]


def spans(items: Sequence[tuple[int, int]]) -> list[Span]:
    """Put together what follows each other, in numbers and in ids."""
    found: list[Span] = []
    for number, made in items:
        if found and found[-1][1] == (number - 1, made - 1):
            found[-1] = found[-1][0], (number, made)
        else:
            found.append(((number, made), (number, made)))
    return found


def named_in(these: Sequence[Span], kind: ItemKind, be: str) -> str:
    """Name items with their records, such as `lines 1-3 are documents 7-9`."""
    several = {"is": "are", "was": "were"}[be]
    return ", ".join(
        f"{kind.unit} {number} {be} {kind.noun} {made}"
        if number == last
        else f"{kind.unit}s {number}-{last} {several} {kind.noun}s {made}-{last_made}"
        for (number, made), (last, last_made) in these
    )


def numbers_in(these: Sequence[Span]) -> str:
    """Write the numbers as `--lines` takes them."""
    return ",".join(str(first) if first == last else f"{first}-{last}" for (first, _), (last, _) in these)


def told_there(there: Sequence[tuple[int, int]], kind: ItemKind) -> str:
    """Name what is there, and how to send just that once more."""
    found = spans(there)
    numbers = numbers_in(found)
    just = f"--again --lines {numbers}" if kind.unit == "line" else "--again and just these paths"
    more = f"to {kind.verb} {'it' if len(there) == 1 else 'them'} once more give {just}"
    return f"{named_in(found, kind, 'is')}; {more}"


def says(sent: Any, shown: Any) -> bool:
    """Tell whether a record shows what was sent; it may show more."""
    match sent:
        case Mapping():
            return isinstance(shown, Mapping) and all(says(value, shown.get(name)) for name, value in sent.items())
        case list():
            return len(sent) == len(shown or ()) and all(map(says, sent, shown or ()))
        case bool() | None:
            return bool(sent) == bool(shown)
        case int() | Decimal():
            return isinstance(shown, int | Decimal) and sent == shown
        case _:
            return str(sent).strip() == str(shown or "").strip()
