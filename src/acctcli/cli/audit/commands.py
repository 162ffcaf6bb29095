"""Audit trail: who changed what, when; verify and export it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, Context, ListCommand, new_group, shows
from acctcli.cli.command.options import INT, RANGE, field, range_query
from acctcli.cli.output.show import show, show_done, show_rows, show_values
from acctcli.cli.session.state import state

COLUMNS = ("id", "created_at", "author", "type", "record_id", "operation", "via")
HISTORY = ("id", "created_at", "author", "type", "changes")
VERIFIED = ("records", "last_id", "last_hash", "sealed_until", "other_seals", "unproved_until", "faults")

app = new_group(__doc__, shows="audit:AuditRecord")

FILTERS = (
    field("resource", "--record", metavar="WORD", help="Only changes of a kind, such as document."),
    field("record_id", "--id", type=INT, metavar="ID", help="Only changes of the one with this id."),
    field("type", "--type", metavar="TYPE", help="Only of this type, such as document.deleted."),
    field("person", "--person", metavar="TEXT", help="Only by whom has this in their name or address."),
    field("operation", "--operation", metavar="NAME", help="Only by this operation, such as create_document."),
)
Word = Annotated[str, typer.Argument(metavar="WORD", help="What it is, such as document or account.")]
RecordId = Annotated[int, typer.Argument(metavar="ID", min=1, help="Its id; of one that was deleted, too.")]
Target = Annotated[Path, typer.Argument(metavar="DIR", file_okay=False, help="New folder to write.")]


@app.command("list", cls=ListCommand.taking(*RANGE, *FILTERS))
def list_records(ctx: Context) -> None:
    """List the records of the audit trail, the newest first; days are those of UTC.

    A number that documents leave out was deleted: --type document.deleted says when and by whom, with
    --columns created_at,author,data.number.

    Example: acctcli audit list --record document --person anna --period 2026
    """
    here = state(ctx)
    here.require_local()
    query = {**range_query(here, "created_at_gte", "created_at_lte"), **here.named}
    show_rows(here, here.api.audit.list(query, here.extent), COLUMNS)


@app.command("show", cls=Command)
def show_history(ctx: Context, word: Word, record: RecordId) -> None:
    """Show all that was done to one record, the oldest first, with what each change made of it.

    Example: acctcli audit show document 1
    """
    from acctcli.cli.audit.history import history

    here = state(ctx)
    here.require_local()
    show_values(here, history(here, word, record), HISTORY)


@app.command("verify", cls=Command)
@shows("audit:AuditVerification")
def verify_trail(ctx: Context) -> None:
    """Recompute the audit trail: a record that was changed, removed or put in ends it with exit 10.

    Example: acctcli audit verify
    """
    from acctcli.cli.audit.exporting import check_faults

    here = state(ctx)
    here.require_local()
    reply = here.api.verify_audit()
    show(here, reply, VERIFIED)
    check_faults(reply)


@app.command("export", cls=Command)
def export_trail(ctx: Context, target: Target) -> None:
    """Write the audit trail into a new folder, with a program that verifies it with nothing but Python.

    The program finds what was changed, removed, swapped, put in or cut off. Note the hash that is told, apart from the
    folder: it stands for all of it.

    Example: acctcli audit export trail-of-march
    """
    from acctcli.cli.audit.exporting import check_faults, export

    here = state(ctx)
    here.require_local()
    reply = here.api.verify_audit()
    head = export(here, reply, target)
    told = f"Wrote {head.records} records to {target}; the last has the hash {head.last_hash}."
    show_done(here, told, folder=str(target), records=head.records, last_id=head.last_id, last_hash=head.last_hash)
    check_faults(reply)
