"""Entry point: answer `--version` before anything heavy is imported, and leave without ceremony."""

import os

try:
    import contextlib
    import gc
    import signal
    import sys
    import time
except KeyboardInterrupt:  # before anything listens
    os.write(2, b"error: interrupted\n")
    os._exit(130)

# what type checkers take it for; to import it from typing takes longer than all that is imported here
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

# most commands live for a moment: collecting while modules load costs a sixth of it and finds nothing; what each of
# many papers leaves in circles goes after half a million of such objects
GC_THRESHOLDS = (5_000, 20, 5)
# what ends a command with a message; SIGHUP is not known everywhere
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
# seconds for the message; a signal that comes later ends it at once
_PATIENCE = 2.0
_stopped_at: list[float] = []


def main() -> None:
    """Run the command line and exit with a code documented in the README."""
    _listen(_leave_at_once)
    if sys.argv[1:] == ["--version"]:
        from acctcli import __version__

        code = _write(f"acctcli {__version__}\n")
    else:
        gc.set_threshold(*GC_THRESHOLDS)
        from acctcli.cli.root import run

        sys.unraisablehook = _come_again
        code = run(sys.argv[1:], leaves=True, listen=lambda stops: _listen(_stop if stops else _come_too_late))
    leave(code)


def _write(text: str) -> int:
    """Write to stdout itself, whatever has become of it; return the exit code."""
    try:
        os.write(1, text.encode())
    except BrokenPipeError:
        return 0
    except OSError as problem:
        with contextlib.suppress(OSError):
            os.write(2, f"error: stdout cannot be written: {problem.strerror}\n".encode())
        return 1
    return 0


def _listen(handler: "Callable[[int, FrameType | None], None]") -> None:
    """Have signals handled, but those that whoever started us has switched off, as nohup does."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def _leave_at_once(number: int, frame: "FrameType | None") -> None:
    """End while nothing was done yet."""
    with contextlib.suppress(OSError):
        os.write(2, b"error: interrupted\n")
    os._exit(128 + number)


def _stop(number: int, frame: "FrameType | None") -> None:
    """End the command wherever it is; further signals let it say so, unless that takes long."""
    from acctcli.errors import Stopped

    _stopped_at.append(time.monotonic())
    if len(_stopped_at) == 1:
        raise Stopped(number)
    if _stopped_at[-1] - _stopped_at[0] > _PATIENCE:
        os._exit(128 + number)


def _come_again(lost: "sys.UnraisableHookArgs") -> None:
    """Let a signal come a moment later that came where nothing can be raised, such as in what takes an object apart."""
    from acctcli.errors import Stopped

    if not isinstance(lost.exc_value, Stopped):
        sys.__unraisablehook__(lost)
        return
    from threading import Timer

    _stopped_at.clear()
    # to the process: this thread may wait for something, and only what comes to it ends that
    Timer(0.01, os.kill, [os.getpid(), lost.exc_value.signal]).start()


def _come_too_late(number: int, frame: "FrameType | None") -> None:
    """Let the command end as it did."""


def leave(code: int) -> None:
    """End the process once everything is written.

    Taking an interpreter apart object by object costs milliseconds a command and frees what the system frees anyway;
    connections, files and threads have been closed by whoever opened them.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            # None where the caller closed it
            if stream is not None:
                stream.flush()
        except BrokenPipeError:
            # the reader has gone; nobody is left to tell
            pass
        except OSError:
            code = code or 1
    os._exit(code)


if __name__ == "__main__":
    main()
