"""Reports on a business."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from acctcli.cli._dates import choose_range
from acctcli.cli._group import Context, From, Period, To, new_group
from acctcli.cli._options import Command
from acctcli.cli._output import show_report
from acctcli.cli._state import state
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.models.report import RangeReportRequest

JOURNAL_COLUMNS = (
    "number",
    "date",
    "document_id",
    "account_number",
    "account_name",
    "debet",
    "credit",
    "description",
)

app = new_group("Reports on a business.")


@app.command("journal", cls=Command)
def report_journal(ctx: Context, period: Period = None, first: From = None, last: To = None) -> None:
    """List every entry of a range in the order of its date; the current year unless told otherwise."""
    from acctcli.cli._journal import rows_of_journal

    here = state(ctx)
    reply = here.api.report("journal", _one_column(*choose_range(period, first, last)))
    show_report(here, reply, rows_of_journal, JOURNAL_COLUMNS)


def _one_column(first: date | None, last: date | None) -> RangeReportRequest:
    from acctcli.models.report import RangeReportRequest

    if (first is None) != (last is None):
        raise UsageError("give both --from and --to, or --period")
    if first is None or last is None:
        year = date.today().year
        first, last = date(year, 1, 1), date(year, 12, 31)
    column = {"date_from": first.isoformat(), "date_to": last.isoformat()}
    return RangeReportRequest.model_validate({"columns": [column]})
