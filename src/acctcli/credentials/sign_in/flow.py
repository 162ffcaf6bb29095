"""From the address that a browser opens to a sign-in: the code flow with PKCE, state and nonce."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe
from urllib.parse import parse_qs, urlencode, urlsplit

from acctcli.client import known
from acctcli.credentials.kept import Kept, Renewal
from acctcli.credentials.sign_in.host import LoginHost, ReplyLost
from acctcli.credentials.sign_in.identity import check_identity
from acctcli.credentials.sign_in.provider import Client, NewTokens, Provider, exchange, refused
from acctcli.errors import NotAuthenticated
from acctcli.settings.expiry import Expiry

_BYTES = 32


@dataclass(frozen=True)
class Flow:
    """One sign-in: what was asked for, and what proves that an answer is to that."""

    provider: Provider
    client: Client
    redirect_url: str
    scopes: str
    host: LoginHost
    state: str = field(default_factory=lambda: token_urlsafe(_BYTES), repr=False)
    nonce: str = field(default_factory=lambda: token_urlsafe(_BYTES), repr=False)
    verifier: str = field(default_factory=lambda: token_urlsafe(_BYTES), repr=False)

    def __post_init__(self) -> None:
        known.know(self.verifier)

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        challenge = urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": self.client.id,
            "redirect_uri": self.redirect_url,
            "scope": self.scopes,
            "state": self.state,
            "nonce": self.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        there = self.provider.authorization_endpoint
        return f"{there}{'&' if '?' in there else '?'}{urlencode(query)}"

    def finish(self, wait: Callable[[], str]) -> NewTokens:
        """Wait for the address with which the browser comes back, and exchange its code.

        Raises NotAuthenticated for an answer that is none to this sign-in, or is no.
        """
        code = self._code(wait())
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_url,
            "code_verifier": self.verifier,
        }
        try:
            made = exchange(self.provider.token_endpoint, self.client, form, self.host)
        except ReplyLost as lost:
            # the code works once: it is not sent again
            raise NotAuthenticated(f"{lost.message}; the code may be used up", hint="sign in again") from lost
        check_identity(made, self.provider, self.client.id, self.nonce, self.host)
        return made

    def keep(self, made: NewTokens, base_url: str, user: str) -> Kept:
        """Return what is to be kept of the sign-in."""
        renewal = Renewal(
            refresh_token=made.refresh_token,
            token_url=self.provider.token_endpoint,
            revocation_url=self.provider.revocation_endpoint,
            client_id=self.client.id,
            expiry=Expiry.after(made.expires_in),
        )
        return Kept(token=made.access_token, base_url=base_url, user=user, renewal=renewal)

    def _code(self, address: str) -> str:
        try:
            given = parse_qs(urlsplit(address.strip()).query, max_num_fields=50)
        except ValueError:
            raise _not_ours("it is no address") from None
        values = {name: texts[0] for name, texts in given.items() if len(texts) == 1}
        if not compare_digest(values.get("state", "").encode(), self.state.encode()):
            raise _not_ours("it is not the answer to this sign-in (state)")
        if values.get("iss", self.provider.issuer) != self.provider.issuer:
            raise _not_ours("another login host answered (iss)")
        if "error" in given:
            raise refused(values.get("error", ""))
        if not (code := values.get("code")):
            raise _not_ours("it holds no code")
        known.know(code)
        return code


def _not_ours(why: str) -> NotAuthenticated:
    return NotAuthenticated(f"the address that the browser came back with is refused: {why}", hint="sign in again")
