"""The names of a reply's fields, read from the source of its type.

Completion needs the names alone, and importing a module of models imports pydantic: a tenth of a second against a
thousandth.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pkgutil import get_data


def fields_of(reply: str) -> tuple[str, ...]:
    """Return the names of the fields of a reply, given as `module:Type`, in order; KeyError if there is no such type.

    Fields of the types it extends come first; those stand in the same module, or in one that it imports them from.
    """
    module, _, name = reply.partition(":")
    types = dict(_types(module))
    return tuple(_fields(types, types[name]))


def _types(module: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield the classes of a module, after those that a class of it extends and another module has."""
    tree = ast.parse(get_data("acctcli.models", f"{module}.py") or b"")
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    bases = {base.id for node in classes for base in node.bases if isinstance(base, ast.Name)}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and bases & {one.name for one in node.names}:
            package, _, other = (node.module or "").rpartition(".")
            yield from _types(other) if package == "acctcli.models" else ()
    yield from ((node.name, node) for node in classes)


def _fields(types: Mapping[str, ast.ClassDef], kind: ast.ClassDef) -> Iterator[str]:
    for base in kind.bases:
        if isinstance(base, ast.Name) and base.id in types:
            yield from _fields(types, types[base.id])
    for line in kind.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            yield line.target.id
