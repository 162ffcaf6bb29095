"""Purchase invoices: enter, pay, print their barcode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from acctcli.banking.payments import VERSIONS
from acctcli.cli.command.called import PURCHASE
from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    Context,
    CreateCommand,
    DeleteCommand,
    RehearsedCommand,
    ReportCommand,
    new_group,
    shows,
)
from acctcli.cli.command.pairs import read_amount
from acctcli.cli.command.plain import Name, Resource
from acctcli.cli.output.show import show
from acctcli.cli.purchase import options as opt
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


def _checked(here: State) -> Callable[[PurchaseInvoiceRequest, Name | None], None]:
    """Refuse days and references that cannot be right."""
    from acctcli.cli.purchase.checks import refusing

    return refusing(here)


purchases = Resource(
    app,
    PURCHASE.noun,
    PURCHASE.records,
    "purchase_invoice:PurchaseInvoiceRequest",
    COLUMNS,
    DETAILS,
    opt.FIELDS,
    defaults={"import_source": "UPLOAD"},
    checking=_checked,
    kind=PURCHASE,
)
purchases.export(
    "List purchase invoices, the newest first; --period, --from and --to are about their dates.",
    "acctcli purchase list --unpaid --due-to 2026-03-31",
    *opt.FILTERS,
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


@app.command("create", cls=CreateCommand.taking(*opt.FIELDS, model=purchases.model))
def create_purchase(
    ctx: Context, is_posted: opt.Posts = False, accounts: opt.MaybeCosts = None, is_double: opt.Double = False
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
    ctx: Context, purchase: opt.PurchaseId, accounts: opt.Costs, day: opt.PostedOn = None, amount: opt.PostedWith = None
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
def import_purchases(ctx: Context, files: opt.EInvoices, account: opt.Bought = None) -> None:
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
    purchase: opt.PurchaseId,
    day: opt.PaidOn = None,
    account: opt.PaidFrom = None,
    amount: opt.PaidWith = None,
    overpaid: opt.Overpaid = False,
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
    file: opt.PaymentFile,
    purchases: opt.MaybeIds = None,
    due_from: opt.DueFrom = None,
    due_to: opt.DueTo = None,
    leave_out: opt.Except = None,
    account: opt.PaidFrom = None,
    pain: opt.Version = VERSIONS[0],
    again: opt.Again = None,
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
def withdraw_payments(ctx: Context, name: opt.FileName, purchases: opt.MaybeIds = None) -> None:
    """Take back a payment file that the bank has not got: its invoices may go into another one.

    Example: acctcli purchase withdraw pay-3k7q2m4x5pad --yes
    """
    from acctcli.cli.purchase.handing import withdraw

    withdraw(state(ctx), name, purchases or (), ("purchase", "withdrawn"))


@app.command("refund", cls=ActionCommand)
def refund_purchase(
    ctx: Context,
    purchase: opt.PurchaseId,
    day: opt.PaidOn = None,
    account: opt.PaidFrom = None,
    amount: opt.PaidWith = None,
) -> None:
    """Post what a supplier gave back of an invoice that credits, or that was paid too much, and relate it.

    Example: acctcli purchase refund 4 --date 2026-03-20
    """
    from acctcli.cli.purchase import paying

    here = state(ctx)
    on = here.day("--date", day) if day is not None else None
    show(here, paying.refund(here, purchase, paying.Said(on, account, read_amount(amount))), DETAILS)


@app.command("unpay", cls=RehearsedCommand)
def unpay_purchase(ctx: Context, purchase: opt.PurchaseId) -> None:
    """Say that an invoice was not paid after all; documents stay as they are.

    Example: acctcli purchase unpay 2
    """
    from acctcli.cli.purchase.paying import set_paid

    here = state(ctx)
    show(here, set_paid(here, purchase, is_paid=False), DETAILS)


@app.command("barcode", cls=Command)
@shows(BARCODE)
def show_barcode(ctx: Context, purchase: opt.PurchaseId) -> None:
    """Print the 54 digits that a Finnish bank reads; on a terminal, and as json, with what they say.

    Example: acctcli purchase barcode 1
    """
    from acctcli.cli.purchase.barcode import show_digits

    here = state(ctx)
    show_digits(here, here.api.purchase_invoices.get(purchase), BARCODE)


@app.command("aging", cls=ReportCommand)
@shows(())
def show_aging(ctx: Context, day: opt.AsOf = None) -> None:
    """Show what suppliers are owed, by how long it has been due: a row for each, with totals in tables and json.

    What is not in the books yet counts, as far as it is in euros; the tax of VAT periods does not: `vat calendar` has
    it. It is said what the accounts of payables hold besides.

    Example: acctcli purchase aging --date 2026-03-31
    """
    from acctcli.cli.command.dates import parse_day
    from acctcli.cli.purchase import aging

    here = state(ctx)
    aging.show_aging(here, parse_day(day or "today", "--date", here.today))
