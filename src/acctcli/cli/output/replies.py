"""Replies and rows that commands look into, and lists that the service gives whole and not in pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TypeVar

import msgspec

from acctcli.cli.output.show import show_stream
from acctcli.cli.session.state import State
from acctcli.client.faults import unreadable
from acctcli.client.messages import Reply
from acctcli.errors import ServerFault

Shape = TypeVar("Shape")


class _Page(msgspec.Struct):
    results: list[msgspec.Raw] | None
    count: int = 0
    next: int | str | None = None


def decoded(reply: Reply, shape: type[Shape]) -> Shape:
    """Return what is needed of a reply; raise ServerFault when it is not there."""
    try:
        return msgspec.json.decode(reply.body, type=shape)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise unreadable(reply, "something else") from problem


def reader(shape: type[Shape], noun: str) -> Callable[[bytes | msgspec.Raw], Shape]:
    """Return what reads a record of a list, told as `noun`; it raises ServerFault when that is of another shape."""
    decode = msgspec.json.Decoder(shape, float_hook=Decimal).decode

    def read(row: bytes | msgspec.Raw) -> Shape:
        try:
            return decode(row)
        except (msgspec.DecodeError, RecursionError) as problem:
            raise ServerFault(
                f"{noun} is not what the interface promises: {problem}", code="unreadable_reply"
            ) from problem

    return read


def read_all(listing: Iterable[list[msgspec.Raw]], read: Callable[[bytes | msgspec.Raw], Shape]) -> Iterator[Shape]:
    """Yield every record of a list."""
    for page in listing:
        yield from map(read, page)


def show_array(here: State, reply: Reply, columns: Sequence[str]) -> None:
    """Show every row of an array; some services put the only page of a list in its place."""
    is_page = reply.body.lstrip()[:1] == b"{"
    rows = _only_page(reply) if is_page else decoded(reply, list[msgspec.Raw])
    if any(bytes(memoryview(row)[:1]) != b"{" for row in rows):
        raise unreadable(reply, "an array of something else than records")
    show_stream(here, [rows], columns)


def _only_page(reply: Reply) -> list[msgspec.Raw]:
    page = decoded(reply, _Page)
    rows = page.results or []
    if page.next is not None or page.count != len(rows):
        raise unreadable(reply, "one page of several")
    return rows
