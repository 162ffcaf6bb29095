"""Errors as people read them, or as one JSON object on stderr where JSON was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from acctcli.cli.output.stderr import tell
from acctcli.errors import AcctcliError, ServiceError, UsageError

_OUTPUT = re.compile("--output|-[a-zA-Z]*o")
_JSON = re.compile("(--output=|-[a-zA-Z]*o)json")


def report(error: AcctcliError, argv: Sequence[str]) -> int:
    """Write the error to stderr and return its exit code."""
    if _wants_json(argv):
        import json

        tell(json.dumps({"error": _facts(error)}, ensure_ascii=True))
    else:
        tell(f"error: {' '.join(error.message.split())}")
        if error.hint:
            tell(f"hint: {error.hint}")
    return error.exit_code


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
