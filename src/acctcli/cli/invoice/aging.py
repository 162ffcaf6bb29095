"""Receivables by age: what each customer owes on a day, by how long it has been due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal, localcontext
from typing import Any

from acctcli.cli.invoice.standing import Invoice, open_on
from acctcli.cli.output.show import show_value, show_values
from acctcli.cli.output.stderr import how_many_are, tell
from acctcli.cli.session.state import State

# the last day of each span, counted from the due date; what is older stands in the last column
SPANS = ((0, "not_due"), (30, "days_1_30"), (60, "days_31_60"), (90, "days_61_90"))
OLDER = "days_over_90"
# digits of sums, more than amounts and their number ever have
_DIGITS = 60
AMOUNTS = (*(name for _, name in SPANS), OLDER, "total")
COLUMNS = ("receiver", "name", *AMOUNTS)


def show_aging(here: State, day: date) -> None:
    """Show what was open at the end of a day: one document as json, else a row a customer; tables end with the totals.

    Say which of it is not in the books. Raises Incomplete when the invoices cannot be read as one whole.
    """
    with localcontext() as exact:
        exact.prec = _DIGITS
        found = list(open_on(here, day))
        rows = by_customer(found, day)
        totals = {name: sum((row[name] for row in rows), Decimal("0.00")) for name in AMOUNTS}
    if here.format == "json":
        show_value(here, {"date": day, "customers": rows, "totals": totals})
    elif here.format == "table":
        show_values(here, [*rows, {"receiver": None, "name": "Total", **totals}], COLUMNS)
    else:
        show_values(here, rows, COLUMNS)
    if unbooked := sum(one.claim is None for one, _ in found):
        tell(f"{how_many_are(unbooked, 'open invoice')} not in the books: posted when paid (payment basis)")


def by_customer(found: Sequence[tuple[Invoice, Decimal]], day: date) -> list[dict[str, Any]]:
    """Return a row for each customer who owes or is owed, by name.

    A credit note is as old as its invoice while that is open. What else is owed to the customer is not due: nobody is
    late with it.
    """
    due = {one.id: one.due_date for one, _ in found}
    rows: dict[int, dict[str, Any]] = {}
    for one, amount in sorted(
        found, key=lambda pair: (pair[0].receiver_info.name.casefold(), pair[0].receiver, pair[0].id)
    ):
        blank = {"receiver": one.receiver, "name": one.receiver_info.name, **dict.fromkeys(AMOUNTS, Decimal("0.00"))}
        row = rows.setdefault(one.receiver, blank)
        since = due.get(one.is_credit_note_for or one.id, one.due_date)
        is_owed = amount > 0 or one.is_credit_note_for in due
        span = next((name for last, name in SPANS if not is_owed or (day - since).days <= last), OLDER)
        row[span] += amount
        row["total"] += amount
    return [row for row in rows.values() if any(row[name] for name in AMOUNTS)]
