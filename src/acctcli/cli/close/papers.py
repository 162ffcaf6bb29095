"""What of a period is not finished on paper: drafts, and documents without the receipt that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from acctcli.cli.check.books import Books
from acctcli.cli.check.findings import Finding
from acctcli.cli.check.records import check_drafts, check_receipts
from acctcli.cli.close.closing import Closing
from acctcli.cli.session.state import State


def check_begun(here: State, closing: Closing) -> Iterator[Finding]:
    """Name the drafts of these days, which are in no figure."""
    yield from _open(check_drafts, here, closing.books)


def check_lacking(here: State, closing: Closing) -> Iterator[Finding]:
    """Name the documents of these days without the receipt that they need."""
    yield from _open(check_receipts, here, closing.books)


def _open(look: Callable[[State, Books], Iterable[Finding]], here: State, books: Books) -> Iterator[Finding]:
    return (one._replace(is_fault=True) for one in look(here, books))
