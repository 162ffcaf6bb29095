"""The OpenAPI 3.1 document, made from the route table and the models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

import acctcli
from acctcli.models.base import partial
from acctcli.service.http.bodies import FORM, JSON, MULTIPART
from acctcli.service.http.pipeline import load

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaMode

    from acctcli.service.routes.route import Parameter, Route

SCHEMAS = "#/components/schemas/"

ERROR: dict[str, Any] = {
    "type": "object",
    "description": "A refusal; 400 adds one key per field at fault with its texts.",
    "required": ["code", "detail"],
    "properties": {"code": {"type": "string"}, "detail": {"type": "string"}},
    "additionalProperties": True,
}
REFUSALS = {
    400: "The body or the query is not valid.",
    401: "There is no token, or it is not valid here.",
    403: "The caller may not do this.",
    404: "There is no such record.",
    409: "The first request with this idempotency key is still being processed.",
    412: "Another record or a setting stands in the way.",
    413: "The body or the file in it is too large.",
    415: "The body has a format this operation does not read.",
    422: "The idempotency key was used for another request.",
    423: "The record or its period is locked.",
}
KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A unique value; the same request with the same key within 24 hours gets the stored reply.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}


def describe(paths: Mapping[str, Mapping[str, Route]]) -> dict[str, Any]:
    """Return the document of a table, by path and method."""
    routes = [route for methods in paths.values() for route in methods.values()]
    references, schemas = _schemas(routes)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "acctcli",
            "version": "v1",
            "description": f"The accounting service embedded in acctcli {acctcli.__version__}.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": {
            path: {method.lower(): _operation(route, references) for method, route in methods.items()}
            for path, methods in paths.items()
        },
        "components": {
            "schemas": {**schemas, "Error": ERROR},
            "securitySchemes": {
                "token": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "Authorization",
                    "description": "`Token <personal access token or JWT>`; the word Token is required.",
                }
            },
        },
    }


Key = tuple[str, bool]
References = Mapping[tuple[Key, "JsonSchemaMode"], dict[str, Any]]


def _schemas(routes: list[Route]) -> tuple[References, dict[str, Any]]:
    """Return the references by ((type, partial), mode), and the schemas they point at."""
    wanted: dict[tuple[Key, JsonSchemaMode], Any] = {}
    for route in routes:
        if route.request:
            model = load(route.request)
            wanted[(route.request, route.partial), "validation"] = partial(model) if route.partial else model
        if route.response:
            wanted[(route.response, False), "serialization"] = load(route.response)
    inputs = ((key, mode, TypeAdapter(kind)) for (key, mode), kind in wanted.items())
    references, document = TypeAdapter.json_schemas(inputs, ref_template=SCHEMAS + "{model}")
    return references, document.get("$defs", {})


def _operation(route: Route, references: References) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.handler.partition(":")[2],
        "summary": route.summary,
        "tags": [route.handler.partition(":")[0].rpartition(".")[2]],
        "parameters": _parameters(route),
        "responses": _responses(route, references),
    }
    if route.needs:
        operation["description"] = f"Needs one of the permissions {', '.join(sorted(route.needs | {'admin'}))}."
    if route.request:
        content = {"schema": references[(route.request, route.partial), "validation"]}
        operation["requestBody"] = {"content": dict.fromkeys(_kinds(route), content)}
    return operation


def _kinds(route: Route) -> tuple[str, ...]:
    """Return the formats of bodies that an operation reads."""
    if route.uploads:
        return JSON, MULTIPART
    return (JSON, FORM, MULTIPART) if route.forms else (JSON,)


def _parameters(route: Route) -> list[dict[str, Any]]:
    fields = [_path_parameter(name) for name in re.findall(r"\{(\w+)\}", route.path)]
    key = [KEY] if route.method == "POST" and route.stored else []
    return [*fields, *map(_query_parameter, route.query), *key]


def _path_parameter(name: str) -> dict[str, Any]:
    slug = {"type": "string", "pattern": "^[-a-zA-Z0-9_]{1,16}$"}
    number = {"type": "integer", "format": "int64", "minimum": 1}
    return {"name": name, "in": "path", "required": True, "schema": slug if name == "business_slug" else number}


def _query_parameter(parameter: Parameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": parameter.kind}
    if parameter.kind == "date":
        schema = {"type": "string", "format": "date"}
    if parameter.choices:
        schema["enum"] = list(parameter.choices)
    described = {"name": parameter.name, "in": "query", "description": parameter.description}
    if parameter.repeatable:
        return {**described, "style": "form", "explode": True, "schema": {"type": "array", "items": schema}}
    return {**described, "schema": schema}


def _responses(route: Route, references: References) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "Done."}
    if route.response:
        schema = references[(route.response, False), "serialization"]
        done["content"] = {JSON: {"schema": _page(schema) if route.shape == "page" else schema}}
    refusal = {JSON: {"schema": {"$ref": f"{SCHEMAS}Error"}}}
    refused = {str(status): {"description": REFUSALS[status], "content": refusal} for status in _refusals(route)}
    return {str(route.status): done, **refused}


def _refusals(route: Route) -> list[int]:
    """Return the statuses an operation may refuse with."""
    found = {400, 401, 403}
    if route.scoped:
        found |= {404}
    if route.method != "GET":
        found |= {412, 423} if route.scoped else {412}
    if route.request:
        found |= {413, 415}
    if route.method == "POST" and route.stored:
        found |= {409, 422}
    return sorted(found)


def _page(row: dict[str, Any]) -> dict[str, Any]:
    number = {"type": "integer"}
    return {
        "type": "object",
        "required": ["count", "next", "prev", "size", "results"],
        "properties": {
            "count": {**number, "description": "Total results."},
            "next": {"type": ["integer", "null"], "description": "Number of the next page."},
            "prev": {"type": ["integer", "null"], "description": "Number of the previous page."},
            "size": {**number, "description": "Page size used."},
            "results": {"type": "array", "items": row},
        },
    }
