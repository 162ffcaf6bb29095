"""`bank match`: drafts of lines become what they are, once more is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from tests.banking.statements import generator as made
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place
from tests.journeys.test_bank import documents
from tests.journeys.test_bank_matching import (
    MOVE,
    SECOND,
    TO_BANK,
    bill,
    bring,
    held,
    is_paid,
    reference,
    rules,
    statement,
    tags_of,
)
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_settlement import WORK, balance, stands

D = Decimal
MATCH = ("bank", "match", "--yes")


def came(rows: Iterable[dict[str, Any]]) -> list[tuple[str, str | None]]:
    return [(row["status"], row["reason"] and row["reason"].partition(":")[0]) for row in rows]


def test_drafts_become_what_became_open_since(place: Place) -> None:
    seller(place)
    iban = made.OTHERS[1]
    moves = [
        replace(MOVE, text="Invoice 1"),
        replace(MOVE, cents=-8_000, reference="M2", name="Paperi Oy", iban=iban),
        replace(MOVE, cents=-450, reference="M3", name="Kahvila", text="Kortti"),
    ]
    path = statement(place, *moves)
    drafts = bring(place, path, *TO_BANK)
    assert [row["reason"] for row in drafts] == [None] * 3
    one = accepted(place, WORK)
    paper = bill(place, "80.00", "P-1", "Paperi Oy", "--iban", iban)
    rows = place.json(*MATCH)
    assert came(rows) == [("matched", "number"), ("matched", "amount and payer"), ("left", None)]
    assert [row["document"] for row in rows] == [row["document"] for row in drafts]
    assert (stands(place, one), is_paid(place, paper)) == ([("PAID", "2026-03-20")], [True])
    assert (receivable(place), balance(place, "2871")) == (D("0.00"), D("0.00"))
    assert [row["status"] for row in bring(place, path, *TO_BANK)] == ["already there"] * 3
    book = rules(place, '[[rules]]\ntext = "Kahvila"\naccount = "7950"\n')
    assert came(place.json(*MATCH, "--rules", book)) == [("matched", "rule")]
    assert place.json(*MATCH) == []
    assert (balance(place, "7950"), balance(place, "1910")) == (D("4.50"), D("41.00"))


def test_without_matching_all_lines_are_drafts(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    rows = bring(place, statement(place, replace(MOVE, viite=reference(place, one))), *TO_BANK, "--no-match")
    assert (rows[0]["status"], rows[0]["reason"], receivable(place)) == ("posted", None, D("125.50"))


def test_a_statement_tells_more_than_a_draft(place: Place) -> None:
    seller(place)
    path = statement(place, MOVE)
    bring(place, path, *TO_BANK, "--no-match")
    one = accepted(place, WORK)
    assert came(place.json(*MATCH)) == [("left", None)]
    assert came(place.json("bank", "match", path, *TO_BANK)) == [("matched", "amount and payer")]
    assert stands(place, one) == [("PAID", "2026-03-20")]


def test_a_purchase_invoice_that_is_posted_later_is_settled_by_its_line(place: Place) -> None:
    made_of = ("--date", "2026-03-02", "--amount", "70", "--source", "UPLOAD", "--sender", "Paperi Oy")
    paper = str(place.json("purchase", "create", *made_of, "--reference", "1232")["id"])
    path = statement(place, replace(MOVE, cents=-7_000, name="Paperi Oy", viite="1232"))
    (row,) = bring(place, path, *TO_BANK)
    assert row["reason"].startswith("Paperi Oy is in no books yet")
    place.run("purchase", "post", paper, "--account", "4000")
    assert came(place.json("bank", "match", path, *TO_BANK)) == [("matched", "reference")]
    assert (is_paid(place, paper), balance(place, "2871")) == ([True], D("0.00"))


def test_a_draft_of_a_document_that_is_there_goes(place: Place) -> None:
    seller(place)
    path = statement(place, MOVE)
    (draft,) = bring(place, path, *TO_BANK, "--no-match")
    one = accepted(place, WORK)
    place.run("invoice", "pay", one, "--date", "2026-03-20", "--account", "1910")
    (row,) = place.json("bank", "match", path, *TO_BANK)
    assert (row["status"], row["reason"].partition(":")[0]) == ("matched", "booked already")
    assert draft["document"] not in {doc["id"] for doc in documents(place)}
    assert bring(place, path, *TO_BANK)[0]["document"] == row["document"]


def test_both_drafts_of_a_transfer_become_one_document(place: Place) -> None:
    paths = with_a_transfer(place, "2026-03-20")
    bring(place, *paths, "--yes", "--no-match")
    rows = place.json(*MATCH)
    assert came(rows) == [("matched", "own transfer")] * 2
    assert len(documents(place)) == 1
    assert (balance(place, "1910"), balance(place, "1920")) == (D("-500.00"), D("500.00"))
    assert [row["status"] for row in bring(place, *paths, "--yes")] == ["already there"] * 2


def with_a_transfer(place: Place, came_in: str) -> tuple[str, str]:
    """Return statements of two accounts: 500.00 leave one on 20 March, and come in on another day."""
    for number, iban in (("1910", made.FINNISH), ("1920", SECOND)):
        place.run("account", "update", number, "--set", f"description={iban}")
    out = replace(MOVE, cents=-50_000, iban=SECOND)
    back = replace(MOVE, cents=50_000, iban=made.FINNISH, day=date.fromisoformat(came_in))
    return statement(place, out), statement(place, back, name="t.xml", account=SECOND)


def test_a_transfer_of_two_days_waits_for_an_account_between_and_each_side_has_its_day(place: Place) -> None:
    paths = with_a_transfer(place, "2026-03-21")
    drafts = bring(place, *paths, "--yes")
    told = "sides of two days take an account between: acctcli account create --number 1990 --type ASS_PAY"
    assert [told in row["reason"] for row in drafts] == [True, True]
    assert [row["status"] for row in place.json(*MATCH)] == ["left", "left"]
    place.run("account", "create", "--number", "1990", "--type", "ASS_PAY", "--name", "Money in transit")
    rows = place.json(*MATCH)
    assert came(rows) == [("matched", "own transfer")] * 2
    assert [row["document"] for row in rows] == [row["document"] for row in drafts]
    assert held(place, "2026-03-20") == {"1910": D("-500.00"), "1990": D("500.00")}
    assert held(place, "2026-03-21") == {"1910": D("-500.00"), "1920": D("500.00")}
    assert [row["status"] for row in bring(place, *paths, "--yes")] == ["already there"] * 2
    assert [row["problem"] for row in place.json("bank", "reconcile", *paths)] == [None, None]


def test_a_draft_keeps_the_reference_of_the_bank_when_it_becomes_what_it_is(place: Place) -> None:
    card = replace(MOVE, cents=-4_270)
    (row,) = bring(place, statement(place, card), *TO_BANK)
    (found,) = place.json(*MATCH, "--rules", rules(place, '[[rules]]\ntext = "Meyer"\naccount = "4000"\n'))
    assert (found["status"], found["document"]) == ("matched", row["document"])
    (own,) = place.json("document", "get", str(row["document"]))["blueprint"]["credit_entries"]
    assert own["description"] == f"{row['identity']} M1"


def test_a_draft_of_what_came_back_is_known_as_such(place: Place) -> None:
    seller(place)
    accepted(place, WORK)
    came_back = replace(MOVE, is_reversal=True, iban=made.OTHERS[1], text="Invoice 1")
    (kept,) = bring(place, statement(place, came_back), *TO_BANK)
    # neither the invoice that it names, nor a rule, nor words of whoever looks at it, take it for money that was paid
    book = rules(place, '[[rules]]\ntext = "Meyer"\naccount = "3990"\n')
    (left,) = place.json(*MATCH, "--rules", book)
    assert (left["status"], left["reason"]) == ("left", "it takes back what was paid, or paid back")
    assert (left["text"], kept["reason"]) == ("Meyer Oy Invoice 1", left["reason"])
    assert (receivable(place), place.json("document", "get", str(kept["document"]))["is_draft"]) == (D("125.50"), True)


def test_it_is_rehearsed_and_agreed_to(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    path = statement(place, replace(MOVE, viite=reference(place, one)))
    bring(place, path, *TO_BANK, "--no-match")
    before = documents(place)
    refused = place.try_run("bank", "match", path, "--account", "1910")
    assert (refused.code, "this would post 1 draft as what they are" in refused.err) == (2, True)
    plans = place.json("bank", "match", path, "--account", "1910", "--dry-run")
    assert [(plan["method"], plan["body"]["is_draft"]) for plan in plans] == [("PATCH", False)]
    table = place.run("bank", "match", path, "--account", "1910", "--dry-run", "--output", "table")
    assert "reference of Invoice 1" in table.out
    assert documents(place) == before


def test_a_copy_that_somebody_made_settles_nothing(place: Place) -> None:
    seller(place)
    one, two = accepted(place, WORK), accepted(place, WORK)
    (row,) = bring(place, statement(place, replace(MOVE, viite=reference(place, one))), *TO_BANK)
    copy = place.json("document", "copy", str(row["document"]))
    assert tags_of(copy) == [row["identity"]]
    draft = place.json("document", "copy", str(row["document"]), "--draft")
    place.run(*MATCH)
    assert place.json("document", "get", str(copy["id"]))["relations"] == []
    assert place.json("document", "get", str(draft["id"]))["is_draft"] is True
    assert [status for status, _ in stands(place, one, two)] == ["PAID", "ACCEPTED"]


def test_killed_at_any_request_drafts_are_treated_once(place: Place) -> None:
    seller(place)
    for number, iban in (("1910", made.FINNISH), ("1920", SECOND)):
        place.run("account", "update", number, "--set", f"description={iban}")
    moves = [
        replace(MOVE, text="Invoice 1"),
        replace(MOVE, cents=-8_000, reference="M2", name="Paperi Oy"),
        replace(MOVE, cents=-50_000, reference="M3", iban=SECOND),
    ]
    back = replace(MOVE, cents=50_000, iban=made.FINNISH)
    paths = statement(place, *moves), statement(place, back, name="t.xml", account=SECOND)
    bring(place, *paths, "--yes", "--no-match")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], "--set",
              "has_accrual_based_entries_for_invoicing=false")  # fmt: skip
    accepted(place, WORK)
    bill(place, "80.00", "P-1")
    before = len(documents(place))
    for cut in range(1, 120):
        code = cut_off(place, cut, "bank", "match", *paths, "--yes")
        posted = [tag for doc in documents(place) if not doc["is_draft"] for tag in tags_of(doc)]
        assert len(posted) == len(set(posted))
        if code == 0:
            break
    assert code == 0
    place.run(*MATCH)
    # the draft of the transfer's other side went, and the sale took the place of its own
    assert len(documents(place)) == before - 1
    assert not any(doc["is_draft"] for doc in documents(place))
    assert {one["status"] for one in place.json("invoice", "list")} == {"PAID"}
    assert {one["is_paid"] for one in place.json("purchase", "list")} == {True}
    assert (balance(place, "1910"), balance(place, "1920")) == (D("-454.50"), D("500.00"))
