"""How commands save records as files: their options, and what they tell of each."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from typer.models import TyperPath

from acctcli.cli.command.classes import CONFIRM, LISTING, Command
from acctcli.cli.command.options import ID, field, flag

SAVED = ("id", "name", "path", "size", "outcome", "error")
ALL = next(make for make in LISTING if make().name == "all")


class DownloadCommand(Command):
    """A command that saves records as files; `downloads.download_all` does it."""

    shared: ClassVar = {"Files": (ALL, *CONFIRM), **Command.shared}
    fields: ClassVar = (
        field(
            "to",
            "--to",
            type=TyperPath(file_okay=False, path_type=Path),
            metavar="DIR",
            help="Folder to save them in (the current one); --output-file names the file itself, where it is one.",
        ),
        flag("skip_existing", "--skip-existing", help="Leave files alone that are there already."),
        field(
            "max_total",
            "--max-total",
            type=ID,
            metavar="MIB",
            default=4096,
            show_default=True,
            help="Stop when all files together are larger than this.",
        ),
    )
