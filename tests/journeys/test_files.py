"""Files from their first day to their last, every command of theirs in every place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.journeys.places import Place
from tests.journeys.test_life import refused

# addresses are signed anew every quarter of an hour
SIGNATURE = re.compile(r"\?expires=\d+&signature=[0-9a-f]+")
PDF = b"%PDF-1.7\n" + bytes(range(256)) * 4000


@pytest.fixture
def receipts(place: Place) -> list[int]:
    """The ids of three uploaded files: a.pdf of some size, b.csv, and another a.pdf."""
    contents = {"a.pdf": PDF, "b.csv": b"day;amount\n1;2\n", "other/a.pdf": b"%PDF-1.7 small"}
    for name, content in contents.items():
        path = place.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return [one["id"] for one in place.json("file", "upload", *contents)]


def listed(place: Place) -> list[dict[str, object]]:
    """All files but for their addresses, which change with time."""
    return [{name: value for name, value in one.items() if name != "file"} for one in place.json("file", "list")]


@pytest.mark.everywhere
def test_a_file_lives(place: Place, receipts: list[int]) -> None:
    first = str(receipts[0])
    made = place.json("file", "get", first)
    assert (made["name"], made["type"], made["analysis_status"], made["is_deletable"]) == (
        "a.pdf",
        "application/pdf",
        "COMPLETED",
        True,
    )
    changed = place.json("file", "update", first, "--name", "Rent, May.pdf")
    assert (changed["name"], changed["type"], changed["created_at"]) == (
        "Rent, May.pdf",
        "application/pdf",
        made["created_at"],
    )
    assert [one["id"] for one in place.json("file", "list", "--search", "MAY")] == [receipts[0]]
    failed = place.json("file", "update", first, "--set", "analysis_status=FAILED")
    assert failed["analysis_status"] == "FAILED"
    replaced = place.json("file", "replace", first, "--name", "Rent.pdf")
    assert (replaced["name"], replaced["analysis_status"]) == ("Rent.pdf", "COMPLETED")
    assert "cannot be taken back" in refused(place, 2, "file", "delete", first)
    place.run("file", "delete", first, "--yes")
    refused(place, 6, "file", "get", first)
    assert [one["id"] for one in place.json("file", "list")] == receipts[:0:-1]


def test_what_went_up_comes_down(place: Place, receipts: list[int]) -> None:
    done = place.json("file", "download", "--all", "--to", "out")
    assert [(one["id"], Path(one["path"]).name, one["size"], one["outcome"]) for one in done] == [
        (receipts[2], f"a-{receipts[2]}.pdf", 14, "saved"),
        (receipts[1], "b.csv", 15, "saved"),
        (receipts[0], "a.pdf", len(PDF), "saved"),
    ]
    assert {path.name: path.read_bytes() for path in (place.folder / "out").iterdir()} == {
        "a.pdf": PDF,
        "b.csv": b"day;amount\n1;2\n",
        f"a-{receipts[2]}.pdf": b"%PDF-1.7 small",
    }
    refused(place, 2, "file", "download", str(receipts[1]), "--to", "out")
    kept = place.json("file", "download", "--all", "--to", "out", "--skip-existing")
    assert {one["outcome"] for one in kept} == {"kept"}
    failed = place.try_run("file", "download", str(receipts[1]), "999999", "--to", "again", "--output", "jsonl")
    assert failed.code == 10
    assert "1 of 2 files failed: 999999" in failed.err
    assert [json.loads(line)["outcome"] for line in failed.lines()] == ["saved"]


def test_stdin_goes_up_and_the_same_command_goes_up_once(place: Place) -> None:
    command = ("file", "upload", "-", "--name", "../from a pipe", "--idempotency-key", "pipe", "--json")
    first = place.try_run(*command, stdin="hello")
    again = place.try_run(*command, stdin="hello")
    told = [SIGNATURE.sub("", done.out) for done in (first, again)]
    assert (first.code, told[1]) == (0, told[0])
    assert "nothing was uploaded: 1 file is there already" in again.err
    assert [one["name"] for one in place.json("file", "list")] == ["../from a pipe"]
    assert place.try_run(*command, stdin="other").code == 0  # other content is another file
    assert len(place.json("file", "list")) == 2


def test_a_file_of_a_document_is_found_by_it_and_stays(place: Place, receipts: list[int]) -> None:
    tag = place.json("tag", "create", "--name", "Sauna")["id"]
    body = place.write("sale.json", {"attachment_ids": [receipts[1]], "tag_ids": [tag]})
    document = str(place.json("document", "create", "--draft", "--file", body)["id"])
    assert [one["id"] for one in place.json("file", "list", "--used")] == [receipts[1]]
    assert [one["id"] for one in place.json("file", "list", "--unused")] == [receipts[2], receipts[0]]
    assert [one["id"] for one in place.json("file", "list", "--tag", str(tag))] == [receipts[1]]
    assert len(place.json("file", "list", "--root")) == 3
    assert place.json("file", "list", "--folder", "1") == []
    assert "uses this file" in refused(place, 8, "file", "delete", str(receipts[1]), "--yes")
    place.run("document", "delete", document, "--yes")
    place.run("file", "delete", str(receipts[1]), "--yes")


def test_what_the_service_refuses_is_named(place: Place, receipts: list[int]) -> None:
    (place.folder / "huge.bin").write_bytes(bytes(25 * 2**20 + 1))
    before = listed(place)
    refused(place, 7, "file", "upload", "huge.bin")
    assert "folder_id" in refused(place, 7, "file", "upload", "a.pdf", "--folder", "5")
    assert "analysis_status" in refused(place, 2, "file", "update", str(receipts[0]), "--set", "analysis_status=DONE")
    refused(place, 6, "file", "update", "999999", "--name", "x")
    refused(place, 6, "file", "list", "--business", "nobody-here")
    assert listed(place) == before


def test_a_rehearsal_changes_nothing(place: Place, receipts: list[int]) -> None:
    before = listed(place)
    plans = place.json("file", "upload", "a.pdf", "b.csv", "--dry-run")
    assert [(plan["body"]["name"], plan["body"]["size"]) for plan in plans] == [("a.pdf", len(PDF)), ("b.csv", 15)]
    for command in (("update", "--name", "x"), ("replace", "--name", "x"), ("delete",)):
        place.run("file", command[0], str(receipts[0]), *command[1:], "--dry-run")
    assert listed(place) == before


def test_a_business_takes_its_files_along(place: Place, receipts: list[int]) -> None:
    place.run("business", "delete", place.environ["ACCTCLI_BUSINESS"], "--yes")
    refused(place, 6, "file", "download", "--all", "--to", "out")
    assert not (place.folder / "out").exists()
