"""Replies that are of another record, or of another request, never pass for what was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from acctcli.settings import Settings
from tests.cli.conftest import At, Cli
from tests.cli.recorder import Answer, Recorder, Sent, of_a_business, page, recorder, said
from tests.loopback import LoopbackServer

OTHER = said({"id": 7, "name": "Other Oy", "status": "ACCEPTED"})
WRITES = [
    ("contact", "update", "1", "--name", "X"),
    ("contact", "replace", "1", "--name", "X", "--type", "BUSINESS"),
    ("invoice", "accept", "1"),
    ("document", "lock", "1"),
]


def refusal(cli: Cli, *argv: str) -> dict[str, object]:
    """Run a command that ends with 9; return what it says went wrong."""
    outcome = cli(*argv, "--json")
    assert (outcome.code, outcome.out) == (9, ""), outcome
    error: dict[str, object] = json.loads(outcome.err.splitlines()[-1])["error"]
    return error


@pytest.mark.together
@pytest.mark.parametrize("argv", [("document", "get", "1"), ("invoice", "get", "1"), ("file", "get", "1"), *WRITES])
def test_another_record_never_passes_for_the_one_asked_for(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(OTHER) as server:
        at(server)
        error = refusal(cli, *argv)
    assert (error["code"], "record 7 where 1 was asked for" in str(error["message"])) == ("other_record", True)
    assert ("doubt" in error) == (argv in WRITES)


@pytest.mark.together
@pytest.mark.parametrize("argv", [("get", "mine"), ("update", "mine", "--name", "X"), ("get", "mine", "7")])
def test_another_business_never_passes_for_the_one_asked_for(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(said({"id": 7, "slug": "yours", "name": "Other Oy"})) as server:
        at(server)
        error = refusal(cli, "business", *argv)
    assert (error["code"], "record yours where mine was asked for" in str(error["message"])) == ("other_record", True)


@pytest.mark.parametrize("slug", ["mine", "new"])
def test_a_business_answers_by_its_old_or_its_new_slug(cli: Cli, at: At, slug: str) -> None:
    with recorder(said({"id": 7, "slug": slug, "name": "Mine Oy"})) as server:
        at(server)
        assert cli("business", "update", "mine", "--set", "slug=new", "--json").code == 0


@pytest.mark.together
@pytest.mark.parametrize("body", [{}, {"id": None}, {"id": "x"}, {"id": True}, {"error": "refused", "success": False}])
@pytest.mark.parametrize(
    "argv",
    [("contact", "get", "1"), ("contact", "create", "--name", "X"), ("document", "copy", "1"), *WRITES],
)
def test_what_has_no_id_is_no_record(cli: Cli, at: At, argv: tuple[str, ...], body: dict[str, object]) -> None:
    with recorder(said(body)) as server:
        at(server)
        error = refusal(cli, *argv)
    assert error["code"] == "unreadable_reply"
    doubt = error.get("doubt")
    assert (doubt is not None) == (argv[1] != "get")
    assert doubt is None or (isinstance(doubt, dict) and doubt["repeat"])


@pytest.mark.together
@pytest.mark.parametrize("form", ["json", "jsonl", "table"])
@pytest.mark.parametrize("body", [b'{"id":2', b"", b"[]", b"null"])
@pytest.mark.parametrize("argv", [("contact", "get"), ("document", "lock")])
def test_each_of_several_records_is_one(cli: Cli, at: At, argv: tuple[str, ...], body: bytes, form: str) -> None:
    def behave(sent: Sent) -> Answer:
        return Answer(200, body) if "/2/" in sent.path else said({"id": 1, "name": "Oak Oy", "number": "1"})

    with recorder(behave) as server:
        at(server)
        outcome = cli(*argv, "1", "2", "--output", form)
    assert (outcome.code, "2: the service answered with something" in outcome.err) == (9, True), outcome
    assert "internal" not in outcome.err
    assert ("idempotency-key" in outcome.err) == (argv[1] == "lock")


@pytest.mark.together
@pytest.mark.parametrize("body", [b"[null]", b"[[]]", b'[{"id": 1}, "x"]'])
@pytest.mark.parametrize("argv", [("document", "relation", "suggestions", "3"), ("invoice", "delivery-methods", "1")])
def test_an_array_of_something_else_holds_no_records(cli: Cli, at: At, argv: tuple[str, ...], body: bytes) -> None:
    with recorder(Answer(200, body)) as server:
        at(server)
        assert refusal(cli, *argv)["code"] == "unreadable_reply"


@pytest.fixture
def local(at: At, monkeypatch: pytest.MonkeyPatch) -> At:
    """Point the environment `local` at a server elsewhere: `local(server)`."""

    def point(server: LoopbackServer) -> None:
        at(server)
        monkeypatch.setenv("ACCTCLI_ENV", "local")
        monkeypatch.setenv("ACCTCLI_LOCAL_BASE_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_LOCAL_TOKEN", "a-token-of-the-local-service")

    return point


@pytest.mark.parametrize("body", [b'{"records": "x"}', b'{"records": 1e400}', b'{"records": {}, "faults": []}'])
def test_what_is_no_verification_proves_nothing(cli: Cli, local: At, body: bytes) -> None:
    with recorder(Answer(200, body)) as server:
        local(server)
        assert refusal(cli, "audit", "verify")["code"] == "unreadable_reply"


def test_a_reply_of_another_shape_is_no_fault_of_this_program(cli: Cli, local: At, tmp_path: Path) -> None:
    verified = {"records": 1, "last_id": 1, "last_hash": "0", "faults": [], "seals": []}
    with recorder(lambda sent: said(verified) if "verif" in sent.path else page({"id": "1"})) as server:
        local(server)
        error = refusal(cli, "audit", "export", str(tmp_path / "trail"))
    assert error["code"] == "unreadable_reply"
    assert "internal" not in str(error["message"])


def test_what_no_service_told_is_no_reply(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise msgspec.ValidationError("on purpose")

    monkeypatch.setattr(Settings, "list_environments", fail)
    outcome = cli("env", "list", "--json")
    assert (outcome.code, json.loads(outcome.err)["error"]["code"]) == (1, "internal_fault")


def test_a_period_that_ends_before_it_begins_is_no_fault_of_this_program(cli: Cli, at: At) -> None:
    period = {"id": 1, "start_date": "9999-12-31", "end_date": "2026-12-31", "is_locked": False}
    with recorder(of_a_business(lambda sent: page(period) if "/period/" in sent.path else page())) as server:
        at(server)
        error = refusal(cli, "check")
    assert error["code"] == "unreadable_reply"


def test_a_number_that_jq_would_read_for_hours_is_refused(cli: Cli, at: At) -> None:
    text = b'{"id": 1, "name": "%s", "n": %s}'
    with recorder(Answer(200, text % (b"1" * 2_000_000, b"12.50"))) as server:
        at(server)
        outcome = cli("contact", "get", "1", "--jq", ".n")
    assert (outcome.code, outcome.out) == (0, "12.50\n")
    with recorder(Answer(200, text % (rb"\"", b"1" * 2_000_000))) as server:
        at(server)
        outcome = cli("contact", "get", "1", "--jq", ".name")
    assert (outcome.code, outcome.out) == (9, "")
    assert "digits" in outcome.err


def test_a_copy_is_another_record(cli: Cli, at: At) -> None:
    with recorder(OTHER) as server:
        at(server)
        assert cli("document", "copy", "1", "--json").code == 0


def test_files_that_are_mixed_up_are_not_saved(cli: Cli, at: At, tmp_path: Path) -> None:
    def answer(sent: Sent) -> Answer:
        number = sent.path.rstrip("/").rpartition("/")[2]
        if "/files/" not in sent.path:
            return Answer(200, b"content of " + number.encode(), {"Content-Type": "text/plain"})
        found = {"name": f"f{number}.txt", "file": f"{server.base_url}/content/{number}"}
        return said({"id": 1 if number == "5" else int(number), **found})

    server: Recorder
    with recorder(answer) as server:
        at(server)
        error = refusal(cli, "file", "download", "1", "2", "5", "--to", str(tmp_path / "dl"))
    assert error["code"] == "other_record"
    assert not (tmp_path / "dl").exists()


def test_a_list_of_files_in_which_two_have_one_id_is_not_saved(cli: Cli, at: At, tmp_path: Path) -> None:
    def answer(sent: Sent) -> Answer:
        rows = (b'{"id":%d,"name":"f%d.txt","file":"http://127.0.0.1:1/","id":9}' % (n, n) for n in (1, 2))
        whole = page().body.replace(b"[]", b"[" + b",".join(rows) + b"]").replace(b'"count": 0', b'"count": 2')
        return Answer(200, whole)

    with recorder(answer) as server:
        at(server)
        error = refusal(cli, "file", "download", "--all", "--to", str(tmp_path / "dl"))
    assert "two files" in str(error["message"])


@pytest.mark.together
@pytest.mark.parametrize("status", [202, 203, 205, 206, 207, 226, 299])
@pytest.mark.parametrize(
    "argv", [("document", "get", "1"), ("document", "list"), ("document", "delete", "1", "--yes"), *WRITES]
)
def test_only_the_statuses_of_the_interface_are_success(cli: Cli, at: At, argv: tuple[str, ...], status: int) -> None:
    is_list = argv == ("document", "list")
    body = page({"id": 1}).body if is_list else b'{"id": 1}'
    with recorder(Answer(status, body)) as server:
        at(server)
        error = refusal(cli, *argv)
    assert (error["code"], error["status"]) == ("unreadable_reply", status)
    doubt = error.get("doubt")
    assert (doubt is not None) == bool(server.writes)
    assert doubt is None or (isinstance(doubt, dict) and not doubt["is_done"])


@pytest.mark.together
@pytest.mark.parametrize("argv", [("invoice", "delivery-methods", "1"), ("document", "suggest-attachments", "1")])
@pytest.mark.parametrize("twist", [{"next": 2}, {"count": 500}, {"results": None}, {"count": None}])
def test_one_page_of_several_is_no_array(cli: Cli, at: At, argv: tuple[str, ...], twist: dict[str, object]) -> None:
    whole = json.loads(page({"id": 1}).body)
    with recorder(said(whole | twist)) as server:
        at(server)
        refusal(cli, *argv)


JOURNAL = {"documents": [{"number": "1", "date": "2026-01-01", "entries": []}], "totals": {"debet": 9, "credit": 9}}
ACCOUNT = {"number": "1910", "name": "Bank", "opening_balance": 0, "entries": [], "totals": {"debet": 7, "credit": 0}}


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "body"),
    [
        (("ledger", "--output", "json"), {"accounts": [ACCOUNT]}),
        (("ledger", "--output", "csv"), {"accounts": [ACCOUNT]}),
        (("journal", "--output", "json", "--jq", "."), JOURNAL),
        (("journal", "--output", "csv"), JOURNAL),
    ],
)
def test_books_that_contradict_themselves_are_refused(
    cli: Cli, at: At, argv: tuple[str, ...], body: dict[str, object]
) -> None:
    with recorder(said(body)) as server:
        at(server)
        outcome = cli("report", *argv, "--period", "2026")
    assert outcome.code == 10, outcome


@pytest.mark.together
@pytest.mark.parametrize("body", [b"{}", b'{"detail": "queued"}', b'{"accounts": [], "accounts": []}'])
def test_a_ledger_without_accounts_is_none(cli: Cli, at: At, body: bytes) -> None:
    with recorder(Answer(200, body)) as server:
        at(server)
        refusal(cli, "report", "ledger", "--period", "2026")


def test_a_report_of_which_a_part_came_is_none(cli: Cli, at: At) -> None:
    with recorder(Answer(206, b'{"accounts": []}')) as server:
        at(server)
        assert refusal(cli, "report", "ledger", "--period", "2026")["status"] == 206
