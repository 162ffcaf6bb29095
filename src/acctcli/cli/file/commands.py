"""Files: upload, list, download, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from acctcli.cli.command.classes import ActionCommand, Context, new_group, shows
from acctcli.cli.command.options import ID, INT, SEARCH, field, flag
from acctcli.cli.command.plain import Resource
from acctcli.cli.file.saving import SAVED, DownloadCommand
from acctcli.cli.session.state import state

COLUMNS = ("id", "name", "type", "analysis_status", "created_at")
DETAILS = (*COLUMNS, "updated_at", "folder_id", "is_deletable", "notes", "file")
FILTERS = (
    flag("root", "--root", help="Only files in no folder."),
    SEARCH,
    flag("is_used", "--used/--unused", help="Only files attached to a document, or the others."),
    field("tags", "--tag", type=INT, metavar="ID", help="Only files of documents with this tag."),
    field("folder", "--folder", type=ID, metavar="ID", help="Only files in this folder."),
)

AGAIN = flag("again", "--again", help="Upload files although they were uploaded before.")

app = new_group(__doc__, shows="file:Attachment")

FileIds = Annotated[list[int] | None, typer.Argument(metavar="ID...", min=1, help="Ids of files.")]
Paths = Annotated[
    list[Path], typer.Argument(metavar="PATH...", allow_dash=True, help="Files to upload, or `-` for stdin.")
]
NewName = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="Name to keep it under; needed for stdin.")]
Folder = Annotated[int | None, typer.Option("--folder", metavar="ID", min=1, help="Folder to put it into, if any.")]


@app.command("upload", cls=ActionCommand.taking(AGAIN))
def upload_files(ctx: Context, paths: Paths, name: NewName = None, folder: Folder = None) -> None:
    """Upload files, each of them once: what is there already is said, and after a stop the same command goes on.

    Example: acctcli file upload receipt.txt --name 'Receipt 4712.txt'
    """
    from acctcli.cli.file.uploads import upload_all

    here = state(ctx)
    again = bool(here.named.pop("again", False))
    upload_all(here, paths, name, folder, COLUMNS, again=again)


files = Resource(
    app,
    "file",
    lambda api: api.files,
    "file:FileRequest",
    COLUMNS,
    DETAILS,
    (field("name", "--name", metavar="TEXT", help="Name of the file."),),
)
files.list("List files, the newest first.", "acctcli file list --unused", *FILTERS)
files.get(
    "Show one file; `file` is where its content can be fetched from for a while, by whoever knows the address.",
    "acctcli file get 1",
)
files.update(
    "Change the fields given, and no others; the content stays.", "acctcli file update 1 --name 'Receipt 4711.pdf'"
)
files.replace(
    "Replace the file's fields; what is not given goes back to its default, the content stays.",
    "acctcli file replace 1 --name 'Receipt 4711.pdf'",
)
files.delete("Delete a file that no document uses, and its content.", "acctcli file delete 1 --yes", " and its content")


@app.command("download", cls=DownloadCommand)
@shows(SAVED)
def download_files(ctx: Context, ids: FileIds = None) -> None:
    """Save files under safe forms of their names; what is there already is overwritten only when you agree.

    Their content is fetched without your token, over https or from this machine.

    Example: acctcli file download 1 --to receipts
    """
    from acctcli.cli.file.downloads import download_all, files_of

    here = state(ctx)
    download_all(here, files_of(here), ids, "files")
