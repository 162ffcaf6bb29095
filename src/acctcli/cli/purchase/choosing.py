"""Which purchase invoices go into a payment file, with all that keeps one out of it (docs/payments.md 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from acctcli.banking.checks import compact
from acctcli.banking.iban import check_iban, finnish_bic, takes_sepa
from acctcli.banking.payments.identity import LARGEST as LARGEST_ID
from acctcli.banking.payments.identity import PaymentId
from acctcli.banking.payments.letters import plain, says_anything
from acctcli.banking.payments.pain001 import LARGEST, NAME_LENGTH, TEXT_LENGTH, Transfer
from acctcli.banking.references import payable_reference
from acctcli.cli.output.stderr import how_many
from acctcli.cli.purchase.debts import Debts, Purchase
from acctcli.cli.purchase.handed import Handed, on_their_way, read_handed
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.law.identifiers import check_bic

_CURRENCY = "EUR"  # that of all books, and of SEPA


class Asked(NamedTuple):
    """Which are asked for: by their ids, or all that fall due between two days, but for some."""

    ids: Sequence[int] = ()
    first: date | None = None
    last: date | None = None
    leave_out: Collection[int] = ()


class Chosen(NamedTuple):
    """A purchase invoice that is to be paid, and what is open of it."""

    purchase: Purchase
    open: Decimal

    @property
    def cents(self) -> int:
        """The same in cents."""
        return int(rounded(self.open).scaleb(2))


def choose(here: State, asked: Asked) -> list[Chosen]:
    """Return what is to be paid, in the order of their ids; raise UsageError with all that keeps any of it out."""
    debts = Debts(here, date.max)
    found = _named(here, debts, asked) if asked.ids else _due(here, debts, asked)
    handed = _handed(here, found)
    if not asked.ids:
        found = _but_handed(here, found, handed)
    faults = {f"purchase invoice {one.purchase.id}": texts for one in found if (texts := list(_faults(one, handed)))}
    if faults:
        told = "; ".join(f"{name}, {text}" for name, texts in faults.items() for text in texts)
        raise UsageError(
            f"nothing is handed over: {told}",
            hint="fill in what is missing with acctcli purchase update, or leave out an invoice with --except ID",
            fields=faults,
        )
    if not found:
        raise UsageError("no purchase invoice is to be paid", hint="see: acctcli purchase list --unpaid")
    return found


def of_another(here: State, found: Sequence[Chosen], own: str) -> Handed | None:
    """Return a payment of another file for one of the invoices, which another run has handed over meanwhile."""
    return next(iter(_handed(here, found, but=own).values()), None)


def transfer_of(one: Purchase, cents: int, payment: PaymentId) -> Transfer:
    """Return the payment of an invoice that has no faults."""
    iban = check_iban(one.sender_bank_account or "")
    reference = payable_reference(one.reference or "", iban)
    text = "" if reference else _text(one)
    bic = compact(one.sender_bank_bic or "") or finnish_bic(iban) or ""
    return Transfer(payment, plain(one.sender_name or "", NAME_LENGTH), iban, cents, bic, reference, text)


def _named(here: State, debts: Debts, asked: Asked) -> list[Chosen]:
    """Return the invoices of some ids; what is paid, or the tax of a period, is refused at once."""
    known = {one.id: Chosen(one, amount) for one, amount in _open(debts)}
    ids = [one for one in dict.fromkeys(asked.ids) if one not in asked.leave_out]
    for one in ids:
        if one not in known:
            here.api.purchase_invoices.get(one)  # which may not be there at all
            raise UsageError(
                f"nothing is handed over: nothing is open of purchase invoice {one}, or it is the tax of a VAT period",
                hint=f"acctcli purchase get {one}; a tax is paid at the bank, then: acctcli purchase pay {one}",
            )
    return [known[one] for one in sorted(ids)]


def _due(here: State, debts: Debts, asked: Asked) -> list[Chosen]:
    """Return the invoices that fall due in a range of days; what is left out is named.

    That is what suppliers owe, and what has no day to be paid by.
    """
    first, last = asked.first or date.min, asked.last or date.max
    some = [Chosen(one, amount) for one, amount in _open(debts) if one.id not in asked.leave_out]
    due = [one for one in some if one.purchase.due_date is not None and first <= one.purchase.due_date <= last]
    undated = sorted(one.purchase.id for one in some if one.purchase.due_date is None and one.open > 0)
    if undated:
        here.say(
            f"note: {how_many(len(undated), 'invoice')} without a day to be paid by left out: "
            f"acctcli purchase pay-file FILE {' '.join(map(str, undated))}"
        )
    for one in some:
        # credit notes have no day to be paid by, as a rule
        if one.open < 0 and (one in due or one.purchase.due_date is None):
            here.say(f"note: {one.purchase.title} owes {-one.open}, which is not set off against what is paid")
    return sorted((one for one in due if one.open > 0), key=lambda one: one.purchase.id)


def open_amounts(here: State) -> dict[int, Decimal]:
    """Return what is open of purchase invoices whatever day it is, by their ids."""
    return {one.id: amount for one, amount in _open(Debts(here, date.max))}


def _open(debts: Debts) -> Iterator[tuple[Purchase, Decimal]]:
    yield from debts.open
    yield from ((one, rounded(one.amount)) for one in debts.unbooked)


def _handed(here: State, found: Sequence[Chosen], but: str = "") -> dict[int, Handed]:
    """Return the payments by invoice that are on their way, without those of one file."""
    if not found:
        return {}
    claims = {one.purchase.id: one.purchase.booked.id for one in found if one.purchase.booked is not None}
    since = str(min(one.purchase.invoicing_date for one in found))
    drafts, posted = read_handed(here, {"is_draft": True}), read_handed(here, {"is_draft": False, "date_from": since})
    handed = on_their_way([*posted.values(), *drafts.values()], claims)
    ids = {one.purchase.id for one in found}
    return {purchase: one for purchase, one in handed.items() if purchase in ids and one.id.file != but}


def _but_handed(here: State, found: list[Chosen], handed: dict[int, Handed]) -> list[Chosen]:
    """Leave out what an earlier file has, and say so."""
    by_file: dict[str, list[int]] = {}
    for one in found:
        if (other := handed.get(one.purchase.id)) is not None:
            by_file.setdefault(other.id.file, []).append(one.purchase.id)
    for file, ids in by_file.items():
        named = ", ".join(map(str, ids))
        here.say(
            f"note: {how_many(len(ids), 'invoice')} ({named}) left out, which {file} has; was that file never written, "
            f"write it: acctcli purchase pay-file FILE --again {file}"
        )
    return [one for one in found if one.purchase.id not in handed]


def _faults(one: Chosen, handed: dict[int, Handed]) -> Iterator[str]:
    """Yield what keeps an invoice from being paid like this, each with its field."""
    purchase = one.purchase
    if (other := handed.get(purchase.id)) is not None:
        way_out = f"acctcli purchase withdraw {other.id.file} {purchase.id}"
        yield f"payment: {other.id.file} of {other.day} has it already ({other}); if the bank has not got it: {way_out}"
    if purchase.booked is None:
        yield f"document: it is in no books yet (acctcli purchase post {purchase.id} --account NUMBER)"
    if purchase.currency != _CURRENCY:
        yield f"currency: {purchase.currency}, and only {_CURRENCY} is paid like this"
    if not 0 < one.cents <= LARGEST:
        yield f"amount: {one.open} is open, and 0.01 to {Decimal(LARGEST).scaleb(-2)} can be paid"
    if purchase.id > LARGEST_ID:
        yield f"id: at most {LARGEST_ID} has room in a payment"
    if not says_anything(plain(purchase.sender_name or "", NAME_LENGTH)):
        yield "sender_name: missing; whom is it paid to?"
    yield from _account_faults(purchase)


def _account_faults(one: Purchase) -> Iterator[str]:
    """Yield what is wrong with account, bank and reference."""
    if not one.sender_bank_account:
        yield "sender_bank_account: missing"
        return
    try:
        iban = check_iban(one.sender_bank_account)
    except ValueError as problem:
        yield f"sender_bank_account: {problem}"
        return
    if not takes_sepa(iban):
        yield f"sender_bank_account: banks of {iban[:2]} take no SEPA transfers"
    if one.sender_bank_bic:
        try:
            check_bic(one.sender_bank_bic)
        except ValueError as problem:
            yield f"sender_bank_bic: {problem}"
    try:
        if not payable_reference(one.reference or "", iban) and not _text(one):
            yield "reference: there is neither one, nor a message or a number, to tell what is paid"
    except ValueError as problem:
        yield f"reference: {problem}"


def _text(one: Purchase) -> str:
    """Return what is told without a reference that banks know: the words of it, the message, or the number."""
    number = f"Invoice {one.invoice_number}" if one.invoice_number else ""
    told = " ".join(filter(None, (one.reference or "", one.message or number)))
    text = plain(told, TEXT_LENGTH)
    return text if says_anything(text) else ""
