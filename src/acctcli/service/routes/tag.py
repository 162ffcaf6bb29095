"""Tags of a business: `/v1/business/{business_slug}/tags/` (wire facts 1.1, 2.14)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from acctcli.service.problems import Invalid, Missing
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.filters import search_clauses
from acctcli.service.store import tags

FIELDS = ("name", "description", "color")


def list_tags(call: Call) -> Page:
    """List tags by id; `search` looks into their names."""
    page, clauses = call.page, search_clauses(call.query)
    count, rows = tags.list_page(call.conn, call.business.id, clauses, limit=page.size, offset=page.offset)
    return Page(count, [_shown(row) for row in rows])


def create_tag(call: Call) -> dict[str, Any]:
    """Create a tag; a name that is taken is 400."""
    columns = _columns(call, FIELDS) | {"created_at": call.stamp}
    try:
        tag_id = tags.create(call.conn, call.business.id, columns)
    except tags.NameTaken:
        raise _name_taken() from None
    shown = _shown(columns | {"id": tag_id})
    call.emit("tag.created", shown)
    return shown


def get_tag(call: Call) -> dict[str, Any]:
    """Show a tag."""
    return _shown(_find(call))


def replace_tag(call: Call) -> dict[str, Any]:
    """Replace a tag: fields that are not sent become empty."""
    return _change(call, FIELDS)


def update_tag(call: Call) -> dict[str, Any]:
    """Change the fields that are sent."""
    return _change(call, call.body.model_fields_set)


def delete_tag(call: Call) -> None:
    """Delete a tag; it comes off the documents that carry it, locked ones too: no entry changes by it."""
    row = _find(call, for_update=True)
    tags.remove(call.conn, call.business.id, row["id"])
    call.emit("tag.deleted", {"id": row["id"]})


def _find(call: Call, *, for_update: bool = False) -> dict[str, Any]:
    row = tags.get(call.conn, call.business.id, call.ids["tag_id"], for_update=for_update)
    if row is None:
        raise Missing("There is no such tag.")
    return row


def _change(call: Call, names: Collection[str]) -> dict[str, Any]:
    row = _find(call, for_update=True)
    columns = _columns(call, names)
    try:
        tags.change(call.conn, call.business.id, row["id"], columns)
    except tags.NameTaken:
        raise _name_taken() from None
    shown = _shown(row | columns)
    call.emit("tag.updated", shown)
    return shown


def _name_taken() -> Invalid:
    return Invalid.field("name", "Another tag has this name.")


def _columns(call: Call, names: Collection[str]) -> dict[str, Any]:
    """Return the columns behind the fields named."""
    columns = {name: getattr(call.body, name) for name in FIELDS if name in names}
    if "name" in columns:
        columns["search_name"] = (columns["name"] or "").casefold()
    return columns | {"updated_at": call.stamp}


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("id", "created_at", "updated_at", *FIELDS)}
