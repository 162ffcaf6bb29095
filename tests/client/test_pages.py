"""Lists are complete and in order, or they are an error."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.client import pages
from acctcli.client.bounds import PAGE_AHEAD, RECORD, ROW
from acctcli.client.collection import Collection
from acctcli.client.messages import Extent
from acctcli.client.pages import Listing
from acctcli.errors import Incomplete, NotFound, Rejected, ServerFault
from tests.client.wire import Wire, script, wire


@dataclass
class Book:
    """A server of numbered pages over a list of ids; `on_page` may meddle before a page is served."""

    ids: list[int]
    largest: int = 200
    on_page: Callable[[Book, int], None] = lambda book, number: None
    twist: Callable[[int, dict[str, object]], dict[str, object]] = lambda number, page: page
    served: list[int] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        with self.lock:
            number = int(request.url.params["page"])
            size = min(int(request.url.params["page_size"]), self.largest)
            self.on_page(self, number)
            self.served.append(number)
            rows = self.ids[(number - 1) * size : number * size]
            if number > 1 and not rows:
                return httpx.Response(404, json={"detail": "Invalid page."})
            more = number * size < len(self.ids)
            page: dict[str, object] = {
                "count": len(self.ids),
                "next": number + 1 if more else None,
                "prev": number - 1 if number > 1 else None,
                "size": size,
                "results": [{"id": one, "name": f"row {one}"} for one in rows],
            }
            return httpx.Response(200, content=json.dumps(self.twist(number, page)))


def read(w: Wire, extent: Extent) -> list[int]:
    listing = Listing(w.http, "/v1/business/", {}, extent)
    return [msgspec.json.decode(row)["id"] for page in listing for row in page]


def everything(size: int = 10, in_flight: int = 8) -> Extent:
    return Extent(limit=None, page_size=size, in_flight=in_flight)


@settings(max_examples=60)
@given(
    count=st.integers(0, 130),
    size=st.integers(1, 40),
    largest=st.integers(1, 40),
    in_flight=st.integers(1, 9),
    limit=st.one_of(st.none(), st.integers(1, 150)),
)
def test_rows_arrive_whole_and_in_order(count: int, size: int, largest: int, in_flight: int, limit: int | None) -> None:
    ids = list(range(1000, 1000 - count, -1))
    w = wire(Book(ids, largest))
    assert read(w, Extent(limit, size, in_flight)) == ids[:limit]


def test_one_page_is_read_alone() -> None:
    book = Book(list(range(1, 61)))
    records: Collection[Any] = Collection(wire(book).http, "/v1/business/", dict)
    rows, count = records.page({"search": "x"}, 3, 25)
    assert ([msgspec.json.decode(row)["id"] for row in rows], count, book.served) == ([*range(51, 61)], 60, [3])
    with pytest.raises(NotFound):
        records.page({}, 4, 25)


def test_a_limit_asks_for_no_more_than_it_needs() -> None:
    book = Book(list(range(1, 1000)))
    w = wire(book)
    listing = Listing(w.http, "/v1/business/", {}, Extent(limit=25))
    assert sum(len(page) for page in listing) == 25
    assert (listing.total, listing.shown, book.served) == (999, 25, [1])
    assert w.requests[0].url.params["page_size"] == "25"


def test_no_rows_are_a_count_all_the_same() -> None:
    w = wire(Book(list(range(1, 1000))))
    listing = Listing(w.http, "/v1/business/", {}, Extent(limit=0))
    assert list(listing) == []
    assert (listing.total, listing.shown) == (999, 0)
    assert [request.url.params["page_size"] for request in w.requests] == ["1"]


def test_at_most_a_window_of_pages_is_ahead_of_the_reader() -> None:
    book = Book(list(range(1, 1001)))
    w = wire(book)
    pages = iter(Listing(w.http, "/v1/business/", {}, everything(size=10, in_flight=3)))
    next(pages)
    next(pages)
    assert max(book.served) <= 10
    pages.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("large", [{3}, {2}, {10}, set(range(1, 11))])
def test_a_page_too_large_to_be_there_beside_others_is_read_alone(
    monkeypatch: pytest.MonkeyPatch, large: set[int]
) -> None:
    monkeypatch.setattr(pages, "PAGE_AHEAD", PAGE_AHEAD._replace(size=2000))

    def twist(number: int, page: dict[str, object]) -> dict[str, object]:
        rows = page["results"]
        assert isinstance(rows, list)
        return {**page, "results": [{**row, "name": "x" * 500} for row in rows] if number in large else rows}

    book = Book(list(range(95)), twist=twist)
    assert read(wire(book), everything(in_flight=3)) == list(range(95))
    first = min(large - {1}, default=1)
    # those asked for beside it are asked for once more, and none behind them twice
    assert {number for number in book.served if book.served.count(number) > 1} <= set(range(first, first + 4))


def page_of(row: bytes, beside: bytes = b"") -> httpx.Response:
    return httpx.Response(200, content=b'{"count":1,"next":null,"size":1,"results":[%b]%b}' % (row, beside))


@pytest.mark.parametrize("much", [b'"' + b"x" * RECORD.size + b'"', b"[" + b"1," * RECORD.values + b"1]"])
def test_a_row_is_no_larger_than_a_record(much: bytes) -> None:
    with pytest.raises(
        ServerFault, match=r"^a row of the list (is larger than 16 MiB|holds more than 300,000 values)$"
    ):
        read(wire(script(page_of(b'{"id":1,"x":%b}' % much))), everything())
    whole = b'{"id":1,"x":[' + b"1," * (ROW.values - 3) + b"1]}"
    assert read(wire(script(page_of(whole))), everything()) == [1]


@pytest.mark.parametrize("twice", [b"", b',"again":{"id":1}'])
def test_what_stands_around_the_rows_is_bounded(twice: bytes) -> None:
    beside = b',"x":[' + b"[]," * RECORD.values + b"1]"
    with pytest.raises(ServerFault, match="not a page"):
        read(wire(script(page_of(b'{"id":1}', twice + beside))), everything())
    nothing = b'{"count":0,"results":null' + beside + b"}"
    with pytest.raises(ServerFault, match="not a page"):
        read(wire(script(httpx.Response(200, content=nothing))), everything())


@pytest.mark.parametrize("lie", [-1, +1, +50])
def test_a_wrong_count_is_never_silent(lie: int) -> None:
    def twist(number: int, page: dict[str, object]) -> dict[str, object]:
        return {**page, "count": 95 + lie}

    with pytest.raises(Incomplete):
        read(wire(Book(list(range(95)), twist=twist)), everything())


@pytest.mark.parametrize("number", [1, 2, 5, 10])
def test_a_short_page_is_never_silent(number: int) -> None:
    def twist(at: int, page: dict[str, object]) -> dict[str, object]:
        rows = page["results"]
        assert isinstance(rows, list)
        return {**page, "results": rows[:-1]} if at == number else page

    with pytest.raises(Incomplete):
        read(wire(Book(list(range(95)), twist=twist)), everything())


def test_a_repeated_page_is_read_again_and_heals() -> None:
    book = Book(list(range(95)))
    fresh = json.dumps({"count": 95, "next": 2, "results": [{"id": n} for n in range(10)]}).encode()
    broken = [4]

    def handle(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["page"])
        if number in broken:
            broken.remove(number)
            return httpx.Response(200, content=fresh.replace(b'"next": 2', b'"next": 5'))
        return book(request)

    for number in (2, 4, 9):
        broken[:] = [number]
        assert read(wire(handle), everything(in_flight=1)) == list(range(95))


def test_a_page_repeated_for_ever_is_incomplete() -> None:
    def twist(number: int, page: dict[str, object]) -> dict[str, object]:
        return {**page, "results": [{"id": n} for n in range(10)]} if number == 2 else page

    with pytest.raises(Incomplete, match="repeats rows"):
        read(wire(Book(list(range(95)), twist=twist)), everything())


def test_a_row_inserted_in_front_is_noticed() -> None:
    def meddle(book: Book, number: int) -> None:
        if number == 4 and 999 not in book.ids:
            book.ids.insert(0, 999)

    with pytest.raises(Incomplete, match="changed while it was read"):
        read(wire(Book(list(range(95)), on_page=meddle)), everything(in_flight=1))


def test_a_row_deleted_in_front_is_noticed() -> None:
    def meddle(book: Book, number: int) -> None:
        if number == 4 and 0 in book.ids:
            book.ids.remove(0)

    with pytest.raises(Incomplete, match="changed while it was read"):
        read(wire(Book(list(range(95)), on_page=meddle)), everything(in_flight=1))


def test_rows_added_behind_the_reader_are_taken_in_after_a_second_look() -> None:
    def meddle(book: Book, number: int) -> None:
        if number == 4 and 500 not in book.ids:
            book.ids.extend(range(500, 520))

    book = Book(list(range(95)), on_page=meddle)
    listing = Listing(wire(book).http, "/v1/business/", {}, everything(in_flight=1))
    assert [msgspec.json.decode(row)["id"] for page in listing for row in page] == [*range(95), *range(500, 520)]
    assert (listing.total, listing.shown) == (115, 115)


def test_a_list_that_keeps_changing_is_incomplete() -> None:
    def meddle(book: Book, number: int) -> None:
        if number > 3:
            book.ids.append(len(book.ids) + 1000)

    with pytest.raises(Incomplete):
        read(wire(Book(list(range(95)), on_page=meddle)), everything(in_flight=1))


def test_a_list_that_grows_twice_behind_the_reader_is_incomplete() -> None:
    def meddle(book: Book, number: int) -> None:
        if number in (3, 6) and number not in book.served:
            book.ids.append(len(book.ids))

    with pytest.raises(Incomplete, match="the count went from 96 to 97"):
        read(wire(Book(list(range(95)), on_page=meddle)), everything(in_flight=1))


def test_a_list_that_changes_again_while_it_is_read_again_is_incomplete() -> None:
    def meddle(book: Book, number: int) -> None:
        if (number, len(book.ids)) in {(2, 15), (1, 16)}:
            book.ids.append(len(book.ids))

    book = Book(list(range(15)), on_page=meddle)
    with pytest.raises(Incomplete, match="page 1 is not what it was"):
        read(wire(book), everything(in_flight=1))
    assert book.served == [1, 2, 2, 1]


def test_a_list_that_shrinks_below_the_page_is_incomplete() -> None:
    def meddle(book: Book, number: int) -> None:
        if number == 6:
            del book.ids[40:]

    with pytest.raises(Incomplete):
        read(wire(Book(list(range(95)), on_page=meddle)), everything(in_flight=1))


def test_a_list_that_shrinks_below_its_limit_is_incomplete() -> None:
    def meddle(book: Book, number: int) -> None:
        if number == 4:
            del book.ids[45:]

    with pytest.raises(Incomplete, match="45 came of the 50 that were due"):
        read(wire(Book(list(range(95)), on_page=meddle)), Extent(limit=50, page_size=10, in_flight=1))


def test_a_next_page_where_none_can_be_is_noticed() -> None:
    def twist(number: int, page: dict[str, object]) -> dict[str, object]:
        return {**page, "next": number + 1}

    with pytest.raises(Incomplete, match="has a"):
        read(wire(Book(list(range(95)), twist=twist)), everything())


@pytest.mark.parametrize("results", [None, [], "x", 7])
def test_results_that_are_no_rows(results: object) -> None:
    def twist(number: int, page: dict[str, object]) -> dict[str, object]:
        return {**page, "results": results}

    with pytest.raises((Incomplete, ServerFault)):
        read(wire(Book(list(range(95)), twist=twist)), everything())


@pytest.mark.parametrize(
    "body",
    [
        b'{"count": 0}',
        b'{"count": 0, "detail": "maintenance"}',
        b'{"count": 0, "results": null, "error": "database down"}',
        b'{"count": 1, "results": [{"id": 1}], "results": [{"id": 2}]}',
        b'{"count": 1, "results": [{"id": 1}], "\\u0072esults": [{"id": 1}]}',
        b'{"count": 2, "results": [{"id": 1}], "count": 1}',
        b'{"count": 1, "count": 0, "results": []}',
    ],
)
def test_what_is_no_page_is_no_empty_one(body: bytes) -> None:
    with pytest.raises(ServerFault, match="not a page of a list"):
        read(wire(script(httpx.Response(200, content=body))), everything())


@pytest.mark.parametrize("value", [b'"a\\ud800b"', b'"\\uDC00"', b'{"first": ["\\udfff\\ud800"]}'])
def test_half_a_character_is_told_by_row_and_field(value: bytes) -> None:
    body = b'{"count": 2, "results": [{"id": 7, "name": "\\ud83d\\ude00"}, {"id": 9, "name": %b}]}' % value
    with pytest.raises(ServerFault, match=r"half a character in the field name of row 2 of a page \(id 9\)"):
        read(wire(script(httpx.Response(200, content=body))), everything())


@pytest.mark.parametrize(
    "body", [b'{"results": ["\\ud800"]}', b'"\\ud800"', b'{"count": "\\ud83d\\ude00", "results": []}']
)
def test_half_a_character_elsewhere_makes_no_page(body: bytes) -> None:
    with pytest.raises(ServerFault, match="not a page of a list"):
        read(wire(script(httpx.Response(200, content=body))), everything())


def test_rows_that_look_like_other_fields_are_a_page() -> None:
    body = b'{"meta": {"id": 1}, "count": 1, "next": null, "results": [{"id": 1}], "last": {"id": 1}}'
    assert read(wire(script(httpx.Response(200, content=body))), everything()) == [1]


def test_an_empty_list_with_null_results_is_empty() -> None:
    assert read(wire(Book([], twist=lambda number, page: {**page, "results": None})), everything()) == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"<html></html>", b"\xff", b'{"results": []}', b'{"count": "x"}'])
def test_garbage_is_a_server_fault(body: bytes) -> None:
    with pytest.raises(ServerFault):
        read(wire(lambda request: httpx.Response(200, content=body)), everything())


def test_next_may_be_a_url_and_ids_may_be_texts() -> None:
    def twist(number: int, page: dict[str, object]) -> dict[str, object]:
        rows = page["results"]
        assert isinstance(rows, list)
        named = [{"name": "x", "id": f"uuid-{row['id']}"} for row in rows]
        return {**page, "results": named, "next": page["next"] and "https://books.example/?page=2"}

    w = wire(Book(list(range(25)), twist=twist))
    listing = Listing(w.http, "/v1/business/", {}, everything())
    rows = [msgspec.json.decode(row) for page in listing for row in page]
    assert [row["id"] for row in rows] == [f"uuid-{n}" for n in range(25)]


def test_rows_without_ids_are_told_apart_by_what_they_say() -> None:
    def twist(number: int, page: dict[str, object]) -> dict[str, object]:
        rows = page["results"]
        assert isinstance(rows, list)
        return {**page, "results": [{"name": row["name"]} for row in rows]}

    listing = Listing(wire(Book(list(range(25)), twist=twist)).http, "/v1/business/", {}, everything())
    rows = [msgspec.json.decode(row) for page in listing for row in page]
    assert rows == [{"name": f"row {n}"} for n in range(25)]


def test_an_error_on_a_later_page_ends_the_list() -> None:
    book = Book(list(range(95)))

    def handle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(400, json={"detail": "no"}) if request.url.params["page"] == "5" else book(request)

    with pytest.raises(Rejected):
        read(wire(handle), everything())


def test_a_page_that_fails_in_passing_is_fetched_again() -> None:
    book = Book(list(range(95)))
    failed: set[str] = set()

    def handle(request: httpx.Request) -> httpx.Response:
        number = request.url.params["page"]
        if number not in failed:
            failed.add(number)
            return httpx.Response(503)
        return book(request)

    assert read(wire(handle), everything()) == list(range(95))


def test_rows_are_the_bytes_that_came() -> None:
    row = b'{"id":7, "amount":10.10,"big":12345678901234567.89,"e":1E+2,"text":"\\u00e4"}'
    body = b'{"count":1,"next":null,"results":[' + row + b"]}"
    w = wire(lambda request: httpx.Response(200, content=body))
    listing = Listing(w.http, "/v1/business/", {}, everything())
    assert [bytes(one) for page in listing for one in page] == [row]


def insert(book: Book, number: int) -> None:
    book.ids.insert(0, max(book.ids) + 1)


def delete_once(book: Book, number: int) -> None:
    if number == 2 and 2 not in book.served:
        del book.ids[0]


def delete(book: Book, number: int) -> None:
    if number == 2:
        del book.ids[0]


def looked_at(book: Book) -> set[int]:
    listing = Listing(wire(book).http, "/v1/business/", {}, everything())
    return {msgspec.json.decode(row)["id"] for page in listing.while_it_grows() for row in page}


@pytest.mark.parametrize("meddle", [insert, delete_once])
def test_what_stays_in_a_list_that_moves_is_seen(meddle: Callable[[Book, int], None]) -> None:
    ids = list(range(100, 0, -1))
    assert looked_at(Book(ids.copy(), on_page=meddle)) >= set(ids[1:])


def test_a_list_from_which_rows_keep_going_is_incomplete() -> None:
    with pytest.raises(Incomplete, match="removed"):
        looked_at(Book(list(range(100, 0, -1)), on_page=delete))


def test_a_short_page_is_missed_too() -> None:
    book = Book(list(range(100, 0, -1)), twist=lambda number, page: {**page, "results": []} if number == 2 else page)
    with pytest.raises(Incomplete):
        looked_at(book)


def test_a_page_that_comes_for_ever_ends() -> None:
    with pytest.raises(Incomplete):
        looked_at(Book(list(range(100, 0, -1)), twist=lambda number, page: {**page, "results": [{"id": 1}], "next": 9}))


def test_a_page_of_more_rows_than_were_asked_for_makes_no_object_of_each() -> None:
    page = b'{"count":1,"next":null,"results":[' + b"0," * 1_500_000 + b"0]}"
    w = wire(lambda request: httpx.Response(200, content=page))
    tracemalloc.start()
    try:
        with pytest.raises(ServerFault, match="not a page of a list"):
            read(w, everything())
        assert tracemalloc.get_traced_memory()[1] < 8 * len(page)
    finally:
        tracemalloc.stop()


def test_a_large_page_of_few_rows_is_read() -> None:
    rows = [{"id": one, "name": "x" * 20_000} for one in range(1, 201)]
    w = wire(lambda request: httpx.Response(200, json={"count": 200, "next": None, "results": rows}))
    assert read(w, everything(200)) == list(range(1, 201))
