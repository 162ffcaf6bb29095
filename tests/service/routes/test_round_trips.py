"""What GET shows, PUT accepts, and nothing is changed by it: each resource, whatever is written in it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from enum import Enum
from types import NoneType
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from acctcli.service.routes.operation import Operation, load
from acctcli.service.routes.table import TABLE
from tests.service.actor import World
from tests.service.routes.books import encode
from tests.service.routes.full import Full, fill
from tests.sizes import sized

# a logo is sent as a file, and shown with its business
REPLACED: Final = [operation for operation in TABLE if operation.method == "PUT" and not operation.uploads]
# what a field may hold; most of what is not right for it is refused, and tried no further
TEXTS: Final = ["", "x", "00100", "Ä & ö", "a@b.fi", "FI", "+358 40", "https://example.com/"]
# what makes a business what it is
BASIC: Final = {"slug", "form"}
AMOUNTS: Final = [Decimal("0.00"), Decimal("12.30"), Decimal("-4.05"), Decimal("99.9")]


@pytest.fixture(scope="module")
def full(shared: World) -> Full:
    return fill(shared.user(), "Roundtrip")


def values(kind: Any) -> Iterator[object]:
    """Yield what a field of a type may be set to; records that others name stay as they are."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif get_origin(kind) is Annotated and get_args(kind)[0] is Decimal:
        yield from AMOUNTS
    elif get_origin(kind) is list or (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield from (member.value for member in kind)
    elif kind in (bool, NoneType, str):
        yield from {bool: (True, False), NoneType: (None,), str: TEXTS}[kind]
    else:
        for part in get_args(kind):
            yield from values(part)


def changes(model: type[BaseModel]) -> st.SearchStrategy[dict[str, object]]:
    found = {name: list(values(field.rebuild_annotation())) for name, field in model.model_fields.items()}
    fields = {name: st.sampled_from(known) for name, known in found.items() if known}
    return st.fixed_dictionaries({}, optional=fields)


def without_stamps(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without what each change makes anew; rows of an invoice are replaced as a whole."""
    rows = [{**row, "id": None} for row in record.get("rows", ())]
    return {**record, "updated_at": None, "rows": rows}


@pytest.mark.everywhere
@pytest.mark.parametrize("operation", REPLACED, ids=lambda one: one.name)
@given(data=st.data())
@settings(max_examples=sized(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_shown_can_be_sent_back(operation: Operation, full: Full, data: st.DataObject) -> None:
    actor, path = full.books.actor, operation.path.format(business_slug=full.slug, **full.ids)
    kind = {"Content-Type": "application/json"}
    assert operation.request
    for name, value in data.draw(changes(load(operation.request))).items():
        if name not in BASIC:
            actor.send("PATCH", path, content=encode({name: value}), headers=kind)
    shown = actor.get(path)
    reply = actor.send("PUT", path, content=encode(shown), headers=kind)
    assert reply.status == 200, (shown, reply)
    assert without_stamps(reply.body) == without_stamps(actor.get(path)) == without_stamps(shown)
