"""What is open of invoices by the books, and their status after it (docs/interface.md 7.1, 7.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from acctcli.banking.settlement import Movement, Standing, settle
from acctcli.models.enums import InvoiceStatus
from acctcli.service.cases.invoices.view import show_invoice
from acctcli.service.cases.work import Work
from acctcli.service.store.invoicing import claims, invoices
from acctcli.service.store.invoicing.claims import Moved
from acctcli.service.store.invoicing.invoices import InvoiceRow

ACCRUAL, CLOSING = "ACCRUAL", "CLOSING"


class Network(NamedTuple):
    """The claims that have to do with each other, and what settles them.

    `invoices` maps the documents of claims to their invoices, `accounts` to the account each stands on.
    """

    moved: list[Moved]
    related: set[tuple[int, int]]
    credited: set[tuple[int, int]]
    invoices: dict[int, int]
    accounts: dict[int, int]

    def standings(self) -> dict[int, Standing]:
        """Return how the claims stand, by invoice."""
        found = {}
        for account_id in set(self.accounts.values()):
            for document_id, standing in settle(self._movements(account_id), self.related, self.credited).items():
                found[self.invoices[document_id]] = standing
        return found

    def _movements(self, account_id: int) -> Iterator[Movement]:
        here = {claim for claim, account in self.accounts.items() if account == account_id}
        rows = [one for one in self.moved if one.account_id == account_id and one.document_id not in self.accounts]
        yield from (Movement(one.document_id, one.date, one.cents, False) for one in rows)
        amounts = {one.document_id: one.cents for one in self.moved if one.account_id == account_id}
        days = {one.document_id: one.date for one in self.moved}
        yield from (Movement(claim, days[claim], amounts.get(claim, 0), True) for claim in here)


def network(work: Work, document_ids: Iterable[int]) -> Network:
    """Return the claims that documents have to do with, near or far."""
    conn, business_id = work.conn, work.business.id
    found = Network([], set(), set(), {}, {})
    started, seen = set(document_ids), set[int]()
    ring = started
    while ring:
        seen |= ring
        moved = claims.moved(conn, business_id, ring)
        for one in moved:
            if one.role == ACCRUAL:
                assert one.invoice_id is not None
                assert one.blueprint is not None
                found.invoices[one.document_id] = one.invoice_id
                found.accounts[one.document_id] = msgspec.json.decode(one.blueprint)["debet_account_id"]
        found.moved.extend(moved)
        accounts = set(found.accounts.values())
        # what moves no account of claims leads to no further ones
        through = {one.document_id for one in moved if one.invoice_id is not None or one.account_id in accounts}
        through |= ring & started
        related = set(claims.pairs(conn, business_id, through)) if through else set()
        within, credited = _ties(work, {one.invoice_id for one in moved if one.invoice_id is not None})
        found.related.update(related, within)
        found.credited.update(credited)
        ring = {one for pair in (*related, *within, *credited) for one in pair} - seen
    return found


def _ties(work: Work, invoice_ids: set[int]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return pairs of documents that belong to one invoice, and pairs of an invoice and its credit note."""
    found = sorted(claims.ties(work.conn, work.business.id, invoice_ids)) if invoice_ids else []
    first: dict[int, int] = {}
    for one in found:  # a claim comes before its payment
        first.setdefault(one.invoice_id, one.document_id)
    within = {(first[one.invoice_id], one.document_id) for one in found if first[one.invoice_id] != one.document_id}
    credited = {(first[one.credited_id], first[one.invoice_id]) for one in found if one.credited_id in first}
    return within, credited


def standing(work: Work, invoice_id: int, claim_id: int) -> Standing:
    """Return how the claim of an invoice stands."""
    return network(work, [claim_id]).standings()[invoice_id]


def follow(work: Work, document_ids: Iterable[int]) -> None:
    """Let the invoices that documents have to do with come to the status that the books say."""
    named = list(document_ids)
    invoice_ids = network(work, named).invoices.values()
    if not invoice_ids:
        return
    # in this order nobody waits for who waits for them; and then what others have written meanwhile
    rows = [invoices.get(work.conn, work.business.id, one, for_update=True) for one in sorted(invoice_ids)]
    standings = network(work, named).standings()
    for row in rows:
        if row is not None and row.id in standings:
            _follow(work, row, standings[row.id])


def _follow(work: Work, row: InvoiceRow, found: Standing) -> None:
    paid, accepted = InvoiceStatus.PAID, InvoiceStatus.ACCEPTED
    if row.status == accepted and found.settled_on is not None:
        moved = move(work, row, paid, payment_date=found.settled_on)
        work.emit("sales_invoice.paid", show_invoice(work, moved))
    elif row.status == paid and found.open:
        moved = move(work, row, accepted, payment_date=None)
        work.emit("sales_invoice.unpaid", show_invoice(work, moved))
    elif row.status == paid and found.settled_on not in {None, row.payment_date}:
        invoices.change(
            work.conn, work.business.id, row.id, {"payment_date": found.settled_on, "updated_at": work.stamp}
        )
        moved = row._replace(payment_date=found.settled_on, updated_at=work.stamp)
        work.emit("sales_invoice.updated", show_invoice(work, moved))


def move(work: Work, row: InvoiceRow, status: InvoiceStatus, **changes: Any) -> InvoiceRow:
    """Write that an invoice came to a status, and return it as it is now."""
    values: dict[str, Any] = {"status": status.value, "updated_at": work.stamp, **changes}
    invoices.change(work.conn, work.business.id, row.id, values)
    invoices.note_transition(work.conn, work.business.id, row.id, status, work.stamp)
    return row._replace(**{name: value for name, value in values.items() if name in InvoiceRow._fields})
