"""The graph of a workflow as a picture: a tree for terminals, Mermaid for pages, SVG for everything else.

Whatever hangs together is drawn, also what another service knows and this one does not: nodes of unknown types, and
circles. Text of nodes is shown and never obeyed (docs/interface.md 11.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from acctcli.cli.output.safe import visible
from acctcli.client.messages import encode_plain

# letters of a label, beyond which it is cut
_LONGEST = 60
# of an SVG, in its own units
_WIDTH, _HEIGHT, _ASIDE, _BELOW, _EDGE = 320, 44, 28, 56, 20
# what Mermaid takes as it is within quotes; anything else is written as the number of its character
_PLAIN = re.compile(r"[^\w .,:/@+-]")

Row = Mapping[str, Any]


class Edge(NamedTuple):
    """Where an edge leads, and from which side of a condition."""

    target: str
    handle: str


class Drawn(NamedTuple):
    """A graph as it is drawn: labels by node, and the edges that leave each, in the order they were saved."""

    labels: dict[str, str]
    edges: dict[str, list[Edge]]

    def roots(self) -> Iterator[str]:
        """Yield the nodes that nothing leads to, and one of each circle that is not reached otherwise."""
        led_to = {edge.target for edges in self.edges.values() for edge in edges}
        seen: set[str] = set()
        for name in (*(one for one in self.labels if one not in led_to), *self.labels):
            if name not in seen:
                yield name
                seen.update(self._reached(name, seen))

    def _reached(self, name: str, seen: set[str]) -> set[str]:
        found, open_ = {name}, [name]
        while open_:
            targets = {edge.target for edge in self.edges[open_.pop()]} - found - seen
            found |= targets
            open_ += targets
        return found


def read_graph(graph: Row) -> Drawn:
    """Take out of a saved graph what a picture shows; edges that lead nowhere are left out."""
    nodes = {node["id"]: node for node in _rows(graph, "nodes") if isinstance(node.get("id"), str)}
    edges: dict[str, list[Edge]] = {name: [] for name in nodes}
    for row in _rows(graph, "edges"):
        source, target, handle = (row.get(name) for name in ("source", "target", "sourceHandle"))
        if isinstance(source, str) and isinstance(target, str) and {source, target} <= nodes.keys():
            edges[source].append(Edge(target, _cut(handle) if isinstance(handle, str) else ""))
    return Drawn({name: _label(node) for name, node in nodes.items()}, edges)


def draw_tree(graph: Drawn) -> str:
    """Return lines for a terminal; a node that several lead to is followed once."""
    seen: set[str] = set()
    lines: list[str] = []
    # of what is still to be written: the node, what stands before it, and before what hangs on it
    open_ = [(name, "", "") for name in reversed([*graph.roots()])]
    while open_:
        name, before, below = open_.pop()
        again = name in seen and bool(graph.edges[name])
        lines.append(f"{before}{graph.labels[name]}{' (see above)' if again else ''}")
        if name in seen:
            continue
        seen.add(name)
        edges = graph.edges[name]
        for place, edge in reversed([*enumerate(edges, 1)]):
            branch, beside = ("└── ", "    ") if place == len(edges) else ("├── ", "│   ")
            said = f"{edge.handle}: " if edge.handle else ""
            open_.append((edge.target, f"{below}{branch}{said}", f"{below}{beside}"))
    return "\n".join(lines) + "\n" if lines else "(no nodes)\n"


def draw_mermaid(graph: Drawn) -> str:
    """Return a flowchart in the words of Mermaid."""
    numbers = {name: f"n{number}" for number, name in enumerate(graph.labels, 1)}
    lines = ["flowchart TD", *(f'  {numbers[name]}["{_quoted(label)}"]' for name, label in graph.labels.items())]
    for name, edges in graph.edges.items():
        for edge in edges:
            said = f'|"{_quoted(edge.handle)}"|' if edge.handle else ""
            lines.append(f"  {numbers[name]} -->{said} {numbers[edge.target]}")
    return "\n".join(lines) + "\n"


def draw_svg(graph: Drawn) -> str:
    """Return a picture in layers: each node stands below all that lead to it."""
    places = {
        name: (_EDGE + column * (_WIDTH + _ASIDE), _EDGE + row * (_HEIGHT + _BELOW))
        for row, layer in enumerate(_layers(graph))
        for column, name in enumerate(layer)
    }
    right = max((x for x, _ in places.values()), default=0) + _WIDTH + _EDGE
    bottom = max((y for _, y in places.values()), default=0) + _HEIGHT + _EDGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right}" height="{bottom}" viewBox="0 0 {right} {bottom}" '
        'font-family="sans-serif" font-size="12">',
        '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#555"/></marker></defs>',
        f'<rect width="{right}" height="{bottom}" fill="#fff"/>',
    ]
    for name, edges in graph.edges.items():
        lines += [_line(places[name], places[edge.target], edge.handle) for edge in edges]
    lines += [_box(places[name], label) for name, label in graph.labels.items()]
    return "\n".join([*lines, "</svg>"]) + "\n"


PICTURES: dict[str, Callable[[Drawn], str]] = {"tree": draw_tree, "mermaid": draw_mermaid, "svg": draw_svg}


def _rows(graph: Row, name: str) -> Sequence[Row]:
    rows = graph.get(name)
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _label(node: Row) -> str:
    """Return what a node is in a line: its type, and what its data says of it."""
    kind, data = node.get("type"), node.get("data")
    data = data if isinstance(data, Mapping) else {}
    said: Sequence[object] = {
        "trigger.event": (_listed(data.get("event_types")),),
        "condition": (data.get("path"), data.get("operator"), data.get("value")),
        "action.tag_document": (_listed(data.get("tag_ids")),),
        "action.http_request": (data.get("method"), data.get("url")),
        "action.log": (data.get("message"),),
    }.get(str(kind), (data.get("label"),))
    words = " ".join(
        one if isinstance(one, str) else encode_plain(one).decode() for one in said if one not in (None, "")
    )
    return _cut(f"{kind or 'node'}{f' {words}' if words else ''}")


def _listed(values: object) -> str:
    return ", ".join(map(str, values)) if isinstance(values, list) else ""


def _cut(text: str) -> str:
    text = visible(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _quoted(label: str) -> str:
    return _PLAIN.sub(lambda match: f"#{ord(match[0])};", label)


def _layers(graph: Drawn) -> list[list[str]]:
    """Return the nodes by how far below their roots they stand at most; an edge that closes a circle counts nothing."""
    depths = dict.fromkeys(graph.labels, 0)
    order, forward = _ordered(graph)
    for name in order:
        for target in forward[name]:
            depths[target] = max(depths[target], depths[name] + 1)
    layers: list[list[str]] = [[] for _ in range(max(depths.values(), default=-1) + 1)]
    for name, depth in depths.items():
        layers[depth].append(name)
    return layers


def _ordered(graph: Drawn) -> tuple[list[str], dict[str, list[str]]]:
    """Return the nodes, each after what leads to it, and where their edges lead but for those that close a circle."""
    forward: dict[str, list[str]] = {name: [] for name in graph.labels}
    left: list[str] = []
    is_above: dict[str, bool] = {}
    open_ = [*graph.roots()]
    while open_:
        name = open_.pop()
        if name in is_above:
            # everything below has been seen by now
            if is_above[name]:
                is_above[name] = False
                left.append(name)
            continue
        is_above[name] = True
        open_.append(name)
        for edge in graph.edges[name]:
            if not is_above.get(edge.target, False):
                forward[name].append(edge.target)
                open_.append(edge.target)
    return left[::-1], forward


def _line(start: tuple[int, int], end: tuple[int, int], handle: str) -> str:
    x1, y1, x2, y2 = start[0] + _WIDTH // 2, start[1] + _HEIGHT, end[0] + _WIDTH // 2, end[1]
    line = f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#555" marker-end="url(#end)"/>'
    if not handle:
        return line
    return f'{line}<text x="{(x1 + x2) // 2 + 4}" y="{(y1 + y2) // 2}" fill="#555">{escape(handle)}</text>'


def _box(place: tuple[int, int], label: str) -> str:
    x, y = place
    return (
        f"<g><title>{escape(label)}</title>"
        f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="#eef4fb" stroke="#0b5cad"/>'
        f'<text x="{x + 10}" y="{y + _HEIGHT // 2 + 4}" textLength={quoteattr(str(min(_WIDTH - 20, 7 * len(label))))} '
        f'lengthAdjust="spacingAndGlyphs">{escape(label)}</text></g>'
    )
