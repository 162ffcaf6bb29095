"""XML as a stream of small trees: what others wrote is read piece by piece, and hostile markup is refused.

Expat's own hooks do what is needed, and tell the line of each element. A document type is refused where it begins, and
with it every entity; so are elements too deep in each other and pieces too large to be a part of a statement or an
invoice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import BinaryIO
from xml.parsers import expat

import msgspec

_DEPTH = 40
# of one piece, such as an entry of a statement, a line of an invoice, or what stands before them
_ELEMENTS, _CHARACTERS = 20_000, 2**20
_CHUNK = 2**16
# names that are split once
_NAMES = 256
# of one tag, comment or instruction
_MARKUP = 2**20


class FileFault(ValueError):
    """What is wrong with a file that somebody else wrote, the line, and the field, as far as they are known."""

    noun = "a file"

    def __init__(self, problem: str, line: int | None = None, field: str | None = None) -> None:
        self.problem = problem
        self.line = line
        self.field = field
        place = ", ".join(filter(None, (f"line {line}" if line else "", field or "")))
        super().__init__(f"{place}: {problem}" if place else problem)


@cache
def _steps(path: str) -> list[str]:
    return path.split("/")


class Node(msgspec.Struct, eq=False, gc=False):
    """An element: its name without namespace, its text, what is in it, and its line."""

    name: str
    attributes: Mapping[str, str]
    line: int
    text: str = ""
    nodes: list[Node] = []

    def all(self, name: str) -> Iterator[Node]:
        """Yield the elements of a name right inside."""
        return (node for node in self.nodes if node.name == name)

    def firsts(self) -> dict[str, Node]:
        """Return the first element of each name right inside: of many names it is quicker than asking for each."""
        return {node.name: node for node in reversed(self.nodes)}

    def first(self, path: str) -> Node | None:
        """Return the first element at a path such as `Acct/Id/IBAN`."""
        found = self
        for name in _steps(path):
            for node in found.nodes:
                if node.name == name:
                    found = node
                    break
            else:
                return None
        return found

    def said(self, *paths: str) -> str:
        """Return the text at the first of the paths that has one."""
        for path in paths:
            found = self.first(path)
            if found is not None and (text := found.text.strip()):
                return text
        return ""


class Pieces:
    """Reads a document; yields of each element that is named `whole` its tree, and takes it out of what it stood in.

    Of one that is named in `opening` it is yielded where it begins, and what follows is written in its namespace: an
    element of another one keeps its long name, by which nobody asks, and is refused where it is called like a `whole`
    one. Of those `ignored`, such as files within the file, the text is left out; what stands in those `aside`, which
    others add to a message, is passed over. What is refused is raised as a `fault`.
    """

    def __init__(
        self,
        stream: BinaryIO,
        whole: frozenset[str],
        opening: frozenset[str],
        fault: type[FileFault],
        ignored: frozenset[str] = frozenset(),
        aside: frozenset[str] = frozenset(),
    ) -> None:
        self._stream = stream
        self._whole = whole
        self._opening = opening
        self._fault = fault
        self._ignored = ignored
        self._aside = aside
        # how deep in what stands aside the reader is, 1 right in it
        self._below = 0
        self._is_opened = False
        self._open: list[Node] = []
        self._found: list[tuple[Node, bool]] = []
        self._elements = self._characters = 0
        self._names: dict[str, str] = {}
        self.root: Node | None = None
        self.namespace = ""
        self._parser = parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data_but_ignored if ignored else self._data

    @property
    def line(self) -> int:
        """The line that is read."""
        return self._parser.CurrentLineNumber

    @property
    def open(self) -> list[Node]:
        """What is begun and not ended, the root first; complete only up to what was yielded last."""
        return self._open

    def __iter__(self) -> Iterator[tuple[Node, bool]]:
        """Yield elements, and whether each has ended."""
        try:
            read = 0
            while chunk := self._stream.read(_CHUNK):
                self._parser.Parse(chunk, False)
                yield from self._take()
                read += len(chunk)
                if read - self._parser.CurrentByteIndex > _MARKUP + _CHUNK:
                    raise self._fault(f"one tag or comment is longer than {_MARKUP:,} bytes", self.line)
            self._parser.Parse(b"", True)
            yield from self._take()
        except expat.ExpatError as fault:
            raise self._fault(f"this is not XML: {expat.ErrorString(fault.code)}", fault.lineno) from None
        except FileFault:
            raise
        except (LookupError, ValueError) as unknown:
            raise self._fault(f"its encoding is none that can be read: {unknown}", self.line) from None

    def _take(self) -> Iterator[tuple[Node, bool]]:
        found, self._found = self._found, []
        return iter(found)

    def _refuse_doctype(self, *_: object) -> None:
        raise self._fault(f"{self._fault.noun} has no document type and no entities", self.line, "DOCTYPE")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        stack, line = self._open, self._parser.CurrentLineNumber
        if self._below:
            self._pass_over(line)
            return
        plain = self._names.get(name) or self._name(name)
        node = Node(plain, attributes, line)
        self._elements += 1
        if attributes:
            self._characters += sum(map(len, attributes.values()))
        if len(stack) >= _DEPTH:
            raise self._fault(f"elements lie deeper in each other than {_DEPTH}", line, plain)
        if self._elements > _ELEMENTS:
            raise self._fault(f"one part holds more than {_ELEMENTS:,} elements", line, plain)
        if not stack:
            self.root = node
            self.namespace = name.rpartition("}")[0]
        if plain in self._opening:
            self.namespace, self._is_opened = name.rpartition("}")[0], True
            self._names.clear()
            self._found.append((node, False))
        elif plain in self._aside:
            self._below = 1
        stack.append(node)

    def _pass_over(self, line: int) -> None:
        """Count an element that stands aside: it is none of ours, and its size and depth are those of others."""
        self._below += 1
        self._elements += 1
        if len(self._open) + self._below > _DEPTH + 1:
            raise self._fault(f"elements lie deeper in each other than {_DEPTH}", line, self._open[-1].name)
        if self._elements > _ELEMENTS:
            raise self._fault(f"one part holds more than {_ELEMENTS:,} elements", line, self._open[-1].name)

    def _name(self, name: str) -> str:
        """Return a name without its namespace, where that is ours, or there is none.

        A document has few names, and short ones, unless somebody means harm.
        """
        namespace, _, plain = name.rpartition("}")
        if self._is_opened and namespace not in {"", self.namespace} and plain not in self._opening:
            if plain in self._whole:
                told = f"it is of the namespace {namespace[:80]!r}: {self.namespace!r} would be right"
                raise self._fault(told, self.line, plain)
            plain = name
        if len(self._names) < _NAMES and len(name) < _CHUNK // _NAMES:
            self._names[name] = plain
        return plain

    def _data(self, text: str) -> None:
        if self._below:
            return
        self._characters += len(text)
        if self._characters > _CHARACTERS:
            raise self._fault(f"one part holds more than {_CHARACTERS:,} characters", self.line)
        node = self._open[-1]
        if node.text or not text.isspace():
            node.text += text

    def _data_but_ignored(self, text: str) -> None:
        if self._open[-1].name not in self._ignored:
            self._data(text)

    def _end(self, name: str) -> None:
        if self._below > 1:
            self._below -= 1
            return
        self._below = 0
        node = self._open.pop()
        if node.name in self._whole:
            self._found.append((node, True))
            self._elements = self._characters = 0
        elif self._open:
            self._open[-1].nodes.append(node)
