"""`acctcli invoice pay`, `refund`, `set-off`: what they send, and what they say when they are stopped."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, page, recorder, said

INVOICES, BOOKS = "/v1/invoicing/demo/invoice/", "/v1/business/demo/"


def invoice(number: int, claim: int | None, total: str = "125.50", **fields: Any) -> dict[str, Any]:
    rows = [{"account_number": "1700", "is_debet": not total.startswith("-"), "amount": float(total.lstrip("-"))}]
    document = {
        "id": claim, "date": "2026-03-01", "balance": 0, "entry_ui_rows": rows, "relations": [],
        "blueprint": {"debet_account_id": 17}, "is_draft": False,
    }  # fmt: skip
    return {
        "id": number, "receiver": 5, "receiver_info": {"name": "Meyer"}, "due_date": "2026-03-15", "status": "ACCEPTED",
        "total_amount": float(total), "friendly_name": f"Invoice {number}", "invoicing_date": "2026-03-01",
        "payment_date": None, "is_credit_note_for": None, "credit_notes": [], "document": claim and document, **fields,
    }  # fmt: skip


class Service:
    """A service that has invoices, takes documents and relations, and may refuse a relation."""

    def __init__(self, *invoices: dict[str, Any], refuses: int | None = None) -> None:
        self.invoices = {one["id"]: one for one in invoices}
        self.refuses = refuses

    def __call__(self, sent: Sent) -> Answer:
        path, _, _ = sent.path.partition("?")
        if sent.method == "POST" and path == f"{BOOKS}document/":
            return said({"id": 90, "number": "260309-1"}, 201)
        if path.endswith("/actions/paid/"):
            return said(self.invoices[int(path.split("/")[-4])])
        if sent.method == "POST":
            refused = json.loads(sent.body)["related_document"] == self.refuses
            return said({"code": "locked", "detail": "It is locked."}, 423) if refused else said({"id": 1}, 201)
        if path.startswith(INVOICES) and path != INVOICES:
            return said(self.invoices[int(path[len(INVOICES) :].strip("/"))])
        if path == BOOKS:
            return said({"id": 1, "slug": "demo", "account_cash_payment": 2})
        if path == f"{BOOKS}account/":
            money = [{"id": 2, "number": "1900", "type": "ASS_PAY"}, {"id": 3, "number": "1910", "type": "ASS_PAY"}]
            return page(*money, {"id": 17, "number": "1700", "type": "ASS_DUE"})
        return page()


def writes(sent: list[Sent]) -> list[tuple[str, str, Any]]:
    return [(one.method, one.path, json.loads(one.body)) for one in sent if one.method != "GET"]


PAID = ("--date", "2026-03-09", "--json")


def test_a_payment_is_a_document_and_a_relation_of_the_interface(cli: Cli, at: At) -> None:
    with recorder(Service(invoice(7, 70), invoice(8, 80, "100.00"))) as server:
        at(server)
        succeed(cli("invoice", "pay", "7", "8", *PAID, "--idempotency-key", "k"))
        sent = [one for one in server.sent if one.method != "GET"]
        document = {
            "date": "2026-03-09",
            "description": "Payment: Invoice 7, Invoice 8",
            "contact_id": 5,
            "blueprint": {
                "debet_account_id": 3,
                "credit_entries": [
                    {"account_id": 17, "description": "Invoice 7", "vat_code": 3, "amount": 125.5},
                    {"account_id": 17, "description": "Invoice 8", "vat_code": 3, "amount": 100.0},
                ],
            },
        }
        assert writes(server.sent) == [
            ("POST", f"{BOOKS}document/", document),
            ("POST", f"{BOOKS}document/90/relation/", {"related_document": 70, "role": "SETTLEMENT"}),
            ("POST", f"{BOOKS}document/90/relation/", {"related_document": 80, "role": "SETTLEMENT"}),
        ]
        keys = [one.headers["idempotency-key"] for one in sent]
        assert len(set(keys)) == 3
        del server.sent[:]
        succeed(cli("invoice", "pay", "7", "8", *PAID, "--idempotency-key", "k"))
        assert [one.headers["idempotency-key"] for one in server.sent if one.method != "GET"] == keys


def test_an_amount_is_shared_out_as_the_books_settle_it_the_oldest_first(cli: Cli, at: At) -> None:
    with recorder(Service(invoice(7, 70), invoice(8, 80, "100.00"))) as server:
        at(server)
        succeed(cli("invoice", "pay", "8", "7", *PAID, "--amount", "150.00", "--account", "1900"))
        (_, _, document), *_ = writes(server.sent)
    assert document["blueprint"]["debet_account_id"] == 2
    assert [row["amount"] for row in document["blueprint"]["credit_entries"]] == [125.5, 24.5]


def test_what_a_letter_of_several_invoices_asked_for_pays_none_of_them(cli: Cli, at: At) -> None:
    def reminded(told: str) -> dict[str, Any]:
        return {"external_status_messages": [{"message": f"Reminder 1 of 2026-03-20 by paper, to pay by {told}"}]}

    first = reminded("2026-04-03: 125.50 open, 1.20 interest, 0.00 fees, 40.00 lump sum (file 4)")
    second = reminded("2026-04-03: 100.00 open, 0.95 interest, 0.00 fees, 40.00 lump sum (file 4)")
    with recorder(Service(invoice(7, 70, **first), invoice(8, 80, "100.00", **second))) as server:
        at(server)
        outcome = cli("invoice", "pay", "7", "8", "--date", "2026-03-29", "--amount", "307.65")
        assert (outcome.code, writes(server.sent)) == (2, [])
    assert outcome.err.startswith(
        "error: this is 82.15 more than is open, which Reminder 1 of 2026-03-20 asked for: 2.15 interest, 80.00 fees or"
    )


def test_a_refund_goes_the_other_way(cli: Cli, at: At) -> None:
    with recorder(Service(invoice(9, 70, "-30.00"))) as server:
        at(server)
        succeed(cli("invoice", "refund", "9", *PAID))
        (_, _, document), relation = writes(server.sent)
    assert (document["description"], document["blueprint"]) == (
        "Refund: Invoice 9",
        {
            "credit_account_id": 3,
            "debet_entries": [{"account_id": 17, "description": "Invoice 9", "vat_code": 3, "amount": 30.0}],
        },
    )
    assert relation[2]["related_document"] == 70


def test_what_was_done_before_it_stopped_is_named(cli: Cli, at: At) -> None:
    with recorder(Service(invoice(7, 70), invoice(8, 80), refuses=80)) as server:
        at(server)
        outcome = cli("invoice", "pay", "7", "8", "--date", "2026-03-09", "--idempotency-key", "k")
    assert outcome.code == 8
    assert "document 260309-1 is posted, but not related to Invoice 8 yet: It is locked." in outcome.err
    assert "acctcli document relation create 90 --related 80 --role settlement" in outcome.err
    assert "--idempotency-key k" in outcome.err


def test_what_cannot_be_paid_sends_nothing(cli: Cli, at: At) -> None:
    refusals = (
        (invoice(7, None, status="DRAFT"), (), "is a draft", "acctcli invoice accept 7"),
        (
            invoice(9, None, friendly_name="Invoice 7"),
            ("--date", "2026-03-09"),
            "Invoice 7 (id 9) is not in the books: on payment basis testing posts the sale whole",
            "acctcli invoice paid 9",
        ),
        (invoice(7, None), ("--amount", "10"), "is not in the books", "other days and parts need books by claims"),
        (invoice(7, None), ("--amount", "126"), "has 125.50 open", "acctcli document create"),
        (invoice(7, None, status="PAID"), (), "it is PAID, and nothing in the books claims it", ""),
        (invoice(7, 70, "-30.00"), (), "it cannot be paid", "acctcli invoice refund 7"),
        (invoice(7, 70, status="PAID"), (), "nothing is open", "acctcli invoice get 7"),
        (invoice(7, 70), ("--amount", "0"), "write an amount above zero", ""),
        (invoice(7, 70), ("--amount", "1.005"), "at most 2 decimals", ""),
    )
    for found, options, reason, hint in refusals:
        with recorder(Service(found)) as server:
            at(server)
            outcome = cli("invoice", "pay", str(found["id"]), *options)
            assert (outcome.code, reason in outcome.err, hint in outcome.err) == (2, True, True), outcome.err
            assert writes(server.sent) == []


def test_a_sale_that_is_not_in_the_books_is_paid_whole_and_today_by_every_service(cli: Cli, at: At) -> None:
    for words in ((), ("--amount", "125.50"), ("--date", "today")):
        with recorder(Service(invoice(7, None))) as server:
            at(server)
            succeed(cli("invoice", "pay", "7", *words, "--json", "--idempotency-key", "k"))
            [sent] = [one for one in server.sent if one.method != "GET"]
        assert (sent.path, sent.body, sent.headers["idempotency-key"]) == (f"{INVOICES}7/actions/paid/", b"", "k")


def test_what_is_open_of_such_a_sale_is_less_by_what_was_paid(cli: Cli, at: At) -> None:
    part = {"date": "2026-03-20", "balance": 25.5, "description": "Invoice 7"}
    mirror = {"date": "2026-03-21", "balance": -25.5, "description": "Reversal of 260320-1"}
    others = [{**mirror, "balance": -50, "description": "Credit note 8"}, {**mirror, "balance": -3.5}]
    summaries = enumerate((part, mirror, *others), 61)
    related = [{"related_document": number, "related_document_summary": one} for number, one in summaries]
    document = {"id": 60, "date": "2026-03-10", "balance": 50, "blueprint": {}, "relations": related}
    found = invoice(7, None, document=document)
    with recorder(Service(found)) as server:
        at(server)
        told = succeed(cli("invoice", "pay", "7", "--json")).err
        assert "75.50 of Invoice 7 (id 7) is paid" in told
        assert "has 75.50 open" in cli("invoice", "pay", "7", "--amount", "75.51").err


def test_nothing_is_set_off_against_what_was_paid(cli: Cli, at: At) -> None:
    with recorder(Service(invoice(7, 70, "0.00"), invoice(9, 80, "-30.00"))) as server:
        at(server)
        outcome = cli("invoice", "set-off", "9", "7")
        assert (outcome.code, "there is nothing to set off" in outcome.err, writes(server.sent)) == (2, True, [])


def test_they_can_be_rehearsed(cli: Cli, at: At) -> None:
    with recorder(Service(invoice(7, 70), invoice(9, 80, "-30.00"))) as server:
        at(server)
        plans = [
            succeed(cli(*words, "--dry-run", "--json")).json()["path"]
            for words in (("invoice", "pay", "7"), ("invoice", "refund", "9"), ("invoice", "set-off", "9", "7"))
        ]
        assert writes(server.sent) == []
    assert plans == [f"{BOOKS}document/", f"{BOOKS}document/", f"{BOOKS}document/80/relation/"]


def test_a_payment_from_before_its_invoice_is_noted(cli: Cli, at: At) -> None:
    with recorder(Service(invoice(9, 70, friendly_name="Invoice 7"))) as server:
        at(server)
        early = succeed(cli("invoice", "pay", "9", "--date", "2026-02-28", "--json"))
        same = succeed(cli("invoice", "pay", "9", "--date", "2026-03-01", "--json"))
    assert "note: 2026-02-28 is before Invoice 7 (id 9), which is of 2026-03-01" in early.err
    assert "is before" not in same.err
