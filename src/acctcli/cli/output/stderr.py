"""What stands on stderr: lines for people, and errors, which are one JSON object where JSON was asked for."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TextIO

from acctcli.errors import AcctcliError, ServiceError, UsageError

# facts of the last write of a command (`doubt`)
Doubt = Mapping[str, object]

_OUTPUT = re.compile("--output|-[a-zA-Z]*o")
_JSON = re.compile("(--output=|-[a-zA-Z]*o)json")


def tell(text: str) -> None:
    """Write one line to stderr without secrets, and with anything a terminal would obey made visible."""
    from acctcli.client import redact

    _write(redact.text(text))


def ask(question: str) -> None:
    """Write a question as `tell` writes a line, and stay behind it."""
    from acctcli.client import redact

    _write(redact.text(question), end=" ")


def _write(text: str, end: str = "\n") -> None:
    """Write a line; nobody need be listening."""
    from acctcli.cli.output.safe import visible

    line = "\n".join(visible(part) for part in text.split("\n"))
    try:
        sys.stderr.write(line.encode("utf-8", "backslashreplace").decode("utf-8") + end)
        sys.stderr.flush()
    except BrokenPipeError:
        let_go(sys.stderr)


def how_many(number: int, noun: str) -> str:
    """Write a number of things, such as `1 line` and `2 lines`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def how_many_are(number: int, noun: str) -> str:
    """Write a number of things of which something is said, such as `1 line is` and `2 lines are`."""
    return f"{how_many(number, noun)} {'is' if number == 1 else 'are'}"


def let_go(stream: TextIO) -> None:
    """Send the rest of a stream whose reader has gone to nowhere, so that closing it does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def report(error: AcctcliError, argv: Sequence[str], doubt: Doubt | None = None) -> int:
    """Write the error to stderr, with the write that it leaves in doubt, and return its exit code."""
    from acctcli.client import redact

    redact.error(error)
    if _wants_json(argv):
        import json

        _write(json.dumps({"error": {**_facts(error), **({"doubt": doubt} if doubt else {})}}, ensure_ascii=True))
    else:
        tell(f"error: {' '.join(error.message.split())}")
        if error.hint:
            tell("hint: " + error.hint.replace("\n", " "))
        if doubt:
            tell_doubt(doubt)
    return error.exit_code


def tell_doubt(doubt: Doubt) -> None:
    """Say what was done or may have been, how to find out, and how to go on."""
    # as long as the service knows the key (docs/interface.md 1.6)
    limit = "within 24 hours " if doubt["idempotency_key"] else ""
    repeat = f"; {limit}do it again safely with: {doubt['repeat']}" if doubt["repeat"] else ""
    tell(f"note: {doubt['told']}; look with: {doubt['look']}{repeat}")


def _facts(error: AcctcliError) -> dict[str, object]:
    facts: dict[str, object] = {"code": error.code, "message": error.message, "exit_code": error.exit_code}
    if error.hint:
        facts["hint"] = error.hint
    if isinstance(error, (ServiceError, UsageError)) and error.fields:
        facts["fields"] = {name: list(texts) for name, texts in error.fields.items()}
    if isinstance(error, ServiceError):
        facts["status"] = error.status
        facts["request_id"] = error.request_id
    return facts


def _wants_json(argv: Sequence[str]) -> bool:
    """Whether JSON was asked for; read from the words themselves, since parsing them may be what failed."""
    if any(_OUTPUT.fullmatch(option) and value.startswith("json") for option, value in pairwise(argv)):
        return True
    return any(word == "--json" or _JSON.match(word) for word in argv)
