"""Show records and rows; only data goes to stdout.

Every command's module imports this one, so what it takes to decode and write is imported when there is something.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO

from acctcli.cli.output import sink
from acctcli.cli.output.stderr import how_many_are
from acctcli.cli.session.state import State
from acctcli.errors import ServerFault

if TYPE_CHECKING:
    import msgspec

    from acctcli.cli.output.columns import Rows
    from acctcli.client.messages import Planned, Reply
    from acctcli.client.pages import Listing

ALL = ("all",)


def show(here: State, reply: Reply, columns: Sequence[str]) -> None:
    """Show one record."""
    from acctcli.cli.output.columns import check_object

    show_record(here, check_object(reply.body), columns)


def show_record(here: State, record: msgspec.Raw, columns: Sequence[str]) -> None:
    """Show one record given as raw JSON."""
    from acctcli.cli.output.columns import parse_columns
    from acctcli.cli.output.writers import write_record

    wanted = parse_columns(here.options.columns, columns)
    with sink.opened(here.options.output_file) as stream:
        write_record(here, stream, record, wanted)


def show_value(here: State, value: Any, columns: Sequence[str] = ALL) -> None:
    """Show one record made here, such as the state of a sign-in."""
    show_record(here, _encoded(value), columns)


def show_values(here: State, values: Iterable[Any], columns: Sequence[str] = ALL) -> None:
    """Show rows made here."""
    show_stream(here, [[_encoded(value) for value in values]], columns)


def show_rows(
    here: State, listing: Listing, columns: Sequence[str], through: Callable[[Iterator[Rows]], Iterator[Rows]] = iter
) -> None:
    """Show the rows of a list as they come, and say on stderr how many there are if not all are shown.

    The pages pass `through` what may look at them, or make others of them.
    """
    from acctcli.cli.output.progress import watched

    # half an array is no JSON, and a closed one would pass for the whole list
    show_stream(here, through(watched(here, listing)), columns, at_once=here.format == "json")
    if listing.total is not None and listing.shown < listing.total:
        here.say(f"{listing.shown} of {listing.total} shown; --all shows every one")
    elif here.options.output_file is not None and here.options.jq is None:
        here.say(f"{how_many_are(listing.shown, 'row')} in {here.options.output_file}")


def show_any(here: State, reply: Reply) -> None:
    """Show a reply of unknown shape: JSON unless a list or a table of it is asked for."""
    if reply.body[:1] != b"{" or (here.options.output is None and here.options.columns is None):
        with sink.opened(here.options.output_file) as stream:
            _write_any(here, reply, stream)
        return
    show(here, reply, ALL)


def show_report(
    here: State, reply: Reply, rows: Callable[[bytes, bool], Iterator[Rows]], columns: Sequence[str]
) -> None:
    """Show a report: the document itself as json, its rows in every other format; tables end with the totals."""
    if here.format == "json":
        show(here, reply, columns)
        return
    import msgspec

    from acctcli.cli.output.columns import check_object

    check_object(reply.body)
    try:
        show_stream(here, rows(reply.body, here.format == "table"), columns)
    except msgspec.DecodeError as problem:
        raise ServerFault("the report is not what the interface promises", code="unreadable_reply") from problem


def show_stream(here: State, pages: Iterable[Rows], columns: Sequence[str], *, at_once: bool = False) -> None:
    """Show raw rows, page by page, wherever they come from; `at_once` all of them or nothing."""
    from acctcli.cli.output.columns import parse_columns
    from acctcli.cli.output.writers import rows_writer

    wanted = parse_columns(here.options.columns, columns)
    with sink.opened(here.options.output_file, at_once=at_once) as stream:
        writer = rows_writer(here, stream, wanted)
        for page in filter(None, pages):  # writers take their columns from a page's first row
            writer.write(page)
            del page  # not beside the next
        writer.close()


def show_done(here: State, text: str, **facts: Any) -> None:
    """Report something that left no record: a sentence for people, one JSON document for machines."""
    if here.format == "table":
        here.say(text)
    else:
        show_value(here, facts)


def show_ended(here: State, verbs: tuple[str, str], what: str, fact: str, **facts: Any) -> None:
    """Report what came to an end, or with --dry-run would: "Would end it.", "Ended it."; `fact` says so to machines.

    `verbs` are the word after "Would", and the one of what was done; `fact` stands behind the other facts.
    """
    rehearsed = here.options.dry_run
    did = f"Would {verbs[0]}" if rehearsed else verbs[1]
    show_done(here, f"{did} {what}.", **facts, **{fact: not rehearsed})


def show_plan(here: State, planned: Planned) -> None:
    """Show the request a dry run did not send; --columns names fields of the reply, which there is none of."""
    import msgspec

    here.options = replace(here.options, columns=None)
    show_record(here, msgspec.Raw(planned.as_json()), ALL)


def show_plans(here: State, pages: Iterable[Rows]) -> None:
    """Show many of them."""
    here.options = replace(here.options, columns=None)
    show_stream(here, pages, ALL)


def show_text(here: State, text: str, **facts: Any) -> None:
    """Print text that is the data itself, such as a token or a script; machines get one JSON document of facts."""
    if here.format != "table":
        show_value(here, facts)
        return
    with sink.opened(here.options.output_file) as stream:
        stream.write(text.encode() if text.endswith("\n") else text.encode() + b"\n")


def _write_any(here: State, reply: Reply, stream: BinaryIO) -> None:
    import msgspec

    from acctcli.cli.output.jq import Filter
    from acctcli.cli.output.writers import for_eyes

    if here.options.jq is not None:
        filtered = io.BytesIO()
        Filter(here.options.jq, here.writes).write(filtered, reply.body)
        stream.write(filtered.getvalue())
        return
    try:
        text = msgspec.json.format(reply.body, indent=2)
    except msgspec.DecodeError as problem:
        raise ServerFault("the service answered with something that is not JSON", code="unreadable_reply") from problem
    stream.write(for_eyes(text) if sys.stdout.isatty() else text)
    stream.write(b"\n")


def _encoded(value: object) -> msgspec.Raw:
    import msgspec

    from acctcli.client.messages import encode_plain

    return msgspec.Raw(encode_plain(value))
