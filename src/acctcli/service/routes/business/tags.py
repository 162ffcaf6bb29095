"""Tags: `/v1/business/{business_slug}/tags/`; every member sees them, who keeps the books makes them.

See docs/interface.md 6.1.

A deleted tag comes off the documents that carry it, locked ones too: no entry changes by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acctcli.service.cases.records import Columns, Records
from acctcli.service.cases.work import Work
from acctcli.service.routes.operation import BOOKS_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import SEARCH
from acctcli.service.store.rows import Record, Rows

if TYPE_CHECKING:
    from acctcli.models.tag import Tag


def _columns(work: Work, sent: dict[str, Any], row: Columns) -> dict[str, Any]:
    del work, row
    return sent | {"search_name": (sent["name"] or "").casefold()} if "name" in sent else sent


def _shown(row: Columns) -> Tag:
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "name": row["name"],
        "description": row["description"],
        "color": row["color"],
    }


ROWS = Rows[Record](dict, "tag", searched="search_name", has_unique=True)
TAGS = Records("tag", ROWS, _columns, _shown, taken=("name", "Another tag has this name."))
AREA = Area("tag", f"{ONE_BUSINESS}tags/", "tag", write=BOOKS_WRITE, request="tag:TagRequest", response="tag:Tag")
AREA.plain(TAGS, SEARCH)
