"""Somebody who sends requests to the service, in process or over a socket."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from acctcli.models.enums import PermissionKey
from acctcli.service.cases.work import OWN_BOOKS, Limits
from acctcli.service.delivery.outbox import Outbox
from acctcli.service.http.app import create_app
from acctcli.service.identity import grants
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.identity.tokens import token_hash
from acctcli.service.store.contents import Contents
from acctcli.service.store.engine.database import Database
from acctcli.service.store.engine.statements import delete, update
from acctcli.service.store.events import NOBODY
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import memberships
from tests.service.entropy import Entropy
from tests.service.wsgi import DirectClient

START = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)
INSTALLATION = InstallationKey(lambda: bytes(range(32)))
# what DirectClient calls the service
LOGIN_ADDRESS = "https://service"
KEYS = tuple(key.value for key in PermissionKey)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self.now += by


@dataclass(frozen=True)
class Reply:
    """Status, headers, parsed body (numbers with a point as Decimal) and its bytes."""

    status: int
    headers: httpx.Headers
    body: Any
    raw: bytes

    @property
    def error(self) -> tuple[int, str]:
        """Status and machine code."""
        return self.status, self.body["code"]

    @property
    def faults(self) -> list[str]:
        """The fields an error body names."""
        return [name for name in self.body if name not in ("code", "detail")]


@dataclass
class Actor:
    """A user with a token."""

    client: httpx.Client
    id: int
    email: str
    token: str
    headers: dict[str, str] = field(default_factory=dict)

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Reply:
        """Send a request; `body` goes as JSON, `content` as it is."""
        given = {"Authorization": f"Token {self.token}", **self.headers, **(headers or {})}
        kind = {} if content is not None or body is None else {"Content-Type": "application/json"}
        data = content if content is not None else b"" if body is None else json.dumps(body).encode()
        headers = {**kind, **given}
        if isinstance(self.client, DirectClient):
            reply = self.client.ask(method, path, data, headers)
        else:
            reply = self.client.request(method, path, content=data, headers=headers)
        parsed = json.loads(reply.content, parse_float=Decimal) if reply.content else None
        return Reply(reply.status_code, reply.headers, parsed, reply.content)

    def get(self, path: str) -> Any:
        """Read what must be there."""
        reply = self.send("GET", path)
        assert reply.status == 200, reply
        return reply.body

    def create_business(self, name: str = "Test", **fields: object) -> Any:
        """Create a business and return it."""
        reply = self.send("POST", "/v1/business/", {"name": name, **fields})
        assert reply.status == 201, reply
        return reply.body


class World:
    """The service over a database, its clock, and the users who call it."""

    def __init__(self, database: Database, *, base_url: str | None = None, limits: Limits = OWN_BOOKS) -> None:
        self.database = database
        self.clock = Clock()
        self.entropy = Entropy()
        self._folder = TemporaryDirectory(prefix="acct-files-")
        self.contents = Contents(Path(self._folder.name, "files"))
        self.outbox = Outbox(Path(self._folder.name, "outbox"), self.contents)
        self.installation = INSTALLATION
        self.app = create_app(
            database,
            self.contents,
            self.outbox,
            self.installation,
            clock=self.clock,
            entropy=self.entropy,
            limits=limits,
            login_address=LOGIN_ADDRESS,
        )
        if base_url is None:
            self.client: httpx.Client = DirectClient(self.app)
        else:
            self.client = httpx.Client(base_url=base_url, trust_env=False, verify=False, timeout=60)

    def user(self, email: str = "", **fields: str | bool | None) -> Actor:
        """Create a user with a token."""
        address = email or f"user-{self.entropy(4).hex()}@example.com"
        user_id = self.database.write(lambda conn: grants.create_user(conn, address, self.clock.now, NOBODY, **fields))
        return Actor(self.client, user_id, address, self.token(user_id))

    def token(self, user_id: int, expires: datetime | None = None) -> str:
        """Create a token."""
        return self.database.write(
            lambda conn: grants.create_token(
                conn, user_id, "test", self.clock.now, NOBODY, entropy=self.entropy, expires=expires
            )
        )

    def permit(self, actor: Actor, business_id: int, *keys: str) -> None:
        """Give a user exactly these permissions in a business."""
        text = " ".join(PermissionKey(key) for key in keys)
        self.database.write(lambda conn: memberships.put(conn, actor.id, business_id, text, stamp(self.clock.now)))

    def dismiss(self, actor: Actor, business_id: int) -> None:
        """Take a business away from a user."""
        self.database.write(lambda conn: delete(conn, "usership", user_id=actor.id, business_id=business_id))

    def revoke(self, token: str) -> None:
        """Revoke a token at once."""
        revoked = {"revoked_at": stamp(self.clock.now)}
        assert self.database.write(lambda conn: update(conn, "token", revoked, hash=token_hash(token))) == 1

    def close(self) -> None:
        """Close the connections of the actors, and remove their files."""
        self.client.close()
        self._folder.cleanup()


@contextmanager
def world(database: Database, *, base_url: str | None = None, limits: Limits = OWN_BOOKS) -> Iterator[World]:
    """Make a world for a block."""
    made = World(database, base_url=base_url, limits=limits)
    try:
        yield made
    finally:
        made.close()
