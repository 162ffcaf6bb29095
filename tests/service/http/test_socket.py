"""The service on a socket: two processes of the production server on one database."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from acctcli.service.http.embedded import open_embedded
from tests.databases import Lasting
from tests.service.actor import Actor, Reply
from tests.service.files import MULTIPART, PDF, multipart
from tests.serving import serve
from tests.sizes import sized

PATH = "/v1/business/"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps what files hold."""
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def actor(lasting: Lasting, files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Actor]:
    """The local user of a served folder."""
    data, database = tmp_path_factory.mktemp("served"), lasting.fresh()
    with open_embedded(data / "local", database) as service:
        token = service.token
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(data), "ACCTCLI_CONFIG_DIR": str(data)}
    options = ("--workers", "2", "--allowed-host", "books.example", "--database-url", database, "--files", str(files))
    limits = httpx.Limits(max_connections=64)
    with (
        serve(environ, *options) as url,
        httpx.Client(base_url=url, trust_env=False, verify=False, timeout=60, limits=limits) as client,
    ):
        yield Actor(client, 1, "", token)
    lasting.drop(database)


@pytest.mark.everywhere
def test_it_answers(actor: Actor) -> None:
    made = actor.create_business("Över sockeln")
    assert actor.get(f"{PATH}{made['slug']}/") == made
    assert actor.send("HEAD", f"{PATH}{made['slug']}/").raw == b""
    assert actor.send("GET", "/v1/user", headers={}).status == 301
    assert actor.client.get("/v1/user/").status_code == 401


def test_bodies_of_unknown_length_are_read(actor: Actor) -> None:
    headers = {"Authorization": f"Token {actor.token}"}
    reply = actor.client.post(PATH, content=iter([b'{"name": ', b'"In pieces"}']), headers=headers)
    assert (reply.status_code, reply.json()["name"]) == (201, "In pieces")


HEAD = (
    "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Token {token}\r\nConnection: close\r\n{headers}\r\n\r\n"
)
CHUNKED = "Transfer-Encoding: chunked"
NAMED = b'{"name": "Cut"}'
CHUNK = b"f\r\n" + NAMED + b"\r\n"


def answers(actor: Actor, path: str, headers: str, body: bytes, *, ends: bool) -> bytes:
    """Send a request byte by byte as given, end the sender's half of the connection or not; return what comes back."""
    url = actor.client.base_url
    with socket.create_connection((url.host, url.port), timeout=5) as connection:
        connection.sendall(HEAD.format(path=path, token=actor.token, headers=headers).encode() + body)
        if ends:
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.together
@pytest.mark.parametrize(
    ("headers", "body", "ends"),
    [
        (CHUNKED, CHUNK, True),
        (CHUNKED, CHUNK + b"0\r\n", True),
        (CHUNKED, CHUNK + b"ZZ\r\n", False),
        (CHUNKED, b"ZZ\r\n" + CHUNK, False),
        (CHUNKED, b"-1\r\n", False),
        (CHUNKED, b"20\r\n" + NAMED, True),
        (f"Content-Length: {len(NAMED) + 1}", NAMED, True),
    ],
)
def test_a_body_that_is_not_whole_does_nothing(actor: Actor, headers: str, body: bytes, ends: bool) -> None:
    before = actor.get(PATH)["count"]
    assert answers(actor, PATH, headers, body, ends=ends).startswith(b"HTTP/1.1 400 ")
    assert actor.get(PATH)["count"] == before


@pytest.mark.together
@pytest.mark.parametrize("headers", [CHUNKED, "Content-Length: 1000"])
@pytest.mark.parametrize(
    ("token", "path", "status"),
    [
        ("nobody", PATH, b"401"),
        ("nobody", f"{PATH}nobody/document/", b"401"),
        ("", f"{PATH}nobody/document/", b"404"),
        ("", f"{PATH}nobody/file_upload/", b"404"),
    ],
)
def test_the_body_of_who_may_not_write_is_not_waited_for(
    actor: Actor, headers: str, token: str, path: str, status: bytes
) -> None:
    sender = replace(actor, token=token or actor.token)
    assert answers(sender, path, headers, b"1", ends=False)[9:12] == status


def test_an_action_without_fields_does_nothing_when_its_chunks_break_off(actor: Actor) -> None:
    path = f"{PATH}{actor.create_business()['slug']}/document/"
    copy = f"{path}{actor.send('POST', path, {'date': '2026-03-02', 'is_draft': True}).body['id']}/action/copy/"
    assert actor.send("POST", copy).status == 200
    assert answers(actor, copy, CHUNKED, b"ZZ\r\n", ends=False).startswith(b"HTTP/1.1 400 ")
    assert actor.get(path)["count"] == 2


@pytest.mark.everywhere
def test_a_long_report_arrives_whole_or_is_left(actor: Actor) -> None:
    path = f"{PATH}{actor.create_business()['slug']}/"
    ids = {one["number"]: one["id"] for one in actor.get(f"{path}account/?page_size=200")["results"]}
    row = {"account_id": ids["3000"], "amount": 1, "description": "\x01" * 256}  # six letters each in JSON
    blueprint = {"debet_account_id": ids["1910"], "credit_entries": [row] * 400}
    for _ in range(3):
        actor.send("POST", f"{path}document/", {"date": "2026-03-02", "blueprint": blueprint})
    asked = {"columns": [{"date_from": "2026-01-01", "date_to": "2026-12-31"}]}
    journal = actor.send("POST", f"{path}report/journal/", asked)
    assert int(journal.headers["Content-Length"]) == len(journal.raw) > 2**20
    assert [len(document["entries"]) for document in journal.body["documents"]] == [401] * 3
    headers = {"Authorization": f"Token {actor.token}"}
    for _ in range(20):
        with actor.client.stream("POST", f"{path}report/journal/", json=asked, headers=headers) as reply:
            assert next(reply.iter_raw())
    assert actor.send("POST", f"{path}report/journal/", asked).raw == journal.raw


@pytest.mark.together
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost", 200),
        ("localhost:8320", 200),
        ("[::1]:8320", 200),
        ("books.example", 200),
        ("BOOKS.example:80", 200),
        ("evil.example", 400),
        ("", 400),
    ],
)
def test_only_its_own_names_are_answered(actor: Actor, host: str, status: int) -> None:
    reply = actor.send("GET", "/v1/user/", headers={"Host": host})
    assert reply.status == status


def test_odd_bytes_in_headers_are_no_token(actor: Actor) -> None:
    url = actor.client.base_url
    connection = HTTPConnection(url.host, url.port)
    connection.putrequest("GET", "/v1/user/")
    connection.putheader("Authorization", b"Token \xe9\xff")
    connection.endheaders()
    with connection.getresponse() as reply:
        assert reply.status in (400, 401)
    connection.close()


@pytest.mark.everywhere
def test_keys_hold_across_processes(actor: Actor) -> None:
    slug = actor.create_business()["slug"]
    path = f"{PATH}{slug}/identifiers/"

    def send(key: str) -> Reply:
        body = {"name": key}
        return actor.send("POST", PATH, body, headers={"Idempotency-Key": key})

    with ThreadPoolExecutor(50) as pool:
        for number in range(sized(10)):
            replies = list(pool.map(send, [f"key {number}"] * 50))
            assert {reply.status for reply in replies} <= {201, 409}
            assert len({reply.raw for reply in replies if reply.status == 201}) == 1
            assert actor.get(f"{PATH}?search=key%20{number}")["count"] == 1
    assert actor.get(path)["count"] == 0


# --- files ---


def send_file(actor: Actor, slug: str, content: bytes, token: str | None = None) -> Reply:
    body = multipart(("name", b"a.pdf"), ("file", content))
    headers = {"Content-Type": MULTIPART} | ({"Authorization": f"Token {token}"} if token else {})
    return actor.send("POST", f"{PATH}{slug}/file_upload/", content=body, headers=headers)


def test_a_file_goes_up_and_comes_down_without_a_token(actor: Actor) -> None:
    content = PDF + os.urandom(3 * 2**20)
    made = send_file(actor, actor.create_business()["slug"], content).body
    assert made["file"].startswith(str(actor.client.base_url.join("/v1/content/")))
    with httpx.Client(trust_env=False, verify=False) as nobody:
        reply = nobody.get(made["file"])
        assert (reply.content, reply.headers["content-length"]) == (content, str(len(content)))
        assert nobody.get(f"{made['file']}0").status_code == 404


def test_a_refusal_is_heard_before_a_large_file_is_read(actor: Actor) -> None:
    slug, large = actor.create_business()["slug"], bytes(20 * 2**20)
    assert send_file(actor, slug, large, token="nobody").status == 401
    assert send_file(actor, "nobody", large).status == 404
    assert send_file(actor, slug, bytes(26 * 2**20)).status == 413
    assert send_file(actor, slug, bytes(60 * 2**20)).status == 413
    assert actor.get(f"{PATH}{slug}/files/")["count"] == 0


def test_a_refusal_is_heard_on_every_connection_of_a_rush(actor: Actor) -> None:
    """Threads that a rush of requests woke are held back, but not with a body that nobody has read."""

    def get(_: int) -> int:
        return actor.client.get("/v1/user/").status_code

    with ThreadPoolExecutor(50) as pool:
        for _ in range(10):
            assert set(pool.map(get, range(50))) == {401}
    for _ in range(20):
        assert send_file(actor, "nobody", bytes(2**22), token="nobody").status == 401


@pytest.mark.everywhere
def test_a_business_is_deleted_while_others_write(actor: Actor) -> None:
    """What it had is taken away before the answer, and nobody's commit waits for that."""
    gone = [actor.create_business(f"Gone {number}")["slug"] for number in range(5)]
    path = f"{PATH}{actor.create_business('It stays')['slug']}/tags/"

    def write(number: int) -> int:
        if number % 10 == 0:
            return actor.send("DELETE", f"{PATH}{gone[number // 10]}/").status
        return actor.send("POST", path, {"name": f"tag {number}"}).status

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(write, range(50))) == {201, 204}
    assert actor.get(path)["count"] == 45
    assert {actor.send("GET", f"{PATH}{slug}/").status for slug in gone} == {404}


def test_a_write_answers_on_a_socket_as_in_process(actor: Actor, tmp_path: Path) -> None:
    """Replies that are sent later have the same status, headers and bodies as those that are not."""
    with open_embedded(tmp_path / "local") as service:
        transport = httpx.WSGITransport(app=service.app)
        with httpx.Client(base_url=actor.client.base_url, transport=transport) as client:
            inside = Actor(client, 1, "", service.token)
            assert [_shown(reply) for reply in _write(actor)] == [_shown(reply) for reply in _write(inside)]


def _write(actor: Actor) -> list[Reply]:
    """Make, refuse, repeat, change and delete."""
    path = f"{PATH}{actor.create_business('As in process')['slug']}/tags/"
    key = {"Idempotency-Key": "as in process"}
    made = [actor.send("POST", path, {"name": "first"}, headers=key) for _ in range(2)]
    one = f"{path}{made[0].body['id']}/"
    return [
        *made,
        actor.send("POST", path, {"name": "another"}, headers=key),
        actor.send("POST", path, {"name": ""}),
        actor.send("PATCH", f"{path}999999/", {"name": "nobody"}),
        actor.send("PATCH", one, {"name": "second"}),
        actor.send("DELETE", one),
    ]


def _shown(reply: Reply) -> tuple[int, dict[str, str], int]:
    headers = {name: value for name, value in reply.headers.items() if name not in ("date", "x-request-id", "server")}
    # ids differ between the two, and with them may lengths
    headers.pop("content-length", None)
    assert int(reply.headers.get("content-length", 0)) == len(reply.raw)
    return reply.status, headers, len(reply.raw) and len(reply.body)


def test_an_upload_that_breaks_off_leaves_nothing(actor: Actor, files: Path) -> None:
    slug = actor.create_business()["slug"]
    # with its first file a service says in the folder that it keeps them there
    send_file(actor, slug, PDF)
    body = multipart(("name", b"a.pdf"), ("file", PDF * 100_000))
    url = actor.client.base_url
    before = {path for path in files.rglob("*") if path.is_file()}
    with socket.create_connection((url.host, url.port), timeout=30) as connection:
        head = (
            f"POST {PATH}{slug}/file_upload/ HTTP/1.1\r\nHost: {url.host}\r\nAuthorization: Token {actor.token}\r\n"
            f"Content-Type: {MULTIPART}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall(head.encode() + body[: len(body) // 2])
        connection.shutdown(socket.SHUT_WR)
        # the server closes once it has given the request up
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400")
    assert {path for path in files.rglob("*") if path.is_file()} == before
    assert actor.get(f"{PATH}{slug}/files/")["count"] == 1
