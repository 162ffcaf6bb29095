"""From an address to what answers it.

Falcon's own router compiles every template before the first request: longer than it takes to answer one, and a command
line asks the service in process once or twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from falcon.routing import CompiledRouter, map_http_methods, set_default_responders

from acctcli.service.routes.query import INTEGER_LIMIT

CONTENT_NAME = re.compile(r"[0-9a-f]{32}")
SLUG = re.compile(r"[-a-zA-Z0-9_]{1,16}")
FIELD = re.compile(r"\{(\w+):(\w+)\}")


def _read_id(text: str) -> int | None:
    """Return an id of a path, a positive integer of 64 bits in plain digits; anything else is no address."""
    if not (text.isascii() and text.isdigit()) or len(text) > 19:
        return None
    number = int(text)
    return number if 0 < number <= INTEGER_LIMIT else None


def _read_slug(text: str) -> str | None:
    """Return a slug; what cannot be one is no address."""
    return text if SLUG.fullmatch(text) else None


def _read_content_name(text: str) -> str | None:
    """Return the opaque name of content: 32 hex digits, and nothing a file system could take for a path."""
    return text if CONTENT_NAME.fullmatch(text) else None


READERS: dict[str, Callable[[str], int | str | None]] = {
    "id": _read_id,
    "slug": _read_slug,
    "content": _read_content_name,
}


class AddressNode:
    """A step of an address: what is next by its word, and the one field that may stand instead."""

    def __init__(self) -> None:
        self.words: dict[str, AddressNode] = {}
        self.field: AddressField | None = None
        self.resource: object = None
        self.template: str | None = None

    @cached_property
    def methods(self) -> Any:
        """What answers each method; 405 for those the resource has not."""
        found = map_http_methods(self.resource)
        set_default_responders(found)
        return found


class AddressField:
    """A field of addresses, and what follows it."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind
        self.read = READERS[kind]
        self.next = AddressNode()


class Router(CompiledRouter):
    """Finds addresses step by step; of a template, a step is a word or a field `{name:kind}`.

    `join` is told of every address that is looked for, and may add the resources around it first.
    """

    def __init__(self, join: Callable[[str, Router], None] = lambda path, router: None) -> None:
        super().__init__()
        self._start = AddressNode()
        self._join = join

    def add_route(self, uri_template: str, resource: object, **kwargs: Any) -> None:
        """Let a resource answer the addresses of a template."""
        del kwargs
        place = self._start
        for step in uri_template.lstrip("/").split("/"):
            found = FIELD.fullmatch(step)
            if found is None:
                place = place.words.setdefault(step, AddressNode())
                continue
            field = place.field = place.field or AddressField(found[1], found[2])
            if (field.name, field.kind) != (found[1], found[2]):
                raise ValueError(f"{uri_template}: another template has {field.name} here")
            place = field.next
        place.resource, place.template = resource, uri_template

    def find(self, uri: str, req: Any = None) -> tuple[object, Any, dict[str, Any], str | None] | None:
        """Return the resource of an address, its methods, the fields, and the template; None for no address."""
        del req
        self._join(uri, self)
        place, fields = self._start, {}
        for step in uri.lstrip("/").split("/"):
            word = place.words.get(step)
            if word is not None:
                place = word
                continue
            if place.field is None or (value := place.field.read(step)) is None:
                return None
            fields[place.field.name] = value
            place = place.field.next
        return None if place.template is None else (place.resource, place.methods, fields, place.template)
