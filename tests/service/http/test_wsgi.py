"""What is read of a WSGI call, and how an answer is sent."""

from __future__ import annotations

import io
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest

from acctcli.service.http.answers import Answer
from acctcli.service.http.spool import Streamed
from acctcli.service.http.wsgi import Arrival, send
from acctcli.service.problems import Invalid, MediaUnknown, TooLarge


def arrival(**environ: Any) -> Arrival:
    setup_testing_defaults(environ)
    return Arrival(environ, "one", "now")


@pytest.mark.parametrize(
    ("given", "host"),
    [
        ("Books.Example", "books.example"),
        ("books.example:8320", "books.example"),
        ("127.0.0.1:1", "127.0.0.1"),
        ("[::1]:8320", "::1"),
        ("[::1]", "::1"),
        ("::1", "::1"),
        ("", ""),
        ("a:b", None),
        ("a:", None),
        ("[::1", None),
        ("a]:1", None),
        ("user@a:1:2", None),
    ],
)
def test_the_host_is_a_name_without_its_port(given: str, host: str | None) -> None:
    assert arrival(HTTP_HOST=given).host == host


def test_who_names_no_host_has_come_to_the_server() -> None:
    environ: dict[str, Any] = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "SERVER_NAME": "Books", "SERVER_PORT": "80"}
    come = Arrival({**environ, "wsgi.url_scheme": "http"}, "one", "now")
    assert (come.host, come.origin) == ("books", "http://Books")
    come = Arrival({**environ, "wsgi.url_scheme": "https"}, "one", "now")
    assert come.origin == "https://Books:80"


@pytest.mark.parametrize(
    ("headers", "scheme"),
    [
        ({}, "http"),
        ({"HTTP_X_FORWARDED_PROTO": "HTTPS"}, "https"),
        ({"HTTP_X_FORWARDED_PROTO": "ftp"}, "http"),
        ({"HTTP_FORWARDED": 'for=192.0.2.1; Proto="https"'}, "https"),
        ({"HTTP_FORWARDED": "for=192.0.2.1;proto=http, for=192.0.2.2;proto=https"}, "http"),
        ({"HTTP_FORWARDED": "for=192.0.2.1", "HTTP_X_FORWARDED_PROTO": "https"}, "http"),
        ({"HTTP_FORWARDED": ";;="}, "http"),
    ],
)
def test_the_first_proxy_says_whether_tls_ends_there(headers: dict[str, str], scheme: str) -> None:
    assert arrival(HTTP_HOST="books.example", **headers).origin == f"{scheme}://books.example"


@pytest.mark.parametrize(
    ("given", "path"),
    [("", "/"), ("/a/", "/a/"), ("/\xc3\xa4/", "/ä/"), ("/\xff/", "/\ufffd/"), ("/€/", "/€/")],
)
def test_paths_are_utf8_behind_latin1(given: str, path: str) -> None:
    assert arrival(PATH_INFO=given).path == path


@pytest.mark.parametrize("length", ["-1", "+5", "5.0", "٣", "1e3"])
def test_a_length_is_a_number_of_bytes(length: str) -> None:
    with pytest.raises(Invalid, match="Content-Length"):
        arrival(CONTENT_LENGTH=length).open_body(10)


def test_bodies_are_read_to_their_length_and_no_further() -> None:
    stream = io.BytesIO(b"abcdef")
    with arrival(CONTENT_LENGTH="4", **{"wsgi.input": stream}).open_body(4) as body:
        assert (body.read(), body.read(), stream.read()) == (b"abcd", b"", b"ef")
    with pytest.raises(TooLarge), arrival(CONTENT_LENGTH="5").open_body(4):
        pass
    with pytest.raises(MediaUnknown):
        arrival(HTTP_CONTENT_ENCODING="gzip").open_body(4)


def sent(method: str, answer: Answer) -> tuple[str, dict[str, str], bytes]:
    begun: list[tuple[str, list[tuple[str, str]]]] = []
    chunks = send(arrival(REQUEST_METHOD=method), answer, lambda *head: begun.append(head))
    body = b"".join(chunks)
    if not isinstance(chunks, list):
        chunks.close()  # type: ignore[attr-defined]
    ((status, headers),) = begun
    assert len(dict(headers)) == len(headers)
    return status, dict(headers), body


USUAL = {"X-Request-Id": "one", "Date": "now"}
JSON = {"Content-Type": "application/json"}


def test_answers_are_json_of_a_known_length() -> None:
    assert sent("GET", Answer(200, b"[1]")) == ("200 OK", {**USUAL, **JSON, "Content-Length": "3"}, b"[1]")
    assert sent("HEAD", Answer(200, b"[1]")) == ("200 OK", {**USUAL, **JSON, "Content-Length": "3"}, b"")
    assert sent("GET", Answer(507, b"")) == ("507 Insufficient Storage", {**USUAL, **JSON, "Content-Length": "0"}, b"")
    assert sent("DELETE", Answer(204, b"")) == ("204 No Content", USUAL, b"")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_files_are_closed_when_they_were_sent_or_not_wanted(method: str) -> None:
    file = io.BytesIO(b"%PDF")
    kind = ("Content-Type", "application/pdf")
    headers = {**USUAL, **dict([kind]), "Content-Length": "4"}
    body = b"%PDF" if method == "GET" else b""
    assert sent(method, Answer(200, Streamed(file, 4), (kind,))) == ("200 OK", headers, body)
    assert file.closed
