"""Accounting documents: post, change, lock, copy."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli._dates import choose_range, parse_day
from acctcli.cli._group import Context, From, Period, Search, To, new_group
from acctcli.cli._options import (
    ActionCommand,
    Command,
    CreateCommand,
    DeleteCommand,
    ListCommand,
    UpdateCommand,
)
from acctcli.cli._output import show, show_done, show_rows
from acctcli.cli._state import State, state

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

app = new_group("Accounting documents: post, change, lock, copy.")

DocumentId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The document's id.")]
Date = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Date of the document, or today, yesterday.")]
Description = Annotated[str | None, typer.Option("--description", metavar="TEXT", help="What it is about.")]
Draft = Annotated[bool | None, typer.Option("--draft/--posted", help="Keep it as a draft, or post it.")]
Numbers = Annotated[bool, typer.Option("--account-numbers", help="The body names accounts by number, not by id.")]
IsDraft = Annotated[bool | None, typer.Option("--draft/--posted", help="Only drafts, or only posted ones.")]
IsLocked = Annotated[bool | None, typer.Option("--locked/--unlocked", help="Only locked ones, or only open ones.")]
IsFlagged = Annotated[bool | None, typer.Option("--flagged/--unflagged", help="Only flagged ones, or the others.")]
HasFiles = Annotated[
    bool | None, typer.Option("--with-attachments/--without-attachments", help="Only with files, or without.")
]
Income = Annotated[bool | None, typer.Option("--income/--no-income", help="Only with an entry on revenue, or without.")]
Expense = Annotated[
    bool | None, typer.Option("--expense/--no-expense", help="Only with an entry on expenses, or without.")
]
Account = Annotated[int | None, typer.Option("--account", metavar="ID", help="Only with an entry on this account.")]
AccountTypes = Annotated[
    list[str] | None,
    typer.Option("--account-type", metavar="TYPE", help="Only with an entry on this type. Repeatable."),
]
Contact = Annotated[int | None, typer.Option("--contact", metavar="ID", help="Only of this contact.")]
Tag = Annotated[int | None, typer.Option("--tag", metavar="ID", help="Only with this tag.")]
File = Annotated[int | None, typer.Option("--attachment", metavar="ID", help="Only with this file attached.")]
DocumentNumber = Annotated[str | None, typer.Option("--number", metavar="TEXT", help="Only the one of this number.")]
VatCode = Annotated[int | None, typer.Option("--vat-code", metavar="N", help="Only with an entry of this VAT code.")]
VatRate = Annotated[str | None, typer.Option("--vat-rate", metavar="PERCENT", help="Only with an entry of this rate.")]


@app.command("list", cls=ListCommand)
def list_documents(
    ctx: Context,
    search: Search = None,
    period: Period = None,
    first: From = None,
    last: To = None,
    draft: IsDraft = None,
    locked: IsLocked = None,
    flagged: IsFlagged = None,
    income: Income = None,
    expense: Expense = None,
    account: Account = None,
    account_type: AccountTypes = None,
    contact: Contact = None,
    tag: Tag = None,
    attachment: File = None,
    attachments: HasFiles = None,
    number: DocumentNumber = None,
    vat_code: VatCode = None,
    vat_rate: VatRate = None,
) -> None:
    """List documents, the latest first."""
    here = state(ctx)
    start, end = choose_range(period, first, last)
    query = {
        "search": search,
        "date_from": start.isoformat() if start else None,
        "date_to": end.isoformat() if end else None,
        "is_draft": draft,
        "is_locked": locked,
        "is_flagged": flagged,
        "income": income,
        "expense": expense,
        "account": account,
        "account_type": account_type,
        "contact": contact,
        "tags": tag,
        "file": attachment,
        "has_attachments": attachments,
        "number": number,
        "vat_code": vat_code,
        "vat_rate": vat_rate,
    }
    show_rows(here, here.api.documents.list(query, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_document(ctx: Context, document: DocumentId) -> None:
    """Show one document."""
    here = state(ctx)
    show(here, here.api.documents.get(document), DETAILS)


@app.command("create", cls=CreateCommand)
def create_document(
    ctx: Context,
    date: Date = None,
    description: Description = None,
    draft: Draft = None,
    account_numbers: Numbers = False,
) -> None:
    """Post a document; many at once from a .jsonl file with one body a line."""
    from acctcli.cli._documents import create_many, is_json_lines, read_document

    here = state(ctx)
    named = _named(date, description, draft)
    if is_json_lines(here.options.file):
        create_many(here, named, account_numbers, COLUMNS)
        return
    body = read_document(here, named, account_numbers)
    show(here, here.api.documents.create(body, here.options.idempotency_key), DETAILS)


@app.command("update", cls=UpdateCommand)
def update_document(
    ctx: Context,
    document: DocumentId,
    date: Date = None,
    description: Description = None,
    draft: Draft = None,
    account_numbers: Numbers = False,
) -> None:
    """Change the fields given; its entries are made anew from its blueprint."""
    from acctcli.cli._documents import read_document_changes

    here = state(ctx)
    body = read_document_changes(here, _named(date, description, draft), account_numbers)
    show(here, here.api.documents.update(document, body), DETAILS)


@app.command("replace", cls=UpdateCommand)
def replace_document(
    ctx: Context,
    document: DocumentId,
    date: Date = None,
    description: Description = None,
    draft: Draft = None,
    account_numbers: Numbers = False,
) -> None:
    """Replace the document; what is not given goes back to its default."""
    from acctcli.cli._documents import read_document

    here = state(ctx)
    body = read_document(here, _named(date, description, draft), account_numbers)
    show(here, here.api.documents.replace(document, body), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_document(ctx: Context, document: DocumentId) -> None:
    """Delete a document and its entries."""
    here = state(ctx)
    here.confirm(f"Delete document {document} and its entries?")
    here.api.documents.delete(document)
    show_done(here, f"Deleted document {document}.", id=document, deleted=True)


@app.command("lock", cls=ActionCommand)
def lock_document(ctx: Context, document: DocumentId) -> None:
    """Lock a document: nothing about it can be changed until it is unlocked."""
    _act(state(ctx), document, "action/lock/")


@app.command("unlock", cls=ActionCommand)
def unlock_document(ctx: Context, document: DocumentId) -> None:
    """Unlock a document."""
    _act(state(ctx), document, "action/unlock/")


@app.command("flag", cls=ActionCommand)
def flag_document(ctx: Context, document: DocumentId) -> None:
    """Flag a document for a second look."""
    _act(state(ctx), document, "action/flag/")


@app.command("unflag", cls=ActionCommand)
def unflag_document(ctx: Context, document: DocumentId) -> None:
    """Take the flag off a document."""
    _act(state(ctx), document, "action/unflag/")


@app.command("copy", cls=CreateCommand)
def copy_document(
    ctx: Context,
    document: DocumentId,
    date: Date = None,
    description: Description = None,
    draft: Draft = None,
    account_numbers: Numbers = False,
) -> None:
    """Make a new document like this one; fields given replace the copied ones."""
    from acctcli.cli._documents import read_document_copy

    here = state(ctx)
    body = read_document_copy(here, _named(date, description, draft), account_numbers)
    show(here, here.api.documents.act(document, "action/copy/", body, here.options.idempotency_key), DETAILS)


@app.command("entries", cls=ListCommand)
def list_entries(ctx: Context, document: DocumentId) -> None:
    """List the entries a document made in the books."""
    here = state(ctx)
    show_rows(here, here.api.documents.below(document, "entry/", {}, here.extent), ENTRY_COLUMNS)


def _act(here: State, document: int, action: str) -> None:
    show(here, here.api.documents.act(document, action, key=here.options.idempotency_key), DETAILS)


def _named(date: str | None, description: str | None, draft: bool | None) -> dict[str, object]:
    day = parse_day(date, "--date").isoformat() if date is not None else None
    return {"date": day, "description": description, "is_draft": draft}
