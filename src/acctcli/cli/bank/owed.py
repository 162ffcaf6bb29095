"""What is open of invoices and purchase invoices, as matching is given it (docs/bank.md 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec

from acctcli.banking.matching.candidates import Claim, Kind, Side, ibans_of, names_of
from acctcli.banking.matching.words import folded, number_key, reference_key
from acctcli.banking.payments.identity import payment_ids
from acctcli.cli.account.chart import Account, Chart
from acctcli.cli.bank.refunds import read_refunds
from acctcli.cli.bank.there import Aim
from acctcli.cli.document.moves import Booked
from acctcli.cli.invoice.reminded import Reminded, reminders_in
from acctcli.cli.invoice.standing import ACCEPTED, PAID, Invoice, open_of
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.purchase.debts import (
    Debts,
    Purchase,
    by_account,
    debt_account,
    every_purchase,
    open_now,
    read_purchase,
)
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import Forbidden, NotFound

_CURRENCY = "EUR"  # that of all books
_EVERY = Extent(limit=None)
# what `invoice pay` calls invoices, folded
_INVOICE = re.compile(r"\b(?:invoice|credit note) [0-9]+\b")


class _Invoice(Invoice):
    # amounts are checked by the fields of the class itself
    total_amount: Decimal
    invoice_number: int | None = None
    reference: str | None = None


class _Business(msgspec.Struct):
    account_payables: int | None = None


_invoice = reader(_Invoice, "an invoice")


class Before(NamedTuple):
    """The document of a claim as it was looked at: its account, its day, and what it was related to."""

    account: int | None
    day: date
    related: frozenset[int] = frozenset()


@dataclass
class Owed:
    """Claims, who owes them by the id of the contact, and purchase invoices that are paid and do not say so.

    `before` are the documents of the claims as they were when these were read.
    """

    claims: list[Claim] = field(default_factory=list)
    contacts: dict[str, int] = field(default_factory=dict)
    unsaid: list[tuple[int, Booked]] = field(default_factory=list)
    before: dict[int, Before] = field(default_factory=dict)

    def look_at(self, document: Booked, account: int | None) -> None:
        """Note what the document of a claim is related to."""
        related = frozenset(one.related_document for one in document.relations)
        self.before[document.id] = Before(account, document.date, related)


def aim_of(claim: Claim) -> Aim:
    """Return what a document says that is to settle a claim."""
    return Aim("invoice" if claim.kind in {Kind.INVOICE, Kind.SALE} else "purchase", claim.id)


def aims_of(claims: Iterable[Claim]) -> list[Aim]:
    """Return what a document says that is to settle claims; of tax that comes back the document itself is all."""
    return [aim_of(one) for one in claims if one.kind is not Kind.REFUND]


def read_owed(here: State, chart: Chart, tax_reference: str) -> Owed:
    """Read what is open by all that is posted; `tax_reference` is the one that taxes without one are paid with."""
    owed = Owed()
    with _as_far_as_allowed(here, "invoices"):
        _add_invoices(here, owed)
    with _as_far_as_allowed(here, "purchase invoices"):
        _add_purchases(here, owed, every_purchase(here, is_paid=False), chart, tax_reference)
    with _as_far_as_allowed(here, "VAT periods"):
        owed.claims += read_refunds(here, chart, _references(tax_reference))
    return owed


def settled_claim(here: State, owed: Owed, chart: Chart, aim: Aim) -> Claim | None:
    """Return what is paid, for who pays it twice or gives back what was too much; None of what is no such."""
    try:
        return _settled_invoice(here, owed, aim.id) if aim.kind == "invoice" else _settled_purchase(here, chart, aim.id)
    except NotFound:
        return None


def read_overpaid(here: State, chart: Chart, claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield what suppliers owe of purchase invoices that were paid too much, as far as no claim is of it."""
    known = {one.key for one in claims}
    for one, amount in Debts(here, here.today()).open:
        account = debt_account(chart, one.booked) if one.booked is not None else None
        if one.booked is not None and account is not None and amount * one.amount < 0:
            claim = _debt_claim(one, Kind.PURCHASE, -_cents(amount), (account, one.booked), "")
            if claim.key not in known:
                yield claim


def _settled_purchase(here: State, chart: Chart, number: int) -> Claim | None:
    one = read_purchase(here, number)
    account = debt_account(chart, one.booked) if one.booked is not None and one.is_paid else None
    if one.booked is None or account is None or one.is_tax or one.amount <= 0:
        return None
    cents = open_now(here, account, [one.booked])[one.booked.id]
    return _debt_claim(one, Kind.PURCHASE, cents, (account, one.booked), "")


def _settled_invoice(here: State, owed: Owed, number: int) -> Claim | None:
    one = decoded(here.api.invoices.get(number), _Invoice)
    if one.status != PAID or one.claim is None or one.total_amount <= 0:
        return None
    claim = _claim(one, 0, is_local=here.is_local_service)
    owed.contacts[claim.key] = one.receiver
    return claim


@contextmanager
def _as_far_as_allowed(here: State, what: str) -> Iterator[None]:
    """Say what may not be read, and go on without it."""
    try:
        yield
    except Forbidden as refused:
        here.say(f"note: {what} may not be read, so that no line is matched with them: {refused.message}")


def _add_invoices(here: State, owed: Owed) -> None:
    invoices = list(read_all(here.api.invoices.list({"status": ACCEPTED}, _EVERY), _invoice))
    opens = open_of(here, invoices)
    for one in invoices:
        if not one.is_foreign and (cents := _cents(opens[one.id])):
            claim = _claim(one, cents, is_local=here.is_local_service)
            owed.claims.append(claim)
            owed.contacts[claim.key] = one.receiver
            if one.claim is not None:
                owed.look_at(one.claim, claim.account)


def with_references(here: State, sides: Sequence[Side]) -> list[Side]:
    """Return documents that somebody posted with the references of the invoices that they name, or are payments of."""
    sides = _with_those_of_purchases(here, sides)
    if not any(_INVOICE.search(one.words) for one in sides):
        return list(sides)
    every = read_all(here.api.invoices.list({"status": [ACCEPTED, PAID]}, _EVERY), _invoice)
    by_name = {folded(one.friendly_name): _references(one.reference) for one in every}
    return [
        replace(one, references=one.references.union(*(by_name.get(name, ()) for name in _INVOICE.findall(one.words))))
        for one in sides
    ]


def _with_those_of_purchases(here: State, sides: Sequence[Side]) -> Sequence[Side]:
    """Return payments with the references of the purchase invoices that they pay."""
    if not any(one.payment or (one.related and one.cents < 0) for one in sides):
        return sides
    by_id, by_document = dict[int, frozenset[str]](), dict[int, frozenset[str]]()
    # that they may not be read is said where it is asked what is open of them
    with suppress(Forbidden):
        for one in every_purchase(here):
            by_id[one.id] = _references(one.reference)
            if one.booked is not None:
                by_document[one.booked.id] = by_id[one.id]

    def paid_by(side: Side) -> Iterator[frozenset[str]]:
        yield from (by_id.get(one.purchase, frozenset()) for one in payment_ids(side.payment))
        yield from (by_document.get(one, frozenset()) for one in side.related)

    return [replace(one, references=one.references.union(*paid_by(one))) for one in sides]


def _claim(one: _Invoice, cents: int, *, is_local: bool) -> Claim:
    document, receiver = one.claim, one.receiver_info
    kind = Kind.INVOICE if document is not None else Kind.SALE if is_local else Kind.UNPOSTED
    number = "" if one.invoice_number is None else str(one.invoice_number)
    return Claim(
        key=f"invoice {one.id}",
        kind=kind,
        id=one.id,
        title=one.friendly_name or f"invoice {one.id}",
        open=cents,
        day=one.invoicing_date or one.due_date,
        account=document.blueprint.debet_account_id if document else None,
        document=document.id if document else None,
        references=_references(one.reference),
        numbers=_numbers(number, one.reference),
        names=names_of(receiver.name, *receiver.name_aliases),
        late=tuple((_cents(had.interest), _cents(had.charges)) for had in _reminders(one)),
    )


def _reminders(one: Invoice) -> list[Reminded]:
    """Return the reminders that asked for more than the invoice, the last one first."""
    return [had for had in reversed(reminders_in(one.external_status_messages)) if had.interest + had.charges]


def _add_purchases(here: State, owed: Owed, purchases: Sequence[Purchase], chart: Chart, tax_reference: str) -> None:
    """Add debts that are in the books, with what is open of them, and what is in none."""
    payables = decoded(here.api.businesses.get(here.business()), _Business).account_payables
    for one in purchases:
        if one.booked is None and (amount := -_cents(one.amount)):
            kind = Kind.TAX if one.is_tax else Kind.UNPOSTED
            claim = _debt_claim(one, kind, amount, None, tax_reference)
            owed.claims.append(replace(claim, account=None if one.is_tax else payables))
    for account, debts in by_account(chart, (one for one in purchases if not one.is_tax)):
        opens = open_now(here, account, [document for _, document in debts])
        for one, document in debts:
            if cents := opens[document.id]:
                owed.claims.append(_debt_claim(one, Kind.PURCHASE, cents, (account, document), tax_reference))
                owed.look_at(document, account.id)
            if cents * document.moves(account.number) <= 0:
                owed.unsaid.append((one.id, document))


def _debt_claim(
    one: Purchase, kind: Kind, cents: int, books: tuple[Account, Booked] | None, tax_reference: str
) -> Claim:
    is_foreign = one.currency != _CURRENCY
    references = _references(one.reference)
    if kind is Kind.TAX and not references:
        references = _references(tax_reference)
    return Claim(
        key=f"purchase {one.id}",
        kind=kind,
        id=one.id,
        title=one.title,
        open=cents,
        day=one.invoicing_date,
        account=books[0].id if books else None,
        document=books[1].id if books else None,
        references=references,
        numbers=_numbers(one.invoice_number, one.reference),
        names=names_of(one.sender_name),
        ibans=ibans_of(one.sender_bank_account),
        original=-_cents(one.amount) if is_foreign else 0,
        currency=one.currency if is_foreign else "",
    )


def _references(*written: str | None) -> frozenset[str]:
    return frozenset(key for one in written if (key := reference_key(one)))


def _numbers(*written: str | None) -> frozenset[str]:
    return frozenset(number_key(one) for one in written if one and one.strip())


def _cents(amount: Decimal) -> int:
    return int(rounded(amount).scaleb(2))
