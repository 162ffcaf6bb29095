"""A business with something of everything, its pages, and what a page says by a parser that knows nothing of them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from acctcli.cli.invoice.reminded import Reminded, Stage
from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from acctcli.cli.view.opening import books_of
from acctcli.cli.view.server import serving
from tests.cli.demo import demo
from tests.journeys.places import Place, kept_open

MONTH = str(files("acctcli.cli").joinpath("tour_month.jsonl"))
EVIL = '"><img src=x onerror=hit()><script>hit()</script>'
LONG = "Lämpökeskuslaiteasennustyönjohtajakoulutuskeskus"
YEAR, MARCH = "from=2026-01-01&to=2026-12-31", "from=2026-03-01&to=2026-03-31"
_VOID = {"img", "input", "link", "meta"}


def png() -> bytes:
    """A picture of one red point."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    points = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", points) + chunk(b"IEND", b"")


@kept_open()
def company(folder: Path) -> Place:
    """The company of the examples with the tour's month, names that would be markup, and receipts of all kinds."""
    place = demo(folder)
    place.run("document", "create", "--file", MONTH, "--account-numbers")
    folder.joinpath("point.png").write_bytes(png())
    folder.joinpath("paper.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
    folder.joinpath("evil.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg"><script>hit()</script>{EVIL}</svg>'
    )
    folder.joinpath("evil.html").write_text(f"<!doctype html><script>hit()</script>{EVIL}")
    place.run("document", "attach", "2", "point.png", "paper.pdf", "evil.svg", "evil.html")
    place.run("tag", "create", "--name", "<script>hit()</script>")
    place.run("contact", "create", "--name", EVIL, "--customer-id", "66")
    words = ("--description", EVIL, "--contact", "3", "--set", "tag_ids=[2]")
    place.run("document", "create", "--date", "2026-03-30", "--debit", "1910", "--credit", "3020:9.90", *words)
    place.run("account", "update", "3020", "--name", EVIL)
    place.run("file", "upload", "evil.html", "--name", f"{EVIL}.html")
    place.run("document", "flag", "1")
    place.run("contact", "create", "--name", LONG)
    given = ("--debit", "1910:9876543.21@3", "--credit", "2000:9876543.21@3", "--description", LONG, "--contact", LONG)
    place.run("document", "create", "--date", "2026-03-31", *given)
    for stage, day in ((Stage.SECOND, date(2026, 5, 4)), (Stage.FIRST, date(2026, 4, 1))):
        asked = (Decimal("100.40"), Decimal("0.00"), Decimal("0.00"), Decimal("40.00"))
        place.run(
            "invoice", "status-message", "add", "3", str(Reminded(stage, day, "paper", date(2026, 5, 14), *asked))
        )
    return place


@dataclass
class Element:
    """An element that was opened: its name, its attributes, and the text in it."""

    name: str
    given: dict[str, str | None]
    text: str = ""


@dataclass
class Read(HTMLParser):
    """A page: all of its elements, and the rows of its tables."""

    source: str
    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)
    rows: list[list[Element]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.source)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append(element)
        if tag == "data":
            # an amount is what it is for programs
            for one in self.open:
                one.given["amount"] = element.given["value"]
        if tag == "a":
            for one in self.open:
                one.given["href"] = element.given["href"]
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        for one in self.open:
            one.text += data

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag

    def all(self, name: str) -> list[Element]:
        return [one for one in self.elements if one.name == name]

    def amounts(self, row: list[Element]) -> list[Decimal | None]:
        """The cells of a row that are for amounts: what stands there, None for nothing."""
        cells = [one for one in row if (one.given.get("class") or "").startswith("amount") and one.name == "td"]
        return [None if (value := one.given.get("amount")) is None else Decimal(value) for one in cells]

    @property
    def figures(self) -> list[tuple[str, list[Decimal | None]]]:
        """The rows with an amount: the text of the first cell, and the amounts."""
        return [
            (row[0].text, found)
            for row in self.rows
            if (found := self.amounts(row)) and any(one is not None for one in found)
        ]


@dataclass
class Pages:
    """The pages of a business as a browser that was let in gets them; `address` is the one that lets in, once."""

    address: str
    client: httpx.Client

    @property
    def root(self) -> str:
        return f"{urlsplit(self.address).path}"

    @property
    def host(self) -> str:
        return f"http://{urlsplit(self.address).netloc}"

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Get what is below the folder of the pages, or at a whole path."""
        whole = path if path.startswith("/") else f"{self.root}{path}"
        return self.client.get(
            f"{self.host}{whole}", headers={name.replace("_", "-"): value for name, value in headers.items()}
        )

    def read(self, path: str) -> Read:
        """Read a page that must be there."""
        reply = self.get(path)
        assert reply.status_code == 200, reply.text
        return Read(reply.text)


@contextmanager
def served(here: State, locale: str | None = "en") -> Iterator[Pages]:
    """Serve the pages of some books, and let nobody in yet."""
    with serving(here, books_of(here, locale), 0) as address, httpx.Client(trust_env=False, verify=False) as client:
        yield Pages(address, client)


@contextmanager
def looking(place: Place, locale: str | None = "en") -> Iterator[Pages]:
    """Look through the books of a user."""
    here = State(Options(quiet=True), place.environ)
    try:
        with served(here, locale) as pages:
            assert pages.client.get(pages.address).status_code == 303
            yield pages
    finally:
        here.close()


def every_page(pages: Pages, first: str) -> Iterator[Read]:
    """A list, page by page, by the way to the next one."""
    path: str | None = first
    while path is not None:
        read = pages.read(path)
        yield read
        path = next((one.given["href"] for one in read.all("a") if one.given.get("rel") == "next"), None)
