"""Completion scripts for your shell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.completing.values import shells
from acctcli.cli.output.show import show_done, show_text
from acctcli.cli.session.state import state
from acctcli.errors import UsageError, unwritten

app = new_group(__doc__)

Shell = Annotated[str, typer.Argument(metavar="SHELL", autocompletion=shells, help="bash, zsh, fish or powershell.")]
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", file_okay=False, help="Where to put the scripts.")]


@app.command("show", cls=Command)
def show_script(ctx: Context, shell: Shell) -> None:
    """Print the script that makes a shell complete acctcli's words.

    Example: acctcli completion show bash
    """
    from acctcli.cli.completing.shells import SCRIPTS

    if shell not in SCRIPTS:
        raise UsageError(f"no completion for {shell!r}; there are scripts for {', '.join(SCRIPTS)}")
    script = SCRIPTS[shell]
    show_text(state(ctx), script.text, shell=shell, file=script.file, script=script.text)


@app.command("write", cls=Command)
def write_scripts(ctx: Context, folder: Folder) -> None:
    """Write the scripts of all shells into a folder, under the names the shells look for.

    Example: acctcli completion write .
    """
    from acctcli.cli.completing.shells import SCRIPTS

    for script in SCRIPTS.values():
        try:
            folder.joinpath(script.file).write_text(script.text, encoding="utf-8", newline="\n")
        except OSError as problem:
            raise unwritten(str(folder / script.file), problem) from problem
    files = [script.file for script in SCRIPTS.values()]
    show_done(state(ctx), f"Wrote {', '.join(files)} to {folder}.", folder=str(folder), files=files)
