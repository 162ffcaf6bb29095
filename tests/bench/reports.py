"""Reports on a book of a million transactions, against ledger and hledger on the same book, whole processes."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.bench.books import LAST_DAY, SLUG, Book, make_book
from tests.bench.contestants import Contestant, measure, own_document
from tests.bench.measure import BenchError, Command, Result, median_ratio, medians, take_turns
from tests.bench.place import Place
from tests.bench.servers import free_port, running

FEW, MANY = 100_000, 1_000_000
YEAR = LAST_DAY.year
MEBIBYTE = 1024 * 1024
SECONDS = 2.0
BALANCES_AS_CSV = {
    "ledger": ("--format", "%(account),%(quantity(display_total))\n"),
    "hledger": ("--output-format", "csv"),
}


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

    def balance(self, program: str) -> Command:
        """The balances of all accounts, as CSV."""
        return self.other(program, "balance", "--flat", "--no-total", *BALANCES_AS_CSV[program])

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
    return [
        _compare_balances(many, "ledger", place.rounds, 0.03),
        _compare_balances(many, "hledger", 1, None),
        _compare_journals(many),
        *_look_at("balance sheet", many.sheet, few.sheet, place, 55.0, 1.2),
        *_look_at("journal", many.journal, few.journal, place, 62.0, 4.8),
        _compare_posting(few, many),
    ]


def _compare_balances(asked: Asked, program: str, rounds: int, limit: float | None) -> Result:
    """Time both, and raise BenchError unless the other adds the accounts up to the same; a fast wrong sum is none."""
    ours, other, output = own_balances(asked), asked.balance(program), asked.place.folder / program
    pairs = take_turns(rounds, lambda: asked.sheet.run().seconds, lambda: other.run(output).seconds)
    refuse_difference(ours, program, output)
    return _ratio(f"balance sheet against {program}", pairs, limit, f"{program} balance")


def _compare_journals(asked: Asked) -> Result:
    """Time both, and raise BenchError unless both list as many transactions of the year."""
    year = ("-b", str(YEAR), "-e", str(YEAR + 1))
    other, output = asked.other("ledger", "print", *year), asked.place.folder / "printed"
    asked.journal.run()
    pairs = take_turns(asked.place.rounds, lambda: asked.journal.run().seconds, lambda: other.run(output).seconds)
    ours = _count(asked.place.folder / "journal.jsonl", b'{"number":')
    theirs = _count(output, b"%d" % YEAR)
    if ours != theirs or not ours:
        raise BenchError(f"{ours:,} documents, {theirs:,} transactions of ledger in {YEAR}")
    return _ratio(f"journal of {YEAR}, jsonl", pairs, 0.17, "ledger print")


def _ratio(name: str, pairs: Sequence[tuple[float, float]], limit: float | None, label: str) -> Result:
    mine, other = medians(pairs)
    return Result(name, median_ratio(pairs), limit, f"{mine * 1000:.0f} ms, {label} {other * 1000:.0f} ms")


def _count(path: Path, start: bytes) -> int:
    with path.open("rb") as lines:
        return sum(line.startswith(start) for line in lines)


def _look_at(name: str, large: Command, small: Command, place: Place, most: float, growth: float) -> list[Result]:
    """Compare time and memory of ten times the book: `most` MiB, and `growth` times as long."""
    pairs = take_turns(place.rounds, large.run, small.run)
    slow, quick = medians([(ours.seconds, theirs.seconds) for ours, theirs in pairs])
    ratio = median_ratio([(ours.seconds, theirs.seconds) for ours, theirs in pairs])
    peak, low = (max(run.peak_bytes for run in runs) / MEBIBYTE for runs in zip(*pairs, strict=True))
    return [
        Result(f"{name}, peak MiB", peak, most, f"{peak:.1f} MiB at {MANY:,}, {low:.1f} MiB at {FEW:,}"),
        Result(f"{name}, {FEW:,} -> {MANY:,}", ratio, growth, f"{slow * 1000:.0f} ms, from {quick * 1000:.0f} ms"),
    ]


# --- the same figures ------------------------------------------------------------------------------


def own_balances(asked: Asked) -> dict[str, Decimal]:
    """Ask acctcli for the balance sheet with its accounts."""
    output = asked.place.folder / "balances"
    asked.acctcli("balance-sheet", "--date", str(LAST_DAY), "--accounts", "--output", "json").run(output)
    return read_balances(json.loads(output.read_text(), parse_float=Decimal)["rows"])


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


def refuse_difference(ours: dict[str, Decimal], program: str, output: Path) -> None:
    """Raise BenchError unless another program's balances are these."""
    rows = csv.reader(output.read_text().splitlines())
    accounts = {account: Decimal(balance.removesuffix(" EUR")) for account, balance in rows if account.isdigit()}
    theirs = {account: balance for account, balance in accounts.items() if balance and account < "3000"}
    theirs["result"] = sum((balance for account, balance in accounts.items() if account >= "3000"), Decimal(0))
    if ours != theirs:
        raise BenchError(f"{program} and acctcli differ: {theirs} and {ours}")


# --- posting ---------------------------------------------------------------------------------------


def _compare_posting(few: Asked, many: Asked) -> Result:
    """Compare creating documents in copies of both books: a book stays what ledger was given."""
    with ExitStack() as stack:
        small, large = (_served(asked, stack) for asked in (few, many))
        pairs = take_turns(3 * many.place.rounds, lambda: _seconds(large), lambda: _seconds(small))
    slow, quick = medians(pairs)
    figures = f"{slow * 1e6:.0f} us a document, from {quick * 1e6:.0f} us"
    return Result(f"posting, {FEW:,} -> {MANY:,}", median_ratio(pairs), 1.15, figures)


def _served(asked: Asked, stack: ExitStack) -> Contestant:
    data = asked.place.folder / f"data-{asked.book.size}"
    shutil.copytree(asked.book.data_dir, data)
    port, token = free_port(), (data / "local" / "token").read_text().strip()
    serve = asked.place.command("acctcli", "local", "serve", "--host", "127.0.0.1", "--port", str(port))
    stack.enter_context(running(replace(serve, environ={**serve.environ, "ACCTCLI_DATA_DIR": str(data)}), port))
    return Contestant(asked.book.folder.name, port, token, own_document(port, token))


def _seconds(contestant: Contestant) -> float:
    return 1 / measure(replace(contestant.create_order(), connections=1), SECONDS)
