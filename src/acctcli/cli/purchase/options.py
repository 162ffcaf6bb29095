"""The options of purchase commands, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.banking.payments import VERSIONS
from acctcli.cli.command.called import PURCHASE, TAG, Called, id_argument
from acctcli.cli.command.options import ID, SEARCH, day, field, flag, many, span, wire_name
from acctcli.cli.completing.values import one_of

PurchaseId = Annotated[int, id_argument(PURCHASE)]

Costs = Annotated[
    list[str],
    typer.Option("--account", metavar="NUMBER[:AMOUNT]", help="What it was for: 4000, or 4000:80@2/25.5. Repeatable."),
]
MaybeCosts = Annotated[
    list[str] | None,
    typer.Option("--account", metavar="NUMBER[:AMOUNT]", help="With --post: what it was for, as of the last one."),
]
EInvoices = Annotated[list[Path], typer.Argument(metavar="FILE...", help="E-invoices, in XML or in a PDF.")]
Bought = Annotated[
    str | None,
    typer.Option("--account", metavar="NUMBER", help="What they were for; else as the last one of each sender."),
]
Posts = Annotated[bool, typer.Option("--post", help="Post it at once.")]
Double = Annotated[bool, typer.Option("--duplicate", help="Enter it though its sender and number are there already.")]
PostedOn = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Day in the books (that of the invoice).")]
PostedWith = Annotated[str | None, typer.Option("--amount", metavar="AMOUNT", help="How much, with VAT; all of it.")]
PaidOn = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Day of the payment (today).")]
PaidFrom = Annotated[
    str | None, typer.Option("--account", metavar="NUMBER", help="Account of the money; the usual bank account.")
]
PaidWith = Annotated[str | None, typer.Option("--amount", metavar="AMOUNT", help="How much; all that is open.")]
AsOf = Annotated[
    str | None, typer.Option("--date", metavar="DAY", help="What was owed at the end of this day (today).")
]
Overpaid = Annotated[bool, typer.Option("--overpaid", help="More than is open was paid; the supplier owes it.")]

MaybeIds = Annotated[list[int] | None, id_argument(PURCHASE, "instead of days", metavar="[ID...]", several=True)]
PaymentFile = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="Payment file that is written.")]
DueFrom = Annotated[
    str | None, typer.Option("--due-from", metavar="DAY", help="All that are due on this day or later.")
]
DueTo = Annotated[str | None, typer.Option("--due-to", metavar="DAY", help="All that are due until this day.")]
Except = Annotated[
    list[int] | None,
    typer.Option("--except", metavar="ID", click_type=Called(PURCHASE), help="Leave this invoice out. Repeatable."),
]
Version = Annotated[
    str,
    typer.Option(
        "--pain", metavar="VERSION", autocompletion=one_of(VERSIONS), help="Version of pain.001.001: 09, or 03."
    ),
]
Again = Annotated[
    str | None, typer.Option("--again", metavar="NAME", help="Write this file once more, instead of a new one.")
]
FileName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the payment file, such as pay-3k7q2m4x5pad.")]


def _named(id: int) -> dict[str, int]:
    """The body names a record by its id, in an object as the service shows it."""
    return {"id": id}


FIELDS = (
    field("invoice_number", "--number", metavar="TEXT", help="Number the sender gave it."),
    day("invoicing_date", "--date", help="Day of the invoice, or today, yesterday."),
    day("due_date", "--due", help="Day it is to be paid."),
    field("amount", "--amount", metavar="AMOUNT", help="What is to be paid, VAT included."),
    field("currency", "--currency", metavar="CODE", help="Currency of the amount (EUR)."),
    field("sender_name", "--sender", metavar="TEXT", help="Who sent it."),
    field("sender_vat", "--sender-vat", metavar="ID", help="The sender's VAT id."),
    field("sender_bank_account", "--iban", metavar="IBAN", help="Bank account to pay to."),
    field("sender_bank_bic", "--bic", metavar="BIC", help="The bank of that account."),
    field("receiver_name", "--receiver", metavar="TEXT", help="Whom it is made out to."),
    field("receiver_vat", "--receiver-vat", metavar="ID", help="The VAT id it is made out to."),
    field("reference", "--reference", metavar="TEXT", help="Reference to pay with."),
    field("message", "--message", metavar="TEXT", help="Message to pay with."),
    field(
        "import_source",
        "--source",
        metavar="SOURCE",
        read=wire_name,
        help="How it came in: operator, email or upload (upload).",
    ),
    flag("is_paid", "--paid/--unpaid", help="Whether it is paid; what is paid now was paid today."),
    field("original_attachment", "--original", type=ID, metavar="ID", read=_named, help="Uploaded file that it is."),
    many("attachments", "--attachment", "ID", "File attached to it; these are all.", type=ID),
    field("document", "--document", type=ID, metavar="ID", read=_named, help="Document that books it."),
    many("tag_ids", "--tag", "TAG", "Tag it carries, by id or name; these are all.", type=Called(TAG)),
)
FILTERS = (
    SEARCH,
    field("invoice_number", "--number", metavar="TEXT", help="Only the one of this number."),
    field(
        "import_source",
        "--source",
        metavar="SOURCE",
        read=wire_name,
        help="Only those that came like this; a filed VAT return made a VAT_PURCHASE_INVOICE.",
    ),
    flag("is_paid", "--paid/--unpaid", help="Only paid ones, or the others."),
    flag("is_past_due", "--past-due/--not-past-due", help="Only unpaid ones due before today, or the others."),
    *span("due_date", "--due", "due"),
    *span("payment_date", "--paid", "paid"),
    *span("created_at", "--created", "created"),
    *span("updated_at", "--updated", "changed"),
)
