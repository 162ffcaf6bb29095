"""What PDF/UA-1 forbids of a tagged PDF, as far as a program can tell: conditions of the Matterhorn Protocol.

Not looked for is what takes a reader: whether headings head, whether the order is right, whether words say enough. Nor
is there a claim of PDF/UA in the file (06-002), for that very reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from typing import Any, Final

from pypdf import PdfReader
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject

# what is used here of the standard types (ISO 32000-1, 14.8.4), and below what each stands
PARENTS: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("H1", "H2", "P", "Table", "Figure"), frozenset({"Document"})),
    "TR": frozenset({"Table"}),
    **dict.fromkeys(("TH", "TD"), frozenset({"TR"})),
}
SHOWN: Final = {b"Tj", b"TJ", b"'", b'"', b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"Do", b"sh"}
Marked = dict[tuple[int, int], str]


def faults(content: bytes) -> list[str]:
    """Return the conditions that a PDF fails, each by its number, and where."""
    reader = PdfReader(BytesIO(content))
    root: Any = reader.trailer["/Root"]
    marked: Marked = {}
    told = [*_of_the_document(reader, root), *_of_the_pages(reader, marked)]
    if "/StructTreeRoot" not in root:
        return [*told, "01-005 nothing is tagged"]
    tree = root["/StructTreeRoot"]
    found: Marked = {}
    told += _of_elements(tree["/K"], "", reader, found)
    told += [f"01-005 no element has what is marked {place}" for place in sorted(marked.keys() - found.keys())]
    told += [
        f"01-004 {kind} is marked {marked.get(place)}" for place, kind in found.items() if marked.get(place) != kind
    ]
    told += _of_parents(reader, tree, found)
    return [*told, *_of_headings(tree["/K"])]


def _of_the_document(reader: PdfReader, root: Any) -> Iterator[str]:
    info, xmp = reader.metadata, root["/Metadata"].get_data().decode()
    title = re.search(r"<dc:title>.*?<rdf:li[^>]*>(.+?)</rdf:li>", xmp, re.DOTALL)
    if title is None or info is None or not info.title:
        yield "06-003 no title"
    if root.get("/ViewerPreferences", {}).get("/DisplayDocTitle") != True:  # noqa: E712 - an object of its own
        yield "07-001 the title is not shown"
    if root.get("/MarkInfo", {}).get("/Marked") != True or "/Suspects" in root["/MarkInfo"]:  # noqa: E712
        yield "01-007 it does not say that it is tagged"
    if not re.fullmatch(r"[a-z]{2}", root.get("/Lang", "")):
        yield "11-006 no language"
    if reader.is_encrypted or any(name in root for name in ("/AcroForm", "/OCProperties", "/Names")):
        yield "20, 21, 25, 26 what is no page"


def _of_the_pages(reader: PdfReader, marked: Marked) -> Iterator[str]:
    """Note what is marked as which kind of element, by page and number; yield what is neither that nor an artifact."""
    for at, page in enumerate(reader.pages):
        if "/Annots" in page:
            yield f"28 page {at} has annotations"
        stream = page.get_contents()
        assert stream is not None
        opened: list[str] = []
        for operands, operator in ContentStream(stream, reader).operations:
            if operator in {b"BDC", b"BMC"}:
                if opened:
                    yield f"01-003 {operands[0]} within {opened[-1]}, page {at}"
                opened.append(str(operands[0]))
                if operator == b"BDC":
                    marked[at, operands[1]["/MCID"]] = str(operands[0])
            elif operator == b"EMC":
                opened.pop()
            elif operator in SHOWN and not opened:
                yield f"01-005 {operator.decode()} is neither content nor artifact, page {at}"
        if opened:
            yield f"01-005 {opened[-1]} does not end, page {at}"
        yield from _of_fonts(at, page)


def _of_fonts(at: int, page: Any) -> Iterator[str]:
    for name, font in page["/Resources"].get("/Font", {}).items():
        if "/ToUnicode" not in font.get_object():
            yield f"10-001 nothing tells the letters of {name}, page {at}"
        if "/FontFile2" not in font.get_object()["/FontDescriptor"]:
            yield f"31-009 the font {name} is not in the file, page {at}"


def _of_elements(element: Any, parent: str, reader: PdfReader, found: Marked) -> Iterator[str]:
    """Note what elements hold; yield what stands where it must not, or says too little."""
    kind = str(element["/S"]).removeprefix("/")
    if parent not in PARENTS.get(kind, {""} if kind == "Document" else {}):
        yield f"02-001, 09 {kind} within {parent or 'nothing'}"
    if kind == "Figure" and not str(element.get("/Alt", "")).strip():
        yield "13-004 a figure says nothing"
    if kind == "TH" and element.get("/A", {}).get("/Scope") not in {"/Row", "/Column"}:
        yield "15-003 a head of a table heads nothing"
    if kind == "Table" and len(widths := {_width(row) for row in element["/K"]}) > 1:
        yield f"7.2-43 rows of {', '.join(map(str, sorted(widths)))} cells in one table"
    if kind.startswith(("H", "P")) and not element["/K"]:
        yield f"14 an empty {kind}"
    children = element["/K"]
    for child in children if isinstance(children, ArrayObject) else [children]:
        if isinstance(child, int):
            found[_page_of(reader, element), child] = f"/{kind}"
        else:
            yield from _of_elements(child.get_object(), kind, reader, found)


def _width(row: Any) -> int:
    return sum(cell.get_object().get("/A", DictionaryObject()).get("/ColSpan", 1) for cell in row.get_object()["/K"])


def _page_of(reader: PdfReader, element: Any) -> int:
    number = reader.get_page_number(element["/Pg"])
    assert number is not None
    return number


def _of_parents(reader: PdfReader, tree: Any, found: Marked) -> Iterator[str]:
    """Yield what the tree of parents says otherwise than the elements (ISO 32000-1, 14.7.4.4)."""
    numbers = tree["/ParentTree"]["/Nums"]
    by_page = dict(zip(numbers[::2], numbers[1::2], strict=True))
    for at, page in enumerate(reader.pages):
        for number, element in enumerate(by_page[page["/StructParents"]].get_object()):
            kind = str(element.get_object()["/S"])
            if found.get((at, number)) != kind:
                yield f"01-004 the parent of {number} on page {at} is {kind}"


def _of_headings(document: Any) -> Iterator[str]:
    levels = [int(str(one.get_object()["/S"])[2:]) for one in document["/K"] if str(one.get_object()["/S"])[1] == "H"]
    if levels[:1] != [1] or any(later > earlier + 1 for earlier, later in pairwise(levels)):
        yield f"14-002, 14-003 headings of levels {levels}"
