"""The end of a period: what is still open of it."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.bank.options import BankAccount, Statements
from acctcli.cli.command.classes import CheckCommand, Context, new_group, shows
from acctcli.cli.session.state import state

CHECKED = ("part", "status", "record", "problem", "remedy")

app = new_group(__doc__)

Period = Annotated[
    str, typer.Option("--period", metavar="RANGE", help="A year, quarter or month: 2026, 2026-Q1, 2026-03.")
]


@app.command("check", cls=CheckCommand)
@shows(CHECKED)
def check_period(ctx: Context, period: Period, files: Statements = None, account: BankAccount = None) -> None:
    """Go through what a period needs before it is closed, and name what is open; that is exit 10.

    Bank accounts against their statements, those named or kept with the books, receivables and payables by age against
    the books, VAT filed and as it was filed, drafts, receipts, clearing and suspense accounts, accruals,
    depreciation, and the next period. An account to which lines were imported is open without statements. --output
    junit is for CI.

    Example: acctcli close check --period 2026-03
    """
    from acctcli.cli.close.closing import parse_period, read_closing
    from acctcli.cli.close.listing import show_open
    from acctcli.cli.output.check import check_output

    here = state(ctx)
    check_output(here)
    show_open(here, read_closing(here, parse_period(period), files or (), account), CHECKED)
