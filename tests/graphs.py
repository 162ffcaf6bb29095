"""Graphs of workflows for tests: nodes by number, edges between them."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

EVENT: Row = {"type": "trigger.event", "data": {"event_types": ["document.created", "tag.updated"]}}
MANUAL: Row = {"type": "trigger.manual", "data": {}}
CONDITION: Row = {"type": "condition", "data": {"path": "amount", "operator": "gte", "value": 100}}
TAG: Row = {"type": "action.tag_document", "data": {"tag_ids": [1]}}
FLAG: Row = {"type": "action.flag_document", "data": {}}
SEND: Row = {"type": "action.http_request", "data": {"url": "https://a.example/", "method": "POST", "body": {}}}
LOG: Row = {"type": "action.log", "data": {"message": "seen"}}
KINDS = (EVENT, MANUAL, CONDITION, FLAG, SEND, LOG)


def uuid(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-00000000000a"


def node(name: object, kind: Row) -> Row:
    return {"id": name, "position": {"x": 0, "y": 0}, **kind}


def edge(number: int, source: int, target: int, **more: object) -> Row:
    """An edge between the nodes of these numbers."""
    return {"id": f"e{number}", "source": uuid(source), "target": uuid(target), **more}


def graph(nodes: list[Row] | None = None, edges: list[Row] | None = None, **more: object) -> Row:
    """One node of each kind that names no record, 1 to 6, and a way through them, unless others are given."""
    if nodes is None:
        nodes = [node(uuid(number), kind) for number, kind in enumerate(KINDS, 1)]
    if edges is None:
        edges = [
            edge(0, 1, 3),
            edge(1, 2, 3),
            edge(2, 3, 4, sourceHandle="true", targetHandle=None),
            edge(3, 3, 5, sourceHandle="false"),
            edge(4, 5, 6),
        ]
    return {"nodes": nodes, "edges": edges, "viewport": {"x": 0, "y": 0, "zoom": 1}, **more}
