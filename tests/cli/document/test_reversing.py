"""`document reverse` and `correct`: what takes a document back, on the real service and against a recorder."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, found, succeed
from tests.cli.recorder import Answer, Sent, page, recorder, said

SALE = ("--date", "2026-03-02", "--description", "Cash sale", "--debit", "1910", "--credit", "3000:125.50")
# each with what is special about it: a fee, a net amount, VAT on both sides, both sides given
STYLES = {
    "sale with a fee": ("--debit", "1910", "--credit", "3000:100.01", "--expense", "8500:2.90=Fee"),
    "net": ("--debit", "1910", "--credit", "3000:33.33+vat"),
    "purchase": ("--credit", "1910", "--debit", "4000:80@2/13.5", "--debit", "4000:0.07@2/25.5"),
    "reverse charge": ("--credit", "2871", "--debit", "4000:99.99@8/25.5"),
    "both sides": ("--debit", "1910:10", "--credit", "1700:4", "--credit", "2871:6"),
    "refund": ("--debit", "1910", "--credit", "3000:-20"),
}


@pytest.fixture
def books(cli: Cli) -> None:
    found(cli, "--name", "Alder", "--slug", "alder", "--form", "DEMO")
    succeed(cli("business", "use", "alder"))


def made(cli: Cli, *argv: str) -> dict[str, Any]:
    found: dict[str, Any] = succeed(cli("document", *argv, "--json")).json()
    return found


def moved(cli: Cli, document: int) -> Counter[tuple[object, ...]]:
    """What a document moves: cents by account, VAT code and rate, debit above zero."""
    sums: Counter[tuple[object, ...]] = Counter()
    for one in succeed(cli("document", "entries", str(document), "--json")).json():
        cents = int(Decimal(str(one["amount"])) * 100)
        sums[one["account_number"], one["vat_code"], one["vat_rate"]] += cents if one["is_debet"] else -cents
    return sums


def pairs(cli: Cli, document: int) -> set[tuple[int, str]]:
    rows = succeed(cli("document", "relation", "list", str(document), "--json")).json()
    return {(row["related_document"], row["role"]) for row in rows}


def count(cli: Cli) -> int:
    return len(succeed(cli("document", "list", "--json")).json())


@pytest.mark.usefixtures("books")
@pytest.mark.together
@pytest.mark.parametrize("legs", STYLES.values(), ids=STYLES)
def test_the_mirror_moves_the_same_back_to_the_cent(cli: Cli, legs: tuple[str, ...]) -> None:
    original = made(cli, "create", "--date", "2026-03-02", "--description", "Fair", *legs)
    mirror = made(cli, "reverse", "1", "--date", "2026-04-30")
    assert (mirror["id"], mirror["date"]) == (2, "2026-04-30")
    assert mirror["description"] == f"Reversal of {original['number']}: Fair"
    assert moved(cli, 1) == {place: -cents for place, cents in moved(cli, 2).items()}
    assert sum(map(abs, moved(cli, 1).values())) > 0
    assert (pairs(cli, 1), pairs(cli, 2)) == ({(2, "ACCRUAL")}, {(1, "SETTLEMENT")})
    again = cli("document", "reverse", "1")
    assert (again.code, count(cli)) == (2, 2)
    assert f"{original['number']} is reversed already, by {mirror['number']} of 2026-04-30" in again.err
    # and what took it back can be taken back
    made(cli, "reverse", "2", "--date", "2026-05-01")
    assert moved(cli, 3) == moved(cli, 1)


@pytest.mark.usefixtures("books")
def test_a_document_of_a_closed_period_goes_back_on_an_open_day(cli: Cli) -> None:
    succeed(
        cli("period", "create", "--start", f"{date.today().year + 1}-01-01", "--end", f"{date.today().year + 1}-12-31")
    )
    (period,) = succeed(cli("vat", "period", "list", "--json")).json()
    made(cli, "create", "--date", period["start_date"], *SALE[2:])
    succeed(cli("vat", "period", "lock", str(period["id"])))
    closed = cli("document", "reverse", "1", "--date", period["end_date"])
    assert (closed.code, count(cli)) == (8, 1)
    made(cli, "reverse", "1", "--date", str(date.fromisoformat(period["end_date"]) + timedelta(days=1)))
    assert pairs(cli, 2) == {(1, "SETTLEMENT")}


@pytest.mark.usefixtures("books")
def test_a_payment_that_is_taken_back_leaves_what_it_paid_open(cli: Cli) -> None:
    made(cli, "create", "--date", "2026-03-02", "--debit", "1700", "--credit", "3000:50")
    made(cli, "create", "--date", "2026-03-09", "--debit", "1910", "--credit", "1700:50")
    succeed(cli("document", "relation", "create", "2", "--related", "1", "--role", "settlement"))
    made(cli, "reverse", "2", "--date", "2026-03-10")
    assert pairs(cli, 3) == {(2, "SETTLEMENT"), (1, "SETTLEMENT")}
    new = made(cli, "correct", "1", "--date", "2026-03-11", "--credit", "3000:60")
    assert new["id"] == 5
    assert moved(cli, 5)["1700", 3, "0.00"] == 6000
    assert pairs(cli, 4) == {(1, "SETTLEMENT"), (2, "ACCRUAL"), (3, "ACCRUAL")}
    assert pairs(cli, 5) == {(1, "SETTLEMENT"), (2, "ACCRUAL"), (3, "ACCRUAL")}


BILL = ("--sender", "Paperi Oy", "--number", "7", "--date", "2026-03-02", "--due", "2026-04-01", "--amount", "50")


def bill_paid(cli: Cli) -> None:
    """Post a purchase invoice and its payment, document 2."""
    succeed(cli("purchase", "create", *BILL, "--post", "--account", "4000"))
    succeed(cli("purchase", "pay", "1", "--date", "2026-03-09"))


def is_paid(cli: Cli) -> bool:
    return bool(succeed(cli("purchase", "get", "1", "--json")).json()["is_paid"])


@pytest.mark.usefixtures("books")
def test_a_purchase_invoice_is_open_again_with_its_payment(cli: Cli) -> None:
    bill_paid(cli)
    assert is_paid(cli)
    done = succeed(cli("document", "reverse", "2", "--date", "2026-03-10"))
    assert "purchase invoice 1 (Paperi Oy 7) is open again" in done.err
    assert not is_paid(cli)
    # as a run leaves it that ended before it said so: nothing is posted once more
    succeed(cli("purchase", "update", "1", "--paid"))
    assert made(cli, "reverse", "2", "--date", "2026-03-10")["id"] == 3
    assert (count(cli), is_paid(cli)) == (3, False)
    assert "is reversed already" in cli("document", "reverse", "2").err


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(("right", "stays"), [("50", True), ("40", False)])
def test_a_purchase_invoice_stays_paid_as_far_as_the_right_payment_pays_it(cli: Cli, right: str, stays: bool) -> None:
    bill_paid(cli)
    made(cli, "correct", "2", "--date", "2026-03-10", "--debit", f"2871:{right}", "--credit", "1910")
    assert is_paid(cli) is stays


@pytest.mark.usefixtures("books")
def test_one_that_was_paid_more_than_once_stays_paid_until_the_last_is_reversed(cli: Cli) -> None:
    bill_paid(cli)
    for payment in ("3", "4"):
        made(cli, "create", "--date", "2026-03-09", "--debit", "2871:50", "--credit", "1910")
        succeed(cli("document", "relation", "create", payment, "--related", "1", "--role", "settlement"))
    for payment, stays in (("3", True), ("4", True), ("2", False)):
        made(cli, "reverse", payment, "--date", "2026-03-10")
        assert is_paid(cli) is stays


@pytest.mark.usefixtures("books")
def test_a_reversal_that_was_cut_off_goes_on_with_its_key_to_the_last_relation(cli: Cli) -> None:
    bill_paid(cli)
    made(cli, "reverse", "2", "--date", "2026-03-10")
    # as a run leaves it that ended between the two relations
    (left,) = (
        one["id"]
        for one in succeed(cli("document", "relation", "list", "3", "--json")).json()
        if one["related_document"] == 1
    )
    succeed(cli("document", "relation", "delete", "3", str(left), "--yes"))
    succeed(cli("purchase", "update", "1", "--paid"))
    made(cli, "reverse", "2", "--date", "2026-03-10", "--idempotency-key", "k1")
    assert (pairs(cli, 3), is_paid(cli), count(cli)) == ({(2, "SETTLEMENT"), (1, "SETTLEMENT")}, False, 3)


@pytest.mark.usefixtures("books")
def test_what_was_begun_is_gone_on_with(cli: Cli) -> None:
    number = made(cli, "create", *SALE)["number"]
    made(cli, "create", *SALE)
    # as a run leaves it that ended before it related anything; another document of the day is none
    legs = ("--debit", "1910", "--credit", "3000:-125.50")
    made(cli, "create", "--date", "2026-03-31", "--description", f"Reversal of {number}: Cash sale", *legs)
    made(cli, "create", "--date", "2026-03-31", "--description", "Refund", *legs)
    assert made(cli, "reverse", "1", "--date", "2026-03-31")["id"] == 3
    assert (count(cli), pairs(cli, 3)) == (4, {(1, "SETTLEMENT")})
    # and under one key everything is done once
    keyed = ("--date", "2026-03-31", "--idempotency-key", "k1")
    first = made(cli, "correct", "2", "--description", "Right", *keyed)
    assert made(cli, "correct", "2", "--description", "Right", *keyed)["id"] == first["id"] == 6
    assert count(cli) == 6
    assert (pairs(cli, 5), pairs(cli, 6)) == ({(2, "SETTLEMENT")}, {(2, "SETTLEMENT")})


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(
    "right",
    [("--credit", "3000:251@1/25.5"), ("--description", "Right"), ("--credit", "3000:60@3")],
    ids=lambda it: it[1],
)
def test_what_was_corrected_is_named_and_posted_once(cli: Cli, right: tuple[str, ...]) -> None:
    sold = made(cli, "create", *SALE)["number"]
    correction = ("correct", "1", "--date", "2026-03-31", *right)
    new = made(cli, *correction)
    again = cli("document", *correction)
    assert (again.code, count(cli)) == (2, 3)
    assert f"{sold} is corrected already: 260331-1 takes it back, and {new['number']} of 2026-03-31" in again.err
    other = cli("document", *correction[:4], "--credit", "3000:7")
    assert (other.code, "is reversed already, by 260331-1" in other.err, count(cli)) == (2, True, 3)


@pytest.mark.usefixtures("books")
def test_a_correction_that_was_killed_before_it_was_related_is_gone_on_with(cli: Cli) -> None:
    made(cli, "create", "--date", "2026-03-02", "--debit", "1700", "--credit", "3000:50")
    made(cli, "create", "--date", "2026-03-09", "--debit", "1910", "--credit", "1700:50")
    succeed(cli("document", "relation", "create", "2", "--related", "1", "--role", "settlement"))
    correction = ("correct", "2", "--date", "2026-03-31", "--credit", "1700:40")
    new = made(cli, *correction)
    assert pairs(cli, new["id"]) == {(1, "SETTLEMENT"), (2, "SETTLEMENT")}
    # as a run leaves it that was killed after the first relation, or right after the copy
    for left in (1, 0):
        for relation in succeed(cli("document", "relation", "list", str(new["id"]), "--json")).json()[left:]:
            succeed(cli("document", "relation", "delete", str(new["id"]), str(relation["id"]), "--yes"))
        assert made(cli, *correction)["id"] == new["id"]
        assert (pairs(cli, new["id"]), count(cli)) == ({(1, "SETTLEMENT"), (2, "SETTLEMENT")}, 4)
        assert pairs(cli, 3) == {(1, "SETTLEMENT"), (2, "SETTLEMENT")}


@pytest.mark.usefixtures("books")
def test_what_cannot_be_taken_back_is_told(cli: Cli) -> None:
    made(cli, "create", *SALE, "--draft")
    made(cli, "create", *SALE)
    succeed(cli("document", "lock", "2"))
    draft, nothing = cli("document", "reverse", "1"), cli("document", "correct", "2", "--date", "2026-03-31")
    assert (draft.code, nothing.code, count(cli)) == (2, 2, 2)
    assert "document 1 is a draft" in draft.err
    assert "nothing is said of what is right" in nothing.err
    locked = cli("document", "reverse", "2", "--date", "2026-03-31")
    assert (locked.code, count(cli)) == (8, 3)
    assert "is posted, but not related to document 2 yet" in locked.err
    succeed(cli("document", "unlock", "2"))
    assert made(cli, "reverse", "2", "--date", "2026-03-31")["id"] == 3
    assert pairs(cli, 2) == {(3, "ACCRUAL")}


BLUEPRINT = {"debet_account_id": 2, "credit_entries": [{"account_id": 5, "amount": 12.5, "vat_code": 3}]}
DOCUMENT = {"id": 7, "number": "260302-1", "date": "2026-03-02", "description": "Rent", "blueprint": BLUEPRINT}


def service(sent: Sent) -> Answer:
    if sent.method == "GET":
        place = sent.path.split("/")
        related = [{"id": 1, "related_document": 4, "role": "ACCRUAL"}]
        if not place[-2].isdecimal():
            return page()
        other = {**DOCUMENT, "id": int(place[-2]), "blueprint": {"debet_account_id": 9}}
        return said({**DOCUMENT, "relations": related} if sent.path.endswith("/7/") else other)
    number, made = ("260331-2", 11) if "copy" in sent.path else ("260331-1", 8)
    day = json.loads(sent.body).get("date", DOCUMENT["date"])
    return said({**DOCUMENT, "number": number, "id": made, "date": day, "relations": []}, 201)


def test_only_operations_of_the_interface_are_asked_each_write_under_a_key_of_its_own(cli: Cli, at: At) -> None:
    with recorder(service) as server:
        at(server)
        succeed(cli("document", "correct", "7", "--date", "2026-03-31", "--description", "Rent of March"))
        writes = [one for one in server.sent if one.method == "POST"]
    assert [one.path.partition("/demo/")[2] for one in writes] == [
        "document/", "document/8/relation/", "document/8/relation/", "document/7/action/copy/", "document/11/relation/",
        "document/11/relation/",
    ]  # fmt: skip
    mirror, related, *_, copied, _, _ = (json.loads(one.body) for one in writes)
    assert mirror["blueprint"]["credit_entries"] == [{"account_id": 5, "amount": -12.5, "vat_code": 3}]
    assert related == {"related_document": 7, "role": "SETTLEMENT", "type": "ACCRUAL_PAIR"}
    assert copied == {"date": "2026-03-31", "description": "Rent of March"}
    assert len({one.headers["idempotency-key"] for one in writes}) == 6


@pytest.mark.parametrize("argv", [("reverse", "7"), ("correct", "7", "--description", "x")], ids=lambda argv: argv[0])
def test_a_rehearsal_shows_the_mirror_and_sends_nothing(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(service) as server:
        at(server)
        shown = succeed(cli("document", *argv, "--dry-run", "--json")).json()
        assert {one.method for one in server.sent} == {"GET"}
    assert shown["method"] == "POST"
    assert shown["body"]["blueprint"]["credit_entries"][0]["amount"] == -12.5


def test_a_copy_that_is_refused_names_what_was_done_and_the_key(cli: Cli, at: At) -> None:
    def refusing(sent: Sent) -> Answer:
        return said({"detail": "Locked.", "code": "locked"}, 423) if "copy" in sent.path else service(sent)

    with recorder(refusing) as server:
        at(server)
        outcome = cli("document", "correct", "7", "--description", "x", "--idempotency-key", "k7")
    assert outcome.code == 8
    assert "takes 260302-1 back, but the right one is not posted: Locked." in outcome.err
    # the key of the command, not one of those that follow from it
    assert {*re.findall("--idempotency-key (\\S+)", outcome.err)} == {"k7"}
