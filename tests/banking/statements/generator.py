"""Statements that are made up, in five formats and the habits of several banks; nothing here is shared with readers.

What is made is known: `Book` is the truth, and every format is written from it by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import NamedTuple
from xml.sax.saxutils import escape

FINNISH, GERMAN = "FI2112345600000785", "DE89370400440532013000"
NAMES = ("Äänekosken Öljy Oy", "Müller & Söhne GmbH", "Kahvila <Satama>", "Ole Å", "Betreiber Straße KG", "Shop")
OTHERS = ("FI1410093000123458", "DE02120300000000202051", "")


@dataclass(frozen=True)
class Move:
    """One movement of the truth, or several that the bank booked in one sum."""

    day: date
    valued: date
    cents: int
    reference: str
    name: str = ""
    iban: str = ""
    viite: str = ""
    end_to_end: str = ""
    text: str = ""
    parts: tuple[int, ...] = ()
    is_pending: bool = False
    is_reversal: bool = False


@dataclass(frozen=True)
class Book:
    """The truth of one statement."""

    account: str
    number: int
    first: date
    last: date
    opening: int
    moves: list[Move] = field(default_factory=list)

    @property
    def closing(self) -> int:
        return self.opening + sum(one.cents for one in self.moves if not one.is_pending)


def books(
    seed: int, lines: int, statements: int = 1, account: str = FINNISH, *, batches: bool = True, references: bool = True
) -> list[Book]:
    """Make statements that follow each other, a month each."""
    rng = random.Random(seed)
    made, opening, day, count = [], rng.randrange(-(10**6), 10**7), date(2026, 1, 1), 0
    for number in range(1, statements + 1):
        last = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        moves = []
        for _ in range(lines):
            count += 1
            moves.append(
                _move(rng, day, last, f"{account[:2]}{seed % 10_000:04}{count:012}" if references else "", batches)
            )
        moves.sort(key=lambda one: one.day)
        book = Book(account, number, day, last, opening, moves)
        made.append(book)
        opening, day = book.closing, last + timedelta(days=1)
    return made


def _move(rng: random.Random, first: date, last: date, reference: str, batches: bool) -> Move:
    day = first + timedelta(days=rng.randrange((last - first).days + 1))
    cents = rng.choice([-1, 1]) * rng.choice([1, 99, 100, 1250, rng.randrange(1, 10**8)])
    move = Move(
        day, day - timedelta(days=rng.choice([0, 0, 0, 1])), cents, reference, rng.choice(NAMES), rng.choice(OTHERS),
        rng.choice(["", "", viite(rng.randrange(100, 10**6))]), rng.choice(["", f"E2E-{rng.randrange(10**6)}"]),
        rng.choice(["", "Coffee", "Rechnung 4711 & mehr", "Åland ö"]), is_reversal=rng.random() < 0.05,
    )  # fmt: skip
    if batches and reference and rng.random() < 0.1:
        parts = tuple(rng.choice([-1, 1]) ** 2 * rng.randrange(1, 10_000) for _ in range(rng.randrange(2, 5)))
        sign = 1 if cents > 0 else -1
        return replace(move, cents=sign * sum(parts), parts=tuple(sign * one for one in parts))
    return move


def viite(base: int) -> str:
    """Return a Finnish reference, worked out here once more."""
    total = sum(int(digit) * (7, 3, 1)[place % 3] for place, digit in enumerate(reversed(str(base))))
    return f"{base}{-total % 10}"


class Expected(NamedTuple):
    """What a reader is to make of one movement."""

    day: date
    cents: int
    reference: str
    part: int


def expected(found: list[Book]) -> list[Expected]:
    """Return the truth as lines: batches by their parts."""
    return [
        Expected(one.day, cents, one.reference, part)
        for book in found
        for one in book.moves
        if not one.is_pending
        for part, cents in (list(enumerate(one.parts, 1)) or [(0, one.cents)])
    ]


def money(cents: int, sign: str = ".") -> str:
    return f"{abs(cents) // 100}{sign}{abs(cents) % 100:02}"


# --- CAMT ---


@dataclass(frozen=True)
class Camt:
    """The habits of a bank: version, which opening balance, one line or many, how it says that something is booked."""

    message: str = "053"
    version: str = "02"
    opening: str = "OPBD"
    is_pretty: bool = True
    prefix: str = ""
    encoding: str = "UTF-8"

    @property
    def is_new(self) -> bool:
        return int(self.version) >= 8


CAMT_HABITS = (
    Camt(),
    Camt(version="08", opening="PRCD"),
    Camt(version="08", is_pretty=False),
    Camt(version="04", prefix="n0:"),
    Camt(version="06", encoding="ISO-8859-1"),
    Camt(version="10"),
)
_ROOTS = {
    "053": ("BkToCstmrStmt", "Stmt"),
    "052": ("BkToCstmrAcctRpt", "Rpt"),
    "054": ("BkToCstmrDbtCdtNtfctn", "Ntfctn"),
}


def camt(found: list[Book], habit: Camt = CAMT_HABITS[0]) -> bytes:
    """Write statements as CAMT."""
    return "".join(camt_pieces(found, habit)).encode(habit.encoding)


def camt_pieces(found: list[Book], habit: Camt = CAMT_HABITS[0]) -> Iterator[str]:
    """Yield the pieces of a file, so that a large one need not lie in memory."""
    yield from _Writer(habit).file(found)


class _Writer:
    """Writes CAMT in the habits of a bank."""

    def __init__(self, habit: Camt) -> None:
        self.habit = habit
        self.p = habit.prefix
        self.end = "\n" if habit.is_pretty else ""

    def tag(self, path: str, text: str, attributes: str = "") -> str:
        *outer, last = path.split("/")
        opened = "".join(f"<{self.p}{one}>" for one in outer)
        closed = "".join(f"</{self.p}{one}>" for one in reversed(outer))
        return f"{opened}<{self.p}{last}{attributes}>{escape(text)}</{self.p}{last}>{closed}{self.end}"

    def amount(self, cents: int, path: str = "Amt") -> str:
        return self.tag(path, money(cents), ' Ccy="EUR"')

    def mark(self, cents: int) -> str:
        return self.tag("CdtDbtInd", "DBIT" if cents < 0 else "CRDT")

    def around(self, name: str, *pieces: str) -> str:
        inside = "".join(pieces)
        return f"<{self.p}{name}>{inside}</{self.p}{name}>" if inside else ""

    def balance(self, code: str, cents: int, day: date) -> str:
        kind = self.around("Tp", self.tag("CdOrPrtry/Cd", code))
        told = (kind, self.amount(cents), self.mark(cents), self.tag("Dt/Dt", day.isoformat()))
        return self.around("Bal", *told) + self.end

    def party(self, one: Move) -> str:
        who = "Dbtr" if (one.cents > 0) != one.is_reversal else "Cdtr"
        name = self.tag(f"{who}/{'Pty/' if self.habit.is_new else ''}Nm", one.name)
        return self.around("RltdPties", name, self.tag(f"{who}Acct/Id/IBAN", one.iban) if one.iban else "")

    def details(self, one: Move, cents: int | None) -> str:
        sums = ""
        if cents is not None:
            is_new = self.habit.is_new
            sums = self.amount(cents) + self.mark(cents) if is_new else self.amount(cents, "AmtDtls/TxAmt/Amt")
        about = self.around(
            "RmtInf",
            self.tag("Ustrd", one.text) if one.text else "",
            self.tag("Strd/CdtrRefInf/Ref", one.viite.rjust(20, "0")) if one.viite else "",
        )
        refs = self.tag("Refs/EndToEndId", one.end_to_end or "NOTPROVIDED")
        return self.around("TxDtls", refs, sums, self.party(one), about) + self.end

    def entry(self, one: Move) -> str:
        parts = "".join(self.details(one, cents) for cents in one.parts) or self.details(one, None)
        return f"<{self.p}Ntry>{self.end}" + "".join((
            self.amount(one.cents), self.mark(one.cents), self.tag("RvslInd", "true") if one.is_reversal else "",
            self.tag("Sts/Cd" if self.habit.is_new else "Sts", "PDNG" if one.is_pending else "BOOK"),
            self.tag("BookgDt/Dt", one.day.isoformat()),
            self.tag("ValDt/DtTm", f"{one.valued.isoformat()}T00:00:00+02:00"),
            self.tag("AcctSvcrRef", one.reference) if one.reference else "",
            self.tag("BkTxCd/Domn/Cd", "PMNT"), self.around("NtryDtls", parts), f"</{self.p}Ntry>{self.end}",
        ))  # fmt: skip

    def file(self, found: list[Book]) -> Iterator[str]:
        habit, p = self.habit, self.p
        root, name = _ROOTS[habit.message]
        space = f"urn:iso:std:iso:20022:tech:xsd:camt.{habit.message}.001.{habit.version}"
        named = f'xmlns:{p[:-1]}="{space}"' if p else f'xmlns="{space}"'
        yield f'<?xml version="1.0" encoding="{habit.encoding}"?>{self.end}<{p}Document {named}><{p}{root}>{self.end}'
        yield self.around("GrpHdr", self.tag("MsgId", "M1"))
        for book in found:
            yield f"<{p}{name}>{self.tag('Id', f'S{book.number}')}{self.tag('ElctrncSeqNb', str(book.number))}"
            days = self.tag("FrDtTm", f"{book.first}T00:00:00") + self.tag("ToDtTm", f"{book.last}T23:59:59")
            account = self.tag("Id/IBAN", book.account) + self.tag("Ccy", "EUR")
            yield self.around("FrToDt", days) + self.around("Acct", account) + self.end
            if habit.message == "053":
                yield self.balance(habit.opening, book.opening, book.first)
                yield self.balance("CLBD", book.closing, book.last)
            yield from map(self.entry, book.moves)
            yield f"</{p}{name}>{self.end}"
        yield f"</{p}{root}></{p}Document>{self.end}"
