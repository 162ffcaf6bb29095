"""What receives deliveries checks them first: whether they are of the service, whole, and of now."""

from __future__ import annotations

import os
import re
import sys
import time

from acctcli.client import known
from acctcli.errors import Incomplete, UsageError
from acctcli.models.signature import PREFIX, find_fault, read_secret


def read_key(variable: str) -> bytes:
    """Return the key that an environment variable has the secret of; the secret is never shown."""
    if not re.fullmatch(r"[A-Za-z_]\w{0,99}", variable) or variable.startswith(PREFIX):
        raise UsageError(
            "--secret-env takes the name of a variable, which holds the secret, and not the secret",
            hint="export HOOK=…, then: --secret-env HOOK; a secret that stood here has been seen: make a new one",
        )
    secret = os.environ.get(variable, "")
    if not secret:
        raise UsageError(
            f"--secret-env {variable}: this variable is not set",
            hint=f"it holds the {PREFIX}… that the subscription showed when it was made",
        )
    known.know(secret)
    try:
        return read_secret(secret)
    except ValueError as problem:
        raise UsageError(f"--secret-env {variable}: {problem}") from None


def check_stdin(key: bytes, delivery: str, timestamp: str, signature: str, *, at_any_time: bool) -> int:
    """Check the body on standard input, and return its length in bytes; Incomplete where it is not right."""
    body = sys.stdin.buffer.read()
    fault = find_fault(key, delivery, timestamp, signature, body, None if at_any_time else time.time())
    if fault:
        raise Incomplete(f"the delivery {delivery} is not to be trusted: {fault}", hint=None)
    return len(body)
