"""The chart of accounts a business starts with."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.json import encode

from acctcli.law.chart import ChartAccount
from acctcli.service.rules.numbers import padded_number
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, insert_many

NUMBERED = Query[tuple[str, int]](tuple, "SELECT number, id FROM account WHERE business_id = :business_id")


def insert_chart(
    conn: Connection, business_id: int, accounts: Sequence[ChartAccount], language: str, stamp: str
) -> dict[str, int]:
    """Insert accounts, named in `language`, and point the `account_*` fields of the business at theirs.

    Returns the ids of their numbers.
    """
    rows = [_row(business_id, item, language, stamp) for item in accounts]
    insert_many(conn, "account", rows)
    ids = dict(NUMBERED.all(conn, business_id=business_id))
    roles = [
        {"business_id": business_id, "role": item.field, "account_id": ids[item.number]}
        for item in accounts
        if item.field
    ]
    insert_many(conn, "system_account", roles)
    return ids


def _row(business_id: int, item: ChartAccount, language: str, stamp: str) -> dict[str, object]:
    name = item.names[language]
    return {
        "business_id": business_id,
        "number": item.number,
        "padded_number": padded_number(item.number),
        "name": name,
        "search_name": name.casefold(),
        "name_translations": encode([{"key": key, "value": text} for key, text in item.names.items()]).decode(),
        "type": item.type,
        "default_vat_code": item.vat_code,
        "default_vat_rate_label": item.rate_label,
        "opening_cents": 0,
        "is_shown": True,
        "created_at": stamp,
        "updated_at": stamp,
    }
