"""Where apps send browsers: who it is, whether they consent, and back with a code (docs/interface.md 12.3)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from authlib.oauth2.rfc6749 import InvalidRequestError, OAuth2Error
from authlib.oidc.core.errors import ConsentRequiredError, LoginRequiredError

from acctcli.service.identity.flows import open_provider
from acctcli.service.identity.provider import AUTHORIZE, Issuer, Person, Request, moment_of
from acctcli.service.pages.page import Expired, Page, Shown
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps

if TYPE_CHECKING:
    from acctcli.service.identity.provider import App, Reply
    from acctcli.service.store.engine.database import Connection

# what asks for a new sign-in, whoever is signed in
ANEW = {"login", "select_account"}
NAMES = {"profile": "profile", "email": "email_scope", "offline_access": "offline"}


class Consent:
    """Answers browsers that apps send here."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer

    def ask(self, page: Page) -> Shown:
        """Send the browser back, to sign in first, or show what the app asks for."""
        try:
            return self._asked(page)
        except OAuth2Error as error:
            return self._refuse(page, error)

    def decide(self, page: Page) -> Shown:
        """Send the browser back with what the person decided."""
        if page.session is None:
            return page.to_sign_in(_again(page))
        if not page.is_own_form():
            return self._ask_person(page, 403, fault=page.text["expired"])
        is_allowed = page.field("decision") == "allow"
        return self._send_back(page, self._person(page) if is_allowed else None)

    def _asked(self, page: Page) -> Shown:
        grant = self._checked(page)
        prompts = set(page.asks("prompt").split())
        if page.session is None or prompts & ANEW or _is_too_old(page):
            if "none" in prompts:
                raise LoginRequiredError(redirect_uri=grant.redirect_uri, state=page.asks("state"))
            return page.to_sign_in(_again(page), again=page.session is not None)
        if "consent" in prompts or not self._is_known(page, grant.client, grant.request.scope):
            if "none" in prompts:
                raise ConsentRequiredError(redirect_uri=grant.redirect_uri, state=page.asks("state"))
            return self._ask_person(page)
        return self._send_back(page, self._person(page))

    def _checked(self, page: Page) -> Any:
        """Return what is asked for; raises OAuth2Error for what cannot be."""
        with page.host.database.read() as conn:
            provider = open_provider(self._issuer, conn, page.now, page.author("GET authorize"))
            return provider.get_consent_grant(self._request(page), self._person(page) if page.session else None)

    def _ask_person(self, page: Page, status: int = 200, *, fault: str | None = None) -> Shown:
        try:
            grant = self._checked(page)
        except OAuth2Error as error:
            return self._refuse(page, error)
        asked = grant.request.scope.split()
        return page.show(
            "consent",
            status,
            targets=(target_of(grant.redirect_uri),),
            app=grant.client.row.name,
            scopes=[page.text[NAMES[scope]] for scope in asked if scope in NAMES],
            place=_shown(grant.redirect_uri),
            action=f"{AUTHORIZE}?{_query(page)}",
            other=f"{AUTHORIZE}?{_query(page, prompt='login')}",
            fault=fault,
        )

    def _send_back(self, page: Page, person: Person | None) -> Shown:
        """Make a code for a person who consents, an error for nobody, and send the browser back with it."""
        author = page.author("authorize")

        def run(conn: Connection) -> Reply:
            provider = open_provider(self._issuer, conn, page.now, author)
            if page.host.sessions.find(conn, page.secret, page.now) is None:
                raise Expired
            asked = self._request(page)
            grant = provider.get_consent_grant(asked, person)
            reply: Reply = provider.create_authorization_response(asked, person, grant)
            return reply

        try:
            reply = page.host.database.write(run)
        except OAuth2Error as error:
            return self._refuse(page, error)
        except Expired:
            return page.to_sign_in(_again(page))
        return page.go(reply.location or "", 303 if page.asked.method == "POST" else 302)

    def _refuse(self, page: Page, error: OAuth2Error) -> Shown:
        """Send the browser back with an error, or tell the person where there is nowhere to send it to."""
        error.state = page.asks("state")
        if error.redirect_uri:
            _, _, headers = error()
            return page.go(dict(headers)["Location"], 302)
        detail = error.get_error_description() or error.error
        is_unknown = error.error == "invalid_client" or "redirect" in detail.lower()
        text = page.text["app_unknown" if is_unknown else "app_wrong"]
        return page.show("error", 400, title=page.text["error"], text=text, detail=detail, address=None)

    def _request(self, page: Page) -> Request:
        return Request("GET", f"{self._issuer.address}{AUTHORIZE}", page.asked.query)

    def _person(self, page: Page) -> Person:
        return Person(page.here.user_id, moment_of(page.here.created_at))

    def _is_known(self, page: Page, app: App, scope: str) -> bool:
        """Say whether the person let this app do as much before; only an app that proves itself is known again."""
        if app.row.secret_hash is None:
            return False
        with page.host.database.read() as conn:
            found = apps.grants_of(conn, page.here.user_id, page.host.environment, stamp(page.now))
        known = [set(one.scopes.split()) for one in found if one.client_id == app.row.client_id]
        return any(set(scope.split()) <= scopes for scopes in known)


def target_of(redirect: str) -> str:
    """Return where a form may lead so that the browser gets back to an app, as a policy says it.

    A policy cannot say an IPv6 address: all of its scheme then.
    """
    parts = urlsplit(redirect)
    if parts.scheme not in ("http", "https") or "[" in parts.netloc:
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc}"


def _shown(redirect: str) -> str:
    parts = urlsplit(redirect)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


def _is_too_old(page: Page) -> bool:
    """Say whether the person signed in longer ago than the app takes; raises OAuth2Error for what is no number."""
    asked = page.asks("max_age")
    if not asked:
        return False
    if not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        raise InvalidRequestError("'max_age' must be a number.", redirect_uri=page.asks("redirect_uri"))
    return moment_of(page.here.created_at) + timedelta(seconds=int(asked)) < page.now


def _again(page: Page) -> str:
    """Return the address that the app asked for, without what has been done once somebody signs in."""
    prompt = " ".join(set(page.asks("prompt").split()) - ANEW - {"none"})
    return f"{AUTHORIZE}?{_query(page, prompt=prompt, max_age='')}"


def _query(page: Page, **changed: str) -> str:
    given = {name: values[0] for name, values in page.asked.query.items() if name != "lang"} | changed
    return urlencode({name: value for name, value in given.items() if value or name not in changed})
