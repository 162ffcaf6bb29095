"""What reminders an invoice has had: its status messages tell, which every service keeps (docs/law.md 7.11)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

import msgspec

_DAY, _AMOUNT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[0-9]{1,12}\.[0-9]{2}"
# what somebody writes with an invoice that the customer does not accept begins with it
_DISPUTED = "disputed"


class Stage(StrEnum):
    """Which reminder it is, the mildest first."""

    FIRST = "Reminder 1"
    SECOND = "Reminder 2"
    NOTICE = "Collection notice"

    @property
    def following(self) -> Stage | None:
        """What comes after it; None where that is up to a collector or a court."""
        return {Stage.FIRST: Stage.SECOND, Stage.SECOND: Stage.NOTICE}.get(self)

    @property
    def order(self) -> int:
        """Its place among them."""
        return list(Stage).index(self)


_TEXT = re.compile(
    rf"(?P<stage>{'|'.join(Stage)}) of (?P<day>{_DAY}) by (?P<way>paper|email), to pay by (?P<until>{_DAY}): "
    rf"(?P<open>{_AMOUNT}) open, (?P<interest>{_AMOUNT}) interest, (?P<fees>{_AMOUNT}) fees, "
    rf"(?P<lump_sum>{_AMOUNT}) lump sum(?: \(file (?P<file>[0-9]{{1,19}})\))?",
    re.ASCII,
)


class Message(msgspec.Struct):
    """What stands with an invoice, from whatever system."""

    message: str = ""
    id: int = 0


class Reminded(NamedTuple):
    """A reminder that an invoice has had: of a day, until when it was to be paid, and what was asked for.

    Amounts are those of the invoice, in euros; `fees` are those of earlier reminders too. `file` is its paper.
    """

    stage: Stage
    day: date
    way: str
    until: date
    open: Decimal
    interest: Decimal
    fees: Decimal
    lump_sum: Decimal
    file: int | None = None

    @property
    def charges(self) -> Decimal:
        """What was asked for besides interest: fees, or the lump sum."""
        return self.fees + self.lump_sum

    @property
    def short(self) -> str:
        """Which reminder it was, and of which day."""
        return f"{self.stage} of {self.day}"

    def __str__(self) -> str:
        """The message that tells it; `reminders_in` reads it again."""
        told = f"{self.open} open, {self.interest} interest, {self.fees} fees, {self.lump_sum} lump sum"
        kept = "" if self.file is None else f" (file {self.file})"
        return f"{self.short} by {self.way}, to pay by {self.until}: {told}{kept}"


def reminders_in(messages: Iterable[Message] | None) -> list[Reminded]:
    """Return the reminders that messages tell of, the last one last; what else they say is passed over."""
    found = (_reminder(one.message) for one in messages or ())
    return sorted((one for one in found if one is not None), key=lambda one: (one.day, one.stage.order))


def is_disputed(messages: Iterable[Message] | None) -> bool:
    """Whether a message says that the customer does not accept the claim: `Disputed: the goods were broken`."""
    return any(one.message.strip().casefold().startswith(_DISPUTED) for one in messages or ())


def _reminder(text: str) -> Reminded | None:
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        return None
    try:
        day, until = date.fromisoformat(match["day"]), date.fromisoformat(match["until"])
    except ValueError:
        return None
    asked, interest, fees, lump_sum = (Decimal(match[name]) for name in ("open", "interest", "fees", "lump_sum"))
    file = int(match["file"]) if match["file"] else None
    return Reminded(Stage(match["stage"]), day, match["way"], until, asked, interest, fees, lump_sum, file)
