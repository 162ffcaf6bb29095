"""VAT: returns, EU statements, periods, and what is due when."""

from __future__ import annotations

from acctcli.cli.command.classes import Command
from acctcli.cli.command.group import new_group
from acctcli.cli.vat.calendar import show_calendar
from acctcli.cli.vat.periods import period
from acctcli.cli.vat.recapitulative import show_statement
from acctcli.cli.vat.returns import FilingCommand, show_return

app = new_group("VAT: returns, EU statements, periods, and what is due when.")
app.add_typer(period, name="period")
app.command("return", cls=FilingCommand)(show_return)
app.command("recapitulative", cls=FilingCommand)(show_statement)
app.command("calendar", cls=Command)(show_calendar)
