"""The income statement adds up: revenue positive, expenses negative."""

from __future__ import annotations

from acctcli.service.rules.reports.income_statement import PLAN, SHORT_PLAN, income_figures
from acctcli.service.rules.reports.statement import build_rows
from tests.service.rules.reports.chart import chart, moved

MOVED = moved(
    REV_SAL=-600, REV=-20, REV_NO=-10, EXP=150, EXP_50=7, EXP_NO=3, EXP_DEP=25, EXP_TAX=20, EXP_TAX_PRE=5, ASS_PAY=420
)


def test_the_plan() -> None:
    rows = build_rows(PLAN, chart(), [income_figures(chart(), MOVED)])
    assert [(row.name, row.level, row.is_sum, row.values) for row in rows] == [
        ("Revenue", 0, False, [600]),
        ("Other income", 0, False, [30]),
        ("Expenses", 0, False, [-160]),
        ("Depreciation", 0, False, [-25]),
        ("Operating result", 0, True, [445]),
        ("Taxes", 0, False, [-25]),
        ("Result of the period", 0, True, [420]),
    ]
    assert [detail.values for detail in rows[2].accounts] == [[-150], [-7], [-3]]


def test_the_short_plan() -> None:
    rows = build_rows(SHORT_PLAN, chart(), [income_figures(chart(), MOVED)])
    assert [(row.name, row.is_sum, row.values) for row in rows] == [
        ("Revenue", False, [630]),
        ("Expenses", False, [-210]),
        ("Result", True, [420]),
    ]
