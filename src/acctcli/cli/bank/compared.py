"""Statements compared with the books, account by account (docs/bank.md 9)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from acctcli.banking.checks import compact
from acctcli.banking.statements.comparing import Booked, Comparison, Day, Difference, Told
from acctcli.banking.statements.proving import Joint, Proven, joints, order
from acctcli.cli.account.balances import ledger_of
from acctcli.cli.account.chart import Account, find_account
from acctcli.cli.bank.accounts import BankAccounts
from acctcli.cli.bank.doubles import place, told_otherwise
from acctcli.cli.bank.filed import Filed, read_filed, sources_of
from acctcli.cli.bank.named import Named, named_lines
from acctcli.cli.bank.reading import Gathered, read, sources
from acctcli.cli.bank.there import documents_around, moves_of, tags_on
from acctcli.cli.document.entries import units_of
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.errors import Incomplete, UsageError

Days = tuple[date, date]
_NEAR = timedelta(days=31)


class Asked(NamedTuple):
    """What the command line says: the files, if any, how they are read, and the days."""

    files: Sequence[Path]
    account: str | None
    format: str | None
    profile: str | None
    days: Days | None


class Unplaced(NamedTuple):
    """A document that has the tag of a line and does not move its account: a draft, or one that moves others."""

    document: int
    title: str
    is_draft: bool


@dataclass
class Chain:
    """The statements of one account at a bank, in order; without balances there is no opening one.

    Those that begin by the day `until` are proved together: what their lines come to is `total`, in cents, each line
    once, and `closing` what the last of them ends with.
    """

    number: str
    statements: list[Proven]
    until: date
    total: int = 0
    _seen: set[str] = field(default_factory=set)

    @property
    def opening(self) -> int | None:
        """What the first one begins with, in cents."""
        return _cents(self.statements[0].opening)

    @property
    def closing(self) -> int | None:
        """What the last one of them ends with, in cents; None where there is none."""
        # of several that end on one day it is the last in order, and `max` takes the first
        some = [one for one in reversed(self.statements) if self._is_proved(one)]
        return _cents(max(some, key=lambda one: one.last or date.min).closing) if some else None

    @property
    def days(self) -> Days:
        """The first and the last day that they tell of."""
        return (
            min(one.first for one in self.statements if one.first),
            max(one.last for one in self.statements if one.last),
        )

    def tell(self, statement: Proven, tag: str, cents: int) -> None:
        """Take a line, or what is missing before a statement."""
        if self._is_proved(statement) and tag not in self._seen:
            self._seen.add(tag)
            self.total += cents

    def _is_proved(self, statement: Proven) -> bool:
        return statement.first is not None and statement.first <= self.until


@dataclass
class Compared:
    """An account of the chart: the statements of its accounts at banks, and how they compare with the books."""

    account: Account
    chains: list[Chain] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    unproved: list[Proven] = field(default_factory=list)
    # other IBANs of the account that no statement is of
    missing: list[str] = field(default_factory=list)
    unplaced: Mapping[str, Unplaced] = field(default_factory=dict)
    drafts: list[Booked] = field(default_factory=list)
    comparison: Comparison = field(default_factory=Comparison)
    asked: Days | None = None
    # what the books hold before the first of these days, in cents
    books: int = 0

    @property
    def statements(self) -> list[Proven]:
        """All statements that are compared."""
        return [one for chain in self.chains for one in chain.statements]

    @property
    def told(self) -> Days | None:
        """The days that statements of all accounts at banks tell of; None where there is no such day."""
        if not self.chains:
            return None
        first, last = max(one.days[0] for one in self.chains), min(one.days[1] for one in self.chains)
        return (first, last) if first <= last else None

    @property
    def days(self) -> Days | None:
        """The days that are compared: those told, as far as they were asked for."""
        if self.told is None:
            return None
        first, last = self.asked or self.told
        first, last = max(first, self.told[0]), min(last, self.told[1])
        return (first, last) if first <= last else None

    @property
    def opening(self) -> int | None:
        """What the banks hold before the first of these days, in cents; None where no statement tells."""
        opens = [one.opening for one in self.chains]
        if self.days is None or None in opens or self.missing:
            return None
        return sum(one for one in opens if one is not None) + self.comparison.told_before(self.days[0])

    @property
    def telling(self) -> list[Proven]:
        """The statements that tell of the days that are compared, but not those beside them."""
        return [] if self.days is None else [one for one in self.statements if is_of(one, self.days)]

    def by_day(self) -> list[Day]:
        """Return how it stands at the end of each day on which anything moved, and of the first and the last."""
        return [] if self.days is None else list(self.comparison.days(*self.days, self.opening, self.books))

    def differences(self) -> list[Difference]:
        """Return what stands on one side only on these days."""
        return [] if self.days is None else self.comparison.differences(*self.days)


def compare_all(here: State, asked: Asked) -> list[Compared]:
    """Compare statements with the books: those that the command line names, else those that are kept.

    Raise UsageError where there are none, or nobody knows of which account one is; Incomplete where ledger and
    documents contradict, or what is kept is not whole.
    """
    if asked.files:
        gathered = read(here, sources(here, asked.files, asked.format, asked.profile))
        accounts = BankAccounts(here, asked.account)
        return compare(here, gathered, [accounts.of(one) for one in gathered.statements], accounts, asked.days)
    if asked.format or asked.profile:
        raise UsageError("--format and --profile are of files: name these")
    return compare_filed(here, read_filed(here), asked)


def compare_filed(here: State, every: Sequence[Filed], asked: Asked) -> list[Compared]:
    """Compare statements that are kept with the books, of the account that is asked for, or all that banks have."""
    accounts = BankAccounts(here, None)
    wanted = find_account(here, asked.account, "--account") if asked.account else None
    some = [one for one in every if not wanted or wanted.number in one.accounts]
    if not some:
        raise UsageError(
            f"no statement {f'of {wanted} ' if wanted else ''}is kept with the books",
            hint="name files of statements; acctcli bank import keeps those that it imports",
        )
    near = [one for one in some if asked.days is None or _is_near(one, asked.days)]
    gathered = read(here, sources_of(here, near))
    by_name = {one.name: one for one in near}
    found = [_account_of(accounts, by_name[one.file], one) for one in gathered.statements]
    compared = compare(here, gathered, found, accounts, asked.days)
    known = {one.account.number for one in compared}
    expected = [wanted] if wanted else accounts.of_banks
    compared += [Compared(one, asked=asked.days) for one in expected if one.number not in known]
    return sorted((one for one in compared if not wanted or one.account.id == wanted.id), key=_number)


def _number(one: Compared) -> str:
    return one.account.number


def _is_near(one: Filed, days: Days) -> bool:
    """Whether statements tell of some days, or of those beside them: the next one proves that the last is whole."""
    return one.first <= days[1] + _NEAR and one.last >= days[0] - _NEAR


def is_of(statement: Proven, days: Days) -> bool:
    """Whether a statement tells of any of some days."""
    first, last = statement.first, statement.last
    return first is not None and last is not None and first <= days[1] and last >= days[0]


def _account_of(accounts: BankAccounts, kept: Filed, statement: Proven) -> Account:
    """Return the account of a statement that is kept: that of its file, if it is of one, else by its IBAN."""
    known = accounts.numbered(kept.accounts[0]) if len(kept.accounts) == 1 else None
    return known or accounts.of(statement)


def compare(
    here: State, gathered: Gathered, found: Sequence[Account], accounts: BankAccounts, asked: Days | None
) -> list[Compared]:
    """Compare statements, each with its account, with the books on some days, or on all that they tell of."""
    by_account: dict[int, Compared] = {}
    for account in found:
        by_account.setdefault(account.id, Compared(account, asked=asked))
    for one in by_account.values():
        own = [told for told, account in zip(gathered.statements, found, strict=True) if account.id == one.account.id]
        known = accounts.ibans_of(one.account)
        _call_alike(own, known)
        _chain(one, own)
        if one.days is not None:
            one.comparison.look_at(*one.days)
        told = {compact(chain.number) for chain in one.chains}
        # an account with one IBAN is told by any statement of it
        if len(known) > 1:
            one.missing = [iban for iban in known if iban not in told]
    some = sorted(by_account.values(), key=_number)
    _book(here, some, accounts.numbers, gathered.days, asked)
    _tell(some, gathered, found)
    _weigh(here, some)
    return some


def _call_alike(statements: Sequence[Proven], ibans: Sequence[str]) -> None:
    """Name the account at the bank, where there is one alone, in all statements: CSV need not say it, or says it so."""
    numbers = {told.head.account for told in statements if told.head.account}
    only = [*ibans] or [*numbers]
    if len(only) == 1:
        for told in statements:
            told.head = replace(told.head, account=only[0])


def _chain(one: Compared, statements: Sequence[Proven]) -> None:
    """Put statements in order; where some have balances, those without tell nothing besides."""
    by_number: defaultdict[str, list[Proven]] = defaultdict(list)
    for told in statements:
        if told.first and told.last:
            by_number[told.head.account].append(told)
    for number, some in by_number.items():
        proved = [told for told in some if told.is_proved]
        one.unproved += [told for told in some if not told.is_proved]
        until = one.asked[1] if one.asked else date.max
        one.chains.append(Chain(number, sorted(proved or some, key=order), until))
    one.joints = list(joints(statements))
    for joint in one.joints:
        before, after = joint.before.closing, joint.after.opening
        if joint.is_gap and joint.after.first is not None and before is not None and after is not None:
            one.comparison.leave_out(joint.after.first, _cents(after - before) or 0)
            chain = next(chain for chain in one.chains if chain.number == joint.after.head.account)
            chain.tell(joint.after, joint.note, _cents(after - before) or 0)


def _book(
    here: State, some: Sequence[Compared], banks: Mapping[str, int], told: Days | None, asked: Days | None
) -> None:
    """Read what documents move on the accounts, on all days that are told or asked for and on those around them."""
    days = [day for one in (told, asked) if one for day in one]
    days += [day for one in some for chain in one.chains for day in chain.days]
    if not days:
        return
    by_number = {one.account.number: one for one in some}
    unplaced: dict[str, Unplaced] = {}
    for document in documents_around(here, min(days), max(days)):
        moves, tags = moves_of(document, banks), document.tags
        left = set(tags)
        for number, cents in moves.items():
            own = tags_on(document, number, banks, tags, is_transfer=len(moves) > 1)
            # a tuple takes a fifth of a set, and there may be a document for each line
            made = Booked(document.id, document.title, document.date, cents, tuple(own), document.is_taken_back)
            if (one := by_number.get(number)) is None:
                continue
            if document.is_draft:
                one.drafts += [] if tags else [made]
            else:
                one.comparison.book(made)
                left -= own
        for tag in left:
            unplaced[tag] = Unplaced(document.id, document.title, document.is_draft)
    for one in some:
        one.unplaced = unplaced


def _tell(some: Sequence[Compared], gathered: Gathered, accounts: Sequence[Account]) -> None:
    """Compare the lines with what documents move."""
    by_account = {one.account.id: one for one in some}
    chains = {id(told): chain for one in some for chain in one.chains for told in chain.statements}
    overlap = {one.account.id for one in some if any(joint.is_overlap for joint in one.joints)}
    several: defaultdict[int, list[Named]] = defaultdict(list)
    for named in named_lines(gathered, accounts):
        statement, line = gathered.statements[named.statement], named.line
        chain = chains.get(id(statement))
        if chain is None or not named.tag or line.booked is None:
            continue
        if named.account.id in overlap:
            several[named.statement].append(named)
        else:
            _tell_one(by_account[named.account.id], chain, statement, named)
    _tell_each(several, by_account, gathered, chains)


def _tell_each(
    several: Mapping[int, list[Named]],
    by_account: Mapping[int, Compared],
    gathered: Gathered,
    chains: Mapping[int, Chain],
) -> None:
    """Tell what statements that overlap have, first of those that the books know most of.

    What another one tells in another way, as in another format, is told once.
    """

    def unknown(lines: list[Named]) -> int:
        comparison = by_account[lines[0].account.id].comparison
        return sum(not comparison.has(one.tag) for one in lines)

    places = Counter[int]()
    for lines in sorted(several.values(), key=unknown):
        one = by_account[lines[0].account.id]
        statement = gathered.statements[lines[0].statement]
        known = [named for named in lines if one.comparison.is_told(named.tag)]
        new = [named for named in lines if not one.comparison.is_told(named.tag)]
        otherwise = told_otherwise(places.copy(), known, new)
        for named in (named for named in new if named.tag not in otherwise):
            _tell_one(one, chains[id(statement)], statement, named)
            places[place(named)] += 1


def _tell_one(one: Compared, chain: Chain, statement: Proven, named: Named) -> None:
    line = named.line
    assert line.booked is not None
    told = Told(statement.file, line.number, line.name or line.text, named.tag, line.booked, line.cents)
    one.comparison.tell(told)
    chain.tell(statement, named.tag, line.cents)


def _weigh(here: State, some: Sequence[Compared]) -> None:
    """Read what the books hold before the days that are compared, and whether documents account for what follows."""
    ledgers: dict[date, dict[str, tuple[int, int]]] = {}

    def on(day: date, number: str) -> tuple[int, int]:
        if day not in ledgers:
            ledgers[day] = dict(_balances(here, day))
        return ledgers[day].get(number, (0, 0))

    for one in some:
        if one.days is None:
            continue
        first, last = one.days
        one.books, closing = on(first, one.account.number)[0], on(last, one.account.number)[1]
        by_documents = one.books + one.comparison.booked_between(first, last)
        if by_documents != closing:
            raise Incomplete(
                f"account {one.account.number}: at the end of {last} the ledger holds {units_of(closing)}, and its "
                f"documents come to {units_of(by_documents)}",
                hint="run this again when nobody writes, else: acctcli check",
            )


def _balances(here: State, day: date) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what accounts hold before and at the end of a day, in cents."""
    before: dict[str, int] = {}
    for part in ledger_of(here, day):
        number = part.account.number
        if part.is_first:
            before[number] = _cents(rounded(part.account.opening_balance)) or 0
        yield number, (before[number], _cents(rounded(part.sums.balance)) or 0)


def _cents(amount: Decimal | None) -> int | None:
    return None if amount is None else int(amount.scaleb(2))
