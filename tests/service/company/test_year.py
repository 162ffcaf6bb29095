"""A year of a company, checked again and again: by the model, by hledger and by beancount."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from random import Random

import pytest

from tests.bean import find_faults, to_beancount
from tests.databases import count_rows
from tests.hledger import read_balances, to_hledger
from tests.service.actor import World
from tests.service.company.checks import Checker
from tests.service.company.clerk import Clerk
from tests.service.company.conftest import found_company
from tests.service.company.plans import FIRST, LAST, Company, draw_day
from tests.sizes import is_full, sized

SIZE = sized(3000)
CHECKS = 30 if is_full() else 10
EVERY = SIZE // CHECKS
CODES = set(range(16))


class Year:
    """Draws what happens in a year, in the order of its days."""

    def __init__(self, clerk: Clerk, company: Company, random: Random) -> None:
        self.clerk = clerk
        self.company = company
        self.random = random
        self.done: Counter[str] = Counter()
        self.created = 0

    def documents(self) -> list[int]:
        """The documents there are."""
        return list(self.clerk.model.documents)

    def happen(self) -> None:
        """Create one document, and now and then do something else to one."""
        today = FIRST + timedelta(days=(LAST - FIRST).days * self.created // SIZE)
        is_draft = self.random.random() < 0.08
        late = 90 if self.random.random() < 0.05 else 40
        day = draw_day(self.random, max(FIRST, today - timedelta(days=late)), today)
        made = self.clerk.create(day, self.company.draw_plan(self.random), is_draft=is_draft)
        self.note("created" if made else "refused")
        self.created += made is not None
        if self.random.random() < 0.35:
            self.something_else(today)

    def something_else(self, today: date) -> None:
        """Do something to a document that exists, as bookkeepers do; what is closed must stay as it is."""
        clerk, random = self.clerk, self.random
        number = random.choice(self.documents()[-400:])
        document = clerk.model.documents[number]
        deeds: dict[str, Callable[[], object]] = {
            "posted": lambda: clerk.change(number, is_draft=False),
            "drafted": lambda: clerk.change(number, is_draft=True),
            "rewritten": lambda: clerk.change(number, plan=self.company.draw_plan(random)),
            "redated": lambda: clerk.change(number, day=draw_day(random, document.date, today)),
            "reversed": lambda: clerk.reverse(number, today),
            "copied": lambda: clerk.copy(number, today),
            "deleted": lambda: clerk.delete(number),
            "locked": lambda: clerk.set_lock(number, True),
            "unlocked": lambda: clerk.set_lock(number, False),
        }
        name = random.choice([name for name in deeds if document.kind != 3 or name in ("locked", "unlocked")])
        self.note(name if deeds[name]() else f"{name}: refused")

    def end_months(self) -> None:
        """Lock or report the months that lie two behind, and open the next ones."""
        today = FIRST + timedelta(days=(LAST - FIRST).days * self.created // SIZE)
        while self.clerk.vat_periods[-1].end < today:
            self.clerk.open_vat_period()
        for period in self.clerk.vat_periods:
            if period.end < today - timedelta(days=45) and not period.is_locked:
                deed = self.random.choice((self.clerk.lock_vat, self.clerk.report_vat))
                self.note(f"{deed.__name__}" if deed(period) else "")

    def note(self, what: str) -> None:
        """Count what happened."""
        self.done[what] += 1


def check_elsewhere(checker: Checker) -> None:
    """Let hledger and beancount read the journal and come to the balances of the service's own accounts."""
    journal = checker.range_report("journal")
    balances = checker.model.balances(checker.last)
    found = read_balances(to_hledger(journal))
    assert {number: amount for number, amount in found.items() if amount} == balances
    assert find_faults(to_beancount(journal, checker.model.types, balances, checker.last)) == []


@pytest.mark.anywhere  # the rules know nothing of databases, and walks through both go on in test_machine
@pytest.mark.parametrize("country", ["FI", "DE"])
def test_a_year_of_books_adds_up_at_every_step(shared: World, country: str) -> None:
    clerk, company = found_company(shared, shared.user(), country)
    year = Year(clerk, company, Random(f"2026 {country}"))
    checker = Checker(clerk.books, clerk.model, FIRST, LAST)
    while year.created < SIZE:
        before = year.created
        year.happen()
        if year.created // EVERY > before // EVERY:
            if year.created <= SIZE // 2:
                count_rows(shared.database)
            checker.check()
            check_elsewhere(checker)
            year.end_months()
    checker.check_balances()
    codes = {line.code for document in clerk.model.documents.values() for line in document.lines}
    assert codes == CODES
    assert min(year.done[name] for name in ("created", "reversed", "deleted", "refused", "report_vat")) > 0, year.done
