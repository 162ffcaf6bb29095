"""A business that files."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import IdentifierType


class Filer(NamedTuple):
    """One that has a single number, whatever it is asked for."""

    number: str
    slug: str = "demo"

    def identifier(self, kind: IdentifierType) -> str:
        """Return the number."""
        return self.number

    def phone(self) -> str:
        """Return the phone number."""
        return "+358 40 123 4567"
