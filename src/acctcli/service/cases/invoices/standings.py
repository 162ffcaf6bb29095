"""What is open of invoices by the books (docs/interface.md 7.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from acctcli.banking.settlement import Movement, Standing, settle
from acctcli.service.cases.work import Work
from acctcli.service.store.invoicing import claims
from acctcli.service.store.invoicing.claims import Moved

ACCRUAL, CLOSING = "ACCRUAL", "CLOSING"
# PART1 and on: what was paid of a sale that its payments post, before the last of them; or what closed a claim again
PART = "PART"


class Network(NamedTuple):
    """The claims that have to do with each other, and what settles them.

    `invoices` maps the documents of claims to their invoices, `accounts` to the account each stands on, `losses` those
    by which invoices were given up to these.
    """

    moved: list[Moved]
    related: set[tuple[int, int]]
    credited: set[tuple[int, int]]
    invoices: dict[int, int]
    accounts: dict[int, int]
    losses: dict[int, int]

    @property
    def invoice_ids(self) -> set[int]:
        """The invoices that these documents book, by claims or by the payments of a sale."""
        return {one.invoice_id for one in self.moved if one.invoice_id is not None}

    def standings(self) -> dict[int, Standing]:
        """Return how the claims stand, by invoice."""
        found = {}
        for account_id in set(self.accounts.values()):
            for document_id, standing in settle(self._movements(account_id), self.related, self.credited).items():
                found[self.invoices[document_id]] = standing
        return found

    def is_lost(self, invoice_id: int) -> bool:
        """Say whether an invoice was given up, and nothing took that back."""
        return any(self._counts(loss) for loss, lost_id in self.losses.items() if lost_id == invoice_id)

    def _counts(self, loss: int) -> bool:
        """Say whether a loss, with what is related to it, moves an account of claims."""
        near = {two for pair in self.related for one, two in (pair, pair[::-1]) if one == loss}
        counted, accounts = {loss, *near} - self.accounts.keys(), set(self.accounts.values())
        return any(
            sum(one.cents for one in self.moved if one.account_id == account and one.document_id in counted)
            for account in accounts
        )

    def note(self, document: Moved, invoice_id: int, blueprint: str) -> None:
        """Note what a document of an invoice is: its claim, or what closed it."""
        debited = msgspec.json.decode(blueprint).get("debet_account_id")
        if document.role == ACCRUAL:
            self.invoices[document.document_id] = invoice_id
            self.accounts[document.document_id] = debited
        elif debited is None:  # a payment debits the bank, a loss bad debts by rate
            self.losses[document.document_id] = invoice_id

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
    found = Network([], set(), set(), {}, {}, {})
    started, seen = set(document_ids), set[int]()
    ring, reached = started, set[int | None]()
    while ring:
        seen |= ring
        moved = claims.moved(conn, business_id, ring)
        for one in moved:
            if one.invoice_id is not None and one.blueprint is not None:
                found.note(one, one.invoice_id, one.blueprint)
        found.moved.extend(moved)
        if ring is started:
            reached = {one.account_id for one in moved}
        accounts = reached | set(found.accounts.values())
        # what moves no account of claims, or of where this began, leads to no further ones
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
