"""Purchase invoices over HTTP, on both databases (docs/interface.md 1.4, 8.1)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.purchase_invoice import PurchaseInvoice
from tests.replies import check_reply
from tests.service.actor import World
from tests.service.routes.books import Books

D = Decimal
PATH = "purchase_invoice/"
BILL = {"invoicing_date": "2026-03-01", "amount": D("100.20"), "import_source": "UPLOAD"}
TEXTS = {
    "invoice_number": "A-77",
    "sender_vat": "FI01120389",
    "sender_name": "Äänekosken Paperi Oy",
    "sender_bank_account": "FI49 5000 9420 0287 30",
    "sender_bank_bic": "OKOYFIHH",
    "receiver_vat": "FI20774740",
    "receiver_name": "Example Oy",
    "reference": "1234567907",
    "message": "Paper",
}
DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(TEXTS),
    "due_date": None,
    "original_invoice_xml": None,
    "original_attachment": None,
    "currency": "EUR",
    "virtuaaliviivakoodi": None,
    "is_paid": False,
    "is_past_due": False,
    "is_deletable": True,
    "attachments": [],
    "payment": None,
    "payment_date": None,
    "bank_transaction": None,
    "document": None,
    "tag_ids": [],
    "pis_payment": None,
}


def made(invoice: dict[str, Any]) -> dict[str, Any]:
    """What of a reply nobody asked for."""
    return {name: invoice[name] for name in ("id", "created_at", "updated_at")}


def numbers(invoicing: Books, **query: str) -> list[str]:
    reply = invoicing.get(PATH, **query)
    assert reply.status == 200, reply
    assert reply.body["count"] == len(reply.body["results"])
    return [invoice["invoice_number"] for invoice in reply.body["results"]]


def one(invoice: dict[str, Any]) -> str:
    return f"{PATH}{invoice['id']}/"


def test_an_invoice_has_every_field(books: Books, invoicing: Books) -> None:
    files, tags = [books.file("second.pdf"), books.file("first.pdf")], [books.tag("Oulu"), books.tag("Turku")]
    original = books.file("original.pdf")
    body = {**BILL, **TEXTS, "due_date": "2026-03-31", "currency": "EUR", "is_paid": True}
    linked = {"attachments": files[::-1], "tag_ids": tags, "original_attachment": original}
    created = invoicing.create(PATH, body | linked | {"tag_ids": [tags[1], tags[0], tags[1]]})
    shown = created["original_attachment"]
    assert created == {
        **made(created), **DEFAULTS, **body, **linked,
        "original_attachment": shown,
        "virtuaaliviivakoodi": "449500094200287300001002000000000000001234567907260331",
        "payment_date": "2026-04-02",
    }  # fmt: skip
    assert shown | {"file": ""} == books.get(f"files/{original}/").body | {"file": ""}
    assert (shown["name"], shown["is_deletable"]) == ("original.pdf", False)
    assert list(created) == list(PurchaseInvoice.__annotations__)
    check_reply(PurchaseInvoice, created)
    assert invoicing.get(one(created)).body == created
    assert invoicing.get(PATH).body["results"] == [created]


@pytest.mark.together
@pytest.mark.parametrize("amount", ["92233720368547758.07", "-92233720368547758.07", "0.00", "10.10"])
def test_amounts_keep_their_digits(invoicing: Books, amount: str) -> None:
    created = invoicing.create(PATH, BILL | {"amount": D(amount)})
    assert f'"amount":{amount},'.encode() in invoicing.get(one(created)).raw


def test_an_invoice_needs_a_date_an_amount_and_a_source(invoicing: Books) -> None:
    created = invoicing.create(PATH, BILL)
    assert created == {**made(created), **DEFAULTS, **BILL}
    reply = invoicing.send("POST", PATH, {})
    assert (reply.status, reply.faults) == (400, ["invoicing_date", "amount", "import_source"])


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"invoicing_date": "2026-02-30"}, "invoicing_date"),
        ({"due_date": "soon"}, "due_date"),
        ({"amount": D("0.001")}, "amount"),
        ({"amount": None}, "amount"),
        ({"amount": D("92233720368547758.08")}, "amount"),
        ({"amount": D("-92233720368547758.08")}, "amount"),
        ({"currency": ""}, "currency"),
        ({"currency": "x" * 17}, "currency"),
        ({"import_source": "PIGEON"}, "import_source"),
        ({"import_source": "VAT_PURCHASE_INVOICE"}, "import_source"),
        ({"is_paid": "perhaps"}, "is_paid"),
        ({"invoice_number": "x" * 33}, "invoice_number"),
        ({"sender_vat": "x" * 33}, "sender_vat"),
        ({"sender_name": "x" * 129}, "sender_name"),
        ({"sender_bank_account": "x" * 65}, "sender_bank_account"),
        ({"sender_bank_account": "FI49 5000 9420 0287 31"}, "sender_bank_account"),
        ({"sender_bank_account": "FI49 5000 9420 0287"}, "sender_bank_account"),
        ({"sender_bank_bic": "XXXX"}, "sender_bank_bic"),
        ({"sender_bank_bic": "x" * 17}, "sender_bank_bic"),
        ({"receiver_vat": "x" * 33}, "receiver_vat"),
        ({"receiver_name": "x" * 129}, "receiver_name"),
        ({"reference": "x" * 33}, "reference"),
        ({"message": "x" * 141}, "message"),
        ({"message": "nul\0"}, "message"),
        ({"original_attachment": {"name": "a.pdf"}}, "original_attachment"),
        ({"original_attachment": {"id": 10**9}}, "original_attachment"),
        ({"original_attachment": 10**9}, "original_attachment"),
        ({"original_attachment": "x"}, "original_attachment"),
        ({"original_attachment": True}, "original_attachment"),
        ({"document": {"id": 10**9}}, "document"),
        ({"attachments": [10**9]}, "attachments"),
        ({"tag_ids": [10**9]}, "tag_ids"),
    ],
)
def test_a_wrong_invoice_is_refused(invoicing: Books, change: dict[str, Any], field: str) -> None:
    reply = invoicing.send("POST", PATH, BILL | change)
    assert (reply.status, reply.faults) == (400, [field])
    assert invoicing.get(PATH).body["count"] == 0


def test_patch_keeps_and_put_resets_what_is_not_sent(books: Books, invoicing: Books) -> None:
    links = {"attachments": [books.file("a.pdf")], "tag_ids": [books.tag("Oulu")]}
    booked = {"document": {"id": books.document("2026-03-01", "100.20")["id"]}}
    created = invoicing.create(
        PATH, {**BILL, **TEXTS, **links, **booked, "original_attachment": {"id": books.file("o")}}
    )
    changed = invoicing.change(one(created), message=None, id=1, virtuaaliviivakoodi="4", payment_date="2020-01-01")
    assert changed == {**created, "message": None, "original_attachment": changed["original_attachment"]}
    replaced = invoicing.send("PUT", one(created), BILL).body
    assert replaced == {
        **changed, **DEFAULTS, **BILL,
        # read-only on other services, so that a PUT says nothing of them
        "attachments": links["attachments"],
        "document": created["document"],
        "is_deletable": False,
    }  # fmt: skip
    cleared = invoicing.send("PUT", one(created), BILL | {"attachments": [], "document": None}).body
    assert cleared == {**made(created), **DEFAULTS, **BILL}
    refused = invoicing.send("PUT", one(created), {"message": "x"})
    assert (refused.status, refused.faults) == (400, ["invoicing_date", "amount", "import_source"])
    assert invoicing.get(one(created)).body == cleared


# --- payment ---


def test_paying_and_unpaying(shared: World, invoicing: Books) -> None:
    created = invoicing.create(PATH, BILL | {"due_date": "2026-04-01"})
    assert (created["is_past_due"], created["payment_date"]) == (True, None)
    paid = invoicing.change(one(created), is_paid=True)
    assert paid == {**created, "is_paid": True, "is_past_due": False, "payment_date": "2026-04-02"}
    shared.clock.now = datetime(2026, 5, 2, tzinfo=UTC)
    again = invoicing.change(one(created), is_paid=True, message="x")
    assert again == {**paid, "message": "x", "updated_at": again["updated_at"]}
    unpaid = invoicing.change(one(created), is_paid=False)
    assert unpaid == {**created, "message": "x", "updated_at": unpaid["updated_at"]}


@pytest.mark.parametrize(("due", "late"), [("2026-04-01", True), ("2026-04-02", False), (None, False)])
def test_an_invoice_is_late_the_day_after_it_was_due(invoicing: Books, due: str | None, late: bool) -> None:
    assert invoicing.create(PATH, BILL | {"due_date": due, "invoice_number": "A"})["is_past_due"] is late
    assert (numbers(invoicing, is_past_due="true"), numbers(invoicing, is_past_due="false")) == (
        (["A"], []) if late else ([], ["A"])
    )


def test_the_day_is_that_of_the_business(shared: World, invoicing: Books) -> None:
    shared.clock.now = datetime(2026, 4, 2, 21, 30, tzinfo=UTC)  # half past midnight in Helsinki
    late = invoicing.create(PATH, BILL | {"due_date": "2026-04-02", "invoice_number": "A"})
    paid = invoicing.create(PATH, BILL | {"due_date": "2026-04-02", "is_paid": True})
    assert [(one["is_past_due"], one["payment_date"]) for one in (late, paid)] == [(True, None), (False, "2026-04-03")]
    assert numbers(invoicing, is_past_due="true") == ["A"]
    assert invoicing.change(one(late), is_paid=True)["payment_date"] == "2026-04-03"


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "digits"),
    [
        ({}, "449500094200287300001002000000000000001234567907260331"),
        ({"due_date": None}, "449500094200287300001002000000000000001234567907000000"),
        (
            {"reference": "RF09868516259619897", "sender_bank_account": "FI7944052020036082", "amount": D("4883.15")},
            "579440520200360820048831509000000868516259619897260331",
        ),
        ({"sender_bank_account": "DE89370400440532013000"}, None),
        ({"sender_bank_account": "021000021 123456789"}, None),
        ({"sender_bank_account": None}, None),
        ({"reference": None}, None),
        ({"reference": "1234567908"}, None),
        ({"amount": D("999999.99")}, "449500094200287309999999900000000000001234567907260331"),
        ({"amount": D("1000000.00")}, None),
        ({"amount": D("-1.00")}, None),
        ({"currency": "SEK"}, None),
    ],
)
def test_the_barcode_of_the_bank(invoicing: Books, change: dict[str, Any], digits: str | None) -> None:
    invoice = invoicing.create(PATH, {**BILL, **TEXTS, "due_date": "2026-03-31", **change})
    assert invoice["virtuaaliviivakoodi"] == digits


# --- the document that books it ---


def test_a_document_books_an_invoice(books: Books, invoicing: Books) -> None:
    document = books.document("2026-03-01", "100.20")
    invoice = invoicing.create(PATH, BILL)
    linked = invoicing.change(one(invoice), document={"id": document["id"], "number": "ignored"})
    stays = books.get(f"document/{document['id']}/").body
    assert stays == {**document, "is_deletable": False}
    embedded = {name: value for name, value in stays.items() if name not in ("is_deletable", "shortcuts")}
    assert linked == {**invoice, "document": embedded, "is_deletable": False}
    assert books.change(f"document/{document['id']}/", description="x")["is_deletable"] is False
    replaced = books.send("PUT", f"document/{document['id']}/", {}).body
    assert replaced["is_deletable"] is False
    refused = books.send("DELETE", f"document/{document['id']}/")
    assert (refused.status, refused.body["code"]) == (412, "precondition_failed")
    assert invoicing.send("DELETE", one(invoice)).status == 412
    freed = invoicing.change(one(invoice), document=None)
    assert (freed["document"], freed["is_deletable"]) == (None, True)
    assert books.send("DELETE", f"document/{document['id']}/").status == 204


def test_a_copy_of_its_document_books_nothing(books: Books, invoicing: Books) -> None:
    document = books.document("2026-03-01", "100.20")
    invoicing.create(PATH, BILL | {"document": {"id": document["id"]}})
    copied = books.act(f"document/{document['id']}/action/copy/", {})
    assert copied["is_deletable"] is True
    assert books.send("DELETE", f"document/{copied['id']}/").status == 204


@pytest.mark.everywhere
def test_the_document_of_a_sales_invoice_books_no_purchase(books: Books, invoicing: Books) -> None:
    books.change("", invoicing_iban="FI4950009420028730", has_accrual_based_entries_for_invoicing=True)
    address = dict.fromkeys(("invoicing_street", "invoicing_city", "invoicing_postal_code"), "x")
    buyer = books.contact(is_invoicing_enabled=True, invoicing_country="FI", **address)
    row = {"name": "x", "unit": "h", "amount": 1, "vat_rate": 0, "vat_code": 3, "product_count": 1}
    terms = {"receiver": buyer, "invoicing_date": "2026-04-01", "payment_condition_days": 14}
    sold = invoicing.create("invoice/", terms | {"rows": [row]})
    document = invoicing.act(f"invoice/{sold['id']}/actions/accept/")["document"]
    reply = invoicing.send("POST", PATH, BILL | {"document": {"id": document["id"]}})
    told = [f"Document {document['number']} belongs to a sales invoice."]
    assert (reply.status, reply.faults, reply.body["document"]) == (400, ["document"], told)


# --- files ---


@pytest.mark.parametrize("field", ["attachments", "original_attachment"])
def test_a_file_of_an_invoice_stays(books: Books, invoicing: Books, field: str) -> None:
    file = books.file("bill.pdf")
    value: object = [file] if field == "attachments" else {"id": file}
    invoice = invoicing.create(PATH, BILL | {field: value})
    assert books.get(f"files/{file}/").body["is_deletable"] is False
    assert books.get("files/", is_used="true").body["count"] == 1
    assert books.send("DELETE", f"files/{file}/").status == 412
    invoicing.send("DELETE", one(invoice))
    assert books.send("DELETE", f"files/{file}/").status == 204


@pytest.mark.everywhere
def test_a_tag_comes_off_when_it_is_deleted(books: Books, invoicing: Books) -> None:
    tag = books.tag("Oulu")
    invoice = invoicing.create(PATH, BILL | {"tag_ids": [tag]})
    assert books.send("DELETE", f"tags/{tag}/").status == 204
    assert invoicing.get(one(invoice)).body["tag_ids"] == []


# --- the tax of a VAT period ---


def test_the_tax_of_a_period_is_paid_like_any_other(books: Books, invoicing: Books, shared: World) -> None:
    sale = books.sales("1910", [books.row("3000", "125.50", 1, "25.50")])
    books.create("document/", {"date": "2026-02-03", "blueprint": sale})
    period = next(one for one in books.get("vat_period/").body["results"] if one["start_date"] <= "2026-04-02")
    books.change(f"vat_period/{period['id']}/", start_date="2026-02-01", period=0)
    filed = books.act(f"vat_period/{period['id']}/action/report/")
    (debt,) = invoicing.get(PATH).body["results"]
    assert debt["id"] == filed["purchase_invoice_id"]
    assert (debt["amount"], debt["import_source"], debt["is_deletable"]) == (D("25.50"), "VAT_PURCHASE_INVOICE", False)
    assert invoicing.send("DELETE", one(debt)).status == 412
    refused = invoicing.send("PATCH", one(debt), {"import_source": "UPLOAD"})
    assert (refused.status, refused.faults) == (400, ["import_source"])
    paid = invoicing.change(one(debt), is_paid=True, import_source="VAT_PURCHASE_INVOICE")
    assert (paid["is_paid"], paid["payment_date"]) == (True, "2026-04-02")
    assert invoicing.get(PATH, search="nothing").body["count"] == 0


# --- lists ---


@pytest.fixture
def three(shared: World, invoicing: Books) -> list[dict[str, Any]]:
    """A of March, late; B of April, paid yesterday; C of May, changed today and due some day."""
    late = invoicing.create(PATH, {**BILL, **TEXTS, "invoice_number": "A", "due_date": "2026-03-31"})
    shared.clock.now = datetime(2026, 4, 3, 23, 59, 59, tzinfo=UTC)
    fields = {"invoice_number": "B", "invoicing_date": "2026-04-03", "is_paid": True, "import_source": "EMAIL"}
    paid = invoicing.create(PATH, BILL | fields | {"due_date": "2026-04-01", "sender_name": "Straße GmbH"})
    shared.clock.now = datetime(2026, 4, 4, tzinfo=UTC)
    open_ = invoicing.create(PATH, BILL | {"invoice_number": "C", "invoicing_date": "2026-05-01", "reference": "77"})
    return [late, paid, open_]


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, "CBA"),
        ({"search": "STRASSE"}, "B"),
        ({"search": "ääne"}, "A"),
        ({"search": "7907"}, "A"),
        ({"search": "c"}, "C"),
        ({"search": "%"}, ""),
        ({"invoice_number": "B"}, "B"),
        ({"invoice_number": "b"}, ""),
        ({"import_source": "EMAIL"}, "B"),
        ({"is_paid": "true"}, "B"),
        ({"is_paid": "0"}, "CA"),
        ({"is_past_due": "true"}, "A"),
        ({"is_past_due": "false"}, "CB"),
        ({"invoicing_date_gte": "2026-04-03"}, "CB"),
        ({"invoicing_date_lte": "2026-04-03"}, "BA"),
        ({"due_date_gte": "2026-04-01"}, "B"),
        ({"due_date_lte": "2026-04-01"}, "BA"),
        ({"payment_date_gte": "2026-04-03"}, "B"),
        ({"payment_date_lte": "2026-04-02"}, ""),
        ({"created_at_gte": "2026-04-03"}, "CB"),
        ({"created_at_lte": "2026-04-03"}, "BA"),
        ({"updated_at_gte": "2026-04-03", "updated_at_lte": "2026-04-03"}, "B"),
        ({"updated_at_lte": "9999-12-31"}, "CBA"),
        ({"is_paid": "false", "invoicing_date_lte": "2026-04-03"}, "A"),
    ],
)
def test_filters(invoicing: Books, three: list[dict[str, Any]], query: dict[str, str], found: str) -> None:
    assert "".join(numbers(invoicing, **query)) == found


@pytest.mark.everywhere
def test_pages_show_the_newest_first(invoicing: Books, three: list[dict[str, Any]]) -> None:
    page = invoicing.get(PATH, page_size="2").body
    assert (page["count"], page["next"], page["prev"], page["size"]) == (3, 2, None, 2)
    assert page["results"] == three[:0:-1]


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "value"),
    [("is_paid", "yes"), ("is_past_due", "x"), ("import_source", "x"), ("due_date_gte", "1"), ("created_at_lte", "x")],
)
def test_a_filter_of_the_wrong_type_is_refused(invoicing: Books, name: str, value: str) -> None:
    reply = invoicing.get(PATH, **{name: value})
    assert (reply.status, reply.faults) == (400, [name])


@pytest.mark.everywhere
def test_a_search_finds_what_an_invoice_says_now(invoicing: Books) -> None:
    invoice = invoicing.create(PATH, BILL | {"invoice_number": "A", "sender_name": "Meyer"})
    invoicing.change(one(invoice), sender_name="Schulze")
    assert [numbers(invoicing, search=text) for text in ("meyer", "schul", "a")] == [[], ["A"], ["A"]]


def test_every_change_leaves_one_event(
    books: Books, invoicing: Books, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    created = invoicing.create(PATH, BILL)
    oulu, turku = (books.tag(name) for name in ("Oulu", "Turku"))
    changed = invoicing.change(one(created), message="x", attachments=[books.file("a.pdf")], tag_ids=[oulu, turku])
    same = {"message": "x", "attachments": changed["attachments"], "tag_ids": [turku, oulu]}
    assert invoicing.change(one(created), **same) == changed
    assert invoicing.change(one(created)) == changed
    paid = invoicing.change(one(created), is_paid=True, message="y")
    unpaid = invoicing.change(one(created), is_paid=False)
    invoicing.send("PATCH", one(created), {"amount": "much"})
    invoicing.send("DELETE", one(created))
    assert [event for event in events(invoicing) if event[0].startswith("purchase_invoice.")] == [
        ("purchase_invoice.created", created),
        ("purchase_invoice.updated", changed),
        ("purchase_invoice.paid", paid),
        ("purchase_invoice.unpaid", unpaid),
        ("purchase_invoice.deleted", {"id": created["id"]}),
    ]
