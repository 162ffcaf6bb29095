"""What equity opened with, how it changed, what it closed with."""

from __future__ import annotations

from acctcli.service.rules.reports.equity import equity_figures, equity_rows
from acctcli.service.rules.reports.statement import Detail, profit_account
from tests.service.rules.reports.chart import chart, moved

ACCOUNTS = chart(LIA_EQU=250, LIA_PRE=40)
PROFIT = profit_account(ACCOUNTS, None)


def test_each_account_opens_changes_and_closes() -> None:
    before, changes = moved(LIA_PRE=10), moved(LIA_EQU=-100, REV_SAL=-600, EXP=200)
    columns = [
        equity_figures(ACCOUNTS, PROFIT, before, changes, has_openings=True),
        equity_figures(ACCOUNTS, PROFIT, {}, {}, has_openings=True),
    ]
    rows = equity_rows(ACCOUNTS, columns)
    assert [(row.name, row.level, row.is_sum, row.values) for row in rows] == [
        ("1017 LIA_EQU", 0, False, [350, 250]),
        ("Opening", 1, False, [250, 250]),
        ("Change", 1, False, [100, 0]),
        ("Closing", 1, True, [350, 250]),
        ("1018 LIA_PRE", 0, False, [30, 40]),
        ("Opening", 1, False, [30, 40]),
        ("Change", 1, False, [0, 0]),
        ("Closing", 1, True, [30, 40]),
        ("Result of the period", 0, False, [400, 0]),
        ("Total equity", 0, True, [780, 290]),
    ]
    assert rows[0].accounts == [Detail("1017", "LIA_EQU", [350, 250])]
    assert rows[8].accounts == [Detail("1007", "EXP", [-200, 0]), Detail("1022", "REV_SAL", [600, 0])]


def test_earlier_results_stand_on_the_account_for_them() -> None:
    column = equity_figures(ACCOUNTS, PROFIT, moved(REV_SAL=-70, EXP=20, LIA_PRE=-5), {}, has_openings=False)
    assert [(row.name, row.values) for row in equity_rows(ACCOUNTS, [column])[4:]] == [
        ("1018 LIA_PRE", [55]),
        ("Opening", [55]),
        ("Change", [0]),
        ("Closing", [55]),
        ("Result of the period", [0]),
        ("Total equity", [55]),
    ]


def test_the_account_for_earlier_results_is_that_of_the_settings_if_it_is_equity() -> None:
    ids = {account.type: account.id for account in ACCOUNTS}
    wanted = {kind: profit_account(ACCOUNTS, ids[kind]).type for kind in ("LIA_EQU", "LIA_PRE", "LIA_DEB")}
    assert wanted == {"LIA_EQU": "LIA_EQU", "LIA_PRE": "LIA_PRE", "LIA_DEB": "LIA_PRE"}


def test_earlier_results_stand_by_themselves_where_no_account_is_theirs() -> None:
    accounts = [account for account in ACCOUNTS if account.type != "LIA_PRE"]
    before = moved(REV_SAL=-70, EXP=20)
    column = equity_figures(accounts, profit_account(accounts, None), before, {}, has_openings=False)
    rows = equity_rows(accounts, [column])[4:]
    assert rows[0].accounts == []  # there is none to name
    assert [(row.name, row.values) for row in rows] == [
        ("Profit of previous periods", [50]),
        ("Opening", [50]),
        ("Change", [0]),
        ("Closing", [50]),
        ("Result of the period", [0]),
        ("Total equity", [50]),
    ]
