"""Payments, losses, credit notes and relations of the same invoices by many at once, on both databases.

Nobody waits for who waits, nothing is paid, lost or credited twice, and the books add up to the cent (7.5).
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from random import Random
from threading import Barrier
from typing import Any

import pytest

from tests.service.routes.books import Books
from tests.service.routes.invoicing.test_settlement import bears_out, report
from tests.service.routes.shop import Shop, row
from tests.sizes import is_full, sized

D = Decimal
WRITERS, STEPS = 8, sized(60)
# done, or refused for what others have done meanwhile
ANSWERS = {200, 201, 204, 400, 404, 409, 412}
ACTIONS = ("paid", "credit_loss", "unpaid")


@pytest.fixture
def shop(books: Books) -> Shop:
    found = Shop(books)
    found.keep_accruals()
    return found


class Writer:
    """One of many who do what they like to the same few invoices."""

    def __init__(self, shop: Shop, claims: dict[int, int], notes: list[int], seed: int) -> None:
        self.shop, self.claims, self.notes, self.dice = shop, claims, notes, Random(seed)
        self.answers = Counter[int]()

    def work(self, start: Barrier) -> Counter[int]:
        start.wait()
        for _ in range(STEPS):
            self.dice.choice((self.act, self.act, self.accept, self.pay, self.part))()
        return self.answers

    def send(self, method: str, path: str, body: object = None, *, invoicing: bool = False) -> Any:
        reply = (self.shop.invoicing if invoicing else self.shop.books).send(method, path, body)
        self.answers[reply.status] += 1
        assert reply.status in ANSWERS, reply
        return reply.body

    def act(self) -> None:
        self.send(
            "POST", f"invoice/{self.dice.choice([*self.claims])}/actions/{self.dice.choice(ACTIONS)}/", invoicing=True
        )

    def accept(self) -> None:
        self.send("POST", f"invoice/{self.dice.choice(self.notes)}/actions/accept/", invoicing=True)

    def pay(self) -> None:
        """Post one payment of several invoices, related to them in any order."""
        amount = str(D(self.dice.randrange(1, 40_000)).scaleb(-2))
        blueprint = self.shop.books.sales("1910", [self.shop.books.row("1700", amount)])
        document = self.send("POST", "document/", {"date": "2026-04-02", "blueprint": blueprint})["id"]
        for claim in self.dice.sample([*self.claims.values()], 2):
            body = {"related_document": claim, "role": "SETTLEMENT"}
            self.send("POST", f"document/{document}/relation/", body)

    def part(self) -> None:
        """Take what is related to a claim off it again."""
        claim = self.dice.choice([*self.claims.values()])
        found = self.send("GET", f"document/{claim}/relation/")["results"]
        if found:
            self.send("DELETE", f"document/{claim}/relation/{self.dice.choice(found)['id']}/")


@pytest.mark.everywhere
@pytest.mark.parametrize("seed", range(1, 9) if is_full() else (1, 2))
def test_many_settle_the_same_invoices_at_once(shop: Shop, seed: int) -> None:
    sold = [shop.accepted(row("100.00", "2"), row("33.33", "3", "13.50")) for _ in range(3)]
    notes = [shop.draft(row("100.00", "-0.5"), is_credit_note_for=one["id"])["id"] for one in sold for _ in range(3)]
    claims = {one["id"]: one["document"]["id"] for one in sold}
    start = Barrier(WRITERS)
    writers = [Writer(shop, claims, notes, seed * 100 + number) for number in range(WRITERS)]
    with ThreadPoolExecutor(WRITERS) as pool:
        answers = sum(pool.map(lambda writer: writer.work(start), writers), Counter[int]())
    assert answers.keys() >= {200, 201, 412}
    accepted = [one for one in notes if shop.get({"id": one})["status"] != "DRAFT"]
    bears_out(shop, [*claims, *accepted])
    assert D(shop.books.balance("2939")) >= 0
    assert all(one["vat"] >= 0 for one in report(shop)["domestic_sales"].values())


@pytest.mark.everywhere
def test_a_payment_a_loss_and_a_credit_note_at_once(shop: Shop) -> None:
    """Whoever comes first has it; what is left is there for the next, once."""
    start = Barrier(5)

    def act(step: tuple[Any, str]) -> int:
        start.wait()
        return shop.try_act(*step).status

    for _ in range(12 if is_full() else 4):
        before = D(shop.books.balance("2939"))
        sold = shop.accepted(row("100.00", "1"))
        note = shop.draft(row("100.00", "-1"), is_credit_note_for=sold["id"])
        tried = ((sold, "paid"), (sold, "paid"), (sold, "credit_loss"), (sold, "credit_loss"), (note, "accept"))
        with ThreadPoolExecutor(5) as pool:
            assert set(pool.map(act, tried)) <= {200, 412}
        after = [shop.get(one)["status"] for one in (sold, note)]
        left = D(shop.books.balance("2939")) - before
        # paid and not credited, paid and credited (which is owed to the customer), lost, or credited
        assert (after, left) in [
            (["PAID", "DRAFT"], D("25.50")),
            (["PAID", "ACCEPTED"], D(0)),
            (["CREDIT_LOSS", "DRAFT"], D(0)),
            (["PAID", "PAID"], D(0)),
        ]
