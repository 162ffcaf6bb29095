"""Long reports as JSON text, written piece by piece: a year of books is large as objects and small as text.

A piece a record, and a newline between records: readers may cut the text there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from json.encoder import encode_basestring as quote

__all__ = ["BETWEEN", "DECIMALS", "InOrder", "Place", "amount", "described", "quote", "separated"]

BETWEEN = ",\n"


# where the number of a document puts it, and what puts pieces into such an order without holding them
Place = tuple[str, int]
InOrder = Callable[[Iterable[tuple[Place, bytes]]], Iterator[bytes]]
# looking two digits up takes half as long as formatting them
DECIMALS = tuple(f".{cents:02d}" for cents in range(100))


def amount(cents: int) -> str:
    """Write cents as a number with exactly 2 decimals."""
    if cents < 0:
        return f"-{amount(-cents)}"
    return f"{cents // 100}{DECIMALS[cents % 100]}"


def described(document: str, own: str) -> str:
    """Return what an entry is about: the description of its document, then the text of its own row."""
    if not own or own == document:
        return document
    return f"{document} · {own}" if document else own


def separated(records: Iterable[str]) -> Iterator[str]:
    """Yield records with a comma and a newline between them."""
    between = ""
    for record in records:
        yield between + record
        between = BETWEEN
