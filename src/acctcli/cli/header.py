"""Headers that accounts stand under: list, add."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, CreateCommand, ListCommand
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.command.options import SEARCH
from acctcli.cli.output.show import show, show_rows
from acctcli.cli.session.state import state

COLUMNS = ("id", "name", "type", "level", "parent_id")
DETAILS = (*COLUMNS, "parent_ids", "name_translations")

app = new_group("Headers that accounts stand under: list, add.", shows="header:Header")

HeaderId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The header's id.")]
Name = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Name, the same in every language.")]
Type = Annotated[
    str | None, typer.Option("--type", metavar="TYPE", help="B for the balance sheet, I for the income statement.")
]
Parent = Annotated[int | None, typer.Option("--parent", metavar="ID", help="The header that it stands under.")]


@app.command("list", cls=ListCommand.taking(SEARCH))
def list_headers(ctx: Context) -> None:
    """List the headers of the chart."""
    here = state(ctx)
    show_rows(here, here.api.headers.list(here.named, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_header(ctx: Context, header: HeaderId) -> None:
    """Show one header."""
    here = state(ctx)
    show(here, here.api.headers.get(header), DETAILS)


@app.command("create", cls=CreateCommand)
def create_header(ctx: Context, name: Name = None, type: Type = None, parent: Parent = None) -> None:
    """Add a header; headers cannot be changed or deleted afterwards."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.enums import Language
    from acctcli.models.header import HeaderRequest

    here = state(ctx)
    names = [{"key": str(language), "value": name} for language in Language] if name is not None else None
    body = read_body(here, HeaderRequest, {"name_translations": names, "type": type, "parent_id": parent})
    show(here, here.api.headers.create(body, here.options.idempotency_key), DETAILS)
