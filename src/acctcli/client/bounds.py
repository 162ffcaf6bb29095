"""How much a reply may hold, so that what is made of it stays within memory.

What a value takes as an object is up to a hundred times what it takes as JSON: the size of a reply bounds little.
"""

from __future__ import annotations

import re
import sys
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from acctcli.errors import ServerFault

if TYPE_CHECKING:
    import msgspec

_SIGNS = (b",", b"[", b"{")
# a text without its end goes on to the end
_OUTSIDE_TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|([,\[{])', re.DOTALL)


class TooLarge(ServerFault):
    """The service answered with more than this program takes in."""


class Limit(NamedTuple):
    """What may be read at once: bytes, and commas and brackets, each of which brings a value or two."""

    size: int
    values: int = sys.maxsize
    hint: str | None = None

    def check(self, text: bytes | bytearray | msgspec.Raw, name: str) -> None:
        """Raise TooLarge for JSON beyond the limit."""
        if len(text) > self.size:
            raise self.passed(name)
        if len(text) > self.values and _has_more(bytes(text), self.values):
            raise TooLarge(f"{name} holds more than {self.values:,} values", code="reply_too_large", hint=self.hint)

    def allows(self, text: bytes | bytearray) -> bool:
        """Tell whether JSON is within the limit."""
        try:
            self.check(text, "")
        except TooLarge:
            return False
        return True

    def passed(self, name: str) -> TooLarge:
        """Build the error for what has too many bytes."""
        size = f"{self.size >> 20} MiB" if self.size >= 2**20 else f"{self.size >> 10} KiB"
        return TooLarge(f"{name} is larger than {size}", code="reply_too_large", hint=self.hint)


RECORD = Limit(
    16 * 2**20,
    300_000,
    "a list is read row by row by its own command, or by: acctcli api GET PATH --paginate",
)
ROW = RECORD._replace(hint=None)
# of the ledger, with all its entries
ACCOUNT = Limit(64 * 2**20)
# of a list; each of its rows is limited, too
PAGE = Limit(64 * 2**20)
# of those that are asked for ahead, a dozen may be there at once
PAGE_AHEAD = Limit(4 * 2**20)


def _has_more(text: bytes, values: int) -> bool:
    """Look at what stands in texts only where it matters: to count all is a hundred times as fast."""
    if sum(map(text.count, _SIGNS)) <= values:
        return False
    signs = (found for found in _OUTSIDE_TEXTS.finditer(text) if found.lastindex)
    return next(islice(signs, values, None), None) is not None
