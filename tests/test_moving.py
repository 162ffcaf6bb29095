"""docs/moving.md: its files and its commands, in the order of the page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.journeys.places import Place, fresh

PAGE = (Path(__file__).parents[1] / "docs/moving.md").read_text(encoding="utf-8")
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = re.compile(r"^```text (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def moved(folder: Path) -> Place:
    """Somebody who has done all that the page says."""
    place = fresh("moving", folder)
    for name, content in FILES.findall(PAGE):
        (folder / name).write_text(content, encoding="utf-8")
    for block in COMMANDS.findall(PAGE):
        for line in block.splitlines():
            place.run(*shlex.split(line)[1:])
    return place


def test_the_books_are_where_the_page_leads_to(tmp_path: Path) -> None:
    place = moved(tmp_path)
    opened = {one["number"]: f"{one['opening_balance']:.2f}" for one in place.json("account", "list", "--all")}
    assert {number: amount for number, amount in opened.items() if amount != "0.00"} == {
        "1700": "1255.00", "1910": "12500.00", "2000": "2500.00", "2251": "10255.00", "2871": "1000.00",
    }  # fmt: skip
