"""From an address to what answers it.

Addresses join when they are first asked for: a command line asks the service in process once or twice, and frameworks
compile all templates before the first request, which takes longer than to answer it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from acctcli.service.routes.query import INTEGER_LIMIT

if TYPE_CHECKING:
    from acctcli.service.http.answers import Answer
    from acctcli.service.http.wsgi import Arrival

# answers a call at an address with these fields
Handler = Callable[["Arrival", dict[str, Any]], "Answer"]

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
        self.handlers: Mapping[str, Handler] | None = None


class AddressField:
    """A field of addresses, and what follows it."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind
        self.read = READERS[kind]
        self.next = AddressNode()


class Router:
    """Finds addresses step by step; of a template, a step is a word or a field `{name:kind}`.

    `join` is told of every address that is looked for, and may add those around it first.
    """

    def __init__(self, join: Callable[[str, Router], None] = lambda path, router: None) -> None:
        self._start = AddressNode()
        self._join = join

    def add_route(self, template: str, handlers: Mapping[str, Handler]) -> None:
        """Let each method of the addresses of a template be answered by its handler."""
        place = self._start
        for step in template.lstrip("/").split("/"):
            found = FIELD.fullmatch(step)
            if found is None:
                place = place.words.setdefault(step, AddressNode())
                continue
            field = place.field = place.field or AddressField(found[1], found[2])
            if (field.name, field.kind) != (found[1], found[2]):
                raise ValueError(f"{template}: another template has {field.name} here")
            place = field.next
        place.handlers = handlers

    def find(self, path: str) -> tuple[Mapping[str, Handler], dict[str, Any]] | None:
        """Return the handlers of an address by method, and its fields; None for no address."""
        self._join(path, self)
        place, fields = self._start, {}
        for step in path.removeprefix("/").split("/"):
            word = place.words.get(step)
            if word is not None:
                place = word
                continue
            if place.field is None or (value := place.field.read(step)) is None:
                return None
            fields[place.field.name] = value
            place = place.field.next
        return None if place.handlers is None else (place.handlers, fields)
