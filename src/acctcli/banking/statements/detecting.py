"""Which format a file has, by its content (docs/bank.md 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO

from acctcli.banking.statements.delimited import headings_of, plain_heading, read_csv
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
    """Return the name of the profile whose headings a CSV file has; of several the one that names most of them.

    Of those that name as many it is the one that its first rows can be read by; raise StatementFault where they can be
    read by several.
    """
    some = profiles_for(beginning, profiles)
    if len(some) > 1:
        raise StatementFault(f"it may be of {' or '.join(some)}, which write days or amounts in other ways")
    return some[0] if some else None


def profiles_for(beginning: bytes, profiles: Mapping[str, Profile]) -> list[str]:
    """Return the names of the profiles that a CSV file may be read by: those of its headings that name most of them."""
    found = {name: len(profile.header) for name, profile in profiles.items() if _knows(profile, beginning)}
    some = [name for name in found if found[name] == max(found.values())]
    return [name for name in some if _reads(profiles[name], beginning)] or some if len(some) > 1 else some


def _knows(profile: Profile, beginning: bytes) -> bool:
    """Whether a file has the headings of a profile."""
    try:
        headings = {plain_heading(one) for one in headings_of(_whole_lines(beginning), profile)}
    except StatementFault:
        return False
    return bool(profile.header) and {plain_heading(one) for one in profile.header} <= headings


def _reads(profile: Profile, beginning: bytes) -> bool:
    """Whether the first rows of a file can be read by a profile."""
    try:
        for _ in read_csv(_whole_lines(beginning), profile):
            pass
    except StatementFault:
        return False
    return True


def _whole_lines(beginning: bytes) -> BytesIO:
    end = beginning.rfind(b"\n") + 1
    return BytesIO(beginning[: end or len(beginning)])
