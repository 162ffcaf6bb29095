"""PDFs that are not fit for an archive are refused, each fault with its clause of ISO 19005-3 (docs/law.md 7.10)."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import FreeText, Link
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from acctcli.einvoice.faults import PaperRefused
from acctcli.einvoice.hybrid.archive import archive_faults
from acctcli.einvoice.hybrid.writing import hybrid
from acctcli.printing.fonts import bundled_fonts
from tests.einvoice.hybrid.preflight import judge, twin
from tests.einvoice.samples import SAMPLES
from tests.sizes import is_full

SAMPLE = SAMPLES["German rates mixed"]
Draw = Callable[[Canvas], None]
Spoil = Callable[[PdfWriter], object]


def drawn(draw: Draw, **options: Any) -> bytes:
    """Return a page with a text in the bundled font, and what is drawn beside it."""
    stream = BytesIO()
    font = bundled_fonts().plain
    canvas = Canvas(stream, pagesize=A4, invariant=1, initialFontName=font, **options)
    canvas.setFont(font, 12)
    canvas.drawString(72, 720, "Rechnung 17")
    draw(canvas)
    canvas.save()
    return stream.getvalue()


def spoiled(spoil: Spoil) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(drawn(lambda _: None))))
    spoil(writer)
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def faults(paper: bytes) -> list[str]:
    return list(dict.fromkeys(archive_faults(PdfReader(BytesIO(paper)))))


def entries(**values: Any) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{key}"): value for key, value in values.items()})


def stream_of(content: bytes, **values: Any) -> DecodedStreamObject:
    stream = DecodedStreamObject()
    stream.set_data(content)
    stream.update(entries(**values))
    return stream


def of_page(**values: Any) -> Spoil:
    """Put entries into the first page."""
    return lambda writer: writer.pages[0].update(entries(**values))


def of_root(**values: Any) -> Spoil:
    return lambda writer: writer.root_object.update(entries(**values))


def resource(kind: str, one: Any) -> Spoil:
    """Put something into the resources of the first page."""

    def spoil(writer: PdfWriter) -> None:
        resources: Any = writer.pages[0]["/Resources"]
        resources[NameObject(f"/{kind}")] = entries(X=writer._add_object(one))

    return spoil


def image(**values: Any) -> DecodedStreamObject:
    small = {"Width": NumberObject(1), "Height": NumberObject(1), "BitsPerComponent": NumberObject(8)}
    told = {"Subtype": NameObject("/Image"), "ColorSpace": NameObject("/DeviceGray"), **small, **values}
    return stream_of(b"\0", **told)


def composite(**values: Any) -> Spoil:
    """Write in a font of two bytes a letter, whose program is there."""

    def spoil(writer: PdfWriter) -> None:
        descriptor = entries(FontFile2=writer._add_object(stream_of(b"")))
        inner = entries(Subtype=NameObject("/CIDFontType2"), FontDescriptor=descriptor, **values)
        told = {"Subtype": NameObject("/Type0"), "BaseFont": NameObject("/Own"), "Encoding": NameObject("/Identity-H")}
        font = entries(DescendantFonts=ArrayObject([inner]), **told)
        resource("Font", font)(writer)
        writer.pages[0][NameObject("/Contents")] = writer._add_object(stream_of(b"BT /X 12 Tf <0001> Tj ET"))

    return spoil


def in_helvetica(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 12)
    canvas.drawString(72, 700, "17")


def in_bundled(text: str) -> Draw:
    return lambda canvas: canvas.drawString(72, 700, text)


def form_in_helvetica(canvas: Canvas) -> None:
    canvas.beginForm("inner")
    in_helvetica(canvas)
    canvas.endForm()
    canvas.doForm("inner")


HELVETICA = ["the font Helvetica is not in it (6.2.11.4.1)"]
CMYK = ["it has colours of CMYK, and no profile tells what they are (6.2.4.3)"]
DRAWN: dict[str, tuple[Draw, list[str]]] = {
    "nothing": (lambda _: None, []),
    "a font that every reader has": (in_helvetica, HELVETICA),
    "the same in a part that is drawn as a whole": (form_in_helvetica, HELVETICA),
    "a letter that the font lacks": (
        in_bundled("\N{SNOWMAN}"),
        ["the font AAAAAA+Roboto-Regular lacks a letter that is written in it (6.2.11.8)"],
    ),
    "letters that it has": (in_bundled("Łódź Αθήνα"), []),
    "colours of print": (lambda canvas: canvas.setFillColorCMYK(0, 1, 1, 0), CMYK),
    "colours of screens": (lambda canvas: canvas.setFillColorRGB(0, 1, 1), []),
    "grey": (lambda canvas: canvas.setFillGray(0.5), []),
    "transparency": (lambda canvas: canvas.setFillAlpha(0.5), []),
    "an operator that is none": (
        lambda canvas: canvas._code.append("nosuch"),
        ["pages are painted with nosuch, which PDF does not know (6.2.2)"],
    ),
    "a small picture of print colours": (
        lambda canvas: canvas._code.append("BI /W 1 /H 1 /CS /CMYK /BPC 8 ID 1234 EI"), CMYK
    ),
    "a small picture that is packed as of old": (
        lambda canvas: canvas._code.append("BI /W 1 /H 1 /CS /G /BPC 8 /F /LZW ID 1234 EI"),
        ["a picture is packed by LZW (6.1.10)"],
    ),
    "a small picture that is smoothed": (
        lambda canvas: canvas._code.append("BI /W 1 /H 1 /CS /G /BPC 8 /I true ID 1 EI"),
        ["an image is smoothed (6.2.8)"],
    ),
    "colours fitted": (
        lambda canvas: canvas._code.append("/Own ri"), ["colours are fitted in a way of its own (6.2.6)"]
    ),
    "a form": (
        lambda canvas: canvas.acroForm.checkbox(name="paid"),
        [
            "it has AcroForm (6.4.1)", "a page has more on it than links: Widget (6.3.1)",
        ],
    ),
    "a link": (
        lambda canvas: canvas.linkURL("https://example.com", (0, 0, 9, 9)), ["a link is not printed (6.3.2)"]
    ),
}  # fmt: skip


@pytest.mark.parametrize(("draw", "told"), DRAWN.values(), ids=DRAWN)
def test_what_is_drawn_is_looked_at(draw: Draw, told: list[str]) -> None:
    found = faults(drawn(draw))
    assert found[: len(told)] == told
    assert bool(found) is bool(told)


SPOILED: dict[str, tuple[Spoil, str]] = {
    "a script": (
        of_root(OpenAction=entries(S=NameObject("/JavaScript"), JS=TextStringObject("app.alert(1)"))),
        "it can do something: JavaScript (6.5.1)",
    ),
    "a program": (
        of_page(X=entries(S=NameObject("/Launch"), F=TextStringObject("a.exe"))),
        "it can do something: Launch (6.5.1)",
    ),
    "scripts by name": (of_root(Names=entries(JavaScript=entries())), "it has JavaScript (6.5.1)"),
    "actions of the document": (of_root(AA=entries()), "it has AA (6.5.2)"),
    "actions of a page": (of_page(AA=entries()), "an object (Page) has AA (6.5.2)"),
    "a file": (lambda writer: writer.add_attachment("a.txt", b"a"), "it has EmbeddedFiles (6.8)"),
    "layers": (of_root(OCProperties=entries()), "it has OCProperties (6.9)"),
    "rights": (of_root(Perms=entries()), "it has Perms (6.1.12)"),
    "a note": (
        lambda writer: writer.add_annotation(0, FreeText(text="a", rect=(0, 0, 9, 9))),
        "a page has more on it than links: FreeText (6.3.1)",
    ),
    "a link that is not printed": (
        lambda writer: writer.add_annotation(0, Link(rect=(0, 0, 9, 9), target_page_index=0)),
        "a link is not printed (6.3.2)",
    ),
    "an image that is smoothed": (
        resource("XObject", image(Interpolate=NameObject("/true"))), "an image is smoothed (6.2.8)"
    ),
    "an image of print colours": (resource("XObject", image(ColorSpace=NameObject("/DeviceCMYK"))), CMYK[0]),
    "a colour space above them": (
        resource("ColorSpace", ArrayObject([NameObject("/Indexed"), NameObject("/DeviceCMYK")])), CMYK[0]
    ),
    "an image in two ways": (
        resource("XObject", image(Alternates=ArrayObject())), "an object (Image) has Alternates (6.2.8)"
    ),
    "a wavelet": (
        resource("XObject", image(Filter=NameObject("/JPXDecode"))), "a stream is packed by JPXDecode (6.1.7.2)"
    ),
    "a packing of old": (
        resource("XObject", image(Filter=ArrayObject([NameObject("/LZWDecode")]))),
        "a stream is packed by LZWDecode (6.1.7.2)",
    ),
    "a stream elsewhere": (resource("XObject", image(F=TextStringObject("a"))), "a stream has F (6.1.7.1)"),
    "PostScript": (resource("XObject", stream_of(b"", Subtype=NameObject("/PS"))), "it has PostScript in it (6.2.9.3)"),
    "colours mixed": (
        resource("ExtGState", entries(BM=NameObject("/Own"))),
        "colours are mixed in a way of its own (6.2.10)",
    ),
    "colours turned": (
        resource("ExtGState", entries(TR=NameObject("/Identity"))),
        "a state of painting has TR (6.2.5)",
    ),
    "colours turned in another way": (
        resource("ExtGState", entries(TR2=NameObject("/Identity"))),
        "a state of painting has TR2 (6.2.5)",
    ),
    "colours fitted": (
        resource("ExtGState", entries(RI=NameObject("/Own"))), "colours are fitted in a way of its own (6.2.6)"
    ),
    "an image fitted": (
        resource("XObject", image(Intent=NameObject("/Own"))), "colours are fitted in a way of its own (6.2.6)"
    ),
    "a font that is mapped nowhere": (
        composite(), "the letters of the font Own are not told by their codes (6.2.11.3.2)"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("spoil", "told"), SPOILED.values(), ids=SPOILED)
def test_what_no_archive_takes_is_named(spoil: Spoil, told: str) -> None:
    assert told in faults(spoiled(spoil))


def refused(paper: bytes) -> str:
    with pytest.raises(PaperRefused) as caught:
        hybrid(paper, b"<xml/>", *SAMPLE)
    assert (caught.value.exit_code, caught.value.code) == (2, "paper")
    return caught.value.message


def test_a_refusal_names_what_is_wrong() -> None:
    assert refused(drawn(in_helvetica)) == (
        "the PDF of the service is not fit for an archive (ISO 19005-3): the font Helvetica is not in it (6.2.11.4.1)"
    )
    many = of_root(AA=entries(), OCProperties=entries(), Perms=entries(), Requirements=ArrayObject())
    assert refused(spoiled(many)) == (
        "the PDF of the service is not fit for an archive (ISO 19005-3): it has AA (6.5.2); it has OCProperties (6.9); "
        "it has Perms (6.1.12); and more"
    )


def test_pages_without_end_are_refused() -> None:
    def spoil(writer: PdfWriter) -> None:
        long = writer._add_object(stream_of(b" " * 1_500_000).flate_encode())
        for page in (writer.pages[0], *(writer.add_blank_page(9, 9) for _ in range(9))):
            page[NameObject("/Contents")] = long

    told = "the PDF of the service cannot be read: what its pages are painted with is longer than 8 MiB"
    assert refused(spoiled(spoil)) == told


def test_an_encrypted_one_is_refused() -> None:
    told = refused(drawn(lambda _: None, encrypt="secret"))
    assert told == "the PDF of the service is encrypted, which no archive takes (ISO 19005-3, 6.1.3)"


def test_a_font_that_is_named_and_not_used_is_no_fault(tmp_path: Path) -> None:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1)
    canvas.setFont(bundled_fonts().plain, 12)
    canvas.drawString(72, 720, "17")
    canvas.save()
    assert b"/Helvetica" in stream.getvalue()
    made = hybrid(stream.getvalue(), b"<xml/>", *SAMPLE)
    # the judge looks at every font that is named
    told = judge({"": twin(made)}, tmp_path)
    assert [fault for fault in told[""] if "Helvetica" not in fault] == []


def test_whatever_is_wrong_with_a_pdf_is_a_refusal() -> None:
    dice, whole = random.Random(7), drawn(in_bundled("Łódź"))
    refusals = 0
    for _ in range(1000 if is_full() else 20):
        broken = bytearray(whole)
        for _ in range(dice.randint(1, 30)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        try:
            hybrid(bytes(broken), b"<xml/>", *SAMPLE)
        except PaperRefused:
            refusals += 1
    assert refusals
