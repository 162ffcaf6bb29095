"""Replies that are of another record, or of another request, never pass for what was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import At, Cli
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said

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


@pytest.mark.parametrize("argv", [("document", "get", "1"), ("invoice", "get", "1"), ("file", "get", "1"), *WRITES])
def test_another_record_never_passes_for_the_one_asked_for(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(OTHER) as server:
        at(server)
        error = refusal(cli, *argv)
    assert (error["code"], "record 7 where 1 was asked for" in str(error["message"])) == ("other_record", True)
    assert ("doubt" in error) == (argv in WRITES)


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


@pytest.mark.parametrize("argv", [("invoice", "delivery-methods", "1"), ("document", "suggest-attachments", "1")])
@pytest.mark.parametrize("twist", [{"next": 2}, {"count": 500}, {"results": None}, {"count": None}])
def test_one_page_of_several_is_no_array(cli: Cli, at: At, argv: tuple[str, ...], twist: dict[str, object]) -> None:
    whole = json.loads(page({"id": 1}).body)
    with recorder(said(whole | twist)) as server:
        at(server)
        refusal(cli, *argv)


JOURNAL = {"documents": [{"number": "1", "date": "2026-01-01", "entries": []}], "totals": {"debet": 9, "credit": 9}}
ACCOUNT = {"number": "1910", "name": "Bank", "opening_balance": 0, "entries": [], "totals": {"debet": 7, "credit": 0}}


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


@pytest.mark.parametrize("body", [b"{}", b'{"detail": "queued"}', b'{"accounts": [], "accounts": []}'])
def test_a_ledger_without_accounts_is_none(cli: Cli, at: At, body: bytes) -> None:
    with recorder(Answer(200, body)) as server:
        at(server)
        refusal(cli, "report", "ledger", "--period", "2026")


def test_a_report_of_which_a_part_came_is_none(cli: Cli, at: At) -> None:
    with recorder(Answer(206, b'{"accounts": []}')) as server:
        at(server)
        assert refusal(cli, "report", "ledger", "--period", "2026")["status"] == 206
