"""What a customer who is late owes: what is open, interest by law or as agreed, fees or a lump sum (docs/law.md 7.8).

Which reminder it is follows from those that stand with the invoice (docs/law.md 7.11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from acctcli import law
from acctcli.cli.invoice.reminded import Message, Reminded, Stage, reminders_in
from acctcli.cli.invoice.standing import Invoice, open_of
from acctcli.cli.output.replies import decoded
from acctcli.cli.report.sheet import clean
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.law.late_payment import Accrued, Claim, LatePayment, accrue, half_year, rates_between

COLUMNS = ("invoice", "friendly_name", "due_date", "what", "from", "to", "days", "rate", "amount")
_NOTHING = Decimal("0.00")
# of a reminder: the days that it gives to pay, 999 at most, end before the calendar does
_LAST_DAY = date.max - timedelta(days=999)
_PERSON, _UNSET = "PERSON", "UNSET"
_CURRENCY = "EUR"


class _Debtor(msgspec.Struct):
    name: str
    type: str = _UNSET
    customer_id: str | None = None
    invoicing_tax_code: str | None = None
    contact_business_id: str | None = None
    invoicing_language: str | None = None
    invoicing_street: str | None = None
    invoicing_postal_code: str | None = None
    invoicing_city: str | None = None
    invoicing_country: str | None = None

    @property
    def address(self) -> str:
        """Who it is and where, on one line."""
        city = " ".join(filter(None, (self.invoicing_postal_code, self.invoicing_city)))
        return clean(", ".join(filter(None, (self.name, self.invoicing_street, city))))


class _Terms(msgspec.Struct):
    receiver_info: _Debtor
    contact_person: str | None = None
    penalty_interest: Decimal = _NOTHING
    invoice_number: int | None = None
    reference: str | None = None
    currency: str | None = None
    last_delivery_at: str | None = None
    is_registered_to_collector: bool = False
    external_status_messages: list[Message] | None = None


class _Identifier(msgspec.Struct):
    type: str
    value: str


class _Seller(msgspec.Struct):
    country: str | None = None
    name: str = ""
    identifiers: list[_Identifier] = []
    invoicing_iban: str | None = None
    invoicing_bic: str | None = None
    invoicing_email: str | None = None
    invoicing_contact: str | None = None
    invoicing_street: str | None = None
    invoicing_postal_code: str | None = None
    invoicing_city: str | None = None
    invoicing_country: str | None = None
    contact_phone: str | None = None


class Wanted(NamedTuple):
    """What is asked for: until which day, by law in any case, with a lump sum, and rates that are not known here.

    `fee` is what the reminder costs the customer, in euros, `days` how many it gives to pay.
    """

    day: date
    statutory: bool
    lump_sum: bool
    told: Mapping[date, Decimal]
    fee: Decimal = _NOTHING
    days: int | None = None


class Late(NamedTuple):
    """An invoice that is late, with what was open of it on the day, and is by now, and what being late costs.

    `fees` are those of earlier reminders, too, which are `had`; `today` is that of the day, if there is one already.
    """

    invoice: Invoice
    terms: _Terms
    open: Decimal
    now: Decimal
    accrued: list[Accrued]
    fees: Decimal
    lump_sum: Decimal
    had: list[Reminded]
    today: Reminded | None

    @property
    def number(self) -> str:
        """The number by which the customer knows it."""
        return str(self.terms.invoice_number or self.invoice.id)

    @property
    def stage(self) -> Stage:
        """Which reminder it is; the last one remains the last."""
        if self.today is not None:
            return self.today.stage
        return (self.had[-1].stage.following or Stage.NOTICE) if self.had else Stage.FIRST

    @property
    def interest(self) -> Decimal:
        """The interest of all half-years."""
        return sum((one.interest for one in self.accrued), _NOTHING)

    @property
    def total(self) -> Decimal:
        """What is to be paid."""
        return self.open + self.interest + self.fees + self.lump_sum


class Reminder:
    """What one customer owes on a day. Raises UsageError for invoices of several, and for what is not late."""

    def __init__(self, here: State, ids: Sequence[int], wanted: Wanted) -> None:
        if wanted.day > _LAST_DAY:
            raise UsageError(f"--date {wanted.day}: the days that a reminder gives to pay end after the calendar")
        replies = [here.api.invoices.get(one) for one in dict.fromkeys(ids)]
        self._invoices = [decoded(reply, Invoice) for reply in replies]
        self._terms = [decoded(reply, _Terms) for reply in replies]
        self.seller = decoded(here.api.businesses.get(here.business()), _Seller)
        self.day, self._wanted = wanted.day, wanted
        self.debtor = self._terms[0].receiver_info
        if len({one.receiver for one in self._invoices}) > 1:
            raise UsageError("these invoices are of several customers: a reminder goes to one")
        self._is_past = wanted.day < here.today()
        self._open = open_of(here, self._invoices, wanted.day)
        self._now = open_of(here, self._invoices) if self._is_past else self._open
        for one, terms in zip(self._invoices, self._terms, strict=True):
            self._check(one, terms)
        if wanted.fee:
            self._check_fee(wanted.fee)
        if wanted.days is not None and wanted.days < self.claim.term:
            raise UsageError(f"--days {wanted.days}: a reminder gives {self.claim.term} days to pay at least")

    def _check(self, one: Invoice, terms: _Terms) -> None:
        if self._open[one.id] <= 0:
            told = f"was open of {one.title} on {self.day}" if self._is_past else f"is open of {one.title}"
            raise UsageError(f"nothing {told}")
        if (last := self._payable_until(one)) >= self.day:
            rest = f", a day of rest, and may be paid on {last}" if last != one.due_date else ""
            raise UsageError(f"{one.title} is due on {one.due_date}{rest}: it is not late on {self.day}")
        if terms.currency not in {None, _CURRENCY}:
            raise UsageError(f"{one.title} is in {terms.currency}: fees, lump sums and books are in euros")

    def _payable_until(self, one: Invoice) -> date:
        """Return the last day to pay in time: the due date, or the working day after it (docs/law.md 7.8)."""
        return law.country(self.seller.country).next_banking_day(one.due_date)

    def _check_fee(self, fee: Decimal) -> None:
        """Refuse a fee that the law does not give; the invoice that was due first bears it."""
        rule = self.law.fee
        if not self.is_consumer:
            raise UsageError(
                f"--fee {fee}: what reminding a business costs is the lump sum of {self.law.lump_sum} euros",
                hint=f"{self.law.lump_law}; what it cost beyond that is claimed by itself",
            )
        if rule.most is not None and fee > rule.most:
            raise UsageError(f"--fee {fee}: a reminder costs a person {rule.most} euros at most ({rule.law})")
        first = min(one.due_date for one in self._invoices)
        if self.day < first + timedelta(days=rule.after):
            raise UsageError(f"--fee {fee}: it may be asked for {rule.after} days after {first} ({rule.law})")

    def _check_noted(self, one: Invoice, had: Sequence[Reminded]) -> None:
        """Refuse to ask again for fees that the law does not give: anybody may write a status message."""
        rule, last = self.law.fee, had[-1] if had else None
        most = rule.most if self.is_consumer else _NOTHING
        if last is None or most is None or last.fees <= most * (last.stage.order + 1):
            return
        owed = f"what reminding a business costs is the lump sum ({self.law.lump_law})"
        if self.is_consumer:
            owed = f"a person owes {most} euros at most for each reminder ({rule.law})"
        raise UsageError(
            f"{one.title}: {last.stage} of {last.day} has fees of {last.fees}, and {owed}",
            hint=f"what is not so goes: acctcli invoice status-message remove {one.id} ID, with the id that "
            f"acctcli invoice get {one.id} shows",
        )

    @cached_property
    def law(self) -> LatePayment:
        """What the law of the seller's country says."""
        found = law.country(self.seller.country).late_payment
        if found is None:
            raise UsageError(f"what is owed for late payment is not known of {self.seller.country}")
        return found()

    @cached_property
    def is_consumer(self) -> bool:
        """Whether the customer is a person; one who may be either has a number, or somebody has to say so."""
        debtor = self.debtor
        if debtor.type == _UNSET and not (debtor.invoicing_tax_code or debtor.contact_business_id):
            raise UsageError(
                f"{debtor.name} may be a person or a business, who owe other interest",
                hint=f"say which: acctcli contact update {self._invoices[0].receiver} --type business",
            )
        return debtor.type == _PERSON

    @property
    def changes(self) -> Iterator[str]:
        """What is to be said of invoices of which less or more is open by now than was on a day that is past."""
        for one in self.late:
            if one.now != one.open:
                yield f"note: {one.open} was open of {one.invoice.title} on {self.day}, and {one.now} is by now"

    @property
    def claim(self) -> Claim:
        """The interest that the law gives."""
        return self.law.consumer if self.is_consumer else self.law.business

    @cached_property
    def late(self) -> list[Late]:
        """The invoices, the one that was due first first."""
        pairs = sorted(zip(self._invoices, self._terms, strict=True), key=lambda pair: (pair[0].due_date, pair[0].id))
        fees = [self._wanted.fee, *(_NOTHING for _ in pairs[1:])]
        return [self._late(*pair, fee) for pair, fee in zip(pairs, fees, strict=True)]

    def _late(self, invoice: Invoice, terms: _Terms, fee: Decimal) -> Late:
        amount, due = self._open[invoice.id], self._payable_until(invoice)
        has_lump_sum = self._wanted.lump_sum and not self.is_consumer
        lump_sum = self.law.lump_sum.quantize(_NOTHING) if has_lump_sum else _NOTHING
        every = reminders_in(terms.external_status_messages)
        had, today = [one for one in every if one.day < self.day], [one for one in every if one.day == self.day]
        self._check_noted(invoice, [*had, *today])
        fees = today[-1].fees if today else fee + (had[-1].fees if had else _NOTHING)
        accrued = accrue(amount, due, self.day, self._rates(terms, due))
        now = self._now[invoice.id]
        return Late(invoice, terms, amount, now, accrued, fees, lump_sum, had, today[-1] if today else None)

    @property
    def stage(self) -> Stage:
        """Which reminder it is: of several invoices the sternest."""
        return max((one.stage for one in self.late), key=lambda stage: stage.order)

    @property
    def until(self) -> date:
        """The day until which it is to be paid."""
        said = next((one.today.until for one in self.late if one.today is not None), None)
        return said or self.day + timedelta(days=self._wanted.days or self.claim.term)

    def _rates(self, terms: _Terms, due: date) -> dict[date, Decimal]:
        """Return the rates of law, or what the invoice says, which no consumer owes more than the law's of."""
        agreed = terms.penalty_interest
        if self._is_agreed(terms):
            firsts = {half_year(date.fromordinal(day)) for day in range(due.toordinal() + 1, self.day.toordinal() + 1)}
            return dict.fromkeys(firsts, agreed)
        found = rates_between(self.law, self.claim, due, self.day, self._wanted.told)
        most = agreed if agreed and not self._wanted.statutory else max(found.values())
        return {first: min(rate, most) for first, rate in found.items()}

    def _is_agreed(self, terms: _Terms) -> bool:
        """Whether a business owes what the invoice says."""
        return bool(terms.penalty_interest) and not self._wanted.statutory and not self.is_consumer

    @property
    def laws(self) -> list[str]:
        """The sections that give what is asked for."""
        interest = [self.claim.law] if not all(map(self._is_agreed, self._terms)) else []
        fees = [self.law.fee.law] if any(one.fees for one in self.late) else []
        return [*interest, *fees, *([self.law.lump_law] if any(one.lump_sum for one in self.late) else [])]

    @property
    def person(self) -> str | None:
        """For whom the invoices are, where all name the same."""
        named = {one.contact_person for one in self._terms}
        return named.pop() if len(named) == 1 else None

    @property
    def total(self) -> Decimal:
        """All that is to be paid."""
        return sum((one.total for one in self.late), _NOTHING)


def document_of(reminder: Reminder) -> dict[str, Any]:
    """Return it as one document."""
    return {
        "name": reminder.debtor.name,
        "date": reminder.day,
        "is_consumer": reminder.is_consumer,
        "stage": reminder.stage,
        "pay_by": reminder.until,
        "law": reminder.laws,
        "invoices": [_record(one) for one in reminder.late],
        "total": reminder.total,
    }


def _record(one: Late) -> dict[str, Any]:
    return {
        "invoice": one.invoice.id,
        "friendly_name": one.invoice.friendly_name,
        "due_date": one.invoice.due_date,
        "open": one.open,
        "periods": [
            {"from": part.first, "to": part.last, "days": part.days, "rate": part.rate, "interest": part.interest}
            for part in one.accrued
        ],
        "interest": one.interest,
        "fees": one.fees,
        "lump_sum": one.lump_sum,
        "total": one.total,
    }


def rows_of(reminder: Reminder) -> Iterator[dict[str, Any]]:
    """Yield it as rows for machines."""
    for one in reminder.late:
        head = {"invoice": one.invoice.id, "friendly_name": one.invoice.friendly_name, "due_date": one.invoice.due_date}
        empty = dict.fromkeys(("from", "to", "days", "rate"))
        yield {**head, "what": "open", **empty, "amount": one.open}
        for part in one.accrued:
            span = {"from": part.first, "to": part.last, "days": part.days, "rate": part.rate}
            yield {**head, "what": "interest", **span, "amount": part.interest}
        for what, amount in (("fees", one.fees), ("lump_sum", one.lump_sum)):
            if amount:
                yield {**head, "what": what, **empty, "amount": amount}
