"""What a line of a statement is called, in whatever file it comes (docs/bank.md 5).

The bank's own reference tells it, with day and amount; without one its text and the how-manieth such line it is of its
day. Two equal card payments of a day are two lines, and the same line of two files that overlap is one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from decimal import Decimal

from acctcli.banking.statements.model import Line

PREFIX = "bank-"
TAG = re.compile(rf"\b{PREFIX}[a-z2-7]{{12}}(?:\.[0-9]+)?(?![a-z0-9.])")
_DIGEST = 16
# the letters of base32, two and two: of many lines they are looked up sooner than written
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
# where the 10 bits of each of 6 pairs begin in the 64 of a number
_SHIFTS = range(54, 0, -10)


def without_tags(text: str) -> str:
    """Return a description without the tags that stand at its end."""
    return TAG.sub("", text).strip()


def tags_in(texts: Iterable[str]) -> set[str]:
    """Return the tags that stand in texts."""
    return {tag for text in texts if PREFIX in text for tag in TAG.findall(text)}


class Names:
    """Gives lines of one account their tags; what one statement repeats of another has the same."""

    def __init__(self, account: str) -> None:
        self._account = account
        self._seen: dict[int, int] = {}
        self._batch = ""

    def begin(self, *, goes_on: bool) -> None:
        """Begin a statement: one that goes on where the last one ended repeats nothing of it."""
        if not goes_on:
            self._seen.clear()

    def of(self, line: Line) -> str:
        """Return the tag of a line that is booked; a part of a batch has its number behind that of the batch."""
        if line.batch is None:
            return self._tag(line, line.amount)
        if line.part == 1:
            self._batch = self._tag(line, line.batch)
        return f"{self._batch}.{line.part}"

    def _tag(self, line: Line, amount: Decimal) -> str:
        said = (line.reference,) if line.reference else _words(line)
        content = "\0".join((self._account, str(line.booked), f"{amount:.2f}", *said))
        digest = hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
        place = int.from_bytes(digest[:8], "big")
        count = self._seen[place] = self._seen.get(place, 0) + 1
        named = hashlib.blake2b(digest + count.to_bytes(4, "big"), digest_size=_DIGEST).digest()
        number = int.from_bytes(named[:8], "big")
        return PREFIX + "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


def batch_of(tag: str) -> str:
    """Return what parts of a batch have in common with the whole: its tag."""
    return tag.partition(".")[0]


def _words(line: Line) -> tuple[str, ...]:
    """Return what tells a line without a reference from others, whatever blanks and capitals a bank changes."""
    said = (line.name, line.iban, line.structured, line.end_to_end, line.text)
    return tuple("".join(text.split()).casefold() for text in said)
