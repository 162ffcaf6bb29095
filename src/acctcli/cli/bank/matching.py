"""Matching on the command line: what is open, what is there, and what rules say, for lines that are new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from acctcli.banking.matching.candidates import Candidates, Claim, Kind, OwnAccount
from acctcli.banking.matching.index import Index
from acctcli.banking.matching.outcome import Left, Matched, Outcome
from acctcli.banking.matching.seen import Seen, see
from acctcli.banking.matching.steps import match
from acctcli.cli.account.chart import Chart
from acctcli.cli.bank.named import Named
from acctcli.cli.bank.owed import Owed, aim_of, read_owed, with_references
from acctcli.cli.bank.rulebook import differences_of, path_of, read_book, rules_of
from acctcli.cli.bank.there import There
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import State

Outcomes = Mapping[str, Outcome]


class Known(NamedTuple):
    """What lines are compared with, and who owes what."""

    candidates: Candidates
    owed: Owed


def read_known(here: State, there: There, own: tuple[OwnAccount, ...], chart: Chart, named: Path | None) -> Known:
    """Read all that lines may be; `named` is the file of the rules, if one is named."""
    book, where = read_book(here, named), path_of(here, named)
    owed = read_owed(here, chart, book.tax_reference)
    # what an earlier run has begun to settle is not open for others
    begun = {aim for tag, one in there.begun.items() if there.is_unfinished(tag) for aim in one.aims}
    claims: list[Claim] = [_handed(one, there) for one in owed.claims if aim_of(one) not in begun]
    rules, differences = rules_of(book, chart, where), differences_of(book, chart, where)
    return Known(Candidates(tuple(claims), own, tuple(with_references(here, there.sides)), rules, differences), owed)


def _handed(claim: Claim, there: There) -> Claim:
    """Return a claim with the payment of it that is on its way to the bank."""
    found = there.on_their_way.get(claim.id) if claim.kind is Kind.PURCHASE else None
    return claim if found is None else replace(claim, payment=str(found.id), handed=found.cents)


def outcomes_of(lines: Iterable[Named], candidates: Candidates) -> dict[str, Outcome]:
    """Return what comes of lines by their tags; those that say nothing that is known are not among them.

    Of a large statement only the others are kept in memory.
    """
    index = Index(candidates)
    seen: dict[str, Seen] = {}
    for one in lines:
        if one.tag not in seen and index.knows(found := see(one.line, one.tag, one.account.id)):
            seen[one.tag] = found
    return match(seen.values(), candidates)


def reason_of(outcome: Outcome | None) -> str | None:
    """Return in words why a line is matched, or left though something is known of it."""
    if isinstance(outcome, Matched):
        return f"{outcome.reason}: {outcome.said}"
    if isinstance(outcome, Left) and outcome.is_known:
        near = ", ".join(claim.title for claim in outcome.near)
        return f"{outcome.why} ({near})" if near else outcome.why
    return None


def told(outcomes: Iterable[Outcome | None], number: int) -> str:
    """Return in a sentence how many of a number of lines are matched, and by what."""
    reasons = Counter(str(one.reason) for one in outcomes if isinstance(one, Matched))
    by = ", ".join(f"{count} by {reason}" for reason, count in reasons.most_common())
    rest = f"{number - reasons.total()} left to you"
    return f"{reasons.total()} of {how_many(number, 'line')} matched{f': {by}' if by else ''}; {rest}"
