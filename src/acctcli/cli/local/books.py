"""The books of the environment local: where they are, and the service that opens them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from acctcli.cli.session.state import State
from acctcli.credentials import keep_from_dumps, smtp_password
from acctcli.errors import UsageError
from acctcli.settings import LOCAL, data_dir, files_dir, outbox_dir

if TYPE_CHECKING:
    from acctcli.service.http.embedded import EmbeddedService
    from acctcli.service.store.contents import Contents


def books_folder(here: State) -> Path:
    """Return the folder of all that the environment keeps; UsageError where another one is named."""
    if here.options.env not in (None, LOCAL):
        raise UsageError(f"this is about the books on this machine, the environment {LOCAL}, not {here.options.env}")
    return data_dir(here.environ) / "local"


def books_file(here: State) -> Path:
    """Return the SQLite file; UsageError where the books are in PostgreSQL, of which commands on files know nothing."""
    if here.environ.get("ACCTCLI_DATABASE_URL"):
        raise UsageError(
            "the local service runs on the database of ACCTCLI_DATABASE_URL",
            hint="use that database's own tools, such as pg_dump and pg_restore",
        )
    return books_folder(here) / "books.sqlite3"


def has_books(here: State) -> bool:
    """Say whether there are books, or were."""
    from acctcli.service.http.embedded import begun_mark
    from acctcli.service.store.engine.sqlite import marker

    if here.environ.get("ACCTCLI_DATABASE_URL"):
        return True
    file = books_file(here)
    return any(path.exists() for path in (file, marker(file), begun_mark(file.parent)))


def open_books(here: State, url: str | None = None, files: Path | None = None) -> EmbeddedService:
    """Open the books, or others; what their service holds is kept out of core dumps."""
    from acctcli.service.http.embedded import open_embedded

    keep_from_dumps()
    if served := here.settings.describe(LOCAL).base_url:
        here.say(f"note: this is about the books in {books_folder(here)}, wherever those at {served} are")
    return open_embedded(
        books_folder(here),
        url or here.environ.get("ACCTCLI_DATABASE_URL"),
        files=files or files_dir(here.environ),
        outbox=outbox_dir(here.environ),
        smtp_url=here.environ.get("ACCTCLI_SMTP_URL"),
        smtp_password=partial(smtp_password, here.environ),
    )


def stored_contents(here: State) -> Contents:
    """Return what files of the books hold."""
    from acctcli.service.store.contents import Contents

    return Contents(files_dir(here.environ))
