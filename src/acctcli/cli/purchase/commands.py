"""Purchase invoices: enter, pay, print their barcode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.banking.payments import VERSIONS
from acctcli.cli.command.called import PURCHASE, TAG, Called, id_argument
from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    Context,
    CreateCommand,
    DeleteCommand,
    RehearsedCommand,
    new_group,
    shows,
)
from acctcli.cli.command.options import ID, SEARCH, day, field, flag, many, span, wire_name
from acctcli.cli.command.pairs import read_amount
from acctcli.cli.command.plain import Name, Resource
from acctcli.cli.completing.values import one_of
from acctcli.cli.output.show import show
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.models.purchase_invoice import PurchaseInvoiceRequest

COLUMNS = ("id", "invoice_number", "sender_name", "invoicing_date", "due_date", "amount", "is_paid", "is_past_due")
DETAILS = (
    *COLUMNS,
    "payment_date",
    "currency",
    "sender_vat",
    "sender_bank_account",
    "sender_bank_bic",
    "receiver_name",
    "receiver_vat",
    "reference",
    "message",
    "virtuaaliviivakoodi",
    "import_source",
    "original_attachment.name",
    "attachments",
    "document.number",
    "tag_ids",
    "updated_at",
)
PAYMENTS = ("purchase", "name", "iban", "amount", "date", "reference", "text", "end_to_end", "document")
IMPORTED = (
    "file",
    "sender_name",
    "invoice_number",
    "invoicing_date",
    "amount",
    "status",
    "purchase",
    "document",
    "reason",
)
BARCODE = ("virtuaaliviivakoodi", "iban", "amount", "reference", "due_date")


app = new_group(__doc__, shows="purchase_invoice:PurchaseInvoice")

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
    str | None, typer.Option("--account", metavar="NUMBER", help="Account of the money; the first bank account.")
]
PaidWith = Annotated[str | None, typer.Option("--amount", metavar="AMOUNT", help="How much; all that is open.")]
AsOf = Annotated[
    str | None, typer.Option("--date", metavar="DAY", help="What was owed at the end of this day (today).")
]
Overpaid = Annotated[bool, typer.Option("--overpaid", help="More than is open was paid; the supplier owes it.")]

MaybeIds = Annotated[
    list[int] | None, typer.Argument(metavar="[ID...]", min=1, help="Ids of purchase invoices, instead of days.")
]
PaymentFile = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="Payment file that is written.")]
DueFrom = Annotated[
    str | None, typer.Option("--due-from", metavar="DAY", help="All that are due on this day or later.")
]
DueTo = Annotated[str | None, typer.Option("--due-to", metavar="DAY", help="All that are due until this day.")]
Except = Annotated[
    list[int] | None, typer.Option("--except", metavar="ID", min=1, help="Leave this invoice out. Repeatable.")
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


def _checked(here: State) -> Callable[[PurchaseInvoiceRequest, Name | None], None]:
    """Refuse days and references that cannot be right."""
    from acctcli.cli.purchase.checks import refusing

    return refusing(here)


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


purchases = Resource(
    app,
    PURCHASE.noun,
    PURCHASE.records,
    "purchase_invoice:PurchaseInvoiceRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    defaults={"import_source": "UPLOAD"},
    checking=_checked,
    kind=PURCHASE,
)
purchases.export(
    "List purchase invoices, the newest first; --period, --from and --to are about their dates.",
    "acctcli purchase list --unpaid --due-to 2026-03-31",
    *FILTERS,
    days=("invoicing_date_gte", "invoicing_date_lte"),
    kind="purchase",
    is_filtered=True,
)
purchases.get("Show one purchase invoice.", "acctcli purchase get 1")
purchases.update("Change the fields given, and no others.", "acctcli purchase update 1 --due 2026-03-31")
purchases.replace(
    "Replace the invoice's fields; what is not given goes back to its default, but for its files and document.",
    "acctcli purchase replace 1 --sender 'Paperi Oy' --date 2026-03-02 --amount 130",
)
purchases.delete("Delete a purchase invoice that no document books.", "acctcli purchase delete 1 --yes")


@app.command("create", cls=CreateCommand.taking(*FIELDS, model=purchases.model))
def create_purchase(
    ctx: Context, is_posted: Posts = False, accounts: MaybeCosts = None, is_double: Double = False
) -> None:
    """Enter a purchase invoice; services that get them from elsewhere have no such operation.

    One whose sender and number are there already is refused. With --post it is posted at once, as `purchase post` does,
    without --account on the account that the last invoice of the sender was posted on.

    Example:
        acctcli purchase create --sender 'Paperi Oy' --date 2026-03-02 --due 2026-03-16 --amount 125.50
        acctcli purchase create --sender 'Kone Oy' --date 2026-03-09 --number 88 --amount 62.75 --post
    """
    from acctcli.cli.command.body import read_body
    from acctcli.cli.purchase import entering
    from acctcli.cli.purchase.checks import refuse_wrong
    from acctcli.models.purchase_invoice import PurchaseInvoiceRequest

    here = state(ctx)
    here.require_local()
    if accounts and not is_posted:
        raise UsageError("--account says what is posted: it goes with --post")
    body = read_body(here, PurchaseInvoiceRequest, None, purchases.defaults)
    refuse_wrong(here, body, None)
    if not is_posted:
        show(here, entering.enter(here, body, is_double=is_double), DETAILS)
    elif (reply := entering.enter_and_post(here, body, accounts or (), is_double=is_double)) is not None:
        show(here, reply, DETAILS)


@app.command("post", cls=ActionCommand)
def post_purchase(
    ctx: Context, purchase: PurchaseId, accounts: Costs, day: PostedOn = None, amount: PostedWith = None
) -> None:
    """Post an invoice to trade payables, its files with it, and let the document book it.

    One account alone takes all of it, by its own VAT code and rate on that day; several say how much each takes, as
    `document create --debit` does. With --dry-run the entries are shown.

    Example: acctcli purchase post 1 --account 4000 --date 2026-03-02
    """
    from acctcli.cli.purchase import posting

    here = state(ctx)
    on = here.day("--date", day) if day is not None else None
    if (reply := posting.post(here, purchase, accounts, on, read_amount(amount))) is not None:
        show(here, reply, DETAILS)


@app.command("import", cls=ActionCommand)
@shows(IMPORTED)
def import_purchases(ctx: Context, files: EInvoices, account: Bought = None) -> None:
    """Import e-invoices (Finvoice, XRechnung, Peppol BIS, CII, ZUGFeRD, Factur-X): each is entered and posted once.

    All files are read and proved first; what is wrong is refused with line and field. The file is kept with the
    invoice. What is there already is said, so that after a stop the same command goes on. With --dry-run the rows are
    shown.

    Example: acctcli purchase import invoice.xml --account 4000 --yes
    """
    from acctcli.cli.purchase.importing import import_all

    here = state(ctx)
    here.require_local()
    import_all(here, files, account, IMPORTED)


@app.command("pay", cls=ActionCommand)
def pay_purchase(
    ctx: Context,
    purchase: PurchaseId,
    day: PaidOn = None,
    account: PaidFrom = None,
    amount: PaidWith = None,
    overpaid: Overpaid = False,
) -> None:
    """Post what was paid of an invoice, all that is open or --amount, and relate it: paid when nothing is open.

    VAT that a period owes is paid from the account it is owed on, no more than that still owes of it: what was paid by
    hand is taken off. Another one that no document books is only said to be paid, and without options. The service
    calls today the day of the payment; the books have --date. With --dry-run the request is shown.

    Example: acctcli purchase pay 3 --date 2026-03-16 --account 1910
    """
    from acctcli.cli.purchase import paying

    here = state(ctx)
    on = here.day("--date", day) if day is not None else None
    show(here, paying.pay(here, purchase, paying.Said(on, account, read_amount(amount), overpaid)), DETAILS)


@app.command("pay-file", cls=RehearsedCommand)
@shows(PAYMENTS)
def write_payments(
    ctx: Context,
    file: PaymentFile,
    purchases: MaybeIds = None,
    due_from: DueFrom = None,
    due_to: DueTo = None,
    leave_out: Except = None,
    account: PaidFrom = None,
    pain: Version = VERSIONS[0],
    again: Again = None,
) -> None:
    """Write a file of payments for the bank, each for all that is open of an invoice on the day that it is due.

    Each invoice goes into one file only, from whatever machine: a draft of its payment in the books says so until the
    bank has told what became of it (`bank confirm`). With --dry-run nothing is written, neither there nor here.

    Example: acctcli purchase pay-file payments.xml 3
    """
    from acctcli.cli.purchase import handing

    here = state(ctx)
    if again is not None:
        if purchases or due_from or due_to or leave_out or account:
            raise UsageError("--again writes a file as it was noted: what is paid, and from where, is said already")
        handing.write_again(here, file, pain, again, PAYMENTS)
        return
    asked = handing.asked_for(here, purchases or (), due_from, due_to, leave_out or ())
    handing.hand_over(here, file, pain, asked, account, PAYMENTS)


@app.command("withdraw", cls=DeleteCommand)
@shows(("purchase", "withdrawn"))
def withdraw_payments(ctx: Context, name: FileName, purchases: MaybeIds = None) -> None:
    """Take back a payment file that the bank has not got: its invoices may go into another one.

    Example: acctcli purchase withdraw pay-3k7q2m4x5pad --yes
    """
    from acctcli.cli.purchase.handing import withdraw

    withdraw(state(ctx), name, purchases or (), ("purchase", "withdrawn"))


@app.command("refund", cls=ActionCommand)
def refund_purchase(
    ctx: Context, purchase: PurchaseId, day: PaidOn = None, account: PaidFrom = None, amount: PaidWith = None
) -> None:
    """Post what a supplier gave back of an invoice that credits, or that was paid too much, and relate it.

    Example: acctcli purchase refund 4 --date 2026-03-20
    """
    from acctcli.cli.purchase import paying

    here = state(ctx)
    on = here.day("--date", day) if day is not None else None
    show(here, paying.refund(here, purchase, paying.Said(on, account, read_amount(amount))), DETAILS)


@app.command("unpay", cls=RehearsedCommand)
def unpay_purchase(ctx: Context, purchase: PurchaseId) -> None:
    """Say that an invoice was not paid after all; documents stay as they are.

    Example: acctcli purchase unpay 2
    """
    from acctcli.cli.purchase.paying import set_paid

    here = state(ctx)
    show(here, set_paid(here, purchase, is_paid=False), DETAILS)


@app.command("barcode", cls=Command)
@shows(BARCODE)
def show_barcode(ctx: Context, purchase: PurchaseId) -> None:
    """Print the 54 digits that a Finnish bank reads; on a terminal, and as json, with what they say.

    Example: acctcli purchase barcode 1
    """
    from acctcli.cli.purchase.barcode import show_digits

    here = state(ctx)
    show_digits(here, here.api.purchase_invoices.get(purchase), BARCODE)


@app.command("aging", cls=Command)
@shows(())
def show_aging(ctx: Context, day: AsOf = None) -> None:
    """Show what suppliers are owed, by how long it has been due: a row for each, with totals in tables and json.

    What is not in the books yet counts, as far as it is in euros; the tax of VAT periods does not: `vat calendar` has
    it. It is said what the accounts of payables hold besides.

    Example: acctcli purchase aging --date 2026-03-31
    """
    from acctcli.cli.command.dates import parse_day
    from acctcli.cli.purchase import aging

    here = state(ctx)
    aging.show_aging(here, parse_day(day or "today", "--date", here.today))
