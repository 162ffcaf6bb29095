"""`audit`: what the trail tells, on the real service, and an export that is proved without acctcli."""

from __future__ import annotations

import errno
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from acctcli.cli.audit import exporting
from acctcli.service.http.embedded import open_embedded
from tests.cli.conftest import Cli, found, succeed

DOCUMENT = ("--date", "2026-03-02", "--description", "Cash sale", "--debit", "1910", "--credit", "3000:125.50")


@pytest.fixture
def books(cli: Cli) -> None:
    """A business with a document that was changed and deleted, and one that is there."""
    found(cli, "--name", "Alder", "--slug", "alder", "--form", "DEMO")
    succeed(cli("business", "use", "alder"))
    succeed(cli("document", "create", *DOCUMENT))
    succeed(cli("document", "update", "1", "--description", "Sale at the fair"))
    succeed(cli("document", "delete", "1", "--yes"))
    succeed(cli("document", "create", *DOCUMENT))


def rows(cli: Cli, *argv: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = succeed(cli("audit", *argv, "--json")).json()
    return found


@pytest.mark.usefixtures("books")
def test_a_document_that_was_deleted_is_read_in_the_trail(cli: Cli) -> None:
    told = rows(cli, "show", "document", "1")
    assert [one["type"] for one in told] == ["document.created", "document.updated", "document.deleted"]
    assert told[1]["changes"] == 'description "Cash sale" → "Sale at the fair"'
    assert 'description was "Sale at the fair"' in told[2]["changes"]
    assert told[0]["data"]["blueprint"]["credit_entries"][0]["amount"] == 125.5
    assert {one["author"] for one in told} == {"local@localhost"}
    (gone,) = rows(cli, "list", "--type", "document.deleted")
    assert gone["data"] == {"id": 1, "number": told[0]["data"]["number"]}
    assert (gone["via"], gone["operation"]) == ("process", "DELETE delete_document")
    assert gone["client"].startswith("acctcli/")
    missing = cli("audit", "show", "document", "77")
    assert (missing.code, missing.out) == (6, "")


@pytest.mark.usefixtures("books")
@pytest.mark.together
@pytest.mark.parametrize(
    ("filters", "count"),
    [
        (("--record", "document"), 4),
        (("--record", "document", "--id", "2"), 1),
        (("--record", "doc"), 0),
        (("--operation", "create_document"), 2),
        (("--operation", "POST create_document"), 2),
        (("--operation", "reate_document"), 0),
        (("--person", "LOCALHOST", "--record", "business"), 1),
        (("--person", "anna"), 0),
        (("--to", "2020-01-01"), 0),
        (("--from", "2020-01-01", "--record", "document"), 4),
    ],
)
def test_the_trail_is_narrowed(cli: Cli, filters: tuple[str, ...], count: int) -> None:
    assert len(rows(cli, "list", *filters)) == count


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize("is_elsewhere", [False, True], ids=["here", "with another key"])
def test_a_restored_trail_goes_on_and_says_from_where(cli: Cli, home: Path, is_elsewhere: bool) -> None:
    backup = home / "backup.sqlite3"
    succeed(cli("local", "backup", str(backup)))
    last = succeed(cli("audit", "verify", "--json")).json()
    succeed(cli("document", "create", *DOCUMENT))
    replaced = succeed(cli("audit", "verify", "--json")).json()
    if is_elsewhere:
        next(home.rglob("local/key")).unlink()
    succeed(cli("local", "restore", str(backup), "--yes"))
    succeed(cli("document", "create", *DOCUMENT))
    assert succeed(cli("audit", "verify", "--json")).json()["faults"] == []
    made, restored = rows(cli, "list", "--limit", "2")
    assert (restored["type"], restored["operation"], restored["via"]) == (
        "business.restored",
        "local restore",
        "process",
    )
    assert len(restored["data"].pop("replaced_mark")) == 64
    assert restored["data"] == {
        "id": 1,
        "last_id": last["last_id"],
        "last_hash": last["last_hash"],
        "is_proved": not is_elsewhere,
        "faults": [],
        "replaced_id": replaced["last_id"],
        "replaced_hash": replaced["last_hash"],
    }
    assert (made["type"], made["record_id"]) == ("document.created", 3)


@pytest.mark.usefixtures("books")
def test_what_was_changed_in_the_database_ends_verify_with_10(cli: Cli, home: Path) -> None:
    good = succeed(cli("audit", "verify", "--json")).json()
    assert good["faults"] == []
    with open_embedded(home / "data" / "local") as service:
        service.database.write(lambda conn: conn.run("DROP TRIGGER event_frozen"))
        service.database.write(lambda conn: conn.run("UPDATE event SET author = 'Bert' WHERE number = 2"))
    bad = cli("audit", "verify", "--json")
    assert (bad.code, [fault["id"] for fault in json.loads(bad.out)["faults"]]) == (10, [2])
    assert "record 2: it is not what was recorded" in bad.err


FORGED = """
    DROP TRIGGER event_frozen;
    DELETE FROM event WHERE business_id = 1 AND number > 4;
    UPDATE trail_head SET number = 4, hash = (SELECT hash FROM event WHERE business_id = 1 AND number = 4)
    WHERE business_id = 1;
    CREATE TRIGGER event_frozen BEFORE UPDATE ON event FOR EACH ROW WHEN true BEGIN
    SELECT RAISE(ABORT, 'a record of the trail does not change') WHERE true;
    END;
"""


def edit(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as books:
        books.executescript(script)


@pytest.mark.usefixtures("books")
def test_a_restore_makes_no_forged_trail_good(cli: Cli, home: Path) -> None:
    backup, again = home / "backup.sqlite3", home / "again.sqlite3"
    succeed(cli("local", "backup", str(backup)))
    edit(backup, FORGED)
    mark = "the mark of the newest record was not made with the key of this installation"
    before = succeed(cli("audit", "verify", "--json")).json()
    for how in ("--dry-run", "--yes"):
        refused = cli("local", "restore", str(backup), how)
        why = f"nothing was restored: the audit trail of {backup} is not what was recorded: Alder: record 4: {mark}"
        assert (refused.code, why in refused.err) == (10, True)
        assert succeed(cli("audit", "verify", "--json")).json() == before
    assert list((home / "data" / "local").glob("books-before-*")) == []
    rehearsed = cli("local", "restore", str(backup), "--dry-run", "--force")
    assert (rehearsed.code, "can be restored, but its audit trail is not" in rehearsed.err) == (10, True)
    restored = cli("local", "restore", str(backup), "--yes", "--force")
    assert restored.code == 10
    assert f"its audit trail is not what was recorded: Alder: record 4: {mark}" in restored.err
    succeed(cli("document", "create", *DOCUMENT))
    told = cli("audit", "verify", "--json")
    assert (told.code, told.json()["unproved_until"]) == (10, 4)
    assert {"id": 4, "text": mark} in told.json()["faults"]
    # nor does restoring what came of it
    succeed(cli("local", "backup", str(again)))
    assert cli("local", "restore", str(again), "--yes", "--force").code == 10
    assert cli("audit", "verify", "--json").code == 10


EARLIER_REVISION = """
    DROP TRIGGER event_frozen;
    DROP INDEX ix_event_business_id_record_id_number;
    DROP TABLE trail_head;
    DROP TABLE trail_seal;
    UPDATE schema_revision SET number = '0004';
"""
COLUMNS_OF_TRAIL = ("record_id", "user_id", "author", "client", "via", "request_id", "operation", "hash")


@pytest.mark.usefixtures("books")
def test_a_trail_is_not_chained_anew_when_the_books_are_set_back_to_before_it(cli: Cli, home: Path) -> None:
    backup, books = home / "backup.sqlite3", home / "data" / "local" / "books.sqlite3"
    succeed(cli("local", "backup", str(backup)))
    edit(books, EARLIER_REVISION + "".join(f"ALTER TABLE event DROP COLUMN {name};" for name in COLUMNS_OF_TRAIL))
    for argv in (("document", "list"), ("audit", "verify"), ("check",)):
        refused = cli(*argv)
        assert (refused.code, "revision 0004, of before its audit trail" in refused.err) == (10, True), refused
        assert f"remove {books.with_name('trail')}" in refused.err
    succeed(cli("local", "restore", str(backup), "--yes"))
    assert succeed(cli("audit", "verify", "--json")).json()["faults"] == []


@pytest.mark.usefixtures("books")
def test_a_trail_with_nothing_in_it_is_not_restored_unseen(cli: Cli, home: Path) -> None:
    backup = home / "backup.sqlite3"
    succeed(cli("local", "backup", str(backup)))
    edit(backup, "DELETE FROM event; DELETE FROM trail_head; DELETE FROM trail_seal;")
    assert "nothing was restored" in cli("local", "restore", str(backup), "--yes").err
    restored = cli("local", "restore", str(backup), "--yes", "--force")
    assert (restored.code, "record 1: it is missing, and all that followed it" in restored.err) == (10, True)
    assert {"id": 1, "text": "it is missing, and all that followed it"} in cli("audit", "verify", "--json").json()[
        "faults"
    ]


def verified(folder: Path, *argv: str) -> tuple[int, str]:
    """Run the exported program as an auditor does: nothing of acctcli can be imported."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "verify.py"), *argv], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def faults(told: str) -> list[str]:
    """What is wrong, of what the program says: it begins small, and what else there is to know does not."""
    return [line for line in told.splitlines() if line[0].islower()]


@pytest.mark.usefixtures("books")
def test_an_export_is_proved_without_acctcli(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "trail"
    head = succeed(cli("audit", "export", str(folder), "--json")).json()
    code, told = verified(folder, "--head", head["last_hash"])
    assert (code, told.splitlines()[1:]) == (0, ["The audit trail is as it was recorded."])
    assert told.startswith(f"Of business 1: {head['records']} records until ")
    assert told.splitlines()[0].endswith(f", the last hash is {head['last_hash']}.")
    lines = (folder / "trail.jsonl").read_text("utf-8").splitlines(keepends=True)
    assert len(lines) == head["records"] > 5

    def tried(*changed: str) -> str:
        folder.joinpath("trail.jsonl").write_text("".join(changed), "utf-8")
        code, told = verified(folder, str(folder))
        assert code == 1
        return told

    other = lines[2].replace("local@localhost", "bert@localhost", 1)
    assert other != lines[2]
    assert faults(tried(*lines[:2], other, *lines[3:])) == [
        "record 3 is not what was recorded, or one before it is not"
    ]
    assert "record 4 follows record 2" in tried(*lines[:2], *lines[3:])
    assert "record 4 follows record 2" in tried(*lines[:2], lines[3], lines[2], *lines[4:])
    assert "record 3 follows record 3" in tried(*lines[:3], *lines[2:])
    assert f"the trail ends with record {len(lines) - 1}" in tried(*lines[:-1])
    assert faults(tried(*lines[:2], lines[2][:-20] + "\n", *lines[3:])) == ["line 3 is no record"]
    (folder / "trail.jsonl").write_text("".join(lines), "utf-8")
    code, told = verified(folder, "--head", "0" * 64)
    assert (code, faults(told)) == (1, ["no record has the hash that was noted"])
    again = cli("audit", "export", str(folder))
    assert (again.code, bool(re.search("cannot write", again.err))) == (2, True)


@pytest.mark.usefixtures("books")
def test_an_export_that_finds_no_room_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(*_: object) -> Iterator[bytes]:
        yield b"{}\n"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(exporting, "_lines", lines)
        outcome = cli("audit", "export", str(tmp_path / "out" / "trail"))
        assert (outcome.code, list(tmp_path.glob("out/*"))) == (2, [])
        (tmp_path / "out").mkdir()
        outcome = cli("audit", "export", str(tmp_path / "out" / "trail"))
        assert (outcome.code, list(tmp_path.glob("out/*"))) == (1, [])
    assert "No space left" in outcome.err
    succeed(cli("audit", "export", str(tmp_path / "out" / "trail")))
    assert [path.name for path in tmp_path.glob("out/*")] == ["trail"]


@pytest.mark.usefixtures("books")
def test_every_byte_of_an_export_counts(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "trail"
    succeed(cli("audit", "export", str(folder)))
    whole = (folder / "trail.jsonl").read_bytes()
    for place in range(0, len(whole), len(whole) // 12):
        byte = b"7" if whole[place : place + 1] != b"7" else b"8"
        (folder / "trail.jsonl").write_bytes(whole[:place] + byte + whole[place + 1 :])
        assert verified(folder)[0] == 1, whole[place - 20 : place + 20]


@pytest.mark.usefixtures("books")
def test_what_is_added_to_a_line_of_an_export_is_found(cli: Cli, home: Path) -> None:
    folder = home / "trail"
    succeed(cli("audit", "export", str(folder)))
    file = folder / "trail.jsonl"
    whole = file.read_text("utf-8")
    for added in ('{"note":"approved",', '{"author":"Anna",'):
        file.write_text(whole.replace("{", added, 1), "utf-8")
        code, told = verified(folder)
        assert (code, faults(told)) == (1, ["line 1 says other things than a record does"])


@pytest.mark.usefixtures("books")
def test_what_an_auditor_says_of_a_document_is_listed_and_shown(cli: Cli) -> None:
    assert [one["id"] for one in rows(cli, "unseen")] == [2]
    said = succeed(cli("audit", "comment", "2", "Whose is it, @local@localhost?", "--json")).json()
    assert said["audit_trail_last_mention_at"] == said["audit_trail_last_comment_at"]
    stranger = cli("audit", "comment", "2", "Yours, @anna@example.com?")
    assert (stranger.code, "Nobody of this business has the address anna@example.com" in stranger.err) == (7, True)
    assert cli("audit", "comment", "2", " ").code == 2
    (comment,) = rows(cli, "comments", "2")
    assert (comment["text"], comment["mentions"]) == ("Whose is it, @local@localhost?", ["local@localhost"])
    for rehearsed in (("seen", "2"), ("comment", "2", "Mine")):
        succeed(cli("audit", *rehearsed, "--dry-run"))
    assert ([one["id"] for one in rows(cli, "unseen")], len(rows(cli, "comments", "2"))) == ([2], 1)
    seen = succeed(cli("audit", "seen", "2", "--json")).json()
    assert (seen["audit_trail_has_unseen_actions"], rows(cli, "unseen")) == (False, [])
    succeed(cli("document", "update", "2", "--description", "Fair"))
    assert [one["id"] for one in rows(cli, "unseen", "--changed")] == [2]
    assert rows(cli, "unseen", "--changed", "--to", "2026-03-01") == []
    told = [one["changes"] for one in rows(cli, "show", "document", "2")]
    assert told[1].endswith('comment "Whose is it, @local@localhost?"; mentions ["local@localhost"]')
    assert told[2].startswith("audit_trail_last_seen_at null → ")
    assert told[3].startswith('description "Cash sale" → "Fair"')


def test_what_belongs_to_no_business_stands_in_the_trail_of_the_service(cli: Cli, home: Path) -> None:
    found(cli, "--name", "Alder", "--slug", "alder", "--form", "DEMO")
    token = succeed(cli("local", "token", "--user", "anna@example.com")).out.strip()
    succeed(cli("user", "update", "--set", "first_name=Aino"))
    last = succeed(cli("audit", "verify", "--business", "alder", "--json")).json()
    succeed(cli("audit", "export", str(home / "alder"), "--business", "alder"))
    succeed(cli("business", "delete", "alder", "--yes"))
    told = rows(cli, "list", "--service", "--all")[::-1]
    assert [(one["type"], one["operation"]) for one in told] == [
        ("service.begun", ""),
        ("user.created", "local init"),
        ("token.created", "local init"),
        ("business.created", "POST create_business"),
        ("usership.created", "POST create_business"),
        ("user.created", "local token"),
        ("token.created", "local token"),
        ("user.updated", "PATCH update_user"),
        ("business.deleted", "DELETE delete_business"),
    ]
    assert {one["business_id"] for one in told} == {0}
    gone = told[-1]["data"]
    assert (gone["slug"], gone["name"], gone["last_id"], gone["last_hash"]) == (
        "alder",
        "Alder",
        last["last_id"],
        last["last_hash"],
    )
    assert verified(home / "alder", "--head", gone["last_hash"])[0] == 0
    # neither tokens nor what they are known by
    assert token not in json.dumps(told)
    assert sha256(token.encode()).hexdigest() not in json.dumps(told)
    whole = succeed(cli("audit", "verify", "--service", "--json")).json()
    assert (whole["records"], whole["faults"]) == (len(told), [])
    folder = home / "trail"
    head = succeed(cli("audit", "export", str(folder), "--service", "--json")).json()
    assert verified(folder, "--head", head["last_hash"])[0] == 0


def test_what_is_done_to_the_trail_of_the_service_is_found(cli: Cli, home: Path) -> None:
    succeed(cli("local", "token", "--user", "anna@example.com"))
    books = home / "data" / "local" / "books.sqlite3"
    edit(books, "DELETE FROM event WHERE type = 'user.created' AND number = 4")
    bad = cli("audit", "verify", "--service")
    assert (bad.code, "the records 4 to 4 are missing before it" in bad.err) == (10, True)


def test_only_the_owner_reads_the_trail_of_the_service_and_looks_through_its_database(cli: Cli, home: Path) -> None:
    token = succeed(cli("local", "token", "--user", "anna@example.com")).out.strip()
    with (
        open_embedded(home / "data" / "local") as service,
        httpx.Client(transport=httpx.WSGITransport(service.app), base_url="http://localhost") as client,
    ):
        codes = {
            (who, path): client.get(path, headers={"Authorization": f"Token {who}"}).status_code
            for who in (token, service.token)
            for path in ("/v1/audit/", "/v1/audit/verification/", "/v1/audit/database/")
        }
    assert {code for (who, _), code in codes.items() if who == token} == {403}
    assert {code for (who, _), code in codes.items() if who != token} == {200}


def test_a_reset_begins_the_trail_of_the_service_anew(cli: Cli) -> None:
    succeed(cli("local", "token", "--user", "anna@example.com"))
    succeed(cli("local", "reset", "--yes"))
    assert [one["type"] for one in rows(cli, "list", "--service", "--all")][-1] == "service.begun"
    assert succeed(cli("audit", "verify", "--service", "--json")).json()["faults"] == []


@pytest.mark.usefixtures("books")
def test_what_a_restore_takes_out_of_the_trail_is_told_and_recorded(cli: Cli, home: Path) -> None:
    backup = home / "backup.sqlite3"
    succeed(cli("local", "backup", str(backup)))
    before = rows(cli, "list", "--limit", "1")[0]["id"]
    for name in ("One", "Two"):
        succeed(cli("contact", "create", "--name", name))
    newest = succeed(cli("audit", "verify", "--json")).json()
    rehearsed = succeed(cli("local", "restore", str(backup), "--dry-run"))
    restored = succeed(cli("local", "restore", str(backup), "--yes"))
    for told in (rehearsed.err, restored.err):
        assert "The backup lacks 2 records of the audit trail of Alder" in told
    (record,) = rows(cli, "list", "--type", "business.restored")
    assert (
        (record["data"]["last_id"], record["data"]["replaced_id"])
        == (before, newest["last_id"])
        == (before, before + 2)
    )
    assert record["data"]["replaced_hash"] == newest["last_hash"]
    assert record["data"]["replaced_mark"]
    assert succeed(cli("audit", "verify", "--json")).json()["faults"] == []
    again = succeed(cli("local", "restore", str(backup), "--yes"))
    assert "lacks 1 record of the audit trail of Alder" in again.err


@pytest.mark.usefixtures("books")
def test_books_with_a_deleted_business_are_restored_without_a_doubt(cli: Cli, home: Path) -> None:
    succeed(cli("business", "create", "--name", "Birch", "--slug", "birch", "--form", "DEMO"))
    succeed(cli("business", "delete", "birch", "--yes"))
    backup = home / "backup.sqlite3"
    succeed(cli("local", "backup", str(backup)))
    restored = succeed(cli("local", "restore", str(backup), "--yes"))
    assert "audit trail" not in restored.err
    assert succeed(cli("audit", "verify", "--service", "--json")).json()["faults"] == []
    assert [one["type"] for one in rows(cli, "list", "--service", "--type", "service.restored")] == ["service.restored"]


# who lets themselves in, and by what it is named
GRANTED = {
    """INSERT INTO token (user_id, name, hash, created_at)
    SELECT user_id, name, 'forged', '2020-01-01T00:00:00.000000Z' FROM token WHERE id = 1;""": (
        "token 3: the audit trail has not recorded that it was made"
    ),
    "UPDATE token SET hash = 'stolen' WHERE id = 2;": "token 2: hash_sha256: not what the audit trail recorded",
    "UPDATE token SET user_id = 1 WHERE id = 2;": "token 2: user_id, hash_sha256: not what the audit trail recorded",
    """INSERT INTO usership (created_at, updated_at, user_id, business_id, permissions)
    SELECT created_at, updated_at, 2, business_id, permissions FROM usership;""": (
        "rights of user 2 in 1: the audit trail has not recorded that it was made"
    ),
    "UPDATE usership SET permissions = 'bookkeeping_read';": (
        "rights of user 1 in 1: permissions: not what the audit trail recorded"
    ),
    "UPDATE business SET id = 7;": "business 1: it is gone, and the audit trail has not recorded that it was deleted",
}


@pytest.mark.usefixtures("books")
def test_who_lets_themselves_in_is_named_and_not_restored(cli: Cli, home: Path) -> None:
    succeed(cli("local", "token", "--user", "anna@example.com"))
    books, backup = home / "data" / "local" / "books.sqlite3", home / "backup.sqlite3"
    succeed(cli("local", "backup", str(backup)))
    succeed(cli("local", "restore", str(backup), "--yes"))
    assert succeed(cli("audit", "verify", "--service", "--json")).json()["unrecorded"] == []
    for statement, named in GRANTED.items():
        edit(books, statement)
        bad = cli("audit", "verify", "--service")
        assert (bad.code, named in bad.err) == (10, True), (statement, bad)
        edit(books, "DELETE FROM token WHERE id = 3; DELETE FROM usership WHERE user_id = 2;")
    # what is deleted is not verified: its own trail goes with it
    for statement, named in (
        ("UPDATE business SET slug = '~1';", "business 1: is_deleted: not what the audit trail recorded"),
        (next(iter(GRANTED)), "token 3: the audit trail has not recorded that it was made"),
    ):
        edit(backup, statement)
        refused = cli("local", "restore", str(backup), "--yes")
        assert (refused.code, "nothing was restored" in refused.err, named in refused.err) == (10, True, True), refused
