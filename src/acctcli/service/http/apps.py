"""The addresses that apps ask themselves: forms in, JSON out (docs/interface.md 12.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acctcli.service.http.answers import Answer, encode
from acctcli.service.http.login import Routes, read_form, read_visit
from acctcli.service.identity.flows import open_provider
from acctcli.service.identity.provider import (
    DISCOVERY,
    JWKS,
    REVOKE,
    TOKEN,
    USERINFO,
    Issuer,
    Provider,
    Reply,
    Request,
    discovery,
)
from acctcli.service.identity.signing import SigningKeys
from acctcli.service.identity.tokens import token_hash
from acctcli.service.problems import Invalid, MediaUnknown
from acctcli.service.store.events import NOBODY
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps

if TYPE_CHECKING:
    from acctcli.service.http.wsgi import Arrival
    from acctcli.service.identity.host import LoginService
    from acctcli.service.store.engine.database import Connection

NO_STORE = (("Cache-Control", "no-store"), ("Pragma", "no-cache"))
# who keeps the keys for an hour has the next one in time
FOR_AN_HOUR = (("Cache-Control", "public, max-age=3600"),)


class AppAddresses:
    """Answers apps: where what is, keys, tokens, and who somebody is."""

    def __init__(self, host: LoginService) -> None:
        self._host = host
        signing = SigningKeys(host.database, host.installation, host.entropy)
        self.issuer = Issuer(host.address, host.environment, host.installation, signing, host.entropy)

    def routes(self) -> Routes:
        """Return what answers at which address."""
        return {
            DISCOVERY: {"GET": self.discover},
            JWKS: {"GET": self.show_keys},
            TOKEN: {"POST": self.give_tokens},
            USERINFO: {"GET": self.tell_who, "POST": self.tell_who},
            REVOKE: {"POST": self.revoke},
        }

    def discover(self, arrival: Arrival, fields: dict[str, Any]) -> Answer:
        """Say where what is."""
        del arrival, fields
        return Answer(200, encode(discovery(self.issuer.address)), FOR_AN_HOUR)

    def show_keys(self, arrival: Arrival, fields: dict[str, Any]) -> Answer:
        """Show the keys that ID tokens are signed with."""
        del arrival, fields
        now = self._host.clock()
        self.issuer.signing.prepare(now)
        with self._host.database.read() as conn:
            return Answer(200, encode(self.issuer.signing.published(conn, now)), FOR_AN_HOUR)

    def give_tokens(self, arrival: Arrival, fields: dict[str, Any]) -> Answer:
        """Exchange a code, or a refresh token, for tokens."""
        del fields
        self.issuer.signing.prepare(self._host.clock())
        return self._answer(arrival, "POST token", lambda provider, asked: provider.create_token_response(asked))

    def revoke(self, arrival: Arrival, fields: dict[str, Any]) -> Answer:
        """Let an app give a token up."""
        del fields
        return self._answer(
            arrival, "POST revoke", lambda provider, asked: provider.create_endpoint_response("revocation", asked)
        )

    def _answer(self, arrival: Arrival, operation: str, work: Callable[[Provider, Request], Reply]) -> Answer:
        """Let a provider answer in a transaction, which is kept where it refuses: that may have ended a sign-in."""
        try:
            form = read_form(arrival)
        except (Invalid, MediaUnknown) as problem:
            return _refused(400, "invalid_request", problem.detail)
        if repeated := sorted(name for name, given in form.items() if len(given) > 1):
            return _refused(400, "invalid_request", f"Multiple '{repeated[0]}' in request.")
        now, author = self._host.clock(), self._host.author(read_visit(arrival, self._host), operation)
        asked = Request("POST", f"{self.issuer.address}{arrival.path}", form)

        def run(conn: Connection) -> Reply:
            return work(open_provider(self.issuer, conn, now, author), asked)

        reply = self._host.database.write(run)
        plain = tuple((name, value) for name, value in reply.headers if name == "WWW-Authenticate")
        return Answer(reply.status, encode(reply.body), (*NO_STORE, *plain))

    def tell_who(self, arrival: Arrival, fields: dict[str, Any]) -> Answer:
        """Tell an app who signed in, by the access token it has: here with the word Bearer."""
        del fields
        word, _, token = (arrival.header("Authorization") or "").partition(" ")
        if word.lower() != "bearer" or not token.strip():
            return _bearer(401, "", "Send the access token: Authorization: Bearer TOKEN.")
        now = self._host.clock()
        with self._host.database.read() as conn:
            hashed, environment = token_hash(token.strip()), self.issuer.environment
            found = apps.find_access(conn, hashed, environment, stamp(now))
            if found is None:
                return _bearer(401, "invalid_token", "The access token is not in force here.")
            if "openid" not in found.scopes.split():
                return _bearer(403, "insufficient_scope", "The access token has not the scope openid.")
            told = open_provider(self.issuer, conn, now, NOBODY).claims(found.user_id, found.scopes)
        return Answer(200, encode(told), NO_STORE)


def _refused(status: int, error: str, why: str) -> Answer:
    return Answer(status, encode({"error": error, "error_description": why.replace('"', "'")}), NO_STORE)


def _bearer(status: int, error: str, why: str) -> Answer:
    """Refuse an access token (RFC 6750 3); who sent none is told nothing but how."""
    challenge = f'Bearer error="{error}"' if error else "Bearer"
    answer = _refused(status, error or "invalid_request", why)
    return answer._replace(headers=(*answer.headers, ("WWW-Authenticate", challenge)))
