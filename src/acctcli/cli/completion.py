"""Completion scripts for your shell."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli._group import Context, new_group
from acctcli.cli._options import Command
from acctcli.cli._output import show_text
from acctcli.cli._state import state
from acctcli.errors import UsageError

SHELLS = ("bash", "zsh", "fish", "powershell")

app = new_group("Completion scripts for your shell.")

Shell = Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.")]


@app.command("show", cls=Command)
def show_script(ctx: Context, shell: Shell) -> None:
    """Print the script that makes a shell complete acctcli's words."""
    show_text(state(ctx), script(shell))


def script(shell: str) -> str:
    """Return the completion script of a shell; raise UsageError for one that is not known."""
    from typer._completion_shared import get_completion_script

    from acctcli.cli.root import COMPLETE, PROGRAM

    if shell not in SHELLS:
        raise UsageError(f"no completion for {shell!r}; there are scripts for {', '.join(SHELLS)}")
    return get_completion_script(prog_name=PROGRAM, complete_var=COMPLETE, shell=shell)
