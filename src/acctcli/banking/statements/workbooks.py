"""Workbooks (XLSX) that other programs wrote: the texts of the cells of a sheet, with the digits of the file.

Figures are as the file has them, not as floats; what a workbook does not know itself, such as a formula that nobody has
worked out, is refused with its cell (docs/moving.md 1).
"""

from __future__ import annotations

import posixpath
import re
import zlib
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from io import BytesIO
from typing import BinaryIO, cast
from zipfile import BadZipFile, ZipFile

from acctcli.markup import FileFault, Node, Pieces

ZIPPED = b"PK\x03\x04"
# workbooks from before 2007, and those with a password
SEALED = b"\xd0\xcf\x11\xe0"
_BOOK = "xl/workbook.xml"
_TEXTS = "/sharedStrings"
# bytes of a part of the file, rows and columns: no trial balance has as many, and others are not to fill the memory
_LARGEST_PART = 8 * 2**20
_MOST_ROWS, _MOST_COLUMNS = 20_000, 256
_CELL = re.compile("([A-Z]{1,3})[0-9]+")
_NUMBER = re.compile(r"[+-]?[0-9]{1,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,2})?")
_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError)
# a float shows 15 digits; what follows in a file is noise where it is this small
_AS_SHOWN = Context(prec=15, rounding=ROUND_HALF_EVEN)
_NOISE = Decimal("0.00001")
_CENTS = 2

Rows = list[tuple[int, list[str]]]


class WorkbookFault(FileFault):
    """What is wrong with a workbook."""

    noun = "a workbook"


def read_workbook(data: bytes) -> Rows:
    """Return the rows that hold something, with their numbers, of the one sheet that does; hidden sheets are left out.

    Where several do, it is the one that has a table. Numbers are plain: whole, or with two decimals where that is all
    that they say. Raises WorkbookFault.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            return _only_sheet(archive)
    except _BROKEN as problem:
        raise WorkbookFault(f"this is no workbook that can be read: {problem}") from None


def _only_sheet(archive: ZipFile) -> Rows:
    parts, texts = dict[str, str](), list[str]()
    for node in _nodes(archive, "xl/_rels/workbook.xml.rels", "Relationship"):
        part = posixpath.normpath(posixpath.join("/xl", node.attributes.get("Target", ""))).lstrip("/")
        parts[node.attributes.get("Id", "")] = part
        if node.attributes.get("Type", "").endswith(_TEXTS):
            texts = [_text_of(one) for one in _nodes(archive, part, "si")]
    is_stale = any(node.attributes.get("fullCalcOnLoad") in {"1", "true"} for node in _nodes(archive, _BOOK, "calcPr"))
    found: dict[str, Rows] = {}
    tables: list[str] = []
    for node in _nodes(archive, _BOOK, "sheet"):
        named = {name.rpartition("}")[2]: value for name, value in node.attributes.items()}
        if named.get("state", "visible") != "visible":
            continue
        name, part = named.get("name", ""), parts.get(named.get("id", ""), "")
        if rows := list(_Sheet(texts, is_stale=is_stale).rows(archive, part)):
            found[name] = rows
            tables.extend(name for _ in _nodes(archive, part, "tablePart"))
    if len(found) > 1 and len(tables) == 1:
        return found[tables[0]]
    if len(found) != 1:
        told = ", ".join(map(repr, found)) or "none"
        raise WorkbookFault(f"one sheet with cells is needed, or one with a table, and there are: {told}")
    return found.popitem()[1]


def _nodes(archive: ZipFile, part: str, *names: str) -> Iterator[Node]:
    """Yield the elements of these names of a part of the file."""
    if part not in archive.namelist():
        raise WorkbookFault(f"the file has no {part or 'such sheet'}: this is no workbook (.xlsx)")
    if archive.getinfo(part).file_size > _LARGEST_PART:
        raise WorkbookFault(f"{part} is larger than {_LARGEST_PART // 2**20} MiB")
    # no more is read than the archive says, and what is said wrong is noticed
    with archive.open(part) as stream:
        for node, _ in Pieces(cast("BinaryIO", stream), frozenset(names), frozenset(), WorkbookFault):
            yield node


def _text_of(node: Node) -> str:
    """Return a text, maybe of several formats; how it is pronounced is left out."""
    return "".join(one.text if one.name == "t" else one.said("t") for one in node.nodes if one.name in {"t", "r"})


class _Sheet:
    """Reads the cells of a sheet: `texts` are those that cells share; formulas count unless they are stale."""

    def __init__(self, texts: list[str], *, is_stale: bool) -> None:
        self._texts = texts
        self._is_stale = is_stale

    def rows(self, archive: ZipFile, part: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that hold something, each with its number."""
        number = 0
        for count, row in enumerate(_nodes(archive, part, "row")):
            if count == _MOST_ROWS:
                raise WorkbookFault(f"there are more than {_MOST_ROWS:,} rows")
            number = _digits(row.attributes.get("r", str(number + 1)), f"row after {number}")
            cells = self._cells(row, number)
            if any(cells):
                yield number, cells

    def _cells(self, row: Node, number: int) -> list[str]:
        cells: list[str] = []
        for node in row.all("c"):
            place = node.attributes.get("r", "")
            column = _column(place) if place else len(cells)
            text = self._cell(node, place or f"row {number}").strip()
            if text and column >= _MOST_COLUMNS:
                raise WorkbookFault(f"there are more than {_MOST_COLUMNS} columns", field=place)
            if text:
                cells += [""] * (column + 1 - len(cells))
                cells[column] = text
            elif not place:
                cells.append("")
        return cells

    def _cell(self, node: Node, place: str) -> str:
        value = node.said("v")
        if node.first("f") is not None and (self._is_stale or node.first("v") is None):
            raise WorkbookFault("a formula that nobody has worked out: save the file in a spreadsheet", field=place)
        match node.attributes.get("t", "n"):
            case "s":
                index = _digits(value, place)
                if index >= len(self._texts):
                    raise WorkbookFault(f"there is no text {index}", field=place)
                return self._texts[index]
            case "inlineStr":
                inline = node.first("is")
                return _text_of(inline) if inline is not None else ""
            case "e":
                raise WorkbookFault(f"the cell holds an error, {value}", field=place)
            case "n":
                return _plain_number(value, place) if value else ""
            case "b":
                return "yes" if value == "1" else "no"
        return value


def _column(place: str) -> int:
    """Return the number of a column, from 0."""
    named = _CELL.fullmatch(place)
    if named is None:
        raise WorkbookFault(f"{place!r} is no cell")
    number = 0
    for letter in named[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _digits(text: str, place: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise WorkbookFault(f"{text!r} is no whole number", field=place)
    return int(text)


def _plain_number(text: str, place: str) -> str:
    """Return a number with its digits; noise behind the 15 that a float shows goes where cents are left."""
    if not _NUMBER.fullmatch(text):
        raise WorkbookFault(f"{text!r} is no number", field=place)
    number = Decimal(text)
    shown = _AS_SHOWN.plus(number)
    if _decimals(shown) <= _CENTS and abs(shown - number) < _NOISE:
        number = shown
    decimals = _decimals(number)
    return f"{number:.{_CENTS}f}" if 0 < decimals <= _CENTS else f"{number:.{max(decimals, 0)}f}"


def _decimals(number: Decimal) -> int:
    exponent = number.normalize(Context(prec=99)).as_tuple().exponent
    return -int(exponent)
