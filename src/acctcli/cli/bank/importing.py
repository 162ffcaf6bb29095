"""Import statements: read and prove all of them, tell what is there, ask, and post the rest (docs/bank.md)."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec

from acctcli.banking.statements.identity import Names, overlapping
from acctcli.banking.statements.model import Line
from acctcli.banking.statements.proving import Proven
from acctcli.cli.account.chart import Account
from acctcli.cli.bank.accounts import BankAccounts
from acctcli.cli.bank.bodies import Bodies
from acctcli.cli.bank.reading import Gathered, gather
from acctcli.cli.bank.there import read_there
from acctcli.cli.bank.told import MOST_SHOWN, tell_preview, tell_statements
from acctcli.cli.command.many import Step, key_of_one, send_all
from acctcli.cli.command.once import books_of
from acctcli.cli.output.progress import counted
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.stderr import how_many, how_many_are
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply, encode_plain
from acctcli.errors import NotFound, Rejected, UsageError

POSTED, THERE, LEFT_OUT = "posted", "already there", "left out"


class Asked(NamedTuple):
    """What the command line says of an import."""

    account: str | None
    contra: str | None
    format: str | None
    profile: str | None
    unproved: bool


@dataclass
class Tally:
    """What came of the lines of a statement."""

    posted: int = 0
    there: int = 0
    left_out: int = 0


class _Made(msgspec.Struct):
    id: int


class Named(NamedTuple):
    """A line with its tag, empty where it is left out, and the account it is of."""

    statement: int
    line: Line
    tag: str
    account: Account


def import_all(here: State, paths: Sequence[Path], asked: Asked, columns: Sequence[str]) -> None:
    """Import the files and show `columns` of what came of each line.

    Raise, before anything is sent, for what is wrong with any of them.
    """
    gathered = gather(here, paths, asked.format, asked.profile)
    _check_proved(gathered, asked)
    accounts = BankAccounts(here, asked.account)
    found = [accounts.of(statement) for statement in gathered.statements]
    bodies = Bodies(here, asked.contra)
    for account in found:
        bodies.check(account)
    for note in gathered.notes:
        here.say(f"note: {note}")
    days = gathered.days
    there = read_there(here, *days) if days else {}
    importing = _Importing(here, gathered, found, bodies, there)
    if not (here.options.yes or here.options.dry_run):
        _agree(here, importing.preview(), "post" if asked.contra else "keep as drafts")
    importing.run(columns)


def _agree(here: State, number: int, verb: str) -> None:
    """Ask on a terminal; raise UsageError elsewhere, or when the answer is no."""
    if not number:
        return
    what = f"{verb} {how_many(number, 'line')} of statements"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"this would {what}", hint="agree with --yes, or look at the requests with --dry-run")
    here.confirm(f"{what.capitalize()}?")


def _check_proved(gathered: Gathered, asked: Asked) -> None:
    unproved = [one for one in gathered.statements if one.lines and not one.is_proved]
    if unproved and not asked.unproved:
        raise UsageError(
            f"{unproved[0].name} has no opening and closing balance: it cannot be proved that it is whole",
            hint="compare it with the balance of the bank yourself, and give --unproved",
        )


class _Importing:
    """Posts what is not there yet, in the order of the statements."""

    def __init__(
        self, here: State, gathered: Gathered, accounts: Sequence[Account], bodies: Bodies, there: dict[str, int]
    ) -> None:
        self._here = here
        self._gathered = gathered
        self._accounts = accounts
        self._bodies = bodies
        self._there = there
        self._tallies = [Tally() for _ in gathered.statements]

    def preview(self) -> int:
        """Tell people what would be posted; return how many lines that is."""
        new, seen = 0, set[str]()
        told: list[Named] = []
        for one in self._named():
            if one.tag and self._document_of(one.tag) is None and one.tag not in seen:
                seen.add(one.tag)
                new += 1
                if len(told) < MOST_SHOWN:
                    told.append(one)
        if new:
            tell_preview([(one.line, one.account.number) for one in told], new)
        return new

    def run(self, columns: Sequence[str]) -> None:
        """Post, show what came of each line, and tell of each statement."""
        here, total = self._here, self._gathered.lines.number
        base = here.options.idempotency_key or str(uuid.uuid5(uuid.NAMESPACE_OID, books_of(here)))
        try:
            send_all(
                here,
                self._steps(base),
                base,
                columns,
                lambda number: f"{how_many_are(number, 'line')} done",
                lambda pages: counted(here, pages, total),
            )
        finally:
            rows = zip(self._gathered.statements, self._tallies, strict=True)
            if not here.options.dry_run:
                tell_statements(here, [(one, tally.posted, tally.there, tally.left_out) for one, tally in rows])
            elif there := sum(tally.there for _, tally in rows):
                here.say(f"{how_many_are(there, 'line')} there already")

    def _named(self) -> Iterator[Named]:
        """Yield the lines with their tags; what has no day or moves nothing has none."""
        names: dict[int, Names] = {}
        before = -1
        for kept in self._gathered.lines:
            account = self._accounts[kept.statement]
            own = names.setdefault(account.id, Names(str(account.id)))
            if kept.statement != before:
                own.begin(goes_on=self._gathered.statements[kept.statement].goes_on)
                before = kept.statement
            line = kept.line
            is_out = line.left_out or not line.amount
            yield Named(kept.statement, line, "" if is_out else own.of(line), account)

    def _steps(self, base: str) -> Iterator[Step]:
        for one in self._named():
            statement = self._gathered.statements[one.statement]
            if self._here.options.dry_run and (not one.tag or self._document_of(one.tag) is not None):
                self._tallies[one.statement].there += bool(one.tag)
                continue
            yield Step(partial(self._settle, base, one, statement), f"{statement.file} line {one.line.number}")

    def _document_of(self, tag: str) -> int | None:
        """Return the document of a line: its own, or that of the batch that it is a part of, or of its parts."""
        found = self._there.get(tag)
        return self._there.get(overlapping(tag)) if found is None else found

    def _settle(self, base: str, one: Named, statement: Proven) -> Reply:
        """Return what came of a line, as a row."""
        tally = self._tallies[one.statement]
        if not one.tag:
            tally.left_out += 1
            return _row(one, statement, LEFT_OUT, None, one.line.left_out or "nothing moved")
        document = self._document_of(one.tag)
        if document is None:
            document, is_new = self._post(base, one)
            self._there[one.tag] = document
        else:
            is_new = False
        tally.posted += is_new
        tally.there += not is_new
        return _row(one, statement, POSTED if is_new else THERE, document)

    def _post(self, base: str, one: Named) -> tuple[int, bool]:
        """Post a line; return its document, and whether it is new.

        A key that the service knows of a document that is gone is followed by another one.
        """
        here, body = self._here, self._bodies.of(one.line, one.tag, one.account)
        for generation in count():
            key = key_of_one(base, f"{one.tag} {generation}" if generation else one.tag)
            try:
                reply = here.api.documents.create(body, key)
            except Rejected as refused:
                found = self._posted_otherwise(one, refused)
                if found is not None:
                    return found, False
                continue
            made = decoded(reply, _Made).id
            if not reply.replayed:
                return made, True
            if self._is_there(made):
                # what is told once more may be of a try just now whose reply was lost
                return made, here.http.writes.may_be_repeated
        raise AssertionError

    def _posted_otherwise(self, one: Named, refused: Rejected) -> int | None:
        """Return the document that was made under the key from another body, None if it is gone; else raise."""
        if refused.status != 422 or one.line.booked is None:
            raise refused
        return read_there(self._here, one.line.booked, one.line.booked).get(one.tag)

    def _is_there(self, document: int) -> bool:
        try:
            self._here.api.documents.get(document)
        except NotFound:
            return False
        return True


def _row(one: Named, statement: Proven, status: str, document: int | None, reason: str | None = None) -> Reply:
    line = one.line
    row = {
        "file": statement.file,
        "line": line.number,
        "identity": one.tag or None,
        "date": line.booked,
        "amount": line.amount,
        "name": line.name or line.text,
        "status": status,
        "document": document,
        "reason": reason,
    }
    return Reply(200, {}, encode_plain(row))
