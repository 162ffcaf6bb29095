"""The OpenAPI document: complete, sound, open to all, and true to the replies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from inspect import getclosurevars
from itertools import chain
from typing import Any, get_args

import pytest
from typing_extensions import is_typeddict

from acctcli.service.cases.records import Records
from acctcli.service.problems import DiskFull, Unavailable
from acctcli.service.routes.business.report import CASES
from acctcli.service.routes.operation import Operation, load
from acctcli.service.routes.table import TABLE
from tests.service.actor import Actor, World

METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def document(shared: World) -> Any:
    reply = shared.client.get("/openapi.json")
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, "application/json")
    return reply.json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, item in document["paths"].items():
        assert item.keys() <= METHODS
        for method, operation in item.items():
            yield method, path, operation


def walk(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for inner in value.values():
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)


def test_it_has_what_openapi_demands(document: Any) -> None:
    assert document["openapi"].startswith("3.1.")
    assert {"title", "version"} <= document["info"].keys()
    assert document.keys() <= {"openapi", "info", "servers", "security", "paths", "components"}
    assert set().union(*document["security"]) == document["components"]["securitySchemes"].keys()
    assert all(re.fullmatch(r"[a-zA-Z0-9._-]+", name) for name in document["components"]["schemas"])


def ask(shared: World, actor: Actor, operation: Operation, body: bytes = b"") -> int:
    """Send a request to an operation, of a business of the caller's, and return its status."""
    path = re.sub(r"\{\w+\}", "1", operation.path.replace("{business_slug}", "mine"))
    return actor.send(operation.method, path, content=body).status


@pytest.fixture(scope="module")
def owner(shared: World) -> Actor:
    actor = shared.user()
    actor.create_business(slug="mine")
    return actor


def answers(document: Any, operation: Operation) -> set[int]:
    return {int(status) for status in document["paths"][operation.path][operation.method.lower()]["responses"]}


@pytest.mark.together
@pytest.mark.parametrize("operation", TABLE, ids=lambda one: f"{one.method} {one.path}")
def test_what_may_be_answered_to_anything_is_in_it(
    shared: World, document: Any, owner: Actor, monkeypatch: pytest.MonkeyPatch, operation: Operation
) -> None:
    """Too long, a full disk, a database that is away, a fault of the service."""

    def failing(problem: Exception) -> Any:
        def fail(*_: object, **__: object) -> Any:
            raise problem

        return fail

    found = set()
    if operation.method not in ("GET", "DELETE"):
        found.add(ask(shared, owner, operation, bytes(operation.max_body + 1)))
        assert found == {413}
    for problem in (DiskFull(), Unavailable(), RuntimeError()):
        with monkeypatch.context() as broken:
            broken.setattr(shared.database, "write", failing(problem))
            if operation.safe or operation.sends:
                broken.setattr(shared.database, "read", failing(problem))
            if operation.method != "GET" or not isinstance(problem, DiskFull):
                found.add(ask(shared, owner, operation))
    assert found >= {500, 503}
    assert found <= answers(document, operation)


def test_watchers_and_generators_may_ask_for_heads_alone(shared: World) -> None:
    for path in ("/openapi.json", "/openapi/", "/health", "/ready"):
        head, whole = shared.client.request("HEAD", path), shared.client.get(path)
        assert (head.status_code, head.content) == (200, b""), path
        assert head.headers["Content-Length"] == str(len(whole.content))


def test_generators_find_it(shared: World, document: Any) -> None:
    found = shared.client.get("/openapi/")
    assert (found.status_code, found.json()) == (200, document)
    assert shared.client.get("/openapi").headers["Location"] == "/openapi/"


def test_bodies_that_must_be_sent_and_pages_that_may_be_missing_are_marked(document: Any) -> None:
    for _, path, operation in operations(document):
        if body := operation.get("requestBody"):
            schema = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert body["required"] == bool(document["components"]["schemas"][schema].get("required")), path
        if any(parameter["name"] == "page" for parameter in operation["parameters"]):
            assert "404" in operation["responses"], path


def test_every_route_is_in_it(document: Any) -> None:
    found = {(method.upper(), path) for method, path, _ in operations(document)}
    assert found == {(route.method, route.path) for route in TABLE}


def test_operations_are_sound(document: Any) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    for method, path, operation in operations(document):
        assert operation["summary"].endswith("."), (method, path)
        places = [(parameter["in"], parameter["name"]) for parameter in operation["parameters"]]
        assert len(places) == len(set(places))
        assert {name for place, name in places if place == "path"} == set(re.findall(r"\{(\w+)\}", path))
        assert all(parameter.get("required") for parameter in operation["parameters"] if parameter["in"] == "path")
        assert all("schema" in parameter for parameter in operation["parameters"])
        assert ("requestBody" in operation) <= (method in ("post", "put", "patch"))
        assert any(status.startswith("2") for status in operation["responses"])
        assert all("description" in reply for reply in operation["responses"].values())
        # a token is never kept for replay
        assert (("header", "Idempotency-Key") in places) == (method == "post" and path != "/auth/jwt/")


def test_filters_say_what_they_take(document: Any) -> None:
    listed = document["paths"]["/v1/invoicing/{business_slug}/invoice/"]["get"]["parameters"]
    found = {one["name"]: {**one, "description": ""} for one in listed}
    word, query = {"type": "string", "enum": ["DRAFT", "ACCEPTED", "PAID", "CREDIT_LOSS"]}, {"in": "query"}
    several = {"style": "form", "explode": True, "schema": {"type": "array", "items": word}}
    assert found["status"] == {"name": "status", **query, "description": "", **several}
    assert found["status_changed_to"] == {"name": "status_changed_to", **query, "description": "", "schema": word}
    assert found["page"] == {"name": "page", **query, "description": "", "schema": {"type": "integer"}}
    assert found["invoicing_date_gte"]["schema"] == {"type": "string", "format": "date"}
    assert found["business_slug"]["schema"] == {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,16}$"}


def wordless(value: Any) -> Any:
    """The same without what is written for people."""
    if isinstance(value, dict):
        return {name: wordless(inner) for name, inner in value.items() if name not in ("description", "summary")}
    return [wordless(inner) for inner in value] if isinstance(value, list) else value


def as_json(schema: Any) -> Any:
    return {"content": {"application/json": {"schema": schema}}}


def refused(*statuses: int) -> dict[str, Any]:
    return {str(status): as_json({"$ref": "#/components/schemas/Error"}) for status in statuses}


SLUG = {
    "name": "business_slug",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,16}$"},
}
TAG_ID = {
    "name": "tag_id",
    "in": "path",
    "required": True,
    "schema": {"type": "integer", "format": "int64", "minimum": 1},
}
KEY = {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "minLength": 1, "maxLength": 255}}
TAG = {"$ref": "#/components/schemas/Tag"}
A_PAGE = {
    "type": "object",
    "required": ["count", "next", "prev", "size", "results"],
    "properties": {
        "count": {"type": "integer"},
        "next": {"type": ["integer", "null"]},
        "prev": {"type": ["integer", "null"]},
        "size": {"type": "integer"},
        "results": {"type": "array", "items": TAG},
    },
}
ANY = (400, 401, 403, 404, 429, 500, 503)
WRITE = (*ANY, 412, 423, 507)
BODY = (*WRITE, 413, 415)


@pytest.mark.together
@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        (
            "get",
            "tags/",
            {
                "operationId": "list_tags",
                "parameters": [
                    SLUG,
                    {"name": "page", "in": "query", "schema": {"type": "integer"}},
                    {"name": "page_size", "in": "query", "schema": {"type": "integer"}},
                    {"name": "search", "in": "query", "schema": {"type": "string"}},
                ],
                "responses": {"200": as_json(A_PAGE), **refused(*ANY)},
            },
        ),
        (
            "post",
            "tags/",
            {
                "operationId": "create_tag",
                "parameters": [SLUG, KEY],
                "requestBody": {"required": False, **as_json({"$ref": "#/components/schemas/TagRequest"})},
                "responses": {"201": as_json(TAG), **refused(*BODY, 409, 422)},
            },
        ),
        (
            "patch",
            "tags/{tag_id}/",
            {
                "operationId": "update_tag",
                "parameters": [SLUG, TAG_ID],
                "requestBody": {"required": False, **as_json({"$ref": "#/components/schemas/PartialTagRequest"})},
                "responses": {"200": as_json(TAG), **refused(*BODY)},
            },
        ),
        (
            "delete",
            "tags/{tag_id}/",
            {
                "operationId": "delete_tag",
                "parameters": [SLUG, TAG_ID],
                "responses": {"204": {}, **refused(*WRITE)},
            },
        ),
    ],
)
def test_an_operation_is_described_whole(document: Any, method: str, path: str, expected: dict[str, Any]) -> None:
    found = document["paths"][f"/v1/business/{{business_slug}}/{path}"][method]
    assert wordless(found) == {"tags": ["tag"], **expected}


def test_the_formats_of_bodies_are_those_that_are_read(document: Any) -> None:
    """Those of docs/interface.md 1.2."""
    forms = {
        ("post", "/v1/business/"),
        ("put", "/v1/business/{business_slug}/"),
        ("patch", "/v1/business/{business_slug}/"),
        ("post", "/auth/jwt/"),
    }
    uploads = {("post", "/v1/business/{business_slug}/file_upload/"), ("put", "/v1/business/{business_slug}/logo/")}
    found: dict[tuple[str, ...], set[tuple[str, str]]] = {}
    for method, path, operation in operations(document):
        if "requestBody" in operation:
            found.setdefault(tuple(operation["requestBody"]["content"]), set()).add((method, path))
    assert {kinds: places for kinds, places in found.items() if kinds != ("application/json",)} == {
        ("application/json", "application/x-www-form-urlencoded", "multipart/form-data"): forms,
        ("application/json", "multipart/form-data"): uploads,
    }


def test_whoever_may_do_it_is_named(document: Any) -> None:
    """Administrators among them (docs/interface.md 2.3)."""
    creation = document["paths"]["/v1/business/{business_slug}/account/"]["post"]
    assert creation["description"] == "Needs one of the permissions accounts_editor, admin."
    assert "description" not in document["paths"]["/v1/user/"]["get"]


def test_references_lead_somewhere(document: Any) -> None:
    schemas = document["components"]["schemas"]
    references = {part["$ref"] for part in walk(document) if isinstance(part, dict) and "$ref" in part}
    assert {reference.removeprefix("#/components/schemas/") for reference in references} == schemas.keys()


def test_schemas_are_json_schema(document: Any) -> None:
    kinds = {"string", "integer", "number", "boolean", "object", "array", "null"}
    for name, schema in document["components"]["schemas"].items():
        assert schema["type"] in kinds, name
        for part in walk(schema.get("properties", {})):
            if isinstance(part, dict) and isinstance(part.get("type"), str):
                assert part["type"] in kinds, (name, part)
        assert set(schema.get("required", [])) <= schema.get("properties", {}).keys(), name


def test_patch_demands_nothing(document: Any) -> None:
    for method, path, operation in operations(document):
        if method == "patch":
            schema = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert not document["components"]["schemas"][schema].get("required"), path


def test_replies_have_the_fields_it_names(shared: World, document: Any) -> None:
    actor = shared.user()
    made = actor.create_business()
    for path, real in [("/v1/user/", "/v1/user/"), ("/v1/business/{business_slug}/", f"/v1/business/{made['slug']}/")]:
        reply = document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        schema = document["components"]["schemas"][reply["$ref"].rpartition("/")[2]]
        assert actor.get(real).keys() == schema["properties"].keys() == set(schema["required"])


def told(function: Any) -> Iterator[str]:
    """What the functions behind a handler say they return, as it is written."""
    if isinstance(function, partial):
        yield from told(function.func)
    elif isinstance(owner := getattr(function, "__self__", None), Records):
        yield from told(function.__func__ if function.__name__ == "delete" else owner.show)
    else:
        yield function.__annotations__.get("return", "Any")
        inner = getclosurevars(function).nonlocals
        if "area" in inner:  # a report, whose case is imported when it is asked for
            yield from told(load(f"{CASES}.{inner['area'].tag}:{inner['case']}"))
        elif "records" in inner:
            yield from told(inner["records"].show)
        else:
            yield from chain.from_iterable(told(inner[name]) for name in ("case", "show") if name in inner)


def promised(operation: Operation) -> set[str]:
    """How a function may write the type of an operation's reply."""
    if operation.response is None:
        return {"None"}
    kind = load(operation.response)
    if not is_typeddict(kind):  # a list that has a name
        return {f"list[{get_args(get_args(kind.__value__)[0])[0].__name__}]"}
    name = kind.__name__
    return {f"Page[{name}]", f"list[{name}]", name} if operation.shape == "page" else {name}


# long reports are written piece by piece; value sets that never change are no functions
UNTYPED = {"/report/journal/": "Generator[str, None, None]", "/report/ledger/": "Generator[str, None, None]"}


@pytest.mark.parametrize("operation", TABLE, ids=lambda one: f"{one.method} {one.path}")
def test_the_type_of_a_reply_is_the_one_its_function_returns(operation: Operation) -> None:
    found = {text for text in told(operation.handler) if text not in {"Any", "Page[Any]"}}
    pieces = {text for end, text in UNTYPED.items() if operation.path.endswith(end)}
    if "/constants/" in operation.path and not found:
        assert operation.response == "acctcli.models.constants:Choices"
    else:
        assert found
        assert found <= (pieces or promised(operation))
