"""What every report needs to know of a business: its accounts, its tags. SQL only."""

from __future__ import annotations

from collections.abc import Iterable

from acctcli.service.rules.reports.statement import Account
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement

ACCOUNTS = Query(
    Account,
    """SELECT id, number, name, type, opening_cents FROM account
    WHERE business_id = :business_id ORDER BY padded_number, id""",
)
TAGS = Statement("SELECT id FROM tag WHERE business_id = :business_id AND id IN (:ids...)")
# that a document carries at least one of the tags
TAGGED = "IN (SELECT document_id FROM document_tag WHERE business_id = :business_id AND tag_id IN (:tag_ids...))"


def accounts(conn: Connection, business_id: int) -> list[Account]:
    """Return every account in the order of a printed chart."""
    return ACCOUNTS.all(conn, business_id=business_id)


def known_tags(conn: Connection, business_id: int, tag_ids: Iterable[int]) -> set[int]:
    """Return those of the ids that are tags of the business."""
    return set(TAGS.values(conn, business_id=business_id, ids=tag_ids))
