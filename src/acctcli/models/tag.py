"""Tags that documents are grouped by (docs/interface.md 6.1)."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from acctcli.models.base import NO_NUL, Request, Text16, Text256
from acctcli.models.reply import Stored

TagName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32, pattern=NO_NUL)]


class TagRequest(Request):
    """What may be written of a tag; nothing is required."""

    name: TagName | None = None
    description: Text256 | None = None
    color: Text16 | None = None


class Tag(Stored):
    """A tag as the service shows it."""

    name: str | None
    description: str | None
    color: str | None
