"""`acctcli invoice pdf`: papers of any service, with the e-invoice inside, or in another language."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from facturx import get_facturx_xml_from_pdf
from pypdf import PdfReader
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from acctcli.einvoice.cii import cii
from acctcli.einvoice.incoming.reading import read_einvoice
from acctcli.models.enums import Language
from acctcli.papers.invoice import invoice_pdf
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Recorder, page, recorder, said
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, Wire, invoice, row
from tests.journeys.places import Place, fresh

LISTED = "/v1/invoicing/demo/invoice/"
UPDATED = "2026-03-02T08:15:30Z"
ROWS = [row("100.00", "2"), row("19.99", "3", "13.5")]


def in_helvetica() -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1)
    canvas.drawString(72, 720, "Lasku 17")
    canvas.save()
    return stream.getvalue()


class Elsewhere:
    """A service that draws papers of its own, and keeps no record of what stood when an invoice was accepted."""

    def __init__(self, base_url: str) -> None:
        self.invoices = {
            number: invoice(
                ROWS, FINNISH_BUYER, id=number, invoice_number=number, status="ACCEPTED", updated_at=UPDATED
            )
            for number in (7, 8)
        }
        self.papers = {number: invoice_pdf(one, FINNISH_SELLER, "fi") for number, one in self.invoices.items()}
        self.base_url = base_url

    def shown(self, number: int) -> Wire:
        pdf = {"name": f"lasku-{number}.pdf", "file": f"{self.base_url}/{number}.pdf"}
        told: Wire = json.loads(
            json.dumps({**self.invoices[number], "pdf": pdf, "xrechnung_ubl_xml": None}, default=str)
        )
        return told

    def answer(self, path: str) -> Answer:
        if path.endswith(".pdf"):
            return Answer(body=self.papers[int(path.strip("/").removesuffix(".pdf"))])
        if path == "/v1/business/demo/":
            return said({**FINNISH_SELLER, "id": 1, "slug": "demo"})
        if path.partition("?")[0] == LISTED:
            return page(*map(self.shown, self.invoices))
        return said(self.shown(int(path.removeprefix(LISTED).strip("/"))))


Case = tuple[Elsewhere, Recorder]


@pytest.fixture
def elsewhere(at: At) -> Iterator[Case]:
    with recorder(lambda sent: made.answer(sent.path)) as server:
        made = Elsewhere(server.base_url)
        at(server)
        yield made, server


def saved(number: int) -> bytes:
    return (Path("papers") / f"lasku-{number}.pdf").read_bytes()


def test_papers_of_another_service_get_the_invoice_inside(cli: Cli, elsewhere: Case) -> None:
    service, _ = elsewhere
    done = succeed(cli("invoice", "pdf", "--all", "--to", "papers", "--format", "zugferd", "--json"))
    for number, one in service.invoices.items():
        assert get_facturx_xml_from_pdf(saved(number)) == ("factur-x.xml", cii(one, FINNISH_SELLER))
    assert [(row["id"], row["size"], row["outcome"]) for row in done.json()] == [
        (number, len(saved(number)), "saved") for number in service.invoices
    ]
    # of both, said once
    assert done.err.count("made of what the contact and the business are today") == 1


def test_one_that_is_not_fit_for_an_archive_stops_no_other(cli: Cli, elsewhere: Case) -> None:
    service, _ = elsewhere
    service.papers[7] = in_helvetica()
    outcome = cli("invoice", "pdf", "7", "8", "--to", "papers", "--format", "zugferd", "--json")
    assert [(row["outcome"], row["error"]) for row in outcome.json()] == [
        (
            "failed",
            "the PDF of the service is not fit for an archive (ISO 19005-3): the font Helvetica is not in it "
            "(6.2.11.4.1)",
        ),
        ("saved", None),
    ]
    assert outcome.code == 10
    assert [one.name for one in Path("papers").iterdir()] == ["lasku-8.pdf"]


def test_what_the_invoice_lacks_is_named(cli: Cli, elsewhere: Case) -> None:
    service, _ = elsewhere
    service.invoices[7]["receiver_info"] = {**FINNISH_BUYER, "invoicing_city": None}
    outcome = cli("invoice", "pdf", "7", "--to", "papers", "--format", "zugferd")
    assert outcome.code == 10
    assert "receiver_info.invoicing_city (missing: the buyer's city (BT-52))" in outcome.err
    assert list(Path("papers").iterdir()) == []


def test_there_is_one_format(cli: Cli, elsewhere: Case) -> None:
    _, server = elsewhere
    outcome = cli("invoice", "pdf", "7", "--format", "pdf")
    assert (outcome.code, server.sent) == (2, [])
    assert "--format 'pdf': there is zugferd" in outcome.err


def test_it_takes_a_library(cli: Cli, elsewhere: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    _, server = elsewhere
    outcome = cli("invoice", "pdf", "7", "--format", "zugferd")
    assert (outcome.code, server.sent) == (2, [])
    assert "--format zugferd needs pypdf" in outcome.err
    assert "pip install 'acctcli[invoices]'" in outcome.err


# --- of the whole tool, from one business to another ---

BUYER = ("--name", "Rakennus Virtanen Oy", "--customer-id", "C-12", "--street", "Hämeenkatu 10", "--city", "Tampere",
         "--postal-code", "33100", "--country", "FI", "--set", "invoicing_tax_code=FI01120389",
         "--invoicing")  # fmt: skip
SELLER: dict[str, Any] = {
    "invoicing_iban": "FI4950009420028730", "invoicing_street": "Tie 1", "invoicing_city": "Oulu",
    "invoicing_postal_code": "90100", "invoicing_country": "FI",
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = fresh("hybrids", tmp_path, ACCTCLI_BUSINESS="seller")
    made.run("business", "create", "--name", "Öhman & Söhne Oy", "--form", "FI_OY", "--slug", "seller")
    for kind, value in (("y_tunnus", "1572860-0"), ("vat_code", "FI15728600")):
        made.run("business", "identifier", "create", "--type", kind, "--value", value)
    made.run("business", "update", "seller", *(word for one in SELLER.items() for word in ("--set", "=".join(one))))
    made.run("contact", "create", *BUYER)
    return made


def test_many_are_made_side_by_side(place: Place) -> None:
    for n in range(1, 9):
        sold = f"name=Work {n},unit=h,amount={n},vat=25.5"
        place.run("invoice", "create", "--to", "C-12", "--date", "2026-03-02", "--days", "14", "--row", sold)
    place.run("invoice", "accept", *map(str, range(1, 9)))
    saved = place.json("invoice", "pdf", "--all", "--to", "papers", "--format", "zugferd")
    assert len(saved) == 8
    for one in saved:
        found = read_einvoice(get_facturx_xml_from_pdf((place.folder / one["path"]).read_bytes())[1])
        assert [line.name for line in found.lines] == [f"Work {one['id']}"]


def test_an_invoice_travels_inside_its_paper(place: Place) -> None:
    given = ("--row", "name=Work,unit=h,amount=100,count=2,vat=25.5", "--row", "name=Book,unit=kpl,amount=50,vat=13.5")
    number = str(place.json("invoice", "create", "--to", "C-12", "--date", "2026-03-02", "--days", "14", *given)["id"])
    place.run("invoice", "accept", number)
    place.run("invoice", "xml", number, "--format", "cii", "--output-file", "17.xml")
    [one] = place.json("invoice", "pdf", number, "--to", "papers", "--format", "zugferd")
    content = (place.folder / one["path"]).read_bytes()
    assert get_facturx_xml_from_pdf(content) == ("factur-x.xml", (place.folder / "17.xml").read_bytes())
    [plain] = place.json("invoice", "pdf", number, "--to", "plain")
    assert plain["name"] == one["name"]
    place.run("business", "create", "--name", "Rakennus Virtanen Oy", "--form", "FI_OY", "--slug", "buyer")
    [entered] = place.json("purchase", "import", one["path"], "--business", "buyer", "--account", "4000", "--yes")
    assert (entered["status"], entered["sender_name"], f"{entered['amount']:.2f}") == (
        "posted",
        "Öhman & Söhne Oy",
        "307.75",
    )


def test_papers_of_another_service_are_translated(cli: Cli, elsewhere: Case) -> None:
    service, _ = elsewhere
    done = succeed(cli("invoice", "pdf", "7", "--to", "papers", "--language", "de", "--json"))
    translated = invoice_pdf(service.invoices[7], FINNISH_SELLER, "de", translated=Language.FI)
    assert Path("papers/lasku-7-de.pdf").read_bytes() == translated
    assert done.err.count("made of what the contact and the business are today") == 1
    # the invoice is in that already
    succeed(cli("invoice", "pdf", "7", "--to", "papers", "--language", "fi", "--json"))
    assert Path("papers/lasku-7-fi.pdf").read_bytes() == service.papers[7]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--language", "et"), "--language 'et': there are fi, sv, en, de"),
        (("--language", "de", "--format", "zugferd"), "--language is of paper alone"),
    ],
)
def test_a_language_that_no_paper_has(cli: Cli, elsewhere: Case, words: tuple[str, ...], told: str) -> None:
    _, server = elsewhere
    outcome = cli("invoice", "pdf", "7", *words)
    assert (outcome.code, server.sent) == (2, [])
    assert told in outcome.err


def test_what_was_accepted_in_a_language_is_mailed_and_reminded_of_in_it(place: Place) -> None:
    given = ("--to", "C-12", "--date", "2026-03-02", "--days", "14", "--row", "name=Work,unit=h,amount=100,vat=25.5")
    for language in ((), ("--language", "de")):
        number = str(place.json("invoice", "create", *given)["id"])
        place.run("invoice", "accept", number, *language)
    mails = [place.run("invoice", "send", one, "--method", "email", "--dry-run").out for one in ("1", "2")]
    assert ["Rechnung 2, " in mail for mail in mails] == [False, True]
    paper = [place.run("invoice", "remind", one, "--date", "2026-04-01", "--output", "html").out for one in ("1", "2")]
    assert ["Zahlungserinnerung" in one for one in paper] == [False, True]
    # the paper that was kept stays, and a translation of it names it
    [kept] = place.json("invoice", "pdf", "2", "--to", "papers")
    [same, other] = [
        place.json("invoice", "pdf", "2", "--to", "papers", "--language", one)[0]["path"] for one in ("de", "sv")
    ]
    assert (place.folder / same).read_bytes() == (place.folder / kept["path"]).read_bytes()
    assert "Översättning av Rechnung 2" in " ".join(PdfReader(place.folder / other).pages[0].extract_text().split())
