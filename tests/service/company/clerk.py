"""Somebody who keeps the books through the service and tells the model; sees that what must be refused is refused.

Every action returns whether it was done. What the service refuses must have changed nothing: the checks that follow
compare everything with a model that was not told of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from tests.service.company.model import ZERO, Document, Model
from tests.service.company.plans import reversed_plan
from tests.service.company.posting import Plan, Row
from tests.service.routes.books import Books

LOCKED, PRECONDITION = 423, 412


@dataclass
class VatPeriod:
    """A VAT period, and the documents that its lock has locked."""

    id: int
    start: date
    end: date
    is_locked: bool = False
    is_reported: bool = False


class Clerk:
    """Keeps the books of one business."""

    def __init__(self, books: Books, model: Model) -> None:
        self.books = books
        self.model = model
        self.vat_periods: list[VatPeriod] = []
        self.period = books.get("period/").body["results"][0]
        self.is_year_locked = False
        self._locked_by: dict[int, int] = {}

    # --- what the model says ---

    def is_closed(self, day: date) -> bool:
        """Whether a locked period ends on a day or after it."""
        in_year = day.isoformat() <= self.period["end_date"]
        return (self.is_year_locked and in_year) or any(one.is_locked and day <= one.end for one in self.vat_periods)

    def _expect(self, method: str, path: str, body: object, refused: int | None, done: int) -> object | None:
        """Send a request that must be refused, or must be done; return what was done."""
        reply = self.books.send(method, path, body)
        assert reply.status == (refused or done), (method, path, body, reply)
        return None if refused else (reply.body or {})

    # --- documents ---

    def create(self, day: date, plan: Plan, *, is_draft: bool = False) -> int | None:
        """Create a document; return its id."""
        body = {"date": day, "is_draft": is_draft, "blueprint": plan.wire(self.books.ids)}
        made = self._expect("POST", "document/", body, LOCKED if self.is_closed(day) else None, 201)
        if made is None:
            return None
        assert isinstance(made, dict)
        document = self.model.put(made["id"], day, plan, is_draft=is_draft)
        assert (made["number"] is None) == is_draft
        assert made["balance"] == self._money(document)
        return int(made["id"])

    def _money(self, document: Document) -> Decimal:
        return sum((line.amount for line in document.lines if self.model.types[line.account] == "ASS_PAY"), ZERO)

    def change(
        self, number: int, *, day: date | None = None, plan: Plan | None = None, is_draft: bool | None = None
    ) -> bool:
        """Change a document; a locked one, one in a locked period, and one bound for such a period stay as they are."""
        document = self.model.documents[number]
        new_day = day or document.date
        fields: dict[str, object] = {}
        if day is not None:
            fields["date"] = day
        if plan is not None:
            fields["blueprint"] = plan.wire(self.books.ids)
        if is_draft is not None:
            fields["is_draft"] = is_draft
        closed = document.is_locked or self.is_closed(document.date) or self.is_closed(new_day)
        if self._expect("PATCH", f"document/{number}/", fields, LOCKED if closed else None, 200) is None:
            return False
        draft = document.is_draft if is_draft is None else is_draft
        self.model.put(number, new_day, plan or document.plan, is_draft=draft, kind=document.kind)
        return True

    def delete(self, number: int) -> bool:
        """Delete a document."""
        document = self.model.documents[number]
        closed = document.is_locked or self.is_closed(document.date)
        if self._expect("DELETE", f"document/{number}/", None, LOCKED if closed else None, 204) is None:
            return False
        del self.model.documents[number]
        return True

    def reverse(self, number: int, day: date) -> int | None:
        """Post the opposite of a document."""
        return self.create(day, reversed_plan(self.model.documents[number].plan))

    def copy(self, number: int, day: date) -> int | None:
        """Copy a document to another day."""
        original = self.model.documents[number]
        refused = LOCKED if self.is_closed(day) else None
        made = self._expect("POST", f"document/{number}/action/copy/", {"date": day}, refused, 200)
        if made is None:
            return None
        assert isinstance(made, dict)
        self.model.put(made["id"], day, original.plan, is_draft=original.is_draft, kind=original.kind)
        return int(made["id"])

    def set_lock(self, number: int, is_locked: bool) -> bool:
        """Lock or unlock a document; that is always allowed."""
        self.books.act(f"document/{number}/action/{'lock' if is_locked else 'unlock'}/")
        self.model.documents[number].is_locked = is_locked
        self._locked_by.pop(number, None)
        return True

    def open_with(self, account: str, amount: Decimal) -> None:
        """Set the opening balance of an account, debit positive; while days are closed it stays what it is."""
        is_fixed = self.is_closed(date.min) and amount != self.model.opening.get(account, ZERO)
        fields = {"opening_balance": self.model.natural(account, amount)}
        path = f"account/{self.books.ids[account]}/"
        if self._expect("PATCH", path, fields, LOCKED if is_fixed else None, 200) is not None:
            self.model.opening[account] = amount

    # --- periods ---

    def open_vat_period(self) -> VatPeriod:
        """Create the next VAT period."""
        return self.adopt(self.books.create("vat_period/"))

    def adopt(self, shown: Mapping[str, Any]) -> VatPeriod:
        """Take note of a VAT period as the service shows it."""
        start, end = date.fromisoformat(shown["start_date"]), date.fromisoformat(shown["end_date"])
        period = VatPeriod(shown["id"], start, end)
        self.vat_periods.append(period)
        return period

    def lock_vat(self, period: VatPeriod) -> bool:
        """Lock a VAT period and the documents in it."""
        if period.is_locked:
            return False
        self.books.act(f"vat_period/{period.id}/action/lock/")
        self._lock_inside(period)
        return True

    def _lock_inside(self, period: VatPeriod) -> None:
        period.is_locked = True
        for number, document in self.model.documents.items():
            if period.start <= document.date <= period.end and not document.is_locked:
                document.is_locked = True
                self._locked_by[number] = period.id

    def unlock_vat(self, period: VatPeriod) -> bool:
        """Unlock a VAT period, and what its lock has locked; one that is reported stays locked."""
        refused = PRECONDITION if period.is_reported else None
        if not period.is_locked:
            return False
        if self._expect("POST", f"vat_period/{period.id}/action/unlock/", None, refused, 200) is None:
            return False
        period.is_locked = False
        for number in [number for number, by in self._locked_by.items() if by == period.id]:
            del self._locked_by[number]
            if number in self.model.documents:
                self.model.documents[number].is_locked = False
        return True

    def report_vat(self, period: VatPeriod) -> bool:
        """Report a VAT period: it is locked, and what is owed and what is deducted are set off against each other."""
        if period.is_reported or self.is_year_locked:
            return False
        payable = self.model.vat_filed(period.start, period.end)
        netted = self._netting(period)
        path = f"vat_period/{period.id}/action/report/"
        if netted and any(one.is_locked and one.end > period.end for one in self.vat_periods):
            return self._expect("POST", path, None, LOCKED, 200) is not None
        shown = self.books.act(path)
        assert shown["filing_tax_to_be_paid"] == payable
        assert (shown["purchase_invoice_id"] is not None) == (payable > 0)
        if netted:
            made = self.books.get("document/", date_from=str(period.end), date_to=str(period.end), page_size="200")
            (number,) = [one["id"] for one in made.body["results"] if one["type"] == 3]
            accounts = self.model.vat_accounts
            plan = Plan(debit=(Row(accounts.liabilities, netted),), credit=(Row(accounts.receivables, netted),))
            self.model.put(number, period.end, plan, kind=3)
        self._lock_inside(period)
        period.is_reported = True
        return True

    def _netting(self, period: VatPeriod) -> Decimal:
        """The smaller of what is owed and what is deducted; nothing when one of them is negative.

        What Germany owes of imports is owed to customs.
        """
        owed = deducted = ZERO
        elsewhere = (9, 15) if self.model.country == "DE" else ()
        for _, document in self.model.posted(period.start, period.end):
            if document.kind != 3:
                liable = [x for x in document.lines if self.model.types[x.account] == "LIA_VAT"]
                owed -= sum((x.amount for x in liable if x.code not in elsewhere), ZERO)
                deducted += sum((x.amount for x in document.lines if self.model.types[x.account] == "ASS_VAT"), ZERO)
        return max(min(owed, deducted), ZERO)

    def set_year_lock(self, is_locked: bool) -> bool:
        """Lock or unlock the accounting period."""
        self.books.act(f"period/{self.period['id']}/action/{'lock' if is_locked else 'unlock'}/")
        self.is_year_locked = is_locked
        return True
