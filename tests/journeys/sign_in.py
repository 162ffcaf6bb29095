"""A service that is served, somebody who has a password there, and an app that browsers come back to."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from tests.journeys.places import Place, fresh
from tests.serving import serve

EMAIL, PASSWORD = "anna@example.com", "correct horse battery"
SCOPES = ["openid", "profile", "email", "offline_access"]


class Callback(BaseHTTPRequestHandler):
    """The address that an app gets its browser back at."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<title>back</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Returned(ThreadingHTTPServer):
    """An app's own server, which browsers come back to."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Callback)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/callback"


@dataclass
class Served:
    """A service that is served, its owner, and an app's address to return to."""

    url: str
    owner: Place
    returned: Returned

    def invite(self, address: str) -> str:
        """Invite somebody to a business of the owner's, over the network, and return what the mail says."""
        token = self.owner.run("local", "token").out.strip()
        named = {"email": address, "permission_group": "read_only"}
        with httpx.Client(base_url=self.url, headers={"Authorization": f"Token {token}"}, verify=False) as client:
            made = client.post("/v1/business/", json={"name": "Acme"}).json()["slug"]
            sent = client.post(f"/v1/business/{made}/invitations/", json=named)
        assert sent.status_code == 201, sent.text
        (letter,) = Path(self.owner.environ["ACCTCLI_DATA_DIR"], "local", "outbox", made).glob("invitation-*.eml")
        return str(message_from_bytes(letter.read_bytes(), policy=default).get_content())

    def api(self, token: str, word: str = "Token") -> httpx.Response:
        return httpx.get(f"{self.url}/v1/user/", headers={"Authorization": f"{word} {token}"}, verify=False)


@contextmanager
def served_in(folder: Path) -> Iterator[Served]:
    """Serve with two workers for a block."""
    owner = fresh("served", folder)
    owner.run("local", "token", "--user", EMAIL)
    done = owner.try_run("local", "password", EMAIL, stdin=f"{PASSWORD}\n")
    assert done.code == 0, done.err
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ACCTCLI_")} | owner.environ
    returned = Returned()
    thread = threading.Thread(target=returned.serve_forever, daemon=True)
    thread.start()
    try:
        with serve(environ, "--workers", "2") as url:
            yield Served(url, owner, returned)
    finally:
        returned.shutdown()
        returned.server_close()
        thread.join()
