"""The lines of statements with their tags: what each is called in the books (docs/bank.md 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from tempfile import TemporaryFile
from typing import NamedTuple

from acctcli.banking.statements.identity import Names
from acctcli.banking.statements.model import Line
from acctcli.cli.account.chart import Account
from acctcli.cli.bank.reading import Gathered
from acctcli.cli.session.state import State


class Named(NamedTuple):
    """A line with its tag, empty where it is left out, and the account it is of; `statement` is its number."""

    statement: int
    line: Line
    tag: str
    account: Account


class NamedLines:
    """The lines with their tags, as often as wanted, once at a time: tags are kept on the disk, as lines are."""

    def __init__(self, here: State, gathered: Gathered, accounts: Sequence[Account]) -> None:
        self._tags = here.at_end.enter_context(TemporaryFile("w+", encoding="ascii"))  # noqa: SIM115
        self._gathered = gathered
        self._accounts = accounts
        self._are_kept = False

    def __iter__(self) -> Iterator[Named]:
        """Yield the lines."""
        self._tags.seek(0)
        if not self._are_kept:
            for one in named_lines(self._gathered, self._accounts):
                self._tags.write(f"{one.tag}\n")
                yield one
            self._are_kept = True
            return
        for kept, tag in zip(self._gathered.lines, self._tags, strict=True):
            yield Named(kept.statement, kept.line, tag[:-1], self._accounts[kept.statement])


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
