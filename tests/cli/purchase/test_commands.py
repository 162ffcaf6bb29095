"""`acctcli purchase`: what its options say to the service, payment, and the barcode with what is missing of it."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli
from tests.cli.recorder import page, recorder, said
from tests.journeys.places import Place

OPTIONS = (
    "--number", "A-77", "--date", "2026-03-01", "--due", "2026-03-31", "--amount", "100.20", "--currency", "EUR",
    "--sender", "Paperi Oy", "--sender-vat", "FI01120389", "--iban", "FI49 5000 9420 0287 30", "--bic", "OKOYFIHH",
    "--receiver", "Company", "--receiver-vat", "FI20774740", "--reference", "1234567907", "--message", "Paper",
    "--source", "upload", "--paid", "--original", "4", "--attachment", "5", "--attachment", "6", "--document", "7",
    "--tag", "8", "--tag", "9",
)  # fmt: skip
BODY = {
    "invoice_number": "A-77",
    "invoicing_date": "2026-03-01",
    "due_date": "2026-03-31",
    "amount": 100.20,
    "currency": "EUR",
    "sender_name": "Paperi Oy",
    "sender_vat": "FI01120389",
    "sender_bank_account": "FI49 5000 9420 0287 30",
    "sender_bank_bic": "OKOYFIHH",
    "receiver_name": "Company",
    "receiver_vat": "FI20774740",
    "reference": "1234567907",
    "message": "Paper",
    "import_source": "UPLOAD",
    "is_paid": True,
    "original_attachment": {"id": 4},
    "attachments": [5, 6],
    "document": {"id": 7},
    "tag_ids": [8, 9],
}
BILL = ("--date", "2026-03-01", "--amount", "100.20", "--source", "UPLOAD")
BARCODE = "449500094200287300001002000000000000001234567907221212"
VECTOR = {
    "id": 1,
    "sender_bank_account": "FI49 5000 9420 0287 30",
    "amount": 100.20,
    "reference": "1234567907",
    "due_date": "2022-12-12",
    "virtuaaliviivakoodi": BARCODE,
}
PARTS = {
    "virtuaaliviivakoodi": BARCODE,
    "iban": "FI4950009420028730",
    "amount": 100.20,
    "reference": "1234567907",
    "due_date": "2022-12-12",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("purchase"))


@pytest.mark.parametrize(
    ("verb", "method"), [(("create",), "POST"), (("update", "7"), "PATCH"), (("replace", "7"), "PUT")]
)
def test_every_option_is_a_field(place: Place, verb: tuple[str, ...], method: str) -> None:
    plan = place.json("purchase", *verb, *OPTIONS, "--dry-run")
    record = "7/" if len(verb) > 1 else ""
    path = f"/v1/invoicing/company/purchase_invoice/{record}"
    assert (plan["method"], plan["path"], json.loads(json.dumps(plan["body"], default=float))) == (method, path, BODY)


def test_taking_a_payment_back_changes_one_field(place: Place) -> None:
    plan = place.json("purchase", "unpay", "7", "--dry-run")
    assert (plan["method"], plan["path"], plan["body"]) == (
        "PATCH",
        "/v1/invoicing/company/purchase_invoice/7/",
        {"is_paid": False},
    )


def test_every_filter_is_a_parameter(cli: Cli, at: At) -> None:
    argv = (
        "--search", "a", "--number", "A-77", "--source", "email", "--paid", "--not-past-due", "--period", "2026-Q1",
        "--due-from", "2026-03", "--due-to", "2026-03", "--paid-from", "2026-04-01", "--paid-to", "2026-04-02",
        "--created-from", "2026", "--created-to", "2026-06", "--updated-from", "2026-07-01", "--updated-to", "2026",
    )  # fmt: skip
    with recorder(page()) as server:
        at(server)
        assert cli("purchase", "list", *argv).code == 0
    (sent,) = server.sent
    assert set(sent.path.partition("?")[2].split("&")) - {"page=1", "page_size=50", "page_size=200"} == {
        "search=a", "invoice_number=A-77", "import_source=EMAIL", "is_paid=true", "is_past_due=false",
        "invoicing_date_gte=2026-01-01", "invoicing_date_lte=2026-03-31",
        "due_date_gte=2026-03-01", "due_date_lte=2026-03-31",
        "payment_date_gte=2026-04-01", "payment_date_lte=2026-04-02",
        "created_at_gte=2026-01-01", "created_at_lte=2026-06-30",
        "updated_at_gte=2026-07-01", "updated_at_lte=2026-12-31",
    }  # fmt: skip


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--source", "PIGEON"), "import_source"),
        (("--amount", "1.001"), "amount"),
        (("--date", "2026-02-30"), "--date '2026-02-30': not a day"),
        (("--set", "sender_iban=x"), "no such field"),
    ],
)
def test_a_wrong_field_costs_no_request(place: Place, options: tuple[str, ...], says: str) -> None:
    done = place.try_run("purchase", "create", *BILL, *options)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_the_table_shows_what_is_open(place: Place) -> None:
    place.run("purchase", "create", *BILL, "--number", "B-1", "--sender", "Meyer", "--due", "2026-03-31")
    header, _, row = place.run("purchase", "list", "--search", "b-1").lines()
    assert re.split(" {3,}", header) == [
        "id", "invoice number", "sender name", "invoicing date", "due date", "amount", "paid", "past due",
    ]  # fmt: skip
    assert row.split()[1:] == ["B-1", "Meyer", "2026-03-01", "2026-03-31", "100.20", "false", "true"]


def test_deleting_needs_a_yes(place: Place) -> None:
    done = place.try_run("purchase", "delete", "1")
    assert (done.code, done.out) == (2, "")
    assert "Delete purchase invoice 1?" in done.err


# --- the barcode ---


def test_another_program_gets_the_digits_alone(cli: Cli, at: At) -> None:
    with recorder(said(VECTOR)) as server:
        at(server)
        assert cli("purchase", "barcode", "1").out == f"{BARCODE}\n"
        assert cli("purchase", "barcode", "1", "--json").json() == PARTS
        assert cli("purchase", "barcode", "1", "--output", "csv").lines() == [
            ",".join(PARTS),
            f"{BARCODE},FI4950009420028730,100.20,1234567907,2022-12-12",
        ]
        assert cli("purchase", "barcode", "1", "--columns", "reference").lines()[-1].split() == [
            "reference",
            "1234567907",
        ]


def test_people_are_told_what_the_digits_say(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with recorder(said(VECTOR)) as server:
        at(server)
        lines = cli("purchase", "barcode", "1").lines()
    assert [line.split() for line in lines[2:]] == [
        [name, str(value)] for name, value in (PARTS | {"amount": "100.20"}).items()
    ]


def test_digits_that_the_service_has_not_made_are_made_here(cli: Cli, at: At) -> None:
    with recorder(said(VECTOR | {"virtuaaliviivakoodi": None})) as server:
        at(server)
        assert cli("purchase", "barcode", "1").out == f"{BARCODE}\n"


@pytest.mark.parametrize(
    ("reference", "digits"),
    [
        ("RF18 5390 0754 7034", "549500094200287300001002018000000000539007547034221212"),
        ("rf11 1232", "549500094200287300001002011000000000000000001232221212"),
    ],
)
def test_references_of_other_countries_are_put_into_digits(cli: Cli, at: At, reference: str, digits: str) -> None:
    with recorder(said(VECTOR | {"virtuaaliviivakoodi": None, "reference": reference})) as server:
        at(server)
        assert cli("purchase", "barcode", "1").out == f"{digits}\n"


def test_a_reference_with_letters_has_no_digits(cli: Cli, at: At) -> None:
    with recorder(said(VECTOR | {"virtuaaliviivakoodi": None, "reference": "RF27 A9Z"})) as server:
        at(server)
        done = cli("purchase", "barcode", "1")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[0] == (
        "error: this invoice has no barcode: its reference or its due date cannot be put into digits"
    )


@pytest.mark.together
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"sender_bank_account": None, "reference": None}, "sender_bank_account: missing; reference: missing"),
        ({"sender_bank_account": "DE89370400440532013000"}, "sender_bank_account: only Finnish accounts have one"),
        (
            {"sender_bank_account": "FI49 5000 9420 0287 31"},
            "sender_bank_account: the check digits of the IBAN do not fit the account",
        ),
        ({"reference": "1234567908"}, "reference: the last digit of the reference does not check the others"),
        ({"amount": 1000000}, "amount: 0.00 to 999999.99 fits"),
        ({"currency": "SEK"}, "currency: only EUR has one"),
    ],
)
def test_what_is_missing_is_named(cli: Cli, at: At, change: dict[str, Any], told: str) -> None:
    with recorder(said(VECTOR | {"virtuaaliviivakoodi": None} | change)) as server:
        at(server)
        done = cli("purchase", "barcode", "1")
        failed = cli("purchase", "barcode", "1", "--json")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[0] == f"error: this invoice has no barcode: {told}"
    assert json.loads(failed.err)["error"]["fields"].keys() == {part.split(":")[0] for part in told.split("; ")}


def test_digits_that_no_bank_reads_are_refused(cli: Cli, at: At) -> None:
    with recorder(said(VECTOR | {"virtuaaliviivakoodi": BARCODE[:-1]})) as server:
        at(server)
        assert cli("purchase", "barcode", "1", "--json").code == 9
