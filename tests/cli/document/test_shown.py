"""Documents as people read them: what was posted stands in columns of debit and credit that come to the same."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.bookkeeping import Service
from tests.cli.company import company
from tests.cli.conftest import At, Cli
from tests.cli.recorder import Answer, Sent, recorder, said

SALE = ("--date", "2026-03-02", "--debit", "1910", "--credit", "3000:125.50")


def test_what_was_posted_is_shown_as_entries(tmp_path: Path) -> None:
    place = company(tmp_path)
    done = place.run("document", "create", *SALE)
    record, entries = done.out.split("\n\n")
    assert "blueprint" not in record
    assert "type             normal" in record
    lines = [line.split() for line in entries.splitlines()]
    assert lines[0] == ["account", "number", "account", "name", "debit", "credit", "VAT", "description"]
    amounts = {line[0]: [word for word in line if "." in word] for line in lines[2:]}
    assert amounts == {
        "1910": ["125.50"], "3000": ["100.00", "25.50"], "2939": ["25.50", "25.50"], "Total": ["125.50", "125.50"],
    }  # fmt: skip
    rehearsed = place.run("document", "create", *SALE, "--dry-run")
    assert rehearsed.out.split("\n\n")[1] == entries
    assert place.run("document", "get", "1").out.split("\n\n")[1] == entries
    # as rows the sums of both sides are what the interface's own fields come to
    listed = place.run("document", "entries", "1").out.splitlines()
    assert [line.split()[:2] for line in listed[2:]] == [["1", "1910"], ["2", "3000"], ["3", "2939"]]
    rows = place.json("document", "entries", "1")
    assert sum(row["amount"] if row["is_debet"] else -row["amount"] for row in rows) == 0


def test_machines_get_the_fields_of_the_interface(tmp_path: Path) -> None:
    place = company(tmp_path)
    made = place.json("document", "create", *SALE)
    assert made["blueprint"]["credit_entries"][0]["amount"] == 125.5
    assert "entries" not in made
    assert set(place.json("document", "entries", "1")[0]) >= {"is_debet", "amount", "vat_code", "vat_rate"}
    header = place.run("document", "entries", "1", "--output", "csv").out.splitlines()[0]
    assert header == "id,account_number,account_name,is_debet,amount,vat_code,vat_rate,description"
    assert "blueprint" in place.run("document", "get", "1", "--columns", "id,blueprint").out


def test_drafts_and_what_posts_nothing_have_no_entries(tmp_path: Path) -> None:
    place = company(tmp_path)
    assert "\n\n" not in place.run("document", "create", *SALE, "--draft").out
    assert "\n\n" not in place.run("document", "flag", "1").out


def test_that_entries_cannot_be_read_makes_no_failure_of_what_was_done(cli: Cli, at: At) -> None:
    def behave(sent: Sent) -> Answer:
        if "/entry/" in sent.path:
            return said({"detail": "not now"}, 404)
        if sent.path.endswith("/document/7/"):
            return said({"id": 7, "description": "Tea"})
        return Service()(sent)

    with recorder(behave) as server:
        at(server)
        done = cli("document", "create", *SALE)
        assert done.code == 0
        assert "note: it was done, and its entries cannot be shown: not now" in done.err
        # who only asks is told
        assert cli("document", "get", "7").code == 6
        assert json.loads(cli("document", "get", "7", "--json").out)["id"] == 7
