"""All pages by their addresses, and what each of them asks first: the right address, and a form of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from acctcli.service.identity.invitations import PAGE as INVITATION
from acctcli.service.identity.provider import AUTHORIZE, Issuer
from acctcli.service.pages import account, invited, signing_in
from acctcli.service.pages.consent import Consent
from acctcli.service.pages.page import (
    ACCOUNT,
    APPS,
    END_APP,
    END_SESSION,
    EVERYWHERE,
    LOGIN,
    LOGOUT,
    PASSWORD,
    SAME_SITE,
    SESSIONS,
    STYLE,
    TOKENS,
    WITHDRAW,
    Asked,
    Expired,
    Page,
    Shown,
    address_of,
)
from acctcli.service.pages.render import style

if TYPE_CHECKING:
    from acctcli.service.identity.host import LoginService

Answering = Callable[[Page], Shown]
Methods = dict[str, Answering]
FOR_AN_HOUR = (("Content-Type", "text/css; charset=utf-8"), ("Cache-Control", "public, max-age=3600"))


def show_style(_: Page) -> Shown:
    """Return how the pages look."""
    return Shown(200, style(), (*FOR_AN_HOUR, ("X-Content-Type-Options", "nosniff")))


class Site:
    """The pages of one service; `places` has what answers each method of an address."""

    def __init__(self, host: LoginService, issuer: Issuer) -> None:
        self._host = host
        consent = Consent(issuer)
        self._open: dict[str, Methods] = {
            LOGIN: {"GET": signing_in.show, "POST": signing_in.sign_in},
            LOGOUT: {"POST": signing_in.sign_out},
            INVITATION: {"GET": invited.show, "POST": invited.come_in},
            AUTHORIZE: {"GET": consent.ask, "POST": consent.decide},
            STYLE: {"GET": show_style},
            "/": {"GET": lambda page: page.go(ACCOUNT, 302)},
        }
        self._own: dict[str, Methods] = {
            ACCOUNT: {"GET": account.show, "POST": account.save},
            PASSWORD: {"GET": account.show_password, "POST": account.change_password},
            TOKENS: {"GET": account.show_tokens, "POST": account.make_token},
            WITHDRAW: {"POST": account.withdraw_token},
            APPS: {"GET": account.show_apps},
            END_APP: {"POST": account.end_app},
            SESSIONS: {"GET": account.show_sessions},
            END_SESSION: {"POST": account.end_session},
            EVERYWHERE: {"POST": account.sign_out_everywhere},
        }

    @property
    def places(self) -> dict[str, Methods]:
        """What answers, by address and method."""
        return self._open | self._own

    def answer(self, asked: Asked) -> Shown:
        """Answer a call of one of the places."""
        page = Page(self._host, asked)
        if asked.called.lower() != urlsplit(self._host.address).netloc.lower():
            return page.refuse(421, "elsewhere_about", self._host.address)
        if asked.method == "POST" and not self._is_own(asked):
            return page.refuse(403, "foreign")
        if asked.path in self._own and page.session is None:
            return page.to_sign_in(self._place(asked))
        try:
            return self.places[asked.path][asked.method](page)
        except Expired:
            return page.to_sign_in(self._place(asked), again=page.session is not None)

    def refuse(self, asked: Asked, status: int) -> Shown:
        """Answer a call that cannot be read."""
        return Page(self._host, asked).refuse(status, "unreadable")

    def _is_own(self, asked: Asked) -> bool:
        """Say whether a form was sent from these pages.

        Browsers say `Origin: null` of pages without a referrer, such as these; then what they say of the site counts,
        and that the form has a proof of its own in any case.
        """
        if asked.origin not in (None, "null"):
            return asked.origin == self._host.address
        return asked.site is None or asked.site in SAME_SITE

    def _place(self, asked: Asked) -> str:
        """Return where to go on after signing in: to the page itself, or that of a form that cannot be sent again."""
        path = asked.path
        while "GET" not in self._own.get(path, {"GET": account.show}):
            path = path.rpartition("/")[0]
        return address_of(path, asked.query)
