"""Records that tables have shown, kept for the shell's completion by their ids, and by what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from acctcli.cli.completing.kept import MOST, PLAIN, remember_first
from acctcli.cli.session.state import State

if TYPE_CHECKING:
    from acctcli.cli.command.called import Kind
    from acctcli.cli.output.columns import Rows


def noted(here: State, kind: Kind | None, pages: Iterable[Rows]) -> Iterator[Rows]:
    """Remember the first records of a kind that a table shows, page by page."""
    import msgspec

    shown: dict[str, str] = {}
    for rows in pages:
        if kind is not None and here.format == "table" and len(shown) < MOST:
            for row in rows:
                shown |= _words_of(kind, msgspec.json.decode(row))
        yield rows
    if kind is not None and shown:
        remember_first(here, kind.listed, shown)


def _words_of(kind: Kind, row: Mapping[str, Any]) -> dict[str, str]:
    told = kind.describe(row)
    # digits are ids, whatever has them as its name
    names = {one: told for one in kind.called(row) if PLAIN.fullmatch(one) and not one.isdigit()}
    return {str(row.get("id")): told, **names}
