"""Run a piece of Python on a terminal of its own, as a person would see it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

# a new session's first terminal becomes the one /dev/tty means
_ADOPT = "import os; os.close(os.open(os.ttyname(0), os.O_RDWR))\n"


def run_on_terminal(code: str, *, prompt: bytes = b"", typed: bytes = b"") -> tuple[int, bytes]:
    """Run `code`, type `typed` once `prompt` is on the screen, and return exit code and screen."""
    screen, terminal = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", _ADOPT + code],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        seen = _read_until(screen, prompt)
        os.write(screen, typed)
        seen += _read_until(screen, None)
        return process.wait(), seen
    finally:
        os.close(screen)


def _read_until(screen: int, wanted: bytes | None) -> bytes:
    seen = b""
    while wanted is None or wanted not in seen:
        try:
            piece = os.read(screen, 1024)
        except OSError:  # how Linux tells that the other side is closed
            return seen
        if not piece:
            return seen
        seen += piece
    return seen
