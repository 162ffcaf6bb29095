"""What a report was asked for: its columns, their labels, and the tags it is narrowed to (docs/interface.md 10.1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from acctcli.law.closed_days import Span
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid
from acctcli.service.rules.reports.spans import day_before, result_start, turns
from acctcli.service.rules.reports.statement import Carried, Layout
from acctcli.service.store.books import periods
from acctcli.service.store.reports import ground
from acctcli.service.store.reports.movements import movements

if TYPE_CHECKING:
    from acctcli.models.report import (
        EquityColumn,
        EquityReportRequest,
        PointColumn,
        PointReportRequest,
        RangeColumn,
        RangeReport,
        RangeReportRequest,
    )

    Asked = RangeReportRequest | PointReportRequest | EquityReportRequest


def read_tags(work: Work, asked: Asked) -> list[int]:
    """Return the tags a report is narrowed to; one the business does not have is refused."""
    tag_ids: list[int] = list(dict.fromkeys(asked.tag_ids))
    known = ground.known_tags(work.conn, work.business.id, tag_ids)
    for tag_id in tag_ids:
        if tag_id not in known:
            raise Invalid.field("tag_ids", f"Unknown tag id {tag_id}.")
    return tag_ids


def first_span(asked: RangeReportRequest) -> Span:
    """Return the range of the first column, the only one that journal, ledger and VAT reports look at."""
    return Span(asked.columns[0].date_from, asked.columns[0].date_to)


def start_of_result(work: Work, day: date) -> date:
    """Return the first day of the accounting period of a day."""
    return result_start(day, periods.spans(work.conn, work.business.id))


def carried_results(work: Work, span: Span, tag_ids: Sequence[int]) -> list[Carried]:
    """Return what accounts of the result moved up to each day of a range on which an accounting period begins, its
    first day aside, since the one before it began.
    """
    moved = ground.moved_days(work.conn, work.business.id)
    if moved is None:
        return []
    spans = periods.spans(work.conn, work.business.id)
    begin = result_start(span.start, spans)
    found = []
    for day in turns(span, spans, moved):
        found.append(Carried(day, movements(work.conn, work.business.id, begin, day_before(day), tag_ids)))
        begin = day
    return found


def equity_span(work: Work, column: EquityColumn) -> Span:
    """Return the range of a column; a day means from the start of its accounting period."""
    if column.date_at is not None:
        return Span(start_of_result(work, column.date_at), column.date_at)
    assert column.date_from is not None
    assert column.date_to is not None
    return Span(column.date_from, column.date_to)


def layout(asked: Asked) -> Layout:
    """Return how a statement is laid out; only two columns can be compared."""
    labels = [_label(column) for column in asked.columns]
    compared = asked.append_comparison_columns and len(labels) == 2
    return Layout(labels, asked.extend_accounts, compared)


def _label(column: RangeColumn | PointColumn | EquityColumn) -> str:
    day = getattr(column, "date_at", None)
    return column.name or (str(day) if day else f"{column.date_from} - {column.date_to}")  # type: ignore[union-attr]


def range_head(report_type: str, spans: Sequence[Span]) -> RangeReport:
    """Return the first fields of a report on ranges: its days are those of its first column."""
    return {"report_type": report_type, "date_from": spans[0].start, "date_to": spans[0].end}
