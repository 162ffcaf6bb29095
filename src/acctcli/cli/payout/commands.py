"""Sales payouts: enter what a shop was paid out, and book it."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import ActionCommand, Context, new_group, shows
from acctcli.cli.command.options import ID, day, field, many
from acctcli.cli.command.pairs import Parse, number, read_pairs, whole
from acctcli.cli.command.plain import Resource
from acctcli.cli.output.inside import Inside
from acctcli.cli.output.show import show
from acctcli.cli.session.state import state

COLUMNS = ("id", "date", "source", "external_id", "amount", "currency", "description")
ITEMS = Inside("items", "account_number", "description", "amount", "vat_code", "vat_rate")
DETAILS = (*COLUMNS, "end_to_end_id", ITEMS, "attachments", "created_at", "updated_at")
BOOKED = ("id", "number", "date", "description", "balance", "is_draft", "blueprint", "attachment_ids")
# people read the entries: in a rehearsal, or with `document entries`
SUMMARY = tuple(name for name in BOOKED if name != "blueprint")

app = new_group(__doc__, shows="sales_payout:SalesPayout")


# what is typed of an item -> how it is read, and its name on the wire where that is another
_PAIRS: dict[str, Parse] = {"amount": number, "account": str, "vat": number, "code": whole, "description": str}
_ON_THE_WIRE = {"account": "account_number", "vat": "vat_rate", "code": "vat_code"}


def _read_item(written: str) -> dict[str, object]:
    pairs = read_pairs(written, _PAIRS, "--item")
    return {_ON_THE_WIRE.get(name, name): value for name, value in pairs.items()}


PayoutId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The payout's id.")]
FIELDS = (
    field("external_id", "--external-id", metavar="TEXT", help="The provider's own id, which no other payout has."),
    field("end_to_end_id", "--end-to-end-id", metavar="TEXT", help="Reference it has on the bank statement."),
    field("source", "--source", metavar="TEXT", help="Who paid it out."),
    day("date", "--date", help="Day of the payout, or today, yesterday."),
    field("amount", "--amount", metavar="AMOUNT", help="What was paid out; its items come to it."),
    field("currency", "--currency", metavar="CODE", help="Currency of the amounts (EUR)."),
    field("description", "--description", metavar="TEXT", help="What it is about."),
    many(
        "items",
        "--item",
        "PAIRS",
        "A part of it: amount=125.50,account=3000,vat=25.5,code=1,description=Sales; fees negative.",
        read=_read_item,
    ),
    many("attachments", "--attachment", "ID", "File attached to it.", type=ID),
)
Clearing = Annotated[
    str, typer.Option("--clearing", metavar="NUMBER", help="Account that holds the payout until the bank has it.")
]
Date = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Date of the document; that of the payout.")]
Draft = Annotated[bool, typer.Option("--draft", help="Keep the document as a draft.")]
Again = Annotated[bool, typer.Option("--again", help="Book it although a document books it already.")]


FILTERS = (
    field("external_id", "--external-id", metavar="TEXT", help="Only the one the provider calls this."),
    field("source", "--source", metavar="TEXT", help="Only those that came from here."),
)


payouts = Resource(
    app, "payout", lambda api: api.sales_payouts, "sales_payout:SalesPayoutRequest", COLUMNS, DETAILS, FIELDS
)
payouts.list(
    "List payouts, the newest first.", "acctcli payout list --period 2026-03", *FILTERS, days=("date_from", "date_to")
)
payouts.get("Show one payout with its items.", "acctcli payout get 1")
payouts.create(
    "Enter a payout; nothing is posted before it is booked.",
    "acctcli payout create --external-id po_2 --source shop --date 2026-03-09 --amount 97.10"
    " --item amount=100,account=3000,vat=25.5,code=1 --item amount=-2.90,account=8500",
)


@app.command("book", cls=ActionCommand)
@shows("document:Document")
def book_payout(
    ctx: Context, payout: PayoutId, clearing: Clearing, date: Date = None, draft: Draft = False, again: Again = False
) -> None:
    """Post a payout: sales to the credit of their accounts, fees and refunds to the debit, the rest to --clearing.

    VAT is taken out of each item by its code and rate. With --dry-run the entries are shown.

    Example: acctcli payout book 1 --clearing 1920
    """
    from acctcli.cli.document.rehearsal import rehearsed
    from acctcli.cli.payout.booking import read_booking

    here = state(ctx)
    on = here.day("--date", date) if date is not None else None
    booking = read_booking(here, payout, clearing, on, is_draft=draft, again=again)
    with rehearsed(here, booking.preview):
        posted = here.api.documents.create(booking.body, here.options.idempotency_key)
        show(here, posted, SUMMARY if here.format == "table" else BOOKED)
