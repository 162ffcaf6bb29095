"""How much of a list is wanted; light, because every list command's module needs it."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST_PAGE = 200
IN_FLIGHT = 8


@dataclass(frozen=True)
class Extent:
    """How much of a list is wanted: `limit` rows, or all of them when it is None."""

    limit: int | None = 50
    page_size: int = LARGEST_PAGE
    in_flight: int = IN_FLIGHT

    @property
    def size(self) -> int:
        """The page size to ask for: no larger than what is wanted."""
        return self.page_size if self.limit is None else max(1, min(self.page_size, self.limit))
