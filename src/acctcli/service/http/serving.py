"""Serve the application on a socket: processes and threads of a production WSGI server around one database."""

from __future__ import annotations

import gc
import json
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from acctcli.service.cases.work import Limits
from acctcli.service.http.large import keep_one_heap
from acctcli.service.http.logs import LOG, log_to
from acctcli.service.http.patience import Guard
from acctcli.service.http.threads import Threads
from acctcli.service.http.timers import HOUR_SECONDS, keep_time, repeat
from acctcli.service.http.watch import Watch

if TYPE_CHECKING:
    import socket

    from acctcli.service.http.advancing import Advancer
    from acctcli.service.http.delivering import Lanes
    from acctcli.service.http.embedded import EmbeddedService
    from acctcli.service.http.workers import Caller

WORKER = "ACCTCLI_SERVE_WORKER"
SMTP_URL = "ACCTCLI_SMTP_URL"
SMTP_PASSWORD = "ACCTCLI_SMTP_PASSWORD"  # noqa: S105 - a name
# names that only this machine has for itself
LOOPBACK = ("localhost", "127.0.0.1", "::1")
GC_THRESHOLDS = (10_000, 20, 20)


class Setup(NamedTuple):
    """What a worker is told, as JSON: where its books are, who may ask for what, and which process is the main one."""

    folder: str
    database_url: str | None
    files: str
    outbox: str
    hosts: Sequence[str]
    port: int
    patience: float
    log_format: str
    limits: Limits
    main: int
    threads: int
    login_address: str
    delivers: bool
    allows_private: bool


def serve(
    folder: Path,
    database_url: str | None,
    files: Path,
    outbox: Path,
    *,
    smtp_password: str | None,
    listener: socket.socket,
    workers: int,
    threads: int,
    allowed_hosts: tuple[str, ...],
    patience: float,
    log_format: str,
    limits: Limits,
    login_address: str,
    delivers: bool = False,
    allows_private: bool = False,
    target: str = "acctcli.service.http.serving:application",
) -> None:
    """Serve with so many workers, of so many threads each, until a signal ends it; requests under way are finished.

    Workers are processes of their own and open the database themselves; what they need travels in their environment,
    because it may hold a password and arguments can be read by everyone. People sign in at `login_address`. Each worker
    `delivers` to webhook subscriptions. `allows_private`: these, and what workflows send, also to addresses of this
    machine and its network. `target` names what builds the application of a worker.
    """
    from acctcli.service.http.workers import Workers

    host, port = listener.getsockname()[:2]
    hosts = (host, *LOOPBACK, *allowed_hosts, urlsplit(login_address).hostname or host)
    places = str(folder), database_url, str(files), str(outbox)
    served = *places, hosts, port, patience, log_format
    setup = Setup(*served, limits, os.getpid(), threads, login_address, delivers, allows_private)
    os.environ[WORKER] = json.dumps(setup)
    if smtp_password:
        os.environ[SMTP_PASSWORD] = smtp_password
    log_to(folder, log_format, aloud=True)
    LOG.info("serving at port %s of %s with %s workers", port, host, workers)
    Workers(target, listener, workers, threads).serve()
    LOG.info("stopped")


def application(furnish: Callable[[EmbeddedService, str], None] = lambda service, login_address: None) -> Caller:
    """Build the application of one worker; what it is made of lives as long as the worker and need not be looked at.

    `furnish` adds what else it answers; it is told where people sign in.
    """
    from acctcli.service.http.embedded import open_embedded
    from acctcli.service.http.workers import Caller, Orphan, call_directly, hear_once

    keep_one_heap()
    setup = Setup(*json.loads(os.environ[WORKER]))
    folder = Path(setup.folder)
    service = open_embedded(
        folder,
        setup.database_url,
        files=Path(setup.files),
        outbox=Path(setup.outbox),
        smtp_url=os.environ.get(SMTP_URL),
        smtp_password=lambda: os.environ.get(SMTP_PASSWORD),
        allowed_hosts=setup.hosts,
        limits=Limits(*setup.limits),
        login_address=setup.login_address,
    )
    furnish(service, setup.login_address)
    log_to(folder, setup.log_format, aloud=True)
    threading.excepthook = _log_thread
    guard = Guard(service.app, setup.threads)
    watch = Watch(guard, setup.port, setup.patience)
    lanes = service.lanes(allows_private=setup.allows_private) if setup.delivers else None
    advancer = service.advancer(allows_private=setup.allows_private)
    hear_once(partial(_end, watch, advancer, lanes))
    call_directly()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    threading.Thread(target=watch.run, args=[Orphan(setup.main).look], daemon=True).start()
    timed = partial(keep_time, service, set())
    threading.Thread(target=repeat, args=[timed, HOUR_SECONDS, threading.Event()], daemon=True).start()
    # what comes of their work is kept before the worker ends
    threading.Thread(target=advancer.run, name="workflows", daemon=False).start()
    if lanes is not None:
        threading.Thread(target=lanes.run, name="deliveries", daemon=False).start()
    threads = None
    if service.database.dialect == "sqlite":
        threads = Threads()
        threading.Thread(target=threads.watch, daemon=True).start()
    return Caller(guard, threads)


def _end(watch: Watch, advancer: Advancer, lanes: Lanes | None) -> None:
    """End what this worker does beside answering requests."""
    watch.end()
    advancer.end()
    if lanes is not None:
        lanes.end()


def _log_thread(failed: threading.ExceptHookArgs) -> None:
    """Log what ended a thread, such as a run of what recurs."""
    if failed.exc_value is not None:
        LOG.error("a thread failed", exc_info=failed.exc_value)
