"""`acctcli purchase post` and `pay`: what they send, and what they say when they are stopped or have nothing to do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, page, recorder, said

BILLS, BOOKS = "/v1/invoicing/demo/purchase_invoice/", "/v1/business/demo/"
ACCOUNTS = (
    {"id": 2, "number": "1900", "type": "ASS_PAY"},
    {"id": 3, "number": "1910", "type": "ASS_PAY"},
    {"id": 7, "number": "2871", "type": "LIA_DUE"},
    {"id": 8, "number": "1763", "type": "ASS_VAT"},
    {"id": 11, "number": "2939", "type": "LIA_VAT"},
    {"id": 9, "number": "4000", "type": "EXP", "default_vat_code": 2, "default_vat_rate_label": "standard"},
)


def bill(**fields: Any) -> dict[str, Any]:
    return {
        "id": 4, "invoicing_date": "2026-03-02", "amount": 125.5, "currency": "EUR", "sender_name": "Paperi Oy",
        "invoice_number": "A-7", "is_paid": False, "document": None, "original_attachment": {"id": 5},
        "attachments": [6, 5], "tag_ids": [8], **fields,
    }  # fmt: skip


def debt(amount: str = "125.50", account: str = "2871", **fields: Any) -> dict[str, Any]:
    """Return the document that books a bill."""
    rows = [{"account_number": account, "is_debet": False, "amount": float(amount)}]
    return {
        "id": 70, "number": "260302-1", "date": "2026-03-02", "balance": 0, "entry_ui_rows": rows, "relations": [],
        "blueprint": {"credit_account_id": 7 if account == "2871" else 3}, "is_draft": False, **fields,
    }  # fmt: skip


class Service:
    """A service that has one purchase invoice, takes documents and relations, and may refuse some."""

    def __init__(self, found: dict[str, Any], *documents: dict[str, Any], refuses: str = "-") -> None:
        self.bill, self.documents, self.refuses = found, documents, refuses

    def __call__(self, sent: Sent) -> Answer:
        path, _, _ = sent.path.partition("?")
        if sent.method != "GET" and path.endswith(self.refuses):
            return said({"code": "locked", "detail": "It is locked."}, 423)
        if path == f"{BOOKS}document/":
            return said({"id": 90, "number": "260309-1"}, 201) if sent.method == "POST" else page(*self.documents)
        if path == f"{BILLS}4/":
            return said(self.bill | (json.loads(sent.body) if sent.method == "PATCH" else {}))
        if path == BILLS:
            return page(self.bill)
        if path == BOOKS:
            roles = {"account_payables": 7, "account_vat_receivables": 8, "account_vat_liabilities": 11}
            return said({"id": 1, "slug": "demo", "country": "FI", "account_cash_payment": 2, **roles})
        if path == f"{BOOKS}account/":
            return page(*ACCOUNTS)
        if path.endswith("/vat_period/"):
            return page()
        if path.endswith("/vat_rates/"):
            return said({"vat_rate_options": [{"label": "standard", "rate": 25.5}]})
        return page() if sent.method == "GET" else said({"id": 1}, 201)


def writes(sent: list[Sent]) -> list[tuple[str, str, Any]]:
    return [(one.method, one.path, json.loads(one.body)) for one in sent if one.method != "GET"]


def test_a_bill_is_posted_with_its_files_and_names_the_document(cli: Cli, at: At) -> None:
    with recorder(Service(bill())) as server:
        at(server)
        succeed(cli("purchase", "post", "4", "--account", "4000", "--json", "--idempotency-key", "k"))
        keys = [one.headers.get("idempotency-key") for one in server.sent if one.method == "POST"]
        document = {
            "date": "2026-03-02",
            "description": "Purchase invoice 4: Paperi Oy A-7",
            "attachment_ids": [5, 6],
            "tag_ids": [8],
            "blueprint": {
                "credit_account_id": 7,
                "debet_entries": [{"account_id": 9, "vat_code": 2, "vat_rate": 25.5, "amount": 125.5}],
            },
        }
        assert writes(server.sent) == [
            ("POST", f"{BOOKS}document/", document),
            ("PATCH", f"{BILLS}4/", {"document": {"id": 90}}),
        ]
        del server.sent[:]
        succeed(cli("purchase", "post", "4", "--account", "4000", "--json", "--idempotency-key", "k"))
        assert [one.headers.get("idempotency-key") for one in server.sent if one.method == "POST"] == keys


def test_what_was_posted_before_the_command_was_stopped_is_not_posted_again(cli: Cli, at: At) -> None:
    before = {"id": 60, "number": "260302-9", "description": "Purchase invoice 4: Paperi Oy A-7"}
    with recorder(Service(bill(), before)) as server:
        at(server)
        assert "document 260302-9 was posted before" in succeed(cli("purchase", "post", "4", "--account", "4000")).err
        assert writes(server.sent) == [("PATCH", f"{BILLS}4/", {"document": {"id": 60}})]


def test_the_day_the_amount_and_several_accounts(cli: Cli, at: At) -> None:
    costs = ("--account", "4000:100@2/25.5", "--account", "4000:20@3=Freight")
    with recorder(Service(bill())) as server:
        at(server)
        succeed(cli("purchase", "post", "4", *costs, "--amount", "120", "--date", "2026-03-05"))
        (_, _, document), _ = writes(server.sent)
    rows = [(row["vat_code"], row["amount"], row.get("description")) for row in document["blueprint"]["debet_entries"]]
    assert (document["date"], rows) == ("2026-03-05", [(2, 100.0, None), (3, 20.0, "Freight")])


@pytest.mark.together
@pytest.mark.parametrize(
    ("found", "words", "reason"),
    [
        (bill(document=debt()), (), "document 260302-1 books purchase invoice 4 already"),
        (bill(currency="SEK"), (), "is in SEK: documents are in EUR"),
        (bill(), ("--account", "4000:5@3"), "--account 4000 has no amount"),
        (bill(), ("--amount", "0"), "write an amount above zero"),
    ],
)
def test_what_cannot_be_posted_sends_nothing(
    cli: Cli, at: At, found: dict[str, Any], words: tuple[str, ...], reason: str
) -> None:
    with recorder(Service(found)) as server:
        at(server)
        outcome = cli("purchase", "post", "4", "--account", "4000", *words)
        assert (outcome.code, reason in outcome.err, writes(server.sent)) == (2, True, []), outcome.err


def test_accounts_come_to_what_the_bill_says(cli: Cli, at: At) -> None:
    with recorder(Service(bill())) as server:
        at(server)
        outcome = cli("purchase", "post", "4", "--account", "4000:100+vat@2/25.5", "--account", "4000:1@3")
        assert (outcome.code, writes(server.sent)) == (2, [])
    assert "the accounts come to 126.50 with VAT, and the invoice to 125.5" in outcome.err
    assert "--amount 126.50" in outcome.err


def test_a_bill_that_cannot_name_its_document_says_so(cli: Cli, at: At) -> None:
    with recorder(Service(bill(), refuses="/purchase_invoice/4/")) as server:
        at(server)
        outcome = cli("purchase", "post", "4", "--account", "4000")
    assert outcome.code == 8
    assert "document 260309-1 is posted, but does not book the invoice yet: It is locked." in outcome.err
    assert "acctcli purchase update 4 --document 90" in outcome.err


def test_a_payment_is_a_document_and_a_relation_and_then_the_bill_is_paid(cli: Cli, at: At) -> None:
    with recorder(Service(bill(document=debt()))) as server:
        at(server)
        succeed(cli("purchase", "pay", "4", "--date", "2026-03-09", "--json"))
        title = "Payment: Paperi Oy A-7"
        row = {"account_id": 7, "description": title, "vat_code": 3, "amount": 125.5}
        blueprint = {"credit_account_id": 3, "debet_entries": [row]}
        assert writes(server.sent) == [
            ("POST", f"{BOOKS}document/", {"date": "2026-03-09", "description": title, "blueprint": blueprint}),
            ("POST", f"{BOOKS}document/90/relation/", {"related_document": 70, "role": "SETTLEMENT"}),
            ("PATCH", f"{BILLS}4/", {"is_paid": True}),
        ]


def test_a_debt_of_less_than_a_euro_is_paid_like_any_other(cli: Cli, at: At) -> None:
    with recorder(Service(bill(amount=0.8, document=debt("0.80")))) as server:
        at(server)
        succeed(cli("purchase", "pay", "4", "--date", "2026-03-09"))
        (_, _, document), *_ = writes(server.sent)
    assert [row["amount"] for row in document["blueprint"]["debet_entries"]] == [0.8]
    assert document["description"].startswith("Payment: ")


def test_a_part_leaves_it_open_and_the_rest_is_what_others_left(cli: Cli, at: At) -> None:
    part = {**debt("100.00", relations=[{"related_document": 70}]), "id": 71}
    part["entry_ui_rows"] = [{"account_number": "2871", "is_debet": True, "amount": 100.0}]
    booked = debt(relations=[{"related_document": 71}])
    with recorder(Service(bill(document=booked), booked, part)) as server:
        at(server)
        succeed(cli("purchase", "pay", "4", "--amount", "25", "--account", "1900", "--json"))
        (_, _, document), *others = writes(server.sent)
        assert (document["blueprint"]["credit_account_id"], [one[0] for one in others]) == (2, ["POST"])
        del server.sent[:]
        succeed(cli("purchase", "pay", "4", "--json"))
        (_, _, document), *others = writes(server.sent)
    assert document["blueprint"]["debet_entries"][0]["amount"] == 25.5
    assert [one[0] for one in others] == ["POST", "PATCH"]


def test_what_a_supplier_gives_back_is_a_command_of_its_own(cli: Cli, at: At) -> None:
    rows = [{"account_number": "2871", "is_debet": True, "amount": 30.0}]
    with recorder(Service(bill(amount=-30, document=debt(entry_ui_rows=rows)))) as server:
        at(server)
        refused = cli("purchase", "pay", "4")
        assert (refused.code, "the supplier owes 30.00" in refused.err, writes(server.sent)) == (2, True, [])
        assert "acctcli purchase refund 4" in refused.err
        refused = cli("purchase", "refund", "4", "--amount", "30.01")
        assert (refused.code, "the supplier owes 30.00" in refused.err, writes(server.sent)) == (2, True, [])
        succeed(cli("purchase", "refund", "4"))
        (_, _, document), *others = writes(server.sent)
    assert document["description"] == "Refund: Paperi Oy A-7"
    assert (document["blueprint"]["debet_account_id"], document["blueprint"]["credit_entries"][0]["amount"]) == (3, 30)
    assert [one[0] for one in others] == ["POST", "PATCH"]


def test_more_than_is_open_is_paid_only_if_that_is_meant(cli: Cli, at: At) -> None:
    with recorder(Service(bill(document=debt()))) as server:
        at(server)
        refused = cli("purchase", "pay", "4", "--amount", "125.51")
        assert (refused.code, "has 125.50 open, and 125.51 is more" in refused.err) == (2, True), refused.err
        nothing = cli("purchase", "refund", "4")
        assert (nothing.code, "the supplier owes 0" in nothing.err, writes(server.sent)) == (2, True, [])
        succeed(cli("purchase", "pay", "4", "--amount", "125.51", "--overpaid"))
        (_, _, document), *others = writes(server.sent)
    assert document["blueprint"]["debet_entries"][0]["amount"] == 125.51
    assert [one[0] for one in others] == ["POST", "PATCH"]


@pytest.mark.parametrize("words", [("--date", "2026-03-09"), ()])
def test_nothing_comes_back_of_what_is_no_debt(cli: Cli, at: At, words: tuple[str, ...]) -> None:
    with recorder(Service(bill())) as server:
        at(server)
        refused = cli("purchase", "refund", "4", *words)
        assert (refused.code, "is no debt in the books" in refused.err, writes(server.sent)) == (2, True, [])


@pytest.mark.parametrize("found", [bill(), bill(document=debt(account="1910"))], ids=["no document", "paid at once"])
def test_a_bill_that_is_no_debt_is_said_to_be_paid(cli: Cli, at: At, found: dict[str, Any]) -> None:
    with recorder(Service(found)) as server:
        at(server)
        refused = cli("purchase", "pay", "4", "--date", "2026-03-09")
        assert (refused.code, "is no debt in the books" in refused.err, writes(server.sent)) == (2, True, [])
        way = "purchase post 4 --account NUMBER" if found["document"] is None else "purchase pay 4\n"
        assert f"acctcli {way}" in refused.err
        succeed(cli("purchase", "pay", "4"))
        assert writes(server.sent) == [("PATCH", f"{BILLS}4/", {"is_paid": True})]


def test_what_was_done_of_a_payment_before_it_stopped_is_named(cli: Cli, at: At) -> None:
    with recorder(Service(bill(document=debt()), refuses="/relation/")) as server:
        at(server)
        outcome = cli("purchase", "pay", "4", "--date", "2026-03-09", "--idempotency-key", "k")
    assert outcome.code == 8
    assert "document 260309-1 is posted, but not related to document 70, which books the invoice yet" in outcome.err
    assert "acctcli document relation create 90 --related 70 --role settlement" in outcome.err


VAT = {"import_source": "VAT_PURCHASE_INVOICE", "message": "VAT 2026-03-01 - 2026-03-31", "amount": 38.25}
PAID_VAT = "Payment: VAT 2026-03-01 - 2026-03-31 (purchase invoice 4)"


def test_vat_is_paid_from_the_account_it_is_owed_on(cli: Cli, at: At) -> None:
    with recorder(Service(bill(**VAT))) as server:
        at(server)
        succeed(cli("purchase", "pay", "4", "--date", "2026-05-12", "--json", "--idempotency-key", "k"))
        row = {"account_id": 11, "description": PAID_VAT, "vat_code": 3, "amount": 38.25}
        blueprint = {"credit_account_id": 3, "debet_entries": [row]}
        document = {"date": "2026-05-12", "description": PAID_VAT, "type": 3, "blueprint": blueprint}
        assert writes(server.sent) == [
            ("POST", f"{BOOKS}document/", document),
            ("PATCH", f"{BILLS}4/", {"document": {"id": 90}, "is_paid": True}),
        ]


def test_vat_that_was_paid_before_the_command_was_stopped_is_not_paid_again(cli: Cli, at: At) -> None:
    before = {"id": 60, "number": "260512-1", "description": PAID_VAT}
    others = (
        {**before, "id": 58, "description": f"{PAID_VAT}, again"},
        {**before, "id": 59, "relations": [{"related_document": 70}]},
    )
    with recorder(Service(bill(**VAT), *others, before)) as server:
        at(server)
        succeed(cli("purchase", "pay", "4", "--date", "2026-05-12", "--json"))
        assert writes(server.sent) == [("PATCH", f"{BILLS}4/", {"document": {"id": 60}, "is_paid": True})]
    with recorder(Service(bill(**VAT), refuses="/purchase_invoice/4/")) as server:
        at(server)
        outcome = cli("purchase", "pay", "4")
    assert (outcome.code, "acctcli purchase update 4 --document 90" in outcome.err) == (8, True)


@pytest.mark.together
@pytest.mark.parametrize(
    ("found", "words", "told"),
    [
        (VAT, ("pay", "4", "--amount", "38.26"), "38.25 is open of the 38.25 of purchase invoice 4"),
        (VAT | {"is_paid": True}, ("pay", "4"), "is paid: nothing is open"),
        (VAT, ("post", "4", "--account", "4000"), "pay it: acctcli purchase pay 4"),
    ],
)
def test_vat_is_paid_once(cli: Cli, at: At, found: dict[str, Any], words: tuple[str, ...], told: str) -> None:
    with recorder(Service(bill(**found))) as server:
        at(server)
        outcome = cli("purchase", *words)
        assert (outcome.code, told in outcome.err, writes(server.sent)) == (2, True, []), outcome.err


def test_they_can_be_rehearsed(cli: Cli, at: At) -> None:
    with recorder(Service(bill())) as server:
        at(server)
        plan = succeed(cli("purchase", "post", "4", "--account", "4000", "--dry-run", "--json")).json()
        assert (plan["path"], plan["totals"]) == (f"{BOOKS}document/", {"debet": 125.5, "credit": 125.5})
        server.behave = Service(bill(document=debt()))
        plan = succeed(cli("purchase", "pay", "4", "--dry-run", "--json")).json()
        assert plan["path"] == f"{BOOKS}document/"
        assert writes(server.sent) == []
