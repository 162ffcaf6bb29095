"""The options of invoice commands, each declared once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.called import CREDIT_NOTE, INVOICE, TAG, Called, id_argument
from acctcli.cli.command.options import ID, SEARCH, WHOLE, day, field, flag, many, span, wire_name
from acctcli.cli.completing.values import contacts, one_of, value_of
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.models.enums import EInvoiceFormat

EXPANSIONS = ("rows",)
# in percent; what is above it is a slip
_HIGHEST_RATE = 100
ZUGFERD = "zugferd"
REMINDING = ("paper", "email")
# docs/interface.md 7.6
FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
_EVERY = re.compile(f"([0-9]{{1,3}} )?({'|'.join(FREQUENCIES)})s?", re.ASCII)


def _rule(written: str) -> dict[str, object]:
    """Return the recurrence that is meant by `month`, or by `3 months`."""
    match = _EVERY.fullmatch(written)
    if match is None:
        raise UsageError(f"--repeat {written!r}: write {', '.join(FREQUENCIES)}, or how many of them: '3 months'")
    return {"frequency": FREQUENCIES[match[2]], "interval": int(match[1] or 1)}


def einvoice_format(written: str | None) -> EInvoiceFormat | None:
    """Return the format of e-invoices that is meant; UsageError for none that there is."""
    from acctcli.models.enums import EInvoiceFormat

    if written not in {None, *EInvoiceFormat}:
        raise UsageError(f"--format {written!r}: there are {', '.join(EInvoiceFormat)}")
    return None if written is None else EInvoiceFormat(written)


def reference_rates(written: Sequence[str]) -> dict[date, Decimal]:
    """Return reference rates in percent, by the first days of half-years; UsageError for what is none."""
    found: dict[date, Decimal] = {}
    for one in written:
        first, _, percent = one.partition("=")
        try:
            day, rate = date.fromisoformat(first), Decimal(percent)
        except (ValueError, ArithmeticError):
            raise _no_rate(one) from None
        if (day.month, day.day) not in {(1, 1), (7, 1)} or not rate.is_finite() or abs(rate) > _HIGHEST_RATE:
            raise _no_rate(one)
        found[day] = rate
    return found


def way_to_remind(written: str) -> str:
    """Return the way by which a customer is reminded; UsageError for none that there is."""
    if written not in REMINDING:
        raise UsageError(f"--method {written!r}: a reminder goes by {' or '.join(REMINDING)}")
    return written


def _no_rate(written: str) -> UsageError:
    return UsageError(f"--reference-rate {written!r}: write the first day of a half-year, as in 2026-07-01=2.5")


InvoiceId = Annotated[int, id_argument(INVOICE)]
NoteId = Annotated[int, id_argument(CREDIT_NOTE, metavar="CREDIT-NOTE")]
InvoiceIds = Annotated[list[int] | None, id_argument(INVOICE, metavar="ID...", several=True)]
MessageId = Annotated[int, typer.Argument(metavar="MESSAGE", min=1, help="The message's id.")]
Message = Annotated[str, typer.Argument(metavar="TEXT", help="What there is to say about the invoice.")]

# what an invoice shall be
RECEIVER = field(
    "receiver",
    "--to",
    metavar="CUSTOMER",
    complete=contacts,
    help="Who it is for: a customer number, business id or whole name; id:57 for the contact of that id.",
)
ROWS = many(
    "rows",
    "--row",
    "PAIRS",
    "Row: code=A1,count=2 of a product (or code=id:3), or name=, unit=, count=, amount=, vat=; these are all.",
)
CONTENT = (
    day("invoicing_date", "--date", help="Date of the invoice, or today, yesterday."),
    field("payment_condition_days", "--days", type=WHOLE, metavar="N", help="Days from its date until it is due."),
    field("reference", "--reference", metavar="TEXT", help="Payment reference; made when it is accepted if not given."),
    field("description", "--description", metavar="TEXT", help="What it is about."),
    field("contact_person", "--contact-person", metavar="TEXT", help="Whom it goes to at the customer."),
    field("seller_reference", "--seller-reference", metavar="TEXT", help="Your own reference."),
    field("buyer_reference", "--buyer-reference", metavar="TEXT", help="The customer's reference."),
    field("penalty_interest", "--penalty-interest", metavar="PERCENT", help="Interest when it is paid late."),
    field(
        "delivery_method",
        "--delivery",
        metavar="METHOD",
        complete=value_of("DeliveryMethod"),
        read=wire_name,
        help="How it is to be delivered: email, einvoice, elasku or paper.",
    ),
    day("settlement_date", "--settlement-date", help="Day of supply, when it is not that of the invoice."),
    many("tag_ids", "--tag", "TAG", "Tag it carries, by id or name; these are all.", type=Called(TAG)),
    many("attachments", "--attachment", "ID", "File that goes with it; these are all.", type=ID),
)
FIELDS = (
    RECEIVER,
    ROWS,
    *CONTENT,
    flag("is_active_recurrence_template", "--recurring/--not-recurring", help="Whether it repeats once accepted."),
    field(
        "recurrence_rule",
        "--repeat",
        metavar="EVERY",
        read=_rule,
        help="How often, with --recurring: day, week, month, '3 months'.",
    ),
    day("recurrence_end", "--repeat-until", help="No repetition after this day."),
    field(
        "recurrence_reference_method",
        "--repeat-reference",
        metavar="METHOD",
        read=wire_name,
        help="The reference of its repetitions: keep it, or roll to a new one.",
    ),
)

# which invoices to list
FILTERS = (
    SEARCH,
    many(
        "status",
        "--status",
        "STATUS",
        "Only those of this status: draft, accepted, paid or credit-loss.",
        complete=value_of("InvoiceStatus"),
        read=wire_name,
    ),
    flag("is_credit_note", "--credit-notes/--no-credit-notes", help="Only credit notes, or only invoices."),
    field("invoice_number", "--number", metavar="N", help="Only the one of this number."),
    field(
        "status_changed_to",
        "--became",
        metavar="STATUS",
        complete=value_of("InvoiceStatus"),
        read=wire_name,
        help="Only those that ever came to this status.",
    ),
    *span("status_changed_at", "--became", "that came to the status of --became"),
    *span("due_date", "--due", "due"),
    *span("created_at", "--created", "made"),
    *span("updated_at", "--updated", "last changed"),
)

# credit notes
CREDITED = (
    many("part", "--part", "ROW:COUNT", "Credit only this: row 2 of the invoice, 1.5 of it."),
    ROWS,
    *CONTENT,
)

LOST_ON = day("date", "--date", help="Day of the loss (today), one from that of the invoice on.")

# payments
Paid = Annotated[list[int], id_argument(INVOICE, "of one payment", metavar="ID...", several=True)]
PaidOn = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Day of the payment (today).")]
PaidTo = Annotated[
    str | None, typer.Option("--account", metavar="NUMBER", help="Account of the money; the usual bank account.")
]
PaidWith = Annotated[str | None, typer.Option("--amount", metavar="AMOUNT", help="How much; all that is open.")]


# languages
LANGUAGE = field(
    "language",
    "--language",
    metavar="LANGUAGE",
    complete=value_of("Language"),
    help="fi, sv, en or de; that of the country's law, else of the customer, if not given.",
)
Translated = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        autocompletion=value_of("Language"),
        help="fi, sv, en or de: a translation where the invoice is in another one.",
    ),
]

# deliveries
Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="METHOD",
        autocompletion=value_of("DeliveryMethod"),
        help="How: email, einvoice, elasku or paper; the invoice's own way, or the first there is, if not given.",
    ),
]
Subject = Annotated[str | None, typer.Option("--subject", metavar="TEXT", help="Subject of the e-mail.")]
Content = Annotated[str | None, typer.Option("--text", metavar="TEXT", help="Text of the e-mail.")]
Doubt = Annotated[
    str | None,
    typer.Option(
        "--in-doubt",
        metavar="WORD",
        autocompletion=value_of("InDoubt"),
        help="Of an e-mail or e-invoice that may have left: arrived notes that it was sent, again sends it.",
    ),
]

# papers and figures
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        autocompletion=value_of("EInvoiceFormat"),
        help="xrechnung, finvoice, peppol or cii; that of the business's country if not given.",
    ),
]
CheckedFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        autocompletion=value_of("EInvoiceFormat"),
        help="xrechnung, finvoice, peppol or cii; those that the buyer takes if not given.",
    ),
]
PaperFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        autocompletion=one_of((ZUGFERD,)),
        help="zugferd: as PDF/A-3 with the invoice in CII inside (Factur-X, profile EN 16931).",
    ),
]
Checked = Annotated[list[int], id_argument(INVOICE, "to be looked at", metavar="ID...", several=True)]
Reminded = Annotated[list[int], id_argument(INVOICE, "of one customer", metavar="ID...", several=True)]
RemindedOn = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Interest until this day (today).")]
RemindedBy = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="METHOD",
        autocompletion=one_of(REMINDING),
        help="Remind the customer, by email or paper; without it nothing is sent or noted.",
    ),
]
Term = Annotated[
    int | None, typer.Option("--days", metavar="N", min=1, max=999, help="Days to pay; the fewest usual if not given.")
]
Fee = Annotated[
    str | None, typer.Option("--fee", metavar="AMOUNT", help="What the reminder costs a person; businesses none.")
]
References = Annotated[
    list[str] | None,
    typer.Option(
        "--reference-rate", metavar="DAY=PERCENT", help="Reference rate of the half-year from a day, if not known here."
    ),
]
Statutory = Annotated[bool, typer.Option("--statutory", help="The law's rates, whatever the invoice says.")]
LumpSum = Annotated[bool, typer.Option("--lump-sum/--no-lump-sum", help="The lump sum that businesses owe, or none.")]
Frame = Annotated[bool, typer.Option("--frame", help="Put before a Finvoice what operators and banks route it by.")]
Operator = Annotated[
    str | None,
    typer.Option("--operator", metavar="CODE", help="Who carries your Finvoices, where your business names nobody."),
]
Expand = Annotated[
    str | None,
    typer.Option(
        "--expand", metavar="FIELD", autocompletion=one_of(EXPANSIONS), help="One line for each of the `rows`."
    ),
]
AsOf = Annotated[str | None, typer.Option("--date", metavar="DAY", help="As it was at the end of this day (today).")]
