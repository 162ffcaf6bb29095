"""What the bank says of payments: paid once, rejected and free again, whoever says it and in whatever order."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from acctcli.banking.payments.identity import payment_ids
from acctcli.cli.bank import importing
from acctcli.cli.bank.matching import read_known
from acctcli.cli.purchase import paying
from acctcli.errors import NetworkError
from tests.banking.payments.reports import Report, about, pain002
from tests.banking.payments.test_pain001 import read as read_file
from tests.banking.payments.test_pain001 import texts
from tests.banking.statements import generator as made
from tests.journeys.cutting import cut_off
from tests.journeys.places import Done, Place
from tests.journeys.test_bank import documents
from tests.journeys.test_bank_matching import bring, is_paid, tags_of
from tests.journeys.test_bank_meanwhile import before_request
from tests.journeys.test_payment_files import (
    GERMAN,
    OTHER,
    OWN,
    bill,
    drafts,
    in_days,
    noted,
    today,
    with_account,
)
from tests.mock_bank import Bank, a_bank
from tests.sizes import is_full

D = Decimal
ORDERS = [(order, when) for order in itertools.permutations(("confirm", "import")) for when in ("before", "after")]
CLOSED = "FI1410093000123458"
MOVE = made.Move(date(2026, 1, 1), date(2026, 1, 1), -12_550, "M1", "Paperi Oy")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with a_bank(tmp_path, today()) as found:
        found.account("OWN", OWN, currency="EUR", balance=10_000_000)
        found.account("CLOSED", CLOSED, currency="EUR", behaviour="closed-account")
        yield found


def bills(place: Place) -> tuple[str, str]:
    with_account(place)
    return (
        bill(place, "125.50", "P-1", in_days(1), "--reference", "1232"),
        bill(place, "80.00", "P-2", in_days(2), iban=GERMAN),
    )


def held(place: Place) -> dict[str, Decimal]:
    """What accounts hold by all that is posted, also on days to come."""
    sums: dict[str, Decimal] = defaultdict(lambda: D(0))
    for one in documents(place):
        for row in [] if one["is_draft"] else one["entry_ui_rows"]:
            sums[row["account_number"]] += row["amount"] * (1 if row["is_debet"] else -1)
    return sums


def hand_over(place: Place, *ids: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = place.json("purchase", "pay-file", "out.xml", *ids, "--yes")
    return rows


def confirm(place: Place, *paths: str, code: int = 0) -> list[dict[str, Any]]:
    done = place.try_run("bank", "confirm", *paths, "--json")
    assert done.code == code, done.err
    return [] if code == 2 else _rows(done.out)


def _rows(text: str) -> list[dict[str, Any]]:
    import json

    found: list[dict[str, Any]] = json.loads(text, parse_float=Decimal)
    return found


def statuses(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {str(row["purchase"]): row["status"] for row in rows}


def payments(place: Place) -> Counter[int]:
    """How many posted documents each invoice is paid by."""
    posted = (one for one in documents(place) if not one["is_draft"])
    return Counter(named.purchase for one in posted for named in set(payment_ids(one["description"])))


def test_what_a_bank_pays_and_rejects(place: Place, bank: Bank) -> None:
    one, two = bills(place)
    wrong = bill(place, "7.00", "P-3", in_days(1), iban=CLOSED)
    place.run("purchase", "pay-file", "out.xml", "--due-to", in_days(9))
    assert bank.findings(place.folder / "out.xml").endswith("2 batches, 3 payments, 0 findings")
    bank.send(place.folder / "out.xml")
    # what is accepted is not paid yet; what is rejected is free
    report = bank.messages("pain.002", "OWN")
    rows = confirm(place, *report)
    assert statuses(rows) == {one: "on its way", two: "on its way", wrong: "rejected"}
    (rejected,) = (row for row in rows if row["status"] == "rejected")
    assert rejected["reason"].startswith("AC04 (the account is closed): ")
    assert (rejected["document"], rejected["amount"]) == (None, D("7.00"))
    assert noted(place) == {int(one): 1, int(two): 1}
    assert statuses(confirm(place, *report)) == {one: "on its way", two: "on its way", wrong: "rejected"}
    place.run("purchase", "update", wrong, "--iban", OTHER)
    assert [str(row["purchase"]) for row in place.json("purchase", "pay-file", "more.xml", "--due-to", in_days(9))] == [
        wrong
    ]
    # the first report says nothing of the second file
    confirm(place, *report)
    assert noted(place) == {int(one): 1, int(two): 1, int(wrong): 1}
    bank.send(place.folder / "more.xml")
    bank.advance(7)
    notes = bank.messages("camt.054", "OWN")
    rows = confirm(place, *notes)
    assert statuses(rows) == {one: "paid", two: "paid", wrong: "paid"}
    assert is_paid(place, one, two, wrong) == [True] * 3
    assert (held(place)["1910"], held(place)["2871"], drafts(place)) == (D("-212.50"), D(0), [])
    for row in rows:
        payment = place.json("document", "get", str(row["document"]))
        claim = place.json("purchase", "get", str(row["purchase"]))["document"]["id"]
        assert (payment["date"], -payment["balance"]) == (row["date"], row["amount"])
        assert [(each["related_document"], each["role"]) for each in payment["relations"]] == [(claim, "SETTLEMENT")]
    # nothing is posted twice: neither by the same, nor by the statement
    count = len(documents(place))
    assert set(statuses(confirm(place, *notes)).values()) == {"already paid"}
    books = bank.messages("camt.053", "OWN")
    rows = bring(place, *books, "--yes")
    assert {row["reason"].partition(":")[0] for row in rows} == {"payment file"}
    assert (len(rows), len(documents(place)), held(place)["1910"]) == (3, count, D("-212.50"))
    assert [row["status"] for row in bring(place, *books, "--yes")] == ["already there"] * 3
    assert set(statuses(confirm(place, *books)).values()) == {"already paid"}


def test_a_statement_that_comes_first_posts_the_same_documents(place: Place, bank: Bank) -> None:
    one, two = bills(place)
    rows = hand_over(place, one, two)
    bank.send(place.folder / "out.xml")
    bank.advance(6)
    books = bank.messages("camt.053", "OWN")
    found = bring(place, *books, "--yes")
    assert [(row["status"], row["document"]) for row in found] == [("posted", row["document"]) for row in rows]
    assert [row["reason"] for row in found] == [
        f"payment file: {row['end_to_end']} for Paperi Oy P-{number}" for number, row in enumerate(rows, 1)
    ]
    assert is_paid(place, one, two) == [True, True]
    assert (held(place)["1910"], drafts(place), payments(place)) == (D("-205.50"), [], {int(one): 1, int(two): 1})
    count = len(documents(place))
    notes = bank.messages("camt.054", "OWN")
    assert statuses(confirm(place, *notes)) == {one: "already paid", two: "already paid"}
    assert (len(documents(place)), held(place)["1910"]) == (count, D("-205.50"))


def test_a_file_that_was_sent_twice_is_not_free_again(place: Place, bank: Bank) -> None:
    """The bank rejects the second one, and pays the first."""
    one, two = bills(place)
    hand_over(place, one, two)
    bank.send(place.folder / "out.xml")
    bank.messages("pain.002", "OWN")
    bank.send(place.folder / "out.xml")
    rows = confirm(place, *bank.messages("pain.002", "OWN"), code=10)
    assert {row["status"] for row in rows} == {"left"}
    assert "the bank had it already, and that one counts: DUPL" in rows[0]["reason"]
    assert noted(place) == {int(one): 1, int(two): 1}


def notes_of(bank: Bank) -> list[str]:
    """What the bank tells next, on whatever day."""
    for _ in range(9):
        bank.advance(1)
        if notes := bank.messages("camt.054", "OWN"):
            return notes
    raise AssertionError


def test_what_comes_back_is_left_to_a_person(place: Place, bank: Bank) -> None:
    one, _ = bills(place)
    bank.change("OWN", behaviour="return-later", parameters={"days": 1})
    hand_over(place, one)
    bank.send(place.folder / "out.xml")
    first = confirm(place, *notes_of(bank))
    rows = confirm(place, *notes_of(bank), code=10)
    assert [row["status"] for row in rows] == ["left"]
    assert f"acctcli document reverse {first[0]['document']}" in rows[0]["reason"]
    assert payments(place) == {int(one): 1}


@pytest.mark.parametrize("fate", ["returned", "rejected"])
def test_what_was_taken_back_is_left_to_nobody(place: Place, fate: str) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    left, *_ = carried([row])
    confirm(place, in_statement(place, left))
    back = replace(left, cents=-left.cents, reference="M9", is_reversal=True)
    path = {
        "returned": lambda: in_statement(place, left, back),
        "rejected": lambda: report_of(place, "no.xml", about(row["end_to_end"], "RJCT", "AC06")),
    }[fate]()
    (found,) = confirm(place, path, code=10)
    assert f"acctcli document reverse {row['document']}" in found["reason"]
    mirror = place.json("document", "reverse", str(row["document"]), "--date", in_days(2))["id"]
    (found,) = confirm(place, path)
    assert (found["status"], found["document"]) == (fate, row["document"])
    assert found["reason"].endswith(f"document {mirror} took it back")
    assert (is_paid(place, one), held(place)["1910"]) == ([False], D(0))


def test_what_left_and_came_back_before_anybody_looked(place: Place) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    left, *_ = carried([row])
    back = replace(left, cents=-left.cents, reference="M9", is_reversal=True)
    (found,) = confirm(place, in_statement(place, left, back), code=10)
    assert found["reason"] == f"returned; it is not posted: acctcli purchase withdraw {row['end_to_end'][:16]} {one}"


def report_of(place: Place, name: str, *said: Report) -> str:
    path = place.folder / name
    path.write_text(pain002(*said, made=f"{in_days(5)}T08:00:00"))
    return str(path)


def test_a_report_of_a_batch_or_of_the_file_counts_for_all_that_it_names_no_other_of(place: Place) -> None:
    one, two = bills(place)
    other = bill(place, "9.00", "P-3", in_days(2))
    file, batch, _ = (first := hand_over(place, one, two, other)[0]["end_to_end"]).rsplit("-", 2)
    reports = [
        about(file, "ACCP"),
        about(f"{file}-2", "RJCT", "AC01"),
        about(f"{file}-2-{two}", "ACSC"),
        about(first, "PDNG"),
    ]
    rows = confirm(place, report_of(place, "r.xml", *reports))
    assert statuses(rows) == {one: "on its way", two: "paid", other: "rejected"}
    assert batch == "1"
    # settled on the day it was to be made, which no report tells
    assert {row["date"] for row in rows if row["status"] == "paid"} == {in_days(2)}
    rows = confirm(place, report_of(place, "all.xml", about(file, "ACSC")))
    assert statuses(rows) == {one: "paid", two: "already paid"}
    assert is_paid(place, one, two, other) == [True, True, False]
    # a report from before, which comes late
    rows = confirm(place, report_of(place, "late.xml", about(file, "ACSP")))
    assert statuses(rows) == {one: "already paid", two: "already paid"}
    assert held(place)["1910"] == D("-205.50")


def test_what_is_not_as_it_was_to_be_is_left(place: Place) -> None:
    one, two = bills(place)
    rows = hand_over(place, one, two)
    first, second = (row["end_to_end"] for row in rows)
    less = in_statement(place, replace(MOVE, cents=-12_549, end_to_end=first))
    (left,) = confirm(place, less, code=10)
    assert left["reason"] == "the bank took 125.49, and it was to be 125.50"
    for amount, why in (
        ("EUR 125.51", "the bank took 125.51, and it was to be 125.50"),
        ("USD 125.50", "the report tells 125.50 USD, and payments are in EUR"),
    ):
        (left,) = confirm(place, report_of(place, "a.xml", about(first, "ACSC", amount=amount)), code=10)
        assert (left["status"], left["reason"]) == ("left", why)
    # paid by hand meanwhile
    place.run("purchase", "pay", two, "--account", "1910")
    (left,) = confirm(place, report_of(place, "r.xml", about(second, "ACSC")), code=10)
    assert "0.00 is open" in left["reason"]
    assert "is it paid twice?" in left["reason"]
    unknown = second.replace("pay-", "pay-a")[:16] + "-1-1"
    (left,) = confirm(place, report_of(place, "u.xml", about(unknown, "ACSC")), code=10)
    assert "no document of these books is this payment" in left["reason"]
    (gone,) = confirm(place, report_of(place, "g.xml", about(unknown, "RJCT", "AC04")))
    assert (gone["status"], gone["document"]) == ("rejected", None)
    assert held(place)["1910"] == D("-80.00")
    assert noted(place) == {int(one): 1, int(two): 1}


def test_an_entry_that_names_several_holds_up_no_other(place: Place) -> None:
    ids = (*bills(place), bill(place, "9.00", "P-3", in_days(2)))
    first, second, third = hand_over(place, *ids)
    several = replace(MOVE, cents=-20_550, text=f"{first['end_to_end']} {second['end_to_end']}")
    single = replace(MOVE, cents=-900, reference="M2", end_to_end=third["end_to_end"])
    path = in_statement(place, several, single)
    rows = confirm(place, path, code=10)
    assert statuses(rows) == dict(zip(ids, ("left", "left", "paid"), strict=True))
    assert rows[0]["reason"].startswith("one entry names 2 payments, and no sum of each: acctcli bank import")
    # what another report says of one alone counts
    rows = confirm(place, path, report_of(place, "r.xml", about(second["end_to_end"], "ACSC")), code=10)
    assert statuses(rows) == dict(zip(ids, ("left", "paid", "already paid"), strict=True))
    assert payments(place) == {int(one): 1 for one in ids[1:]}


def test_a_rejection_of_what_is_paid_is_left(place: Place) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    confirm(place, report_of(place, "paid.xml", about(row["end_to_end"], "ACSC")))
    (left,) = confirm(place, report_of(place, "no.xml", about(row["end_to_end"], "RJCT", "AC06")), code=10)
    assert f"acctcli document reverse {row['document']}" in left["reason"]
    assert is_paid(place, one) == [True]


def test_reports_that_contradict_each_other_do_nothing(place: Place) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    paths = [
        report_of(place, f"{status}.xml", about(row["end_to_end"], status, *codes))
        for status, codes in (("ACSC", ()), ("RJCT", ("AC04",)))
    ]
    done = place.try_run("bank", "confirm", *paths)
    assert (done.code, done.out) == (2, "")
    assert f"{row['end_to_end']} is paid by one report, and rejected by another" in done.err
    assert (is_paid(place, one), noted(place)) == ([False], {int(one): 1})


@pytest.mark.together
@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("<a/>", "there is no statement of camt.052, .053 or .054"),
        ("T001", "neither pain.002 nor CAMT"),
        ("", "the file is empty"),
        (pain002(about("", "RJCT")), "it is not said which payment this is"),
        (pain002(about("x", "ACSC"), made="2026-02-30"), "'2026-02-30' is not a day"),
        (pain002(about("x", "ACSC"))[:-9], "this is not XML"),
    ],
)
def test_what_cannot_be_read_is_refused_whole(place: Place, content: str, told: str) -> None:
    (place.folder / "r.xml").write_text(content)
    done = place.try_run("bank", "confirm", "r.xml")
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_what_is_said_of_others_is_passed_over(place: Place) -> None:
    one, _ = bills(place)
    hand_over(place, one)
    path = report_of(place, "r.xml", about("their-file", "RJCT"), about("their-file-1", "RJCT"), about("INV-7", "RJCT"))
    done = place.run("bank", "confirm", path, in_statement(place, MOVE))
    assert "nothing in the files is about payments of acctcli purchase pay-file" in done.err
    assert noted(place) == {int(one): 1}


def test_a_rehearsal_shows_what_would_be_sent(place: Place) -> None:
    one, two = bills(place)
    first, second = hand_over(place, one, two)
    path = report_of(place, "r.xml", about(first["end_to_end"], "RJCT", "AC04"), about(second["end_to_end"], "ACSC"))
    plans = place.json("bank", "confirm", path, "--dry-run")
    assert [plan["method"] for plan in plans] == ["DELETE", "PATCH"]
    assert (noted(place), is_paid(place, two)) == ({int(one): 1, int(two): 1}, [False])


def in_statement(place: Place, *moves: made.Move) -> str:
    """A statement of days from tomorrow on."""
    days = [today() + timedelta(days=number) for number in range(1, len(moves) + 1)]
    dated = [replace(move, day=day, valued=day) for move, day in zip(moves, days, strict=True)]
    book = made.Book(OWN, 1, days[0], days[-1], 0, dated)
    path = place.folder / "s.xml"
    path.write_bytes(made.camt([book]))
    return str(path)


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_a_statement_that_does_not_carry_the_id(place: Place, *, is_confirmed: bool) -> None:
    """It is told by its reference, or by its amount and who was paid, and is still the one payment."""
    one, two = bills(place)
    rows = hand_over(place, one, two)
    if is_confirmed:
        confirm(place, report_of(place, "r.xml", *(about(row["end_to_end"], "ACSC") for row in rows)))
    path = in_statement(
        place, replace(MOVE, viite="1232"), replace(MOVE, cents=-8_000, reference="M2", name="PAPERI OY")
    )
    found = bring(place, path, "--yes")
    assert [row["document"] for row in found] == [row["document"] for row in rows], found
    assert is_paid(place, one, two) == [True, True]
    assert (held(place)["1910"], payments(place), drafts(place)) == (D("-205.50"), {int(one): 1, int(two): 1}, [])
    rows = confirm(place, report_of(place, "again.xml", *(about(row["end_to_end"], "ACSC") for row in rows)))
    assert set(statuses(rows).values()) == {"already paid"}


@pytest.mark.parametrize("before", [2, 60])
def test_a_line_of_days_before_the_file_is_the_payment_too(place: Place, before: int) -> None:
    """Who paid at the bank by hand, and wrote a file afterwards."""
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    day = today() - timedelta(days=before)
    move = replace(MOVE, day=day, valued=day, viite="1232")
    (place.folder / "s.xml").write_bytes(made.camt([made.Book(OWN, 1, day, day, 0, [move])]))
    (found,) = bring(place, "s.xml", "--yes")
    assert (found["document"], drafts(place), is_paid(place, one)) == (row["document"], [], [True])
    assert held(place)["1910"] == D("-125.50")


def test_one_line_for_several_that_were_handed_over(place: Place) -> None:
    """A bank that books a batch in one sum, and does not say of what."""
    one, two = bills(place)
    rows = hand_over(place, one, two)
    found = bring(place, in_statement(place, replace(MOVE, cents=-20_550)), "--yes")
    assert (found[0]["status"], found[0]["reason"].partition(":")[0]) == ("posted", "several")
    assert (held(place)["1910"], drafts(place), is_paid(place, one, two)) == (D("-205.50"), [], [True, True])
    rows = confirm(place, report_of(place, "r.xml", *(about(row["end_to_end"], "ACSC") for row in rows)))
    assert set(statuses(rows).values()) == {"already paid"}
    assert held(place)["1910"] == D("-205.50")
    handed = [
        {"amount": D("125.50"), "end_to_end": rows[0]["payment"]},
        {"amount": 80, "end_to_end": rows[1]["payment"]},
    ]
    noted = confirm(place, in_statement(place, *carried(handed)))
    assert [(row["status"], row["amount"]) for row in noted] == [("already paid", D("125.50")), ("already paid", 80)]
    (left,) = confirm(place, report_of(place, "no.xml", about(rows[0]["payment"], "RJCT", "AC06")), code=10)
    together = "is posted for 2 payments together; this takes back all of them: acctcli document reverse"
    assert (left["amount"], together in left["reason"]) == (None, True), left


def in_one_sum(place: Place, rows: list[dict[str, Any]], less: int = 0) -> tuple[str, str]:
    """A statement that has all payments of a file in one line, and calls it by the id of the file."""
    file = rows[0]["end_to_end"][:16]
    cents = less - sum(int(row["amount"] * 100) for row in rows)
    path = Path(in_statement(place, replace(MOVE, cents=cents)))
    told = f"<NtryDtls><Btch><MsgId>{file}</MsgId><NbOfTxs>{len(rows)}</NbOfTxs></Btch>"
    path.write_text(path.read_text().replace("<NtryDtls>", told))
    return file, str(path)


def test_a_batch_in_one_sum_is_known_by_its_id(place: Place) -> None:
    ids = [*bills(place), *(bill(place, f"{number}.00", f"P-{number}", in_days(1)) for number in range(3, 14))]
    rows = hand_over(place, *ids)
    file, path = in_one_sum(place, rows)
    (row,) = bring(place, path, "--yes")
    assert row["reason"] == f"payment file: {file}, of 13 payments"
    assert (held(place)["1910"], drafts(place), set(is_paid(place, *ids))) == (D("-293.50"), [], {True})
    noted = confirm(place, report_of(place, "r.xml", about(file, "ACSC")))
    assert Counter(one["status"] for one in noted) == {"already paid": 13}


def test_a_batch_of_another_amount_is_left(place: Place) -> None:
    one, two = bills(place)
    file, path = in_one_sum(place, hand_over(place, one, two), less=1)
    (row,) = bring(place, path, "--yes")
    assert row["reason"].startswith(f"{file} is of another amount, or less is open of what it pays")
    assert is_paid(place, one, two) == [False, False]


def test_a_line_that_waited_becomes_the_payment(place: Place) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    path = in_statement(place, replace(MOVE, end_to_end=row["end_to_end"].upper()))
    (waiting,) = bring(place, path, "--yes", "--no-match")
    assert waiting["document"] != row["document"]
    (matched,) = place.json("bank", "match", path, "--yes")
    assert (matched["document"], matched["reason"].partition(":")[0]) == (row["document"], "payment file")
    assert (drafts(place), is_paid(place, one), held(place)["1910"]) == ([], [True], D("-125.50"))
    assert bring(place, path, "--yes")[0]["status"] == "already there"


def test_a_line_of_another_amount_is_left(place: Place) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    (left,) = bring(place, in_statement(place, replace(MOVE, cents=-12_500, end_to_end=row["end_to_end"])), "--yes")
    assert "is of another amount" in left["reason"]
    assert is_paid(place, one) == [False]
    assert noted(place) == {int(one): 1}


@pytest.mark.parametrize(("order", "when"), ORDERS if is_full() else ORDERS[::3])
def test_killed_at_any_request_each_payment_is_posted_once(place: Place, order: tuple[str, str], when: str) -> None:
    """One of both is killed, a request later each time, and the other one after it; then both end."""
    ids = bills(place)[: 2 if is_full() else 1]
    rows = hand_over(place, *ids)
    count = len(documents(place))
    path = in_statement(place, *carried(rows))
    commands = {"confirm": ("bank", "confirm", path), "import": ("bank", "import", path, "--yes")}
    first, second = (commands[name] for name in order)
    for cut in range(1, 40):
        done = cut_off(place, cut, *first, when=when, ends=(0, 2))
        cut_off(place, cut, *second, when=when, ends=(0, 2))
        assert set(payments(place).values()) <= {1}
        if done == 0:
            break
    for command in (first, second, first):
        place.run(*command)
    paid, total = {int(one): 1 for one in ids}, sum(row["amount"] for row in rows)
    assert (payments(place), len(documents(place)), drafts(place)) == (paid, count, [])
    owed = sum(D("80.00") for _ in range(2 - len(ids)))
    assert (held(place)["1910"], held(place)["2871"]) == (-total, -owed)
    assert set(is_paid(place, *ids)) == {True}
    for row in rows:
        payment = place.json("document", "get", str(row["document"]))
        assert (len(payment["relations"]), len(tags_of(payment))) == (1, 1)


def carried(rows: list[dict[str, Any]]) -> list[made.Move]:
    """The lines of payments on a statement that carries their ids."""
    return [
        replace(MOVE, cents=-int(row["amount"] * 100), reference=f"M{number}", end_to_end=row["end_to_end"])
        for number, row in enumerate(rows)
    ]


def test_what_confirming_began_an_import_ends(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The payment is posted, and what books the invoice is not told yet."""
    one, _ = bills(place)
    rows = hand_over(place, one)
    path = in_statement(place, *carried(rows))

    def cut(*_: object) -> None:
        raise NetworkError("cut off")

    with monkeypatch.context() as broken:
        broken.setattr(paying, "relate", cut)
        assert place.try_run("bank", "confirm", path).code == 3
    refused = place.try_run("purchase", "pay-file", "again.xml", one)
    assert (refused.code, "has it already (document " in refused.err) == (2, True)
    (found,) = bring(place, path, "--yes")
    assert (found["document"], is_paid(place, one)) == (rows[0]["document"], [True])
    assert len(place.json("document", "get", str(found["document"]))["relations"]) == 1
    assert (payments(place), drafts(place), held(place)["1910"]) == ({int(one): 1}, [], D("-125.50"))


def test_a_line_that_waits_is_no_payment_on_its_way(place: Place) -> None:
    """It names one that was withdrawn: somebody has to say what it is, and the invoice is free."""
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    place.run("purchase", "withdraw", row["end_to_end"][:16], "--yes")
    path = in_statement(place, *carried([row]))
    bring(place, path, "--yes", "--no-match")
    (left,) = confirm(place, path, code=10)
    assert "no document of these books is this payment" in left["reason"]
    (again,) = hand_over(place, one)
    assert again["end_to_end"] != row["end_to_end"]


def test_a_line_that_waits_and_names_a_withdrawn_payment_is_matched_like_any_other(place: Place) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    place.run("purchase", "withdraw", row["end_to_end"][:16], "--yes")
    path = in_statement(place, *carried([row]))
    (waiting,) = bring(place, path, "--yes", "--no-match")
    (matched,) = place.json("bank", "match", path, "--yes")
    assert (matched["document"], matched["status"]) == (waiting["document"], "matched")
    assert (is_paid(place, one), held(place)["1910"], drafts(place)) == ([True], D("-125.50"), [])


def test_a_payment_that_is_confirmed_while_an_import_looks_is_one(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    path = in_statement(place, *carried([row]))

    def behind_another(*given: Any) -> Any:
        confirm(place, path)
        return read_known(*given)

    monkeypatch.setattr(importing, "read_known", behind_another)
    (found,) = bring(place, path, "--yes")
    assert found["document"] == row["document"]
    assert (payments(place), drafts(place), held(place)["1910"]) == ({int(one): 1}, [], D("-125.50"))


@pytest.mark.everywhere
def test_who_confirms_and_who_imports_at_once(place: Place) -> None:
    one, two = bills(place)
    rows = hand_over(place, one, two)
    path = in_statement(place, *carried(rows))
    commands = [("bank", "confirm", path), ("bank", "import", path, "--yes")] * 2
    running = [
        subprocess.Popen(
            (sys.executable, "-m", "acctcli", *command),
            env=place.environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for command in commands
    ]
    ends = [(one.communicate(timeout=120)[1].decode(), one.returncode) for one in running]
    assert {code for _, code in ends} <= {0, 6, 7, 8, 10}, ends
    for command in commands[:2]:
        place.run(*command)
    assert (payments(place), drafts(place)) == ({int(one): 1, int(two): 1}, []), ends
    assert (is_paid(place, one, two), held(place)["1910"]) == ([True, True], D("-205.50")), ends


def test_a_file_of_ours_is_read_by_its_ids(place: Place) -> None:
    one, _ = bills(place)
    (row,) = hand_over(place, one)
    assert texts(read_file((place.folder / "out.xml").read_bytes()), "EndToEndId") == [row["end_to_end"]]


def test_who_pays_while_a_confirmation_is_under_way_is_named(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bank has made it, so it stays; what somebody else posted for the same bill is told beside it."""
    with_account(place)
    told = set[bool]()
    for number in range(1, 40):
        one = bill(place, "125.50", f"P-{number}", in_days(1), "--reference", "1232")
        (row,) = hand_over(place, one)
        Path(place.folder / "out.xml").unlink()
        path = report_of(place, f"{number}.xml", about(row["end_to_end"], "ACSC"))
        theirs = list[int]()
        pay = partial(place.try_run, "purchase", "pay", one, "--account", "1910")
        with monkeypatch.context() as patched:
            came = before_request(patched, number, partial(_pay, theirs, pay))
            ours = place.try_run("bank", "confirm", path)
        twice = -held(place)["2871"] != 0
        if twice:
            assert 10 in (ours.code, *theirs), (number, ours)
            place.run("document", "reverse", str(documents(place)[0]["id"]))
        told.add(twice)
        if not came():
            break
    assert told == {True, False}


def _pay(noted: list[int], run: Callable[[], Done]) -> None:
    noted.append(run().code)
