"""Receivables by age: what each customer owes on a day, by how long it has been due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal, localcontext
from typing import Any

import msgspec

from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.output.show import show_value, show_values
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent

# the last day of each span, counted from the due date; what is older stands in the last column
SPANS = ((0, "not_due"), (30, "days_1_30"), (60, "days_31_60"), (90, "days_61_90"))
OLDER = "days_over_90"
LOST = "CREDIT_LOSS"
# digits of sums, more than amounts and their number ever have
_DIGITS = 60
AMOUNTS = (*(name for _, name in SPANS), OLDER, "total")
COLUMNS = ("receiver", "name", *AMOUNTS)


class _Receiver(msgspec.Struct):
    name: str


class Open(Amounts, gc=True):
    """An invoice, or a credit note with its negative amount, that may be open on the day."""

    id: int
    receiver: int
    receiver_info: _Receiver
    due_date: date
    total_amount: Decimal
    status: str
    payment_date: date | None = None
    is_credit_note_for: int | None = None


_read = reader(Open, "an invoice")


def show_aging(here: State, day: date) -> None:
    """Show what was open at the end of a day: one document as json, else a row a customer; tables end with the totals.

    Whoever paid later had not paid then, and what was given up later was still owed. Raises Incomplete when the
    invoices cannot be read as one whole.
    """
    invoices = list(_open_on(here, day))
    with localcontext() as exact:
        exact.prec = _DIGITS
        rows = by_customer(invoices, day)
        totals = {name: sum((row[name] for row in rows), Decimal("0.00")) for name in AMOUNTS}
    if here.format == "json":
        show_value(here, {"date": day, "customers": rows, "totals": totals})
    elif here.format == "table":
        show_values(here, [*rows, {"receiver": None, "name": "Total", **totals}], COLUMNS)
    else:
        show_values(here, rows, COLUMNS)


def by_customer(invoices: Sequence[Open], day: date) -> list[dict[str, Any]]:
    """Return a row for each customer who owes or is owed, by name.

    A credit note is as old as its invoice while that is open.
    """
    due = {one.id: one.due_date for one in invoices}
    rows: dict[int, dict[str, Any]] = {}
    for one in sorted(invoices, key=lambda one: (one.receiver_info.name.casefold(), one.receiver, one.id)):
        blank = {"receiver": one.receiver, "name": one.receiver_info.name, **dict.fromkeys(AMOUNTS, Decimal("0.00"))}
        row = rows.setdefault(one.receiver, blank)
        since = due.get(one.is_credit_note_for or one.id, one.due_date)
        span = next((name for last, name in SPANS if (day - since).days <= last), OLDER)
        amount = rounded(one.total_amount)
        row[span] += amount
        row["total"] += amount
    return [row for row in rows.values() if any(row[name] for name in AMOUNTS)]


def _open_on(here: State, day: date) -> Iterable[Open]:
    """Read the invoices of a day; those paid or given up since are asked for only where the day is past."""
    is_past = day < date.today()
    found = {}
    for one in _list(here, day, {"status": ["ACCEPTED", "PAID"] if is_past else ["ACCEPTED"]}):
        if one.status == "ACCEPTED" or (one.payment_date is not None and one.payment_date > day):
            found[one.id] = one
    if is_past:
        # no field says when a claim was given up
        since = (day + timedelta(days=1)).isoformat()
        lost = {"status": [LOST], "status_changed_to": LOST, "status_changed_at_gte": since}
        found |= {one.id: one for one in _list(here, day, lost) if one.status == LOST}
    return found.values()


def _list(here: State, day: date, query: dict[str, Any]) -> Iterator[Open]:
    return read_all(here.api.invoices.list({**query, "invoicing_date_lte": day.isoformat()}, Extent(limit=None)), _read)
