"""Webhook subscriptions: where events are sent."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group, shows
from acctcli.cli.command.options import field, flag
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import state
from acctcli.cli.webhook.passwords import asked, read_password

COLUMNS = ("id", "name", "target_url", "is_active")
DETAILS = (*COLUMNS, "basic_auth_username", "created_at", "updated_at")
CREATED = (*DETAILS, "signing_secret")
FIELDS = (
    field("name", "--name", metavar="TEXT", help="Name of the subscription."),
    field("target_url", "--url", metavar="URL", help="Where events are posted to, http or https."),
    flag("is_active", "--active/--inactive", help="Whether events are sent to it."),
    field("basic_auth_username", "--username", metavar="TEXT", help="User it is signed in to as, if any."),
    field(
        "basic_auth_password",
        "--password-file",
        metavar="FILE",
        read=read_password,
        help="Read that user's password from a file, `-` for stdin.",
    ),
)

app = new_group("Webhook subscriptions: where events are sent.", shows="webhook:WebhookSubscription")

SubscriptionId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The subscription's id.")]
AskPassword = Annotated[bool, typer.Option("--ask-password", help="Ask for that user's password on the terminal.")]


@app.command("list", cls=ListCommand)
def list_subscriptions(ctx: Context) -> None:
    """List where events are sent."""
    here = state(ctx)
    show_rows(here, here.api.webhooks.list({}, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_subscription(ctx: Context, subscription: SubscriptionId) -> None:
    """Show one subscription."""
    here = state(ctx)
    show(here, here.api.webhooks.get(subscription), DETAILS)


@app.command("create", cls=CreateCommand.taking(*FIELDS))
@shows(CREATED)
def create_subscription(ctx: Context, ask_password: AskPassword = False) -> None:
    """Subscribe to the events of the business; the secret they are signed with is shown this once."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.webhook import WebhookRequest

    here = state(ctx)
    body = read_body(here, WebhookRequest, asked(here, ask_password))
    show(here, here.api.webhooks.create(body, here.options.idempotency_key), CREATED)


@app.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_subscription(ctx: Context, subscription: SubscriptionId, ask_password: AskPassword = False) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.webhook import WebhookRequest

    here = state(ctx)
    body = read_changes(here, WebhookRequest, asked(here, ask_password))
    show(here, here.api.webhooks.update(subscription, body), DETAILS)


@app.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_subscription(ctx: Context, subscription: SubscriptionId, ask_password: AskPassword = False) -> None:
    """Replace the subscription's fields, the password too; what is not given goes back to its default."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.webhook import WebhookRequest

    here = state(ctx)
    body = read_body(here, WebhookRequest, asked(here, ask_password))
    show(here, here.api.webhooks.replace(subscription, body), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_subscription(ctx: Context, subscription: SubscriptionId) -> None:
    """End a subscription."""
    here = state(ctx)
    here.confirm(f"Delete webhook subscription {subscription}?")
    here.api.webhooks.delete(subscription)
    show_done(here, f"Deleted webhook subscription {subscription}.", id=subscription, deleted=True)
