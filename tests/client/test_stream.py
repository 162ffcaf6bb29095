"""A streamed report is every record, in order, or an error; wherever the bytes are cut."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.client import stream
from acctcli.client.bounds import ACCOUNT, ROW, TooLarge
from acctcli.client.stream import StreamedReport
from acctcli.errors import Forbidden, Incomplete, NetworkError, NotAuthenticated, ServerFault
from tests.client.spellings import SPELLINGS
from tests.client.wire import TOKEN, Handler, script, wire

if TYPE_CHECKING:
    from acctcli.client.http import Http

PATH = "/v1/business/mine/report/journal/"


class Chunks(httpx.SyncByteStream):
    """A body that comes in these parts; an exception among them breaks it off."""

    def __init__(self, *parts: bytes | Exception) -> None:
        self._parts = parts
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, Exception):
                raise part
            yield part

    def close(self) -> None:
        self.closed = True


def report(handler: Handler, array: str = "documents") -> StreamedReport:
    return StreamedReport(wire(handler).http, PATH, b'{"columns":[]}', array)


def streamed(*parts: bytes | Exception) -> StreamedReport:
    return report(script(httpx.Response(200, stream=Chunks(*parts))))


def rows(found: StreamedReport) -> list[Any]:
    return [msgspec.json.decode(row) for piece in found for row in piece]


def document(number: int, entries: int = 2) -> dict[str, Any]:
    # entries begin with the same key as documents, and texts hold what looks like a boundary
    inner = [{"number": str(place), "text": '},{"number":"x"}], "documents":['} for place in range(entries)]
    return {"number": str(number), "entries": inner, "totals": {"debet": 1}}


def body(documents: list[Any], separators: tuple[str, str] = (",", ":"), indent: int | None = None) -> bytes:
    whole = {"report_type": "journal", "note": '"documents":[', "documents": documents, "totals": {"debet": 2}}
    return json.dumps(whole, separators=separators, indent=indent).encode()


def pieces(text: bytes, size: int) -> list[bytes]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PIECE", 50)


@given(
    st.lists(st.integers(0, 6), max_size=12),
    st.integers(1, 200),
    st.sampled_from([None, 0, 2]),
)
def test_every_record_comes_once_and_in_order(sizes: list[int], size: int, indent: int | None) -> None:
    documents = [document(number, entries) for number, entries in enumerate(sizes)]
    found = streamed(*pieces(body(documents, indent=indent), size))
    assert rows(found) == documents
    assert found.before is not None
    before, rest = (
        {name: msgspec.json.decode(value) for name, value in fields.items()} for fields in (found.before, found.rest)
    )
    assert before == {"report_type": "journal", "note": '"documents":['}
    assert rest == {**before, "totals": {"debet": 2}}


def account(number: int, entries: int) -> dict[str, Any]:
    listed = [
        {
            "number": str(place),
            "text": '"},{"number":"7","name":"',
            "counter_accounts": ["3000"],
            "more": [{"number": "x"}],
        }
        for place in range(entries)
    ]
    return {"number": str(number), "name": 'A "name"', "opening_balance": 1, "entries": listed, "totals": {"debet": 2}}


def joined(found: StreamedReport) -> list[Any]:
    """Read records that come in parts, and put these together."""
    whole, first = list[Any](), None
    for piece in found:
        for one in map(msgspec.json.decode, piece):
            record = {**one, "entries": first["entries"] + one["entries"]} if first else one
            first = record if found.goes_on else None
            if first is None:
                whole.append(record)
    return whole


@given(st.lists(st.integers(0, 30), max_size=8), st.integers(1, 400), st.sampled_from([None, 0, 2]), st.booleans())
def test_long_records_come_in_parts_and_make_the_same(
    sizes: list[int], size: int, indent: int | None, is_alike: bool
) -> None:
    accounts = [account(number, entries) for number, entries in enumerate(sizes)]
    text = body(accounts, indent=indent)
    if is_alike:  # what a record lists begins as it does itself
        text, accounts = (
            text.replace(b'"text"', b'"name"'),
            [{**one, "entries": [_named(each) for each in one["entries"]]} for one in accounts],
        )
    # as it comes: the HTTP layer hands out more at once
    http = cast("Http", SimpleNamespace(stream=lambda *asked: nullcontext(iter(pieces(text, size)))))
    found = StreamedReport(http, PATH, b"{}", "documents", inner="entries")
    assert joined(found) == accounts
    assert msgspec.json.decode(found.rest["totals"]) == {"debet": 2}


def _named(entry: dict[str, Any]) -> dict[str, Any]:
    return {"name" if key == "text" else key: value for key, value in entry.items()}


def test_a_record_longer_than_may_be_held_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PIECE", 10_000)
    monkeypatch.setattr(stream, "LONGEST_RECORD", 200_000)
    accounts = [account(1, 5_000), account(2, 3)]
    text = body(accounts)
    handler = script(httpx.Response(200, stream=Chunks(*pieces(text, 300))))
    assert joined(StreamedReport(wire(handler).http, PATH, b"{}", "documents", inner="entries")) == accounts
    with pytest.raises(ServerFault, match="one record of the report is larger"):
        rows(streamed(*pieces(text, 300)))


def test_records_are_handed_out_before_the_reply_ends() -> None:
    documents = [document(number) for number in range(1000)]
    text = body(documents)
    half = Chunks(*pieces(text[: len(text) // 2], 100), httpx.ReadError("reset"))
    seen: list[Any] = []

    def read() -> None:
        for piece in report(script(httpx.Response(200, stream=half))):
            seen.extend(map(msgspec.json.decode, piece))

    with pytest.raises(Incomplete, match="broke off"):
        read()
    assert 300 < len(seen) < 600
    assert seen == documents[: len(seen)]
    assert half.closed


@pytest.mark.parametrize("spelling", sorted(SPELLINGS.keys() - {"tags"}))
@pytest.mark.parametrize("cut", [1, 40, 60])
def test_a_token_in_a_small_reply_is_found_however_it_comes(spelling: str, cut: int) -> None:
    text = body([{"number": "1", "text": SPELLINGS[spelling](TOKEN)}])
    with pytest.raises(ServerFault, match="sent the token back"):
        rows(streamed(text[:cut], text[cut : cut + 9], text[cut + 9 :]))


@given(st.data())
def test_a_reply_cut_short_is_never_taken_for_whole(data: st.DataObject) -> None:
    text = body([document(number) for number in range(5)])
    cut = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(Incomplete):
        rows(streamed(*pieces(text[:cut], 40)))


@pytest.mark.parametrize("text", [b"{", b'{"documents":{}}', b'{"documents":[}]'])
def test_what_is_no_report_is_incomplete(text: bytes) -> None:
    with pytest.raises(Incomplete):
        rows(streamed(text))


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ([], "nothing"),
        ([b" ", b"\r\n"], "nothing"),
        ([b"\n", b"<html>"], "an HTML page"),
        ([b"[1]"], "something else"),
        ([b"null"], "something else"),
        ([b"", b"%PDF-1.7"], "something else"),
    ],
)
def test_a_reply_of_another_kind_is_said_to_be_one(parts: list[bytes], kind: str) -> None:
    with pytest.raises(ServerFault, match=f"answered 200 with {kind} instead of the expected JSON"):
        rows(streamed(*parts))


@pytest.mark.parametrize("text", [b"{}", b'{"detail": "queued"}', b'{"report_type": "journal"}'])
def test_a_report_without_the_array_is_none(text: bytes) -> None:
    with pytest.raises(ServerFault, match="no documents instead of the report"):
        rows(streamed(text))


@pytest.mark.parametrize("many", [1, 30])
@pytest.mark.parametrize("name", ["documents", "\\u0064ocuments"])
def test_records_of_two_arrays_are_none_of_one(many: int, name: str) -> None:
    text = body([document(number) for number in range(many)])
    with pytest.raises(ServerFault, match="comes twice"):
        rows(streamed(*pieces(text[:-1] + b',"%s":[]}' % name.encode(), 40)))


def test_until_it_begins_a_stream_is_repeated_like_any_request() -> None:
    good = httpx.Response(200, stream=Chunks(body([document(1)])))
    w = wire(script(httpx.Response(503), httpx.ConnectError("no"), good))
    assert len(rows(StreamedReport(w.http, PATH, b"{}", "documents"))) == 1
    assert len(w.requests) == 3
    assert len({request.headers["idempotency-key"] for request in w.requests}) == 1


def test_refusals_are_the_usual_errors() -> None:
    with pytest.raises(Forbidden):
        rows(report(script(httpx.Response(403, json={"detail": "no"}))))
    with pytest.raises(NetworkError):
        rows(report(script(httpx.ConnectError("no"))))


def test_without_a_token_nothing_is_sent() -> None:
    w = wire(script(httpx.Response(200)))
    w.http.access = None
    with pytest.raises(NotAuthenticated):
        rows(StreamedReport(w.http, PATH, b"{}", "documents"))
    assert w.requests == []


def test_the_connection_goes_back_when_the_reader_has_enough() -> None:
    parts = Chunks(*pieces(body([document(number) for number in range(50)]), 100))
    found = iter(report(script(httpx.Response(200, stream=parts))))
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert parts.closed


class Endless(httpx.SyncByteStream):
    """A body that never ends; counts what was taken of it."""

    def __init__(self, start: bytes, then: bytes) -> None:
        self._start = start
        self._then = then
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        yield self._start
        while True:
            self.taken += len(self._then)
            yield self._then


@pytest.mark.parametrize(
    ("start", "then"),
    [
        (b'{"documents":[{"number":"1","text":"', b"x" * 1000),
        (b'{"documents":[', b" " * 1000),
        (b'{"documents":[', b'"number",' * 100),
        (b'{"documents":[{"number":"1","a":[', b'{"number":"1","a":[' * 50),
        (b'{"note":"', b"x" * 1000),
        (b"", b'{"documents":[' * 70),
    ],
)
def test_a_record_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch, start: bytes, then: bytes) -> None:
    monkeypatch.setattr(stream, "LONGEST_RECORD", 100_000)
    monkeypatch.setattr(stream, "LONGEST_HEAD", 100_000)
    endless = Endless(start, then)
    with pytest.raises(ServerFault, match="larger than this program takes in"):
        rows(report(script(httpx.Response(200, stream=endless))))
    assert endless.taken < 200_000


@pytest.mark.parametrize("last", [False, True])
def test_a_document_holds_no_more_than_a_record_and_an_account_of_the_ledger_does(last: bool) -> None:
    much = b'{"number":"1","x":[%b1]}' % (b"1," * ROW.values)
    whole = b'{"documents":[' + b",".join([much] if last else [much, b'{"number":"2"}']) + b'],"totals":{}}'
    with pytest.raises(TooLarge, match=r"^a record of the report holds more than 300,000 values$"):
        rows(streamed(whole))
    assert len(rows(streamed(whole.replace(b"1,", b"", 9)))[0]["x"]) == ROW.values - 8
    http = wire(script(httpx.Response(200, content=whole))).http
    assert len(rows(StreamedReport(http, PATH, b"{}", "documents", limit=ACCOUNT))[0]["x"]) == ROW.values + 1


@pytest.mark.parametrize("cut", range(1, 5))
def test_text_of_another_encoding_is_no_report(cut: int) -> None:
    good = body([document(1)]).replace(b'"number": "0"', '"number": "\u20ac"'.encode())
    whole = good.replace(b'"note"', '"note\U0001f600"'.encode())
    place = whole.index(b"\xf0")
    assert rows(streamed(whole[: place + cut], whole[place + cut :])) == [document(1)]
    with pytest.raises(ServerFault, match="no text"):
        rows(streamed(whole[: place + cut], b"\xff", whole[place + cut :]))


def test_names_like_that_of_the_records_do_not_make_the_head_slow() -> None:
    unit = b'{"documents":[]},'
    head = b'{"x":[' + unit * (2**20 // len(unit))
    started = time.process_time()
    with pytest.raises(ServerFault, match="stands before its records"):
        rows(streamed(head, b'{}],"documents":[]}'))
    assert time.process_time() - started < 2.0
