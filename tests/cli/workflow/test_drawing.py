"""Graphs as pictures: trees for terminals, Mermaid, SVG; and graphs that are looked at before they are sent."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.workflow.drawing import draw_mermaid, draw_svg, draw_tree, read_graph
from tests.cli.conftest import Cli, succeed
from tests.graphs import KINDS, LOG, MANUAL, SEND, Row, edge, graph, node, uuid

TREE = """\
trigger.event document.created, tag.updated
└── condition amount gte 100
    ├── true: action.flag_document
    └── false: action.http_request POST https://a.example/
        └── action.log seen
trigger.manual
└── condition amount gte 100 (see above)
"""
MERMAID = """\
flowchart TD
  n1["trigger.event document.created, tag.updated"]
  n2["trigger.manual"]
  n3["condition amount gte 100"]
  n4["action.flag_document"]
  n5["action.http_request POST https://a.example/"]
  n6["action.log seen"]
  n1 --> n3
  n2 --> n3
  n3 -->|"true"| n4
  n3 -->|"false"| n5
  n5 --> n6
"""
SVG = "{http://www.w3.org/2000/svg}"


def saved(folder: Path, content: object) -> str:
    path = folder / "graph.json"
    path.write_text(json.dumps(content))
    return str(path)


@pytest.mark.parametrize(("kind", "picture"), [("tree", TREE), ("mermaid", MERMAID)])
def test_a_graph_is_drawn(cli: Cli, tmp_path: Path, kind: str, picture: str) -> None:
    argv = ("workflow", "graph", "--graph", saved(tmp_path, graph()), "--as", kind)
    assert succeed(cli(*argv, "--output", "table")).out == picture
    assert succeed(cli(*argv, "--json")).json() == {"kind": kind, "picture": picture}


def test_a_workflow_as_it_is_shown_is_taken_for_its_graph(cli: Cli, tmp_path: Path) -> None:
    file = saved(tmp_path, {"id": 1, "name": "Tag", "react_flow_data": graph()})
    assert succeed(cli("workflow", "graph", "--graph", file, "--output", "table")).out == TREE
    assert succeed(cli("workflow", "validate", file, "--json")).json()["nodes"] == len(KINDS)
    assert "error: FILE " in cli("workflow", "validate", saved(tmp_path, "{")[:-5] + ".none").err


def test_a_picture_has_each_node_below_what_leads_to_it() -> None:
    drawn = ET.fromstring(draw_svg(read_graph(graph())))
    rows = {box.findtext(f"{SVG}title"): int(box.find(f"{SVG}rect").attrib["y"]) for box in drawn.iter(f"{SVG}g")}  # type: ignore[union-attr]
    heights = sorted(set(rows.values()))
    assert {label: heights.index(y) for label, y in rows.items()} == {
        "trigger.event document.created, tag.updated": 0,
        "trigger.manual": 0,
        "condition amount gte 100": 1,
        "action.flag_document": 2,
        "action.http_request POST https://a.example/": 2,
        "action.log seen": 3,
    }
    assert len([*drawn.iter(f"{SVG}line")]) == 5
    assert [text.text for text in drawn.findall(f"{SVG}text")] == ["true", "false"]


def test_text_of_nodes_is_shown_and_not_obeyed() -> None:
    evil = {"type": "action.log", "data": {"message": '"]; click n1 "javascript:alert(1)"<script>\x1b[2J'}}
    drawn = read_graph(graph([node(uuid(1), evil)], []))
    assert draw_tree(drawn) == 'action.log "]; click n1 "javascript:alert(1)"<script>\\x1b[2J\n'
    assert "<script>" not in draw_svg(drawn)
    assert '"' not in draw_mermaid(drawn).split('["')[1].removesuffix('"]\n')


def test_what_another_service_knows_is_drawn_as_far_as_it_is_known() -> None:
    rows: list[object] = [
        {"id": "a", "type": "delay.hours", "data": {"label": "Two hours"}},
        {"id": "b", "data": None},
        {"id": 5, "type": "condition"},
        "no node",
    ]
    edges = [edge(1, 1, 2), {"source": "a", "target": "b", "sourceHandle": 4}, {"source": "b", "target": "a"}, None]
    drawn = read_graph({"nodes": rows, "edges": edges})
    assert draw_tree(drawn) == "delay.hours Two hours\n└── node\n    └── delay.hours Two hours (see above)\n"
    assert draw_tree(read_graph({})) == "(no nodes)\n"


@given(st.integers(0, 9), st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=30))
def test_every_node_is_drawn_whatever_leads_where(size: int, pairs: list[tuple[int, int]]) -> None:
    nodes = [node(uuid(number), {**SEND, "data": {"url": f"n{number}"}}) for number in range(1, size + 1)]
    drawn = read_graph(graph(nodes, [edge(number, *pair) for number, pair in enumerate(pairs)]))
    inside = [pair for pair in pairs if max(pair) <= size]
    tree = draw_tree(drawn)
    assert all(f" n{number}\n" in tree or f" n{number} (see" in tree for number in range(1, size + 1))
    assert draw_mermaid(drawn).count("-->") == len(inside)
    picture = ET.fromstring(draw_svg(drawn))
    assert len([*picture.iter(f"{SVG}g")]) == size
    assert len([*picture.iter(f"{SVG}line")]) == len(inside)


def test_a_complete_graph_is_valid(cli: Cli, tmp_path: Path) -> None:
    done = succeed(cli("workflow", "validate", saved(tmp_path, graph()), "--json"))
    assert done.json() == {"valid": True, "nodes": len(KINDS), "edges": 5}
    pair = saved(tmp_path, graph([node(uuid(1), MANUAL), node(uuid(2), LOG)], [edge(1, 1, 2)]))
    assert "is complete: 2 nodes, 1 edge." in cli("workflow", "validate", pair).err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (graph(edges=[edge(0, 2, 2)]), "The edges lead in a circle"),
        (graph([], []), "An enabled workflow needs a trigger."),
        ([], "holds no graph: that is an object with nodes and edges"),
    ],
)
def test_what_could_not_run_is_refused(cli: Cli, tmp_path: Path, content: Row | list[Row], says: str) -> None:
    done = cli("workflow", "validate", saved(tmp_path, content))
    assert (done.code, done.out) == (2, "")
    assert says in done.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ((), "give the id of a workflow, or a file with --graph"),
        (("1", "--graph", "-"), "give the id of a workflow, or a file with --graph"),
        (("1", "--as", "png"), "--as png: there are tree, mermaid, svg"),
    ],
)
def test_what_is_to_be_drawn_is_said(cli: Cli, argv: tuple[str, ...], says: str) -> None:
    done = cli("workflow", "graph", *argv)
    assert (done.code, done.err) == (2, f"error: {says}\n")
