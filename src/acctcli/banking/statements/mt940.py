"""MT940: customer statements as S.W.I.F.T. has them, with the fields of German banks in :86: (docs/bank.md 3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import BinaryIO, NamedTuple

from msgspec.structs import replace

from acctcli.banking.checks import compact, mod_97
from acctcli.banking.iban import german_iban
from acctcli.banking.references import check_creditor_reference
from acctcli.banking.statements.lines import decoded_lines
from acctcli.banking.statements.model import (
    Foot,
    Head,
    Line,
    Parts,
    StatementFault,
    compact_day,
    exact,
    one_line,
)  # fmt: skip

_TAG = re.compile(r":([0-9]{2}[A-Z]?|NS):(.*)", re.DOTALL)
_KNOWN = {
    "20", "21", "25", "25P", "28", "28C", "13", "13D", "34F", "60F", "60M", "61", "86", "NS",
    "62F", "62M", "64", "65", "90C", "90D",
}  # fmt: skip
# what ends a message
_END = re.compile(r"-(?:\}.*)?|\}")
_CONTROLS = "\x01\x02\x03"
_MOST_BETWEEN = 6
_BALANCE = re.compile(r"([CD])([0-9]{6})([A-Z]{3})([0-9]{1,15},[0-9]{0,2})")
_MOVEMENT = re.compile(
    r"(?P<valued>[0-9]{6})(?P<booked>[0-9]{4}|    )?(?P<mark>R?[CD])(?P<funds>[A-Z])?"
    r"(?P<amount>[0-9]{1,15}(?:,[0-9]{0,2})?) ?(?P<type>[A-Z][A-Z0-9 ]{3})(?P<customer>(?:(?!//).)*)(?://(?P<bank>.*))?"
)
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}")
_GERMAN_ACCOUNT = re.compile(r"([0-9]{8})/([0-9]{1,10})(?:[A-Z]{3})?")
_GERMAN = re.compile(r"[0-9]{3}(?=\?)")
# words that begin a part of what was written to the receiver, each once at the most
_WORD = re.compile(r"(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|PURP|COAM|OAMT|IBAN|BIC)\+")
_PURPOSE = {*range(20, 30), *range(60, 64)}
_HALF_A_YEAR = 183
# of one field
_MOST_LINES = 100


def read_mt940(stream: BinaryIO) -> Parts:
    """Yield the parts of all statements in a file; intermediate ones are statements, too."""
    statement = _Statement(0)
    found = False
    for field in _fields(stream):
        if field.tag == "20":
            statement.check_is_over(field.line)
            statement, found = _Statement(field.line), True
        elif not found:
            raise StatementFault("a statement begins with :20:", field.line, f":{field.tag}:")
        yield from statement.take(field)
    statement.check_is_over(None)
    if not found:
        raise StatementFault("there is no statement in this file", 1, ":20:")


class _Field(NamedTuple):
    tag: str
    text: str
    line: int


def _fields(stream: BinaryIO) -> Iterator[_Field]:
    """Yield each field with its continuation lines, which a line break separates.

    Between statements there may be a few lines that say where a message goes.
    """
    field: _Field | None = None
    is_over = True
    envelope: list[tuple[int, str]] = []
    for number, raw in decoded_lines(stream):
        line = raw.strip(_CONTROLS)
        match, ends = _TAG.match(line), _END.fullmatch(line.strip())
        if match is not None and match[1] not in _KNOWN and field is not None and field.tag == "86":
            match = None  # a time of day that was broken between its digits
        if is_over and match is None:
            envelope += [(number, line)] if line.strip() and not ends else []
            _check_envelope(envelope, _MOST_BETWEEN)
        elif match is None and ends is None and field is not None:
            field = _continued(field, line, number)
        else:
            if field is not None:
                yield field
            field = None
            is_over = match is None
            if match is not None:
                if match[1] not in _KNOWN:
                    raise StatementFault("MT940 has no such field", number, f":{match[1]}:")
                field, envelope = _Field(match[1], match[2], number), []
    if field is not None:
        yield field
    _check_envelope(envelope, 0)


def _continued(field: _Field, line: str, number: int) -> _Field:
    if number - field.line > _MOST_LINES:
        raise StatementFault(f"the field has more than {_MOST_LINES} lines", number, f":{field.tag}:")
    return field._replace(text=f"{field.text}\n{line}")


def _check_envelope(lines: Sequence[tuple[int, str]], most: int) -> None:
    """Raise StatementFault for more lines than an envelope has, and for some behind the last statement."""
    if len(lines) > most:
        number, line = lines[0]
        raise StatementFault(f"{line[:40]!r} belongs to no field", number)


class _Statement:
    """One message: head, movements with their details, closing balance."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._account = self._number = self._currency = ""
        self._opening: Decimal | None = None
        self._opened: date | None = None
        self._movement: tuple[Line, str] | None = None
        self._details: list[_Field] = []
        self._is_closed = self._is_interim = False

    def take(self, field: _Field) -> Parts:
        """Yield what is complete with a field."""
        match field.tag[:2]:
            case "25":
                self._account = one_line(field.text).replace(" ", "")
            case "28":
                self._number = field.text.strip()
            case "34":
                self._is_interim = True
            case "60":
                self._begin(field)
            case "61":
                yield from self._moved()
                self._check_has_begun(field)
                self._movement = self._read_movement(field)
                yield from self._head(self._movement[0].booked)
            case "86" if self._movement is not None:
                self._details.append(field)
            # before the first movement, and behind the last balance, some banks tell of the account
            case "86" if self._opening is None:
                raise StatementFault("these are the details of no movement", field.line, ":86:")
            case "62":
                self._check_has_begun(field)
                yield from self._moved()
                balance, day, currency = _balance(field)
                yield from self._head(day)
                if currency != self._currency:
                    raise StatementFault(f"{currency} on an account in {self._currency}", field.line, f":{field.tag}:")
                self._is_closed = True
                yield Foot(self._opening, balance, field.line, day)

    def check_is_over(self, line: int | None) -> None:
        """Raise StatementFault where the statement has no end, as in a file that was cut off."""
        if self._line and not self._is_closed:
            raise StatementFault(f"the statement of line {self._line} has no closing balance", line, ":62F:")

    def _begin(self, field: _Field) -> None:
        if self._opening is not None:
            raise StatementFault("a statement has one opening balance", field.line, f":{field.tag}:")
        self._opening, self._opened, self._currency = _balance(field)

    def _head(self, seen: date | None) -> Iterator[Head]:
        """Yield how it begins, once: on the day of its opening balance, where it books or ends by then.

        Otherwise on the day after: most banks date it by the closing balance before, and what is of that day is in it.
        """
        if self._opened is None:
            return
        day, self._opened = self._opened, None
        first = day if seen is None or seen <= day else day + timedelta(days=1)
        yield Head(
            "statement", _iban(self._account), self._currency, self._number, first, None, self._opening, self._line
        )

    def _check_has_begun(self, field: _Field) -> None:
        if self._opening is None and self._is_interim:
            told = "a report of the day (MT942) has no balances: ask the bank for MT940, or for CAMT"
            raise StatementFault(told, field.line, f":{field.tag}:")
        if self._opening is None or self._is_closed:
            where = "after the closing balance" if self._is_closed else "before the opening balance"
            raise StatementFault(f"this stands {where}", field.line, f":{field.tag}:")

    def _moved(self) -> Iterator[Line]:
        """Yield the movement before, with all that is said of it."""
        if self._movement is None:
            return
        line, supplementary = self._movement
        details, self._movement, self._details = self._details, None, []
        if not details:
            yield _with_text(line, supplementary)
            return
        line = _detailed(line, details[0], supplementary)
        yield _with_text(line, one_line(line.text, *(more.text.replace("\n", " ") for more in details[1:])))

    def _read_movement(self, field: _Field) -> tuple[Line, str]:
        first, _, supplementary = field.text.partition("\n")
        match = _MOVEMENT.fullmatch(first)
        if match is None:
            raise StatementFault(f"{first!r} is not a movement", field.line, ":61:")
        valued = _value_day(match["valued"], field.line)
        if match["funds"] and match["funds"] != self._currency[2:]:
            raise StatementFault(f"{match['funds']} is not of {self._currency}", field.line, ":61:")
        amount = exact(match["amount"].replace(",", "."), field.line, ":61:")
        # RC takes a credit back, RD a debit
        sign = 1 if match["mark"] in {"C", "RD"} else -1
        customer = match["customer"].strip()
        line = Line(
            field.line,
            amount * sign,
            _booked(match["booked"], valued, field.line),
            valued,
            (match["bank"] or "").strip(),
            end_to_end="" if customer in {"NONREF", ""} else customer,
            code=match["type"].strip(),
            is_reversal=match["mark"].startswith("R"),
        )
        return line, one_line(supplementary)


def _balance(field: _Field) -> tuple[Decimal, date, str]:
    match = _BALANCE.fullmatch(field.text.strip())
    name = f":{field.tag}:"
    if match is None:
        raise StatementFault(f"{field.text.strip()!r} is not a balance", field.line, name)
    amount = exact(match[4].replace(",", "."), field.line, name) * (1 if match[1] == "C" else -1)
    return amount, compact_day(match[2], field.line, name), match[3]


def _iban(account: str) -> str:
    """Return the account, in Germany out of bank code and number; a currency may stand behind it."""
    account = account.strip("/")
    match = _GERMAN_ACCOUNT.fullmatch(account)
    if match:
        return german_iban(match[1], match[2])
    without = account[:-3]
    return without if account[-3:].isalpha() and _IBAN.fullmatch(without) and _is_iban(without) else account


def _is_iban(text: str) -> bool:
    return mod_97(f"{text[4:]}{text[:4]}") == 1


def _value_day(text: str, line: int) -> date:
    """Return a value day; where interest counts months of 30 days, the 30th of February is its last day."""
    if text[2:] in {"0229", "0230"}:
        march = compact_day(f"{text[:2]}0301", line, ":61:")
        leap = march - timedelta(days=1)
        return leap if text[2:] == "0230" or leap.day == 29 else compact_day(text, line, ":61:")
    return compact_day(text, line, ":61:")


def _booked(text: str | None, valued: date, line: int) -> date:
    """Return the day of booking, which has no year: the one that is nearest to the value day."""
    if not text or text.isspace():
        return valued
    found = []
    for year in (valued.year, valued.year - 1, valued.year + 1):
        try:
            found.append(date(year, int(text[:2]), int(text[2:])))
        except ValueError:  # the 29th of February of another year
            continue
    if not found:
        raise StatementFault(f"{text!r} is not a day", line, ":61:")
    nearest = min(found, key=lambda day: abs((day - valued).days))
    if abs((nearest - valued).days) > _HALF_A_YEAR:
        raise StatementFault(f"{text!r} is half a year from the value day", line, ":61:")
    return nearest


def _detailed(line: Line, field: _Field, supplementary: str) -> Line:
    """Return a movement with what :86: says of it: by the fields of German banks, else as one text."""
    joined = field.text.replace("\n", "")
    match = _GERMAN.match(joined)
    if match is None:
        return _with_text(line, one_line(field.text.replace("\n", " "), supplementary))
    parts = _subfields(joined[match.end() :], field)
    words = _words("".join(text for number, text in parts if number in _PURPOSE))
    told = dict(parts)
    iban = told.get(31, "") or words.get("IBAN", "")
    return replace(
        line,
        name=one_line(told.get(32, "") + told.get(33, "")),
        iban=iban.replace(" ", ""),
        structured=_reference_in(words),
        end_to_end=_told(words.get("EREF", "")) or _told(line.end_to_end),
        text=one_line(words.get("SVWZ", words[""]), told.get(0, "") if not words.get("SVWZ", words[""]) else ""),
        code=f"{line.code} {match[0]}",
    )


def _subfields(text: str, field: _Field) -> list[tuple[int, str]]:
    """Return the numbered parts, such as `?20text`; raise StatementFault for what is none."""
    parts = []
    for part in text[1:].split("?"):
        number = part[:2]
        if not (number.isascii() and number.isdigit()):
            raise StatementFault(f"?{part[:10]} is not a numbered part", field.line, ":86:")
        parts.append((int(number), part[2:]))
    return parts


def _words(purpose: str) -> dict[str, str]:
    """Return what was written by its words, such as EREF; what stands before the first is called by none."""
    first, *rest = _WORD.split(purpose)
    words = {"": one_line(first)}
    for word, text in zip(rest[::2], rest[1::2], strict=True):
        words.setdefault(word, one_line(text))
    return words


def _told(reference: str) -> str:
    return "" if reference.upper() in {"NOTPROVIDED", "NONREF"} else reference


def _reference_in(words: dict[str, str]) -> str:
    """Return an RF reference with good check digits that is all that was written; other words are text."""
    text = compact(words.get("SVWZ", words[""]))
    try:
        check_creditor_reference(text)
    except ValueError:
        return ""
    return text


def _with_text(line: Line, text: str) -> Line:
    return replace(line, text=text)
