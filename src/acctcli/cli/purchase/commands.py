"""Purchase invoices: enter, pay, print their barcode."""

from __future__ import annotations

from typing import Annotated, ClassVar

import typer

from acctcli.cli.command.classes import (
    DRY_RUN,
    Command,
    Context,
    new_group,
    shows,
)
from acctcli.cli.command.options import ID, SEARCH, day, field, flag, many, span, wire_name
from acctcli.cli.command.plain import Resource
from acctcli.cli.output.show import show
from acctcli.cli.session.state import State, state

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
BARCODE = ("virtuaaliviivakoodi", "iban", "amount", "reference", "due_date")


class PayCommand(Command):
    """A command that changes one field, which its name says."""

    shared: ClassVar = {"Request": DRY_RUN, **Command.shared}


app = new_group(__doc__, shows="purchase_invoice:PurchaseInvoice")

PurchaseId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The purchase invoice's id.")]


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
        help="How it came in: operator, email or upload.",
    ),
    flag("is_paid", "--paid/--unpaid", help="Whether it is paid; what is paid now was paid today."),
    field("original_attachment", "--original", type=ID, metavar="ID", read=_named, help="Uploaded file that it is."),
    many("attachments", "--attachment", "ID", "File attached to it; these are all.", type=ID),
    field("document", "--document", type=ID, metavar="ID", read=_named, help="Document that books it."),
    many("tag_ids", "--tag", "ID", "Tag it carries; these are all.", type=ID),
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
    "purchase invoice",
    lambda api: api.purchase_invoices,
    "purchase_invoice:PurchaseInvoiceRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
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
purchases.create(
    "Enter a purchase invoice; services that get them from elsewhere have no such operation.",
    "acctcli purchase create --sender 'Paperi Oy' --date 2026-03-02 --due 2026-03-16 --amount 125.50 --source upload",
    local_only=True,
)
purchases.update("Change the fields given, and no others.", "acctcli purchase update 1 --due 2026-03-31")
purchases.replace(
    "Replace the invoice's fields; what is not given goes back to its default, but for its files and document.",
    "acctcli purchase replace 1 --sender 'Paperi Oy' --date 2026-03-02 --amount 130 --source upload",
)
purchases.delete("Delete a purchase invoice that no document books.", "acctcli purchase delete 1 --yes")


@app.command("pay", cls=PayCommand)
def pay_purchase(ctx: Context, purchase: PurchaseId) -> None:
    """Say that an invoice was paid today; no money is moved.

    Example: acctcli purchase pay 1
    """
    _set_paid(state(ctx), purchase, is_paid=True)


@app.command("unpay", cls=PayCommand)
def unpay_purchase(ctx: Context, purchase: PurchaseId) -> None:
    """Say that an invoice was not paid after all.

    Example: acctcli purchase unpay 2
    """
    _set_paid(state(ctx), purchase, is_paid=False)


@app.command("barcode", cls=Command)
@shows(BARCODE)
def show_barcode(ctx: Context, purchase: PurchaseId) -> None:
    """Print the 54 digits that a Finnish bank reads; on a terminal, and as json, with what they say.

    Example: acctcli purchase barcode 1
    """
    from acctcli.cli.purchase.barcode import show_digits

    here = state(ctx)
    show_digits(here, here.api.purchase_invoices.get(purchase), BARCODE)


def _set_paid(here: State, purchase: int, *, is_paid: bool) -> None:
    from acctcli.models.base import partial
    from acctcli.models.purchase_invoice import PurchaseInvoiceRequest

    body = partial(PurchaseInvoiceRequest)(is_paid=is_paid)
    show(here, here.api.purchase_invoices.update(purchase, body), DETAILS)
