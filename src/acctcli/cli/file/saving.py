"""How commands save records as files: their options, and what they tell of each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar

import typer

from acctcli.cli.command.classes import CONFIRM, LISTING, Command

SAVED = ("id", "name", "path", "size", "outcome", "error")
ALL = next(make for make in LISTING if make().name == "all")
MEBIBYTE = 2**20

To = Annotated[Path, typer.Option("--to", metavar="DIR", file_okay=False, help="Folder to save them in.")]
SkipExisting = Annotated[bool, typer.Option("--skip-existing", help="Leave files alone that are there already.")]
MaxTotal = Annotated[
    int, typer.Option("--max-total", metavar="MIB", min=1, help="Stop when all files together are larger than this.")
]


class DownloadCommand(Command):
    """A command that saves records as files."""

    shared: ClassVar = {"Files": (ALL, *CONFIRM), **Command.shared}
