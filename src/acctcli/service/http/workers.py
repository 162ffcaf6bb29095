"""Processes that serve: they share one socket, and a main process that keeps as many of them as were asked for.

granian runs a worker; how workers begin and end is decided here. The socket is the main process's own, so that no
other service can listen at its port, and a connection that nobody has taken yet outlives the worker that was to take
it. A worker that ends is replaced, and one whose main process is gone ends.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from granian import _signals
from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server import mp
from granian.server.mp import MPServer, WorkerProcess
from granian.wsgi import Response, ResponseIterWrap

from acctcli.errors import UsageError
from acctcli.service.delivery.smtp import SESSION_SECONDS
from acctcli.service.http.granted import BACKLOG, most_connections
from acctcli.service.http.logs import LOG
from acctcli.service.http.patience import AWAITED, SEND
from acctcli.service.http.threads import Threads

# of a request's line and headers: whoever has no token may fill as much for each of his connections
HEAD_BYTES = 16 * 1024
LOOK_SECONDS = 0.2
FOR_EVER_SECONDS = 10**9
# what a request under way may take when all ends: a killed worker leaves mail of which nobody knows whether it left
GRACE_SECONDS = SESSION_SECONDS + 10.0
# a worker that ends sooner than this waits before it is replaced, twice as long each time
SETTLED_SECONDS = 10.0
WAITS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, and nobody else at this port; UsageError when it cannot."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"port {port} of {host} is in use", hint="stop what listens there, or choose another one with --port"
            ) from error
        raise UsageError(f"cannot listen at port {port} of {host}: {error.strerror}") from error
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.set_inheritable(True)
    return listener


class Workers(MPServer):
    """The main process: starts workers on a socket, replaces those that end, and ends them all on a signal."""

    def __init__(self, target: str, listener: socket.socket, workers: int, threads: int) -> None:
        super().__init__(
            target,
            factory=True,
            interface=Interfaces.WSGI,
            http=HTTPModes.http1,
            workers=workers,
            backlog=BACKLOG,
            backpressure=most_connections(),
            blocking_threads=threads,
            http1_settings=HTTP1Settings(max_buffer_size=HEAD_BYTES),
            log_enabled=False,
        )
        self._listener = listener
        self._soon: dict[int, int] = {}
        # Windows has no such signal
        self._hangs_up = hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN

    def _init_shared_socket(self) -> None:
        self._ssp = None
        self._shd = SocketHolder(self._listener.fileno(), False, BACKLOG)  # type: ignore[assignment,call-arg]
        self._sso = self._listener
        # none ends, for those that are free are counted (threads.py); who asks for it may have ten minutes
        self.blocking_threads_idle_timeout = FOR_EVER_SECONDS

    def signal_handler_interrupt(self, *_args: Any, **_kwargs: Any) -> None:
        """Note the signal, and no more: the event of the loop has a lock, which this very thread may hold."""
        self.interrupt_signal = True

    def signal_handler_reload(self, *args: Any, **kwargs: Any) -> None:
        """End with the terminal, unless whoever started this does not want that."""
        if self._hangs_up:
            self.signal_handler_interrupt(*args, **kwargs)

    def _serve_loop(self, spawn_target: Any, target_loader: Callable[..., Any]) -> None:
        """Keep the workers until a signal comes."""
        while not self.interrupt_signal:
            self.main_loop_interrupt.wait(LOOK_SECONDS)
            for place, worker in enumerate(self.wrks):
                if not worker.is_alive() and not self.interrupt_signal and self._may_begin(worker):
                    self.wrks[place] = self._spawn_worker(place, spawn_target, target_loader)
                    self.wrks[place].start()
            # a worker that ended is no failure of the whole
            self.interrupt_children.clear()
            if not self.interrupt_signal:
                self.main_loop_interrupt.clear()

    def _may_begin(self, ended: WorkerProcess) -> bool:
        """Whether the place of a worker that ended may be taken; say so when it is."""
        place, lived = ended.idx, time.monotonic() - ended.birth
        times = self._soon.get(place, 0)
        if lived < WAITS[min(times, len(WAITS) - 1)]:
            return False
        self._soon[place] = times + 1 if lived < SETTLED_SECONDS else 0
        process = ended.inner
        LOG.error("worker %s (process %s) ended with %s; another begins", place + 1, process.pid, process.exitcode)
        return True

    def _stop_workers(self) -> None:
        """End the workers: told again and again, for one that has just begun does not listen yet."""
        end = time.monotonic() + GRACE_SECONDS
        while alive := [worker for worker in self.wrks if worker.is_alive()]:
            for worker in alive:
                if time.monotonic() < end:
                    worker.terminate()
                else:
                    worker.kill()
            alive[0].join(LOOK_SECONDS)
        self.wrks.clear()


def hear_once(also: Callable[[], None]) -> None:
    """Let this worker hear the first signal only: granian's handler stands still at the third, and all with it.

    `also` hears it as well.
    """
    usual = _signals.set_main_signals

    def set_signals(handler: Callable[..., None], reload_handler: Callable[..., None] | None = None) -> None:
        heard = threading.Lock()

        def hear(*args: Any) -> None:
            if heard.acquire(blocking=False):
                also()
                handler(*args)

        usual(hear, reload_handler)  # type: ignore[no-untyped-call]

    _signals.set_main_signals = set_signals


def call_directly() -> None:
    """Let this worker's granian call a Caller, not a WSGI application."""
    mp._wsgi_call_wrap = lambda caller, *_: caller  # type: ignore[attr-defined]


class Caller:
    """What granian calls for each request: runs the application, in one of the threads, and sends what it returns.

    Nothing of this process's environment, which may hold a password, is in a request's.
    """

    def __init__(self, app: Callable[..., Iterable[bytes]], threads: Threads | None) -> None:
        self._app = app
        self._threads = threads
        usual = {"wsgi.multithread": True, "wsgi.multiprocess": False, "wsgi.run_once": False}
        self._usual = {"SCRIPT_NAME": "", "wsgi.version": (1, 0), "wsgi.errors": sys.stderr, **usual}

    def __call__(self, protocol: Any, scope: dict[str, Any]) -> None:
        """Answer a request."""
        if self._threads is None:
            self._answer(protocol, scope)
            return
        is_read = False
        self._threads.begin()
        try:
            is_read = self._answer(protocol, scope)
        finally:
            scope.clear()  # the buffers of a body are not held with the thread
            # granian gives up what is left of a body when this returns, and its sender waits for that
            self._threads.end(may_be_held=is_read)

    def _answer(self, protocol: Any, scope: dict[str, Any]) -> bool:
        """Send what there is; return whether the body was read to its end."""
        reply, environ = Response(), {**self._usual, **scope, SEND: protocol.response_bytes}
        chunks = self._app(environ, reply)
        if chunks is not AWAITED:
            if isinstance(chunks, list):
                protocol.response_bytes(reply.status, reply.headers, b"".join(chunks))
            else:
                protocol.response_iter(reply.status, reply.headers, ResponseIterWrap(chunks))
        is_read: bool = environ["wsgi.input"].is_done
        return is_read


class Orphan:
    """Ends this worker when its main process is gone, told again and again as by that one."""

    def __init__(self, main: int) -> None:
        self._main = main
        self._end: float | None = None

    def look(self, now: float) -> None:
        """Look once; what is under way has as long as at any other end."""
        if os.getppid() == self._main:
            return
        self._end = self._end or now + GRACE_SECONDS
        if now > self._end:
            os._exit(1)
        os.kill(os.getpid(), signal.SIGTERM)
