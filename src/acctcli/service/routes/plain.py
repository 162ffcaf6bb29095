"""The six operations of plain records: list, create, show, replace, change, delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acctcli.service.routes.call import Call, Page

if TYPE_CHECKING:
    from acctcli.service.cases.records import Records
    from acctcli.service.routes.operation import Area, Handler
    from acctcli.service.routes.parameters import Parameter


def declare(
    area: Area,
    records: Records[Call, Any],
    *filters: Parameter,
    noun: str = "",
    creates: bool = True,
) -> None:
    """Declare the operations of records in an area; unless `creates`, that one is declared apart.

    `noun` stands in paths and names of operations when it is not the word of events.
    """
    noun, name = noun or records.noun, records.name
    one, key = f"{'an' if name[0] in 'aeiou' else 'a'} {name}", f"{noun}_id"
    area.one = f"{{{key}}}/"

    def list_page(call: Call) -> Page:
        return call.listed(records.rows.list_page, call.clauses, show=lambda rows: list(map(records.show, rows)))

    def delete(call: Call) -> None:
        records.delete(call, call.ids[key])

    def named(verb: str, summary: str, handler: Callable[[Call], Any]) -> Handler:
        handler.__name__, handler.__doc__ = f"{verb}_{noun}{'s' if verb == 'list' else ''}", summary
        return handler

    area.page(*filters)(named("list", f"List {name}s.", list_page))
    if creates:
        area.create()(named("create", f"Create {one}.", lambda call: records.create(call, call.body)))
    area.get()(named("get", f"Show {one}.", lambda call: records.show(records.find(call, call.ids[key]))))
    area.replace()(named("replace", f"Replace {one}.", lambda call: records.replace(call, call.ids[key], call.body)))
    area.update()(named("update", f"Change {one}.", lambda call: records.update(call, call.ids[key], call.body)))
    area.delete()(named("delete", f"Delete {one}.", delete))
