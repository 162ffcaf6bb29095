"""The output formats, each said once: who offers it, what writes it, and what it keeps."""

from __future__ import annotations

import sys
from typing import NamedTuple

# kinds of commands; each offers the formats of those before it, too, but for checks: those of commands and their own
COMMANDS, LISTS, REPORTS, CHECKS = range(4)


class Format(NamedTuple):
    """A format of records, rows or reports.

    `writer` is the class that writes rows, `module:Class` beside this file, imported when there are some; without one
    only reports are laid out in it. `is_json`: every field is kept unless --columns names some, and --jq filters it.
    `library` makes what is no text. A report is laid out for people in up to `most_lines`; 0 means rows for machines.
    """

    writer: str = ""
    offered_by: int = COMMANDS
    is_json: bool = False
    library: str = ""
    most_lines: int = 0


# pages give up earlier than spreadsheets
FORMATS = {
    "table": Format("table:TableWriter", most_lines=sys.maxsize),
    "json": Format("writers:JsonWriter", is_json=True),
    "jsonl": Format("writers:JsonLinesWriter", is_json=True),
    "csv": Format("delimited:CsvWriter"),
    "tsv": Format("delimited:TsvWriter"),
    "xlsx": Format("workbook:WorkbookWriter", LISTS, library="xlsxwriter", most_lines=1_000_000),
    "html": Format(offered_by=REPORTS, most_lines=50_000),
    "pdf": Format(offered_by=REPORTS, library="reportlab", most_lines=20_000),
    "junit": Format(offered_by=CHECKS),
}


def offered(by: int) -> tuple[str, ...]:
    """Return the names of the formats that a kind of commands offers."""
    others = (COMMANDS, CHECKS) if by == CHECKS else range(by + 1)
    return tuple(name for name, form in FORMATS.items() if form.offered_by in others)


class Look(NamedTuple):
    """How rows are written: a column that is not there is an error if `strict`, text is left alone if `raw`.

    What a terminal would obey is shown `on_terminal`; without a `width` lines are as long as they need.
    """

    strict: bool
    raw: bool = False
    on_terminal: bool = False
    width: int | None = None
