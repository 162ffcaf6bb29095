"""A browser without scripts, as far as pages need one: cookies, forms, and what it says of where a form came from."""

from __future__ import annotations

import re
from typing import Any, Protocol
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
from lxml import html

from acctcli.service.http.app import Application
from acctcli.service.identity.keeper import Keeper
from tests.service.actor import LOGIN_ADDRESS, Actor, World

PASSWORD = "correct horse battery"


def person(world: World, email: str = "anna@example.com", **fields: str | None) -> Actor:
    """Somebody with a password."""
    made = world.user(email, **fields)
    Keeper(world.database, world.installation, "local", world.clock).set_password(email, PASSWORD)
    return made


class HasPages(Protocol):
    """A service that answers browsers."""

    app: Application


class Visitor:
    """A browser of somebody."""

    def __init__(self, world: HasPages, language: str = "en", address: str = "192.0.2.7") -> None:
        transport = httpx.WSGITransport(world.app, remote_addr=address)
        headers = {"Accept-Language": language, "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}
        self.http = httpx.Client(transport=transport, base_url=LOGIN_ADDRESS, headers=headers)
        self.reply = httpx.Response(200)

    def open(self, place: str) -> Visitor:
        """Open a page, and follow where it leads, but not to other sites."""
        self.reply = self.http.get(place)
        return self._follow()

    def send(self, action: str, headers: dict[str, str] | None = None, **fields: str) -> Visitor:
        """Fill in the form that leads to an action, and send it as Chromium does."""
        usual = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
        self.reply = self.http.post(action, data=self.form(action) | fields, headers=usual | (headers or {}))
        return self._follow()

    def form(self, action: str) -> dict[str, str]:
        """Return the fields of a form that leads to an action, as they are filled in already."""
        (form,) = [one for one in self.page.forms if one.action == action][:1]
        return {name: value or "" for name, value in form.fields.items()}

    def sign_in(self, email: str = "anna@example.com", password: str = PASSWORD) -> Visitor:
        """Fill in the page to sign in on."""
        return self.send("/identity/login", email=email, password=password)

    @property
    def page(self) -> Any:
        """The page that is open."""
        return html.fromstring(self.reply.content)

    @property
    def title(self) -> str:
        """Its heading."""
        return " ".join(self.page.xpath("//h1")[0].text_content().split())

    @property
    def told(self) -> str | None:
        """What it tells first: what was done, or what is wrong."""
        found = self.page.xpath("//main//p[@role]")
        return str(found[0].text_content()) if found else None

    @property
    def text(self) -> str:
        """All its text."""
        return " ".join(self.page.xpath("//main")[0].text_content().split())

    @property
    def place(self) -> str:
        """Where the browser is, without the host."""
        return self.reply.request.url.raw_path.decode()

    @property
    def sent_to(self) -> dict[str, str]:
        """What the browser takes to the app that it is sent to."""
        location = self.reply.headers["Location"]
        return {name: value for name, (value,) in parse_qs(urlsplit(location).query).items()}

    @property
    def policy(self) -> str:
        """Where the forms of the page may lead."""
        (found,) = re.findall(r"form-action ([^;]*)", self.reply.headers["Content-Security-Policy"])
        return str(found)

    def cookie(self, name: str) -> str | None:
        """Return a cookie."""
        return self.http.cookies.get(f"__Host-acct_{name}")

    def _follow(self) -> Visitor:
        while self.reply.is_redirect:
            place = urljoin(str(self.reply.request.url), self.reply.headers["Location"])
            if not place.startswith(f"{LOGIN_ADDRESS}/"):
                break
            self.reply = self.http.get(place)
        return self
