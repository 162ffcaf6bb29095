"""The logo of a business: `acctcli business logo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.cli.command.classes import Context, DeleteCommand, RehearsedCommand, new_group
from acctcli.cli.output.show import show, show_done
from acctcli.cli.session.state import state

COLUMNS = ("id", "slug", "name", "logo")

app = new_group("The logo that stands on papers; only in the environment local.", shows="business:Business")

Picture = Annotated[Path, typer.Argument(metavar="FILE", allow_dash=True, help="A PNG or a JPEG; `-` is stdin.")]


@app.command("set", cls=RehearsedCommand)
def set_logo(ctx: Context, picture: Picture) -> None:
    """Put a logo on invoices accepted from now on, reminders and reports; only in the environment local.

    A PNG or JPEG of at most 1 MiB. It is kept as it stands on white paper, without its margin; what was accepted
    before stays as it is.

    Example: acctcli business logo set logo.png
    """
    from acctcli.cli.file.uploads import STDIN, read_upload

    here = state(ctx)
    here.require_local()
    show(here, here.api.set_logo(read_upload(picture, "logo" if picture == STDIN else None)), COLUMNS)


@app.command("remove", cls=DeleteCommand)
def remove_logo(ctx: Context) -> None:
    """Let papers have no logo from now on; what was accepted with one keeps it. Only in the environment local.

    Example: acctcli business logo remove --yes
    """
    here = state(ctx)
    here.require_local()
    slug = here.business()
    here.confirm(f"Remove the logo of {slug}?")
    here.api.remove_logo()
    show_done(here, f"Papers of {slug} have no logo from now on.", business=slug, logo=None)
