"""A report as one page that needs nothing but itself: no script, no request, its style named by its hash."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
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
# how many columns of a list are known without their heads: number, day and account
_KNOWN = 3
# how many columns a phone shows side by side
_MOST_COLUMNS = 4
# and how many letters and digits
_MOST_LETTERS = 39
# and paper that is not turned
_MOST_UPRIGHT = 7
# the longest text that stays on its line, if it is one word: numbers, days
_SHORT = 16
# longer words may break anywhere: a column is as wide as the longest that may not
_LONG_WORD = re.compile(r"(\S{25,})")

# where a cell leads to, by the places of its line and its column; None for nowhere
Link = Callable[[int, int], str | None]


class Imprint(NamedTuple):
    """Whose report it is, and when and by what it was made."""

    business: str
    made: str


def write(sheet: Sheet, imprint: Imprint, series: Sequence[Series], locale: Locale) -> Iterator[bytes]:
    """Yield the page in pieces."""
    words = Labels(locale.language)
    css = files("acctcli.cli.report").joinpath("page.css").read_text("utf-8")
    whose = f"{imprint.business} · {sheet.title} · {sheet.period}"
    size = "size: A4 landscape; " if len(sheet.columns) > _MOST_UPRIGHT else ""
    css += margins(whose, imprint.made, words, size) + _labels(sheet, words)
    parts = (_head(sheet, imprint, css, locale), figures(series, words, locale), table(sheet, words, locale))
    for part in parts:
        yield from (f"{line}\n".encode() for line in part)
    yield f"<footer>{escape(imprint.made)}</footer>\n</main>\n</body>\n</html>\n".encode()


def _head(sheet: Sheet, imprint: Imprint, css: str, locale: Locale) -> Iterator[str]:
    policy = f"default-src 'none'; style-src {named_by_hash(css)}; base-uri 'none'; form-action 'none'"
    yield f'<!doctype html>\n<html lang="{locale.language}">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(sheet.title)} · {escape(imprint.business)}</title>"
    yield f"<style>{css}</style>\n</head>\n<body>\n<main>"
    yield f"<header>\n<p>{escape(imprint.business)}</p>\n<h1>{escape(sheet.title)}</h1>"
    yield f"<p>{escape(sheet.period)}</p>\n</header>"


def margins(whose: str, made: str, words: Labels, size: str = "") -> str:
    """Return what stands around a page on paper: whose it is from the second on, when it was made, its number."""
    number = f"{_quoted(words('Page') + ' ')} counter(page) {_quoted(' ' + words('of') + ' ')} counter(pages)"
    return (
        f"@page {{ {size}@top-left {{ content: {_quoted(whose)}; }} @bottom-left {{ content: {_quoted(made)}; }} "
        f"@bottom-right {{ content: {number}; }} }}\n@page :first {{ @top-left {{ content: none; }} }}\n"
    )


def named_by_hash(css: str) -> str:
    """Return what a policy lets a style by that stands in the page itself."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()}'"


def _labels(sheet: Sheet, words: Labels) -> str:
    """What stands before cells on a phone, where a list has no heads: before amounts, and texts that say too little."""
    if not _folds(sheet):
        return ""
    rules = (
        f".list td:nth-child({place + 1}):not(:empty)::before {{ content: {_quoted(column.title + ' ')}; }}"
        for place, column in _labelled(sheet, words)
    )
    return f"@media screen and (max-width: 40rem) {{ {' '.join(rules)} }}\n"


def _labelled(sheet: Sheet, words: Labels) -> Iterator[tuple[int, Column]]:
    """Yield the columns whose cells do not say by themselves what they are, with their places."""
    names = {words(title) for title in ("Name", "Contact", "Description")}
    for place, column in enumerate(sheet.columns):
        if column.kind is not Kind.TEXT or (place >= _KNOWN and column.title not in names):
            yield place, column


def _is_named(sheet: Sheet) -> bool:
    """Whether the first column alone is text, and names the line."""
    return all(column.kind is not Kind.TEXT for column in sheet.columns[1:])


def _folds(sheet: Sheet) -> bool:
    """Whether a line takes several on a phone: where columns are many, or would break words."""
    return not _is_named(sheet) or len(sheet.columns) > _MOST_COLUMNS or _letters(sheet) > _MOST_LETTERS


def _letters(sheet: Sheet) -> int:
    """Return how many letters the longest word of a name and the longest amounts take side by side."""
    lines = [line for line in sheet.lines if not line.spans]
    words = (line.level + max(map(len, str(line.cells[0]).split()), default=0) for line in lines)
    amounts = (max((_digits(line.cells[place]) for line in lines), default=0) for place in range(1, len(sheet.columns)))
    return max(words, default=0) + sum(amounts)


def _digits(cell: Cell) -> int:
    return len(f"{cell:,.2f}") + 1 if isinstance(cell, Decimal) else 0


def _quoted(text: str) -> str:
    """Return a text as a string of CSS that nothing ends early, whatever it holds."""
    return '"{}"'.format("".join(one if one.isalnum() or one in _PLAIN else f"\\{ord(one):x} " for one in text))


def figures(series: Sequence[Series], words: Labels, locale: Locale) -> Iterator[str]:
    """Yield the charts of months as a section of a page, each with its figures in a table."""
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
        for point, value in one.known:
            cell = f"<td{_class(value, heads[1])}>{amount(value, locale)}</td>"
            yield f'<tr><th scope="row">{point.label}</th>{cell}</tr>'
        yield "</table></details>\n</figure>"
    yield "</section>"


def table(sheet: Sheet, words: Labels, locale: Locale, link: Link | None = None) -> Iterator[str]:
    """Yield a sheet as a table; `link` says where a cell leads to, if anywhere.

    With a link, it is for pages of more than one table: cells say themselves what they are called on a phone.
    """
    named, folds = _is_named(sheet), _folds(sheet)
    labels = {place: column.title for place, column in _labelled(sheet, words)} if link and folds else {}
    # what scrolls can be reached without a mouse
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(sheet.title)}">'
    kinds = " ".join(kind for kind, is_so in (("list", folds), ("wide", len(sheet.columns) > _MOST_UPRIGHT)) if is_so)
    yield f'<table class="{kinds}">' if kinds else "<table>"
    if any(column.kind is Kind.AMOUNT for column in sheet.columns):
        yield f"<caption>{escape(words('Amounts in EUR'))}</caption>"
    yield f"<thead><tr>{''.join(map(_header, sheet.columns))}</tr></thead>\n<tbody>"
    for position, line in enumerate(sheet.lines):
        if line.spans and position:
            yield "</tbody>\n<tbody>"
        cells = _cells(sheet, line, locale, _of_line(link, position), labels, named=named)
        yield f'<tr class="{_classes(line)}">{"".join(cells)}</tr>'
    yield "</tbody>\n</table>\n</div>"


def _header(column: Column) -> str:
    kind = "" if column.kind is Kind.TEXT else ' class="amount"'
    return f'<th scope="col"{kind}>{escape(column.folding)}</th>'


def _classes(line: SheetLine) -> str:
    return f"{line.style.value} level-{min(line.level, _DEEPEST)}"


def _of_line(link: Link | None, position: int) -> Callable[[int], str | None]:
    return partial(link, position) if link is not None else lambda _: None


def _cells(
    sheet: Sheet,
    line: SheetLine,
    locale: Locale,
    link: Callable[[int], str | None],
    labels: Mapping[int, str],
    *,
    named: bool,
) -> Iterator[str]:
    if line.spans:
        yield f'<th scope="rowgroup" colspan="{len(sheet.columns)}">{escape(str(line.cells[0]))}</th>'
        return
    for place, (cell, column) in enumerate(zip(line.cells, sheet.columns, strict=True)):
        shown = amount(cell, locale) if isinstance(cell, Decimal) else breaking(cell or "")
        target = link(place) if shown else None
        inside = shown if target is None else f'<a href="{escape(target)}">{shown}</a>'
        kind = _class(cell, column)
        label = f' data-label="{escape(labels[place])}"' if shown and place in labels else ""
        yield f'<th scope="row">{inside}</th>' if named and place == 0 else f"<td{kind}{label}>{inside}</td>"


def breaking(text: str) -> str:
    """Return a text as markup, its long words such that they may break."""
    pieces = enumerate(map(escape, _LONG_WORD.split(text)))
    return "".join(f'<span class="long">{piece}</span>' if place % 2 else piece for place, piece in pieces)


def _class(cell: Cell, column: Column) -> str:
    if column.kind is not Kind.TEXT or isinstance(cell, Decimal):
        return ' class="amount below"' if isinstance(cell, Decimal) and cell < 0 else ' class="amount"'
    return ' class="code"' if cell and len(cell) <= _SHORT and " " not in cell else ""


def amount(value: Decimal, locale: Locale) -> str:
    """Return an amount for people, and the same digit for digit for programs."""
    shown = format_amount(value, locale).replace("-", "\N{MINUS SIGN}")
    return f'<data value="{rounded(value)}">{shown}</data>'
