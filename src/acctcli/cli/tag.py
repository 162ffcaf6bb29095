"""Tags that documents are grouped by."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.command.options import SEARCH, field
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import state

COLUMNS = ("id", "name", "description", "color")
DETAILS = (*COLUMNS, "created_at", "updated_at")

app = new_group("Tags that documents are grouped by.", shows="tag:Tag")

TagId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The tag's id.")]
FIELDS = (
    field("name", "--name", metavar="TEXT", help="Name, which no other tag has."),
    field("description", "--description", metavar="TEXT", help="What it stands for."),
    field("color", "--color", metavar="TEXT", help="Colour to show it in."),
)


@app.command("list", cls=ListCommand.taking(SEARCH))
def list_tags(ctx: Context) -> None:
    """List the tags of the business."""
    here = state(ctx)
    show_rows(here, here.api.tags.list(here.named, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_tag(ctx: Context, tag: TagId) -> None:
    """Show one tag."""
    here = state(ctx)
    show(here, here.api.tags.get(tag), DETAILS)


@app.command("create", cls=CreateCommand.taking(*FIELDS))
def create_tag(ctx: Context) -> None:
    """Add a tag."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.tag import TagRequest

    here = state(ctx)
    show(here, here.api.tags.create(read_body(here, TagRequest), here.options.idempotency_key), DETAILS)


@app.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_tag(ctx: Context, tag: TagId) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.tag import TagRequest

    here = state(ctx)
    show(here, here.api.tags.update(tag, read_changes(here, TagRequest)), DETAILS)


@app.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_tag(ctx: Context, tag: TagId) -> None:
    """Replace the tag's fields; what is not given becomes empty."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.tag import TagRequest

    here = state(ctx)
    show(here, here.api.tags.replace(tag, read_body(here, TagRequest)), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_tag(ctx: Context, tag: TagId) -> None:
    """Delete a tag and take it off every document."""
    here = state(ctx)
    here.confirm(f"Delete tag {tag} and take it off every document?")
    here.api.tags.delete(tag)
    show_done(here, f"Deleted tag {tag}.", id=tag, deleted=True)
