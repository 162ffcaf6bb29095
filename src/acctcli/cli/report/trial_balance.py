"""The trial balance: opening, both sides and closing of every account, from the ledgers of its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asked import Columns
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.books import Ledger
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean

FIGURES = ("opening", "debit", "credit", "closing")
_TITLES = ("Opening balance", "Debit", "Credit", "Closing balance")
_DIGITS = 7
_ZERO = Decimal("0.00")
_NOTHING = (_ZERO,) * len(FIGURES)


class AccountLine(NamedTuple):
    """An account, and its figures in each column; balances are debit less credit."""

    number: str
    name: str
    figures: list[tuple[Decimal, ...]]


class TrialBalance(NamedTuple):
    """The accounts that opened with something or moved in one of the columns, by number, and what they add up to."""

    labels: list[str]
    lines: list[AccountLine]

    @property
    def totals(self) -> list[tuple[Decimal, ...]]:
        """The sums of each column."""
        places = range(len(self.labels))
        of_columns = ([line.figures[place] for line in self.lines] for place in places)
        return [tuple(sum(values, _ZERO) for values in zip(_NOTHING, *rows, strict=True)) for rows in of_columns]


def read_trial_balance(ask: Ask, columns: Columns) -> TrialBalance:
    """Ask for the ledger of each column; raise Incomplete when one does not add up."""
    found: dict[tuple[str, str], list[tuple[Decimal, ...]]] = {}
    for place, column in enumerate(columns):
        for account, sums, _, _ in Ledger(ask.stream("ledger", [column], "accounts")):
            figures = found.setdefault((account.number, account.name), [_NOTHING] * len(columns))
            figures[place] = tuple(map(rounded, (account.opening_balance, *sums)))
    lines = [
        AccountLine(*account, figures) for account, figures in sorted(found.items(), key=lambda one: _place(*one[0]))
    ]
    return TrialBalance([_label(column) for column in columns], lines)


def trial_rows(balance: TrialBalance) -> Iterator[dict[str, object]]:
    """Yield a row an account; where there are several columns, their names stand before those of the figures."""
    for line in balance.lines:
        figures = zip(_names(balance.labels, FIGURES, " "), _flat(line.figures), strict=True)
        yield {"number": line.number, "name": line.name, **dict(figures)}


def trial_document(balance: TrialBalance) -> dict[str, Any]:
    """Return all of it as one document."""

    def shown(figures: Sequence[tuple[Decimal, ...]]) -> list[dict[str, Decimal]]:
        return [dict(zip(FIGURES, values, strict=True)) for values in figures]

    accounts = [{"number": line.number, "name": line.name, "columns": shown(line.figures)} for line in balance.lines]
    return {
        "report_type": "trial_balance",
        "labels": balance.labels,
        "accounts": accounts,
        "totals": shown(balance.totals),
    }


def lay_out_trial_balance(balance: TrialBalance, words: Labels) -> Sheet:
    """Lay it out: a line an account, the sums last."""
    lines = [
        SheetLine((clean(line.number), clean(words.account(line.number, line.name)), *_flat(line.figures)))
        for line in balance.lines
    ]
    lines.append(SheetLine((words("Total"), None, *_flat(balance.totals)), Style.SUM))
    titles = figure_titles(balance, words)
    columns = (Column(words("Account")), Column(words("Name")), *(Column(title, Kind.AMOUNT) for title in titles))
    return Sheet(words("Trial balance"), " · ".join(map(clean, balance.labels)), columns, lines)


def figure_titles(balance: TrialBalance, words: Labels) -> list[str]:
    """Return what stands above the figures: the four of each column."""
    return _names([clean(label) for label in balance.labels], [words(title) for title in _TITLES], " · ")


def _names(labels: Sequence[str], figures: Sequence[str], between: str) -> list[str]:
    if len(labels) == 1:
        return list(figures)
    return [f"{label}{between}{figure}" for label in labels for figure in figures]


def _flat(figures: Sequence[tuple[Decimal, ...]]) -> Iterator[Decimal]:
    return (value for values in figures for value in values)


def _place(number: str, name: str) -> tuple[bool, str, str]:
    """The place of an account in a printed chart; what has no number comes last."""
    return not number, number.ljust(_DIGITS, "0"), name


def _label(column: dict[str, Any]) -> str:
    return str(column.get("name") or f"{column['date_from']} - {column['date_to']}")
