"""Webhook subscriptions: where events are sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import ActionCommand, Command, Context, ListCommand, RehearsedCommand, new_group, shows
from acctcli.cli.command.event_types import check_event_types, complete_event_types
from acctcli.cli.command.options import INT, field, flag
from acctcli.cli.command.plain import Resource
from acctcli.cli.output.show import show, show_done, show_record, show_rows
from acctcli.cli.session.state import State, state
from acctcli.errors import NotFound, UsageError

if TYPE_CHECKING:
    import msgspec

    from acctcli.cli.output.columns import Rows
    from acctcli.client.messages import Reply

COLUMNS = ("id", "name", "target_url", "is_active")
DETAILS = (*COLUMNS, "basic_auth_username", "created_at", "updated_at")
CREATED = (*DETAILS, "signing_secret")
DELIVERIES = (
    "id", "subscription_id", "event_id", "event_type", "status", "attempts", "next_attempt_at", "last_status",
    "last_error",
)  # fmt: skip
DELIVERY = (*DELIVERIES, "last_attempt_at", "created_at", "updated_at")
_UNSEEN = "basic_auth_password"
_OTHER_WAY = "give it with --password-file FILE, `-` for stdin"


def _read_password(source: object) -> str:
    """Return what a file, or stdin for `-`, holds, without the one line break at its end."""
    from acctcli.cli.command.body import read_text

    text = read_text(str(source), "--password-file").removesuffix("\n").removesuffix("\r")
    if not text:
        raise UsageError(f"--password-file {source}: there is no password in it")
    return text


def _read_type(text: str) -> str:
    check_event_types("--type", [text], of_deliveries=True)
    return text


def _asked_password(here: State) -> dict[str, object]:
    """Return the password that is typed, if it is to be asked for; refuse one among the arguments."""
    said = [text.partition("=")[::2] for text in here.options.set]
    addresses = [str(here.named.get("target_url", "")), *(value for name, value in said if name == "target_url")]
    if any("@" in one.partition("://")[2].partition("/")[0] for one in addresses):
        raise UsageError(
            "the address must hold no user and no password: others can read it in the list of processes",
            hint="use --username, and --password-file FILE or --ask-password",
        )
    if any(value != "null" for name, value in said if name == _UNSEEN):
        raise UsageError(
            "a password must not stand among the arguments: others can read it in the list of processes",
            hint="use --password-file FILE or --ask-password; to take it away, --set basic_auth_password to null",
        )
    if not here.named.pop("ask_password", False):
        return {}
    from acctcli.credentials.prompt import ask_unseen

    return {_UNSEEN: ask_unseen("password", "Password (not shown): ", _OTHER_WAY)}


OneSubscription = Annotated[
    int | None, typer.Argument(metavar="[ID]", min=1, help="The subscription's id; all of them unless given.")
]
Subscription = Annotated[int, typer.Argument(metavar="ID", min=1, help="The subscription's id.")]
Delivery = Annotated[int, typer.Argument(metavar="DELIVERY", min=1, help="The delivery's id.")]
TOLD = (
    field("status", "--status", metavar="WORD", help="Only waiting, delivered, failed or cancelled ones."),
    field("event", "--event", type=INT, metavar="ID", help="Only of the event with this id."),
    field(
        "type",
        "--type",
        metavar="TYPE",
        complete=complete_event_types,
        read=_read_type,
        help="Only of events of this type, such as document.created.",
    ),
)
SecretVariable = Annotated[
    str, typer.Option("--secret-env", metavar="NAME", help="Environment variable with the subscription's secret.")
]
DeliveryId = Annotated[str, typer.Option("--id", metavar="TEXT", help="The header webhook-id.")]
Timestamp = Annotated[str, typer.Option("--timestamp", metavar="SECONDS", help="The header webhook-timestamp.")]
Signature = Annotated[str, typer.Option("--signature", metavar="TEXT", help="The header webhook-signature.")]
AtAnyTime = Annotated[bool, typer.Option("--any-time", help="Also what was sent more than 5 minutes ago.")]
Target = Annotated[
    str | None, typer.Option("--target-url", metavar="URL", help="Address that leads here, such as that of a tunnel.")
]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of this machine; a free one unless given.")]
ForwardTo = Annotated[
    str | None,
    typer.Option(
        "--forward-to", metavar="URL", help="Hand each event on to a program of yours; its 410 goes back as 503."
    ),
]
Events = Annotated[
    str | None, typer.Option("--events", metavar="TYPES", help="Only these, between commas; all unless given.")
]
Count = Annotated[int | None, typer.Option("--count", metavar="N", min=1, help="End after so many events.")]
FIELDS = (
    flag("ask_password", "--ask-password", help="Ask for that user's password on the terminal."),
    field("name", "--name", metavar="TEXT", help="Name of the subscription."),
    field("target_url", "--url", metavar="URL", help="Where events are posted to, http or https."),
    flag("is_active", "--active/--inactive", help="Whether events are sent to it."),
    field("basic_auth_username", "--username", metavar="TEXT", help="User it is signed in to as, if any."),
    field(
        _UNSEEN,
        "--password-file",
        metavar="FILE",
        read=_read_password,
        help="Read that user's password from a file, `-` for stdin.",
    ),
)

app = new_group(__doc__, shows="webhook:WebhookSubscription")


def _without_secrets(record: msgspec.Raw) -> msgspec.Raw:
    """Return a record or a row without what only the reply that makes a subscription should say."""
    import msgspec

    from acctcli.client import redact

    return msgspec.Raw(redact.named(bytes(record)))


def _present(here: State, reply: Reply) -> None:
    from acctcli.cli.output.columns import check_object

    show_record(here, _without_secrets(check_object(reply.body)), DETAILS)


def _told(_: State, pages: Iterator[Rows]) -> Iterator[Rows]:
    return ([_without_secrets(row) for row in page] for page in pages)


subscriptions = Resource(
    app,
    "webhook subscription",
    lambda api: api.webhooks,
    "webhook:WebhookRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    more=_asked_password,
    present=_present,
    inferred=("list", "get", "create", "replace", "delete"),
)
subscriptions.list("List where events are sent.", "acctcli webhook list", through=_told)
subscriptions.get("Show one subscription.", "acctcli webhook get 1")
subscriptions.create(
    "Subscribe to the events of the business; the secret they are signed with is shown this once.",
    "acctcli webhook create --name Shop --url https://shop.example/events",
    once=CREATED,
)
subscriptions.update("Change the fields given, and no others.", "acctcli webhook update 1 --inactive")
subscriptions.replace(
    "Replace name, address, user and activity; what is not given goes back to its default. The password stays with a "
    "user unless it is given, and goes without one. Secret and deliveries stay.",
    "acctcli webhook replace 1 --name Shop --url https://shop.example/events --active",
)
subscriptions.delete("End a subscription.", "acctcli webhook delete 1 --yes")


@app.command("deliveries", cls=ListCommand.taking(*TOLD))
@shows("webhook:WebhookDelivery")
def list_deliveries(ctx: Context, subscription: OneSubscription = None) -> None:
    """List what subscriptions were told and are still to be told, the newest first; of one with its id.

    Also of one that was deleted: what was told stays for 90 days.

    Example: acctcli webhook deliveries 1 --status failed
    """
    from acctcli.client.messages import Extent

    here = state(ctx)
    here.require_local_service()
    if subscription is None:
        show_rows(here, here.api.deliveries.list(here.named, here.extent), DELIVERIES)
        return
    try:
        show_rows(here, here.api.subscription_deliveries(subscription).list(here.named, here.extent), DELIVERIES)
    except NotFound:
        of_deleted = {"subscription": subscription}
        if not any(here.api.deliveries.list(of_deleted, Extent(limit=1))):
            raise
        show_rows(here, here.api.deliveries.list({**here.named, **of_deleted}, here.extent), DELIVERIES)


@app.command("redeliver", cls=ActionCommand)
@shows("webhook:WebhookDelivery")
def redeliver(ctx: Context, subscription: Subscription, delivery: Delivery) -> None:
    """Deliver once more, whatever came of it: to the address and with the secret that the subscription has now.

    Example: acctcli webhook redeliver 1 1
    """
    here = state(ctx)
    here.require_local_service()
    key = here.options.idempotency_key
    show(here, here.api.subscription_deliveries(subscription).act(delivery, "action/redeliver/", key=key), DELIVERY)


@app.command("ping", cls=ActionCommand)
@shows("webhook:WebhookDelivery")
def ping_subscription(ctx: Context, subscription: Subscription) -> None:
    """Tell a subscription of nothing, a delivery of the type webhook.ping, to see whether it listens.

    Example: acctcli webhook ping 1
    """
    here = state(ctx)
    here.require_local_service()
    show(here, here.api.ping(subscription, here.options.idempotency_key), DELIVERY)


@app.command("verify", cls=Command)
@shows(("id", "valid", "bytes"))
def verify_delivery(
    ctx: Context,
    secret: SecretVariable,
    delivery: DeliveryId,
    timestamp: Timestamp,
    signature: Signature,
    any_time: AtAnyTime = False,
) -> None:
    """Check the signature of a delivery, whose body is on standard input; one that is not right is exit 10.

    Example: acctcli webhook verify --secret-env HOOK --id evt_1 --timestamp 1767225600 --signature v1,k3Zr < body
    """
    from acctcli.cli.webhook.verifying import check_stdin, read_key

    here = state(ctx)
    length = check_stdin(read_key(secret), delivery, timestamp, signature, at_any_time=any_time)
    show_done(here, f"The delivery {delivery} is right.", id=delivery, valid=True, bytes=length)


@app.command("listen", cls=RehearsedCommand)
@shows(("id", "type", "timestamp", "business_slug", "data"))
def listen_here(
    ctx: Context,
    forward_to: ForwardTo = None,
    events: Events = None,
    count: Count = None,
    target: Target = None,
    port: Port = 0,
) -> None:
    """Receive events on this machine until it is stopped, each verified: a line, or JSON with --json.

    It subscribes first, tries whether a test event arrives, and unsubscribes when it is stopped. A service elsewhere
    needs a --target-url that leads here; one that is served on this machine must have been told --deliver and
    --allow-private-targets. Where the test event does not arrive, it is said why, and so is it when the subscription
    is deleted meanwhile (exit 6), is switched off, or the service does not answer. That other services than local take
    these requests is inferred, and how they sign and what they say is not known: what they send is shown as it comes.

    Example: acctcli webhook listen --forward-to http://127.0.0.1:5000/hooks --events sales_invoice.accepted
    """
    from acctcli.cli.webhook.listening import Asked, check_asked, listen

    here = state(ctx)
    named = frozenset(filter(None, (one.strip() for one in (events or "").split(","))))
    asked = Asked(target, port, forward_to, named, count)
    check_asked(here, asked)
    here.say_inferred()
    listen(here, asked)
