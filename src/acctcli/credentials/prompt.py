"""Read a secret from a person, unseen, or from a pipe; never from an argument, where others can see it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import BinaryIO

from acctcli.credentials.tokens import LONGEST, check_token
from acctcli.errors import UsageError

_PASSPHRASE = "type it on a terminal, pipe it into the command, or set ACCTCLI_BACKUP_PASSPHRASE"  # noqa: S105 - words
_PIPED = "acctcli auth login --with-token < FILE"


def read_hidden(environment: str) -> str:
    """Ask for the token of `environment` on the terminal without showing it.

    What is copied often comes with blanks and line breaks around it, which do not count. Raise UsageError if standard
    input is no terminal, if the typing could be seen, or if it is no token.
    """
    token = ask_unseen("token", f"Token for {environment} (not shown): ", _PIPED).strip()
    if not token:
        raise UsageError("No token was given", hint=_PIPED)
    return check_token(token, "the prompt")


def ask_unseen(secret: str, question: str, other_way: str) -> str:
    """Ask for a secret on the terminal without showing it; `other_way` to give it is the hint of a refusal.

    Raise UsageError if standard input is no terminal, if the typing could be seen, or if it ends.
    """
    import getpass
    import warnings

    if not sys.stdin.isatty():
        raise UsageError(f"A {secret} can only be typed on a terminal", hint=other_way)
    with warnings.catch_warnings():
        # where getpass cannot hide the typing, it warns and reads all the same
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(question)
        except getpass.GetPassWarning:
            raise UsageError(f"This terminal would show the {secret}", hint=other_way) from None
        except EOFError:
            raise UsageError(f"No {secret} was given") from None


def ask_twice(secret: str, question: str, other_way: str) -> str:
    """Ask for a new secret as `ask_unseen` does, and once more; raise UsageError when that is another one."""
    given = ask_unseen(secret, question, other_way)
    if ask_unseen(secret, "Once more: ", other_way) != given:
        raise UsageError(f"These were two different {secret}s; nothing was changed")
    return given


def read_line(secret: str, other_way: str) -> str:
    """Read a secret from a line of standard input; raise UsageError when it is empty."""
    given = sys.stdin.readline().removesuffix("\n").removesuffix("\r")
    if not given:
        raise UsageError(f"No {secret} was given", hint=other_way)
    return given


def read_secret(secret: str, question: str, other_way: str) -> str:
    """Read a secret that is typed unseen on a terminal, else a line of standard input; raise UsageError for none."""
    if not sys.stdin.isatty():
        return read_line(secret, other_way)
    if not (given := ask_unseen(secret, question, other_way)):
        raise UsageError(f"No {secret} was given", hint=other_way)
    return given


def read_passphrase(environ: Mapping[str, str]) -> str:
    """Return the passphrase of a backup's key: `ACCTCLI_BACKUP_PASSPHRASE` > a line of standard input > asked for.

    Raise UsageError if there is none.
    """
    if given := environ.get("ACCTCLI_BACKUP_PASSPHRASE"):
        return given
    return read_secret("passphrase", "Passphrase of the key (not shown): ", _PASSPHRASE)


def read_file_passphrase(environ: Mapping[str, str], *, is_new: bool) -> str:
    """Return the passphrase of the file of tokens: `ACCTCLI_PASSPHRASE` > asked for, twice for a new file."""
    if given := environ.get("ACCTCLI_PASSPHRASE"):
        return given
    ask = ask_twice if is_new else ask_unseen
    return ask("passphrase", "Passphrase of the file of tokens (not shown): ", "set ACCTCLI_PASSPHRASE")


def read_piped(stream: BinaryIO) -> str:
    """Read the token that `stream` holds, without the blanks and line breaks around it.

    Raise UsageError if `stream` is a terminal, which would show it, or holds no token.
    """
    if stream.isatty():
        raise UsageError(
            "--with-token reads the token from a pipe or file",
            hint="leave out --with-token to type it unseen",
        )
    content = stream.read(2 * LONGEST + 1)
    text = content.decode("utf-8", errors="replace")
    # what is cut off may have had no end of its own
    text = text.strip() if len(content) <= 2 * LONGEST else text
    if not text:
        raise UsageError("No token was given on standard input", hint=_PIPED)
    return check_token(text, "standard input")
