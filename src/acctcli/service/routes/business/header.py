"""Headers of the chart: `/v1/business/{business_slug}/header/`; made and read, never changed.

See docs/interface.md 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from acctcli.service.cases.bodies import name_columns
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid
from acctcli.service.routes.operation import ACCOUNTS_READ, ACCOUNTS_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import SEARCH
from acctcli.service.store.books import headers
from acctcli.service.store.books.headers import HeaderRow, Step

if TYPE_CHECKING:
    from acctcli.models.header import Header, HeaderRequest

# enough for every statement, and every account in a list shows its whole path
DEEPEST = 9


def _create(work: Work, body: HeaderRequest) -> Header:
    """Create a header, below another one of its type if it names a parent."""
    above = _above(work, body)
    names = name_columns(work, body.name_translations)
    columns = {**names, **work.born, "type": body.type, "parent_id": body.parent_id}
    header_id = headers.create(work.conn, work.business.id, columns)
    row = HeaderRow(header_id, names["name"], names["name_translations"], body.type, body.parent_id)
    shown = _shown(row, above)
    work.emit("header.created", shown)
    return shown


def _get(work: Work, header_id: int) -> Header:
    return _in_their_lines(work, [found(headers.get(work.conn, work.business.id, header_id), "header")])[0]


def _above(work: Work, body: HeaderRequest) -> list[Step]:
    """Return the headers above a new one, the root first."""
    if body.parent_id is None:
        return []
    parent = headers.get(work.conn, work.business.id, body.parent_id)
    if parent is None:
        raise Invalid.field("parent_id", f"Unknown header id {body.parent_id}.")
    if parent.type != body.type:
        raise Invalid.field("parent_id", f"Header {parent.name} has the type {parent.type}.")
    above = headers.lines(work.conn, work.business.id, [parent.id])[parent.id]
    if len(above) > DEEPEST:
        raise Invalid.field("parent_id", f"Headers stand at most {DEEPEST} levels below a root.")
    return above


def _in_their_lines(work: Work, rows: Sequence[HeaderRow]) -> list[Header]:
    lines = headers.lines(work.conn, work.business.id, (row.id for row in rows))
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


AREA = Area(
    "header",
    f"{ONE_BUSINESS}header/",
    "header",
    read=ACCOUNTS_READ,
    write=ACCOUNTS_WRITE,
    request="header:HeaderRequest",
    response="header:Header",
)
AREA.list(headers.list_page, _in_their_lines, SEARCH)
AREA.create(_create)
AREA.get(_get)
