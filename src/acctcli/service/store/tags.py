"""Tags: SQL only. A row is a mapping with the names of the columns."""

from __future__ import annotations

from acctcli.service.store.rows import Record, Rows


class NameTaken(Exception):
    """Another tag of the business has this name."""


# a tag that is removed comes off the documents that carry it
ROWS = Rows[Record](dict, "tag", filters={"search": r"search_name LIKE :search ESCAPE '\'"}, taken=NameTaken)
list_page, get, create, change, remove = ROWS.list_page, ROWS.get, ROWS.create, ROWS.change, ROWS.remove
