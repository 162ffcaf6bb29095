"""What goes wrong is a page that says what the command line says, and no secret."""

from __future__ import annotations

import json

import pytest

from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from tests.cli.recorder import TOKEN, Answer, Recorder, Sent, page, recorder, said
from tests.cli.view.looking import Pages, Read, served
from tests.journeys.places import Place


def told(pages: Pages, path: str) -> tuple[int, list[str]]:
    reply = pages.get(path)
    read = Read(reply.text)
    return reply.status_code, [one.text for one in read.all("p") if one.given.get("lang") == "en"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("path", "command", "status"),
    [
        ("document/999999", "document get 999999", 404),
        ("document/no:990101-1", "document get 990101-1", 404),
        ("account/999", "account statement 999", 404),
        ("journal?tag=nowhere", "document list --tag nowhere", 404),
        ("account/1910?from=2026-02-30&to=2026-03-01", "account statement 1910 --from 2026-02-30 --to 2026-03-01", 400),
        ("journal?from=2026-03-02&to=2026-03-01", "document list --from 2026-03-02 --to 2026-03-01", 400),
    ],
)
def test_a_page_says_what_the_command_says(pages: Pages, books: Place, path: str, command: str, status: int) -> None:
    done = books.try_run(*command.split(), "--json")
    error = json.loads(done.err)["error"]
    found, texts = told(pages, path)
    assert found == status
    # an option is named where there is one
    assert texts[0] == error["message"].removeprefix("--tag: ")
    assert texts[1:] == ([error["hint"]] if "hint" in error else [])


@pytest.mark.together
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nothing", 404),
        ("document/0", 404),
        ("document/260305-1", 404),
        ("document/99999999999999999999", 404),
        (f"document/{'9' * 5000}", 404),
        ("document/1/2", 404),
        ("journal/1", 404),
        ("invoices/closed", 404),
        ("receipt/x", 404),
        ("receipt/999999", 404),
        ("journal?page=0", 400),
        ("journal?page=x", 400),
        ("journal?page=99999", 404),
        ("account/1910?page=9999", 404),
        ("account/1910?from=2026-01-01", 400),
        ("account/%3Cscript%3E", 400),
        ("income-statement?compare=x", 400),
        ("invoice/999999", 404),
        ("paper/1", 404),
        ("invoices?status=x", 400),
        ("journal?vat_code=x", 400),
        ("journal?text=%00", 400),
        ("journal?" + "&".join(f"x{number}=1" for number in range(2001)), 400),
    ],
)
def test_what_is_not_there_is_a_page_all_the_same(pages: Pages, path: str, status: int) -> None:
    reply = pages.get(path)
    read = Read(reply.text)
    assert reply.status_code == status
    (fault,) = [one for one in read.all("div") if one.given.get("class") == "fault"]
    assert fault.given["role"] == "alert"
    assert [one for one in read.all("a") if one.text == "Journal"]


def service(sent: Sent) -> Answer:
    """A business whose reports fail, and whose refusals hold the token."""
    path = sent.path.partition("?")[0]
    if path == "/v1/business/demo/":
        return said({"id": 1, "slug": "demo", "name": "Demo", "country": "FI"})
    if path.endswith("/period/"):
        return page({"id": 1, "start_date": "2026-01-01", "end_date": "2026-12-31"})
    if "/report/" in path:
        return said({"code": "server_error", "detail": f"it broke at {TOKEN}"}, 500)
    if path.endswith("/document/"):
        return page({"id": 7, "date": "2026-03-02", "number": "260302-1"}, {"id": 8, "date": "2026-03-01"})
    if path.endswith("/7/entry/"):
        return said({"code": "permission_denied", "detail": "not yours"}, 403)
    if path.endswith("/8/entry/"):
        return Answer(200, b'{"count": 1, "next": null, "results": [{"id": 1}]}')
    return page()


def far(server: Recorder, home: str, env: str = "testing") -> State:
    environ = {
        **{f"ACCTCLI_{kind}_DIR": f"{home}/{kind}" for kind in ("CONFIG", "DATA", "CACHE", "STATE")},
        f"ACCTCLI_{env.upper()}_BASE_URL": server.base_url,
        "ACCTCLI_TOKEN": TOKEN,
    }
    return State(Options(env=env, business="demo", quiet=True, timeout=2.0), environ)


def test_what_cannot_be_read_leaves_the_rest_of_a_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    with recorder(service) as server:
        here = far(server, str(tmp_path_factory.mktemp("home")))
        with served(here) as pages:
            pages.client.timeout = 60
            pages.client.get(pages.address)
            overview = Read(pages.get("").text)
            journal = pages.get("journal")
            document = pages.get("trial-balance")
        here.close()
    assert len(overview.all("h2")) == 7
    faults = [one.text for one in overview.all("div") if one.given.get("class") == "fault"]
    # its result, its money and its months; it has no VAT periods, and nothing is open
    assert len(faults) == 3
    assert all("it broke at" in one for one in faults)
    assert "Nothing is open." in overview.source
    # one document whose entries cannot be read does not hide another
    assert journal.status_code == 200
    assert "not yours" in journal.text
    assert "an entry is not what the interface promises" in journal.text
    assert document.status_code == 502
    assert not [one for one in (overview.source, journal.text, document.text) if TOKEN in one]
    assert all(one.headers["authorization"] == f"Token {TOKEN}" for one in server.sent)
    assert not [one for one in server.sent if one.method != "GET" and "/report/" not in one.path]


def test_a_long_journal_is_asked_for_page_by_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    def long(sent: Sent) -> Answer:
        if sent.path.startswith("/v1/business/demo/document/?"):
            rows = [{"id": one, "date": "2026-03-02", "number": f"260302-{one}"} for one in range(76, 101)]
            return said({"count": 1_000_000, "next": 5, "prev": 3, "size": 25, "results": rows})
        return page() if "/entry/" in sent.path else service(sent)

    with recorder(long) as server:
        here = far(server, str(tmp_path_factory.mktemp("home")))
        with served(here) as pages:
            pages.client.get(pages.address)
            read = pages.read("journal?page=4")
        here.close()
    lists = [one.path for one in server.sent if one.path.startswith("/v1/business/demo/document/?")]
    assert lists == ["/v1/business/demo/document/?is_draft=false&page=4&page_size=25"]
    assert len([one for one in server.sent if "/entry/" in one.path]) == 25
    assert "Page 4 of 40000" in read.source
    assert [one.given["rel"] for one in read.all("a") if "rel" in one.given] == ["prev", "next"]


@pytest.mark.parametrize(("env", "marks"), [("production", ["production"]), ("testing", [])])
def test_real_books_say_so_on_every_page(tmp_path_factory: pytest.TempPathFactory, env: str, marks: list[str]) -> None:
    with recorder(service) as server:
        here = far(server, str(tmp_path_factory.mktemp("home")), env)
        with served(here) as pages:
            pages.client.get(pages.address)
            read = pages.read("invoices")
        here.close()
    assert [one.text for one in read.all("span") if one.given.get("class") == "mark"] == marks


def test_an_invoice_that_is_not_in_euros_says_its_currency(tmp_path_factory: pytest.TempPathFactory) -> None:
    row = {"name": "Ship", "unit": "h", "amount": 1000.00, "product_count": 1, "vat_rate": 0, "total_amount": 1000.00,
           "total_vat_amount": 0.00}  # fmt: skip
    invoice = {"id": 5, "receiver": 1, "receiver_info": {"id": 1, "name": "Sea Inc"}, "due_date": "2026-03-16",
               "status": "ACCEPTED", "total_amount": 1000.00, "currency": "USD", "rows": [row]}  # fmt: skip

    def foreign(sent: Sent) -> Answer:
        path = sent.path.partition("?")[0]
        if path.endswith("/invoice/"):
            return page(invoice)
        return said(invoice) if path.endswith("/invoice/5/") else service(sent)

    with recorder(foreign) as server:
        here = far(server, str(tmp_path_factory.mktemp("home")))
        with served(here) as pages:
            pages.client.get(pages.address)
            listed, shown = pages.read("invoices"), pages.read("invoice/5")
        here.close()
    amount = "1,000.00\N{NO-BREAK SPACE}USD"
    assert [row[-1].text for row in listed.rows] == ["Amount", amount]
    assert [row[-1].text for row in shown.rows] == ["Amount", amount, "0.00\N{NO-BREAK SPACE}USD", amount]
    assert [one.text for one in shown.all("p") if one.given.get("class") == "figure"] == [amount]
