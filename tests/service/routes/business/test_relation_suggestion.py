"""Suggested relations over HTTP, on SQLite and on PostgreSQL: of a document, and of one that does not exist yet."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from acctcli.models.relation import RelationSuggestion
from tests.service.actor import World
from tests.service.routes.books import Books, Row

PREVIEW = "document/relation/suggestions/preview/"


def invoice(books: Books, day: str, amount: str, contact: int | None = None, **fields: object) -> Any:
    """Post a sale on credit."""
    sale = books.sales("1700", [books.row("3000", amount, 1, "25.5")])
    return books.create("document/", {"date": day, "contact_id": contact, "blueprint": sale, **fields})


def payment(books: Books, day: str, *amounts: str, contact: int | None = None, **fields: object) -> Any:
    """Post a payment of invoices."""
    paid = books.sales("1910", [books.row("1700", amount) for amount in amounts])
    return books.create("document/", {"date": day, "contact_id": contact, "blueprint": paid, **fields})


def relate(books: Books, one: Any, other: Any) -> None:
    """Relate a payment to an invoice."""
    body = {"related_document": other["id"], "role": "SETTLEMENT", "type": "ACCRUAL_PAIR"}
    books.create(f"document/{one['id']}/relation/", body)


def suggested(books: Books, document: Any) -> list[int]:
    """Return the ids suggested for a document."""
    return [one["related_document"] for one in _suggestions(books, document)]


def _suggestions(books: Books, document: Any) -> Any:
    reply = books.get(f"document/{document['id']}/relation/suggestions/")
    assert reply.status == 200, reply
    return reply.body


def test_a_suggestion_is_shown_whole_and_can_be_posted_as_it_is(books: Books) -> None:
    contact = books.contact()
    sold = invoice(books, "2026-03-02", "251.00", contact)
    paid = payment(books, "2026-03-16", "251.00", contact=contact)
    reason = "260316-1 clears 251.00 of 260302-1 on account 1700: the same contact, 14 days apart."
    common = {"type": "ACCRUAL_PAIR", "reason": reason, "score": 100}
    assert _suggestions(books, paid) == [{"related_document": sold["id"], "role": "SETTLEMENT", **common}]
    assert _suggestions(books, sold) == [{"related_document": paid["id"], "role": "ACCRUAL", **common}]
    suggestion = _suggestions(books, sold)[0]
    assert list(suggestion) == list(RelationSuggestion.__annotations__)
    made = books.create(f"document/{sold['id']}/relation/", suggestion)
    assert (made["related_document"], made["role"]) == (paid["id"], "ACCRUAL")
    assert (_suggestions(books, sold), _suggestions(books, paid)) == ([], [])


@pytest.mark.everywhere
def test_the_best_stand_first(books: Books) -> None:
    ours, theirs = books.contact("Ours"), books.contact("Theirs")
    books.keep_books(2025)
    cases = [("2026-03-01", theirs), ("2025-01-01", None), ("2025-01-01", ours), ("2026-04-01", ours)]
    made = [invoice(books, day, "251.00", contact) for day, contact in cases]
    invoice(books, "2026-03-01", "251.01", ours)
    invoice(books, "2026-03-01", "251.00", ours, is_draft=True)
    paid = payment(books, "2026-03-16", "251.00", contact=ours)
    found = _suggestions(books, paid)
    scores = [(one["related_document"], one["score"]) for one in found]
    assert scores == [(made[3]["id"], 100), (made[2]["id"], 85), (made[0]["id"], 75), (made[1]["id"], 60)]


def test_a_bill_and_what_pays_it(books: Books) -> None:
    bill = books.create("document/", {"blueprint": books.purchase("2871", [books.row("4000", "62.75", 2, "25.5")])})
    paid = books.create("document/", {"blueprint": books.purchase("1910", [books.row("2871", "62.75")])})
    assert suggested(books, bill) == [paid["id"]]
    assert [one["role"] for one in _suggestions(books, bill)] == ["ACCRUAL"]


def test_what_is_paid_already_is_not_suggested_again(books: Books) -> None:
    sold, later = invoice(books, "2026-03-02", "100.00"), invoice(books, "2026-04-02", "100.00")
    paid = payment(books, "2026-03-16", "100.00")
    assert sorted(suggested(books, paid)) == [sold["id"], later["id"]]
    relate(books, paid, sold)
    assert suggested(books, paid) == [], "the payment has cleared what it had to clear"
    assert suggested(books, later) == []
    next_paid = payment(books, "2026-04-16", "100.00")
    assert suggested(books, next_paid) == [later["id"]]


def test_a_payment_of_several_invoices_is_suggested_until_all_are_related(books: Books) -> None:
    sold = [invoice(books, "2026-03-02", amount) for amount in ("100.00", "100.00", "40.00")]
    paid = payment(books, "2026-03-16", "100.00", "100.00", "40.00")
    for one in sold:
        assert suggested(books, one) == [paid["id"]]
        assert one["id"] in suggested(books, paid)
        relate(books, paid, one)
    assert suggested(books, paid) == []


def test_a_part_payment_is_related_by_hand(books: Books) -> None:
    sold, paid = invoice(books, "2026-03-02", "100.00"), payment(books, "2026-03-16", "60.00")
    assert (suggested(books, sold), suggested(books, paid)) == ([], [])
    relate(books, paid, sold)
    rest = payment(books, "2026-03-17", "100.00")
    assert suggested(books, rest) == [sold["id"]], "only an equal amount clears"


def test_without_entries_there_is_nothing_to_meet(books: Books) -> None:
    payment(books, "2026-03-16", "100.00")
    draft = invoice(books, "2026-03-02", "100.00", is_draft=True)
    assert suggested(books, draft) == []
    assert suggested(books, books.document("2026-03-02", "100.00")) == []


def test_at_most_twenty_are_suggested(books: Books) -> None:
    sold = [invoice(books, f"2026-03-{day:02d}", "100.00")["id"] for day in range(1, 26)]
    paid = payment(books, "2026-03-31", "100.00")
    assert suggested(books, paid) == sold[:4:-1]


def test_another_business_is_another_world(books: Books, other_books: Books) -> None:
    invoice(other_books, "2026-03-02", "100.00")
    assert suggested(books, payment(books, "2026-03-16", "100.00")) == []
    foreign = payment(other_books, "2026-03-16", "100.00")
    assert books.get(f"document/{foreign['id']}/relation/suggestions/").status == 404


# --- preview ---


def test_a_preview_says_what_the_document_would_be_told(books: Books) -> None:
    books.keep_books(2025)
    contact = books.contact()
    near = invoice(books, "2026-03-02", "251.00", contact)
    far = invoice(books, "2025-03-02", "251.00")
    content = {
        "date": "2026-03-16",
        "contact_id": contact,
        "blueprint": books.sales("1910", [books.row("1700", "251.00")]),
    }
    shown = books.act(PREVIEW, content)
    assert [(one["related_document"], one["role"], one["score"]) for one in shown] == [
        (near["id"], "SETTLEMENT", 100),
        (far["id"], "SETTLEMENT", 60),
    ]
    assert shown[0]["reason"] == (
        "The new document clears 251.00 of 260302-1 on account 1700: the same contact, 14 days apart."
    )
    for excluded, left in (([99_999_999, near["id"]], shown[1:]), ([near["id"], far["id"]], [])):
        assert books.act(PREVIEW, {**content, "exclude_document_ids": excluded}) == left
    made = books.create("document/", content)
    same = [{**one, "reason": one["reason"].replace("The new document", made["number"])} for one in shown]
    assert _suggestions(books, made) == same


def test_a_preview_changes_nothing(books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    before = events(books)
    content = {"blueprint": books.sales("1700", [books.row("3000", "125.50", 1, "25.5")])}
    assert books.act(PREVIEW, content) == []
    assert (books.listed(), events(books)) == ([], before)


def test_a_preview_without_a_date_is_of_today(books: Books, shared: World) -> None:
    shared.clock.now = datetime(2026, 4, 1, 21, tzinfo=UTC)  # 2 April begins in Helsinki
    sold = invoice(books, "2026-02-01", "100.00")
    body = {"blueprint": books.sales("1910", [books.row("1700", "100.00")])}
    shown = books.act(PREVIEW, body)
    assert books.act(PREVIEW, body | {"date": None}) == shown
    assert [(one["related_document"], one["score"]) for one in shown] == [(sold["id"], 75)]
    assert shown[0]["reason"].endswith("60 days apart.")


def test_a_preview_of_an_unfinished_document_looks_at_what_is_there(books: Books) -> None:
    sold = invoice(books, "2026-03-02", "100.00")
    rows = [books.row("1700", "100.00"), books.row("3000", "7.00") | {"account_id": None}]
    assert [one["related_document"] for one in books.act(PREVIEW, {"blueprint": books.sales("1910", rows)})] == [
        sold["id"]
    ]


@pytest.mark.together
@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda b: {}, "blueprint"),
        (lambda b: {"blueprint": None}, "blueprint"),
        (lambda b: {"blueprint": b.simple("1.00") | {"debet_account_id": 99_999_999}}, "blueprint"),
        (lambda b: {"blueprint": b.simple("1.00"), "contact_id": 99_999_999}, "contact_id"),
        (lambda b: {"blueprint": b.simple("1.00"), "date": "2026-02-30"}, "date"),
        (lambda b: {"blueprint": b.simple("1.00"), "exclude_document_ids": [0]}, "exclude_document_ids"),
    ],
)
def test_a_wrong_preview_is_refused(books: Books, make: Callable[[Books], Row], field: str) -> None:
    reply = books.send("POST", PREVIEW, make(books))
    assert (reply.status, reply.faults) == (400, [field])
