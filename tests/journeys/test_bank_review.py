"""`bank review`: lines that are left become what somebody chooses, on a terminal or by a plan."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.banking.statements import generator as made
from tests.cli.test_terminal import on_terminal
from tests.journeys.places import Place
from tests.journeys.test_bank import documents
from tests.journeys.test_bank_matching import MOVE, TO_BANK, bill, bring, is_paid, reference, rules, statement
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_settlement import WORK, balance, stands

D = Decimal
FIRST_QUESTION = b"s skip, q quit: "
COFFEE = replace(MOVE, cents=-450, reference="M3", name="Kahvila", text="Kortti")


def rows_of(place: Place) -> list[dict[str, Any]]:
    out = place.run("bank", "review", "--output", "jsonl").out
    return [json.loads(line, parse_float=D) for line in out.splitlines()]


def applied(place: Place, rows: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    path = place.write_lines("plan.jsonl", rows)
    found: list[dict[str, Any]] = place.json("bank", "review", "--apply", path, "--yes", *options)
    return found


def two_who_owe_the_same(place: Place, *moves: made.Move) -> tuple[str, str, str]:
    """Two invoices of 125.50, a payment that may be of either, and other lines; return ids and the statement."""
    seller(place)
    one, two = accepted(place, WORK), accepted(place, WORK)
    path = statement(place, MOVE, *moves)
    bring(place, path, *TO_BANK)
    return one, two, path


def test_a_plan_says_what_lines_may_be_and_is_applied_once(place: Place) -> None:
    one, two, path = two_who_owe_the_same(place, COFFEE)
    first, second = rows_of(place)
    assert [(row["reason"], row["choice"]["settle"]) for row in first["suggestions"]] == [
        ("chosen: the name and the amount", [f"invoice {one}"]),
        ("chosen: the name and the amount", [f"invoice {two}"]),
    ]
    assert (second["suggestions"], second["choice"], second["amount"]) == ([], None, D("-4.50"))
    first["choice"] = first["suggestions"][1]["choice"]
    second["choice"] = {"legs": ["7950:3@3", "4000:1.50@3=Beans"], "files": [receipt(place)]}
    came = applied(place, [first, second])
    assert [row["status"] for row in came] == ["chosen", "chosen"]
    assert stands(place, one, two) == [("ACCEPTED", None), ("PAID", "2026-03-20")]
    assert (balance(place, "7950"), balance(place, "1910"), receivable(place)) == (D("3.00"), D("121.00"), D("125.50"))
    found = place.json("document", "get", str(came[1]["document"]))
    assert (len(found["attachment_ids"]), found["is_draft"]) == (1, False)
    before = documents(place)
    assert applied(place, [first, second]) == []
    assert documents(place) == before
    assert [row["status"] for row in bring(place, path, *TO_BANK)] == ["already there"] * 2


def test_what_takes_a_payment_back_is_the_line_of_the_money_that_went_back(place: Place) -> None:
    seller(place)
    sold = accepted(place, WORK)
    back = replace(MOVE, cents=-MOVE.cents, day=MOVE.day + timedelta(days=2), reference="M3")
    path = statement(place, MOVE, back)
    paid = bring(place, path, *TO_BANK)[0]["document"]
    mirror = place.json("document", "reverse", str(paid), "--date", str(back.day))["id"]
    assert stands(place, sold) == [("ACCEPTED", None)]
    # it may have been a mistake that was corrected: nobody decides that but a person
    assert place.json("bank", "match", "--yes")[0]["reason"].endswith("nothing tells whether it is this")
    (row,) = rows_of(place)
    assert row["suggestions"][-1]["choice"] == {"document": mirror}
    row["choice"] = {"document": mirror}
    assert [one["document"] for one in applied(place, [row])] == [mirror]
    assert (balance(place, "1910"), rows_of(place)) == (D(0), [])
    assert [one["status"] for one in bring(place, path, *TO_BANK)] == ["already there"] * 2
    without = [replace(one, reference="") for one in (MOVE, back)]
    told = place.try_run("bank", "import", statement(place, *without, name="other.xml"), *TO_BANK, "--json")
    assert (told.code, [one["status"] for one in json.loads(told.out)]) == (10, ["left out"] * 2)


def receipt(place: Place) -> str:
    path = place.folder / "receipt.txt"
    path.write_text("Coffee 4.50\n")
    return str(path)


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({}, "row 1, choice: nothing is said, and one of settle, legs and document is needed"),
        ({"settle": ["invoice 1"], "legs": ["4000"], "document": 1}, "choice: settle and legs and document is said"),
        ({"settle": ["invoice 99999"], "legs": ["4000"]}, "settle: nothing is open of invoice 99999"),
        ({"settle": ["invoice 99999"]}, "settle: nothing is open of invoice 99999"),
        ({"settle": ["purchase 99999"]}, "of what was deleted since the plan was made, acctcli bank review suggests"),
        ({"settle": ["invoice 99999"]}, "a payment that came back is taken back: acctcli document reverse"),
        ({"settle": ["invoice no. 1"]}, "write invoice 12 or purchase 7, by their ids"),
        ({"legs": ["9999"]}, "legs: there is no account 9999 in the chart"),
        ({"legs": ["4000:100"]}, "legs: they come to 100, and the line to 125.50"),
        ({"legs": ["4000", "7950"]}, "legs: one of them at most has no amount"),
        ({"document": 99999}, "document: 99999 does not move 125.50 for which no line stands"),
        ({"legs": ["7950:125.50@2"]}, "account 7950 Entertainment has no VAT rate of its own"),
        ({"legs": ["4000"], "files": ["none.pdf"]}, "files: none.pdf is no file"),
        ({"account": "4000"}, "plan.jsonl line 1: Object contains unknown field `account`"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_whole(place: Place, choice: dict[str, Any], told: str) -> None:
    two_who_owe_the_same(place)
    (row,) = rows_of(place)
    path = place.write_lines("plan.jsonl", [{**row, "choice": choice}])
    before = documents(place)
    done = place.try_run("bank", "review", "--apply", path, "--yes")
    assert (done.code, told in done.err) == (2, True), done.err
    assert documents(place) == before


def test_a_plan_is_rehearsed_and_agreed_to(place: Place) -> None:
    two_who_owe_the_same(place)
    (row,) = rows_of(place)
    path = place.write_lines("plan.jsonl", [{**row, "choice": {"legs": ["3000"]}}])
    refused = place.try_run("bank", "review", "--apply", path)
    assert (refused.code, "this would post 1 draft as the plan says" in refused.err) == (2, True)
    (plan,) = place.json("bank", "review", "--apply", path, "--dry-run")
    assert (plan["method"], plan["body"]["is_draft"]) == ("PATCH", False)
    whole = place.folder / "plan.json"
    chosen = place.run("bank", "review", "--json").out.replace('"choice":null}', '"choice":{"legs":["3000"]}}')
    whole.write_text(chosen)
    assert place.json("bank", "review", "--apply", str(whole), "--dry-run") == [plan]
    nowhere = place.try_run("bank", "review")
    assert (nowhere.code, "there is no terminal to ask on" in nowhere.err) == (2, True)


def test_several_claims_are_chosen_together_and_too_much_stands_on_the_last(place: Place) -> None:
    seller(place)
    one, two = accepted(place, WORK), accepted(place, WORK)
    bring(place, statement(place, replace(MOVE, cents=26_000, name="Holding")), *TO_BANK)
    (row,) = rows_of(place)
    applied(place, [{**row, "choice": {"settle": [f"invoice {one}", f"invoice {two}"]}}])
    assert receivable(place) == D("-9.00")
    assert stands(place, one)[0][0] == "PAID"


def test_what_is_paid_twice_stands_on_its_invoice_until_it_goes_back(place: Place) -> None:
    seller(place)
    one, other = accepted(place, WORK), accepted(place, WORK)
    place.run("invoice", "pay", one, "--date", "2026-03-19", "--account", "1900")
    bring(place, statement(place, replace(MOVE, name="Vieras")), *TO_BANK)
    (row,) = rows_of(place)
    applied(place, [{**row, "choice": {"settle": [f"invoice {one}"]}}])
    assert (receivable(place), stands(place, one, other)[0][0]) == (D("0.00"), "ACCEPTED")
    (paid,) = (one for one in documents(place) if "bank-" in one["description"])
    assert (paid["description"].partition(" bank-")[0], paid["contact_name"]) == ("Payment: Invoice 1", "Meyer Oy")
    place.run("invoice", "refund", one, "--date", "2026-03-21")
    assert (receivable(place), stands(place, one, other)[0][0]) == (D("125.50"), "PAID")


@pytest.mark.parametrize("choice", [{"settle": ["purchase {bill}"]}, {"legs": ["2871:1200", "1800:100"]}])
def test_a_bill_that_was_paid_too_much_is_paid_and_the_supplier_owes_the_rest(
    place: Place, choice: dict[str, list[str]]
) -> None:
    paper = bill(place, "1200.00", "P-1", "Paperi Oy", "--reference", "1232")
    paid = replace(MOVE, cents=-130_000, viite="1232", name="Paperi Oy")
    back = replace(MOVE, cents=10_000, name="Paperi Oy", reference="M2", day=MOVE.day + timedelta(days=2))
    path = statement(place, paid, back)
    bring(place, path, *TO_BANK)
    row, _ = rows_of(place)
    told = "chosen: its reference and a number and the name, 100.00 more than is open"
    assert row["suggestions"] == [{"reason": told, "choice": {"settle": [f"purchase {paper}"]}}]
    applied(
        place, [{**row, "choice": {name: [one.format(bill=paper) for one in value] for name, value in choice.items()}}]
    )
    assert is_paid(place, paper) == [True]
    assert place.try_run("purchase", "pay", paper).code == 2
    is_settling = "settle" in choice
    assert balance(place, "2871") == (D(-100) if is_settling else D(0))
    assert [one["total"] for one in place.json("purchase", "aging")["suppliers"]] == ([D(-100)] if is_settling else [])
    if is_settling:
        (rest,) = rows_of(place)
        back_of_it = {"reason": "chosen: the name and the amount", "choice": {"settle": [f"purchase {paper}"]}}
        assert rest["suggestions"] == [back_of_it]
        applied(place, [{**rest, "choice": back_of_it["choice"]}])
        assert (balance(place, "2871"), is_paid(place, paper)) == (D(0), [True])


@pytest.mark.parametrize(
    ("cents", "legs", "sales"),
    [
        (12_299, ["3000:-2.51@1/25.5"], "98.00"),  # a discount of 2 %, with its VAT
        (12_553, ["8500"], "100.00"),
        (12_300, ["8500:-2", "8500:-0.50@3"], "100.00"),
    ],
)
def test_what_a_line_differs_by_goes_on_accounts(place: Place, cents: int, legs: list[str], sales: str) -> None:
    seller(place)
    sold = accepted(place, WORK)
    bring(place, statement(place, replace(MOVE, cents=cents)), *TO_BANK)
    (row,) = rows_of(place)
    for wrong in (["8500:1"], [*legs, "8500:5"]):
        choice = {"settle": [f"invoice {sold}"], "legs": wrong}
        refused = place.try_run("bank", "review", "--apply", place.write_lines("p.jsonl", [{**row, "choice": choice}]))
        assert (refused.code, "legs: " in refused.err) == (2, True), refused.err
    applied(place, [{**row, "choice": {"settle": [f"invoice {sold}"], "legs": legs}}])
    assert stands(place, sold) == [("PAID", "2026-03-20")]
    assert (receivable(place), balance(place, "1910"), str(balance(place, "3000"))) == (D(0), D(cents) / 100, sales)


def test_a_bill_that_was_paid_twice_is_chosen_for_both(place: Place) -> None:
    paper = bill(place, "80.00", "P-1")
    bring(
        place,
        statement(place, *(replace(MOVE, cents=-8_000, name="Paperi Oy", reference=one) for one in "AB")),
        *TO_BANK,
    )
    first, second = rows_of(place)
    for row in (first, second):
        applied(place, [{**row, "choice": {"settle": [f"purchase {paper}"]}}])
    assert (balance(place, "2871"), is_paid(place, paper)) == (D(-80), [True])


def review(place: Place, typed: bytes, *argv: str) -> Any:
    return on_terminal(place.environ, "bank", "review", *argv, typed=typed, after=FIRST_QUESTION, columns=120)


def test_on_a_terminal_it_asks_line_by_line_and_goes_on_where_it_was_left(place: Place) -> None:
    more = replace(COFFEE, reference="M4", cents=-1_000, name="Kauppa")
    one, two, path = two_who_owe_the_same(place, COFFEE, more)
    seen = review(place, b"2\nx\nq\n", path, "--account", "1910")
    assert seen.code == 0, seen.seen
    assert "2026-03-20  1910 Bank account  125.50  Meyer Oy" in seen.seen
    assert "1  the name and the amount: 1700 credit 125.50 for Invoice 1" in seen.seen
    assert "type one of the letters" in seen.seen
    assert "1 line is done, 2 left: acctcli bank review goes on there" in seen.seen
    assert stands(place, one, two) == [("ACCEPTED", None), ("PAID", "2026-03-20")]
    # by words of an account, with a receipt; then a split, after a mistake
    typed = f"r\n{receipt(place)}\na\nentertainment\n\np\n4000:20\np\n4000:4@3\n7950\n".encode()
    seen = review(place, typed, path, "--account", "1910")
    assert (seen.code, "0 left" in seen.seen) == (0, True), seen.seen
    assert "20 is not between 0 and the 10.00 that are left: split it anew" in seen.seen
    assert (balance(place, "7950"), balance(place, "4000")) == (D("10.50"), D("4.00"))
    (coffee,) = [doc for doc in documents(place) if doc["balance"] == D("-4.50")]
    assert len(coffee["attachment_ids"]) == 1
    assert rows_of(place) == []
    assert [row["status"] for row in bring(place, path, *TO_BANK)] == ["already there"] * 3


def test_a_bill_that_is_split_off_on_a_terminal_is_settled(place: Place) -> None:
    paper = bill(place, "80.00", "P-1")
    path = statement(place, replace(MOVE, cents=-9_000, name="Paperi Oy"))
    bring(place, path, *TO_BANK)
    seen = review(place, b"p\n2871:80\n1800\n", path, "--account", "1910")
    assert (seen.code, is_paid(place, paper), balance(place, "1800")) == (0, [True], D("10.00")), seen.seen


def test_a_discount_is_taken_off_on_a_terminal_with_its_vat(place: Place) -> None:
    seller(place)
    sold = accepted(place, WORK)
    path = statement(place, replace(MOVE, cents=12_299))
    bring(place, path, *TO_BANK)
    seen = review(place, b"d\n1\n3000\n1/25.5\n", path, "--account", "1910")
    assert (seen.code, stands(place, sold)) == (0, [("PAID", "2026-03-20")]), seen.seen
    assert "2.51 less than is open; account for that" in seen.seen
    assert (receivable(place), balance(place, "1910"), str(balance(place, "3000"))) == (D(0), D("122.99"), "98.00")


def test_a_rate_that_the_country_has_not_is_refused_and_the_command_for_it_is_told(place: Place) -> None:
    bring(place, statement(place, MOVE), *TO_BANK)
    (row,) = rows_of(place)
    screen = review(place, b"a\n3000\n1/99\nq\n")
    assert "3000 Sales, standard rate: 99 % is no VAT rate of Finland on 2026-03-20" in screen.seen
    plan = place.write_lines("plan.jsonl", [{**row, "choice": {"legs": ["3000:125.50@1/99"]}}])
    refused = place.try_run("bank", "review", "--apply", plan, "--yes")
    told = f"acctcli document update {row['document']} --credit 3000:125.50@1/99 --foreign-vat --posted"
    assert refused.code == 2, refused.err
    assert (told in refused.err, told in " ".join(screen.seen.split())) == (True, True), refused.err
    assert balance(place, "3000") == D(0)
    place.run(*told.split()[1:])
    assert balance(place, "3000") == D("63.07")


def test_a_part_of_a_bill_may_be_chosen(place: Place) -> None:
    paper = bill(place, "80.00", "P-1")
    path = statement(place, replace(MOVE, cents=-3_000, name="Paperi Oy"))
    bring(place, path, *TO_BANK)
    (row,) = rows_of(place)
    assert row["suggestions"][0]["choice"] == {"settle": [f"purchase {paper}"]}
    applied(place, [{**row, "choice": row["suggestions"][0]["choice"]}])
    assert (is_paid(place, paper), balance(place, "2871")) == ([False], D("50.00"))


PAYPAL = """Date,Time,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Balance,Balance Impact,Invoice Number,\
Item Title,Subject
03/31/2026,09:00,Anna,Payment,Completed,EUR,125.50,-3.50,122.00,A1,122.00,Credit,,Teapot,
03/31/2026,10:00,Bert,Payment,Completed,EUR,62.75,-2.75,60.00,A2,182.00,Credit,,Cup,
03/31/2026,11:00,Bert,Refund,Completed,EUR,-31.50,1.50,-30.00,A3,152.00,Debit,,Cup,
03/31/2026,12:00,Cleo,Payment,Completed,EUR,12.55,-0.55,12.00,A4,164.00,Credit,,Spoon,
"""


def sold_by_paypal(place: Place, *options: str) -> list[D]:
    """Import sales of 169.30 with VAT of 25.5 %, less fees of 5.30; return what sales, fees and bank hold."""
    path = place.folder / "paypal.csv"
    path.write_text(PAYPAL)
    bring(place, str(path), *TO_BANK, *options)
    return [balance(place, number) for number in ("3000", "8500", "1910")]


def test_fees_are_kept_with_drafts_and_are_costs_however_these_are_treated(place: Place) -> None:
    fees, rule = '[accounts]\nfees = "8500"\n', '[[rules]]\ntext = "{}"\naccount = "3000"\n'
    assert sold_by_paypal(place) == [D(0)] * 3
    teapots = rules(place, fees + rule.format("Teapot"))
    matched = place.json("bank", "match", "--yes", "--rules", teapots)
    assert [row["status"] for row in matched] == ["matched", "left", "left", "left"]
    assert [(row["amount"], row["fees"]) for row in rows_of(place)] == [
        (D(60), D("2.75")), (D(-30), D("-1.50")), (D(12), D("0.55")),
    ]  # fmt: skip
    screen = review(place, b"a\n3000\n\np\n3000:21.50\n3000\ns\n", "--rules", teapots)
    assert "fees of 2.75 are taken out of it" in screen.seen
    assert "fees of 1.50 came back with it" in screen.seen
    assert "2 lines are done, 1 left" in screen.seen
    spoons = rules(place, fees + rule.format("Spoon"))
    (row,) = map(json.loads, place.run("bank", "review", "--rules", spoons, "--output", "jsonl").out.splitlines())
    applied(place, [{**row, "choice": row["suggestions"][0]["choice"]}])
    assert [balance(place, number) for number in ("3000", "8500", "1910")] == [D("134.90"), D("5.30"), D(164)]


def test_against_an_account_goes_what_moved_before_fees(place: Place) -> None:
    book = rules(place, '[accounts]\nfees = "8500"\n')
    assert sold_by_paypal(place, "--contra", "3000", "--rules", book) == [D("134.90"), D("5.30"), D(164)]


@pytest.mark.parametrize(("leg", "kind"), [("1763", 3), ("1763:125.50@9/25.5", 0)])
def test_money_of_the_tax_office_is_in_no_return(place: Place, leg: str, kind: int) -> None:
    seller(place)
    bring(place, statement(place, replace(MOVE, name="Verohallinto")), *TO_BANK)
    (row,) = rows_of(place)
    applied(place, [{**row, "choice": {"legs": [leg]}}])
    (refund,) = documents(place)
    assert (refund["type"], refund["is_draft"]) == (kind, False)
    filled = place.json("vat", "return", "--period", "2026-03")
    assert kind == 0 or [box for box in filled if box["amount"]] == []


def test_who_pays_twice_is_known_by_the_reference_of_what_is_paid(place: Place) -> None:
    seller(place)
    sold = accepted(place, WORK)
    paper = bill(place, "80.00", "P-1", "Paperi Oy", "--reference", "1232")
    place.run("invoice", "pay", sold, "--date", "2026-03-01", "--account", "1910")
    place.run("purchase", "pay", paper, "--date", "2026-03-02", "--account", "1910")
    twice = replace(MOVE, viite=reference(place, sold))
    out = replace(MOVE, cents=-8_000, reference="M2", viite="1232", name="Paperi")
    bring(place, statement(place, twice, out), *TO_BANK)
    rows = rows_of(place)
    reason = "chosen: its reference, and {} is paid, {} more than is open"
    assert [row["suggestions"] for row in rows] == [
        [{"reason": reason.format("Invoice 1", "125.50"), "choice": {"settle": [f"invoice {sold}"]}}],
        [{"reason": reason.format("Paperi Oy P-1", "80.00"), "choice": {"settle": [f"purchase {paper}"]}}],
    ]
    assert len(applied(place, [row | {"choice": row["suggestions"][0]["choice"]} for row in rows])) == 2
    assert (receivable(place), balance(place, "2871"), rows_of(place)) == (D("-125.50"), D("-80.00"), [])


def test_how_a_line_that_takes_back_gets_its_document_is_said(place: Place) -> None:
    bring(place, statement(place, replace(MOVE, cents=-MOVE.cents, is_reversal=True)), *TO_BANK)
    (row,) = rows_of(place)
    assert row["reason"].startswith("it takes back what was paid, or paid back; acctcli document reverse takes back")
