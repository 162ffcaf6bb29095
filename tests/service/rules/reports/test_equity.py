"""What equity opened with, how it changed, what it closed with."""

from __future__ import annotations

from acctcli.service.rules.reports.equity import equity_figures, equity_rows
from acctcli.service.rules.reports.statement import Detail
from tests.service.rules.reports.chart import chart, moved

ACCOUNTS = chart(LIA_EQU=250, LIA_PRE=40)


def test_each_account_opens_changes_and_closes() -> None:
    before, changes = moved(LIA_PRE=10), moved(LIA_EQU=-100, REV_SAL=-600, EXP=200)
    columns = [
        equity_figures(ACCOUNTS, before, changes, has_openings=True),
        equity_figures(ACCOUNTS, {}, {}, has_openings=True),
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


def test_earlier_results_that_nobody_moved_stand_by_themselves() -> None:
    rows = equity_rows(ACCOUNTS, [equity_figures(ACCOUNTS, moved(REV_SAL=-70, EXP=20), {}, has_openings=False)])
    assert [(row.name, row.values) for row in rows[8:]] == [
        ("Profit of previous periods", [50]),
        ("Opening", [50]),
        ("Change", [0]),
        ("Closing", [50]),
        ("Result of the period", [0]),
        ("Total equity", [50]),
    ]
