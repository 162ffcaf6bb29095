"""The graph of a workflow: what it may be built of, and what is wrong with one (docs/interface.md 11.3).

A graph is `{"nodes": [{id, type, position, data}], "edges": [{id, source, target, sourceHandle?}], ...}`. Keys that
are not named here are kept as they come. Plain data: no model is built of a graph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv6Address
from typing import Any
from urllib.parse import urlsplit

from acctcli.models.events import EVENT_TYPES

Row = Mapping[str, Any]

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
# of a path to a text, and of a value, as they are told
LONGEST_PLACE = 200
SURROGATES = re.compile("[\ud800-\udfff]")
OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte", "contains", "exists")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
HANDLES = ("true", "false")
# nodes of a graph that wait for the same event
MOST_WAITING = 50
TRIGGERS = ("trigger.event", "trigger.manual")
CONDITION = "condition"
TAGGING = "action.tag_document"
REQUEST = "action.http_request"
# how systems read numbers as addresses (decimal, octal, hexadecimal), and how everybody writes them
HOST_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
DOTTED = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}")
# names, and what stands in brackets
HOST = re.compile(
    r"(?=.{1,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\.?"
)
BRACKETED = re.compile(r"\[([0-9A-Fa-f:.]+)\]")
PLACE = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(?::[0-9]{1,5})?")
A_PLAIN_HOST = "a host by its name, or as four decimal numbers such as 203.0.113.7, or as IPv6 in brackets"


def find_fault(graph: Row) -> str | None:
    """Return what makes a graph none, in one sentence; a draft need not be complete, but hang together."""
    for name in ("nodes", "edges"):
        rows = graph.get(name, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            return f"{name} must be an array of objects."
    return next(_node_faults(nodes_of(graph)), None) or next(_edge_faults(graph), None) or _circle(graph)


def find_odd_text(value: Any) -> str | None:
    """Return which text or name inside a value of JSON is none that can be kept, in one sentence that says where."""
    left: list[tuple[str, Any]] = [("", value)]
    while left:
        place, one = left.pop()
        if isinstance(one, dict):
            for name, inner in one.items():
                if odd := _odd(name):
                    return f"A name in {place[:LONGEST_PLACE] or 'the object'} must {odd}."
                left.append((f"{place}.{name}".removeprefix("."), inner))
        elif isinstance(one, list):
            left += ((f"{place}.{number}".removeprefix("."), inner) for number, inner in enumerate(one))
        elif isinstance(one, str) and (odd := _odd(one)):
            return f"{place[:LONGEST_PLACE]} must {odd}."
    return None


def _odd(text: str) -> str | None:
    """Return what a text must do to be one, None for one that is."""
    if "\0" in text:
        return "hold no NUL character"
    return "hold no half of a surrogate pair, which is no character" if SURROGATES.search(text) else None


def find_gap(graph: Row) -> str | None:
    """Return what a graph without a fault still lacks before it can run, in one sentence."""
    nodes = nodes_of(graph)
    if not any(node["type"] in TRIGGERS for node in nodes):
        return "An enabled workflow needs a trigger."
    gaps = ((node, _GAPS[node["type"]](node["data"])) for node in nodes)
    gap = next((f"The node {node['id']} ({node['type']}): {gap}" for node, gap in gaps if gap), None)
    return gap or _crowd(nodes)


def _crowd(nodes: Sequence[Row]) -> str | None:
    """Return of which event more nodes wait than may: each begins a run of its own."""
    lists = (node["data"]["event_types"] for node in nodes if node["type"] == "trigger.event")
    waiting = Counter(one for types in lists for one in set(types))
    crowd = next(((one, number) for one, number in sorted(waiting.items()) if number > MOST_WAITING), None)
    return f"At most {MOST_WAITING} nodes may wait for the event {crowd[0]}, not {crowd[1]}." if crowd else None


def nodes_of(graph: Row) -> Sequence[Row]:
    """Return the nodes; a graph may have none."""
    nodes: list[Row] = graph.get("nodes", [])
    return nodes


def tag_ids(graph: Row) -> list[int]:
    """Return the ids of the tags that the nodes of a graph without a fault name."""
    lists = (node["data"].get("tag_ids") for node in nodes_of(graph) if node["type"] == TAGGING)
    return [one for found in lists if isinstance(found, list) for one in found if _is_id(one)]


def _node_faults(nodes: Sequence[Row]) -> Iterator[str]:
    seen: set[str] = set()
    for node in nodes:
        name = node.get("id")
        if not isinstance(name, str) or not UUID.fullmatch(name):
            yield f"The id of a node must be a UUID, not {_shown(name)}."
        elif name.lower() in seen:
            yield f"Two nodes have the id {name}."
        elif not isinstance(node.get("type"), str) or node["type"] not in _GAPS:
            yield f"The node {name} has the type {_shown(node.get('type'))}; there are {', '.join(_GAPS)}."
        elif not isinstance(node.get("data"), dict):
            yield f"The data of the node {name} must be an object."
        elif node["type"] == REQUEST and has_user(node["data"].get("url")):
            yield f"The url of the node {name} must hold no user and no password: whoever reads it sees them."
        elif node["type"] == REQUEST and has_odd_host(node["data"].get("url")):
            yield f"The url of the node {name} must have {A_PLAIN_HOST}."
        seen.add(str(name).lower())


def _edge_faults(graph: Row) -> Iterator[str]:
    types = {node["id"]: node["type"] for node in nodes_of(graph)}
    seen: set[str] = set()
    for edge in _edges(graph):
        name = edge.get("id")
        if not isinstance(name, str) or not name:
            yield f"The id of an edge must be a text, not {_shown(name)}."
        elif name in seen:
            yield f"Two edges have the id {name}."
        else:
            seen.add(name)
            yield from _end_faults(edge, types)


def _end_faults(edge: Row, types: Mapping[str, str]) -> Iterator[str]:
    for end in ("source", "target"):
        node = edge.get(end)
        if not isinstance(node, str) or node not in types:
            yield f"The {end} of the edge {edge['id']} is no node of the graph: {_shown(node)}."
            return
    if types[edge["source"]] == CONDITION and edge.get("sourceHandle") not in HANDLES:
        yield f"The edge {edge['id']} leaves a condition: its sourceHandle must be true or false, as a text."


def _edges(graph: Row) -> Sequence[Row]:
    edges: list[Row] = graph.get("edges", [])
    return edges


def _circle(graph: Row) -> str | None:
    """Take away nodes that nothing leads to, again and again; what stays leads in a circle."""
    incoming = {node["id"]: 0 for node in nodes_of(graph)}
    leads: dict[str, list[str]] = {name: [] for name in incoming}
    for edge in _edges(graph):
        incoming[edge["target"]] += 1
        leads[edge["source"]].append(edge["target"])
    free = [name for name, number in incoming.items() if not number]
    for name in free:  # which grows on the way
        for target in leads[name]:
            incoming[target] -= 1
            if not incoming[target]:
                free.append(target)
    left = incoming.keys() - set(free)
    return f"The edges lead in a circle through the node {min(left)}." if left else None


def _no_gap(data: Row) -> str | None:
    del data
    return None


def _event_gap(data: Row) -> str | None:
    types = data.get("event_types")
    if not isinstance(types, list) or not types:
        return "event_types must name at least one event."
    return next((_no_event(one) for one in types if one not in EVENT_TYPES), None)


def _no_event(named: Any) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(named)[:LONGEST_PLACE], EVENT_TYPES, n=1)
    way_out = f"did you mean {near[0]}?" if near else "name one such as document.created."
    return f"there is no event {_shown(named)}: {way_out}"


def _condition_gap(data: Row) -> str | None:
    operator = data.get("operator")
    if not _is_text(data.get("path")):
        return "path must be a text."
    if operator not in OPERATORS:
        return f"operator must be one of {', '.join(OPERATORS)}."
    return "value is missing." if operator != "exists" and "value" not in data else None


def _tag_gap(data: Row) -> str | None:
    ids = data.get("tag_ids")
    if not isinstance(ids, list) or not ids:
        return "tag_ids must hold the id of at least one tag."
    return next(
        (f"tag_ids must hold ids, which are whole numbers, not {_shown(i)}." for i in ids if not _is_id(i)), None
    )


def _request_gap(data: Row) -> str | None:
    if not is_web_address(data.get("url")):
        return "url must be a whole http or https address."
    return None if data.get("method") in METHODS else f"method must be one of {', '.join(METHODS)}."


def _log_gap(data: Row) -> str | None:
    return None if _is_text(data.get("message")) else "message must be a text."


def _shown(value: Any) -> str:
    """Return a value of a graph as it stands there, or how it begins."""
    from msgspec.json import Encoder

    text = Encoder(decimal_format="number").encode(value).decode()
    return text if len(text) <= LONGEST_PLACE else f"{text[:LONGEST_PLACE]}…"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_id(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**63


def has_user(url: object) -> bool:
    """Say whether an address has a user in front of its host; a draft may have no whole address yet."""
    return isinstance(url, str) and "@" in re.split(r"[/?#\\]", url.partition("://")[2], maxsplit=1)[0]


def is_web_address(value: object) -> bool:
    """Say whether a value is a whole http or https address, with a host and without spaces or what some read as /."""
    if not isinstance(value, str) or not re.fullmatch(r"[!-\[\]-~]+", value):
        return False
    try:
        parts = urlsplit(value)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def has_odd_host(url: object) -> bool:
    """Say whether the host of an address is none, or a number that systems take for one in some other notation."""
    if not is_web_address(url):
        return False
    found = PLACE.fullmatch(urlsplit(str(url)).netloc)
    return found is None or not _is_host(found[1])


def _is_host(text: str) -> bool:
    if bracketed := BRACKETED.fullmatch(text):
        with suppress(ValueError):
            return bool(IPv6Address(bracketed[1]))
        return False
    is_number = HOST_NUMBER.fullmatch(text.removesuffix(".").rpartition(".")[2])
    return bool(DOTTED.fullmatch(text) if is_number else HOST.fullmatch(text))


# the types of nodes there are, each with what tells whether its data is complete
_GAPS: dict[str, Callable[[Row], str | None]] = {
    "trigger.event": _event_gap,
    "trigger.manual": _no_gap,
    CONDITION: _condition_gap,
    TAGGING: _tag_gap,
    "action.flag_document": _no_gap,
    REQUEST: _request_gap,
    "action.log": _log_gap,
}
