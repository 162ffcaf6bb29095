"""VAT periods: list, add, change, lock, report."""

from __future__ import annotations

from typing import Annotated, ClassVar

import typer

from acctcli.cli.command.classes import (
    CONFIRM,
    DRY_RUN,
    KEY,
    ActionCommand,
    Command,
    CreateCommand,
    DeleteCommand,
    ListCommand,
    UpdateCommand,
)
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.output.check import check_output
from acctcli.cli.output.show import show_done
from acctcli.cli.session.state import State, state

COLUMNS = (
    "id",
    "period",
    "start_date",
    "end_date",
    "due_date",
    "recapitulative_due_date",
    "is_locked",
    "is_reported",
    "filing_tax_to_be_paid",
)
WORDS = (
    "id",
    "length",
    "start_date",
    "end_date",
    "due_date",
    "recapitulative_due_date",
    "status",
    "filing_tax_to_be_paid",
)
MORE = (
    "has_ended",
    "has_due_passed",
    "has_eu_sales",
    "has_locked_accounting_period",
    "filing_accepted_at",
    "purchase_invoice_id",
    "updated_at",
)
DETAILS, DETAILS_IN_WORDS = (*COLUMNS, *MORE), (*WORDS, *MORE)

period = new_group("VAT periods: list, add, change, lock, report.", shows="vat_period:VatPeriod")

VatPeriodId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The VAT period's id.")]
Start = Annotated[str | None, typer.Option("--start", metavar="DAY", help="First day, the first of a month.")]
Length = Annotated[str | None, typer.Option("--period", metavar="LENGTH", help="month, quarter or year.")]


class FinalCommand(Command):
    """A command that does something to a record and cannot be taken back."""

    shared: ClassVar = {"Request": (*KEY, *CONFIRM, *DRY_RUN), **Command.shared}


@period.command("list", cls=ListCommand)
def list_vat_periods(ctx: Context) -> None:
    """List the VAT periods with what is due when, the latest first.

    Example: acctcli vat period list
    """
    from acctcli.cli.vat.rows import show_periods

    here = state(ctx)
    show_periods(here, here.api.vat_periods, COLUMNS, WORDS)


@period.command("get", cls=Command)
def get_vat_period(ctx: Context, vat_period: VatPeriodId) -> None:
    """Show one VAT period.

    Example: acctcli vat period get 2
    """
    from acctcli.cli.vat.rows import show_period

    here = state(ctx)
    show_period(here, here.api.vat_periods.get(vat_period), DETAILS, DETAILS_IN_WORDS)


@period.command("create", cls=CreateCommand)
def create_vat_period(ctx: Context, start: Start = None, length: Length = None) -> None:
    """Add a VAT period; without options the one that follows the latest.

    Example: acctcli vat period create
    """
    from acctcli.cli.command.body import read_body
    from acctcli.cli.vat.rows import show_period
    from acctcli.models.vat_period import VatPeriodRequest

    here = state(ctx)
    body = read_body(here, VatPeriodRequest, _named(start, length))
    reply = here.api.vat_periods.create(body, here.options.idempotency_key)
    show_period(here, reply, DETAILS, DETAILS_IN_WORDS)


@period.command("update", cls=UpdateCommand)
def update_vat_period(ctx: Context, vat_period: VatPeriodId, start: Start = None, length: Length = None) -> None:
    """Change the first day or the length; the last day and the due dates follow.

    Example: acctcli vat period update 3 --period quarter
    """
    from acctcli.cli.command.body import read_changes
    from acctcli.cli.vat.rows import show_period
    from acctcli.models.vat_period import VatPeriodRequest

    here = state(ctx)
    body = read_changes(here, VatPeriodRequest, _named(start, length))
    show_period(here, here.api.vat_periods.update(vat_period, body), DETAILS, DETAILS_IN_WORDS)


@period.command("replace", cls=UpdateCommand)
def replace_vat_period(ctx: Context, vat_period: VatPeriodId, start: Start = None, length: Length = None) -> None:
    """Replace a VAT period; a length that is not given goes back to the business's own.

    Example: acctcli vat period replace 3 --start 2026-04-01 --period month
    """
    from acctcli.cli.command.body import read_body
    from acctcli.cli.vat.rows import show_period
    from acctcli.models.vat_period import VatPeriodRequest

    here = state(ctx)
    body = read_body(here, VatPeriodRequest, _named(start, length))
    show_period(here, here.api.vat_periods.replace(vat_period, body), DETAILS, DETAILS_IN_WORDS)


@period.command("delete", cls=DeleteCommand)
def delete_vat_period(ctx: Context, vat_period: VatPeriodId) -> None:
    """Delete a VAT period that is neither locked nor reported.

    Example: acctcli vat period delete 3 --yes
    """
    here = state(ctx)
    here.confirm(f"Delete VAT period {vat_period}?")
    here.api.vat_periods.delete(vat_period)
    show_done(here, f"Deleted VAT period {vat_period}.", id=vat_period, deleted=True)


@period.command("lock", cls=ActionCommand)
def lock_vat_period(ctx: Context, vat_period: VatPeriodId) -> None:
    """Lock a VAT period and the documents dated inside; only in the environment local.

    Example: acctcli vat period lock 2
    """
    _act(state(ctx), vat_period, "lock")


@period.command("unlock", cls=ActionCommand)
def unlock_vat_period(ctx: Context, vat_period: VatPeriodId) -> None:
    """Unlock a VAT period and the documents it had locked; only in the environment local.

    Example: acctcli vat period unlock 2
    """
    _act(state(ctx), vat_period, "unlock")


@period.command("report", cls=FinalCommand)
def report_vat_period(ctx: Context, vat_period: VatPeriodId) -> None:
    """Report the VAT of a period that has ended: lock it, net its VAT, owe the tax; only in the environment local.

    Example: acctcli vat period report 2 --yes
    """
    from acctcli.models.fields import fields_of

    here = state(ctx)
    # what cannot be shown must be refused before anything is done that cannot be taken back
    check_output(here, fields_of("vat_period:VatPeriod"))
    _act(here, vat_period, "report", question=f"Report the VAT of period {vat_period} and lock its documents for good?")


def _act(here: State, vat_period: int, verb: str, question: str | None = None) -> None:
    from acctcli.cli.vat.rows import show_period

    here.require_local()
    if question is not None:
        here.confirm(question)
    reply = here.api.vat_periods.act(vat_period, f"action/{verb}/", key=here.options.idempotency_key)
    show_period(here, reply, DETAILS, DETAILS_IN_WORDS)


def _named(start: str | None, length: str | None) -> dict[str, object]:
    from acctcli.cli.command.dates import parse_day

    return {
        "start_date": parse_day(start, "--start").isoformat() if start is not None else None,
        "period": _kind(length) if length is not None else None,
    }


def _kind(length: str) -> int:
    """Return the number the interface has for a length."""
    from acctcli.cli.vat.rows import LENGTHS
    from acctcli.errors import UsageError

    if length.lower() not in LENGTHS:
        raise UsageError(f"--period {length!r}: not a length; write {', '.join(LENGTHS[:-1])} or {LENGTHS[-1]}")
    return LENGTHS.index(length.lower())
