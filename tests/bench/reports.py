"""Reports on a book of a million transactions, against ledger and hledger on the same book, whole processes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.bench.books import LAST_DAY, SLUG, Book, make_book
from tests.bench.contestants import Contestant, measure, own_document
from tests.bench.measure import (
    BenchError,
    Command,
    Result,
    compare_times,
    median_ratio,
    medians,
    take_turns,
)
from tests.bench.place import Place
from tests.bench.servers import free_port, running

FEW, MANY = 100_000, 1_000_000
YEAR = LAST_DAY.year
MEBIBYTE = 1024 * 1024
PEAK = 150.0
SECONDS = 2.0


@dataclass(frozen=True)
class Asked:
    """The same questions on one book, to each program."""

    place: Place
    book: Book

    def acctcli(self, *arguments: str | Path) -> Command:
        """Return a report of the book's own service, in process."""
        command = self.place.command("acctcli", "report", *arguments, "--business", SLUG, "--env", "local")
        return replace(command, environ={**command.environ, "ACCTCLI_DATA_DIR": str(self.book.data_dir)})

    @property
    def sheet(self) -> Command:
        """The balance sheet at the end."""
        return self.acctcli("balance-sheet", "--date", str(LAST_DAY))

    @property
    def journal(self) -> Command:
        """The journal of the last year as JSON lines."""
        lines = self.place.folder / "journal.jsonl"
        return self.acctcli("journal", "--period", str(YEAR), "--output", "jsonl", "--output-file", lines)

    def other(self, program: str, *arguments: str) -> Command:
        """Return a command of ledger or hledger on the journal of the book."""
        return Command([_found(program), "-f", self.book.journal, *arguments], {"LANG": "C.UTF-8"}, self.place.folder)


def _found(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise BenchError(f"{program} is not installed")
    return path


def bench_reports(place: Place) -> list[Result]:
    """Compare the balance sheet with `balance` and a year's journal with `print`; look at memory and growth."""
    few, many = (Asked(place, make_book(place, size)) for size in (FEW, MANY))
    year = ("-b", str(YEAR), "-e", str(YEAR + 1))
    balance, printed = many.other("ledger", "balance", "--flat"), many.other("ledger", "print", *year)
    _check_balances(many)
    _check_year(many, printed)
    return [
        compare_times(f"balance sheet of {MANY:,}", many.sheet, balance, 0.05, place.rounds, "ledger balance"),
        _compare_once("the same", many.sheet, many.other("hledger", "balance", "--flat"), "hledger balance"),
        compare_times(f"journal of {YEAR}, jsonl", many.journal, printed, 0.25, place.rounds, "ledger print"),
        *_look_at("balance sheet", many.sheet, few.sheet, place),
        *_look_at("journal", many.journal, few.journal, place),
        _compare_posting(few, many),
    ]


def _compare_once(name: str, ours: Command, theirs: Command, label: str) -> Result:
    mine, other = ours.run().seconds, theirs.run().seconds
    return Result(name, mine / other, None, f"{mine * 1000:.0f} ms, {label} {other * 1000:.0f} ms, once")


def _look_at(name: str, large: Command, small: Command, place: Place) -> list[Result]:
    """Compare time and memory of ten times the book: time may grow as the book does, memory not beyond its limit."""
    pairs = take_turns(place.rounds, large.run, small.run)
    slow, quick = medians([(ours.seconds, theirs.seconds) for ours, theirs in pairs])
    growth = median_ratio([(ours.seconds, theirs.seconds) for ours, theirs in pairs])
    peak, low = (max(run.peak_bytes for run in runs) / MEBIBYTE for runs in zip(*pairs, strict=True))
    return [
        Result(f"{name}, peak MiB", peak, PEAK, f"{peak:.1f} MiB at {MANY:,}, {low:.1f} MiB at {FEW:,}"),
        Result(f"{name}, {FEW:,} -> {MANY:,}", growth, MANY / FEW, f"{slow * 1000:.0f} ms, from {quick * 1000:.0f} ms"),
    ]


# --- the same figures ------------------------------------------------------------------------------


def _check_balances(asked: Asked) -> None:
    """Raise BenchError unless ledger adds the accounts up to the same; a fast wrong sum is none."""
    output = asked.place.folder / "balances"
    shown = ("--format", "%(account) %(quantity(display_total))\n")
    asked.other("ledger", "balance", "--flat", "--no-total", *shown).run(output)
    lines = (line.split() for line in output.read_text().splitlines())
    theirs = {account: Decimal(amount) for account, amount in lines}
    asked.acctcli("balance-sheet", "--date", str(LAST_DAY), "--accounts", "--output", "json").run(output)
    ours = read_balances(json.loads(output.read_text(), parse_float=Decimal)["rows"])
    theirs["result"] = sum((theirs.pop(account) for account in sorted(theirs) if account >= "3000"), Decimal(0))
    if ours != {account: amount for account, amount in theirs.items() if amount}:
        raise BenchError(f"ledger and acctcli differ: {theirs} and {ours}")


def read_balances(rows: Sequence[dict[str, Any]]) -> dict[str, Decimal]:
    """Return what accounts of a balance sheet stand at, debit less credit, and what is no account's as `result`."""
    found: dict[str, Decimal] = {}
    sign, result = 1, Decimal(0)
    for row in rows:
        if row["name"] == "Equity and liabilities":
            sign = -1
        accounts = {account["number"]: sign * account["values"][0] for account in row["accounts"]}
        found |= accounts
        if row["name"].startswith("Profit of"):
            result += sign * row["values"][0] - sum(accounts.values())
    return {"result": result, **found}


def _check_year(asked: Asked, printed: Command) -> None:
    """Raise BenchError unless both list as many transactions of the year."""
    output = asked.place.folder / "printed"
    printed.run(output)
    asked.journal.run()
    theirs = _count(output, lambda line: line.startswith(b"%d" % YEAR))
    ours = _count(asked.place.folder / "journal.jsonl", lambda line: line.startswith(b'{"number":'))
    if ours != theirs or not ours:
        raise BenchError(f"{ours:,} documents, {theirs:,} transactions of ledger in {YEAR}")


def _count(path: Path, is_one: Callable[[bytes], bool]) -> int:
    with path.open("rb") as lines:
        return sum(map(is_one, lines))


# --- posting ---------------------------------------------------------------------------------------


def _compare_posting(few: Asked, many: Asked) -> Result:
    """Compare creating documents in copies of both books: a book stays what ledger was given."""
    with ExitStack() as stack:
        small, large = (_served(asked, stack) for asked in (few, many))
        pairs = take_turns(3 * many.place.rounds, lambda: _seconds(large), lambda: _seconds(small))
    slow, quick = medians(pairs)
    figures = f"{slow * 1e6:.0f} us a document, from {quick * 1e6:.0f} us"
    return Result(f"posting, {FEW:,} -> {MANY:,}", median_ratio(pairs), 1.2, figures)


def _served(asked: Asked, stack: ExitStack) -> Contestant:
    data = asked.place.folder / f"data-{asked.book.size}"
    shutil.copytree(asked.book.data_dir, data)
    port, token = free_port(), (data / "local" / "token").read_text().strip()
    serve = asked.place.command("acctcli", "local", "serve", "--host", "127.0.0.1", "--port", str(port))
    stack.enter_context(running(replace(serve, environ={**serve.environ, "ACCTCLI_DATA_DIR": str(data)}), port))
    return Contestant(asked.book.folder.name, port, token, own_document(port, token))


def _seconds(contestant: Contestant) -> float:
    return 1 / measure(replace(contestant.create_order(), connections=1), SECONDS)
