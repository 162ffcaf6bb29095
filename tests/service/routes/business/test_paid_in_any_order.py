"""VAT by payments follows from days and relations alone: not from when a document or a relation was entered.

And purchases in Finland follow their payments as sales do (docs/law.md 2.5).
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.service.actor import Actor
from tests.service.routes.books import Books, Row, open_books
from tests.service.routes.reports import read, span
from tests.sizes import sized

ENDS = {1: 31, 2: 28, 3: 31, 4: 30, 5: 31, 6: 30}
KINDS = ("claim", "claim", "pay", "pay", "pay", "credit", "discount", "refund")
MONEY = ("unclaimed_money", "returned_money")


class Side(NamedTuple):
    """Where one side of a business posts: money, claims, what was traded, and its VAT."""

    form: str
    bank: str
    claims: str
    traded: str
    code: int
    rates: tuple[str, ...]

    def blueprint(self, books: Books) -> Callable[[str, list[Row]], Row]:
        return books.sales if self.code == 1 else books.purchase


FINNISH = Side("FI_OY", "1910", "1700", "3000", 1, ("25.50", "13.50", "10.00"))
BOUGHT = FINNISH._replace(claims="2871", traded="4000", code=2)
GERMAN = Side("DE_UG", "1800", "1200", "4400", 1, ("19.00", "7.00"))


class Plan(NamedTuple):
    """A document: its day, what it is, amounts with the places of their rates, and the place of its contact."""

    day: str
    kind: str
    rows: list[tuple[Decimal, float]]
    contact: int

    def body(self, books: Books, side: Side, contacts: list[int | None]) -> dict[str, Any]:
        """Return the request that posts it."""
        taxed = [
            books.row(side.traded, str(amount), side.code, side.rates[int(at * len(side.rates))], 1)
            for amount, at in self.rows
        ]
        less = [{**row, "amount": -row["amount"]} for row in taxed]
        gross = self.rows[0][0]
        settled = books.row(side.claims, str(gross + taxed[0]["amount"] if self.kind == "discount" else gross))
        on, rows = {
            "claim": (side.claims, taxed),
            "credit": (side.claims, less),
            "pay": (side.bank, [settled]),
            "discount": (side.bank, [settled, less[0]]),
            "refund": (side.claims, [books.row(side.bank, str(gross))]),
        }[self.kind]
        return {
            "date": self.day,
            "blueprint": side.blueprint(books)(on, rows),
            "contact_id": contacts[self.contact],
        }


def draw(random: Random) -> tuple[list[Plan], list[tuple[int, int]]]:
    """Draw documents of different days, and which of them settles which earlier one."""
    every = [f"2026-{month:02}-{day:02}" for month, last in ENDS.items() for day in range(1, last + 1)]
    days = sorted(random.sample(every, random.randint(5, 12)))

    def amount() -> tuple[Decimal, float]:
        cents = random.choice((1000, 10_000, 11_350, random.randint(1, 20_000)))
        return Decimal(cents).scaleb(-2), random.random()

    plans = [
        Plan(
            day, random.choice(KINDS), [amount() for _ in range(random.choice((1, 1, 2)))], random.choice((0, 0, 1, 2))
        )
        for day in days
    ]
    pairs = [sorted(random.sample(range(len(plans)), 2), reverse=True) for _ in range(random.randint(0, len(plans)))]
    return plans, list(dict.fromkeys((later, earlier) for later, earlier in pairs))


def returns(
    keeper: Actor, side: Side, plans: list[Plan], pairs: list[tuple[int, int]], mixed: Random | None = None
) -> list[Any]:
    """Enter documents and relations, in another order if asked, and return the VAT reports of six months."""
    method = f"{side.form[:2]}_CASH_BASIS"
    books = open_books(
        keeper, form=side.form, vat_reporting_method=method, has_accrual_based_entries_for_invoicing=True
    )
    contacts = [None, books.contact("One Oy"), books.contact("Two Oy")]
    places, related = [*range(len(plans))], [*pairs]
    if mixed is not None:
        mixed.shuffle(places)
        mixed.shuffle(related)
    ids = {place: books.create("document/", plans[place].body(books, side, contacts))["id"] for place in places}
    for later, earlier in related:
        relation = {"related_document": ids[earlier], "role": "SETTLEMENT"}
        books.create(f"document/{ids[later]}/relation/", relation)
    return [
        {
            name: [(one["date"], one["amount"]) for one in value] if name in MONEY else value
            for name, value in read(books, "vat-report", span(f"2026-{month:02}-01", f"2026-{month:02}-{last}")).items()
        }
        for month, last in ENDS.items()
    ]


@pytest.mark.parametrize("side", [FINNISH, BOUGHT, GERMAN], ids=["FI", "FI-bought", "DE"])
@pytest.mark.parametrize("seed", range(sized(50)))
def test_when_something_was_entered_changes_no_return(bookkeeper: Actor, seed: int, side: Side) -> None:
    plans, pairs = draw(Random(seed))
    assert returns(bookkeeper, side, plans, pairs) == returns(bookkeeper, side, plans, pairs, Random(seed))


@pytest.mark.parametrize("seed", range(sized(50)))
def test_finnish_purchases_are_deducted_as_sales_are_reported(bookkeeper: Actor, seed: int) -> None:
    plans, pairs = draw(Random(seed))
    sold, bought = (returns(bookkeeper, side, plans, pairs) for side in (FINNISH, BOUGHT))
    payable = [[one["summary"]["vat_payable"] for one in months] for months in (sold, bought)]
    assert payable[0] == [-vat for vat in payable[1]]
    assert any(payable[0])
