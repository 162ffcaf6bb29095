"""Changes in equity: what each account of it opened with, how a range changed it, and the result.

See docs/interface.md 10.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from acctcli.service.rules.accounts import is_balance_sheet
from acctcli.service.rules.reports.income_statement import income_figures
from acctcli.service.rules.reports.statement import (
    EQUITY,
    PREVIOUS_PROFIT,
    Account,
    Cents,
    Detail,
    StatementRow,
    add,
    list_details,
)


class EquityFigures(NamedTuple):
    """One column, cents positive for equity: `opening` and `change` by account of equity, earlier results among them;
    `results` by account of the result.
    """

    opening: Cents
    change: Cents
    results: Cents


def equity_figures(
    accounts: Sequence[Account], profit: Account, before: Cents, moved: Cents, *, has_openings: bool
) -> EquityFigures:
    """Return the column of a range; `before` is debit less credit up to its first day, `moved` that of its days.

    The result of everything before the range stands on the account `profit`.
    """
    equity = [account for account in accounts if account.type in EQUITY]
    opening = Counter({account.id: account.opening for account in equity} if has_openings else {})
    for account in accounts:
        if account.type in EQUITY or not is_balance_sheet(account.type):
            opening[account.id if account.type in EQUITY else profit.id] -= before.get(account.id, 0)
    change = {account.id: -moved.get(account.id, 0) for account in equity}
    return EquityFigures(opening, change, income_figures(accounts, moved).accounts)


def equity_rows(accounts: Sequence[Account], columns: Sequence[EquityFigures]) -> list[StatementRow]:
    """Return for each account of equity its closing balance over opening, change and closing, then result and total.

    Earlier results are an account of their own where the chart has none for them.
    """
    rows: list[StatementRow] = []
    for account in (account for account in accounts if account.type in EQUITY):
        rows += _component(f"{account.number} {account.name}", account, columns)
    if any(column.opening.get(PREVIOUS_PROFIT.id) for column in columns):
        rows += _component(PREVIOUS_PROFIT.name, PREVIOUS_PROFIT, columns)
    results = [sum(column.results.values()) for column in columns]
    details = list_details(accounts, [column.results for column in columns])
    rows.append(StatementRow("Result of the period", 0, False, results, details))
    total = [sum(values) for values in zip(*(row.values for row in rows if row.level == 0), strict=True)]
    return [*rows, StatementRow("Total equity", 0, True, total, [])]


def _component(name: str, account: Account, columns: Sequence[EquityFigures]) -> list[StatementRow]:
    opening = [column.opening.get(account.id, 0) for column in columns]
    change = [column.change.get(account.id, 0) for column in columns]
    closing = add(opening, change)
    details = [Detail(account.number, account.name, closing)] if account.number and any(closing) else []
    return [
        StatementRow(name, 0, False, closing, details),
        StatementRow("Opening", 1, False, opening, []),
        StatementRow("Change", 1, False, change, []),
        StatementRow("Closing", 1, True, closing, []),
    ]
