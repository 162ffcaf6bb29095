"""Fields of the wire as options: declared once, typed, and never in the way of a command's own."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.command.options import WHOLE, day, field, flag, span
from acctcli.cli.command.typer_private import UsageError as ClickUsageError
from acctcli.cli.session.state import state
from acctcli.errors import UsageError

FIELDS = (
    field("name", "--name", metavar="TEXT", help="Its name."),
    field("count_of", "--count", type=WHOLE, metavar="N", help="How many."),
    field("tag_ids", "--tag", type=WHOLE, multiple=True, metavar="ID", help="Its tags."),
    field("kind", "--kind", metavar="KIND", read=str.upper, help="What it is."),
    flag("is_on", "--on/--off", help="Whether it is on."),
    day("made", "--date", help="When."),
    *span("due", "--due", "due"),
)
seen: list[Any] = []
app = new_group("A group.")


@app.command("put", cls=Command.taking(*FIELDS))
def put(ctx: Context, name: Annotated[str, typer.Argument(metavar="NAME", help="A word.")]) -> None:
    """Put it."""
    seen.append((name, state(ctx).named))


@app.command("other", cls=Command)
def other(ctx: Context) -> None:
    """Do nothing."""


def run(*argv: str) -> tuple[str, dict[str, Any]]:
    """What the command was given: its own argument, and the fields."""
    group = typer.main.get_group(app)
    with group.make_context("group", ["put", *argv]) as ctx:
        group.invoke(ctx)
    found: tuple[str, dict[str, Any]] = seen.pop()
    return found


def test_fields_arrive_under_their_names_on_the_wire() -> None:
    options = (
        "--name",
        "a",
        "--count",
        "3",
        "--tag",
        "1",
        "--tag",
        "2",
        "--kind",
        "x",
        "--off",
        "--date",
        "2026-03-01",
    )
    fields = {"name": "a", "count_of": 3, "tag_ids": [1, 2], "kind": "X", "is_on": False, "made": "2026-03-01"}
    assert run("own", *options) == ("own", fields)


def test_what_is_not_given_is_not_there() -> None:
    assert run("own") == ("own", {})
    assert run("own", "--name", "", "--count", "0") == ("own", {"name": "", "count_of": 0})


def test_a_span_begins_and_ends_with_its_ranges() -> None:
    fields = {"due_gte": "2026-02-01", "due_lte": "2026-02-28"}
    assert run("own", "--due-from", "2026-02", "--due-to", "2026-02") == ("own", fields)


@pytest.mark.parametrize("text", ["x", "-1", "1.5"])
def test_types_are_checked(text: str) -> None:
    with pytest.raises(ClickUsageError) as refused:
        run("own", "--count", text)
    assert refused.value.format_message().startswith("Invalid value for '--count': ")


@pytest.mark.parametrize("option", ["--date", "--due-from", "--due-to"])
def test_a_day_that_is_none_is_named_by_its_option(option: str) -> None:
    with pytest.raises(UsageError, match=f"^{option} '2026-02-30': not a"):
        run("own", option, "2026-02-30")


def test_the_help_shows_fields_among_the_command_s_own() -> None:
    group = typer.main.get_group(app)
    command = group.commands["put"]
    told = command.get_help(typer.Context(command, info_name="put"))
    own = told.partition("Options:")[2].partition("Output:")[0]
    assert [word for word in own.split() if word in {"--name", "--on", "--due-to"}] == ["--name", "--on", "--due-to"]


def test_a_class_without_fields_stays_without() -> None:
    assert Command.fields == ()
    assert {option.name for option in Command("plain").params} == {
        option.name for options in Command("plain").sections.values() for option in options
    }
