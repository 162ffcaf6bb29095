"""Serve the application on a socket: processes and threads of a production WSGI server around one database."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

FOLDER = "ACCTCLI_SERVE_FOLDER"
DATABASE = "ACCTCLI_SERVE_DATABASE_URL"
FILES = "ACCTCLI_SERVE_FILES"
HOSTS = "ACCTCLI_SERVE_HOSTS"
THREADS = 8
GC_THRESHOLDS = (10_000, 20, 20)


def serve(
    folder: Path,
    database_url: str | None,
    files: Path,
    *,
    host: str,
    port: int,
    workers: int,
    allowed_hosts: tuple[str, ...],
) -> None:
    """Serve until a signal ends it; requests under way are finished first.

    Workers are processes of their own and open the database themselves; what they need travels in their environment,
    because a database URL may hold a password and arguments can be read by everyone.
    """
    from granian import Granian
    from granian.constants import Interfaces

    os.environ[FOLDER] = str(folder)
    os.environ[FILES] = str(files)
    os.environ[HOSTS] = ",".join((host, *allowed_hosts))
    if database_url:
        os.environ[DATABASE] = database_url
    server = Granian(
        "acctcli.service.serving:application",
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=THREADS,
        log_enabled=False,
        respawn_failed_workers=True,
    )
    server.serve()


def application() -> Any:
    """Build the application of one worker; what it is made of lives as long as the worker and need not be looked at."""
    from acctcli.service.embedded import open_embedded

    hosts = os.environ[HOSTS].split(",")
    folder, files = Path(os.environ[FOLDER]), Path(os.environ[FILES])
    service = open_embedded(folder, os.environ.get(DATABASE), files=files, allowed_hosts=hosts)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    return service.app
