"""Accounting documents: post, change, lock, copy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from acctcli.cli.command.called import DOCUMENT
from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    Context,
    CreateCommand,
    ListCommand,
    UpdateCommand,
    new_group,
    shows,
)
from acctcli.cli.command.plain import Name, Resource
from acctcli.cli.document import options as opt
from acctcli.cli.document.relations import relation
from acctcli.cli.output.show import show_rows
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.client.messages import Reply

COLUMNS = ("id", "number", "date", "description", "balance", "is_draft", "is_locked", "is_flagged")
DETAILS = (
    *COLUMNS,
    "type",
    "blueprint_type",
    "blueprint",
    "contact_id",
    "attachment_ids",
    "tag_ids",
    "updated_at",
)
ENTRY_COLUMNS = (
    "id",
    "account_number",
    "account_name",
    "is_debet",
    "amount",
    "vat_code",
    "vat_rate",
    "description",
)
SUGGESTION_COLUMNS = ("id", "date", "description", "amount", "contact_name", "state")
FILE_COLUMNS = ("id", "name", "type", "created_at")

app = new_group(__doc__, shows="document:Document")
app.add_typer(relation, name="relation")


def _account(here: State) -> dict[str, object]:
    """Return the id of the account to filter by; the chart is read only where one is asked for."""
    from acctcli.cli.account.chart import account_id

    written = here.named.get("account")
    return {} if written is None else {"account": account_id(here, written, "--account")}


def _present(here: State, reply: Reply) -> None:
    from acctcli.cli.document.shown import show_document

    show_document(here, reply, DETAILS, is_posted=False)


def _present_posted(here: State, reply: Reply) -> None:
    from acctcli.cli.document.shown import show_document

    show_document(here, reply, DETAILS, is_posted=True)


documents = Resource(
    app,
    DOCUMENT.noun,
    DOCUMENT.records,
    "document:DocumentRequest",
    COLUMNS,
    DETAILS,
    opt.FIELDS,
    more=_account,
    present=_present,
    kind=DOCUMENT,
)
documents.export(
    "List documents, the latest first.",
    "acctcli document list --period 2026-Q1 --account 1910",
    *opt.FILTERS,
    days=("date_from", "date_to"),
)
replace(documents, present=_present_posted).get("Show one document.", "acctcli document get 1")


@app.command(
    "create", cls=CreateCommand.taking(*opt.LEGS, opt.AGAIN, opt.LINES, *opt.FIELDS, model="document:DocumentRequest")
)
def create_document(ctx: Context, receipts: opt.Receipts = None) -> None:
    """Post a document; many at once from a .jsonl file with one body a line, each of them once.

    A sale is --debit ACCOUNT --credit ACCOUNT:AMOUNT, a purchase --credit ACCOUNT --debit ACCOUNT:AMOUNT, and with
    an amount on each side everything is posted as it is given. An amount takes the VAT code of its account and its
    rate on the day of the document; @CODE/RATE says otherwise, @3 is without VAT. With --dry-run the entries are shown.

    Example:
        acctcli document create --date 2026-03-02 --description 'Cash sale' --debit 1910 --credit 3000:125.50
        acctcli document create --date 2026-03-05 --description 'Coffee beans' --credit 1910 --debit 4000:80@2/13.5
    """
    from acctcli.cli.document.bodies import is_json_lines, read_document, take_written
    from acctcli.cli.document.rehearsal import rehearsed

    here = state(ctx)
    written = take_written(here)
    again, chosen = bool(here.named.pop("again", False)), here.named.pop("lines", None)
    if is_json_lines(here.options.file):
        from acctcli.cli.document.posting import post_lines

        if receipts:
            raise UsageError("--receipt goes with one document, not with a .jsonl file")
        post_lines(here, written, COLUMNS, again=again, chosen=chosen)
        return
    if again or chosen is not None:
        raise UsageError("--again and --lines go with a .jsonl file")
    made = read_document(here, written)
    with rehearsed(here, made.preview):
        if receipts:
            from acctcli.cli.file.uploads import file_ids

            made.body.attachment_ids = [*made.body.attachment_ids, *file_ids(here, receipts)]
        _present_posted(here, here.api.documents.create(made.body, here.options.idempotency_key))


@app.command("update", cls=UpdateCommand.taking(*opt.LEGS, *opt.FIELDS, model="document:DocumentRequest"))
def update_document(ctx: Context, document: opt.DocumentId) -> None:
    """Change the fields given; its entries are made anew from its blueprint.

    A side that is not given stays: --credit 1900 alone changes where the money came from.

    Example: acctcli document update 1 --description 'Sale at the fair'
    """
    from acctcli.cli.document.bodies import read_document_changes, take_written
    from acctcli.cli.document.rehearsal import rehearsed

    here = state(ctx)
    written = take_written(here)
    made = read_document_changes(here, written, document)
    with rehearsed(here, made.preview):
        _present_posted(here, here.api.documents.update(document, made.body))


@app.command("replace", cls=UpdateCommand.taking(*opt.LEGS, *opt.FIELDS, model="document:DocumentRequest"))
def replace_document(ctx: Context, document: opt.DocumentId) -> None:
    """Replace the document; what is not given goes back to its default.

    Example: acctcli document replace 1 --date 2026-03-02 --debit 1910 --credit 3000:99.90
    """
    from acctcli.cli.document.bodies import read_document, take_written
    from acctcli.cli.document.rehearsal import rehearsed

    here = state(ctx)
    written = take_written(here)
    made = read_document(here, written, document)
    with rehearsed(here, made.preview):
        _present_posted(here, here.api.documents.replace(document, made.body))


documents.delete("Delete a document and its entries.", "acctcli document delete 1 --yes", " and its entries")
documents.act(
    "lock",
    "Lock a document: nothing about it can be changed until it is unlocked.",
    "acctcli document lock 1",
    "action/lock/",
)


def _say_what_closes(here: State, document: Name, reply: Reply) -> None:
    from acctcli.cli.document.unlocking import say_what_closes

    say_what_closes(here, document, reply)


replace(documents, changed=_say_what_closes).act(
    "unlock",
    "Unlock a document; while its period is locked or reported, changes of it are refused all the same.",
    "acctcli document unlock 1",
    "action/unlock/",
)
documents.act("flag", "Flag a document for a second look.", "acctcli document flag 1", "action/flag/")
documents.act("unflag", "Take the flag off a document.", "acctcli document unflag 1", "action/unflag/")


@app.command("copy", cls=CreateCommand.taking(*opt.LEGS, *opt.FIELDS, model="document:DocumentRequest"))
def copy_document(ctx: Context, document: opt.DocumentId) -> None:
    """Make a new document like this one; fields given replace the copied ones.

    Example: acctcli document copy 1 --date 2026-03-31
    """
    from acctcli.cli.document.bodies import read_document_copy, take_written
    from acctcli.cli.document.rehearsal import rehearsed

    here = state(ctx)
    written = take_written(here)
    made = read_document_copy(here, written, document)
    with rehearsed(here, made.preview):
        reply = here.api.documents.copy(document, made.body, here.options.idempotency_key)
        _present_posted(here, reply)


@app.command("reverse", cls=ActionCommand)
def reverse_document(ctx: Context, document: opt.DocumentId, day: opt.ReversedOn = None) -> None:
    """Take a document back: post the same on the other sides, and relate it to the document.

    It goes into an open period, so documents of closed periods can be taken back, too. Taking a payment back opens what
    it paid again, invoices and purchase invoices. What an invoice posted is better taken back by `invoice credit-note`.

    Example: acctcli document reverse 1 --date 2026-03-31
    """
    from acctcli.cli.document.reversing import reverse

    here = state(ctx)
    _present_posted(here, reverse(here, document, here.day("--date", day or "today")))


@app.command("correct", cls=CreateCommand.taking(*opt.LEGS, *opt.FIELDS, model="document:DocumentRequest"))
def correct_document(ctx: Context, document: opt.DocumentId) -> None:
    """Take a document back and post it anew, with what is given instead; both on the day of --date, or today.

    For documents of closed periods; others are changed by `document update`.

    Example: acctcli document correct 1 --date 2026-03-31 --credit 3000:99.90
    """
    from acctcli.cli.document.bodies import read_document_copy, take_written
    from acctcli.cli.document.rehearsal import rehearsed
    from acctcli.cli.document.reversing import correct

    here = state(ctx)
    written = take_written(here)
    made = read_document_copy(here, written, document)
    if not made.body.model_fields_set - {"date"}:
        raise UsageError(
            "nothing is said of what is right", hint="give what changes, such as --credit 3000:99.90 or --description"
        )
    if "date" not in made.body.model_fields_set:
        made.body.date = here.day("--date")
    with rehearsed(here, made.preview):
        _present_posted(here, correct(here, document, made.body))


@app.command("entries", cls=ListCommand)
@shows(ENTRY_COLUMNS)
def list_entries(ctx: Context, document: opt.DocumentId) -> None:
    """List the entries a document made in the books.

    Example: acctcli document entries 1
    """
    from acctcli.cli.document.shown import ENTRY, entries_in_columns

    here = state(ctx)
    listing = here.api.documents.below(document, "entry/", {}, here.extent)
    if here.format == "table" and here.options.columns is None:
        show_rows(here, listing, ("id", *ENTRY), entries_in_columns)
    else:
        show_rows(here, listing, ENTRY_COLUMNS)


@app.command("attach", cls=ActionCommand)
def attach_files(ctx: Context, document: opt.DocumentId, files: opt.Files) -> None:
    """Attach files to a document, beside those it has: uploaded ones by id, others by path.

    Example: acctcli document attach 1 receipt.txt
    """
    from acctcli.cli.file.uploads import file_ids

    here = state(ctx)
    _act_on_files(here, document, "action/attach_files/", file_ids(here, files))


@app.command("detach", cls=ActionCommand)
def detach_files(ctx: Context, document: opt.DocumentId, files: opt.FileIds) -> None:
    """Take files off a document; the files themselves stay.

    Example: acctcli document detach 2 2
    """
    _act_on_files(state(ctx), document, "action/detach_files/", files)


@app.command("set-files", cls=ActionCommand)
def set_files(ctx: Context, document: opt.DocumentId, files: opt.MaybeFileIds = None) -> None:
    """Make these files all that a document has attached; no file takes all off.

    Example: acctcli document set-files 1 1 2
    """
    _act_on_files(state(ctx), document, "action/set_files/", files or [])


@app.command("suggest-attachments", cls=Command)
@shows(())
def suggest_attachments(ctx: Context, document: opt.DocumentId) -> None:
    """List the uploaded files that may belong to a document.

    Example: acctcli document suggest-attachments 1
    """
    from acctcli.cli.output.replies import show_array

    here = state(ctx)
    show_array(here, here.api.attachment_suggestions(document), FILE_COLUMNS)


@app.command("suggestions", cls=ListCommand)
@shows(())
def list_suggestions(ctx: Context, document: opt.OfDocument = None) -> None:
    """List the postings that the service proposes, such as those for bank transactions.

    Example: acctcli document suggestions
    """
    here = state(ctx)
    show_rows(here, here.api.accounting_suggestions({"document": document}, here.extent), SUGGESTION_COLUMNS)


def _act_on_files(here: State, document: int, action: str, files: list[int]) -> None:
    from acctcli.models.document import DocumentRequest

    body = DocumentRequest(attachment_ids=files)
    _present(here, here.api.documents.act(document, action, body, here.options.idempotency_key))
