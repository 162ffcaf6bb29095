"""What a bank statement says, whatever its format (docs/bank.md 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import msgspec

from acctcli.markup import FileFault, Node

# holds what others than ISO 20022 add to a message
ADDED = frozenset({"Envlp"})
_CENTS = 2
# more digits than any bank account has cents, and few enough to be exact everywhere
_DIGITS = 15
# of what is wrong
_SHOWN = 40
_DOTTED = re.compile(r"[0-9]+(?:\.[0-9]*)?", re.ASCII)
_COMPACT = {6: re.compile(r"[0-9]{6}", re.ASCII), 8: re.compile(r"[0-9]{8}", re.ASCII)}


class StatementFault(FileFault):
    """What is wrong with a statement."""

    noun = "a statement"


class ProofFault(StatementFault):
    """A statement that can be read, and does not add up."""


@dataclass(frozen=True, slots=True)
class Head:
    """How a statement begins: whose it is, which one, and from which balance on, where these are told.

    `account` is an IBAN or, of a bank without any, its own number; `line` is that of the file.
    """

    kind: str
    account: str = ""
    currency: str = ""
    number: str = ""
    first: date | None = None
    last: date | None = None
    opening: Decimal | None = None
    line: int = 1


class Line(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A movement on the account; `amount` in currency units, negative for money that left.

    `reference` is the bank's own, by which it finds the movement again; `structured` the one that the payer gave, as
    on an invoice. `part` counts those that the bank booked in one sum, `batch` is that sum where it has a reference,
    `lone_batch` where it has none; `sent_as` is what the payer called those of which the bank tells no parts. `charges`
    are part of the amount. Where `left_out` says why, the movement is not booked and counts in no sum; it alone may
    lack a day.
    """

    number: int
    amount: Decimal
    booked: date | None
    valued: date | None = None
    reference: str = ""
    name: str = ""
    iban: str = ""
    structured: str = ""
    end_to_end: str = ""
    text: str = ""
    code: str = ""
    charges: Decimal | None = None
    original: Decimal | None = None
    original_currency: str = ""
    is_reversal: bool = False
    part: int = 0
    batch: Decimal | None = None
    left_out: str = ""
    lone_batch: Decimal | None = None
    sent_as: str = ""

    @property
    def cents(self) -> int:
        """The amount in cents."""
        return int(self.amount.scaleb(_CENTS))


@dataclass(frozen=True, slots=True)
class Foot:
    """How a statement ends; without balances it cannot be proved. `last` is the day of the closing one, where told."""

    opening: Decimal | None = None
    closing: Decimal | None = None
    line: int = 1
    last: date | None = None


Part = Head | Line | Foot
Parts = Iterator[Part]


def exact(text: str, line: int, field: str) -> Decimal:
    """Return an amount written with digits and a point, in cents at the finest; raise StatementFault."""
    if not _DOTTED.fullmatch(text):
        raise StatementFault(f"{text[:_SHOWN]!r} is not an amount", line, field)
    whole, _, decimals = text.partition(".")
    if decimals.rstrip("0")[_CENTS:]:
        raise StatementFault(f"{text[:_SHOWN]!r} has more than {_CENTS} decimals", line, field)
    if len(whole.lstrip("0")) > _DIGITS:
        raise StatementFault(f"{text[:_SHOWN]!r} has more than {_DIGITS} digits before its decimals", line, field)
    return Decimal(f"{whole}.{decimals[:_CENTS]:0<{_CENTS}}")


def check_once(node: Node | None, *names: str) -> None:
    """Raise StatementFault for one of these elements that stands twice in a node: which of them counts nobody knows."""
    if node is None or len({one.name for one in node.nodes}) == len(node.nodes):
        return
    for name in names:
        if len(found := list(node.all(name))) > 1:
            told = f"it stands {len(found)} times in {node.name}, and once would be right"
            raise StatementFault(told, found[1].line, f"{node.name}/{name}")


def compact_day(text: str, line: int, field: str, length: int = 6) -> date:
    """Return the day of YYMMDD, or of YYYYMMDD where the length is 8; raise StatementFault."""
    try:
        if _COMPACT[length].fullmatch(text):
            return date.fromisoformat(text if length == 8 else f"20{text}")
    except ValueError:
        pass
    raise StatementFault(f"{text!r} is not a day", line, field)


def one_line(*texts: str | None) -> str:
    """Put texts together in one line."""
    return " ".join(" ".join(text.split()) for text in texts if text and text.strip())


def plain_reference(text: str) -> str:
    """Return a reference as it is compared: without blanks, and without zeros before a Finnish one."""
    plain = "".join(text.split()).upper()
    return plain.lstrip("0") if plain.isdigit() else plain
