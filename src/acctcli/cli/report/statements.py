"""Balance sheet, income statement and changes in equity: lines for people, rows for machines."""

from __future__ import annotations

from collections.abc import Iterator

from acctcli.cli.report.checks import CHANGE, CHANGE_PERCENT, COMPONENT
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import Statement, StatementRow
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean

# rows that only name what follows; their sum is a row of its own
_HEADINGS = frozenset({"Assets", "Equity and liabilities"})


def lay_out(document: Statement, title: str, words: Labels) -> Sheet:
    """Lay the statement out: rows indented by level, and the accounts behind each when they came along."""
    kinds = (Kind.PERCENT if label == CHANGE_PERCENT else Kind.AMOUNT for label in document.labels)
    columns = (Column(words(title)), *map(Column, (clean(words(label)) for label in document.labels), kinds))
    below = [*document.rows, None][1:]
    lines = [line for row, after in zip(document.rows, below, strict=True) for line in _lines(row, after, words)]
    shown = [clean(label) for label in document.labels if label not in {CHANGE, CHANGE_PERCENT}]
    return Sheet(words(title), " · ".join(shown), columns, lines)


def flat_rows(document: Statement) -> Iterator[dict[str, object]]:
    """Yield a row each, and one for every account behind it: name, level, number, then a field for each column."""
    for row in document.rows:
        head = {"name": row.name, "level": row.level, "is_sum_row": row.is_sum_row, "number": None}
        yield {**head, **dict(zip(document.labels, row.values, strict=True))}
        for account in row.accounts or ():
            head = {"name": account.name, "level": row.level + 1, "is_sum_row": False, "number": account.number}
            yield {**head, **dict(zip(document.labels, account.values, strict=True))}


def _lines(row: StatementRow, below: StatementRow | None, words: Labels) -> Iterator[SheetLine]:
    name = clean(words(row.name))
    if row.name in _HEADINGS or (below is not None and below.name == COMPONENT[0]):
        yield SheetLine((name, *(None for _ in row.values)), Style.HEADING, row.level)
        return
    own = SheetLine((name, *row.values), Style.SUM if row.is_sum_row else Style.PLAIN, row.level)
    details = [
        SheetLine((clean(f"{account.number} {account.name}"), *account.values), Style.DETAIL, row.level + 1)
        for account in row.accounts or ()
    ]
    # a sum stands below what it is made of
    yield from [*details, own] if row.is_sum_row else [own, *details]
