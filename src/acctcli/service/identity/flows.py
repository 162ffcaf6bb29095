"""What Authlib lets a service decide of each flow: codes, refresh tokens, ID tokens, revocation."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from authlib.oauth2.rfc6749 import InvalidRequestError, grants
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge as AnyChallenge
from authlib.oidc.core import OpenIDCode, OpenIDToken

from acctcli.service.identity.opaque import CODE, REFRESH, belongs, new_opaque
from acctcli.service.identity.provider import METHODS, App, Issuer, Person, Provider, Request, moment_of
from acctcli.service.identity.tokens import token_hash
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps
from acctcli.service.store.people.ending import end_grant, end_token

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.events import Author
    from acctcli.service.store.people.apps import AccessRow, CodeRow, RefreshRow

CODE_LIFETIME = timedelta(minutes=1)
ID_TOKEN_SECONDS = 300
LONGEST_NONCE = 512
# of 32 bytes in base64
CHALLENGE_LETTERS = 43
ONCE = ("nonce", "prompt", "max_age", "code_challenge", "code_challenge_method")


class Code:
    """A code as Authlib asks for it."""

    code_challenge_method = "S256"

    def __init__(self, row: CodeRow) -> None:
        self.row = row
        self.code_challenge = row.challenge

    def get_redirect_uri(self) -> str:
        """Return the address that it was sent to."""
        return self.row.redirect

    def get_scope(self) -> str:
        """Return what was granted."""
        return self.row.scopes

    def get_nonce(self) -> str | None:
        """Return what the app asked to see again."""
        return self.row.nonce

    def get_auth_time(self) -> int:
        """Return when the person signed in."""
        return int(moment_of(self.row.signed_in_at).timestamp())

    def get_acr(self) -> None:
        """Return nothing: there is one way to sign in."""

    def get_amr(self) -> list[str]:
        """Return how the person signed in."""
        return ["pwd"]


class RefreshToken:
    """A refresh token as Authlib asks for it."""

    def __init__(self, row: RefreshRow) -> None:
        self.row = row

    def check_client(self, client: App) -> bool:
        """Say whether it is of this app."""
        return self.row.app_id == client.row.id

    def get_scope(self) -> str:
        """Return what was granted."""
        return self.row.scopes


class AccessToken(RefreshToken):
    """An access token as Authlib asks for it."""

    def __init__(self, row: AccessRow) -> None:
        self.row: AccessRow = row  # type: ignore[assignment]


class CodeFlow(grants.AuthorizationCodeGrant):  # type: ignore[misc]
    """A code, which is used once within a minute."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    server: Provider
    request: Request

    def validate_authorization_request(self) -> str:
        """Return the address to go back to; refuse parameters that come twice, and what nobody could remember."""
        redirect: str = super().validate_authorization_request()
        given = self.request.payload.datalist
        if repeated := [name for name in ONCE if len(given.get(name, ())) > 1]:
            raise InvalidRequestError(f"Multiple '{repeated[0]}' in request.", redirect_uri=redirect)
        nonce = self.request.args.get("nonce", "")
        if len(nonce) > LONGEST_NONCE or not nonce.isprintable():
            why = f"'nonce' has more than {LONGEST_NONCE} characters, or some that cannot be printed."
            raise InvalidRequestError(why, redirect_uri=redirect)
        return redirect

    def create_authorization_response(self, redirect_uri: str, grant_user: Person | None) -> Any:
        """Make a code of the person who consents, or refuse."""
        self.request.user = grant_user
        return super().create_authorization_response(redirect_uri, grant_user)

    def generate_authorization_code(self) -> str:
        """Return a code of the person."""
        return new_opaque(self.server.issuer.entropy, CODE, self.request.user.id)

    def save_authorization_code(self, code: str, request: Request) -> None:
        """Keep the digest of a code, and what was asked for."""
        person, now = request.user, self.server.now
        fields = {
            "app_id": request.client.row.id,
            "user_id": person.id,
            "redirect": request.args["redirect_uri"],
            "scopes": request.scope,
            "nonce": request.args.get("nonce") or None,
            "challenge": request.args["code_challenge"],
            "signed_in_at": stamp(person.signed_in_at),
            "expires_at": stamp(now + CODE_LIFETIME),
        }
        apps.add_code(self.server.conn, self.server.digest(code), self.server.issuer.environment, fields)

    def query_authorization_code(self, code: str, client: App) -> Code | None:
        """Return a code that can be used; a second use ends what came of the first (RFC 6749 4.1.2)."""
        server = self.server
        row = apps.find_code(server.conn, server.digest(code), server.issuer.environment)
        if row is None or row.app_id != client.row.id or not belongs(code, CODE, row.user_id):
            return None
        if row.grant_id is not None:
            end_grant(server.conn, row.grant_id, stamp(server.now), server.author)
            return None
        return Code(row) if row.expires_at > stamp(server.now) else None

    def authenticate_user(self, authorization_code: Code) -> Person:
        """Return whose code it is."""
        row = authorization_code.row
        return Person(row.user_id, moment_of(row.signed_in_at))

    def delete_authorization_code(self, authorization_code: Code) -> None:
        """Keep it: a second use is to be noticed."""


class CodeChallenge(AnyChallenge):  # type: ignore[misc]
    """A challenge by SHA-256, which every app sends (RFC 7636)."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"

    def validate_code_challenge(self, grant: CodeFlow, redirect_uri: str) -> None:
        """Refuse to go without, and by any other method, as who names none asks for."""
        given = grant.request.args
        if not given.get("code_challenge"):
            raise InvalidRequestError("Missing 'code_challenge'")
        if len(given["code_challenge"]) != CHALLENGE_LETTERS:
            raise InvalidRequestError("Invalid 'code_challenge'")
        if given.get("code_challenge_method") != "S256":
            raise InvalidRequestError("'code_challenge_method' must be S256")
        super().validate_code_challenge(grant, redirect_uri)


class Refresh(grants.RefreshTokenGrant):  # type: ignore[misc]
    """A refresh token, which gives way to another one each time."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True
    server: Provider

    def authenticate_refresh_token(self, refresh_token: str) -> RefreshToken | None:
        """Return a token that can be used; who uses one again ends all that came of the same sign-in."""
        server = self.server
        row = apps.find_refresh(server.conn, server.digest(refresh_token), server.issuer.environment)
        if row is None or row.revoked_at is not None or not belongs(refresh_token, REFRESH, row.user_id):
            return None
        if row.used_at is not None:
            end_grant(server.conn, row.grant_id, stamp(server.now), server.author)
            return None
        return RefreshToken(row)

    def authenticate_user(self, refresh_token: RefreshToken) -> Person:
        """Return whose token it is."""
        row = refresh_token.row
        return Person(row.user_id, moment_of(row.signed_in_at))

    def revoke_old_credential(self, refresh_token: RefreshToken) -> None:
        """Do nothing: it was used when the next one was kept."""


class _Claims:
    """What an ID token says, and the key that it is signed with."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider

    def resolve_client_private_key(self, client: App) -> RSAKey:
        """Return the key."""
        del client
        return self._provider.issuer.signing.signing(self._provider.conn, self._provider.now)

    def get_encode_header(self, client: App) -> dict[str, str]:
        """Return the header, which names the key."""
        return {"alg": "RS256", "kid": str(self.resolve_client_private_key(client).kid)}

    def get_compatible_claims(self, request: Request) -> dict[str, Any]:
        """Return who says it to whom, and for how long, by the clock of the service."""
        begun = int(self._provider.now.timestamp())
        return {
            "iss": self._provider.issuer.address,
            "aud": request.client.get_client_id(),
            "iat": begun,
            "exp": begun + ID_TOKEN_SECONDS,
            "auth_time": int(request.user.signed_in_at.timestamp()),
        }

    def generate_user_info(self, user: Person, scope: str) -> dict[str, Any]:
        """Return what an app learns of a person."""
        return self._provider.claims(user.id, scope)


class IdTokenOfCode(_Claims, OpenIDCode):  # type: ignore[misc]
    """The ID token that comes with a code."""

    require_nonce = False

    def exists_nonce(self, nonce: str, request: Request) -> bool:
        """Say no: a nonce is the app's to compare, and a code of the same nonce is used once."""
        del nonce, request
        return False


class IdToken(_Claims, OpenIDToken):  # type: ignore[misc]
    """The ID token that comes with a refresh token."""


class Revocation(RevocationEndpoint):  # type: ignore[misc]
    """An app gives up what it has (RFC 7009)."""

    CLIENT_AUTH_METHODS = METHODS
    server: Provider

    def check_params(self, request: Request, client: App) -> None:
        """Refuse to be given nothing; a hint that is not known is none (RFC 7009 2.1)."""
        del client
        if not request.form.get("token"):
            raise InvalidRequestError("Missing 'token' in request.")

    def query_token(self, token_string: str, token_type_hint: str | None) -> RefreshToken | None:
        """Return a token in force, of whatever kind it is."""
        del token_type_hint
        server = self.server
        environment = server.issuer.environment
        access = apps.find_access(server.conn, token_hash(token_string), environment, stamp(server.now))
        if access is not None:
            return AccessToken(access)
        row = apps.find_refresh(server.conn, server.digest(token_string), environment)
        return None if row is None or not belongs(token_string, REFRESH, row.user_id) else RefreshToken(row)

    def revoke_token(self, token: RefreshToken, request: Request) -> None:
        """End an access token, or with a refresh token all that came of the same sign-in."""
        del request
        server = self.server
        if isinstance(token, AccessToken):
            end_token(server.conn, token.row.id, stamp(server.now), server.author)
        else:
            end_grant(server.conn, token.row.grant_id, stamp(server.now), server.author)


def open_provider(issuer: Issuer, conn: Connection, now: datetime, author: Author) -> Provider:
    """Return what answers one request of an app, with all that there is to ask for."""
    provider = Provider(issuer, conn, now, author)
    provider.register_grant(CodeFlow, [CodeChallenge(), IdTokenOfCode(provider)])
    provider.register_grant(Refresh, [IdToken(provider)])
    provider.register_endpoint(Revocation)
    return provider
