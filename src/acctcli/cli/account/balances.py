"""What the accounts stand at on a day, by the ledger of that day (docs/interface.md 4.3, 10.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from acctcli.cli.account.chart import read_chart
from acctcli.cli.account.words import type_in_words
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.output.show import show_stream
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asked import check_asked
from acctcli.cli.report.books import Ledger
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent, encode_plain

_NOTHING = Decimal("0.00")


class _Used(msgspec.Struct):
    id: int


_read_used = reader(_Used, "an account")


def print_balances(here: State, day: date, columns: Sequence[str]) -> None:
    """Show the accounts in use, and those that opened with something, with their balances at the end of a day."""
    rows = [msgspec.Raw(encode_plain(row)) for row in balances_on(here, day, in_words=here.format == "table")]
    here.say(f"balances at the end of {day}; of revenue and expenses those of its accounting period")
    show_stream(here, [rows], columns)


def ledger_of(here: State, day: date) -> Ledger:
    """Return the ledger of a day: what accounts opened it with, moved on it and closed it with."""
    column = {"date_from": day.isoformat(), "date_to": day.isoformat()}
    return Ledger(here.api.ledger(day, day, partial(check_asked, "ledger", [column])))


def balances_on(here: State, day: date, *, in_words: bool) -> Iterator[dict[str, Any]]:
    """Yield the accounts in use with their balances at the end of a day; their types in words, or as on the wire."""
    chart = read_chart(here)
    used = {one.id for one in read_all(here.api.accounts.list({"is_used": True}, Extent(limit=None)), _read_used)}
    parts = ((part.account, part.sums.balance) for part in ledger_of(here, day))
    found = {(one.number, one.name if not one.number else ""): (one.name, balance) for one, balance in parts}
    for account in chart.by_id.values():
        moved = found.pop((account.number, ""), None)
        if moved is None and account.id not in used:
            continue
        debit = _NOTHING if moved is None else rounded(moved[1])
        kind = type_in_words(account.type) if in_words else account.type
        head = {"id": account.id, "number": account.number, "name": account.name, "type": kind}
        yield {**head, "balance": account.turned(debit)}
    # what no account of the chart holds stands on the credit side, as equity does
    for (number, _), (name, balance) in found.items():
        yield {"id": None, "number": number, "name": name, "type": None, "balance": -rounded(balance)}
