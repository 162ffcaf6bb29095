"""What other systems say about an invoice."""

from __future__ import annotations

from acctcli.cli.command.classes import ActionCommand, Context, DeleteCommand, new_group, shows
from acctcli.cli.invoice import options as opt
from acctcli.cli.output.show import show, show_done
from acctcli.cli.session.state import state

MESSAGE_COLUMNS = ("id", "message")

messages = new_group(__doc__)


@messages.command("add", cls=ActionCommand)
@shows(MESSAGE_COLUMNS)
def add_message(ctx: Context, invoice: opt.InvoiceId, text: opt.Message) -> None:
    """Add a message to an invoice.

    Example: acctcli invoice status-message add 2 'Received by the operator'
    """
    from acctcli.cli.command.body import check
    from acctcli.models.invoice import StatusMessageRequest

    here = state(ctx)
    body = check(StatusMessageRequest, {"message": text})
    show(here, here.api.status_messages(invoice).create(body, here.options.idempotency_key), MESSAGE_COLUMNS)


@messages.command("remove", cls=DeleteCommand)
def remove_message(ctx: Context, invoice: opt.InvoiceId, message: opt.MessageId) -> None:
    """Remove a message from an invoice.

    Example: acctcli invoice status-message remove 2 1 --yes
    """
    here = state(ctx)
    here.confirm(f"Remove message {message} of invoice {invoice}?")
    here.api.status_messages(invoice).delete(message)
    show_done(here, f"Removed message {message} of invoice {invoice}.", id=message, deleted=True)
