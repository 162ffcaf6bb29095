"""Receivables by age: what each customer owes on a day, by how long it has been due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from acctcli.cli.invoice.reminded import Reminded, reminders_in
from acctcli.cli.invoice.standing import Invoice, open_on
from acctcli.cli.output.stderr import how_many_are, tell
from acctcli.cli.report.ages import Aged, age_rows, show_ages
from acctcli.cli.session.state import State


def show_aging(here: State, day: date) -> None:
    """Show what was open at the end of a day: one document as json, else a row a customer; tables end with the totals.

    Say which of it is not in the books. Raises Incomplete when the invoices cannot be read as one whole.
    """
    rows, notes = receivables(here, day)
    show_ages(here, day, rows, of="customers")
    for note in notes:
        tell(note)


def receivables(here: State, day: date) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each customer with what was open at the end of a day, and what is to be said of it."""
    found, notes = open_in_euros(here, day)
    return by_customer(found, day), notes


def open_in_euros(here: State, day: date) -> tuple[list[tuple[Invoice, Decimal]], list[str]]:
    """Return the invoices that were open at the end of a day, each with how much, and what is to be said of them."""
    every = list(open_on(here, day))
    return [(one, amount) for one, amount in every if not one.is_foreign], [*_notes(every)]


def _notes(found: Iterable[tuple[Invoice, Decimal]]) -> Iterator[str]:
    if unbooked := sum(one.claim is None and not one.is_foreign for one, _ in found):
        yield f"{how_many_are(unbooked, 'open invoice')} not in the books: posted when paid (payment basis)"
    for one, amount in found:
        if one.is_foreign:
            yield f"note: {one.title} over {amount} {one.currency} is in no books and not counted here"


def by_customer(found: Sequence[tuple[Invoice, Decimal]], day: date) -> list[dict[str, Any]]:
    """Return a row for each customer who owes or is owed, by name.

    A credit note is as old as its invoice while that is open. What else is owed to the customer is not due: nobody is
    late with it. `reminded` is the sternest reminder that an open invoice has had by then.
    """
    due, reminded = {one.id: one.due_date for one, _ in found}, _reminded(found, day)
    by_name = sorted(found, key=lambda pair: (pair[0].receiver_info.name.casefold(), pair[0].receiver, pair[0].id))
    return age_rows((_aged(one, amount, due, reminded) for one, amount in by_name), day)


def _reminded(found: Sequence[tuple[Invoice, Decimal]], day: date) -> dict[int, Reminded]:
    """Return the sternest reminder of each customer, the latest one of those."""
    every = (
        (one.receiver, had)
        for one, amount in found
        if amount > 0
        for had in reminders_in(one.external_status_messages)
        if had.day <= day
    )
    return dict(sorted(every, key=lambda pair: (pair[1].stage.order, pair[1].day)))


def _aged(one: Invoice, amount: Decimal, due: Mapping[int, date], reminded: Mapping[int, Reminded]) -> Aged:
    is_owed = amount > 0 or one.is_credit_note_for in due
    since = due.get(one.is_credit_note_for or one.id, one.due_date) if is_owed else None
    had = reminded.get(one.receiver)
    who = {"receiver": one.receiver, "name": one.receiver_info.name, "reminded": had and had.short}
    return Aged(one.receiver, who, since, amount)
