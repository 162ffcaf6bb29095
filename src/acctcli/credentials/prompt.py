"""Read a token from a person, unseen, or from a pipe; never from an argument, where others can see it."""

from __future__ import annotations

import sys
from typing import BinaryIO

from acctcli.credentials.tokens import LONGEST, check_token
from acctcli.errors import UsageError

_PIPED = "acctcli auth login --with-token < FILE"


def read_hidden(environment: str) -> str:
    """Ask for the token of `environment` on the terminal without showing it.

    Raise UsageError if standard input is no terminal, if the typing could be seen, or if it is no token.
    """
    import getpass
    import warnings

    if not sys.stdin.isatty():
        raise UsageError("A token can only be typed on a terminal", hint=_PIPED)
    with warnings.catch_warnings():
        # where getpass cannot hide the typing, it warns and reads all the same
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            token = getpass.getpass(f"Token for {environment} (not shown): ")
        except getpass.GetPassWarning:
            raise UsageError("This terminal would show the token", hint=_PIPED) from None
        except EOFError:
            raise UsageError("No token was given") from None
    return check_token(token, "the prompt")


def read_piped(stream: BinaryIO) -> str:
    """Read the token that `stream` holds, without the one line break at its end.

    Raise UsageError if `stream` is a terminal, which would show it, or holds no token.
    """
    if stream.isatty():
        raise UsageError(
            "--with-token reads the token from a pipe or file",
            hint="leave out --with-token to type it unseen",
        )
    content = stream.read(LONGEST + 3)  # a token, a line break, and one byte that gives away more
    text = content.decode("ascii", errors="replace").removesuffix("\n").removesuffix("\r")
    if not text:
        raise UsageError("No token was given on standard input", hint=_PIPED)
    return check_token(text, "standard input")
