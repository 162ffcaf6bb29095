"""Match lines that are drafts: with what became open since, or with rules that are new (docs/bank.md 8)."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from acctcli.banking.matching.outcome import Matched, Outcome
from acctcli.cli.account.chart import Chart, read_chart
from acctcli.cli.bank.accounts import BankAccounts
from acctcli.cli.bank.bodies import Bodies, twin_of
from acctcli.cli.bank.drafts import Waiting, read_waiting
from acctcli.cli.bank.matching import outcomes_of, read_known, reason_of, reasons_in, told
from acctcli.cli.bank.named import Named, named_lines
from acctcli.cli.bank.options import ENTRIES
from acctcli.cli.bank.posting import Posting
from acctcli.cli.bank.reading import gather
from acctcli.cli.bank.there import read_there
from acctcli.cli.bank.told import entries, tell_entries
from acctcli.cli.command.many import Step, send_all
from acctcli.cli.command.once import books_of
from acctcli.cli.output.progress import counted
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many, how_many_are
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply, encode_plain
from acctcli.errors import Conflict

MATCHED, LEFT = "matched", "left"
# what a run that was cut off may have left lies behind no draft any more
_BACK = timedelta(days=92)


class Asked(NamedTuple):
    """What the command line says: the files that tell more of lines than drafts do, and how they are read."""

    files: Sequence[Path]
    account: str | None
    format: str | None
    profile: str | None
    rules: Path | None


def match_all(here: State, asked: Asked, columns: Sequence[str]) -> None:
    """Match the drafts of lines, and show what came of each; raise UsageError where nobody agreed to that."""
    desk = Desk(here, asked)
    found = desk.outcomes()
    matched = [one for one in desk.waiting if isinstance(found.get(one.named.tag), Matched)]
    if here.options.dry_run and here.format == "table":
        show_values(here, desk.entries(matched, found), ENTRIES)
        here.say(told(reasons_in(found.values()), len(desk.waiting)))
        return
    if matched and here.asks:
        tell_entries(list(desk.entries(matched, found)))
    if matched:
        here.agree(f"post {how_many(len(matched), 'draft')} as what they are", "the entries")
    _send(here, desk, found, columns)


class Desk:
    """Drafts of lines, what is known that they may be, and who posts them.

    Where it `writes`, what an earlier run began is ended first.
    """

    def __init__(self, here: State, asked: Asked, *, writes: bool = True) -> None:
        self._here = here
        self.chart: Chart = read_chart(here)
        self.accounts = BankAccounts(here, asked.account)
        self.bodies = Bodies(here, None, self.chart)
        self._asked = asked
        self.base = here.options.idempotency_key or str(uuid.uuid5(uuid.NAMESPACE_OID, books_of(here)))
        self._look()
        writes = writes and not here.options.dry_run
        if writes and (here.options.yes or sys.stdin.isatty()):
            self.posting.finish()
            self._look()
        self.known = read_known(here, self._there, self.accounts, self.chart, asked.rules)
        if writes:
            self.posting.say_paid(self.known.owed)
        self.posting.payments.look(self.known.owed, self._there)
        self.bodies.contacts = self.known.owed.contacts

    def outcomes(self) -> dict[str, Outcome]:
        """Return what comes of the lines, by their tags."""
        return outcomes_of((one.named for one in self.waiting), self.known.candidates)

    def entries(self, some: Sequence[Waiting], found: dict[str, Outcome]) -> Iterator[dict[str, object]]:
        """Yield the rows of the documents that drafts would become; of a transfer once."""
        seen = set[str]()
        for one in some:
            outcome = found[one.named.tag]
            assert isinstance(outcome, Matched)
            if outcome.twin in seen:
                continue
            seen.add(one.named.tag)
            twin = twin_of(outcome, self.chart)
            body = None if outcome.side else self.posting.body_of(one.named, outcome, twin)
            yield from entries(one.named, body, reason_of(outcome), self.chart)

    def is_waiting(self, tag: str) -> bool:
        """Whether the draft of a line is still there."""
        return tag in self._there.drafts

    def document_of(self, tag: str) -> int:
        """Return the document of a line."""
        return self._there.documents[tag]

    def check_payments(self) -> None:
        """Raise Incomplete where somebody else paid at the same moment."""
        self.posting.payments.check(one.named for one in self.waiting)

    def _look(self) -> None:
        """Read the drafts, and the documents of their days; files tell what their lines said in full."""
        here, today = self._here, self._here.today()
        drafts = list(read_waiting(here, self.chart))
        days = [today, *(one.named.line.booked for one in drafts if one.named.line.booked)]
        self._there = read_there(here, min([*days, today - _BACK]), max(days), self.accounts.numbers)
        self.posting = Posting(here, self.bodies, self._there, self.base)
        if self._asked.files:
            whole = {one.tag: one for one in self._lines()}
            drafts = [one._replace(named=whole[one.named.tag]) for one in drafts if one.named.tag in whole]
        begun = [one for one in drafts if not self._there.is_unfinished(one.named.tag)]
        self.waiting = sorted(begun, key=lambda one: (one.named.line.booked or date.min, one.document))

    def _lines(self) -> Iterator[Named]:
        gathered = gather(self._here, self._asked.files, self._asked.format, self._asked.profile)
        found = [self.accounts.of(statement) for statement in gathered.statements]
        return named_lines(gathered, found)


def _send(here: State, desk: Desk, found: dict[str, Outcome], columns: Sequence[str]) -> None:
    is_planned = here.options.dry_run
    steps = (
        Step(partial(_settle, desk, one, found.get(one.named.tag)), f"document {one.document}")
        for one in desk.waiting
        if not is_planned or isinstance(found.get(one.named.tag), Matched)
    )
    send_all(
        here,
        steps,
        desk.base,
        columns,
        lambda number: f"{how_many_are(number, 'draft')} done",
        lambda pages: counted(here, pages, len(desk.waiting)),
    )
    if not is_planned:
        here.say(told(reasons_in(found.values()), len(desk.waiting)))
        desk.check_payments()


def _settle(desk: Desk, one: Waiting, outcome: Outcome | None) -> Reply:
    """Return what came of a draft, as a row."""
    tag = one.named.tag
    if not isinstance(outcome, Matched):
        return row_of(one, LEFT, one.document, reason_of(outcome))
    if not desk.is_waiting(tag):
        # its other side has posted the transfer
        return row_of(one, MATCHED, desk.document_of(tag), reason_of(outcome))
    try:
        came = desk.posting.treat(one.named, one.document, outcome, twin_of(outcome, desk.chart))
    except Conflict as refused:
        if refused.status != HTTPStatus.LOCKED:
            raise
        return row_of(one, LEFT, one.document, refused.message)
    status = LEFT if came.is_left_out or came.why else MATCHED
    return row_of(one, status, came.document, came.why or reason_of(outcome))


def row_of(one: Waiting, status: str, document: int, reason: str | None) -> Reply:
    """Return what came of a draft, as a row."""
    line = one.named.line
    row = {
        "document": document,
        "identity": one.named.tag,
        "date": line.booked,
        "amount": line.amount,
        "text": line.name or line.text,
        "status": status,
        "reason": reason,
    }
    return Reply(200, {}, encode_plain(row))
