"""What is measured of tests, and which of them are left to the night by that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.check import CHECKOUT
from tests.choosing import FEW, KEPT, STANDS, TIMES, Measured, left, read
from tests.sizes import ROWS

# so many lines that a test is judged by them
MANY = (1 << FEW) - 1


def test_who_reaches_most_for_its_time_stays_until_each_line_is_reached_often_enough() -> None:
    alike = {f"quick {number}": Measured(0.2, 0.0, MANY) for number in range(TIMES)}
    more = {"more": Measured(0.1, 0.0, MANY | 1 << FEW)}
    assert left({"slow": Measured(0.9, 0.0, MANY), **alike, **more}) == ["quick 0", "slow"]
    assert left(alike) == []
    assert left({"slow": Measured(0.9, 0.0, MANY), **alike}) == ["slow"]


def test_what_lines_do_not_judge_stays() -> None:
    stays = {
        "cheap": Measured(0.09, 0.0, MANY),
        "begins a process": Measured(0.9, 0.1, MANY),
        "looks at the code": Measured(0.9, 0.0, MANY >> 1),
        KEPT[0]: Measured(0.9, 0.0, MANY),
        min(STANDS): Measured(0.9, 0.0, MANY),
        f"{min(ROWS)}[row]": Measured(0.9, 0.0, MANY),
    }
    assert left({"other": Measured(0.9, 0.0, MANY), **stays}) == ["other"]


def test_a_run_notes_the_lines_and_the_time_of_each_test(tmp_path: Path) -> None:
    names = [f"banking/test_iban.py::{name}" for name in ("test_print_groups", "test_the_first_digits_tell_the_bank")]
    command = [sys.executable, "-m", "pytest", "--quiet", "-n", "0", "--measure", str(tmp_path)]
    subprocess.run([*command, *(f"tests/{name}" for name in names)], cwd=CHECKOUT, capture_output=True, check=True)
    found = read(tmp_path)
    groups, bank = (found[name] for name in names)
    assert (len(found), groups.others, bank.others) == (2, 0.0, 0.0)
    assert groups.own < 1
    # each of them reaches lines that the other does not
    assert groups.lines & ~bank.lines
    assert bank.lines & ~groups.lines
