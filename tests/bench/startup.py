"""What it costs to start: whole processes against the bare interpreter."""

from __future__ import annotations

from tests.bench.measure import Result, compare_times
from tests.bench.place import Place

LIMITS = {("--version",): 1.6, ("--help",): 7.0, ("account", "--help"): 7.0}


def bench_startup(place: Place) -> list[Result]:
    """Compare `acctcli --version` and two helps with `python -c pass`."""
    bare = place.command("python", "-c", "pass")
    return [
        compare_times(
            f"acctcli {' '.join(arguments)}",
            place.command("acctcli", *arguments),
            bare,
            limit,
            3 * place.rounds,
            "python -c pass",
        )
        for arguments, limit in LIMITS.items()
    ]
