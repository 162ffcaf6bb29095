"""Look through the books in a browser: pages on this machine, read only."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.command.options import LOCALE
from acctcli.cli.session.state import state

_LAST_PORT = 65535

app = new_group(__doc__)

Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=_LAST_PORT, help="Port of this machine (any that is free).")
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Open no browser: open the address that is shown.")]


@app.command("view", cls=Command.taking(LOCALE))
def view(ctx: Context, port: Port = 0, no_browser: NoBrowser = False) -> None:
    """Show the books as pages in a browser, until it is stopped with Ctrl-C.

    Result, cash, VAT and what is open at a glance; journal, accounts, documents with their receipts, invoices and
    reports, with the figures of the commands that show them. Pages read and never write, and are for the browser alone
    that opens the address, which is good once.

    Example: acctcli view --locale fi
    """
    from acctcli.cli.view.opening import show

    show(state(ctx), port, opens=not no_browser)
