"""What every form that people read is made from: columns, and lines of texts and amounts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

from acctcli.cli.output.safe import visible

Cell = str | Decimal | None

_DAY = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")


class Kind(Enum):
    """What a column holds."""

    TEXT = "text"
    AMOUNT = "amount"
    PERCENT = "percent"


class Style(Enum):
    """What a line is: an ordinary one, the head of those below, one of the accounts behind another, or a sum."""

    PLAIN = "plain"
    HEADING = "heading"
    DETAIL = "detail"
    SUM = "sum"


class Column(NamedTuple):
    """A column and what stands above it."""

    title: str
    kind: Kind = Kind.TEXT

    @property
    def folding(self) -> str:
        """Its title where that may fold: no line of it begins with a dash or a dot."""
        return self.title.replace(" –", "\N{NO-BREAK SPACE}–").replace(" ·", "\N{NO-BREAK SPACE}·")  # noqa: RUF001


class SheetLine(NamedTuple):
    """One line; the first cell is indented by `level`.

    `adds` and `less` are the places of the lines whose amounts make up its own; `account` is the number that its first
    cell begins with, `below` the heading without which that says too little.
    """

    cells: tuple[Cell, ...]
    style: Style = Style.PLAIN
    level: int = 0
    adds: Sequence[int] = ()
    less: Sequence[int] = ()
    account: str = ""
    below: str = ""

    @property
    def spans(self) -> bool:
        """Whether the first cell has the whole line to itself."""
        return self.style is Style.HEADING and not any(cell is not None for cell in self.cells[1:])


class Sheet(NamedTuple):
    """A report as people read it; `period` says in words or days what it covers.

    Where lines below a heading go on on another page, it begins with the heading and the cells that are `carried`, the
    last of them as it stands on the line before. The first `once` cells stand on the first line of a record alone, and
    again on that of a page.
    """

    title: str
    period: str
    columns: tuple[Column, ...]
    lines: Sequence[SheetLine]
    carried: tuple[Cell, ...] = ()
    once: int = 0


def without_empty(sheet: Sheet, *titles: str) -> Sheet:
    """Return a sheet without those of these columns that are empty throughout."""
    empty = {
        place
        for place, column in enumerate(sheet.columns)
        if column.title in titles and not any(line.cells[place] for line in sheet.lines)
    }

    def kept(cells: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(cell for place, cell in enumerate(cells) if place not in empty)

    lines = [line._replace(cells=kept(line.cells)) for line in sheet.lines] if empty else sheet.lines
    return sheet._replace(columns=kept(sheet.columns), lines=lines, carried=kept(sheet.carried))


def with_days(sheet: Sheet, title: str, form: str) -> Sheet:
    """Return a sheet with its days in a form that `str.format` reads: in its period, above its columns, and in one."""
    columns = tuple(column._replace(title=written(column.title, form)) for column in sheet.columns)
    places = {place for place, column in enumerate(sheet.columns) if column.title == title}

    def cell(place: int, value: Cell) -> Cell:
        return written(value, form) if place in places and isinstance(value, str) else value

    lines = [line._replace(cells=tuple(cell(*one) for one in enumerate(line.cells))) for line in sheet.lines]
    period = written(sheet.period, form)
    return sheet._replace(period=period, columns=columns, lines=lines if places else sheet.lines)


def written(text: str, form: str) -> str:
    """Return a text with the days in it in a form; what is no day stays."""
    return with_each_day(text, form.format)


def with_each_day(text: str, write: Callable[[date], str]) -> str:
    """Return a text with the days in it as `write` has them; what is no day stays."""

    def day(found: re.Match[str]) -> str:
        try:
            return write(date.fromisoformat(found[0]))
        except ValueError:
            return found[0]

    return _DAY.sub(day, text)


def clean(text: str | None) -> str:
    """Return text of the service with whatever a terminal or a page would act on made visible."""
    return visible(text or "")
