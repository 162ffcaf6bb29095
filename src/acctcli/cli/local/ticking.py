"""`local tick`: what is due is done once, of a service that nobody serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Context
from acctcli.cli.local.books import open_books
from acctcli.cli.local.flows import advance_workflows
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import state
from acctcli.errors import Conflict

if TYPE_CHECKING:
    from datetime import date

    from acctcli.service.cases.invoices.recurrence import Done
    from acctcli.service.http.embedded import EmbeddedService

To = Annotated[
    str, typer.Option("--to", metavar="DATE", help="Last day to make invoices for: 2026-03-14, today or yesterday.")
]
Deliver = Annotated[bool, typer.Option("--deliver", help="Also deliver events to webhook subscriptions.")]
PrivateTargets = Annotated[
    bool,
    typer.Option(
        "--allow-private-targets",
        help="Deliver, and let workflows send, to this machine and private networks (not link-local).",
    ),
]


def tick(
    ctx: Context, to: To = "today", deliver: Deliver = False, allow_private_targets: PrivateTargets = False
) -> None:
    """Make and mail the invoices of templates that are due, each of them once.

    With --dry-run they are named, and nothing is made. Runs of workflows begin and go on, too, and with --deliver
    webhook subscriptions are told what they are to be told by now. A service that is served does all of it by itself,
    the last if it has --deliver, too.

    Example: acctcli local tick --dry-run
    """
    from acctcli.cli.command.dates import parse_day
    from acctcli.cli.output.show import show_values

    here = state(ctx)
    is_preview = here.options.dry_run
    # each business has a today of its own
    last = None if to == "today" else parse_day(to, "--to", here.today)
    with open_books(here) as service:
        done = [one.told() for one in _recurring(service, last, is_preview=is_preview)]
        # before deliveries: what they do is told, too
        ran = 0 if is_preview else advance_workflows(here, service, allows_private=allow_private_targets)
        told = _deliver(service, is_preview=is_preview, allows_private=allow_private_targets) if deliver else ""
    show_values(here, done)
    if told:
        here.say(told)
    elif not done and not ran:
        here.say(f"Nothing {'is' if is_preview else 'was'} due.")
    failed = sum(one["problem"] is not None for one in done)
    if failed and not is_preview:
        raise Conflict(f"{failed} of {len(done)} could not be done", hint="the next run tries them again")


def _recurring(service: EmbeddedService, last: date | None, *, is_preview: bool) -> list[Done]:
    from acctcli.service.problems import Problem

    try:
        return list(service.preview_recurring(last) if is_preview else service.make_recurring(last))
    except Problem as problem:
        raise Conflict(problem.detail) from problem


def _deliver(service: EmbeddedService, *, is_preview: bool, allows_private: bool) -> str:
    """Deliver events that are due to webhook subscriptions, and say how many; nothing where none are."""
    from acctcli.service.problems import Problem

    if is_preview:
        due = service.count_due_deliveries()
        return f"{how_many(due, 'event')} would be delivered." if due else ""
    try:
        delivered, refused = service.deliver(allows_private=allows_private)
    except Problem as problem:
        raise Conflict(problem.detail) from problem
    if not delivered and not refused:
        return ""
    rest = f"; {how_many(refused, 'attempt')} failed: acctcli webhook deliveries says why" if refused else ""
    return f"Delivered {how_many(delivered, 'event')}{rest}."
