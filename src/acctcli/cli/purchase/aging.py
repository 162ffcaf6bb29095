"""Payables by age: what is owed to each supplier on a day, by how long it has been due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from acctcli.cli.output.stderr import how_many_are, tell
from acctcli.cli.purchase.debts import Debts, Purchase
from acctcli.cli.report.ages import Aged, age_rows, show_ages
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State

_CURRENCY = "EUR"  # that of all books


def show_aging(here: State, day: date) -> None:
    """Show what was owed at the end of a day: one document as json, else a row a supplier; tables end with the totals.

    Say what of it is not in the books, and what the accounts of payables hold besides. Raises Incomplete when the
    invoices or documents cannot be read as one whole.
    """
    rows, notes = payables(here, day)
    show_ages(here, day, rows, of="suppliers")
    for note in notes:
        tell(note)


def payables(here: State, day: date) -> tuple[list[dict[str, Any]], list[str]]:
    """Return a row for each supplier with what was open at the end of a day, and what is to be said of it."""
    debts = Debts(here, day)
    unbooked = _unbooked(debts)
    return by_supplier([*debts.open, *unbooked], day), [*_notes(debts, [one.id for one, _ in unbooked])]


def open_in_euros(here: State, day: date) -> list[tuple[Purchase, Decimal]]:
    """Return the invoices that payables are made of, by supplier, each with what was open of it."""
    debts = Debts(here, day)
    return _sorted([*debts.open, *_unbooked(debts)])


def _unbooked(debts: Debts) -> list[tuple[Purchase, Decimal]]:
    return [(one, rounded(one.amount)) for one in debts.unbooked if one.currency == _CURRENCY]


def _notes(debts: Debts, unbooked: Sequence[int]) -> Iterator[str]:
    if unbooked:
        first = f"{'' if len(unbooked) == 1 else 'such as '}acctcli purchase post {unbooked[0]} --account NUMBER"
        yield f"{how_many_are(len(unbooked), 'open invoice')} not in the books: {first}"
    for one in debts.unbooked:
        if one.currency != _CURRENCY:
            amount = f"{one.amount} {one.currency}"
            yield f"note: purchase invoice {one.id} over {amount} is in no books and not counted here"
    for account, rest in debts.rest.items():
        if rest:
            yield f"note: account {account} has {rest} besides, which is of none of these"


def by_supplier(found: Iterable[tuple[Purchase, Decimal]], day: date) -> list[dict[str, Any]]:
    """Return a row for each supplier who is owed or owes, by name."""
    return age_rows(map(_aged, _sorted(found)), day)


def _sorted(found: Iterable[tuple[Purchase, Decimal]]) -> list[tuple[Purchase, Decimal]]:
    return sorted(found, key=lambda pair: (supplier_of(pair[0]).casefold(), pair[0].id))


def _aged(pair: tuple[Purchase, Decimal]) -> Aged:
    """Return what is open of an invoice: due at once where it says no day; what the supplier owes is due to nobody."""
    one, amount = pair
    due = (one.due_date or one.invoicing_date) if amount > 0 else None
    return Aged(supplier_of(one).casefold(), {"name": supplier_of(one)}, due, amount)


def supplier_of(one: Purchase) -> str:
    """Return who sent it, without blanks that nobody sees."""
    return " ".join((one.sender_name or "").split()) or "(nobody)"
