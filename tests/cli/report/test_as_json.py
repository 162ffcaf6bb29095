"""A long report as one document: in pieces, the same bytes as in one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.report.as_json import write
from tests.cli.report.replies import JOURNAL

ROWS: list[Any] = [{"number": "1", "entries": [{"debet": 1.5}], "text": "\n  ]\n}"}, {}, {"entries": [], "ä": None}]
FIELDS = st.dictionaries(st.sampled_from("abc"), st.sampled_from([1, [], {"documents": [0]}, "],"]))


class Pieces:
    """The records of a whole reply, in pieces of so many."""

    array = "documents"

    def __init__(self, body: bytes, size: int) -> None:
        self._fields = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        self._size = size
        self.before: dict[str, msgspec.Raw] | None = None
        self.rest: dict[str, msgspec.Raw] = {}

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        names = list(self._fields)
        if self.array in names:
            self.before = {name: self._fields[name] for name in names[: names.index(self.array)]}
        rows = msgspec.json.decode(self._fields.get(self.array, b"[]"), type=list[msgspec.Raw])
        for start in range(0, len(rows), self._size):
            yield rows[start : start + self._size]
        self.rest = {name: self._fields[name] for name in names if name != self.array}


@given(FIELDS, st.lists(st.sampled_from(ROWS), max_size=5), FIELDS, st.integers(1, 6))
def test_pieces_make_the_whole(before: dict[str, Any], rows: list[Any], behind: dict[str, Any], size: int) -> None:
    fields = {**before, "documents": rows, **{f"{name} behind": value for name, value in behind.items()}}
    body = json.dumps(fields, ensure_ascii=False).encode()
    assert b"".join(write(Pieces(body, size))) == msgspec.json.format(body, indent=2) + b"\n"


@pytest.mark.parametrize("body", [b"{}", b'{"report_type": "journal"}'])
def test_a_report_without_the_array_is_shown_as_it_is(body: bytes) -> None:
    assert b"".join(write(Pieces(body, 1))) == msgspec.json.format(body, indent=2) + b"\n"


def test_numbers_keep_their_digits() -> None:
    assert b"".join(write(Pieces(JOURNAL, 1))) == msgspec.json.format(JOURNAL, indent=2) + b"\n"
