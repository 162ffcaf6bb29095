"""Content addresses: whoever knows one may fetch it for a while, nobody else, and no browser runs what comes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from acctcli.service.http.downloads import disposition
from tests.service.actor import Actor, World
from tests.service.files import PDF


@pytest.fixture(scope="module")
def owner(shared: World) -> Actor:
    return shared.user()


@pytest.fixture
def made(owner: Actor) -> Any:
    """A file of a business of its own."""
    slug = owner.create_business()["slug"]
    path = f"/v1/business/{slug}/file_upload/"
    file = {"name": "Kuitti ä.pdf", "file": "JVBERi0xLjcK"}
    return owner.send("POST", path, file).body | {"slug": slug}


Fetch = Callable[[str], httpx.Response]


@pytest.fixture
def fetch(shared: World) -> Fetch:
    """Fetch as somebody who has no token."""
    return shared.client.get


def test_it_is_sent_as_an_attachment_that_nothing_runs(shared: World, made: Any, fetch: Fetch) -> None:
    reply = fetch(made["file"])
    assert (reply.status_code, reply.content) == (200, b"%PDF-1.7\n")
    said = {name: value for name, value in reply.headers.items() if name != "x-request-id"}
    assert parsedate_to_datetime(said.pop("date")) == shared.clock.now.replace(microsecond=0)
    assert said == {
        "content-type": "application/pdf",
        "content-length": "9",
        "content-disposition": "attachment; filename=\"Kuitti _.pdf\"; filename*=UTF-8''Kuitti%20%C3%A4.pdf",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
        "cache-control": "private",
        "referrer-policy": "no-referrer",
    }


def test_its_headers_can_be_asked_for_alone(shared: World, made: Any, fetch: Fetch) -> None:
    whole, head = fetch(made["file"]), shared.client.head(made["file"])
    assert (head.status_code, head.content) == (200, b"")
    del whole.headers["x-request-id"], head.headers["x-request-id"]
    assert head.headers == whole.headers
    assert shared.client.head(made["file"].replace("signature=", "signature=0")).status_code == 404


def test_it_ends(shared: World, made: Any, fetch: Fetch) -> None:
    before = shared.clock.now
    try:
        shared.clock.move(timedelta(minutes=59))
        assert fetch(made["file"]).status_code == 200
        shared.clock.move(timedelta(minutes=16))
        assert fetch(made["file"]).status_code == 404
    finally:
        shared.clock.now = before


def changed(address: str, **fields: str) -> str:
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()} | fields
    return parts._replace(query=urlencode({name: value for name, value in query.items() if value})).geturl()


def test_nothing_about_it_can_be_changed(shared: World, owner: Actor, made: Any, fetch: Fetch) -> None:
    parts = parse_qs(urlsplit(made["file"]).query)
    expires, signature = parts["expires"][0], parts["signature"][0]
    other = owner.send("POST", f"/v1/business/{made['slug']}/file_upload/", {"name": "b", "file": "QUJD"}).body
    theirs = parse_qs(urlsplit(other["file"]).query)["signature"][0]
    flipped = f"{signature[:-1]}{'1' if signature[-1] == '0' else '0'}"
    bare = made["file"].partition("?")[0]
    attempts = [
        bare,
        changed(made["file"], expires=str(int(expires) + 1)),
        changed(made["file"], expires="99999999999"),
        changed(made["file"], expires=f"{expires}0"),
        changed(made["file"], expires=""),
        changed(made["file"], signature=flipped),
        changed(made["file"], signature=theirs),
        changed(made["file"], signature=signature.upper()),
        changed(made["file"], signature=""),
        changed(made["file"], signature="ä"),
        f"{bare}?signature={signature}",
        f"{bare}?expires={expires}",
        made["file"].replace("/v1/content/", "/v1/content/0"),
        made["file"].replace("/v1/content/", "/v1/content/../content/.."),
        f"http://service/v1/content/{'0' * 32}/?expires={expires}&signature={signature}",
        f"http://service/v1/content/..%2f..%2ftoken/?expires={expires}&signature={signature}",
    ]
    for address in attempts:
        reply = fetch(address)
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found"), address
    assert fetch(made["file"]).status_code == 200


def test_a_token_opens_nothing_here(owner: Actor, made: Any) -> None:
    address = changed(made["file"], signature="")
    assert owner.send("GET", address).status == 404


def test_only_reading_is_known(shared: World, made: Any) -> None:
    for method in ("POST", "PUT", "DELETE"):
        assert shared.client.request(method, made["file"]).status_code == 405


def test_content_that_is_not_what_was_uploaded_is_no_content(shared: World, made: Any, fetch: Fetch) -> None:
    name = urlsplit(made["file"]).path.split("/")[3]
    shared.contents.remove([name])
    shared.contents.keep(name, [b"%PDF-1.8\n"])
    reply = fetch(made["file"])
    assert (reply.status_code, reply.json()["code"]) == (500, "server_error")
    assert "is not what was uploaded" in reply.json()["detail"]


def test_content_that_is_lost_is_not_found(shared: World, made: Any, fetch: Fetch) -> None:
    shared.contents.remove([urlsplit(made["file"]).path.split("/")[3]])
    assert fetch(made["file"]).status_code == 404


@pytest.mark.parametrize(
    ("headers", "origin"),
    [
        ({}, "http://service"),
        ({"Host": "books.example:8320"}, "http://books.example:8320"),
        ({"Host": "books.example", "X-Forwarded-Proto": "https"}, "https://books.example"),
        ({"X-Forwarded-Proto": "javascript"}, "http://service"),
        ({"X-Forwarded-Host": "evil.example"}, "http://service"),
    ],
)
def test_the_address_is_where_the_caller_came_to(owner: Actor, made: Any, headers: dict[str, str], origin: str) -> None:
    record = owner.send("GET", f"/v1/business/{made['slug']}/files/{made['id']}/", headers=headers).body
    parts = urlsplit(record["file"])
    assert f"{parts.scheme}://{parts.netloc}" == origin


@pytest.mark.parametrize(
    ("name", "plain", "encoded"),
    [
        ("a b.pdf", "a b.pdf", "a%20b.pdf"),
        ('a"; filename="b.exe', "a__ filename=_b.exe", "a_%3B%20filename%3D_b.exe"),
        ("a\r\nSet-Cookie: x=1", "a__Set-Cookie_ x=1", "a__Set-Cookie_%20x%3D1"),
        ("../../etc/passwd", "_.._etc_passwd", "_.._etc_passwd"),
        ("..\\x", "_x", "_x"),
        ("\x1b[2J\x9b.pdf", "_[2J_.pdf", "_%5B2J_.pdf"),
        ("...", "file", "file"),
        ("€ä", "__", "%E2%82%AC%C3%A4"),
        ("%41;'", "_41__", "%2541%3B%27"),
        ("\ud800", "_", "%3F"),
    ],
)
def test_names_cannot_break_out_of_the_header(name: str, plain: str, encoded: str) -> None:
    assert disposition(name) == f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"


def test_the_log_and_the_errors_hold_no_signature(
    made: Any, fetch: Fetch, shared: World, caplog: pytest.LogCaptureFixture
) -> None:
    signature = parse_qs(urlsplit(made["file"]).query)["signature"][0]
    caplog.set_level("DEBUG")
    shared.contents.remove([urlsplit(made["file"]).path.split("/")[3]])
    told = [fetch(address).text for address in (made["file"], changed(made["file"], expires="1"))]
    assert signature not in "".join(told) + "".join(
        one.getMessage() for one in caplog.records if one.name.startswith("acctcli")
    )


def test_a_large_file_comes_in_pieces(shared: World, owner: Actor, made: Any) -> None:
    from tests.service.files import MULTIPART, multipart

    content = PDF + bytes(3 * 2**20)
    body = multipart(("name", b"a"), ("file", content))
    path = f"/v1/business/{made['slug']}/file_upload/"
    record = owner.send("POST", path, content=body, headers={"Content-Type": MULTIPART}).body
    with shared.client.stream("GET", record["file"]) as reply:
        pieces = list(reply.iter_raw())
    assert b"".join(pieces) == content
    assert max(map(len, pieces)) <= 2**20
