"""docs/moving.md: its files and its commands, in the order of the page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.journeys.places import Place, fresh, kept_open

pytestmark = pytest.mark.usefixtures("books_stay_open")

PAGE = (Path(__file__).parents[1] / "docs/moving.md").read_text(encoding="utf-8")
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = re.compile(r"^```text (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@kept_open()
def moved(folder: Path) -> Place:
    """Somebody who has done all that the page says."""
    place = fresh("moving", folder)
    for name, content in FILES.findall(PAGE):
        (folder / name).write_text(content, encoding="utf-8")
    for block in COMMANDS.findall(PAGE):
        for line in block.replace("\\\n", " ").splitlines():
            place.run(*shlex.split(line)[1:])
    return place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return moved(tmp_path_factory.mktemp("moving"))


def test_the_books_open_with_the_trial_balance(place: Place) -> None:
    opened = {one["number"]: f"{one['opening_balance']:.2f}" for one in place.json("account", "list", "--all")}
    assert {number: amount for number, amount in opened.items() if amount != "0.00"} == {
        "1799": "1255.00", "1910": "12500.00", "2000": "2500.00", "2251": "10255.00", "2899": "1000.00",
    }  # fmt: skip


def test_what_is_open_takes_the_place_of_the_two_sums(place: Place) -> None:
    rows = place.json("account", "balances", "--date", "2026-01-01")
    assert {one["number"]: f"{one['balance']:.2f}" for one in rows} == {
        "1700": "1255.00", "1799": "0.00", "1910": "12500.00", "2000": "2500.00", "2251": "10255.00",
        "2871": "1000.00", "2899": "0.00",
    }  # fmt: skip
    for group, name in (("purchase", "Paperi Oy"), ("invoice", "Asiakas Oy")):
        done = place.run(group, "aging", "--date", "2026-01-01", "--output", "csv")
        assert name in done.out
        assert "besides" not in done.err
    assert place.json("report", "vat", "--period", "2026-01")["summary"]["vat_payable"] == 0


def test_what_is_open_is_paid_as_all_else(place: Place) -> None:
    place.run("purchase", "pay", "no:2025-88", "--date", "2026-01-14")
    place.run("invoice", "pay", "no:1", "--date", "2026-01-20")
    rows = {one["number"]: one["balance"] for one in place.json("account", "balances", "--date", "2026-01-31")}
    assert (rows["1700"], rows["2871"], f"{rows['1910']:.2f}") == (0, 0, "12755.00")
    assert place.run("check").code == 0


def test_files_are_brought_once(place: Place) -> None:
    numbers = {noun: len(place.json(noun, "list", "--all")) for noun in ("account", "contact", "product")}
    for noun in numbers:
        done = place.run(noun, "create", "--file", f"{noun}s.csv")
        assert f"created 0 {noun}s" in done.err
    assert numbers == {noun: len(place.json(noun, "list", "--all")) for noun in numbers}
