"""Headers of the chart: `/v1/business/{business_slug}/header/`; made and read, never changed (wire facts 1.2, 2.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from acctcli.service.cases.work import found
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.names import name_columns
from acctcli.service.routes.operation import ACCOUNTS_READ, ACCOUNTS_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import SEARCH
from acctcli.service.store.books import headers
from acctcli.service.store.books.headers import HeaderRow, Step

if TYPE_CHECKING:
    from acctcli.models.header import Header, HeaderRequest

# enough for every statement, and every account in a list shows its whole path
DEEPEST = 9

AREA = Area(
    "header",
    f"{ONE_BUSINESS}header/",
    read=ACCOUNTS_READ,
    write=ACCOUNTS_WRITE,
    request="header:HeaderRequest",
    response="header:Header",
    one="{header_id}/",
)


@AREA.page(SEARCH)
def list_headers(call: Call) -> Page:
    """List headers."""
    return call.listed(headers.list_page, call.clauses, show=lambda rows: _in_their_lines(call, rows))


@AREA.create()
def create_header(call: Call) -> Header:
    """Create a header.

    It stands below another one of its type if it names a parent.
    """
    body: HeaderRequest = call.body
    above = _above(call, body)
    names = name_columns(call, body.name_translations)
    columns = {**names, **call.born, "type": body.type, "parent_id": body.parent_id}
    header_id = headers.create(call.conn, call.business.id, columns)
    row = HeaderRow(header_id, names["name"], names["name_translations"], body.type, body.parent_id)
    shown = _shown(row, above)
    call.emit("header.created", shown)
    return shown


@AREA.get()
def get_header(call: Call) -> Header:
    """Show a header."""
    row = found(headers.get(call.conn, call.business.id, call.ids["header_id"]), "header")
    return _in_their_lines(call, [row])[0]


def _above(call: Call, body: HeaderRequest) -> list[Step]:
    """Return the headers above a new one, the root first."""
    if body.parent_id is None:
        return []
    parent = headers.get(call.conn, call.business.id, body.parent_id)
    if parent is None:
        raise Invalid.field("parent_id", f"Unknown header id {body.parent_id}.")
    if parent.type != body.type:
        raise Invalid.field("parent_id", f"Header {parent.name} has the type {parent.type}.")
    above = headers.lines(call.conn, call.business.id, [parent.id])[parent.id]
    if len(above) > DEEPEST:
        raise Invalid.field("parent_id", f"Headers stand at most {DEEPEST} levels below a root.")
    return above


def _in_their_lines(call: Call, rows: Sequence[HeaderRow]) -> list[Header]:
    lines = headers.lines(call.conn, call.business.id, (row.id for row in rows))
    return [_shown(row, lines[row.id][:-1]) for row in rows]


def _shown(row: HeaderRow, above: Sequence[Step]) -> Header:
    return {
        "id": row.id,
        "name": row.name,
        "name_translations": msgspec.Raw(row.name_translations.encode()),
        "type": row.type,
        "parent_id": row.parent_id,
        "parent_ids": [step.id for step in above],
        "level": len(above),
    }
