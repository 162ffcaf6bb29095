"""What customers owe: by how long it has been due, and what it costs them to be late."""

from __future__ import annotations

from acctcli.cli.command.classes import Context
from acctcli.cli.invoice import options as opt
from acctcli.cli.session.state import state


def remind_customer(
    ctx: Context,
    ids: opt.Reminded,
    day: opt.RemindedOn = None,
    told: opt.References = None,
    statutory: opt.Statutory = False,
    lump_sum: opt.LumpSum = True,
) -> None:
    """Work out what a late customer owes: what is open, interest, lump sum; --output pdf is the reminder.

    Interest runs from the day after the due date to --date, at what the invoice says, else the law's rates by
    half-year, of which consumers owe no more. Nothing is posted or sent, and past part payments bear none.

    Example: acctcli invoice remind 2 --date 2026-06-30
    """
    from acctcli.cli.invoice.reminding import Wanted, remind

    here = state(ctx)
    on, rates = here.day("--date", day or "today"), opt.reference_rates(told or ())
    remind(here, ids, Wanted(on, statutory, lump_sum, rates))


def show_aging(ctx: Context, day: opt.AsOf = None) -> None:
    """Show what customers owe, by how long it has been due: a row for each, with totals in tables and json.

    Example: acctcli invoice aging --date 2026-03-31
    """
    from acctcli.cli.invoice import aging

    here = state(ctx)
    aging.show_aging(here, here.day("--date", day or "today"))
