"""Serve the application on a socket: processes and threads of a production WSGI server around one database."""

from __future__ import annotations

import gc
import logging
import os
import threading
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acctcli.service.problems import InFlight

if TYPE_CHECKING:
    from acctcli.service.http.embedded import EmbeddedService

FOLDER = "ACCTCLI_SERVE_FOLDER"
DATABASE = "ACCTCLI_SERVE_DATABASE_URL"
FILES = "ACCTCLI_SERVE_FILES"
OUTBOX = "ACCTCLI_SERVE_OUTBOX"
SMTP_URL = "ACCTCLI_SMTP_URL"
SMTP_PASSWORD = "ACCTCLI_SMTP_PASSWORD"  # noqa: S105 - a name
HOSTS = "ACCTCLI_SERVE_HOSTS"
THREADS = 8
GC_THRESHOLDS = (10_000, 20, 20)
HOUR_SECONDS = 3600

LOG = logging.getLogger("acctcli.service")


def serve(
    folder: Path,
    database_url: str | None,
    files: Path,
    outbox: Path,
    *,
    smtp_password: str | None,
    host: str,
    port: int,
    workers: int,
    allowed_hosts: tuple[str, ...],
) -> None:
    """Serve until a signal ends it; requests under way are finished first.

    Workers are processes of their own and open the database themselves; what they need travels in their environment,
    because it may hold a password and arguments can be read by everyone.
    """
    from granian import Granian
    from granian.constants import Interfaces

    os.environ[FOLDER] = str(folder)
    os.environ[FILES] = str(files)
    os.environ[OUTBOX] = str(outbox)
    os.environ[HOSTS] = ",".join((host, *allowed_hosts))
    if database_url:
        os.environ[DATABASE] = database_url
    if smtp_password:
        os.environ[SMTP_PASSWORD] = smtp_password
    server = Granian(
        "acctcli.service.http.serving:application",
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
    from acctcli.service.http.embedded import open_embedded

    hosts = os.environ[HOSTS].split(",")
    service = open_embedded(
        Path(os.environ[FOLDER]),
        os.environ.get(DATABASE),
        files=Path(os.environ[FILES]),
        outbox=Path(os.environ[OUTBOX]),
        smtp_url=os.environ.get(SMTP_URL),
        smtp_password=lambda: os.environ.get(SMTP_PASSWORD),
        allowed_hosts=hosts,
    )
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    _keep_time(service, set())
    return service.app


def _keep_time(service: EmbeddedService, kept: set[date]) -> None:
    """Make and mail what is due of templates, now and on every day that is not yet `kept`; of several workers one does.

    It looks at the calendar every hour, because a timer of a whole day stands still while a machine sleeps. The next
    look is arranged for first: a fault ends this run alone, and the day stays to be done.
    """
    timer = threading.Timer(HOUR_SECONDS, _keep_time, [service, kept])
    timer.daemon = True
    timer.start()
    threading.Thread(target=service.erase, daemon=True).start()
    today = datetime.now(UTC).date()
    if today not in kept:
        threading.Thread(target=_make_recurring, args=[service, today, kept], daemon=True).start()


def _make_recurring(service: EmbeddedService, today: date, kept: set[date]) -> None:
    """Do what is due; without a problem the day is kept, else the next look tries again what could not be done."""
    with suppress(InFlight):
        problems = [done for done in service.make_recurring(today) if done.problem is not None]
        for done in problems:
            LOG.warning(
                "template %s of %s: not %s for %s: %s",
                done.template,
                done.business,
                done.action,
                done.date,
                done.problem,
            )
        if not problems:
            kept.add(today)
