"""A bank that others wrote: it takes payment files, and answers with reports, notifications and statements."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from mockbank.server import Config, make_server


@dataclass(frozen=True)
class Bank:
    """What its customers do, and what makes its days pass."""

    url: str
    folder: Path

    def account(self, name: str, iban: str, **traits: Any) -> None:
        self._ask("POST", "/_mock/accounts", json.dumps({"id": name, "name": name, "iban": iban, **traits}).encode())

    def change(self, name: str, **traits: Any) -> None:
        self._ask("PATCH", f"/_mock/accounts/{name}", json.dumps(traits).encode())

    def findings(self, path: Path) -> str:
        """What it finds in a file, without taking it."""
        return self._ask("POST", "/_mock/validate", path.read_bytes(), "application/xml").strip()

    def send(self, path: Path) -> None:
        self._ask("POST", "/payments", path.read_bytes(), "application/xml")

    def advance(self, days: int) -> None:
        self._ask("POST", f"/_mock/advance?days={days}")

    def messages(self, kind: str, account: str) -> list[str]:
        """Save what lies in the mailbox of one kind, such as `camt.053`, and return the paths; it is fetched once."""
        paths = []
        for one in json.loads(self._ask("GET", f"/_mock/mailbox?type={kind}")):
            if one["account"] == account:
                path = self.folder / f"{kind}-{one['id']}.xml"
                path.write_text(one["body"])
                paths.append(str(path))
        return paths

    def _ask(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> str:
        asked = Request(f"{self.url}{path}", data=body, method=method, headers={"Content-Type": kind})
        try:
            with urlopen(asked, timeout=30) as answer:
                return str(answer.read().decode())
        except HTTPError as refusal:
            with refusal:  # a file that is refused is an answer, too
                if refusal.code != 422:
                    raise
                return str(refusal.read().decode())


@contextmanager
def a_bank(folder: Path, day: date) -> Iterator[Bank]:
    """Open a bank on the morning of a day."""
    server = make_server(Config(port=0, quiet=True, clock=f"{day}T06:00"))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield Bank(f"http://127.0.0.1:{server.server_address[1]}", folder)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
