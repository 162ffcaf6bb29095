"""Apps that people sign in to with their account of the local service."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from acctcli.cli.command.classes import Command, Context, DeleteCommand, new_group
from acctcli.cli.local.books import open_books
from acctcli.cli.local.people import refusals
from acctcli.cli.output.show import show_ended, show_value, show_values
from acctcli.cli.session.state import state
from acctcli.errors import NotFound

COLUMNS = ("id", "name", "kind", "redirects", "scopes", "created_at")

app = new_group("Apps that people sign in to with their account here.")

Id = Annotated[str, typer.Argument(metavar="ID", help="Its client id, which `list` shows.")]
OwnId = Annotated[str | None, typer.Option("--id", metavar="ID", help="Client id; made up if not given.")]
Name = Annotated[str, typer.Option("--name", metavar="TEXT", help="What people are shown when it asks them.")]
Kind = Annotated[
    Literal["public", "confidential"],
    typer.Option("--kind", help="Confidential has a secret, on a server; public has none, as on a device."),
]
Redirects = Annotated[
    list[str],
    typer.Option("--redirect", metavar="URL", help="Address it is returned to, character for character. Repeatable."),
]
Scopes = Annotated[
    str, typer.Option("--scopes", metavar="TEXT", help="What it may ask for; offline_access is a refresh token.")
]


@app.command("add", cls=Command)
def add_client(
    ctx: Context,
    name: Name,
    redirect: Redirects,
    kind: Kind = "public",
    scopes: Scopes = "openid profile email offline_access",
    client_id: OwnId = None,
) -> None:
    """Register an app; the secret of a confidential one is shown this one time.

    Example: acctcli local client add --name Till --kind confidential --redirect https://till.example/callback
    """
    here = state(ctx)
    with open_books(here) as service, refusals():
        made, secret = service.keeper.add_app(client_id, name, redirect, scopes.split(), secret=kind == "confidential")
    facts = {"id": made, "name": name, "kind": kind, "redirects": redirect, "scopes": scopes.split()}
    show_value(here, {**facts, "secret": secret} if secret else facts)


@app.command("list", cls=Command)
def list_clients(ctx: Context) -> None:
    """List the apps that are registered.

    Example: acctcli local client list
    """
    here = state(ctx)
    with open_books(here) as service:
        found = service.keeper.list_apps()
    rows = [
        {
            "id": one.client_id,
            "name": one.name,
            "kind": "public" if one.secret_hash is None else "confidential",
            "redirects": one.redirects.split(),
            "scopes": one.scopes.split(),
            "created_at": one.created_at,
        }
        for one in found
    ]
    show_values(here, rows, COLUMNS)


@app.command("remove", cls=DeleteCommand)
def remove_client(ctx: Context, client_id: Id) -> None:
    """Remove an app: nobody signs in to it any more, and its tokens end.

    Example: acctcli local client remove till --yes
    """
    here = state(ctx)
    with open_books(here) as service, refusals():
        known = {one.client_id: one.name for one in service.keeper.list_apps()}
        if client_id not in known:
            raise NotFound("There is no app with this id.")
        here.confirm(f"Remove the app {client_id} ({known[client_id]}), and end its tokens?")
        if not here.options.dry_run:
            service.keeper.remove_app(client_id)
    show_ended(here, ("remove", "Removed"), f"the app {client_id}", "removed", id=client_id)
