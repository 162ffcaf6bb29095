"""What customers owe: by how long it has been due, and what it costs them to be late."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar

from acctcli.cli.command.classes import ActionCommand, Context, ReportCommand
from acctcli.cli.invoice import options as opt
from acctcli.cli.session.state import state
from acctcli.errors import UsageError


class RemindCommand(ReportCommand):
    """The command that shows a reminder, and may send it."""

    shared: ClassVar = {"Request": ActionCommand.shared["Request"], **ReportCommand.shared}


def remind_customer(
    ctx: Context,
    ids: opt.Reminded,
    method: opt.RemindedBy = None,
    day: opt.RemindedOn = None,
    days: opt.Term = None,
    fee: opt.Fee = None,
    told: opt.References = None,
    statutory: opt.Statutory = False,
    lump_sum: opt.LumpSum = True,
    doubt: opt.Doubt = None,
) -> None:
    """Show what a late customer owes: what is open, interest, fees or lump sum; with --method, remind the customer.

    Interest runs from the day after the due date to --date, on what was open at its end, at what the invoice says, else
    the law's rates by half-year, of which consumers owe no more. What is due on a Saturday, Sunday or holiday is late
    after the next working day. Past part payments bear none.

    --method email mails it with the invoice; --method paper keeps the letter as a file, and --output pdf hands it to
    you. Both note it with the invoice as a status message, from which the next reminder follows: the second, then the
    collection notice, each when the days that the last one gives are over. Nothing is posted before it is paid.

    Example:
        acctcli invoice remind 2 --date 2026-06-30
        acctcli invoice remind 2 --method paper --output pdf --output-file reminder.pdf
    """
    from acctcli.cli.command.pairs import read_amount
    from acctcli.cli.invoice.reminder_sending import Sent, remind
    from acctcli.cli.invoice.reminding import Wanted

    here = state(ctx)
    on, rates = here.day("--date", day or "today"), opt.reference_rates(told or ())
    wanted = Wanted(on, statutory, lump_sum, rates, read_amount(fee, "--fee") or Decimal("0.00"), days)
    way = None if method is None else opt.way_to_remind(method)
    if doubt is not None and way != "email":
        raise UsageError("--in-doubt is of a reminder that was mailed: add --method email")
    remind(here, ids, wanted, None if way is None else Sent(way, doubt))


def show_aging(ctx: Context, day: opt.AsOf = None) -> None:
    """Show what customers owe, by how long it has been due: a row for each, with totals in tables and json.

    Example: acctcli invoice aging --date 2026-03-31
    """
    from acctcli.cli.invoice import aging

    here = state(ctx)
    aging.show_aging(here, here.day("--date", day or "today"))
