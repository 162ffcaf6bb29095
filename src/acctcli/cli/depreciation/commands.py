"""Depreciation: plans of assets, and what is posted of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.cli.command.classes import ActionCommand, Command, Context, new_group, shows
from acctcli.cli.session.state import state

PLAN = ("asset", "period", "date", "opening", "depreciation", "closing")
POSTED = ("id", "number", "date", "description")

app = new_group(__doc__)

Assets = Annotated[
    Path | None,
    typer.Option("--assets", metavar="FILE", help="Assets, instead of assets.toml in the project's folder."),
]
Within = Annotated[
    str | None, typer.Option("--period", metavar="RANGE", help="Only what ends in it: 2026, 2026-Q1, 2026-03.")
]
Posted = Annotated[str, typer.Option("--period", metavar="RANGE", help="What ends in it: 2026, 2026-Q1, 2026-03.")]


@app.command("plan", cls=Command)
@shows(PLAN)
def show_plan(ctx: Context, assets: Assets = None, period: Within = None) -> None:
    """Show what each asset loses in each year or month of its use, to the cent; nothing is asked of the service.

    The file says of each asset the price, the method (straight-line, declining-balance, residue) and the accounts. What
    all portions come to is the price less the residual value.

    Example: acctcli depreciation plan --period 2026
    """
    from acctcli.cli.command.dates import parse_range
    from acctcli.cli.depreciation.assets import read_plans
    from acctcli.cli.depreciation.posting import rows_of
    from acctcli.cli.output.show import show_values

    here = state(ctx)
    days = None if period is None else parse_range(period, "--period", here.today)
    show_values(here, list(rows_of(read_plans(here, assets), days)), PLAN)


@app.command("post", cls=ActionCommand)
@shows(POSTED)
def post_period(ctx: Context, period: Posted, assets: Assets = None) -> None:
    """Post what plans say of a period, a document for each asset and year or month, each of them once.

    A document is found again by the tag in its description, also from another machine, and after a run that was cut
    off. One that is there with another amount than the plan has is named; that is exit 10.

    Example: acctcli depreciation post --period 2026
    """
    from acctcli.cli.command.dates import parse_range
    from acctcli.cli.depreciation.assets import read_plans
    from acctcli.cli.depreciation.posting import post

    here = state(ctx)
    post(here, read_plans(here, assets), parse_range(period, "--period", here.today), POSTED)
