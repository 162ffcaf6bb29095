import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.lying_server import Body, Change, Lies, Seen, lying_server


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=10, trust_env=False, verify=False) as client:
        yield client


def read(client: httpx.Client, base_url: str, page: int = 1, size: int = 2) -> Any:
    return client.get(f"{base_url}/v1/x/", params={"page": page, "page_size": size}).json()


def ids(page: dict[str, list[dict[str, int]]]) -> list[int]:
    return [row["id"] for row in page["results"]]


def all_ids(client: httpx.Client, lies: Lies, size: int = 2) -> list[int]:
    found: list[int] = []
    with lying_server(lies) as server:
        number: int | None = 1
        while number is not None:
            page = read(client, server.base_url, number, size)
            found += ids(page)
            number = page["next"]
    return found


def test_the_truth(client: httpx.Client) -> None:
    with lying_server(Lies(rows=3, pad=2)) as server:
        assert read(client, server.base_url) == {
            "count": 3,
            "next": 2,
            "prev": None,
            "size": 2,
            "results": [
                {"id": 1, "name": "row 1", "filler": "xx"},
                {"id": 2, "name": "row 2", "filler": "xx"},
            ],
        }
        last = read(client, server.base_url, 2)
        assert (last["next"], last["prev"], ids(last)) == (None, 1, [3])
        beyond = client.get(f"{server.base_url}/v1/x/?page=9", headers={"Authorization": "Token t"})
        assert (beyond.status_code, beyond.json()["code"]) == (404, "not_found")
    assert server.seen[2] == Seen("GET", "/v1/x/?page=9", 9, "Token t")


def test_an_empty_list_has_one_page(client: httpx.Client) -> None:
    with lying_server(Lies()) as server:
        page = read(client, server.base_url)
        assert page == {"count": 0, "next": None, "prev": None, "size": 2, "results": []}


@pytest.mark.together
@pytest.mark.parametrize(
    ("lies", "expected"),
    [
        (Lies(rows=5), [1, 2, 3, 4, 5]),
        (Lies(rows=5, repeated_page=2), [1, 2, 1, 2, 5]),
        (Lies(rows=5, missing_row=3), [1, 2, 4, 5]),
        (Lies(rows=5, change=Change.INSERT_AT_FRONT), [1, 2, 2, 3, 4, 5]),
        (Lies(rows=5, change=Change.DELETE_AT_FRONT), [1, 2, 4, 5]),
        (Lies(rows=5, change=Change.APPEND, change_after=2), [1, 2, 3, 4, 5, 6]),
        (Lies(rows=5, change=Change.DELETE_AT_END), [1, 2, 3, 4]),
    ],
)
def test_what_a_trusting_reader_gets(client: httpx.Client, lies: Lies, expected: list[int]) -> None:
    assert all_ids(client, lies) == expected


def test_a_list_that_changed_once_stays(client: httpx.Client) -> None:
    with lying_server(Lies(rows=3, change=Change.INSERT_AT_FRONT)) as server:
        assert [ids(read(client, server.base_url)) for _ in range(3)] == [[1, 2], [4, 1], [4, 1]]
    with lying_server(Lies(rows=3, change=Change.INSERT_AT_FRONT, keeps_changing=True)) as server:
        assert [ids(read(client, server.base_url)) for _ in range(3)] == [[1, 2], [4, 1], [5, 4]]


def test_a_false_count_and_rows_over_lines(client: httpx.Client) -> None:
    with lying_server(Lies(rows=3, claimed_count=7, pretty=True)) as server:
        reply = client.get(server.base_url)
        assert reply.json()["count"] == 7
        assert b'\n    {\n      "id": 1,\n' in reply.content


@pytest.mark.together
@pytest.mark.parametrize(
    ("body", "content"),
    [
        (Body.GARBAGE, bytes(range(256))),
        (Body.TRUNCATED, b'{"count": 1, "next": null, "prev": null, "size'),
        (Body.HTML, b"<!doctype html><h1>Something went wrong</h1>"),
        (Body.EMPTY, b""),
        (Body.NULL, b"null"),
        (Body.LIST, b'[{"id": 1, "name": "row 1"}]'),
        (Body.NO_RESULTS, b'{"count": 1, "next": null, "prev": null, "size": 30, "results": null}'),
    ],
)
def test_odd_bodies(client: httpx.Client, body: Body, content: bytes) -> None:
    with lying_server(Lies(rows=1, body=body, status=502)) as server:
        reply = client.get(server.base_url)
    assert (reply.status_code, reply.content) == (502, content)


def test_an_odd_body_on_one_page_and_once(client: httpx.Client) -> None:
    with lying_server(Lies(rows=4, body=Body.TEXT_COUNT, body_page=2, body_times=1)) as server:
        counts = [read(client, server.base_url, page)["count"] for page in (1, 2, 2)]
    assert counts == [4, "many", 4]


@pytest.mark.parametrize(
    ("body", "error"), [(Body.CUT_OFF, httpx.RemoteProtocolError), (Body.BAD_GZIP, httpx.DecodingError)]
)
def test_bodies_that_break_the_transfer(client: httpx.Client, body: Body, error: type[httpx.HTTPError]) -> None:
    with lying_server(Lies(rows=9, body=body)) as server, pytest.raises(error):
        client.get(server.base_url)


@pytest.mark.parametrize("body", [Body.HUGE, Body.GZIP_BOMB])
def test_huge_bodies_are_valid_and_as_large_as_asked(client: httpx.Client, body: Body) -> None:
    size = 4 * 1024 * 1024
    with lying_server(Lies(body=body, size=size)) as server:
        with client.stream("GET", server.base_url) as reply:
            content = reply.read()
            received = reply.num_bytes_downloaded
        assert len(json.loads(content)["results"][0]["name"]) == size
        assert (received < size / 500) == (body is Body.GZIP_BOMB)
        assert client.get(server.base_url).status_code == 200  # the connection is still good


def test_a_drip_never_ends_and_a_client_may_leave(client: httpx.Client) -> None:
    with lying_server(Lies(body=Body.DRIP, drip_seconds=0.001)) as server:
        with client.stream("GET", server.base_url) as reply:
            pieces = reply.iter_raw()
            assert b"".join(next(pieces) for _ in range(5)).startswith(b'{"a": "')
        assert reply.headers["Content-Length"] == "1048576"


def test_a_redirect_to_another_host(client: httpx.Client) -> None:
    with lying_server(Lies(rows=1)) as other:
        lies = Lies(body=Body.REDIRECT, redirect_to=f"{other.base_url}/taken")
        with lying_server(lies) as server:
            reply = client.get(server.base_url)
        assert (reply.status_code, reply.headers["Location"]) == (302, f"{other.base_url}/taken")
    assert other.seen == []
