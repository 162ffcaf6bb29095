"""Balance sheet and income statement as a country's law lays them out, from the service's statement with its accounts.

See docs/law.md 9. What has no place there is named, and shown last; nothing falls under another line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property, partial
from typing import Any, NamedTuple

import msgspec

from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report.amounts import CENT
from acctcli.cli.report.checks import CHANGE, CHANGE_PERCENT, Parts
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import AccountValues, Statement, StatementRow
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean
from acctcli.cli.report.statements import added, comparable, flat_rows, place_of_percent
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.law.statements import DEFICIT, NO_SIGN, Line, Scheme, Sign

UNPLACED = "Without a place"
# what no account holds, by the names of the contract's rows (docs/interface.md 10.2)
_COMPUTED = {"Profit of previous periods": "carried", "Profit of the period": "profit"}
_TOTALS = ("Total assets", "Total equity and liabilities")
_HUNDRED, _NOTHING = Decimal(100), Decimal("0.00")
# of the longest account number
_DIGITS = 7
Values = list[Decimal]


class _Name(msgspec.Struct):
    value: str


class _Account(msgspec.Struct):
    number: str
    type: str
    header_id: int | None = None


class _Header(msgspec.Struct):
    id: int
    name: str
    name_translations: list[_Name] | None = None
    parent_ids: list[int] | None = None


class Place(NamedTuple):
    """What decides where an account stands: its type, and its headers by all their names, the nearest first."""

    type: str
    headers: Sequence[str] = ()


class Row(NamedTuple):
    """A line as it is shown: what stands before it, the accounts behind it; `is_head` for one whose total follows."""

    name: str
    level: int
    is_sum: bool
    values: Values
    accounts: Sequence[AccountValues] = ()
    is_head: bool = False
    sign: Sign = NO_SIGN
    is_memo: bool = False

    @property
    def title(self) -> str:
        """Its number and its name."""
        return f"{self.sign.own} {self.name}".strip()


class Arranged(NamedTuple):
    """A statement by the lines of a law, and what has no place in it."""

    labels: list[str]
    rows: list[Row]
    unplaced: list[str]


def read_places(here: State) -> dict[str, Place]:
    """Read from the chart, by account number, what decides where accounts stand."""
    accounts = list(read_all(here.api.accounts.list({}, Extent(limit=None)), reader(_Account, "an account")))
    found: dict[int, _Header] = {}
    if any(account.header_id for account in accounts):
        listed = read_all(here.api.headers.list({}, Extent(limit=None)), reader(_Header, "a header"))
        found = {header.id: header for header in listed}
    return {account.number: Place(account.type, list(_names(account.header_id, found))) for account in accounts}


def _names(header_id: int | None, headers: Mapping[int, _Header]) -> Iterator[str]:
    header = headers.get(header_id or 0)
    if header is not None:
        for one in (header_id, *reversed(header.parent_ids or ())):
            if named := headers.get(one or 0):
                yield named.name
                yield from (name.value for name in named.name_translations or ())


def arrange(scheme: Scheme, statement: Statement, places: Mapping[str, Place], words: Labels) -> Arranged:
    """Put the accounts of a statement on the lines of a scheme, named in the language of the words."""
    placed: list[list[AccountValues]] = [[] for _ in scheme.lines]
    nowhere: list[AccountValues] = []
    for account, position in _located(scheme, statement, places):
        (nowhere if position is None else placed[position]).append(account)
    _turn_overdrafts(scheme, placed, places)
    _balance_deficit(scheme, placed)
    rows = list(_Arranging(scheme, placed, nowhere, places, words, len(statement.labels)).rows())
    unplaced = [f"{one.number} {words.account(one.number, one.name)}".strip() for one in nowhere]
    return Arranged(statement.labels, rows, unplaced)


def _located(
    scheme: Scheme, statement: Statement, places: Mapping[str, Place]
) -> Iterator[tuple[AccountValues, int | None]]:
    """Yield every account, and what a row holds besides its accounts as one without a number, with its line."""
    computed = {name: position for position, line in enumerate(scheme.lines) for name in line.computed}
    for row in statement.rows:
        rest = row.values
        for account in row.accounts or ():
            rest = [one - other for one, other in zip(rest, account.values, strict=True)]
            place = places.get(account.number, Place(""))
            yield account, scheme.place(account.number, place.type, place.headers)
        if any(rest) and not row.is_sum_row:
            yield AccountValues("", row.name, rest), computed.get(_COMPUTED.get(row.name, ""))


def _turn_overdrafts(scheme: Scheme, placed: Sequence[list[AccountValues]], places: Mapping[str, Place]) -> None:
    """Show what an account is below nothing on the other side, where a law wants that."""
    for accounts in placed:
        for one in [one for one in accounts if one.number in places and min(one.values) < 0]:
            other = scheme.place_below(one.number, places[one.number].type)
            if other is not None:
                accounts.remove(one)
                above = [max(value, _NOTHING) for value in one.values]
                if any(above):
                    accounts.append(AccountValues(one.number, one.name, above))
                placed[other].append(
                    AccountValues(one.number, one.name, [max(-value, _NOTHING) for value in one.values])
                )


def _balance_deficit(scheme: Scheme, placed: Sequence[list[AccountValues]]) -> None:
    """Show equity below nothing as nothing, and what it is below as a line of both sides, where a law wants that."""
    places = [position for position, line in enumerate(scheme.lines) if DEFICIT in line.computed]
    if not places:
        return
    *_, equity = (position for position in range(places[-1]) if scheme.lines[position].level == 1)
    held = [account.values for position in range(equity, places[-1]) for account in placed[position]]
    short = [max(_NOTHING, -sum(values)) for values in zip(*held, strict=True)]
    if any(short):
        for position in places:
            placed[position].append(AccountValues("", scheme.lines[position].term.en, short))


def _added(first: Values, second: Values) -> Values:
    return [one + other for one, other in zip(first, second, strict=True)]


class _Arranging:
    """The lines of a scheme with their figures: `placed` are the accounts of each line itself."""

    def __init__(
        self,
        scheme: Scheme,
        placed: Sequence[Sequence[AccountValues]],
        nowhere: Sequence[AccountValues],
        places: Mapping[str, Place],
        words: Labels,
        width: int,
    ) -> None:
        self._nothing = [Decimal("0.00")] * width
        self._scheme = scheme
        self._own = [self._sum(accounts) for accounts in placed]
        self._placed = placed
        self._nowhere = nowhere
        self._places = places
        self._words = words

    def rows(self) -> Iterator[Row]:
        """Yield the lines that are shown; one without any account is left out unless it is a total.

        What has no place stands right before the last total of its side, which holds it, too.
        """
        last = len(self._scheme.lines) - 1
        if self._scheme.lines[last].is_total:
            yield from self._lines(range(last))
            whole = self._values(last, self._scheme.lines[last])
            yield from self._end(self._name(self._scheme.lines[last], whole), whole, self._nowhere, self._signs[last])
            return
        heads = [position for position, line in enumerate(self._scheme.lines) if line.level == 0]
        for side, (head, end) in enumerate(zip(heads, [*heads[1:], last + 1], strict=True)):
            line = self._scheme.lines[head]
            yield Row(self._name(line, self._nothing), 0, False, self._nothing, is_head=True)
            yield from self._lines(range(head + 1, end))
            nowhere = [account for account in self._nowhere if self._is_asset(account) == (side == 0)]
            yield from self._end(self._words(_TOTALS[side]), self._values(head, line), nowhere)

    def _lines(self, positions: range) -> Iterator[Row]:
        for position in positions:
            if self._is_shown(position):
                line = self._scheme.lines[position]
                values = self._values(position, line)
                accounts = () if line.is_memo else self._accounts(position)
                name, sign = self._name(line, values), self._signs[position]
                yield Row(name, sign.depth, line.is_total, values, accounts, sign=sign, is_memo=line.is_memo)

    @cached_property
    def _signs(self) -> dict[int, Sign]:
        lines = self._scheme.lines
        return self._scheme.signs({position for position in range(len(lines)) if self._is_shown(position)})

    def _is_shown(self, position: int) -> bool:
        line = self._scheme.lines[position]
        if not self._scheme.is_shown(line):
            return False
        if line.is_memo:
            return self._is_shown(self._above(position)) and any(self._values(position, line))
        held = (account for one in (position, *self._below(position)) for account in self._placed[one])
        return line.is_total or any(any(account.values) for account in held)

    def _end(self, name: str, placed: Values, nowhere: Sequence[AccountValues], sign: Sign = NO_SIGN) -> Iterator[Row]:
        if nowhere:
            yield Row(self._words(UNPLACED), 0, False, self._sum(nowhere), nowhere)
        yield Row(name, 0, True, _added(placed, self._sum(nowhere)), sign=sign)

    def _is_asset(self, account: AccountValues) -> bool:
        return account.number in self._places and self._places[account.number].type.startswith("ASS")

    def _sum(self, accounts: Sequence[AccountValues]) -> Values:
        values = self._nothing
        for account in accounts:
            values = _added(values, account.values)
        return values

    def _name(self, line: Line, values: Values) -> str:
        """What a line is called, where that goes by whether all of its figures are above nothing, or below."""
        term = line.term
        if line.by_sign and any(values) and (min(values) >= 0 or max(values) <= 0):
            term = line.by_sign[max(values) <= 0]
        return str(getattr(term, self._words.language))

    def _values(self, position: int, line: Line) -> Values:
        if line.is_memo:
            above = self._above(position)
            found = (
                (other, one) for other in (above, *self._below(above)) for one in self._placed[other] if one.number
            )
            tells, places = partial(self._scheme.tells, position), self._places
            return self._sum([one for other, one in found if tells(other, one.number, places[one.number].type)])
        values = self._nothing
        for other in range(position) if line.is_total else (position, *self._below(position)):
            values = _added(values, self._own[other])
        return values

    def _above(self, position: int) -> int:
        """The line that a memo tells a part of."""
        return next(one for one in range(position - 1, -1, -1) if not self._scheme.lines[one].is_memo)

    def _below(self, position: int) -> Iterator[int]:
        """The lines that are parts of a line."""
        lines = self._scheme.lines
        for other in range(position + 1, len(lines)):
            if lines[other].level <= lines[position].level:
                return
            yield other

    def _accounts(self, position: int) -> list[AccountValues]:
        """The accounts of a line, and those of its parts that are not shown by themselves, as a chart lists them."""
        found = [*self._placed[position]]
        for other in self._below(position):
            if self._scheme.is_shown(self._scheme.lines[other]):
                break
            found.extend(self._placed[other])
        numbered = (account for account in found if account.number)
        return sorted(numbered, key=lambda account: account.number.ljust(_DIGITS, "0"))


def compared(arranged: Arranged) -> Arranged:
    """Return a statement of two columns with the change between them, also in per cent (docs/interface.md 10.1)."""

    def with_change(values: Values) -> Values:
        return [*values, values[0] - values[1], _percent(*values)]

    rows = [
        row._replace(
            values=with_change(row.values),
            accounts=[AccountValues(one.number, one.name, with_change(one.values)) for one in row.accounts],
        )
        for row in arranged.rows
    ]
    return arranged._replace(labels=[*arranged.labels, CHANGE, CHANGE_PERCENT], rows=rows)


def _percent(first: Decimal, second: Decimal) -> Decimal:
    return ((first - second) * _HUNDRED / abs(second)).quantize(CENT, ROUND_HALF_UP) if second else Decimal("0.00")


def machine_rows(arranged: Arranged, *, accounts: bool) -> Iterator[dict[str, object]]:
    """Yield rows for machines: `position` in the law, then what the service's statements have."""
    for row in _told(arranged):
        of_row = Statement(arranged.labels, [_as_row(row, accounts=accounts)])
        for place, fields in enumerate(flat_rows(of_row)):
            yield {"position": None if place else str(row.sign), **fields}


def _told(arranged: Arranged) -> list[Row]:
    """The rows that have figures."""
    return [row for row in arranged.rows if not row.is_head]


def _as_row(row: Row, *, accounts: bool) -> StatementRow:
    """Return a row in the shape of the service's statements."""
    return StatementRow(row.name, row.values, row.level, row.is_sum, list(row.accounts) if accounts else [])


def as_document(arranged: Arranged, asked: dict[str, Any], *, accounts: bool) -> dict[str, Any]:
    """Return it as one document: what was asked for, then labels, rows, and what has no place."""
    plain = [_as_row(row, accounts=accounts) for row in _told(arranged)]
    rows = msgspec.to_builtins(plain, builtin_types=(Decimal,))
    percent = place_of_percent(arranged.labels)
    for one in (*rows, *(account for row in rows for account in row["accounts"])):
        one["values"] = comparable(one["values"], percent)
    shown = [{"position": str(row.sign), **fields} for row, fields in zip(_told(arranged), rows, strict=True)]
    return {**asked, "labels": arranged.labels, "rows": shown, "unplaced": arranged.unplaced}


def _parts(rows: Sequence[Row]) -> Parts:
    """Return what lines are made of: a total of all lines of its side above it, another one of the lines below it.

    What a memo tells is a part of the line above it, and no part of its sum.
    """
    found: Parts = {}
    side = 0
    for place, row in enumerate(rows):
        if row.is_head:
            side = place + 1
        elif row.is_sum:
            above = [one for one in range(side, place) if not rows[one].is_sum]
            least = min((rows[one].level for one in above), default=0)
            # what has no place stands outside of all levels
            found[place] = [one for one in above if rows[one].level == least or rows[one].sign is NO_SIGN]
        elif below := list(_below(rows, place)):
            found[place] = below
    return found


def _below(rows: Sequence[Row], place: int) -> Iterator[int]:
    for other in range(place + 1, len(rows)):
        if rows[other].is_sum or rows[other].is_head or rows[other].level <= rows[place].level:
            return
        if rows[other].level == rows[place].level + 1 and not rows[other].is_memo:
            yield other


def lay_out_statutory(arranged: Arranged, title: str, days: Sequence[str], words: Labels, *, accounts: bool) -> Sheet:
    """Lay it out; `days` are what the columns are called, in the way that the country writes days."""
    percent = place_of_percent(arranged.labels)
    groups = []
    for row in arranged.rows:
        if row.is_head:
            groups.append([SheetLine((clean(row.title), *(None for _ in row.values)), Style.HEADING)])
            continue
        style = Style.SUM if row.is_sum else Style.PLAIN
        group = [SheetLine((clean(row.title), *comparable(row.values, percent)), style, row.level)]
        for account in row.accounts if accounts else ():
            name = clean(f"{account.number} {words.account(account.number, account.name)}".strip())
            cells = (name, *comparable(account.values, percent))
            group.append(SheetLine(cells, Style.DETAIL, row.level + 1, account=clean(account.number)))
        groups.append(group)
    lines = added(groups, [0] * len(groups), _parts(arranged.rows))
    titles = [*days, *(words(label) for label in arranged.labels[len(days) :])]
    kinds = (Kind.PERCENT if place == percent else Kind.AMOUNT for place in range(len(titles)))
    columns = (Column(words(title)), *map(Column, map(clean, titles), kinds))
    return Sheet(words(title), " · ".join(map(clean, days)), columns, lines)
