"""What a login host says of itself, and the tokens that it gives out.

Its addresses are https, or on this machine, and on the host of the issuer: nothing that is secret goes elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from acctcli.client import known
from acctcli.credentials.sign_in.host import Answer, LoginHost, NeverSent
from acctcli.credentials.tokens import refusal
from acctcli.errors import NotAuthenticated, ServerFault, UsageError
from acctcli.settings import Environment
from acctcli.settings.urls import normalise_url, origin

WELL_KNOWN = "/.well-known/openid-configuration"
CLIENT_ID = "acctcli"
SCOPES = "openid profile email offline_access"
# how errors are named; anything else may be what was sent
_WORD = "[a-z_]{1,40}"
_BUSY = "temporarily_unavailable"
_USUAL_LIFE, _LONGEST_LIFE = 3_600.0, 86_400.0


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of a login host."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    revocation_endpoint: str | None = None


class NewTokens(msgspec.Struct, frozen=True, kw_only=True):
    """What a code or a refresh token was exchanged for; `expires_in` is in seconds."""

    access_token: str
    expires_in: float = _USUAL_LIFE
    refresh_token: str | None = None
    id_token: str | None = None

    def __repr__(self) -> str:
        return "NewTokens()"


class GrantRefused(NotAuthenticated):
    """The login host gives no tokens for this; `error` is the word of the standard for it."""

    def __init__(self, message: str, error: str, *, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.error = error


# what the words mean, to people
MEANINGS = {
    "invalid_scope": "the scopes asked for are not those that the registration of this client has",
    "access_denied": "it was not agreed to",
    "invalid_grant": "the code or refresh token is used up, over, or of another client: a code lasts one minute",
    "invalid_client": "the login host does not know the client, or its secret is wrong",
    "unauthorized_client": "the client is not registered for this way of signing in",
    "invalid_request": "the login host takes the request for faulty; is the redirect address the registered one?",
    "login_required": "nobody is signed in there",
    "temporarily_unavailable": "the login host is busy; try again later",
}


@dataclass(frozen=True)
class Client:
    """How this command line is registered: without `secret` a public client."""

    id: str
    secret: str | None = field(default=None, repr=False)

    def named(self, form: Mapping[str, str]) -> dict[str, str]:
        """Return a form with what the client is known by."""
        return {**form, "client_id": self.id, **({"client_secret": self.secret} if self.secret else {})}


def discover(environment: Environment, login_url: str, host: LoginHost) -> Provider:
    """Ask the login host for its addresses; raise ServerFault or NetworkError when there are none to be trusted."""
    url = environment.sign_in.discovery_url or f"{login_url}{WELL_KNOWN}"
    answer = host.get(url)
    if answer.status != 200:
        raise _unusable(url, f"answers {answer.status}", "check login_url with: acctcli env show")
    try:
        found = msgspec.convert(dict(answer.fields), Provider)
    except msgspec.ValidationError as error:
        raise _unusable(url, f"does not name all addresses ({error})") from error
    if url.endswith(WELL_KNOWN) and found.issuer.rstrip("/") != url.removesuffix(WELL_KNOWN):
        raise _unusable(url, "names another issuer than itself")
    endpoints = (found.authorization_endpoint, found.token_endpoint, found.jwks_uri, found.revocation_endpoint)
    for address in filter(None, (url, *endpoints)):
        _check_on_host(address, found.issuer, url)
    return found


def exchange(provider_url: str, client: Client, form: Mapping[str, str], host: LoginHost) -> NewTokens:
    """Exchange a code or a refresh token; raise GrantRefused, NeverSent, ReplyLost or ServerFault."""
    answer = host.post(provider_url, client.named(form))
    if answer.status != 200:
        error = str(answer.fields.get("error", answer.status))
        if error == _BUSY:
            raise NeverSent(f"the login host says {error}: {MEANINGS[error]}")
        raise refused(error)
    return _tokens(answer)


def revoke(url: str, client: Client, token: str, host: LoginHost) -> bool:
    """Tell the login host that a token is not used any more; tell whether it heard."""
    return host.post(url, client.named({"token": token})).status == 200


def refused(error: str) -> GrantRefused:
    """Return the error for the word of the standard that the login host answered with."""
    word = error if re.fullmatch(_WORD, error) else "no without a word of the standard"
    told = f": {MEANINGS[error]}" if error in MEANINGS else ""
    return GrantRefused(f"the login host says {word}{told}", word, hint="sign in with: acctcli auth login --web")


def _tokens(answer: Answer) -> NewTokens:
    try:
        made = msgspec.convert(dict(answer.fields), NewTokens, strict=False)
    except msgspec.ValidationError:
        raise ServerFault("the login host sent no tokens", code="unreadable_reply") from None
    for token in filter(None, (made.access_token, made.refresh_token, made.id_token)):
        known.know(token)
        if refusal(token):
            raise ServerFault("the login host sent something that is no token", code="unreadable_reply")
    # a token that says nothing sensible of its time is asked for again in an hour, or when it is refused
    seconds = made.expires_in if made.expires_in > 0 else _USUAL_LIFE
    return msgspec.structs.replace(made, expires_in=min(seconds, _LONGEST_LIFE))


def _check_on_host(address: str, issuer: str, url: str) -> None:
    try:
        plain = address.isascii() and address.isprintable() and " " not in address and "#" not in address
        there = origin(normalise_url(address.partition("?")[0], "discovery"))
        same = plain and there == origin(normalise_url(issuer, "issuer"))
    except UsageError:
        same = False
    if not same:
        raise _unusable(url, "names an address that is not https, or not on the host of its issuer")


def _unusable(url: str, why: str, hint: str | None = None) -> ServerFault:
    return ServerFault(f"{url} {why}", code="unreadable_reply", hint=hint)
