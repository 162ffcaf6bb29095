"""TITO: the account statement of Finnish banks in records of fixed width (docs/bank.md 3.3).

Records of a higher level itemise the one above them. They stand in its place where they come to its sum. Where they do
not, they are a fault if it tells how many they are, and left out otherwise: nothing is counted twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import BinaryIO, NamedTuple

from msgspec.structs import replace

from acctcli.banking.checks import is_digits
from acctcli.banking.iban import finnish_iban
from acctcli.banking.statements.lines import decoded_lines
from acctcli.banking.statements.model import (
    Foot,
    Head,
    Line,
    Parts,
    ProofFault,
    StatementFault,
    compact_day,
    one_line,
    plain_reference,
)

# ISO 646 of Finland has letters where ASCII has brackets
_LETTERS = str.maketrans("[\\]{|}^~", "ÄÖÅäöåÜü")
_LONGEST = {"T00": 322, "T10": 188, "T40": 50, "T50": 67, "T51": 67}
_LENGTH = slice(3, 6)
_KNOWN = {"T00", "T10", "T11", "T40", "T50", "T51", "T60", "T70", "T80", "T81"}
_REJECTED = "9"
_FILLED = 35


class _Record(NamedTuple):
    """A record of the file, and its line."""

    text: str
    line: int

    def cut(self, start: int, length: int) -> str:
        """Return a field without its filling."""
        return self.text[start : start + length].strip()

    def cents(self, sign: int, field: str) -> Decimal:
        """Return the amount behind a sign: 18 digits of cents."""
        digits, mark = self.text[sign + 1 : sign + 19], self.text[sign : sign + 1]
        if mark not in {"+", "-"} or not (digits.isascii() and digits.isdigit() and len(digits) == 18):
            raise StatementFault(f"{mark + digits!r} is not an amount", self.line, field)
        if int(digits[:3]):
            raise StatementFault(f"{digits!r} has too many digits", self.line, field)
        return Decimal(f"{mark}{int(digits)}").scaleb(-2)


def read_tito(stream: BinaryIO) -> Parts:
    """Yield the parts of all statements in a file."""
    statement: _Statement | None = None
    for record in _records(stream):
        kind = record.text[:3]
        if kind == "T00":
            if statement is not None:
                yield from statement.end(record.line)
            statement = _Statement(record)
            yield statement.head
        elif statement is None:
            raise StatementFault("a statement begins with T00", record.line, kind)
        else:
            yield from statement.take(kind, record)
    if statement is None:
        raise StatementFault("there is no statement in this file", 1, "T00")
    yield from statement.end(record.line)


def _records(stream: BinaryIO) -> Iterator[_Record]:
    for number, line in decoded_lines(stream):
        text = line.rstrip().translate(_LETTERS)
        if not text:
            continue
        kind, length = text[:3], text[_LENGTH]
        if kind not in _KNOWN:
            raise StatementFault(f"{kind!r} is not a record of a statement", number)
        if not (length.isascii() and length.isdigit()):
            raise StatementFault(f"{length!r} is not the length of a record", number, kind)
        # blanks at the end are lost on the way
        if kind in _LONGEST and (int(length) < _LONGEST[kind] - 35 or len(text) > int(length)):
            raise StatementFault(
                f"the record is {len(text)} characters long and says {int(length)}", number, f"{kind} length"
            )
        yield _Record(text.ljust(max(int(length), _LONGEST.get(kind, 0))), number)


class _Statement:
    """One statement: movements as they come, each with the records that belong to it."""

    def __init__(self, record: _Record) -> None:
        self._opening = record.cents(71, "T00 opening balance")
        self._closing: Decimal | None = None
        self._top: Line | None = None
        self._items: list[tuple[int, Line]] = []
        # how many transactions the movement says that it is the sum of
        self._told: int | None = None
        self._first = compact_day(record.text[26:32], record.line, "T00 first day")
        self._last = compact_day(record.text[32:38], record.line, "T00 last day")
        if self._first > self._last:
            raise StatementFault(f"{self._last} lies before the first day, {self._first}", record.line, "T00 last day")
        iban = record.cut(292, 30).split()
        self.head = Head(
            "statement",
            iban[0] if iban else _iban(record.cut(9, 14)),
            record.cut(96, 3),
            record.cut(23, 3),
            self._first,
            self._last,
            self._opening,
            record.line,
        )

    def take(self, kind: str, record: _Record) -> Parts:
        """Yield what is complete with a record."""
        if kind in {"T10", "T80"}:
            level = record.cut(187, 1)
            if level not in {"", *"0123456789"}:
                raise StatementFault(f"{level!r} is not a level", record.line, f"{kind} level")
            line = _movement(record, kind)
            self._check_day(line, f"{kind} booking day")
            if level in {"", "0"}:
                yield from self._moved()
                self._top = line
            elif self._top is None:
                raise StatementFault("the first record itemises none", record.line, f"{kind} level")
            else:
                self._check_depth(int(level), record.line, f"{kind} level")
                self._items.append((int(level), line))
        elif kind in {"T11", "T81"}:
            self._add(record)
        elif kind == "T40":
            yield from self._moved()
            self._closing = record.cents(12, "T40 balance")

    def _check_depth(self, level: int, line: int, field: str) -> None:
        """Raise StatementFault for a record that itemises none: each stands below one of the level before its own."""
        above = self._items[-1][0] if self._items else 0
        if level > above + 1:
            told = f"a record of level {level} itemises one of level {level - 1}, and is behind one of level {above}"
            raise StatementFault(told, line, field)

    def _check_day(self, line: Line, field: str) -> None:
        """Raise StatementFault for a day that the statement does not tell of: balances say nothing of days."""
        if not line.left_out and line.booked is not None and not self._first <= line.booked <= self._last:
            told = f"{line.booked} is no day of the statement, which tells of {self._first} to {self._last}"
            raise StatementFault(told, line.number, field)

    def end(self, line: int) -> Parts:
        """Yield the last movement and the foot; raise StatementFault without a closing balance."""
        yield from self._moved()
        if self._closing is None:
            raise StatementFault("the statement has no closing balance", line, "T40")
        yield Foot(self._opening, self._closing, line)

    def _moved(self) -> Iterator[Line]:
        """Yield the movement before, or the items that it is made of."""
        top, items = self._top, [line for level, line in self._items if level == 1]
        told, self._top, self._items, self._told = self._told, None, [], None
        if top is None:
            return
        _check_items(top, items, told)
        if len(items) < 2 or sum(one.amount for one in items) != top.amount:
            yield top
            return
        batch = top.amount if top.reference else None
        for part, one in enumerate(items, 1):
            yield replace(one, reference=top.reference or one.reference, booked=top.booked, part=part, batch=batch)

    def _add(self, record: _Record) -> None:
        """Add what a record says to the movement above it."""
        if self._top is None:
            raise StatementFault("this belongs to no movement", record.line, "T11")
        if self._items:
            level, line = self._items[-1]
            self._items[-1] = level, self._told_more(line, record)
        else:
            self._top = self._told_more(self._top, record)
            if record.cut(6, 2) == "01" and (number := record.cut(8, 8)).isdecimal():
                self._told = int(number)

    def _told_more(self, line: Line, record: _Record) -> Line:
        told = _told_more(line, record)
        is_own = told.original_currency == self.head.currency
        return replace(told, original=None, original_currency="") if is_own else told


def _check_items(top: Line, items: list[Line], told: int | None) -> None:
    """Raise ProofFault where a movement is itemised otherwise than it says; some banks say how many, and itemise none.

    Where it does not say how many they are, nothing tells whether all of them are there.
    """
    if not items or told is None:
        return
    total = sum(one.amount for one in items)
    if (len(items), total) != (told, top.amount):
        raise ProofFault(
            f"it is the sum of {told}, {top.amount}, and itemised by {len(items)} that come to {total}",
            top.number,
            "T11 01",
        )


def _iban(account: str) -> str:
    """Return the IBAN of a Finnish account in its national form."""
    return finnish_iban(account) if is_digits(account) and len(account) == 14 else account


def _movement(record: _Record, kind: str) -> Line:
    booked = compact_day(record.text[30:36], record.line, f"{kind} booking day")
    valued = record.cut(36, 6)
    reference = plain_reference(record.cut(159, 20))
    entry_type = record.text[48]
    if entry_type not in "12349":
        raise StatementFault(f"{entry_type!r} is no type of entry", record.line, f"{kind} type")
    return Line(
        record.line,
        record.cents(87, f"{kind} amount"),
        booked,
        compact_day(valued, record.line, f"{kind} value day") if valued.strip("0") else None,
        record.cut(12, 18),
        one_line(record.cut(108, 35)),
        "",
        reference,
        text="",
        code=one_line(record.cut(49, 3), record.cut(52, 35)),
        is_reversal=entry_type in "34",
        left_out="rejected" if entry_type == _REJECTED else "",
    )


def _told_more(line: Line, record: _Record) -> Line:
    """Return a movement with one of its further records."""
    kind = record.cut(6, 2)
    match kind:
        case "00" | "06" | "07":
            rest = record.text[8:]
            pieces = [rest[start : start + _FILLED].strip() for start in range(0, len(rest), _FILLED)]
            return replace(line, text=one_line(line.text, *pieces))
        case "02" | "03" | "04" | "08":
            return replace(line, text=one_line(line.text, record.text[8:]))
        case "05":
            return replace(line, original=record.cents(8, "T11 05"), original_currency=record.cut(28, 3))
        case "09":
            told = one_line(record.cut(8, 35))
            return replace(line, text=one_line(line.text, told)) if line.name else replace(line, name=told)
        case "11":
            return _told_of_sepa(line, record)
        case "01":
            return line
    raise StatementFault(f"{kind!r} is no kind of further information", record.line, "T11")


def _told_of_sepa(line: Line, record: _Record) -> Line:
    payee, payer = record.cut(113, 70), record.cut(183, 70)
    return replace(
        line,
        structured=plain_reference(record.cut(8, 35)) or line.structured,
        iban=record.cut(43, 35).replace(" ", "") or line.iban,
        name=one_line((payer if line.amount > 0 else payee) or line.name),
        end_to_end=record.cut(253, 35) or line.end_to_end,
    )
