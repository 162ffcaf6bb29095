"""Long texts laid down in memory or in a file."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from acctcli.service.http import spool
from acctcli.service.http.spool import Streamed, lay_down


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "CHUNK", 4)


def whole(laid: bytes | Streamed) -> bytes:
    if isinstance(laid, bytes):
        return laid
    text = b"".join(laid)
    assert laid.length == len(text)
    laid.close()
    return text


@pytest.mark.parametrize("pieces", [[], [""], ["a"], ["ab", "", "cd"], ["ab"] * 7, ["ä" * 9, "€\n"]])
@pytest.mark.parametrize("most", [0, 4, 5, 100])
def test_nothing_is_lost(pieces: list[str], most: int) -> None:
    text = "".join(pieces).encode()
    laid = lay_down((piece for piece in pieces), most)
    assert isinstance(laid, bytes) == (len(text) <= most)
    assert whole(laid) == text


def test_a_file_is_read_in_chunks() -> None:
    laid = lay_down((piece for piece in ["abcdefghij"]), 0)
    assert list(laid) == [b"abcd", b"efgh", b"ij"]
    assert isinstance(laid, Streamed)
    laid.close()


def test_what_fails_on_the_way_leaves_no_file_open() -> None:
    def pieces() -> Generator[str, None, None]:
        yield "many letters"
        raise LookupError("the database is gone")

    # an open file would be a warning, and warnings are errors
    with pytest.raises(LookupError, match="gone"):
        lay_down(pieces(), 4)


def test_pieces_are_closed_when_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []

    def pieces() -> Generator[str, None, None]:
        try:
            yield from ["many letters"] * 9
        finally:
            closed.append(True)

    def full(_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(spool, "spooled", full)
    laid_down = pieces()
    with pytest.raises(OSError, match="space"):
        lay_down(laid_down, 4)
    assert closed == [True]
