"""What invoices lack before anybody refuses them: in law, in the books and for e-invoices (docs/law.md 7.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import cache, partial
from typing import Any, NamedTuple

from acctcli import law
from acctcli.cli.document.closed import PostingDays, posting_days
from acctcli.cli.invoice.papers import lacking, usual_formats, whole
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import State
from acctcli.client.faults import unreadable
from acctcli.client.messages import Reply
from acctcli.errors import Forbidden, Incomplete
from acctcli.law.invoices import Finding, Line, first_findings, legal_findings
from acctcli.models.enums import EInvoiceFormat, InvoiceStatus
from acctcli.printing.alphabet import paper_findings

ACCEPT = "accept"
_IDENTIFIERS = "business.identifiers"
# what e-invoices lack: what is wrong, what would be right, and by which rules
_SAID = re.compile(r"([^:]*)(?:: (.*?))?(?: \(([^()]*)\))?")


class Lacking(NamedTuple):
    """A row of what an invoice lacks: for which step or format, in which field, and which law or rule says so."""

    invoice: int
    needed_for: str
    field: str
    lacks: str
    right: str | None
    law: str | None


def check_each(here: State, ids: Sequence[int], form: EInvoiceFormat | None, columns: Sequence[str]) -> None:
    """Show a row for all that each invoice lacks; raise Incomplete where one lacks something."""
    days = cache(partial(_known_days, here))
    business = here.api.businesses.get(here.business())
    wanted = list(dict.fromkeys(ids))
    rows = [row for one in wanted for row in _rows(here, one, business, form, days)]
    show_values(here, [row._asdict() for row in rows], columns)
    if rows:
        found = len({row.invoice for row in rows})
        fields = how_many(len(rows), "field")
        told = f"{fields} of {how_many(found, 'invoice')} {'lacks' if len(rows) == 1 else 'lack'} something"
        raise Incomplete(told, hint=_where_it_is_set([row.field for row in rows], business))
    here.say(f"nothing lacks of {how_many(len(wanted), 'invoice')}")


def _where_it_is_set(fields: Sequence[str], business: Reply) -> str | None:
    """Name the commands that set what lacks of the business and of the buyer; None where only the invoice lacks it."""
    kind = law.country(whole(business)["country"]).official_id.type
    commands = {
        f"acctcli business identifier create --type {kind} --value NUMBER": {_IDENTIFIERS},
        "acctcli business update --help": {one for one in fields if one.startswith("business.")} - {_IDENTIFIERS},
        "acctcli contact update --help": {one for one in fields if one.startswith("receiver_info.")},
    }
    named = [command for command, its in commands.items() if not its.isdisjoint(fields)]
    return f"what sets it: {'; '.join(named)}" if named else None


def _rows(
    here: State, invoice: int, business: Reply, form: EInvoiceFormat | None, days: Callable[[], PostingDays | None]
) -> Iterator[Lacking]:
    reply = here.api.invoices.get(invoice)
    for finding in [*_in_law(reply, business), *_in_the_books(here, reply, business, days)]:
        for field in finding.fields:
            yield Lacking(invoice, ACCEPT, field, finding.lacks, finding.right or None, finding.law or None)
    for one in [form] if form else usual_formats(reply, business):
        for field, texts in lacking(here, reply, business, one).items():
            yield from (Lacking(invoice, one, field, *_parts(text)) for text in texts)


def _in_law(reply: Reply, business: Reply) -> list[Finding]:
    """Return what keeps a draft from being accepted; what is accepted stays as it is."""
    draft, seller = whole(reply), whole(business)
    try:
        return _findings(draft, seller) if draft["status"] == InvoiceStatus.DRAFT else []
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as problem:
        raise unreadable(reply, "an invoice or its business") from problem


def _known_days(here: State) -> PostingDays | None:
    try:
        return posting_days(here)
    except Forbidden:
        here.say("note: you may not see the periods, so that nothing is said of days that take no postings")
        return None


def _in_the_books(
    here: State, reply: Reply, business: Reply, days: Callable[[], PostingDays | None]
) -> Iterator[Finding]:
    """Yield what keeps a draft that is posted as a claim out of the books: that its day takes no posting."""
    draft, seller = whole(reply), whole(business)
    if draft["status"] != InvoiceStatus.DRAFT or not seller.get("has_accrual_based_entries_for_invoicing"):
        return
    # a credit note goes where its invoice is
    credited = draft["is_credit_note_for"]
    if credited is not None and whole(here.api.invoices.get(credited)).get("document") is None:
        return
    try:
        day = date.fromisoformat(draft["invoicing_date"])
    except ValueError as problem:
        raise unreadable(reply, "an invoice") from problem
    if (known := days()) is not None and (why := known.refusal(day)):
        yield Finding(("invoicing_date",), why, "a day that takes postings: it is posted on its own")


def _findings(draft: dict[str, Any], seller: dict[str, Any]) -> list[Finding]:
    home, receiver = law.country(seller["country"]), draft["receiver_info"]
    lines = [_line(row) for row in draft["rows"]]
    day = date.fromisoformat(draft["settlement_date"] or draft["invoicing_date"])
    # what a credit note takes back is as it was sold
    is_note = draft["is_credit_note_for"] is not None
    found = list(first_findings(len(lines), receiver, seller, home))
    found += legal_findings([] if is_note else lines, receiver, seller, home, day, draft["buyer_reference"])
    return found if is_note else [*found, *paper_findings(draft, draft["rows"], receiver, seller)]


def _line(row: dict[str, Any]) -> Line:
    net = Decimal(row["total_amount"]) - Decimal(row["total_vat_amount"])
    return Line(row["name"], row["vat_code"], Decimal(row["vat_rate"]), taken_off=net < 0)


def _parts(text: str) -> tuple[str, str | None, str | None]:
    """Return what a text of an e-invoice says is wrong, what would be right, and by which rules."""
    said = _SAID.fullmatch(text)
    return (text, None, None) if said is None else (said[1], said[2], said[3])
