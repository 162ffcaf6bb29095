"""The lines of statements with their tags: what each is called in the books (docs/bank.md 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from acctcli.banking.statements.identity import Names
from acctcli.banking.statements.model import Line
from acctcli.cli.account.chart import Account
from acctcli.cli.bank.reading import Gathered


class Named(NamedTuple):
    """A line with its tag, empty where it is left out, and the account it is of; `statement` is its number."""

    statement: int
    line: Line
    tag: str
    account: Account


def named_lines(gathered: Gathered, accounts: Sequence[Account]) -> Iterator[Named]:
    """Yield the lines with their tags; what has no day or moves nothing has none."""
    names: dict[int, Names] = {}
    before = -1
    for kept in gathered.lines:
        account = accounts[kept.statement]
        own = names.setdefault(account.id, Names(str(account.id)))
        if kept.statement != before:
            own.begin(goes_on=gathered.statements[kept.statement].goes_on)
            before = kept.statement
        line = kept.line
        is_out = line.left_out or not line.amount
        # the first part of a batch names the others, also where it moves nothing
        tag = "" if is_out and line.batch is None else own.of(line)
        yield Named(kept.statement, line, "" if is_out else tag, account)
