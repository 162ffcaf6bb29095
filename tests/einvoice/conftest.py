"""The official rules, fetched once and kept in pytest's cache."""

from __future__ import annotations

import pytest

from tests.einvoice.rulebooks import Rulebook, fetch


@pytest.fixture(scope="session")
def rulebook(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    """Validators of UBL, EN 16931, XRechnung and Finvoice."""
    return Rulebook(fetch(pytestconfig.cache.mkdir("rulebooks"), tmp_path_factory.mktemp("wheels")))
