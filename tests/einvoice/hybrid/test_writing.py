"""Papers with their e-invoice inside, judged by others (docs/law.md 7.10)."""

from __future__ import annotations

import re
import subprocess
from decimal import Decimal
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from facturx import get_facturx_xml_from_pdf
from PIL import Image, ImageCms
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, NullObject, TextStringObject

from acctcli.einvoice.cii import cii
from acctcli.einvoice.hybrid.writing import hybrid
from acctcli.einvoice.incoming.embedded import embedded_xml
from acctcli.einvoice.incoming.proving import prove
from acctcli.einvoice.incoming.reading import read_einvoice
from acctcli.papers.invoice import invoice_pdf
from acctcli.printing.logos import made_fit
from tests.einvoice.hybrid.preflight import judge, twin
from tests.einvoice.rulebooks import CLEAN, Rulebook
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, ORIGINAL, SAMPLES, Sample, credit_note, invoice, row
from tests.papers.scanning import save
from tests.pictures import picture
from tests.programs import require_program

EUROPEAN = "Łódź Říční Őrség Søren Þór Čeněk Ștefan Žižka Αθήνα София"
PAPERS = {
    "an invoice": Sample(invoice([row("100.00", "2"), row("19.99", "3", "13.5")], FINNISH_BUYER)),
    "a German one": SAMPLES["German rates mixed"],
    "a credit note": Sample(credit_note([row("100.00", "-1")], FINNISH_BUYER), original=ORIGINAL),
    "several pages, letters of all of Europe": Sample(
        invoice([row("1.37", f"{n}.5", description=EUROPEAN) for n in range(90)], FINNISH_BUYER)
    ),
}


def paper_of(sample: Sample, language: str = "fi", logo: bytes | None = None) -> bytes:
    wire = {**sample.invoice, "updated_at": "2026-03-02T08:15:30Z"}
    return invoice_pdf(wire, sample.business, language, sample.original, logo=logo)


def made_of(sample: Sample) -> bytes:
    return hybrid(paper_of(sample), cii(*sample), *sample)


def read(content: bytes) -> PdfReader:
    return PdfReader(BytesIO(content), strict=True)


def test_the_judge_of_archives_finds_no_fault(tmp_path: Path) -> None:
    papers = {name: twin(made_of(sample)) for name, sample in PAPERS.items()}
    sample = PAPERS["an invoice"]
    for mode in ("RGBA", "L"):
        logo = made_fit(picture(mode=mode))
        papers[f"with a logo, {mode}"] = twin(hybrid(paper_of(sample, logo=logo), cii(*sample), *sample))
    assert judge(papers, tmp_path) == {name: [] for name in papers}


BROKEN = {
    "Invalid Color space": (b"/OutputIntents ", b"/UnknownEntry2 "),
    "Producer": (b"<pdf:Producer>pypdf<", b"<pdf:Producer>other<"),
    "No type defined": (b"<pdfaProperty:name>Version<", b"<pdfaProperty:name>Versiom<"),
    "Roboto-Bold: FontFile entry is missing": (b"/FontFile2 ", b"/FontFile9 "),
}


def test_the_judge_of_archives_finds_what_is_broken(tmp_path: Path) -> None:
    content = twin(made_of(PAPERS["an invoice"]))
    papers = {fault: content.replace(*replaced) for fault, replaced in BROKEN.items()}
    assert content not in papers.values()
    told = judge(papers, tmp_path)
    assert [fault for fault in BROKEN if fault not in "\n".join(told[fault])] == []


@pytest.mark.parametrize("name", PAPERS)
def test_others_read_the_invoice_in_it(name: str, rulebook: Rulebook) -> None:
    sample = PAPERS[name]
    content, xml = made_of(sample), cii(*sample)
    # it checks the schema as well
    assert get_facturx_xml_from_pdf(content) == ("factur-x.xml", xml)
    assert rulebook.judge_cii(xml) == CLEAN
    assert embedded_xml(content) == xml
    found = read_einvoice(embedded_xml(content))
    prove(found)
    total = Decimal(sample.invoice["total_amount"])
    assert (found.number, found.sums.payable) == (f"{sample.invoice['invoice_number']}", total)


def test_the_same_invoice_gives_the_same_bytes() -> None:
    first, second = (made_of(PAPERS["a German one"]) for _ in range(2))
    assert first == second
    other = Sample(invoice([row("1.00")], FINNISH_BUYER))
    assert read(made_of(other)).trailer["/ID"] != read(first).trailer["/ID"]


def test_the_document_leads_to_the_invoice_and_says_what_it_is_to_the_pages() -> None:
    reader = read(made_of(PAPERS["an invoice"]))
    root: Any = reader.root_object
    [file] = root["/AF"]
    name, named = root["/Names"]["/EmbeddedFiles"]["/Names"]
    assert (name, named.get_object()) == ("factur-x.xml", file.get_object())
    found = file.get_object()
    told = [found[key] for key in ("/Type", "/F", "/UF", "/AFRelationship")]
    assert told == ["/Filespec", "factur-x.xml", "factur-x.xml", "/Alternative"]
    content = found["/EF"]["/F"]
    assert (content["/Type"], content["/Subtype"]) == ("/EmbeddedFile", "/text/xml")
    assert (content["/Params"]["/Size"], content["/Params"]["/ModDate"]) == (
        len(content.get_data()), "D:20260302000000Z",
    )  # fmt: skip
    [intent] = root["/OutputIntents"]
    assert (intent["/S"], intent["/DestOutputProfile"]["/N"]) == ("/GTS_PDFA1", 3)
    assert reader.pdf_header == "%PDF-1.7"
    identity: Any = reader.trailer["/ID"]
    first, second = identity
    assert (first, len(first.original_bytes)) == (second, 16)


def test_the_metadata_say_what_the_dictionary_says_and_what_factur_x_asks_for() -> None:
    content = made_of(PAPERS["a credit note"])
    assert content.count(b"<?xpacket begin") == 1
    reader = read(content)
    told = fromstring(reader.root_object["/Metadata"].get_data())  # type: ignore[attr-defined]
    # what is said stands before what describes it
    texts = {one.tag.rpartition("}")[2]: "".join(one.itertext()).strip() for one in reversed(list(told.iter()))}
    wanted = {
        "part": "3",
        "conformance": "B",
        "title": "Hyvityslasku 18",
        "description": "Hyvityslasku 18, Rakennus Virtanen Oy",
        "creator": "Kirjo & Kumpp. Oy",
        "CreatorTool": "acctcli",
        "Producer": "pypdf",
        "CreateDate": "2026-03-02T00:00:00Z",
        "ModifyDate": "2026-03-02T00:00:00Z",
        "DocumentType": "INVOICE",
        "DocumentFileName": "factur-x.xml",
        "Version": "1.0",
        "ConformanceLevel": "EN 16931",
        "namespaceURI": "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#",
    }
    assert {name: texts[name] for name in wanted} == wanted
    assert reader.metadata == {
        "/Title": wanted["title"],
        "/Subject": wanted["description"],
        "/Author": wanted["creator"],
        "/Creator": wanted["CreatorTool"],
        "/Producer": wanted["Producer"],
        "/CreationDate": "D:20260302000000Z",
        "/ModDate": "D:20260302000000Z",
    }


def test_the_pages_stay_as_they_were_drawn(tmp_path: Path) -> None:
    sample = PAPERS["several pages, letters of all of Europe"]
    paper, content = paper_of(sample), made_of(sample)
    before, after = read(paper).pages, read(content).pages
    assert [page.get_contents().get_data() for page in after] == [page.get_contents().get_data() for page in before]  # type: ignore[union-attr]
    seen = [
        subprocess.run([require_program("pdftotext"), save(one, tmp_path), "-"], capture_output=True, check=True).stdout
        for one in (paper, content)
    ]
    assert seen[0] == seen[1] != b""
    fonts = subprocess.run(
        [require_program("pdffonts"), save(content, tmp_path)], capture_output=True, text=True, check=True
    ).stdout
    assert len(fonts.splitlines()) > 3
    assert all(re.search(r" yes +yes +yes +\d+ +0$", line) for line in fonts.splitlines()[2:])


def test_sets_of_letters_that_may_be_wrong_are_left_out() -> None:
    sample = PAPERS["an invoice"]
    writer = PdfWriter(clone_from=read(paper_of(sample)))
    fonts: Any = writer.pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    descriptors = [font.get_object()["/FontDescriptor"] for font in fonts.values()]
    descriptors[0].update({NameObject("/CIDSet"): NullObject(), NameObject("/CharSet"): TextStringObject("/A")})
    paper = BytesIO()
    writer.write(paper)
    content = hybrid(paper.getvalue(), cii(*sample), *sample)
    assert [name in content for name in (b"/CharSet", b"/CIDSet", b"/FontDescriptor")] == [False, False, True]


def test_the_profile_is_srgb() -> None:
    content = files("acctcli.einvoice.hybrid").joinpath("srgb.icc").read_bytes()
    assert int.from_bytes(content[:4]) == len(content)
    profile = ImageCms.ImageCmsProfile(BytesIO(content))
    picture = Image.frombytes("RGB", (64, 64), bytes((n * 89) % 256 for n in range(64 * 64 * 3)))
    for intent in (ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Intent.PERCEPTUAL):
        turned = ImageCms.applyTransform(
            picture, ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), "RGB", "RGB", intent)
        )
        assert turned is not None
        assert max(abs(one - other) for one, other in zip(picture.tobytes(), turned.tobytes(), strict=True)) <= 1


def test_a_seller_whose_name_has_letters_of_markup_is_named_in_the_metadata() -> None:
    sample = Sample(invoice([row("1.00")], FINNISH_BUYER), {**FINNISH_SELLER, "name": 'A <B> & \x01"C" Oy'})
    told = fromstring(read(made_of(sample)).root_object["/Metadata"].get_data())  # type: ignore[attr-defined]
    assert 'A <B> & "C" Oy' in "".join(told.itertext())
