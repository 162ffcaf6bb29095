"""The statement of one account: its part of the ledger, added up again (docs/interface.md 4.3, 10.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import chain, islice
from typing import Any

import msgspec

from acctcli.cli.account.chart import Account, find_account
from acctcli.cli.output.show import ALL, show_record, show_stream
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asked import check_asked
from acctcli.cli.report.shapes import Amounts, LedgerEntry, Totals
from acctcli.cli.session.state import State
from acctcli.client.messages import encode_plain
from acctcli.errors import Incomplete, ServerFault

_PAGE = 1000
_NOTHING = Decimal("0.00")
_EMPTY = dict.fromkeys(
    ("date", "number", "description", "counter_accounts", "contact_name", "vat_code", "debit", "credit", "balance")
)


class _Ledger(Amounts, gc=True):
    number: str
    opening_balance: Decimal
    # a busy account has more entries than memory should hold decoded
    entries: list[msgspec.Raw]
    totals: Totals | None = None


class _Numbered(msgspec.Struct):
    number: str


_number_of = msgspec.json.Decoder(_Numbered).decode
_decode = msgspec.json.Decoder(_Ledger).decode
_decode_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode_entry = msgspec.json.Decoder(LedgerEntry).decode


def print_statement(here: State, written: str, days: tuple[date, date], columns: Sequence[str]) -> None:
    """Show the statement of the account of that number from the first to the last of the days, both included.

    json is the account as the ledger has it; every other format has a row an entry between the opening and the
    closing balance. Raises Incomplete when the ledger does not add up.
    """
    account = find_account(here, written)
    try:
        parts = _read(here, account, *days)
        # all of them before the first is shown: half a statement would pass for a whole one
        pages = list(_pages(_rows(parts, *days, with_sums=here.format == "table")))
    except msgspec.DecodeError as problem:
        raise ServerFault("the ledger is not what the interface promises", code="unreadable_reply") from problem
    if here.format == "json":
        show_record(here, _joined(parts), ALL)
        return
    here.say(f"{account}, {days[0]} to {days[1]}; balances are debit minus credit")
    show_stream(here, pages, columns)


def _pages(rows: Iterator[dict[str, Any]]) -> Iterator[list[msgspec.Raw]]:
    while page := [msgspec.Raw(encode_plain(row)) for row in islice(rows, _PAGE)]:
        yield page


def _read(here: State, account: Account, first: date, last: date) -> list[msgspec.Raw]:
    """Find the account in the ledger, in parts where it is long; one that never moved need not be there."""
    column = {"date_from": first.isoformat(), "date_to": last.isoformat()}
    parts = list[msgspec.Raw]()
    ledger = here.api.ledger(first, last, partial(check_asked, "ledger", [column]))
    for row in chain.from_iterable(ledger):
        if _number_of(row).number == account.number:
            parts.append(row)
            if not ledger.goes_on:
                return parts
    totals = {"debet": _NOTHING, "credit": _NOTHING, "balance_csum": _NOTHING}
    head = {"number": account.number, "name": account.name, "opening_balance": _NOTHING}
    return [msgspec.Raw(encode_plain({**head, "entries": [], "totals": totals}))]


def _joined(parts: Sequence[msgspec.Raw]) -> msgspec.Raw:
    """Return an account that came in parts as one."""
    if len(parts) == 1:
        return parts[0]
    entries = [entry for part in parts for entry in _decode(part).entries]
    return msgspec.Raw(encode_plain({**_decode_fields(parts[-1]), "entries": entries}))


def _rows(parts: Iterable[msgspec.Raw], first: date, last: date, *, with_sums: bool) -> Iterator[dict[str, Any]]:
    """Yield the lines of the statement; each balance is debit minus credit, and is the ledger's own."""
    debit = credit = balance = _NOTHING
    for place, ledger in enumerate(map(_decode, parts)):
        if place == 0:
            balance = rounded(ledger.opening_balance)
            yield _row(first.isoformat(), "Opening balance", balance)
        for entry in map(_decode_entry, ledger.entries):
            moved = rounded(entry.debet), rounded(entry.credit)
            debit, credit = debit + moved[0], credit + moved[1]
            balance += moved[0] - moved[1]
            _check(ledger, entry.number or entry.date or "", balance, entry.balance_csum)
            yield _entry_row(entry, *moved, balance)
        if ledger.totals is not None and ledger.totals.balance_csum is not None:
            _check(ledger, "the last entry", balance, ledger.totals.balance_csum)
    sums = {"debit": debit, "credit": credit} if with_sums else {}
    yield {**_row(last.isoformat(), "Closing balance", balance), **sums}


def _entry_row(entry: LedgerEntry, debit: Decimal, credit: Decimal, balance: Decimal) -> dict[str, Any]:
    return {
        # some services send a date-time at midnight
        "date": (entry.date or "")[:10],
        "number": entry.number,
        "description": entry.description or "",
        "counter_accounts": ", ".join(entry.counter_accounts or ()),
        "contact_name": entry.contact_name,
        "vat_code": entry.vat_code,
        "debit": debit or None,
        "credit": credit or None,
        "balance": balance,
    }


def _row(day: str, description: str, balance: Decimal) -> dict[str, Any]:
    return {**_EMPTY, "date": day, "description": description, "balance": balance}


def _check(ledger: _Ledger, place: str, ours: Decimal, theirs: Decimal) -> None:
    if ours != rounded(theirs):
        raise Incomplete(
            f"the ledger of account {ledger.number} does not add up: after {place} it says {rounded(theirs)}, "
            f"its entries make {ours}"
        )
