"""Balance sheet, income statement and changes in equity: lines for people, rows for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

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
    rows, percent = zip(document.rows, below, strict=True), place_of_percent(document.labels)
    lines = [line for row, after in rows for line in _lines(row, after, words, percent)]
    shown = [clean(label) for label in document.labels if label not in {CHANGE, CHANGE_PERCENT}]
    return Sheet(words(title), " · ".join(shown), columns, lines)


def flat_rows(document: Statement) -> Iterator[dict[str, object]]:
    """Yield a row each, and one for every account behind it: name, level, number, then a field for each column."""
    percent = place_of_percent(document.labels)
    for row in document.rows:
        head = {"name": row.name, "level": row.level, "is_sum_row": row.is_sum_row, "number": None}
        yield {**head, **dict(zip(document.labels, comparable(row.values, percent), strict=True))}
        for account in row.accounts or ():
            head = {"name": account.name, "level": row.level + 1, "is_sum_row": False, "number": account.number}
            yield {**head, **dict(zip(document.labels, comparable(account.values, percent), strict=True))}


def comparable(values: Sequence[Decimal], percent: int | None) -> list[Decimal | None]:
    """Return the values of a row; nothing has changed by a percentage that was 0 before, which stands at `percent`."""
    shown: list[Decimal | None] = list(values)
    if percent is not None and not values[1]:
        shown[percent] = None
    return shown


def place_of_percent(labels: Sequence[str]) -> int | None:
    """Return where the change in per cent stands."""
    return len(labels) - 1 if labels[2:] == [CHANGE, CHANGE_PERCENT] else None


def _name(name: str, words: Labels) -> str:
    """Return the name of a row; changes in equity have a row for each account."""
    number, _, rest = name.partition(" ")
    return f"{number} {words.account(number, rest)}" if number.isdecimal() else words(name)


def _lines(row: StatementRow, below: StatementRow | None, words: Labels, percent: int | None) -> Iterator[SheetLine]:
    name = clean(_name(row.name, words))
    values = comparable(row.values, percent)
    if row.name in _HEADINGS or (below is not None and below.name == COMPONENT[0]):
        yield SheetLine((name, *(None for _ in values)), Style.HEADING, row.level)
        return
    own = SheetLine((name, *values), Style.SUM if row.is_sum_row else Style.PLAIN, row.level)
    details = []
    for account in row.accounts or ():
        title = clean(f"{account.number} {words.account(account.number, account.name)}")
        details.append(SheetLine((title, *comparable(account.values, percent)), Style.DETAIL, row.level + 1))
    # a sum stands below what it is made of
    yield from [*details, own] if row.is_sum_row else [own, *details]
