"""Lines for people, on stderr."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def tell(text: str) -> None:
    """Write one line to stderr, with anything a terminal would obey made visible; nobody need be listening."""
    from acctcli.cli.output.safe import visible

    line = "\n".join(visible(part) for part in text.split("\n"))
    try:
        sys.stderr.write(line.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        let_go(sys.stderr)


def let_go(stream: TextIO) -> None:
    """Send the rest of a stream whose reader has gone to nowhere, so that closing it does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
