"""The parts of a check, in their order, and all of them together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from acctcli.cli.bank import reconciling
from acctcli.cli.check import closed, content, looks, posted, recorded, records, stored, totals
from acctcli.cli.check.books import LISTS, Books, check_lists, read_books
from acctcli.cli.check.findings import Checked, Finding, caught, unread
from acctcli.cli.check.looks import is_of_changed, settled
from acctcli.cli.session.state import State
from acctcli.errors import Incomplete, ServerFault


class Part(NamedTuple):
    """A part that looks at the books as they were read: its name, what looks, whether only local has what it takes."""

    name: str
    look: Callable[[State, Books], Iterable[Finding]]
    is_local: bool = False


# what needs no list of the books, and the environment local: these say more where the books cannot be read
FIRST = {
    closed.FINGERPRINTS: closed.check_fingerprints,
    closed.TRAIL: closed.check_trail,
    stored.DATABASE: stored.check_database,
}
PARTS = (
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
    Part(records.PAYABLES, records.check_payables),
    Part(records.UNCLAIMED, records.check_unclaimed),
    Part(reconciling.BANK, reconciling.check_bank),
)

VERIFY = "acctcli audit verify"
BEFORE = "accounts and periods came with the business before this was recorded: each is compared from its first change"


def look_through(here: State, leaving_out: Collection[str] = ()) -> Checked:
    """Look at every part that the service has what it takes for, but those of the first to be left out."""
    is_local = here.is_local_service
    findings: list[Finding] = []
    first = [name for name in FIRST if is_local and name not in leaving_out]
    for name in first:
        is_passing = attrgetter("is_fault") if name == closed.FINGERPRINTS else is_of_changed
        findings += looked(here, name, partial(FIRST[name], here), is_passing)
    names = [*(name for name in FIRST if name not in first), *(part.name for part in PARTS)]
    checked = Checked(first, names, "the books cannot be read", findings)
    try:
        books = settled(here, partial(read_books, here), lambda read: read.contradictions)
    except ServerFault as problem:
        findings.append(unread(problem, LISTS, "all", VERIFY))
        return checked
    except Incomplete as problem:
        return checked._replace(ended=problem)
    wanted = [part for part in PARTS if is_local or not part.is_local]
    for part in wanted:
        findings += looked(here, part.name, partial(part.look, here, books))
    if not books.has_beginning:
        here.say(BEFORE)
    looked_at = {part.name for part in wanted}
    left_out = [name for name in names if name not in looked_at]
    why = f"the interface of {here.environment.name} has no such operation"
    return Checked(checked.parts + [part.name for part in wanted], left_out, why, findings)


def looked(
    here: State,
    name: str,
    look: Callable[[], Iterable[Finding]],
    is_passing: Callable[[Finding], bool] = is_of_changed,
) -> list[Finding]:
    """Return what a part finds; what was found before a contradiction stays.

    `is_passing`: whether a finding may come of what others write meanwhile.
    """

    def found() -> list[Finding]:
        findings: list[Finding] = []
        with caught(findings, name, "all", VERIFY):
            for finding in look():
                findings.append(finding)
        return findings

    return settled(here, found, lambda found: found, is_passing)
