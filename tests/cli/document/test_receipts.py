"""Receipts from files here: uploaded once, and attached by the command that books them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.company import company
from tests.journeys.places import Place

SALE = ("--date", "2026-03-02", "--debit", "1910", "--credit", "3000:12.50")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = company(tmp_path)
    for name in ("receipt.txt", "other.txt"):
        made.folder.joinpath(name).write_text(f"Coffee, {name}")
    return made


def files(place: Place) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = place.json("file", "list", "--columns", "id,name")
    return sorted(listed, key=lambda one: str(one["name"]))


def test_a_document_is_made_with_its_receipts(place: Place) -> None:
    made = place.json("document", "create", *SALE, "--receipt", "receipt.txt", "--receipt", "other.txt")
    assert sorted(made["attachment_ids"]) == sorted(one["id"] for one in files(place))
    assert [one["name"] for one in files(place)] == ["other.txt", "receipt.txt"]
    # a file is there once, whatever it belongs to
    again = place.run("document", "create", *SALE, "--receipt", "receipt.txt")
    assert "note: receipt.txt is uploaded already, as file " in again.err
    assert len(files(place)) == 2


def test_files_are_attached_by_id_and_by_path(place: Place) -> None:
    document = str(place.json("document", "create", *SALE)["id"])
    (uploaded,) = place.json("file", "upload", "other.txt")
    attached = place.json("document", "attach", document, str(uploaded["id"]), "receipt.txt")
    assert sorted(attached["attachment_ids"]) == sorted(one["id"] for one in files(place))
    assert place.json("document", "attach", document, "receipt.txt")["attachment_ids"] == attached["attachment_ids"]
    assert len(files(place)) == 2


def test_what_is_no_file_is_refused_before_anything_is_sent(place: Place) -> None:
    for argv in (("create", *SALE, "--receipt", "receipt.txt", "--receipt", "gone.txt"), ("attach", "1", "gone.txt")):
        refused = place.try_run("document", *argv)
        assert (refused.code, "gone.txt" in refused.err) == (2, True)
    assert (files(place), place.json("document", "list")) == ([], [])
    # nor is anything uploaded for a document that is wrong itself
    assert (
        place.try_run("document", "create", "--debit", "1910", "--credit", "0:1", "--receipt", "receipt.txt").code == 2
    )
    assert files(place) == []


def test_a_rehearsal_uploads_nothing(place: Place) -> None:
    done = place.run("document", "create", *SALE, "--receipt", "receipt.txt", "--dry-run")
    assert "note: receipt.txt would be uploaded, and attached too" in done.err
    assert "3000" in done.out
    assert files(place) == []
    place.write_lines("many.jsonl", [{"date": "2026-03-01"}])
    refused = place.try_run("document", "create", "--file", "many.jsonl", "--receipt", "receipt.txt")
    assert (refused.code, "--receipt goes with one document" in refused.err) == (2, True)
