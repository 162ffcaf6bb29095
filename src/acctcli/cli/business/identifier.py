"""Official identifiers of a business: `acctcli business identifier`."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.command.options import field
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import state

COLUMNS = ("id", "type", "value")

app = new_group("Official identifiers of the business.", shows="business:Identifier")

IdentifierId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The identifier's id.")]
FIELDS = (
    field("type", "--type", metavar="TYPE", help="Its kind: y_tunnus, vat_code or steuernummer."),
    field("value", "--value", metavar="TEXT", help="The identifier, such as 0112038-9."),
)


@app.command("list", cls=ListCommand)
def list_identifiers(ctx: Context) -> None:
    """List the official identifiers of the business."""
    here = state(ctx)
    show_rows(here, here.api.identifiers.list({}, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_identifier(ctx: Context, identifier: IdentifierId) -> None:
    """Show one identifier."""
    here = state(ctx)
    show(here, here.api.identifiers.get(identifier), COLUMNS)


@app.command("create", cls=CreateCommand.taking(*FIELDS))
def create_identifier(ctx: Context) -> None:
    """Set the identifier of a kind; there is one of each, and an older value gives way."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.business import IdentifierRequest

    here = state(ctx)
    body = read_body(here, IdentifierRequest)
    show(here, here.api.identifiers.create(body, here.options.idempotency_key), COLUMNS)


@app.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_identifier(ctx: Context, identifier: IdentifierId) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.business import IdentifierRequest

    here = state(ctx)
    show(here, here.api.identifiers.update(identifier, read_changes(here, IdentifierRequest)), COLUMNS)


@app.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_identifier(ctx: Context, identifier: IdentifierId) -> None:
    """Replace an identifier."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.business import IdentifierRequest

    here = state(ctx)
    show(here, here.api.identifiers.replace(identifier, read_body(here, IdentifierRequest)), COLUMNS)


@app.command("delete", cls=DeleteCommand)
def delete_identifier(ctx: Context, identifier: IdentifierId) -> None:
    """Delete an identifier that the country does not demand."""
    here = state(ctx)
    here.confirm(f"Delete identifier {identifier}?")
    here.api.identifiers.delete(identifier)
    show_done(here, f"Deleted identifier {identifier}.", id=identifier, deleted=True)
