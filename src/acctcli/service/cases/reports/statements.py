"""Balance sheet, income statement, changes in equity (docs/interface.md 10.2)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from acctcli.law.closed_days import Span
from acctcli.service.cases.reports.columns import equity_span, layout, range_head, read_tags, start_of_result
from acctcli.service.cases.work import Work
from acctcli.service.rules.reports import balance_sheet as sheet
from acctcli.service.rules.reports import income_statement as income
from acctcli.service.rules.reports.equity import equity_figures, equity_rows
from acctcli.service.rules.reports.spans import day_before
from acctcli.service.rules.reports.statement import StatementLine, build_rows, profit_account
from acctcli.service.store.reports import ground
from acctcli.service.store.reports.movements import movements

if TYPE_CHECKING:
    from acctcli.models.report import AccountingReport, EquityReportRequest, PointReportRequest, RangeReportRequest

Plan = Iterable[StatementLine]


def balance_sheet(
    work: Work, asked: PointReportRequest, report_type: str = "balance_sheet", plan: Plan = sheet.PLAN
) -> AccountingReport:
    """Report what the business has and owes at the end of each column's day.

    With tags only their documents count, and no opening balances, which carry no tag.
    """
    tag_ids = read_tags(work, asked)
    accounts = ground.accounts(work.conn, work.business.id)
    days = [column.date_at for column in asked.columns]
    columns = [
        sheet.balance_figures(
            accounts,
            movements(work.conn, work.business.id, None, day, tag_ids),
            movements(work.conn, work.business.id, start_of_result(work, day), day, tag_ids),
            has_openings=not tag_ids,
        )
        for day in days
    ]
    statement = layout(asked).render(build_rows(plan, accounts, columns))
    return {"report_type": report_type, "date_from": None, "date_to": days[-1], **statement}


# only the sums, with equity and liabilities apart
balance_sheet_short = partial(balance_sheet, report_type="balance_sheet_short", plan=sheet.SHORT_PLAN)


def income_statement(
    work: Work, asked: RangeReportRequest, report_type: str = "income_statement", plan: Plan = income.PLAN
) -> AccountingReport:
    """Report what each column's range earned and cost."""
    tag_ids = read_tags(work, asked)
    accounts = ground.accounts(work.conn, work.business.id)
    spans = [Span(column.date_from, column.date_to) for column in asked.columns]
    columns = [
        income.income_figures(accounts, movements(work.conn, work.business.id, *span, tag_ids)) for span in spans
    ]
    return {**range_head(report_type, spans), **layout(asked).render(build_rows(plan, accounts, columns))}


# only revenue, expenses and result
income_statement_short = partial(income_statement, report_type="income_statement_short", plan=income.SHORT_PLAN)


def equity_changes(work: Work, asked: EquityReportRequest) -> AccountingReport:
    """Report what changed each account of equity in each column's range, and the result of it."""
    tag_ids = read_tags(work, asked)
    accounts = ground.accounts(work.conn, work.business.id)
    profit = profit_account(accounts, ground.previous_profit(work.conn, work.business.id))
    spans = [equity_span(work, column) for column in asked.columns]
    columns = [
        equity_figures(
            accounts,
            profit,
            movements(work.conn, work.business.id, None, day_before(span.start), tag_ids),
            movements(work.conn, work.business.id, *span, tag_ids),
            has_openings=not tag_ids,
        )
        for span in spans
    ]
    return {**range_head("equity_changes", spans), **layout(asked).render(equity_rows(accounts, columns))}
