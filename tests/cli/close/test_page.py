"""docs/closing.md: one story, whose commands run and print what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.journeys.places import fresh

PAGE = Path(__file__).parents[3] / "docs/closing.md"
BLOCK = re.compile(r"^```(sh|text|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_story_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    place = fresh("closing", tmp_path)
    printed, run = "", 0
    for kind, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "sh":
            for line in block.splitlines():
                words = shlex.split(line)[1:]
                # what is open ends with 10
                done = place.try_run(*words) if words[0] == "close" else place.run(*words)
                assert done.code in (0, 10), f"{line}\n{done.err}"
                printed, run = done.out, run + 1
        elif kind == "toml":
            (place.folder / "assets.toml").write_text(block)
        else:
            told = "\n".join(line.rstrip() for line in printed.splitlines())
            assert told == block.rstrip("\n")
    assert run >= 7
