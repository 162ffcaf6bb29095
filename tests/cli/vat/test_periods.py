"""`period` and `vat period`: what is sent, what is shown, and what only the local service does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from acctcli.models.fields import fields_of
from acctcli.service.routes.table import TABLE
from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import page, recorder, said
from tests.journeys.endpoints import STEPS

YEAR: dict[str, Any] = {
    **dict.fromkeys(fields_of("period:Period"), False),
    "id": 3,
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "start_date": "2026-01-01",
    "end_date": "2026-12-31",
    "has_began": True,
}
APRIL: dict[str, Any] = {
    **dict.fromkeys(fields_of("vat_period:VatPeriod"), False),
    "id": 7,
    "start_date": "2026-04-01",
    "end_date": "2026-04-30",
    "due_date": "2026-06-12",
    "period": 0,
    "recapitulative_due_date": None,
    "filing_tax_to_be_paid": None,
    "filing_accepted_at": None,
    "purchase_invoice_id": None,
}
EARLIER = APRIL | {"id": 6, "is_locked": True, "period": 1, "recapitulative_due_date": "2026-04-20"}
OLDEST = APRIL | {"id": 5, "is_locked": True, "is_reported": True, "period": 2}
NO_SUCH = "environment testing stands for a service whose interface has no such operation; that of local has"
IDS = re.compile(r"{\w+}")
# each command of the interface, every id being 7, and its operation
COMMANDS = [(tuple(IDS.sub("7", step.command).split()), step.requests[-1].rpartition(" ")[0]) for step in STEPS]
# elsewhere an e-invoice is made of what the service shows, and until when a token holds is not known
DONE_WITHOUT = {"GET /v1/invoicing/{business_slug}/invoice/{invoice_id}/kept/", "GET /v1/user/token/"}
LOCAL = {f"{one.method} {one.path}" for one in TABLE if one.local} - DONE_WITHOUT
# with those that ask for several
LOCAL_ONLY = [
    *(argv for argv, operation in COMMANDS if operation in LOCAL),
    ("audit", "export", "trail"),
    ("vat", "drift"),
]
# what only reads has nothing to rehearse
WRITING = {argv: operation for argv, operation in COMMANDS if operation in LOCAL and not operation.startswith("GET ")}
BODIES: dict[str, dict[str, str]] = {"reopen": {"reason": "Correction"}, "comment": {"text": "fine"}, "start": {}}


def cells(out: str) -> list[list[str]]:
    """Return the cells of a table that hold no spaces."""
    return [line.split() for line in out.splitlines() if not line.startswith("─")]


def test_accounting_periods_are_listed_in_words(cli: Cli, at: At) -> None:
    with recorder(page(YEAR, YEAR | {"id": 2, "is_locked": True})) as server:
        at(server)
        assert cells(succeed(cli("period", "list")).out) == [
            ["id", "start", "date", "end", "date", "status"],
            ["3", "2026-01-01", "2026-12-31", "open"],
            ["2", "2026-01-01", "2026-12-31", "locked"],
        ]
        assert succeed(cli("period", "list", "-o", "csv")).lines() == [
            "id,start_date,end_date,is_locked",
            "3,2026-01-01,2026-12-31,false",
            "2,2026-01-01,2026-12-31,true",
        ]
        assert succeed(cli("period", "list", "--json")).json()[0] == YEAR
        assert cells(succeed(cli("period", "list", "--columns", "status,is_locked")).out)[1] == ["open", "false"]
        words = succeed(cli("period", "list", "--columns", "id,status", "-o", "csv")).lines()
        assert words == ["id,status", "3,open", "2,locked"]


def test_vat_periods_are_listed_in_words_with_what_is_due(cli: Cli, at: At) -> None:
    paid = OLDEST | {"filing_tax_to_be_paid": 38.25}
    with recorder(page(APRIL, EARLIER, paid)) as server:
        at(server)
        assert cells(succeed(cli("vat", "period", "list")).out) == [
            *cells("id length start date end date due date EU statement due status to pay"),
            ["7", "month", "2026-04-01", "2026-04-30", "2026-06-12", "open"],
            ["6", "quarter", "2026-04-01", "2026-04-30", "2026-06-12", "2026-04-20", "locked"],
            ["5", "year", "2026-04-01", "2026-04-30", "2026-06-12", "reported", "38.25"],
        ]
        assert succeed(cli("vat", "period", "list", "-o", "csv")).lines()[1:] == [
            "7,0,2026-04-01,2026-04-30,2026-06-12,,false,false,",
            "6,1,2026-04-01,2026-04-30,2026-06-12,2026-04-20,true,false,",
            "5,2,2026-04-01,2026-04-30,2026-06-12,,true,true,38.25",
        ]
        assert "2 of 3 shown" in succeed(cli("vat", "period", "list", "--limit", "2")).err


def test_one_period_is_shown_in_words(cli: Cli, at: At) -> None:
    with recorder(said(EARLIER)) as server:
        at(server)
        shown = dict(line[:2] for line in cells(succeed(cli("vat", "period", "get", "6")).out) if len(line) > 1)
        assert (shown["status"], shown["length"], shown["due_date"]) == ("locked", "quarter", "2026-06-12")
        assert succeed(cli("vat", "period", "get", "6", "--json")).json() == EARLIER


def test_what_a_newer_service_says_is_shown_all_the_same(cli: Cli, at: At) -> None:
    bare = {"id": 7, "start_date": "2026-04-01", "period": 9}
    with recorder(page(bare)) as server:
        at(server)
        assert cells(succeed(cli("vat", "period", "list")).out)[1] == ["7", "2026-04-01", "open"]


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "method", "path", "body"),
    [
        (
            "period create --start 2027-01-01 --end 2027-12-31",
            "POST", "period/", {"start_date": "2027-01-01", "end_date": "2027-12-31"},
        ),
        ("period update 3 --end 2026-06-30 --change-of-year", "PATCH", "period/3/", {"end_date": "2026-06-30"}),
        ("period delete 3 --yes", "DELETE", "period/3/", None),
        ("vat period create", "POST", "vat_period/", {}),
        (
            "vat period create --start 2026-05-01 --period quarter",
            "POST", "vat_period/", {"start_date": "2026-05-01", "period": 1},
        ),
        ("vat period update 7 --period YEAR", "PATCH", "vat_period/7/", {"period": 2}),
        ("vat period update 7 --set period=null", "PATCH", "vat_period/7/", {"period": None}),
        ("vat period replace 7 --start 2026-05-01", "PUT", "vat_period/7/", {"start_date": "2026-05-01"}),
        ("vat period delete 7 --yes", "DELETE", "vat_period/7/", None),
    ],
)  # fmt: skip
def test_options_become_the_body(cli: Cli, at: At, argv: str, method: str, path: str, body: object) -> None:
    with recorder(said(APRIL | {"id": 3} if path == "period/3/" else APRIL)) as server:
        at(server)
        succeed(cli(*argv.split()))
        (sent,) = server.sent
    assert (sent.method, sent.path) == (method, f"/v1/business/demo/{path}")
    assert (json.loads(sent.body) if sent.body else None) == body


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ("period create --next --start 2027-01-01", "it does not go with --start"),
        ("period create --start 2027-02-30 --end 2027-12-31", "--start '2027-02-30': not a day"),
        ("period update 3", "nothing to change"),
        ("vat period update 7", "nothing to change"),
        ("vat period create --period week", "--period 'week': not a length; write month, quarter or year"),
        ("vat period create --set period=3", "period: "),
        ("vat period report 7 --yes --columns nothing", "there is no field 'nothing'"),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_sent(cli: Cli, at: At, argv: str, words: str) -> None:
    with recorder(page()) as server:
        at(server)
        outcome = cli(*argv.split())
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert words in outcome.err


# --- only in the environment local ---


def test_the_operations_that_are_local_are_those_refused_elsewhere(cli: Cli, at: At) -> None:
    with recorder(page()) as server:
        at(server)
        refused = {operation for argv, operation in COMMANDS if NO_SUCH in cli(*argv).err}
    assert refused == LOCAL


@pytest.mark.together
@pytest.mark.parametrize("argv", [*LOCAL_ONLY, *((*argv, "--dry-run") for argv in WRITING)], ids=" ".join)
def test_elsewhere_there_is_no_such_operation(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(page()) as server:
        at(server)
        outcome = cli(*argv)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    error, hint = outcome.err.splitlines()
    assert error == f"error: {NO_SUCH}"
    assert hint.startswith("hint: do it in the web application of testing")


# those of purchases and people have bodies of their own, those of logos no key, and are rehearsed beside them
@pytest.mark.parametrize(
    "argv", [argv for argv in WRITING if argv[0] not in ("business", "purchase", "user")], ids=" ".join
)
def test_the_request_is_shown_and_not_sent(
    cli: Cli, at: At, argv: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with recorder(page()) as server:
        at(server)
        monkeypatch.setenv("ACCTCLI_ENV", "local")
        monkeypatch.setenv("ACCTCLI_LOCAL_BASE_URL", server.base_url)
        plan = succeed(cli(*argv, "--dry-run", "--json", "--idempotency-key", "mine")).json()
        assert server.sent == []
    method, path = IDS.sub("7", WRITING[argv].replace("{business_slug}", "demo")).split()
    body = next((body for word, body in BODIES.items() if word in argv), None)
    assert (plan["method"], plan["path"], plan["body"], plan["idempotency_key"]) == (method, path, body, "mine")


def test_reporting_asks_first(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    with recorder(said(OLDEST)) as server:
        at(server)
        monkeypatch.setenv("ACCTCLI_ENV", "local")
        monkeypatch.setenv("ACCTCLI_LOCAL_BASE_URL", server.base_url)
        outcome = cli("vat", "period", "report", "5")
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
        assert "Report the VAT of period 5 and lock its documents? This cannot be taken back" in outcome.err
        assert succeed(cli("vat", "period", "report", "5", "--yes", "--json")).json() == OLDEST
        assert [(one.method, one.path) for one in server.sent] == [
            ("POST", "/v1/business/demo/vat_period/5/action/report/")
        ]


def test_words_are_columns_of_what_changes_a_period_too(tmp_path: Path) -> None:
    place = company(tmp_path)
    (period,) = [one["id"] for one in place.json("period", "list") if one["start_date"] == "2026-01-01"]
    for verb, status in (("lock", "locked"), ("unlock", "open")):
        done = place.run("period", verb, str(period), "--columns", "id,status", "-o", "csv")
        assert done.out.splitlines() == ["id,status", f"{period},{status}"]
    refused = place.try_run("period", "lock", str(period), "--columns", "statu")
    assert (refused.code, "did you mean status?" in refused.err) == (2, True)
    (vat,) = place.json("vat", "period", "list", "--columns", "id,length,status", "--limit", "1")
    assert (vat["length"], vat["status"]) == ("month", "open")
