"""Purchase invoices as debts in the books: the account each stands on, and what is open of it on a day."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from decimal import Decimal

from acctcli.banking.settlement import Movement, Standing, settle
from acctcli.cli.account.chart import Account, Chart, read_chart
from acctcli.cli.document.moves import Booked, read_moves
from acctcli.cli.document.settling import MONEY
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.models.enums import PurchaseSource

DEBT = "LIA_DUE"


class Purchase(Amounts):
    """A purchase invoice, as far as it tells what is owed."""

    id: int
    amount: Decimal
    invoicing_date: date
    currency: str = "EUR"
    due_date: date | None = None
    is_paid: bool = False
    payment_date: date | None = None
    sender_name: str | None = None
    sender_bank_account: str | None = None
    sender_bank_bic: str | None = None
    invoice_number: str | None = None
    reference: str | None = None
    message: str | None = None
    import_source: str | None = None
    document: Booked | None = None

    @property
    def is_tax(self) -> bool:
        """Whether it is the tax of a VAT period, which is owed in the books already."""
        return self.import_source == PurchaseSource.VAT_PURCHASE_INVOICE

    @property
    def title(self) -> str:
        """What it is called; its id where it says nothing itself."""
        return " ".join(filter(None, (self.sender_name, self.invoice_number))) or f"purchase invoice {self.id}"

    @property
    def booked(self) -> Booked | None:
        """The document that books it; a draft does not."""
        return None if self.document is None or self.document.is_draft else self.document


_read = reader(Purchase, "a purchase invoice")


def read_purchases(here: State) -> list[Purchase]:
    """Read all purchase invoices but the tax of VAT periods."""
    return [one for one in every_purchase(here) if not one.is_tax]


def every_purchase(here: State, **query: bool) -> list[Purchase]:
    """Read purchase invoices, the tax of VAT periods too; those that a query asks for, as in `is_paid=False`."""
    return list(read_all(here.api.purchase_invoices.list(query, Extent(limit=None)), _read))


def read_purchase(here: State, number: int) -> Purchase:
    """Read one purchase invoice."""
    return decoded(here.api.purchase_invoices.get(number), Purchase)


def debt_account(chart: Chart, document: Booked) -> Account | None:
    """Return the account of payables that a document posts to; None where it took the money at once."""
    named = document.blueprint.credit_account_id
    credited = [] if named is None or named not in chart.by_id else [chart.by_id[named]]
    credited += [chart.find(row.account_number) for row in document.entry_ui_rows]
    return next((one for one in credited if one.type == DEBT), None) or next(
        (one for one in credited[:1] if named is not None and one.type != MONEY), None
    )


def by_account(chart: Chart, every: Iterable[Purchase]) -> list[tuple[Account, list[tuple[Purchase, Booked]]]]:
    """Return debts that are in the books with the documents that book them, by their account."""
    found: dict[str, tuple[Account, list[tuple[Purchase, Booked]]]] = {}
    for one in every:
        if one.booked is not None and (account := debt_account(chart, one.booked)) is not None:
            found.setdefault(account.number, (account, []))[1].append((one, one.booked))
    return list(found.values())


def open_now(here: State, account: Account, documents: Collection[Booked]) -> dict[int, int]:
    """Return what is open of debts of an account in cents, debit less credit, by their documents."""
    found = {one.id: one.moves(account.number) for one in documents}
    if not any(one.relations for one in documents):
        return found
    claims = {*found, *(one.document.id for one in read_purchases(here) if one.document is not None)}
    settled = settle(*read_moves(here, account.number, account.id, claims), ())
    return {document: settled[document].open if document in settled else cents for document, cents in found.items()}


class Debts:
    """What is open of purchase invoices at the end of a day, and what of their accounts belongs to none of them.

    `claimed` is what they come to on each account, by its number, and `rest` what moved it besides; `contradicted` are
    those that say that they are paid, of which the books have something owed: differences, and no debts. What was paid
    too much the supplier owes.
    """

    def __init__(self, here: State, day: date) -> None:
        self._day = day
        self.open: list[tuple[Purchase, Decimal]] = []
        self.contradicted: list[tuple[Purchase, Decimal]] = []
        self.claimed: dict[str, Decimal] = {}
        self.rest: dict[str, Decimal] = {}
        every = read_purchases(here)
        for account, pairs in by_account(read_chart(here), every):
            debts = {document.id: one for one, document in pairs}
            self._add(account.number, debts, *read_moves(here, account.number, account.id, debts))
        self.unbooked = [one for one in every if one.booked is None and self._was_open(one)]

    def _add(
        self, number: str, debts: dict[int, Purchase], movements: list[Movement], related: list[tuple[int, int]]
    ) -> None:
        now = settle(movements, related, ())
        then = settle(movements, related, (), until=self._day)
        found = [(debts[document], Decimal(-one.open).scaleb(-2)) for document, one in then.items()]
        said = {one.id for one, _ in found if one.is_paid and self._is_owed(one, now)}
        listed = [(one, amount) for one, amount in found if amount and one.id not in said]
        self.contradicted += [(one, amount) for one, amount in found if one.id in said and amount * one.amount > 0]
        balance = -sum(one.amount for one in movements if one.day <= self._day)
        self.open += listed
        self.claimed[number] = sum((amount for _, amount in listed), Decimal("0.00"))
        self.rest[number] = Decimal(balance).scaleb(-2) - self.claimed[number]

    @staticmethod
    def _is_owed(one: Purchase, now: dict[int, Standing]) -> bool:
        return one.booked is not None and now[one.booked.id].open * one.amount < 0

    def _was_open(self, one: Purchase) -> bool:
        paid_later = one.payment_date is not None and one.payment_date > self._day
        return bool(one.amount) and one.invoicing_date <= self._day and (not one.is_paid or paid_later)
