"""Ratios, limits and the processes behind them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import main
from tests.bench.measure import (
    BenchError,
    Command,
    Result,
    median_ratio,
    medians,
    render_table,
    take_turns,
)


def python(folder: Path, code: str) -> Command:
    return Command([sys.executable, "-c", code], {"PATH": os.defpath}, folder)


def test_a_run_knows_its_messages_and_its_own_output(tmp_path: Path) -> None:
    output = tmp_path / "output"
    run = python(tmp_path, "import sys; print('rows'); print('done', file=sys.stderr)").run(output)
    assert (output.read_text(), run.messages) == ("rows\n", "done\n")
    assert run.seconds > 0


def test_peak_memory_is_in_bytes(tmp_path: Path) -> None:
    size = 300 << 20
    run = python(tmp_path, f"bytearray({size})").run()
    assert size < run.peak_bytes < 2 * size


def test_what_the_benchmark_holds_itself_does_not_count(tmp_path: Path) -> None:
    held = bytearray(200 << 20)
    assert python(tmp_path, "pass").run().peak_bytes < 50 << 20 < len(held)


def test_a_failing_command_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="exited 3: no such list"):
        python(tmp_path, "import sys; print('no such list', file=sys.stderr); sys.exit(3)").run()


def test_turns_alternate() -> None:
    seen: list[str] = []
    take_turns(2, lambda: seen.append("A"), lambda: seen.append("B"))
    assert seen == ["A", "B", "A", "B"]


def test_the_median_is_of_the_ratios() -> None:
    pairs = [(2.0, 1.0), (30.0, 10.0), (4.0, 4.0)]
    assert (median_ratio(pairs), medians(pairs)) == (2.0, (4.0, 4.0))


@pytest.mark.parametrize(
    ("ratio", "limit", "at_least", "passed"),
    [
        (1.6, 1.6, False, True),
        (1.61, 1.6, False, False),
        (6.0, 6.0, True, True),
        (5.9, 6.0, True, False),
        (99.0, None, False, True),
    ],
)
def test_limits(ratio: float, limit: float | None, at_least: bool, passed: bool) -> None:
    assert Result("any", ratio, limit, "", at_least).passed is passed


def test_the_table_names_what_missed() -> None:
    table = render_table([Result("start", 1.5, 1.6, "15 ms"), Result("export", 5.25, 6.0, "slow", at_least=True)])
    assert table == (
        "start      1.50    <= 1.6  ok      15 ms\n"  # comment keeps the columns readable here
        "export     5.25      >= 6  MISSED  slow"
    )


def test_no_results_no_table() -> None:
    assert render_table([]) == ""


def test_an_unknown_bench_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["startup", "exprot"])
    assert stopped.value.code == 2
    assert "no bench exprot; there are startup, page, keyring, export" in capsys.readouterr().err
