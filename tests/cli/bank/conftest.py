"""A business with the usual accounts, and no IBAN in its chart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.places import Place, fresh


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Place:
    place = fresh("bank", tmp_path_factory.mktemp("bank"), ACCTCLI_BUSINESS="demo")
    place.run("business", "create", "--name", "Demo Oy", "--form", "FI_OY", "--slug", "demo")
    return place


@pytest.fixture
def place(house: Place, tmp_path: Path) -> Place:
    """A folder of one's own; the books are those of all tests here."""
    return Place(house.name, tmp_path, {**house.environ, "ACCTCLI_CONFIG_DIR": str(tmp_path / "config")})
