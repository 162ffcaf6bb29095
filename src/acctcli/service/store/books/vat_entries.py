"""What VAT is reported from: the posted entries of a range, summed up. SQL only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, func, select
from sqlalchemy.sql import ColumnElement

from acctcli.models.enums import AccountType, DocumentType
from acctcli.service.rules.vat_sums import VatMovement
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.schema.books import document, document_tag, entry
from acctcli.service.store.schema.chart import account

VAT_TYPES = (AccountType.LIA_VAT.value, AccountType.ASS_VAT.value)

# Drafts store no entries: every entry of the range is posted. That its account is one of the business says nothing
# new, but makes SQLite walk the range account by account instead of all entries of the business
IN_RANGE = (
    entry.c.business_id == bindparam("business_id"),
    entry.c.account_id.in_(select(account.c.id).where(account.c.business_id == bindparam("business_id"))),
    entry.c.date.between(bindparam("date_from"), bindparam("date_to")),
)
VAT_POSTINGS = select(document.c.id).where(
    document.c.business_id == bindparam("business_id"),
    document.c.date.between(bindparam("date_from"), bindparam("date_to")),
    document.c.type == DocumentType.VAT.value,
)
TAGGED: ColumnElement[bool] = entry.c.document_id.in_(
    select(document_tag.c.document_id).where(
        document_tag.c.business_id == bindparam("business_id"),
        document_tag.c.tag_id.in_(bindparam("tag_ids", expanding=True)),
    )
)
SHARED = (entry.c.vat_code, entry.c.vat_rate, entry.c.is_debit)


def _movements(*more: ColumnElement[bool]) -> Select[Any]:
    """Sum up by account: its sums are kept within 64 bits, those of several accounts are not."""
    sums = (
        select(entry.c.account_id, *SHARED, func.sum(entry.c.amount_cents).label("cents"))
        .where(*IN_RANGE, entry.c.document_id.not_in(VAT_POSTINGS), *more)
        .group_by(entry.c.account_id, *SHARED)
        .subquery()
    )
    of_account = and_(account.c.business_id == bindparam("business_id"), account.c.id == sums.c.account_id)
    return select(sums.c.vat_code, sums.c.vat_rate, account.c.type, sums.c.is_debit, sums.c.cents).join(
        account, of_account
    )


OF_ALL, OF_TAGGED = Prepared(_movements()), _movements(TAGGED)


def movements(
    conn: Connection, business_id: int, date_from: date, date_to: date, tag_ids: Sequence[int] = ()
) -> list[VatMovement]:
    """Return the posted entries of a range, both days included, by VAT code, rate, kind of account and side.

    One row each, in cents >= 0, in no order; documents of type 3 are left out. With `tag_ids` only documents that
    carry at least one of the tags count.
    """
    values = {"business_id": business_id, "date_from": date_from, "date_to": date_to}
    rows = conn.execute(OF_TAGGED, {**values, "tag_ids": list(tag_ids)}) if tag_ids else OF_ALL.all(conn, **values)
    sums: Counter[tuple[int, int, AccountType | None, bool]] = Counter()
    for code, rate, kind, is_debit, cents in rows:
        sums[code, rate, AccountType(kind) if kind in VAT_TYPES else None, is_debit] += int(cents)
    return [VatMovement(*shared, cents) for shared, cents in sums.items()]
