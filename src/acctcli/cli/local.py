"""The embedded service: set up, serve, back up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli._group import Context, new_group
from acctcli.cli._options import Command, DeleteCommand
from acctcli.cli._output import show_done, show_text, show_value
from acctcli.cli._state import State, state
from acctcli.errors import UsageError
from acctcli.settings import data_dir

if TYPE_CHECKING:
    from acctcli.service.embedded import EmbeddedService

app = new_group("The embedded service: set up, serve, back up.")

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")]
Port = Annotated[int, typer.Option("--port", min=1, max=65535, metavar="N", help="Port to listen on.")]
Workers = Annotated[int, typer.Option("--workers", min=1, max=64, metavar="N", help="Processes that serve.")]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url", metavar="URL", help="postgresql://… or sqlite:///…; no password here, see PGPASSWORD."
    ),
]
AllowedHosts = Annotated[
    list[str] | None, typer.Option("--allowed-host", metavar="NAME", help="Name clients may call it by. Repeatable.")
]
User = Annotated[str | None, typer.Option("--user", metavar="EMAIL", help="Whose token; a new user is created.")]
Target = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="File to write; it must not exist.")]
Source = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="File that `local backup` wrote.")]


@app.command("init", cls=Command)
def init_service(ctx: Context) -> None:
    """Create the local database and its user; every command does it when it is first needed."""
    here = state(ctx)
    with _opened(here) as service:
        show_done(here, f"The local service is ready in {_folder(here)}.", **service.facts())


@app.command("status", cls=Command)
def show_status(ctx: Context) -> None:
    """Show where the local service keeps its data, and how much of it there is."""
    here = state(ctx)
    if not _is_there(here):
        folder = _folder(here)
        raise UsageError(f"there is no local database in {folder} yet", hint="create one with: acctcli local init")
    with _opened(here) as service:
        show_value(here, service.facts())


@app.command("serve", cls=Command)
def serve(
    ctx: Context,
    host: Host = "127.0.0.1",
    port: Port = 8320,
    workers: Workers = 1,
    database_url: DatabaseUrl = None,
    allowed_host: AllowedHosts = None,
) -> None:
    """Serve the local service on a socket until it is stopped; every request needs a token.

    Clients reach it after: acctcli env set local --base-url http://ADDRESS:PORT
    """
    from acctcli.service.serving import serve as run

    here = state(ctx)
    url = _checked(database_url) or here.environ.get("ACCTCLI_DATABASE_URL")
    with _opened(here, url):
        pass
    here.say(f"Serving on http://{host}:{port}; stop it with Ctrl-C.")
    run(_folder(here), url, host=host, port=port, workers=workers, allowed_hosts=tuple(allowed_host or ()))


@app.command("token", cls=Command)
def print_token(ctx: Context, user: User = None) -> None:
    """Print the local user's token, or a new one for another user."""
    here = state(ctx)
    with _opened(here) as service:
        token = service.token if user is None else service.new_token(user)
    if here.format == "table":
        show_text(here, token)
    else:
        show_value(here, {"user": user or service.user, "token": token})


@app.command("backup", cls=Command)
def backup(ctx: Context, target: Target) -> None:
    """Copy the local database to a file, whole and checked, while it may be in use."""
    from acctcli.service.store.snapshots import copy_out

    here = state(ctx)
    size = copy_out(_file(here), target)
    show_done(here, f"Wrote {size} bytes to {target}.", file=str(target), bytes=size)


@app.command("restore", cls=DeleteCommand)
def restore(ctx: Context, source: Source) -> None:
    """Replace the local database by a backup."""
    from acctcli.service.store.snapshots import copy_in

    here = state(ctx)
    database = _file(here)
    here.confirm(f"Replace all local books by {source}?")
    if not here.options.dry_run:
        with _opened(here):
            pass
        copy_in(source, database)
        # the backup knows other tokens: opening makes a new one for this machine
        with _opened(here):
            pass
    did = "Would restore" if here.options.dry_run else "Restored"
    show_done(here, f"{did} {source}.", file=str(source), restored=not here.options.dry_run)


@app.command("reset", cls=DeleteCommand)
def reset(ctx: Context) -> None:
    """Delete all local books."""
    here = state(ctx)
    database = _file(here)
    here.confirm(f"Delete all local books in {_folder(here)}?")
    if not here.options.dry_run:
        for path in (database, *database.parent.glob(f"{database.name}-*"), _folder(here) / "token"):
            path.unlink(missing_ok=True)
    did = "Would delete" if here.options.dry_run else "Deleted"
    show_done(here, f"{did} all local books.", folder=str(_folder(here)), reset=not here.options.dry_run)


def _folder(here: State) -> Path:
    return data_dir(here.environ) / "local"


def _file(here: State) -> Path:
    """The SQLite file; commands on files have nothing to say about PostgreSQL."""
    if here.environ.get("ACCTCLI_DATABASE_URL"):
        raise UsageError(
            "the local service runs on the database of ACCTCLI_DATABASE_URL",
            hint="use that database's own tools, such as pg_dump and pg_restore",
        )
    return _folder(here) / "books.sqlite3"


def _is_there(here: State) -> bool:
    return bool(here.environ.get("ACCTCLI_DATABASE_URL")) or _file(here).exists()


def _opened(here: State, url: str | None = None) -> EmbeddedService:
    from acctcli.service.embedded import open_embedded

    return open_embedded(_folder(here), url or here.environ.get("ACCTCLI_DATABASE_URL"))


def _checked(url: str | None) -> str | None:
    """Refuse a password among the arguments, where every user of the machine can read it."""
    from urllib.parse import urlsplit

    if url is not None and urlsplit(url).password is not None:
        raise UsageError(
            "--database-url must not hold a password: others can read it in the list of processes",
            hint="put the whole URL into ACCTCLI_DATABASE_URL, or the password into PGPASSWORD",
        )
    return url
