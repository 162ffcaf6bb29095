"""VAT periods: list, add, change, lock, report, reopen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.called import VAT_PERIOD, id_argument
from acctcli.cli.command.classes import ActionCommand, Context, CreateCommand, ListCommand, new_group
from acctcli.cli.command.options import day, field
from acctcli.cli.command.plain import Resource
from acctcli.cli.completing import values
from acctcli.cli.output.check import check_output
from acctcli.cli.session.state import State, state
from acctcli.cli.vat.returns import Adjustments, Prepayment, prepaid_amount
from acctcli.errors import Conflict, UsageError

if TYPE_CHECKING:
    from acctcli.client.messages import Reply

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

period = new_group("VAT periods: list, add, change, lock, report, reopen.", shows="vat_period:VatPeriod+status,length")


def _kind(length: str) -> int:
    """Return the number the interface has for a length."""
    from acctcli.cli.vat.rows import LENGTHS

    if length.lower() not in LENGTHS:
        raise UsageError(f"--period {length!r}: not a length; write {', '.join(LENGTHS[:-1])} or {LENGTHS[-1]}")
    return LENGTHS.index(length.lower())


FIELDS = (
    day("start_date", "--start", help="First day, the first of a month."),
    field("period", "--period", metavar="LENGTH", help="month, quarter or year.", read=_kind),
)


VatPeriodId = Annotated[int, id_argument(VAT_PERIOD)]
Since = Annotated[
    str | None,
    typer.Option("--from", metavar="DAY", help="All that are missing from this day, or month, up to those there are."),
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why, for whoever audits the books.")]


@period.command("list", cls=ListCommand)
def list_vat_periods(ctx: Context) -> None:
    """List the VAT periods with what is due when, the latest first.

    Example: acctcli vat period list
    """
    from acctcli.cli.vat.rows import show_periods

    here = state(ctx)
    show_periods(here, here.api.vat_periods, COLUMNS, WORDS)


def _present(here: State, reply: Reply) -> None:
    from acctcli.cli.vat.rows import show_period

    show_period(here, reply, DETAILS, DETAILS_IN_WORDS)


vat_periods = Resource(
    period,
    VAT_PERIOD.noun,
    VAT_PERIOD.records,
    "vat_period:VatPeriodRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    present=_present,
    kind=VAT_PERIOD,
)
vat_periods.get("Show one VAT period.", "acctcli vat period get 2026-03")


@period.command("create", cls=CreateCommand.taking(*FIELDS, model=vat_periods.model))
def create_vat_period(ctx: Context, since: Since = None) -> None:
    """Add a VAT period; without options the one that follows the latest, with --from all that are missing.

    Example:
        acctcli vat period create
        acctcli vat period create --from 2025-01
    """
    from acctcli.cli.command.body import read_body
    from acctcli.models.vat_period import VatPeriodRequest

    here = state(ctx)
    if since is None:
        body = read_body(here, VatPeriodRequest)
        _present(here, here.api.vat_periods.create(body, here.options.idempotency_key))
        return
    from acctcli.cli.command.dates import parse_range
    from acctcli.cli.vat.missing import create_missing

    create_missing(here, parse_range(since, "--from", here.today)[0], COLUMNS)


vat_periods.update(
    "Change the first day or the length; the last day and the due dates follow.",
    "acctcli vat period update 3 --period quarter",
)
vat_periods.replace(
    "Replace a VAT period; a length that is not given goes back to the business's own.",
    "acctcli vat period replace 3 --start 2026-04-01 --period month",
)
vat_periods.delete("Delete a VAT period that is neither locked nor reported.", "acctcli vat period delete 3 --yes")
vat_periods.act(
    "lock",
    "Lock a VAT period and the documents dated inside; only in the environment local.",
    "acctcli vat period lock 2",
    "action/lock/",
    local_only=True,
)
vat_periods.act(
    "unlock",
    "Unlock a VAT period and the documents it had locked; only in the environment local.",
    "acctcli vat period unlock 2",
    "action/unlock/",
    local_only=True,
)


@period.command("report", cls=ActionCommand)
def report_vat_period(
    ctx: Context, vat_period: VatPeriodId, adjustments: Adjustments = None, prepayment: Prepayment = None
) -> None:
    """Report the VAT of a period that has ended: lock it, net its VAT, owe the tax; only in the environment local.

    What is reported is the return that `vat return` shows with the same options; one that cannot be filed is refused.

    Example: acctcli vat period report 2 --yes
    """
    from acctcli.cli.output.replies import decoded
    from acctcli.cli.report.shapes import Untold
    from acctcli.cli.vat.filing import fetch_business, say_uncredited, say_untold
    from acctcli.cli.vat.returns import ADJUSTING
    from acctcli.law.duties import VatPeriod
    from acctcli.law.filing import ADJUSTMENTS, NO_BOX
    from acctcli.models.vat_period import VatFilingRequest

    here = state(ctx)
    # what cannot be shown must be refused before anything is done that cannot be taken back
    check_output(here, values.fields(ctx))
    here.require_local()
    given = {"adjustments": adjustments, "special_prepayment": prepaid_amount(prepayment) or None}
    said = {name: value for name, value in given.items() if value is not None}
    body = VatFilingRequest.model_validate(said) if said else None
    here.confirm(f"Report the VAT of period {vat_period} and lock its documents?")
    try:
        reply = here.api.vat_periods.act(vat_period, "action/report/", body, here.options.idempotency_key)
    except Conflict as refused:
        if f"{NO_BOX} {ADJUSTMENTS}" in refused.message:
            refused.hint = ADJUSTING
        raise
    _present(here, reply)
    untold = decoded(reply, Untold)
    say_untold(here, untold.unclaimed_money, untold.returned_money)
    reported = decoded(reply, VatPeriod)
    # only the last month of a year credits it, and only then is the business asked for
    if prepayment is None and reported.end_date.month == 12:
        say_uncredited(here, fetch_business(here), reported.start_date, reported.end_date)


@period.command("reopen", cls=ActionCommand)
def reopen_vat_period(ctx: Context, vat_period: VatPeriodId, reason: Reason) -> None:
    """Open a reported VAT period again, to correct it and report it anew; only in the environment local.

    The netting of its VAT is deleted, and the tax it owes as long as that is not paid. Correct the documents, see what
    the return says now, report the period again, and hand in the return with `vat return --corrects`.

    Example: acctcli vat period reopen 4 --reason 'Invoice 17 was booked twice' --yes
    """
    from acctcli.models.vat_period import VatReopenRequest

    here = state(ctx)
    check_output(here, values.fields(ctx))
    here.require_local()
    if not reason.strip():
        raise UsageError("--reason is empty: say why the period is opened again")
    body = VatReopenRequest(reason=reason)
    here.confirm(f"Open VAT period {vat_period} again, though its VAT has been reported?")
    _present(here, here.api.vat_periods.act(vat_period, "action/reopen/", body, here.options.idempotency_key))
