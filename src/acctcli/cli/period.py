"""Accounting periods: list, add, change, lock."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import ActionCommand, Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.command.options import day
from acctcli.cli.output.show import show_done
from acctcli.cli.session.state import State, state

COLUMNS = ("id", "start_date", "end_date", "is_locked")
WORDS = ("id", "start_date", "end_date", "status")
DETAILS = (*COLUMNS, "has_began", "has_ended", "created_at", "updated_at")
DETAILS_IN_WORDS = (*WORDS, "has_began", "has_ended", "created_at", "updated_at")

app = new_group("Accounting periods: list, add, change, lock.", shows="period:Period")

PeriodId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The accounting period's id.")]
FIELDS = (
    day("start_date", "--start", help="First day."),
    day("end_date", "--end", help="Last day."),
)


@app.command("list", cls=ListCommand)
def list_periods(ctx: Context) -> None:
    """List the accounting periods, the latest first."""
    from acctcli.cli.vat.rows import show_periods

    here = state(ctx)
    show_periods(here, here.api.periods, COLUMNS, WORDS)


@app.command("get", cls=Command)
def get_period(ctx: Context, period: PeriodId) -> None:
    """Show one accounting period."""
    from acctcli.cli.vat.rows import show_period

    here = state(ctx)
    show_period(here, here.api.periods.get(period), DETAILS, DETAILS_IN_WORDS)


@app.command("create", cls=CreateCommand.taking(*FIELDS))
def create_period(ctx: Context) -> None:
    """Add an accounting period; it may not overlap another."""
    from acctcli.cli.command.body import read_body
    from acctcli.cli.vat.rows import show_period
    from acctcli.models.period import PeriodRequest

    here = state(ctx)
    body = read_body(here, PeriodRequest)
    reply = here.api.periods.create(body, here.options.idempotency_key)
    show_period(here, reply, DETAILS, DETAILS_IN_WORDS)


@app.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_period(ctx: Context, period: PeriodId) -> None:
    """Change the days given; posted documents stay inside."""
    from acctcli.cli.command.body import read_changes
    from acctcli.cli.vat.rows import show_period
    from acctcli.models.period import PeriodRequest

    here = state(ctx)
    body = read_changes(here, PeriodRequest)
    show_period(here, here.api.periods.update(period, body), DETAILS, DETAILS_IN_WORDS)


@app.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_period(ctx: Context, period: PeriodId) -> None:
    """Give an accounting period other days, both of them."""
    from acctcli.cli.command.body import read_body
    from acctcli.cli.vat.rows import show_period
    from acctcli.models.period import PeriodRequest

    here = state(ctx)
    body = read_body(here, PeriodRequest)
    show_period(here, here.api.periods.replace(period, body), DETAILS, DETAILS_IN_WORDS)


@app.command("delete", cls=DeleteCommand)
def delete_period(ctx: Context, period: PeriodId) -> None:
    """Delete an accounting period without posted documents."""
    here = state(ctx)
    here.confirm(f"Delete accounting period {period}?")
    here.api.periods.delete(period)
    show_done(here, f"Deleted accounting period {period}.", id=period, deleted=True)


@app.command("lock", cls=ActionCommand)
def lock_period(ctx: Context, period: PeriodId) -> None:
    """Close an accounting period: nothing is posted or changed inside; only in the environment local."""
    _act(state(ctx), period, "lock")


@app.command("unlock", cls=ActionCommand)
def unlock_period(ctx: Context, period: PeriodId) -> None:
    """Open an accounting period again; only in the environment local."""
    _act(state(ctx), period, "unlock")


def _act(here: State, period: int, verb: str) -> None:
    from acctcli.cli.command.local_only import require_local
    from acctcli.cli.vat.rows import show_period

    require_local(here)
    reply = here.api.periods.act(period, f"action/{verb}/", key=here.options.idempotency_key)
    show_period(here, reply, DETAILS, DETAILS_IN_WORDS)
