"""Opening balances from the trial balance of another system (docs/moving.md 3).

It is read and proved, agreed to, and set account by account. Each account keeps its own, so that what an earlier run
set is told from what is lacking: the same command goes on. In the end the service's own ledger is asked what it opens
with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from acctcli.cli.account.balances import ledger_of
from acctcli.cli.account.chart import Account, Chart, read_chart
from acctcli.cli.command.many import Step, send_all
from acctcli.cli.command.tables import AnyTable, Row
from acctcli.cli.document.closed import Period, read_period
from acctcli.cli.output.replies import read_all
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many, how_many_are, tell
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent, Reply, encode_plain
from acctcli.errors import Incomplete, UsageError

USES = ("number", "name", "debit", "credit", "balance")
_WORDS = {
    "number": (
        "account number", "account no", "account no.", "account", "number", "no", "no.", "code",
        "tilinumero", "tilin numero", "tilinro", "tili", "numero", "nro",
        "kontonummer", "kontonr", "kontonr.", "konto-nr.", "konto", "nummer", "nr", "nr.",
    ),
    "name": (
        "account name", "name", "description", "tilin nimi", "nimi", "selite", "kontonamn", "benämning", "namn",
        "kontobezeichnung", "kontoname", "bezeichnung", "beschriftung",
    ),
    "debit": ("debit", "debet", "soll"),
    "credit": ("credit", "kredit", "haben"),
    "balance": (
        "closing balance", "closing", "balance", "loppusaldo", "utgående saldo", "utgående balans", "endsaldo",
        "schlusssaldo", "saldo", "kontostand",
    ),
}  # fmt: skip
_MAPPED = {"old": ("old",), "new": ("new",)}
_HELD = ("ASS", "LIA")
_ZERO = Decimal("0.00")
_EVERY = Extent(limit=None)
_SET, _THERE, _PLANNED = "set", "already there", "to be set"


class Line(NamedTuple):
    """An account of the trial balance; `balance` is debit less credit."""

    place: str
    number: str
    name: str
    balance: Decimal


class Opened(NamedTuple):
    """An account, and what it opens with, debit less credit: now, and as the trial balance says."""

    account: Account
    before: Decimal
    after: Decimal

    def row(self, status: str) -> dict[str, Any]:
        """Return what is shown of it."""
        sides = {"debit": max(self.after, _ZERO), "credit": max(-self.after, _ZERO)}
        return {"number": self.account.number, "name": self.account.name, **sides, "status": status}


class _Sides(NamedTuple):
    """What balances come to on each side."""

    debit: Decimal
    credit: Decimal

    @classmethod
    def of(cls, balances: Iterable[Decimal]) -> _Sides:
        """Add up balances, debit less credit."""
        every = list(balances)
        return cls(*(sum((max(sign * one, _ZERO) for one in every), _ZERO) for sign in (1, -1)))

    def __str__(self) -> str:
        return f"debit {self.debit}, credit {self.credit}"


class Asked(NamedTuple):
    """What the command line says: the file, numbers for others, headings of columns, and where the result goes."""

    source: str
    mapping: str | None
    columns: Sequence[str]
    result: str | None
    replaces: bool


def import_opening(here: State, asked: Asked, columns: Sequence[str]) -> None:
    """Set the opening balances that a file says, and show each; raise UsageError, before anything is sent."""
    chart = read_chart(here)
    lines = _mapped(read_trial_balance(asked.source, asked.columns), asked.mapping)
    balances = _balances(here, chart, _whole(chart, lines), asked)
    opened = list(_opened(chart, balances))
    changed = [one for one in opened if one.before != one.after]
    first = _first_day(here, changed)
    _check_replaced(changed, is_meant=asked.replaces)
    sums = _Sides.of(one.after for one in opened)
    if here.options.dry_run:
        show_values(here, [one.row(_PLANNED if one in changed else _THERE) for one in opened], columns)
        here.say(f"{how_many(len(changed), 'account')} would open {first} with another balance: {sums}")
        return
    if changed and not here.options.yes:
        _agree(here, changed, first, sums)
    steps = [Step(partial(_settle, here, one), f"account {one.account.number}") for one in opened]
    send_all(here, steps, None, columns, lambda number: f"{how_many_are(number, 'account')} set; the command goes on")
    _prove(here, first, balances, sums)


# --- what the file says ---


def read_trial_balance(source: str, columns: Sequence[str]) -> list[Line]:
    """Read the accounts of a trial balance; raise UsageError where it does not balance, or cannot be read."""
    chosen = _chosen(columns)
    unsaid = {"debit", "credit"} if "balance" in chosen else {"balance"} if {"debit", "credit"} & chosen.keys() else ()
    words = {use: known for use, known in _WORDS.items() if use in chosen or use not in unsaid}
    rows = AnyTable(source, "").rows(words, ["number"], chosen)
    lines, sides, left = list[Line](), list[_Sides](), list[tuple[int, Row]]()
    for row in rows:
        # titles of groups, and their sums
        if not any(map(str.isdigit, row.cells["number"])):
            left += [(len(lines), row)] if any(row.cells.values()) else []
            continue
        lines.append(Line(row.place, row.cells["number"], row.cells.get("name", ""), _balance(row)))
        sides.append(_sides(row))
    for place, row in left:
        _check_sum(row, sides[:place][::-1], sides[place:])
    if left:
        tell(f"left out, as no account number stands there: {', '.join(row.place for _, row in left)}")
    twice = {line.number for line in lines if sum(line.number == one.number for one in lines) > 1}
    if twice:
        raise UsageError(f"{source}: accounts stand there more than once: {', '.join(sorted(twice))}")
    if rest := sum((line.balance for line in lines), _ZERO):
        raise UsageError(
            f"{source}: debit and credit differ by {rest}: it does not balance",
            hint="a column of balances has credit below zero; take a whole trial balance, with equity and result",
        )
    return lines


def _chosen(columns: Sequence[str]) -> dict[str, str]:
    chosen = {}
    for written in columns:
        use, equals, heading = written.partition("=")
        if not equals or use not in USES:
            raise UsageError(f"--column {written!r}: write {', '.join(USES)} before `=` and the heading")
        chosen[use] = heading
    return chosen


def _balance(row: Row) -> Decimal:
    """Return debit less credit of a row; raise UsageError where its columns contradict each other."""
    sides = row.amount("debit") - row.amount("credit")
    if "balance" not in row.cells:
        if not {"debit", "credit"} <= row.cells.keys():
            raise UsageError(f"{row.place}: there are no columns for debit and credit, nor one for a balance",
                             hint="name them, such as --column balance=Saldo")  # fmt: skip
        return sides
    balance = row.amount("balance")
    if {"debit", "credit"} <= row.cells.keys() and balance != sides:
        raise UsageError(
            f"{row.place}: the balance is {balance}, and debit less credit {sides}",
            hint="say what counts: --column balance=HEADING, or --column debit=HEADING --column credit=HEADING",
        )
    return balance


def _sides(row: Row) -> _Sides:
    """Return what a row says of both sides; a balance stands on the side of its sign."""
    if {"debit", "credit"} & row.cells.keys():
        return _Sides(row.amount("debit"), row.amount("credit"))
    return _Sides.of([row.amount("balance")])


def _check_sum(row: Row, above: Sequence[_Sides], below: Sequence[_Sides]) -> None:
    """Raise UsageError for an amount without an account number that is no sum of the accounts next to it.

    It is on either side what they come to, or as a balance what both sides differ by.
    """
    try:
        said = _sides(row)
    except UsageError:  # headings that are repeated
        return
    if not any(said):
        return
    for some in (above, below):
        debit = credit = _ZERO
        for one in some:
            debit, credit = debit + one.debit, credit + one.credit
            if said == (debit, credit) or (not all(said) and sum(said) == abs(debit - credit)):
                return
    raise UsageError(
        f"{row.place}: it has no account number, and its amount is no sum of the accounts above or below it",
        hint="give it the number of its account, or take a wrong sum out of the file",
    )


def _mapped(lines: Iterable[Line], mapping: str | None) -> list[Line]:
    """Return the lines under the numbers that the map gives for theirs."""
    numbers: dict[str, str] = {}
    for row in AnyTable(mapping, "--map").rows(_MAPPED, ["old", "new"], {}) if mapping else ():
        old, new = row.cells["old"], row.cells["new"]
        if numbers.setdefault(old, new) != new:
            raise UsageError(f"{row.place}: {old} is {numbers[old]} and {new}")
    return [line._replace(number=numbers.get(line.number, line.number)) for line in lines]


# --- what that means for the chart ---


def _whole(chart: Chart, lines: Sequence[Line]) -> list[Line]:
    """Return the lines under whole numbers."""
    numbers = chart.whole_numbers([one.number for one in lines])
    return [one._replace(number=number) for one, number in zip(lines, numbers, strict=True)]


def _balances(here: State, chart: Chart, lines: Sequence[Line], asked: Asked) -> dict[str, Decimal]:
    """Return what each account opens with, by number; raise UsageError naming all accounts that cannot."""
    found: dict[str, Decimal] = defaultdict(lambda: _ZERO)
    result = chart.find(asked.result, "--result") if asked.result else None
    if result is not None and not result.type.startswith(_HELD):
        raise UsageError(f"--result: {result} is no account of the balance sheet")
    lacking, of_result = list[Line](), list[Line]()
    for line in (one for one in lines if one.balance):
        account = chart.numbered(line.number)
        if account is None:
            lacking.append(line)
        elif account.type.startswith(_HELD):
            found[line.number] += line.balance
        elif result is not None:
            found[result.number] += line.balance
        else:
            of_result.append(line)
    if lacking:
        raise UsageError(
            f"the chart of {here.business()} lacks {how_many(len(lacking), 'account')}: {_named(lacking)}",
            hint="add them with account create --file, or give other numbers with --map",
        )
    if of_result:
        total = sum((one.balance for one in of_result), _ZERO)
        raise UsageError(
            f"accounts of revenue and expenses open with nothing: {_named(of_result)}",
            hint=f"close the year first, or say where their {-total} go: --result with an account of equity",
        )
    return {number: balance for number, balance in found.items() if balance}


def _named(lines: Iterable[Line]) -> str:
    return ", ".join(" ".join(filter(None, (line.number, line.name))) for line in lines)


def _opened(chart: Chart, balances: Mapping[str, Decimal]) -> Iterator[Opened]:
    """Yield, in the order of the chart, what opens with something, now or then."""
    for account in chart.by_id.values():
        before, after = account.turned(rounded(account.opening_balance)), balances.get(account.number, _ZERO)
        if before or after:
            yield Opened(account, before, after)


def _check_replaced(changed: Iterable[Opened], *, is_meant: bool) -> None:
    """Raise UsageError where accounts open with something else already, unless that is meant."""
    others = [one for one in changed if one.before]
    if others and not is_meant:
        told = ", ".join(f"{one.account.number} with {one.before} instead of {one.after}" for one in others)
        raise UsageError(
            f"accounts open with something else, debit less credit: {told}",
            hint="take the whole trial balance; to put it in the place of what is there give --replace",
        )


def _first_day(here: State, changed: Sequence[Opened]) -> date:
    """Return the first day of the books; raise UsageError where opening balances cannot change any more."""
    periods = sorted(read_all(here.api.periods.list({}, _EVERY), read_period), key=lambda one: one.start_date)
    if not periods:
        raise UsageError("the business has no accounting period", hint="add one: acctcli period create")
    first = periods[0].start_date
    if not changed:
        return first
    for one in periods:
        if one.is_locked:
            _refuse(one, "accounting period", f"acctcli period unlock {one.id}")
    for one in read_all(here.api.vat_periods.list({}, _EVERY), read_period):
        if one.is_locked or one.is_reported:
            _refuse(one, "VAT period", "reopen it, and file it anew afterwards")
    day_before = str(first - timedelta(1))
    if any(here.api.documents.list({"date_to": day_before, "is_draft": False}, Extent(limit=1))):
        raise UsageError(
            f"documents stand before {first}, the first day of the first accounting period: their sums are no part of "
            "an opening balance",
            hint=f"see: acctcli document list --to {day_before}",
        )
    return first


def _refuse(period: Period, noun: str, hint: str) -> None:
    raise UsageError(
        f"the {noun} of {period.start_date} to {period.end_date} is closed, and opening balances stand in its reports",
        hint=hint,
    )


# --- setting it ---


def _agree(here: State, changed: Sequence[Opened], first: date, sums: _Sides) -> None:
    for one in changed:
        tell(f"{one.account}: {one.before} -> {one.after}")
    here.agree(f"set the opening balances of {how_many(len(changed), 'account')} for {first}: {sums}", "them")


def _settle(here: State, one: Opened) -> Reply:
    if one.before == one.after:
        return Reply(HTTPStatus.OK, {}, encode_plain(one.row(_THERE)))
    from acctcli.models.account import AccountRequest
    from acctcli.models.base import partial as partial_of

    body = partial_of(AccountRequest)(opening_balance=one.account.turned(one.after))
    reply = here.api.accounts.update(one.account.id, body)
    return Reply(reply.status, reply.headers, encode_plain(one.row(_SET)))


def _prove(here: State, first: date, balances: Mapping[str, Decimal], sums: _Sides) -> None:
    """Ask the ledger what the accounts open with; raise Incomplete where that is something else than was meant."""
    found = {
        part.account.number: rounded(part.account.opening_balance) for part in ledger_of(here, first) if part.is_first
    }
    differing = [
        f"{number} with {found.get(number, _ZERO)} instead of {balances.get(number, _ZERO)}"
        for number in sorted(found.keys() | balances.keys())
        if found.get(number, _ZERO) != balances.get(number, _ZERO)
    ]
    if differing:
        raise Incomplete(f"the ledger of {first} opens otherwise, debit less credit: {', '.join(differing)}")
    here.say(f"the trial balance: {sums}; the ledger of {first} opens with {_Sides.of(found.values())}")
