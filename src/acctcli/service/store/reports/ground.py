"""What every report needs to know of a business: its accounts, its tags. SQL only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from sqlalchemy import BindParameter, Connection, bindparam, select
from sqlalchemy.sql import ColumnElement

from acctcli.service.rules.reports.statement import Account
from acctcli.service.store.engine.prepared import Prepared
from acctcli.service.store.id_lists import among, portions
from acctcli.service.store.schema.books import document_tag
from acctcli.service.store.schema.chart import account
from acctcli.service.store.schema.tags import tag

BUSINESS: BindParameter[int] = bindparam("business_id")

ACCOUNTS = Prepared(
    select(account.c.id, account.c.number, account.c.name, account.c.type, account.c.opening_cents)
    .where(account.c.business_id == BUSINESS)
    .order_by(account.c.padded_number, account.c.id)
)


def accounts(conn: Connection, business_id: int) -> list[Account]:
    """Return every account in the order of a printed chart."""
    return [Account._make(row) for row in ACCOUNTS.all(conn, business_id=business_id)]


@cache
def _tags(length: int) -> Prepared:
    return Prepared(select(tag.c.id).where(tag.c.business_id == BUSINESS, among(tag.c.id, length)))


def known_tags(conn: Connection, business_id: int, tag_ids: Iterable[int]) -> set[int]:
    """Return those of the ids that are tags of the business."""
    return {
        found
        for length, values in portions(tag_ids)
        for (found,) in _tags(length).all(conn, business_id=business_id, **values)
    }


def tagged(document_id: ColumnElement[int], tag_ids: Sequence[int]) -> ColumnElement[bool]:
    """Say that a document carries at least one of the tags.

    The ids stand in the statement as values of their own, which makes it good for one use.
    """
    wanted: list[BindParameter[int]] = [bindparam(f"tag_{place}", tag_id) for place, tag_id in enumerate(tag_ids)]
    carrying = select(document_tag.c.document_id).where(
        document_tag.c.business_id == BUSINESS, document_tag.c.tag_id.in_(wanted)
    )
    return document_id.in_(carrying)
