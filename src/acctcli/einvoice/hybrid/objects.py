"""Objects of a PDF, whether they stand where they are used or somewhere else in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NullObject


def at(one: DictionaryObject, key: str) -> Any:
    """Return what stands under a key, None where nothing does."""
    return _resolved(one.get(key))


def dictionary(found: Any) -> DictionaryObject:
    """Return a dictionary; an empty one for anything else."""
    found = _resolved(found)
    return found if isinstance(found, DictionaryObject) else DictionaryObject()


def array(found: Any) -> list[Any]:
    """Return the members of an array, and a single name or dictionary as one member."""
    found = _resolved(found)
    if not isinstance(found, ArrayObject):
        return [] if found is None else [found]
    return [_resolved(one) for one in list.__iter__(found)]


def everything(root: DictionaryObject) -> Iterator[Any]:
    """Yield all that a document leads to, each once."""
    seen: set[tuple[int, int]] = set()
    waiting: list[Any] = [root]
    while waiting:
        one = waiting.pop()
        if isinstance(one, IndirectObject):
            if (one.idnum, one.generation) in seen:
                continue
            seen.add((one.idnum, one.generation))
            one = one.get_object()
        yield one
        if isinstance(one, DictionaryObject):
            waiting += dict.values(one)
        elif isinstance(one, ArrayObject):
            waiting += list.__iter__(one)


def _resolved(found: Any) -> Any:
    found = found.get_object() if isinstance(found, IndirectObject) else found
    return None if isinstance(found, NullObject) else found
