from __future__ import annotations

from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.client.urls import build_path, build_query, check_path
from acctcli.errors import UsageError
from tests.sizes import sized

TEMPLATE = "/v1/business/{business}/document/{record}/"
WICKED = st.one_of(
    st.text(),
    st.text(alphabet="./\\%@:?#;&=[]{}|~$\x00\r\n\t aA0-_", max_size=30),
    st.sampled_from(["..", ".", "../..", "%2e%2e", "a/b", "a\\b", "//evil.example", "http://evil.example", "a@b", "é"]),
)


@settings(max_examples=sized(5000))
@given(slug=WICKED)
def test_a_slug_never_reaches_another_path_or_host(slug: str) -> None:
    try:
        path = build_path(TEMPLATE, {"business": slug, "record": 7})
    except UsageError:
        return
    url = httpx.URL(f"https://books.example{path}")
    assert url.host == "books.example"
    assert url.raw_path.decode().split("/") == ["", "v1", "business", slug, "document", "7", ""]


@settings(max_examples=sized(5000))
@given(record=st.one_of(st.integers(), st.booleans(), WICKED))
def test_an_id_never_reaches_another_path_or_host(record: int | str) -> None:
    try:
        path = build_path(TEMPLATE, {"business": "demo", "record": record})
    except UsageError:
        return
    assert urlsplit(f"https://books.example{path}").netloc == "books.example"
    last = path.removeprefix("/v1/business/demo/document/").removesuffix("/")
    assert last
    assert set(last) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


@settings(max_examples=sized(2000))
@given(path=WICKED)
def test_a_typed_path_stays_on_the_host(path: str) -> None:
    try:
        checked = check_path(path)
    except UsageError:
        return
    url = httpx.URL(f"https://books.example{checked}")
    assert (url.host, url.query, url.fragment) == ("books.example", b"", "")
    assert url.raw_path.decode() == checked
    assert ".." not in checked.split("/")


@pytest.mark.parametrize(
    ("typed", "path"),
    [("/v1/user/", "/v1/user/"), ("v1/user", "/v1/user/"), ("/openapi.json", "/openapi.json/")],
)
def test_a_typed_path_ends_in_a_slash(typed: str, path: str) -> None:
    assert check_path(typed) == path


@pytest.mark.parametrize("record", [0, -1, True, 2**63])
def test_ids_are_positive_and_fit(record: int) -> None:
    with pytest.raises(UsageError, match="positive whole number"):
        build_path(TEMPLATE, {"business": "demo", "record": record})


def test_queries_leave_out_none_and_repeat_lists() -> None:
    query = {"a": None, "is_shown": True, "type": ["ASS", "REV"], "search": "ä &=", "page": 2, "no": False}
    assert build_query(query) == "is_shown=true&type=ASS&type=REV&search=%C3%A4+%26%3D&page=2&no=false"
