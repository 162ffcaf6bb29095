"""Who is let in, and what every reply says: tried with what a foreign page or program would send."""

from __future__ import annotations

import re
import socket
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

import httpx
import pytest

from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from acctcli.cli.view.gate import NOT_YOURS, OTHER_ADDRESS, OTHER_SITE, USED
from tests.cli.view.looking import Pages, served
from tests.journeys.places import Place

SAID = {
    "cache-control": "no-store",
    "connection": "close",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@pytest.mark.together
@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", "127.0.0.1.evil.example", ""]
)
def test_another_host_is_refused(pages: Pages, host: str) -> None:
    reply = pages.get("", Host=host)
    assert (reply.status_code, reply.text) == (403, f"{OTHER_ADDRESS}\n")


def test_localhost_is_this_machine_and_has_a_cookie_of_its_own(pages: Pages) -> None:
    port = urlsplit(pages.address).port
    assert pages.get("check/", Host=f"localhost:{port}").status_code == 200
    with httpx.Client(trust_env=False, verify=False) as other:
        assert (
            other.get(f"http://127.0.0.1:{port}{pages.root}", headers={"Host": f"localhost:{port}"}).text
            == f"{NOT_YOURS}\n"
        )


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://127.0.0.1:1"),
        ("Sec_Fetch_Site", "cross-site"),
        ("Sec_Fetch_Site", "same-site"),
    ],
)
def test_what_another_page_sends_is_refused(pages: Pages, name: str, value: str) -> None:
    reply = pages.get("", **{name: value})
    assert (reply.status_code, reply.text) == (403, f"{OTHER_SITE}\n")


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "value"), [("Origin", ""), ("Sec_Fetch_Site", "none"), ("Sec_Fetch_Site", "same-origin")]
)
def test_what_this_page_sends_is_answered(pages: Pages, name: str, value: str) -> None:
    assert pages.get("journal", **{name: value or pages.host}).status_code == 200


@pytest.mark.together
@pytest.mark.parametrize("cookie", ["", "acctcli_view=", "acctcli_view=other", "acctcli_view=%FF; other=1"])
@pytest.mark.parametrize("path", ["", "journal", "style.css", "receipt/1", "/", "/favicon.ico"])
def test_nothing_is_shown_without_the_session(pages: Pages, path: str, cookie: str) -> None:
    whole = path if path.startswith("/") else f"{pages.root}{path}"
    with httpx.Client(trust_env=False, verify=False) as stranger:
        reply = stranger.get(f"{pages.host}{whole}", headers={"Cookie": cookie})
    assert (reply.status_code, reply.text) == (403, f"{NOT_YOURS}\n")


def test_the_address_is_good_once_and_the_secret_leaves_it(books: Place) -> None:
    here = State(Options(quiet=True), books.environ)
    with served(here) as pages, httpx.Client(trust_env=False, verify=False) as second:
        assert second.head(pages.address).status_code == 403
        wrong = second.get(f"{pages.host}{pages.root}?key=other")
        assert (wrong.status_code, wrong.text) == (403, f"{USED}\n")
        first = pages.client.get(pages.address)
        assert (first.status_code, first.headers["location"]) == (303, pages.root)
        value, *rest = first.headers["set-cookie"].split("; ")
        assert rest == [f"Path={pages.root}", "HttpOnly", "SameSite=Strict"]
        assert pages.address.partition("key=")[2] not in value
        # whoever reads it later in a history is not let in, and who is inside is led on
        late = second.get(pages.address)
        assert (late.status_code, late.text) == (403, f"{USED}\n")
        again = pages.client.get(pages.address)
        assert (again.status_code, "set-cookie" in again.headers) == (303, False)
        assert pages.get("").status_code == 200
    here.close()


@pytest.mark.together
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_pages_are_only_read(pages: Pages, method: str) -> None:
    reply = pages.client.request(method, f"{pages.host}{pages.root}", content=b"x=1")
    assert (reply.status_code, reply.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.together
@pytest.mark.parametrize("path", ["", "journal", "style.css", "receipt/5", "receipt/7", "nothing", "/other/"])
def test_every_reply_says_what_browsers_may_do(pages: Pages, path: str) -> None:
    reply, head = pages.get(path), pages.client.head(f"{pages.host}{path if path[:1] == '/' else pages.root + path}")
    assert SAID.items() <= reply.headers.items()
    assert reply.headers["content-security-policy"].startswith("default-src 'none'")
    assert "unsafe" not in reply.headers["content-security-policy"]
    assert "acctcli/" not in reply.headers["server"]
    assert (head.status_code, head.content) == (reply.status_code, b"")


def test_the_policy_of_pages_lets_nothing_run(pages: Pages) -> None:
    policy, style = re.subn("'sha256-[A-Za-z0-9+/]{43}='", "HASH", pages.get("").headers["content-security-policy"])
    assert (policy, style) == (
        "default-src 'none'; style-src 'self' HASH; img-src 'self'; frame-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'",
        1,
    )


@pytest.mark.together
@pytest.mark.parametrize(
    ("line", "status"),
    [(b"GET", b""), (b"\x16\x03\x01", b""), (b"GET / HTTP/9.9", b""), (b"GET http://evil.example/ HTTP/1.1", b"403")],
)
def test_what_is_no_request_of_a_browser_is_refused(pages: Pages, line: bytes, status: bytes) -> None:
    address = urlsplit(pages.host)
    with closing(socket.create_connection((address.hostname, address.port), 5)) as raw, raw.makefile("rb") as reply:
        raw.sendall(line + f"\r\nHost: {address.netloc}\r\n\r\n".encode())
        said = reply.read()
    assert said[9:12] == status


def test_who_connects_and_says_nothing_keeps_nobody_out(pages: Pages) -> None:
    place = ("127.0.0.1", urlsplit(pages.address).port or 0)
    with ExitStack() as idle:
        for _ in range(40):
            idle.enter_context(closing(socket.create_connection(place))).sendall(b"GET /")
        assert [pages.get("style.css").status_code for _ in range(20)] == [200] * 20


def test_it_listens_on_this_machine_alone(pages: Pages) -> None:
    port = urlsplit(pages.host).port
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port), 5)
