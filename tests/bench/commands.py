"""The command line: what it costs to start, to read a page over loopback http, and to read everything there is."""

from __future__ import annotations

import re
from pathlib import Path

from tests.bench.measure import BenchError, Command, Result, Run, compare_times, median_ratio, medians, take_turns
from tests.bench.place import CHECKOUT, Place
from tests.bench.servers import page_server

ROWS, FEW_ROWS, VERY_MANY_ROWS = 100_000, 10_000, 1_200_000
PAGE_SIZE = 100
LATENCY_MS, IN_FLIGHT = 50, 8
LATE_ROWS = 30_000
STARTS = {("--version",): 1.6, ("--help",): 6.0, ("account", "--help"): 6.6}
MEBIBYTE = 1024 * 1024
EXPORT = ("document", "list", "--env", "bench", "--page-size", str(PAGE_SIZE), "--all", "--quiet")
CSV_COLUMNS = "id,number,date,description,balance"


def bench_startup(place: Place) -> list[Result]:
    """Compare `acctcli --version` and two helps with the bare interpreter."""
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
        for arguments, limit in STARTS.items()
    ]


def bench_page(place: Place) -> list[Result]:
    """Compare one page of 25 rows with HTTPie's GET of the same page."""
    _silence_httpie(place.folder / "httpie")
    with page_server(FEW_ROWS) as base_url:
        target = f"{base_url}/v1/business/demo/document/?page=1&page_size=25"
        theirs = place.command("http", "--ignore-stdin", "GET", target, "Authorization: Token bench")
        listing = ("document", "list", "--env", "bench", "--limit", "25", "--output")
        return [
            compare_times(
                f"25 rows of 6 KB as {output}",
                place.command("acctcli", *listing, output, base_url=base_url),
                theirs,
                limit,
                2 * place.rounds,
                "HTTPie",
            )
            for output, limit in (("json", 0.63), ("table", 0.76))
        ]


def _silence_httpie(folder: Path) -> None:
    # it would ask its own host for a newer version, in a second process
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text('{"disable_update_warnings": true}')


def _export(place: Place, base_url: str, output: str, *more: str) -> Command:
    return place.command("acctcli", *EXPORT, "--output", output, *more, base_url=base_url)


def bench_export(place: Place) -> list[Result]:
    """Compare exports of 100,000 rows with the plain loop (on 10,000), and look at what memory they take."""
    with page_server(ROWS) as many, page_server(FEW_ROWS) as few, page_server(VERY_MANY_ROWS) as very_many:
        loop = place.command("python", CHECKOUT / "tests/bench/plain_loop.py", few)
        jsonl = _export(place, many, "jsonl")
        csv = _export(place, many, "csv", "--columns", CSV_COLUMNS)
        small = _export(place, few, "jsonl")
        return [
            _compare_rates("export jsonl, rows/s", jsonl, loop, 8.0, place),
            _compare_rates("export csv, rows/s", csv, loop, 5.4, place),
            *_compare_memory(place, jsonl, small),
            _long_memory(_export(place, very_many, "jsonl")),
        ]


def bench_latency(place: Place) -> list[Result]:
    """Compare an export with 50 ms added to every page with what eight requests in flight allow."""
    bound = LATE_ROWS / PAGE_SIZE * LATENCY_MS / 1000 / IN_FLIGHT
    with page_server(LATE_ROWS, LATENCY_MS) as base_url:
        export = _export(place, base_url, "jsonl")
        pairs = [(export.run().seconds, bound) for _ in range(place.rounds)]
    figures = f"{medians(pairs)[0]:.2f} s for {LATE_ROWS:,} rows, bound {bound:.2f} s"
    return [Result("export, 50 ms a page, 8 in flight", median_ratio(pairs), 1.32, figures)]


def _compare_rates(name: str, ours: Command, loop: Command, limit: float, place: Place) -> Result:
    """Compare rows a second; ours counts the whole process, theirs only the loop itself."""
    pairs = take_turns(place.rounds, lambda: ROWS / ours.run().seconds, lambda: read_loop_rate(loop.run().messages))
    mine, theirs = medians(pairs)
    figures = f"{mine:,.0f}, plain loop {theirs:,.0f}"
    return Result(name, median_ratio(pairs), limit, figures, at_least=True)


def read_loop_rate(messages: str) -> float:
    """Return rows a second from what the plain loop says on stderr."""
    found = re.search(r"(\d+) rows in ([\d.]+) s", messages)
    if found is None:
        raise BenchError(f"the plain loop said nothing of its rows: {messages[-500:]}")
    return int(found[1]) / float(found[2])


def _compare_memory(place: Place, many: Command, few: Command) -> list[Result]:
    large = _run_complete(place, many, ROWS)
    small = _run_complete(place, few, FEW_ROWS)
    figures = f"{large.peak_bytes / MEBIBYTE:.1f} MiB at {ROWS:,} rows"
    growth = large.peak_bytes / small.peak_bytes
    return [
        Result("export, peak MiB", large.peak_bytes / MEBIBYTE, 46.0, figures),
        Result("export, peak 10,000 -> 100,000 rows", growth, 1.15, f"from {small.peak_bytes / MEBIBYTE:.1f} MiB"),
    ]


def _long_memory(export: Command) -> Result:
    run = export.run()
    figures = f"{VERY_MANY_ROWS:,} rows in {run.seconds:.0f} s"
    return Result("export of 1.2 million rows, peak MiB", run.peak_bytes / MEBIBYTE, 49.0, figures)


def _run_complete(place: Place, export: Command, rows: int) -> Run:
    """Run an export into a file and see that every row is in it: a fast export of half the rows is none."""
    output = place.folder / "rows.jsonl"
    run = export.run(output)
    with output.open("rb") as lines:
        ids = {line[:20] for line in lines}
    output.unlink()
    if len(ids) != rows:
        raise BenchError(f"{len(ids)} of {rows} rows arrived")
    return run
