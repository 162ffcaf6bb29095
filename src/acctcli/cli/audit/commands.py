"""Audit trail: who changed what, when; verify and export it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.cli.command.called import DOCUMENT, id_argument
from acctcli.cli.command.classes import ActionCommand, Command, Context, ListCommand, new_group, shows
from acctcli.cli.command.options import INT, RANGE, field, flag, range_query
from acctcli.cli.command.plain import Resource
from acctcli.cli.output.show import show, show_done, show_rows, show_values
from acctcli.cli.session.state import state

COLUMNS = ("id", "created_at", "author", "type", "record_id", "operation", "via")
HISTORY = ("id", "created_at", "author", "type", "changes")
COMMENTS = ("id", "created_at", "author", "text", "mentions")
UNSEEN = ("id", "number", "date", "description", "updated_at", "audit_trail_last_seen_at")
REVIEWED = (
    "id",
    "number",
    "audit_trail_last_seen_at",
    "audit_trail_last_comment_at",
    "audit_trail_last_mention_at",
    "audit_trail_has_unseen_actions",
)
VERIFIED = (
    "records", "last_id", "last_hash", "sealed_until", "other_seals", "unproved_until", "set_back", "faults",
    "unrecorded",
)  # fmt: skip

app = new_group(__doc__, shows="audit:AuditRecord")

FILTERS = (
    field("resource", "--record", metavar="WORD", help="Only changes of a kind, such as document."),
    field("record_id", "--id", type=INT, metavar="ID", help="Only changes of the one with this id."),
    field("type", "--type", metavar="TYPE", help="Only of this type, such as document.deleted."),
    field("person", "--person", metavar="TEXT", help="Only by whom has this in their name or address."),
    field("operation", "--operation", metavar="NAME", help="Only by this operation, such as create_document."),
)
SEEN_BEFORE = flag("seen_before", "--changed", help="Only those that were seen, and changed since.")
OfService = Annotated[
    bool, typer.Option("--service", help="The trail of the service itself: people, tokens, businesses.")
]
Word = Annotated[str, typer.Argument(metavar="WORD", help="What it is, such as document or account.")]
RecordId = Annotated[int, typer.Argument(metavar="ID", min=1, help="Its id; of one that was deleted, too.")]
DocumentId = Annotated[int, id_argument(DOCUMENT, metavar="DOCUMENT")]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="What to say; @ and an address mentions a member.")]
Target = Annotated[Path, typer.Argument(metavar="DIR", file_okay=False, help="New folder to write.")]


@app.command("list", cls=ListCommand.taking(*RANGE, *FILTERS))
def list_records(ctx: Context, service: OfService = False) -> None:
    """List the records of the audit trail, the newest first; days are those of UTC.

    A number that documents leave out was deleted: --type document.deleted says when and by whom, with
    --columns created_at,author,data.number.

    Example: acctcli audit list --record document --person anna --period 2026
    """
    here = state(ctx)
    here.require_local()
    query = {**range_query(here, "created_at_gte", "created_at_lte"), **here.named}
    records = here.api.service_audit if service else here.api.audit
    show_rows(here, records.list(query, here.extent), COLUMNS)


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
def verify_trail(ctx: Context, service: OfService = False) -> None:
    """Recompute the audit trail: a record that was changed, removed or put in ends it with exit 10.

    Example: acctcli audit verify
    """
    from acctcli.cli.audit.exporting import Verified, check_faults
    from acctcli.cli.output.replies import decoded

    here = state(ctx)
    here.require_local()
    reply = here.api.verify_audit(of_service=service)
    verified = decoded(reply, Verified)
    show(here, reply, VERIFIED)
    check_faults(verified)


@app.command("database", cls=Command)
def verify_database(ctx: Context) -> None:
    """Look through the database behind the books, of all businesses; what is wrong ends it with exit 10.

    Tables and triggers are compared with those of this release, values with what their columns take, references with
    what they name, and sums, lists and searches that are kept with the rows they are made of.

    Example: acctcli audit database
    """
    from acctcli.cli.check.stored import check_database
    from acctcli.cli.output.stderr import how_many
    from acctcli.errors import Incomplete

    here = state(ctx)
    here.require_local()
    found = list(check_database(here))
    show_values(here, [fault._asdict() for fault in found], ("record", "problem", "remedy"))
    if found:
        raise Incomplete(f"the database has {how_many(len(found), 'fault')}; the rows say which")
    here.say("the database is whole")


@app.command("export", cls=Command)
def export_trail(ctx: Context, target: Target, service: OfService = False) -> None:
    """Write the audit trail into a new folder, with a program that verifies it with nothing but Python.

    The program finds what was changed, removed, swapped, put in or cut off. Note the hash that is told, apart from the
    folder: it stands for all of it.

    Example: acctcli audit export trail-of-march
    """
    from acctcli.cli.audit.exporting import Verified, check_faults, export
    from acctcli.cli.output.replies import decoded

    here = state(ctx)
    here.require_local()
    head = decoded(here.api.verify_audit(of_service=service), Verified)
    export(here.api.service_audit if service else here.api.audit, head, target)
    told = f"Wrote {head.records} records to {target}; the last has the hash {head.last_hash}."
    show_done(here, told, folder=str(target), records=head.records, last_id=head.last_id, last_hash=head.last_hash)
    check_faults(head)


# --- what whoever audits says of documents ---

documents = Resource(
    app, DOCUMENT.noun, DOCUMENT.records, "document:DocumentRequest", REVIEWED, REVIEWED, kind=DOCUMENT
)
documents.act(
    "seen",
    "Say that you have looked at a document as it is now; whatever is done to it later has not been seen.",
    "acctcli audit seen 7",
    "action/mark_seen/",
    local_only=True,
)


@app.command("unseen", cls=ListCommand.taking(*RANGE, SEEN_BEFORE))
@shows("document:Document")
def list_unseen(ctx: Context) -> None:
    """List the documents that nobody has seen, or to which something was done since; --changed only the latter.

    Example: acctcli audit unseen --period 2026-03
    """
    here = state(ctx)
    here.require_local()
    query = {**range_query(here, "date_from", "date_to"), **here.named}
    show_rows(here, here.api.unseen_documents.list(query, here.extent), UNSEEN)


@app.command("comment", cls=ActionCommand)
@shows("document:Document")
def comment_document(ctx: Context, document: DocumentId, text: Text) -> None:
    """Comment on a document, which changes nothing in it, also in a closed period.

    Example: acctcli audit comment 7 'Where is the receipt, @local@localhost?'
    """
    from acctcli.cli.command.body import check
    from acctcli.models.document import CommentRequest

    here = state(ctx)
    here.require_local()
    body = check(CommentRequest, {"text": text}, "the comment")
    show(here, here.api.documents.act(document, "action/comment/", body, here.options.idempotency_key), REVIEWED)


@app.command("comments", cls=ListCommand)
@shows("document:DocumentComment")
def list_comments(ctx: Context, document: DocumentId) -> None:
    """List the comments on a document, the newest first.

    Example: acctcli audit comments 7
    """
    here = state(ctx)
    here.require_local()
    show_rows(here, here.api.comments(document).list({}, here.extent), COMMENTS)
