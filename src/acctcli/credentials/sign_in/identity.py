"""Whether an ID token is what it says: signed by the issuer, for this client, of this sign-in, and in force."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from acctcli.credentials.sign_in.host import LoginHost
from acctcli.credentials.sign_in.provider import NewTokens, Provider
from acctcli.errors import NotAuthenticated, ServerFault

ALGORITHM = "RS256"
_LEEWAY = 60.0  # seconds by which clocks may differ
_REQUIRED = ["iss", "aud", "exp", "iat", "sub"]


def check_identity(made: NewTokens, provider: Provider, client_id: str, nonce: str, host: LoginHost) -> None:
    """Raise NotAuthenticated unless the ID token vouches for the access token that came with it."""
    if made.id_token is None:
        raise _refused("there is none")
    claims = _verified(made.id_token, _keys(provider, host), provider.issuer, client_id)
    if claims.get("nonce") != nonce:
        raise _refused("it is of another sign-in (nonce)")
    audience = claims["aud"]
    if isinstance(audience, list) and len(audience) > 1 and claims.get("azp") != client_id:
        raise _refused("it is for another client (azp)")
    if "at_hash" in claims and claims["at_hash"] != _half_hash(made.access_token):
        raise _refused("it is for another access token (at_hash)")


def _verified(token: str, keys: Any, issuer: str, client_id: str) -> dict[str, Any]:
    import jwt

    try:
        head = jwt.get_unverified_header(token)
        candidates = [key for key in keys.keys if head.get("kid") in (None, key.key_id)]
        if head.get("alg") != ALGORITHM or len(candidates) != 1:
            raise _refused("no key of the issuer signed it with RS256")
        claims: dict[str, Any] = jwt.decode(
            token,
            candidates[0].key,
            algorithms=[ALGORITHM],
            audience=client_id,
            issuer=issuer,
            leeway=_LEEWAY,
            options={"require": _REQUIRED},
        )
    except (jwt.PyJWTError, TypeError, ValueError, AttributeError) as error:  # a key of another kind
        raise _refused(str(error) or type(error).__name__) from None
    return claims


def _keys(provider: Provider, host: LoginHost) -> Any:
    import jwt

    try:
        return jwt.PyJWKSet.from_dict(dict(host.get(provider.jwks_uri).fields))
    except (jwt.PyJWTError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise ServerFault("the login host's keys cannot be read", code="unreadable_reply") from error


def _half_hash(token: str) -> str:
    return urlsafe_b64encode(sha256(token.encode()).digest()[:16]).rstrip(b"=").decode()


def _refused(why: str) -> NotAuthenticated:
    return NotAuthenticated(f"the login host's ID token is refused: {why}", hint="sign in again")
