"""What a page of a report says, read by a parser that knows nothing of how it was made."""

from __future__ import annotations

from html.parser import HTMLParser

# the text of a cell, and the machine's form of an amount
Cell = tuple[str, str | None]


def read_page(text: str) -> list[list[Cell]]:
    """Return the rows of the report's table, without its head; the tables below charts are left out."""
    reader = _Reader()
    reader.feed(text)
    return reader.rows


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[Cell]] = []
        self._skipping = 0
        self._cell: str | None = None
        self._value: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipping += tag in {"thead", "details"}
        if self._skipping:
            return
        if tag == "tr":
            self.rows.append([])
        elif tag in {"th", "td"}:
            self._cell, self._value = "", None
        elif tag == "data":
            self._value = dict(attrs)["value"]

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell += data

    def handle_endtag(self, tag: str) -> None:
        self._skipping -= tag in {"thead", "details"}
        if tag in {"th", "td"} and self._cell is not None:
            self.rows[-1].append((self._cell, self._value))
            self._cell = None
