"""A report as one page that needs nothing but itself: no script, no request, its style named by its hash."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from html import escape
from importlib.resources import files
from typing import NamedTuple

from acctcli.cli.report import charts
from acctcli.cli.report.amounts import format_amount, rounded
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.months import Series
from acctcli.cli.report.sheet import Cell, Column, Kind, Sheet, SheetLine
from acctcli.printing.numbers import Locale

_DEEPEST = 4
_PLAIN = frozenset(" ·–-.,/()")  # noqa: RUF001 - a dash between days
# the longest text that stays on its line, if it is one word: numbers, days
_SHORT = 16


class Imprint(NamedTuple):
    """Whose report it is, and when and by what it was made."""

    business: str
    made: str


def write(sheet: Sheet, imprint: Imprint, series: Sequence[Series], locale: Locale) -> Iterator[bytes]:
    """Yield the page in pieces."""
    words = Labels(locale.language)
    css = files("acctcli.cli.report").joinpath("page.css").read_text("utf-8") + _margins(sheet, imprint, words)
    parts = (_head(sheet, imprint, css, locale), _charts(series, words, locale), _table(sheet, words, locale))
    for part in parts:
        yield from (f"{line}\n".encode() for line in part)
    yield f"<footer>{escape(imprint.made)}</footer>\n</main>\n</body>\n</html>\n".encode()


def _head(sheet: Sheet, imprint: Imprint, css: str, locale: Locale) -> Iterator[str]:
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    yield f'<!doctype html>\n<html lang="{locale.language}">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(sheet.title)} · {escape(imprint.business)}</title>"
    yield f"<style>{css}</style>\n</head>\n<body>\n<main>"
    yield f"<header>\n<p>{escape(imprint.business)}</p>\n<h1>{escape(sheet.title)}</h1>"
    yield f"<p>{escape(sheet.period)}</p>\n</header>"


def _margins(sheet: Sheet, imprint: Imprint, words: Labels) -> str:
    """What stands around a page on paper: whose report it is from the second on, when it was made, its number."""
    whose = _quoted(f"{imprint.business} · {sheet.title} · {sheet.period}")
    number = f"{_quoted(words('Page') + ' ')} counter(page) {_quoted(' ' + words('of') + ' ')} counter(pages)"
    return (
        f"@page {{ @top-left {{ content: {whose}; }} @bottom-left {{ content: {_quoted(imprint.made)}; }} "
        f"@bottom-right {{ content: {number}; }} }}\n@page :first {{ @top-left {{ content: none; }} }}\n"
    )


def _quoted(text: str) -> str:
    """Return a text as a string of CSS that nothing ends early, whatever it holds."""
    return '"{}"'.format("".join(one if one.isalnum() or one in _PLAIN else f"\\{ord(one):x} " for one in text))


def _charts(series: Sequence[Series], words: Labels, locale: Locale) -> Iterator[str]:
    if not series:
        return
    yield f'<section class="charts" aria-label="{escape(words("Twelve months"))}">'
    for one in series:
        title = escape(words(one.title))
        yield f"<figure>\n<figcaption>{title}</figcaption>"
        yield charts.draw(one, title, locale)
        yield f"<details><summary>{escape(words('Figures'))}</summary>\n<table>"
        heads = (Column(words("Month")), Column("EUR", Kind.AMOUNT))
        yield f"<thead><tr>{''.join(map(_header, heads))}</tr></thead>"
        for point in one.points:
            yield f'<tr><th scope="row">{point.month:%Y-%m}</th>{_amount(point.value, locale)}</tr>'
        yield "</table></details>\n</figure>"
    yield "</section>"


def _table(sheet: Sheet, words: Labels, locale: Locale) -> Iterator[str]:
    # only where the first column alone is text does it name the line
    named = all(column.kind is not Kind.TEXT for column in sheet.columns[1:])
    yield f'<div class="scroll">\n<table>\n<caption>{escape(words("Amounts in EUR"))}</caption>'
    yield f"<thead><tr>{''.join(map(_header, sheet.columns))}</tr></thead>\n<tbody>"
    for position, line in enumerate(sheet.lines):
        if line.spans and position:
            yield "</tbody>\n<tbody>"
        yield f'<tr class="{_classes(line)}">{"".join(_cells(sheet, line, named, locale))}</tr>'
    yield "</tbody>\n</table>\n</div>"


def _header(column: Column) -> str:
    kind = "" if column.kind is Kind.TEXT else ' class="amount"'
    return f'<th scope="col"{kind}>{escape(column.title)}</th>'


def _classes(line: SheetLine) -> str:
    return f"{line.style.value} level-{min(line.level, _DEEPEST)}"


def _cells(sheet: Sheet, line: SheetLine, named: bool, locale: Locale) -> Iterator[str]:
    if line.spans:
        yield f'<th scope="rowgroup" colspan="{len(sheet.columns)}">{escape(str(line.cells[0]))}</th>'
        return
    for place, (cell, column) in enumerate(zip(line.cells, sheet.columns, strict=True)):
        if named and place == 0:
            yield f'<th scope="row">{escape(str(cell))}</th>'
        else:
            yield _cell(cell, column, locale)


def _cell(cell: Cell, column: Column, locale: Locale) -> str:
    if isinstance(cell, Decimal):
        return _amount(cell, locale)
    if column.kind is not Kind.TEXT:
        return '<td class="amount"></td>'
    kind = ' class="code"' if cell and len(cell) <= _SHORT and " " not in cell else ""
    return f"<td{kind}>{escape(cell or '')}</td>"


def _amount(value: Decimal, locale: Locale) -> str:
    """A cell with the amount for people, and the same digit for digit for programs."""
    shown = format_amount(value, locale).replace("-", "\N{MINUS SIGN}")
    kind = "amount below" if value < 0 else "amount"
    return f'<td class="{kind}"><data value="{rounded(value)}">{shown}</data></td>'
