"""The entries of one account in a range of days. SQL only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from acctcli.law.closed_days import Span
from acctcli.service.rules.reports.ledger import LedgerRow, LedgerRows
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query
from acctcli.service.store.reports.ground import TAGGED
from acctcli.service.store.reports.movements import OF_ACCOUNTS

# Of so many entries at most a range is read at once: every account that is asked for alone costs several
# round trips to PostgreSQL, which small books would spend most of their ledger on
FEW = 2000

# Every entry looks for the accounts on the other side; in documents of more than 200 entries none does, because each of
# thousands would look at thousands. Dates as text and flags as numbers, so that no value is converted
LINE = """CAST(entry.date AS varchar), document.number, entry.position, CAST(entry.is_debit AS integer),
    entry.amount_cents, entry.description, entry.vat_code, document.description, contact.name,
    CASE WHEN NOT EXISTS (SELECT 1 FROM entry AS far WHERE far.business_id = entry.business_id
        AND far.document_id = entry.document_id AND far.position >= 200)
    THEN (SELECT string_agg(CAST(other.account_id AS varchar), ' ') FROM entry AS other
        WHERE other.business_id = entry.business_id AND other.document_id = entry.document_id
        AND other.is_debit <> entry.is_debit) END"""
ENTRIES = """FROM entry JOIN document ON document.business_id = entry.business_id AND document.id = entry.document_id
    LEFT JOIN contact ON contact.business_id = document.business_id AND contact.id = document.contact_id
    WHERE entry.business_id = :business_id AND entry.date BETWEEN :first AND :last"""
OF_TAGS = f"AND entry.document_id {TAGGED}"


def _of_account(more: str) -> Query[LedgerRow]:
    """Ask for one account, in index order."""
    return Query(tuple, f"SELECT {LINE} {ENTRIES} {more} AND entry.account_id = :account_id ORDER BY entry.date")


def _of_all(more: str) -> Query[tuple[Any, ...]]:
    """Ask for every account at once, unless that is too much."""
    return Query(tuple, f"SELECT {LINE}, entry.account_id {ENTRIES} {more} AND entry.{OF_ACCOUNTS} LIMIT :most")


ONE, ONE_OF_TAGS = _of_account(""), _of_account(OF_TAGS)
ALL, ALL_OF_TAGS = _of_all(""), _of_all(OF_TAGS)

_account = itemgetter(-1)


class AccountEntries:
    """The entries of a range, account by account; with `tag_ids` only those of documents that carry one of the tags."""

    def __init__(self, conn: Connection, business_id: int, span: Span, tag_ids: Sequence[int] = ()) -> None:
        self._conn = conn
        self._values: dict[str, Any] = {"business_id": business_id, "first": span.start, "last": span.end}
        self._one = ONE_OF_TAGS if tag_ids else ONE
        if tag_ids:
            self._values["tag_ids"] = tag_ids
        self._few = self._read_few(ALL_OF_TAGS if tag_ids else ALL)

    def _read_few(self, statement: Query[tuple[Any, ...]]) -> Mapping[int, list[LedgerRow]] | None:
        """Return all entries by account, each account's by date; None when there are too many to hold."""
        rows = statement.all(self._conn, **self._values, most=FEW + 1)
        if len(rows) > FEW:
            return None
        rows.sort(key=itemgetter(-1, 0))
        return {account_id: [row[:-1] for row in of_account] for account_id, of_account in groupby(rows, key=_account)}

    def __call__(self, account_id: int) -> LedgerRows:
        """Yield the entries of an account by date."""
        if self._few is None:
            return self._one.stream(self._conn, **self._values, account_id=account_id)
        return (row for row in self._few.get(account_id, ()))
