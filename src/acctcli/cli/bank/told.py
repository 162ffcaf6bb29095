"""What people are told of an import on stderr: what would be posted, and what came of each statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from acctcli.banking.statements.model import Line
from acctcli.banking.statements.proving import Proven
from acctcli.cli.bank.options import ENTRIES
from acctcli.cli.output.stderr import how_many, tell
from acctcli.cli.session.state import State

if TYPE_CHECKING:
    from acctcli.cli.account.chart import Chart
    from acctcli.cli.bank.named import Named
    from acctcli.models.document import DocumentRequest

MOST_SHOWN = 40
_WIDEST = 44


def entries(one: Named, body: DocumentRequest | None, reason: str | None, chart: Chart) -> Iterator[dict[str, object]]:
    """Yield the rows of the document that a line becomes; without a body one is there already."""
    head = {**dict.fromkeys(ENTRIES), "date": one.line.booked, "reason": reason}
    if body is None:
        yield {**head, "account": one.account.number}
        return
    blueprint = body.blueprint
    for side, rows in (("debit", blueprint.debet_entries), ("credit", blueprint.credit_entries)):
        for row in rows or ():
            account = chart.by_id.get(row.account_id or 0)
            yield {**head, "account": account and account.number, side: row.amount, "text": row.description}


def tell_entries(rows: Sequence[dict[str, object]]) -> None:
    """Show rows of documents that would be posted; of many the first."""
    told = [tuple(_cut(str(row.get(name) or "")) for name in ENTRIES) for row in rows[:MOST_SHOWN]]
    _tell_table([ENTRIES, *told], right={2, 3})
    if len(rows) > MOST_SHOWN:
        tell(f"and {how_many(len(rows) - MOST_SHOWN, 'other row')}")


def tell_preview(lines: Sequence[tuple[Line, str, str]], number: int) -> None:
    """Show lines that would be posted, each with the number of its account and why it is matched; of many the first."""
    rows: list[tuple[str, ...]] = [("date", "account", "amount", "who", "what", "")]
    rows += [
        (
            str(line.booked),
            account,
            f"{line.amount:.2f}",
            _cut(line.name),
            _cut(line.text or line.structured or line.code),
            reason,
        )
        for line, account, reason in lines
    ]
    _tell_table(rows, right={2})
    if number > len(lines):
        tell(f"and {how_many(number - len(lines), 'other line')}")


def tell_statements(here: State, rows: Sequence[tuple[Proven, int, int, int]]) -> None:
    """Show of each statement how its lines ended, and how its balances come together."""
    if here.options.quiet or not rows:
        return
    head = ("statement", "lines", "posted", "there", "left out", "opening", "sum", "closing", "")
    table: list[tuple[str, ...]] = [head]
    for one, posted, there, left_out in rows:
        sums = (f"{one.opening:.2f}", f"{one.total:.2f}", f"{one.closing:.2f}") if one.is_proved else ()
        proof = (*sums, "proved") if sums else ("", f"{one.total:.2f}", "", "not proved")
        numbers = (one.lines + one.left_out, posted, there, left_out)
        table.append((one.name, *map(str, numbers), *proof))
    _tell_table(table, right=set(range(1, 8)))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _tell_table(rows: Sequence[tuple[str, ...]], right: set[int]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        tell("   ".join(cells).rstrip())
