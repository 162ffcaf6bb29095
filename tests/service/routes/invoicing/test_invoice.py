"""Drafts of sales invoices over HTTP, on both databases, and what follows from them (docs/interface.md 7.2)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from acctcli.models.invoice import SalesInvoice
from tests.replies import check_reply
from tests.service.actor import World
from tests.service.routes.books import Books
from tests.service.routes.conftest import NOW
from tests.service.routes.shop import COME_TO, EXAMPLES, Shop, row

D = Decimal
RULE = {"frequency": "MONTHLY", "interval": 1}
MADE = ("id", "created_at", "updated_at", "receiver_info", "rows")
DRAFT: dict[str, Any] = {
    "friendly_name": "Draft",
    "contact_person": None,
    "invoice_number": None,
    "invoicing_date": "2026-04-01",
    "payment_condition_days": 14,
    "due_date": "2026-04-15",
    "reference": None,
    "penalty_interest": D("0.00"),
    "currency": "EUR",
    "vat_country": "FI",
    "description": None,
    "is_credit_note_for": None,
    "original_invoice_collection": None,
    "credit_notes": [],
    "pdf": None,
    "xrechnung_ubl_xml": None,
    "rows": [],
    "status": "DRAFT",
    "total_vat_amount": D("0.00"),
    "total_amount": D("0.00"),
    "is_editable": True,
    "is_deletable": True,
    "is_active_recurrence_template": False,
    "is_recurrence_active": False,
    "is_recurrence_end_exceeded": None,
    "is_recurrence_applied": False,
    "is_past_due": False,
    "delivery_method": None,
    "is_sendable": False,
    "last_delivery_at": None,
    "recurrence_rule": None,
    "recurrence_parent_id": None,
    "recurrence_reference_method": None,
    "recurrence_email_subject": None,
    "recurrence_email_content": None,
    "recurrence_end": None,
    "next_recurrences": [],
    "is_registered_to_collector": False,
    "earliest_debt_collection_date": "2026-04-29",
    "attachments": [],
    "settlement_date": None,
    "seller_reference": None,
    "buyer_reference": None,
    "bank_transaction": None,
    "payment_date": None,
    "document": None,
    "is_automatic_debt_collection_enabled": False,
    "automatic_debt_collection_status": "NOT_STARTED",
    "external_status_messages": [],
    "tag_ids": [],
}
REQUIRED = {"invoicing_date": "2026-04-01", "payment_condition_days": 14}


@pytest.fixture
def shop(books: Books) -> Shop:
    return Shop(books)


def made(invoice: dict[str, Any], *names: str) -> dict[str, Any]:
    """What of a reply nobody asked for."""
    return {name: invoice[name] for name in (*MADE, *names)}


def everything(shop: Shop) -> dict[str, Any]:
    """Every field that may be written."""
    return {
        "contact_person": "Aino Koivu",
        "reference": "12345678907",
        "penalty_interest": D("11.50"),
        "description": "Work in March",
        "is_active_recurrence_template": True,
        "delivery_method": "EMAIL",
        "recurrence_rule": {**RULE, "their_own": {"digits": D("1.10"), "text": "x" * 3000}},
        "recurrence_reference_method": "KEEP",
        "recurrence_email_subject": "Invoice",
        "recurrence_email_content": "Dear all,",
        "recurrence_end": "2026-07-15",
        "attachments": [shop.books.file("terms.txt"), shop.books.file("hours.txt")],
        "settlement_date": "2026-04-10",
        "seller_reference": "S-1",
        "buyer_reference": "B-2",
        "is_automatic_debt_collection_enabled": True,
        "tag_ids": [shop.books.tag("Oulu")],
    }


def test_a_draft_has_every_field(shop: Shop) -> None:
    created = shop.draft()
    line = {"code": None, "product": None, "description": None, "account_id": None}
    sums = {"total_vat_amount": D("51.00"), "total_amount": D("251.00")}
    assert created["rows"] == [{**row(), **line, **sums, "id": created["rows"][0]["id"]}]
    assert created == {**DRAFT, **made(created), "receiver": shop.customer, **sums}
    assert created["receiver_info"] == shop.books.get(f"contacts/{shop.customer}/").body
    assert list(created) == list(SalesInvoice.__annotations__)
    check_reply(SalesInvoice, created)
    assert shop.get(created) == created
    assert shop.invoicing.get("invoice/").body["results"] == [created]


def test_a_draft_takes_every_field_that_may_be_written(shop: Shop) -> None:
    fields = everything(shop)
    created = shop.draft(**fields)
    following = ["2026-05-01", "2026-06-01", "2026-07-01"]
    ended = {"is_recurrence_end_exceeded": False, "next_recurrences": following}
    sums = {"total_vat_amount": D("51.00"), "total_amount": D("251.00")}
    assert created == {**DRAFT, **made(created), **fields, **ended, "receiver": shop.customer, **sums}
    check_reply(SalesInvoice, created)


def test_files_keep_the_order_they_are_sent_in_and_tags_that_of_their_ids(shop: Shop) -> None:
    terms, hours = (shop.books.file(name) for name in ("terms.txt", "hours.txt"))
    oulu, turku = (shop.books.tag(name) for name in ("Oulu", "Turku"))
    created = shop.draft(attachments=[hours, terms, hours], tag_ids=[turku, oulu, turku])
    assert (created["attachments"], created["tag_ids"]) == ([hours, terms], [oulu, turku])
    assert shop.get(created) == created
    changed = shop.invoicing.change(f"invoice/{created['id']}/", attachments=[terms, hours])
    assert shop.get(created) == changed == {**created, "attachments": [terms, hours]}


def test_the_sums_of_the_worked_examples(shop: Shop) -> None:
    created = shop.draft(*(row(*example) for example in EXAMPLES))
    sums = [(str(one["total_vat_amount"]), str(one["total_amount"])) for one in created["rows"]]
    assert tuple(sums) == COME_TO
    assert (created["total_vat_amount"], created["total_amount"]) == (D("64.10"), D("374.07"))


def test_prices_and_counts_keep_four_decimals(shop: Shop) -> None:
    created = shop.draft(row("33.3333", "0.125", "0.00", vat_code=6))
    line = created["rows"][0]
    assert (str(line["amount"]), str(line["product_count"]), str(line["total_amount"])) == ("33.3333", "0.125", "4.17")


def test_an_invoice_may_be_empty_while_it_is_a_draft(shop: Shop) -> None:
    created = shop.invoicing.create("invoice/", {"receiver": shop.customer, **REQUIRED})
    assert created == {**DRAFT, **made(created), "receiver": shop.customer}


def test_interest_is_that_of_the_business_unless_it_is_sent(shop: Shop) -> None:
    shop.books.change("", invoicing_default_penalty_interest=D("9.50"))
    created = shop.draft()
    assert created["penalty_interest"] == D("9.50")
    assert shop.draft(penalty_interest=None)["penalty_interest"] == D("9.50")
    path = f"invoice/{created['id']}/"
    assert shop.invoicing.change(path, penalty_interest=0)["penalty_interest"] == D("0.00")
    assert shop.invoicing.change(path, description="x")["penalty_interest"] == D("0.00")
    assert shop.invoicing.send("PUT", path, shop.body()).body["penalty_interest"] == D("9.50")


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"receiver": None}, "receiver"),
        ({"receiver": 999_999}, "receiver"),
        ({"invoicing_date": "2026-02-30"}, "invoicing_date"),
        ({"payment_condition_days": -1}, "payment_condition_days"),
        ({"payment_condition_days": 1000}, "payment_condition_days"),
        ({"invoicing_date": "9999-12-31"}, "payment_condition_days"),
        ({"contact_person": "x" * 65}, "contact_person"),
        ({"description": "x" * 513}, "description"),
        ({"reference": "12345"}, "reference"),
        ({"reference": "abc"}, "reference"),
        ({"reference": "RF001232"}, "reference"),
        ({"reference": "1" * 21}, "reference"),
        ({"penalty_interest": -1}, "penalty_interest"),
        ({"status": "ACCEPTED"}, "status"),
        ({"delivery_method": "PIGEON"}, "delivery_method"),
        ({"recurrence_rule": {"frequency": "HOURLY", "interval": 1}}, "recurrence_rule"),
        ({"recurrence_rule": {"frequency": "DAILY", "interval": 0}}, "recurrence_rule"),
        ({"recurrence_rule": {"rrule": "FREQ=DAILY"}, "is_active_recurrence_template": True}, "recurrence_rule"),
        ({"recurrence_rule": "daily"}, "recurrence_rule"),
        ({"recurrence_rule": {"their_own": "x" * 4096}}, "recurrence_rule"),
        ({"is_active_recurrence_template": True}, "recurrence_rule"),
        ({"recurrence_reference_method": "TOSS"}, "recurrence_reference_method"),
        ({"recurrence_end": "never"}, "recurrence_end"),
        ({"attachments": [999_999]}, "attachments"),
        ({"tag_ids": [999_999]}, "tag_ids"),
        ({"is_credit_note_for": 999_999}, "is_credit_note_for"),
        ({"seller_reference": "x" * 33}, "seller_reference"),
        ({"rows": None}, "rows"),
    ],
)
def test_a_wrong_invoice_is_refused(shop: Shop, change: dict[str, Any], field: str) -> None:
    reply = shop.invoicing.send("POST", "invoice/", shop.body(**change))
    assert (reply.status, reply.faults) == (400, [field])
    assert shop.listed() == []


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"unit": None}, "unit"),
        ({"unit": "x" * 9}, "unit"),
        ({"amount": D("0.00001")}, "amount"),
        ({"amount": D("100000000000000")}, "amount"),
        ({"amount": D("99999999999999"), "product_count": D("99999999999999")}, "amount"),
        ({"vat_rate": D("-1")}, "vat_rate"),
        ({"vat_code": 2}, "vat_code"),
        ({"vat_code": 8}, "vat_code"),
        ({"product_count": "many"}, "product_count"),
        ({"product": 999_999}, "product"),
        ({"account_id": 999_999}, "account_id"),
        ({"code": "x" * 26}, "code"),
        ({"description": "x" * 129}, "description"),
    ],
)
def test_a_wrong_row_is_refused_in_its_place(shop: Shop, change: dict[str, Any], field: str) -> None:
    reply = shop.invoicing.send("POST", "invoice/", shop.body(row(), row() | change))
    assert (reply.status, reply.faults) == (400, ["rows"])
    good, bad = reply.body["rows"]
    assert (good, list(bad)) == ({}, [field])
    assert shop.listed() == []


@pytest.mark.together
@pytest.mark.parametrize("sign", [1, -1])
def test_neither_side_of_the_books_overflows(shop: Shop, sign: int) -> None:
    """What the rows come to would fit, but not what they give and take."""
    shop.keep_accruals()
    rows = [row("90000000000000", str(count * sign), "0.00") for count in (1000, 1000, -1000)]
    reply = shop.invoicing.send("POST", "invoice/", shop.body(*rows))
    assert (reply.status, reply.body["rows"]) == (400, ["The sum is beyond what the books can hold."])
    assert shop.accepted(*rows[1:])["total_amount"] == 0


@pytest.mark.together
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("123453", "123453"),
        ("0001 2345 3", "123453"),
        ("12345678907", "12345678907"),
        ("rf111232", "RF111232"),
        ("RF48 2026 17", "RF48202617"),
        # of no Finnish reference, as ISO 11649 has them
        ("RF18 5390 0754 7034", "RF18539007547034"),
        ("", None),
        (None, None),
    ],
)
def test_a_reference_is_checked_and_kept_without_blanks(shop: Shop, sent: str | None, kept: str | None) -> None:
    assert shop.draft(reference=sent)["reference"] == kept


@pytest.mark.everywhere
def test_patch_keeps_and_put_resets_what_is_not_sent(shop: Shop) -> None:
    created = shop.draft(**everything(shop))
    path = f"invoice/{created['id']}/"
    changed = shop.invoicing.change(
        path, description=None, tag_ids=[], status="DRAFT", due_date="2030-01-01", invoice_number=9, id=7
    )
    assert changed == {**created, "description": None, "tag_ids": []}
    later = shop.invoicing.change(path, payment_condition_days=30)
    assert later == {
        **changed,
        "payment_condition_days": 30,
        "due_date": "2026-05-01",
        "earliest_debt_collection_date": "2026-05-15",
    }
    replaced = shop.invoicing.send("PUT", path, {"receiver": shop.customer, **REQUIRED}).body
    assert replaced == {**DRAFT, **made(replaced), "receiver": shop.customer, "rows": []}
    assert shop.get(created) == replaced
    refused = shop.invoicing.send("PUT", path, {"receiver": shop.customer})
    assert (refused.status, refused.faults) == (400, ["invoicing_date", "payment_condition_days"])


def test_rows_are_replaced_as_a_whole_and_kept_when_not_sent(shop: Shop) -> None:
    created = shop.draft(row(name="First"), row(name="Second"))
    path = f"invoice/{created['id']}/"
    assert shop.invoicing.change(path, description="x")["rows"] == created["rows"]
    changed = shop.invoicing.change(path, rows=[row(name="Third", count="1")])
    assert [one["name"] for one in changed["rows"]] == ["Third"]
    assert changed["rows"][0]["id"] not in {one["id"] for one in created["rows"]}
    assert changed["total_amount"] == D("125.50")
    emptied = shop.invoicing.change(path, rows=[])
    assert (emptied["rows"], emptied["total_vat_amount"], emptied["total_amount"]) == ([], D("0.00"), D("0.00"))


def test_a_draft_can_be_deleted(shop: Shop) -> None:
    created = shop.draft(attachments=[shop.books.file("terms.txt")], tag_ids=[shop.books.tag("Oulu")])
    path = f"invoice/{created['id']}/"
    reply = shop.invoicing.send("DELETE", path)
    assert (reply.status, reply.raw) == (204, b"")
    assert shop.invoicing.get(path).status == 404
    assert shop.listed() == []


def test_every_change_leaves_one_event(shop: Shop, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    created = shop.draft()
    path = f"invoice/{created['id']}/"
    changed = shop.invoicing.change(path, description="x")
    shop.invoicing.send("PATCH", path, {"receiver": 999_999})
    deleted = shop.draft()
    shop.invoicing.send("DELETE", f"invoice/{deleted['id']}/")
    accepted = shop.act(created, "accept")
    shop.act(created, "accept")
    paid = shop.act(created, "paid")
    opened = shop.act(created, "unpaid")
    lost = shop.act(created, "credit_loss")
    shop.try_act(created, "paid")
    assert [event for event in events(shop.books) if event[0].startswith("sales_invoice.")] == [
        ("sales_invoice.created", created),
        ("sales_invoice.updated", changed),
        ("sales_invoice.created", deleted),
        ("sales_invoice.deleted", {"id": deleted["id"]}),
        ("sales_invoice.accepted", accepted),
        ("sales_invoice.paid", paid),
        ("sales_invoice.unpaid", opened),
        ("sales_invoice.credit_loss", lost),
    ]


# --- what invoices hold on to ---


def test_a_receiver_with_invoices_stays(shop: Shop) -> None:
    created = shop.draft()
    path = f"contacts/{shop.customer}/"
    reply = shop.books.send("DELETE", path)
    text = "Invoices are made out to the contact Birch Oy."
    assert (reply.status, reply.body) == (412, {"code": "precondition_failed", "detail": text})
    shop.invoicing.send("DELETE", f"invoice/{created['id']}/")
    assert shop.books.send("DELETE", path).status == 204


def test_a_file_of_an_invoice_stays(shop: Shop) -> None:
    file_id = shop.books.file("terms.txt")
    created = shop.draft(attachments=[file_id])
    assert shop.books.get(f"files/{file_id}/").body["is_deletable"] is False
    assert shop.books.send("DELETE", f"files/{file_id}/").status == 412
    shop.invoicing.change(f"invoice/{created['id']}/", attachments=[])
    assert shop.books.send("DELETE", f"files/{file_id}/").status == 204


def test_an_account_of_a_row_stays(shop: Shop) -> None:
    account_id = shop.books.ids["3390"]
    shop.draft(row(account_id=account_id))
    assert shop.books.send("DELETE", f"account/{account_id}/").status == 412


def test_a_tag_that_is_deleted_comes_off(shop: Shop) -> None:
    tag_id = shop.books.tag("Oulu")
    created = shop.draft(tag_ids=[tag_id])
    assert shop.books.send("DELETE", f"tags/{tag_id}/").status == 204
    assert shop.get(created)["tag_ids"] == []


def test_a_business_goes_with_its_invoices(shop: Shop) -> None:
    shop.keep_accruals()
    shop.act(shop.accepted(attachments=[shop.books.file("terms.txt")]), "paid")
    assert shop.books.send("DELETE", "").status == 204


# --- recurrence ---


def test_a_template_tells_the_days_to_come(shop: Shop) -> None:
    created = shop.draft(
        invoicing_date="2026-01-31", is_active_recurrence_template=True, recurrence_rule={**RULE, "interval": 1}
    )
    days = ["2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31"]
    assert (created["next_recurrences"], created["is_recurrence_active"]) == (days, False)
    accepted = shop.act(created, "accept")
    assert (accepted["next_recurrences"], accepted["is_recurrence_active"]) == (days, True)
    stopped = shop.act(created, "disable_recurrence")
    ended = {"is_active_recurrence_template": False, "is_recurrence_active": False, "next_recurrences": []}
    assert stopped == {**accepted, **ended}
    assert shop.act(created, "disable_recurrence") == stopped


@pytest.mark.parametrize(
    ("moment", "following"), [("2026-04-30T20:59", "2026-05-01"), ("2026-04-30T21:00", "2026-06-01")]
)
def test_what_is_made_today_is_to_come_no_more(shop: Shop, shared: World, moment: str, following: str) -> None:
    created = shop.draft(is_active_recurrence_template=True, recurrence_rule=RULE)
    shared.clock.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert shop.get(created)["next_recurrences"][0] == following


def test_a_template_that_is_stopped_was_changed_then_and_not_by_stopping_it_again(
    shop: Shop, shared: World, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    accepted = shop.accepted(is_active_recurrence_template=True, recurrence_rule=RULE)
    for minute in (5, 10):
        shared.clock.now = NOW + timedelta(minutes=minute)
        stopped = shop.act(accepted, "disable_recurrence")
        assert stopped == shop.get(accepted)
        assert (stopped["created_at"], stopped["updated_at"]) == (
            "2026-04-02T10:00:00.000000Z",
            "2026-04-02T10:05:00.000000Z",
        )
    assert [type_ for type_, _ in events(shop.books)[-2:]] == [
        "sales_invoice.accepted",
        "sales_invoice.recurrence_disabled",
    ]


def test_an_end_that_is_over_ends_a_recurrence(shop: Shop) -> None:
    fields = {"is_active_recurrence_template": True, "recurrence_rule": RULE, "recurrence_end": "2026-04-01"}
    accepted = shop.accepted(invoicing_date="2026-01-31", **fields)
    shown = ("is_active_recurrence_template", "is_recurrence_active", "is_recurrence_end_exceeded", "next_recurrences")
    assert [accepted[name] for name in shown] == [True, False, True, []]


def test_keys_of_others_in_a_rule_come_back_as_they_were(shop: Shop) -> None:
    rule = {**RULE, "days": [1, D("2.50"), None], "frequency": "WEEKLY"}
    created = shop.draft(recurrence_rule=rule)
    assert created["recurrence_rule"] == rule
    assert shop.invoicing.change(f"invoice/{created['id']}/", recurrence_rule=None)["recurrence_rule"] is None


def test_a_rule_of_others_is_kept_but_makes_no_template(shop: Shop) -> None:
    rule = {"rrule": "FREQ=MONTHLY", "weights": [D("1.10")]}
    created = shop.draft(recurrence_rule=rule)
    assert created["recurrence_rule"] == rule
    path = f"invoice/{created['id']}/"
    reply = shop.invoicing.send("PATCH", path, {"is_active_recurrence_template": True})
    needed = ["The rule of a template needs a frequency."]
    assert (reply.status, reply.body["recurrence_rule"]) == (400, {"frequency": needed})
    monthly = {"frequency": "MONTHLY"}
    made = shop.invoicing.change(path, is_active_recurrence_template=True, recurrence_rule=monthly)
    assert (made["recurrence_rule"], len(made["next_recurrences"])) == (monthly, 5)


# --- delivery, messages ---


@pytest.mark.together
@pytest.mark.parametrize(
    ("fields", "available"),
    [
        ({}, ["PAPER"]),
        ({"invoicing_email": "a@example.com"}, ["EMAIL", "PAPER"]),
        ({"invoicing_electronic_address": "0037"}, ["EINVOICE", "PAPER"]),
        (
            {"invoicing_email": "a@example.com", "xrechnung_buyer_reference": "PO-1"},
            ["EMAIL", "PAPER", "EMAIL_XRECHNUNG"],
        ),
        ({"invoicing_electronic_address": "0037", "type": "PERSON"}, ["ELASKU", "PAPER"]),
        ({"is_invoicing_enabled": False, "invoicing_email": "a@example.com"}, []),
    ],
)
def test_the_ways_to_deliver_are_those_of_the_receiver(
    shop: Shop, fields: dict[str, Any], available: list[str]
) -> None:
    created = shop.draft(receiver=shop.new_customer("Meyer", **fields))
    labels = {"EMAIL": "Email", "EINVOICE": "E-invoice", "ELASKU": "Consumer e-invoice", "PAPER": "Paper"}
    labels["EMAIL_XRECHNUNG"] = "Email with an XRechnung"
    assert shop.invoicing.get(f"invoice/{created['id']}/delivery_methods/").body == [
        {"value": value, "label": label, "is_available": value in available} for value, label in labels.items()
    ]


def test_other_systems_leave_messages(shop: Shop, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    accepted = shop.accepted()
    path = f"invoice/{accepted['id']}/status_messages/"
    first, second = (shop.invoicing.create(path, {"message": text}) for text in ("Seen", "Paid"))
    assert first == {"id": first["id"], "message": "Seen"}
    assert shop.get(accepted) == {**accepted, "external_status_messages": [first, second]}
    reply = shop.invoicing.send("DELETE", f"{path}{first['id']}/")
    assert (reply.status, reply.raw) == (204, b"")
    left = shop.get(accepted)
    assert left["external_status_messages"] == [second]
    assert events(shop.books)[-1] == ("sales_invoice.updated", left)
    assert shop.invoicing.send("DELETE", f"{path}{first['id']}/").status == 404
    for wrong in ({}, {"message": ""}, {"message": "x" * 1025}):
        refused = shop.invoicing.send("POST", path, wrong)
        assert (refused.status, refused.faults) == (400, ["message"])


def test_a_message_is_deleted_at_its_own_invoice_only(shop: Shop) -> None:
    invoice, other = shop.accepted(), shop.accepted()
    message = shop.invoicing.create(f"invoice/{invoice['id']}/status_messages/", {"message": "Seen"})
    reply = shop.invoicing.send("DELETE", f"invoice/{other['id']}/status_messages/{message['id']}/")
    assert (reply.status, reply.body["code"]) == (404, "not_found")
    assert (shop.get(invoice)["external_status_messages"], shop.get(other)) == ([message], other)
