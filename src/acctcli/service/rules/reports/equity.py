"""Changes in equity: what each account of it opened with, how a range changed it, and the result.

See docs/interface.md 10.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from acctcli.models.enums import AccountType as T
from acctcli.service.rules.accounts import is_balance_sheet
from acctcli.service.rules.reports.income_statement import income_figures
from acctcli.service.rules.reports.statement import Account, Cents, Detail, StatementRow, add, list_details

EQUITY = (T.LIA_EQU, T.LIA_PRE)


class EquityFigures(NamedTuple):
    """One column, cents positive for equity: `opening` and `change` by account of equity, `results` by account of the
    result; `carried` is the result of everything before the range.
    """

    opening: Cents
    change: Cents
    results: Cents
    carried: int


def equity_figures(accounts: Sequence[Account], before: Cents, moved: Cents, *, has_openings: bool) -> EquityFigures:
    """Return the column of a range; `before` is debit less credit up to its first day, `moved` that of its days."""
    equity = [account for account in accounts if account.type in EQUITY]
    opening = {account.id: account.opening for account in equity} if has_openings else {}
    return EquityFigures(
        {account.id: opening.get(account.id, 0) - before.get(account.id, 0) for account in equity},
        {account.id: -moved.get(account.id, 0) for account in equity},
        income_figures(accounts, moved).accounts,
        -sum(before.get(account.id, 0) for account in accounts if not is_balance_sheet(account.type)),
    )


def equity_rows(accounts: Sequence[Account], columns: Sequence[EquityFigures]) -> list[StatementRow]:
    """Return for each account of equity its closing balance over opening, change and closing, then result and total.

    Earlier results that no document has moved to an account stand as an account of their own, where there are any.
    """
    rows: list[StatementRow] = []
    for account in (account for account in accounts if account.type in EQUITY):
        opening = [column.opening[account.id] for column in columns]
        change = [column.change[account.id] for column in columns]
        rows += _component(f"{account.number} {account.name}", opening, change, account)
    carried = [column.carried for column in columns]
    if any(carried):
        rows += _component("Profit of previous periods", carried, [0] * len(columns))
    results = [sum(column.results.values()) for column in columns]
    details = list_details(accounts, [column.results for column in columns])
    rows.append(StatementRow("Result of the period", 0, False, results, details))
    total = [sum(values) for values in zip(*(row.values for row in rows if row.level == 0), strict=True)]
    return [*rows, StatementRow("Total equity", 0, True, total, [])]


def _component(name: str, opening: list[int], change: list[int], account: Account | None = None) -> list[StatementRow]:
    closing = add(opening, change)
    details = [Detail(account.number, account.name, closing)] if account and any(closing) else []
    return [
        StatementRow(name, 0, False, closing, details),
        StatementRow("Opening", 1, False, opening, []),
        StatementRow("Change", 1, False, change, []),
        StatementRow("Closing", 1, True, closing, []),
    ]
