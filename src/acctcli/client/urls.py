"""One URL builder: nothing typed by a person or sent by a server becomes a path unchecked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from acctcli.errors import UsageError

SLUG = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SAFE_PATH = re.compile(r"/(?:[A-Za-z0-9_.~-]+/)*[A-Za-z0-9_.~-]*", re.ASCII)

QueryValue = str | int | bool | None
Query = Mapping[str, QueryValue | Iterable[str | int]]


def slug(value: str, name: str = "business") -> str:
    """Return `value` if it is a slug (docs/interface.md 1.1), else raise UsageError."""
    if not SLUG.fullmatch(value):
        raise UsageError(
            f"{name} {value!r} is not a slug: letters, digits, '-' and '_' only",
            fields={name: ["letters, digits, '-' and '_' only"]},
        )
    return value


def identifier(value: int, name: str = "id") -> int:
    """Return `value` if it can be a record id (a positive integer below 2^63), else raise UsageError."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 2**63:
        raise UsageError(f"{name} {value!r} is not a record id: a positive whole number")
    return value


def build_path(template: str, values: Mapping[str, str | int]) -> str:
    """Fill `{name}` places of a path template; slugs and integer ids only."""

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        value = values[name]
        return slug(value, name) if isinstance(value, str) else str(identifier(value, name))

    return _PLACEHOLDER.sub(fill, template)


def check_path(path: str) -> str:
    """Return a hand-typed path in the form the service wants, ending in `/`, or raise UsageError.

    Only plain segments pass: no host, no `..`, no encoded or control characters, no query.
    """
    whole = path if path.startswith("/") else f"/{path}"
    segments = whole.split("/")
    if not _SAFE_PATH.fullmatch(whole) or "." in segments or ".." in segments:
        raise UsageError(
            f"path {path!r} is not a path of the service",
            hint="write it like /v1/business/{business}/account/ and give queries with --field on GET",
        )
    return whole if whole.endswith("/") else f"{whole}/"


def build_query(query: Query) -> str:
    """Encode a query; None is left out, booleans are `true`/`false`, sequences repeat the name."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, (str, int)):
            pairs.append((name, _text(value)))
        else:
            pairs.extend((name, _text(item)) for item in value)
    return urlencode(pairs)


def _text(value: str | int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
