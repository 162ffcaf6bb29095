"""A company of one's own in process, for the tests of one group of commands."""

from __future__ import annotations

from pathlib import Path

from tests.journeys.places import Place, fresh


def company(folder: Path, form: str = "FI_OY") -> Place:
    """Create a user without settings and a business to work in."""
    place = fresh("in process", folder, ACCTCLI_BUSINESS="company")
    place.run("business", "create", "--name", "Company", "--form", form, "--slug", "company")
    return place
