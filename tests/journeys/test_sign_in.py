"""People sign in to apps with a real browser, and the app uses another library than the service does."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from lxml import html
from oic.oauth2.message import ErrorResponse
from oic.oic import Client
from oic.oic.message import AuthorizationResponse, RegistrationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD
from playwright.sync_api import Browser, Page

from acctcli.service.http.embedded import EmbeddedService, open_embedded
from acctcli.service.identity.grants import create_user, local_author, set_password
from acctcli.service.identity.passwords import hash_password
from acctcli.service.store.engine.database import Connection
from tests.browser import browser
from tests.journeys.sign_in import EMAIL, PASSWORD, SCOPES, Served, served_in
from tests.sizes import sized


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_in(tmp_path_factory.mktemp("served")) as made:
        yield made


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A browser that nobody has signed in with; what it complains of fails the test."""
    context = chromium.new_context(locale="en-GB")
    made, complaints = context.new_page(), list[str]()
    made.on("console", lambda said: complaints.append(said.text))
    yield made
    context.close()
    assert complaints == []


def app_of(served: Served, client_id: str, kind: str) -> Client:
    """Register an app and set it up as its library wants it: from the discovery page."""
    named = ("--name", "Till", "--kind", kind, "--id", client_id, "--redirect", served.returned.address)
    made = served.owner.json("local", "client", "add", *named)
    client = Client(
        client_authn_method=CLIENT_AUTHN_METHOD, config={"code_challenge": {"method": "S256", "length": 64}}
    )
    client.provider_config(served.url)
    facts = {"client_id": client_id, "redirect_uris": [served.returned.address]}
    secret = {"client_secret": made["secret"]} if kind == "confidential" else {}
    client.store_registration_info(RegistrationResponse(**facts, **secret))
    return client


def begin(client: Client, state: str) -> tuple[str, str]:
    """Return where the app sends its browser, and the verifier that it keeps."""
    challenge, verifier = client.add_code_challenge()
    asked = {"response_type": "code", "scope": SCOPES, "state": state, "nonce": f"nonce of {state}"}
    asked |= {"client_id": client.client_id, "redirect_uri": client.registration_response["redirect_uris"][0]}
    request = client.construct_AuthorizationRequest(request_args={**asked, **challenge})
    return request.request(client.authorization_endpoint), verifier


def come_back(served: Served, page: Page) -> str:
    """Wait until the browser is back at the app, and return what it brought."""
    page.wait_for_url(f"{served.returned.address}**")
    assert page.title() == "back"
    return urlsplit(page.url).query


def assert_nowhere(served: Served, shown: list[str]) -> None:
    """Of what was shown once nothing lies in the database, what is beside it, or the log."""
    folder = Path(served.owner.environ["ACCTCLI_DATA_DIR"]) / "local"
    own = {"token", "key"}
    held = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name not in own}
    assert {"books.sqlite3", "service.log"} <= {path.name for path in held}
    assert [path.name for path, content in held.items() for one in shown if one.encode() in content] == []


def sign_in(page: Page) -> None:
    page.fill("#email", EMAIL)
    page.fill("#password", PASSWORD)
    page.click("main button")


@pytest.mark.parametrize("kind", ["public", "confidential"])
def test_a_person_signs_in_to_an_app(served: Served, page: Page, kind: str) -> None:
    client = app_of(served, kind, kind)
    place, verifier = begin(client, f"state of {kind}")
    page.goto(place)
    sign_in(page)
    assert page.inner_text("h1") == "Till asks for access"
    page.click("text=Allow")
    back = client.parse_response(AuthorizationResponse, info=come_back(served, page), sformat="urlencoded")
    assert back["state"] == f"state of {kind}"
    # a public app sends its id, a confidential one its secret as well
    authn: dict[str, Any] = {"authn_method": "client_secret_post" if kind == "confidential" else ""}
    given = {"code": back["code"], "redirect_uri": served.returned.address, "code_verifier": verifier}
    proof = {} if kind == "confidential" else {"client_id": kind}
    told = client.do_access_token_request(state=back["state"], request_args={**given, **proof}, **authn)
    # the library has verified signature, issuer, audience and times
    assert told["id_token"]["nonce"] == f"nonce of state of {kind}"
    assert told["id_token"]["email"] == EMAIL
    assert (told["token_type"], told["expires_in"]) == ("Bearer", 3600)
    assert served.api(told["access_token"]).json()["email"] == EMAIL
    assert served.api(told["access_token"], "Bearer").status_code == 401
    known = client.do_user_info_request(state=back["state"], method="GET")
    assert (known["email"], known["sub"]) == (EMAIL, told["id_token"]["sub"])
    again = client.do_access_token_refresh(state=back["state"], request_args=proof, scope=" ".join(SCOPES), **authn)
    assert served.api(again["access_token"]).status_code == 200
    assert again["refresh_token"] != told["refresh_token"]
    form = {**given, "grant_type": "authorization_code", "client_id": kind, "client_secret": client.client_secret}
    replayed = httpx.post(str(client.token_endpoint), data={name: value for name, value in form.items() if value})
    assert (replayed.status_code, replayed.json()["error"]) == (400, "invalid_grant")
    assert [served.api(one["access_token"]).status_code for one in (told, again)] == [401, 401]
    shown = [one[name] for one in (told, again) for name in ("access_token", "refresh_token")]
    assert_nowhere(served, [*shown, back["code"], verifier, PASSWORD, client.client_secret or verifier])


def test_an_app_that_proves_itself_gets_its_browser_back_without_asking(served: Served, page: Page) -> None:
    """Through the page to sign in on, whose policy lets its form lead to the app as well."""
    client = app_of(served, "known", "confidential")
    for number in range(2):
        place, verifier = begin(client, f"state {number}")
        page.context.clear_cookies()
        page.goto(place)
        sign_in(page)
        if number == 0:
            page.click("text=Allow")
        back = client.parse_response(AuthorizationResponse, info=come_back(served, page), sformat="urlencoded")
        given = {"code": back["code"], "redirect_uri": served.returned.address, "code_verifier": verifier}
        told = client.do_access_token_request(
            state=back["state"], request_args=given, authn_method="client_secret_post"
        )
        assert told["id_token"]["email"] == EMAIL


def test_who_refuses_is_back_at_the_app(served: Served, page: Page) -> None:
    client = app_of(served, "refused", "public")
    place, _ = begin(client, "a state")
    page.goto(place)
    sign_in(page)
    page.click("text=Refuse")
    back = client.parse_response(AuthorizationResponse, info=come_back(served, page), sformat="urlencoded")
    assert isinstance(back, ErrorResponse)
    assert (back["error"], back["state"]) == ("access_denied", "a state")


def test_the_command_line_is_registered(served: Served, page: Page) -> None:
    (own,) = [one for one in served.owner.json("local", "client", "list") if one["id"] == "acctcli"]
    assert (own["kind"], own["redirects"], own["scopes"]) == (
        "public",
        ["http://127.0.0.1:18320/callback", "http://[::1]:18320/callback"],
        SCOPES,
    )


def test_an_invited_person_comes_in_by_the_mail_alone(served: Served, page: Page) -> None:
    """From the mail to a token that works, and what was typed lies nowhere."""
    lines = served.invite("eva@example.com").splitlines()
    (address,) = (line.strip() for line in lines if "/identity/" in line)
    code = lines[-1].strip()
    assert (address, len(code)) == (f"{served.url}/identity/invitation", 32)
    page.goto(address)
    for name, typed in (("email", "eva@example.com"), ("code", code), ("new", PASSWORD), ("repeated", PASSWORD)):
        page.fill(f"#{name}", typed)
    page.click("main button")
    page.wait_for_url(f"{served.url}/identity/account?done=accepted")
    page.click("text=Tokens")
    page.fill("#name", "laptop")
    page.click("main button.main")
    token = page.inner_text("main code")
    known = served.api(token).json()
    assert (known["email"], len(known["userships"]), known["invitations"]) == ("eva@example.com", 1, [])
    assert_nowhere(served, [token, PASSWORD])
    # the mail alone has the code
    local = Path(served.owner.environ["ACCTCLI_DATA_DIR"], "local")
    holds = [path for path in local.rglob("*") if path.is_file() and code.encode() in path.read_bytes()]
    assert [path.suffix for path in holds] == [".eml"]


def people(served: Served, count: int) -> list[str]:
    """Make people who have the same password."""
    folder = Path(served.owner.environ["ACCTCLI_DATA_DIR"]) / "local"
    hashed = hash_password(PASSWORD, secrets.token_bytes)
    addresses = [f"person-{number}@example.com" for number in range(count)]

    def work(conn: Connection, service: EmbeddedService) -> None:
        author, now = local_author(conn, "test", service.installation), datetime.now(UTC)
        for address in addresses:
            set_password(conn, create_user(conn, address, now, author), hashed, now, author)

    with open_embedded(folder) as service:
        service.database.write(partial(work, service=service))
    return addresses


def sign_in_once(served: Served, email: str, ready: threading.Barrier) -> tuple[int, float]:
    """Sign in when all are ready; return the status, and when it came."""
    with httpx.Client(base_url=served.url, timeout=60) as client:
        form = html.fromstring(client.get("/identity/login").content).forms[0]
        ready.wait(60)
        reply = client.post("/identity/login", data={**form.fields, "email": email, "password": PASSWORD})
    return reply.status_code, time.monotonic()


def test_many_sign_in_at_once_and_the_books_go_on(served: Served) -> None:
    token, many = served.owner.run("local", "token").out.strip(), people(served, sized(160))
    ready = threading.Barrier(len(many) + 1)
    with ThreadPoolExecutor(len(many)) as pool:
        done = [pool.submit(sign_in_once, served, email, ready) for email in many]
        ready.wait(60)
        answered = [served.api(token).status_code for _ in range(10)]
        read = time.monotonic()
        statuses, ended = zip(*(one.result() for one in done), strict=True)
    assert (list(statuses), answered) == ([303] * len(many), [200] * 10)
    assert read < max(ended)


def test_one_person_signs_in_many_times_at_once(served: Served) -> None:
    """Nobody who is right is refused, in whatever worker."""
    ready = threading.Barrier(12)
    with ThreadPoolExecutor(12) as pool:
        done = [pool.submit(sign_in_once, served, EMAIL, ready) for _ in range(12)]
    assert [one.result()[0] for one in done] == [303] * 12
