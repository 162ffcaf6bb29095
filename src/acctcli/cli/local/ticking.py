"""`local tick`: what is due is done once, of a service that nobody serves."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from acctcli.cli.command.classes import Context
from acctcli.cli.local.books import open_books
from acctcli.cli.local.flows import advance_workflows, explained, preview_workflows
from acctcli.cli.output.stderr import how_many, how_many_are
from acctcli.cli.session.state import State, state
from acctcli.errors import Conflict, Incomplete, ServiceError

if TYPE_CHECKING:
    from collections.abc import Iterator
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
Minutes = Annotated[
    int,
    typer.Option(
        "--minutes",
        min=1,
        max=1440,
        metavar="N",
        help="How long invoices may be made, runs go on and deliveries begin.",
    ),
]

MINUTE = 60.0


def tick(
    ctx: Context,
    to: To = "today",
    deliver: Deliver = False,
    allow_private_targets: PrivateTargets = False,
    minutes: Minutes = 10,
) -> None:
    """Make and mail the invoices of templates that are due, each of them once.

    With --dry-run they are named, and nothing is made. Runs of workflows begin and go on, too, and with --deliver
    webhook subscriptions are told what they are to be told by now. A service that is served does all of it by itself,
    the last if it has --deliver, too. What is not done within --minutes is left for the next one.

    It ends with 8 if an invoice could not be made or mailed, with 10 if a run failed, if nothing could be delivered, or
    something not for good, or if something is left, and with 9 if the database is in the way.

    Example: acctcli local tick --dry-run
    """
    from acctcli.cli.command.dates import parse_day
    from acctcli.cli.output.show import show_values

    here = state(ctx)
    # each business has a today of its own
    last = None if to == "today" else parse_day(to, "--to", here.today)
    ticking = _Tick(
        here, is_preview=here.options.dry_run, allows_private=allow_private_targets, seconds=minutes * MINUTE
    )
    with open_books(here) as service:
        ticking.do(service, last, delivers=deliver)
    show_values(here, ticking.rows)
    ticking.end()


class _Tick:
    """What one run of `local tick` does: rows of what was done, or is due, and how it ends."""

    def __init__(self, here: State, *, is_preview: bool, allows_private: bool, seconds: float) -> None:
        self._here = here
        self._is_preview = is_preview
        self._allows_private = allows_private
        self._seconds = seconds
        self.rows: list[dict[str, Any]] = []
        self._told = ""
        self._unmailed = 0
        self._failure: ServiceError | Incomplete | None = None

    def do(self, service: EmbeddedService, last: date | None, *, delivers: bool) -> None:
        """Do all that is due; what was done before something is in the way is told all the same."""
        try:
            with explained():
                for row in self._rows(service, last):
                    self.rows.append(row)
                self._deliver(service) if delivers else self._tell_waiting(service)
        except ServiceError as refusal:
            self._failure = refusal

    def _rows(self, service: EmbeddedService, last: date | None) -> Iterator[dict[str, Any]]:
        for one in self._recurring(service, last):
            self._unmailed += one.without_subject
            yield _row(**one.told())
        # before deliveries: what they do is told, too
        if self._is_preview:
            yield from (_row(**run._asdict()) for run in preview_workflows(service))
            return
        began = time.monotonic()
        runs = advance_workflows(self._here, service, allows_private=self._allows_private, seconds=self._seconds)
        yield from (_row(**run._asdict()) for run in runs)
        if time.monotonic() - began >= self._seconds and service.has_work_left():
            self._leave("runs")

    def _recurring(self, service: EmbeddedService, last: date | None) -> Iterator[Done]:
        if self._is_preview:
            return service.preview_recurring(last)
        end = time.monotonic() + self._seconds

        def is_over() -> bool:
            if time.monotonic() < end:
                return False
            self._leave("invoices")
            return True

        return service.make_recurring(last, is_over)

    def _leave(self, what: str) -> None:
        """Say that not all could be done in the time there is."""
        self._failure = Incomplete(f"there was not enough time for all {what}", hint="the next tick goes on with them")

    def _tell_waiting(self, service: EmbeddedService) -> None:
        """Say how many events wait for --deliver, if any do."""
        if due := service.count_due_deliveries():
            self._told = f"{how_many_are(due, 'event')} to be delivered, which takes --deliver."

    def _deliver(self, service: EmbeddedService) -> None:
        """Deliver events that are due to webhook subscriptions, and say how many; nothing where none are."""
        if self._is_preview:
            due = service.count_due_deliveries()
            self._told = f"{how_many(due, 'event')} would be delivered." if due else ""
            return
        done = service.deliver(allows_private=self._allows_private, seconds=self._seconds)
        if done.delivered or done.refused:
            why = f"; {how_many(done.refused, 'attempt')} failed: acctcli webhook deliveries says why"
            self._told = f"Delivered {how_many(done.delivered, 'event')}{why if done.refused else ''}."
        if done.is_cut_short:
            self._leave("deliveries")
        elif done.given_up:
            see = "see: acctcli webhook deliveries --status failed"
            self._failure = Incomplete(f"gave up {how_many(done.given_up, 'event')}: no attempt follows", hint=see)
        elif done.refused and not done.delivered:
            self._failure = Incomplete("nothing could be delivered", hint="it is tried again when it is due")

    def end(self) -> None:
        """Say what has no row, and raise what was in the way of anything."""
        if self._unmailed:
            unmailed = how_many_are(self._unmailed, "invoice")
            self._here.say(f"note: {unmailed} to go by mail, and not mailed without a subject: acctcli invoice send")
        if self._told:
            self._here.say(self._told)
        elif not self.rows and self._failure is None:
            self._here.say(f"Nothing {'is' if self._is_preview else 'was'} due.")
        failed = [one for one in self.rows if one["problem"] is not None and one["action"] != "cancelled"]
        invoices = sum(one["template"] is not None for one in failed)
        if self._failure is not None and not isinstance(self._failure, Incomplete):
            raise self._failure
        if self._is_preview:
            return
        if invoices:
            templates = sum(one["template"] is not None for one in self.rows)
            raise Conflict(f"{invoices} of {templates} could not be done", hint="the next run tries them again")
        if failed:
            runs = len(self.rows) - sum(one["template"] is not None for one in self.rows)
            raise Incomplete(
                f"{len(failed)} of {how_many(runs, 'run')} failed", hint="see: acctcli workflow run get WORKFLOW RUN"
            )
        if self._failure is not None:
            raise self._failure


def _row(
    *,
    business: str,
    action: str,
    date: date | None = None,
    template: int | None = None,
    workflow: int | None = None,
    run: int | None = None,
    invoice_number: int | None = None,
    problem: str | None = None,
) -> dict[str, Any]:
    """Return what is told of an invoice of a template, or of a run of a workflow."""
    return {
        "business": business,
        "date": date,
        "template": template,
        "workflow": workflow,
        "run": run,
        "action": action,
        "invoice_number": invoice_number,
        "problem": problem,
    }
