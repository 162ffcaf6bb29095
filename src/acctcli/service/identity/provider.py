"""Sign-in for apps: OAuth 2.0 and OpenID Connect, by Authlib's core over this service's rows (docs/interface.md 12.2).

Authlib decides what a request may ask and which error it gets; what is kept, and who is asked, stands here. One
provider answers one request, in the transaction of that. This module is loaded when an app comes, and never for a
command.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, NamedTuple

from authlib.oauth2.rfc6749 import (
    AuthorizationServer,
    ClientMixin,
    InvalidRequestError,
    InvalidScopeError,
    OAuth2Error,
    OAuth2Request,
    UnsupportedResponseTypeError,
)
from authlib.oauth2.rfc6749.requests import OAuth2Payload
from authlib.oauth2.rfc6750 import BearerTokenGenerator

from acctcli.service.identity import grants
from acctcli.service.identity.apps import SCOPES
from acctcli.service.identity.opaque import ACCESS, REFRESH, digest, new_opaque
from acctcli.service.identity.tokens import new_token, token_hash
from acctcli.service.store import service_trail
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps, tokens, users
from acctcli.service.store.people.apps import AppRow

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.identity.signing import SigningKeys
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.events import Author

ACCESS_SECONDS = 3600
METHODS = ["none", "client_secret_post"]
GRANT_TYPES = ("authorization_code", "refresh_token")
OFFLINE = "offline_access"
# parameters that errors name
NAMED = {"client_id", "redirect_uri", "response_type", "grant_type", "code_challenge_method", "prompt", "scope"}
PLAIN = frozenset(map(chr, range(0x20, 0x7F))) - {'"', chr(0x5C)}

AUTHORIZE, TOKEN = "/identity/o/authorize", "/identity/o/api/token"
USERINFO, REVOKE = "/identity/o/api/userinfo", "/identity/o/api/revoke"
DISCOVERY, JWKS = "/.well-known/openid-configuration", "/.well-known/jwks.json"


class Reply(NamedTuple):
    """What an app is answered: JSON, or where its browser goes on."""

    status: int
    body: Any
    headers: Sequence[tuple[str, str]]

    @property
    def location(self) -> str | None:
        """Where the browser goes on; None for what is no redirect."""
        return dict(self.headers).get("Location")


class Person(NamedTuple):
    """Who signs in, and since when."""

    id: int
    signed_in_at: datetime


@dataclass(frozen=True)
class Issuer:
    """What a provider works with: the address it is known by, and the means of its service."""

    address: str
    environment: str
    key: InstallationKey
    signing: SigningKeys
    entropy: Callable[[int], bytes]


class App(ClientMixin):  # type: ignore[misc]
    """A registered app as Authlib asks for it."""

    def __init__(self, row: AppRow) -> None:
        self.row = row
        self.redirects = row.redirects.split()

    def get_client_id(self) -> str:
        """Return its id."""
        return self.row.client_id

    def get_default_redirect_uri(self) -> None:
        """Return no address: one has to be named."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return what it may ask for, in its order; None, which is refused, for nothing and for anything else."""
        asked = (scope or "").split()
        return " ".join(dict.fromkeys(asked)) if asked and not set(asked) - set(self.row.scopes.split()) else None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Say whether an address is registered, character for character."""
        return redirect_uri in self.redirects

    def check_client_secret(self, client_secret: str) -> bool:
        """Say whether this is its secret."""
        known = self.row.secret_hash
        return known is not None and compare_digest(known, token_hash(client_secret))

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        """Say whether it proves itself so: with its secret, if it has one."""
        del endpoint
        return method == ("none" if self.row.secret_hash is None else "client_secret_post")

    def check_response_type(self, response_type: str) -> bool:
        """Say whether it may ask for this: for a code."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Say whether it may exchange this."""
        return grant_type in GRANT_TYPES


class Payload(OAuth2Payload):  # type: ignore[misc]
    """The parameters of a request, each with all its values."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        tidy = {name: [_tidy(name, one) for one in given] for name, given in values.items()}
        self._all = defaultdict(list, tidy)
        self._first = {name: given[0] for name, given in tidy.items() if given}

    @property
    def data(self) -> dict[str, str]:
        """The first value of each."""
        return self._first

    @property
    def datalist(self) -> defaultdict[str, list[str]]:
        """All values of each."""
        return self._all


def _tidy(name: str, value: str) -> str:
    """Return a value with blanks for what has no place in an error that names it (RFC 6749 5.2).

    No address that is registered has a blank.
    """
    return "".join(letter if letter in PLAIN else " " for letter in value) if name in NAMED else value


class Request(OAuth2Request):  # type: ignore[misc]
    """A request of an app, or of the browser that it sent here."""

    def __init__(self, method: str, uri: str, values: Mapping[str, Sequence[str]]) -> None:
        super().__init__(method, uri)
        self.payload = Payload(values)

    @property
    def args(self) -> dict[str, str]:
        """The parameters."""
        found: dict[str, str] = self.payload.data
        return found

    @property
    def form(self) -> dict[str, str]:
        """The parameters."""
        return self.args


class Provider(AuthorizationServer):  # type: ignore[misc]
    """Answers one request of an app, inside a transaction; `flows.open_provider` gives it what it answers."""

    def __init__(self, issuer: Issuer, conn: Connection, now: datetime, author: Author) -> None:
        super().__init__(SCOPES)
        self.issuer = issuer
        self.conn = conn
        self.now = now
        self.author = author
        bearer = BearerTokenGenerator(self._new_access, self._new_refresh, ACCESS_SECONDS)
        self.register_token_generator("default", bearer)

    # --- what Authlib asks ---

    def query_client(self, client_id: str) -> App | None:
        """Return an app that is registered here."""
        row = apps.find(self.conn, client_id, self.issuer.environment)
        return App(row) if row is not None and row.removed_at is None else None

    def validate_requested_scope(self, scope: str | None) -> None:
        """Refuse to be asked for nothing; what the app may not ask for is refused as well."""
        if not scope:
            raise InvalidScopeError("Missing 'scope' in request.")
        super().validate_requested_scope(scope)

    def get_authorization_grant(self, request: Request) -> Any:
        """Return what answers a request; one that names no type is no request (RFC 6749 4.1.2.1)."""
        try:
            return super().get_authorization_grant(request)
        except UnsupportedResponseTypeError as error:
            if request.payload.response_type:
                raise
            raise InvalidRequestError("Missing 'response_type' in request.", redirect_uri=error.redirect_uri) from error

    def create_oauth2_request(self, request: Request) -> Request:
        """Return the request, which is one."""
        return request

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Tell nobody."""

    def handle_response(self, status: int, body: Any, headers: Sequence[tuple[str, str]]) -> Reply:
        """Return a reply."""
        return Reply(status, dict(body) if isinstance(body, list | dict) else body, headers)

    def handle_error_response(self, request: Request, error: OAuth2Error) -> Reply:
        """Return the refusal that an error is; an app that does not prove itself is 401."""
        if error.error == "invalid_client":
            error.status_code = 401
        reply: Reply = super().handle_error_response(request, error)
        return reply

    def generate_token(self, grant_type: str, client: App, user: Any = None, scope: Any = None, **more: Any) -> Any:
        """Make tokens; a refresh token for who asked for it, and in place of another one."""
        more["include_refresh_token"] = grant_type == "refresh_token" or OFFLINE in (scope or "").split()
        return super().generate_token(grant_type, client, user, scope, **more)

    def save_token(self, token: Mapping[str, Any], request: Request) -> None:
        """Keep the hashes of tokens, under what was granted, and what they came of as used."""
        conn, moment = self.conn, stamp(self.now)
        self.author = self.author._replace(user_id=request.user.id, name=users.called(conn, request.user.id))
        if request.authorization_code is not None:
            grant_id = self._granted(request)
        else:
            grant_id = request.refresh_token.row.grant_id
            apps.use_refresh(conn, request.refresh_token.row.id, moment)
        grants.keep_token(
            conn,
            token["access_token"],
            request.user.id,
            request.client.row.name,
            self.now,
            self.author,
            expires=self.now + timedelta(seconds=ACCESS_SECONDS),
            environment=self.issuer.environment,
            kind=tokens.ACCESS,
            grant_id=grant_id,
            scopes=token["scope"],
        )
        if secret := token.get("refresh_token"):
            apps.add_refresh(conn, grant_id, self.digest(secret), self.issuer.environment, moment)

    def _granted(self, request: Request) -> int:
        """Record what a code was exchanged for, and return its id."""
        code = request.authorization_code.row
        said = {"app_id": code.app_id, "user_id": code.user_id, "scopes": code.scopes}
        fields = {**said, "signed_in_at": code.signed_in_at, "created_at": stamp(self.now)}
        grant_id = apps.add_grant(self.conn, self.issuer.environment, fields)
        apps.use_code(self.conn, code.id, grant_id)
        told = {"id": grant_id, "user_id": code.user_id, "app_id": code.app_id, "scopes": code.scopes}
        service_trail.record(self.conn, "app_grant.created", told, stamp(self.now), self.author)
        return grant_id

    # --- what stands behind it ---

    def digest(self, secret: str) -> str:
        """Return what is kept of a code or a refresh token."""
        return digest(secret, self.issuer.key)

    def claims(self, user_id: int, scope: str) -> dict[str, Any]:
        """Return what an app learns of a person, by what it was granted."""
        person, granted = users.get(self.conn, user_id), scope.split()
        told: dict[str, Any] = {"sub": str(user_id)}
        if "email" in granted:
            # nobody has written to it and been answered
            told |= {"email": person["email"], "email_verified": False}
        if "profile" in granted:
            given, family = person["first_name"], person["last_name"]
            told |= {"name": f"{given} {family}".strip(), "given_name": given, "family_name": family}
        return told

    def _new_access(self, **_: Any) -> str:
        return new_token(self.issuer.entropy, ACCESS)

    def _new_refresh(self, user: Person, **_: Any) -> str:
        return new_opaque(self.issuer.entropy, REFRESH, user.id)


def moment_of(text: str) -> datetime:
    """Return a moment as it is stored."""
    return datetime.fromisoformat(text).astimezone(UTC)


def discovery(issuer: str) -> dict[str, Any]:
    """Return where what is, and what there is (docs/interface.md 12.2)."""
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}{AUTHORIZE}",
        "token_endpoint": f"{issuer}{TOKEN}",
        "userinfo_endpoint": f"{issuer}{USERINFO}",
        "revocation_endpoint": f"{issuer}{REVOKE}",
        "jwks_uri": f"{issuer}{JWKS}",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANT_TYPES),
        "scopes_supported": list(SCOPES),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": METHODS,
        "revocation_endpoint_auth_methods_supported": METHODS,
        "prompt_values_supported": ["none", "login", "consent"],
        "ui_locales_supported": ["fi", "sv", "en", "de"],
    }
