"""What tests of every area share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.databases import Factory, postgres_server


@pytest.fixture(scope="session")
def postgres_factory() -> Iterator[Factory]:
    """One PostgreSQL server for the whole run."""
    environ = dict(os.environ)
    with postgres_server() as factory:
        yield factory
    os.environ.clear()
    os.environ.update(environ)
