"""An app that somebody signs in to, as far as it has no browser: its code is made by the provider itself."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from authlib.oauth2.rfc6749 import OAuth2Error

from acctcli.service.identity import apps
from acctcli.service.identity.flows import open_provider
from acctcli.service.identity.provider import AUTHORIZE, Issuer, Person, Reply, Request
from acctcli.service.identity.signing import SigningKeys
from acctcli.service.store.engine.database import Connection
from acctcli.service.store.events import NOBODY
from tests.service.actor import LOGIN_ADDRESS, Actor, World

VERIFIER = "a-verifier-of-forty-three-characters-at-least"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
REDIRECT = "https://till.example/callback?of=1"
ALL = "openid profile email offline_access"


@dataclass
class AppClient:
    """A registered app."""

    world: World
    client_id: str = "till"
    scopes: str = ALL
    is_confidential: bool = False
    environment: str = "local"
    secret: str | None = field(init=False)

    def __post_init__(self) -> None:
        entropy = self.world.entropy if self.is_confidential else None
        self.secret = self.world.database.write(
            lambda conn: apps.register(
                conn,
                self.environment,
                self.client_id,
                "Till",
                [REDIRECT, "http://127.0.0.1:9999/cb"],
                self.scopes.split(),
                self.world.clock.now,
                NOBODY,
                entropy=entropy,
            )
        )

    @property
    def issuer(self) -> Issuer:
        world = self.world
        signing = SigningKeys(world.database, world.installation, world.entropy)
        return Issuer(LOGIN_ADDRESS, self.environment, world.installation, signing, world.entropy)

    def asked(self, **changed: str | None) -> dict[str, list[str]]:
        """The parameters that its browser comes with; None leaves one out."""
        usual = {
            "client_id": self.client_id,
            "redirect_uri": REDIRECT,
            "response_type": "code",
            "scope": self.scopes,
            "state": "of the app",
            "nonce": "n-1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
        }
        return {name: [value] for name, value in {**usual, **changed}.items() if value is not None}

    def authorize(self, person: Actor | None, **changed: str | None) -> Reply:
        """Let somebody consent, nobody refuse."""
        asked = Request("GET", f"{LOGIN_ADDRESS}{AUTHORIZE}", self.asked(**changed))
        user = None if person is None else Person(person.id, self.world.clock.now)

        def run(conn: Connection) -> Reply:
            provider = open_provider(self.issuer, conn, self.world.clock.now, NOBODY)
            try:
                grant = provider.get_authorization_grant(asked)
                reply: Reply = provider.create_authorization_response(asked, user, grant)
            except OAuth2Error as error:
                return provider.handle_error_response(asked, error)
            return reply

        return self.world.database.write(run)

    def code(self, person: Actor, **changed: str | None) -> str:
        """Return a code of somebody who consents."""
        return back(self.authorize(person, **changed))["code"]

    def post(self, path: str, **fields: str | None) -> tuple[int, Any]:
        """Send a form, with what the app proves itself by."""
        proof = {"client_id": self.client_id, "client_secret": self.secret}
        form = {name: value for name, value in {**proof, **fields}.items() if value is not None}
        reply = self.world.client.post(path, data=form)
        assert reply.headers["Cache-Control"] == "no-store"
        return reply.status_code, reply.json()

    def exchange(self, code: str, **changed: str | None) -> tuple[int, Any]:
        """Exchange a code."""
        usual = {"grant_type": "authorization_code", "redirect_uri": REDIRECT, "code_verifier": VERIFIER}
        return self.post("/identity/o/api/token", code=code, **{**usual, **changed})

    def refresh(self, token: str, **changed: str | None) -> tuple[int, Any]:
        """Exchange a refresh token."""
        return self.post("/identity/o/api/token", grant_type="refresh_token", refresh_token=token, **changed)

    def tokens(self, person: Actor) -> dict[str, Any]:
        """Return the tokens that the app gets of somebody who consents."""
        status, told = self.exchange(self.code(person))
        assert status == 200, told
        found: dict[str, Any] = told
        return found


def back(reply: Reply) -> dict[str, str]:
    """Return what comes back to the app."""
    assert (reply.status, reply.location is not None) == (302, True), reply
    assert reply.location is not None
    assert reply.location.startswith(f"{REDIRECT}&")
    given = parse_qs(urlsplit(reply.location).query)
    return {name: value for name, (value,) in given.items() if name != "of"}


def claims_of(token: str) -> dict[str, Any]:
    """Return what a JWT says, unchecked."""
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    return found


def knows(world: World, token: str, word: str = "Token") -> int:
    """Return what the interface says to a token."""
    return world.client.get("/v1/user/", headers={"Authorization": f"{word} {token}"}).status_code
