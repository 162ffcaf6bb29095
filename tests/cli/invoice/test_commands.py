"""`acctcli invoice`: customers and rows as people write them, and what is asked before anything is sent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from acctcli.client.messages import encode_plain
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said
from tests.einvoice.samples import FINNISH_BUYER, GERMAN_BUYER, GERMAN_SELLER, Wire, invoice, row

INVOICES = "/v1/invoicing/demo/invoice/"
CONTACTS = "/v1/business/demo/contacts/"
PRODUCTS = "/v1/invoicing/demo/product/"
MEYER = {"id": 5, "name": "Meyer Oy", "customer_id": "12", "contact_business_id": "0112038-9"}
OTHER = {"id": 6, "name": "Meyer Oy", "customer_id": None, "contact_business_id": None}
LONGER = {"id": 7, "name": "Meyer Oy Ab", "customer_id": "120", "contact_business_id": None}
PRODUCT = {
    "id": 3, "code": "A1", "name": "Work", "unit": "h", "amount": 125.5, "vat_exclusive_amount": 100.0,
    "vat_inclusive_amount": 125.5, "vat_amount": 25.5, "vat_rate": 25.5, "vat_code": 1, "is_vat_inclusive": True,
    "account_id": 77, "description": "By the hour",
}  # fmt: skip
FILLED = {
    "code": "A1", "name": "Work", "unit": "h", "amount": 100.0, "vat_rate": 25.5, "vat_code": 1, "product": 3,
    "description": "By the hour", "account_id": 77,
}  # fmt: skip
DRAFT = ("--to", "id:5", "--date", "2026-03-01", "--days", "14")


class Desk:
    """A service that knows some records by path, and lists by path too."""

    def __init__(self) -> None:
        self.records: dict[str, Any] = {"/v1/business/demo/": {"id": 1, "country": "FI"}}
        self.lists: dict[str, list[Any]] = {CONTACTS: [MEYER], PRODUCTS: [PRODUCT]}
        self.answers: dict[str, Answer] = {}

    def __call__(self, sent: Sent) -> Answer:
        path = urlsplit(sent.path).path
        if sent.method == "GET" and path in self.lists:
            return page(*self.lists[path])
        asked = re.search("/([0-9]+)/", path)
        if sent.method == "GET" and path in self.records:
            found = self.records[path]
            return said({"id": int(asked[1]) if asked else 1, **found} if isinstance(found, dict) else found)
        if sent.method == "GET":
            return said({"detail": "No."}, 404)
        return self.answers.get(path, said({"id": int(asked[1]) if asked else 9, "status": "DRAFT"}))


def body_of(server: Recorder) -> Any:
    [sent] = server.writes
    return json.loads(sent.body)


@pytest.fixture
def desk(at: At) -> Any:
    """A desk, and the recorder in front of it."""
    made = Desk()
    with recorder(made) as server:
        at(server)
        yield made, server


Case = tuple[Desk, Recorder]


# --- customers ---


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("id:5", 5),
        ("12", 5),
        ("0112038-9", 5),
        ("meyer oy", 5),
        ("Meyer Oy Ab", 7),
    ],
)
def test_a_customer_goes_by_id_number_business_id_or_whole_name(cli: Cli, desk: Case, written: str, found: int) -> None:
    service, server = desk
    service.lists[CONTACTS] = [MEYER, LONGER]
    succeed(cli("invoice", "update", "7", "--to", written))
    assert body_of(server) == {"receiver": found}


def test_a_bare_number_may_be_an_id(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.lists[CONTACTS] = [LONGER]
    service.records[f"{CONTACTS}7/"] = LONGER
    succeed(cli("invoice", "update", "1", "--to", "7"))
    assert body_of(server) == {"receiver": 7}


def test_an_ambiguous_customer_is_nobody(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.lists[CONTACTS] = [MEYER, OTHER, LONGER]
    outcome = cli("invoice", "create", "--to", "Meyer Oy", "--date", "2026-03-01", "--days", "14")
    assert (outcome.code, outcome.out, server.writes) == (2, "", [])
    assert outcome.err == (
        "error: --to 'Meyer Oy' means 2 contacts: id:5 Meyer Oy (number 12, 0112038-9); id:6 Meyer Oy\n"
        "hint: name the one that is meant by its id, such as --to id:5\n"
    )


def test_a_number_that_is_the_id_of_another_is_ambiguous(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{CONTACTS}12/"] = {**OTHER, "id": 12}
    outcome = cli("invoice", "update", "7", "--to", "12")
    assert (outcome.code, server.writes) == (2, [])
    assert "id:5 Meyer Oy" in outcome.err
    assert "id:12 Meyer Oy" in outcome.err


def test_a_part_of_a_name_is_a_hint_and_no_more(cli: Cli, desk: Case) -> None:
    _, server = desk
    outcome = cli("invoice", "update", "7", "--to", "Meyer")
    assert (outcome.code, server.writes) == (2, [])
    assert outcome.err == (
        "error: --to: there is no contact 'Meyer'\nhint: did you mean id:5 Meyer Oy (number 12, 0112038-9)?\n"
    )


# --- rows ---


def test_a_product_fills_its_row(cli: Cli, desk: Case) -> None:
    _, server = desk
    succeed(cli("invoice", "create", *DRAFT, "--row", "code=A1,count=2"))
    assert body_of(server) == {
        "receiver": 5,
        "invoicing_date": "2026-03-01",
        "payment_condition_days": 14,
        "rows": [{**FILLED, "product_count": 2}],
    }


def test_what_is_said_of_a_row_goes_before_its_product(cli: Cli, desk: Case) -> None:
    _, server = desk
    succeed(cli("invoice", "update", "7", "--row", 'code=A1,amount=90.125,description="March, April"'))
    said_of_it = {"amount": 90.125, "description": "March, April", "product_count": 1}
    assert body_of(server) == {"rows": [{**FILLED, **said_of_it}]}


def test_a_row_in_full_needs_no_product(cli: Cli, desk: Case) -> None:
    _, server = desk
    rows = ("name=Work,unit=h,count=7.5,amount=99.99,vat=25.5", "name=Tip,unit=kpl,amount=-1,vat=0,vat-code=4,code=T")
    succeed(cli("invoice", "update", "7", *(word for row in rows for word in ("--row", row))))
    assert [sent.method for sent in server.sent] == ["PATCH"]
    assert body_of(server) == {
        "rows": [
            {"name": "Work", "unit": "h", "product_count": 7.5, "amount": 99.99, "vat_rate": 25.5, "vat_code": 1},
            {
                "code": "T", "name": "Tip", "unit": "kpl", "product_count": 1, "amount": -1, "vat_rate": 0,
                "vat_code": 4,
            },
        ]
    }  # fmt: skip


def test_an_account_of_a_row_goes_by_number(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.lists["/v1/business/demo/account/"] = [{"id": 31, "number": "3010"}]
    succeed(cli("invoice", "update", "7", "--row", "code=A1,account=3010"))
    assert body_of(server) == {"rows": [{**FILLED, "account_id": 31, "product_count": 1}]}


@pytest.mark.together
@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("count=2", "name, unit, amount, vat is missing"),
        ("code=A2", "there is no product of the code 'A2'\nhint: did you mean A1?"),
        ("code=A1,cuont=2", "did you mean count?"),
        ("name=Work,unit=h,amount=9.99999,vat=0", "amount"),
        (
            "name=Work,unit=h,amount=9,vat=25.5,vat-code=2",
            "--row 'name=Work,unit=h,amount=9,vat=25.5,vat-code=2': vat-code: Must be the VAT code of a sale: 1, 3,",
        ),
        ("code=A1,vat=1000", "--row 'code=A1,vat=1000': vat: Ensure"),
        ("name=,unit=kilometre,amount=9,vat=0", "name: String should have at least 1 character; unit: String should"),
    ],
)
def test_a_row_that_is_none_costs_no_write(cli: Cli, desk: Case, row: str, says: str) -> None:
    _, server = desk
    outcome = cli("invoice", "create", *DRAFT, "--row", row)
    assert (outcome.code, outcome.out, server.writes) == (2, "", [])
    assert says in outcome.err


def test_two_products_of_one_code_stop(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.lists[PRODUCTS] = [PRODUCT, {**PRODUCT, "id": 4, "name": "Play"}]
    outcome = cli("invoice", "create", *DRAFT, "--row", "code=A1")
    assert (outcome.code, server.writes) == (2, [])
    assert outcome.err == (
        "error: --row: 2 products have the code 'A1': Work (id 3); Play (id 4)\n"
        "hint: name the one that is meant by its id, as in code=id:3\n"
    )
    service.records = {f"{PRODUCTS}{one['id']}/": one for one in service.lists[PRODUCTS]}
    rows = ("--row", "code=id:4,count=2", "--row", "code=id:3,name=x,unit=h,amount=1,vat=0")
    succeed(cli("invoice", "create", *DRAFT, *rows))
    work, play = (
        {name: row[name] for name in ("code", "name", "product", "product_count")}
        for row in json.loads(server.writes[-1].body)["rows"][::-1]
    )
    assert play == {"code": "A1", "name": "Play", "product": 4, "product_count": 2}
    assert work == {"code": "A1", "name": "x", "product": 3, "product_count": 1}
    nothing = cli("invoice", "create", *DRAFT, "--row", "code=id:5")
    assert (nothing.code, "no product of the id 5" in nothing.err) == (2, True)


@pytest.mark.parametrize("reverse", [False, True])
def test_codes_that_differ_in_case_are_two_products(cli: Cli, desk: Case, reverse: bool) -> None:
    service, server = desk
    listed = [PRODUCT, {**PRODUCT, "id": 4, "code": "a1", "name": "Play"}]
    service.lists[PRODUCTS] = listed[::-1] if reverse else listed
    succeed(cli("invoice", "update", "7", "--row", "code=a1"))
    assert body_of(server) == {"rows": [{**FILLED, "code": "a1", "name": "Play", "product": 4, "product_count": 1}]}


def test_a_code_in_another_case_is_no_product(cli: Cli, desk: Case) -> None:
    _, server = desk
    outcome = cli("invoice", "update", "7", "--row", "code=a1")
    assert (outcome.code, server.writes) == (2, [])
    assert outcome.err == "error: --row: there is no product of the code 'a1'\nhint: did you mean A1?\n"


def test_a_wrong_row_has_the_field_s_name_for_machines(cli: Cli, desk: Case) -> None:
    outcome = cli("invoice", "update", "7", "--row", "code=A1", "--row", "code=A1,vat=-5", "--json")
    assert list(json.loads(outcome.err)["error"]["fields"]) == ["rows.1.vat_rate"]


# --- fields and filters ---


def test_every_option_is_a_field(cli: Cli, desk: Case) -> None:
    _, server = desk
    succeed(
        cli(
            "invoice", "update", "7", "--date", "2026-03-01", "--days", "14", "--reference", "10016",
            "--description", "March", "--contact-person", "Aino", "--seller-reference", "S", "--buyer-reference", "B",
            "--penalty-interest", "11.5", "--delivery", "email", "--settlement-date", "2026-04-01", "--tag", "1",
            "--tag", "2", "--attachment", "3", "--recurring", "--repeat", "3 months", "--repeat-until", "2027-01-01",
            "--repeat-reference", "roll",
        )
    )  # fmt: skip
    assert body_of(server) == {
        "invoicing_date": "2026-03-01",
        "payment_condition_days": 14,
        "reference": "10016",
        "description": "March",
        "contact_person": "Aino",
        "seller_reference": "S",
        "buyer_reference": "B",
        "penalty_interest": 11.5,
        "delivery_method": "EMAIL",
        "settlement_date": "2026-04-01",
        "tag_ids": [1, 2],
        "attachments": [3],
        "is_active_recurrence_template": True,
        "recurrence_rule": {"frequency": "MONTHLY", "interval": 3},
        "recurrence_end": "2027-01-01",
        "recurrence_reference_method": "ROLL",
    }


@pytest.mark.parametrize(
    ("every", "rule"),
    [
        ("day", {"frequency": "DAILY", "interval": 1}),
        ("2 weeks", {"frequency": "WEEKLY", "interval": 2}),
        ("1 month", {"frequency": "MONTHLY", "interval": 1}),
        ("999 days", {"frequency": "DAILY", "interval": 999}),
        ("years", {"frequency": "YEARLY", "interval": 1}),
    ],
)
def test_a_repetition_is_a_unit_and_up_to_999_of_them(cli: Cli, desk: Case, every: str, rule: dict[str, Any]) -> None:
    _, server = desk
    succeed(cli("invoice", "update", "7", "--repeat", every))
    assert body_of(server) == {"recurrence_rule": rule}


@pytest.mark.together
@pytest.mark.parametrize("every", ["", "3", "monthly", "-1 month", "months 3", "1000 days"])
def test_a_repetition_that_is_none(cli: Cli, desk: Case, every: str) -> None:
    _, server = desk
    outcome = cli("invoice", "update", "7", "--repeat", every)
    assert (outcome.code, server.sent) == (2, [])
    assert outcome.err.startswith(f"error: --repeat {every!r}: write day, week, month, year")


def test_every_filter_of_the_list(cli: Cli, at: At) -> None:
    with recorder(page()) as server:
        at(server)
        succeed(
            cli(
                "invoice", "list", "--search", "a", "--status", "draft", "--status", "credit-loss", "--no-credit-notes",
                "--number", "12", "--became", "paid", "--became-from", "2026-01", "--became-to", "2026-01",
                "--period", "2026-Q1", "--due-from", "2026-02-01", "--due-to", "2026", "--created-from", "2026",
                "--created-to", "2026", "--updated-from", "2026-03", "--updated-to", "2026-03",
            )
        )  # fmt: skip
        [sent] = server.sent
    assert urlsplit(sent.path).path == INVOICES
    assert sorted(parse_qsl(urlsplit(sent.path).query)) == [
        ("created_at_gte", "2026-01-01"),
        ("created_at_lte", "2026-12-31"),
        ("due_date_gte", "2026-02-01"),
        ("due_date_lte", "2026-12-31"),
        ("invoice_number", "12"),
        ("invoicing_date_gte", "2026-01-01"),
        ("invoicing_date_lte", "2026-03-31"),
        ("is_credit_note", "false"),
        ("page", "1"),
        ("page_size", "50"),
        ("search", "a"),
        ("status", "CREDIT_LOSS"),
        ("status", "DRAFT"),
        ("status_changed_at_gte", "2026-01-01"),
        ("status_changed_at_lte", "2026-01-31"),
        ("status_changed_to", "PAID"),
        ("updated_at_gte", "2026-03-01"),
        ("updated_at_lte", "2026-03-31"),
    ]


# --- what is locked, and what answers with nothing ---


@pytest.mark.together
@pytest.mark.parametrize(("verb", "options"), [("update", ("--days", "1")), ("replace", DRAFT), ("delete", ("--yes",))])
def test_what_was_accepted_is_credited_not_changed(cli: Cli, desk: Case, verb: str, options: tuple[str, ...]) -> None:
    service, _ = desk
    service.answers[f"{INVOICES}7/"] = said({"code": "locked", "detail": "Accepted."}, 423)
    outcome = cli("invoice", verb, "7", *options)
    assert (outcome.code, outcome.out) == (8, "")
    assert outcome.err == (
        "error: Accepted. (423)\n"
        "hint: an accepted invoice stays as it is; make a credit note for what was wrong: "
        "acctcli invoice credit-note 7\n"
    )


def test_another_conflict_is_no_matter_of_credit_notes(cli: Cli, desk: Case) -> None:
    service, _ = desk
    service.answers[f"{INVOICES}7/"] = said({"code": "conflict", "detail": "Something else was first."}, 409)
    outcome = cli("invoice", "update", "7", "--days", "1")
    assert (outcome.code, outcome.out, outcome.err) == (8, "", "error: Something else was first. (409)\n")


@pytest.mark.parametrize(
    "argv",
    [
        ("create", *DRAFT),
        ("credit-note", "7"),
        ("send", "7", "--method", "einvoice"),
        ("accept", "7"),
        ("status-message", "add", "7", "Seen"),
    ],
)
def test_a_key_that_is_given_goes_with_the_write(cli: Cli, desk: Case, argv: tuple[str, ...]) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, **SENDABLE}
    succeed(cli("invoice", *argv, "--idempotency-key", "k"))
    assert [sent.headers["idempotency-key"] for sent in server.writes] == ["k"]


def test_deleting_asks(cli: Cli, desk: Case) -> None:
    _, server = desk
    outcome = cli("invoice", "delete", "7")
    assert (outcome.code, server.sent) == (2, [])


def test_removing_a_message_asks(cli: Cli, desk: Case) -> None:
    _, server = desk
    outcome = cli("invoice", "status-message", "remove", "7", "3")
    assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert outcome.err.startswith("error: Remove message 3 of invoice 7?")


@pytest.mark.parametrize("verb", ["accept", "paid", "unpaid", "credit-loss", "disable-recurrence"])
def test_an_action_that_answers_nothing_is_read_after(cli: Cli, desk: Case, verb: str) -> None:
    service, server = desk
    service.answers[f"{INVOICES}7/actions/{verb.replace('-', '_')}/"] = Answer(body=b"")
    service.records[f"{INVOICES}7/"] = {"id": 7, "status": "PAID"}
    assert succeed(cli("invoice", verb, "7", "--json")).json() == {"id": 7, "status": "PAID"}
    assert [sent.method for sent in server.sent] == ["POST", "GET"]


# --- credit notes ---

ROWS: list[dict[str, Any]] = [
    {**FILLED, "id": 1, "product_count": 2.0, "total_amount": 251.0, "total_vat_amount": 51.0},
    {
        "id": 2, "code": None, "name": "Tool", "unit": "kpl", "amount": 9.9, "vat_rate": 0, "vat_code": 3,
        "product": None, "description": None, "account_id": None, "product_count": 3.5, "total_amount": 34.65,
        "total_vat_amount": 0,
    },
]  # fmt: skip
TOOL = {name: value for name, value in ROWS[1].items() if name not in {"id", "total_amount", "total_vat_amount"}}
ORIGINAL = {
    "id": 7, "receiver": 5, "payment_condition_days": 14, "status": "ACCEPTED", "rows": ROWS, "credit_notes": [],
    "is_credit_note_for": None, "contact_person": "Aino", "seller_reference": None, "buyer_reference": "B",
}  # fmt: skip


def credited(cli: Cli, server: Recorder, *options: str) -> Any:
    succeed(cli("invoice", "credit-note", "7", "--date", "2026-04-01", *options))
    return body_of(server)


def test_a_credit_note_takes_the_whole_invoice_back(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = ORIGINAL
    assert credited(cli, server, "--description", "Wrong") == {
        "receiver": 5,
        "payment_condition_days": 14,
        "invoicing_date": "2026-04-01",
        "description": "Wrong",
        "contact_person": "Aino",
        "seller_reference": None,
        "buyer_reference": "B",
        "is_credit_note_for": 7,
        "rows": [{**FILLED, "product_count": -2}, {**TOOL, "product_count": -3.5}],
    }
    assert server.writes[0].path == INVOICES


def test_a_file_says_more_than_the_invoice_and_options_more_than_the_file(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = ORIGINAL
    Path("note.json").write_text('{"contact_person": "Eino", "buyer_reference": "C", "payment_condition_days": 0}')
    body = credited(cli, server, "--file", "note.json", "--buyer-reference", "D")
    assert [body[name] for name in ("contact_person", "buyer_reference", "payment_condition_days", "receiver")] == [
        "Eino",
        "D",
        0,
        5,
    ]


REBATE = {"name": "Rebate", "unit": "kpl", "amount": 10.5, "vat_rate": 0, "vat_code": 3, "product_count": -1}


@pytest.mark.parametrize("options", [("--file", "note.json"), ("--set", f"rows={json.dumps([REBATE])}")])
def test_rows_of_a_file_are_credited_as_they_are(cli: Cli, desk: Case, options: tuple[str, ...]) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "credit_notes": [8]}  # which nobody needs to know
    Path("note.json").write_text(json.dumps({"rows": [REBATE]}))
    assert credited(cli, server, *options)["rows"] == [REBATE]


def test_an_option_goes_before_the_rows_of_a_file(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = ORIGINAL
    Path("note.json").write_text('{"rows": []}')
    assert credited(cli, server, "--file", "note.json", "--part", "2:1")["rows"] == [{**TOOL, "product_count": -1}]


def test_what_is_credited_already_is_named(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "rows": ROWS[:1], "credit_notes": [8]}
    service.records[f"{INVOICES}8/"] = {"id": 8, "rows": [{**FILLED, "product_count": -2}]}
    outcome = cli("invoice", "credit-note", "7")
    assert (outcome.code, server.writes) == (2, [])
    assert outcome.err == ("error: nothing of invoice 7 is left to credit\nhint: its credit notes, drafts too: 8\n")


def test_a_credit_note_takes_back_what_others_have_left(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "credit_notes": [8, 9]}
    service.records[f"{INVOICES}8/"] = {"id": 8, "rows": [{**FILLED, "product_count": -2}]}
    service.records[f"{INVOICES}9/"] = {"rows": [{**TOOL, "product_count": -1.25}]}
    # 1.25 and 2.25 of 9.90 come to 12.38 and 22.28, all of it to 34.65
    cents = {**TOOL, "name": "Rounding", "amount": 0.01, "product_count": 1, "code": None, "product": None}
    assert credited(cli, server)["rows"] == [{**TOOL, "product_count": -2.25}, {**cents, "description": None}]


def test_rows_alike_are_credited_one_after_the_other(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "rows": [ROWS[0], ROWS[0], ROWS[0]], "credit_notes": [8, 9]}
    service.records[f"{INVOICES}8/"] = {"id": 8, "rows": [{**FILLED, "product_count": -2}]}
    service.records[f"{INVOICES}9/"] = {"rows": [{**FILLED, "product_count": -2.5}]}
    assert credited(cli, server)["rows"] == [{**FILLED, "product_count": -1.5}]


def test_rows_of_other_words_are_not_alike(cli: Cli, desk: Case) -> None:
    service, server = desk
    march, april = ({**TOOL, "product_count": 3.5, "description": month} for month in ("March", "April"))
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "rows": [march, april], "credit_notes": [8]}
    service.records[f"{INVOICES}8/"] = {"rows": [{**april, "product_count": -3.5}]}
    assert credited(cli, server)["rows"] == [{**march, "product_count": -3.5}]


@pytest.mark.parametrize("count", [-2.01, 1])
def test_more_than_there_was_cannot_have_been_credited(cli: Cli, desk: Case, count: float) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "credit_notes": [8]}
    service.records[f"{INVOICES}8/"] = {"id": 8, "rows": [{**FILLED, "product_count": count}]}
    outcome = cli("invoice", "credit-note", "7")
    assert (outcome.code, server.writes) == (2, [])
    assert "what remains cannot be told" in outcome.err


def test_a_discount_is_taken_back_too(cli: Cli, desk: Case) -> None:
    service, server = desk
    discount = {**TOOL, "product_count": -1.0}
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "rows": [ROWS[0], discount]}
    assert credited(cli, server)["rows"] == [{**FILLED, "product_count": -2}, {**TOOL, "product_count": 1}]


def test_a_part_of_an_invoice(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = ORIGINAL
    assert credited(cli, server, "--part", "2:1.5")["rows"] == [{**TOOL, "product_count": -1.5}]


def test_parts_are_said_above_zero_also_of_a_discount_and_stand_as_on_the_invoice(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "rows": [ROWS[0], {**TOOL, "product_count": -3.0}]}
    rows = credited(cli, server, "--part", "2:3", "--part", "1:0.5")["rows"]
    assert rows == [{**FILLED, "product_count": -0.5}, {**TOOL, "product_count": 3}]


def test_of_rows_alike_any_may_be_credited_as_far_as_something_of_them_is_left(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "rows": [ROWS[0], ROWS[1], ROWS[0]], "credit_notes": [8]}
    # of the third, as far as whoever wrote it knows
    service.records[f"{INVOICES}8/"] = {"id": 8, "rows": [{**FILLED, "product_count": -1.5}]}
    assert credited(cli, server, "--part", "1:2")["rows"] == [{**FILLED, "product_count": -2}]
    more = cli("invoice", "credit-note", "7", "--part", "1:2", "--part", "3:1")
    assert (more.code, "of row 3, Work, 0.5 h are left" in more.err) == (2, True)
    assert "of row 1, Work, 2.0 h are left" in cli("invoice", "credit-note", "7", "--part", "1:2.5").err


def test_rows_of_one_s_own_are_sent_negative(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, "credit_notes": [8]}
    assert credited(cli, server, "--row", "code=A1,count=0.5")["rows"] == [{**FILLED, "product_count": -0.5}]


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "options", "says"),
    [
        ({"status": "DRAFT"}, (), "invoice 7 is a draft: there is nothing to take back"),
        ({"is_credit_note_for": 3}, (), "invoice 7 is a credit note itself"),
        ({"rows": []}, (), "nothing of invoice 7 is left to credit"),
        ({"credit_notes": [8]}, (), "credit note 8 credits 'Odd' other than it stands on invoice 7"),
        ({}, ("--part", "2:4"), "of row 2, Tool, 3.5 kpl are left"),
        ({}, ("--part", "3:1"), "write each row once, from 1 to 2"),
        ({}, ("--part", f"{'9' * 5000}:1"), "write each row once, from 1 to 2"),
        ({}, ("--part", "2:x"), "not a number"),
        ({}, ("--part", "2:0"), "are left"),
        ({}, ("--part", "1:1", "--part", "1:1"), "write each row once"),
        ({}, ("--row", "code=A1,count=-1"), "above zero"),
        ({}, ("--row", "code=A1,count=0"), "above zero"),
        ({}, ("--row", "code=A1", "--part", "1:1"), "exclude each other"),
    ],
)
def test_what_cannot_be_credited(
    cli: Cli, desk: Case, change: dict[str, Any], options: tuple[str, ...], says: str
) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {**ORIGINAL, **change}
    service.records[f"{INVOICES}8/"] = {"id": 8, "rows": [{**TOOL, "name": "Odd", "product_count": -1}]}
    outcome = cli("invoice", "credit-note", "7", *options)
    assert (outcome.code, outcome.out, server.writes) == (2, "", [])
    assert says in outcome.err


def test_a_credit_note_can_be_rehearsed(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = ORIGINAL
    plan = succeed(cli("invoice", "credit-note", "7", "--part", "1:2", "--dry-run", "--json")).json()
    assert (plan["method"], plan["path"], server.writes) == ("POST", INVOICES, [])
    assert plan["body"]["rows"] == [{**FILLED, "product_count": -2}]


# --- sending ---

SENDABLE = {"id": 7, "friendly_name": "Invoice 12", "delivery_method": None, "last_delivery_at": None}
WAYS = [
    {"value": "EMAIL", "label": "Email", "is_available": False},
    {"value": "EINVOICE", "label": "E-invoice", "is_available": True},
]
COMPANY = {"name": "Demo Oy", "invoicing_default_email_subject": None}


def at_the_desk(service: Desk, **change: Any) -> None:
    service.records[f"{INVOICES}7/"] = {**SENDABLE, **change}
    service.records["/v1/business/demo/"] = COMPANY
    service.answers[f"{INVOICES}7/delivery_methods/"] = said(WAYS)


def test_an_e_mail_has_a_subject_and_the_text_of_the_business(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service, delivery_method="EMAIL")
    succeed(cli("invoice", "send", "7"))
    assert server.writes[0].path == f"{INVOICES}7/send/"
    assert body_of(server) == {
        "delivery_method": "EMAIL",
        "data": {"email_subject": "Invoice 12, Demo Oy", "email_content": None},
    }


@pytest.mark.parametrize(
    ("country", "language", "credited", "subject"),
    [
        ("FI", "fi", None, "Lasku 12, Demo Oy"),
        ("FI", "sv", 7, "Kreditfaktura 12, Demo Oy"),
        ("FI", None, None, "Invoice 12, Demo Oy"),
        ("DE", "fi", None, "Rechnung 12, Demo Oy"),
    ],
)
def test_a_subject_is_in_the_language_of_the_invoice(
    cli: Cli, desk: Case, country: str, language: str | None, credited: int | None, subject: str
) -> None:
    service, server = desk
    receiver = {"invoicing_language": language}
    at_the_desk(
        service, delivery_method="EMAIL", invoice_number=12, is_credit_note_for=credited, receiver_info=receiver
    )
    service.records["/v1/business/demo/"] = {**COMPANY, "country": country}
    succeed(cli("invoice", "send", "7"))
    assert body_of(server)["data"]["email_subject"] == subject


def test_a_subject_that_the_business_has_set_goes_before_the_usual_one(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service, delivery_method="EMAIL")
    service.records["/v1/business/demo/"] = {**COMPANY, "invoicing_default_email_subject": "Lasku"}
    succeed(cli("invoice", "send", "7"))
    data = {"email_subject": "Lasku", "email_content": None}
    assert body_of(server) == {"delivery_method": "EMAIL", "data": data}


def test_a_subject_of_the_business_says_what_the_invoice_says(cli: Cli, desk: Case) -> None:
    service, server = desk
    facts = {"total_amount": 1234.50, "currency": "EUR", "due_date": "2026-03-05", "reference": "10126"}
    receiver = {"name": "Birch Oy", "invoicing_language": "fi"}
    at_the_desk(service, delivery_method="EMAIL", invoice_number=12, receiver_info=receiver, **facts)
    said = "{invoice} ({number}): {name}, {total}, {due_date}, {reference}, {iban}, {business}, {{}}"
    company = {"country": "FI", "invoicing_iban": "FI4950009420028730", "invoicing_default_email_subject": said}
    service.records["/v1/business/demo/"] = COMPANY | company
    succeed(cli("invoice", "send", "7"))
    assert body_of(server)["data"]["email_subject"].replace("\N{NO-BREAK SPACE}", " ") == (
        "Lasku 12 (12): Birch Oy, 1 234,50 EUR, 5.3.2026, 10126, FI49 5000 9420 0287 30, Demo Oy, {}"
    )


def test_another_service_is_not_told_a_language(cli: Cli, desk: Case) -> None:
    _, server = desk
    outcome = cli("invoice", "accept", "7", "--language", "de")
    assert (outcome.code, server.writes) == (2, [])
    assert "local" in outcome.err


def test_an_e_mail_in_one_s_own_words(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service)
    succeed(cli("invoice", "send", "7", "--method", "email", "--subject", "Lasku", "--text", "Kiitos!"))
    data = {"email_subject": "Lasku", "email_content": "Kiitos!"}
    assert body_of(server) == {"delivery_method": "EMAIL", "data": data}


def test_the_first_way_there_is(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service)
    service.records[f"{INVOICES}7/delivery_methods/"] = WAYS
    succeed(cli("invoice", "send", "7"))
    assert body_of(server) == {"delivery_method": "EINVOICE"}


def test_no_way_at_all(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service)
    service.records[f"{INVOICES}7/delivery_methods/"] = WAYS[:1]
    outcome = cli("invoice", "send", "7")
    assert (outcome.code, server.writes) == (2, [])
    assert outcome.err.startswith("error: there is no way to deliver invoice 7\n")


def test_words_of_an_e_mail_go_by_nothing_else(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service, delivery_method="PAPER")
    outcome = cli("invoice", "send", "7", "--text", "Kiitos!")
    assert (outcome.code, server.writes) == (2, [])
    assert "this invoice goes by PAPER" in outcome.err


def test_another_service_is_not_told_what_became_of_a_mail(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service, delivery_method="EMAIL")
    outcome = cli("invoice", "send", "7", "--in-doubt", "arrived")
    assert (outcome.code, server.writes) == (2, [])
    assert "stands for a service whose interface has no such operation" in outcome.err


def test_sending_twice_asks(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service, delivery_method="EINVOICE", last_delivery_at="2026-03-02T10:00:00Z")
    outcome = cli("invoice", "send", "7")
    assert (outcome.code, server.writes) == (2, [])
    assert outcome.err == (
        "error: Invoice 7 was sent at 2026-03-02T10:00:00Z. Send it again? This cannot be taken back\n"
        "hint: confirm with --yes\n"
    )
    succeed(cli("invoice", "send", "7", "--yes"))
    assert body_of(server) == {"delivery_method": "EINVOICE"}


@pytest.mark.parametrize("method", ["fax", ""])
def test_what_cannot_be_sent_is_not_asked_about(cli: Cli, desk: Case, method: str) -> None:
    service, server = desk
    at_the_desk(service, last_delivery_at="2026-03-02T10:00:00Z")
    outcome = cli("invoice", "send", "7", "--method", method)
    assert (outcome.code, server.writes) == (2, [])
    assert outcome.err.startswith("error: delivery_method: Input should be 'EMAIL'")


def test_a_sending_can_be_rehearsed(cli: Cli, desk: Case) -> None:
    service, server = desk
    at_the_desk(service, delivery_method="PAPER", last_delivery_at="2026-03-02T10:00:00Z")
    plan = succeed(cli("invoice", "send", "7", "--dry-run", "--json")).json()
    assert (plan["path"], plan["body"]) == (f"{INVOICES}7/send/", {"delivery_method": "PAPER"})
    assert server.writes == []


# --- papers ---

XML = b"<?xml version='1.0' encoding='UTF-8'?><Invoice>\xc3\xa4</Invoice>"


@pytest.fixture
def with_xml(desk: Case) -> Case:
    """An invoice whose e-invoice the service has made."""
    service, server = desk
    service.records["/v1/business/demo/"] = {"country": "DE"}
    service.records[f"{INVOICES}7/"] = {"id": 7, "pdf": None, "xrechnung_ubl_xml": f"{server.base_url}/7.xml"}
    behave = server.behave
    server.behave = lambda sent: Answer(body=XML) if sent.path == "/7.xml" else behave(sent)
    return service, server


def test_the_e_invoice_of_the_service_is_fetched_without_the_token(cli: Cli, with_xml: Case) -> None:
    _, server = with_xml
    assert succeed(cli("invoice", "xml", "7")).out == XML.decode()
    fetched = next(sent for sent in server.sent if sent.path == "/7.xml")
    assert "authorization" not in fetched.headers


def test_an_e_invoice_is_one_json_document_where_that_is_asked_for(cli: Cli, with_xml: Case) -> None:
    told = succeed(cli("invoice", "xml", "7", "--json")).json()
    assert told == {"invoice": 7, "format": "xrechnung", "xml": XML.decode()}


def test_an_e_invoice_goes_into_a_file(cli: Cli, with_xml: Case) -> None:
    assert succeed(cli("invoice", "xml", "7", "--output-file", "7.xml")).out == ""
    assert Path("7.xml").read_bytes() == XML


@pytest.mark.together
@pytest.mark.parametrize(
    "broken",
    [
        XML[:-5],
        XML + b"<br>",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        b"<?xml version='1.0' encoding='nosuch'?><a/>",
        b"<a>\xff</a>",
    ],
)
@pytest.mark.parametrize("form", ["table", "json"])
def test_an_e_invoice_that_is_not_whole_is_refused(cli: Cli, with_xml: Case, broken: bytes, form: str) -> None:
    _, server = with_xml
    behave = server.behave
    server.behave = lambda sent: Answer(body=broken) if sent.path == "/7.xml" else behave(sent)
    outcome = cli("invoice", "xml", "7", "-o", form, "--output-file", "7.xml")
    assert (outcome.code, outcome.out, Path("7.xml").exists()) == (9, "", False)
    assert "the e-invoice of the service" in outcome.err


def test_the_format_is_the_one_asked_for_else_that_of_the_country(cli: Cli, with_xml: Case) -> None:
    service, _ = with_xml
    service.records["/v1/business/demo/"] = {"country": "FI"}
    assert succeed(cli("invoice", "xml", "7", "--format", "xrechnung")).out == XML.decode()
    service.records["/v1/business/demo/"] = {"country": "SE"}
    outcome = cli("invoice", "xml", "7")
    assert (outcome.code, outcome.out) == (2, "")
    assert "the law of SE is not known" in outcome.err


def test_an_e_invoice_says_what_it_is_made_of(cli: Cli, desk: Case) -> None:
    """A service that does not tell what stood on the day of acceptance: names and accounts are those of today."""
    service, _ = desk
    at_the_desk(service, status="ACCEPTED")
    service.records["/v1/business/demo/"] = {"country": "FI"}
    outcome = cli("invoice", "xml", "7")
    assert "made of what the contact and the business are today" in outcome.err


def test_there_are_two_formats(cli: Cli, with_xml: Case) -> None:
    _, server = with_xml
    outcome = cli("invoice", "xml", "7", "--format", "zugferd")
    assert (outcome.code, server.sent) == (2, [])


@pytest.mark.parametrize("way", [("--frame",), ("--operator", "003721291126")])
def test_only_a_finvoice_has_a_way(cli: Cli, with_xml: Case, way: tuple[str, ...]) -> None:
    outcome = cli("invoice", "xml", "7", *way)
    assert outcome.code == 2
    assert "are of Finvoice, and this is xrechnung: add --format finvoice" in outcome.err


def test_a_draft_has_no_paper_and_takes_nobody_s_name(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.records[f"{INVOICES}7/"] = {"id": 7, "pdf": None}
    service.records[f"{INVOICES}8/"] = {"id": 8, "pdf": {"name": "invoice-7.pdf", "file": f"{server.base_url}/8.pdf"}}
    behave = server.behave
    server.behave = lambda sent: Answer(body=b"%PDF-1.7") if sent.path == "/8.pdf" else behave(sent)
    outcome = cli("invoice", "pdf", "7", "8", "--to", "papers", "--output", "tsv", "--columns", "id,path,outcome")
    assert outcome.code == 10
    assert outcome.lines()[1:] == ["7\t\tfailed", "8\tpapers/invoice-7.pdf\tsaved"]


@pytest.mark.parametrize("options", [(), ("7", "--all")])
def test_pdfs_are_named_or_all(cli: Cli, desk: Case, options: tuple[str, ...]) -> None:
    _, server = desk
    outcome = cli("invoice", "pdf", *options)
    assert (outcome.code, server.sent) == (2, [])
    assert outcome.err == "error: give ids of invoices, or --all\n"


def test_all_pdfs_are_those_of_whatever_was_accepted(cli: Cli, desk: Case) -> None:
    service, server = desk
    service.lists[INVOICES] = []
    succeed(cli("invoice", "pdf", "--all", "--to", "papers"))
    [sent] = server.sent
    asked = [value for name, value in parse_qsl(urlsplit(sent.path).query) if name == "status"]
    assert sorted(asked) == ["ACCEPTED", "CREDIT_LOSS", "PAID"]


def test_names_of_states_and_ways_are_completed(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for before, word, answer in (
        (("invoice", "list", "--status"), "A", ["ACCEPTED"]),
        (("invoice", "create", "--delivery"), "E", ["EMAIL", "EINVOICE", "ELASKU", "EMAIL_XRECHNUNG"]),
        (("invoice", "xml", "7", "--format"), "", ["xrechnung", "finvoice", "peppol", "cii"]),
        (("invoice", "list", "--expand"), "", ["rows"]),
        (("invoice", "list", "--columns"), "invoicing", ["invoicing_date"]),
    ):
        monkeypatch.setenv("_ACCTCLI_COMPLETE", "bash")
        monkeypatch.setenv("_ACCTCLI_WORD", word)
        assert cli(*before).lines() == answer


ROW = ("--row", "name=Work,unit=h,count=1,amount=10,vat={}")


@pytest.mark.parametrize(
    ("argv", "country", "told"),
    [
        (("invoice", "create", *DRAFT, ROW[0], ROW[1].format(24)), "FI", "the rate is 25.5 % on that day"),
        (("invoice", "update", "9", ROW[0], ROW[1].format(99)), "FI", "the rates are 25.5, 13.5 and 10 %"),
        (("invoice", "update", "8", ROW[0], ROW[1].format(24)), "FI", None),
        (("invoice", "update", "9", "--days", "7"), "FI", None),
        (("invoice", "create", *DRAFT, "--settlement-date", "2024-08-31", ROW[0], ROW[1].format(24)), "FI", None),
        (("invoice", "update", "9", "--settlement-date", "2024-08-31", ROW[0], ROW[1].format(24)), "FI", None),
        (("invoice", "update", "8", "--settlement-date", "2026-02-01", ROW[0], ROW[1].format(24)), "FI", "25.5 %"),
        (("invoice", "create", *DRAFT, ROW[0], ROW[1].format(24)), "SE", None),
        (("invoice", "create", *DRAFT, ROW[0], ROW[1].format(24).replace("=1,", "=-1,")), "FI", None),
        (("invoice", "create", *DRAFT, ROW[0], ROW[1].format(24).replace("=10,", "=-10,")), "FI", None),
        (("invoice", "create", *DRAFT, ROW[0], ROW[1].format(99).replace("=1,", "=-1,")), "FI", "13.5 and 10 %"),
        (("product", "create", "--name", "Work", "--unit", "h", "--amount", "1", "--vat-rate", "24", "--vat-code", "1"),
         "FI", "24 % is no VAT rate of"),
        (("product", "update", "9", "--vat-rate", "24"), "FI", "24 % is no VAT rate of"),
    ],
)  # fmt: skip
def test_a_rate_of_another_day_or_country_is_meant_or_refused(
    cli: Cli, desk: Any, argv: tuple[str, ...], country: str, told: str | None
) -> None:
    made, server = desk
    made.records["/v1/business/demo/"] = {"country": country}
    made.records[f"{INVOICES}9/"] = {"invoicing_date": "2026-03-01", "settlement_date": None}
    # delivered when 24 % was the rate
    made.records[f"{INVOICES}8/"] = {"invoicing_date": "2026-03-01", "settlement_date": "2024-08-31"}
    done = cli(*argv)
    assert done.code == (2 if told else 0)
    assert (told or "") in done.err
    assert len(server.writes) == (0 if told else 1)
    succeed(cli(*argv, "--foreign-vat"))
    assert len(server.writes) == (1 if told else 2)
    assert b"foreign" not in server.writes[-1].body


def test_what_was_prepaid_comes_off_at_its_rate_which_is_told(cli: Cli, desk: Case) -> None:
    desk[0].records["/v1/business/demo/"] = {"country": "FI"}
    rows = [ROW[0], ROW[1].format(25.5), ROW[0], "name=Paid,unit=h,count=-1,amount=5,vat=24"]
    assert succeed(cli("invoice", "create", *DRAFT, *rows)).err == (
        "note: row 2 (Paid): 24 % is no VAT rate of Finland on 2026-03-01: the rate is 25.5 % on that day; "
        "it takes off what was prepaid by 2024-08-31\n"
    )


def accepted_for(service: Desk, seller: Wire, buyer: Wire) -> None:
    found = {**invoice([row("100.00", rate="19")], buyer, buyer_reference=None), "id": 7, "status": "ACCEPTED"}
    service.records["/v1/business/demo/"] = {**seller, "slug": "demo"}
    service.answers[f"{INVOICES}7/actions/accept/"] = Answer(body=encode_plain({**found, "document": 1}))


NO_REFERENCE = {"type": "BUSINESS", "xrechnung_buyer_reference": None}


def test_who_accepts_an_invoice_hears_at_once_what_its_xrechnung_lacks(cli: Cli, desk: Case) -> None:
    service, _ = desk
    accepted_for(service, GERMAN_SELLER, GERMAN_BUYER | NO_REFERENCE)
    assert succeed(cli("invoice", "accept", "7", "--json")).err == (
        "note: the e-invoice cannot be made: receiver_info.xrechnung_buyer_reference (missing: Leitweg-ID or reference "
        "(BT-10, BR-DE-15)); add it to the contact or the business before you send it\n"
    )


@pytest.mark.together
@pytest.mark.parametrize(
    "buyer", [GERMAN_BUYER, FINNISH_BUYER | NO_REFERENCE, GERMAN_BUYER | NO_REFERENCE | {"type": "PERSON"}]
)
def test_nothing_is_said_where_it_lacks_nothing_or_none_is_wanted(cli: Cli, desk: Case, buyer: Wire) -> None:
    service, _ = desk
    accepted_for(service, GERMAN_SELLER, buyer)
    assert succeed(cli("invoice", "accept", "7", "--json")).err == ""


def test_an_invoice_is_accepted_whatever_else_the_service_says(cli: Cli, desk: Case) -> None:
    service, _ = desk
    accepted_for(service, {"country": 7}, GERMAN_BUYER | NO_REFERENCE)
    assert succeed(cli("invoice", "accept", "7", "--json")).err == ""
