"""`acctcli purchase import`: what is posted of each e-invoice, what is refused, and what is there already."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from acctcli.einvoice.finvoice import finvoice
from acctcli.einvoice.ubl import xrechnung
from tests.cli.company import company
from tests.einvoice.incoming.cii import cii
from tests.einvoice.incoming.test_embedded import pdf
from tests.einvoice.samples import (
    FINNISH_BUYER,
    FINNISH_SELLER,
    GERMAN_SELLER,
    ORIGINAL,
    Wire,
    credit_note,
    invoice,
    row,
)
from tests.journeys.places import Place

BUYER = {**FINNISH_BUYER, "xrechnung_buyer_reference": "PO-1"}
ROWS = [row("100.00", "2"), row("50.00", "1", "13.5")]
TO = ("--account", "4000")
# the same invoice, entered by hand
HAND = ("--sender", "Kirjo & Kumpp. Oy", "--number", "17", "--date", "2026-03-02", "--amount", "307.75")


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("importing"))


def bill(place: Place, name: str = "bill.xml", rows: list[Wire] = ROWS, **changes: Any) -> str:
    return kept(place, name, finvoice(invoice(rows, BUYER, **changes), FINNISH_SELLER))


def kept(place: Place, name: str, content: bytes) -> str:
    (place.folder / name).write_bytes(content)
    return name


def bring(place: Place, *words: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = place.json("purchase", "import", *words, "--yes")
    return rows


def entries(place: Place, document: int) -> list[tuple[str, str, int, str]]:
    """Return what a document posts: account, amount with the sign of a debit, VAT code and rate."""
    return [
        (
            one["account_number"],
            f"{one['amount'] if one['is_debet'] else -one['amount']:.2f}",
            one["vat_code"],
            one["vat_rate"],
        )
        for one in place.json("document", "entries", str(document))
    ]


def nothing_is_there(place: Place) -> bool:
    return not any(place.json(one, "list") for one in ("purchase", "document", "file"))


# --- what is posted ---

POSTED = [
    ("4000", "200.00", 2, "25.50"), ("1763", "51.00", 2, "25.50"), ("4000", "50.00", 2, "13.50"),
    ("1763", "6.75", 2, "13.50"), ("2871", "-307.75", 3, "0.00"),
]  # fmt: skip


def test_an_invoice_is_entered_with_all_it_says_and_posted_with_its_file(place: Place) -> None:
    (done,) = bring(place, bill(place), *TO)
    assert done == {
        "file": "bill.xml", "sender_name": "Kirjo & Kumpp. Oy", "invoice_number": "17", "invoicing_date": "2026-03-02",
        "amount": done["amount"], "status": "posted", "purchase": 1, "document": 1, "reason": None,
    }  # fmt: skip
    assert entries(place, 1) == POSTED
    found = place.json("purchase", "get", "1", "--columns", "all")
    assert {name: found[name] for name in SAID} == SAID
    assert (f"{found['amount']:.2f}", found["original_attachment"]["name"], found["document"]["id"]) == (
        "307.75",
        "bill.xml",
        1,
    )
    assert place.json("document", "get", "1", "--columns", "attachment_ids")["attachment_ids"] == [1]
    place.run("file", "download", "1", "--to", "kept")
    assert (place.folder / "kept" / "bill.xml").read_bytes() == (place.folder / "bill.xml").read_bytes()


SAID = {
    "invoice_number": "17", "invoicing_date": "2026-03-02", "due_date": "2026-03-16", "sender_vat": "FI12345671",
    "sender_name": "Kirjo & Kumpp. Oy", "sender_bank_account": "FI4950009420028730", "sender_bank_bic": "OKOYFIHH",
    "receiver_name": "Rakennus Virtanen Oy", "receiver_vat": "FI01120389", "reference": "10171", "currency": "EUR",
    "import_source": "UPLOAD", "is_paid": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "reference", "message"),
    [
        ("Invoice 17", "Invoice 17", None),
        ("Invoice 17 of March, for paper and freight", None, "Invoice 17 of March, for paper and freight"),
    ],
)
def test_words_that_are_no_reference_are_told_to_the_payee(
    place: Place, words: str, reference: str | None, message: str | None
) -> None:
    told = xrechnung(invoice(ROWS, BUYER, reference=words), FINNISH_SELLER)
    bring(place, kept(place, "bill.xml", told), *TO)
    found = place.json("purchase", "get", "1")
    assert (found["reference"], found["message"]) == (reference, message)


def test_every_format_posts_the_same(place: Place) -> None:
    files = [
        kept(place, "a.xml", xrechnung(invoice(ROWS, BUYER, invoice_number=1), FINNISH_SELLER)),
        kept(place, "b.xml", cii(invoice(ROWS, BUYER, invoice_number=2))),
        kept(place, "c.pdf", pdf(("factur-x.xml", cii(invoice(ROWS, BUYER, invoice_number=3))))),
        bill(place, "d.xml", invoice_number=4),
    ]
    assert [one["status"] for one in bring(place, *files, *TO)] == ["posted"] * 4
    assert [entries(place, number) for number in (1, 2, 3, 4)] == [POSTED] * 4


def test_a_credit_note_is_posted_below_zero(place: Place) -> None:
    wire = credit_note([row("100.00", "-1"), row("50.00", "-1", "13.5")], BUYER)
    bring(place, kept(place, "note.xml", finvoice(wire, FINNISH_SELLER, ORIGINAL)), *TO)
    assert f"{place.json('purchase', 'get', '1')['amount']:.2f}" == "-182.25"
    assert entries(place, 1) == [
        ("4000", "-100.00", 2, "25.50"), ("1763", "-25.50", 2, "25.50"), ("4000", "-50.00", 2, "13.50"),
        ("1763", "-6.75", 2, "13.50"), ("2871", "182.25", 3, "0.00"),
    ]  # fmt: skip


def test_vat_is_deducted_as_the_invoice_has_it_to_the_cent(place: Place) -> None:
    """The sender rounds each row: 0.80 where the base makes 0.84. The return counts what the invoice says."""
    each = finvoice(invoice([row("0.33")] * 10, BUYER), FINNISH_SELLER)
    each = each.replace(b">0,84<", b">0,80<").replace(
        b'VatIncludedAmount AmountCurrencyIdentifier="EUR">4,14<',
        b'VatIncludedAmount AmountCurrencyIdentifier="EUR">4,10<',
    )
    each = each.replace(
        b'<InvoiceTotalRoundoffAmount AmountCurrencyIdentifier="EUR">-0,04</InvoiceTotalRoundoffAmount>', b""
    )
    bring(place, kept(place, "bill.xml", each), *TO)
    assert entries(place, 1) == [
        ("4000", "3.30", 2, "25.50"), ("1763", "0.84", 2, "25.50"),
        ("1763", "-0.04", 2, "0.00"), ("2871", "-4.10", 3, "0.00"),
    ]  # fmt: skip
    report = place.json("report", "vat", "--from", "2026-03-01", "--to", "2026-03-31")
    assert f"{report['summary']['deductible_vat']:.2f}" == "0.80"
    boxes = {one["box"]: f"{one['amount']:.2f}" for one in place.json("vat", "return", "--period", "2026-03")}
    assert boxes["307"] == "0.80"
    # what is added is no answer to what was bought
    (done,) = bring(place, bill(place, "next.xml", invoice_number=18))
    assert entries(place, done["document"])[0][0] == "4000"


def test_what_is_added_to_the_total_by_rounding_is_a_cost(place: Place) -> None:
    """Services that add up rows state the sums of the standard, and what leads to their own."""
    bring(place, kept(place, "bill.xml", finvoice(invoice([row("0.33")] * 10, BUYER), FINNISH_SELLER)), *TO)
    assert entries(place, 1) == [
        ("4000", "3.30", 2, "25.50"), ("1763", "0.84", 2, "25.50"),
        ("4000", "-0.04", 3, "0.00"), ("2871", "-4.10", 3, "0.00"),
    ]  # fmt: skip


FROM_GERMANY = {**GERMAN_SELLER, "name": "Kirjo & Kumpp. Oy"}


@pytest.mark.parametrize(
    ("rows", "seller", "country", "account", "posted"),
    [
        ([row("80.00", "1", "0", 6)], FROM_GERMANY, "DE", "4000",
         [("4000", "80.00", 8, "25.50"), ("1763", "20.40", 8, "25.50"), ("2939", "-20.40", 8, "25.50")]),
        ([row("80.00", "1", "0", 5)], FROM_GERMANY, "DE", "4380",
         [("4380", "80.00", 7, "25.50"), ("1763", "20.40", 7, "25.50"), ("2939", "-20.40", 7, "25.50")]),
        ([row("80.00", "1", "0", 10)], FINNISH_SELLER, "FI", "4000",
         [("4000", "80.00", 11, "25.50"), ("1763", "20.40", 11, "25.50"), ("2939", "-20.40", 11, "25.50")]),
        ([row("100.00", "1", "19")], FROM_GERMANY, "DE", "4000", [("4000", "119.00", 3, "0.00")]),
        ([row("100.00")], FINNISH_SELLER, "FI", "8500", [("8500", "125.50", 3, "0.00")]),
        ([row("100.00", "1", "0", 4)], FINNISH_SELLER, "FI", "4000", [("4000", "100.00", 3, "0.00")]),
    ],
    ids=["EU services", "EU goods", "construction", "VAT of another country", "nothing deducted", "zero-rated"],
)  # fmt: skip
def test_vat_by_who_sold_what_where(
    place: Place, rows: list[Wire], seller: Wire, country: str, account: str, posted: list[tuple[str, str, int, str]]
) -> None:
    wire = invoice(rows, BUYER, vat_country=country)
    bring(place, kept(place, "bill.xml", xrechnung(wire, seller)), "--account", account)
    *found, (payables, _, _, _) = entries(place, 1)
    assert (found, payables) == (posted, "2871")


# --- the account ---


def test_the_account_is_that_of_the_last_invoice_of_the_sender(place: Place) -> None:
    bring(place, bill(place), "--account", "7800")
    # one with rows of several VAT codes on the account
    mixed = [row("0.33")] * 10 + [row("10.00", "1", "0", 4)]
    (done,) = bring(place, bill(place, "next.xml", mixed, invoice_number=18, invoicing_date=date(2026, 3, 3)))
    assert entries(place, done["document"])[0] == ("7800", "3.30", 2, "25.50")
    (done,) = bring(place, bill(place, "third.xml", invoice_number=19))
    assert entries(place, done["document"])[0] == ("7800", "200.00", 2, "25.50")


def test_without_an_account_nothing_is_sent(place: Place) -> None:
    refused = place.try_run("purchase", "import", bill(place), "--yes")
    assert (refused.code, nothing_is_there(place)) == (2, True)
    assert "bill.xml: nothing tells the account: no invoice of Kirjo & Kumpp. Oy is posted" in refused.err


# --- what is there already ---


def test_what_is_there_is_said_and_posted_no_more(place: Place) -> None:
    bring(place, bill(place), *TO)
    (again,) = bring(place, bill(place), *TO)
    assert (again["status"], again["purchase"], again["document"]) == ("already there", 1, 1)
    # another file of the same invoice
    (other,) = bring(place, kept(place, "ubl.xml", xrechnung(invoice(ROWS, BUYER), FINNISH_SELLER)), *TO)
    assert (other["status"], other["purchase"]) == ("already there", 1)
    assert [len(place.json(one, "list")) for one in ("purchase", "document", "file")] == [1, 1, 1]


def test_what_was_entered_by_hand_is_left_to_its_hand(place: Place) -> None:
    place.run("purchase", "create", *HAND, "--source", "UPLOAD")
    (done,) = bring(place, bill(place), *TO)
    assert (done["status"], done["purchase"], done["document"]) == ("already there", 1, None)
    assert done["reason"] == "post it: acctcli purchase post 1"
    assert place.json("document", "list") == []


@pytest.mark.parametrize("name", ["bill.xml", "other.xml"])
def test_an_invoice_that_holds_another_file_is_nobodys_rest(place: Place, name: str) -> None:
    """It has the name of the file, or its content, and not both."""
    content = b"scanned" if name == "bill.xml" else (place.folder / bill(place)).read_bytes()
    place.run("file", "upload", kept(place, name, content))
    place.run("purchase", "create", *HAND, "--source", "UPLOAD", "--original", "1")
    (done,) = bring(place, bill(place), *TO)
    assert (done["status"], done["document"], place.json("document", "list")) == ("already there", None, [])


def test_a_file_that_was_sent_days_ago_is_not_sent_again(place: Place) -> None:
    """The service knows keys for a day: another key stands for what was sent before."""
    place.run("file", "upload", bill(place))
    (done,) = bring(place, bill(place), *TO)
    assert (done["status"], len(place.json("file", "list"))) == ("posted", 1)


@pytest.mark.parametrize("left", ["document", "invoice"])
def test_what_was_left_days_ago_is_gone_on_with(place: Place, left: str) -> None:
    bring(place, bill(place), *TO)
    place.run("purchase", "update", "1", "--set", "document=null")
    if left == "invoice":
        place.run("document", "delete", "1", "--yes")
    (done,) = bring(place, bill(place), *TO, "--idempotency-key", "of another day")
    assert (done["status"], done["purchase"]) == ("posted", 1)
    assert place.json("purchase", "get", "1")["document"]["id"] == done["document"]
    assert [len(place.json(one, "list")) for one in ("purchase", "document", "file")] == [1, 1, 1]


def test_two_files_of_one_invoice_are_refused(place: Place) -> None:
    refused = place.try_run("purchase", "import", bill(place), bill(place, "copy.xml"), *TO, "--yes")
    assert (refused.code, nothing_is_there(place)) == (2, True)
    assert "copy.xml: it is the same invoice as bill.xml: number 17" in refused.err


@pytest.mark.parametrize("gone", [("document", "purchase"), ("document", "purchase", "file")])
def test_what_was_taken_back_is_imported_once_more(place: Place, gone: tuple[str, ...]) -> None:
    """The service still knows the keys of what is gone."""
    bring(place, bill(place), *TO)
    place.run("purchase", "update", "1", "--set", "document=null", "--set", "original_attachment=null")
    for one in gone:
        place.run(one, "delete", "1", "--yes")
    (done,) = bring(place, bill(place), "--account", "7800")
    assert (done["status"], len(place.json("purchase", "list"))) == ("posted", 1)
    assert entries(place, done["document"])[0][0] == "7800"


# --- what is refused ---


@pytest.mark.parametrize(
    ("changes", "settings", "told"),
    [
        ({"currency": "SEK"}, {}, "InvoiceDetails/InvoiceTotalVatIncludedAmount: is SEK: books are in EUR"),
        ({}, {"vat_code": "FI20774740"}, "BuyerOrganisationTaxCode: FI01120389 is another buyer: the business is FI"),
        ({}, {"vat_code": "FI12345671"}, "SellerOrganisationTaxCode: is the business's own: this is a sale"),
        ({}, {"y_tunnus": "1234567-1"}, "SellerOrganisationTaxCode: is the business's own: this is a sale"),
        ({"rows": [row("10.00"), row("10.00", "-1")]}, {}, "it comes to nothing: there is nothing to post"),
        ({"rows": [row("10.00", "1", "0", 13)]}, {}, "VatCode: G is of goods from outside the EU, whose VAT"),
        ({"rows": [row("10.00", "1", "0", 5)]}, {}, "VatCode: K is of goods from other EU countries, and"),
        ({"rows": [row("10.00", "1", "17")]}, {}, "17 % is no VAT rate of Finland on 2026-03-02"),
    ],
)  # fmt: skip
def test_what_cannot_be_posted_sends_nothing(
    place: Place, changes: dict[str, Any], settings: Mapping[str, str], told: str
) -> None:
    for kind, value in settings.items():
        place.run("business", "identifier", "create", "--type", kind, "--value", value)
    refused = place.try_run("purchase", "import", bill(place, **changes), *TO, "--yes")
    assert (refused.code, nothing_is_there(place)) == (2, True)
    assert told in refused.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("account", "rows", "told"),
    [
        ("4450", [row("10.00")], "account 4450 "),
        ("8500", [row("10.00", "1", "0", 10)], "the buyer owes the VAT, and account 8500 "),
        ("4001", [row("10.00")], "--account: there is no account 4001"),
    ],
)
def test_an_account_that_does_not_fit_the_vat_is_refused(
    place: Place, account: str, rows: list[Wire], told: str
) -> None:
    refused = place.try_run("purchase", "import", bill(place, rows=rows), "--account", account, "--yes")
    assert (refused.code, told in refused.err, nothing_is_there(place)) == (2, True, True), refused.err


def test_a_file_that_is_wrong_keeps_all_from_being_imported(place: Place) -> None:
    wrong = finvoice(invoice(ROWS, BUYER, invoice_number=18), FINNISH_SELLER).replace(b">307,75<", b">307,70<", 1)
    words = ("purchase", "import", bill(place), kept(place, "wrong.xml", wrong), *TO, "--yes")
    refused = place.try_run(*words, "--json")
    error = json.loads(refused.err)["error"]
    assert (refused.code, error["hint"], nothing_is_there(place)) == (2, "nothing was imported", True)
    assert error["message"].startswith(
        "wrong.xml: InvoiceDetails/InvoiceTotalVatIncludedAmount: is 307.70: 250.00 and VAT"
    )
    assert list(error["fields"]) == ["InvoiceDetails/InvoiceTotalVatIncludedAmount"]


def test_pdfs_need_a_library(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    refused = place.try_run("purchase", "import", kept(place, "bill.pdf", pdf()), *TO, "--yes")
    assert (refused.code, "bill.pdf: PDFs need pypdf, which is not installed" in refused.err) == (2, True)
    assert "pip install 'acctcli[invoices]'" in refused.err


# --- asking, and rehearsing ---


def test_elsewhere_than_on_a_terminal_it_needs_a_yes(place: Place) -> None:
    refused = place.try_run("purchase", "import", bill(place), *TO)
    assert (refused.code, nothing_is_there(place)) == (2, True)
    assert "bill.xml: Kirjo & Kumpp. Oy 17, 307.75 on 4000 Purchases" in refused.err
    assert "this would enter and post 1 purchase invoice" in refused.err


def test_it_is_rehearsed_as_a_table(place: Place) -> None:
    bring(place, bill(place), *TO)
    done = place.run("purchase", "import", bill(place), bill(place, "next.xml", invoice_number=18), "--dry-run")
    header, _, *lines = done.lines()
    rows = [line.split() for line in lines]
    assert re.split(" {3,}", header) == [
        "file", "sender name", "invoice number", "invoicing date", "due date", "account", "VAT", "amount", "text",
        "reason",
    ]  # fmt: skip
    sender = ["Kirjo", "&", "Kumpp.", "Oy"]
    assert rows == [
        ["bill.xml", *sender, "17", "2026-03-02", "2026-03-16", "307.75", "already", "there:", "1"],
        ["next.xml", *sender, "18", "2026-03-02", "2026-03-16", "4000", "2/25.5", "251.00", "Työ"],
        ["next.xml", *sender, "18", "2026-03-02", "2026-03-16", "4000", "2/13.5", "56.75", "Työ"],
    ]
    assert "1 invoice would be posted, 1 there already" in done.err
    assert [len(place.json(one, "list")) for one in ("purchase", "document", "file")] == [1, 1, 1]
