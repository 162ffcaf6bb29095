"""What a customer who is late owes: what is open, interest by law or as agreed, a lump sum (docs/law.md 7.8).

It is worked out and put on paper. Nothing is written, posted or sent: the interface has no reminders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from acctcli import law
from acctcli.banking.iban import grouped
from acctcli.cli.invoice.standing import Invoice, open_of
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import show_value
from acctcli.cli.report.labels import Label
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean
from acctcli.cli.report.view import PAPER, View
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.law.late_payment import Accrued, Claim, LatePayment, accrue, half_year, rates_between
from acctcli.models.enums import Language
from acctcli.printing.numbers import format_decimal

COLUMNS = ("invoice", "friendly_name", "due_date", "what", "from", "to", "days", "rate", "amount")
_NOTHING = Decimal("0.00")
_PERSON, _UNSET = "PERSON", "UNSET"
_WORDS = {
    label.en: label
    for label in (
        Label("Payment reminder", "Maksumuistutus", "Betalningspåminnelse", "Zahlungserinnerung"),
        Label("Invoice {}", "Lasku {}", "Faktura {}", "Rechnung {}"),
        Label("Invoice", "Lasku", "Faktura", "Rechnung"),
        Label("Days", "Päiviä", "Dagar", "Tage"),
        Label("Late interest", "Viivästyskorko", "Dröjsmålsränta", "Verzugszinsen"),
        Label("Lump sum", "Vakiokorvaus", "Schablonersättning", "Verzugspauschale"),
        Label("To pay", "Maksettavaa", "Att betala", "Zu zahlen"),
        Label("Account {}", "Tili {}", "Konto {}", "Konto {}"),
        Label("reference {}", "viite {}", "referens {}", "Verwendungszweck {}"),
    )
}


class _Debtor(msgspec.Struct):
    name: str
    type: str = _UNSET
    invoicing_tax_code: str | None = None
    contact_business_id: str | None = None
    invoicing_language: str | None = None
    invoicing_street: str | None = None
    invoicing_postal_code: str | None = None
    invoicing_city: str | None = None

    @property
    def address(self) -> str:
        """Who it is and where, on one line."""
        city = " ".join(filter(None, (self.invoicing_postal_code, self.invoicing_city)))
        return clean(", ".join(filter(None, (self.name, self.invoicing_street, city))))


class _Terms(msgspec.Struct):
    receiver_info: _Debtor
    penalty_interest: Decimal = _NOTHING
    invoice_number: int | None = None
    reference: str | None = None


class _Seller(msgspec.Struct):
    country: str | None = None
    invoicing_iban: str | None = None


class Wanted(NamedTuple):
    """What is asked for: until which day, by law in any case, with a lump sum, and rates that are not known here."""

    day: date
    statutory: bool
    lump_sum: bool
    told: Mapping[date, Decimal]


class Late(NamedTuple):
    """An invoice that is late, with what is open of it, and what that costs."""

    invoice: Invoice
    terms: _Terms
    open: Decimal
    accrued: list[Accrued]
    lump_sum: Decimal

    @property
    def interest(self) -> Decimal:
        """The interest of all half-years."""
        return sum((one.interest for one in self.accrued), _NOTHING)

    @property
    def total(self) -> Decimal:
        """What is to be paid."""
        return self.open + self.interest + self.lump_sum


class Reminder:
    """What one customer owes on a day. Raises UsageError for invoices of several, and for what is not late."""

    def __init__(self, here: State, ids: Sequence[int], wanted: Wanted) -> None:
        replies = [here.api.invoices.get(one) for one in dict.fromkeys(ids)]
        self._invoices = [decoded(reply, Invoice) for reply in replies]
        self._terms = [decoded(reply, _Terms) for reply in replies]
        self.seller = decoded(here.api.businesses.get(here.business()), _Seller)
        self.day, self._wanted = wanted.day, wanted
        self.debtor = self._terms[0].receiver_info
        if len({one.receiver for one in self._invoices}) > 1:
            raise UsageError("these invoices are of several customers: a reminder goes to one")
        self._open = open_of(here, self._invoices)
        for one in self._invoices:
            self._check(one)

    def _check(self, one: Invoice) -> None:
        left = self._open[one.id]
        if left <= 0:
            raise UsageError(f"nothing is open of {one.title}")
        if one.due_date >= self.day:
            raise UsageError(f"{one.title} is due on {one.due_date}: it is not late on {self.day}")

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
    def claim(self) -> Claim:
        """The interest that the law gives."""
        return self.law.consumer if self.is_consumer else self.law.business

    @cached_property
    def late(self) -> list[Late]:
        """The invoices, the one that was due first first."""
        pairs = sorted(zip(self._invoices, self._terms, strict=True), key=lambda pair: (pair[0].due_date, pair[0].id))
        return [self._late(*pair) for pair in pairs]

    def _late(self, invoice: Invoice, terms: _Terms) -> Late:
        amount, due = self._open[invoice.id], invoice.due_date
        has_lump_sum = self._wanted.lump_sum and not self.is_consumer
        lump_sum = self.law.lump_sum.quantize(_NOTHING) if has_lump_sum else _NOTHING
        return Late(invoice, terms, amount, accrue(amount, due, self.day, self._rates(terms, due)), lump_sum)

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
        return interest + ([self.law.lump_law] if any(one.lump_sum for one in self.late) else [])

    @property
    def total(self) -> Decimal:
        """All that is to be paid."""
        return sum((one.total for one in self.late), _NOTHING)


def remind(here: State, ids: Sequence[int], wanted: Wanted) -> None:
    """Show what a customer owes on a day: a document as json, rows, or a paper in the customer's language."""
    reminder, locale = Reminder(here, ids, wanted), here.named.get("locale")
    if locale is None and here.format in PAPER:
        from acctcli.cli.invoice.papers import kept_language
        from acctcli.einvoice.terms import language_for

        usual = language_for(reminder.seller.country or "", reminder.debtor.invoicing_language)
        locale = str(kept_language(here, ids[0]) or usual)
    view = View(here, locale)
    if here.format == "json":
        show_value(here, _document(reminder))
    elif view.for_people:
        view.show(_sheet(reminder, view))
    else:
        view.show_rows(_rows(reminder), COLUMNS)


def _document(reminder: Reminder) -> dict[str, Any]:
    return {
        "name": reminder.debtor.name,
        "date": reminder.day,
        "is_consumer": reminder.is_consumer,
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
        "lump_sum": one.lump_sum,
        "total": one.total,
    }


def _rows(reminder: Reminder) -> Iterator[dict[str, Any]]:
    for one in reminder.late:
        head = {"invoice": one.invoice.id, "friendly_name": one.invoice.friendly_name, "due_date": one.invoice.due_date}
        empty = dict.fromkeys(("from", "to", "days", "rate"))
        yield {**head, "what": "open", **empty, "amount": one.open}
        for part in one.accrued:
            span = {"from": part.first, "to": part.last, "days": part.days, "rate": part.rate}
            yield {**head, "what": "interest", **span, "amount": part.interest}
        if one.lump_sum:
            yield {**head, "what": "lump_sum", **empty, "amount": one.lump_sum}


def _sheet(reminder: Reminder, view: View) -> Sheet:
    def say(name: str, *given: object) -> str:
        return str(getattr(_WORDS[name], view.locale.language)).format(*given)

    lines = [line for one in reminder.late for line in _lines(one, view, say)]
    if len(reminder.late) > 1:
        lines.append(SheetLine((say("To pay"), None, None, None, reminder.total), Style.SUM))
    language = Language(view.locale.language)
    notes = [", ".join(reminder.law.cite(one, language) for one in reminder.laws)] if reminder.laws else []
    if reminder.seller.invoicing_iban:
        notes.append(say("Account {}", clean(grouped(reminder.seller.invoicing_iban))))
    lines += [SheetLine((note, None, None, None, None), Style.HEADING) for note in notes]
    titles = (say("Invoice"), view.words("Date"), say("Days"), "%")
    columns = (*map(Column, titles), Column(view.words("Amount"), Kind.AMOUNT))
    return Sheet(say("Payment reminder"), f"{reminder.debtor.address} · {reminder.day}", columns, lines)


def _lines(one: Late, view: View, say: Any) -> Iterator[SheetLine]:
    title, reference = say("Invoice {}", one.terms.invoice_number or one.invoice.id), one.terms.reference
    named = f"{title}, {say('reference {}', clean(reference))}" if reference else title
    yield SheetLine((named, str(one.invoice.due_date), None, None, one.open))
    for part in one.accrued:
        span, rate = f"{part.first} \N{EN DASH} {part.last}", format_decimal(part.rate, view.locale)
        yield SheetLine((say("Late interest"), span, str(part.days), rate, part.interest), level=1)
    if one.lump_sum:
        yield SheetLine((say("Lump sum"), None, None, None, one.lump_sum), level=1)
    yield SheetLine((say("To pay"), None, None, None, one.total), Style.SUM)
