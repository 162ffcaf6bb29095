"""What tests of every area share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """One PostgreSQL server for the whole run."""
    with postgres.running() as server:
        yield server


@pytest.fixture(scope="module")
def postgres_database(postgres_server: postgres.Server) -> str:
    """The URL of an empty database, one a module."""
    return postgres_server.new_database()
