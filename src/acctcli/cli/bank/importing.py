"""Import statements: read and prove all of them, tell what is there, ask, and post the rest (docs/bank.md)."""

from __future__ import annotations

import sys
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from acctcli.banking.matching.outcome import Matched, Outcome
from acctcli.banking.statements.model import Line
from acctcli.banking.statements.proving import Proven
from acctcli.cli.account.chart import Account, Chart, read_chart
from acctcli.cli.bank.accounts import BankAccounts
from acctcli.cli.bank.beside import look_beside
from acctcli.cli.bank.bodies import Bodies, Twin, twin_of
from acctcli.cli.bank.doubles import MAYBE_THERE, doubtful, give_way, refuse_doubled, told_in_parts
from acctcli.cli.bank.filed import keep, keeping
from acctcli.cli.bank.matching import Outcomes, read_known, reason_of, reasons_in, told
from acctcli.cli.bank.named import Named, NamedLines
from acctcli.cli.bank.options import ENTRIES
from acctcli.cli.bank.posting import Posting
from acctcli.cli.bank.reading import Gathered, gather
from acctcli.cli.bank.there import There, read_there
from acctcli.cli.bank.told import MOST_SHOWN, entries, tell_preview, tell_statements
from acctcli.cli.command.many import Step, send_all
from acctcli.cli.command.once import books_of
from acctcli.cli.document.closed import known_closed_days
from acctcli.cli.output.progress import counted
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many, how_many_are
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply, encode_plain
from acctcli.errors import Incomplete, UsageError

POSTED, THERE, LEFT_OUT = "posted", "already there", "left out"


class Asked(NamedTuple):
    """What the command line says of an import; `rules` is the file of the rules, where one is named."""

    account: str | None
    contra: str | None
    format: str | None
    profile: str | None
    unproved: bool
    is_matched: bool = True
    rules: Path | None = None
    is_kept: bool = True
    is_again: bool = False
    is_open_days_only: bool = False


@dataclass
class Tally:
    """What came of the lines of a statement."""

    posted: int = 0
    there: int = 0
    left_out: int = 0


def import_all(here: State, paths: Sequence[Path], asked: Asked, columns: Sequence[str]) -> None:
    """Import the files and show `columns` of what came of each line.

    Raise, before anything is sent, for what is wrong with any of them.
    """
    gathered = gather(here, paths, asked.format, asked.profile)
    _check_proved(gathered, asked)
    accounts = BankAccounts(here, asked.account)
    found = [accounts.of(statement) for statement in gathered.statements]
    chart = read_chart(here)
    bodies = Bodies(here, asked.contra, chart)
    for account in found:
        bodies.check(account)
    for note in (*gathered.notes, *look_beside(here, gathered, found, is_again=asked.is_again)):
        here.say(f"note: {note}")
    days = gathered.days
    there = read_there(here, *days, accounts.numbers) if days else There()
    importing = _Importing(here, gathered, found, bodies, there, chart)
    if not asked.is_again:
        importing.leave_out_doubtful()
    if asked.is_matched and days:
        importing.match(accounts, asked.rules)
    importing.leave_out_closed(is_agreed=asked.is_open_days_only)
    if here.options.dry_run and here.format == "table":
        importing.show_entries()
        importing.check_left_out()
        return
    is_agreed = here.options.yes or here.options.dry_run
    if not is_agreed:
        is_agreed = _agree(here, importing.preview(), importing.verb(asked.contra))
    if asked.is_kept and is_agreed:
        importing.keep()
    importing.run(columns)
    importing.check_doubles()
    importing.check_left_out()


def _agree(here: State, number: int, verb: str) -> bool:
    """Ask on a terminal, unless nothing is new; raise UsageError elsewhere, or when the answer is no."""
    if not number:
        return False
    here.agree(f"{verb} {how_many(number, 'line')} of statements", "the requests")
    return True


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
        self, here: State, gathered: Gathered, accounts: Sequence[Account], bodies: Bodies, there: There, chart: Chart
    ) -> None:
        self._here = here
        self._chart = chart
        self._gathered = gathered
        self._accounts = accounts
        self._named = NamedLines(here, gathered, accounts)
        self._bodies = bodies
        self._there = there
        self._base = here.options.idempotency_key or str(uuid.uuid5(uuid.NAMESPACE_OID, books_of(here)))
        self._posting = Posting(here, bodies, there, self._base)
        self._outcomes: Outcomes | None = None
        self._came = Counter[str]()
        # lines whose transfer was posted by their other side
        self._twins: set[str] = set()
        self._tallies = [Tally() for _ in gathered.statements]
        self._keeping: list[Step] = []
        self._doubtful: set[str] = set()
        # lines of which several documents are there
        self._doubled: set[str] = set()
        # of lines on closed days what closes them
        self._closed: dict[str, str] = {}

    def leave_out_doubtful(self) -> None:
        """Leave out what may be there under another tag."""
        if self._is_any_new:
            self._doubtful = doubtful(self._named, self._new(), self._there)
            self._doubtful |= told_in_parts(self._named, self._new(), self._there, self._doubtful)

    def leave_out_closed(self, *, is_agreed: bool) -> None:
        """Leave out what falls on closed days, but for what is there; raise Conflict where nobody agreed to that."""
        closed = known_closed_days(self._here)
        days: list[date] = []
        for one in self._new() if closed.last else ():
            day, outcome = one.line.booked, self._outcome(one)
            if day is not None and closed.has(day) and not (isinstance(outcome, Matched) and outcome.side):
                days.append(day)
                self._closed[one.tag] = closed.why(day)
        if days and not is_agreed:
            raise closed.refusal(days, "line", "; or leave these lines out with --open-days")

    def check_doubles(self) -> None:
        """Raise Incomplete where somebody else posted lines, or paid for them, at the same moment.

        What this run made of them goes.
        """
        paid = None
        try:
            self._posting.payments.check(self._named)
        except Incomplete as error:
            paid = error
        if self._posting.made and (days := self._gathered.days):
            give_way(self._here, self._posting.made, self._posting.acted, days)
        if paid is not None:
            raise paid
        if days := self._gathered.days:
            refuse_doubled(self._here, self._doubled, days)

    def check_left_out(self) -> None:
        """Raise Incomplete where anything was left out so."""
        if self._doubtful:
            raise Incomplete(
                f"{how_many_are(len(self._doubtful), 'line')} left out that may be there, told in another way",
                hint="compare these with the documents of their days; what is not there is posted with --again",
            )
        if self._closed:
            raise Incomplete(f"{how_many_are(len(self._closed), 'line')} left out on closed days")
        if self._bodies.kept:
            raise Incomplete(
                f"{how_many_are(len(self._bodies.kept), 'line')} left to you: a document may be there already",
                hint="acctcli bank review asks what each of them is",
            )

    def match(self, accounts: BankAccounts, rules: Path | None) -> None:
        """Find out what new lines are, once what an earlier run began is done."""
        here = self._here
        if not here.options.dry_run and (here.options.yes or sys.stdin.isatty()):
            self._posting.finish()
        known = read_known(here, self._there, accounts, self._chart, rules)
        if not here.options.dry_run:
            self._posting.say_paid(known.owed)
        self._posting.payments.look(known.owed, self._there)
        self._bodies.contacts, self._bodies.fees = known.owed.contacts, known.candidates.differences.fees
        self._outcomes = Outcomes(self._new(), known.candidates)

    def verb(self, contra: str | None) -> str:
        """Return what is done with lines."""
        if contra:
            return "post"
        is_any = self._outcomes is not None and self._outcomes.is_any
        return "post, or keep as drafts," if is_any else "keep as drafts"

    def preview(self) -> int:
        """Tell people what would be posted; return how many lines that is."""
        new = 0
        shown: list[tuple[Line, str, str]] = []
        for one in self._new():
            new += 1
            if len(shown) < MOST_SHOWN:
                shown.append((one.line, one.account.number, reason_of(self._outcome(one)) or ""))
        if new:
            tell_preview(shown, new)
        return new

    def show_entries(self) -> None:
        """Show what would be posted as a table of entries, and what nothing is known of."""
        rows = (row for one in self._new_documents() for row in self._entries(one))
        show_values(self._here, rows, ENTRIES)
        self._here.say(told(reasons_in(map(self._outcome, self._new())), sum(1 for _ in self._new())))

    def keep(self) -> None:
        """Keep the files with the books, before their lines: what is not posted then, is named as missing."""
        if self._here.options.dry_run:
            self._keeping = list(keeping(self._here, self._gathered, self._accounts, self._base))
        else:
            keep(self._here, self._gathered, self._accounts, self._base)

    def run(self, columns: Sequence[str]) -> None:
        """Post, show what came of each line, and tell of each statement."""
        here, total = self._here, self._gathered.lines.number
        try:
            send_all(
                here,
                self._steps(),
                self._base,
                columns,
                lambda number: f"{how_many_are(number, 'line')} gone through",
                lambda pages: counted(here, pages, total),
            )
        finally:
            rows = zip(self._gathered.statements, self._tallies, strict=True)
            if not here.options.dry_run:
                tell_statements(here, [(one, tally.posted, tally.there, tally.left_out) for one, tally in rows])
            elif there := sum(tally.there for _, tally in rows):
                here.say(f"{how_many_are(there, 'line')} there already")
            if self._outcomes is not None and self._outcomes.is_known and not here.options.dry_run:
                here.say(told(self._came, sum(tally.posted for tally in self._tallies)))

    @cached_property
    def _is_any_new(self) -> bool:
        """Whether any line is not there: of a statement that is imported again none is."""
        return any(one.tag and self._there.document_of(one.tag) is None for one in self._named)

    def _new(self) -> Iterator[Named]:
        """Yield the lines that are not there, each once."""
        if not self._is_any_new:
            return
        seen = {*self._doubtful, *self._closed}
        for one in self._named:
            if one.tag and self._there.document_of(one.tag) is None and one.tag not in seen:
                seen.add(one.tag)
                yield one

    def _new_documents(self) -> Iterator[Named]:
        """Yield the lines that documents would be posted of: of a transfer the first."""
        seen = set[str]()
        for one in self._new():
            found = self._outcome(one)
            if not (isinstance(found, Matched) and found.twin in seen):
                seen.add(one.tag)
                yield one

    def _steps(self) -> Iterator[Step]:
        if self._here.options.dry_run:
            for tally, number in zip(self._tallies, self._number_there(), strict=True):
                tally.there = number
        yield from self._keeping
        for one in self._new_documents() if self._here.options.dry_run else self._named:
            statement = self._gathered.statements[one.statement]
            yield Step(partial(self._settle, one, statement), f"{statement.file} line {one.line.number}")

    def _number_there(self) -> list[int]:
        found = [0] * len(self._tallies)
        for one in self._named:
            found[one.statement] += bool(one.tag) and self._there.document_of(one.tag) is not None
        return found

    def _settle(self, one: Named, statement: Proven) -> Reply:
        """Return what came of a line, as a row."""
        tally = self._tallies[one.statement]
        if not one.tag:
            tally.left_out += 1
            return _row(one, statement, LEFT_OUT, None, one.line.left_out or "nothing moved")
        if (why := MAYBE_THERE if one.tag in self._doubtful else self._closed.get(one.tag)) is not None:
            tally.left_out += 1
            return _row(one, statement, LEFT_OUT, None, why)
        document = self._there.document_of(one.tag)
        outcome = self._outcome(one, is_new=document is None)
        reason = reason_of(outcome)
        if document is not None:
            if self._there.is_doubled(one.tag, one.line.cents):
                self._doubled.add(one.tag)
            is_twin = one.tag in self._twins
            tally.posted += is_twin
            self._came += reasons_in([outcome] * is_twin)
            tally.there += not is_twin
            return _row(one, statement, POSTED if is_twin else THERE, document, reason)
        came = self._posting.post(one, *self._found(one, outcome))
        if came.is_left_out:
            tally.left_out += 1
            return _row(one, statement, LEFT_OUT, came.document, came.why)
        self._there.documents[one.tag] = came.document
        tally.posted += came.is_new
        self._came += reasons_in([outcome] * (came.is_new and came.why is None))
        tally.there += not came.is_new
        return _row(one, statement, POSTED if came.is_new else THERE, came.document, came.why or reason)

    def _outcome(self, one: Named, *, is_new: bool = True) -> Outcome | None:
        """Return what comes of a line; of one that is there rules say nothing more."""
        if self._outcomes is None:
            return None
        return self._outcomes.of(one) if is_new else self._outcomes.kept(one)

    def _found(self, one: Named, outcome: Outcome | None) -> tuple[Matched | None, Twin | None]:
        """Return what a line is, as far as it is matched, and the other side of a transfer."""
        if not isinstance(outcome, Matched):
            if outcome is not None and outcome.may_be_there:
                self._bodies.keep(one.tag)
            return None, None
        if outcome.twin:
            self._twins.add(outcome.twin)
        return outcome, twin_of(outcome, self._chart)

    def _entries(self, one: Named) -> Iterator[dict[str, object]]:
        """Yield the rows of the document that a line would become."""
        outcome = self._outcome(one)
        found, twin = self._found(one, outcome)
        body = None if found and found.side else self._posting.body_of(one, found, twin)
        return entries(one, body, reason_of(outcome), self._chart)


def _row(one: Named, statement: Proven, status: str, document: int | None, reason: str | None = None) -> Reply:
    line = one.line
    row = {
        "file": statement.file,
        "line": line.number,
        "identity": one.tag or None,
        "date": line.booked,
        "amount": line.amount,
        "name": line.name or line.text or line.code,
        "status": status,
        "document": document,
        "reason": reason,
    }
    return Reply(200, {}, encode_plain(row))
