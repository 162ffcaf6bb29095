"""A login host that a test tells what to answer, and a browser that comes back from it at once."""

from __future__ import annotations

import base64
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.cli.recorder import Answer, Recorder, Sent, said

CLIENT = "acctcli-tests"
# what opens a browser
OPEN = "acctcli.cli.auth.login.open_browser"
Change = Callable[[dict[str, Any]], None]


def nothing(fields: dict[str, Any]) -> None:
    """Leave everything as it is right."""


@cache
def key(number: int = 0) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class LoginHost:
    """Gives tokens for codes and refresh tokens, each of them once; what tests change is what it gets wrong."""

    server: Recorder | None = None
    discovery: Change = nothing
    claims: Change = nothing
    reply: Change = nothing
    answer: Answer | None = None  # of the token endpoint, instead of its own
    sign: Callable[[dict[str, Any]], str] | None = None
    users: dict[str, str] = field(default_factory=dict)  # of access tokens
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refresh_tokens: dict[str, str] = field(default_factory=dict)
    revoked: list[str] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)  # what came to the token endpoint
    seconds: int = 3600

    @property
    def url(self) -> str:
        assert self.server is not None
        return self.server.base_url

    def __call__(self, sent: Sent) -> Answer:
        path = sent.path.partition("?")[0]
        if path == "/.well-known/openid-configuration":
            return said(self._configuration())
        if path == "/keys":
            number = jwt.algorithms.RSAAlgorithm.to_jwk(key().public_key(), as_dict=True)
            return said({"keys": [{**number, "kid": "one", "use": "sig", "alg": "RS256"}]})
        form = {name: texts[0] for name, texts in parse_qs(sent.body.decode()).items()}
        if path == "/token":
            self.asked.append(form)
            return self.answer or self._tokens(form)
        if path == "/revoke":
            self.revoked.append(form["token"])
            return said({})
        email = self.users.get(sent.headers.get("authorization", "").removeprefix("Token "))
        if email is None:
            return said({"detail": "Invalid token."}, 401)
        if path == "/v1/user/":
            return said({"id": 1, "email": email})
        return said({"id": 1, "slug": "demo", "count": 0, "next": None, "prev": None, "size": 30, "results": []})

    def agree(self, address: str) -> str:
        """Return the address to which a person who agrees is sent back."""
        asked = {name: texts[0] for name, texts in parse_qs(urlsplit(address).query).items()}
        code = token_urlsafe(24)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def _configuration(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "revocation_endpoint": f"{self.url}/revoke",
        }
        self.discovery(fields)
        return fields

    def _tokens(self, form: dict[str, str]) -> Answer:
        nonce = None
        if form["grant_type"] == "authorization_code":
            asked = self.codes.pop(form["code"], None)
            challenge = base64.urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
            if asked is None or asked["code_challenge"] != challenge or asked["redirect_uri"] != form["redirect_uri"]:
                return said({"error": "invalid_grant"}, 400)
            email, nonce = "ada@books.example", asked["nonce"]
        elif (found := self.refresh_tokens.pop(form["refresh_token"], None)) is None:
            return said({"error": "invalid_grant"}, 400)
        else:
            email = found
        access, refresh = token_urlsafe(24), token_urlsafe(24)
        self.users[access] = email
        self.refresh_tokens[refresh] = email
        now = int(time.time())
        claims = {"iss": self.url, "aud": form["client_id"], "sub": "1", "iat": now, "exp": now + 300, "nonce": nonce}
        self.claims(claims)
        sign = self.sign or (lambda given: jwt.encode(given, key(), "RS256", {"kid": "one"}))
        reply = {
            "access_token": access,
            "refresh_token": refresh,
            "token_type": "Bearer",
            "expires_in": self.seconds,
            "id_token": sign(claims),
        }
        self.reply(reply)
        return said(reply)


def browser(come_back: Callable[[str], str | None]) -> Callable[..., None]:
    """Return what opens an address: it goes on, in a thread, to the address that `come_back` makes of it."""

    def open_address(address: str, environ: object) -> None:
        target = come_back(address)
        if target is not None:
            threading.Thread(target=visit, args=(target,), daemon=True).start()

    return open_address


def visit(address: str) -> None:
    """Open an address, and read its page."""
    with urllib.request.urlopen(address, timeout=10) as page:
        page.read()
