"""The service on a socket: two processes of the production server on one database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import httpx
import pytest

from acctcli.service.embedded import open_embedded
from tests.databases import Factory
from tests.service.actor import Actor, Reply

PATH = "/v1/business/"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until somebody listens."""
    deadline = time.monotonic() + 30
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/openapi.json", trust_env=False)
        except httpx.TransportError:
            assert server.poll() is None
            assert time.monotonic() < deadline
        else:
            return


@pytest.fixture(scope="module")
def actor(factory: Factory, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Actor]:
    """The local user of a served folder."""
    data, url, port = tmp_path_factory.mktemp("served"), factory.fresh(), free_port()
    with open_embedded(data / "local", url) as service:
        token = service.token
    command = [sys.executable, "-m", "acctcli", "local", "serve", "--workers", "2", "--allowed-host", "books.example"]
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(data), "ACCTCLI_CONFIG_DIR": str(data)}
    with subprocess.Popen([*command, "--port", str(port), "--database-url", url], env=environ) as server:
        try:
            wait_for(port, server)
            limits = httpx.Limits(max_connections=64)
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60, limits=limits
            ) as client:
                yield Actor(client, 1, "", token)
        finally:
            server.terminate()


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


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1", 200), ("books.example", 200), ("BOOKS.example:80", 200), ("evil.example", 400), ("", 400)],
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


def test_keys_hold_across_processes(actor: Actor) -> None:
    slug = actor.create_business()["slug"]
    path = f"{PATH}{slug}/identifiers/"

    def send(key: str) -> Reply:
        body = {"name": key}
        return actor.send("POST", PATH, body, headers={"Idempotency-Key": key})

    with ThreadPoolExecutor(50) as pool:
        for number in range(10):
            replies = list(pool.map(send, [f"key {number}"] * 50))
            assert {reply.status for reply in replies} <= {201, 409}
            assert len({reply.raw for reply in replies if reply.status == 201}) == 1
            assert actor.get(f"{PATH}?search=key%20{number}")["count"] == 1
    assert actor.get(path)["count"] == 0
