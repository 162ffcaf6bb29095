"""Balance sheet, income statement and changes in equity: lines for people, rows for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import accumulate

from acctcli.cli.report.checks import CHANGE, CHANGE_PERCENT, COMPONENT, Parts
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import Statement, StatementRow
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean

# rows that only name what follows; their sum is a row of its own
_HEADINGS = frozenset({"Assets", "Equity and liabilities"})


def lay_out(document: Statement, title: str, words: Labels, parts: Parts | None = None) -> Sheet:
    """Lay the statement out: rows indented by level, and the accounts behind each when they came along.

    `parts` are the rows that sums are made of.
    """
    kinds = (Kind.PERCENT if label == CHANGE_PERCENT else Kind.AMOUNT for label in document.labels)
    columns = (Column(words(title)), *map(Column, (clean(words(label)) for label in document.labels), kinds))
    below = [*document.rows, None][1:]
    percent = place_of_percent(document.labels)
    groups = []
    number = ""
    for row, after in zip(document.rows, below, strict=True):
        # the rows below a component of equity are of its account
        number = _number(row.name) or (number if row.name in COMPONENT else "")
        groups.append(list(_lines(row, after, words, percent, number)))
    lines = added(groups, [len(group) - 1 if group[-1].style is Style.SUM else 0 for group in groups], parts or {})
    shown = [clean(label) for label in document.labels if label not in {CHANGE, CHANGE_PERCENT}]
    return Sheet(words(title), " · ".join(shown), columns, lines)


def added(groups: Sequence[Sequence[SheetLine]], own: Sequence[int], parts: Parts) -> list[SheetLine]:
    """Return the lines of rows, each with the lines that it adds: those of its `parts`, or else its accounts.

    A row has a group of lines, with the accounts behind it; its own one stands at the place in `own`.
    """
    starts = [*accumulate((len(group) for group in groups), initial=0)]
    places = [start + inner for start, inner in zip(starts, own, strict=False)]
    lines = [line for group in groups for line in group]
    for row, (place, group) in enumerate(zip(places, groups, strict=True)):
        others = (one for one in range(starts[row], starts[row] + len(group)) if one != place)
        adds = (places[part] for part in parts[row]) if row in parts else others
        lines[place] = lines[place]._replace(adds=tuple(adds))
    return lines


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
    return f"{number} {words.account(number, rest)}" if _number(name) else words(name)


def _number(name: str) -> str:
    """Return the account number that a row's name begins with."""
    number = name.partition(" ")[0]
    return number if number.isdecimal() else ""


def _lines(
    row: StatementRow, below: StatementRow | None, words: Labels, percent: int | None, number: str
) -> Iterator[SheetLine]:
    name = clean(_name(row.name, words))
    values = comparable(row.values, percent)
    if row.name in _HEADINGS or (below is not None and below.name == COMPONENT[0]):
        yield SheetLine((name, *(None for _ in values)), Style.HEADING, row.level, account=number)
        return
    own = SheetLine((name, *values), Style.SUM if row.is_sum_row else Style.PLAIN, row.level, account=number)
    details = []
    for account in row.accounts or ():
        title = clean(f"{account.number} {words.account(account.number, account.name)}")
        cells = (title, *comparable(account.values, percent))
        details.append(SheetLine(cells, Style.DETAIL, row.level + 1, account=clean(account.number)))
    # a sum stands below what it is made of
    yield from [*details, own] if row.is_sum_row else [own, *details]
