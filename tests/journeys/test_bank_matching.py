"""Lines of statements that are what is open: posted as payments and transfers, and found again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from acctcli.banking.statements.identity import TAG
from acctcli.cli.session.state import State
from acctcli.errors import Forbidden
from tests.banking.statements import generator as made
from tests.journeys.german import CHARTS, of_chart
from tests.journeys.places import Place
from tests.journeys.test_bank import documents
from tests.journeys.test_filing import boxes, file_march, filed, in_germany, post
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_settlement import WORK, balance, stands

D = Decimal
TO_BANK = ("--account", "1910", "--yes")
DAY, MAY = date(2026, 3, 20), date(2026, 5, 12)
SECOND = made.OTHERS[0]
# 125.50
MOVE = made.Move(DAY, DAY, 12_550, "M1", "Meyer Oy")


def statement(place: Place, *moves: made.Move, name: str = "s.xml", account: str = made.FINNISH) -> str:
    first = moves[0].day.replace(day=1)
    book = made.Book(account, 1, first, first.replace(day=31), 0, list(moves))
    (place.folder / name).write_bytes(made.camt([book]))
    return str(place.folder / name)


def bring(place: Place, *argv: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = place.json("bank", "import", *argv)
    return found


def reasons(rows: Iterable[dict[str, Any]]) -> list[str | None]:
    return [row["reason"] and row["reason"].partition(":")[0] for row in rows]


def reference(place: Place, invoice: str) -> str:
    found: str = place.json("invoice", "get", invoice)["reference"]
    return found


def bill(place: Place, amount: str, number: str, sender: str = "Paperi Oy", *more: str) -> str:
    """A purchase invoice that is in the books."""
    made_of = ("--date", "2026-03-02", "--amount", amount, "--source", "UPLOAD", "--number", number, "--sender", sender)
    found = str(place.json("purchase", "create", *made_of, *more)["id"])
    place.run("purchase", "post", found, "--account", "4000")
    return found


def is_paid(place: Place, *ids: str) -> list[bool]:
    return [place.json("purchase", "get", one)["is_paid"] for one in ids]


def held(place: Place, *day: str) -> dict[str, Decimal]:
    found = place.json("account", "balances", *(("--date", *day) if day else ()))
    return {one["number"]: one["balance"] for one in found if one["balance"]}


def tags_of(document: dict[str, Any]) -> list[str]:
    return TAG.findall(document["description"])


def test_payments_are_posted_as_commands_post_them(place: Place) -> None:
    seller(place)
    one, two, three = (accepted(place, WORK, f"name=Tool,unit=h,amount={price},vat=25.5") for price in (10, 20, 30))
    paper, ink = bill(place, "80.00", "P-1"), bill(place, "50.00", "P-2", "Muste Oy", "--reference", "1232")
    moves = [
        replace(MOVE, cents=13_805, viite=reference(place, one), name="Somebody"),
        replace(MOVE, cents=15_060 + 16_315, reference="M2", text="thank you"),
        replace(MOVE, cents=-8_000, reference="M3", name="PAPERI OY"),
        replace(MOVE, cents=-2_000, reference="M4", viite="1232"),
        replace(MOVE, cents=-3_000, reference="M5", viite="1232", day=date(2026, 3, 21)),
        replace(MOVE, cents=-999, reference="M6", name="Kahvila"),
    ]
    path = statement(place, *moves)
    rows = bring(place, path, *TO_BANK)
    assert reasons(rows) == ["reference", "several", "amount and payer", "reference", "reference", None]
    assert stands(place, one, two, three) == [("PAID", "2026-03-20")] * 3
    assert is_paid(place, paper, ink) == [True, True]
    assert (receivable(place), balance(place, "2871")) == (D("0.00"), D("0.00"))
    by_command = place.json("document", "get", str(rows[0]["document"]))
    assert by_command["description"] == f"Payment: Invoice 1 {rows[0]['identity']}"
    assert by_command["blueprint"]["debet_entries"][0]["description"] == f"{rows[0]['identity']} for invoice {one} M1"
    assert [row["status"] for row in bring(place, path, *TO_BANK)] == ["already there"] * 6
    # overlapping, in another order and with one more line
    more = statement(place, *reversed(moves), replace(MOVE, cents=-5_000, reference="M7", name="Muste Oy"))
    again = Counter(row["status"] for row in bring(place, more, *TO_BANK))
    assert again == {"already there": 6, "posted": 1}
    assert len(documents(place)) == 3 + 2 + 7


def test_a_payment_is_the_document_that_invoice_pay_posts(place: Place) -> None:
    seller(place)
    one, two = accepted(place, WORK), accepted(place, WORK)
    place.run("invoice", "pay", one, "--date", "2026-03-20", "--account", "1910")
    bring(place, statement(place, replace(MOVE, viite=reference(place, two))), *TO_BANK)
    ours, theirs = (
        next(doc for doc in documents(place) if f"Payment: Invoice {n}" in doc["description"]) for n in "21"
    )
    same = ("date", "is_draft", "balance", "type", "contact_id", "entry_ui_rows")
    assert {name: ours[name] for name in same} == {name: theirs[name] for name in same}
    for invoice, posted in ((one, theirs), (two, ours)):
        claim = place.json("invoice", "get", invoice)["document"]["id"]
        assert [(one["related_document"], one["role"]) for one in posted["relations"]] == [(claim, "SETTLEMENT")]


def test_too_much_and_parts_of_an_invoice(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    moves = [
        replace(MOVE, cents=5_000, viite=reference(place, one)),
        replace(MOVE, cents=8_000, reference="M2", viite=reference(place, one), day=date(2026, 3, 21)),
    ]
    rows = bring(place, statement(place, *moves), *TO_BANK)
    assert "a part of 125.50" in rows[0]["reason"]
    assert "4.50 more than is open" in rows[1]["reason"]
    assert (receivable(place), stands(place, one)[0][0]) == (D("-4.50"), "ACCEPTED")
    place.run("invoice", "refund", one, "--date", "2026-03-22")
    assert (receivable(place), stands(place, one)[0][0]) == (D("0.00"), "PAID")


def test_sales_of_a_sole_trader_are_posted_by_their_payments(place: Place) -> None:
    seller(place)
    setting = ("--set", "has_accrual_based_entries_for_invoicing=false")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *setting)
    one, two = accepted(place, WORK), accepted(place, WORK)
    moves = [
        replace(MOVE, viite=reference(place, one)),
        replace(MOVE, cents=5_000, reference="M2", viite=reference(place, two)),
        replace(MOVE, cents=7_550, reference="M3", viite=reference(place, two), day=date(2026, 3, 25)),
    ]
    path = statement(place, *moves)
    rows = bring(place, path, *TO_BANK)
    assert reasons(rows) == ["reference"] * 3
    assert stands(place, one, two) == [("PAID", "2026-03-20"), ("PAID", "2026-03-25")]
    assert (balance(place, "1910"), balance(place, "3000")) == (D("251.00"), D("200.00"))
    found = documents(place)
    assert sorted(doc["description"] for doc in found) == sorted(
        f"Invoice {number} {row['identity']}" for number, row in zip((1, 2, 2), rows, strict=True)
    )
    assert [row["status"] for row in bring(place, path, *TO_BANK)] == ["already there"] * 3
    assert len(documents(place)) == 3


def test_what_a_line_paid_of_a_sale_is_not_open_any_more(place: Place) -> None:
    seller(place)
    setting = ("--set", "has_accrual_based_entries_for_invoicing=false")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *setting)
    one = accepted(place, WORK)
    moves = [
        replace(MOVE, cents=cents, reference=f"M{cents}", viite=reference(place, one), day=date(2026, 3, day))
        for cents, day in ((5_000, 20), (2_550, 21))
    ]
    bring(place, statement(place, *moves), *TO_BANK)
    assert place.json("invoice", "aging", "--date", "2026-03-22")["totals"]["total"] == D("50.00")
    place.run("invoice", "pay", one, "--date", "2026-03-23")
    assert (stands(place, one), balance(place, "1910")) == ([("PAID", "2026-03-23")], D("125.50"))


def part_of_what_was_credited(place: Place) -> str:
    """A statement with a part of a sale that was credited: refused, as its share of the credit note is not told."""
    seller(place)
    setting = ("--set", "has_accrual_based_entries_for_invoicing=false")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *setting)
    one = accepted(place, WORK)
    note = str(place.json("invoice", "credit-note", one, "--date", "2026-03-04")["id"])
    place.run("invoice", "accept", note)
    return statement(place, replace(MOVE, cents=5_000, viite=reference(place, one)))


def test_what_an_action_refuses_waits_like_any_other_line(place: Place) -> None:
    path = part_of_what_was_credited(place)
    (row,) = bring(place, path, *TO_BANK)
    assert "a part of 125.50, but " in row["reason"]
    (draft,) = documents(place)
    assert (draft["id"], draft["is_draft"], draft["balance"]) == (row["document"], True, D("50.00"))
    assert draft["blueprint"]["debet_entries"][0]["description"] == f"{row['identity']} M1"
    again = place.run("bank", "import", path, *TO_BANK)
    assert "cannot settle" not in again.err


def test_what_an_action_refuses_waits_for_a_person_though_the_rest_is_posted(place: Place) -> None:
    """It was a draft with the account already, which `bank review` asked nobody about."""
    path = part_of_what_was_credited(place)
    done = place.try_run("bank", "import", path, *TO_BANK, "--contra", "2960", "--json")
    (row,) = json.loads(done.out)
    assert (done.code, "1 line is left to you" in done.err) == (10, True), done.err
    assert [one["document"] for one in place.json("bank", "review")] == [row["document"]]


def test_a_transfer_of_which_one_side_is_posted_otherwise_moves_each_bank_once(place: Place) -> None:
    """One bank tells no account of the other side: its line was posted with the rest, by an earlier command."""
    place.run("account", "update", "1910", "--set", f"description={made.FINNISH}")
    place.run("account", "update", "1920", "--set", f"description={SECOND}")
    contra = ("--contra", "2960", "--yes")
    (row,) = bring(place, statement(place, replace(MOVE, cents=-4_000, iban="")), *contra)
    assert row["reason"] is None
    other = statement(place, replace(MOVE, cents=4_000, iban=made.FINNISH), name="other.xml", account=SECOND)
    (row,) = bring(place, other, *contra)
    assert row["reason"].startswith("a document of a line moves as much on 1910 Bank account")
    assert [balance(place, number) for number in ("1910", "1920", "2960")] == [D(-40), D(40), D(0)]


def test_who_may_not_read_purchase_invoices_imports_beside_payments_of_them(place: Place) -> None:
    paper = bill(place, "80.00", "L1", "Paperi Oy", "--reference", "1232")
    place.run("purchase", "pay", paper, "--date", str(DAY), "--account", "1910")
    path = statement(place, replace(MOVE, cents=-8_000, viite="1232", name="Paperi Oy"))
    with patch("acctcli.cli.bank.owed.every_purchase", side_effect=Forbidden("You may not read them.")):
        (row,) = bring(place, path, *TO_BANK)
    assert row["reason"].endswith("has its amount, and nothing tells whether it is this")
    assert balance(place, "1910") == D(-80)


def test_who_may_not_read_invoices_imports_without_them(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    path = statement(place, replace(MOVE, viite=reference(place, one)))
    refused = Forbidden("You may not read invoices.")
    with patch("acctcli.cli.bank.owed.open_of", side_effect=refused):
        done = place.run("bank", "import", path, *TO_BANK)
    assert "note: invoices may not be read, so that no line is matched with them" in done.err
    assert documents(place)[0]["is_draft"] is True


def test_what_is_ambiguous_or_not_in_the_books_waits_as_a_draft_and_says_why(place: Place) -> None:
    seller(place)
    accepted(place, WORK), accepted(place, WORK)
    unposted = ("--date", "2026-03-02", "--amount", "70", "--source", "UPLOAD", "--sender", "Paperi Oy")
    bill_id = place.json("purchase", "create", *unposted)["id"]
    path = statement(place, MOVE, replace(MOVE, cents=-7_000, reference="M2", name="Paperi Oy"))
    first, second = bring(place, path, *TO_BANK)
    assert first["reason"].startswith("it is not clear which it is")
    assert first["reason"].endswith("(Invoice 1, Invoice 2)")
    remedy = f"acctcli purchase post {bill_id} --account NUMBER, then acctcli bank match"
    assert second["reason"].startswith(f"Paperi Oy is in no books yet: {remedy}")
    assert [doc["is_draft"] for doc in documents(place)[:2]] == [True, True]
    assert receivable(place) == D("251.00")


def test_a_transfer_of_one_day_is_one_document_for_both_lines(place: Place) -> None:
    place.run("account", "update", "1910", "--set", f"description={made.FINNISH}")
    place.run("account", "update", "1920", "--set", f"description={SECOND}")
    out = replace(MOVE, cents=-50_000, iban=SECOND, name="Journey Oy")
    back = replace(MOVE, cents=50_000, iban=made.FINNISH, name="Journey Oy")
    late = replace(back, reference="M9", day=date(2026, 3, 28))
    paths = statement(place, out, name="a.xml"), statement(place, back, late, name="b.xml", account=SECOND)
    rows = bring(place, *paths, "--yes")
    assert [row["status"] for row in rows] == ["posted"] * 3
    assert rows[0]["document"] == rows[1]["document"] != rows[2]["document"]
    assert (balance(place, "1910"), balance(place, "1920")) == (D("-1000.00"), D("1000.00"))
    assert [row["status"] for row in bring(place, *paths, "--yes")] == ["already there"] * 3
    # the other side of the late one comes with a later statement
    other = statement(place, out, replace(out, reference="M8", day=date(2026, 3, 28)), name="c.xml")
    later = bring(place, other, "--yes")
    assert [(row["status"], row["document"]) for row in later] == [
        ("already there", rows[0]["document"]),
        ("posted", rows[2]["document"]),
    ]
    assert (balance(place, "1910"), len(documents(place))) == (D("-1000.00"), 2)
    assert [row["status"] for row in bring(place, other, *paths, "--yes")] == ["already there"] * 5


@pytest.mark.parametrize("first", [0, 1])
def test_a_transfer_that_was_long_on_its_way_is_not_posted_again(place: Place, first: int) -> None:
    place.run("account", "update", "1910", "--set", f"description={made.FINNISH}")
    place.run("account", "update", "1920", "--set", f"description={SECOND}")
    out = replace(MOVE, cents=-50_000, iban=SECOND)
    back = replace(MOVE, cents=50_000, iban=made.FINNISH, day=date(2026, 3, 28))
    sides = (statement(place, out, name="a.xml"), statement(place, back, name="b.xml", account=SECOND))
    assert reasons(bring(place, sides[first], "--yes")) == ["own transfer"]
    (row,) = bring(place, sides[1 - first], "--yes")
    assert "may be this transfer; if so, sides of two days take an account between" in row["reason"]
    assert held(place, "2026-03-31") == {"1910": D("-500.00"), "1920": D("500.00")}


def test_each_side_of_a_transfer_over_the_end_of_a_year_stands_on_its_own_day(place: Place) -> None:
    place.run("period", "create", "--set", "start_date=2025-01-01", "--set", "end_date=2025-12-31")
    place.run("account", "update", "1910", "--set", f"description={made.FINNISH}")
    place.run("account", "update", "1920", "--set", f"description={SECOND}")
    place.run("account", "create", "--number", "1990", "--type", "ASS_PAY", "--name", "Rahaa matkalla")
    out = replace(MOVE, cents=-50_000, iban=SECOND, day=date(2025, 12, 31))
    back = replace(MOVE, cents=50_000, iban=made.FINNISH, day=date(2026, 1, 1))
    paths = statement(place, out, name="a.xml"), statement(place, back, name="b.xml", account=SECOND)
    rows = [row for path in paths for row in bring(place, path, "--yes")]
    assert reasons(rows) == ["own transfer"] * 2
    assert held(place, "2025-12-31") == {"1910": D("-500.00"), "1990": D("500.00")}
    assert held(place, "2026-01-01") == {"1910": D("-500.00"), "1920": D("500.00")}
    assert [row["document"] for row in bring(place, *paths, "--yes")] == [row["document"] for row in rows]
    titles = sorted(one["description"].partition(" bank-")[0] for one in documents(place))
    assert titles == [
        "Transfer from 1910 Bank account by way of 1990 Rahaa matkalla",
        "Transfer to 1920 Second bank account by way of 1990 Rahaa matkalla",
    ]
    for number, period, closing in (("1910", "2025-12", "-500.00"), ("1920", "2026-01", "500.00")):
        (row,) = place.json("bank", "reconcile", "--account", number, "--period", period)
        assert (row["closing"], row["books"], row["problem"]) == (D(closing), D(closing), None)


def test_a_payment_that_somebody_posted_gets_the_tag(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    place.run("invoice", "pay", one, "--date", "2026-03-19", "--account", "1910")
    path = statement(place, replace(MOVE, name="Meyer Oy"))
    (row,) = bring(place, path, *TO_BANK)
    assert (row["status"], row["reason"].partition(":")[0]) == ("posted", "booked already")
    assert len(documents(place)) == 2
    assert bring(place, path, *TO_BANK)[0]["status"] == "already there"


def test_a_part_that_somebody_posted_is_posted_no_second_time(place: Place) -> None:
    """It was posted as another part, so that the bank moved twice."""
    seller(place)
    sold, paper = accepted(place, WORK), bill(place, "80.00", "P-1", "Paperi Oy", "--reference", "1232")
    place.run("invoice", "pay", sold, "--date", "2026-03-20", "--account", "1910", "--amount", "50")
    place.run("purchase", "pay", paper, "--date", "2026-03-19", "--account", "1910", "--amount", "30")
    moves = [
        replace(MOVE, cents=5_000, viite=reference(place, sold)),
        replace(MOVE, cents=-3_000, reference="M2", name="Paperi Oy", viite="1232"),
        replace(MOVE, cents=-1_000, reference="M3", name="Paperi Oy", viite="1232"),
    ]
    rows = bring(place, statement(place, *moves), *TO_BANK)
    assert reasons(rows) == ["booked already", "booked already", "reference"]
    assert (receivable(place), balance(place, "2871"), balance(place, "1910")) == (D("75.50"), D("40.00"), D("10.00"))
    # a further line of the same amount is another one, though nobody wrote the bank's reference into these documents
    more = statement(place, *moves, replace(moves[0], reference="M4", viite="", name="Meyer"))
    assert [row["status"] for row in bring(place, more, *TO_BANK)] == ["already there"] * 3 + ["posted"]


def test_a_document_that_a_line_stands_for_is_taken_by_no_other_line(place: Place) -> None:
    seller(place)
    accepted(place, WORK)
    again = replace(MOVE, reference="M2", day=date(2026, 3, 21))
    (first,) = bring(place, statement(place, MOVE), *TO_BANK)
    rows = bring(place, statement(place, MOVE, again), *TO_BANK)
    assert [(row["status"], row["reason"]) for row in rows] == [("already there", None), ("posted", None)]
    assert rows[0]["document"] == first["document"] != rows[1]["document"]


def test_what_was_related_and_not_said_to_be_paid_is_said_so_by_the_next_run(place: Place) -> None:
    paper = bill(place, "80.00", "P-1")
    path = statement(place, replace(MOVE, cents=-8_000, name="Paperi Oy"))
    bring(place, path, *TO_BANK)
    place.run("purchase", "update", paper, "--unpaid")
    assert bring(place, path, *TO_BANK)[0]["status"] == "already there"
    assert is_paid(place, paper) == [True]


def tax_of_march(place: Place) -> int:
    """A debt of 25.50 to the tax office."""
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], "--business-id", "0112038-9")
    file_march(place)
    return filed(place)[1]


def rules(place: Place, text: str) -> str:
    path = place.folder / "rules.toml"
    path.write_text(text)
    return str(path)


def test_tax_is_paid_by_its_reference(place: Place) -> None:
    debt = tax_of_march(place)
    book = rules(place, 'tax_reference = "1232"\n')
    path = statement(place, replace(MOVE, cents=-2_550, viite="1232", name="Verohallinto", day=MAY))
    (row,) = bring(place, path, *TO_BANK, "--rules", book)
    assert row["reason"].startswith("reference: reference of ")
    found = place.json("purchase", "get", str(debt))
    assert (found["is_paid"], found["document"]["id"], found["document"]["type"]) == (True, row["document"], 3)
    assert found["document"]["description"].endswith(row["identity"])
    assert (balance(place, "2939"), balance(place, "1910")) == (D("0.00"), D("100.00"))
    assert bring(place, path, *TO_BANK)[0]["status"] == "already there"


def test_tax_that_comes_back_by_its_reference_is_the_refund_of_its_period(place: Place) -> None:
    file_march(place)
    post(place, "--debit", "4000:125.50@2/25.5", "--credit", "1910")
    place.run("vat", "period", "report", "2026-03", "--yes")
    book = rules(place, 'tax_reference = "1232"\n')
    back = replace(MOVE, cents=2_550, viite="1232", name="Vero", day=MAY)
    # another amount, from an office that says its name: not that of another taxpayer, and nothing twice
    less = replace(back, cents=2_000, viite="", name="Verohallinto", reference="M2")
    path = statement(place, back, less, replace(back, viite="", name="Other Oy", reference="M3"))
    rows = bring(place, path, *TO_BANK, "--rules", book)
    assert reasons(rows) == ["reference", None, None]
    found = place.json("document", "get", str(rows[0]["document"]))
    assert (found["type"], found["description"].partition(" bank-")[0]) == (3, "Refund: VAT 2026-03-01 - 2026-03-31")
    assert (balance(place, "1763"), boxes(place, period="2026-05")) == (D("0.00"), {})
    again = replace(back, reference="M9", name="Verohallinto", day=MAY.replace(day=13))
    (more,) = bring(place, statement(place, again, name="more.xml"), *TO_BANK, "--rules", book, "--no-keep")
    assert more["reason"] is None


def test_what_may_be_there_is_posted_against_no_account(place: Place) -> None:
    """Posted anew, the bank would move twice for a line whose document somebody posted."""
    post(place, "--debit", "1910", "--credit", "3000:125.50", date="2026-03-20")
    path = statement(place, MOVE, replace(MOVE, cents=100, reference="M2", name="Fee Oy"))
    contra = ("bank", "import", path, *TO_BANK, "--contra", "2960")
    trial = place.try_run(*contra, "--dry-run", "--json")
    done = place.try_run(*contra, "--json")
    assert (trial.code, done.code) == (10, 10), done.err
    assert "1 line is left to you: a document may be there already" in done.err
    doubtful, posted = json.loads(done.out)
    assert doubtful["reason"].endswith("has its amount, and nothing tells whether it is this")
    assert (balance(place, "1910"), balance(place, "2960")) == (D("126.50"), D("1.00"))
    (draft,) = [one for one in documents(place) if one["is_draft"]]
    assert (draft["id"], posted["reason"]) == (doubtful["document"], None)


@pytest.mark.parametrize("is_by_hand", [False, True])
def test_of_a_refund_that_was_filed_anew_the_rest_comes_back(place: Place, *, is_by_hand: bool) -> None:
    """Whether a line of a statement brought the first of it, or somebody booked that as an ordinary document."""
    file_march(place)
    post(place, "--debit", "4000:125.50@2/25.5", "--credit", "1910")
    place.run("vat", "period", "report", "2026-03", "--yes")
    back = replace(MOVE, cents=2_550, name="Verohallinto", day=MAY)
    if is_by_hand:
        post(place, "--debit", "1910", "--credit", "1763:25.50", date="2026-05-11")
        (row,) = bring(place, statement(place, back, name="first.xml"), *TO_BANK, "--no-keep")
        assert row["reason"].endswith("has its amount, and nothing tells whether it is this")
        place.run("document", "delete", str(row["document"]), "--yes")
    else:
        bring(place, statement(place, back, name="first.xml"), *TO_BANK, "--no-keep")
    place.run("vat", "period", "reopen", "2026-03", "--reason", "a bill was missing", "--yes")
    post(place, "--debit", "4000:62.75@2/25.5", "--credit", "1910")
    place.run("vat", "period", "report", "2026-03", "--yes")
    more = [replace(back, cents=cents, reference=f"M{cents}", day=date(2026, 5, 14)) for cents in (3_825, 1_275)]
    rows = bring(place, statement(place, *more, name="more.xml"), *TO_BANK, "--no-keep")
    assert reasons(rows) == [None, "amount and payer"]
    assert balance(place, "1763") == D("0.00")


def test_what_was_paid_of_tax_before_less_was_filed_comes_back(place: Place) -> None:
    place.run("purchase", "pay", str(tax_of_march(place)), "--date", "2026-05-12")
    back = replace(MOVE, cents=1_275, name="Verohallinto", day=date(2026, 5, 20))
    place.run("vat", "period", "reopen", "2026-03", "--reason", "a bill was missing", "--yes")
    post(place, "--debit", "4000:62.75@2/25.5", "--credit", "1910")
    place.run("vat", "period", "report", "2026-03", "--yes")
    assert balance(place, "2939") == D("-12.75")
    (row,) = bring(place, statement(place, back), *TO_BANK, "--no-keep")
    assert row["reason"] == "amount and payer: amount and payer of VAT 2026-03-01 - 2026-03-31"
    assert (balance(place, "2939"), boxes(place, period="2026-05")) == (D("0.00"), {})
    again = replace(back, reference="M9", day=date(2026, 5, 21))
    (more,) = bring(place, statement(place, again, name="more.xml"), *TO_BANK, "--no-keep")
    assert more["reason"] is None


def test_what_took_back_a_refund_or_a_payment_of_tax_is_no_refund(place: Place) -> None:
    file_march(place)
    post(place, "--debit", "4000:125.50@2/25.5", "--credit", "1910")
    place.run("vat", "period", "report", "2026-03", "--yes")
    wrong = post(place, "--debit", "1910", "--credit", "1763:25.50", date="2026-05-11")
    place.run("document", "reverse", str(wrong), "--date", "2026-05-11")
    back = replace(MOVE, cents=2_550, name="Verohallinto", day=MAY)
    assert reasons(bring(place, statement(place, back), *TO_BANK)) == ["amount and payer"]


@pytest.mark.parametrize("chart", CHARTS)
def test_a_refund_of_german_tax_takes_what_whole_bases_leave_along(place: Place, chart: str) -> None:
    german = in_germany(place, chart)
    post(german, "--debit", "1800", "--credit", "4400:1190.50@1/19", chart=chart)
    post(german, "--debit", "5400:1590.50@2/19", "--credit", "1800", chart=chart)
    german.run("vat", "period", "report", "2026-03", "--yes")
    german.run("business", "update", "--set", "finanzkasse_recipient_name=Finanzkasse Mitte")
    path = statement(german, replace(MOVE, cents=6_395, name="Finanzkasse Mitte", day=MAY), account=made.GERMAN)
    (row,) = bring(german, path, "--account", of_chart(chart, "1800"), "--yes")
    assert row["reason"] == "amount and payer: amount and payer of VAT 2026-03-01 - 2026-03-31"
    assert {number: held(german).get(of_chart(chart, number)) for number in ("1400", "3800", "4830")} == {
        "1400": None, "3800": None, "4830": D("0.08"),
    }  # fmt: skip


def test_rules_book_what_nothing_else_is_for(place: Place) -> None:
    book = rules(place, '[accounts]\nfees = "8500"\n\n[[rules]]\ntext = "Kespro"\naccount = "4000"\nvat = "2/13.5"\n')
    path = statement(place, replace(MOVE, cents=-11_350, name="KESPRO HELSINKI"))
    (row,) = bring(place, path, *TO_BANK, "--rules", book)
    assert row["reason"] == "rule: Kespro to 4000"
    entries = place.json("document", "entries", str(row["document"]))
    assert {(one["account_number"], str(one["amount"])) for one in entries} == {
        ("4000", "100.00"), ("1763", "13.50"), ("1910", "113.50"),
    }  # fmt: skip


def test_a_bill_that_is_in_no_books_is_booked_by_a_rule_and_paid(place: Place) -> None:
    made_of = ("--date", "2026-02-27", "--amount", "113.50", "--source", "UPLOAD", "--sender", "Kespro Oy")
    paper = str(place.json("purchase", "create", *made_of)["id"])
    book = rules(place, '[[rules]]\ntext = "Kespro"\naccount = "4000"\nvat = "2/13.5"\n')
    path = statement(place, replace(MOVE, cents=-11_350, name="KESPRO OY"))
    kept, *planned = bring(place, path, "--account", "1910", "--rules", book, "--dry-run")
    assert kept["path"].endswith("/file_upload/")
    assert [plan["method"] for plan in planned] == ["POST"]
    assert documents(place) == []
    (row,) = bring(place, path, *TO_BANK, "--rules", book)
    assert row["reason"] == "amount and payer: amount and payer of Kespro Oy, booked by the rule Kespro to 4000"
    found = place.json("purchase", "get", paper)
    assert (found["is_paid"], found["document"]["date"], found["document"]["relations"][0]["related_document"]) == (
        True, "2026-02-27", row["document"],
    )  # fmt: skip
    assert held(place) == {"1910": D("-113.50"), "4000": D("100.00"), "1763": D("13.50")}
    assert [row["status"] for row in bring(place, path, *TO_BANK)] == ["already there"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[rules]]\ntext = "x"\naccount = "9999"\n', "rule 1, account: there is no account 9999"),
        ('[[rules]]\naccount = "4000"\n', "rule 1: text, iban or reference has to say which lines it is of"),
        ('[[rules]]\ntext = "x"\naccount = "4000"\nvat = "99"\n', "rule 1, vat: '99' is no VAT code and rate"),
        ('[[rules]]\ntext = "x"\naccount = "4000"\ndirection = "up"\n', "direction: 'up' is neither in nor out"),
        ('[[rules]]\ntext = "x"\naccount = "4000"\nname = "y"\n', "unknown field `name`"),
        ('tax_reference = "1231"\n', "tax_reference: '1231' has wrong check digits"),
        ('[accounts]\nfees = "1"\n', "accounts.fees: there is no account 1"),
    ],
)
def test_rules_that_cannot_be_are_named_and_nothing_is_posted(place: Place, text: str, told: str) -> None:
    done = place.try_run("bank", "import", statement(place, MOVE), *TO_BANK, "--rules", rules(place, text))
    assert (done.code, told in done.err, documents(place)) == (2, True, []), done.err


def test_a_bill_in_another_currency_is_settled_with_its_difference(place: Place) -> None:
    bought = (
        "--date",
        "2026-03-02",
        "--amount",
        "100",
        "--currency",
        "USD",
        "--source",
        "UPLOAD",
        "--sender",
        "Shop Inc",
    )
    usd = str(place.json("purchase", "create", *bought, "--number", "US-77")["id"])
    document = place.json("document", "create", "--debit", "4000:92@3", "--credit", "2871", "--date", "2026-03-02")
    place.run("purchase", "update", usd, "--document", str(document["id"]))
    path = statement(place, replace(MOVE, cents=-9_310, name="SHOP INC"))
    details = "<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>"
    text = Path(path).read_text()
    assert details in text
    more = details + '<AmtDtls><InstdAmt><Amt Ccy="USD">100.00</Amt></InstdAmt></AmtDtls>'
    Path(path).write_text(text.replace(details, more))
    lacks = bring(place, path, "--account", "1910", "--dry-run", "--no-keep")
    assert lacks[0]["body"]["is_draft"] is True
    (row,) = bring(place, path, *TO_BANK, "--rules", rules(place, '[accounts]\nexchange = "8500"\n'))
    assert row["reason"] == "currency: amount and payer of Shop Inc US-77, 100.00 USD"
    assert (is_paid(place, usd), balance(place, "2871"), balance(place, "8500")) == ([True], D("0.00"), D("1.10"))


def test_a_rehearsal_shows_entries_as_a_table(place: Place) -> None:
    seller(place)
    one = accepted(place, WORK)
    path = statement(place, replace(MOVE, viite=reference(place, one)), replace(MOVE, cents=-500, reference="M2"))
    done = place.run("bank", "import", path, "--account", "1910", "--dry-run", "--output", "table")
    rows = [line.split() for line in done.lines()]
    assert [word.lower() for word in rows[0]] == ["date", "account", "debit", "credit", "text", "reason"]
    assert ["1910", "125.50"] in [row[1:3] for row in rows]
    assert ["1700", "125.50", "Invoice", "1", "reference:", "reference", "of", "Invoice", "1"] in [
        row[1:] for row in rows
    ]
    assert "1 of 2 lines matched: 1 by reference; 1 left to you" in done.err
    assert len(documents(place)) == 1


def test_on_another_service_what_it_cannot_say_is_left(place: Place) -> None:
    """Where an invoice is in no books, only the service inside takes a day and an amount of its payment."""
    seller(place)
    setting = ("--set", "has_accrual_based_entries_for_invoicing=false")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *setting)
    one = accepted(place, WORK)
    path = statement(place, replace(MOVE, viite=reference(place, one)))
    with patch.object(State, "is_local_service", new=False):
        (row,) = bring(place, path, *TO_BANK)
    assert row["reason"] == "Invoice 1 is in no books yet: post it, then acctcli bank match (Invoice 1)"
    assert (stands(place, one)[0][0], documents(place)[0]["is_draft"]) == ("ACCEPTED", True)
