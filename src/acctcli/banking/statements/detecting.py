"""Which format a file has, by its content (docs/bank.md 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO

from acctcli.banking.statements.delimited import headings_of, plain_heading
from acctcli.banking.statements.lines import refuse_utf16
from acctcli.banking.statements.model import StatementFault
from acctcli.banking.statements.profile import Profile

# how much of a file tells its format
LOOKED_AT = 2**16
_TITO = re.compile(rb"T00[0-9]{3}")
_MT940 = re.compile(rb"^:20:", re.MULTILINE)


def format_of(beginning: bytes) -> str:
    """Return the name of a format; CSV is what is none of the others."""
    text = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"<", b"\xff\xfe<", b"\xfe\xff\x00<")):
        return "camt"
    if _TITO.match(text):
        return "tito"
    if _MT940.search(text) or text.startswith(b"{1:"):
        return "mt940"
    if not text:
        raise StatementFault("the file is empty")
    refuse_utf16(text)
    return "csv"


def profile_of(beginning: bytes, profiles: Mapping[str, Profile]) -> str | None:
    """Return the name of the profile whose headings a CSV file has; of several the one that names most of them."""
    best, most = None, 0
    for name, profile in profiles.items():
        try:
            headings = {plain_heading(one) for one in headings_of(_whole_lines(beginning), profile)}
        except StatementFault:
            continue
        wanted = {plain_heading(one) for one in profile.header}
        if wanted <= headings and len(wanted) > most:
            best, most = name, len(wanted)
    return best


def _whole_lines(beginning: bytes) -> BytesIO:
    end = beginning.rfind(b"\n") + 1
    return BytesIO(beginning[: end or len(beginning)])
