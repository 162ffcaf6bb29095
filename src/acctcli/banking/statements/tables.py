"""Tables in CSV that no profile knows: how their cells are separated, and where they begin (docs/bank.md 4)."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from acctcli.banking.statements.model import StatementFault

AMOUNT = re.compile(r"[+\-\u2212]?\d[\d.,' \u00a0\u202f]*")
_DELIMITERS = ";,\t|"
_MOST_BEFORE = 30


class Table(NamedTuple):
    """Headings and rows, each row with the number of its last line; `skip` lines come before them."""

    delimiter: str
    skip: int
    headings: list[str]
    rows: list[list[str]]
    lines: list[int]

    def cells(self, heading: str) -> list[str]:
        """The cells of a column that hold something."""
        place = self.headings.index(heading)
        return [text for row in self.rows if (text := row[place].strip())]


def find_table(lines: Sequence[str]) -> Table:
    """Return the widest table that the lines hold down to the last; raise StatementFault where there is none."""
    found = [one for delimiter in _DELIMITERS if (one := _split(lines, delimiter)) is not None]
    if not found:
        raise _odd_row(lines) or StatementFault("there is no table of at least two columns with rows", 1)
    return max(found, key=lambda one: len(one.headings))


def _odd_row(lines: Sequence[str]) -> StatementFault | None:
    """Return what keeps lines from being a table, where most rows are as wide as each other: the first that is not."""
    delimiter = max(_DELIMITERS, key=lambda one: sum(one in line for line in lines))
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    try:
        rows = [(reader.line_num, len(row)) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error:
        return None
    widths = Counter(width for _, width in rows if width > 1)
    if not widths:
        return None
    width, _ = widths.most_common(1)[0]
    first = next(line for line, one in rows if one == width)
    odd = next(((line, one) for line, one in rows if line > first and one != width), None)
    if odd is None:
        return None
    return StatementFault(f"the row has {odd[1]} cells, and the one of line {first} has {width}", odd[0])


def _split(lines: Sequence[str], delimiter: str) -> Table | None:
    for skip in range(min(_MOST_BEFORE, len(lines))):
        reader = csv.reader((f"{line}\n" for line in lines[skip:]), delimiter=delimiter, strict=True)
        try:
            rows = [(skip + reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
        except csv.Error:
            continue
        if len(rows) < 2 or len(rows[0][1]) < 2 or any(len(row) != len(rows[0][1]) for _, row in rows):
            continue
        headings = [one.strip() for one in rows[0][1]]
        if any(map(AMOUNT.fullmatch, headings)):
            return None
        return Table(delimiter, skip, headings, [row for _, row in rows[1:]], [line for line, _ in rows[1:]])
    return None
