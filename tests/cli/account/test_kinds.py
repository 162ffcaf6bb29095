"""Accounts of a file without a type: taken where their number is one of expenses, and refused elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.places import Place, fresh


def books(folder: Path, form: str, *options: str) -> Place:
    place = fresh("books", folder, ACCTCLI_BUSINESS="books")
    place.run("business", "create", "--name", "Books", "--form", form, "--slug", "books", *options)
    return place


@pytest.mark.parametrize(
    ("form", "options", "taken", "refused"),
    [
        ("FI_OY", (), "7161", "1911"),
        ("DE_UG", (), "6311", "0651"),
        ("DE_UG", ("--chart", "skr03"), "4211", "0421"),
        ("DE_UG", ("--chart", "skr03"), "4212", "1450"),
    ],
)
def test_an_account_without_a_type_is_one_of_expenses_or_refused(
    tmp_path: Path, form: str, options: tuple[str, ...], taken: str, refused: str
) -> None:
    place = books(tmp_path, form, *options)
    text = f"--type: without a type it would be one of expenses, and {refused} is no number of these"
    (place.folder / "more.csv").write_text(f"number;name;type\n{taken}9;New;\n{refused};New;\n", encoding="utf-8")
    done = place.try_run("account", "create", "--file", "more.csv")
    assert (done.code, f"more.csv line 3: {text}" in done.err) == (2, True), done.err
    assert place.json("account", "list", "--number", f"{taken}9") == []
    (place.folder / "more.csv").write_text(f"number;name;type\n{taken}9;New;\n{refused};New;ASS\n", encoding="utf-8")
    place.run("account", "create", "--file", "more.csv")
    made = {number: place.json("account", "get", number)["type"] for number in (f"{taken}9", refused)}
    assert made == {f"{taken}9": "EXP", refused: "ASS"}
