"""Events: what happened in the business, as webhook subscriptions are told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from acctcli.cli.command.classes import Command, Context, ListCommand, new_group
from acctcli.cli.command.event_types import check_event_types, complete_event_types
from acctcli.cli.command.options import INT, field
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.safe import visible
from acctcli.cli.output.show import ALL, show_rows
from acctcli.cli.session.outage import Outage
from acctcli.cli.session.state import State, state
from acctcli.errors import AcctcliError, ServerFault

if TYPE_CHECKING:
    from acctcli.cli.output.columns import Rows


class _Event(msgspec.Struct):
    id: int
    type: str = "?"
    timestamp: str = "-"


class _Page(msgspec.Struct):
    count: int
    results: list[_Event]


_decode = msgspec.json.Decoder(_Event).decode
COLUMNS = ("id", "timestamp", "type", "data.id")
# how long to wait for more, and how many to ask for at once
_PAUSE, _PORTION = 1.0, 200

app = new_group(__doc__, shows="webhook:Event")


def _checked(kind: str) -> str:
    check_event_types("--type", [kind])
    return kind


FILTERS = (
    field("after", "--after", type=INT, metavar="ID", help="Only events with a higher id."),
    field(
        "type",
        "--type",
        metavar="TYPE",
        complete=complete_event_types,
        read=_checked,
        help="Only of this type, such as document.created.",
    ),
)
After = Annotated[
    int | None, typer.Option("--after", metavar="ID", min=0, help="Begin after this event; with the next one if not.")
]
Kind = Annotated[
    str | None,
    typer.Option(
        "--type",
        metavar="TYPE",
        autocompletion=complete_event_types,
        help="Only of this type, such as document.created.",
    ),
]
Count = Annotated[int | None, typer.Option("--count", metavar="N", min=1, help="End after so many events.")]


@app.command("list", cls=ListCommand.taking(*FILTERS))
def list_events(ctx: Context) -> None:
    """List what happened in the business, the oldest first.

    Example: acctcli event list --type sales_invoice.accepted
    """
    here = state(ctx)
    here.require_local_service()
    show_rows(here, here.api.events.list(here.named, here.extent), COLUMNS)


@app.command("tail", cls=Command)
def tail_events(ctx: Context, after: After = None, kind: Kind = None, count: Count = None) -> None:
    """Show events as they happen until it is stopped: a line each, or JSON with --json.

    While the service does not answer it is asked again. Where it ends by itself, it says after which event to go on.

    Example: acctcli event tail --after 0 --count 1
    """
    from dataclasses import replace

    from acctcli.cli.output import sink
    from acctcli.cli.output.columns import parse_columns
    from acctcli.cli.output.writers import rows_writer

    here = state(ctx)
    if kind is not None:
        _checked(kind)
    here.require_local_service()
    if here.format == "json":
        # what never ends is no array
        here.options = replace(here.options, output="jsonl", json=False)
    begin = _newest(here) if after is None else after
    with sink.opened(here.options.output_file) as stream:
        writer = None if here.format == "table" else rows_writer(here, stream, parse_columns(here.options.columns, ALL))
        try:
            for rows in _followed(here, begin, kind, count):
                if writer is not None:
                    writer.write(rows)
                else:
                    stream.writelines(map(_line, rows))
                stream.flush()
        except KeyboardInterrupt:
            # that is how it ends
            here.say("stopped")
        if writer is not None:
            writer.close()


def _followed(here: State, after: int, kind: str | None, count: int | None) -> Iterator[Rows]:
    """Yield what comes after an event, for ever or until so many have come."""
    outage = Outage()
    while count is None or count > 0:
        most = _PORTION if count is None else min(count, _PORTION)
        try:
            rows = _portion(here, {"after": after, "type": kind}, most)
        except AcctcliError as problem:
            if not outage.covers(problem):
                problem.hint = f"{f'{problem.hint}; ' if problem.hint else ''}go on with --after {after}"
                raise
            rows = []
        else:
            outage.end()
        if not rows:
            time.sleep(outage.pause or _PAUSE)
            continue
        yield rows
        after = _fields(rows[-1]).id
        count = None if count is None else count - len(rows)


def _newest(here: State) -> int:
    """Return the id of the newest event: that on the last page of one each; 0 where there is none."""
    count = 1
    for _ in range(2):
        reply = here.api.http.send("GET", here.api.events.path(), query={"page": max(count, 1), "page_size": 1})
        page = decoded(reply, _Page)
        count = page.count
    return page.results[0].id if page.results else 0


def _portion(here: State, query: dict[str, int | str | None], most: int) -> Rows:
    from acctcli.client.messages import Extent

    given = {name: value for name, value in query.items() if value is not None}
    return next(iter(here.api.events.list(given, Extent(limit=most, page_size=most))), [])


def _line(row: msgspec.Raw) -> bytes:
    event = _fields(row)
    return visible(f"{event.timestamp}  {event.type}  {event.id}").encode("utf-8", "replace") + b"\n"


def _fields(row: msgspec.Raw) -> _Event:
    try:
        return _decode(row)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise ServerFault("a row of the list is no event", code="unreadable_reply") from problem
