"""CSV as a profile says that a bank writes it (docs/bank.md 4)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from typing import BinaryIO, NamedTuple

from acctcli.banking.statements.lines import decoded_lines, raw_lines
from acctcli.banking.statements.model import (
    Foot,
    Head,
    Line,
    Parts,
    ProofFault,
    StatementFault,
    exact,
    one_line,
    plain_reference,
)
from acctcli.banking.statements.profile import Profile

# lines, where cells hold line breaks
_LONGEST_ROW = 200
_BLANKS = str.maketrans(dict.fromkeys("\u00a0\u202f\u2009", " "))
# of the other bank, which stands behind its account
_BIC = re.compile(r" +[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$")
MINUS = ("-", "\u2212")


def read_csv(stream: BinaryIO, profile: Profile) -> Parts:
    """Yield the parts of the one statement in a file; its balances are known where each row has one."""
    rows = _rows(stream, profile)
    _, headings = next(rows, (1, []))
    table = _Table(profile, headings)
    running = _Running(is_newest_first=profile.is_newest_first)
    head: Head | None = None
    number = 1
    for number, cells in rows:
        line, row = table.line(cells, number)
        if head is None:
            head = Head("csv", table.account(row), line[1], line=number)
            yield head
        elif (told := (table.account(row), line[1])) != (head.account, head.currency):
            raise StatementFault(f"{' in '.join(filter(None, told))} stands among rows of {head.account}", number)
        if not line[0].left_out:
            running.add(line[0], table.balance(row, number))
        yield line[0]
    if head is None:
        yield Head("csv", "", profile.currency)
    yield Foot(*running.ends, number)


def headings_of(stream: BinaryIO, profile: Profile) -> list[str]:
    """Return the headings of a file as they would be with a profile."""
    return next(_rows(stream, profile), (1, []))[1]


def _rows(stream: BinaryIO, profile: Profile) -> Iterator[tuple[int, list[str]]]:
    """Yield the headings and then the rows, each with the number of its last line."""
    lines = islice(_texts(stream, profile.encoding), profile.skip, None)
    before = 0

    def taken() -> Iterator[str]:
        for number, text in enumerate(lines, 1):
            if number - before > _LONGEST_ROW:
                raise StatementFault(f"one row goes on for more than {_LONGEST_ROW:,} lines", number + profile.skip)
            yield f"{text}\n"

    reader = csv.reader(taken(), delimiter=profile.delimiter, strict=True)
    try:
        for cells in reader:
            before = reader.line_num
            if any(cell.strip() for cell in cells):
                yield reader.line_num + profile.skip, cells
    except csv.Error as problem:
        raise StatementFault(f"this is not CSV: {problem}", reader.line_num + profile.skip) from None


def _texts(stream: BinaryIO, encoding: str) -> Iterator[str]:
    if encoding == "auto":
        yield from (text for _, text in decoded_lines(stream))
        return
    for number, raw in raw_lines(stream):
        try:
            yield raw.decode(encoding)
        except UnicodeDecodeError:
            raise StatementFault(f"the line is not {encoding}", number) from None


class _Table:
    """Reads rows by the headings of their columns."""

    def __init__(self, profile: Profile, headings: Sequence[str]) -> None:
        self._profile = profile
        self._named = profile.columns.named
        names = [plain_heading(one) for one in headings]
        self._places: dict[str, int] = {}
        wanted = dict(self._named)
        if profile.left_out:
            wanted["left_out.column"] = profile.left_out.column
        for use, heading in wanted.items():
            plain = plain_heading(heading)
            if names.count(plain) != 1:
                told = "there is no column" if plain not in names else "there are several columns"
                raise StatementFault(f"{told} {heading!r}; there are {', '.join(filter(None, names))}", 1, use)
            self._places[use] = names.index(plain)
        self._width = len(names)

    def line(self, cells: Sequence[str], number: int) -> tuple[tuple[Line, str], Mapping[str, str]]:
        """Return the movement of a row with its currency, and the row."""
        if len(cells) > self._width and any(cell.strip() for cell in cells[self._width :]):
            raise StatementFault(f"the row is wider than the {self._width} headings: it has {len(cells)}", number)
        last = max(self._places.values())
        if len(cells) <= last:
            raise StatementFault(f"the row ends before the column {last + 1}: it has {len(cells)}", number)
        row = {use: self._text(cells[place]) for use, place in self._places.items()}
        amount = self._money(row, number)
        currency = (row.get("currency") or self._profile.currency).upper()
        left_out = self._why_left_out(row, currency)
        fee, original = row.get("fee"), row.get("original")
        side = "name_in" if amount > 0 else "name_out"
        line = Line(
            number,
            amount,
            None if left_out else self._day(row, "booked", number),
            self._day(row, "valued", number) if row.get("valued") and not left_out else None,
            row.get("reference", ""),
            one_line(row.get("name") or row.get(side)),
            _BIC.sub("", row.get("iban", "")).replace(" ", ""),
            plain_reference(row.get("structured", "").removeprefix(self._profile.prefix)),
            row.get("end_to_end", ""),
            one_line(*(text for use, text in row.items() if use.startswith("text "))),
            row.get("code", ""),
            self._fee(fee, number) if fee else None,
            self._amount(original, number, "original") if original else None,
            row.get("original_currency", ""),
            left_out=left_out,
        )
        return (line, self._profile.only_currency or currency), row

    def account(self, row: Mapping[str, str]) -> str:
        """Return the account that a row is of, where a column says so."""
        return row.get("account", "").replace(" ", "")

    def balance(self, row: Mapping[str, str], number: int) -> Decimal | None:
        """Return the balance after a row, where a column says so."""
        told = row.get("balance")
        return self._amount(told, number, "balance") if told else None

    def _text(self, cell: str) -> str:
        text = cell.translate(_BLANKS).strip()
        text = text.strip(self._profile.strip).strip() if self._profile.strip else text
        return "" if text in self._profile.empty else text

    def _why_left_out(self, row: Mapping[str, str], currency: str) -> str:
        rule, only = self._profile.left_out, self._profile.only_currency
        if only and currency != only:
            return f"in {currency}: of another account"
        if rule is None:
            return ""
        told = row["left_out.column"]
        is_out = told in rule.values or (bool(rule.unless) and told not in rule.unless)
        return (told or "not booked") if is_out else ""

    def _money(self, row: Mapping[str, str], number: int) -> Decimal:
        if "amount" in row:
            amount = self._amount(row["amount"], number, "amount")
            if row.get("sign") in self._profile.minus and self._profile.minus:
                amount = -abs(amount)
        else:
            sides = [self._amount(row[use], number, use) if row[use] else None for use in ("credit", "debit")]
            if None not in sides or sides == [None, None]:
                raise StatementFault("a row has either a credit or a debit", number, "credit, debit")
            amount = sides[0] if sides[0] is not None else -abs(sides[1] or Decimal(0))
        return -amount if self._profile.is_negated else amount

    def _fee(self, text: str, number: int) -> Decimal:
        fee = self._amount(text, number, "fee")
        return -fee if self._profile.is_fee_negative else fee

    def _amount(self, text: str, number: int, use: str) -> Decimal:
        """Return an amount as the profile writes it; what is not certain is a fault, and never another amount."""
        profile, sign, digits = self._profile, 1, text
        field = f"{use}, column {self._named[use]!r}"
        if digits[:1] in {*MINUS, "+"}:
            sign, digits = (-1 if digits[0] in MINUS else 1), digits[1:].strip()
        whole, mark, decimals = digits.partition(profile.decimal)
        if profile.thousands and profile.thousands in whole:
            groups = whole.split(profile.thousands)
            if not all(len(group) == 3 for group in groups[1:]) or not 1 <= len(groups[0]) <= 3:
                raise StatementFault(f"{text!r} has signs of thousands in odd places", number, field)
            whole = "".join(groups)
        if not re.fullmatch("[0-9]+", whole) or (mark and not re.fullmatch("[0-9]*", decimals)):
            other = re.search(r"[^0-9]", whole + decimals)
            told = f", as it has {other[0]!r}" if other else ""
            raise StatementFault(
                f"{text!r} is not an amount with {profile.decimal!r} before cents{told}", number, field
            )
        return sign * exact(f"{whole}.{decimals}", number, field)

    def _day(self, row: Mapping[str, str], use: str, number: int) -> date:
        try:
            return datetime.strptime(row[use], self._profile.day).date()
        except ValueError:
            field = f"{use}, column {self._named[use]!r}"
            raise StatementFault(f"{row[use]!r} is not a day written {self._profile.day}", number, field) from None


class _Told(NamedTuple):
    """A row with its balance."""

    day: date
    amount: Decimal
    balance: Decimal


class _Running:
    """Follows the balances of rows, which stand in the order of time or against it.

    Amounts that undo each other leave both open: then the days tell, and else what is known of the bank.
    """

    def __init__(self, *, is_newest_first: bool) -> None:
        self._is_newest_first = is_newest_first
        self._first: _Told | None = None
        self._last: _Told | None = None
        self._is_whole = True
        self._ways = {1, -1}

    def add(self, line: Line, balance: Decimal | None) -> None:
        """Take in a row; raise StatementFault where its balance does not follow from the one before it."""
        if balance is None:
            self._is_whole = False
        if not self._is_whole or balance is None:
            return
        if self._last is not None:
            before = self._last.balance
            follows = {1: before + line.amount, -1: before - self._last.amount}
            self._ways = {way for way in self._ways if follows[way] == balance}
            if not self._ways:
                told = f"the balance {balance} does not follow from {before} before it"
                raise ProofFault(told, line.number, "balance")
        assert line.booked is not None
        self._last = _Told(line.booked, line.amount, balance)
        self._first = self._first or self._last

    @property
    def ends(self) -> tuple[Decimal | None, Decimal | None]:
        """The balance before all rows and the one after them; None where they are not told."""
        if not self._is_whole or self._first is None or self._last is None:
            return None, None
        early, late = (
            (self._last, self._first) if self._is_backwards(self._first, self._last) else (self._first, self._last)
        )
        return early.balance - early.amount, late.balance

    def _is_backwards(self, first: _Told, last: _Told) -> bool:
        """Whether the first row is the newest one."""
        if len(self._ways) == 1:
            return -1 in self._ways
        return first.day > last.day or (first.day == last.day and self._is_newest_first)


def plain_heading(heading: str) -> str:
    """Return a heading without what banks change about it: blanks, capitals, a mark at the beginning of the file."""
    return " ".join(heading.removeprefix("\ufeff").translate(_BLANKS).split()).casefold()
