"""Accruals: posted at the end of a period, and taken back in the next one."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Context, CreateCommand, new_group
from acctcli.cli.document import options as opt
from acctcli.cli.session.state import state

app = new_group(__doc__, shows="document:Document")

ReverseOn = Annotated[
    str | None,
    typer.Option("--reverse-on", metavar="DAY", help="Day it is taken back on; the first after its period."),
]


@app.command("create", cls=CreateCommand.taking(*opt.LEGS, *opt.FIELDS, model="document:DocumentRequest"))
def create_accrual(ctx: Context, reverse_on: ReverseOn = None) -> None:
    """Post a document, and the one that takes it back on the first day of the next accounting period.

    They are related. The same command again posts nothing twice, and what is missing after it was cut off. Amounts are
    without VAT, which belongs to the day of the invoice; the accounts' own VAT codes are left alone.

    Example: acctcli accrual create --date 2026-03-31 --debit 7160:400 --credit 2960 --reverse-on 2026-04-01
    """
    from acctcli.cli.command.dates import parse_day
    from acctcli.cli.document.accruing import accrue, tagged
    from acctcli.cli.document.bodies import read_document, take_written
    from acctcli.cli.document.commands import DETAILS
    from acctcli.cli.document.rehearsal import rehearsed
    from acctcli.cli.document.shown import show_document

    here = state(ctx)
    asked = None if reverse_on is None else parse_day(reverse_on, "--reverse-on", here.today)
    made = read_document(here, take_written(here)._replace(has_own_vat=False))
    day = tagged(here, made.body, asked)
    if here.options.dry_run:
        here.say(f"note: what takes it back would be posted on {day}")
    with rehearsed(here, made.preview):
        show_document(here, accrue(here, made.body, day), DETAILS, is_posted=True)
