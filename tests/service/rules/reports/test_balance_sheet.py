"""Both sides of the balance sheet, whatever was posted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from acctcli.models.enums import AccountType
from acctcli.service.rules.reports.balance_sheet import PLAN, SHORT_PLAN, balance_figures
from acctcli.service.rules.reports.statement import StatementRow, build_rows
from tests.service.rules.reports.chart import IDS, chart, moved


def shown(rows: list[StatementRow]) -> list[tuple[str, int]]:
    return [(f"{'  ' * row.level}{row.name}{'*' * row.is_sum}", row.values[0]) for row in rows]


# a share issue, a loan, a machine, sales and purchases of last year and of this one, VAT and tax
MOVED = moved(
    ASS=20, ASS_DEP=500, ASS_DUE=124, ASS_REC=30, ASS_VAT=24, ASS_PAY=742,
    LIA_EQU=-250, LIA_PRE=-40, LIA_DEB=-600, LIA_DUE=-62, LIA_ACC=-15, LIA_VAT=-48, LIA=-5,
    REV_SAL=-600, REV=-20, REV_NO=-10, EXP=150, EXP_50=7, EXP_NO=3, EXP_DEP=25, EXP_TAX=20, EXP_TAX_PRE=5,
)  # fmt: skip
THIS_YEAR = moved(REV_SAL=-400, EXP=100, EXP_TAX=20)


def test_the_plan() -> None:
    figures = balance_figures(chart(), MOVED, THIS_YEAR, has_openings=True)
    assert shown(build_rows(PLAN, chart(), [figures])) == [
        ("Assets", 0),
        ("  Fixed assets", 500),
        ("  Other assets", 20),
        ("  Trade receivables", 124),
        ("  Accrued receivables", 30),
        ("  VAT receivables", 24),
        ("  Cash and bank", 742),
        ("Total assets*", 1440),
        ("Equity and liabilities", 0),
        ("  Equity", 250),
        ("  Profit of previous periods", 180),
        ("  Profit of the period", 280),
        ("  Loans", 600),
        ("  Trade payables", 62),
        ("  Accrued liabilities", 15),
        ("  VAT liability", 48),
        ("  Other liabilities", 5),
        ("Total equity and liabilities*", 1440),
    ]


def test_the_short_plan() -> None:
    figures = balance_figures(chart(), MOVED, THIS_YEAR, has_openings=True)
    rows = build_rows(SHORT_PLAN, chart(), [figures])
    assert shown(rows) == [
        ("Assets", 0),
        ("Total assets*", 1440),
        ("Equity and liabilities", 0),
        ("  Equity", 710),
        ("  Liabilities", 730),
        ("Total equity and liabilities*", 1440),
    ]
    assert [detail.number for detail in rows[1].accounts] == ["1001", "1002", "1003", "1004", "1005", "1006"]


def test_openings_count_and_those_that_do_not_balance_are_named() -> None:
    accounts = chart(ASS_PAY=1000, LIA_EQU=250, LIA_DEB=-5)
    figures = balance_figures(accounts, {}, {}, has_openings=True)
    for plan in (PLAN, SHORT_PLAN):
        rows = {name.strip(): value for name, value in shown(build_rows(plan, accounts, [figures]))}
        assert rows["Opening balance difference"] == 755
        assert rows["Total assets*"] == rows["Total equity and liabilities*"] == 1000


def test_without_openings_there_is_no_difference() -> None:
    accounts = chart(ASS_PAY=1000)
    figures = balance_figures(accounts, MOVED, THIS_YEAR, has_openings=False)
    assert shown(build_rows(PLAN, accounts, [figures]))[7] == ("Total assets*", 1440)
    assert "Opening balance difference" not in [row.name for row in build_rows(PLAN, accounts, [figures])]


amounts = st.dictionaries(st.sampled_from(AccountType), st.integers(-(10**19), 10**19), max_size=22)


def of_documents(cents: dict[AccountType, int]) -> dict[int, int]:
    """Movements that balance, as those of documents do: what is missing stands on the bank account."""
    found = {IDS[kind]: amount for kind, amount in cents.items()}
    found[IDS[AccountType.ASS_PAY]] = -sum(amount for kind, amount in cents.items() if kind != AccountType.ASS_PAY)
    return found


@given(amounts, amounts, amounts)
def test_both_sides_are_equal(
    opening: dict[AccountType, int], before: dict[AccountType, int], since: dict[AccountType, int]
) -> None:
    accounts = chart(**{kind: cents for kind, cents in opening.items() if kind.startswith(("ASS", "LIA"))})
    of_period = of_documents(since)
    total = {number: of_documents(before).get(number, 0) + of_period.get(number, 0) for number in IDS.values()}
    columns = [balance_figures(accounts, total, of_period, has_openings=flag) for flag in (True, False)]
    for plan in (PLAN, SHORT_PLAN):
        rows = {row.name: row.values for row in build_rows(plan, accounts, columns)}
        assert rows["Total assets"] == rows["Total equity and liabilities"]
        assert rows.get("Opening balance difference", [0, 0])[1] == 0
