"""Uploads: the same bytes each time, read by the service as they were meant."""

from __future__ import annotations

import io
import json
from hashlib import sha256
from typing import Any

import httpx
import pytest
from multipart import MultipartParser

from acctcli.client.messages import Planned
from acctcli.client.uploads import Upload, send
from tests.client.wire import Wire, script, wire

PATH = "/v1/business/demo/file_upload/"
FILE = Upload("Kuitti ä.pdf", b"%PDF-1.7\r\n--acctcli-\r\n\0\xff")


def ok() -> httpx.Response:
    return httpx.Response(200, json={"id": 1})


def parts(w: Wire) -> list[tuple[str | None, str | None, str, bytes]]:
    """Read the last body with another implementation than the one that wrote it."""
    request = w.requests[-1]
    boundary = request.headers["content-type"].partition("boundary=")[2]
    found = MultipartParser(io.BytesIO(request.content), boundary, strict=True)
    return [(part.name, part.filename, part.content_type, part.raw) for part in found]


def test_the_parts_are_name_and_file() -> None:
    w = wire(script(ok()))
    send(w.http, PATH, FILE, "one")
    assert parts(w) == [
        ("name", None, "text/plain", "Kuitti ä.pdf".encode()),
        ("file", "Kuitti ä.pdf", "application/pdf", FILE.content),
    ]
    sent = w.requests[0]
    assert (sent.method, sent.url.path, sent.headers["idempotency-key"]) == ("POST", PATH, "one")
    # which no content holds of itself
    boundary = f"acctcli-{sha256(FILE.content).hexdigest()[:48]}"
    assert sent.headers["content-type"] == f"multipart/form-data; boundary={boundary}"


def test_a_folder_goes_along() -> None:
    w = wire(script(ok()))
    send(w.http, PATH, Upload("a.bin", b"x", folder=7), "one")
    assert parts(w)[1] == ("folder_id", None, "text/plain", b"7")
    assert parts(w)[2][2] == "application/octet-stream"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.pdf", "application/pdf"),
        ("A.JPG", "image/jpeg"),
        ("photo.webp", "image/webp"),
        ("invoice.xml", "text/xml"),
        ("pdf", "application/octet-stream"),
        ("a.unheard-of", "application/octet-stream"),
    ],
)
def test_the_type_is_what_the_name_suggests(name: str, kind: str) -> None:
    assert Upload(name, b"").type == kind


@pytest.mark.parametrize("name", ['a".pdf', "a\r\nX: y.pdf", 'x"; filename="y', "\\", "€" * 256, "\x1b[2J"])
def test_no_name_breaks_out_of_its_part(name: str) -> None:
    w = wire(script(ok()))
    send(w.http, PATH, Upload(name, b"content"), "one")
    assert [(part[0], part[3]) for part in parts(w)] == [("name", name.encode()), ("file", b"content")]


def test_retries_send_the_same_bytes_under_the_same_key() -> None:
    w = wire(script(httpx.Response(503), httpx.ReadError("reset"), ok()))
    send(w.http, PATH, FILE, "one")
    assert len(w.requests) == 3
    assert len({(one.content, one.headers["content-type"], one.headers["idempotency-key"]) for one in w.requests}) == 1


def test_another_run_sends_the_same_bytes() -> None:
    bodies = set()
    for _ in range(2):
        w = wire(script(ok()))
        send(w.http, PATH, Upload(FILE.name, FILE.content), "one")
        bodies.add((w.requests[0].content, w.requests[0].headers["content-type"]))
    assert len(bodies) == 1


def planned(file: Upload) -> Any:
    w = wire(script(ok()))
    w.http.dry_run = True
    with pytest.raises(Planned) as caught:
        send(w.http, PATH, file, "one")
    assert w.requests == []
    return json.loads(caught.value.as_json())


def test_a_dry_run_shows_the_file_and_not_its_bytes() -> None:
    plan = planned(Upload("a.csv", b"a;b\n", folder=3))
    assert plan == {
        "method": "POST",
        "host": "https://books.example",
        "path": PATH,
        "idempotency_key": "one",
        "body": {
            "name": "a.csv",
            "size": 4,
            "sha256": "9a8be2eb1604c06722f17a9bbdb1160123efa0dcf87979013ead941593977af2",
            "type": "text/csv",
            "folder_id": 3,
        },
    }
