"""The options of document commands, each declared once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from acctcli.cli.accounts.words import complete_types
from acctcli.cli.command.dates import parse_day
from acctcli.errors import UsageError

# wire facts 2.7
TYPES = {"normal": 0, "vat": 3, "depreciation": 4, "broadcasting-tax": 6, "income-tax": 7}
LEG = "NUMBER[:AMOUNT]"

DocumentId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The document's id.")]
FileIds = Annotated[list[int], typer.Argument(metavar="FILE...", min=1, help="Ids of uploaded files.")]
MaybeFileIds = Annotated[
    list[int] | None, typer.Argument(metavar="[FILE...]", min=1, help="Ids of uploaded files; none takes all off.")
]

# what a document shall be
Date = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Date of the document, or today, yesterday.")]
Description = Annotated[str | None, typer.Option("--description", metavar="TEXT", help="What it is about.")]
Draft = Annotated[bool | None, typer.Option("--draft/--posted", help="Keep it as a draft, or post it.")]
Type = Annotated[str | None, typer.Option("--type", metavar="TYPE", help=f"Why it exists: {', '.join(TYPES)}.")]
Contact = Annotated[int | None, typer.Option("--contact", metavar="ID", help="Contact it is with.")]
Tags = Annotated[
    list[int] | None, typer.Option("--tag", metavar="ID", help="Tag it carries; these are all. Repeatable.")
]
Files = Annotated[
    list[int] | None,
    typer.Option("--attachment", metavar="ID", help="File attached to it; these are all. Repeatable."),
]
Debit = Annotated[
    list[str] | None,
    typer.Option(
        "--debit",
        metavar=LEG,
        help="Account to debit: 1910 takes the balance, 4000:9.90 an amount, @2/25.5 is VAT code and rate. Repeatable.",
    ),
]
Credit = Annotated[
    list[str] | None,
    typer.Option("--credit", metavar=LEG, help="Account to credit; 3000:100+vat puts VAT on top. Repeatable."),
]
Expense = Annotated[
    list[str] | None,
    typer.Option(
        "--expense", metavar=LEG, help="Fee taken out of what --debit receives: 8500:2.90=Card fee. Repeatable."
    ),
]
Numbers = Annotated[bool, typer.Option("--account-numbers", help="The body names accounts by number, not by id.")]

# which documents to list
IsDraft = Annotated[bool | None, typer.Option("--draft/--posted", help="Only drafts, or only posted ones.")]
IsLocked = Annotated[bool | None, typer.Option("--locked/--unlocked", help="Only locked ones, or only open ones.")]
IsFlagged = Annotated[bool | None, typer.Option("--flagged/--unflagged", help="Only flagged ones, or the others.")]
HasFiles = Annotated[
    bool | None, typer.Option("--with-attachments/--without-attachments", help="Only with files, or without.")
]
Income = Annotated[bool | None, typer.Option("--income/--no-income", help="Only with an entry on revenue, or without.")]
Outlay = Annotated[
    bool | None, typer.Option("--expense/--no-expense", help="Only with an entry on expenses, or without.")
]
OfAccount = Annotated[
    str | None, typer.Option("--account", metavar="NUMBER", help="Only with an entry on this account, such as 1910.")
]
OfTypes = Annotated[
    list[str] | None,
    typer.Option(
        "--account-type",
        metavar="TYPE",
        autocompletion=complete_types,
        help="Only with an entry on this type: ASS_PAY, or its words: bank and cash. Repeatable.",
    ),
]
OfContact = Annotated[int | None, typer.Option("--contact", metavar="ID", help="Only of this contact.")]
OfTag = Annotated[int | None, typer.Option("--tag", metavar="ID", help="Only with this tag.")]
OfFile = Annotated[int | None, typer.Option("--attachment", metavar="ID", help="Only with this file attached.")]
OfRule = Annotated[int | None, typer.Option("--rule", metavar="ID", help="Only made by this rule.")]
HasRule = Annotated[bool | None, typer.Option("--has-rule/--no-rule", help="Only made by a rule, or by hand.")]
Tagged = Annotated[int | None, typer.Option("--tagged", metavar="ID", help="Only where this user is mentioned.")]
OfNumber = Annotated[str | None, typer.Option("--number", metavar="TEXT", help="Only the one of this number.")]
OfDocument = Annotated[int | None, typer.Option("--document", metavar="ID", help="Only those for this document.")]
VatCode = Annotated[int | None, typer.Option("--vat-code", metavar="N", help="Only with an entry of this VAT code.")]
VatRate = Annotated[str | None, typer.Option("--vat-rate", metavar="PERCENT", help="Only with an entry of this rate.")]


def fields(
    date: str | None,
    description: str | None,
    draft: bool | None,
    type: str | None,
    contact: int | None,
    tags: Sequence[int] | None,
    files: Sequence[int] | None,
) -> dict[str, object]:
    """Return the body's fields behind the named options; a type may be given by its word or its number."""
    return {
        "date": parse_day(date, "--date").isoformat() if date is not None else None,
        "description": description,
        "is_draft": draft,
        "type": _type(type) if type is not None else None,
        "contact_id": contact,
        "tag_ids": tags or None,
        "attachment_ids": files or None,
    }


def _type(written: str) -> int:
    """Return the number of a document type that was given by its word or by the number itself."""
    if written not in TYPES and not written.isdecimal():
        raise UsageError(f"--type {written!r} is not a document type", hint=f"write {', '.join(TYPES)}")
    return TYPES[written] if written in TYPES else int(written)
