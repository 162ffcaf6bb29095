"""Sales invoices: draft, accept, send, collect, credit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from acctcli.cli.command.called import INVOICE
from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    Context,
    CreateCommand,
    ExportCommand,
    ReportCommand,
    new_group,
    shows,
)
from acctcli.cli.command.options import FOREIGN_VAT, LOCALE, RANGE, range_query
from acctcli.cli.command.pairs import read_amount
from acctcli.cli.command.plain import Name, Resource
from acctcli.cli.completing.shown import noted
from acctcli.cli.file.saving import SAVED, DownloadCommand
from acctcli.cli.invoice import options as opt
from acctcli.cli.invoice.messages import messages
from acctcli.cli.invoice.owing import RemindCommand, remind_customer, show_aging
from acctcli.cli.invoice.written import LACKING, check_invoices, save_pdfs, show_xml
from acctcli.cli.output.inside import Inside
from acctcli.cli.output.show import show
from acctcli.cli.session.state import State, state
from acctcli.errors import Conflict, UsageError

if TYPE_CHECKING:
    from acctcli.cli.output.columns import Rows
    from acctcli.client.messages import Reply
    from acctcli.models.invoice import InvoiceAcceptRequest, InvoiceLossRequest, SalesInvoiceRequest

COLUMNS = (
    "id",
    "invoice_number",
    "status",
    "receiver_info.name",
    "invoicing_date",
    "due_date",
    "total_amount",
    "is_past_due",
)
DETAILS = (
    "id",
    "friendly_name",
    "status",
    "receiver",
    "receiver_info.name",
    "invoicing_date",
    "due_date",
    "reference",
    "description",
    Inside("rows", "code", "name", "product_count", "unit", "amount", "vat_rate", "total_amount"),
    "total_vat_amount",
    "total_amount",
    "is_credit_note_for",
    "credit_notes",
    "is_past_due",
    "delivery_method",
    "last_delivery_at",
    "payment_date",
    "next_recurrences",
    Inside("external_status_messages", "id", "message"),
    "tag_ids",
    "updated_at",
)
WAYS = ("value", "label", "is_available")
LOCKED = 423

app = new_group(__doc__, shows="invoice:SalesInvoice")
app.add_typer(messages, name="status-message")


@app.command("list", cls=ExportCommand.taking(*RANGE, *opt.FILTERS))
def list_invoices(ctx: Context, expand: opt.Expand = None) -> None:
    """List invoices and credit notes, the latest made first; --period, --from and --to are about their dates.

    Tables tell the last reminder that each has had. --expand rows makes a line of each row: the invoice with `row` in
    place of `rows`. For a job that comes back every night, --since FILE shows what is new or changed since it last used
    FILE; use what it wrote only when it ends with exit code 0, else run it again.

    Example: acctcli invoice list --status accepted --due-to today
    """
    from acctcli.cli.exports.changes import show_list
    from acctcli.cli.invoice import lines

    here = state(ctx)
    span = range_query(here, "invoicing_date_gte", "invoicing_date_lte")
    if expand not in {None, *opt.EXPANSIONS}:
        raise UsageError(f"--expand {expand!r}: there is only {', '.join(opt.EXPANSIONS)}")
    is_table = here.format == "table"
    told = lines.expand if expand else lines.with_reminders if is_table else iter
    columns = lines.ROWS if expand else (*COLUMNS, "reminded") if is_table else lines.INVOICES

    def through(pages: Iterator[Rows]) -> Iterator[Rows]:
        return told(noted(here, INVOICE, pages))

    show_list(here, "invoice", here.api.invoices, {**here.named, **span}, columns, through=through, is_filtered=True)


def _look_up(here: State) -> dict[str, object]:
    from acctcli.cli.invoice.bodies import look_up

    return look_up(here)


def _accepted_in(here: State) -> InvoiceAcceptRequest | None:
    from acctcli.cli.invoice.bodies import read_language

    return read_language(here)


def _lost_on(here: State) -> InvoiceLossRequest | None:
    from acctcli.cli.invoice.bodies import read_loss

    return read_loss(here)


@contextmanager
def _editing(invoice: Name) -> Iterator[None]:
    """Say what to do where the service has locked an invoice that it accepted."""
    try:
        yield
    except Conflict as error:
        if error.status == LOCKED:
            error.hint = (
                "an accepted invoice stays as it is; make a credit note for what was wrong: "
                f"acctcli invoice credit-note {invoice}"
            )
        raise


def _note_state(here: State, invoice: Name, reply: Reply) -> None:
    """Say of an accepted invoice what its e-invoice lacks, that it is posted when it is paid, and what it repeats."""
    from acctcli.cli.invoice.papers import note_missing
    from acctcli.cli.invoice.repeating import note_past, note_unmailed
    from acctcli.cli.invoice.standing import is_unbooked

    note_missing(here, reply)
    note_past(here, reply)
    note_unmailed(here, reply)
    if is_unbooked(reply.body):
        here.say(f"Invoice {invoice} is not in the books yet: it is posted when it is paid (payment basis).")


def _refuse_rates(here: State) -> Callable[[SalesInvoiceRequest, Name | None], None]:
    from acctcli.cli.invoice.bodies import refuse_rates

    return refuse_rates(here)


invoices = Resource(
    app,
    INVOICE.noun,
    INVOICE.records,
    "invoice:SalesInvoiceRequest",
    COLUMNS,
    DETAILS,
    opt.FIELDS,
    more=_look_up,
    editing=_editing,
    changed=_note_state,
    checking=_refuse_rates,
    kind=INVOICE,
)
invoices.get("Show one invoice.", "acctcli invoice get 1")


@app.command("create", cls=CreateCommand.taking(*opt.FIELDS, FOREIGN_VAT, model="invoice:SalesInvoiceRequest"))
def create_invoice(ctx: Context) -> None:
    """Draft an invoice.

    A row of a product needs its code, `--row 'code=A1,count=2'`, and takes the rest from it; any other row is said in
    full, `--row 'name=Consulting,unit=h,count=7.5,amount=99.99,vat=25.5'`. Amounts are prices of one unit without VAT.
    Without --date it is of today, without --days due as the business's settings say.

    Example:
        acctcli invoice create --to 1001 --row code=A1,count=7.5
        acctcli invoice create --to 'Asiakas Oy' --row 'name=Travel,unit=kpl,count=1,amount=42.50,vat=25.5'
    """
    from acctcli.cli.invoice.bodies import read_new_invoice
    from acctcli.cli.invoice.repeating import note_unmailed

    here = state(ctx)
    reply = here.api.invoices.create(read_new_invoice(here), here.options.idempotency_key)
    show(here, reply, DETAILS)
    note_unmailed(here, reply)


invoices.update(
    "Change the fields given of a draft; an accepted invoice is locked: make a credit note instead.",
    "acctcli invoice update 1 --days 30 --reference 1232",
    FOREIGN_VAT,
)
invoices.replace(
    "Replace a draft; what is not given goes back to its default.",
    "acctcli invoice replace 1 --to 1001 --date 2026-03-02 --days 14 --row code=A1,count=8",
    FOREIGN_VAT,
)
invoices.delete("Delete a draft.", "acctcli invoice delete 1 --yes")


app.command("check", cls=Command)(shows(LACKING)(check_invoices))
invoices.act(
    "accept",
    "Accept a draft: it gets its number, its reference and its PDF, enters the books, and is locked.",
    "acctcli invoice accept 1",
    "actions/accept/",
    "all that lacks, row by row: acctcli invoice check {}",
    opt.LANGUAGE,
    body_of=_accepted_in,
)


@app.command("send", cls=ActionCommand)
def send_invoice(
    ctx: Context,
    invoice: opt.InvoiceId,
    method: opt.Method = None,
    subject: opt.Subject = None,
    content: opt.Content = None,
    doubt: opt.Doubt = None,
) -> None:
    """Send an accepted invoice to its customer; one that was sent before only when you agree.

    Without words of its own a mail says what the business has set (business update --set
    invoicing_default_email_content=…, and …_subject): in these {number}, {total}, {due_date}, {payment} and others
    stand for what the invoice says.

    E-invoices of the local service are handed to your operator's own client, where ACCTCLI_EINVOICE_COMMAND names one:
    ["/usr/bin/client", "send", "{file}"]; else they lie in the outbox folder, as papers do.

    Where a mail server or client did not say whether it took what it was given, nothing of that invoice goes there
    until you have asked whether it arrived, and say so with --in-doubt.

    Example: acctcli invoice send 2 --method email --subject Invoice --text 'Thank you for your order.'
    """
    from acctcli.cli.invoice import sending

    here = state(ctx)
    invoices.show_result(
        here, invoice, sending.send_invoice(here, invoice, sending.Asked(method, subject, content, doubt))
    )


invoices.act(
    "paid",
    "Mark an accepted invoice as paid today: what is open of it is posted.",
    "acctcli invoice paid 2",
    "actions/paid/",
)
invoices.act(
    "unpaid", "Open an invoice again that was paid or a credit loss.", "acctcli invoice unpaid 3", "actions/unpaid/"
)
invoices.act(
    "credit-loss",
    "Write an accepted invoice off as a credit loss, today or on --date; other services than local do so today.",
    "acctcli invoice credit-loss 2 --date 2026-03-31",
    "actions/credit_loss/",
    "",
    opt.LOST_ON,
    body_of=_lost_on,
)


@app.command("pay", cls=ActionCommand)
def pay_invoices(
    ctx: Context, ids: opt.Paid, day: opt.PaidOn = None, account: opt.PaidTo = None, amount: opt.PaidWith = None
) -> None:
    """Post what was paid of invoices, all that is open or --amount, and relate it: PAID when nothing is open.

    Several invoices are paid by one document, the oldest first; what is over stands on the latest one. On payment
    basis the payment posts the sale, or its share of each rate of VAT; other services than local do so whole and today.
    With --dry-run the request is shown.

    Example: acctcli invoice pay 2 --date 2026-03-20 --account 1910 --amount 100
    """
    _pay(state(ctx), ids, day, account, amount, back=False)


@app.command("refund", cls=ActionCommand)
def refund_invoices(
    ctx: Context, ids: opt.Paid, day: opt.PaidOn = None, account: opt.PaidTo = None, amount: opt.PaidWith = None
) -> None:
    """Post what was given back of credit notes, or of invoices that were paid too much, and relate it.

    Example: acctcli invoice refund 5 --date 2026-03-20
    """
    _pay(state(ctx), ids, day, account, amount, back=True)


def _pay(here: State, ids: list[int], day: str | None, account: str | None, amount: str | None, *, back: bool) -> None:
    from acctcli.cli.invoice import paying

    on = here.day("--date", day or "today")
    paying.pay(here, ids, on, account, read_amount(amount), back=back)
    _show_each(here, ids)


def _show_each(here: State, ids: list[int]) -> None:
    """Show invoices as they are now."""
    from msgspec import Raw

    from acctcli.cli.output.show import show_stream

    if len(ids) == 1:
        show(here, here.api.invoices.get(ids[0]), DETAILS)
    else:
        show_stream(here, [[Raw(here.api.invoices.get(one).body) for one in dict.fromkeys(ids)]], COLUMNS)


@app.command("set-off", cls=ActionCommand)
def set_off_credit_note(ctx: Context, note: opt.NoteId, invoice: opt.InvoiceId) -> None:
    """Set a credit note off against another invoice of its customer than its own, as far as both are open.

    Against its own it is set off by itself, as far as that is open.

    Example: acctcli invoice set-off 5 2
    """
    from acctcli.cli.invoice import paying

    here = state(ctx)
    paying.set_off(here, note, invoice)
    _show_each(here, [note, invoice])


@app.command("credit-note", cls=CreateCommand.taking(*opt.CREDITED, model="invoice:SalesInvoiceRequest"))
def create_credit_note(ctx: Context, invoice: opt.InvoiceId) -> None:
    """Draft a credit note for all that is left of an accepted invoice.

    --part credits some of it, --row what you say, in counts above zero. Accept the draft to make it count.

    Example: acctcli invoice credit-note 2 --part 1:1.5
    """
    from acctcli.cli.invoice.credit import read_credit_note

    here = state(ctx)
    body = read_credit_note(here, invoice)
    show(here, here.api.invoices.create(body, here.options.idempotency_key), DETAILS)


invoices.act(
    "disable-recurrence",
    "End the repetition of an invoice: no more are made of it, those that were made stay. What is due: local tick "
    "--dry-run.",
    "acctcli invoice disable-recurrence 4",
    "actions/disable_recurrence/",
)


@app.command("delivery-methods", cls=Command)
@shows(WAYS)
def list_delivery_methods(ctx: Context, invoice: opt.InvoiceId) -> None:
    """List the ways to send an invoice, and which of them its customer can be reached by.

    Example: acctcli invoice delivery-methods 2
    """
    from acctcli.cli.output.replies import show_array

    here = state(ctx)
    show_array(here, here.api.delivery_methods(invoice), WAYS)


app.command("pdf", cls=DownloadCommand)(shows(SAVED)(save_pdfs))
app.command("xml", cls=Command)(shows(("invoice", "format", "xml"))(show_xml))
app.command("remind", cls=RemindCommand.taking(LOCALE))(shows(())(remind_customer))
app.command("aging", cls=ReportCommand)(shows(())(show_aging))
