"""Accounting periods: list, add, change, lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.cli.command.classes import Context, ListCommand, new_group
from acctcli.cli.command.options import day
from acctcli.cli.command.plain import Resource
from acctcli.cli.session.state import State, state

if TYPE_CHECKING:
    from acctcli.client.messages import Reply

COLUMNS = ("id", "start_date", "end_date", "is_locked")
WORDS = ("id", "start_date", "end_date", "status")
DETAILS = (*COLUMNS, "has_began", "has_ended", "created_at", "updated_at")
DETAILS_IN_WORDS = (*WORDS, "has_began", "has_ended", "created_at", "updated_at")

app = new_group(__doc__, shows="period:Period")

FIELDS = (
    day("start_date", "--start", help="First day."),
    day("end_date", "--end", help="Last day."),
)


def _present(here: State, reply: Reply) -> None:
    from acctcli.cli.vat.rows import show_period

    show_period(here, reply, DETAILS, DETAILS_IN_WORDS)


@app.command("list", cls=ListCommand)
def list_periods(ctx: Context) -> None:
    """List the accounting periods, the latest first.

    Example: acctcli period list
    """
    from acctcli.cli.vat.rows import show_periods

    here = state(ctx)
    show_periods(here, here.api.periods, COLUMNS, WORDS)


periods = Resource(
    app,
    "accounting period",
    lambda api: api.periods,
    "period:PeriodRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    present=_present,
)
periods.get("Show one accounting period.", "acctcli period get 1")
periods.create(
    "Add an accounting period; it may not overlap another.",
    "acctcli period create --start 2020-01-01 --end 2020-12-31",
)
periods.update("Change the days given; posted documents stay inside.", "acctcli period update 2 --end 2025-12-31")
periods.replace(
    "Give an accounting period other days, both of them.",
    "acctcli period replace 2 --start 2025-01-01 --end 2025-12-31",
)
periods.delete("Delete an accounting period without posted documents.", "acctcli period delete 2 --yes")
periods.act(
    "lock",
    "Close an accounting period: nothing is posted or changed inside; only in the environment local.",
    "acctcli period lock 1",
    "action/lock/",
    local_only=True,
)
periods.act(
    "unlock",
    "Open an accounting period again; only in the environment local.",
    "acctcli period unlock 1",
    "action/unlock/",
    local_only=True,
)
