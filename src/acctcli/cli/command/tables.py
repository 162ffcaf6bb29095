"""Tables that other programs wrote: how they are read, and what their columns are for (docs/moving.md 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from itertools import islice
from typing import NamedTuple

from acctcli.banking.statements.delimited import plain_heading
from acctcli.banking.statements.lines import decoded_lines
from acctcli.banking.statements.model import StatementFault
from acctcli.banking.statements.tables import Table, find_table
from acctcli.cli.command.body import read_content
from acctcli.cli.command.local_forms import number_of
from acctcli.errors import UsageError

_NOTHING = Decimal("0.00")
_CENTS = 2
_MOST_DIGITS = 15
# rows that titles may take where the file has as many cells everywhere
_MOST_BEFORE = 30


class Row(NamedTuple):
    """A row: where it stands, and the texts of its cells by what they are for, empty where there is no column."""

    place: str
    cells: Mapping[str, str]

    def amount(self, use: str) -> Decimal:
        """Return the amount of a cell in cents at the finest, nothing for an empty one.

        Raises UsageError for what is none, or may be two: 1,234 is a thousand to some.
        """
        text = self.cells.get(use, "")
        if not text:
            return _NOTHING
        meant = number_of(text)
        if meant is None:
            told = f"{text!r} is no amount that is certain"
            raise UsageError(f"{self.place}, {use}: {told}", hint="write two decimals, such as 1234,00 or 1.234,00")
        whole, _, decimals = meant.partition(".")
        if decimals.rstrip("0")[_CENTS:] or len(whole.lstrip("-0")) > _MOST_DIGITS:
            raise UsageError(f"{self.place}, {use}: {text!r} is no amount in cents")
        return Decimal(f"{whole}.{decimals[:_CENTS]:0<{_CENTS}}")


class CsvTable:
    """A table of a file or of stdin: UTF-8 or Windows-1252, its cells separated by `;`, `,`, tabs or `|`.

    `option` is what gave the source. Titles may stand before the headings. Raises UsageError for what is no table.
    """

    _line = "line"

    def __init__(self, source: str, option: str) -> None:
        self._name = f"{option} {source}".strip()
        self._table = self._read(read_content(source, option))

    def _read(self, content: bytes) -> Table:
        hint = None
        try:
            lines = [text for _, text in decoded_lines(BytesIO(content))]
            hint = "its rows need as many cells as its headings; leave out what stands below the table"
            return find_table(lines)
        except StatementFault as fault:
            raise UsageError(f"{self._name}: {fault}", hint=hint) from None

    def rows(self, words: Mapping[str, Sequence[str]], needed: Sequence[str], chosen: Mapping[str, str]) -> list[Row]:
        """Return the rows by uses of columns, whose headings are one of the words for each, or the one that is chosen.

        Raises UsageError where there is no column for what is needed or chosen, or more than one.
        """
        headings, first = self._headings(words, chosen)
        plain = [plain_heading(one) for one in headings]
        places: dict[str, int] = {}
        for use, names in words.items():
            wanted = [plain_heading(chosen[use])] if use in chosen else names
            found = next((one for one in wanted if one in plain), None)
            if found is not None and plain.count(found) > 1:
                raise UsageError(f"{self._name}: several columns are called {found!r}")
            if found is not None:
                places[use] = plain.index(found)
        told = ", ".join(map(repr, filter(None, headings)))
        if lost := [use for use in words if use not in places and (use in needed or use in chosen)]:
            raise UsageError(f"{self._name}: there is no column for {', '.join(lost)}; there are {told}")
        rows = zip(self._table.lines[first:], self._table.rows[first:], strict=True)
        return [Row(self._place(line), {use: row[at].strip() for use, at in places.items()}) for line, row in rows]

    def records(self) -> Iterator[Row]:
        """Yield the rows by the headings as they are written; raise UsageError where two are alike."""
        headings = self._table.headings
        if "" in headings or len(set(headings)) < len(headings):
            raise UsageError(f"{self._name}: each column needs a heading of its own")
        for line, row in zip(self._table.lines, self._table.rows, strict=True):
            yield Row(self._place(line), {one: cell.strip() for one, cell in zip(headings, row, strict=True)})

    def _place(self, line: int) -> str:
        return f"{self._name} {self._line} {line}"

    def _headings(self, words: Mapping[str, Sequence[str]], chosen: Mapping[str, str]) -> tuple[list[str], int]:
        """Return the headings, with the first row after them: those in which most words are known."""
        known = {
            plain_heading(one) for one in (*(word for names in words.values() for word in names), *chosen.values())
        }
        among = [self._table.headings, *islice(self._table.rows, _MOST_BEFORE)]
        hits = [len(known.intersection(map(plain_heading, row))) for row in among]
        best = hits.index(max(hits))
        return [one.strip() for one in among[best]], best


class AnyTable(CsvTable):
    """The same, or the sheet of a workbook (XLSX), where days and percentages are no more than numbers."""

    def _read(self, content: bytes) -> Table:
        from acctcli.banking.statements.workbooks import SEALED, ZIPPED, WorkbookFault, read_workbook

        if content.startswith(SEALED):
            raise UsageError(f"{self._name}: a workbook that is older, or has a password; save it as .xlsx or CSV")
        if not content.startswith(ZIPPED):
            return super()._read(content)
        self._line = "row"
        try:
            rows = read_workbook(content)
        except WorkbookFault as fault:
            raise UsageError(f"{self._name} {fault}") from None
        width = max(len(cells) for _, cells in rows)
        numbers, filled = zip(*((number, cells + [""] * (width - len(cells))) for number, cells in rows), strict=True)
        return Table("", 0, filled[0], list(filled[1:]), list(numbers[1:]))
