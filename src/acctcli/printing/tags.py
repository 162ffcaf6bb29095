"""The structure of a tagged PDF: what is read aloud, in which order, and as what (ISO 32000-1, 14.7 and 14.8).

What is drawn inside an element belongs to it; anything else is an artifact, such as lines, tints, and what every page
repeats.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFName,
    PDFObject,
    PDFObjectReference,
    PDFString,
)
from reportlab.pdfgen.canvas import Canvas

_ROOT = "StructTreeRoot"


class _Mark(NamedTuple):
    """A piece of what a page draws."""

    page: int
    number: int


class _Element(PDFObject):  # type: ignore[misc]
    """Writes itself: a long table has a thousand, for which dictionaries of reportlab take as long as all drawing."""

    def __init__(
        self,
        number: int,
        kind: str,
        parent: _Element | None,
        alternative: str = "",
        scope: str = "",
        columns: int = 1,
    ) -> None:
        self.name, self.kind, self.parent, self.alternative = f"Struct{number}", kind, parent, alternative
        self.of_table = (f"/Scope/{scope}" if scope else "") + (f"/ColSpan {columns}" if columns > 1 else "")
        self.children: list[_Element | _Mark] = []

    def format(self, document: Any) -> bytes:
        """Return the element as it stands in the file."""
        parts = [f"<</S/{self.kind}/P {_reference(document, self.parent.name if self.parent else _ROOT)}"]
        pages = {child.page for child in self.children if isinstance(child, _Mark)}
        if pages:  # what is drawn is on one page: a part that goes on is another element
            parts.append(f"/Pg {_reference(document, f'Page{min(pages)}')}")
        kids = (
            str(child.number) if isinstance(child, _Mark) else _reference(document, child.name)
            for child in self.children
        )
        parts.append(f"/K[{' '.join(kids)}]")
        if self.of_table:
            parts.append(f"/A<</O/Table{self.of_table}>>")
        said = b"/Alt" + PDFString(self.alternative).format(document) if self.alternative else b""
        return "".join(parts).encode() + said + b">>"


def _reference(document: Any, name: str) -> str:
    number, generation = document.idToObjectNumberAndVersion[name]
    return f"{number} {generation} R"


class Tags:
    """Tags what a canvas draws."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._document = _Element(0, "Document", None)
        self._elements = [self._document]
        self._open = [self._document]
        self._pages: list[list[_Element]] = [[]]
        # what marks the last that was drawn, None where nothing is marked
        self._marked: _Element | str | None = None

    @contextmanager
    def element(
        self, kind: str, *, within: str = "", alternative: str = "", scope: str = "", columns: int = 1
    ) -> Iterator[None]:
        """Put what is drawn in a block into an element, of a standard kind such as P, H1, TR, TD.

        `within` is the kind of an element around it that may have begun before: rows belong to one table. `alternative`
        is said instead of what is drawn; `scope` is Column or Row for a cell that heads one, which may take
        several `columns`.
        """
        self._close()
        parent = self._open[-1]
        if within:
            last = parent.children[-1] if parent.children else None
            parent = last if isinstance(last, _Element) and last.kind == within else self._make(within, parent)
        self._open.append(self._make(kind, parent, alternative, scope, columns))
        try:
            yield
        finally:
            self._close()
            self._open.pop()

    def content(self) -> bool:
        """Mark what is drawn next as content of the element that is open; say whether there is some before it."""
        current = self._open[-1]
        if current is self._document:
            self.artifact()
        elif self._marked is not current:
            self._close()
            page = self._pages[-1]
            current.children.append(_Mark(len(self._pages), len(page)))
            self._begin(f"/{current.kind} <</MCID {len(page)}>> BDC", current)
            page.append(current)
            return len(current.children) > 1
        return current is not self._document

    def artifact(self) -> None:
        """Mark what is drawn next as nothing to be read."""
        if self._marked != "Artifact":
            self._close()
            self._begin("/Artifact BMC", "Artifact")

    def show_page(self) -> None:
        """End a page."""
        self._close()
        self._canvas.showPage()
        self._pages.append([])

    def finish(self) -> None:
        """Write the structure, when all pages are shown."""
        document = self._canvas._doc
        for number, marked in enumerate(self._pages[:-1], 1):
            page = document.idToObject[f"Page{number}"]
            page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
            page.StructParents, page.Tabs = number, PDFName("S")
            document.Reference(PDFArray([PDFObjectReference(one.name) for one in marked]), f"Marked{number}")
        for one in self._elements:
            document.Reference(one, one.name)
        numbers = [part for at in range(1, len(self._pages)) for part in (at, PDFObjectReference(f"Marked{at}"))]
        root = {
            "Type": PDFName(_ROOT),
            "K": PDFObjectReference(self._document.name),
            "ParentTree": PDFDictionary({"Nums": PDFArray(numbers)}),
        }
        document.Reference(PDFDictionary(root), _ROOT)
        document.Catalog.StructTreeRoot = PDFObjectReference(_ROOT)
        document.Catalog.MarkInfo = PDFDictionary({"Marked": "true"})

    def _make(self, kind: str, parent: _Element, *said: Any) -> _Element:
        made = _Element(len(self._elements), kind, parent, *said)
        parent.children.append(made)
        self._elements.append(made)
        return made

    def _begin(self, code: str, marked: _Element | str) -> None:
        self._canvas._code.append(code)
        self._marked = marked

    def _close(self) -> None:
        if self._marked is not None:
            self._canvas._code.append("EMC")
            self._marked = None
