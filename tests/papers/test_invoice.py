"""The file: what other programs read on it, and that it is always the same (docs/law.md 7.6)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import ContentStream

from acctcli.banking.barcode import Transfer, read_barcode
from acctcli.models.enums import Language
from acctcli.papers.content import PaperContent, read_content
from acctcli.papers.invoice import invoice_pdf
from acctcli.papers.pen import HEIGHT
from acctcli.printing.logos import made_fit
from tests.accessible import faults
from tests.papers.invoices import BUSINESS, RECEIVER, invoice, row
from tests.papers.scanning import codes, pages, printed_codes, save
from tests.pictures import file_of
from tests.programs import require_program
from tests.sizes import is_full

LONGEST = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
EUROPEAN = "Łódź Říční Őrség Søren Þór Čeněk Ștefan Žižka Αθήνα София"
# as wide as there are, as high, and between
LOGOS = [(3000, 40), (200, 1600), (1600, 200), (900, 900), (20, 20)]
MANY = [row(f"Row {place:03}", f"{place}.3333", f"{place}.5", description="Small print") for place in range(1, 101)]


def texts(content: PaperContent) -> set[str]:
    """Return every text of an invoice without its blanks, but those that only codes say."""
    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, str):
            found.add(re.sub(r"\s+", "", value))
        elif isinstance(value, (list, tuple)):
            for one in value:
                walk(one)

    payment = content.payment and (content.payment.account, content.payment.sum)
    said = {field.name for field in fields(content)} - {"language", "payment", "made"}
    walk([getattr(content, name) for name in said])
    walk(payment)
    return found - {""}


@pytest.mark.parametrize("language", list(Language))
def test_every_text_is_on_the_page(language: Language, tmp_path: Path) -> None:
    sold = invoice(
        row("Work", "1234.5", "7.25", unit="h", code="A-17", description="In March"),
        row("Books", "19.99", "3", "13.5"),
        row("Discount", "-33.333", "1.5"),
        row("Building", "500", vat_code=10),
        row("Nothing", "1", vat_code=3),
        description="Thank you!",
        settlement_date=date(2026, 2, 28),
    )
    business = {**BUSINESS, "invoicing_vat_exemption_reason": "Exempt for a reason of its own."}
    (page,) = [page.replace(" ", "") for page in pages(invoice_pdf(sold, business, language), tmp_path)]
    wanted = texts(read_content(sold, business, language))
    assert len(wanted) > 60
    assert {text for text in wanted if text not in page} == set()


@pytest.mark.parametrize("language", list(Language))
def test_scanners_read_both_codes(language: str, tmp_path: Path) -> None:
    sold = invoice(row("Työ", "1234.56", "3.5"))
    found = codes(invoice_pdf(sold, BUSINESS, language), tmp_path)
    assert set(found) == {"code128", "qrcode"}
    assert read_barcode(found["code128"]) == Transfer(
        "FI7944052020036082", sold["total_amount"], "20420", sold["due_date"]
    )
    assert found["qrcode"].split("\n") == [
        *("BCD", "002", "1", "SCT", "ITELFIHH", "Hämeen Työ & Kädentaito Oy", "FI7944052020036082", "EUR5422.80"),
        *("", "RF1220420"),
    ]


@pytest.mark.parametrize(("printer", "scanner"), [(300, 200), (600, 150)])
def test_paper_is_read_from_scans(printer: int, scanner: int, tmp_path: Path) -> None:
    content = invoice_pdf(invoice(row("Työ", "1234.56", "3.5")), BUSINESS, "fi")
    assert printed_codes(content, tmp_path, printer, scanner) == codes(content, tmp_path)


def test_scanners_read_an_rf_reference_and_names_of_all_europe(tmp_path: Path) -> None:
    found = codes(invoice_pdf(invoice(reference="RF1220420"), {**BUSINESS, "name": EUROPEAN}, "fi"), tmp_path)
    assert read_barcode(found["code128"]).reference == "RF1220420"
    assert found["qrcode"].split("\n")[5] == EUROPEAN


def test_a_hundred_rows_have_the_head_and_the_number_on_every_page(tmp_path: Path) -> None:
    sold = invoice(*MANY)
    content = invoice_pdf(sold, BUSINESS, "en")
    made = pages(content, tmp_path)
    assert len(made) == 6
    for number, page in enumerate(made, 1):
        assert f"Page {number} of 6" in page
        assert ("Description Quantity Unit" in page) == bool(re.search(r"Row \d", page))
    assert re.findall(r"Row (\d+)", " ".join(made)) == [f"{place:03}" for place in range(1, 101)]
    assert "Total to pay" in made[-1]
    assert "Row 100" in made[-1], "the totals take the last row along"
    whole = "".join(made).replace(" ", "")
    assert {text for text in texts(read_content(sold, BUSINESS, Language.EN)) if text not in whole} == set()
    assert set(codes(content, tmp_path, page=6)) == {"code128", "qrcode"}


def test_credit_notes_are_titled_so_and_have_no_codes(tmp_path: Path) -> None:
    credited = invoice(row("Työ", "100", "-1"), is_credit_note_for=7, invoice_number=1043)
    content = invoice_pdf(credited, BUSINESS, "fi", {"invoice_number": 1042, "invoicing_date": "2026-02-01"})
    (page,) = pages(content, tmp_path)
    assert "Hyvityslasku" in page
    assert "Hyvitetään lasku 1042, 1.2.2026" in page
    assert "−125,50 €" in page
    assert "IBAN" not in page
    assert codes(content, tmp_path) == {}


def test_long_names_are_folded_and_figures_are_whole(tmp_path: Path) -> None:
    receiver = {**RECEIVER, "name": " ".join([EUROPEAN, LONGEST, LONGEST]), "invoicing_street": "x" * 64}
    sold = invoice(
        row("W" * 64, "1", unit="kpl/8chr", code="C" * 25, description="y" * 128),
        row("Much", "-46116860184273.9031", "-1500", unit="kpl/8chr"),
        receiver_info=receiver,
        contact_person="P" * 64,
        description=" ".join(f"word{place}" for place in range(60)),
    )
    content = invoice_pdf(sold, {**BUSINESS, "name": "N" * 256, "invoicing_email": "e" * 200}, "de")
    whole = " ".join(pages(content, tmp_path))
    letters = whole.replace(" ", "")
    for text in (EUROPEAN, "W" * 64, "y" * 128, "P" * 64, "N" * 256, "e" * 200, "x" * 64):
        assert letters.count(text[0]) >= text.count(text[0])
    assert re.findall(r"word\d+", whole) == [f"word{place}" for place in range(60)]
    for figure in ("−46.116.860.184.273,9031", "69.175.290.276.410.854,65", "86.814.989.296.895.622,59"):
        assert figure in whole


def test_what_is_drawn_stays_on_the_sheet(tmp_path: Path) -> None:
    sold = invoice(
        row("Much", "-46116860184273.9031", "-1500", unit="kpl/8chr"), receiver_info={**RECEIVER, "name": LONGEST}
    )
    path = save(invoice_pdf(sold, {**BUSINESS, "name": LONGEST}, "fi"), tmp_path)
    boxes = subprocess.run([require_program("pdftotext"), "-bbox", str(path), "-"], capture_output=True, check=True)
    found = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)"', boxes.stdout.decode())
    assert len(found) > 60
    for left, top, right, bottom in found:
        assert 53 < float(left) < float(right) < 543
        assert 30 < float(top) < float(bottom) < 825


def test_the_font_is_embedded(tmp_path: Path) -> None:
    path = save(invoice_pdf(invoice(), BUSINESS, "fi"), tmp_path)
    listed = subprocess.run([require_program("pdffonts"), str(path)], capture_output=True, check=True)
    rows = [line.split() for line in listed.stdout.decode().splitlines()[2:]]
    assert {(row[0].partition("+")[2], row[-5]) for row in rows} == {("Roboto-Regular", "yes"), ("Roboto-Bold", "yes")}


@pytest.mark.parametrize(("language", "title"), [("en", b"Invoice 1042"), ("de", b"Rechnung 1042")])
def test_the_file_says_its_number_its_language_and_who_made_it(language: str, title: bytes) -> None:
    content = invoice_pdf(invoice(), {**BUSINESS, "name": "Halla Oy"}, language)
    for told in (b"/Title (%s)" % title, b"/Author (Halla Oy)", b"/Lang (%s)" % language.encode()):
        assert told in content


def root_of(made: PdfReader) -> Any:
    return made.trailer["/Root"].get_object()


def test_the_file_says_of_itself_what_it_is_twice() -> None:
    """In its dictionary and as XMP, which archives read; its day is that of the invoice, not of the one who asks."""
    made = PdfReader(BytesIO(invoice_pdf(invoice(), {**BUSINESS, "name": "Halla & <Co>"}, "fi")))
    info, xmp = made.metadata, made.xmp_metadata
    assert info is not None
    assert xmp is not None
    when = datetime(2026, 3, 2, 8, 15, 30, tzinfo=UTC)
    told = ("Lasku 1042", "Halla & <Co>", "Lasku 1042, Kahvila Söner & Weiß Oy")
    assert (info.title, info.author, info.subject) == told
    assert (info.creation_date, info.modification_date) == (when, when)
    assert xmp.dc_title
    assert xmp.dc_creator
    assert xmp.dc_description
    packet = (xmp.dc_title["x-default"], xmp.dc_creator[0], xmp.dc_description["x-default"])
    assert (packet, xmp.dc_language, xmp.xmp_creator_tool) == (told, ["fi"], "acctcli")
    assert {one.replace(tzinfo=UTC) for one in (xmp.xmp_create_date, xmp.xmp_modify_date) if one} == {when}
    assert made.pdf_header == "%PDF-1.7"
    assert root_of(made)["/ViewerPreferences"]["/DisplayDocTitle"]


def test_the_parts_of_the_page_are_read_aloud_as_what_they_are(tmp_path: Path) -> None:
    sold = invoice(*MANY[:40])
    path = save(invoice_pdf(sold, BUSINESS, "en"), tmp_path)
    read = subprocess.run([require_program("pdfinfo"), "-struct-text", str(path)], capture_output=True, check=True)
    lines = [line.strip() for line in read.stdout.decode().splitlines()]
    assert [lines[lines.index(kind) + 1] for kind in ("H1 (block)", "H2 (block)")] == ['"Invoice"', '"Payment details"']
    assert (lines.count("Table (block)"), lines.count("TR")) == (2, 1 + 40 + 1 + 1)
    content = read_content(sold, BUSINESS, Language.EN)
    cells = [line.strip('"') for place, line in enumerate(lines) if lines[place - 1] == "TD"]
    wanted = [text for row in content.rows for text in (f"{row.name} {row.details}", *row.cells)]
    assert cells[: len(wanted)] == wanted
    # labels are read apart from their values
    assert '"Due date 16 Mar 2026"' in lines
    # what every page repeats, and what is carried over, is read once or not at all
    assert lines.count('"Description"') == 1
    assert not [line for line in lines if "forward" in line or "Page" in line]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("rows", [1, 40], ids=["short", "long"])
def test_nothing_is_there_that_pdf_ua_forbids(language: Language, rows: int) -> None:
    sold = invoice(*MANY[:rows], description="Two lines\nof text")
    note = invoice(MANY[0], is_credit_note_for=7)
    of_papers = [
        invoice_pdf(sold, BUSINESS, language),
        invoice_pdf(note, BUSINESS, language, sold, translated=Language.FI),
    ]
    assert list(map(faults, of_papers)) == [[], []]


@pytest.mark.parametrize(
    ("said", "instead", "condition"),
    [
        (b"/DisplayDocTitle true", b"/DisplayDocTitle null", "07-001"),
        (b"/Lang (en)", b"/Lann (en)", "11-006"),
        (b"/Scope/Column", b"/Scop /Column", "15-003"),
        (b"/Alt(", b"/Alu(", "13-004"),
        (b"/S/H2/", b"/S/H3/", "02-001"),
        (b"/S/TD/", b"/S/P /", "01-004"),
        (b"/ToUnicode", b"/ToUnicoda", "10-001"),
    ],
)
def test_what_pdf_ua_forbids_is_found(said: bytes, instead: bytes, condition: str) -> None:
    whole = invoice_pdf(invoice(), BUSINESS, "en")
    assert said in whole
    assert condition in " ".join(faults(whole.replace(said, instead)))


def figures_of(content: bytes) -> list[str]:
    """Return what is said instead of each picture."""
    made = PdfReader(BytesIO(content))
    found: list[str] = []

    def walk(element: Any) -> None:
        element = element.get_object()
        if element["/S"] == "/Figure":
            found.append(element["/Alt"])
        for kid in element["/K"]:
            if not isinstance(kid, int):
                walk(kid)

    walk(root_of(made)["/StructTreeRoot"]["/K"])
    return found


def test_codes_say_what_they_are() -> None:
    content = read_content(invoice(), BUSINESS, Language.EN)
    assert content.payment is not None
    assert figures_of(invoice_pdf(invoice(), BUSINESS, "en")) == [
        content.payment.barcode,
        "Pay with your banking app",
    ]


@pytest.mark.parametrize("size", LOGOS if is_full() else LOGOS[:2])
def test_a_logo_stands_above_the_sender_and_leaves_the_window_to_the_buyer(size: tuple[int, int]) -> None:
    logo = made_fit(file_of(Image.new("RGB", size, "red")))
    sold = invoice(*MANY)
    content = invoice_pdf(sold, BUSINESS, "fi", logo=logo)
    assert faults(content) == []
    assert figures_of(content)[0] == BUSINESS["name"]
    reader = PdfReader(BytesIO(content))
    assert [len(page.images) for page in reader.pages] == [1, 0, 0, 0, 0, 0]
    (box,) = [
        [float(one) for one in operands]
        for operands, operator in ContentStream(reader.pages[0].get_contents(), reader).operations
        if operator == b"cm" and float(operands[0]) > 1
    ]
    lines: dict[str, float] = {}

    def note(text: str, _: Any, at: list[float], *more: Any) -> None:
        lines.setdefault(text.strip(), at[5])

    reader.pages[0].extract_text(visitor_text=note)
    assert box[5] + box[3] <= HEIGHT - 21.9, "the edge of the sheet"
    assert lines[BUSINESS["name"]] + 14 < box[5], "it stands clear of the name"
    # 50 mm down, as without a logo
    assert lines[RECEIVER["name"]] == pytest.approx(HEIGHT - 142, abs=0.1)
    assert invoice_pdf(sold, BUSINESS, "fi", logo=logo) == content


def test_the_same_invoice_is_the_same_file() -> None:
    first = invoice_pdf(invoice(), BUSINESS, "fi")
    other = invoice_pdf(invoice(*MANY), {**BUSINESS, "name": EUROPEAN}, "fi")
    assert invoice_pdf(invoice(), BUSINESS, "fi") == first
    assert other != first


def test_the_same_invoice_is_the_same_file_in_another_process() -> None:
    script = (
        "import hashlib; from acctcli.papers.invoice import invoice_pdf; "
        "from tests.papers.invoices import BUSINESS, invoice; "
        "print(hashlib.sha256(invoice_pdf(invoice(), BUSINESS, 'sv')).hexdigest())"
    )
    sums = {
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(sums) == 1


def test_many_threads_draw_at_once() -> None:
    sold = [invoice(row(f"{EUROPEAN} {place}", f"{place}")) for place in range(1, 9)]
    alone = [invoice_pdf(one, BUSINESS, "en") for one in sold]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda one: invoice_pdf(one, BUSINESS, "en"), sold)) == alone


def test_an_invoice_without_rows_can_be_drawn(tmp_path: Path) -> None:
    draft = {**invoice(), "rows": [], "total_amount": Decimal("0.00"), "total_vat_amount": Decimal("0.00")}
    draft["invoice_number"] = None
    (page,) = pages(invoice_pdf(draft, BUSINESS, "en"), tmp_path)
    assert "Draft" in page
    assert "€0.00" in page


@settings(max_examples=25)
@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=9, max_size=9),
    st.lists(st.decimals(-(10**9), 10**9, places=4), min_size=1, max_size=6),
    st.sampled_from(list(Language)),
)
def test_no_text_and_no_number_stops_it(words: list[str], numbers: list[Decimal], language: str) -> None:
    name, person, street, about, code, unit, details, own, why = words
    sold = invoice(
        *(row(about, f"{number}", "1.5", unit=unit, code=code, description=details) for number in numbers),
        row("Exempt", "1", vat_code=3),
        receiver_info={**RECEIVER, "name": name, "invoicing_street": street},
        contact_person=person,
        description=about,
    )
    business = {**BUSINESS, "name": own, "invoicing_vat_exemption_reason": why}
    assert invoice_pdf(sold, business, language).startswith(b"%PDF-")
