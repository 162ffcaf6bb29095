"""The parts of a check, in their order, and all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from acctcli.cli.check import closed, content, looks, posted, recorded, records, totals
from acctcli.cli.check.books import LISTS, Books, check_lists, read_books
from acctcli.cli.check.findings import Finding, caught
from acctcli.cli.check.looks import is_of_changed, settled
from acctcli.cli.session.state import State
from acctcli.settings import LOCAL


class Part(NamedTuple):
    """A part: its name, what looks for it, and whether only the environment local has what it asks for.

    `is_passing`: whether a finding may come of what others write meanwhile.
    """

    name: str
    look: Callable[[State, Books], Iterable[Finding]]
    is_local: bool = False
    is_passing: Callable[[Finding], bool] = is_of_changed


PARTS = (
    Part(closed.FINGERPRINTS, closed.check_fingerprints, is_local=True, is_passing=attrgetter("is_fault")),
    Part(closed.TRAIL, closed.check_trail, is_local=True),
    Part(recorded.RECORDS, recorded.check_recorded, is_local=True),
    Part(content.FILES, content.check_files, is_local=True),
    Part(LISTS, check_lists),
    Part(looks.TOTALS, totals.check_totals),
    Part(posted.ENTRIES, totals.check_entries, is_local=True),
    Part(records.NUMBERS, records.check_numbers),
    Part(records.DRAFTS, records.check_drafts),
    Part(records.DAYS, records.check_days),
    Part(records.RECEIPTS, records.check_receipts),
    Part(records.CLEARING, records.check_clearing),
    Part(records.RECEIVABLES, records.check_receivables),
    Part(records.UNCLAIMED, records.check_unclaimed),
)

BEFORE = "accounts and periods came with the business before this was recorded: each is compared from its first change"


class Checked(NamedTuple):
    """What came of a check: the parts that were looked at, those left out and why, and what was found."""

    parts: list[str]
    left_out: list[str]
    why: str
    findings: list[Finding]


def look_through(here: State) -> Checked:
    """Look at every part that the service has what it takes for."""
    is_local = here.environment.name == LOCAL
    books = settled(here, partial(read_books, here), lambda read: read.contradictions)
    wanted = [part for part in PARTS if is_local or not part.is_local]
    findings: list[Finding] = []
    for part in wanted:
        found: list[Finding] = settled(here, partial(_look, here, books, part), lambda found: found, part.is_passing)
        findings += found
    if not books.has_beginning:
        here.say(BEFORE)
    left_out = [part.name for part in PARTS if part not in wanted]
    why = f"the interface of {here.environment.name} has no such operation"
    return Checked([part.name for part in wanted], left_out, why, findings)


def _look(here: State, books: Books, part: Part) -> list[Finding]:
    """Return what a part finds; what was found before a contradiction stays."""
    findings: list[Finding] = []
    with caught(findings, part.name, "all", "acctcli audit verify"):
        for finding in part.look(here, books):
            findings.append(finding)
    return findings
