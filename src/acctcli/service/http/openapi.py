"""The OpenAPI 3.1 document, made from the operations and the models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

import acctcli
from acctcli.models.base import partial
from acctcli.service.http.bodies import FORM, JSON, MULTIPART
from acctcli.service.http.service import BODILESS
from acctcli.service.routes.operation import load

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaMode

    from acctcli.service.routes.operation import Operation
    from acctcli.service.routes.parameters import Parameter

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
    404: "There is no such record or page.",
    409: "The first request with this idempotency key, or another delivery of this invoice, still runs.",
    412: "Another record or a setting stands in the way.",
    413: "The body, a list or the file in it is too large, or there is no room for it.",
    415: "The body has a format this operation does not read.",
    422: "The idempotency key was used for another request.",
    423: "The record or its period is locked.",
    429: "Too many requests of one sender or address are under way at once; Retry-After says when to come again.",
    500: "The service failed, or mail may have left and nobody can tell.",
    503: "The database or another server cannot do this now. Retry-After says when to come again."
    " Nothing-Changed is true where it is known that nothing was changed.",
    507: "The disk of the service is full; nothing was changed.",
}
KEY: dict[str, Any] = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A unique value; the same request with the same key within 24 hours gets the stored reply.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}

SEEN: dict[str, Any] = {
    "name": "If-Match",
    "in": "header",
    "description": "The last_delivery_at that the sender knows, in quotes, empty for never; sent since is 412.",
    "schema": {"type": "string"},
}


def describe(paths: Mapping[str, Mapping[str, Operation]]) -> dict[str, Any]:
    """Return the document of operations, by path and method."""
    operations = [operation for methods in paths.values() for operation in methods.values()]
    references, schemas = _schemas(operations)
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
            path: {method.lower(): _operation(operation, references) for method, operation in methods.items()}
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


def _schemas(operations: list[Operation]) -> tuple[References, dict[str, Any]]:
    """Return the references by ((type, partial), mode), and the schemas they point at."""
    wanted: dict[tuple[Key, JsonSchemaMode], Any] = {}
    for operation in operations:
        if operation.request:
            model = load(operation.request)
            wanted[(operation.request, operation.partial), "validation"] = (
                partial(model) if operation.partial else model
            )
        if operation.response:
            wanted[(operation.response, False), "serialization"] = load(operation.response)
    inputs = ((key, mode, TypeAdapter(kind)) for (key, mode), kind in wanted.items())
    references, document = TypeAdapter.json_schemas(inputs, ref_template=SCHEMAS + "{model}")
    return references, document.get("$defs", {})


def _operation(operation: Operation, references: References) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.tag],
        "parameters": _parameters(operation),
        "responses": _responses(operation, references),
    }
    if operation.needs:
        described["description"] = f"Needs one of the permissions {', '.join(sorted(operation.needs | {'admin'}))}."
    if operation.request:
        content = {"schema": references[(operation.request, operation.partial), "validation"]}
        body = load(operation.request)
        is_required = not operation.partial and any(field.is_required() for field in body.model_fields.values())
        described["requestBody"] = {"required": is_required, "content": dict.fromkeys(_kinds(operation), content)}
    return described


def _kinds(operation: Operation) -> tuple[str, ...]:
    """Return the formats of bodies that an operation reads."""
    if operation.uploads:
        return JSON, MULTIPART
    return (JSON, FORM, MULTIPART) if operation.forms else (JSON,)


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    fields = [_path_parameter(name) for name in re.findall(r"\{(\w+)\}", operation.path)]
    key = [KEY] if operation.method == "POST" and operation.stored else []
    seen = [SEEN] if operation.sends else []
    return [*fields, *map(_query_parameter, operation.query), *key, *seen]


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


def _responses(operation: Operation, references: References) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "Done."}
    if operation.response:
        schema = references[(operation.response, False), "serialization"]
        done["content"] = {JSON: {"schema": _page(schema) if operation.shape == "page" else schema}}
    refusal = {JSON: {"schema": {"$ref": f"{SCHEMAS}Error"}}}
    refused = {str(status): {"description": REFUSALS[status], "content": refusal} for status in _refusals(operation)}
    return {str(operation.status): done, **refused}


def _refusals(operation: Operation) -> list[int]:
    """Return the statuses an operation may refuse with."""
    found = {400, 401, 403, 429, 500, 503}
    if operation.scoped or operation.shape == "page":
        found |= {404}
    if operation.method != "GET":
        found |= {412, 423, 507} if operation.scoped else {412, 507}
    if operation.method not in BODILESS:
        found |= {413}
    if operation.request:
        found |= {415}
    if operation.method == "POST" and operation.stored:
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
