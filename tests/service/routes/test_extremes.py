"""Values at the end of what can be written, in every field and every parameter: refused or kept, never a fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import pytest

from acctcli.service.routes.operation import Operation, load
from acctcli.service.routes.table import TABLE
from tests.databases import KINDS
from tests.service.actor import Actor, World
from tests.service.routes.full import Full, fill
from tests.service.routes.test_foreign_ids import Steps, put, valid_body
from tests.sizes import SHARE, is_full

PLACE = "@@"
# JSON as it is sent, because no encoder writes some of it
EXTREMES = (
    "1e999999999", "-1e999999999", "1e-999999999", "1e400", "9" * 400, "-9223372036854775809", "9223372036854775807",
    "0.00000000000000000000000000001", "-0.0", "true", "[]", "{}", "null", '""', '"\\u0000"', '"\\ud800"', '"\\uffff"',
    json.dumps("x" * 50_001), '"0000-00-00"', '"0001-01-01"', '"9999-12-31"', '"99999-01-01"', '"1e999999999"',
    '"NaN"', '"-Infinity"', "[" * 200 + "]" * 200, '[{"key": "fi", "value": null}]', '["0001-01-01"]',
    "[9223372036854775808]",
)  # fmt: skip
TEXTS = (
    "1e999999999", "9" * 400, "-1", "0", "9223372036854775808", "x" * 50_001, "\x00", "\ud800", "\uffff", "%", "_",
    "\\", "0000-00-00", "0001-01-01", "9999-12-31", "99999-01-01", "NaN", "true", "²", "١",
)  # fmt: skip


def leaves(schema: Mapping[str, Any], known: Mapping[str, Any], at: Steps = ()) -> Iterator[Steps]:
    """Every field of a schema, and of the objects and rows in it."""
    if reference := schema.get("$ref"):
        schema = known[reference.rpartition("/")[2]]
    if at:
        yield at
    if len(at) > 4:
        return
    for one in schema.get("anyOf", ()):
        yield from (inner for inner in leaves(one, known, at) if inner != at)
    for name, inner in schema.get("properties", {}).items():
        yield from leaves(inner, known, (*at, name))
    if isinstance(items := schema.get("items"), dict):
        yield from leaves(items, known, (*at, "[]"))


def body_of(route: Operation, full: Full) -> dict[str, Any]:
    return {} if (route.request or "").endswith(":UserRequest") else valid_body(route, full)


def bodies(route: Operation, full: Full) -> Iterator[bytes]:
    """Valid bodies with one extreme each."""
    if route.request is None:
        return
    schema = load(route.request).model_json_schema()
    for steps in leaves(schema, schema.get("$defs", {})):
        text = json.dumps(put(body_of(route, full), steps, PLACE))  # type: ignore[arg-type]
        yield from (text.replace(f'"{PLACE}"', extreme).encode() for extreme in EXTREMES)


def queries(route: Operation) -> Iterator[str]:
    for parameter in route.query:
        yield from (f"?{parameter.name}={quote(text, errors='surrogatepass')}" for text in TEXTS)


@pytest.fixture(scope="module")
def owner(shared: World) -> Actor:
    return shared.user()


@pytest.fixture(scope="module")
def full(owner: Actor) -> Full:
    return fill(owner, "Extreme")


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize("route", [one for one in TABLE if one.method != "DELETE"], ids=lambda one: one.name)
def test_no_value_is_a_fault(owner: Actor, full: Full, route: Operation, database_kind: str) -> None:
    # what the second database is asked is refused before it, but for a few
    share = 1 if is_full() else SHARE if database_kind == KINDS[0] else SHARE**2
    place = re.sub(
        r"\{(\w+)\}", lambda found: str(full.ids.get(found[1], 1)), route.path.replace("{business_slug}", full.slug)
    )
    sent = [(place, body) for body in bodies(route, full)]
    sent += [(place + query, json.dumps(body_of(route, full)).encode()) for query in queries(route)]
    faults = []
    for number, (target, body) in enumerate(sent):
        if number % share == 0:
            content = b"" if route.method == "GET" else body
            reply = owner.send(route.method, target, content=content, headers={"Content-Type": "application/json"})
            if reply.status >= 500:
                faults.append((reply.status, target[:200], body[:300]))
    assert faults == []
