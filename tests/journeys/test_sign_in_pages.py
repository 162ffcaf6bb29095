"""Everybody can use the pages of signing in: axe finds nothing, in four languages, on desk and phone, day and night.

In a usual run axe looks at the pages of one language; in the others they are walked through, and fit a phone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser import browser
from tests.journeys.sign_in import EMAIL, PASSWORD, SCOPES, Served, served_in
from tests.service.identity.flow import CHALLENGE, VERIFIER
from tests.sizes import is_full

LANGUAGES = ["fi", "sv", "en", "de"]
LOOKED_AT = LANGUAGES if is_full() else LANGUAGES[:1]
SIZES: dict[str, ViewportSize] = {"desk": {"width": 1200, "height": 800}, "phone": {"width": 320, "height": 640}}
SCHEMES: dict[str, Literal["light", "dark"]] = {"desk": "light", "phone": "dark"}
RUN = "axe.run({resultTypes: ['violations'], preload: false, iframes: false})"
# where pictures of all pages are kept, if there is such a folder, for who wants to look at them
PICTURES = Path(tempfile.gettempdir(), "acctcli-pages")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_in(tmp_path_factory.mktemp("pages")) as made:
        named = ("--name", "Kassa & Till <1>", "--id", "till", "--redirect", made.returned.address)
        made.owner.run("local", "client", "add", *named)
        yield made


class Look:
    """Goes through the pages, and looks at each: on a desk by day, and on a phone at night."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self._name = name
        self._looks = 0
        self._script = Axe().axe_script
        self.faults: list[str] = []

    def at(self, what: str) -> None:
        """Look at the page that is open."""
        is_whole = self._name in LOOKED_AT
        if is_whole:
            self.page.evaluate(self._script)
        self._looks += 1
        for number, size in enumerate(SIZES if is_whole else ("phone",)):
            self.page.set_viewport_size(SIZES[size])
            self.page.emulate_media(color_scheme=SCHEMES[size])
            # each page by day or at night, one after the other, unless a run is full
            is_judged = is_whole and (is_full() or (self._looks + number) % 2 == 0)
            found = self.page.evaluate(RUN)["violations"] if is_judged else ()
            self.faults += [f"{what} {size}: {one['id']} {node['html']}" for one in found for node in one["nodes"]]
            if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                self.faults.append(f"{what} is wider than the window of a {size}")
            if PICTURES.is_dir():
                self.page.screenshot(path=PICTURES / f"{what}-{self._name}-{size}.png", full_page=True)


def consent(served: Served, language: str) -> str:
    """Where an app sends a browser."""
    asked = {"client_id": "till", "redirect_uri": served.returned.address, "response_type": "code", "state": "s"}
    asked |= {"scope": " ".join(SCOPES), "code_challenge": CHALLENGE, "code_challenge_method": "S256"}
    return f"{served.url}/identity/o/authorize?{urlencode({**asked, 'lang': language})}"


def let_in(served: Served, page: Page) -> None:
    """Give the app what its browser came back for, so that there is an app to end."""
    (code,) = parse_qs(urlsplit(page.url).query)["code"]
    form = {"grant_type": "authorization_code", "client_id": "till", "code_verifier": VERIFIER, "code": code}
    told = httpx.post(f"{served.url}/identity/o/api/token", data={**form, "redirect_uri": served.returned.address})
    assert told.status_code == 200, told.text


def fill_in(page: Page, **fields: str) -> None:
    """Fill in the form of a page, and send it."""
    for name, typed in fields.items():
        page.fill(f"#{name}", typed)
    page.click("main button")


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_can_use_every_page(served: Served, chromium: Browser, language: str) -> None:
    context = chromium.new_context()
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    look, account = Look(page, language), f"{served.url}/identity/account"
    page.goto(consent(served, language))
    look.at("sign-in")
    fill_in(page, email=EMAIL, password="wrong password")
    look.at("wrong")
    page.fill("#password", PASSWORD)
    page.click("main button")
    look.at("consent")
    assert page.get_attribute("html", "lang") == language
    page.click("button[value=allow]")
    page.wait_for_url(f"{served.returned.address}**")
    let_in(served, page)
    page.goto(account)
    look.at("account")
    page.goto(f"{account}/password")
    look.at("password")
    fill_in(page, current=PASSWORD, new=PASSWORD, repeated="another password")
    look.at("two-passwords")
    page.goto(f"{account}/tokens")
    page.fill("#name", "Kassakoneenohjausjärjestelmäntunniste in the shop at the corner <1>")
    page.click("main button.main")
    look.at("token")
    page.goto(f"{account}/apps")
    look.at("apps")
    page.goto(f"{account}/sessions")
    look.at("browsers")
    page.goto(f"{served.url}/view/")
    look.at("no-books")
    page.goto(f"{account}/password")
    served.owner.run("local", "sign-out", EMAIL, "--yes")
    fill_in(page, current=PASSWORD, new=PASSWORD, repeated=PASSWORD)
    look.at("ended")
    fill_in(page, email=EMAIL, password=PASSWORD)
    page.goto(f"{served.url}/identity/invitation")
    look.at("code")
    page.goto(f"{served.url}/identity/o/authorize?client_id=nobody&response_type=code")
    look.at("error")
    page.click("footer button")
    look.at("signed-out")
    page.click("main .small a")
    look.at("invitation")
    fill_in(page, email=EMAIL, code="c0de", new=PASSWORD, repeated=PASSWORD)
    look.at("wrong-code")
    context.close()
    assert look.faults == []
    # the statuses of a wrong password, of two new ones, of an unknown app and of a wrong code; nothing of the policy
    assert len(said) == 4, said
    assert all(text.startswith("Failed to load resource: the server responded with") for text in said)


def test_who_signs_in_looks_through_their_books_and_signs_out_again(served: Served, chromium: Browser) -> None:
    """The pages themselves are tried in tests/cli/view; here with a browser's own ideas of where a request is from."""
    person, context = "books@example.com", chromium.new_context(locale="en-GB")
    token = served.owner.run("local", "token", "--user", person).out.strip()
    assert served.owner.try_run("local", "password", person, stdin=f"{PASSWORD}\n").code == 0
    with httpx.Client(base_url=served.url, headers={"Authorization": f"Token {token}"}, verify=False) as client:
        slugs = [client.post("/v1/business/", json={"name": name}).json()["slug"] for name in ("Eka <1>", "Toka")]
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    look = Look(page, LOOKED_AT[0])
    page.goto(f"{served.url}/view/")
    page.fill("#email", person)
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{served.url}/view/")
    look.at("books")
    page.click("text=Toka")
    page.wait_for_url(f"{served.url}/view/{slugs[1]}/")
    look.at("overview")
    page.click("text=Balance sheet")
    page.click("main button")
    page.wait_for_url(f"{served.url}/view/{slugs[1]}/balance-sheet?**")
    assert page.inner_text("h1") == "Balance sheet"
    page.click("text=Other books")
    page.click("text=Eka <1>")
    assert page.inner_text(".whose") == "Eka <1>"
    page.click("text=Sign out")
    page.wait_for_url(f"{served.url}/identity/login?out=1")
    page.goto(f"{served.url}/view/{slugs[0]}/journal")
    assert page.url.startswith(f"{served.url}/identity/login?next=")
    context.close()
    assert look.faults == []
    assert said == []


def test_a_page_is_used_with_the_keyboard_alone(served: Served, chromium: Browser) -> None:
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{served.url}/identity/account")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type(EMAIL)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{served.url}/identity/account")
    assert page.inner_text("h1") == "Your account"
    (cookie,) = [one for one in context.cookies() if one["name"] == "acct_session"]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Lax", -1)
    context.close()


def test_no_other_page_frames_these(served: Served, chromium: Browser, tmp_path: Path) -> None:
    around = tmp_path / "around.html"
    around.write_text(f'<iframe src="{served.url}/identity/login"></iframe>')
    page, said = chromium.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.goto(around.as_uri())
    page.close()
    assert len(said) >= 1
    assert "frame" in said[0]
