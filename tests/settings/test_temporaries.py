"""Temporary files of commands that were killed go with the next one; those of others stay."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from acctcli.settings.temporaries import new_temporary

MAKE = """
import sys
from pathlib import Path
from acctcli.settings.temporaries import new_temporary
new_temporary(Path(sys.argv[1])).write_text("half")
folder = new_temporary(Path(sys.argv[1]), "-")
folder.mkdir()
(folder / "half").write_text("half")
sys.stdin.read()
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_a_killed_command_left_is_cleared_away_and_not_before(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", MAKE, str(tmp_path)], stdin=subprocess.PIPE) as writer:
        deadline = time.monotonic() + 30
        while len(list(tmp_path.rglob("half"))) < 1:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        new_temporary(tmp_path)
        assert len(names(tmp_path)) == 2
        writer.kill()
    new_temporary(tmp_path)
    assert names(tmp_path) == []


def test_those_of_other_machines_and_versions_stay_for_a_week(tmp_path: Path) -> None:
    for name in (".acctcli-00000000-1-ab.tmp", ".acctcli-ab_c9dem.tmp", ".acctcli-notes", ".acctcli.toml"):
        (tmp_path / name).write_text("")
    new_temporary(tmp_path)
    assert len(names(tmp_path)) == 4
    for path in tmp_path.iterdir():
        os.utime(path, (0, 0))
    new_temporary(tmp_path)
    assert names(tmp_path) == [".acctcli-notes", ".acctcli.toml"]
