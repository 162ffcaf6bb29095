"""Long reports as JSON text, written piece by piece: a year of books is large as objects and small as text.

A piece a record, and a newline between records: readers may cut the text there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring as quote

__all__ = ["BETWEEN", "amount", "quote", "separated"]

BETWEEN = ",\n"


def amount(cents: int) -> str:
    """Write cents as a number with exactly 2 decimals."""
    # a percent format takes the pair whole: every entry of a journal passes here
    return ("%d.%02d" if cents >= 0 else "-%d.%02d") % divmod(abs(cents), 100)


def separated(records: Iterable[str]) -> Iterator[str]:
    """Yield records with a comma and a newline between them."""
    between = ""
    for record in records:
        yield between + record
        between = BETWEEN
