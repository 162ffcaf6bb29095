"""What the books of a business follow: the law of its country, and one of the charts there are (docs/law.md 8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli import law

if TYPE_CHECKING:
    from acctcli.law.decisions import Chart, Country


class Home(msgspec.Struct):
    """A business as far as it says where it is at home."""

    slug: str | None = None
    country: str | None = None
    # an object of each service's own
    country_config: Any = None

    @property
    def law(self) -> Country | None:
        """The law of its country; None where that is not known."""
        return law.country(self.country) if self.country in law.PACKAGES else None

    @property
    def chart_name(self) -> str | None:
        """The chart that the service names; None where it names none."""
        said = self.country_config.get("chart") if isinstance(self.country_config, dict) else None
        return said if isinstance(said, str) else None

    def chart(self, accounts: Iterable[tuple[str, str]]) -> Chart | None:
        """Return the chart that the books follow; None where neither its country nor its name is known.

        Where the service names none, `accounts` tell, numbers with types: what has most of them is it.
        """
        if self.law is None:
            return None
        if self.chart_name is None:
            return self.law.fitting_chart(accounts)
        try:
            return self.law.choose_chart(self.chart_name)
        except ValueError:
            return None
