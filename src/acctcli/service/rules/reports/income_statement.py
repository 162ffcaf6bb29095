"""The income statement: what a range of days earned and cost; revenue positive, expenses negative.

See docs/interface.md 10.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from acctcli.models.enums import AccountType as T
from acctcli.service.rules.accounts import is_balance_sheet
from acctcli.service.rules.reports.statement import Account, Cents, Figures, Role, StatementLine

PLAN = (
    StatementLine("Revenue", 0, (T.REV_SAL,)),
    StatementLine("Other income", 0, (T.REV, T.REV_NO)),
    StatementLine("Expenses", 0, (T.EXP, T.EXP_50, T.EXP_NO)),
    StatementLine("Depreciation", 0, (T.EXP_DEP,)),
    StatementLine("Operating result", role=Role.SUM),
    StatementLine("Taxes", 0, (T.EXP_TAX, T.EXP_TAX_PRE)),
    StatementLine("Result of the period", role=Role.SUM),
)
SHORT_PLAN = (
    StatementLine("Revenue", 0, tuple(kind for kind in T if kind.startswith("REV"))),
    StatementLine("Expenses", 0, tuple(kind for kind in T if kind.startswith("EXP"))),
    StatementLine("Result", role=Role.SUM),
)


def income_figures(accounts: Sequence[Account], moved: Cents) -> Figures:
    """Return the column of a range from what it moved, debit less credit."""
    return Figures(
        {account.id: -moved.get(account.id, 0) for account in accounts if not is_balance_sheet(account.type)}
    )
