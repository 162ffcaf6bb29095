"""Which law lays a statement out, and how the statement is shown then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.output.show import ALL, show_record
from acctcli.cli.report.shapes import Statement, decode
from acctcli.cli.report.spans import Span, range_columns
from acctcli.cli.report.statutory import (
    arrange,
    as_document,
    compared,
    lay_out_statutory,
    machine_rows,
    read_places,
)
from acctcli.cli.report.view import PAPER, View
from acctcli.client.messages import Extent, encode_plain
from acctcli.errors import Forbidden, UsageError
from acctcli.law.statements import Size, Statements

if TYPE_CHECKING:
    from acctcli.cli.report.asked import Columns
    from acctcli.cli.report.asking import Ask
    from acctcli.cli.report.checks import Parts
    from acctcli.cli.report.months import Series

PLAIN = "plain"
_DASH = " \N{EN DASH} "


class _Period(msgspec.Struct):
    start_date: date
    end_date: date


_read_period = reader(_Period, "an accounting period")


class Asked(NamedTuple):
    """A statement: its command, its title, its columns, and what adds it up again."""

    name: str
    title: str
    columns: Columns
    check: Callable[[Statement], Parts]


class Law(NamedTuple):
    """How a country lays statements out, and for whom; `places` is what the chart says of its accounts."""

    statements: Statements
    size: Size
    places: dict[str, Any]


def statutory_law(view: View) -> Law | None:
    """Return the law that a statement is laid out by; None for the lines of the service.

    Raises UsageError where a layout was asked for that does not go with the other options, or is not known.
    """
    here = view.here
    layout = here.named.get("layout")
    is_part = bool(here.named.get("short") or here.named.get("tag_ids"))
    if layout == PLAIN or (layout is None and (here.format not in PAPER or is_part)):
        return None
    if is_part:
        raise UsageError(f"--layout {layout} shows whole statements: it goes with neither --short nor --tag")
    home = view.business
    if home.law is not None:
        try:
            places = read_places(here)
        except Forbidden:
            if layout is None:
                return None
            raise
        chart = home.chart((number, place.type) for number, place in places.items())
        if chart is not None and chart.statements is not None:
            return Law(chart.statements(), Size(layout or "statutory"), places)
    if layout is None:
        return None
    of = home.chart_name or home.country or "this country"
    raise UsageError(f"--layout {layout}: the lines of {of} are not known", hint="add --layout plain")


def with_year_before(view: View, columns: Columns) -> Columns:
    """Return a statement of an accounting period with the one before it beside, however long that was.

    Other columns are returned as they are: a year is what the law wants the earlier one beside of (docs/law.md 9).
    """
    first = columns[0]
    if len(columns) > 1 and not view.here.named.get("compare"):
        return columns
    try:
        listed = list(read_all(view.here.api.periods.list({}, Extent(limit=None)), _read_period))
    except Forbidden:
        return columns
    asked = date.fromisoformat(first.get("date_at") or first["date_to"])
    found = next((one for one in listed if one.end_date == asked), None)
    if found is None or ("date_from" in first and found.start_date.isoformat() != first["date_from"]):
        return columns
    before = next((one for one in listed if one.end_date == found.start_date - timedelta(days=1)), None)
    if before is None:
        return columns
    if "date_at" in first:
        return [first, {"date_at": before.end_date.isoformat()}]
    return [first, *range_columns([Span(before.start_date, before.end_date)], None)]


def show_statutory(view: View, law: Law, ask: Ask, asked: Asked, months: Callable[[], Sequence[Series]]) -> None:
    """Show a statement with the lines of a law; say on stderr which accounts have no place in it."""
    here = view.here
    statement = decode(ask(asked.name, asked.columns).body, Statement)
    asked.check(statement)
    schemes = law.statements.balance if asked.name == "balance-sheet" else law.statements.income
    arranged = arrange(schemes[law.size], statement, law.places, view.account_words)
    if here.named.get("change"):
        arranged = compared(arranged)
    accounts = bool(here.named.get("accounts"))
    if here.format == "json":
        head = {"report_type": asked.name.replace("-", "_"), "layout": law.size.value}
        days = {"date_from": statement.date_from, "date_to": statement.date_to}
        document = as_document(arranged, {**head, **days}, accounts=accounts)
        show_record(here, msgspec.Raw(encode_plain(document)), ALL)
    elif view.for_people:
        days_of = [_told(column, law.statements.day) for column in asked.columns]
        view.show(lay_out_statutory(arranged, asked.title, days_of, view.account_words, accounts=accounts), months)
    else:
        view.show_rows(machine_rows(arranged, accounts=accounts))
    if arranged.unplaced:
        here.say(
            f"warning: without a place in this layout: {', '.join(arranged.unplaced)}; put them under a header that is "
            "called like a line (acctcli header create, acctcli account update NUMBER --set header_id=ID)"
        )


def _told(column: dict[str, Any], form: str) -> str:
    """Return the days of a column as the country writes them."""
    days = (column["date_at"],) if "date_at" in column else (column["date_from"], column["date_to"])
    return _DASH.join(form.format(date.fromisoformat(day)) for day in days)
