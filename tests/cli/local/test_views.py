"""Pages of the books where they are served: who is let in, and to which books; a session only reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from urllib.parse import urlencode

import pytest

from acctcli.cli.local.views import Turns, Views, _sent, furnish
from acctcli.cli.view.page import Reply
from acctcli.models.enums import PermissionGroup
from acctcli.service.http.app import utc_now
from acctcli.service.http.embedded import EmbeddedService, open_embedded
from acctcli.service.http.spool import Streamed
from acctcli.service.identity import grants, passwords
from acctcli.service.rules.roles import ROLES
from acctcli.service.store.events import NOBODY
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import memberships
from acctcli.settings import data_dir
from tests.cli.demo import demo
from tests.cli.view.looking import YEAR, Pages, looking
from tests.journeys.places import Place
from tests.service.actor import LOGIN_ADDRESS
from tests.service.pages.visitor import PASSWORD, Visitor

READER, HOST = "lena@example.com", LOGIN_ADDRESS.partition("//")[2]
BOOKKEEPING, READ_ONLY, INVOICING = (
    " ".join(ROLES[one]) for one in (PermissionGroup.BOOKKEEPING, PermissionGroup.READ_ONLY, PermissionGroup.INVOICING)
)
SHOWN = [
    f"?{YEAR}",
    "journal?from=2026-03-01&to=2026-03-31",
    f"account/1910?{YEAR}",
    "document/2",
    "document/no:260305-1",
    "invoices",
    "invoice/3",
    f"income-statement?{YEAR}",
    f"vat?{YEAR}",
    "search?text=Asiakas",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The company of the examples, and another one of the same owner."""
    made = demo(tmp_path_factory.mktemp("views") / "books")
    made.run("business", "create", "--name", "Secret Oy", "--slug", "secret", "--form", "FI_OY")
    secret = ("--debit", "1910", "--credit", "3000:7", "--description", "Hidden")
    made.run("document", "create", "--business", "secret", "--date", "2026-03-02", *secret)
    return made


@pytest.fixture(scope="module")
def service(place: Place) -> Iterator[EmbeddedService]:
    """The service as it is served, with people of each role, and a stranger."""
    folder, hosts = data_dir(place.environ) / "local", (HOST, "127.0.0.1")
    with pytest.MonkeyPatch.context() as cheap:
        cheap.setattr(passwords, "MEMORY_KIB", 64)
        cheap.setattr(passwords, "PASSES", 1)
        with open_embedded(folder, allowed_hosts=hosts, login_address=LOGIN_ADDRESS) as made:
            furnish(made, LOGIN_ADDRESS)
            numbers = {one["slug"]: one["id"] for one in place.json("business", "list", "--all")}
            add(made, READER, {numbers["demo"]: BOOKKEEPING})
            add(made, "rita@example.com", {numbers["demo"]: READ_ONLY})
            add(made, "ivo@example.com", {numbers["demo"]: INVOICING})
            add(made, "both@example.com", dict.fromkeys(numbers.values(), READ_ONLY))
            add(made, "nobody@example.com", {})
            yield made


def add(service: EmbeddedService, email: str, permissions: dict[int, str]) -> None:
    """Let somebody with a password work in businesses."""
    database, now = service.database, utc_now()
    user = database.write(lambda conn: grants.create_user(conn, email, now, NOBODY))
    for business, keys in permissions.items():
        put = partial(memberships.put, user_id=user, business_id=business, permissions=keys, stamp=stamp(now))
        database.write(put)
    service.keeper.set_password(email, PASSWORD)


@pytest.fixture(scope="module")
def anna(service: EmbeddedService) -> Visitor:
    return Visitor(service).open("/view/demo/").sign_in(READER)


@pytest.fixture(scope="module")
def pages(place: Place) -> Iterator[Pages]:
    with looking(place) as found:
        yield found


def main(source: str, root: str) -> str:
    """What a page shows, wherever it is served."""
    (found,) = re.findall(r"<main.*</main>", source, re.DOTALL)
    return str(found).replace(f'"{root}', '"/')


def test_who_signs_in_goes_on_to_the_page_they_opened(service: EmbeddedService) -> None:
    visitor = Visitor(service).open("/view/demo/journal?text=%26%C3%A4+b&from=2026-03-01")
    assert visitor.place.startswith("/identity/login?next=%2Fview%2Fdemo%2Fjournal%3F")
    visitor.sign_in(READER)
    assert visitor.place == "/view/demo/journal?text=%26%C3%A4+b&from=2026-03-01"
    assert visitor.page.xpath("//input[@id='text']/@value") == ["&ä b"]


@pytest.mark.parametrize("path", SHOWN)
def test_pages_are_those_of_the_command(anna: Visitor, pages: Pages, path: str) -> None:
    reply = anna.open(f"/view/demo/{path}").reply
    assert reply.status_code == 200
    # what only administrators see is another thing
    ours, owner = (
        re.sub(r"<h2>(History|Faults and gaps)</h2>.*?</section>", "", main(*one), flags=re.DOTALL)
        for one in ((reply.text, "/view/demo/"), (pages.get(path).text, pages.root))
    )
    assert ours == owner
    assert reply.headers["Cache-Control"] == "no-store"
    style = r"style-src 'self' 'sha256-[\w+/]{43}='"
    assert re.match(f"default-src 'none'; {style}; img-src 'self'; ", reply.headers["Content-Security-Policy"])
    assert str(anna.cookie("session")) not in reply.text


def test_a_receipt_and_a_paper_come_as_they_are(anna: Visitor, place: Place) -> None:
    receipt = anna.open("/view/demo/receipt/2").reply
    assert receipt.content == (place.folder / "receipt.txt").read_bytes()
    assert receipt.headers["Content-Disposition"].startswith("attachment")
    assert anna.open("/view/demo/paper/3").reply.content[:5] == b"%PDF-"


def test_what_is_large_is_not_held_in_memory_for_slow_readers() -> None:
    assert _sent(Reply(200, [b"x" * 2**18])).body == b"x" * 2**18
    large = _sent(Reply(200, [b"x", b"y" * 2**18])).body
    assert isinstance(large, Streamed)
    with closing(large):
        assert b"".join(large) == b"x" + b"y" * 2**18


@pytest.mark.together
@pytest.mark.parametrize("path", ["", "journal", "document/1", "receipt/1", "style.css", "search?text=Hidden"])
@pytest.mark.parametrize("slug", ["secret", "no-such", "x" * 40, "%2e%2e", "demo%2f..%2fsecret"])
def test_books_of_others_are_not_there(anna: Visitor, slug: str, path: str) -> None:
    reply = anna.open(f"/view/{slug}/{path}").reply
    assert reply.status_code == 404
    assert "Secret Oy" not in reply.text


def test_a_role_sees_no_more_than_its_requests(service: EmbeddedService) -> None:
    rita = Visitor(service).open(f"/view/demo/income-statement?{YEAR}").sign_in("rita@example.com")
    assert "1,308.44" in rita.text
    # which accounting periods there are is for others
    assert rita.page.xpath("//p[@class='ways']") == []
    assert rita.open("/view/demo/check").reply.status_code == 200
    ivo = Visitor(service).open("/view/demo/invoices").sign_in("ivo@example.com")
    assert "Asiakas Oy" in ivo.text
    assert ivo.open(f"/view/demo/income-statement?{YEAR}").reply.status_code == 403
    assert "125.50" not in ivo.reply.text
    assert ivo.open("/view/demo/document/1").reply.status_code == 403


def test_who_may_see_several_books_chooses_and_who_sees_none_is_told(service: EmbeddedService) -> None:
    both = Visitor(service).open("/view/").sign_in("both@example.com")
    assert both.page.xpath("//main//a/@href") == ["/view/demo/", "/view/secret/"]
    nobody = Visitor(service).open("/view/").sign_in("nobody@example.com")
    assert (nobody.reply.status_code, "Nobody has let you look at books." in nobody.text) == (200, True)
    assert nobody.page.xpath("//main//a/@href") == ["/identity/invitation"]
    assert Visitor(service).open("/view/").sign_in(READER).place == "/view/demo/"


def test_who_signs_out_sees_nothing_any_more(service: EmbeddedService) -> None:
    visitor = Visitor(service).open("/view/demo/").sign_in(READER)
    cookies = dict(visitor.http.cookies)
    assert READER in visitor.reply.text
    visitor.send("/identity/logout")
    visitor.http.cookies.update(cookies)
    assert visitor.open("/view/demo/").place.startswith("/identity/login")


@pytest.mark.together
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "evil.example"}, 400),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_another_host_and_what_other_sites_cause_are_refused(
    anna: Visitor, headers: dict[str, str], status: int
) -> None:
    for path in ("/view/", "/view/demo/", "/view/demo/style.css", "/view/demo/receipt/1"):
        reply = anna.http.get(path, headers=headers)
        assert reply.status_code == status
        assert "Demo Oy" not in reply.text


@pytest.mark.together
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_pages_are_only_read(anna: Visitor, method: str) -> None:
    reply = anna.http.request(method, "/view/demo/", content=b"x=1")
    assert (reply.status_code, reply.headers["Allow"]) == (405, "GET, HEAD")


def test_a_line_of_many_accounts_leads_to_them(anna: Visitor) -> None:
    numbers = [str(number) for number in range(1900, 2900)]
    page = anna.open(f"/view/demo/trial-balance?{YEAR}&{urlencode({'number': numbers}, doseq=True)}").page
    assert page.xpath("//tbody/tr[1]/td[1]//text()") == ["1910"]


def test_an_address_that_says_too_much_is_refused_on_a_page(anna: Visitor) -> None:
    reply = anna.http.get(f"/view/demo/journal?{'x=1&' * 2001}")
    assert (reply.status_code, reply.headers["Content-Type"]) == (400, "text/html; charset=utf-8")
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]


def test_an_address_without_its_slash_is_sent_on(anna: Visitor) -> None:
    assert anna.http.get("/view", follow_redirects=False).headers["Location"] == "/view/"


def test_a_head_has_no_body(anna: Visitor) -> None:
    reply = anna.http.head("/view/demo/journal")
    assert (reply.status_code, reply.content) == (200, b"")


def test_a_session_is_no_token_and_writes_nothing(service: EmbeddedService, anna: Visitor) -> None:
    secret = {"Authorization": f"Token {anna.cookie('session')}"}
    assert anna.http.get("/v1/user/", headers=secret).status_code == 401
    reader = Visitor(Reading(service)).http
    assert reader.get("/v1/user/", headers=secret).json()["email"] == READER
    columns = {"columns": [{"date_from": "2026-01-01", "date_to": "2026-12-31"}]}
    key = {"Idempotency-Key": "once"}
    assert reader.post("/v1/business/demo/report/journal/", json=columns, headers=secret | key).status_code == 200
    for path in ("/v1/business/demo/tags/", "/v1/business/"):
        refused = reader.post(path, json={"name": "x"}, headers=secret)
        assert (refused.status_code, refused.json()["detail"]) == (403, "Pages only read.")
    # a secret that names another person, whatever the database says, and a token in its place
    other = str(anna.cookie("session")).replace("acct_ses_", "acct_ses_9")
    for token in (other, service.token, "x"):
        assert reader.get("/v1/user/", headers={"Authorization": f"Token {token}"}).status_code == 401


class Reading:
    """The service as pages ask it."""

    def __init__(self, service: EmbeddedService) -> None:
        self.app = service.for_sessions()


def test_one_person_leaves_turns_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.cli.local.views._WAIT_SECONDS", 0.0)
    turns, people = Turns(), (1, 1, 1, 2, 2, 2, 3)
    with ExitStack() as held:
        came = [held.enter_context(turns.of(person)) for person in people]
    assert came == [True, True, False, True, True, False, False]
    with turns.of(3) as is_ours:
        assert is_ours


def test_few_of_one_person_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.cli.local.views._WAITING_OF_ONE", 1)
    turns, came = Turns(), list[bool]()

    def others_come(person: int) -> bool:
        for other in (person, person + 1):
            monkeypatch.setattr(turns, "_is_free", lambda _: True)
            with turns.of(other) as is_ours:
                came.append(is_ours)
        return True

    monkeypatch.setattr(turns, "_is_free", others_come)
    with turns.of(1) as is_ours:
        assert (is_ours, came) == (True, [False, True])


def test_too_many_pages_at_once_wait_and_are_told(service: EmbeddedService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.cli.local.views._AT_ONCE", 0)
    monkeypatch.setattr("acctcli.cli.local.views._WAIT_SECONDS", 0.0)
    busy = Views(service, LOGIN_ADDRESS)
    visitor = Visitor(service).open("/view/demo/").sign_in(READER)
    service.app.mount("/view/", busy.answer)
    try:
        assert visitor.open("/view/demo/").reply.status_code == 503
    finally:
        furnish(service, LOGIN_ADDRESS)
