"""Products, purchase invoices and sales payouts, every command of theirs in every place."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from acctcli.cli.purchase import paying, posting
from tests.journeys.places import Place
from tests.journeys.test_life import refused
from tests.journeys.test_settlement import balance, before_posting

D = Decimal

BILL = ("--date", "2026-03-01", "--amount", "100.20", "--source", "UPLOAD")
PAYABLE = (
    "--iban", "FI49 5000 9420 0287 30", "--reference", "1234567907", "--date", "2022-11-28", "--due", "2022-12-12",
)  # fmt: skip
BARCODE = "449500094200287300001002000000000000001234567907221212"


def upload(place: Place, name: str) -> int:
    """The id of a new file."""
    (place.folder / name).write_text(f"{name}\n")
    return int(place.json("file", "upload", name)[0]["id"])


def test_a_product_lives(place: Place) -> None:
    free = ("--name", "Work", "--unit", "h", "--amount", "99.99", "--vat-code", "3")
    made = place.json("product", "create", "--code", "C-1", *free)
    number = str(made["id"])
    changed = place.json(
        "product", "update", number, "--vat-rate", "25.5", "--vat-code", "1", "--account", "3000", "--vat-inclusive"
    )
    assert changed == made | {
        "vat_rate": changed["vat_rate"],
        "vat_code": 1,
        "is_vat_inclusive": True,
        "account_id": place.json("account", "get", "3000")["id"],
        "vat_exclusive_amount": changed["vat_exclusive_amount"],
        "vat_amount": changed["vat_amount"],
        "updated_at": changed["updated_at"],
    }
    prices = ("vat_rate", "vat_exclusive_amount", "vat_amount", "vat_inclusive_amount")
    assert [str(changed[name]) for name in prices] == ["25.50", "79.67", "20.32", "99.99"]
    assert place.json("product", "list", "--search", "c-1") == [changed] == [place.json("product", "get", number)]
    assert "name account 3000" in refused(place, 8, "account", "delete", "3000", "--yes")
    replaced = place.json("product", "replace", number, "--name", "Nail", "--unit", "kpl", "--amount", "0.0125")
    # what says nothing of VAT has that of sales, as a new one
    assert (str(replaced["amount"]), replaced["code"], replaced["vat_code"]) == ("0.0125", None, 1)
    place.run("product", "delete", number, "--yes")
    refused(place, 6, "product", "get", number)


@pytest.mark.everywhere
def test_a_purchase_invoice_lives(place: Place) -> None:
    original, receipt = upload(place, "original.txt"), upload(place, "receipt.txt")
    tag = place.json("tag", "create", "--name", "Oulu")["id"]
    made = place.json(
        "purchase", "create", *BILL, *PAYABLE, "--number", "A-77", "--sender", "Paperi Oy",
        "--original", str(original), "--attachment", str(receipt), "--tag", str(tag),
    )  # fmt: skip
    number = str(made["id"])
    assert (made["virtuaaliviivakoodi"], made["is_past_due"], made["original_attachment"]["name"]) == (
        BARCODE, True, "original.txt",
    )  # fmt: skip
    assert place.run("purchase", "barcode", number).out == f"{BARCODE}\n"
    paid = place.json("purchase", "pay", number)
    assert (paid["is_paid"], paid["is_past_due"], paid["payment_date"] is None) == (True, False, False)
    assert [one["id"] for one in place.json("purchase", "list", "--paid", "--paid-from", "2026-01-01")] == [made["id"]]
    unpaid = place.json("purchase", "unpay", number)
    assert (unpaid["is_paid"], unpaid["payment_date"]) == (False, None)
    assert [one["id"] for one in place.json("purchase", "list", "--search", "PAPERI", "--past-due")] == [made["id"]]
    assert "uses this file" in refused(place, 8, "file", "delete", str(original), "--yes")
    replaced = place.json("purchase", "replace", number, *BILL)
    assert (replaced["original_attachment"], replaced["attachments"], replaced["tag_ids"]) == (None, [receipt], [])
    place.run("file", "delete", str(original), "--yes")
    assert "sender_bank_account: missing" in refused(place, 2, "purchase", "barcode", number)
    place.run("purchase", "delete", number, "--yes")
    refused(place, 6, "purchase", "get", number)


def test_a_purchase_invoice_and_the_document_that_books_it(place: Place) -> None:
    bill = str(place.json("purchase", "create", *BILL)["id"])
    booked = ("--debit", "4000:100.20@2/25.5", "--credit", "2871", "--date", "2026-03-01")
    document = place.json("document", "create", *booked)
    linked = place.json("purchase", "update", bill, "--document", str(document["id"]))
    assert (linked["document"]["number"], linked["is_deletable"]) == (document["number"], False)
    refused(place, 8, "purchase", "delete", bill, "--yes")
    assert "books a purchase invoice" in refused(place, 8, "document", "delete", str(document["id"]), "--yes")
    freed = place.json("purchase", "update", bill, "--set", "document=null")
    assert (freed["document"], freed["is_deletable"]) == (None, True)
    place.run("document", "delete", str(document["id"]), "--yes")


def test_a_purchase_invoice_is_posted_and_paid_in_parts(place: Place) -> None:
    receipt = upload(place, "receipt.txt")
    bill = str(place.json("purchase", "create", *BILL, "--sender", "Paperi Oy", "--original", str(receipt))["id"])
    posted = place.json("purchase", "post", bill, "--account", "4000")
    document = posted["document"]
    assert entries(place, document) == [("D", "4000", "79.84"), ("D", "1763", "20.36"), ("C", "2871", "100.20")]
    assert (document["date"], document["attachment_ids"]) == ("2026-03-01", [receipt])
    assert "books purchase invoice" in refused(place, 2, "purchase", "post", bill, "--account", "4000")
    part = place.json("purchase", "pay", bill, "--amount", "0.20", "--date", "2026-03-05", "--account", "1900")
    assert (part["is_paid"], str(place.json("account", "get", "2871")["balance"])) == (False, "100.00")
    paid = place.json("purchase", "pay", bill, "--date", "2026-03-09")
    balances = [str(place.json("account", "get", number)["balance"]) for number in ("2871", "1900", "1910")]
    assert (paid["is_paid"], balances) == (True, ["0.00", "-0.20", "-100.00"])
    assert "nothing is open" in refused(place, 2, "purchase", "pay", bill)
    unbooked = str(place.json("purchase", "create", *BILL)["id"])
    assert "no document books it" in place.run("purchase", "pay", unbooked).err


def entries(place: Place, document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Side, account and amount of what a document posted."""
    shown = place.json("document", "entries", str(document["id"]))
    return [("D" if one["is_debet"] else "C", one["account_number"], str(one["amount"])) for one in shown]


def test_a_payout_is_entered_booked_and_met_by_the_bank(place: Place) -> None:
    place.run("account", "create", "--number", "1980", "--name", "Clearing", "--type", "ASS_DUE")
    payout = ("--external-id", "po_1", "--source", "shop", "--date", "2026-03-02", "--amount", "102.40")
    items = (
        "--item", 'amount=125.50,account=3000,vat=25.5,code=1,description="Sales, March"',
        "--item", "amount=-3.10,account=8500,description=Fee",
        "--item", "amount=-20.00,account=3000,vat=25.5,code=1,description=Refund",
    )  # fmt: skip
    assert "items" in refused(place, 7, "payout", "create", *payout, *items[:2])
    made = place.json("payout", "create", *payout, *items)
    assert "external_id" in refused(place, 7, "payout", "create", *payout, *items)
    number = str(made["id"])
    assert place.json("payout", "list") == [made] == [place.json("payout", "get", number)]
    document = place.json("payout", "book", number, "--clearing", "1980")
    assert entries(place, document) == [
        ("D", "1980", "102.40"),
        ("D", "8500", "3.10"),
        ("D", "3000", "15.94"),
        ("D", "2939", "4.06"),
        ("C", "3000", "100.00"),
        ("C", "2939", "25.50"),
    ]
    refused(place, 2, "payout", "book", number, "--clearing", "1980")
    shorter = place.json("payout", "create", *payout, *items, "--external-id", "po_")
    place.run("payout", "book", str(shorter["id"]), "--clearing", "1980", "--dry-run")
    place.run("document", "create", "--debit", "1910", "--credit", "1980:102.40@3", "--date", "2026-03-04")
    assert str(place.json("account", "get", "1980")["balance"]) == "0.00"


def test_what_was_paid_too_much_comes_back_by_a_command_of_its_own(place: Place) -> None:
    bill = str(place.json("purchase", "create", *BILL, "--sender", "Paperi Oy", "--due", "2026-03-16")["id"])
    place.run("purchase", "post", bill, "--account", "4000")
    paid = ("purchase", "pay", bill, "--date", "2026-03-09")
    assert "has 100.20 open, and 150.00 is more" in refused(place, 2, *paid, "--amount", "150")
    place.run(*paid, "--amount", "150", "--overpaid")
    assert "the supplier owes 49.80" in refused(place, 2, *paid, "--amount", "49.80")
    aged = [
        place.json("purchase", "aging", "--date", day)["suppliers"][0]["total"] for day in ("2026-03-08", "2026-03-09")
    ]
    assert [str(one) for one in aged] == ["100.20", "-49.80"]
    assert "the supplier owes 49.80" in refused(place, 2, "purchase", "refund", bill, "--amount", "50")
    place.run("purchase", "refund", bill, "--date", "2026-03-10")
    assert "the supplier owes 0" in refused(place, 2, "purchase", "refund", bill)
    assert str(place.json("account", "get", "1910")["balance"]) == "-100.20"


FINNISH, GERMAN = "FI4950009420028730", "DE89370400440532013000"
DIGIT = "reference: the last digit of the reference does not check the others"
RF = "reference: the check digits after RF do not fit the reference"
DUE = "due_date (--due): 2026-02-28 is before the day of the invoice, 2026-03-01"


@pytest.mark.together
@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--due", "2026-02-28"), DUE),
        (("--iban", FINNISH, "--reference", "1233"), DIGIT),
        (("--iban", GERMAN, "--reference", "RF49 2026 17"), RF),
        (("--reference", "1233"), DIGIT),
        (("--reference", "1233", "--sender-vat", "FI01120389"), DIGIT),
    ],
)
def test_days_and_references_that_cannot_be_right_are_refused(place: Place, given: tuple[str, ...], told: str) -> None:
    bill = ("--date", "2026-03-01", "--amount", "9.90")
    for verb in (("create",), ("replace", "7")):
        assert told in refused(place, 2, "purchase", *verb, *bill, *given)
    assert place.json("purchase", "list") == []


@pytest.mark.parametrize(
    "given",
    [
        ("--due", "2026-03-01"),
        ("--iban", GERMAN, "--reference", "1233"),
        ("--iban", FINNISH, "--reference", "Order 12-3"),
        ("--iban", "5805-6201", "--reference", "1233"),
        ("--reference", "1233", "--sender-vat", "DE136695976"),
        ("--iban", FINNISH, "--reference", "0 0012 32"),
        ("--reference", "RF 4820 2617"),
    ],
)
def test_days_and_references_of_others_are_taken(place: Place, given: tuple[str, ...]) -> None:
    made = place.json("purchase", "create", "--date", "2026-03-01", "--amount", "9.90", *given)
    # how it came in need not be said
    assert made["import_source"] == "UPLOAD"


def test_a_change_is_looked_at_with_what_it_leaves(place: Place) -> None:
    bill = ("--date", "2026-03-01", "--amount", "9.90", "--due", "2026-03-15")
    free = str(place.json("purchase", "create", *bill, "--iban", GERMAN, "--reference", "1233")["id"])
    assert DUE in refused(place, 2, "purchase", "update", free, "--due", "2026-02-28")
    assert "due_date (--due): 2026-03-15 is before" in refused(
        place, 2, "purchase", "update", free, "--date", "2026-03-16"
    )
    assert DIGIT in refused(place, 2, "purchase", "update", free, "--iban", FINNISH)
    place.run("purchase", "update", free, "--date", "2026-03-16", "--due", "2026-03-30")
    place.run("purchase", "update", free, "--iban", FINNISH, "--reference", "1232")
    assert DIGIT in refused(place, 2, "purchase", "update", free, "--reference", "1233")
    place.run("purchase", "update", free, "--set", "reference=null", "--set", "due_date=null")
    shown = place.json("purchase", "get", free)
    assert (shown["reference"], shown["due_date"], shown["invoicing_date"]) == (None, None, "2026-03-16")


def test_digits_are_no_reference_of_a_german_business(place: Place) -> None:
    place.run(
        "business",
        "create",
        "--name",
        "Muster",
        "--form",
        "DE_UG",
        "--slug",
        f"{place.environ['ACCTCLI_BUSINESS']}-de",
    )
    place.environ["ACCTCLI_BUSINESS"] += "-de"
    place.run("purchase", "create", "--date", "2026-03-01", "--amount", "9.90", "--reference", "1233")


def test_two_who_book_and_pay_a_bill_at_once_do_so_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    said = ("--date", "2026-03-02", "--amount", "100", "--source", "UPLOAD", "--sender", "Paperi Oy", "--number", "A-7")
    paper = str(place.json("purchase", "create", *said)["id"])
    book = ("purchase", "post", paper, "--account", "4000:100@3")
    before_posting(monkeypatch, lambda: place.run(*book), posting, "document_of")
    place.run(*book)
    part = ("purchase", "pay", paper, "--date", "2026-03-09", "--amount", "40")
    before_posting(monkeypatch, lambda: place.run(*part))
    place.run(*part)
    assert (len(place.json("document", "list")), balance(place, "1910")) == (2, D("-40.00"))
    place.run(*part)
    assert balance(place, "1910") == D("-80.00")
    rest = ("purchase", "pay", paper, "--date", "2026-03-10", "--amount", "20")
    before_posting(monkeypatch, lambda: place.run(*rest), paying, "open_now")
    place.run(*rest)
    assert balance(place, "1910") == D("-100.00")
    # the other one has paid when this one has read the invoice, and nothing else
    whole = ("purchase", "pay", unposted(place, "A-6"), "--date", "2026-03-11")
    place.run("purchase", "post", whole[2], "--account", "4000:100@3")
    before_posting(monkeypatch, lambda: place.run(*whole), paying, "decoded")
    assert "is paid: nothing is open" in refused(place, 2, *whole)
    assert balance(place, "1910") == D("-200.00")
    again = ("purchase", "pay", str(place.json("purchase", "create", *said[:-1], "A-8")["id"]), "--date", "2026-03-09")
    place.run("purchase", "post", again[2], "--account", "4000:100@3")
    before_posting(
        monkeypatch, lambda: place.run(*again, "--amount", "70", "--idempotency-key", "of another user, of a bill")
    )
    done = place.try_run(*again)
    assert (done.code, "were posted for it at the same moment" in done.err) == (10, True)
    assert place.json("purchase", "get", again[2])["is_paid"]


def unposted(place: Place, number: str) -> str:
    said = (
        "--date",
        "2026-03-02",
        "--amount",
        "100",
        "--source",
        "UPLOAD",
        "--sender",
        "Paperi Oy",
        "--number",
        number,
    )
    return str(place.json("purchase", "create", *said, "--number", number)["id"])


def test_of_two_users_who_book_a_bill_differently_the_first_is_heard(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys are of one user: that of another is as good as another key."""
    paper = unposted(place, "A-9")
    theirs = ("purchase", "post", paper, "--account", "4000:100@3", "--idempotency-key", "of another user")
    before_posting(monkeypatch, lambda: place.run(*theirs), posting, "booked_by")
    done = place.try_run("purchase", "post", paper, "--account", "7950:100@3")
    (stands,) = place.json("document", "list")
    told = f"{stands['number']} of 2026-03-02, on 4000:100.00, books purchase invoice {paper} already"
    assert (done.code, told in done.err, "a moment later, is deleted" in done.err) == (8, True, True), done.err
    assert f"acctcli document correct {stands['id']}" in done.err
    assert place.json("purchase", "get", paper)["document"]["id"] == stands["id"]


@pytest.mark.everywhere
def test_users_who_book_a_bill_at_the_same_moment_book_it_once(place: Place) -> None:
    for number in range(3):
        paper = unposted(place, f"B-{number}")
        post = ("purchase", "post", paper, "--idempotency-key")
        ends = place.at_once((*post, "one", "--account", "4000:100@3"), (*post, "two", "--account", "7950:100@3"))
        # who comes when the other is done is told that by 2
        assert sorted(one.code for one in ends) in ([0, 8], [0, 2]), ends
        found = place.json("document", "list", "--search", f"Purchase invoice {paper}: ")
        assert [one["id"] for one in found] == [place.json("purchase", "get", paper)["document"]["id"]]


def test_what_a_run_that_was_cut_off_posted_besides_is_told(place: Place) -> None:
    """Both had posted, and neither had looked again: the oldest books the bill, whoever goes on."""
    paper = unposted(place, "C-1")
    title = ("document", "create", "--date", "2026-03-02", "--description", f"Purchase invoice {paper}: Paperi Oy C-1")
    first, other = (
        place.json(*title, "--debit", f"{account}:100@3", "--credit", "2871")["id"] for account in ("4000", "7950")
    )
    post = ("purchase", "post", paper, "--account", "4000:100@3")
    for _ in range(2):
        told = place.try_run(*post)
        assert (told.code, "on 7950:100.00, is posted for purchase invoice" in told.err) == (8, True), told.err
        assert place.json("purchase", "get", paper)["document"]["id"] == first
    place.run("document", "delete", str(other), "--yes")
    assert "books purchase invoice" in refused(place, 2, *post)


def test_a_bill_whose_document_was_taken_back_is_booked_anew(place: Place) -> None:
    """What was taken back books nothing, neither as the document of the bill nor as what an earlier run had posted."""
    paper = unposted(place, "D-1")
    post = ("purchase", "post", paper, "--account", "4000:100@3")
    first = place.json(*post)["document"]["id"]
    place.run("document", "reverse", str(first))
    for command in (post, ("purchase", "pay", paper)):
        told = place.try_run(*command)
        assert (told.code, "takes it back" in told.err, "--set document=null" in told.err) == (2, True, True), told.err
    assert not place.json("purchase", "get", paper)["is_paid"]
    # the same account and another one: the service knows the key of the former
    for account, other in (("4000", "7950"), ("7950", "4000")):
        place.run("purchase", "update", paper, "--set", "document=null")
        found = place.json("purchase", "post", paper, "--account", f"{account}:100@3")["document"]["id"]
        assert found != first
        assert (balance(place, account), balance(place, other)) == (D("100.00"), D("0.00"))
        place.run("document", "reverse", str(found))
        first = found
    right = place.json("document", "copy", str(found), "--date", "2026-03-03")["id"]
    place.run("purchase", "update", paper, "--set", "document=null")
    last = place.json(*post[:-1], "7950:100@3", "--date", "2026-03-03")
    assert last["document"]["id"] == right, "what was posted instead of one that was taken back stands for it"
