"""Relations of documents: each command is one request below its document."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said

RELATION = {"id": 3, "related_document": 8, "role": "ACCRUAL", "type": "ACCRUAL_PAIR", "description": "Payment"}
SUGGESTION = {"related_document": 8, "role": "ACCRUAL", "type": "ACCRUAL_PAIR", "score": 75, "reason": "500.00 on 1700"}
BANK = {"id": 2, "number": "1910", "name": "Bank", "type": "ASS_PAY"}
CLAIM = {"id": 5, "number": "1700", "name": "Receivables", "type": "ASS_DUE", "default_vat_code": 3}


def service(sent: Sent) -> Answer:
    path = sent.path.partition("?")[0]
    if path.endswith("/account/"):
        return page(BANK, CLAIM)
    if path.endswith(("/suggestions/", "/preview/")):
        return said([SUGGESTION])
    if path.endswith("/relation/") and sent.method == "GET":
        return page(RELATION)
    return Answer(204, b"", {}) if sent.method == "DELETE" else said(RELATION)


def last(server: Recorder) -> tuple[str, Any]:
    sent = server.sent[-1]
    path = sent.path.split("/demo/")[1].partition("?")[0]
    return f"{sent.method} {path}", json.loads(sent.body or b"null")


WHOLE = {"related_document": 8, "role": "SETTLEMENT", "type": "ACCRUAL_PAIR"}
COMMANDS: list[tuple[str, str, Any, Any]] = [
    ("list 7", "GET document/7/relation/", None, [RELATION]),
    ("get 7 3", "GET document/7/relation/3/", None, RELATION),
    ("create 7 --related 8 --role settlement", "POST document/7/relation/", WHOLE, RELATION),
    ("create 7 --related 8 --role SETTLEMENT --type ACCRUAL_PAIR", "POST document/7/relation/", WHOLE, RELATION),
    ("update 7 3 --role settlement", "PATCH document/7/relation/3/", {"role": "SETTLEMENT"}, RELATION),
    ("update 7 3 --set related_document=9", "PATCH document/7/relation/3/", {"related_document": 9}, RELATION),
    ("replace 7 3 --related 8 --role settlement", "PUT document/7/relation/3/", WHOLE, RELATION),
    ("delete 7 3 --yes", "DELETE document/7/relation/3/", None, {"id": 3, "deleted": True}),
    ("suggestions 7", "GET document/7/relation/suggestions/", None, [SUGGESTION]),
]  # fmt: skip


@pytest.mark.together
@pytest.mark.parametrize(("argv", "line", "body", "shown"), COMMANDS, ids=[one[0] for one in COMMANDS])
def test_each_command_is_one_request(cli: Cli, at: At, argv: str, line: str, body: Any, shown: Any) -> None:
    with recorder(service) as server:
        at(server)
        assert succeed(cli("document", "relation", *argv.split(), "--json")).json() == shown
        assert len(server.sent) == 1
        assert last(server) == (line, body)


def test_a_body_may_come_from_a_file(cli: Cli, at: At) -> None:
    with recorder(service) as server:
        at(server)
        argv = ("document", "relation", "create", "7", "--file", "-")
        succeed(cli(*argv, stdin=json.dumps({**WHOLE, "role": "ACCRUAL"})))
        assert last(server)[1] == {**WHOLE, "role": "ACCRUAL"}


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ("create 7 --role accrual", "related_document (--related): required"),
        ("create 7 --related 8", "role: required"),
        ("create 7 --related 8 --role payer", "role: "),
        ("create 7 --related 8 --role accrual --type OTHER", "type: "),
        ("update 7 3", "nothing to change"),
        ("replace 7 3 --related 8", "role: required"),
        ("get 0 3", "DOCUMENT"),
        ("delete 7 3", "Delete relation 3 of document 7? This cannot be taken back"),
        ("delete 7 3", "confirm with --yes"),
        ("preview --date 2026-03-02", "blueprint (--debit, --credit): required"),
        ("preview --debit 1910 --credit 1700", "neither --debit 1910 nor --credit 1700 has an amount"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_sent(cli: Cli, at: At, argv: str, says: str) -> None:
    with recorder(service) as server:
        at(server)
        outcome = cli("document", "relation", *argv.split())
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert says in outcome.err


def test_a_document_that_is_not_posted_yet_is_described_by_legs(cli: Cli, at: At) -> None:
    argv = "preview --debit 1910 --credit 1700:500 --date 2026-03-02 --contact 4 --exclude 9 --exclude 10"
    with recorder(service) as server:
        at(server)
        assert succeed(cli("document", "relation", *argv.split(), "--json")).json() == [SUGGESTION]
        assert last(server) == (
            "POST document/relation/suggestions/preview/",
            {
                "date": "2026-03-02",
                "contact_id": 4,
                "exclude_document_ids": [9, 10],
                "blueprint": {
                    "debet_account_id": 2,
                    "credit_entries": [{"account_id": 5, "vat_code": 3, "vat_rate": 0, "amount": 500}],
                },
            },
        )


def test_or_by_a_body(cli: Cli, at: At) -> None:
    body = {"blueprint": {"debet_account_id": 1910, "credit_entries": [{"account_id": 1700, "amount": 1}]}}
    with recorder(service) as server:
        at(server)
        argv = ("document", "relation", "preview", "--file", "-")
        succeed(cli(*argv, "--account-numbers", stdin=json.dumps(body)))
        numbers = last(server)[1]["blueprint"]
        succeed(cli(*argv, stdin=json.dumps(body)))
        ids = last(server)[1]["blueprint"]
    assert (numbers["debet_account_id"], numbers["credit_entries"][0]["account_id"]) == (2, 5)
    assert ids == body["blueprint"]
