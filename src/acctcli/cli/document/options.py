"""The options of document commands, each declared once."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.account.words import TYPES as ACCOUNT_TYPES
from acctcli.cli.account.words import type_of
from acctcli.cli.command.called import CONTACT as WITH
from acctcli.cli.command.called import DOCUMENT, TAG, Called, id_argument
from acctcli.cli.command.options import FOREIGN_VAT, INT, SEARCH, day, field, flag, many
from acctcli.cli.completing.values import value_of
from acctcli.errors import UsageError

# docs/interface.md 5.1
TYPES = {"normal": 0, "vat": 3, "depreciation": 4, "broadcasting-tax": 6, "income-tax": 7}
LEG = "NUMBER[:AMOUNT]"


def _type(written: str) -> int:
    """Return the number of a document type that was given by its word or by the number itself."""
    if written not in TYPES and not written.isdecimal():
        raise UsageError(f"--type {written!r} is not a document type", hint=f"write {', '.join(TYPES)}")
    return TYPES[written] if written in TYPES else int(written)


DocumentId = Annotated[int, id_argument(DOCUMENT)]
ReversedOn = Annotated[
    str | None,
    typer.Option("--date", metavar="DAY", help="Day on which it is taken back, today unless given; it must be open."),
]
FileIds = Annotated[list[int], typer.Argument(metavar="FILE...", min=1, help="Ids of uploaded files.")]
Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Ids of uploaded files, or paths of files here: these are uploaded once."),
]
Receipts = Annotated[
    list[str] | None,
    typer.Option("--receipt", metavar="PATH", help="File here that is uploaded and attached to it. Repeatable."),
]
MaybeFileIds = Annotated[
    list[int] | None, typer.Argument(metavar="[FILE...]", min=1, help="Ids of uploaded files; none takes all off.")
]

# what a document shall be
DATE = day("date", "--date", help="Date of the document, or today, yesterday.")
CONTACT = field("contact_id", "--contact", type=Called(WITH), metavar="CONTACT", help="Who it is with: id or name.")
FIELDS = (
    DATE,
    field("description", "--description", metavar="TEXT", help="What it is about."),
    flag("is_draft", "--draft/--posted", help="Keep it as a draft, or post it."),
    field("type", "--type", metavar="TYPE", read=_type, help=f"Why it exists: {', '.join(TYPES)}."),
    CONTACT,
    many("tag_ids", "--tag", "TAG", "Tag it carries, by id or name; these are all.", type=Called(TAG)),
    many("attachment_ids", "--attachment", "ID", "File attached to it; these are all.", type=INT),
)
# what its blueprint is made from; `bodies.take_written` takes them out of the fields
LEGS = (
    many(
        "debit",
        "--debit",
        LEG,
        "Account to debit: 1910 takes the balance, 4000:9.90 an amount, @2/25.5 is VAT code and rate.",
    ),
    many("credit", "--credit", LEG, "Account to credit; 3000:100+vat puts VAT on top."),
    many("expense", "--expense", LEG, "Fee taken out of what --debit receives: 8500:2.90=Card fee."),
    FOREIGN_VAT,
    flag("account_numbers", "--account-numbers", help="The body names accounts by number, not by id."),
)
# of a file of documents
AGAIN = flag("again", "--again", help="Post the lines of a .jsonl file although they were posted before.")
LINES = field("lines", "--lines", metavar="LINES", help="Post only these lines of a .jsonl file, such as 1,4-6.")

# which documents to list
FILTERS = (
    field("account", "--account", metavar="NUMBER", help="Only with an entry on this account, such as 1910."),
    SEARCH,
    flag("is_draft", "--draft/--posted", help="Only drafts, or only posted ones."),
    flag("is_locked", "--locked/--unlocked", help="Only locked ones, or only open ones."),
    flag("is_flagged", "--flagged/--unflagged", help="Only flagged ones, or the others."),
    flag("income", "--income/--no-income", help="Only with an entry on revenue, or without."),
    flag("expense", "--expense/--no-expense", help="Only with an entry on expenses, or without."),
    many(
        "account_type",
        "--account-type",
        "TYPE",
        f"Only with an entry on this {ACCOUNT_TYPES}.",
        complete=value_of("AccountType"),
        read=type_of,
    ),
    field("contact", "--contact", type=Called(WITH), metavar="CONTACT", help="Only of this contact."),
    field("tags", "--tag", type=Called(TAG), metavar="TAG", help="Only with this tag."),
    field("file", "--attachment", type=INT, metavar="ID", help="Only with this file attached."),
    flag("has_attachments", "--with-attachments/--without-attachments", help="Only with files, or without."),
    field("rule", "--rule", type=INT, metavar="ID", help="Only made by this rule."),
    flag("has_rule", "--has-rule/--no-rule", help="Only made by a rule, or by hand."),
    field("tagged", "--tagged", type=INT, metavar="ID", help="Only where this user is mentioned."),
    field("number", "--number", metavar="TEXT", help="Only the one of this number."),
    field("vat_code", "--vat-code", type=INT, metavar="N", help="Only with an entry of this VAT code."),
    field("vat_rate", "--vat-rate", metavar="PERCENT", help="Only with an entry of this rate."),
)
OfDocument = Annotated[int | None, typer.Option("--document", metavar="ID", help="Only those for this document.")]
