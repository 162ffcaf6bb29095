"""The balance sheet: what the business has and owes at the end of a day (docs/interface.md 4.3, 10.2)."""

from __future__ import annotations

from collections.abc import Sequence

from acctcli.models.enums import AccountType as T
from acctcli.service.rules.accounts import is_balance_sheet, is_debit_positive
from acctcli.service.rules.reports.statement import Account, Cents, Figures, Role, StatementLine

CARRIED, PROFIT, DIFFERENCE = "carried", "profit", "difference"

# opening balances that do not balance: named, so that both sides are equal and nobody overlooks it
OPENING_DIFFERENCE = StatementLine("Opening balance difference", 1, computed=(DIFFERENCE,), is_optional=True)
PLAN = (
    StatementLine("Assets", role=Role.HEADING),
    StatementLine("Fixed assets", 1, (T.ASS_DEP,)),
    StatementLine("Other assets", 1, (T.ASS,)),
    StatementLine("Trade receivables", 1, (T.ASS_DUE,)),
    StatementLine("Accrued receivables", 1, (T.ASS_REC,)),
    StatementLine("VAT receivables", 1, (T.ASS_VAT,)),
    StatementLine("Cash and bank", 1, (T.ASS_PAY,)),
    StatementLine("Total assets", role=Role.SUM),
    StatementLine("Equity and liabilities", role=Role.HEADING),
    StatementLine("Equity", 1, (T.LIA_EQU,)),
    StatementLine("Profit of previous periods", 1, (T.LIA_PRE,), (CARRIED,)),
    StatementLine("Profit of the period", 1, computed=(PROFIT,)),
    StatementLine("Loans", 1, (T.LIA_DEB,)),
    StatementLine("Trade payables", 1, (T.LIA_DUE,)),
    StatementLine("Accrued liabilities", 1, (T.LIA_ACC,)),
    StatementLine("VAT liability", 1, (T.LIA_VAT,)),
    StatementLine("Other liabilities", 1, (T.LIA,)),
    OPENING_DIFFERENCE,
    StatementLine("Total equity and liabilities", role=Role.SUM),
)
SHORT_PLAN = (
    StatementLine("Assets", role=Role.HEADING),
    StatementLine("Total assets", 0, tuple(kind for kind in T if kind.startswith("ASS")), role=Role.SUM),
    StatementLine("Equity and liabilities", role=Role.HEADING),
    StatementLine("Equity", 1, (T.LIA_EQU, T.LIA_PRE), (CARRIED, PROFIT)),
    StatementLine("Liabilities", 1, (T.LIA_DEB, T.LIA_DUE, T.LIA_ACC, T.LIA_VAT, T.LIA)),
    OPENING_DIFFERENCE,
    StatementLine("Total equity and liabilities", role=Role.SUM),
)


def balance_figures(accounts: Sequence[Account], moved: Cents, of_period: Cents, *, has_openings: bool) -> Figures:
    """Return the column of a day, every amount positive on its own side.

    `moved` is debit less credit up to the day, `of_period` the same from the start of its accounting period. Without
    openings, as where only tagged documents count, both sides balance by the documents alone.
    """
    natural: dict[int, int] = {}
    carried = profit = difference = 0
    for account in accounts:
        debit = moved.get(account.id, 0)
        if is_balance_sheet(account.type):
            sign = 1 if is_debit_positive(account.type) else -1
            opening = account.opening if has_openings else 0
            natural[account.id] = opening + sign * debit
            difference += sign * opening
        else:
            profit -= of_period.get(account.id, 0)
            carried -= debit - of_period.get(account.id, 0)
    return Figures(natural, {CARRIED: carried, PROFIT: profit, DIFFERENCE: difference})
