"""`python -m tests.bench [NAME ...] [--venv PATH] [--books PATH] [--rounds N]`: measure, print ratios, judge them.

Exits with 1 if one misses its limit.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.commands import bench_export, bench_latency, bench_page, bench_startup
from tests.bench.keyring import bench_keyring
from tests.bench.measure import BenchError, Result, render_table
from tests.bench.place import Place, compile_packages, make_venv, refuse_editable
from tests.bench.reports import bench_reports
from tests.bench.service import bench_growth, bench_local, bench_service
from tests.bench.view import bench_view

BENCHES: dict[str, Callable[[Place], list[Result]]] = {
    "startup": bench_startup,
    "page": bench_page,
    "keyring": bench_keyring,
    "export": bench_export,
    "latency": bench_latency,
    "service": bench_service,
    "growth": bench_growth,
    "local": bench_local,
    "reports": bench_reports,
    "view": bench_view,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benches named (all when none is) and return the exit code."""
    options = _read_options(arguments)
    results: list[Result] = []
    failures: list[str] = []
    with TemporaryDirectory(prefix="acctcli-bench-") as folder:
        programs = options.venv / "bin" if options.venv else make_venv(Path(folder) / "venv")
        refuse_editable(programs)
        compile_packages(programs)
        for name in options.names or BENCHES:
            place = Place(programs, _subfolder(Path(folder), name), options.rounds, options.books)
            try:
                results += _show(BENCHES[name](place))
            except BenchError as error:
                failures.append(f"{name}: {error}")
                print(failures[-1], file=sys.stderr)
    print("\n" + render_table(results))
    return 0 if not failures and all(result.passed for result in results) else 1


def _read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}; all when none is given")
    parser.add_argument("--venv", type=Path, help="a virtual environment with acctcli[bench] installed, not editable")
    parser.add_argument(
        "--books", type=Path, help="a folder that keeps the books of `reports`: they take minutes to make"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how many times each pair runs (default 3)")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in BENCHES]
    if unknown:
        parser.error(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    return options


def _subfolder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder


def _show(results: list[Result]) -> list[Result]:
    print(render_table(results), flush=True)
    return results


if __name__ == "__main__":
    sys.exit(main())
