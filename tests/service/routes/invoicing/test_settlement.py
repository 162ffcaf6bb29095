"""Invoices follow the books, on both databases: part payments, set-offs, losses (docs/interface.md 7.1, 7.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from acctcli.banking.settlement import Movement, settle
from tests.service.actor import Actor, Reply, World
from tests.service.routes.books import SELLER, Books
from tests.service.routes.shop import Shop, row

D = Decimal
THREE_RATES = (row("100.00", "1", "25.50"), row("100.00", "1", "13.50"), row("100.00", "1", "10.00"))


@pytest.fixture
def shop(books: Books) -> Shop:
    found = Shop(books)
    found.keep_accruals()
    return found


def bank(shop: Shop, day: str, amount: str) -> int:
    """Post what came in, without a word of what it was for."""
    blueprint = shop.books.sales("1910", [shop.books.row("1700", amount)])
    return int(shop.books.create("document/", {"date": day, "blueprint": blueprint})["id"])


def relate(shop: Shop, document_id: int, invoice: Any, role: str = "SETTLEMENT") -> int:
    """Relate a document to the claim of an invoice."""
    body = {"related_document": shop.get(invoice)["document"]["id"], "role": role}
    return int(shop.books.create(f"document/{document_id}/relation/", body)["id"])


def pay(shop: Shop, day: str, amount: str, *invoices: Any) -> int:
    document_id = bank(shop, day, amount)
    for invoice in invoices:
        relate(shop, document_id, invoice)
    return document_id


def credit(shop: Shop, invoice: Any, *rows: dict[str, Any], **fields: object) -> Any:
    return shop.accepted(*rows, is_credit_note_for=invoice["id"], **fields)


def stands(shop: Shop, *invoices: Any) -> list[tuple[str, str | None]]:
    found = [shop.get(invoice) for invoice in invoices]
    return [(invoice["status"], invoice["payment_date"]) for invoice in found]


def test_a_related_payment_settles_an_invoice_and_the_bank_is_not_booked_twice(shop: Shop, events: Any) -> None:
    invoice = shop.accepted()
    pay(shop, "2026-04-10", "251.00", invoice)
    assert stands(shop, invoice) == [("PAID", "2026-04-10")]
    assert events(shop.books)[-1][0] == "sales_invoice.paid"
    assert shop.act(invoice, "paid") == shop.get(invoice)
    assert (shop.books.balance("1910"), shop.books.balance("1700")) == ("251.00", "0.00")
    assert shop.listed(status_changed_to="PAID") == [invoice["id"]]


def test_paid_posts_what_is_open_and_no_more(shop: Shop) -> None:
    invoice = shop.accepted()
    pay(shop, "2026-04-01", "100.00", invoice)
    assert stands(shop, invoice) == [("ACCEPTED", None)]
    shop.act(invoice, "paid")
    assert stands(shop, invoice) == [("PAID", "2026-04-02")]
    assert (shop.books.balance("1910"), shop.books.balance("1700")) == ("251.00", "0.00")
    shop.act(invoice, "unpaid")
    assert stands(shop, invoice) == [("ACCEPTED", None)]
    assert (shop.books.balance("1910"), shop.books.balance("1700")) == ("100.00", "151.00")


def test_what_goes_back_of_a_payment_opens_the_invoice_that_it_had_paid(shop: Shop) -> None:
    first, second = shop.accepted(), shop.accepted()
    payment = pay(shop, "2026-04-10", "251.00", first, second)
    assert stands(shop, first, second) == [("PAID", "2026-04-10"), ("ACCEPTED", None)]
    back = bank(shop, "2026-04-11", "-60.00")
    shop.books.create(f"document/{back}/relation/", {"related_document": payment, "role": "SETTLEMENT"})
    assert stands(shop, first, second) == [("ACCEPTED", None)] * 2
    shop.act(second, "paid")
    assert stands(shop, first, second) == [("ACCEPTED", None), ("PAID", "2026-04-02")]
    assert shop.books.balance("1700") == "60.00"


def test_it_is_open_again_when_its_payment_is_not_what_it_was(shop: Shop, events: Any) -> None:
    invoice = shop.accepted()
    document_id = bank(shop, "2026-04-10", "251.00")
    relation_id = relate(shop, document_id, invoice)
    less = {"blueprint": shop.books.sales("1910", [shop.books.row("1700", "250.99")])}
    shop.books.change(f"document/{document_id}/", **less)
    assert stands(shop, invoice) == [("ACCEPTED", None)]
    assert events(shop.books)[-1][0] == "sales_invoice.unpaid"
    same = {"blueprint": shop.books.sales("1910", [shop.books.row("1700", "251.00")])}
    shop.books.change(f"document/{document_id}/", **same, date="2026-04-12")
    assert stands(shop, invoice) == [("PAID", "2026-04-12")]
    shop.books.change(f"document/{document_id}/", date="2026-04-11")
    assert stands(shop, invoice) == [("PAID", "2026-04-11")]
    second = shop.accepted()
    path = f"document/{document_id}/relation/{relation_id}/"
    shop.books.change(path, related_document=second["document"]["id"])
    assert stands(shop, invoice, second) == [("ACCEPTED", None), ("PAID", "2026-04-11")]
    assert shop.books.send("DELETE", path).status == 204
    assert stands(shop, invoice, second) == [("ACCEPTED", None), ("ACCEPTED", None)]


def test_a_draft_settles_nothing_until_it_is_posted(shop: Shop) -> None:
    invoice = shop.accepted()
    blueprint = shop.books.sales("1910", [shop.books.row("1700", "251.00")])
    draft = shop.books.create("document/", {"date": "2026-04-05", "blueprint": blueprint, "is_draft": True})
    relate(shop, draft["id"], invoice)
    assert stands(shop, invoice) == [("ACCEPTED", None)]
    shop.books.change(f"document/{draft['id']}/", is_draft=False)
    assert stands(shop, invoice) == [("PAID", "2026-04-05")]


@pytest.mark.everywhere
def test_one_payment_for_many_invoices(shop: Shop) -> None:
    one, two, three = (shop.accepted() for _ in range(3))
    pay(shop, "2026-04-10", "602.00", one, two, three)
    assert stands(shop, one, two, three) == [("PAID", "2026-04-10"), ("PAID", "2026-04-10"), ("ACCEPTED", None)]
    shop.act(three, "paid")
    assert (shop.books.balance("1910"), shop.books.balance("1700")) == ("753.00", "0.00")


def test_too_much_is_given_back_and_never_paid_or_lost(shop: Shop) -> None:
    invoice = shop.accepted()
    pay(shop, "2026-04-10", "260.00", invoice)
    for action in ("paid", "credit_loss"):
        reply = shop.try_act(invoice, action)
        assert reply.status == 412
        assert reply.body["detail"].startswith("Invoice 1 was settled with 9.00 more than it comes to")
    pay(shop, "2026-04-12", "-9.00", invoice)
    assert stands(shop, invoice) == [("PAID", "2026-04-12")]


def test_who_owes_nothing_is_not_late(shop: Shop, shared: World) -> None:
    over, part = shop.accepted(), shop.accepted()
    pay(shop, "2026-04-10", "260.00", over)
    pay(shop, "2026-04-10", "250.00", part)
    note = credit(shop, over, row(count="-1"))
    shared.clock.move(timedelta(days=14))
    assert stands(shop, over, part, note) == [("ACCEPTED", None)] * 3
    assert [shop.get(one)["is_past_due"] for one in (over, part, note)] == [False, True, False]


def test_what_other_documents_settle_is_not_opened_by_a_word(shop: Shop) -> None:
    invoice = shop.accepted()
    pay(shop, "2026-04-10", "251.00", invoice)
    before = (shop.get(invoice), shop.documents())
    reply = shop.try_act(invoice, "unpaid")
    assert (reply.status, "related to document 260401-1" in reply.body["detail"]) == (412, True)
    assert (shop.get(invoice), shop.documents()) == before


def test_a_credit_note_is_set_off_against_its_invoice(shop: Shop) -> None:
    invoice = shop.accepted()
    part = credit(shop, invoice, row(count="-1"))
    assert stands(shop, invoice, part) == [("ACCEPTED", None), ("PAID", "2026-04-01")]
    rest = credit(shop, invoice, row(count="-1"), invoicing_date="2026-04-02")
    assert stands(shop, invoice, part, rest) == [("PAID", "2026-04-02"), ("PAID", "2026-04-01"), ("PAID", "2026-04-02")]
    assert (shop.books.balance("1700"), shop.books.balance("1910")) == ("0.00", "0.00")


def test_a_credit_note_of_a_paid_invoice_is_open_until_it_is_given_back(shop: Shop) -> None:
    invoice = shop.accepted()
    pay(shop, "2026-04-01", "251.00", invoice)
    note = credit(shop, invoice, row(count="-1"))
    assert stands(shop, invoice, note) == [("PAID", "2026-04-01"), ("ACCEPTED", None)]
    second = shop.accepted()
    relate(shop, note["document"]["id"], second)
    assert stands(shop, second, note) == [("ACCEPTED", None), ("PAID", "2026-04-01")]
    shop.act(second, "paid")
    assert (shop.books.balance("1700"), shop.books.balance("1910")) == ("0.00", "376.50")


def test_what_was_credited_is_not_lost_once_more(shop: Shop) -> None:
    """A fully credited invoice leaves nothing to write off, and its VAT is relieved once."""
    invoice = shop.accepted(row("1000.00", "1"))
    credit(shop, invoice, row("1000.00", "-1"))
    assert shop.try_act(invoice, "credit_loss").status == 412
    assert [shop.books.balance(number) for number in ("1700", "2939", "8600")] == ["0.00"] * 3
    half = shop.accepted(row("1000.00", "2"))
    credit(shop, half, row("1000.00", "-1"))
    shop.act(half, "credit_loss")
    assert [shop.books.balance(number) for number in ("1700", "2939", "8600")] == ["0.00", "0.00", "1000.00"]


def report(shop: Shop) -> Any:
    columns = {"columns": [{"date_from": "2026-04-01", "date_to": "2026-04-30"}]}
    return shop.books.act("report/vat-report/", columns)["summary"]


def test_a_loss_takes_its_vat_back_by_rate(shop: Shop) -> None:
    invoice = shop.accepted(*(row("1000.00", "1", rate) for rate in ("25.50", "13.50", "10.00")), row(vat_code=4))
    before = report(shop)["domestic_sales"]
    assert {rate: one["vat"] for rate, one in before.items()} == {"25.50": D(255), "13.50": D(135), "10.00": D(100)}
    shop.act(invoice, "credit_loss")
    after = report(shop)
    assert {rate: (one["base"], one["vat"]) for rate, one in after["domestic_sales"].items()} == dict.fromkeys(
        before, (D(0), D(0))
    )
    assert (after["adjustments"], after["vat_payable"], shop.books.balance("8600")) == (D(0), D(0), "3200.00")


def lose(shop: Shop, invoice: Any, day: str) -> Any:
    return shop.invoicing.send("POST", f"invoice/{invoice['id']}/actions/credit_loss/", {"date": day})


def test_a_loss_is_posted_on_the_day_that_is_said(shop: Shop) -> None:
    invoice = shop.accepted(row("1000.00", "1"))
    assert report(shop)["vat_payable"] == D(255)
    for day in ("2026-03-31", "2999-01-01"):
        refused = lose(shop, invoice, day)
        assert (refused.status, "date" in refused.body) == (400, True)
    done = lose(shop, invoice, "2026-04-01")
    assert (done.status, done.body.get("status")) == (200, "CREDIT_LOSS"), done
    assert report(shop)["vat_payable"] == D(0)
    assert shop.documents()[-1][:2] == ("2026-04-01", "Invoice 1")
    # it stays on its day
    assert lose(shop, invoice, "2026-04-02").status == 412
    shop.act(invoice, "unpaid")
    assert lose(shop, invoice, "2026-04-02").status == 200


def test_a_loss_after_a_part_payment_is_shared_out_by_rate(shop: Shop) -> None:
    invoice = shop.accepted(*THREE_RATES)  # 125.50 + 113.50 + 110.00 = 349.00
    pay(shop, "2026-04-02", "174.50", invoice)
    shop.act(invoice, "credit_loss")
    sales = report(shop)["domestic_sales"]
    assert {rate: (one["base"], one["vat"]) for rate, one in sales.items()} == {
        "25.50": (D("50.00"), D("12.75")),
        "13.50": (D("50.00"), D("6.75")),
        "10.00": (D("50.00"), D("5.00")),
    }
    assert (shop.books.balance("8600"), shop.books.balance("1700")) == ("150.00", "0.00")
    assert shop.act(invoice, "unpaid")["status"] == "ACCEPTED"
    assert shop.books.balance("1700") == "174.50"


@pytest.mark.parametrize(("paid", "left"), [("0", "0.00"), ("570.75", "120.75")])
def test_a_loss_takes_back_a_row_below_zero_too(shop: Shop, paid: str, left: str) -> None:
    """A discount at a rate of its own: 1,255.00 less 113.50, all of it lost, or all but the half that was paid."""
    invoice = shop.accepted(row("1000.00", "1"), row("100.00", "-1", "13.50"))
    if D(paid):
        pay(shop, "2026-04-02", paid, invoice)
    shop.act(invoice, "credit_loss")
    found, part = report(shop), D(paid) / D("1141.50")
    assert {rate: (one["base"], one["vat"]) for rate, one in found["domestic_sales"].items()} == {
        "25.50": (1000 * part, 255 * part),
        "13.50": (-100 * part, D("-13.50") * part),
    }
    assert (str(found["vat_payable"].quantize(D("0.01"))), shop.books.balance("1700")) == (left, "0.00")
    # of what was lost nothing is credited, in either direction
    note = shop.draft(row("1000.00", "-1"), row("100.00", "1", "13.50"), is_credit_note_for=invoice["id"])
    assert shop.try_act(note, "accept").status == 412


def test_what_was_lost_is_not_credited_as_well(shop: Shop) -> None:
    """VAT that a loss gave back is not given back again; what was paid, or never lost, is credited."""
    invoice = shop.accepted(row("1000.00", "1"))
    shop.act(invoice, "credit_loss")
    note = shop.draft(row("1000.00", "-1"), is_credit_note_for=invoice["id"])
    refused = shop.try_act(note, "accept")
    assert (refused.status, f"invoice unpaid {invoice['id']}" in refused.body["detail"]) == (412, True)
    assert (shop.books.balance("2939"), shop.books.balance("1700")) == ("0.00", "0.00")
    shop.act(invoice, "unpaid")
    shop.act(note, "accept")
    assert stands(shop, invoice, note) == [("PAID", "2026-04-01"), ("PAID", "2026-04-01")]
    assert [shop.books.balance(number) for number in ("2939", "1700", "8600")] == ["0.00"] * 3


def test_what_was_paid_before_a_loss_is_credited(shop: Shop) -> None:
    invoice = shop.accepted(*THREE_RATES)  # 125.50 + 113.50 + 110.00 = 349.00
    pay(shop, "2026-04-02", "174.50", invoice)
    shop.act(invoice, "credit_loss")
    too_much = shop.draft(row("50.01", "-1"), is_credit_note_for=invoice["id"])
    refused = shop.try_act(too_much, "accept")
    assert (refused.status, "62.75 is left of it at 25.5 %" in refused.body["detail"]) == (412, True)
    credit(shop, invoice, row("50.00", "-1"))
    assert shop.books.balance("1700") == "-62.75"
    assert report(shop)["domestic_sales"]["25.50"] == {"base": D(0), "vat": D(0)}


def test_a_loss_gives_back_no_vat_that_was_credited(shop: Shop) -> None:
    """The credit note of one paid for another: what is open of the first has no VAT left."""
    first, second = shop.accepted(row("100.00", "1")), shop.accepted(row("100.00", "1"))
    document_id = bank(shop, "2026-04-01", "125.50")
    relation_id = relate(shop, document_id, first)
    note = credit(shop, first, row("100.00", "-1"))
    relate(shop, note["document"]["id"], second)
    shop.books.send("DELETE", f"document/{document_id}/relation/{relation_id}/")
    assert stands(shop, first, note) == [("ACCEPTED", None), ("PAID", "2026-04-01")]
    before = shop.books.balance("2939")
    shop.act(first, "credit_loss")
    assert shop.books.balance("2939") == before


def test_nothing_is_credited_of_what_was_lost_beside_the_books(books: Books) -> None:
    shop = Shop(books)
    invoice = shop.accepted()
    shop.act(invoice, "credit_loss")
    note = shop.draft(row(count="-2"), is_credit_note_for=invoice["id"])
    assert shop.try_act(note, "accept").status == 412


# --- one amount of VAT ---


def test_books_and_return_say_the_vat_that_the_invoice_does(shop: Shop) -> None:
    """Ten rows of 0.33 at 25.5 % carry 0.84, wherever they stand."""
    pens = [row("0.33", "1", account_id=shop.books.ids[("3000", "3900")[place % 2]]) for place in range(10)]
    invoice = shop.accepted(*pens)
    assert (invoice["total_vat_amount"], invoice["total_amount"]) == (D("0.84"), D("4.14"))
    assert {line["total_vat_amount"] for line in invoice["rows"]} == {D("0.08")}
    assert [shop.books.balance(number) for number in ("1700", "3000", "3900", "2939")] == [
        "4.14",
        "1.65",
        "1.65",
        "0.84",
    ]
    assert report(shop)["domestic_sales"] == {"25.50": {"base": D("3.30"), "vat": D("0.84")}}
    notes = [credit(shop, invoice, *(one | {"product_count": D(-1)} for one in pens[:part])) for part in (3, 3, 4)]
    assert sum(note["total_vat_amount"] for note in notes) == D("-0.84")
    assert (shop.books.balance("1700"), shop.books.balance("2939")) == ("0.00", "0.00")
    assert {status for status, _ in stands(shop, invoice, *notes)} == {"PAID"}


# --- from payments to claims ---

BASIS = "has_accrual_based_entries_for_invoicing"


@pytest.mark.together
@pytest.mark.parametrize(
    ("form", "by_claims"),
    [
        ("FI_OY", True),
        ("FI_KY", True),
        ("FI_YHD", True),
        ("DE_UG", True),
        ("FI_TMI", False),
        ("FI_NY", False),
        ("DEMO", False),
    ],
)
def test_companies_keep_their_books_by_claims_unless_they_say_otherwise(
    bookkeeper: Actor, form: str, by_claims: bool
) -> None:
    assert bookkeeper.create_business("X", form=form)[BASIS] is by_claims
    said = bookkeeper.create_business("X", form=form, **{BASIS: not by_claims})
    assert said[BASIS] is not by_claims
    books = Books(bookkeeper, said["slug"])
    assert books.change("", name="Y")[BASIS] is not by_claims
    assert books.send("PUT", "", {"name": "Y", "form": form}).body[BASIS] is by_claims


def test_a_new_company_has_its_invoices_in_its_books(bookkeeper: Actor) -> None:
    made = bookkeeper.create_business("Example Oy", form="FI_OY", business_id="0112038-9", **SELLER)
    shop = Shop(Books(bookkeeper, made["slug"]))
    assert shop.accepted()["document"] is not None
    assert (shop.books.balance("1700"), shop.books.balance("2939")) == ("251.00", "51.00")


def test_who_begins_to_keep_claims_has_the_open_ones_in_the_books(
    books: Books, lock_days: Callable[[str, str, str], None], events: Any
) -> None:
    shop = Shop(books)
    late = shop.accepted(invoicing_date="2026-01-31")
    paid, open_, credited = shop.act(shop.accepted(), "paid"), shop.accepted(), shop.accepted()
    note = credit(shop, credited, row(count="-1"))
    draft, lost = shop.draft(), shop.act(shop.accepted(), "credit_loss")
    lock_days("period", "2026-01-01", "2026-01-31")
    untouched = [shop.get(one) for one in (late, paid, draft, lost)]
    shop.keep_accruals()
    assert [shop.get(one) for one in (late, paid, draft, lost)] == untouched
    claims = [shop.get(one)["document"] for one in (open_, credited, note)]
    assert [(claim["date"], claim["description"]) for claim in claims] == [
        ("2026-04-01", "Invoice 3"), ("2026-04-01", "Invoice 4"), ("2026-04-01", "Credit note 5"),
    ]  # fmt: skip
    assert stands(shop, open_, credited, note) == [("ACCEPTED", None), ("ACCEPTED", None), ("PAID", "2026-04-01")]
    assert shop.books.balance("1700") == "376.50"
    told = [data["id"] for kind, data in events(books) if kind == "sales_invoice.updated"]
    assert told[-3:] == [open_["id"], credited["id"], note["id"]]
    before = shop.documents()
    shop.keep_accruals()
    assert shop.documents() == before


# --- whatever happens, on every day ---

STEPS = ("invoice", "invoice", "credit", "pay", "pay", "pay", "set off", "paid", "unpaid", "credit_loss", "take back")
DAYS = [f"2026-04-{day:02}" for day in range(1, 13)]


class Till:
    """Somebody who does to invoices whatever may be done, and remembers what settled them."""

    def __init__(self, shop: Shop, seed: int) -> None:
        self.shop, self.dice = shop, Random(seed)
        self.ids: list[int] = []
        self.payments: list[tuple[int, int]] = []

    def step(self) -> None:
        dice, step = self.dice, self.dice.choice(STEPS)
        if step == "invoice" or not self.ids:
            self.ids.append(self._accept())
        elif step == "credit":
            self._credit()
        elif step == "pay":
            self._pay()
        elif step == "set off":
            one, two = (self._claim(dice.choice(self.ids)) for _ in range(2))
            self._relate(one, two)
        elif step == "take back":
            if self.payments:
                document_id, relation_id = self.payments.pop(dice.randrange(len(self.payments)))
                self.shop.books.send("DELETE", f"document/{document_id}/relation/{relation_id}/")
        else:
            self.shop.try_act({"id": dice.choice(self.ids)}, step)

    def _accept(self) -> int:
        dice = self.dice
        rows = [
            row(
                str(D(dice.randrange(1, 20_000)).scaleb(-2)), str(dice.randrange(1, 5)), dice.choice(("25.50", "13.50"))
            )
            for _ in range(dice.randrange(1, 3))
        ]
        return int(self.shop.accepted(*rows, invoicing_date=dice.choice(DAYS))["id"])

    def _credit(self) -> None:
        invoice = self.shop.get({"id": self.dice.choice(self.ids)})
        line = self.dice.choice(invoice["rows"])
        rows = [{**line, "product_count": -D(self.dice.randrange(1, 3))}]
        body = self.shop.body(*rows, is_credit_note_for=invoice["id"], invoicing_date=self.dice.choice(DAYS))
        reply = self.shop.invoicing.send("POST", "invoice/", body)
        if reply.status == 201:
            self.shop.act(reply.body, "accept")
            self.ids.append(reply.body["id"])

    def _pay(self) -> None:
        dice, few = self.dice, self.dice.sample(self.ids, min(len(self.ids), self.dice.randrange(1, 4)))
        amount = str(D(dice.randrange(-2_000, 60_000)).scaleb(-2))
        if dice.random() < 0.5:  # all that is said of one
            amount, few = str(self.shop.get({"id": few[0]})["total_amount"]), few[:1]
        if D(amount):
            document_id = bank(self.shop, dice.choice(DAYS), amount)
            for one in few:
                reply = self._relate(document_id, self._claim(one))
                self.payments += [(document_id, reply.body["id"])] if reply.status == 201 else []

    def _claim(self, invoice_id: int) -> int:
        return int(self.shop.get({"id": invoice_id})["document"]["id"])

    def _relate(self, document_id: int, claim_id: int) -> Reply:
        body = {"related_document": claim_id, "role": "SETTLEMENT"}
        return self.shop.books.send("POST", f"document/{document_id}/relation/", body)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_states_follow_the_books_whatever_happens(shop: Shop, seed: int) -> None:
    """Who is PAID owes nothing, who is ACCEPTED does, and every invoice says the same of itself when asked again."""
    till = Till(shop, seed)
    for _ in range(40):
        till.step()
    assert bears_out(shop, till.ids) >= {"ACCEPTED", "PAID"}


def bears_out(shop: Shop, ids: list[int]) -> set[str]:
    """See that every invoice is what the books say, and these add up; return the statuses that there are."""
    seen = set[str]()
    page = shop.books.get("document/", page_size="200").body
    documents, movements, related = page["results"], [], []
    assert len(documents) == page["count"]
    invoices = {one: shop.get({"id": one}) for one in ids}
    claims = {one["document"]["id"]: one for one in invoices.values()}
    for document in documents:
        moved = [one for one in document["entry_ui_rows"] if one["account_number"] == "1700"]
        cents = sum(int(one["amount"] * 100) * (1 if one["is_debet"] else -1) for one in moved)
        movements.append(
            Movement(document["id"], date.fromisoformat(document["date"]), cents, document["id"] in claims)
        )
        related += [(document["id"], one["related_document"]) for one in document["relations"]]
    credited = [
        (invoices[one["is_credit_note_for"]]["document"]["id"], one["document"]["id"])
        for one in invoices.values()
        if one["is_credit_note_for"]
    ]
    found = settle(movements, related, credited)
    for claim, standing in found.items():
        status, paid_on = claims[claim]["status"], claims[claim]["payment_date"]
        seen.add(status)
        assert (status == "PAID") == (standing.settled_on is not None and status != "CREDIT_LOSS"), claims[claim]
        assert (paid_on == str(standing.settled_on)) if status == "PAID" else paid_on is None
    astray = sum(one.amount for one in movements if one.document_id not in near(claims, related))
    assert sum(one.open for one in found.values()) + astray == int(D(shop.books.balance("1700")) * 100)
    return seen


def near(claims: Iterable[int], related: list[tuple[int, int]]) -> set[int]:
    """Return the documents that lead to a claim."""
    found, more = set[int](), set(claims)
    while more - found:
        found |= more
        more = {two for pair in related for one, two in (pair, pair[::-1]) if one in found}
    return found
