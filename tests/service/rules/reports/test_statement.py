"""Rows by a plan, and how they go to the wire."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.models.enums import AccountType as T
from acctcli.service.rules.reports.statement import (
    Detail,
    Figures,
    Layout,
    Role,
    StatementLine,
    StatementRow,
    build_rows,
    compare,
)
from tests.service.rules.reports.chart import chart, moved

PLAN = (
    StatementLine("Head", role=Role.HEADING),
    StatementLine("Cash", 1, (T.ASS_PAY,)),
    StatementLine("Claims", 1, (T.ASS_DUE, T.ASS_REC), ("more",)),
    StatementLine("Rare", 1, computed=("rare",), is_optional=True),
    StatementLine("Sum", role=Role.SUM),
    StatementLine("Next head", role=Role.HEADING),
    StatementLine("Sum of its own", 0, (T.ASS,), role=Role.SUM),
)


def test_a_plan_becomes_rows() -> None:
    columns = [
        Figures(moved(ASS_PAY=100, ASS_DUE=7, ASS_REC=-2, ASS=9), {"more": 1, "rare": 0}),
        Figures(moved(ASS_PAY=50, ASS=1), {"more": 0, "rare": 0}),
    ]
    assert build_rows(PLAN, chart(), columns) == [
        StatementRow("Head", 0, False, [0, 0], []),
        StatementRow("Cash", 1, False, [100, 50], [Detail("1004", "ASS_PAY", [100, 50])]),
        StatementRow(
            "Claims", 1, False, [6, 0], [Detail("1003", "ASS_DUE", [7, 0]), Detail("1005", "ASS_REC", [-2, 0])]
        ),
        StatementRow("Sum", 0, True, [106, 50], []),
        StatementRow("Next head", 0, False, [0, 0], []),
        StatementRow("Sum of its own", 0, True, [9, 1], [Detail("1001", "ASS", [9, 1])]),
    ]


def test_a_row_that_may_be_missing_is_there_when_any_column_needs_it() -> None:
    columns = [Figures({}, {"more": 0, "rare": 0}), Figures({}, {"more": 0, "rare": -4})]
    rows = build_rows(PLAN, chart(), columns)
    assert [(row.name, row.values) for row in rows if any(row.values)] == [("Rare", [0, -4]), ("Sum", [0, -4])]


ROW = StatementRow("Cash", 1, False, [150, 120], [Detail("1910", "Bank", [150, 0])])


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (
            Layout(["a", "b"], has_accounts=False, has_comparison=False),
            {
                "labels": ["a", "b"],
                "rows": [
                    {
                        "name": "Cash",
                        "level": 1,
                        "is_sum_row": False,
                        "values": [Decimal("1.50"), Decimal("1.20")],
                        "accounts": [],
                    }
                ],
            },
        ),
        (
            Layout(["a", "b"], has_accounts=True, has_comparison=True),
            {
                "labels": ["a", "b", "change", "change %"],
                "rows": [
                    {
                        "name": "Cash",
                        "level": 1,
                        "is_sum_row": False,
                        "values": [Decimal("1.50"), Decimal("1.20"), Decimal("0.30"), Decimal("25.00")],
                        "accounts": [
                            {
                                "number": "1910",
                                "name": "Bank",
                                "values": [Decimal("1.50"), Decimal("0.00"), Decimal("1.50"), Decimal("0.00")],
                            }
                        ],
                    }
                ],
            },
        ),
    ],
)
def test_rows_go_to_the_wire(layout: Layout, expected: object) -> None:
    assert layout.render([ROW]) == expected


@pytest.mark.parametrize(
    ("first", "second", "change"),
    [
        (150, 100, (50, 5000)),
        (100, 150, (-50, -3333)),
        (200, 300, (-100, -3333)),
        (100, 300, (-200, -6667)),
        # less of an expense is better, and so is a profit after a loss
        (-80, -100, (20, 2000)),
        (50, -100, (150, 15000)),
        (5, 0, (5, 0)),
        (0, 0, (0, 0)),
        (2**70, 1, (2**70 - 1, (2**70 - 1) * 10_000)),
    ],
)
def test_two_columns_are_compared(first: int, second: int, change: tuple[int, int]) -> None:
    assert compare(first, second) == change
