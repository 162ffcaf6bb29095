"""Records that tables have shown, kept for the shell's completion by their ids, and by what they are called.

Every group of commands imports this one, so what it takes is imported when there are rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from acctcli.cli.command.called import Kind
    from acctcli.cli.output.columns import Rows
    from acctcli.cli.session.state import State


def noted(here: State, kind: Kind | None, pages: Iterable[Rows]) -> Iterator[Rows]:
    """Remember the first records of a kind that a table shows, page by page."""
    if kind is None or here.format != "table":
        yield from pages
        return
    from decimal import Decimal

    import msgspec

    from acctcli.cli.completing.kept import MOST, remember_first

    decode, shown = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode, dict[str, str]()
    for rows in pages:
        if len(shown) < MOST:
            for row in rows:
                # what is no record is told by whoever shows it
                with suppress(msgspec.DecodeError, RecursionError):
                    shown |= _words_of(kind, decode(row))
        yield rows
    if shown:
        remember_first(here, kind.listed, shown)


def _words_of(kind: Kind, row: Mapping[str, Any]) -> dict[str, str]:
    from acctcli.cli.completing.kept import PLAIN

    told = kind.describe(row)
    # digits are ids, whatever has them as its name
    names = {one: told for one in kind.called(row) if PLAIN.fullmatch(one) and not one.isdigit()}
    return {str(row.get("id")): told, **names}
