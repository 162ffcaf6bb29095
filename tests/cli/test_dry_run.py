"""--dry-run on every writing command: the whole request is shown, and nothing leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import TOKEN, page, recorder
from tests.cli.walk import commands

ACCOUNT = {"number": "1911", "type": "ASS_PAY"}
PAIR = {"related_document": 8, "type": "ACCRUAL_PAIR"}
DOCUMENT = {"date": "2026-03-01", "description": "Rent"}
CONTACT = {"name": "Acme", "invoicing_tax_code": "FI01120389"}
Y_TUNNUS = {"type": "y_tunnus", "value": "0112038-9"}
NAMES = [{"key": key, "value": "Bank"} for key in ("fi", "sv", "en", "de")]

INVOICES = "/v1/invoicing/demo/invoice/"
ROW = "name=Work,unit=h,count=2,amount=99.99,vat=25.5"
INVOICE = {
    "receiver": 5,
    "invoicing_date": "2026-03-01",
    "payment_condition_days": 14,
    "rows": [
        {
            "name": "Work", "unit": "h", "product_count": 2.0, "amount": 99.99, "vat_rate": 25.5, "vat_code": 1,
        }
    ],
}  # fmt: skip
PRODUCTS = "/v1/invoicing/demo/product/"
WORK = ("--name", "Work", "--unit", "h", "--amount", "0.125", "--vat-code", "3")
PRODUCT = {"name": "Work", "unit": "h", "amount": 0.125, "vat_code": 3}
BILLS = "/v1/invoicing/demo/purchase_invoice/"
BILL = {"invoicing_date": "2026-03-01", "amount": 9.9, "import_source": "UPLOAD"}

# command -> arguments, method, path below the business (or whole), body
SAMPLES: dict[str, tuple[list[str], str, str, object]] = {
    "account create": (
        ["--number", "1911", "--name", "Bank", "--type", "ASS_PAY"],
        "POST", "account/", {"number": "1911", "name_translations": NAMES, "type": "ASS_PAY"},
    ),
    "account update": (["id:7", "--number", "1912"], "PATCH", "account/7/", {"number": "1912"}),
    "account replace": (
        ["id:7", "--number", "1911", "--name", "Bank", "--type", "ASS_PAY"],
        "PUT", "account/7/", {"number": "1911", "name_translations": NAMES, "type": "ASS_PAY"},
    ),
    "account delete": (["id:7"], "DELETE", "account/7/", None),
    "account show": (["id:7"], "POST", "account/7/show/", None),
    "account hide": (["id:7"], "POST", "account/7/hide/", None),
    "api": (["PATCH", "/v1/user/", "--field", "first_name=Ada"], "PATCH", "/v1/user/", {"first_name": "Ada"}),
    "business create": (
        ["--name", "Acme Oy", "--form", "FI_OY"], "POST", "/v1/business/", {"name": "Acme Oy", "form": "FI_OY"},
    ),
    "business update": (["acme", "--name", "Acme"], "PATCH", "/v1/business/acme/", {"name": "Acme"}),
    "business replace": (
        ["acme", "--name", "Acme", "--form", "FI_OY"],
        "PUT", "/v1/business/acme/", {"name": "Acme", "form": "FI_OY"},
    ),
    "business delete": (["acme"], "DELETE", "/v1/business/acme/", None),
    "business identifier create": (
        ["--type", "y_tunnus", "--value", "0112038-9"], "POST", "identifiers/", Y_TUNNUS,
    ),
    "business identifier update": (["7", "--value", "0112038-9"], "PATCH", "identifiers/7/", {"value": "0112038-9"}),
    "business identifier replace": (
        ["7", "--type", "y_tunnus", "--value", "0112038-9"], "PUT", "identifiers/7/", Y_TUNNUS,
    ),
    "business identifier delete": (["7"], "DELETE", "identifiers/7/", None),
    "contact create": (["--name", "Acme", "--vat-id", "FI01120389"], "POST", "contacts/", CONTACT),
    "contact update": (["7", "--no-invoicing"], "PATCH", "contacts/7/", {"is_invoicing_enabled": False}),
    "contact replace": (["7", "--name", "Acme", "--vat-id", "FI01120389"], "PUT", "contacts/7/", CONTACT),
    "contact delete": (["7"], "DELETE", "contacts/7/", None),
    "document create": (["--date", "2026-03-01", "--description", "Rent"], "POST", "document/", DOCUMENT),
    "document update": (["7", "--draft"], "PATCH", "document/7/", {"is_draft": True}),
    "document replace": (
        ["7", "--date", "2026-03-01", "--description", "Rent"], "PUT", "document/7/", DOCUMENT,
    ),
    "document delete": (["7"], "DELETE", "document/7/", None),
    "document lock": (["7"], "POST", "document/7/action/lock/", None),
    "document unlock": (["7"], "POST", "document/7/action/unlock/", None),
    "document flag": (["7"], "POST", "document/7/action/flag/", None),
    "document unflag": (["7"], "POST", "document/7/action/unflag/", None),
    "document copy": (["7", "--date", "2026-04-01"], "POST", "document/7/action/copy/", {"date": "2026-04-01"}),
    "document attach": (["7", "12"], "POST", "document/7/action/attach_files/", {"attachment_ids": [12]}),
    "document detach": (["7", "12"], "POST", "document/7/action/detach_files/", {"attachment_ids": [12]}),
    "document set-files": (["7"], "POST", "document/7/action/set_files/", {"attachment_ids": []}),
    "document relation create": (
        ["7", "--related", "8", "--role", "accrual"], "POST", "document/7/relation/", {**PAIR, "role": "ACCRUAL"},
    ),
    "document relation update": (
        ["7", "3", "--role", "settlement"], "PATCH", "document/7/relation/3/", {"role": "SETTLEMENT"},
    ),
    "document relation replace": (
        ["7", "3", "--related", "8", "--role", "accrual"],
        "PUT", "document/7/relation/3/", {**PAIR, "role": "ACCRUAL"},
    ),
    "document relation delete": (["7", "3"], "DELETE", "document/7/relation/3/", None),
    "file update": (["7", "--name", "a.pdf"], "PATCH", "files/7/", {"name": "a.pdf"}),
    "file replace": (["7", "--name", "a.pdf"], "PUT", "files/7/", {"name": "a.pdf"}),
    "file delete": (["7"], "DELETE", "files/7/", None),
    "header create": (
        ["--name", "Bank", "--type", "B", "--parent", "3"],
        "POST", "header/", {"name_translations": NAMES, "type": "B", "parent_id": 3},
    ),
    "invoice create": (
        ["--to", "id:5", "--date", "2026-03-01", "--days", "14", "--row", ROW],
        "POST", INVOICES, INVOICE,
    ),
    "invoice update": (["7", "--days", "30"], "PATCH", f"{INVOICES}7/", {"payment_condition_days": 30}),
    "invoice replace": (
        ["7", "--to", "id:5", "--date", "2026-03-01", "--days", "14", "--row", ROW],
        "PUT", f"{INVOICES}7/", INVOICE,
    ),
    "invoice delete": (["7"], "DELETE", f"{INVOICES}7/", None),
    "invoice accept": (["7"], "POST", f"{INVOICES}7/actions/accept/", None),
    "invoice paid": (["7"], "POST", f"{INVOICES}7/actions/paid/", None),
    "invoice unpaid": (["7"], "POST", f"{INVOICES}7/actions/unpaid/", None),
    "invoice credit-loss": (["7"], "POST", f"{INVOICES}7/actions/credit_loss/", None),
    "invoice disable-recurrence": (["7"], "POST", f"{INVOICES}7/actions/disable_recurrence/", None),
    "invoice status-message add": (["7", "Late."], "POST", f"{INVOICES}7/status_messages/", {"message": "Late."}),
    "invoice status-message remove": (["7", "3"], "DELETE", f"{INVOICES}7/status_messages/3/", None),
    "payout create": (
        [
            "--external-id", "po_1", "--source", "shop", "--date", "2026-03-01", "--amount", "1",
            "--item", "amount=1,account=3000,vat=25.5,code=1",
        ],
        "POST", "sales_payouts/",
        {
            "external_id": "po_1", "source": "shop", "date": "2026-03-01", "amount": 1,
            "items": [{"amount": 1, "account_number": "3000", "vat_rate": "25.50", "vat_code": 1}],
        },
    ),
    "period create": (
        ["--start", "2027-01-01", "--end", "2027-12-31"],
        "POST", "period/", {"start_date": "2027-01-01", "end_date": "2027-12-31"},
    ),
    "period update": (
        ["7", "--end", "2026-06-30", "--change-of-year"], "PATCH", "period/7/", {"end_date": "2026-06-30"},
    ),
    "period replace": (
        ["7", "--start", "2027-01-01", "--end", "2027-12-31"],
        "PUT", "period/7/", {"start_date": "2027-01-01", "end_date": "2027-12-31"},
    ),
    "period delete": (["7"], "DELETE", "period/7/", None),
    "product create": ([*WORK], "POST", PRODUCTS, PRODUCT),
    "product update": (["7", "--vat-inclusive"], "PATCH", f"{PRODUCTS}7/", {"is_vat_inclusive": True}),
    "product replace": (["7", *WORK], "PUT", f"{PRODUCTS}7/", PRODUCT),
    "product delete": (["7"], "DELETE", f"{PRODUCTS}7/", None),
    "purchase update": (["7", "--document", "8"], "PATCH", f"{BILLS}7/", {"document": {"id": 8}}),
    "purchase replace": (
        ["7", "--date", "2026-03-01", "--amount", "9.9", "--source", "UPLOAD"], "PUT", f"{BILLS}7/", BILL,
    ),
    "purchase unpay": (["7"], "PATCH", f"{BILLS}7/", {"is_paid": False}),
    "purchase delete": (["7"], "DELETE", f"{BILLS}7/", None),
    "tag create": (["--name", "Trip", "--color", "red"], "POST", "tags/", {"name": "Trip", "color": "red"}),
    "tag update": (["7", "--description", "Oslo"], "PATCH", "tags/7/", {"description": "Oslo"}),
    "tag replace": (["7", "--name", "Trip"], "PUT", "tags/7/", {"name": "Trip"}),
    "tag delete": (["7"], "DELETE", "tags/7/", None),
    "user update": (["--set", "first_name=Ada"], "PATCH", "/v1/user/", {"first_name": "Ada"}),
    "user replace": (
        ["--set", "first_name=Ada", "--set", "last_name=L"],
        "PUT", "/v1/user/", {"first_name": "Ada", "last_name": "L"},
    ),
    "vat period create": (["--period", "quarter"], "POST", "vat_period/", {"period": 1}),
    "vat period update": (["7", "--period", "year"], "PATCH", "vat_period/7/", {"period": 2}),
    "vat period replace": (["7", "--start", "2026-05-01"], "PUT", "vat_period/7/", {"start_date": "2026-05-01"}),
    "vat period delete": (["7"], "DELETE", "vat_period/7/", None),
    "webhook create": (
        ["--name", "Shop", "--url", "https://shop.example/"], "POST", "webhook_subscriptions/",
        {"name": "Shop", "target_url": "https://shop.example/"},
    ),
    "webhook update": (["7", "--inactive"], "PATCH", "webhook_subscriptions/7/", {"is_active": False}),
    "webhook replace": (
        ["7", "--name", "Shop", "--url", "https://shop.example/"], "PUT", "webhook_subscriptions/7/",
        {"name": "Shop", "target_url": "https://shop.example/"},
    ),
    "webhook delete": (["7"], "DELETE", "webhook_subscriptions/7/", None),
    "workflow create": (["--name", "Tag"], "POST", "workflows/", {"name": "Tag"}),
    "workflow update": (["7", "--enabled"], "PATCH", "workflows/7/", {"enabled": True}),
    "workflow replace": (["7", "--name", "Tag"], "PUT", "workflows/7/", {"name": "Tag"}),
    "workflow enable": (["7"], "PATCH", "workflows/7/", {"enabled": True}),
    "workflow disable": (["7"], "PATCH", "workflows/7/", {"enabled": False}),
    "workflow delete": (["7"], "DELETE", "workflows/7/", None),
}  # fmt: skip
# rehearsed beside their own tests: these send files, or what lies in one
WITH_FILES = {
    "bank confirm",
    "bank import",
    "bank match",
    "bank review",
    "business import-opening",
    "file upload",
    "local clean",
    "local tick",
    "purchase import",
}
# rehearsed in invoice/test_commands.py, test_paying.py and test_reminding.py: what they send depends on the invoice
ON_INVOICES = {
    "invoice send", "invoice credit-note", "invoice pay", "invoice refund", "invoice set-off", "invoice remind",
}  # fmt: skip
# rehearsed in payout/test_commands.py and purchase/test_booking.py: they send what the record is made of
ON_RECORDS = {"payout book", "purchase post", "purchase pay", "purchase refund"}
# rehearsed in journeys/test_payment_files.py: what they send depends on what is open, and on what was handed over
PAYING_OUT = {"purchase pay-file", "purchase withdraw"}
# rehearsed in document/test_reversing.py: they send what the document is
ON_DOCUMENTS = {"document reverse", "document correct"}
# rehearsed in document/test_accruing.py, depreciation/test_commands.py and close/test_posting.py: they ask for
# accounts and periods first
ENDING = {"accrual create", "close post", "depreciation post"}
# rehearsed in webhook/test_listening.py: it subscribes with an address of this machine
LISTENING = {"webhook listen"}
ON_FILES = {"bank rule remove", "env unset", "local reset", "local restore", "local rotate-key"}
# rehearsed in local/test_people.py and local/test_client.py
ON_PEOPLE = {"local revoke-token", "local sign-out", "local client remove"}
# rehearsed in vat/test_periods.py, purchase/test_commands.py, audit/test_commands.py, webhook/test_delivering.py,
# business/test_logo.py, test_user.py and workflow/test_runs.py: elsewhere they are refused before there is a request
LOCAL_ONLY = {
    "period lock", "period unlock", "purchase create", "vat period lock", "vat period unlock", "vat period report",
    "vat period reopen", "audit seen", "audit comment", "user invite", "user grant", "user revoke", "user remove",
    "user withdraw", "user accept", "user reject", "webhook redeliver", "webhook ping",
    "workflow run start", "workflow run cancel", "business logo set", "business logo remove",
}  # fmt: skip


def test_every_command_that_can_be_rehearsed_is_rehearsed_here() -> None:
    able = {found.name for found in commands() if "--dry-run" in found.options()}
    assert (
        able
        == set(SAMPLES)
        | LISTENING
        | ON_FILES
        | WITH_FILES
        | ON_INVOICES
        | ON_RECORDS
        | PAYING_OUT
        | ON_DOCUMENTS
        | ENDING
        | LOCAL_ONLY
        | ON_PEOPLE
    )


@pytest.mark.together
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("options", [("--json",), (), ("--output", "jsonl"), ("--columns", "id", "--json")])
def test_the_request_is_shown_and_not_sent(cli: Cli, at: At, name: str, options: tuple[str, ...]) -> None:
    argv, method, path, body = SAMPLES[name]
    with recorder(page()) as server:
        at(server)
        outcome = succeed(cli(*name.split(), *argv, "--dry-run", *options))
        assert server.sent == []
        host = server.base_url
    assert TOKEN not in outcome.out + outcome.err
    if not options:
        assert {host, method} <= set(outcome.out.split())
        return
    plan = outcome.json()
    assert (plan["idempotency_key"] is None) == (method != "POST")
    whole = path if path.startswith("/") else f"/v1/business/demo/{path}"
    assert (plan["method"], plan["host"], plan["path"]) == (method, host, whole)
    assert plan["body"] == body


def test_a_loss_of_another_day_is_of_the_local_service_alone(cli: Cli, at: At) -> None:
    with recorder(page()) as server:
        at(server)
        outcome = cli("invoice", "credit-loss", "7", "--date", "2026-03-31", "--yes")
    assert (outcome.code, server.sent) == (2, [])
    assert "the service of testing posts a loss today" in outcome.err


def test_the_key_given_is_the_key_shown(cli: Cli, at: At) -> None:
    with recorder(page()) as server:
        at(server)
        plan = succeed(cli("account", "hide", "id:7", "--dry-run", "--json", "--idempotency-key", "mine")).json()
    assert plan["idempotency_key"] == "mine"


def test_amounts_are_shown_with_the_digits_that_would_be_sent(cli: Cli, at: At) -> None:
    rows = '[{"account_id":1,"amount":12345678901234567.89},{"account_id":2,"amount":10.10}]'
    argv = ("document", "create", "--date", "2026-03-01", "--set", f"blueprint.credit_entries={rows}")
    with recorder(page()) as server:
        at(server)
        for form in ("json", "jsonl", "table", "csv"):
            out = succeed(cli(*argv, "--dry-run", "--output", form)).out.replace('""', '"')
            assert '"amount":12345678901234567.89' in out.replace(" ", "").replace("\n", ""), form
            assert '"amount":10.10}' in out.replace(" ", "").replace("\n", ""), form


def test_a_file_of_many_is_shown_line_by_line(cli: Cli, at: At) -> None:
    Path("many.jsonl").write_text('{"date": "2026-03-01"}\n\n{"date": "2026-03-02"}\n')
    with recorder(page()) as server:
        at(server)
        plans = succeed(
            cli("document", "create", "--file", "many.jsonl", "--dry-run", "--json", "--columns", "id")
        ).json()
        again = succeed(
            cli("document", "create", "--file", "many.jsonl", "--dry-run", "--json", "--idempotency-key", "k")
        ).json()
        third = succeed(
            cli(
                "document", "create", "--file", "many.jsonl", "--dry-run", "--output", "jsonl", "--idempotency-key", "k"
            )
        ).lines()
        assert server.sent == []
    assert [plan["body"] for plan in plans] == [{"date": "2026-03-01"}, {"date": "2026-03-02"}]
    assert len({plan["idempotency_key"] for plan in plans}) == 2
    assert [plan["idempotency_key"] for plan in again] == [json.loads(line)["idempotency_key"] for line in third]


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_what_is_wrong_is_refused_in_a_rehearsal_too(cli: Cli, at: At, options: tuple[str, ...]) -> None:
    with recorder(page()) as server:
        at(server)
        for argv in (
            ("account", "create", "--number", "12345678"),
            ("account", "update", "id:7"),
            ("business", "update", "no/slug", "--name", "x"),
            ("document", "create", "--date", "2026-02-30"),
            ("document", "update", "0", "--draft"),
            ("account", "create", "--set", "nosuch=1"),
            ("document", "create", "--account-numbers", "--file", "many.jsonl", "--set", "a=b"),
        ):
            outcome = cli(*argv, "--dry-run", *options)
            assert (outcome.code, outcome.out) == (2, ""), argv
        assert server.writes == []


def test_local_files_stay_as_they_are(cli: Cli, home: Path) -> None:
    succeed(cli("env", "set", "staging", "--base-url", "https://books.example"))
    succeed(cli("local", "init", "--env", "local"))
    succeed(cli("local", "backup", "backup.sqlite3"))
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for argv in (("env", "unset", "staging"), ("local", "reset"), ("local", "restore", "backup.sqlite3")):
        for agreed in ((), ("--yes",)):
            told = succeed(cli(*argv, "--dry-run", *agreed))
            assert told.out == ""
            assert told.err.startswith("Would "), argv
            facts = succeed(cli(*argv, "--dry-run", "--json", *agreed)).json()
            assert {value for value in facts.values() if isinstance(value, bool)} == {False}
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
