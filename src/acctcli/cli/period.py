"""Accounting periods: list, add, change, lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Command, Context, CreateCommand, ListCommand, new_group, shows
from acctcli.cli.command.options import day, flag
from acctcli.cli.command.plain import Name, Resource
from acctcli.cli.output.show import show, show_rows
from acctcli.cli.session.state import State, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from acctcli.client.messages import Reply
    from acctcli.models.period import PeriodRequest

COLUMNS = ("id", "start_date", "end_date", "is_locked")
WORDS = ("id", "start_date", "end_date", "status")
DETAILS = (*COLUMNS, "has_began", "has_ended", "created_at", "updated_at")
DETAILS_IN_WORDS = (*WORDS, "has_began", "has_ended", "created_at", "updated_at")

FINGERPRINT_COLUMNS = ("id", "kind", "start_date", "end_date", "created_at", "author")
FINGERPRINT = (
    *FINGERPRINT_COLUMNS,
    "differing",
    "replaced",
    "journal",
    "ledger",
    "vat_report",
    "balance_sheet",
    "income_statement",
)

app = new_group(__doc__, shows="period:Period+status")
fingerprint = new_group("What reports of closed periods showed: a SHA-256 of each.", shows="period:Fingerprint")
app.add_typer(fingerprint, name="fingerprint")

Next = Annotated[bool, typer.Option("--next", help="The 12 months after the latest one.")]
CHANGE = flag("change_of_year", "--change-of-year", help="It is no 12 months, because the financial year changes.")
FIELDS = (
    day("start_date", "--start", help="First day."),
    day("end_date", "--end", help="Last day."),
)


def _present(here: State, reply: Reply) -> None:
    from acctcli.cli.vat.rows import show_period

    show_period(here, reply, DETAILS, DETAILS_IN_WORDS)


def _length(here: State) -> Callable[[PeriodRequest, Name | None], None]:
    """Refuse days by which the financial year would change, unless that is said."""
    changes = bool(here.named.pop(CHANGE.wire, False))

    def refuse(body: PeriodRequest, period: Name | None) -> None:
        from acctcli.cli.vat.years import refuse_change

        if not changes:
            refuse_change(here, body, period)

    return refuse


@app.command("list", cls=ListCommand)
def list_periods(ctx: Context) -> None:
    """List the accounting periods, the latest first.

    Example: acctcli period list
    """
    from acctcli.cli.vat.rows import show_periods

    here = state(ctx)
    show_periods(here, here.api.periods, COLUMNS, WORDS)
    if here.format == "table":
        from acctcli.cli.vat.years import remind

        remind(here)


periods = Resource(
    app,
    "accounting period",
    lambda api: api.periods,
    "period:PeriodRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    present=_present,
    checking=_length,
)
periods.get("Show one accounting period.", "acctcli period get 1")


@app.command("create", cls=CreateCommand.taking(*FIELDS, CHANGE, model=periods.model))
def create_period(ctx: Context, follows: Next = False) -> None:
    """Add an accounting period: the 12 months after the latest one, unless told otherwise.

    It leaves no days between periods, and one that follows another and is longer or shorter changes the financial year:
    say so with --change-of-year. At most 18 months in Finland, 12 in Germany.

    Example: acctcli period create --next
    """
    from acctcli.cli.vat.years import read_period

    here = state(ctx)
    changes = bool(here.named.pop(CHANGE.wire, False))
    body = read_period(here, follows=follows, changes=changes)
    _present(here, here.api.periods.create(body, here.options.idempotency_key))


periods.update(
    "Change the days given; posted documents stay inside.", "acctcli period update 2 --end 2025-12-31", CHANGE
)
periods.replace(
    "Give an accounting period other days, both of them.",
    "acctcli period replace 2 --start 2025-01-01 --end 2025-12-31",
    CHANGE,
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


@fingerprint.command("list", cls=ListCommand)
def list_fingerprints(ctx: Context) -> None:
    """List the fingerprints of closed periods, the latest first; only in the environment local.

    Example: acctcli period fingerprint list
    """
    here = state(ctx)
    here.require_local()
    show_rows(here, here.api.fingerprints.list({}, here.extent), FINGERPRINT_COLUMNS)


@fingerprint.command("get", cls=Command)
@shows("period:CheckedFingerprint")
def get_fingerprint(
    ctx: Context, fingerprint: Annotated[int, typer.Argument(metavar="ID", min=1, help="The fingerprint's id.")]
) -> None:
    """Show a fingerprint, with the reports that show other figures by now, which is exit 10; only in local.

    It is compared with what the audit trail recorded when the period was closed, too.

    Example: acctcli period fingerprint get 1
    """
    from acctcli.cli.check.closed import refuse_differing

    here = state(ctx)
    here.require_local()
    reply = here.api.fingerprints.get(fingerprint)
    show(here, reply, FINGERPRINT)
    refuse_differing(reply)
