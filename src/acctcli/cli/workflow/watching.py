"""A run is looked at until it is over, and what has changed is shown.

Where the service is a call in this process nothing else advances a run: whoever watches it does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import msgspec

from acctcli.cli.output import sink
from acctcli.cli.output.columns import parse_columns
from acctcli.cli.output.safe import visible
from acctcli.cli.output.writers import rows_writer
from acctcli.cli.session.state import State
from acctcli.client.faults import unreadable
from acctcli.client.messages import Reply
from acctcli.errors import AcctcliError, Incomplete, NetworkError, ServerFault

if TYPE_CHECKING:
    from rich.table import Table

    from acctcli.cli.local.flows import Stepper

_OPEN = ("pending", "running")
_LOOK_SECONDS = 0.5


class Node(NamedTuple):
    """What became of a node of a run."""

    node: str | None
    type: str
    status: str
    started_at: str | None = None
    finished_at: str | None = None
    error: str | None = None


class Run(NamedTuple):
    """A run as it was when it was looked at; nodes in the order of the graph."""

    id: int
    status: str
    error: str | None
    nodes: list[Node]

    @property
    def is_over(self) -> bool:
        """Whether nothing follows."""
        return self.status not in _OPEN


class _Reply(msgspec.Struct):
    id: int
    status: str
    last_error: str | None = None
    node_runs: Any = None
    react_flow_data: Any = None


class _Output(msgspec.Struct):
    output: msgspec.Raw = msgspec.Raw()


class _Outputs(msgspec.Struct):
    node_runs: dict[str, _Output]


_decode = msgspec.json.Decoder(_Reply, float_hook=str).decode


def watch(
    here: State, workflow: int, run: int, seconds: float, columns: Sequence[str], *, allows_private: bool
) -> None:
    """Show these columns of what becomes of a run until it is over; raise Incomplete unless it is completed."""
    if here.format == "json":
        # each line tells of one change
        here.options = replace(here.options, output="jsonl", json=False)
    is_live = here.format == "table" and here.options.output_file is None and sys.stdout.isatty()
    with sink.opened(here.options.output_file) as stream, _live() if is_live else _lines(here, stream, columns) as tell:
        for reply in look_at(here, workflow, run, seconds, allows_private=allows_private):
            tell(seen := read_run(reply))
    end_as(workflow, seen)


def look_at(here: State, workflow: int, run: int, seconds: float, *, allows_private: bool) -> Iterator[Reply]:
    """Yield a run whenever it was looked at, until it is over.

    NetworkError when that takes too long, ServerFault when it does because the database is in the way.

    `allows_private`: what it sends from here may go to addresses of this machine and its network.
    """
    until, runs = time.monotonic() + seconds, here.api.workflow_runs(workflow)
    with _stepping(here, workflow, run, allows_private=allows_private) as stepper:
        while True:
            reply = runs.get(run)
            yield reply
            if read_run(reply).is_over:
                return
            if time.monotonic() >= until:
                raise _late(workflow, run, seconds, stepper)
            look_again = time.monotonic() + min(_LOOK_SECONDS, max(0.0, until - time.monotonic()))
            if stepper is None or not stepper.advance(max(0.0, look_again - time.monotonic())):
                time.sleep(max(0.0, look_again - time.monotonic()))


def _late(workflow: int, run: int, seconds: float, stepper: Stepper | None) -> AcctcliError:
    """Return what is said of a run that takes too long: ServerFault where the database here is in its way."""
    again = f"acctcli workflow run watch {workflow} {run}"
    text = f"the run {run} is not over after {seconds:g} s"
    if stepper is None:
        return NetworkError(text, hint=f"it goes on; look again with: {again}")
    if stepper.refusal is not None:
        return ServerFault(f"{text}: {stepper.refusal.message}", hint=f"go on with: {again}")
    return NetworkError(text, hint=f"nothing is served here: it goes on with: {again}, or acctcli local tick")


def read_run(reply: Reply) -> Run:
    """Read of a run what is watched; what another service has otherwise is left out."""
    run = _decoded(reply)
    graph = run.react_flow_data if isinstance(run.react_flow_data, Mapping) else {}
    rows = graph.get("nodes")
    types = {str(row.get("id")): row.get("type") for row in rows if isinstance(row, Mapping)} if rows else {}
    known = run.node_runs if isinstance(run.node_runs, Mapping) else {}
    names = sorted(known, key=lambda name: list(types).index(name) if name in types else len(types))
    nodes = [_node(name, types.get(name), known[name]) for name in names if isinstance(known[name], Mapping)]
    return Run(run.id, run.status, run.last_error, nodes)


def lines_of_nodes(reply: Reply) -> dict[str, str]:
    """Return for each node of a run what became of it: status and type, error, output as JSON."""
    outputs = {}
    with suppress(msgspec.DecodeError, RecursionError):
        found = msgspec.json.decode(reply.body, type=_Outputs).node_runs
        outputs = {name: bytes(one.output).decode() for name, one in found.items()}
    return {
        f"node {one.node}": "  ".join(
            filter(None, (one.status, one.type, one.error, outputs.get(str(one.node), "").removeprefix("null")))
        )
        for one in read_run(reply).nodes
    }


def _decoded(reply: Reply) -> _Reply:
    """Read a reply whose numbers may be larger than a float holds: of none of them anything is shown."""
    try:
        return _decode(reply.body)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise unreadable(reply, "something else") from problem


def _node(name: str, kind: object, run: Mapping[str, Any]) -> Node:
    started, finished, error = (
        None if run.get(field) is None else str(run[field]) for field in ("started_at", "finished_at", "error")
    )
    return Node(name, str(kind or "node"), str(run.get("status")), started, finished, error)


def end_as(workflow: int, run: Run) -> None:
    """Raise Incomplete unless a run is completed."""
    if run.status != "completed":
        raise Incomplete(
            f"the run {run.id} is {run.status}{f': {run.error}' if run.error else ''}",
            hint=f"see what each node did with: acctcli workflow run get {workflow} {run.id}",
        )


@contextmanager
def _stepping(here: State, workflow: int, run: int, *, allows_private: bool) -> Iterator[Stepper | None]:
    """Give what advances a run by steps; a service elsewhere does so itself."""
    if not here.environment.in_process:
        yield None
        return
    from acctcli.cli.local.books import open_books
    from acctcli.cli.local.flows import Stepper

    slug = here.business()
    with Stepper(open_books(here), slug, workflow, run, allows_private=allows_private) as stepper:
        yield stepper


@contextmanager
def _live() -> Iterator[Callable[[Run], None]]:
    """Keep a picture of the run on the terminal; it stays when the run is over."""
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(), auto_refresh=False) as live:
        yield lambda run: live.update(_picture(run), refresh=True)


def _picture(run: Run) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table("node", "type", "status", "error", box=None, title=f"run {run.id}: {visible(run.status)}")
    for one in run.nodes:
        table.add_row(*(Text(visible(text)) for text in (_short(one), one.type, one.status, one.error or "")))
    return table


@contextmanager
def _lines(here: State, stream: BinaryIO, columns: Sequence[str]) -> Iterator[Callable[[Run], None]]:
    """Give what writes a line for each node that is not as it was, and in the end one for the run."""
    writer = None
    if here.format != "table":
        writer = rows_writer(here, stream, parse_columns(here.options.columns, columns))
    before: dict[str | None, Node] = {}

    def write(one: Node) -> None:
        if writer is not None:
            writer.write([msgspec.Raw(msgspec.json.encode(one._asdict()))])
            return
        moment, error = one.finished_at or one.started_at or "-", f"  {one.error}" if one.error else ""
        line = visible(f"{moment}  {_short(one)}  {one.type}  {one.status}{error}")
        stream.write(line.encode("utf-8", "replace") + b"\n")

    def tell(run: Run) -> None:
        for one in run.nodes:
            if before.get(one.node, one._replace(status="pending")) != one:
                write(one)
            before[one.node] = one
        if run.is_over:
            write(Node(None, "run", run.status, error=run.error))
        stream.flush()

    yield tell
    if writer is not None:
        writer.close()


def _short(one: Node) -> str:
    """Return what people tell a node by: the beginning of its id."""
    return (one.node or "run")[:8]
