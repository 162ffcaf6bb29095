"""`acctcli business logo`, and which papers show it (docs/interface.md 3.7, docs/law.md 7.6)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import BinaryIO

import pytest

from acctcli.client import downloads
from acctcli.client.downloads import ContentKind, Fetcher
from acctcli.errors import ServerFault
from tests.accessible import faults
from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import TOKEN, Answer, Sent, recorder, said
from tests.cli.report.replies import answers
from tests.journeys.places import Place
from tests.pictures import inks, picture

RED, BLUE = picture(), picture(ink=(20, 40, 200, 255))
REPORT = ("report", "journal", "--period", "2026", "--output", "pdf", "--output-file")
SELLER = ("--iban", "FI2112345600000785", "--street", "Satama 1", "--postal-code", "00100", "--city", "Helsinki")
BUYER = (
    "--name", "Oak Oy", "--customer-id", "C-1", "--type", "business", "--invoicing",
    "--street", "Katu 1", "--postal-code", "00100", "--city", "Helsinki", "--country", "FI",
)  # fmt: skip
SOLD = ("--to", "C-1", "--date", "2026-03-02", "--days", "14", "--row", "name=Work,unit=h,amount=100,vat=25.5")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = company(tmp_path)
    for name, content in (("red.png", RED), ("blue.png", BLUE), ("logo.gif", b"GIF89a")):
        (made.folder / name).write_bytes(content)
    return made


def read(path: Path) -> list[tuple[int, ...]]:
    """Return the colours of the pictures of a PDF, and find that it can be read aloud."""
    content = path.read_bytes()
    assert faults(content) == []
    return inks(content)


def accepted(place: Place) -> str:
    """The id of an invoice that is accepted now."""
    place.run("business", "identifier", "create", "--type", "y_tunnus", "--value", "0112038-9")
    place.run("business", "update", *SELLER)
    place.run("contact", "create", *BUYER)
    invoice = str(place.json("invoice", "create", *SOLD)["id"])
    place.run("invoice", "accept", invoice)
    return invoice


def test_papers_drawn_here_have_the_logo_of_now_and_translations_that_of_their_invoice(place: Place) -> None:
    def report(name: str) -> list[tuple[int, ...]]:
        place.run(*REPORT, name)
        return read(place.folder / name)

    assert report("none.pdf") == []
    shown = place.json("business", "logo", "set", "red.png")
    assert (shown["slug"], "/v1/content/" in shown["logo"]) == ("company", True)
    invoice = accepted(place)
    assert report("red.pdf") == [(200, 60, 30)]
    place.run("business", "logo", "set", "blue.png")
    [paper] = place.json("invoice", "pdf", invoice, "--to", "papers")
    [german] = place.json("invoice", "pdf", invoice, "--to", "papers", "--language", "de")
    assert [read(place.folder / one["path"]) for one in (paper, german)] == [[(200, 60, 30)]] * 2
    place.run("invoice", "remind", invoice, "--output", "pdf", "--output-file", "reminder.pdf")
    assert read(place.folder / "reminder.pdf") == report("blue.pdf") == [(20, 40, 200)]
    assert "Papers of company have no logo from now on." in place.run("business", "logo", "remove", "--yes").err
    assert report("bare.pdf") == []


def test_a_backup_has_the_logo_of_each_invoice(place: Place) -> None:
    place.run("business", "logo", "set", "red.png")
    invoice = accepted(place)
    place.run("local", "backup", "books.sqlite3")
    [first] = place.json("invoice", "pdf", invoice, "--to", "first")
    place.run("business", "logo", "remove", "--yes")
    place.run("local", "restore", "books.sqlite3", "--yes")
    place.run("business", "logo", "remove", "--yes")
    place.run("local", "clean", "--yes")
    [second] = place.json("invoice", "pdf", invoice, "--to", "second")
    assert (place.folder / second["path"]).read_bytes() == (place.folder / first["path"]).read_bytes()
    assert read(place.folder / second["path"]) == [(200, 60, 30)]


def test_it_can_be_rehearsed_and_what_is_no_logo_is_named(place: Place) -> None:
    planned = place.json("business", "logo", "set", "red.png", "--dry-run")
    assert (planned["method"], planned["path"]) == ("PUT", "/v1/business/company/logo/")
    assert planned["body"] == {
        "name": "red.png", "size": len(RED), "sha256": hashlib.sha256(RED).hexdigest(), "type": "image/png",
    }  # fmt: skip
    planned = place.json("business", "logo", "remove", "--dry-run")
    assert (planned["method"], planned["path"]) == ("DELETE", "/v1/business/company/logo/")
    refused = place.try_run("business", "logo", "set", "logo.gif")
    assert (refused.code, "A logo is a PNG or a JPEG, and this is neither." in refused.err) == (7, True)
    assert place.try_run("business", "logo", "set", "gone.png").code == 2
    assert "Remove the logo of company?" in place.try_run("business", "logo", "remove").err
    assert place.json("business", "get")["logo"] is None


@pytest.mark.parametrize("argv", [("set", "logo.png"), ("remove", "--yes")])
def test_services_that_take_none_are_asked_for_none(
    cli: Cli, argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("logo.png").write_bytes(RED)
    with recorder(Answer(200)) as server:
        monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
        refused = cli("business", "logo", *argv, "--env", "testing", "--business", "demo")
        assert server.sent == []
    assert refused.code == 2
    assert "whose interface has no such operation; that of local has" in refused.err


@pytest.mark.parametrize(
    ("address", "answer", "ink", "note"),
    [
        ("{own}/media/logo.png?at=1", Answer(200, RED, {"Content-Type": "image/png"}), [(200, 60, 30)], ""),
        (
            "{own}/media/logo.png",
            said({"code": "not_found", "detail": "Not found."}, 404),
            [],
            "does not give the file out (404)",
        ),
        ("{own}/media/logo.png", Answer(200, RED + bytes(2**20)), [], "the files have more than 1 MiB together\n"),
        ("{own}/media/logo.gif", Answer(200, b"GIF89a", {"Content-Type": "image/gif"}), [], "sent something else"),
        (
            "{own}/media/logo.png",
            Answer(302, b"", {"Location": "https://media.example/logo.png"}),
            [],
            "the file's address is not the service's own",
        ),
        ("{own}/media/logo.png", Answer(200, RED[:-60], {"Content-Type": "image/png"}), [], "The picture is broken"),
        ("{own}.example/logo.png", Answer(200, RED), [], "its address is not the service's own\n"),
        ("https://media.example/logo.png", Answer(200, RED), [], "its address is not the service's own\n"),
        ("/media/logo.png", Answer(200, RED), [], "its address is not the service's own\n"),
        ("", Answer(200, RED), [], ""),
        (7, Answer(200, RED), [], ""),
    ],
)
def test_a_logo_of_another_service_is_taken_from_itself_alone(
    cli: Cli, at: At, address: str | int, answer: Answer, ink: list[tuple[int, ...]], note: str
) -> None:
    others = answers()

    def answered(sent: Sent) -> Answer:
        if sent.path.startswith("/media/"):
            assert "authorization" not in sent.headers
            return answer
        if sent.path == "/v1/business/demo/":
            logo = address.format(own=server.base_url) if isinstance(address, str) else address
            return said({"id": 1, "slug": "demo", "name": "Demo Oy", "country": "FI", "logo": logo})
        return others(sent)

    with recorder(answered) as server:
        at(server)
        done = succeed(cli(*REPORT, "report.pdf"))
        asked = [sent.path for sent in server.sent if sent.path.startswith("/media/")]
    assert read(Path("report.pdf")) == ink
    assert len(asked) == (1 if isinstance(address, str) and address.startswith("{own}/") else 0)
    assert done.err.count("note: drawn without the logo of the business: ") == bool(note)
    assert note in done.err


def test_a_logo_is_waited_for_as_long_as_the_command_says(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    class Watched(Fetcher):
        def fetch(self, address: str, into: BinaryIO, kind: ContentKind) -> int:
            waited.append(self.deadline)
            raise ServerFault("nothing came")

    monkeypatch.setattr(downloads, "Fetcher", Watched)
    others = answers()

    def answered(sent: Sent) -> Answer:
        logo = {"id": 1, "slug": "demo", "country": "FI", "logo": f"{server.base_url}/media/logo.png"}
        return said(logo) if sent.path == "/v1/business/demo/" else others(sent)

    with recorder(answered) as server:
        at(server)
        succeed(cli(*REPORT, "report.pdf", "--timeout", "7"))
    assert waited == [7]
