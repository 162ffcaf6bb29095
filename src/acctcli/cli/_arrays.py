"""Lists that the service gives whole, as a JSON array and not in pages."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from acctcli.cli._output import show_stream
from acctcli.cli._state import State
from acctcli.client.faults import unreadable
from acctcli.client.reply import Reply


class _Page(msgspec.Struct):
    results: list[msgspec.Raw] | None = None


_decode_array = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode_page = msgspec.json.Decoder(_Page).decode


def show_array(here: State, reply: Reply, columns: Sequence[str]) -> None:
    """Show every row of the reply; some services put the only page of a list in its place."""
    try:
        is_page = reply.body.lstrip()[:1] == b"{"
        rows = _decode_page(reply.body).results or [] if is_page else _decode_array(reply.body)
    except msgspec.DecodeError as problem:
        raise unreadable(reply, "something that is not a list") from problem
    show_stream(here, [rows] if rows else [], columns)
