"""The end of a period: what is still open of it, tax, the next period, and the lock."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.bank.options import BankAccount, Statements
from acctcli.cli.command.classes import ActionCommand, CheckCommand, Context, new_group, shows
from acctcli.cli.session.state import state
from acctcli.errors import UsageError

POSTED = ("step", "status", "about", "amount")
CHECKED = ("part", "status", "record", "problem", "remedy")

app = new_group(__doc__)

Period = Annotated[
    str | None, typer.Option("--period", metavar="RANGE", help="A year, quarter or month: 2026, 2026-Q1, 2026-03.")
]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="DAY", help="First day, with --to: of a financial year that is no calendar year."),
]
To = Annotated[str | None, typer.Option("--to", metavar="DAY", help="Last day, with --from.")]
Tax = Annotated[
    str | None,
    typer.Option("--tax", metavar="AMOUNT", help="Income tax of the whole period; what was charged in it counts."),
]
TaxAccount = Annotated[
    str | None, typer.Option("--tax-account", metavar="NUMBER", help="Account of the tax, else the first of its type.")
]
Anyway = Annotated[bool, typer.Option("--anyway", help="Close it whatever is open.")]


@app.command("check", cls=CheckCommand)
@shows(CHECKED)
def check_period(
    ctx: Context,
    period: Period = None,
    first: From = None,
    last: To = None,
    files: Statements = None,
    account: BankAccount = None,
) -> None:
    """Go through what a period needs before it is closed, and name what is open; that is exit 10.

    Bank accounts against their statements, those named or kept with the books, receivables and payables by age against
    the books, VAT filed and as it was filed, drafts, receipts, clearing and suspense accounts, accruals,
    depreciation, and the next period. An account to which lines were imported is open without statements. --output
    junit is for CI.

    Example:
        acctcli close check --period 2026-03
        acctcli close check --from 2025-07-01 --to 2026-06-30
    """
    from acctcli.cli.close.closing import parse_period, read_closing
    from acctcli.cli.close.listing import show_open
    from acctcli.cli.output.check import check_output

    here = state(ctx)
    check_output(here)
    days = parse_period(period, first, last, here.today)
    show_open(here, read_closing(here, days, files or (), account), CHECKED)


@app.command("post", cls=ActionCommand)
@shows(POSTED)
def close_period(
    ctx: Context,
    period: Period = None,
    first: From = None,
    last: To = None,
    tax: Tax = None,
    tax_account: TaxAccount = None,
    anyway: Anyway = False,
) -> None:
    """Close an accounting period: post its income tax, make the next period, and lock it; only in local.

    What `close check` calls open keeps it from being closed. Tax is posted before VAT of the last days is reported,
    which closes them: then it says so, and the same command goes on afterwards. What is done already stays as it is.
    The result needs no document: the service carries it to later periods.

    Example: acctcli close post --period 2026 --anyway
    """
    from acctcli.cli.close.closing import parse_period, read_closing
    from acctcli.cli.close.posting import Wanted, close
    from acctcli.cli.command.pairs import read_amount

    here = state(ctx)
    here.require_local()
    if tax_account is not None and tax is None:
        raise UsageError("--tax-account says where --tax is posted: give both")
    amount = read_amount(tax, "--tax", or_nothing=True)
    days = parse_period(period, first, last, here.today)
    close(here, read_closing(here, days, (), None), Wanted(amount, tax_account, anyway), POSTED)
