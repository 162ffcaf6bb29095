"""Matching on the command line: what is open, what is there, and what rules say, for lines that are new."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

from acctcli.banking.matching.candidates import Candidates, Claim, Kind
from acctcli.banking.matching.index import Index
from acctcli.banking.matching.outcome import Left, Matched, Outcome, Reason
from acctcli.banking.matching.posted import AWAY
from acctcli.banking.matching.seen import Seen, see
from acctcli.banking.matching.steps import by_rules, match
from acctcli.banking.payments.identity import PREFIX
from acctcli.cli.account.chart import Chart
from acctcli.cli.bank.accounts import BankAccounts
from acctcli.cli.bank.named import Named
from acctcli.cli.bank.owed import Owed, aims_of, read_owed, with_references
from acctcli.cli.bank.rulebook import differences_of, path_of, read_book, rules_of
from acctcli.cli.bank.there import There
from acctcli.cli.business.home import Home
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.stderr import how_many
from acctcli.cli.purchase.handed import read_handed
from acctcli.cli.session.state import State


class Known(NamedTuple):
    """What lines are compared with, and who owes what."""

    candidates: Candidates
    owed: Owed


def read_known(here: State, there: There, accounts: BankAccounts, chart: Chart, named: Path | None) -> Known:
    """Read all that lines may be; `named` is the file of the rules, if one is named."""
    book, where = read_book(here, named), path_of(here, named)
    # those of days that are not near, too: what was handed over may have been paid long before
    there.hand_over(read_handed(here, {"is_draft": True, "search": PREFIX}).values())
    owed = read_owed(here, chart, book.tax_reference)
    # what an earlier run has begun to settle is not open for others
    begun = {aim for tag, one in there.begun.items() if there.is_unfinished(tag) for aim in one.aims}
    claims: list[Claim] = [_handed(one, there) for one in owed.claims if not begun.intersection(aims_of([one]))]
    rules, differences = rules_of(here, book, chart, where), differences_of(book, chart, where)
    sides = tuple(with_references(here, there.sides))
    room = _room(here, chart) if accounts.transit is None and len(accounts.own) > 1 else ""
    own, transit = accounts.own, accounts.transit
    return Known(Candidates(tuple(claims), own, sides, rules, differences, transit, room, there.alone), owed)


def _room(here: State, chart: Chart) -> str:
    """Return the number that an account of money in transit may be added under."""
    follows = decoded(here.api.businesses.get(here.business()), Home).chart(chart.types)
    return follows.money_in_transit if follows else "NUMBER"


def _handed(claim: Claim, there: There) -> Claim:
    """Return a claim with the payment of it that is on its way to the bank."""
    found = there.on_their_way.get(claim.id) if claim.kind is Kind.PURCHASE else None
    return claim if found is None else replace(claim, payment=str(found.id), handed=found.cents)


class Outcomes:
    """What comes of lines: of those that anything is known of, all together; of those that rules alone know, by itself.

    Of a large statement only the former are kept in memory. `is_known` says whether anything is known of any line,
    `is_any` whether any is matched. Rules book nothing that another line moves to the account, which may be its other
    side: of two that rules book against each other's account both are left.
    """

    def __init__(self, lines: Iterable[Named], candidates: Candidates) -> None:
        self._index, self._accounts = Index(candidates), candidates.differences
        self._own = {one.id for one in candidates.own}
        # what lines move on other own accounts, by these and the cents: their tags and days
        self._moved: defaultdict[tuple[int, int], list[tuple[str, date]]] = defaultdict(list)
        self.is_known = self.is_any = False
        seen: dict[str, Seen] = {}
        for one in lines:
            found = see(one.line, one.tag, one.account.id)
            booked = self._by_rules(found)
            if self._index.knows(found) or (found.is_reversal and booked is not None):
                seen.setdefault(one.tag, found)
            else:
                self._note(found, booked)
        self._found = match(seen.values(), candidates)
        for key, outcome in self._found.items():
            self._note(seen[key], outcome)

    def of(self, one: Named) -> Outcome | None:
        """Return what comes of a line; None where nothing is known of it."""
        found = self.kept(one)
        if found is None and one.tag:
            found = self._by_rules(see(one.line, one.tag, one.account.id))
        is_certain = isinstance(found, Matched) and found.reason is not Reason.RULE
        other = "" if is_certain else self._mover(one)
        if not other:
            return found
        if isinstance(found, Left) and found.is_known:
            return found._replace(may_be_there=True)
        return Left(f"{other} moves its amount here, too, and nothing tells whether it is this", may_be_there=True)

    def kept(self, one: Named) -> Outcome | None:
        """Return what comes of a line of which more is known than rules say."""
        return self._found.get(one.tag)

    def _note(self, seen: Seen, outcome: Outcome | None) -> None:
        self.is_known = self.is_known or outcome is not None
        if not isinstance(outcome, Matched):
            return
        self.is_any = True
        for row in outcome.rows if not outcome.twin else ():
            if row.account in self._own and row.account != seen.account:
                self._moved[row.account, row.cents].append((seen.key, seen.day))

    def _mover(self, one: Named) -> str:
        """Return the tag of a line of another account that moves the amount of this one on near days, or nothing."""
        day, moved = one.line.booked, self._moved.get((one.account.id, one.line.cents), ())
        return next((tag for tag, other in moved if day is not None and abs(other - day) <= AWAY), "")

    def _by_rules(self, seen: Seen) -> Outcome | None:
        return by_rules(seen, self._index.rules_for(seen), self._accounts)


def outcomes_of(lines: Iterable[Named], candidates: Candidates) -> dict[str, Outcome]:
    """Return what comes of lines by their tags; those of which nothing is known are not among them."""
    every = list(lines)
    found = Outcomes(every, candidates)
    return {one.tag: outcome for one in every if (outcome := found.of(one)) is not None}


def reasons_in(outcomes: Iterable[Outcome | None]) -> Counter[str]:
    """Count why lines are matched."""
    return Counter(str(one.reason) for one in outcomes if isinstance(one, Matched))


def reason_of(outcome: Outcome | None) -> str | None:
    """Return in words why a line is matched, or left though something is known of it."""
    if isinstance(outcome, Matched):
        return f"{outcome.reason}: {outcome.said}"
    if isinstance(outcome, Left) and outcome.is_known:
        near = ", ".join(claim.title for claim in outcome.near)
        return f"{outcome.why} ({near})" if near else outcome.why
    return None


def told(reasons: Counter[str], number: int) -> str:
    """Return in a sentence how many of a number of lines are matched, and by what."""
    by = ", ".join(f"{count} by {reason}" for reason, count in reasons.most_common())
    left = number - reasons.total()
    rest = f"{left} left to you: acctcli bank review" if left else "0 left to you"
    return f"{reasons.total()} of {how_many(number, 'line')} matched{f': {by}' if by else ''}; {rest}"
